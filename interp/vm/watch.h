// What the watched interpreter does before each instruction: it publishes where the script is, so that the profiler's
// signal finds the frames whole at any moment, counts what property and call sites meet, and asks the guard, if there
// is one, whether the instruction may run.
#pragma once
#include "interp/vm/instruction_effects.h"
#include "interp/vm/shape_report.h"
#include <atomic>

namespace scr {

/// False: it must not run, and a termination is pending.
ALWAYS_INLINE bool watchInstruction(Vm& vm, const u64* pc, Value* base) {
    // In this order, so that a signal in between sees a frame that has not begun rather than a pc of no frame.
    vm.base = base;
    std::atomic_signal_fence(std::memory_order_release);
    vm.pc = pc;
    if (vm.siteWatch)
        watchSite(*vm.siteWatch, vm, pc, base);
    return !vm.guard || mayRun(*vm.guard, pc, base);
}

}
