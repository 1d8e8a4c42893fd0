// Sleeping by ppoll: the descriptors of later kinds of work wait in the same call.
#include "runtime/loop/poll.h"
#include <poll.h>
#include <time.h>

namespace scr {

void pollFor(u64 nanoseconds) {
    timespec limit{time_t(nanoseconds / 1000000000), long(nanoseconds % 1000000000)};
    ppoll(nullptr, 0, &limit, nullptr);
}

}
