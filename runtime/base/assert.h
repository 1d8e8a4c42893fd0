// ASSERT: invariants, debug builds only. CHECK: invariants worth a branch in every build. UNREACHABLE: no path leads
// here.
#pragma once
#include "runtime/base/platform.h"

namespace scr {
/// Prints the failed condition on stderr and aborts.
[[noreturn]] COLD void assertionFailed(const char* condition, const char* file, int line);
}

#define CHECK(condition) (LIKELY(condition) ? void(0) : ::scr::assertionFailed(#condition, __FILE__, __LINE__))
#ifdef SCR_DEBUG
#define ASSERT(condition) CHECK(condition)
#define UNREACHABLE() ::scr::assertionFailed("unreachable", __FILE__, __LINE__)
#else
#define ASSERT(condition) void(0)
#define UNREACHABLE() __builtin_unreachable()
#endif
