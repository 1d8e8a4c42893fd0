// The results of `scr bench` as a table for people.
#pragma once
#include "interp/host/bench_results.h"

namespace scr {

/// A time with the unit that suits it: "123.4 ns", "1.234 ms".
std::string timeText(double nanoseconds);
/// comparisons: one for each benchmark, or none.
std::string benchTable(const BenchResults& results, const std::vector<BenchComparison>& comparisons, bool colors);

}
