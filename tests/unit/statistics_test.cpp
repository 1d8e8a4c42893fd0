// Medians, intervals and verdicts, of values made up.
#include "runtime/base/statistics.h"
#include <doctest/doctest.h>
#include <random>

using namespace scr;

TEST_CASE("the median stands in the middle, of two in the middle between them") {
    CHECK(median({5}) == 5);
    CHECK(median({9, 1, 5}) == 5);
    CHECK(median({1, 2, 3, 100}) == 2.5);
    CHECK(std::isnan(median({})));
}

TEST_CASE("the interval of a median is that of the binomial distribution") {
    CHECK(!intervalOfMedian({}).isKnown());
    CHECK(!intervalOfMedian({1, 2, 3, 4, 5}).isKnown());
    Interval six = intervalOfMedian({6, 5, 4, 3, 2, 1});
    CHECK(six.low == 1);
    CHECK(six.high == 6);
    // Of ten values the second and the ninth: 2 * (1 + 10) / 1024 < 5 %, with the third it is 11 %.
    Interval ten = intervalOfMedian({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    CHECK(ten.low == 2);
    CHECK(ten.high == 9);
}

TEST_CASE("a few disturbed values move neither median nor interval") {
    std::vector<double> calm = {100, 101, 99, 100, 102, 98, 100, 101, 99, 100}, disturbed = calm;
    disturbed[3] = 9000;
    CHECK(median(disturbed) == median(calm));
    CHECK(intervalOfMedian(disturbed).high <= 102);
}

TEST_CASE("pairs are compared by their ratios, so that what slows both counts for nothing") {
    std::vector<double> now, before;
    for (int i = 0; i < 10; i++) {
        double weather = 1 + i * 0.3;
        before.push_back(100 * weather);
        now.push_back(90 * weather);
    }
    Ratio ratio = pairedRatio(now, before);
    CHECK(ratio.median == doctest::Approx(0.9));
    CHECK(verdictOn(ratio) == Verdict::Faster);
    CHECK(verdictOn(pairedRatio(before, now)) == Verdict::Slower);
    CHECK(verdictOn(pairedRatio(now, now)) == Verdict::Same);
}

TEST_CASE("too few values tell nothing apart") {
    CHECK(verdictOn(pairedRatio({1, 1, 1}, {9, 9, 9})) == Verdict::Same);
    CHECK(verdictOn(unpairedRatio({1, 1, 1}, {9, 9, 9})) == Verdict::Same);
    CHECK(!isBeyond(pairedRatio({9, 9, 9}, {1, 1, 1}), 2));
    CHECK(verdictOn(unpairedRatio({}, {})) == Verdict::Same);
}

TEST_CASE("the interval of a ratio without pairs is that of the rank sum") {
    // Four and four values: the lowest and the highest ratio (2 / 70 < 5 %).
    Ratio four = unpairedRatio({2, 4, 8, 16}, {1, 1, 1, 1});
    CHECK(four.interval.low == 2);
    CHECK(four.interval.high == 16);
    // Ten and ten: the tables of Mann and Whitney give 23 as critical, so the 24th.
    std::vector<double> one(10, 1), steps;
    for (int i = 1; i <= 10; i++)
        steps.push_back(i);
    Ratio ten = unpairedRatio(steps, one);
    CHECK(ten.interval.low == 3); // the 24th of ten ones, ten twos...
    CHECK(ten.interval.high == 8);
    CHECK(ten.median == 5.5);
}

TEST_CASE("two measurements of the same thing are rarely told apart, two of different things nearly always") {
    std::mt19937 random(7);
    std::normal_distribution<double> noise(100, 3);
    int wrong = 0, found = 0;
    for (int round = 0; round < 500; round++) {
        std::vector<double> a, b, c;
        for (int i = 0; i < 10; i++) {
            a.push_back(noise(random));
            b.push_back(noise(random));
            c.push_back(noise(random) * 1.1);
        }
        wrong += verdictOn(unpairedRatio(a, b)) != Verdict::Same;
        wrong += verdictOn(pairedRatio(a, b)) != Verdict::Same;
        found += verdictOn(unpairedRatio(c, a)) == Verdict::Slower;
        found += verdictOn(pairedRatio(c, a)) == Verdict::Slower;
    }
    CHECK(wrong <= 60); // 5 % of 1,000 and some
    CHECK(found >= 950);
}

TEST_CASE("a bound is exceeded only if the whole interval lies above it") {
    std::vector<double> base(10, 100), twice(10, 200), spread = {80, 90, 100, 110, 120, 200, 210, 220, 230, 240};
    CHECK(isBeyond(pairedRatio(twice, base), 1.5));
    CHECK(!isBeyond(pairedRatio(twice, base), 2));
    CHECK(!isBeyond(pairedRatio(spread, base), 1.2));
}
