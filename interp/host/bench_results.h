// What `scr bench` measured, and how it is kept as JSON. All times are nanoseconds.
#pragma once
#include "runtime/base/platform.h"
#include "runtime/base/statistics.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scr {

/// One benchmark, as all processes that ran it measured it.
struct Benchmark {
    std::string file, name;
    bool isAsync = false;
    std::vector<double> figures; ///< an iteration in each process: the median of its samples
    double low = INFINITY, high = 0; ///< of all samples
    double total = 0; ///< of all samples, and how many
    u64 samples = 0;
    double iterations = 0, collections = 0;
    std::vector<double> bytes; ///< that an iteration allocates, in each process that could tell
    std::string error; ///< what it threw; then nothing else counts

    double time() const { return median(figures); }
    double mean() const { return total / double(samples); }
    double bytesEach() const { return median(bytes); }
};

/// How benchmarks compare with those of a baseline.
struct BenchComparison {
    double baseline = NAN; ///< an iteration there
    Ratio ratio;
};

struct BenchResults {
    std::vector<Benchmark> benchmarks;
    double overhead = NAN; ///< what an iteration of an empty function takes
    double milliseconds = 0; ///< that each benchmark was given
    u32 processes = 0;

    Benchmark* find(std::string_view file, std::string_view name);
    /// The same benchmark in results that may be of other files: by file and name, by the file's last name and name, or
    /// by a name that only one has.
    const Benchmark* match(const Benchmark& benchmark) const;
};

/// What one line of a child's says.
struct BenchLine {
    enum Kind { Broken, Protocol, Overhead, Measured, Registered } kind = Broken;
    Benchmark benchmark; ///< Measured: with one figure
    double number = 0; ///< the protocol's version; the overhead; how many are registered
};

/// Reads JSON, with an engine of its own.
class BenchReader {
public:
    BenchReader();
    ~BenchReader();
    BenchLine line(std::string_view text);
    /// False, with what is wrong, if it is not what `scr bench --save` writes.
    bool results(std::string_view text, BenchResults& results, std::string& error);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Adds what a process measured.
void addMeasured(BenchResults& results, const Benchmark& measured);
std::string jsonText(std::string_view text);
/// comparisons: one for each benchmark, or none.
std::string writeResults(const BenchResults& results, const std::vector<BenchComparison>& comparisons);
std::string_view verdictText(Verdict verdict);

}
