// For the files that make and read strings' units: where they stand, and copying between the two widths.
//
// A flat string's units stand behind its header (at most InlineBytes of them), in a UnitBuffer, or inside another
// string or buffer (a slice). `owner` is then the buffer, or the string behind whose header they stand: never a chain.
#pragma once
#include "runtime/base/hash.h"
#include "runtime/base/utf.h"
#include "runtime/core/string.h"
#include <cstring>

namespace scr {

/// A Bytes cell that strings share. Units behind `used` belong to nobody yet: the string that ends exactly there may be
/// appended to in place (concatenate), since no other string can see them.
struct UnitBuffer : Cell { // Cell::shape is the number of used bytes
    u32 capacity; ///< bytes
    u32 reserved;
    u8* bytes() { return reinterpret_cast<u8*>(this + 1); }
};
static_assert(sizeof(UnitBuffer) == 16);

constexpr u32 HeaderBytes = 24; ///< of a string whose units stand behind it
constexpr u32 SliceBytes = 32; ///< of a string whose units stand elsewhere
constexpr u32 InlineBytes = 2048 - HeaderBytes;

inline u32 unitBytes(u32 length, bool wide) { return length << unsigned(wide); }
inline u8* writableUnits(String* flat) { return static_cast<u8*>(const_cast<void*>(flat->data)); }
inline void copyUnits(u8* to, const u8* from, u32 count) { memcpy(to, from, count); }
inline void copyUnits(char16_t* to, const u8* from, u32 count) { widen(from, count, to); }
inline void copyUnits(char16_t* to, const char16_t* from, u32 count) { memcpy(to, from, size_t(count) * 2); }

/// Units [begin, begin + count) of a flat string to `to`, whose width is `wide` (never narrower than the string's
/// unless its units are known to fit).
inline void copyUnits(void* to, bool wide, const String* flat, u32 begin, u32 count) {
    if (wide && flat->isWide())
        copyUnits(static_cast<char16_t*>(to), flat->wide() + begin, count);
    else if (wide)
        copyUnits(static_cast<char16_t*>(to), flat->latin1() + begin, count);
    else if (flat->isWide())
        narrow(flat->wide() + begin, count, static_cast<u8*>(to));
    else
        copyUnits(static_cast<u8*>(to), flat->latin1() + begin, count);
}

/// `length` units of any string, ropes included, to `to`. Allocates nothing.
void copyString(void* to, bool wide, const String* string);

/// Uninitialised; for lengths that no script chose (the memory limit is noticed later).
String* newFlat(Vm& vm, u32 length, bool wide);
/// A buffer with room for `capacity` bytes, nothing used. Null by the memory limit.
UnitBuffer* newUnitBuffer(Vm& vm, u64 capacity);
/// A flat string of units that stand in `owner`.
String* newShared(Vm& vm, const void* data, u32 length, bool wide, Cell* owner);

u32 hashUnits(Vm& vm, const u8* units, u32 length);
/// As the Latin-1 form if every unit fits.
u32 hashUnits(Vm& vm, const char16_t* units, u32 length);
bool equalUnits(const String* flat, const u8* units, u32 length);
bool equalUnits(const String* flat, const char16_t* units, u32 length);

/// True if the units are the canonical decimal of an array index below 2^32 - 1.
template <class Unit> inline bool parseArrayIndex(const Unit* units, u32 length, u32& index) {
    if (length == 0 || length > 10 || (units[0] == '0' && length > 1))
        return false;
    u64 number = 0;
    for (u32 i = 0; i < length; i++) {
        u32 digit = u32(units[i]) - '0';
        if (digit > 9)
            return false;
        number = number * 10 + digit;
    }
    index = u32(number);
    return number < 0xFFFFFFFFull;
}

}
