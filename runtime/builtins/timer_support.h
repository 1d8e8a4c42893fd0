// What the files of timers and process share.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

/// process.emitWarning with a name and a text: the event at the next tick, the line on standard error.
void emitWarning(Vm& vm, std::string_view name, std::string_view utf8Message);
/// An error for queueWarning; the frames down to those of the function `above` are left out of its stack.
Object* newWarning(Vm& vm, String* message, Value name, Value above = Value::undefined());
/// Delivers it at the next tick.
void queueWarning(Vm& vm, Value warning);
/// The exports of a builtin module; TypeError in a Vm that has none (Vm::builtinModuleHook).
Completion<Object*> builtinModule(Vm& vm, std::string_view name);
/// EventLoop::warnHandledRejection.
void warnHandledRejection(Vm& vm, u32 number);
/// EventLoop::warnUnhandledRejection.
void warnUnhandledRejection(Vm& vm, Value reason, u32 number);

}
