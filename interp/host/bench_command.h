// The command `scr bench`.
#pragma once
#include "interp/host/cli.h"

namespace scr {

/// scr bench: runs the benchmarks that the files register: the exit status.
int runBenchCommand(const CommandLine& line, const char* invokedAs);

}
