// The test runner: all scripts under tests/ and examples/ as child processes, a bounded number at a time, and then all
// doctest cases, of which each script is one.
//
//   run [--scr=PATH | --node[=PATH]] [--asan] [--gc-stress[=N]] [--regold] [--flags="..."] [--jobs=N] [--durations]
//       [--budget=SECONDS] [PART-OF-A-PATH...] [doctest options, such as -tc=...]
#define DOCTEST_CONFIG_IMPLEMENT
#include "tests/page_test.h"
#include "tests/script_test.h"
#include "tests/session_test.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <map>
#include <random>
#include <thread>
#include <unistd.h>

using namespace scr::test;
namespace fs = std::filesystem;

namespace {

struct Options {
    Settings settings;
    std::vector<std::string> parts; // only scripts with one of these in their path
    bool regold = false;
    bool durations = false;
    double budget = 0; // seconds after which no further script is started; 0 = none
    std::string stress; // the option --gc-stress as given; empty: none
    unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
};

struct Outcome {
    ScriptTest test;
    ProcessResult result;
    std::string wrong;
    bool ran = false;
    bool widened = false; // ran with fewer collections than one for each allocation
};

// By path. Filled before doctest starts; its test functions carry no data, so they look themselves up here.
std::map<std::string, Outcome> outcomes;

// Whatever else is checked file by file, a case for each.
struct OtherCase {
    std::string (*check)(const std::string& path, const Settings& settings);
    std::string wrong;
};
std::map<std::string, OtherCase> others;

void reportOtherCase() {
    const std::string& wrong = others.at(doctest::getContextOptions()->currentTest->m_file.c_str()).wrong;
    if (!wrong.empty())
        FAIL_CHECK(wrong);
}

void reportCurrentScript() {
    const Outcome& outcome = outcomes.at(doctest::getContextOptions()->currentTest->m_file.c_str());
    if (!outcome.wrong.empty())
        FAIL_CHECK(outcome.test.path << "\n" << outcome.wrong);
}

bool isWanted(const std::string& path, const Options& options) {
    bool wanted = options.parts.empty();
    for (const std::string& part : options.parts)
        wanted = wanted || path.find(part) != std::string::npos;
    return wanted;
}

std::vector<std::string> findScripts(const Options& options) {
    std::vector<std::string> paths;
    for (const char* root : {"tests", "examples"}) {
        if (!fs::exists(root))
            continue;
        for (const auto& entry : fs::recursive_directory_iterator(root)) {
            std::string path = entry.path().string();
            // Folders named "support" hold what tests load, not tests.
            if (!path.ends_with(".scr") || path.find("/support/") != std::string::npos)
                continue;
            if (isWanted(path, options))
                paths.push_back(path);
        }
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

// With a collection at every allocation some scripts would run for hours. One that has not ended within `FirstTry`
// seconds runs again with longer and longer intervals; one that is wrong before that is wrong.
void runUnderStress(Outcome& outcome, const Options& options) {
    constexpr double FirstTry = 4;
    Settings settings = options.settings;
    settings.flags.push_back(options.stress);
    if (options.stress != "--gc-stress") {
        outcome.result = runScript(outcome.test, settings);
        return;
    }
    for (const char* interval : {"=1", "=100", "=10000"}) {
        bool last = std::strlen(interval) > 4;
        settings.flags.back() = options.stress + interval;
        settings.patience = last ? options.settings.patience : FirstTry / outcome.test.seconds;
        outcome.result = runScript(outcome.test, settings);
        if (!outcome.result.timedOut)
            return;
        outcome.widened = true;
    }
}

// Calls work() until it says that nothing is left, at most `jobs` at a time: starting every script at once would make
// each of them look slow.
template <class Work> void inParallel(const Options& options, Work work) {
    auto untilNothingIsLeft = [&] {
        while (work()) { }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < options.jobs; i++)
        threads.emplace_back(untilNothingIsLeft);
    untilNothingIsLeft();
    for (std::thread& thread : threads)
        thread.join();
}

void runAll(std::vector<Outcome*> queue, const Options& options) {
    auto begin = std::chrono::steady_clock::now();
    std::atomic<size_t> next{0};
    inParallel(options, [&] {
        size_t i = next++;
        std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        if (i >= queue.size() || (options.budget > 0 && spent.count() > options.budget))
            return false;
        Outcome& outcome = *queue[i];
        if (outcome.test.complaint.empty() && options.settings.gcStress)
            runUnderStress(outcome, options);
        else if (outcome.test.complaint.empty())
            outcome.result = runScript(outcome.test, options.settings);
        outcome.wrong = judge(outcome.test, options.settings, outcome.result);
        outcome.ran = true;
        return true;
    });
}

// Writes X.expected of the golden folders; returns how many changed.
int regold() {
    int changed = 0;
    for (auto& [path, outcome] : outcomes) {
        const ScriptTest& test = outcome.test;
        if (!test.golden)
            continue;
        int status = test.exit.value_or(0);
        if (outcome.result.status != status) {
            printf("kept    %s: exit status %d\n%s", path.c_str(), outcome.result.status, outcome.result.err.c_str());
            continue;
        }
        if (test.expected == outcome.result.out)
            continue;
        if (FILE* file = fopen(test.expectedPath().c_str(), "wb")) {
            fwrite(outcome.result.out.data(), 1, outcome.result.out.size(), file);
            fclose(file);
            printf("written %s\n", test.expectedPath().c_str());
            changed++;
        }
    }
    return changed;
}

void printDurations() {
    std::vector<const Outcome*> slowest;
    for (auto& [path, outcome] : outcomes)
        slowest.push_back(&outcome);
    std::sort(slowest.begin(), slowest.end(), [](auto* a, auto* b) { return a->result.seconds > b->result.seconds; });
    for (size_t i = 0; i < std::min<size_t>(15, slowest.size()); i++)
        printf("%8.3f s  %s\n", slowest[i]->result.seconds, slowest[i]->test.path.c_str());
}

const char* valueOf(const char* argument, const char* name) {
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1 : nullptr;
}

void splitFlags(std::vector<std::string>& flags, const char* text) {
    for (const char* end; *text; text = *end ? end + 1 : end) {
        end = strchrnul(text, ' ');
        if (end != text)
            flags.emplace_back(text, end);
    }
}

// True if the argument is one of ours and not doctest's.
bool parseOption(Options& options, const char* argument) {
    Settings& settings = options.settings;
    if (const char* value = valueOf(argument, "--scr"))
        settings.program = fs::absolute(value).string();
    else if (const char* value = valueOf(argument, "--node"))
        settings.node = true, settings.program = value;
    else if (strcmp(argument, "--node") == 0)
        settings.node = true, settings.program = "node";
    else if (strcmp(argument, "--asan") == 0)
        settings.asan = true, settings.patience *= 10;
    else if (strncmp(argument, "--gc-stress", 11) == 0)
        settings.gcStress = true, settings.patience *= 30, options.stress = argument;
    else if (const char* value = valueOf(argument, "--flags"))
        splitFlags(settings.flags, value);
    else if (const char* value = valueOf(argument, "--jobs"))
        options.jobs = unsigned(std::max(1, atoi(value)));
    else if (const char* value = valueOf(argument, "--budget"))
        options.budget = atof(value);
    else if (strcmp(argument, "--regold") == 0)
        options.regold = true;
    else if (strcmp(argument, "--durations") == 0)
        options.durations = true;
    else if (argument[0] != '-')
        options.parts.emplace_back(argument);
    else
        return false;
    return true;
}

// With a budget the order is a new one each time, so that over many runs every script gets its turn.
void shuffleForBudget(std::vector<Outcome*>& queue, const Options& options) {
    if (options.budget <= 0)
        return;
    unsigned seed = unsigned(std::chrono::system_clock::now().time_since_epoch().count() / 1000000);
    std::shuffle(queue.begin(), queue.end(), std::mt19937(seed));
    printf("order of scripts: seed %u\n", seed);
}

void runScripts(const Options& options) {
    std::vector<Outcome*> queue;
    for (const std::string& path : findScripts(options)) {
        ScriptTest test = readScriptTest(path);
        if (options.regold && !test.golden)
            continue;
        if (takesPart(test, options.settings))
            queue.push_back(&(outcomes[path] = Outcome{std::move(test), {}, {}, false}));
    }
    shuffleForBudget(queue, options);
    runAll(queue, options);
    size_t left = 0, widened = 0;
    for (Outcome* outcome : queue) {
        left += !outcome->ran;
        widened += outcome->widened;
    }
    if (widened)
        printf(
            "%zu of %zu scripts ran with a collection at every 100th or 10,000th allocation\n", widened, queue.size());
    if (left)
        printf("%zu of %zu scripts not started: the budget of %g s was spent\n", left, queue.size(), options.budget);
}

void runOthers(const Options& options) {
    if (options.settings.node || options.settings.gcStress || options.regold)
        return;
    for (const std::string& path : findPages())
        if (isWanted(path, options) && !options.settings.asan)
            others[path] = {checkPage, ""};
    for (const std::string& path : findSessions())
        if (isWanted(path, options))
            others[path] = {checkSession, ""};
    std::vector<std::pair<const std::string, OtherCase>*> queue;
    for (auto& entry : others)
        queue.push_back(&entry);
    std::atomic<size_t> next{0};
    inParallel(options, [&] {
        size_t i = next++;
        if (i >= queue.size())
            return false;
        queue[i]->second.wrong = queue[i]->second.check(queue[i]->first, options.settings);
        return true;
    });
}

}

int main(int argc, char** argv) {
    Options options;
    options.settings.program = fs::absolute("build/scr").string();
    std::vector<const char*> forDoctest{argv[0]};
    for (int i = 1; i < argc; i++) {
        if (!parseOption(options, argv[i]))
            forDoctest.push_back(argv[i]);
    }
    char scratch[] = "/tmp/scr-tests-XXXXXX";
    if (options.settings.node) {
        if (!mkdtemp(scratch))
            return perror(scratch), 1;
        options.settings.scratch = scratch;
    }
    runScripts(options);
    runOthers(options);
    if (options.settings.node)
        fs::remove_all(scratch);
    if (options.durations)
        printDurations();
    if (options.regold)
        return printf("%d expected files written\n", regold()), 0;

    doctest::TestSuite suite;
    for (auto& [path, outcome] : outcomes) {
        if (outcome.ran)
            doctest::detail::regTest(doctest::detail::TestCase(reportCurrentScript, path.c_str(), 1, suite)
                * path.c_str() * doctest::test_suite("scripts"));
    }
    for (auto& [path, other] : others)
        doctest::detail::regTest(doctest::detail::TestCase(reportOtherCase, path.c_str(), 1, suite) * path.c_str()
            * doctest::test_suite("scripts"));
    doctest::Context context(int(forDoctest.size()), forDoctest.data());
    // Unit tests do not run scripts in another way here, so they would only be repeated.
    if (options.settings.node || options.settings.gcStress || !options.parts.empty())
        context.addFilter("test-suite", "scripts");
    context.setOption("no-path-filenames", true);
    int failed = context.run();
    return failed;
}
