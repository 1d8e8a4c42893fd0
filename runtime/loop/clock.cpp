// The machine's clocks.
#include "runtime/loop/clock.h"
#include "runtime/loop/poll.h"
#include <time.h>

namespace scr {

static u64 nanosecondsOf(clockid_t clock) {
    timespec now;
    clock_gettime(clock, &now);
    return u64(now.tv_sec) * 1000000000 + u64(now.tv_nsec);
}

u64 monotonicNanoseconds() { return nanosecondsOf(CLOCK_MONOTONIC); }
u64 wallNanoseconds() { return nanosecondsOf(CLOCK_REALTIME); }

Clock systemClock() {
    return {[](void*) { return monotonicNanoseconds(); },
        [](void*, u64 nanoseconds, int descriptor) { pollFor(nanoseconds, descriptor); }, nullptr};
}

}
