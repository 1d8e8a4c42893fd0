// Sleeping by ppoll: the descriptors of later kinds of work wait in the same call.
#include "runtime/loop/poll.h"
#include <poll.h>
#include <time.h>

namespace scr {

void pollFor(u64 nanoseconds, int descriptor) {
    timespec limit{time_t(nanoseconds / 1000000000), long(nanoseconds % 1000000000)};
    pollfd wait{descriptor, POLLIN, 0}; // poll passes over negative descriptors
    ppoll(&wait, 1, &limit, nullptr);
}

}
