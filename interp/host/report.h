// What a run that failed prints: the place, the source line with a caret, the error with its stack.
#pragma once
#include "interp/compiler/compiler.h"
#include "runtime/loop/event_loop.h"

namespace scr {

/// "file:3", the line, a caret, an empty line, the stack or the value thrown, an empty line.
std::string reportUncaught(Vm& vm, Value error, const ThrowPlace& place);
/// The same for a text that did not compile.
std::string reportSyntaxError(const ScriptSource& source, const CompileError& error);
/// The memory limit ended the run at `place`.
std::string reportMemoryLimit(Vm& vm, const ThrowPlace& place);

}
