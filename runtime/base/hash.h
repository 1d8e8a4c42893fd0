// Seeded hashes for every key a script can choose: without the seed nobody can make keys that collide. A multiplication
// of 64 by 64 bits whose halves are folded mixes each 16 bytes.
#pragma once
#include "runtime/base/platform.h"
#include <cstring>

namespace scr {

constexpr u64 HashFirst = 0x9E3779B97F4A7C15ull, HashSecond = 0xD6E8FEB86659FD93ull;

ALWAYS_INLINE u64 mixHash(u64 a, u64 b) {
    auto product = static_cast<unsigned __int128>(a) * b;
    return u64(product) ^ u64(product >> 64);
}

/// Of one word: a number's bits, an address.
ALWAYS_INLINE u64 hashWord(u64 word, u64 seed) {
    return mixHash(mixHash(word ^ HashFirst, seed ^ HashSecond), HashFirst);
}

inline u64 hashBytes(const void* bytes, size_t count, u64 seed) {
    auto* p = static_cast<const u8*>(bytes);
    auto read8 = [](const u8* from) {
        u64 word;
        memcpy(&word, from, 8);
        return word;
    };
    auto read4 = [](const u8* from) {
        u32 word;
        memcpy(&word, from, 4);
        return u64(word);
    };
    u64 hash = seed ^ HashSecond, a = 0, b = 0;
    if (count > 16) {
        const u8* last = p + count - 16;
        for (; p < last; p += 16)
            hash = mixHash(read8(p) ^ HashFirst, read8(p + 8) ^ hash);
        a = read8(last);
        b = read8(last + 8);
    } else if (count >= 8) {
        a = read8(p);
        b = read8(p + count - 8);
    } else if (count >= 4) {
        a = read4(p);
        b = read4(p + count - 4);
    } else if (count) {
        a = u64(p[0]) << 16 | u64(p[count >> 1]) << 8 | p[count - 1];
    }
    return mixHash(mixHash(a ^ HashFirst, b ^ hash), HashSecond ^ count);
}

}
