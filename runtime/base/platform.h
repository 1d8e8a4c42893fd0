// What differs between compilers: branch hints, inlining, integer names.
#pragma once
#include <cstddef>
#include <cstdint>

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))
#define COLD __attribute__((noinline, cold))

#if defined(__SANITIZE_ADDRESS__)
#define SCR_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SCR_ASAN 1
#endif
#endif
#ifndef SCR_ASAN
#define SCR_ASAN 0
#endif

// The conservative stack scan reads whole stacks, red zones included.
#define NO_SANITIZE_ADDRESS __attribute__((no_sanitize("address")))

namespace scr {
using i8 = int8_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;
using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
}
