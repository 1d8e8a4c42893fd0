// Number::exponentiate (ECMA-262 6.1.6.1.3). The standard leaves the last bit open; scripts compare results with V8's,
// so this is the algorithm of Sun's fdlibm (e_pow.c), which V8 uses, and not the C library's, which is often one ulp
// nearer:
//   log2(|x|) as a sum t1 + t2 with t1 of 21 bits, times y as a sum of two parts, then 2 to that power.
//
// The algorithm and its constants are from fdlibm:
//   Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved. Permission to use, copy, modify, and
//   distribute this software is freely granted, provided that this notice is preserved.
#include "runtime/core/operations.h"
#include <bit>
#include <cmath>

namespace scr {

static u32 high(double d) { return u32(std::bit_cast<u64>(d) >> 32); }
static double withHigh(double d, u32 word) {
    return std::bit_cast<double>((std::bit_cast<u64>(d) & 0xFFFFFFFFu) | u64(word) << 32);
}
/// Without the low half of the significand: products of two such numbers are nearly exact.
static double head(double d) { return std::bit_cast<double>(std::bit_cast<u64>(d) & ~0xFFFFFFFFull); }

namespace {
struct Pair {
    double head, tail;
};
}

/// log2(x) for x within 2^-20 of 1, where the series around 1 is enough.
static Pair logNearOne(double x) {
    constexpr double InverseLn2 = 1.44269504088896338700e+00, InverseLn2Head = 1.44269502162933349609e+00,
                     InverseLn2Tail = 1.92596299112661746887e-08;
    double t = x - 1;
    double w = (t * t) * (0.5 - t * (0.3333333333333333333333 - t * 0.25));
    double u = InverseLn2Head * t;
    double v = t * InverseLn2Tail - w * InverseLn2;
    double t1 = head(u + v);
    return {t1, v - (t1 - u)};
}

/// log2(ax) for any other positive ax.
static Pair logAnywhere(double ax) {
    constexpr double L1 = 5.99999999999994648725e-01, L2 = 4.28571428578550184252e-01, L3 = 3.33333329818377432918e-01,
                     L4 = 2.72728123808534006489e-01, L5 = 2.30660745775561754067e-01, L6 = 2.06975017800338417784e-01;
    constexpr double Cp = 9.61796693925975554329e-01, CpHead = 9.61796700954437255859e-01,
                     CpTail = -7.02846165095275826516e-09;
    constexpr double base[] = {1.0, 1.5}, logHead[] = {0.0, 5.84962487220764160156e-01},
                     logTail[] = {0.0, 1.35003920212974897128e-08};
    int n = 0;
    if (high(ax) < 0x00100000) { // subnormal
        ax *= 0x1p53;
        n -= 53;
    }
    n += int(high(ax) >> 20) - 0x3FF;
    u32 significand = high(ax) & 0x000FFFFF;
    u32 ix = significand | 0x3FF00000;
    int k;
    if (significand <= 0x3988E) { // |x| < sqrt(3/2)
        k = 0;
    } else if (significand < 0xBB67A) { // |x| < sqrt(3)
        k = 1;
    } else {
        k = 0;
        n++;
        ix -= 0x00100000;
    }
    ax = withHigh(ax, ix);

    // ss = s_h + s_l = (x - 1) / (x + 1) or (x - 1.5) / (x + 1.5)
    double u = ax - base[k], v = 1 / (ax + base[k]);
    double ss = u * v, sh = head(ss);
    double th = withHigh(0, ((ix >> 1) | 0x20000000) + 0x00080000 + (u32(k) << 18));
    double tl = ax - (th - base[k]);
    double sl = v * ((u - sh * th) - sh * tl);
    // log(ax)
    double s2 = ss * ss;
    double r = s2 * s2 * (L1 + s2 * (L2 + s2 * (L3 + s2 * (L4 + s2 * (L5 + s2 * L6)))));
    r += sl * (sh + ss);
    s2 = sh * sh;
    th = head(3 + s2 + r);
    tl = r - ((th - 3) - s2);
    // u + v = ss * (1 + ...)
    u = sh * th;
    v = sl * th + tl * ss;
    // 2 / (3 log 2) * (ss + ...)
    double ph = head(u + v), pl = v - (ph - u);
    double zh = CpHead * ph, zl = CpTail * ph + pl * Cp + logTail[k];
    double t = n;
    double t1 = head(((zh + zl) + logHead[k]) + t);
    return {t1, zl - (((t1 - t) - logHead[k]) - zh)};
}

/// 2 to the power of ph + pl, which lies within the range of doubles.
static double exponential(double ph, double pl) {
    constexpr double P1 = 1.66666666666666019037e-01, P2 = -2.77777777770155933842e-03, P3 = 6.61375632143793436117e-05,
                     P4 = -1.65339022054652515390e-06, P5 = 4.13813679705723846039e-08;
    constexpr double Ln2 = 6.93147180559945286227e-01, Ln2Head = 6.93147182464599609375e-01,
                     Ln2Tail = -1.90465429995776804525e-09;
    double z = ph + pl;
    i32 i = i32(high(z)) & 0x7FFFFFFF;
    int k = (i >> 20) - 0x3FF, n = 0;
    if (i > 0x3FE00000) { // |z| > 0.5: n = the integer nearest to z
        n = i32(high(z)) + (0x00100000 >> (k + 1));
        k = ((n & 0x7FFFFFFF) >> 20) - 0x3FF;
        double t = withHigh(0, u32(n & ~(0x000FFFFF >> k)));
        n = ((n & 0x000FFFFF) | 0x00100000) >> (20 - k);
        if (i32(high(z)) < 0)
            n = -n;
        ph -= t;
    }
    double t = head(pl + ph);
    double u = t * Ln2Head, v = (pl - (t - ph)) * Ln2 + t * Ln2Tail;
    z = u + v;
    double w = v - (z - u);
    t = z * z;
    double t1 = z - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))));
    // fdlibm subtracts the bracket after dividing; V8 divides by all of it, and its last digits come out so.
    double r = (z * t1) / ((t1 - 2) - (w + z * w));
    z = 1 - (r - z);
    i32 j = i32(high(z)) + i32(u32(n) << 20);
    return (j >> 20) <= 0 ? std::scalbn(z, n) : withHigh(z, u32(j));
}

namespace {
enum class Parity { NotInteger, Odd, Even };
}

static Parity parityOf(double y) {
    double whole = std::trunc(y);
    if (whole != y)
        return Parity::NotInteger;
    return std::fabs(y) < 0x1p53 && std::fmod(y, 2) != 0 ? Parity::Odd : Parity::Even;
}

/// Known: x and y are finite, x is not 0 and |x| is not 1; y is no simple case. `sign` is that of the result.
static double powerOfFinite(double ax, double y, double sign) {
    constexpr double Huge = 1e300, Tiny = 1e-300,
                     OverflowTail = 8.0085662595372944372e-17; // -(1024 - log2(overflow + 0.5 ulp))
    u32 ix = high(ax), iy = high(y) & 0x7FFFFFFF;
    bool negative = y < 0;
    Pair log;
    if (iy > 0x41E00000) { // |y| > 2^31
        if (ix < 0x3FEFFFFF || (iy > 0x43F00000 && ix <= 0x3FEFFFFF))
            return negative ? sign * Huge * Huge : sign * Tiny * Tiny;
        if (ix > 0x3FF00000 || (iy > 0x43F00000 && ix >= 0x3FF00000))
            return negative ? sign * Tiny * Tiny : sign * Huge * Huge;
        log = logNearOne(ax);
    } else {
        log = logAnywhere(ax);
    }
    double y1 = head(y);
    double pl = (y - y1) * log.head + y * log.tail, ph = y1 * log.head;
    double z = pl + ph;
    i32 j = i32(high(z));
    u32 low = u32(std::bit_cast<u64>(z));
    if (j >= 0x40900000) { // z >= 1024
        if (u32(j - 0x40900000) | low || pl + OverflowTail > z - ph)
            return sign * Huge * Huge;
    } else if ((j & 0x7FFFFFFF) >= 0x4090CC00) { // z <= -1075
        if ((u32(j) - 0xC090CC00) | low || pl <= z - ph)
            return sign * Tiny * Tiny;
    }
    return sign * exponential(ph, pl);
}

double numberPower(double x, double y) {
    if (y == 0)
        return 1;
    double ax = std::fabs(x);
    if (x != x || y != y || (std::isinf(y) && ax == 1))
        return std::numeric_limits<double>::quiet_NaN();
    if (std::isinf(y))
        return (ax > 1) == (y > 0) ? INFINITY : 0;
    if (y == 1)
        return x;
    if (y == 2)
        return x * x;
    if (y == 0.5 && x >= 0)
        return std::sqrt(x + 0.0);
    if (y == -1)
        return 1 / x;
    Parity parity = x < 0 || x == 0 || std::isinf(x) ? parityOf(y) : Parity::Even;
    bool negated = std::signbit(x) && parity == Parity::Odd;
    if (x == 0 || std::isinf(x) || ax == 1) {
        if (x < 0 && ax == 1 && parity == Parity::NotInteger)
            return std::numeric_limits<double>::quiet_NaN();
        double magnitude = y < 0 ? 1 / ax : ax;
        return negated ? -magnitude : magnitude;
    }
    if (x < 0 && parity == Parity::NotInteger)
        return std::numeric_limits<double>::quiet_NaN();
    return powerOfFinite(ax, y, negated ? -1 : 1);
}

}
