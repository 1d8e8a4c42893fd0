// Where the loop sleeps. The invariant: while nothing is due the process stands in one system call and takes no
// processor time.
#pragma once
#include "runtime/base/platform.h"

namespace scr {

/// Waits in the kernel for that long, or until a signal handler ran or there is something to read from the descriptor
/// (-1: none).
void pollFor(u64 nanoseconds, int descriptor);

}
