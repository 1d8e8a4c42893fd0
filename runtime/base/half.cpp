// Conversion between doubles and halves.
#include "runtime/base/half.h"
#include <bit>

namespace scr {

/// `whole` shifted right, rounded to nearest, ties to even.
static u64 shiftRounding(u64 whole, unsigned shift) {
    u64 kept = whole >> shift, rest = whole & ((1ull << shift) - 1), tie = 1ull << (shift - 1);
    return kept + (rest > tie || (rest == tie && (kept & 1)));
}

u16 halfFromDouble(double number) {
    u64 bits = std::bit_cast<u64>(number), fraction = bits & ((1ull << 52) - 1);
    u16 sign = u16((bits >> 48) & 0x8000);
    int exponent = int((bits >> 52) & 0x7FF) - 1023;
    if (exponent == 1024)
        return u16(sign | (fraction ? 0x7E00 : 0x7C00));
    if (exponent >= 16)
        return u16(sign | 0x7C00);
    // A carry out of the fraction goes up into the exponent, up to infinity.
    if (exponent >= -14)
        return u16(sign | (u64(exponent + 14) * 1024 + shiftRounding((1ull << 52) | fraction, 42)));
    if (exponent < -25)
        return sign;
    return u16(sign | shiftRounding((1ull << 52) | fraction, unsigned(28 - exponent)));
}

double doubleFromHalf(u16 half) {
    u64 sign = u64(half & 0x8000) << 48, exponent = (half >> 10) & 31, fraction = half & 1023;
    if (exponent == 0) {
        double magnitude = double(fraction) / 16777216.0;
        return sign ? -magnitude : magnitude;
    }
    u64 wide = exponent == 31 ? 0x7FF : exponent - 15 + 1023;
    return std::bit_cast<double>(sign | (wide << 52) | (fraction << 42));
}

}
