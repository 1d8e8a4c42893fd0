// What a run that failed prints: the place, the source line with a caret, the error with its stack.
#pragma once
#include "interp/compiler/compiler.h"
#include "runtime/loop/event_loop.h"

namespace scr {

/// "file:3", the line, a caret, an empty line, the stack or the value thrown, an empty line.
std::string reportUncaught(Vm& vm, Value error, const ThrowPlace& place);
/// EventLoop::describeUnsettled: where the main module waits, for what, and why nothing settles that. In unsettled.cpp.
std::string reportUnsettled(Vm& vm, Promise* promise);
/// "    at async f (file:3:11)" for each function that waits for what a promise waits for, the innermost first, and for
/// the text whose promise it is. In unsettled.cpp.
std::string waitingFrames(Vm& vm, Promise* promise);
/// "file:3:1", where the main module waits now; empty if nobody knows.
std::string mainWaitsAt(Vm& vm, Promise* promise);
/// With the code of the instruction that rejected a promise, if that is all that is known.
ThrowPlace knownPlace(Vm& vm, const ThrowPlace& place);
/// "file:3", the line, a caret; nothing if the word has no place.
std::string reportPlace(const ThrowPlace& place);
/// What else there is to say of an error, a line each: which link of a chain is undefined, what would mend a text.
std::string errorHints(Vm& vm, Value error, const ThrowPlace& place);
/// "f (file:3:5)", or the place alone; empty if nobody knows.
std::string describeInstruction(Vm& vm, const u64* pc);
/// "  the timer was armed at f (file:3:5)"; empty if nobody knows.
std::string describeArming(Vm& vm, const ArmPlace& armed);
/// The same for a text that did not compile.
std::string reportSyntaxError(const ScriptSource& source, const CompileError& error);
/// What the limits were, for the report: nanoseconds, work units.
struct LimitValues {
    u64 time, fuel;
};
/// A limit ended the run at `place`.
std::string reportLimit(Vm& vm, const ThrowPlace& place, const LimitValues& values);
/// " (file:1:2)" for the innermost script frame, or nothing. Allocates nothing: for when there is no memory left.
size_t describePlace(void* vm, char* text, size_t size);

}
