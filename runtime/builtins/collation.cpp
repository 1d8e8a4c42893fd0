// String.prototype.localeCompare (ECMA-262 22.1.3.12): the Unicode Collation Algorithm (UTS #10) with the Default
// Unicode Collation Element Table, no element ignorable because it is punctuation, three levels. That is the order of
// the root locale; there are no others, and the arguments `locales` and `options` are not looked at. Canonically
// equivalent strings are equal.
//
// A collation element is 16 bits of primary, 9 of secondary and 5 of tertiary weight; a weight of 0 does not take part.
// Not in the table, and ordered by their code points behind all others: supplementary characters other than symbols.
#include "runtime/base/utf.h"
#include "runtime/builtins/normalization.h"
#include "runtime/builtins/this_string.h"
#include "runtime/builtins/unicode_collation_table.h"
#include <algorithm>
#include <iterator>
#include <utility>

namespace scr {

namespace {

constexpr u32 PrimaryShift = 14, SecondaryShift = 5;

/// The elements of ASCII. All are single, with the same secondary weight or none at all.
struct AsciiElements {
    u32 of[128] = {};
    constexpr AsciiElements() {
        for (const ElementRun& run : elementRuns)
            for (u32 i = 0; i < run.count && run.first + i < 128; i++)
                of[run.first + i] = run.element + (run.element >> PrimaryShift ? i << PrimaryShift : 0);
    }
};
constexpr AsciiElements asciiElements;

template <class Range, size_t Count> const Range* findRange(const Range (&ranges)[Count], u32 codePoint) {
    const Range* range = std::upper_bound(
        std::begin(ranges), std::end(ranges), codePoint, [](u32 value, const Range& r) { return value < r.first; });
    return range == std::begin(ranges) ? nullptr : range - 1;
}

/// Vowels that are written before the consonant they follow in speech: Thai, Lao, New Tai Lue, Tai Viet.
bool isLeadingVowel(u32 c) {
    return (c >= 0xE40 && c <= 0xE44) || (c >= 0xEC0 && c <= 0xEC4) || (c >= 0x19B5 && c <= 0x19B7) || c == 0x19BA
        || c == 0xAAB5 || c == 0xAAB6 || c == 0xAAB9 || c == 0xAABB || c == 0xAABC;
}
bool isVisualConsonant(u32 c) {
    return (c >= 0xE01 && c <= 0xE2E) || (c >= 0xE81 && c <= 0xEAE) || (c >= 0x1980 && c <= 0x19AB)
        || (c >= 0xAA80 && c <= 0xAAAF);
}

/// The elements of a string in canonical decomposition, one after the other.
class ElementReader {
public:
    explicit ElementReader(const String* flat)
        : flat_(flat) { }
    /// False at the end.
    bool next(u32& element) {
        if (listed_) {
            element = *list_++;
            listed_--;
            return true;
        }
        if (pending_) {
            element = pending_;
            pending_ = 0;
            return true;
        }
        u32 codePoint;
        if (exchanged_) {
            codePoint = exchanged_;
            exchanged_ = 0;
        } else {
            if (at_ >= flat_->length)
                return false;
            codePoint = nextCodePoint(flat_, at_);
            codePoint = exchange(codePoint);
        }
        element = lookUp(codePoint);
        return true;
    }

private:
    u32 exchange(u32 codePoint);
    u32 lookUp(u32 codePoint);
    bool contracted(u32 codePoint, u32& element);
    u32 implicit(u32 codePoint);
    u32 compatible(u32 codePoint);
    u32 startList(u32 offset, u32 count) {
        list_ = collationElements + offset + 1;
        listed_ = count - 1;
        return collationElements[offset];
    }

    const String* flat_;
    u32 at_ = 0;
    const u32* list_ = nullptr; ///< elements that still come of the last code point
    u32 listed_ = 0;
    u32 pending_ = 0; ///< the second element of implicit weights
    u32 exchanged_ = 0; ///< the vowel that stood before a consonant
    u32 made_[40];
};

u32 ElementReader::exchange(u32 codePoint) {
    if (LIKELY(!isLeadingVowel(codePoint)) || at_ >= flat_->length || !isVisualConsonant(flat_->unit(at_)))
        return codePoint;
    exchanged_ = codePoint;
    return flat_->unit(at_++);
}

bool ElementReader::contracted(u32 codePoint, u32& element) {
    const Contraction* best = nullptr;
    for (const Contraction& c : contractions) {
        if (c.first != codePoint || at_ >= flat_->length || flat_->unit(at_) != c.second)
            continue;
        bool whole = !c.third || (at_ + 1 < flat_->length && flat_->unit(at_ + 1) == c.third);
        if (whole && (!best || c.third))
            best = &c;
    }
    if (!best)
        return false;
    at_ += best->third ? 2 : 1;
    element = startList(best->offset, best->count);
    return true;
}

/// UTS #10, 10.1.3.
u32 ElementReader::implicit(u32 codePoint) {
    bool core = (codePoint >= 0x4E00 && codePoint <= 0x9FFF) || (codePoint >= 0xFA0E && codePoint <= 0xFA29);
    bool extension = (codePoint >= 0x3400 && codePoint <= 0x4DBF) || (codePoint >= 0x20000 && codePoint <= 0x323AF);
    u32 base = core ? 0xFB40 : extension ? 0xFB80 : 0xFBC0;
    pending_ = ((codePoint & 0x7FFF) | 0x8000) << PrimaryShift;
    return (base + (codePoint >> 15)) << PrimaryShift | 0x20 << SecondaryShift | 2;
}

/// A code point that is not in the table has the elements of its compatibility decomposition, behind the plain letters.
u32 ElementReader::compatible(u32 codePoint) {
    DecompositionStep step = decomposeOnce(codePoint, true);
    const char16_t* units = step.units ? step.units : &step.single;
    u32 count = 0;
    for (u32 i = 0; i < step.length && count + 1 < std::size(made_); i++) {
        const ElementRun* run = findRange(elementRuns, units[i]);
        u32 index = run ? units[i] - run->first : 0;
        if (!run || index >= run->count) {
            made_[count++] = implicit(units[i]);
            made_[count++] = std::exchange(pending_, 0);
            continue;
        }
        u32 plain = run->element + (run->element >> PrimaryShift ? index << PrimaryShift : 0);
        u32 tertiary = (plain & 31) == 8 ? 10 : 4;
        made_[count++] = (plain & ~31u) | tertiary;
    }
    if (!count)
        return implicit(codePoint);
    list_ = made_ + 1;
    listed_ = count - 1;
    return made_[0];
}

u32 ElementReader::lookUp(u32 codePoint) {
    if (LIKELY(codePoint < 128 && (codePoint | 32) != 'l'))
        return asciiElements.of[codePoint];
    u32 element;
    bool mayContract = codePoint == 'l' || codePoint == 'L' || codePoint >= 0x418;
    if (mayContract && codePoint < 0xE00 && contracted(codePoint, element))
        return element;
    const ElementRun* run = findRange(elementRuns, codePoint);
    if (u32 index = run ? codePoint - run->first : 0; run && index < run->count)
        return run->element + (run->element >> PrimaryShift ? index << PrimaryShift : 0);
    const ElementList* list = findRange(elementLists, codePoint);
    if (list && list->first == codePoint)
        return startList(list->offset, list->count);
    return compatible(codePoint);
}

/// The next weight that is not 0; 0 at the end.
template <u32 Shift, u32 Mask> u32 nextWeight(ElementReader& reader) {
    u32 element;
    while (reader.next(element))
        if (u32 weight = element >> Shift & Mask)
            return weight;
    return 0;
}

template <u32 Shift, u32 Mask> i32 compareLevel(const String* a, const String* b) {
    ElementReader left(a), right(b);
    for (;;) {
        u32 x = nextWeight<Shift, Mask>(left), y = nextWeight<Shift, Mask>(right);
        if (x != y)
            return x < y ? -1 : 1;
        if (!x)
            return 0;
    }
}

/// Two strings of ASCII, in one go: the first difference of a primary weight, else of a tertiary one.
i32 compareAscii(const u8* a, const u8* aEnd, const u8* b, const u8* bEnd) {
    i32 tertiary = 0;
    for (;;) {
        u32 x = 0, y = 0;
        while (a != aEnd && !(x = asciiElements.of[*a++])) { }
        while (b != bEnd && !(y = asciiElements.of[*b++])) { }
        if (x >> PrimaryShift != y >> PrimaryShift)
            return x < y ? -1 : 1;
        if (!x)
            return tertiary;
        if (x != y && !tertiary)
            tertiary = x < y ? -1 : 1;
    }
}

bool isAsciiString(const String* flat) { return !flat->isWide() && isAscii(flat->data, flat->length); }

Completion<i32> collate(Vm& vm, String* a, String* b) {
    if (a == b)
        return 0;
    TRY(vm.work((a->length + b->length) / 4));
    if (isAsciiString(a) && isAsciiString(b))
        return compareAscii(a->latin1(), a->latin1() + a->length, b->latin1(), b->latin1() + b->length);
    a = TRY(normalizeString(vm, a, NormalizationForm::NFD));
    b = TRY(normalizeString(vm, b, NormalizationForm::NFD));
    if (i32 order = compareLevel<PrimaryShift, 0xFFFF>(a, b))
        return order;
    if (i32 order = compareLevel<SecondaryShift, 0x1FF>(a, b))
        return order;
    return compareLevel<0, 31>(a, b);
}

}

// 22.1.3.12 String.prototype.localeCompare ( that [ , reserved1 [ , reserved2 ] ] )
Result string_localeCompare(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.localeCompare"));
    String* other = TRY(flatten(vm, TRY(toString(vm, args[0]))));
    return Value::int32(TRY(collate(vm, string, other)));
}

}
