// The conformance run: finds the tests of a test262 checkout, runs those in scope, judges them, prints the figures.
// Exit status 1 if a test crashed or ran out of time, if one failed that is not known to, or if a listed one passed.
#include "tests/conformance/known.h"
#include "tests/conformance/pool.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <unistd.h>

namespace {

struct Options {
    std::string scr = "build/scr", suite, known = "tests/conformance/known_failures.txt", output;
    std::vector<std::string> filters;
    unsigned jobs = 0, cpuSeconds = 10, sample = 0;
    bool showsKnown = false;
};

struct Figure {
    unsigned passed = 0, total = 0;
    void add(bool pass) {
        total++;
        passed += pass;
    }
};

enum class Verdict { Passed, Failed, Crashed, TimedOut };
struct Judged {
    const TestFile* test;
    Verdict verdict;
    std::string why;
};

std::string readFile(const std::filesystem::path& path) {
    std::ifstream input(path, std::ios::binary);
    std::stringstream text;
    text << input.rdbuf();
    return text.str();
}

std::string firstLine(const std::string& text) {
    std::string line = text.substr(0, text.find('\n'));
    return line.size() > 240 ? line.substr(0, 240) : line;
}

/// The same on every machine.
uint64_t hashOf(const std::string& text) {
    uint64_t hash = 14695981039346656037ull;
    for (unsigned char c : text)
        hash = (hash ^ c) * 1099511628211ull;
    return hash ^ hash >> 29;
}

// ---- finding the tests

class Suite {
public:
    Suite(const Options& options)
        : options_(options) { }

    void find() {
        for (const char* part : {"language", "built-ins"})
            collect(std::filesystem::path(options_.suite) / "test" / part);
        std::sort(tests.begin(), tests.end(), [](auto& a, auto& b) { return a.path < b.path; });
        addNeedsOfIncludes();
        if (options_.sample && tests.size() > options_.sample)
            takeSample();
        std::erase_if(tests, [this](const TestFile& test) { return !isWanted(test); });
    }
    std::vector<TestFile> tests; ///< in scope
    unsigned found = 0;

private:
    void collect(const std::filesystem::path& folder) {
        if (!std::filesystem::is_directory(folder))
            return;
        size_t prefix = (std::filesystem::path(options_.suite) / "test" / "").string().size();
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            std::string path = entry.path().string();
            if (!path.ends_with(".js") || path.find("_FIXTURE") != path.npos)
                continue;
            found++;
            TestFile test = readTest(path.substr(prefix), readFile(path));
            if (test.isInScope)
                tests.push_back(std::move(test));
        }
    }

    bool isWanted(const TestFile& test) const {
        for (const std::string& filter : options_.filters)
            if (test.path.find(filter) != std::string::npos)
                return true;
        return options_.filters.empty();
    }

    /// A test needs what the files need that it includes.
    void addNeedsOfIncludes() {
        std::map<std::string, uint32_t> needs;
        for (TestFile& test : tests)
            for (const std::string& name : test.includes) {
                auto [known, isNew] = needs.emplace(name, 0);
                if (isNew)
                    known->second = needsOfInclude(readFile(std::filesystem::path(options_.suite) / "harness" / name));
                test.needs |= known->second;
            }
    }

    void takeSample() {
        std::sort(tests.begin(), tests.end(), [](auto& a, auto& b) { return hashOf(a.path) < hashOf(b.path); });
        tests.resize(options_.sample);
        std::sort(tests.begin(), tests.end(), [](auto& a, auto& b) { return a.path < b.path; });
    }

    const Options& options_;
};

// ---- running and judging

std::vector<std::string> commandOf(const Options& options, const TestFile& test) {
    std::vector<std::string> command = {options.scr, "--memory-limit=1G", "--test262"};
    std::string harness = options.suite + "/harness/";
    auto include = [&](const std::string& name) { command.push_back("--include=" + harness + name); };
    if (!test.hasFlag("raw")) {
        include("assert.js");
        include("sta.js");
        if (test.hasFlag("async"))
            include("doneprintHandle.js");
        for (const std::string& name : test.includes)
            include(name);
    }
    if (test.hasFlag("module"))
        command.push_back("--module");
    command.push_back(options.suite + "/test/" + test.path);
    return command;
}

bool isEarlyError(const std::string& err, const std::string& file) {
    size_t line = err.find('\n');
    return line != err.npos && err.compare(line + 1, 19, "    early error at ") == 0
        && err.compare(line + 20, file.size(), file) == 0;
}

/// What is not supported is no early error of the test's.
bool isUnsupported(const std::string& err) { return firstLine(err).find("not supported yet") != std::string::npos; }

std::string judgeNegative(const TestFile& test, const ChildResult& result, const std::string& file) {
    if (result.exitCode == 0)
        return "no " + test.negativeType + " (" + test.negativePhase + ")";
    bool isEarly = test.negativePhase != "runtime";
    if (!result.err.starts_with(test.negativeType + ": ") || isUnsupported(result.err))
        return firstLine(result.err) + " instead of " + test.negativeType;
    if (isEarly != isEarlyError(result.err, file))
        return test.negativeType + (isEarly ? " at run time only" : " too early");
    return "";
}

/// Empty if it passed.
std::string judge(const TestFile& test, const ChildResult& result, const std::string& file) {
    if (!test.negativeType.empty())
        return judgeNegative(test, result, file);
    if (result.exitCode != 0)
        return result.err.empty() ? "exit status " + std::to_string(result.exitCode) : firstLine(result.err);
    if (!test.hasFlag("async"))
        return "";
    if (result.out.find("Test262:AsyncTestComplete") == std::string::npos)
        return result.out.empty() ? "$DONE was not called" : firstLine(result.out);
    return "";
}

class Run {
public:
    explicit Run(const Options& options)
        : options_(options)
        , suite_(options) { }
    int perform();

private:
    void judgeOne(const TestFile& test, const ChildResult& result);
    void countAll();
    void print();
    void printList(const char* title, const std::vector<const Judged*>& list) const;
    void printTable(const char* title, const std::map<std::string, Figure>& table) const;
    void printFigures() const;
    void writeFailures() const;

    const Options& options_;
    Suite suite_;
    KnownFailures known_;
    std::vector<Judged> judged_;
    std::map<std::string, Figure> folders_, features_;
    Figure whole_, core_, byNeed_[std::size(needNames)];
    std::vector<const Judged*> crashed_, timedOut_, surprising_, mended_, expected_;
};

int Run::perform() {
    if (!known_.read(options_.known))
        return 2;
    if (access(options_.scr.c_str(), X_OK)) {
        std::fprintf(stderr, "%s is no program that can be run\n", options_.scr.c_str());
        return 2;
    }
    suite_.find();
    if (suite_.tests.empty()) {
        std::fprintf(stderr, "no tests of %s are wanted: is there a test262 checkout?\n", options_.suite.c_str());
        return 2;
    }
    std::printf("%u tests, %zu of them to run\n", suite_.found, suite_.tests.size());
    Pool pool(options_.jobs, options_.cpuSeconds);
    bool isTerminal = isatty(1);
    for (size_t i = 0; i < suite_.tests.size(); i++) {
        const TestFile& test = suite_.tests[i];
        pool.run(commandOf(options_, test), [this, &test](const ChildResult& result) { judgeOne(test, result); });
        if (isTerminal && i % 500 == 0)
            std::printf("\r%zu ", i), std::fflush(stdout);
    }
    pool.finish();
    if (isTerminal)
        std::printf("\r");
    std::sort(judged_.begin(), judged_.end(), [](auto& a, auto& b) { return a.test->path < b.test->path; });
    countAll();
    print();
    writeFailures();
    return crashed_.empty() && timedOut_.empty() && surprising_.empty() && mended_.empty() ? 0 : 1;
}

void Run::judgeOne(const TestFile& test, const ChildResult& result) {
    if (result.timedOut) {
        judged_.push_back({&test, Verdict::TimedOut, "out of time"});
    } else if (result.signal || result.exitCode > 100) {
        std::string how = result.signal ? strsignal(result.signal) : "exit status " + std::to_string(result.exitCode);
        judged_.push_back({&test, Verdict::Crashed, how + "  " + firstLine(result.err)});
    } else {
        std::string why = judge(test, result, options_.suite + "/test/" + test.path);
        judged_.push_back({&test, why.empty() ? Verdict::Passed : Verdict::Failed, why});
    }
}

void Run::countAll() {
    for (const Judged& each : judged_) {
        const TestFile& test = *each.test;
        bool passed = each.verdict == Verdict::Passed;
        folders_[test.folder()].add(passed);
        for (const std::string& feature : test.features)
            features_[feature].add(passed);
        whole_.add(passed);
        if (!(test.needs & laterNeeds))
            core_.add(passed);
        for (size_t i = 0; i < std::size(needNames); i++)
            if (test.needs & needNames[i].need)
                byNeed_[i].add(passed);
        if (each.verdict == Verdict::Crashed)
            crashed_.push_back(&each);
        else if (each.verdict == Verdict::TimedOut)
            timedOut_.push_back(&each);
        else if (passed && known_.listed(test))
            mended_.push_back(&each);
        else if (!passed)
            (known_.listed(test) || known_.excused(test) ? expected_ : surprising_).push_back(&each);
    }
}

// ---- telling

void Run::printList(const char* title, const std::vector<const Judged*>& list) const {
    if (list.empty())
        return;
    std::printf("\n%s: %zu\n", title, list.size());
    for (const Judged* each : list)
        std::printf("  %s  %s\n", each->test->path.c_str(), each->why.c_str());
}

std::string percent(const Figure& figure) {
    char text[32];
    // Rounded down: only what is whole is shown as 100.
    double share = figure.total ? double(figure.passed * 10000ull / figure.total) / 100 : 0;
    std::snprintf(text, sizeof text, "%6.2f %%", share);
    return text;
}

void Run::printTable(const char* title, const std::map<std::string, Figure>& table) const {
    std::printf("\n%s\n", title);
    for (const auto& [name, figure] : table)
        std::printf("  %-56s %6u / %-6u %s\n", name.c_str(), figure.passed, figure.total, percent(figure).c_str());
}

void Run::printFigures() const {
    auto line = [](const std::string& name, const Figure& figure) {
        std::printf("%-60s %6u / %-6u %s\n", name.c_str(), figure.passed, figure.total, percent(figure).c_str());
    };
    std::printf("\n");
    for (size_t i = 0; i < std::size(needNames); i++)
        line("needs " + std::string(needNames[i].name), byNeed_[i]);
    line("needs no RegExp, BigInt, Date", core_);
    line("the whole scope", whole_);
    std::printf("crashed %zu, out of time %zu, failed though not known to %zu, passed though listed %zu, known %zu\n",
        crashed_.size(), timedOut_.size(), surprising_.size(), mended_.size(), expected_.size());
}

void Run::print() {
    printList("CRASHED", crashed_);
    printList("OUT OF TIME", timedOut_);
    printList("failed, and not known to", surprising_);
    printList("passed, though listed as failing: take them off the list", mended_);
    if (options_.showsKnown)
        printList("known failures", expected_);
    if (options_.filters.empty())
        printTable("by feature", features_);
    printTable("by folder", folders_);
    printFigures();
}

void Run::writeFailures() const {
    if (options_.output.empty())
        return;
    std::ofstream output(options_.output);
    for (const Judged& each : judged_) {
        if (each.verdict == Verdict::Passed)
            continue;
        output << each.test->path << '\t';
        for (const NeedName& need : needNames)
            if (each.test->needs & need.need)
                output << need.name << ' ';
        output << '\t' << each.why << '\n';
    }
}

// ---- options

bool readOption(Options& options, const std::string& text) {
    auto value = [&](const char* name, std::string& to) {
        std::string prefix = std::string("--") + name + "=";
        if (!text.starts_with(prefix))
            return false;
        to = text.substr(prefix.size());
        return true;
    };
    auto number = [&](const char* name, unsigned& to) {
        std::string digits;
        if (!value(name, digits))
            return false;
        to = unsigned(std::strtoul(digits.c_str(), nullptr, 10));
        return true;
    };
    if (text == "--known-too")
        return options.showsKnown = true;
    if (!text.starts_with("--")) {
        options.filters.push_back(text);
        return true;
    }
    return value("scr", options.scr) || value("suite", options.suite) || value("known", options.known)
        || value("failures", options.output) || number("jobs", options.jobs) || number("cpu", options.cpuSeconds)
        || number("sample", options.sample);
}

}

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; i++)
        if (!readOption(options, argv[i])) {
            std::fprintf(stderr, "bad option: %s\n", argv[i]);
            return 2;
        }
    if (options.suite.empty()) {
        std::fprintf(
            stderr, "usage: make test262 TEST262=FOLDER [FILTER=part/of/a/path]   (a checkout of tc39/test262)\n");
        return 2;
    }
    while (options.suite.ends_with('/'))
        options.suite.pop_back();
    if (!options.jobs)
        options.jobs = unsigned(std::max(1l, sysconf(_SC_NPROCESSORS_ONLN)));
    return Run(options).perform();
}
