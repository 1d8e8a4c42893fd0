// What the compiler and the machine are: the only file that asks. Layer 0, includes nothing of ours.
#pragma once

#if !defined(__GNUC__)
#error "scr is built with g++ or clang"
#endif

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))
// A cold function is kept away from the hot ones and its calls are taken to be unlikely.
#define COLD __attribute__((cold, noinline))
