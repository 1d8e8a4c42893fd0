// What the files of timers and process share.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

/// process.emitWarning with a name and a text: the event at the next tick, the line on standard error.
void emitWarning(Vm& vm, std::string_view name, std::string_view utf8Message);
/// EventLoop::warnHandledRejection.
void warnHandledRejection(Vm& vm, u32 number);

}
