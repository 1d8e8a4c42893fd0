// String.prototype.normalize (ECMA-262 22.1.3.15, UAX #15). A string goes through up to three passes: decompose, put
// combining marks in order, compose. Each makes a new string; none keeps memory of its own, so that a run of marks may
// be as long as a string.
#include "runtime/builtins/normalization.h"
#include "runtime/base/utf.h"
#include "runtime/builtins/this_string.h"
#include "runtime/builtins/unicode_normalization_table.h"
#include <algorithm>
#include <iterator>

namespace scr {

// ---- tables

/// The entry with the greatest `first` that is not above the code point, or null.
template <class Range, size_t Count> static const Range* findRange(const Range (&ranges)[Count], u32 codePoint) {
    const Range* range = std::upper_bound(
        std::begin(ranges), std::end(ranges), codePoint, [](u32 value, const Range& r) { return value < r.first; });
    return range == std::begin(ranges) ? nullptr : range - 1;
}

/// Canonical_Combining_Class
static u8 classOf(u32 codePoint) {
    if (codePoint < classRanges[0].first)
        return 0;
    const ClassRange* range = findRange(classRanges, codePoint);
    return range && codePoint <= range->last ? u8(range->value) : 0;
}

DecompositionStep decomposeOnce(u32 codePoint, bool compatible) {
    if (codePoint < decompositionRuns[0].first)
        return {};
    const DecompositionRun* run = findRange(decompositionRuns, codePoint);
    u32 index = run ? codePoint - run->first : 0;
    if (!run || index >= run->count || (run->compatible && !compatible))
        return {};
    if (!run->length)
        return {nullptr, 1, char16_t(run->place + index)};
    return {decompositionUnits + run->place + index * run->length, run->length};
}

// Hangul syllables are made by arithmetic (Unicode 3.12).
constexpr u32 SyllableBase = 0xAC00, LeadBase = 0x1100, VowelBase = 0x1161, TrailBase = 0x11A7;
constexpr u32 LeadCount = 19, VowelCount = 21, TrailCount = 28, SyllableCount = LeadCount * VowelCount * TrailCount;

/// The code point that the two make together, or 0.
static u32 composePair(u32 first, u32 second) {
    if (first - LeadBase < LeadCount && second - VowelBase < VowelCount)
        return SyllableBase + ((first - LeadBase) * VowelCount + (second - VowelBase)) * TrailCount;
    if (first - SyllableBase < SyllableCount && (first - SyllableBase) % TrailCount == 0
        && second - TrailBase - 1 < TrailCount - 1)
        return first + (second - TrailBase);
    auto below = [](const Composition& c, u64 value) { return (u64(c.first) << 32 | c.second) < value; };
    u64 pair = u64(first) << 32 | second;
    const Composition* found = std::lower_bound(std::begin(compositions), std::end(compositions), pair, below);
    bool same = found != std::end(compositions) && found->first == first && found->second == second;
    return same ? found->composite : 0;
}

// ---- decomposing

static void appendDecomposed(StringBuilder& out, u32 codePoint, bool compatible) {
    if (u32 index = codePoint - SyllableBase; index < SyllableCount) {
        out.append(char16_t(LeadBase + index / (VowelCount * TrailCount)));
        out.append(char16_t(VowelBase + index / TrailCount % VowelCount));
        if (index % TrailCount)
            out.append(char16_t(TrailBase + index % TrailCount));
        return;
    }
    DecompositionStep step = decomposeOnce(codePoint, compatible);
    if (!step.length)
        return appendCodePoint(out, codePoint);
    const char16_t* units = step.units ? step.units : &step.single;
    for (u32 i = 0; i < step.length; i++) {
        u32 unit = units[i];
        if (isHighSurrogate(unit))
            unit = combineSurrogates(char16_t(unit), units[++i]);
        appendDecomposed(out, unit, compatible);
    }
}

static Completion<String*> decompose(Vm& vm, String* flat, bool compatible) {
    StringBuilder out(vm);
    for (u32 i = 0; i < flat->length && !out.failed();)
        appendDecomposed(out, nextCodePoint(flat, i), compatible);
    return out.finish();
}

// ---- ordering

/// Appends the marks in [begin, end) by their classes, equal ones as they stand: a pass for each class there is.
static void appendOrdered(Vm& vm, StringBuilder& out, const String* flat, u32 begin, u32 end) {
    for (u32 least = 0; least < 256;) {
        u32 next = 256;
        vm.charge((end - begin) >> 2);
        for (u32 i = begin; i < end;) {
            u32 codePoint = nextCodePoint(flat, i), value = classOf(codePoint);
            if (value == least)
                appendCodePoint(out, codePoint);
            else if (value > least && value < next)
                next = value;
        }
        least = next;
    }
}

/// Runs of marks in canonical order (Unicode 3.11, D109).
static Completion<String*> order(Vm& vm, String* flat) {
    StringBuilder out(vm);
    u32 copied = 0;
    for (u32 i = 0; i < flat->length;) {
        u32 begin = i, previous = 0;
        bool ordered = true;
        for (u32 at = i; at < flat->length;) {
            u32 value = classOf(nextCodePoint(flat, at));
            if (!value)
                break;
            ordered = ordered && value >= previous;
            previous = value;
            i = at;
        }
        if (!ordered) {
            out.appendUnits(flat, copied, begin);
            appendOrdered(vm, out, flat, begin, i);
            copied = i;
        }
        if (i == begin)
            (void)nextCodePoint(flat, i);
    }
    if (!copied)
        return flat;
    out.appendUnits(flat, copied, flat->length);
    return out.finish();
}

// ---- composing

/// What becomes of a starter and the marks behind it (Unicode 3.11, D115): the same steps are taken twice, first to
/// learn what the starter turns into, then to write the marks that are left.
struct Composer {
    u32 starter;
    u32 lastClass = 0; ///< of the mark kept last
    bool blocked = false; ///< the last one kept is a starter: nothing behind it can be reached
    /// True if the code point disappears in the starter.
    bool take(u32 codePoint) {
        u32 value = classOf(codePoint);
        u32 composite = !blocked && (lastClass == 0 || lastClass < value) ? composePair(starter, codePoint) : 0;
        if (composite) {
            starter = composite;
            return true;
        }
        blocked = value == 0;
        lastClass = value;
        return false;
    }
};

/// From the starter at i on: the end of what belongs to it (the next starter that stays one), and the composite.
static u32 composeFrom(const String* flat, u32& i, u32& end) {
    Composer composer{nextCodePoint(flat, i)};
    for (end = i; end < flat->length;) {
        u32 next = end;
        if (!composer.take(nextCodePoint(flat, next)) && composer.blocked)
            break;
        end = next;
    }
    return composer.starter;
}

static Completion<String*> compose(Vm& vm, String* flat) {
    StringBuilder out(vm);
    for (u32 i = 0; i < flat->length && !out.failed();) {
        u32 begin = i, first = nextCodePoint(flat, i);
        if (classOf(first)) { // A mark without a starter before it.
            appendCodePoint(out, first);
            continue;
        }
        i = begin;
        u32 end;
        appendCodePoint(out, composeFrom(flat, i, end));
        for (Composer again{first}; i < end;) {
            u32 codePoint = nextCodePoint(flat, i);
            if (!again.take(codePoint))
                appendCodePoint(out, codePoint);
        }
    }
    return out.finish();
}

// ---- forms

/// Ideographs are the same in every form, and so is what stands beside them.
static bool isIdeograph(char16_t unit) { return unit >= 0x3400 && unit < 0xA000; }

static bool isNormal(const String* flat, NormalizationForm form) {
    if (!flat->isWide()) {
        u32 limit = form == NormalizationForm::NFC ? 256 : form == NormalizationForm::NFD ? 0xC0 : 0xA0;
        return std::all_of(flat->latin1(), flat->latin1() + flat->length, [=](u8 unit) { return unit < limit; });
    }
    u32 limit = form == NormalizationForm::NFC ? 0x300 : 0xA0;
    return std::all_of(
        flat->wide(), flat->wide() + flat->length, [=](char16_t unit) { return unit < limit || isIdeograph(unit); });
}

Completion<String*> normalizeString(Vm& vm, String* flat, NormalizationForm form) {
    vm.charge(flat->length >> 4);
    if (isNormal(flat, form))
        return flat;
    vm.charge(flat->length);
    bool compatible = form == NormalizationForm::NFKC || form == NormalizationForm::NFKD;
    String* text = TRY(order(vm, TRY(decompose(vm, flat, compatible))));
    if (form == NormalizationForm::NFD || form == NormalizationForm::NFKD)
        return text;
    return compose(vm, text);
}

// 22.1.3.15 String.prototype.normalize ( [ form ] )
Result string_normalize(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.normalize"));
    std::string form = "NFC";
    if (!args[0].isUndefined()) {
        String* name = TRY(toString(vm, args[0]));
        form = name->length <= 4 ? toUtf8(vm, name) : "";
    }
    constexpr std::string_view names[] = {"NFC", "NFD", "NFKC", "NFKD"};
    const auto* found = std::find(std::begin(names), std::end(names), form);
    if (found == std::end(names))
        return throwError(vm, Error::NormalizationForm);
    return Value::string(TRY(normalizeString(vm, string, NormalizationForm(found - std::begin(names)))));
}

}
