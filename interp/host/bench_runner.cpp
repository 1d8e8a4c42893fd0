// A process runs one file once. What it tells counts only if BenchReader can read it and the process ended well.
#include "interp/host/bench_runner.h"
#include <algorithm>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace scr {

constexpr int ToldOn = 3; ///< the descriptor on which scr:bench tells

std::string BenchPlan::text() const {
    // A quarter of the time more to get warm.
    double share = 1.0 / processes, time = milliseconds * share;
    char numbers[96];
    std::snprintf(numbers, sizeof numbers, "%.9g %.9g %.9g ", share, time, time / 4);
    return numbers + filter;
}

BenchRunner::BenchRunner(BenchPlan plan)
    : plan_(std::move(plan))
    , children_(*this) { }

void BenchRunner::childWrote(u32, int descriptor, std::string_view bytes) {
    // What a script prints is shown, not kept for ever.
    constexpr size_t Most = 1 << 20;
    if (descriptor == ToldOn) {
        told_ += bytes;
        takeLines();
    } else if (std::string& kept = descriptor == 1 ? out_ : err_; kept.size() < Most) {
        kept += bytes.substr(0, Most - kept.size());
    }
}

void BenchRunner::childEnded(u32, const ChildEnd& end) {
    end_ = end;
    ended_ = true;
}

void BenchRunner::takeLines() {
    for (size_t end; (end = told_.find('\n')) != told_.npos; told_.erase(0, end + 1)) {
        BenchLine line = reader_.line(std::string_view(told_).substr(0, end));
        switch (line.kind) {
        case BenchLine::Protocol: speaks_ = line.number == 1; break;
        case BenchLine::Overhead: program_->results.overhead = line.number; break;
        case BenchLine::Registered: registered_ = line.number; break;
        case BenchLine::Measured:
            line.benchmark.file = file_;
            addMeasured(program_->results, line.benchmark);
            measured_++;
            break;
        case BenchLine::Broken: isBroken_ = true; break;
        }
    }
}

static void writeAll(int descriptor, std::string_view text) {
    while (!text.empty()) {
        ssize_t count = write(descriptor, text.data(), text.size());
        if (count < 0 && errno != EINTR)
            return;
        text.remove_prefix(count > 0 ? size_t(count) : 0);
    }
}

bool BenchRunner::run(BenchProgram& program, const std::string& file, bool passesOutput, std::string& error) {
    program_ = &program;
    file_ = file;
    told_.clear(), out_.clear(), err_.clear();
    ended_ = speaks_ = isBroken_ = false;
    registered_ = 0, measured_ = 0;
    ChildRequest request;
    request.arguments = program.command;
    request.arguments.push_back(file);
    request.environment = {"SCR_BENCH=" + plan_.text()};
    request.extra = 1;
    if (!children_.start(0, request, error))
        return false;
    while (!ended_)
        if (!children_.turn())
            children_.dieInterrupted();
    bool good = judge(program, error);
    if (passesOutput || !good) {
        writeAll(output, out_);
        writeAll(2, err_);
    }
    return good;
}

/// Whether the process did what it was asked for.
bool BenchRunner::judge(const BenchProgram& program, std::string& error) {
    std::string who = file_ + (program.isOther ? " under '" + program.command[0] + "'" : "");
    if (end_.signal)
        error = who + " died of signal " + std::to_string(end_.signal) + " (" + strsignal(end_.signal) + ")";
    else if (end_.status != 0)
        error = who + " ended with status " + std::to_string(end_.status);
    else if (!speaks_)
        error = who + " does not import scr:bench" + (program.isOther ? ", or that is no scr that knows it" : "");
    else if (isBroken_ || !told_.empty())
        error = who + " told something that is no measurement";
    else if (registered_ == 0)
        error = who + " registers no benchmarks";
    else
        return true;
    return false;
}

}
