// What console's files share.
#pragma once
#include "runtime/builtins/inspect.h"

namespace scr {

class OutputStream;

enum class ConsoleStream : u8 { Out, Error };

/// A line with the indentation of the groups that are open. Runs script if process.stdout.write was replaced.
Completion<void> consoleWrite(Vm& vm, ConsoleStream stream, std::string text);
/// How values are inspected on this stream.
InspectOptions consoleOptions(Vm& vm, ConsoleStream stream);
/// Colours are for terminals; NO_COLOR and FORCE_COLOR change that.
bool wantsColors(OutputStream& stream);
/// What console.log (warn, error) does with these arguments: the method that the console has by that name is called, as
/// a script may have replaced it. The list keeps the arguments alive.
Completion<void> consolePrint(Vm& vm, std::string_view method, struct Array* arguments);

}
