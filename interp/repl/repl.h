// The interactive mode: read, evaluate, print, again.
#pragma once
#include "interp/host/cli.h"

namespace scr {

/// Runs the REPL on standard input until it ends: the exit status. With a terminal it edits (interp/terminal), without
/// one it reads lines.
int runRepl(const CommandLine& line, const char* invokedAs);

}
