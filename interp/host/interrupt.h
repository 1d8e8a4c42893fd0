// ^C in a run that does not listen to it: the script stops where it is, the report tells where that was and what was
// pending, and the process dies by the signal. A second ^C kills at once.
#pragma once
#include "runtime/core/vm.h"
#include <string>

namespace scr {

/// SIGINT interrupts this Vm, unless the process was started with the signal ignored.
void installInterrupt(Vm& vm);
/// Ends the process by a signal's default action.
[[noreturn]] void dieBySignal(int number);
/// The interrupt found the run asleep.
bool isIdle(const Vm& vm);
/// Where an interrupted run was, and what was pending.
std::string reportInterrupt(Vm& vm);

}
