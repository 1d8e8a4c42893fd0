// Statistics for measurements of time. Everything goes by order, not by distance, so that a few disturbed values move
// nothing: medians, and intervals that hold whatever the values are distributed like.
#pragma once
#include <cmath>
#include <vector>

namespace scr {

/// Where a figure lies with a chance of 95 %; NaN if there are too few values to say.
struct Interval {
    double low = NAN;
    double high = NAN;
    bool isKnown() const { return low == low; }
};

/// NaN of no values.
double median(std::vector<double> values);

/// Of the median: the k-th lowest and the k-th highest value, with the greatest k that keeps the chance of lying
/// outside (a tail of the binomial distribution on each side) at 5 %. Needs six values.
Interval intervalOfMedian(std::vector<double> values);

struct Ratio {
    double median = NAN;
    Interval interval;
};

/// values / baseline, pair by pair: what was measured at the same time stands at the same place of both.
Ratio pairedRatio(const std::vector<double>& values, const std::vector<double>& baseline);

/// values / baseline of two measurements that have nothing to do with each other: the median of the ratios of each
/// value to each of the others (Hodges and Lehmann), and its interval by the distribution of the rank sum (Mann and
/// Whitney). Needs four values on each side.
Ratio unpairedRatio(const std::vector<double>& values, const std::vector<double>& baseline);

enum class Verdict {
    Faster,
    Slower,
    Same, ///< not distinguishable: 1 lies in the interval
};
/// Without an interval nothing can be told apart.
Verdict verdictOn(const Ratio& ratio);
/// Beyond doubt more than `most`: the whole interval lies above it.
bool isBeyond(const Ratio& ratio, double most);

}
