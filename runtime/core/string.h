// Strings: immutable sequences of UTF-16 code units, stored as Latin-1 where every unit fits. A cell of kind String is
// flat (`data` points at its units: behind the header, in a Bytes cell, or inside another string for a slice) or a rope
// (`data` null) that flattens itself in place on first use. Atoms are the interned flat strings that property keys are:
// equal atoms are one cell. Invariant: a Latin-1 string and a UTF-16 string with equal units hash equally; a UTF-16
// string may hold only units below 256 (equality compares units, not representations).
#pragma once
#include "runtime/core/kind.h"
#include "runtime/core/value.h"
#include "runtime/heap/pointer.h"
#include <string>
#include <string_view>

namespace scr {

class Vm;
class Marker;

enum StringFlag : u8 {
    StringWide = 1, ///< units are char16_t, else Latin-1 bytes
    StringAtom = 2, ///< interned
    StringIndex =
        4, ///< an atom that is a canonical array index (never used as an atom key: PropertyKey holds the number)
    StringNotIndex = 8, ///< known not to be one
    StringGrown = 16, ///< was copied once into a larger buffer to be appended to: the next time a rope is made
};

struct String : Cell {
    u32 length; ///< code units
    mutable u32 hash; ///< 0 = not computed
    const void* data; ///< null: a rope
    union {
        struct {
            String* left;
            String* right;
        } rope;
        Cell* owner; ///< what `data` points into, when it does not point at inlineUnits()
    };

    static constexpr u32 MaxLength = 536870888; ///< as V8: (1 << 29) - 24

    /// Where the units of a small flat string stand: over the union, which then has no other use.
    const void* inlineUnits() const { return reinterpret_cast<const u8*>(this) + 24; }
    bool isInline() const { return data == inlineUnits(); }
    bool isRope() const { return !data; }
    bool isWide() const { return flags & StringWide; }
    bool isAtom() const { return flags & StringAtom; }
    const u8* latin1() const { return static_cast<const u8*>(data); }
    const char16_t* wide() const { return static_cast<const char16_t*>(data); }
    /// Of a flat string.
    char16_t unit(u32 i) const { return isWide() ? wide()[i] : char16_t(latin1()[i]); }
};
static_assert(sizeof(String) == 40);

// Making. All may collect. Those that take a length a script chose throw RangeError "Invalid string length" above
// MaxLength and end by the memory limit.
String* emptyString(Vm& vm);
/// The shared one-unit string of a unit below 256, else a new one.
String* unitString(Vm& vm, char16_t unit);
String* newLatin1(Vm& vm, const u8* units, u32 length);
/// Stored as Latin-1 if every unit fits.
String* newUtf16(Vm& vm, const char16_t* units, u32 length);
/// ASCII only.
String* newAscii(Vm& vm, std::string_view text);
/// UTF-8 (WTF-8: lone surrogates encoded as three bytes survive); invalid bytes become U+FFFD.
String* newUtf8(Vm& vm, std::string_view text);
/// Uninitialised flat string to be filled by the caller before anything else allocates.
Completion<String*> newUninitialized(Vm& vm, u32 length, bool wide);
/// left + right; a rope when long. Throws RangeError above MaxLength.
Completion<String*> concatenate(Vm& vm, String* left, String* right);
/// Units [begin, end); shares the parent's units when long.
Completion<String*> substring(Vm& vm, String* string, u32 begin, u32 end);

/// Flattens if needed. Throws only by the memory limit (a rope's units may not fit).
COLD Completion<String*> flattenRope(Vm& vm, String* rope);
ALWAYS_INLINE Completion<String*> flatten(Vm& vm, String* string) {
    if (LIKELY(string->data != nullptr))
        return string;
    return flattenRope(vm, string);
}

/// Content equality. Flattens.
COLD Completion<bool> equalStringsSlow(Vm& vm, String* a, String* b);
ALWAYS_INLINE Completion<bool> equalStrings(Vm& vm, String* a, String* b) {
    if (a == b)
        return true;
    if (a->length != b->length || (a->flags & b->flags & StringAtom))
        return false;
    return equalStringsSlow(vm, a, b);
}
/// < 0, 0, > 0 by code units. Flattens.
Completion<i32> compareStrings(Vm& vm, String* a, String* b);
/// Seeded; of a flat string. Never 0.
u32 hashOf(Vm& vm, const String* flat);

/// The atom with these units. Flattens; throws only by the memory limit.
Completion<String*> internString(Vm& vm, String* string);
/// For ASCII names from C++.
String* internAscii(Vm& vm, std::string_view text);
String* internUtf16(Vm& vm, const char16_t* units, u32 length);
String* internLatin1(Vm& vm, const u8* units, u32 length);

/// The text as UTF-8; lone surrogates become U+FFFD (what Node prints). Any string; flattens into a copy if it must.
std::string toUtf8(Vm& vm, String* string);
/// True if `string` (flat) is the canonical decimal of an array index below 2^32 - 1.
bool isArrayIndex(const String* string, u32& index);

/// Appends to a growing string; Latin-1 until a wide unit comes. Lives in C++ memory, is not a cell.
class StringBuilder {
public:
    explicit StringBuilder(Vm& vm)
        : vm_(vm) { }
    ~StringBuilder();
    StringBuilder(const StringBuilder&) = delete;
    void append(char16_t unit) {
        if (LIKELY(unit < 256 && length_ < latin1Capacity_))
            buffer_[length_++] = u8(unit);
        else
            appendSlow(unit);
    }
    void appendAscii(std::string_view text);
    void append(const String* string); ///< any string, ropes included
    void appendUnits(const String* flat, u32 begin, u32 end);
    u32 length() const { return length_; }
    /// finish() will throw, whatever is appended.
    bool failed() const { return tooLong_ || noMemory_; }
    /// Throws RangeError above MaxLength. What went wrong on the way (length, memory limit) shows here.
    Completion<String*> finish();

private:
    COLD void appendSlow(char16_t unit);
    /// Room for `extra` more units, wide if asked for; null once the result cannot be made any more.
    u8* reserve(u32 extra, bool wide);
    COLD bool grow(u64 length, bool wide);
    bool withinLimit(u64 extraBytes);
    Vm& vm_;
    u8* buffer_ = nullptr;
    u32 length_ = 0;
    u32 latin1Capacity_ = 0; ///< units; 0 once the buffer is wide or nothing more can be appended
    u64 bytes_ = 0; ///< of the buffer
    bool wide_ = false, tooLong_ = false, noMemory_ = false;
};

struct Symbol : Cell {
    u32 hash;
    u32 reserved;
    Value description; ///< string or undefined
};
enum SymbolFlag : u8 {
    SymbolPrivate = 1, ///< a private name: a hidden key, no proxy trap sees it
    SymbolRegistered = 2, ///< Symbol.for
    SymbolBrand = 4, ///< with SymbolPrivate: instances of a class have it; the description is the name of the class
    SymbolStaticBrand = 8, ///< with SymbolPrivate: the constructor has it
};
Symbol* newSymbol(Vm& vm, Value description, u8 flags = 0);

}
