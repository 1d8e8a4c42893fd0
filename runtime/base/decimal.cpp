// The only user of double-conversion below core. Its reader is called for the digits alone: the one that takes whole
// literals asks the C++ library about letters and would link all of its locales (half a megabyte).
#include "runtime/base/decimal.h"
#include <algorithm>
#include <double-conversion/double-conversion.h>
#include <double-conversion/strtod.h>

namespace scr {

std::string_view shortestDecimal(double number, NumberBuffer& buffer) {
    double_conversion::StringBuilder builder(buffer.text, sizeof buffer.text);
    double_conversion::DoubleToStringConverter::EcmaScriptConverter().ToShortest(number, &builder);
    size_t length = size_t(builder.position());
    builder.Finalize();
    return {buffer.text, length};
}

namespace {

/// The significant digits of a literal and the power of ten of the last one.
struct Digits {
    // No double needs more to be told from its neighbours' midpoints; of what follows, only whether it is zero counts.
    static constexpr int Most = 780;
    char text[Most + 1];
    int count = 0;
    i64 exponent = 0;
    bool rest = false;

    void add(char digit, bool fraction) {
        if (count == Most) {
            rest |= digit != '0';
            exponent += !fraction;
            return;
        }
        if (count || digit != '0')
            text[count++] = digit;
        exponent -= fraction;
    }
};

/// The ExponentPart's value, as far as it matters.
i64 readExponent(const char* at, const char* end) {
    bool negative = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+'))
        at++;
    i64 value = 0;
    for (; at != end; at++) {
        if (*at != '_')
            value = std::min<i64>(value * 10 + (*at - '0'), i64(1) << 40);
    }
    return negative ? -value : value;
}

}

double readDecimal(const char* text, size_t length) {
    Digits digits;
    bool fraction = false;
    const char* end = text + length;
    for (const char* at = text; at != end; at++) {
        if ((*at | 0x20) == 'e') {
            digits.exponent += readExponent(at + 1, end);
            break;
        }
        if (*at == '.')
            fraction = true;
        else if (*at != '_')
            digits.add(*at, fraction);
    }
    if (digits.rest) {
        digits.text[digits.count++] = '1';
        digits.exponent--;
    }
    if (!digits.count)
        return 0;
    int exponent = int(std::clamp<i64>(digits.exponent, -1'000'000, 1'000'000));
    return double_conversion::Strtod({digits.text, digits.count}, exponent);
}

}
