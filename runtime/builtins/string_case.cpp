// toLowerCase and toUpperCase (ECMA-262 22.1.3.28, 22.1.3.30): full case mapping of the Unicode Default Case
// Conversion, with tables made by tools/unicode_tables.sh. There is no locale data: the locale variants map the same
// way.
#include "runtime/base/utf.h"
#include "runtime/builtins/this_string.h"
#include "runtime/builtins/unicode_case_table.h"
#include "runtime/core/string_units.h"
#include <algorithm>
#include <iterator>

namespace scr {

// ---- tables

template <size_t Count> static u32 mapWith(const CaseRange (&ranges)[Count], u32 codePoint) {
    const CaseRange* range = std::upper_bound(
        std::begin(ranges), std::end(ranges), codePoint, [](u32 value, const CaseRange& r) { return value < r.first; });
    if (range == std::begin(ranges))
        return codePoint;
    range--;
    bool moves = codePoint <= range->last && (codePoint - range->first) % range->step == 0;
    return moves ? u32(i32(codePoint) + range->delta) : codePoint;
}

template <size_t Count> static bool isIn(const CodeRange (&ranges)[Count], u32 codePoint) {
    const CodeRange* range = std::upper_bound(
        std::begin(ranges), std::end(ranges), codePoint, [](u32 value, const CodeRange& r) { return value < r.first; });
    return range != std::begin(ranges) && codePoint <= range[-1].last;
}

static const CaseExpansion* findExpansion(u32 codePoint) {
    const CaseExpansion* found = std::lower_bound(std::begin(upperExpansions), std::end(upperExpansions), codePoint,
        [](const CaseExpansion& expansion, u32 value) { return expansion.from < value; });
    return found != std::end(upperExpansions) && found->from == codePoint ? found : nullptr;
}

// ---- Latin-1

static constexpr bool isLatin1Upper(u8 unit) {
    return u8(unit - 'A') < 26 || (unit >= 0xC0 && unit <= 0xDE && unit != 0xD7);
}
/// With a capital that is Latin-1 too: neither of the three letters below.
static constexpr bool isLatin1Lower(u8 unit) {
    return u8(unit - 'a') < 26 || (unit >= 0xE0 && unit <= 0xFE && unit != 0xF7);
}
/// Sharp s, micro sign, y with diaeresis: their capitals are not one unit of Latin-1.
static constexpr bool hasOddCapital(u8 unit) { return unit == 0xDF || unit == 0xB5 || unit == 0xFF; }

struct Latin1Case {
    u8 lower[256], upper[256];
    constexpr Latin1Case() {
        for (int i = 0; i < 256; i++) {
            lower[i] = u8(isLatin1Upper(u8(i)) ? i + 32 : i);
            upper[i] = u8(isLatin1Lower(u8(i)) ? i - 32 : i);
        }
    }
};
static constexpr Latin1Case latin1Case;

/// `map` changes units one by one.
static Completion<String*> mapLatin1(Vm& vm, String* flat, const u8* map) {
    const u8* units = flat->latin1();
    u32 length = flat->length, i = 0;
    while (i < length && map[units[i]] == units[i])
        i++;
    if (i == length)
        return flat;
    TRY(vm.work(length >> 6));
    if (length == 1)
        return unitString(vm, map[units[0]]);
    String* result = TRY(newUninitialized(vm, length, false));
    u8* out = writableUnits(result);
    units = flat->latin1();
    for (i = 0; i < length; i++)
        out[i] = map[units[i]];
    return result;
}

// ---- any text

/// The code point that ends before i > 0; i moves in front of it.
static u32 previous(const String* flat, u32& i) {
    char16_t unit = flat->unit(--i);
    if (isLowSurrogate(unit) && i > 0 && isHighSurrogate(flat->unit(i - 1)))
        return combineSurrogates(flat->unit(--i), unit);
    return unit;
}

/// Final_Sigma of SpecialCasing: the sigma at [begin, end) ends a word.
static bool endsWord(const String* flat, u32 begin, u32 end) {
    bool letterBefore = false, letterAfter = false;
    while (begin > 0) {
        u32 codePoint = previous(flat, begin);
        if (isIn(caseIgnorableRanges, codePoint))
            continue;
        letterBefore = isIn(casedRanges, codePoint);
        break;
    }
    while (letterBefore && end < flat->length) {
        u32 codePoint = nextCodePoint(flat, end);
        if (isIn(caseIgnorableRanges, codePoint))
            continue;
        letterAfter = isIn(casedRanges, codePoint);
        break;
    }
    return letterBefore && !letterAfter;
}

static Completion<String*> lowerAny(Vm& vm, String* flat) {
    constexpr u32 sigma = 0x3A3, finalSigma = 0x3C2, dottedI = 0x130, dotAbove = 0x307;
    StringBuilder out(vm);
    TRY(vm.work(flat->length >> 3));
    for (u32 i = 0; i < flat->length;) {
        u32 begin = i, codePoint = nextCodePoint(flat, i);
        if (codePoint == sigma && endsWord(flat, begin, i)) {
            appendCodePoint(out, finalSigma);
        } else if (codePoint == dottedI) {
            appendCodePoint(out, 'i');
            appendCodePoint(out, dotAbove);
        } else {
            appendCodePoint(out, codePoint < 256 ? latin1Case.lower[codePoint] : mapWith(lowerRanges, codePoint));
        }
    }
    return out.finish();
}

static Completion<String*> upperAny(Vm& vm, String* flat) {
    StringBuilder out(vm);
    TRY(vm.work(flat->length >> 3));
    for (u32 i = 0; i < flat->length;) {
        u32 codePoint = nextCodePoint(flat, i);
        if (codePoint < 0x80) {
            appendCodePoint(out, latin1Case.upper[codePoint]);
        } else if (const CaseExpansion* expansion = findExpansion(codePoint)) {
            for (char16_t unit : expansion->to)
                if (unit)
                    out.append(unit);
        } else {
            appendCodePoint(out, mapWith(upperRanges, codePoint));
        }
    }
    return out.finish();
}

static Completion<String*> toLower(Vm& vm, String* flat) {
    return flat->isWide() ? lowerAny(vm, flat) : mapLatin1(vm, flat, latin1Case.lower);
}

static Completion<String*> toUpper(Vm& vm, String* flat) {
    if (flat->isWide() || std::any_of(flat->latin1(), flat->latin1() + flat->length, hasOddCapital))
        return upperAny(vm, flat);
    return mapLatin1(vm, flat, latin1Case.upper);
}

Result string_toLowerCase(Vm& vm, Args args) {
    return Value::string(TRY(toLower(vm, TRY(thisString(vm, args, "String.prototype.toLowerCase")))));
}
Result string_toUpperCase(Vm& vm, Args args) {
    return Value::string(TRY(toUpper(vm, TRY(thisString(vm, args, "String.prototype.toUpperCase")))));
}
Result string_toLocaleLowerCase(Vm& vm, Args args) {
    return Value::string(TRY(toLower(vm, TRY(thisString(vm, args, "String.prototype.toLocaleLowerCase")))));
}
Result string_toLocaleUpperCase(Vm& vm, Args args) {
    return Value::string(TRY(toUpper(vm, TRY(thisString(vm, args, "String.prototype.toLocaleUpperCase")))));
}

}
