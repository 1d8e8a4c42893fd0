// Making, comparing, hashing and cutting strings. Ropes are in rope.cpp, interning in atom.cpp.
#include "runtime/core/atom.h"
#include "runtime/core/elements.h"
#include "runtime/core/error.h"
#include "runtime/core/string_units.h"

namespace scr {

// ---- cells

static String* initialise(Cell* cell, u32 length, bool wide, const void* data) {
    auto* string = static_cast<String*>(cell);
    string->flags = wide ? StringWide : 0;
    string->length = length;
    string->hash = 0;
    string->data = data;
    return string;
}

/// Known: the units fit behind the header.
static String* newInline(Vm& vm, u32 length, bool wide) {
    Cell* cell = vm.heap.allocate(HeaderBytes + unitBytes(length, wide), u8(Kind::String), KeyString);
    return initialise(cell, length, wide, static_cast<String*>(cell)->inlineUnits());
}

String* newShared(Vm& vm, const void* data, u32 length, bool wide, Cell* owner) {
    Cell* cell = vm.heap.allocate(SliceBytes, u8(Kind::String), KeyString);
    String* string = initialise(cell, length, wide, data);
    string->owner = owner;
    return string;
}

UnitBuffer* newUnitBuffer(Vm& vm, u64 capacity) {
    auto* buffer = static_cast<UnitBuffer*>(vm.heap.tryAllocate(sizeof(UnitBuffer) + capacity, u8(Kind::Bytes), 0));
    if (buffer)
        buffer->capacity = u32(vm.heap.bytesOf(buffer) - sizeof(UnitBuffer));
    return buffer;
}

static String* newInBuffer(Vm& vm, UnitBuffer* buffer, u32 length, bool wide) {
    buffer->shape = unitBytes(length, wide);
    return newShared(vm, buffer->bytes(), length, wide, buffer);
}

String* newFlat(Vm& vm, u32 length, bool wide) {
    u32 bytes = unitBytes(length, wide);
    if (bytes <= InlineBytes)
        return newInline(vm, length, wide);
    CHECK(length <= String::MaxLength);
    auto* buffer = static_cast<UnitBuffer*>(vm.heap.allocate(sizeof(UnitBuffer) + bytes, u8(Kind::Bytes), 0));
    buffer->capacity = bytes;
    return newInBuffer(vm, buffer, length, wide);
}

Completion<String*> newUninitialized(Vm& vm, u32 length, bool wide) {
    if (length > String::MaxLength)
        return throwError(vm, Error::StringLength);
    u32 bytes = unitBytes(length, wide);
    if (bytes <= InlineBytes)
        return newInline(vm, length, wide);
    UnitBuffer* buffer = newUnitBuffer(vm, bytes);
    if (!buffer)
        return vm.terminateMemory();
    return newInBuffer(vm, buffer, length, wide);
}

// ---- from units

String* emptyString(Vm& vm) { return vm.emptyStringCell; }

String* unitString(Vm& vm, char16_t unit) {
    if (unit < 256) {
        String*& shared = vm.unitStrings[unit];
        if (UNLIKELY(!shared)) {
            u8 byte = u8(unit);
            shared = internLatin1(vm, &byte, 1);
        }
        return shared;
    }
    String* string = newInline(vm, 1, true);
    *reinterpret_cast<char16_t*>(writableUnits(string)) = unit;
    return string;
}

String* newLatin1(Vm& vm, const u8* units, u32 length) {
    if (length == 0)
        return emptyString(vm);
    String* string = newFlat(vm, length, false);
    memcpy(writableUnits(string), units, length);
    return string;
}

String* newUtf16(Vm& vm, const char16_t* units, u32 length) {
    if (length == 0)
        return emptyString(vm);
    bool wide = !fitsLatin1(units, length);
    String* string = newFlat(vm, length, wide);
    if (wide)
        memcpy(writableUnits(string), units, size_t(length) * 2);
    else
        narrow(units, length, writableUnits(string));
    return string;
}

String* newAscii(Vm& vm, std::string_view text) {
    return newLatin1(vm, reinterpret_cast<const u8*>(text.data()), u32(text.size()));
}

String* newUtf8(Vm& vm, std::string_view text) {
    Utf8Measure measure = measureUtf8(text);
    CHECK(measure.units <= String::MaxLength);
    if (measure.ascii)
        return newAscii(vm, text);
    String* string = newFlat(vm, u32(measure.units), !measure.latin1);
    if (measure.latin1)
        utf8ToLatin1(text, writableUnits(string));
    else
        utf8ToUtf16(text, reinterpret_cast<char16_t*>(writableUnits(string)));
    return string;
}

// ---- parts

// A copy of up to this many bytes costs no more than the cell that would share them.
static constexpr u32 CopiedBytes = 40;

Completion<String*> substring(Vm& vm, String* string, u32 begin, u32 end) {
    ASSERT(begin <= end && end <= string->length);
    u32 length = end - begin;
    if (length == string->length)
        return string;
    if (length == 0)
        return emptyString(vm);
    TRY(flatten(vm, string));
    if (length == 1)
        return unitString(vm, string->unit(begin));
    bool wide = string->isWide();
    if (unitBytes(length, wide) <= CopiedBytes) {
        if (wide && fitsLatin1(string->wide() + begin, length))
            wide = false;
        String* copy = newInline(vm, length, wide);
        copyUnits(writableUnits(copy), wide, string, begin, length);
        return copy;
    }
    const void* data = static_cast<const u8*>(string->data) + unitBytes(begin, wide);
    return newShared(vm, data, length, wide, string->isInline() ? static_cast<Cell*>(string) : string->owner);
}

// ---- comparing

bool equalUnits(const String* flat, const u8* units, u32 length) {
    if (flat->length != length)
        return false;
    if (!flat->isWide())
        return memcmp(flat->data, units, length) == 0;
    const char16_t* wide = flat->wide();
    for (u32 i = 0; i < length; i++)
        if (wide[i] != units[i])
            return false;
    return true;
}

bool equalUnits(const String* flat, const char16_t* units, u32 length) {
    if (flat->length != length)
        return false;
    if (flat->isWide())
        return memcmp(flat->data, units, size_t(length) * 2) == 0;
    const u8* latin1 = flat->latin1();
    for (u32 i = 0; i < length; i++)
        if (latin1[i] != units[i])
            return false;
    return true;
}

Completion<bool> equalStringsSlow(Vm& vm, String* a, String* b) {
    // Known: different cells of equal length, not two atoms.
    TRY(flatten(vm, a));
    TRY(flatten(vm, b));
    if (a->hash && b->hash && a->hash != b->hash)
        return false;
    vm.charge(a->length >> 8);
    return b->isWide() ? equalUnits(a, b->wide(), b->length) : equalUnits(a, b->latin1(), b->length);
}

template <class A, class B> static i32 compareUnits(const A* a, const B* b, u32 count) {
    for (u32 i = 0; i < count; i++)
        if (a[i] != b[i])
            return i32(a[i]) - i32(b[i]);
    return 0;
}

Completion<i32> compareStrings(Vm& vm, String* a, String* b) {
    TRY(flatten(vm, a));
    TRY(flatten(vm, b));
    u32 common = a->length < b->length ? a->length : b->length;
    vm.charge(common >> 8);
    i32 order;
    if (!a->isWide() && !b->isWide())
        order = memcmp(a->data, b->data, common);
    else if (!a->isWide())
        order = compareUnits(a->latin1(), b->wide(), common);
    else if (!b->isWide())
        order = compareUnits(a->wide(), b->latin1(), common);
    else
        order = compareUnits(a->wide(), b->wide(), common);
    return order ? order : i32(a->length) - i32(b->length);
}

// ---- hashing

static u32 fold(u64 hash) {
    u32 folded = u32(hash ^ hash >> 32);
    return folded ? folded : 1;
}

u32 hashUnits(Vm& vm, const u8* units, u32 length) { return fold(hashBytes(units, length, vm.hashSeed)); }

u32 hashUnits(Vm& vm, const char16_t* units, u32 length) {
    if (!fitsLatin1(units, length))
        return fold(hashBytes(units, size_t(length) * 2, vm.hashSeed + 1));
    std::string latin1(length, '\0');
    narrow(units, length, reinterpret_cast<u8*>(latin1.data()));
    return hashUnits(vm, reinterpret_cast<const u8*>(latin1.data()), length);
}

u32 hashOf(Vm& vm, const String* flat) {
    if (!flat->hash)
        flat->hash =
            flat->isWide() ? hashUnits(vm, flat->wide(), flat->length) : hashUnits(vm, flat->latin1(), flat->length);
    return flat->hash;
}

// ---- as other things

bool isArrayIndex(const String* string, u32& index) {
    if (string->flags & StringNotIndex || string->length > 10)
        return false;
    return string->isWide() ? parseArrayIndex(string->wide(), string->length, index)
                            : parseArrayIndex(string->latin1(), string->length, index);
}

std::string toUtf8(Vm&, String* string) {
    std::string text;
    if (!string->isWide()) {
        if (!string->isRope()) {
            appendLatin1AsUtf8(text, string->latin1(), string->length);
            return text;
        }
        std::string units(string->length, '\0');
        copyString(units.data(), false, string);
        appendLatin1AsUtf8(text, reinterpret_cast<const u8*>(units.data()), units.size());
        return text;
    }
    if (!string->isRope()) {
        appendUtf16AsUtf8(text, string->wide(), string->length);
        return text;
    }
    std::u16string units(string->length, u'\0');
    copyString(units.data(), true, string);
    appendUtf16AsUtf8(text, units.data(), units.size());
    return text;
}

// ---- tracing

static void traceString(Cell* cell, Marker& marker) {
    auto* string = static_cast<String*>(cell);
    if (string->isRope()) {
        marker.mark(string->rope.left);
        marker.mark(string->rope.right);
    } else if (!string->isInline()) {
        marker.mark(string->owner);
    }
}

static void traceStorage(Cell* cell, Marker& marker) {
    auto* storage = static_cast<Storage*>(cell);
    marker.markValues(storage->values, storage->capacity());
}

static void traceSymbol(Cell* cell, Marker& marker) { marker.markWord(static_cast<Symbol*>(cell)->description.bits()); }

void registerStringKinds(Heap& heap) {
    heap.setTrace(u8(Kind::String), traceString);
    heap.setTrace(u8(Kind::Storage), traceStorage);
    heap.setTrace(u8(Kind::Symbol), traceSymbol);
}

}
