// What the watched interpreter does before each instruction: it publishes where the script is, so that the profiler's
// signal finds the frames whole at any moment, and counts what property and call sites meet.
#pragma once
#include "interp/vm/shape_report.h"
#include <atomic>

namespace scr {

ALWAYS_INLINE void watchInstruction(Vm& vm, const u64* pc, Value* base) {
    // In this order, so that a signal in between sees a frame that has not begun rather than a pc of no frame.
    vm.base = base;
    std::atomic_signal_fence(std::memory_order_release);
    vm.pc = pc;
    if (vm.siteWatch)
        watchSite(*vm.siteWatch, vm, pc, base);
}

}
