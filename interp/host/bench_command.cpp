// The command `scr bench`: which programs run what how often, and what is made of the results.
#include "interp/host/bench_command.h"
#include "interp/host/bench_report.h"
#include "interp/host/bench_runner.h"
#include "interp/host/run_script.h"
#include "interp/host/script_file.h"
#include "runtime/base/output.h"
#include "runtime/builtins/console.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scr {

namespace {

/// So many that the interval of the median leaves out the two ends.
constexpr u32 Processes = 10;
constexpr u64 DefaultTime = 1000;

class BenchCommand {
public:
    BenchCommand(const CommandLine& line, const char* invokedAs)
        : line_(line)
        , options_(line.bench) {
        plan_.milliseconds = double(options_.time ? options_.time : DefaultTime);
        plan_.processes = Processes;
        plan_.filter = options_.filter;
        ours_.command = {executablePath(invokedAs)};
        addOptions(ours_);
    }
    int run();

private:
    void addOptions(BenchProgram& program) {
        program.command.insert(program.command.end(), line_.options.begin(), line_.options.end());
    }
    bool prepare();
    bool prepareBaseline();
    bool readBaseline(const std::string& text);
    bool measure();
    void compare();
    void progress(u32 round, const std::string& file);
    bool report();
    bool check();
    bool checkNames();
    bool checkErrors();

    const CommandLine& line_;
    const BenchOptions& options_;
    BenchPlan plan_;
    BenchProgram ours_, theirs_;
    bool hasProgram_ = false; ///< theirs_ is run, not read
    std::vector<BenchComparison> comparisons_;
};

/// Where a program is: a path, or a name that stands in a folder of PATH.
std::string findProgram(const std::string& name) {
    if (name.find('/') != name.npos)
        return access(name.c_str(), X_OK) == 0 ? name : "";
    const char* path = std::getenv("PATH");
    std::string_view folders = path ? path : "";
    while (!folders.empty()) {
        size_t end = std::min(folders.find(':'), folders.size());
        std::string found = std::string(folders.substr(0, end)) + "/" + name;
        if (end > 0 && access(found.c_str(), X_OK) == 0)
            return found;
        folders.remove_prefix(std::min(end + 1, folders.size()));
    }
    return "";
}

bool beginsAsJson(const std::string& name) {
    char first = 0;
    int descriptor = open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool read = descriptor >= 0 && ::read(descriptor, &first, 1) == 1;
    if (descriptor >= 0)
        close(descriptor);
    return read && first == '{';
}

bool BenchCommand::readBaseline(const std::string& text) {
    std::string error;
    BenchReader reader;
    if (reader.results(text, theirs_.results, error))
        return true;
    complain("'" + options_.compare + "' is no baseline: " + error);
    return false;
}

/// What is compared with: a file that holds JSON, else a program.
bool BenchCommand::prepareBaseline() {
    const std::string& name = options_.compare;
    struct stat info;
    bool exists = stat(name.c_str(), &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) {
        complain("'" + name + "' is a folder, neither a baseline nor a program");
        return false;
    }
    if (exists && (access(name.c_str(), X_OK) != 0 || beginsAsJson(name))) {
        std::string text;
        return readFile(name, text) && readBaseline(text);
    }
    std::string found = !exists ? findProgram(name) : name.find('/') != name.npos ? name : "./" + name;
    if (found.empty()) {
        complain("cannot read the baseline '" + name + "': " + std::strerror(ENOENT));
        return false;
    }
    theirs_.command = {found};
    theirs_.isOther = true;
    hasProgram_ = true;
    addOptions(theirs_);
    return true;
}

bool BenchCommand::prepare() {
    for (const std::string& file : line_.arguments)
        if (std::string text; !readScriptFile(file, text))
            return false;
    return options_.compare.empty() || prepareBaseline();
}

void BenchCommand::progress(u32 round, const std::string& file) {
    static bool isTerminal = isatty(2);
    if (!isTerminal)
        return;
    std::string text = "\r\x1b[K";
    if (round < Processes)
        text += "  " + file + ": process " + std::to_string(round + 1) + " of " + std::to_string(Processes);
    (void)!write(2, text.data(), text.size());
}

/// Both programs take turns, and each goes first every other time.
bool BenchCommand::measure() {
    BenchRunner runner(plan_);
    if (options_.json && options_.jsonFile.empty())
        runner.output = 2; // standard output is for the JSON
    for (const std::string& file : line_.arguments) {
        for (u32 round = 0; round < Processes; round++) {
            progress(round, file);
            for (u32 turn = 0; turn < (hasProgram_ ? 2 : 1); turn++) {
                bool isOurs = !hasProgram_ || (round + turn) % 2 == 0;
                std::string error;
                if (!runner.run(isOurs ? ours_ : theirs_, file, isOurs && round == 0, error)) {
                    progress(Processes, file);
                    complain(error);
                    return false;
                }
            }
        }
        progress(Processes, file);
    }
    for (BenchProgram* program : {&ours_, &theirs_}) {
        program->results.processes = Processes;
        program->results.milliseconds = plan_.milliseconds;
    }
    return true;
}

void BenchCommand::compare() {
    for (const Benchmark& benchmark : ours_.results.benchmarks) {
        BenchComparison comparison;
        const Benchmark* other = theirs_.results.match(benchmark);
        if (other && other->error.empty() && benchmark.error.empty()) {
            comparison.baseline = other->time();
            comparison.ratio = hasProgram_ ? pairedRatio(benchmark.figures, other->figures)
                                           : unpairedRatio(benchmark.figures, other->figures);
        }
        comparisons_.push_back(comparison);
    }
}

bool writeFile(const std::string& name, const std::string& text) {
    // Beside it first, so that what was there is lost only for the whole of the new. Devices are written to.
    struct stat info;
    bool isPlain = stat(name.c_str(), &info) != 0 || S_ISREG(info.st_mode);
    std::string place = isPlain ? name + ".new" : name;
    int descriptor = open(place.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool written = descriptor >= 0;
    for (size_t at = 0; written && at < text.size();) {
        ssize_t count = write(descriptor, text.data() + at, text.size() - at);
        written = count > 0;
        at += written ? size_t(count) : 0;
    }
    if (descriptor >= 0 && close(descriptor) != 0)
        written = false;
    if (written && isPlain && rename(place.c_str(), name.c_str()) != 0)
        written = false;
    if (written)
        return true;
    int error = errno;
    if (isPlain && descriptor >= 0)
        unlink(place.c_str());
    complain("cannot write '" + name + "': " + std::strerror(error));
    return false;
}

/// What was asked for, on standard output and in files.
bool BenchCommand::report() {
    std::string json = writeResults(ours_.results, comparisons_);
    OutputStream out(1);
    if (options_.json && options_.jsonFile.empty())
        out.write(json);
    else
        out.write(benchTable(ours_.results, comparisons_, wantsColors(out)));
    out.flush();
    if (out.error()) {
        complain(std::string("cannot write to standard output: ") + std::strerror(out.error()));
        return false;
    }
    return options_.jsonFile.empty() || writeFile(options_.jsonFile, json);
}

std::string listOf(const std::vector<Benchmark>& benchmarks) {
    constexpr size_t Most = 5;
    std::string text;
    for (size_t i = 0; i < std::min(benchmarks.size(), Most); i++)
        text += (i ? ", '" : "'") + benchmarks[i].name + "'";
    return text + (benchmarks.size() > Most ? "..." : "");
}

/// Without one that both have there is nothing to compare.
bool BenchCommand::checkNames() {
    if (ours_.results.benchmarks.empty()) {
        complain("no benchmark has '" + options_.filter + "' in its name");
        return false;
    }
    if (options_.compare.empty())
        return true;
    for (const Benchmark& benchmark : ours_.results.benchmarks)
        if (theirs_.results.match(benchmark))
            return true;
    complain("'" + options_.compare + "' has none of these benchmarks: it has " + listOf(theirs_.results.benchmarks));
    return false;
}

bool BenchCommand::checkErrors() {
    bool good = true;
    for (const BenchProgram* program : {&ours_, &theirs_})
        for (const Benchmark& benchmark : program->results.benchmarks)
            if (!benchmark.error.empty()) {
                std::string where = program == &ours_ ? "" : " of '" + options_.compare + "'";
                complain("benchmark '" + benchmark.name + "'" + where + " failed: " + benchmark.error);
                good = false;
            }
    return good;
}

/// --assert-ratio: what is slower beyond doubt, and what nothing is known about.
bool BenchCommand::check() {
    bool good = true;
    for (size_t i = 0; i < comparisons_.size() && options_.assertRatio > 0; i++) {
        const std::string& name = ours_.results.benchmarks[i].name;
        const Ratio& ratio = comparisons_[i].ratio;
        char text[96];
        if (ratio.median != ratio.median) {
            complain("--assert-ratio: '" + name + "' has no baseline");
        } else if (!ratio.interval.isKnown()) {
            complain("--assert-ratio: the baseline of '" + name + "' has too few processes for an interval");
        } else if (isBeyond(ratio, options_.assertRatio)) {
            std::snprintf(text, sizeof text, " takes %.3f times as long [%.3f, %.3f], more than %.6g", ratio.median,
                ratio.interval.low, ratio.interval.high, options_.assertRatio);
            complain("--assert-ratio: '" + name + "'" + text);
        } else {
            continue;
        }
        good = false;
    }
    return good;
}

bool haveFailed(const BenchResults& results) {
    for (const Benchmark& benchmark : results.benchmarks)
        if (!benchmark.error.empty())
            return true;
    return false;
}

int BenchCommand::run() {
    if (!prepare() || !measure() || !checkNames())
        return StatusFailed;
    if (!options_.compare.empty())
        compare();
    bool good = report();
    good = checkErrors() && good;
    good = check() && good;
    if (options_.save.empty())
        return good ? 0 : StatusFailed;
    if (haveFailed(ours_.results))
        complain("'" + options_.save + "' is not written: a baseline needs all benchmarks");
    else
        good = writeFile(options_.save, writeResults(ours_.results, {})) && good;
    return good ? 0 : StatusFailed;
}

}

int runBenchCommand(const CommandLine& line, const char* invokedAs) { return BenchCommand(line, invokedAs).run(); }

}
