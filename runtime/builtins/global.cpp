// Functions of the global object that read numbers (ECMA-262 19.2.2 to 19.2.5).
#include "runtime/builtins/native.h"

#include <cmath>

namespace scr {

// 19.2.2 isFinite ( number )
Result global_isFinite(Vm& vm, Args args) { return Value::boolean(std::isfinite(TRY(toNumber(vm, args[0])))); }

// 19.2.3 isNaN ( number )
Result global_isNaN(Vm& vm, Args args) { return Value::boolean(std::isnan(TRY(toNumber(vm, args[0])))); }

namespace {

/// Past the white space and line ends at the start (11.2, 11.3).
u32 skipSpace(const String* flat) {
    u32 at = 0;
    while (at < flat->length && isSpace(flat->unit(at)))
        at++;
    return at;
}

bool isDigit(char16_t unit) { return unit >= '0' && unit <= '9'; }

u32 skipDigits(const String* flat, u32 at) {
    while (at < flat->length && isDigit(flat->unit(at)))
        at++;
    return at;
}

bool startsWith(const String* flat, u32 at, std::string_view text) {
    for (char c : text)
        if (at >= flat->length || flat->unit(at++) != u8(c))
            return false;
    return true;
}

/// Past the longest StrDecimalLiteral that begins at `at`; `at` itself if there is none.
u32 skipDecimal(const String* flat, u32 at) {
    u32 start = at;
    if (at < flat->length && (flat->unit(at) == '+' || flat->unit(at) == '-'))
        at++;
    if (startsWith(flat, at, "Infinity"))
        return at + 8;
    u32 whole = at;
    at = skipDigits(flat, at);
    u32 digits = at - whole;
    if (at < flat->length && flat->unit(at) == '.') {
        u32 end = skipDigits(flat, at + 1);
        digits += end - at - 1;
        at = end;
    }
    if (!digits)
        return start;
    if (at < flat->length && (flat->unit(at) | 32) == 'e') {
        u32 exponent = at + 1;
        if (exponent < flat->length && (flat->unit(exponent) == '+' || flat->unit(exponent) == '-'))
            exponent++;
        u32 end = skipDigits(flat, exponent);
        if (end > exponent)
            at = end;
    }
    return at;
}

}

// 19.2.4 parseFloat ( string )
Result global_parseFloat(Vm& vm, Args args) {
    if (args[0].isInt())
        return args[0];
    String* string = TRY(flatten(vm, TRY(toString(vm, args[0]))));
    u32 begin = skipSpace(string), end = skipDecimal(string, begin);
    if (begin == end)
        return Value::nan();
    vm.charge((end - begin) >> 6);
    return Value::number(stringToNumber(TRY(flatten(vm, TRY(substring(vm, string, begin, end))))));
}

namespace {

int digitValue(char16_t unit) {
    if (isDigit(unit))
        return unit - '0';
    char16_t lower = unit | 32;
    return unit < 128 && lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : 99;
}

/// Exact, rounded half to even: the digits of a radix that is 1 << bits.
double parseBinaryDigits(const String* flat, u32 begin, u32 end, int bits) {
    u64 mantissa = 0;
    int exponent = 0;
    bool sticky = false;
    for (u32 at = begin; at < end; at++) {
        int digit = digitValue(flat->unit(at));
        for (int bit = bits - 1; bit >= 0; bit--) {
            if (mantissa >> 54) {
                sticky |= (digit >> bit) & 1;
                exponent++;
            } else {
                mantissa = mantissa << 1 | ((digit >> bit) & 1);
            }
        }
    }
    // 55 bits at most: the last one and whatever was lost decide the rounding, which the conversion does.
    return std::ldexp(double(mantissa << 1 | u64(sticky)), exponent - 1);
}

/// Any radix, in parts of 32 bits; above 2^53 an approximation, as 19.2.5 allows.
double parseParts(const String* flat, u32 begin, u32 end, u32 radix) {
    double value = 0;
    for (u32 at = begin; at < end;) {
        u32 part = 0, multiplier = 1;
        for (; at < end && multiplier <= 0xFFFFFFFFu / 36 / radix; at++) {
            part = part * radix + u32(digitValue(flat->unit(at)));
            multiplier *= radix;
        }
        value = value * multiplier + part;
    }
    return value;
}

Completion<double> parseDigits(Vm& vm, String* flat, u32 begin, u32 end, u32 radix) {
    if (end - begin <= 9 && radix <= 10)
        return parseParts(flat, begin, end, radix);
    if (radix == 10)
        return stringToNumber(TRY(flatten(vm, TRY(substring(vm, flat, begin, end)))));
    if ((radix & (radix - 1)) == 0)
        return parseBinaryDigits(flat, begin, end, __builtin_ctz(radix));
    return parseParts(flat, begin, end, radix);
}

}

// 19.2.5 parseInt ( string, radix )
Result global_parseInt(Vm& vm, Args args) {
    if (args[1].isUndefined() && args[0].isNumber()) {
        // OPTIMIZATION: a number whose text has no exponent is cut at its point.
        double number = args[0].asNumber(), size = std::fabs(number);
        if (args[0].isInt() || (size >= 1e-6 && size < 1e21))
            return Value::number(std::trunc(number));
    }
    String* string = TRY(flatten(vm, TRY(toString(vm, args[0]))));
    i32 radix = TRY(toInt32(vm, args[1]));
    u32 at = skipSpace(string);
    bool negative = at < string->length && string->unit(at) == '-';
    if (negative || (at < string->length && string->unit(at) == '+'))
        at++;
    if (radix && (radix < 2 || radix > 36))
        return Value::nan();
    if ((radix == 0 || radix == 16) && (startsWith(string, at, "0x") || startsWith(string, at, "0X"))) {
        at += 2;
        radix = 16;
    }
    if (!radix)
        radix = 10;
    u32 end = at;
    while (end < string->length && digitValue(string->unit(end)) < radix)
        end++;
    if (end == at)
        return Value::nan();
    vm.charge((end - at) >> 4);
    double value = TRY(parseDigits(vm, string, at, end, u32(radix)));
    return Value::number(negative ? -value : value);
}

}
