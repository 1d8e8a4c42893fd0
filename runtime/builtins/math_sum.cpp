// Math.sumPrecise (the proposal of that name, stage 4): the sum of an iterable's numbers, rounded once. The invariant
// of the accumulator: its value is the sum of limbs[i] * 2^(32 i - 1074), exactly; each limb stays far from overflow.
#include "runtime/builtins/iteration.h"
#include <cmath>

namespace scr {

namespace {

class ExactSum {
public:
    /// A finite number.
    void add(double number) {
        int exponent;
        // 53 bits at a place counted from the least subnormal.
        i64 mantissa = i64(std::ldexp(std::frexp(number, &exponent), 53));
        int place = exponent - 53 + 1074;
        if (place < 0) { // A subnormal: its low bits are zero.
            mantissa >>= -place;
            place = 0;
        }
        bool negative = mantissa < 0;
        u64 bits = negative ? u64(-mantissa) : u64(mantissa);
        unsigned __int128 shifted = static_cast<unsigned __int128>(bits) << (place % 32);
        for (int limb = place / 32; shifted; limb++, shifted >>= 32)
            limbs_[limb] += negative ? -i64(u32(shifted)) : i64(u32(shifted));
        if (++pending_ == 1 << 30)
            carry();
    }

    /// The nearest double, ties to even; infinite beyond the range.
    double round() {
        carry();
        bool negative = limbs_[Limbs - 1] < 0;
        if (negative) {
            for (i64& limb : limbs_)
                limb = -limb;
            carry();
        }
        int top = Limbs - 1;
        while (top > 0 && !limbs_[top])
            top--;
        double result = roundFrom(top);
        return negative ? -result : result;
    }

private:
    static constexpr int Limbs = 68; ///< 1074 + 1024 bits, and room for 2^53 summands

    /// Every limb but the last into [0, 2^32).
    void carry() {
        for (int i = 0; i + 1 < Limbs; i++) {
            limbs_[i + 1] += limbs_[i] >> 32;
            limbs_[i] &= 0xFFFFFFFF;
        }
        pending_ = 0;
    }

    /// Known: carried, positive; `top` is the highest limb that is not 0, if there is one.
    double roundFrom(int top) const {
        if (top < 2)
            return std::ldexp(double(u64(limbs_[1]) << 32 | u64(limbs_[0])), -1074) + 0.0;
        // The upper three limbs hold at least 65 bits; the rest only says whether the sum is above them.
        unsigned __int128 head =
            static_cast<unsigned __int128>(u64(limbs_[top])) << 64 | u64(limbs_[top - 1]) << 32 | u64(limbs_[top - 2]);
        int drop = 0;
        while (head >> drop >> 64)
            drop++;
        u64 bits = u64(head >> drop);
        bool sticky = head != static_cast<unsigned __int128>(bits) << drop;
        for (int i = top - 3; i >= 0 && !sticky; i--)
            sticky = limbs_[i] != 0;
        // 64 bits to 53, by hand: the conversion would not know of what was dropped.
        u64 half = 1u << 10, rest = bits & (2 * half - 1);
        bits &= ~(2 * half - 1);
        bool up = rest > half || (rest == half && (sticky || (bits & (2 * half))));
        double value = double(bits) + (up ? double(2 * half) : 0);
        return std::ldexp(value, drop + 32 * (top - 2) - 1074);
    }

    i64 limbs_[Limbs] = {};
    u32 pending_ = 0;
};

}

// Math.sumPrecise ( items )
Result math_sumPrecise(Vm& vm, Args args) {
    if (args[0].isNullish())
        return throwError(vm, Error::NotIterable, args[0]);
    ExactSum sum;
    bool nan = false, positive = false, negative = false, onlyMinusZero = true;
    TRY(forEachOf(vm, args[0], [&](Value value) -> Completion<void> {
        if (!value.isNumber())
            return throwText(vm, Intrinsic::TypeErrorPrototype, describeForMessage(vm, value) + " is not a number");
        double number = value.asNumber();
        onlyMinusZero &= number == 0 && std::signbit(number);
        nan |= std::isnan(number);
        positive |= number == INFINITY;
        negative |= number == -INFINITY;
        if (std::isfinite(number) && number != 0)
            sum.add(number);
        return {};
    }));
    if (nan || (positive && negative))
        return Value::nan();
    if (positive || negative)
        return Value::number(positive ? INFINITY : -INFINITY);
    return Value::number(onlyMinusZero ? -0.0 : sum.round());
}

}
