// What the prompt shows of results, errors and limits: as Node's REPL words and lays it out.
#pragma once
#include "runtime/builtins/inspect.h"
#include "runtime/core/promise.h"
#include "runtime/loop/event_loop.h"
#include <string>

namespace scr {

/// util.inspect with proxies shown. [script]
Completion<void> showResult(Vm& vm, Value value, bool colors, std::string& out);
/// "Uncaught TypeError: message" with the stack as far as it tells more than the prompt does, or "Uncaught" and the
/// value; then what else there is to say of it. Ends with a newline. [script], but nothing is thrown: what cannot be
/// shown is described.
std::string showUncaught(Vm& vm, Value error, const ThrowPlace& place, bool colors);
/// The termination of a text: ^C, a limit or no memory, with the place where it was. `waiting`: it only waited, and
/// this is its promise.
std::string showTermination(Vm& vm, u64 timeLimit, u64 fuel, Promise* waiting);

}
