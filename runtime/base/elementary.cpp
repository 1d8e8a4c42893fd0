// The approximations of fdlibm: argument reductions, minimax polynomials and the order of their operations, which is
// what decides the last digit. Thresholds are on the upper word of a double, as there.
#include "runtime/base/elementary.h"
#include "runtime/base/platform.h"
#include <bit>
#include <cmath>

#ifdef __clang__
#pragma clang fp contract(off)
#else
#pragma GCC optimize("fp-contract=off")
#endif

namespace scr::elementary {

static i32 highWord(double x) { return i32(std::bit_cast<u64>(x) >> 32); }
static i32 magnitudeWord(double x) { return highWord(x) & 0x7FFFFFFF; }
static double withHighWord(double x, i32 high) {
    return std::bit_cast<double>((std::bit_cast<u64>(x) & 0xFFFFFFFF) | u64(u32(high)) << 32);
}
static double withoutLowWord(double x) { return std::bit_cast<double>(std::bit_cast<u64>(x) & 0xFFFFFFFF00000000); }

/// c[0] + z (c[1] + z (c[2] + ...))
template <size_t N> static double polynomial(double z, const double (&c)[N]) {
    double sum = c[N - 1];
    for (size_t i = N - 1; i-- > 0;)
        sum = c[i] + z * sum;
    return sum;
}

constexpr double Ln2High = 6.93147180369123816490e-01, Ln2Low = 1.90821492927058770002e-10;
constexpr double Ln2 = 6.93147180559945286227e-01, InverseLn2 = 1.44269504088896338700e+00;
constexpr double HalfPiHigh = 1.57079632679489655800e+00, HalfPiLow = 6.12323399573676603587e-17;
constexpr double QuarterPiHigh = 7.85398163397448278999e-01;
constexpr double Pi = 3.14159265358979311600e+00, PiLow = 1.2246467991473531772e-16;

// ---- exponentials

double exp(double x) {
    static constexpr double p[] = {1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
        -1.65339022054652515390e-06, 4.13813679705723846039e-08};
    if (!(std::fabs(x) < 7.09782712893383973096e+02))
        return std::exp(x); // near the ends of the range, infinities, NaN
    if (x == 1)
        return 2.718281828459045;
    i32 magnitude = magnitudeWord(x), k = 0;
    double high = 0, low = 0;
    if (magnitude > 0x3FD62E42) { // above half of ln 2
        k = magnitude < 0x3FF0A2B2 ? (x < 0 ? -1 : 1) : i32(InverseLn2 * x + (x < 0 ? -0.5 : 0.5));
        high = x - k * Ln2High;
        low = k * Ln2Low;
        x = high - low;
    } else if (magnitude < 0x3E300000) {
        return 1 + x;
    }
    double t = x * x, c = x - t * polynomial(t, p);
    if (k == 0)
        return 1 - ((x * c) / (c - 2.0) - x);
    return std::ldexp(1 - ((low - (x * c) / (2.0 - c)) - high), k);
}

/// Known: finite, above -39 and below the overflow.
static double expm1Reduced(double x) {
    static constexpr double q[] = {-3.33333333333331316428e-02, 1.58730158725481460165e-03, -7.93650757867487942473e-05,
        4.00821782732936239552e-06, -2.01099218183624371326e-07};
    i32 magnitude = magnitudeWord(x), k = 0;
    double c = 0;
    if (magnitude > 0x3FD62E42) {
        k = magnitude < 0x3FF0A2B2 ? (x < 0 ? -1 : 1) : i32(InverseLn2 * x + (x < 0 ? -0.5 : 0.5));
        double high = x - k * Ln2High, low = k * Ln2Low;
        x = high - low;
        c = (high - x) - low;
    } else if (magnitude < 0x3C900000) {
        return x;
    }
    double half = 0.5 * x, square = x * half;
    double r = 1 + square * polynomial(square, q);
    double t = 3.0 - r * half, e = square * ((r - t) / (6.0 - x * t));
    if (k == 0)
        return x - (x * e - square);
    e = x * (e - c) - c;
    e -= square;
    if (k == -1)
        return 0.5 * (x - e) - 0.5;
    if (k == 1)
        return x < -0.25 ? -2.0 * (e - (x + 0.5)) : 1 + 2.0 * (x - e);
    if (k <= -2 || k > 56) {
        double y = 1 - (e - x);
        return (k == 1024 ? y * 2.0 * 0x1p1023 : std::ldexp(y, k)) - 1;
    }
    if (k < 20)
        return std::ldexp((1 - std::ldexp(1, -k)) - (e - x), k);
    return std::ldexp((x - (e + std::ldexp(1, -k))) + 1, k);
}

double expm1(double x) {
    if (!(x > -38.8162421113569373 && x < 7.09782712893383973096e+02))
        return std::expm1(x);
    return expm1Reduced(x);
}

double sinh(double x) {
    double half = x < 0 ? -0.5 : 0.5, size = std::fabs(x);
    if (!(size < 709.7822265633562))
        return std::sinh(x);
    if (size >= 22)
        return half * exp(size);
    if (size < 0x1p-28)
        return x;
    double t = expm1(size);
    return size < 1 ? half * (2 * t - t * t / (t + 1)) : half * (t + t / (t + 1));
}

double cosh(double x) {
    i32 magnitude = magnitudeWord(x);
    double size = std::fabs(x);
    if (magnitude < 0x3FD62E43) {
        double t = expm1(size), w = 1 + t;
        return magnitude < 0x3C800000 ? w : 1 + (t * t) / (w + w);
    }
    if (magnitude < 0x40360000) {
        double t = exp(size);
        return 0.5 * t + 0.5 / t;
    }
    return magnitude < 0x40862E42 ? 0.5 * exp(size) : std::cosh(x);
}

double tanh(double x) {
    i32 magnitude = magnitudeWord(x);
    if (!std::isfinite(x))
        return std::tanh(x);
    if (magnitude < 0x3E300000)
        return x;
    double z = 1;
    if (magnitude >= 0x3FF00000 && magnitude < 0x40360000)
        z = 1 - 2 / (expm1(2 * std::fabs(x)) + 2);
    else if (magnitude < 0x40360000) {
        double t = expm1(-2 * std::fabs(x));
        z = -t / (t + 2);
    }
    return x < 0 ? -z : z;
}

// ---- logarithms

static constexpr double logOdd[] = {
    6.666666666666735130e-01, 2.857142874366239149e-01, 1.818357216161805012e-01, 1.479819860511658591e-01};
static constexpr double logEven[] = {3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01};

double log(double x) {
    if (!(x >= 0x1p-1022 && x < INFINITY))
        return x > 0 && x < 1 ? log(x * 0x1p54) - 54 * Ln2 : std::log(x);
    i32 high = highWord(x), k = (high >> 20) - 1023;
    high &= 0xFFFFF;
    i32 i = (high + 0x95F64) & 0x100000;
    double f = withHighWord(x, high | (i ^ 0x3FF00000)) - 1.0;
    k += i >> 20;
    double dk = k;
    if ((0xFFFFF & (2 + high)) < 3) { // near a power of two
        if (f == 0)
            return k == 0 ? 0 : dk * Ln2High + dk * Ln2Low;
        double r = f * f * (0.5 - 0.33333333333333333 * f);
        return k == 0 ? f - r : dk * Ln2High - ((r - dk * Ln2Low) - f);
    }
    double s = f / (2.0 + f), z = s * s, w = z * z;
    double r = z * polynomial(w, logOdd) + w * polynomial(w, logEven);
    if (((high - 0x6147A) | (0x6B851 - high)) > 0) {
        double half = 0.5 * f * f;
        return k == 0 ? f - (half - s * (half + r)) : dk * Ln2High - ((half - (s * (half + r) + dk * Ln2Low)) - f);
    }
    return k == 0 ? f - s * (f - r) : dk * Ln2High - ((s * (f - r) - dk * Ln2Low) - f);
}

double log10(double x) {
    constexpr double inverseLn10 = 4.34294481903251816668e-01, log2High = 3.01029995663611771306e-01,
                     log2Low = 3.69423907715893078616e-13;
    if (!(x >= 0x1p-1022 && x < INFINITY))
        return std::log10(x);
    i32 high = highWord(x), k = (high >> 20) - 1023, below = k < 0;
    double y = k + below;
    double z = y * log2Low + inverseLn10 * log(withHighWord(x, (high & 0xFFFFF) | ((0x3FF - below) << 20)));
    return z + y * log2High;
}

double log1p(double x) {
    static constexpr double p[] = {6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
        2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01};
    i32 high = highWord(x), magnitude = high & 0x7FFFFFFF, k = 1, upper = 1;
    if (!(x > -1 && x < INFINITY) || magnitude < 0x3E200000)
        return std::log1p(x);
    double f = 0, c = 0;
    if (high < 0x3FDA827A && (high > 0 || high <= i32(0xBFD2BEC4))) {
        k = 0;
        f = x;
    }
    if (k != 0) {
        double u = high < 0x43400000 ? 1.0 + x : x;
        upper = highWord(u);
        k = (upper >> 20) - 1023;
        c = high < 0x43400000 ? (k > 0 ? 1.0 - (u - x) : x - (u - 1.0)) / u : 0;
        upper &= 0xFFFFF;
        if (upper < 0x6A09E) {
            u = withHighWord(u, upper | 0x3FF00000);
        } else {
            k++;
            u = withHighWord(u, upper | 0x3FE00000);
            upper = (0x100000 - upper) >> 2;
        }
        f = u - 1.0;
    }
    double half = 0.5 * f * f, dk = k;
    if (upper == 0) {
        if (f == 0)
            return k == 0 ? 0.0 : dk * Ln2High + (c + dk * Ln2Low);
        double r = half * (1.0 - 0.66666666666666666 * f);
        return k == 0 ? f - r : dk * Ln2High - ((r - (dk * Ln2Low + c)) - f);
    }
    double s = f / (2.0 + f), z = s * s, r = z * polynomial(z, p);
    if (k == 0)
        return f - (half - s * (half + r));
    return dk * Ln2High - ((half - (s * (half + r) + (dk * Ln2Low + c))) - f);
}

double asinh(double x) {
    double size = std::fabs(x), w;
    if (!std::isfinite(x) || size < 0x1p-28)
        return std::asinh(x);
    if (size > 0x1p28)
        w = log(size) + Ln2;
    else if (size > 2)
        w = log(2.0 * size + 1 / (std::sqrt(x * x + 1) + size));
    else
        w = log1p(size + x * x / (1 + std::sqrt(1 + x * x)));
    return x > 0 ? w : -w;
}

double acosh(double x) {
    if (!(x > 1 && x < INFINITY))
        return std::acosh(x);
    if (x >= 0x1p28)
        return log(x) + Ln2;
    if (x > 2)
        return log(2.0 * x - 1 / (x + std::sqrt(x * x - 1)));
    double t = x - 1;
    return log1p(t + std::sqrt(2.0 * t + t * t));
}

double atanh(double x) {
    double size = std::fabs(x);
    if (!(size < 1) || size < 0x1p-28)
        return std::atanh(x);
    double t = size + size;
    t = 0.5 * log1p(size < 0.5 ? t + t * size / (1 - size) : t / (1 - size));
    return x >= 0 ? t : -t;
}

// ---- inverse circular functions

double atan(double x) {
    static constexpr double high[] = {
        4.63647609000806093515e-01, 7.85398163397448278999e-01, 9.82793723247329054082e-01, 1.57079632679489655800e+00};
    static constexpr double low[] = {
        2.26987774529616870924e-17, 3.06161699786838301793e-17, 1.39033110312309984516e-17, 6.12323399573676603587e-17};
    static constexpr double even[] = {3.33333333333329318027e-01, 1.42857142725034663711e-01,
        9.09088713343650656196e-02, 6.66107313738753120669e-02, 4.97687799461593236017e-02, 1.62858201153657823623e-02};
    static constexpr double odd[] = {-1.99999999998764832476e-01, -1.11111104054623557880e-01,
        -7.69187620504482999495e-02, -5.83357013379057348645e-02, -3.65315727442169155270e-02};
    i32 magnitude = magnitudeWord(x), part = -1;
    if (std::isnan(x) || magnitude < 0x3E400000)
        return x;
    if (magnitude >= 0x44100000)
        return x > 0 ? high[3] + low[3] : -high[3] - low[3];
    bool negative = x < 0;
    if (magnitude >= 0x3FDC0000) {
        x = std::fabs(x);
        part = magnitude < 0x3FE60000 ? 0 : magnitude < 0x3FF30000 ? 1 : magnitude < 0x40038000 ? 2 : 3;
        x = part == 0   ? (2.0 * x - 1) / (2.0 + x)
            : part == 1 ? (x - 1) / (x + 1)
            : part == 2 ? (x - 1.5) / (1 + 1.5 * x)
                        : -1.0 / x;
    }
    double z = x * x, w = z * z;
    double sum = z * polynomial(w, even) + w * polynomial(w, odd);
    if (part < 0)
        return x - x * sum;
    z = high[part] - ((x * sum - low[part]) - x);
    return negative ? -z : z;
}

double atan2(double y, double x) {
    if (!std::isfinite(x) || !std::isfinite(y) || x == 0 || y == 0)
        return std::atan2(y, x);
    if (x == 1)
        return atan(y);
    i32 k = (magnitudeWord(y) - magnitudeWord(x)) >> 20;
    double z = k > 60 ? HalfPiHigh + 0.5 * PiLow : x < 0 && k < -60 ? 0.0 : atan(std::fabs(y / x));
    if (x > 0 || k > 60)
        return y < 0 ? -z : z;
    return y < 0 ? (z - PiLow) - Pi : Pi - (z - PiLow);
}

/// The quotient of polynomials behind asin and acos.
static double arcRatio(double t) {
    static constexpr double p[] = {1.66666666666666657415e-01, -3.25565818622400915405e-01, 2.01212532134862925881e-01,
        -4.00555345006794114027e-02, 7.91534994289814532176e-04, 3.47933107596021167570e-05};
    static constexpr double q[] = {1, -2.40339491173441421878e+00, 2.02094576023350569471e+00,
        -6.88283971605453293030e-01, 7.70381505559019352791e-02};
    return t * polynomial(t, p) / polynomial(t, q);
}

double asin(double x) {
    double size = std::fabs(x);
    if (!(size < 1))
        return size == 1 ? x * HalfPiHigh + x * HalfPiLow : std::asin(x);
    if (size < 0.5)
        return magnitudeWord(x) < 0x3E400000 ? x : x + x * arcRatio(x * x);
    double t = (1 - size) * 0.5, ratio = arcRatio(t), s = std::sqrt(t);
    if (magnitudeWord(x) >= 0x3FEF3333) {
        t = HalfPiHigh - (2.0 * (s + s * ratio) - HalfPiLow);
    } else {
        double w = withoutLowWord(s), c = (t - w * w) / (s + w);
        double p = 2.0 * s * ratio - (HalfPiLow - 2.0 * c), q = QuarterPiHigh - 2.0 * w;
        t = QuarterPiHigh - (p - q);
    }
    return x > 0 ? t : -t;
}

double acos(double x) {
    double size = std::fabs(x);
    if (!(size < 1))
        return x == 1 ? 0.0 : x == -1 ? Pi + 2.0 * HalfPiLow : std::acos(x);
    if (size < 0.5)
        return magnitudeWord(x) <= 0x3C600000 ? HalfPiHigh + HalfPiLow
                                              : HalfPiHigh - (x - (HalfPiLow - x * arcRatio(x * x)));
    double z = (1 - size) * 0.5, s = std::sqrt(z), ratio = arcRatio(z);
    if (x < 0)
        return Pi - 2.0 * (s + (ratio * s - HalfPiLow));
    double high = withoutLowWord(s), c = (z - high * high) / (s + high);
    return 2.0 * (high + (ratio * s + c));
}

// ---- circular functions

/// x = n pi/2 + high + low; n modulo 4 counts. Known: |x| < 2^19 pi/2.
static i32 reduce(double x, double& high, double& low) {
    constexpr double inverse = 6.36619772367581382433e-01, first = 1.57079632673412561417e+00,
                     firstRest = 6.07710050650619224932e-11, second = 6.07710050630396597660e-11,
                     secondRest = 2.02226624879595063154e-21, third = 2.02226624871116645580e-21,
                     thirdRest = 8.47842766036889956997e-32;
    i32 n = i32(std::fabs(x) * inverse + 0.5);
    double t = std::fabs(x), r = t - n * first, w = n * firstRest;
    i32 exponent = magnitudeWord(x) >> 20;
    auto lost = [&](double y) { return exponent - ((highWord(y) >> 20) & 0x7FF); };
    high = r - w;
    if (lost(high) > 16) {
        t = r;
        w = n * second;
        r = t - w;
        w = n * secondRest - ((t - r) - w);
        high = r - w;
        if (lost(high) > 49) {
            t = r;
            w = n * third;
            r = t - w;
            w = n * thirdRest - ((t - r) - w);
            high = r - w;
        }
    }
    low = (r - high) - w;
    if (x >= 0)
        return n;
    high = -high;
    low = -low;
    return -n;
}

static double sinKernel(double x, double rest, bool reduced) {
    static constexpr double s[] = {8.33333333332248946124e-03, -1.98412698298579493134e-04, 2.75573137070700676789e-06,
        -2.50507602534068634195e-08, 1.58969099521155010221e-10};
    constexpr double first = -1.66666666666666324348e-01;
    if (magnitudeWord(x) < 0x3E400000)
        return x;
    double z = x * x, v = z * x, r = polynomial(z, s);
    return reduced ? x - ((z * (0.5 * rest - v * r) - rest) - v * first) : x + v * (first + z * r);
}

static double cosKernel(double x, double rest) {
    static constexpr double c[] = {4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
        -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11};
    i32 magnitude = magnitudeWord(x);
    if (magnitude < 0x3E400000)
        return 1;
    double z = x * x, r = z * polynomial(z, c);
    if (magnitude < 0x3FD33333)
        return 1 - (0.5 * z - (z * r - x * rest));
    double q = magnitude > 0x3FE90000 ? 0.28125 : withHighWord(0.0, magnitude - 0x00200000);
    double half = 0.5 * z - q;
    return (1 - q) - (half - (z * r - x * rest));
}

/// tan, or -1/tan if `inverted`.
static double tanKernel(double x, double rest, bool inverted) {
    static constexpr double even[] = {1.33333333333201242699e-01, 2.18694882948595424599e-02,
        3.59207910759131235356e-03, 5.88041240820264096874e-04, 7.81794442939557092300e-05,
        -1.85586374855275456654e-05};
    static constexpr double odd[] = {5.39682539762260521377e-02, 8.86323982359930005737e-03, 1.45620945432529025516e-03,
        2.46463134818469906812e-04, 7.14072491382608190305e-05, 2.59073051863633712884e-05};
    i32 magnitude = magnitudeWord(x);
    bool negative = highWord(x) < 0, large = magnitude >= 0x3FE59428;
    if (magnitude < 0x3E300000 && !inverted)
        return x;
    if (large) {
        if (negative) {
            x = -x;
            rest = -rest;
        }
        x = (QuarterPiHigh - x) + (3.06161699786838301793e-17 - rest);
        rest = 0;
    }
    double z = x * x, w = z * z;
    double r = polynomial(w, even), v = z * polynomial(w, odd), s = z * x;
    r = rest + z * (s * (r + v) + rest);
    r += 3.33333333333334091986e-01 * s;
    w = x + r;
    if (large) {
        v = inverted ? -1 : 1;
        return (negative ? -1 : 1) * (v - 2.0 * (x - (w * w / (w + v) - r)));
    }
    if (!inverted)
        return w;
    z = withoutLowWord(w);
    v = r - (z - x);
    double a = -1.0 / w, t = withoutLowWord(a);
    return t + a * (1.0 + t * z + t * v);
}

constexpr i32 QuarterPiWord = 0x3FE921FB;
/// Where the reduction above is exact enough.
static bool isReducible(double x) { return magnitudeWord(x) <= 0x413921FB; }

double sin(double x) {
    if (magnitudeWord(x) <= QuarterPiWord)
        return sinKernel(x, 0, false);
    if (!isReducible(x))
        return std::sin(x);
    double high, low;
    switch (reduce(x, high, low) & 3) {
    case 0: return sinKernel(high, low, true);
    case 1: return cosKernel(high, low);
    case 2: return -sinKernel(high, low, true);
    default: return -cosKernel(high, low);
    }
}

double cos(double x) {
    if (magnitudeWord(x) <= QuarterPiWord)
        return cosKernel(x, 0);
    if (!isReducible(x))
        return std::cos(x);
    double high, low;
    switch (reduce(x, high, low) & 3) {
    case 0: return cosKernel(high, low);
    case 1: return -sinKernel(high, low, true);
    case 2: return -cosKernel(high, low);
    default: return sinKernel(high, low, true);
    }
}

double tan(double x) {
    if (magnitudeWord(x) <= QuarterPiWord)
        return tanKernel(x, 0, false);
    if (!isReducible(x))
        return std::tan(x);
    double high, low;
    bool odd = reduce(x, high, low) & 1;
    return tanKernel(high, low, odd);
}

// ---- roots

double cbrt(double x) {
    if (!std::isfinite(x) || x == 0)
        return x;
    u32 magnitude = u32(magnitudeWord(x));
    double t;
    if (magnitude < 0x00100000) {
        u32 scaled = u32(magnitudeWord(x * 0x1p54));
        t = withHighWord(0.0, i32(scaled / 3 + 696219795));
    } else {
        t = withHighWord(0.0, i32(magnitude / 3 + 715094163));
    }
    t = std::copysign(t, x);
    double r = (t * t) * (t / x);
    t = t
        * ((1.87595182427177009643 + r * (-1.88497979543377169875 + r * 1.621429720105354466140))
            + ((r * r) * r) * (-0.758397934778766047437 + r * 0.145996192886612446982));
    t = std::bit_cast<double>((std::bit_cast<u64>(t) + 0x80000000) & 0xFFFFFFFFC0000000);
    double s = t * t, w = t + t;
    r = x / s;
    r = (r - t) / (w + r);
    return t + t * r;
}

}
