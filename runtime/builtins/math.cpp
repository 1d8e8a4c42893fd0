// Math (ECMA-262 21.3). Results that the specification leaves to the implementation are fdlibm's (base/elementary.h).
#include "runtime/base/elementary.h"
#include "runtime/base/half.h"
#include "runtime/builtins/native.h"
#include <cmath>
#include <sys/random.h>

namespace scr {

#define UNARY(name, expression)                                                                                        \
    Result math_##name(Vm& vm, Args args) {                                                                            \
        double x = TRY(toNumber(vm, args[0]));                                                                         \
        return Value::number(expression);                                                                              \
    }
UNARY(acos, elementary::acos(x))
UNARY(acosh, elementary::acosh(x))
UNARY(asin, elementary::asin(x))
UNARY(asinh, elementary::asinh(x))
UNARY(atan, elementary::atan(x))
UNARY(atanh, elementary::atanh(x))
UNARY(cbrt, elementary::cbrt(x))
UNARY(expm1, elementary::expm1(x))
UNARY(cos, elementary::cos(x))
UNARY(cosh, elementary::cosh(x))
UNARY(exp, elementary::exp(x))
UNARY(fround, double(float(x)))
UNARY(f16round, doubleFromHalf(halfFromDouble(x)))
UNARY(log, elementary::log(x))
UNARY(log1p, elementary::log1p(x))
UNARY(log2, std::log2(x))
UNARY(log10, elementary::log10(x))
UNARY(sign, x > 0 ? 1.0 : x < 0 ? -1.0 : x)
UNARY(sin, elementary::sin(x))
UNARY(sinh, elementary::sinh(x))
UNARY(tan, elementary::tan(x))
UNARY(tanh, elementary::tanh(x))
#undef UNARY

/// An int32 stays what it is under these.
#define ROUNDING(name, expression)                                                                                     \
    Result math_##name(Vm& vm, Args args) {                                                                            \
        if (args[0].isInt())                                                                                           \
            return args[0];                                                                                            \
        double x = TRY(toNumber(vm, args[0]));                                                                         \
        return Value::number(expression);                                                                              \
    }
ROUNDING(ceil, std::ceil(x))
ROUNDING(floor, std::floor(x))
ROUNDING(trunc, std::trunc(x))
// Halves go up: floor(x + 0.5) would round 0.49999999999999994 and large odd integers wrongly.
static double roundHalfUp(double x) {
    double floor = std::floor(x);
    double result = x - floor >= 0.5 ? floor + 1 : floor;
    return std::copysign(result, result == 0 ? x : result);
}
ROUNDING(round, roundHalfUp(x))
#undef ROUNDING

Result math_abs(Vm& vm, Args args) {
    Value value = args[0];
    if (value.isInt() && value.asInt() != INT32_MIN)
        return Value::int32(value.asInt() < 0 ? -value.asInt() : value.asInt());
    return Value::number(std::fabs(TRY(toNumber(vm, value))));
}
Result math_sqrt(Vm& vm, Args args) { return Value::number(std::sqrt(TRY(toNumber(vm, args[0])))); }

Result math_atan2(Vm& vm, Args args) {
    double y = TRY(toNumber(vm, args[0]));
    double x = TRY(toNumber(vm, args[1]));
    return Value::number(elementary::atan2(y, x));
}
Result math_pow(Vm& vm, Args args) {
    double base = TRY(toNumber(vm, args[0]));
    double exponent = TRY(toNumber(vm, args[1]));
    return Value::number(numberPower(base, exponent));
}
Result math_clz32(Vm& vm, Args args) {
    u32 x = TRY(toUint32(vm, args[0]));
    return Value::int32(x ? __builtin_clz(x) : 32);
}
Result math_imul(Vm& vm, Args args) {
    u32 a = TRY(toUint32(vm, args[0]));
    u32 b = TRY(toUint32(vm, args[1]));
    return Value::int32(i32(a * b));
}

/// Math.max and min: every argument is converted, NaN wins, and -0 is below +0.
template <bool Max> static Result extreme(Vm& vm, Args args) {
    double best = Max ? -INFINITY : INFINITY;
    for (u32 i = 0; i < args.count; i++) {
        double x = TRY(toNumber(vm, args[i]));
        if (std::isnan(best))
            continue;
        if (std::isnan(x) || (Max ? x > best : x < best) || (x == 0 && best == 0 && std::signbit(x) != Max))
            best = x;
    }
    return Value::number(best);
}
Result math_max(Vm& vm, Args args) {
    if (args.count == 2 && Value::bothInt(args[0], args[1]))
        return args[0].asInt() > args[1].asInt() ? args[0] : args[1];
    return extreme<true>(vm, args);
}
Result math_min(Vm& vm, Args args) {
    if (args.count == 2 && Value::bothInt(args[0], args[1]))
        return args[0].asInt() < args[1].asInt() ? args[0] : args[1];
    return extreme<false>(vm, args);
}

// 21.3.2.18: scaled by the largest, with compensated summation as V8 does.
Result math_hypot(Vm& vm, Args args) {
    double largest = 0;
    bool nan = false, infinite = false;
    std::vector<double> values;
    for (u32 i = 0; i < args.count; i++) {
        double x = std::fabs(TRY(toNumber(vm, args[i])));
        nan |= std::isnan(x);
        infinite |= std::isinf(x);
        largest = x > largest ? x : largest;
        values.push_back(x);
    }
    if (infinite)
        return Value::number(INFINITY);
    if (nan)
        return Value::nan();
    if (largest == 0)
        return Value::int32(0);
    double sum = 0, compensation = 0;
    for (double x : values) {
        double n = x / largest;
        double summand = n * n - compensation;
        double preliminary = sum + summand;
        compensation = (preliminary - sum) - summand;
        sum = preliminary;
    }
    return Value::number(std::sqrt(sum) * largest);
}

// xorshift128+, seeded once for each Vm from the machine's randomness.
Result math_random(Vm& vm, Args) {
    u64* state = vm.randomState;
    if (!(state[0] | state[1]) && getrandom(state, 2 * sizeof(u64), 0) != 2 * sizeof(u64))
        state[0] = vm.hashSeed | 1;
    u64 a = state[0], b = state[1];
    state[0] = b;
    a ^= a << 23;
    state[1] = a ^ b ^ (a >> 17) ^ (b >> 26);
    return Value::rawDouble(double((state[1] + b) >> 11) * 0x1p-53);
}

}
