// Runs files with benchmarks in child processes, one after the other, and gathers what they tell.
#pragma once
#include "interp/host/bench_results.h"
#include "interp/host/child.h"

namespace scr {

/// What the children are asked for: see stdlib/bench.scr.
struct BenchPlan {
    double milliseconds = 0; ///< for each benchmark, in all processes together
    u32 processes = 0;
    std::string filter;
    std::string text() const;
};

/// A program that runs files, and what it measured.
struct BenchProgram {
    std::vector<std::string> command; ///< without the file
    bool isOther = false; ///< not the one that runs now: messages name it
    BenchResults results;
};

class BenchRunner : public ChildWatcher {
public:
    explicit BenchRunner(BenchPlan plan);

    /// Runs the file once. False, with what is wrong, if the process did not do what it was asked for; what single
    /// benchmarks threw is in the results. `passesOutput`: what the script printed goes on to `output`.
    bool run(BenchProgram& program, const std::string& file, bool passesOutput, std::string& error);
    /// Descriptor that takes what scripts print.
    int output = 1;

    void childWrote(u32 child, int descriptor, std::string_view bytes) override;
    void childEnded(u32 child, const ChildEnd& end) override;

private:
    void takeLines();
    bool judge(const BenchProgram& program, std::string& error);

    BenchPlan plan_;
    Children children_;
    BenchReader reader_;
    BenchProgram* program_ = nullptr;
    std::string file_;
    std::string told_; ///< the part of a line that has come
    std::string out_, err_;
    ChildEnd end_;
    bool ended_ = false, speaks_ = false, isBroken_ = false;
    double registered_ = 0;
    u32 measured_ = 0;
};

}
