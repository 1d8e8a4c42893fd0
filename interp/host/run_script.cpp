// The command: reads the script, runs it, prints what went wrong, ends with the right status.
#include "interp/host/run_script.h"
#include "interp/host/interrupt.h"
#include "interp/host/json_report.h"
#include "interp/host/profile_output.h"
#include "interp/host/report.h"
#include "interp/host/script_file.h"
#include "interp/host/test262.h"
#include "interp/vm/shape_report.h"
#include "runtime/heap/allocator.h"
#include "runtime/loop/event_loop.h"
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace scr {

std::string executablePath(const char* invokedAs) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    return length > 0 ? std::string(path, size_t(length)) : std::string(invokedAs);
}

std::string absolutePath(const std::string& name) {
    char* path = realpath(name.c_str(), nullptr);
    std::string result = path ? path : name;
    std::free(path);
    return result;
}

static RejectionMode rejectionMode(std::string_view name) {
    return name == "strict"              ? RejectionMode::Strict
        : name == "warn"                 ? RejectionMode::Warn
        : name == "none"                 ? RejectionMode::None
        : name == "warn-with-error-code" ? RejectionMode::WarnWithErrorCode
                                         : RejectionMode::Throw;
}

TestSettings testSettings(const CommandLine& line) {
    TestSettings tests;
    tests.reporters = line.testReporters;
    tests.destinations = line.testDestinations;
    tests.patterns = line.testPatterns;
    tests.only = line.testOnly;
    const char* channel = std::getenv(TestChannelVariable);
    bool isChild = channel && channel[0] == char('0' + TestChannel) && fcntl(TestChannel, F_GETFD) >= 0;
    tests.channel = isChild ? TestChannel : -1;
    tests.colors = isChild && channel[1] == 'c';
    tests.timeLimit = isChild ? 0 : line.testTimeout; // there it goes for the whole file
    return tests;
}

void setUp(Engine& engine, const CommandLine& line, const char* invokedAs) {
    std::vector<std::string> arguments = line.arguments;
    if (line.from != CommandLine::From::Code)
        arguments.insert(arguments.begin(), line.from == CommandLine::From::Stdin ? "-" : absolutePath(line.file));
    EventLoop& loop = *engine.vm().loop;
    loop.program.invokedAs = invokedAs;
    loop.program.options = line.options;
    loop.tests = testSettings(line);
    loop.rejectionMode = rejectionMode(line.rejections);
    const char* silent = std::getenv("NODE_NO_WARNINGS");
    loop.warnings = {line.noWarnings || (silent && std::string_view(silent) == "1"), line.traceWarnings,
        line.noDeprecation, line.throwDeprecation, line.traceDeprecation};
    engine.setArguments(executablePath(invokedAs), arguments);
    if (line.reportsJson)
        installJsonReports(engine.vm());
    if (line.gcStress)
        engine.setGcStress(line.gcStress);
    if (line.explainShapes)
        watchSites(engine.vm());
#ifdef SCR_DEBUG
    if (line.failAllocation) {
        engine.vm().heap.setOneByOne();
        failAllocation(line.failAllocation);
    }
#endif
    // Nobody reads what is printed: nothing is wrong, and nothing is left to do.
    loop.out.onClosed = [] { _exit(0); };
    loop.err.onClosed = [] { _exit(0); };
}

/// The files that --include names, then the test.
static Outcome runConformanceTest(
    Engine& engine, const CommandLine& line, const std::string& name, const std::string& text) {
    Outcome outcome;
    outcome.exitCode = StatusFailed;
    std::vector<NamedText> includes;
    for (const std::string& file : line.includes) {
        NamedText include{file, ""};
        if (!readScriptFile(file, include.text))
            return outcome;
        includes.push_back(std::move(include));
    }
    return runTest262(engine, includes, {name, text}, line.isModule);
}

static Outcome perform(Engine& engine, const CommandLine& line, const std::string& name, const std::string& text) {
    switch (line.action) {
    case Action::Check: return engine.check(text, name, line.isModule);
    case Action::DumpAst: return engine.dumpAst(text, name);
    case Action::DumpBytecode: return engine.dumpBytecode(text, name);
    case Action::Test262: return runConformanceTest(engine, line, name, text);
    default: break;
    }
    Outcome outcome =
        line.action == Action::Print ? engine.print(text, name) : engine.evaluate(text, name, line.isModule);
    if (outcome.status != RunStatus::Ok)
        return outcome;
    return engine.runLoop();
}

/// Ends the profile and writes it; says on standard error where it is.
static bool writeProfile(Engine& engine, Profiler& profiler, const CommandLine& line, const std::string& name) {
    Profile profile = profiler.stop();
    std::string text = renderProfile(profile, name, line.profile);
    int fd = open(line.profile.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool written = fd >= 0;
    for (size_t at = 0; written && at < text.size();) {
        ssize_t count = write(fd, text.data() + at, text.size() - at);
        written = count > 0;
        at += written ? size_t(count) : 0;
    }
    if (fd < 0 || (close(fd) != 0) || !written) {
        complain("cannot write the profile to '" + line.profile + "': " + std::strerror(errno));
        return false;
    }
    engine.vm().loop->err.write(
        "scr: profile of " + std::to_string(profile.ticks) + " samples: " + line.profile + "\n");
    return true;
}

int runScript(const CommandLine& line, const char* invokedAs) {
    std::string name, text;
    if (!readScript(line, name, text))
        return StatusFailed;
    Engine engine({line.memoryLimit, line.stackLimit, line.timeLimit, line.fuel});
    setOutOfMemoryPlace(describePlace, &engine.vm());
    setUp(engine, line, invokedAs);
    std::unique_ptr<Profiler> profiler;
    if (!line.profile.empty()) {
        profiler.reset(new Profiler(engine.vm()));
        if (!profiler->start()) {
            complain(std::string("cannot profile: ") + std::strerror(errno));
            return StatusFailed;
        }
    }
    installInterrupt(engine.vm());
    Outcome outcome = perform(engine, line, name, text);
    OutputStream& out = engine.vm().loop->out;
    if (line.action == Action::DumpAst || line.action == Action::DumpBytecode)
        out.write(outcome.value);
    // Whoever stops a program that only waits, and does not sit before it, wants no words.
    bool isQuiet = outcome.status == RunStatus::Interrupted && isIdle(engine.vm()) && !line.reportsJson
        && !engine.vm().loop->err.isTerminal();
    if (!outcome.message.empty() && !isQuiet)
        engine.vm().loop->err.write(outcome.message);
    if (line.explainShapes)
        engine.vm().loop->err.write(shapeReport(engine.vm()));
    if (profiler && !writeProfile(engine, *profiler, line, name) && !outcome.exitCode)
        outcome.exitCode = StatusFailed;
    if (line.reportsFuel)
        engine.vm().loop->err.write("fuel: " + std::to_string(engine.fuelUsed()) + " units\n");
#ifdef SCR_DEBUG
    if (line.reportsFuel)
        engine.vm().loop->err.write("allocations: " + std::to_string(allocationsCounted()) + "\n");
#endif
    if (outcome.status == RunStatus::Interrupted) {
        out.flush();
        engine.vm().loop->err.flush();
        dieBySignal(SIGINT);
    }
    out.flush();
    if (out.error()) {
        complain(std::string("cannot write to standard output: ") + std::strerror(out.error()));
        return StatusFailed;
    }
#if !SCR_ASAN
    // The process ends here: taking everything apart first would be lost time.
    _exit(outcome.exitCode);
#endif
    return outcome.exitCode;
}

}
