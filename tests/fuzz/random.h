// Random numbers that are the same everywhere for the same seed.
#pragma once
#include "runtime/base/platform.h"
#include <vector>

namespace scr::fuzz {

/// splitmix64.
class Random {
public:
    explicit Random(u64 seed)
        : state_(seed) { }
    u64 next() {
        u64 z = state_ += 0x9E3779B97F4A7C15ull;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    /// In [0, bound); 0 if bound is 0.
    u32 below(u64 bound) { return bound ? u32(next() % bound) : 0; }
    bool oneIn(u32 n) { return below(n) == 0; }
    template <class T> const T& pick(const std::vector<T>& list) { return list[below(list.size())]; }

private:
    u64 state_;
};

}
