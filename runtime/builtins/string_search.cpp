// Searching, splitting and replacing in strings (ECMA-262 22.1.3), for string patterns; a pattern object with the
// protocol's method (Symbol.split, Symbol.replace, ...) is handed the work as the specification says.
#include "runtime/builtins/this_string.h"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace scr {

static bool unitsEqual(const String* text, u32 at, const String* needle) {
    if (!text->isWide() && !needle->isWide())
        return !memcmp(text->latin1() + at, needle->latin1(), needle->length);
    for (u32 i = 0; i < needle->length; i++)
        if (text->unit(at + i) != needle->unit(i))
            return false;
    return true;
}

// ---- Crochemore and Perrin's two-way search: linear for every needle, in constant space. For the texts on which the
// plain search compares long parts of the needle again and again.

namespace {

/// A string read forwards or, for lastIndexOf, backwards.
struct Units {
    const String* string;
    bool backwards;
    char16_t operator[](i64 i) const { return string->unit(u32(backwards ? string->length - 1 - i : i)); }
    i64 length() const { return string->length; }
};

/// Where the greatest suffix begins, minus one, and its period; by the order of units or by the opposite one.
i64 greatestSuffix(const Units& x, bool opposite, i64& period) {
    i64 suffix = -1, j = 0, k = 1;
    period = 1;
    while (j + k < x.length()) {
        char16_t a = x[j + k], b = x[suffix + k];
        if (a == b) {
            j += k == period ? period : 0;
            k = k == period ? 1 : k + 1;
        } else if ((a < b) != opposite) {
            j += k;
            k = 1;
            period = j - suffix;
        } else {
            suffix = j++;
            k = period = 1;
        }
    }
    return suffix;
}

/// The first place from `j` on where x stands in y, or -1.
i64 searchTwoWay(const Units& x, const Units& y, i64 j) {
    i64 period, other;
    i64 cut = greatestSuffix(x, false, period), opposite = greatestSuffix(x, true, other);
    if (opposite > cut) {
        cut = opposite;
        period = other;
    }
    bool repeats = true; // the part before the cut is repeated behind one period
    for (i64 i = 0; repeats && i <= cut; i++)
        repeats = x[i] == x[i + period];
    i64 length = x.length(), known = -1; // the units up to `known` match already
    i64 step = repeats ? period : std::max(cut + 1, length - cut - 1) + 1;
    while (j <= y.length() - length) {
        i64 i = std::max(cut, known) + 1;
        while (i < length && x[i] == y[i + j])
            i++;
        if (i < length) {
            j += i - cut;
            known = -1;
            continue;
        }
        i = cut;
        while (i > known && x[i] == y[i + j])
            i--;
        if (i <= known)
            return j;
        j += step;
        known = repeats ? length - period - 1 : -1;
    }
    return -1;
}

/// Counts what the plain search compares; true once it is out of proportion to its way.
class Patience {
public:
    explicit Patience(const String* needle)
        : needle_(needle) { }
    bool lost(u32 way) const { return compared_ > 16 * u64(way) + 16384; }
    /// unitsEqual, after a look at the last unit.
    bool equal(const String* text, u32 at) {
        u32 last = needle_->length - 1;
        if (text->unit(at + last) != needle_->unit(last))
            return false;
        compared_ += needle_->length;
        return unitsEqual(text, at, needle_);
    }

private:
    const String* needle_;
    u64 compared_ = 0;
};

}

static u32 find(Vm& vm, const String* text, const String* needle, u32 from) {
    if (needle->length > text->length || from > text->length - needle->length)
        return NotFound;
    if (!needle->length)
        return from;
    u32 last = text->length - needle->length;
    char16_t first = needle->unit(0);
    if (!text->isWide() && first > 0xFF)
        return NotFound;
    Patience patience(needle);
    for (u32 at = from; at <= last; at++) {
        if (!text->isWide()) {
            const void* hit = memchr(text->latin1() + at, int(first), last - at + 1);
            if (!hit)
                return NotFound;
            at = u32(static_cast<const u8*>(hit) - text->latin1());
        } else if (text->wide()[at] != first) {
            continue;
        }
        if (patience.equal(text, at))
            return at;
        if (UNLIKELY(patience.lost(at - from))) {
            vm.charge((text->length - at) / 4);
            i64 found = searchTwoWay({needle, false}, {text, false}, at);
            return found < 0 ? NotFound : u32(found);
        }
    }
    return NotFound;
}

u32 findUnits(Vm& vm, const String* text, const String* needle, u32 from) {
    u32 at = find(vm, text, needle, from);
    // What it went over: a search for the next occurrence goes on from there.
    vm.charge(((at == NotFound ? text->length : at) - std::min(from, text->length)) / 32);
    return at;
}

static Completion<u32> position(Vm& vm, Value argument, u32 length) {
    if (argument.isUndefined())
        return 0u;
    double at = TRY(toIntegerOrInfinity(vm, argument));
    return u32(at < 0 ? 0 : at < length ? at : length);
}

Result string_indexOf(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.indexOf"));
    String* needle = TRY(flatten(vm, TRY(toString(vm, args[0]))));
    u32 from = TRY(position(vm, args[1], string->length));
    u32 at = findUnits(vm, string, needle, from);
    return at == NotFound ? Value::int32(-1) : Value::number(at);
}

Result string_lastIndexOf(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.lastIndexOf"));
    String* needle = TRY(flatten(vm, TRY(toString(vm, args[0]))));
    double limit = TRY(toNumber(vm, args[1]));
    double from = std::isnan(limit) ? INFINITY : std::trunc(limit);
    if (needle->length > string->length)
        return Value::int32(-1);
    u32 last = string->length - needle->length;
    u32 at = from < 0 ? 0 : from < last ? u32(from) : last;
    TRY(vm.work(at / 8));
    if (!needle->length)
        return Value::number(at);
    Patience patience(needle);
    for (u32 start = at;; at--) {
        if (patience.equal(string, at))
            return Value::number(at);
        if (!at)
            return Value::int32(-1);
        if (UNLIKELY(patience.lost(start - at))) {
            i64 found = searchTwoWay({needle, true}, {string, true}, last - at);
            return found < 0 ? Value::int32(-1) : Value::number(last - u32(found));
        }
    }
}

/// 7.2.6 IsRegExp, by Symbol.match alone: no object here is a regular expression of its own kind.
static Completion<bool> looksLikeRegExp(Vm& vm, Value value) {
    if (!value.isObject())
        return false;
    return toBoolean(TRY(get(vm, value.asObject(), SYMBOL(vm, match))));
}
static Completion<String*> needleOf(Vm& vm, Args args, std::string_view method) {
    if (TRY(looksLikeRegExp(vm, args[0])))
        return throwText(vm, Intrinsic::TypeErrorPrototype,
            "First argument to " + std::string(method) + " must not be a regular expression");
    return flatten(vm, TRY(toString(vm, args[0])));
}

Result string_includes(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.includes"));
    String* needle = TRY(needleOf(vm, args, "String.prototype.includes"));
    u32 from = TRY(position(vm, args[1], string->length));
    return Value::boolean(findUnits(vm, string, needle, from) != NotFound);
}
Result string_startsWith(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.startsWith"));
    String* needle = TRY(needleOf(vm, args, "String.prototype.startsWith"));
    u32 from = TRY(position(vm, args[1], string->length));
    return Value::boolean(needle->length <= string->length - from && unitsEqual(string, from, needle));
}
Result string_endsWith(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.endsWith"));
    String* needle = TRY(needleOf(vm, args, "String.prototype.endsWith"));
    u32 end = args[1].isUndefined() ? string->length : TRY(position(vm, args[1], string->length));
    return Value::boolean(needle->length <= end && unitsEqual(string, end - needle->length, needle));
}

/// A pattern that is like a regular expression must have the flag g (replaceAll, matchAll).
static Completion<void> requireGlobal(Vm& vm, Value pattern, std::string_view method, std::string_view nullish) {
    if (!TRY(looksLikeRegExp(vm, pattern)))
        return {};
    Value flags = TRY(get(vm, pattern.asObject(), PropertyKey::atom(internAscii(vm, "flags"))));
    if (flags.isNullish())
        return throwText(vm, Intrinsic::TypeErrorPrototype, nullish);
    String* text = TRY(flatten(vm, TRY(toString(vm, flags))));
    if (findUnits(vm, text, unitString(vm, u'g'), 0) == NotFound)
        return throwText(
            vm, Intrinsic::TypeErrorPrototype, std::string(method) + " called with a non-global RegExp argument");
    return {};
}

/// If `pattern` is an object with a method under this symbol, its result; else undefined and `handled` false.
static Result delegate(Vm& vm, Value pattern, Symbol* symbol, Value self, Value second, u32 argc, bool& handled) {
    handled = false;
    if (!pattern.isObject())
        return Value::undefined();
    Value method = TRY(getMethod(vm, pattern, keyOf(symbol)));
    if (method.isUndefined())
        return Value::undefined();
    handled = true;
    Value arguments[] = {self, second};
    return call(vm, method, pattern, arguments, argc);
}

// ---- what needs a regular expression

/// The rest of match, matchAll and search, when the pattern brings no method of its own: RegExpCreate, then its method.
static Result withRegExp(Vm& vm, Args args, std::string_view method) {
    (void)TRY(thisString(vm, args, method));
    if (args[0].isObject() || args[0].isSymbol())
        (void)TRY(toString(vm, args[0]));
    return throwText(vm, Intrinsic::SyntaxErrorPrototype, "regular expressions are not supported yet");
}

// 22.1.3.13 String.prototype.match ( regexp )
Result string_match(Vm& vm, Args args) {
    TRY(requireObjectCoercible(vm, args.self(), "String.prototype.match"));
    bool handled;
    Value result = TRY(delegate(vm, args[0], vm.symbols.match, args.self(), {}, 1, handled));
    return handled ? result : withRegExp(vm, args, "String.prototype.match");
}

// 22.1.3.14 String.prototype.matchAll ( regexp )
Result string_matchAll(Vm& vm, Args args) {
    TRY(requireObjectCoercible(vm, args.self(), "String.prototype.matchAll"));
    TRY(requireGlobal(vm, args[0], "String.prototype.matchAll",
        "The .flags property of the argument to String.prototype.matchAll cannot be null or undefined"));
    bool handled;
    Value result = TRY(delegate(vm, args[0], vm.symbols.matchAll, args.self(), {}, 1, handled));
    return handled ? result : withRegExp(vm, args, "String.prototype.matchAll");
}

// 22.1.3.21 String.prototype.search ( regexp )
Result string_search(Vm& vm, Args args) {
    TRY(requireObjectCoercible(vm, args.self(), "String.prototype.search"));
    bool handled;
    Value result = TRY(delegate(vm, args[0], vm.symbols.search, args.self(), {}, 1, handled));
    return handled ? result : withRegExp(vm, args, "String.prototype.search");
}

// 22.1.3.23 String.prototype.split
static Result splitUnits(Vm& vm, String* string, u32 limit) {
    u32 count = string->length < limit ? string->length : limit;
    Array* parts = newArray(vm, count);
    for (u32 i = 0; i < count; i++)
        TRY(pushDense(vm, parts->elements_, Value::string(unitString(vm, string->unit(i)))));
    TRY(vm.work(count));
    return Value::object(parts);
}

Result string_split(Vm& vm, Args args) {
    TRY(requireObjectCoercible(vm, args.self(), "String.prototype.split"));
    bool handled;
    Value result = TRY(delegate(vm, args[0], vm.symbols.split, args.self(), args[1], 2, handled));
    if (handled)
        return result;
    String* string = TRY(thisString(vm, args, "String.prototype.split"));
    u32 limit = args[1].isUndefined() ? 0xFFFFFFFFu : TRY(toUint32(vm, args[1]));
    String* separator = TRY(flatten(vm, TRY(toString(vm, args[0]))));
    if (!limit)
        return Value::object(newArray(vm));
    if (args[0].isUndefined() || (!string->length && separator->length)) {
        Value whole = Value::string(string);
        return Value::object(newArrayFrom(vm, &whole, 1));
    }
    if (!separator->length)
        return splitUnits(vm, string, limit);
    Array* parts = newArray(vm);
    u32 from = 0;
    for (u32 at; (at = findUnits(vm, string, separator, from)) != NotFound; from = at + separator->length) {
        TRY(vm.work(1));
        TRY(pushDense(vm, parts->elements_, Value::string(TRY(substring(vm, string, from, at)))));
        if (parts->length() == limit)
            return Value::object(parts);
    }
    TRY(pushDense(vm, parts->elements_, Value::string(TRY(substring(vm, string, from, string->length)))));
    return Value::object(parts);
}

/// 22.1.3.19.1 GetSubstitution without captures.
static void appendSubstitution(StringBuilder& text, String* string, u32 at, u32 matchLength, String* replacement) {
    for (u32 i = 0; i < replacement->length; i++) {
        char16_t unit = replacement->unit(i);
        char16_t next = unit == u'$' && i + 1 < replacement->length ? replacement->unit(i + 1) : 0;
        switch (next) {
        case u'$': text.append(u'$'); break;
        case u'&': text.appendUnits(string, at, at + matchLength); break;
        case u'`': text.appendUnits(string, 0, at); break;
        case u'\'': text.appendUnits(string, at + matchLength, string->length); break;
        default: text.append(unit); continue;
        }
        i++;
    }
}

static Completion<void> appendReplacement(
    Vm& vm, StringBuilder& text, String* string, String* needle, u32 at, Value replacement) {
    if (isCallable(replacement)) {
        Value value = TRY(
            call(vm, replacement, Value::undefined(), Value::string(needle), Value::number(at), Value::string(string)));
        text.append(TRY(toString(vm, value)));
        return {};
    }
    appendSubstitution(text, string, at, needle->length, replacement.asString());
    return {};
}

// 22.1.3.19 replace, 22.1.3.20 replaceAll
static Result replace(Vm& vm, Args args, bool all, std::string_view method) {
    TRY(requireObjectCoercible(vm, args.self(), method));
    if (all)
        TRY(requireGlobal(vm, args[0], method, "String.prototype.replaceAll called on null or undefined"));
    bool handled;
    Value result = TRY(delegate(vm, args[0], vm.symbols.replace, args.self(), args[1], 2, handled));
    if (handled)
        return result;
    String* string = TRY(thisString(vm, args, method));
    String* needle = TRY(flatten(vm, TRY(toString(vm, args[0]))));
    Value replacement = args[1];
    if (!isCallable(replacement))
        replacement = Value::string(TRY(flatten(vm, TRY(toString(vm, replacement)))));
    u32 at = findUnits(vm, string, needle, 0);
    if (at == NotFound)
        return Value::string(string);
    StringBuilder text(vm);
    u32 from = 0;
    do {
        text.appendUnits(string, from, at);
        TRY(appendReplacement(vm, text, string, needle, at, replacement));
        TRY(vm.work(1));
        from = at + needle->length;
        at = findUnits(vm, string, needle, needle->length ? from : at + 1);
    } while (all && at != NotFound && !text.failed());
    text.appendUnits(string, from, string->length);
    return Value::string(TRY(text.finish()));
}
Result string_replace(Vm& vm, Args args) { return replace(vm, args, false, "String.prototype.replace"); }
Result string_replaceAll(Vm& vm, Args args) { return replace(vm, args, true, "String.prototype.replaceAll"); }

}
