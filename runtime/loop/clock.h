// Time as the loop knows it: whole milliseconds of a clock that never goes back, and a way to wait. Both can be
// replaced, so that tests and hosts decide what time it is.
#pragma once
#include "runtime/base/platform.h"

namespace scr {

/// CLOCK_MONOTONIC.
u64 monotonicNanoseconds();
/// Of the process, since 1970.
u64 wallNanoseconds();

struct Clock {
    u64 (*read)(void* context); ///< nanoseconds; never less than before
    /// May return early, and does when there is something to read from `descriptor` (-1: none).
    void (*wait)(void* context, u64 nanoseconds, int descriptor);
    void* context;
};
/// The machine's: waits in the kernel.
Clock systemClock();

}
