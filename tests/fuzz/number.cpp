// Fuzzes numbers as text. Input: one byte for what is asked, then the bits of a double or a text. The reference is
// exact: the C library reads decimals correctly rounded and prints all digits of a double; rounding is done here on the
// digits.
#include "tests/fuzz/engine_values.h"
#include "tests/fuzz/libfuzzer.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace scr;
using namespace scr::fuzz;

namespace {

std::string invokeOn(Vm& vm, double number, const char* method, int argument, bool hasArgument, bool& threw) {
    Value value = Value::number(number), digits = Value::int32(argument);
    Completion<Value> result = invoke(vm, value, keyFromAtom(internAscii(vm, method)), &digits, hasArgument ? 1 : 0);
    threw = result.threw();
    return threw ? takeError(vm) : toUtf8(vm, result.value().asString());
}

/// All digits of |x|, a point among them.
std::string exactDigits(double x) {
    char buffer[1500];
    snprintf(buffer, sizeof buffer, "%.1074f", std::fabs(x));
    return buffer;
}

/// |x| rounded to so many digits behind the point, ties away from zero (21.1.3.3: the larger n).
std::string fixedDigits(double x, int digits) {
    std::string exact = exactDigits(x);
    size_t point = exact.find('.');
    std::string kept = exact.substr(0, point) + exact.substr(point + 1, size_t(digits));
    if (exact[point + 1 + size_t(digits)] >= '5') {
        size_t i = kept.size();
        while (i > 0 && kept[i - 1] == '9')
            kept[--i] = '0';
        if (i == 0)
            kept.insert(kept.begin(), '1'), point++;
        else
            kept[i - 1]++;
    }
    return digits ? kept.substr(0, point) + "." + kept.substr(point) : kept;
}

/// `count` significant digits and the exponent of the first, rounded as above.
std::string significant(double x, int count, int& exponent) {
    std::string exact = exactDigits(x);
    size_t point = exact.find('.');
    std::string digits = exact.substr(0, point) + exact.substr(point + 1);
    size_t first = digits.find_first_not_of('0');
    if (first == std::string::npos) {
        exponent = 0;
        return std::string(size_t(count), '0');
    }
    exponent = int(point) - 1 - int(first);
    digits = digits.substr(first) + std::string(size_t(count) + 1, '0');
    std::string kept = digits.substr(0, size_t(count));
    if (digits[size_t(count)] >= '5') {
        size_t i = kept.size();
        while (i > 0 && kept[i - 1] == '9')
            kept[--i] = '0';
        if (i == 0)
            kept = "1" + kept.substr(0, kept.size() - 1), exponent++;
        else
            kept[i - 1]++;
    }
    return kept;
}

std::string exponentText(int exponent) { return (exponent < 0 ? "e-" : "e+") + std::to_string(std::abs(exponent)); }

std::string exponential(double x, int digits) {
    int exponent;
    std::string kept = significant(x, digits + 1, exponent);
    return kept.substr(0, 1) + (digits ? "." + kept.substr(1) : "") + exponentText(exponent);
}

/// 21.1.3.5 of a finite |x|.
std::string precision(double x, int count) {
    int exponent;
    std::string kept = significant(x, count, exponent);
    if (exponent < -6 || exponent >= count)
        return kept.substr(0, 1) + (count > 1 ? "." + kept.substr(1) : "") + exponentText(exponent);
    if (exponent == count - 1)
        return kept;
    if (exponent >= 0)
        return kept.substr(0, size_t(exponent) + 1) + "." + kept.substr(size_t(exponent) + 1);
    return "0." + std::string(size_t(-exponent) - 1, '0') + kept;
}

std::string digitsOnly(const std::string& text) {
    std::string digits;
    for (char c : text) {
        if (c == 'e')
            break;
        if (c >= '0' && c <= '9')
            digits += c;
    }
    size_t first = digits.find_first_not_of('0');
    size_t last = digits.find_last_not_of('0');
    return first == std::string::npos ? "" : digits.substr(first, last + 1 - first);
}

/// Number::toString: reads back as the same double, and no shorter text does.
void checkShortest(double x, const std::string& shown) {
    char* end = nullptr;
    CHECK(strtod(shown.c_str(), &end) == x && !*end);
    std::string digits = digitsOnly(shown);
    CHECK(digits.size() <= 17);
    if (digits.size() > 1) {
        char shorter[64];
        snprintf(shorter, sizeof shorter, "%.*e", int(digits.size()) - 2, x);
        CHECK(strtod(shorter, nullptr) != x);
        // The nearest of that length, unless the interval is uneven (powers of two).
        int power;
        bool uneven = std::frexp(std::fabs(x), &power) == 0.5;
        char same[64];
        snprintf(same, sizeof same, "%.*e", int(digits.size()) - 1, x);
        CHECK(uneven || digitsOnly(same) == digits);
    }
}

/// The value of digits in a radix, as near as long double gets; exact for integers below 2^64.
long double valueOfDigits(const std::string& text, int radix) {
    long double value = 0, scale = 1;
    bool fraction = false;
    for (char c : text) {
        if (c == '.') {
            fraction = true;
            continue;
        }
        int digit = c <= '9' ? c - '0' : c - 'a' + 10;
        CHECK(digit >= 0 && digit < radix);
        value = value * radix + digit;
        if (fraction)
            scale *= radix;
    }
    return value / scale;
}

void checkRadix(Vm& vm, double x, int radix) {
    bool threw;
    std::string shown = invokeOn(vm, x, "toString", radix, true, threw);
    CHECK(!threw);
    if (radix == 10)
        return;
    std::string digits = shown[0] == '-' ? shown.substr(1) : shown;
    CHECK((shown[0] == '-') == (x < 0));
    CHECK(!digits.empty() && digits[0] != '.' && digits.back() != '.');
    double size = std::fabs(x);
    bool isPower = (radix & (radix - 1)) == 0;
    if (size > 1e-300 && size < 1e300) {
        long double back = valueOfDigits(digits, radix);
        long double off = back > size ? back - size : size - back;
        // Powers of two are exact. Others lose a little with every digit, here as in V8.
        if (isPower)
            CHECK(off == 0);
        else
            CHECK(off <= std::ldexp(size, -40));
    }
    if (x == std::floor(x) && size < 9007199254740992.0)
        CHECK(digits.find('.') == std::string::npos);
}

void checkDouble(Vm& vm, double x, u8 argument) {
    bool threw;
    std::string shown = invokeOn(vm, x, "toString", 0, false, threw);
    CHECK(!threw);
    if (!std::isfinite(x)) {
        CHECK(shown == (std::isnan(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity"));
        CHECK(invokeOn(vm, x, "toFixed", 3, true, threw) == shown);
        CHECK(invokeOn(vm, x, "toString", 2 + argument % 35, true, threw) == shown);
        return;
    }
    checkShortest(x, shown);
    Value back = MUST(call(vm, global(vm, "Number"), Value::undefined(), text(vm, shown)));
    CHECK(back.asNumber() == x);
    std::string sign = x < 0 ? "-" : "";
    int digits = argument % 102;
    std::string fixed = invokeOn(vm, x, "toFixed", digits, true, threw);
    if (digits > 100)
        CHECK(threw && fixed == "RangeError");
    else if (std::fabs(x) >= 1e21)
        CHECK(fixed == shown);
    else
        CHECK(fixed == sign + fixedDigits(x, digits));
    std::string scientific = invokeOn(vm, x, "toExponential", digits, true, threw);
    CHECK(digits > 100 ? threw : scientific == sign + exponential(x, digits));
    std::string precise = invokeOn(vm, x, "toPrecision", digits, true, threw);
    CHECK(digits < 1 || digits > 100 ? threw : precise == sign + precision(x, digits));
    checkRadix(vm, x, 2 + argument % 35);
}

// ---- text to number

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// The length of the longest StrDecimalLiteral without sign and Infinity at `at`; 0 if there is none.
size_t decimalLength(const std::string& text, size_t at) {
    size_t i = at, digits = 0;
    while (i < text.size() && isDigit(text[i]))
        i++, digits++;
    if (i < text.size() && text[i] == '.') {
        size_t fraction = i + 1;
        while (fraction < text.size() && isDigit(text[fraction]))
            fraction++, digits++;
        if (digits)
            i = fraction;
    }
    if (!digits)
        return 0;
    if (i < text.size() && (text[i] | 32) == 'e') {
        size_t exponent = i + 1;
        if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-'))
            exponent++;
        size_t first = exponent;
        while (exponent < text.size() && isDigit(text[exponent]))
            exponent++;
        if (exponent > first)
            i = exponent;
    }
    return i - at;
}

int digitValue(char c) { return isDigit(c) ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'z' ? (c | 32) - 'a' + 10 : 99; }

/// The value of [at, end) in a radix that is a power of two, rounded to nearest, ties to even.
double powerOfTwoValue(const std::string& text, size_t at, size_t end, int bits) {
    u64 mantissa = 0;
    int exponent = 0;
    bool sticky = false;
    for (; at < end; at++) {
        for (int bit = bits - 1; bit >= 0; bit--) {
            u64 next = u64(digitValue(text[at])) >> bit & 1;
            if (mantissa >> 60) {
                exponent++;
                sticky |= next;
            } else {
                mantissa = mantissa << 1 | next;
            }
        }
    }
    // 61 bits are kept: the lowest takes what was cut off, so one rounding is enough.
    return std::ldexp(double(mantissa << 1 | u64(sticky)), exponent - 1);
}

bool same(double a, double b) { return a == b ? std::signbit(a) == std::signbit(b) : std::isnan(a) && std::isnan(b); }

double signedBy(bool negative, double value) { return negative ? -value : value; }

/// StringToNumber (7.1.4.1.1) of ASCII.
double referenceNumber(const std::string& whole) {
    size_t begin = whole.find_first_not_of(" \t\n\v\f\r"), last = whole.find_last_not_of(" \t\n\v\f\r");
    if (begin == std::string::npos)
        return 0;
    std::string text = whole.substr(begin, last + 1 - begin);
    if (text.size() > 2 && text[0] == '0') {
        int bits = (text[1] | 32) == 'x' ? 4 : (text[1] | 32) == 'o' ? 3 : (text[1] | 32) == 'b' ? 1 : 0;
        if (bits) {
            for (size_t i = 2; i < text.size(); i++) {
                if (digitValue(text[i]) >= 1 << bits)
                    return NAN;
            }
            return powerOfTwoValue(text, 2, text.size(), bits);
        }
    }
    size_t at = text[0] == '-' || text[0] == '+';
    bool negative = text[0] == '-';
    if (text.substr(at) == "Infinity")
        return signedBy(negative, INFINITY);
    size_t length = decimalLength(text, at);
    if (!length || at + length != text.size())
        return NAN;
    return signedBy(negative, strtod(text.c_str() + at, nullptr));
}

double referenceParseFloat(const std::string& whole) {
    size_t begin = whole.find_first_not_of(" \t\n\v\f\r");
    if (begin == std::string::npos)
        return NAN;
    std::string text = whole.substr(begin);
    size_t at = text[0] == '-' || text[0] == '+';
    bool negative = text[0] == '-';
    if (text.compare(at, 8, "Infinity") == 0)
        return signedBy(negative, INFINITY);
    size_t length = decimalLength(text, at);
    return length ? signedBy(negative, strtod(text.substr(at, length).c_str(), nullptr)) : NAN;
}

void checkParseInt(const std::string& whole, int radix, double result) {
    size_t at = whole.find_first_not_of(" \t\n\v\f\r");
    if (at == std::string::npos)
        at = whole.size();
    bool negative = at < whole.size() && whole[at] == '-';
    if (at < whole.size() && (whole[at] == '-' || whole[at] == '+'))
        at++;
    bool strip = radix == 0 || radix == 16;
    if (radix == 0)
        radix = 10;
    if (radix < 2 || radix > 36)
        return CHECK(std::isnan(result));
    if (strip && whole.size() >= at + 2 && whole[at] == '0' && (whole[at + 1] | 32) == 'x')
        at += 2, radix = 16;
    size_t end = at;
    while (end < whole.size() && digitValue(whole[end]) < radix)
        end++;
    if (end == at)
        return CHECK(std::isnan(result));
    if (radix == 10)
        return CHECK(same(result, signedBy(negative, strtod(whole.substr(at, end - at).c_str(), nullptr))));
    if ((radix & (radix - 1)) == 0)
        return CHECK(same(result, signedBy(negative, powerOfTwoValue(whole, at, end, __builtin_ctz(unsigned(radix))))));
    long double value = 0;
    for (size_t i = at; i < end; i++)
        value = value * radix + digitValue(whole[i]);
    // Two roundings, by half a unit in the last place each, for every part of at least five digits.
    double parts = double((end - at) / 5 + 2);
    if (value < 1e300L)
        CHECK(std::fabs(std::fabs(result) - double(value)) <= std::ldexp(double(value), -52) * parts);
}

void checkText(Vm& vm, const std::string& ascii, u8 argument) {
    Value string = text(vm, ascii), none = Value::undefined();
    CHECK(same(MUST(call(vm, global(vm, "Number"), none, string)).asNumber(), referenceNumber(ascii)));
    CHECK(same(MUST(call(vm, global(vm, "parseFloat"), none, string)).asNumber(), referenceParseFloat(ascii)));
    int radix = argument % 40;
    checkParseInt(ascii, radix, MUST(call(vm, global(vm, "parseInt"), none, string, Value::int32(radix))).asNumber());
}

}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 3)
        return 0;
    Vm& vm = sharedEngine().vm();
    u8 what = data[0], argument = data[1];
    data += 2, size -= 2;
    if (what & 1) {
        std::string ascii;
        // Mostly characters of which numbers are made.
        static const char set[] = "0123456789.eE+-xXoObB 0199e5000aAfFzZ_nInfinityNaN\t";
        for (size_t i = 0; i < size && ascii.size() < 400; i++)
            ascii += data[i] < 0xf0 ? set[data[i] % (sizeof set - 1)] : char(data[i] & 0x7f ? data[i] & 0x7f : '1');
        checkText(vm, ascii, argument);
        return 0;
    }
    double number = 0;
    memcpy(&number, data, size < 8 ? size : 8);
    switch (what >> 1 & 7) {
    case 0: number = std::floor(std::ldexp(number, -int(argument))); break;
    case 1: number = double(i64(number > 1e18 || number < -1e18 || std::isnan(number) ? 0 : number)) / 1000; break;
    case 2: number = std::ldexp(1, int(data[0]) * 8 - 1074); break;
    case 3: number = data[0] + data[0] / 128.0 + 0.5; break;
    }
    checkDouble(vm, number, argument);
    return 0;
}
