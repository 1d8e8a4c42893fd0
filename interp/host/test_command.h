// The command `scr test`.
#pragma once
#include "interp/host/cli.h"

namespace scr {

/// scr test: runs test files, each in a process of its own, and reports on them: the exit status.
int runTestCommand(const CommandLine& line, const char* invokedAs);

}
