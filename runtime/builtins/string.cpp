// String and its prototype (ECMA-262 22.1): what has no file of its own, as searching, case and normalization have.
#include "runtime/base/utf.h"
#include "runtime/builtins/native.h"
#include "runtime/builtins/this_string.h"
#include "runtime/core/string_units.h"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace scr {

Completion<String*> thisString(Vm& vm, Args args, std::string_view method) {
    if (LIKELY(args.self().isString()))
        return flatten(vm, args.self().asString());
    TRY(requireObjectCoercible(vm, args.self(), method));
    return flatten(vm, TRY(toString(vm, args.self())));
}

Result string_constructor(Vm& vm, Args args) {
    Value newTarget = vm.takeNewTarget();
    String* string = emptyString(vm);
    if (args.count) {
        if (newTarget.isUndefined() && args[0].isSymbol()) {
            Value description = args[0].asSymbol()->description;
            StringBuilder text(vm);
            text.appendAscii("Symbol(");
            if (description.isString())
                text.append(description.asString());
            text.append(u')');
            return Value::string(TRY(text.finish()));
        }
        string = TRY(toString(vm, args[0]));
    }
    if (newTarget.isUndefined())
        return Value::string(string);
    Object* prototype = TRY(prototypeFromConstructor(vm, newTarget.asObject(), Intrinsic::StringPrototype));
    return Value::object(TRY(newWrapper(vm, prototype, Value::string(string))));
}

Result string_fromCharCode(Vm& vm, Args args) {
    if (args.count == 1)
        return Value::string(unitString(vm, char16_t(TRY(toUint32(vm, args[0])))));
    StringBuilder text(vm);
    for (u32 i = 0; i < args.count; i++)
        text.append(char16_t(TRY(toUint32(vm, args[i]))));
    return Value::string(TRY(text.finish()));
}

u32 nextCodePoint(const String* flat, u32& i) {
    char16_t unit = flat->unit(i++);
    if (isHighSurrogate(unit) && i < flat->length && isLowSurrogate(flat->unit(i)))
        return combineSurrogates(unit, flat->unit(i++));
    return unit;
}

void appendCodePoint(StringBuilder& text, u32 codePoint) {
    if (codePoint < 0x10000) {
        text.append(char16_t(codePoint));
        return;
    }
    text.append(highSurrogate(codePoint));
    text.append(lowSurrogate(codePoint));
}

Result string_fromCodePoint(Vm& vm, Args args) {
    StringBuilder text(vm);
    for (u32 i = 0; i < args.count; i++) {
        double number = TRY(toNumber(vm, args[i]));
        if (!(number >= 0 && number <= 0x10FFFF && std::trunc(number) == number))
            return throwError(vm, Error::CodePoint, Value::number(number));
        appendCodePoint(text, u32(number));
    }
    return Value::string(TRY(text.finish()));
}

// 22.1.2.4 String.raw
Result string_raw(Vm& vm, Args args) {
    Object* cooked = TRY(toObject(vm, args[0]));
    Object* literals = TRY(toObject(vm, TRY(get(vm, cooked, KEY(vm, raw)))));
    double count = TRY(lengthOf(vm, literals));
    StringBuilder text(vm);
    for (double i = 0; i < count; i++) {
        TRY(vm.work(1));
        Value literal = TRY(get(vm, literals, keyFromInteger(vm, i)));
        text.append(TRY(toString(vm, literal)));
        if (i + 1 < count && i + 1 < args.count)
            text.append(TRY(toString(vm, args[u32(i) + 1])));
        if (text.length() > String::MaxLength)
            break;
    }
    return Value::string(TRY(text.finish()));
}

/// 22.1.3.35.1 ThisStringValue
static Result thisStringValue(Vm& vm, Args args, std::string_view method) {
    Value self = args.self();
    if (self.isString())
        return self;
    if (self.isObject() && kindOf(self.asCell()) == Kind::PrimitiveWrapper) {
        Value inner = static_cast<PrimitiveWrapper*>(self.asObject())->value;
        if (inner.isString())
            return inner;
    }
    return throwText(vm, Intrinsic::TypeErrorPrototype, std::string(method) + " requires that 'this' be a String");
}
Result string_toString(Vm& vm, Args args) { return thisStringValue(vm, args, "String.prototype.toString"); }
Result string_valueOf(Vm& vm, Args args) { return thisStringValue(vm, args, "String.prototype.valueOf"); }

// ---- units

/// The position argument, if it names a unit of the string.
static Completion<i64> unitPosition(Vm& vm, String* string, Value argument) {
    if (LIKELY(argument.isInt()))
        return u32(argument.asInt()) < string->length ? i64(argument.asInt()) : -1;
    double position = TRY(toIntegerOrInfinity(vm, argument));
    return position >= 0 && position < string->length ? i64(position) : -1;
}

Result string_charAt(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.charAt"));
    i64 at = TRY(unitPosition(vm, string, args[0]));
    return Value::string(at < 0 ? emptyString(vm) : unitString(vm, string->unit(u32(at))));
}

static NOINLINE Result charCodeAtSlow(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.charCodeAt"));
    i64 at = TRY(unitPosition(vm, string, args[0]));
    return at < 0 ? Value::nan() : Value::int32(string->unit(u32(at)));
}

Result string_charCodeAt(Vm& vm, Args args) {
    // OPTIMIZATION: a flat string and an int32 position in it: nothing to convert, nothing to throw.
    Value self = args.self();
    if (LIKELY(self.isString() && args.count && args.values[0].isInt())) {
        String* string = self.asString();
        u32 at = u32(args.values[0].asInt());
        if (LIKELY(string->data && at < string->length))
            return Value::int32(string->unit(at));
    }
    return charCodeAtSlow(vm, args);
}

Result string_codePointAt(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.codePointAt"));
    i64 at = TRY(unitPosition(vm, string, args[0]));
    if (at < 0)
        return Value::undefined();
    u32 index = u32(at);
    return Value::int32(i32(nextCodePoint(string, index)));
}

Result string_at(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.at"));
    double relative = TRY(toIntegerOrInfinity(vm, args[0]));
    double at = relative >= 0 ? relative : string->length + relative;
    if (!(at >= 0 && at < string->length))
        return Value::undefined();
    return Value::string(unitString(vm, string->unit(u32(at))));
}

// ---- parts

/// A position clamped to [0, length]; negative ones count from the end if `relative`.
static Completion<u32> clampPosition(Vm& vm, Value argument, u32 length, u32 whenUndefined, bool relative) {
    if (argument.isUndefined())
        return whenUndefined;
    double position = TRY(toIntegerOrInfinity(vm, argument));
    if (position < 0)
        position = relative ? std::fmax(0, length + position) : 0;
    return u32(position < length ? position : length);
}

Result string_slice(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.slice"));
    u32 from = TRY(clampPosition(vm, args[0], string->length, 0, true));
    u32 to = TRY(clampPosition(vm, args[1], string->length, string->length, true));
    return Value::string(from < to ? TRY(substring(vm, string, from, to)) : emptyString(vm));
}

Result string_substring(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.substring"));
    u32 a = TRY(clampPosition(vm, args[0], string->length, 0, false));
    u32 b = TRY(clampPosition(vm, args[1], string->length, string->length, false));
    return Value::string(TRY(substring(vm, string, a < b ? a : b, a < b ? b : a)));
}

// B.2.2.1 String.prototype.substr
Result string_substr(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.substr"));
    u32 from = TRY(clampPosition(vm, args[0], string->length, 0, true));
    double count = args[1].isUndefined() ? string->length : TRY(toIntegerOrInfinity(vm, args[1]));
    double to = std::fmin(from + std::fmax(count, 0), string->length);
    return Value::string(to > from ? TRY(substring(vm, string, from, u32(to))) : emptyString(vm));
}

Result string_concat(Vm& vm, Args args) {
    String* result = TRY(thisString(vm, args, "String.prototype.concat"));
    for (u32 i = 0; i < args.count; i++) {
        String* next = TRY(toString(vm, args[i]));
        result = TRY(concatenate(vm, result, next));
    }
    return Value::string(result);
}

/// Fills `bytes` bytes with copies of the first `unit` of them, each time with all that is there already.
static void repeatBytes(u8* to, size_t unit, size_t bytes) {
    for (size_t filled = unit, part; filled < bytes; filled += part) {
        part = std::min(filled, bytes - filled);
        memcpy(to + filled, to, part);
    }
}

static Completion<String*> repeated(Vm& vm, String* string, double count) {
    if (count * string->length > String::MaxLength)
        return throwError(vm, Error::StringLength);
    string = TRY(flatten(vm, string));
    u32 length = u32(count) * string->length;
    TRY(vm.work(length / 16));
    if (length == string->length)
        return string;
    bool wide = string->isWide();
    String* result = TRY(newUninitialized(vm, length, wide));
    copyUnits(writableUnits(result), wide, string, 0, string->length);
    repeatBytes(writableUnits(result), unitBytes(string->length, wide), unitBytes(length, wide));
    return result;
}

Result string_repeat(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.repeat"));
    double count = TRY(toIntegerOrInfinity(vm, args[0]));
    if (!(count >= 0 && count < INFINITY))
        return throwError(vm, Error::RepeatCount, std::string_view(toUtf8(vm, TRY(toString(vm, args[0])))));
    if (!string->length || count == 0)
        return Value::string(emptyString(vm));
    return Value::string(TRY(repeated(vm, string, count)));
}

/// 22.1.3.17.1 StringPaddingBuiltinsImpl
static Result pad(Vm& vm, Args args, bool atStart, std::string_view method) {
    String* string = TRY(thisString(vm, args, method));
    double wanted = TRY(toLength(vm, args[0]));
    if (wanted <= string->length)
        return Value::string(string);
    String* filler = args[1].isUndefined() ? unitString(vm, u' ') : TRY(flatten(vm, TRY(toString(vm, args[1]))));
    if (!filler->length)
        return Value::string(string);
    if (wanted > String::MaxLength)
        return throwError(vm, Error::StringLength);
    u32 room = u32(wanted) - string->length;
    StringBuilder text(vm);
    if (!atStart)
        text.append(string);
    if (u32 whole = room / filler->length)
        text.append(TRY(repeated(vm, filler, whole)));
    text.appendUnits(filler, 0, room % filler->length);
    if (atStart)
        text.append(string);
    return Value::string(TRY(text.finish()));
}
Result string_padStart(Vm& vm, Args args) { return pad(vm, args, true, "String.prototype.padStart"); }
Result string_padEnd(Vm& vm, Args args) { return pad(vm, args, false, "String.prototype.padEnd"); }

/// WhiteSpace and LineTerminator of 12.2, 12.3.
bool isTrimmable(char16_t unit) {
    switch (unit) {
    case 0x09:
    case 0x0A:
    case 0x0B:
    case 0x0C:
    case 0x0D:
    case 0x20:
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
    case 0xFEFF: return true;
    default: return unit >= 0x2000 && unit <= 0x200A;
    }
}
static Result trim(Vm& vm, Args args, bool start, bool end, std::string_view method) {
    String* string = TRY(thisString(vm, args, method));
    u32 from = 0, to = string->length;
    while (start && from < to && isTrimmable(string->unit(from)))
        from++;
    while (end && to > from && isTrimmable(string->unit(to - 1)))
        to--;
    return Value::string(TRY(substring(vm, string, from, to)));
}
Result string_trim(Vm& vm, Args args) { return trim(vm, args, true, true, "String.prototype.trim"); }
Result string_trimStart(Vm& vm, Args args) { return trim(vm, args, true, false, "String.prototype.trimStart"); }
Result string_trimEnd(Vm& vm, Args args) { return trim(vm, args, false, true, "String.prototype.trimEnd"); }

// ---- well-formedness

/// The first lone surrogate at or after `from`, or the length.
static u32 loneSurrogate(String* string, u32 from) {
    if (!string->isWide())
        return string->length;
    for (u32 i = from; i < string->length; i++) {
        char16_t unit = string->wide()[i];
        if ((unit & 0xF800) != 0xD800)
            continue;
        bool pair = (unit & 0xFC00) == 0xD800 && i + 1 < string->length && (string->wide()[i + 1] & 0xFC00) == 0xDC00;
        if (!pair)
            return i;
        i++;
    }
    return string->length;
}
Result string_isWellFormed(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.isWellFormed"));
    return Value::boolean(loneSurrogate(string, 0) == string->length);
}
Result string_toWellFormed(Vm& vm, Args args) {
    String* string = TRY(thisString(vm, args, "String.prototype.toWellFormed"));
    u32 bad = loneSurrogate(string, 0);
    if (bad == string->length)
        return Value::string(string);
    StringBuilder text(vm);
    u32 from = 0;
    for (; bad < string->length; bad = loneSurrogate(string, from)) {
        text.appendUnits(string, from, bad);
        text.append(char16_t(0xFFFD));
        from = bad + 1;
    }
    text.appendUnits(string, from, string->length);
    return Value::string(TRY(text.finish()));
}

}
