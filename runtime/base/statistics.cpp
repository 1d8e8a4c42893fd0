// Order statistics, exact also for few values.
#include "runtime/base/statistics.h"
#include <algorithm>

namespace scr {

/// A chance of 5 %, half on each side.
constexpr double Tail = 0.025;

double median(std::vector<double> values) {
    if (values.empty())
        return NAN;
    std::sort(values.begin(), values.end());
    size_t n = values.size();
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/// The k-th lowest and highest, from 1 on; none if k is 0.
static Interval between(const std::vector<double>& sorted, size_t k) {
    if (k == 0 || k > sorted.size())
        return {};
    return {sorted[k - 1], sorted[sorted.size() - k]};
}

Interval intervalOfMedian(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    size_t n = values.size(), k = 0;
    double term = std::pow(0.5, double(n)), tail = term;
    while (n > 0 && tail <= Tail) {
        k++;
        term *= double(n - k + 1) / double(k);
        tail += term;
    }
    return between(values, k);
}

Ratio pairedRatio(const std::vector<double>& values, const std::vector<double>& baseline) {
    std::vector<double> ratios;
    for (size_t i = 0; i < std::min(values.size(), baseline.size()); i++)
        ratios.push_back(values[i] / baseline[i]);
    return {median(ratios), intervalOfMedian(ratios)};
}

/// How many of the lowest ratios may be left out on each side: the greatest k with P(U < k) <= 2.5 %, where U counts
/// the pairs of n and m values, all alike, in which the first is the lower. counts[u] is how many of the orders of i
/// and j values have u such pairs; it is grown one value at a time.
static size_t rankSumBound(size_t n, size_t m) {
    // ways(i, j, u) = ways(i - 1, j, u - j) + ways(i, j - 1, u)
    std::vector<std::vector<double>> row(m + 1, std::vector<double>(n * m + 1, 0));
    for (size_t j = 0; j <= m; j++)
        row[j][0] = 1;
    for (size_t i = 1; i <= n; i++) {
        std::vector<std::vector<double>> next(m + 1, std::vector<double>(n * m + 1, 0));
        next[0][0] = 1;
        for (size_t j = 1; j <= m; j++)
            for (size_t u = 0; u <= i * j; u++)
                next[j][u] = next[j - 1][u] + (u >= j ? row[j][u - j] : 0);
        row = std::move(next);
    }
    double all = 0, below = 0;
    for (double ways : row[m])
        all += ways;
    size_t k = 0;
    while (k < row[m].size() && below + row[m][k] <= Tail * all)
        below += row[m][k++];
    return k;
}

Ratio unpairedRatio(const std::vector<double>& values, const std::vector<double>& baseline) {
    // More values than this tell nothing more, and the distribution takes long.
    constexpr size_t Most = 40;
    size_t n = std::min(values.size(), Most), m = std::min(baseline.size(), Most);
    std::vector<double> ratios;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            ratios.push_back(values[i] / baseline[j]);
    std::sort(ratios.begin(), ratios.end());
    return {median(ratios), between(ratios, rankSumBound(n, m))};
}

Verdict verdictOn(const Ratio& ratio) {
    return ratio.interval.high < 1 ? Verdict::Faster : ratio.interval.low > 1 ? Verdict::Slower : Verdict::Same;
}

bool isBeyond(const Ratio& ratio, double most) { return ratio.interval.low > most; }

}
