// What JSON.parse and JSON.stringify share, and what others may ask of them.
#pragma once
#include "runtime/builtins/native.h"
#include <cstring>

namespace scr {

/// The value of a JSON text (a flat string), or SyntaxError. `record`, if not null, is told where the values came from:
/// see json_parse.cpp.
/// `errorAt`, if not null, is told the unit at which a SyntaxError was found.
Result parseJson(Vm& vm, String* source, Value* record = nullptr, u32* errorAt = nullptr);
/// 25.5.2 JSON.stringify without replacer and space: a string, or undefined. Runs script.
Result stringifyJson(Vm& vm, Value value);
/// The pending exception is the TypeError that stringify throws about a cycle.
bool isCircularJsonError(Vm& vm, Value error);

/// The unit cannot stand in a JSON string as it is (a lone surrogate can only in JSON.parse).
template <class Unit> bool isJsonSpecial(Unit unit) { return unit == '"' || unit == '\\' || unit < 0x20; }

/// A top bit is set in the lowest byte of `bytes` that is special, and in none below.
inline u64 findJsonSpecial(u64 bytes) {
    constexpr u64 ones = 0x0101010101010101ull, high = ones << 7;
    u64 quote = bytes ^ ones * '"', backslash = bytes ^ ones * '\\';
    return (((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((bytes - ones * 0x20) & ~bytes)) & high;
}

/// The first special unit in [p, end), or end.
inline const u8* skipJsonPlain(const u8* p, const u8* end) {
    for (; end - p >= 8; p += 8) {
        u64 bytes;
        memcpy(&bytes, p, 8);
        if (u64 found = findJsonSpecial(bytes))
            return p + (__builtin_ctzll(found) >> 3);
    }
    while (p != end && !isJsonSpecial(*p))
        p++;
    return p;
}
inline const char16_t* skipJsonPlain(const char16_t* p, const char16_t* end) {
    while (p != end && !isJsonSpecial(*p))
        p++;
    return p;
}

}
