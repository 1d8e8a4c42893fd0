// Impossible states. ASSERT is checked in debug builds only (SCR_DEBUG), CHECK always, UNREACHABLE marks code that no
// input can reach. All three are for mistakes of ours; what a script does wrong is an error value, never one of these.
#pragma once

#include "runtime/base/platform.h"

#include <cstdio>
#include <cstdlib>

namespace scr {

[[noreturn]] COLD inline void assertionFailed(const char* what, const char* file, int line)
{
    std::fprintf(stderr, "scr: internal error: %s (%s:%d)\n", what, file, line);
    std::abort();
}

} // namespace scr

#define CHECK(condition) (LIKELY(condition) ? (void)0 : ::scr::assertionFailed(#condition, __FILE__, __LINE__))

#if defined(SCR_DEBUG)
#define ASSERT(condition) CHECK(condition)
#define UNREACHABLE() ::scr::assertionFailed("unreachable", __FILE__, __LINE__)
#else
#define ASSERT(condition) ((void)0)
#define UNREACHABLE() __builtin_unreachable()
#endif
