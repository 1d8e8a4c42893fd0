// The command: reads the script, runs it, prints what went wrong, ends with the right status.
#include "grammar/source.h"
#include "interp/host/cli.h"
#include "interp/host/engine.h"
#include "interp/host/profile_output.h"
#include "interp/host/report.h"
#include "interp/host/test262.h"
#include "interp/vm/shape_report.h"
#include "runtime/base/version.h"
#include "runtime/heap/allocator.h"
#include "runtime/loop/event_loop.h"
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scr {

namespace {

constexpr int StatusFailed = 1, StatusUsage = 9;

void complain(const std::string& text) {
    std::string line = "scr: " + text + "\n";
    OutputStream(2).write(line);
}

void print(const std::string& text) { OutputStream(1).write(text); }

// ---- reading the script

bool readAll(int fd, std::string& text) {
    char buffer[64 * 1024];
    for (;;) {
        ssize_t count = read(fd, buffer, sizeof buffer);
        if (count == 0)
            return true;
        if (count > 0)
            text.append(buffer, size_t(count));
        else if (errno != EINTR)
            return false;
    }
}

bool readFile(const std::string& name, std::string& text) {
    int fd = open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        complain("cannot open '" + name + "': " + std::strerror(errno));
        return false;
    }
    struct stat info;
    bool folder = fstat(fd, &info) == 0 && S_ISDIR(info.st_mode);
    bool read = !folder && readAll(fd, text);
    int error = errno;
    close(fd);
    if (!read)
        complain("cannot read '" + name + "': " + std::strerror(folder ? EISDIR : error));
    return read;
}

/// The length of the well-formed UTF-8 sequence at `text`, 0 if there is none (Unicode 15, table 3-7).
size_t sequenceLength(std::string_view text) {
    auto byte = [&](size_t i) { return i < text.size() ? u8(text[i]) : 0; };
    auto follows = [&](size_t i, u8 low = 0x80, u8 high = 0xBF) { return byte(i) >= low && byte(i) <= high; };
    u8 first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF)
        return follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
    if (first >= 0xF0 && first <= 0xF4)
        return follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
    return 0;
}

/// Without the byte order mark in front.
void dropMark(std::string& text) {
    if (text.starts_with("\xEF\xBB\xBF"))
        text.erase(0, 3);
}

/// Scripts are UTF-8 text. Says where this one is not.
bool checkText(const std::string& name, const std::string& text) {
    unsigned line = 1;
    size_t lineStart = 0;
    for (size_t i = 0; i < text.size();) {
        size_t length = sequenceLength(std::string_view(text).substr(i));
        if (!length && text.find('\0') != text.npos) { // alone, NUL is a character that strings may contain
            complain("'" + name + "' is a binary file, not a script");
            return false;
        }
        if (!length) {
            char hex[8];
            std::snprintf(hex, sizeof hex, "0x%02X", u8(text[i]));
            complain(name + ":" + std::to_string(line) + ":" + std::to_string(i - lineStart + 1) + ": the byte " + hex
                + " is not valid UTF-8");
            return false;
        }
        if (text[i] == '\n') {
            line++;
            lineStart = i + 1;
        }
        i += length;
    }
    return true;
}

bool readScript(const CommandLine& line, std::string& name, std::string& text) {
    switch (line.from) {
    case CommandLine::From::Code:
        name = "[eval]";
        text = line.code;
        break;
    case CommandLine::From::Stdin:
        name = "[stdin]";
        if (!readAll(0, text)) {
            complain(std::string("cannot read standard input: ") + std::strerror(errno));
            return false;
        }
        break;
    case CommandLine::From::File:
        name = line.file;
        if (!readFile(name, text))
            return false;
        break;
    }
    if (!checkText(name, text))
        return false;
    dropMark(text);
    return true;
}

// ---- running it

std::string executablePath(const char* invokedAs) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    return length > 0 ? std::string(path, size_t(length)) : std::string(invokedAs);
}

std::string absolute(const std::string& name) {
    char* path = realpath(name.c_str(), nullptr);
    std::string result = path ? path : name;
    std::free(path);
    return result;
}

RejectionMode rejectionMode(std::string_view name) {
    return name == "strict"              ? RejectionMode::Strict
        : name == "warn"                 ? RejectionMode::Warn
        : name == "none"                 ? RejectionMode::None
        : name == "warn-with-error-code" ? RejectionMode::WarnWithErrorCode
                                         : RejectionMode::Throw;
}

void setUp(Engine& engine, const CommandLine& line, const char* invokedAs) {
    std::vector<std::string> arguments = line.arguments;
    if (line.from != CommandLine::From::Code)
        arguments.insert(arguments.begin(), line.from == CommandLine::From::Stdin ? "-" : absolute(line.file));
    EventLoop& loop = *engine.vm().loop;
    loop.program.invokedAs = invokedAs;
    loop.program.options = line.options;
    loop.rejectionMode = rejectionMode(line.rejections);
    const char* silent = std::getenv("NODE_NO_WARNINGS");
    loop.warnings = {line.noWarnings || (silent && std::string_view(silent) == "1"), line.traceWarnings,
        line.noDeprecation, line.throwDeprecation, line.traceDeprecation};
    engine.setArguments(executablePath(invokedAs), arguments);
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
Outcome runConformanceTest(Engine& engine, const CommandLine& line, const std::string& name, const std::string& text) {
    Outcome outcome;
    outcome.exitCode = StatusFailed;
    std::vector<NamedText> includes;
    for (const std::string& file : line.includes) {
        NamedText include{file, ""};
        if (!readFile(file, include.text) || !checkText(file, include.text))
            return outcome;
        dropMark(include.text);
        includes.push_back(std::move(include));
    }
    return runTest262(engine, includes, {name, text}, line.isModule);
}

Outcome perform(Engine& engine, const CommandLine& line, const std::string& name, const std::string& text) {
    switch (line.action) {
    case Action::Check: return engine.check(text, name, line.isModule);
    case Action::DumpAst: return engine.dumpAst(text, name);
    case Action::DumpBytecode: return engine.dumpBytecode(text, name);
    case Action::Test262: return runConformanceTest(engine, line, name, text);
    default: break;
    }
    if (line.action == Action::Print)
        engine.defineSurroundings();
    Outcome outcome =
        line.action == Action::Print ? engine.evaluateValue(text, name) : engine.evaluate(text, name, line.isModule);
    if (outcome.status != RunStatus::Ok)
        return outcome;
    if (line.action == Action::Print)
        engine.vm().loop->out.write(outcome.value + "\n");
    return engine.runLoop();
}

/// Ends the profile and writes it; says on standard error where it is.
bool writeProfile(Engine& engine, Profiler& profiler, const CommandLine& line, const std::string& name) {
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
    Outcome outcome = perform(engine, line, name, text);
    OutputStream& out = engine.vm().loop->out;
    if (line.action == Action::DumpAst || line.action == Action::DumpBytecode)
        out.write(outcome.value);
    if (!outcome.message.empty())
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

}

int main(int argc, char** argv) {
    using namespace scr;
    std::signal(SIGPIPE, SIG_IGN);
    installOutOfMemory();
    CommandLine line = parseCommandLine(argc, argv, isatty(0));
    const char* invokedAs = argc > 0 ? argv[0] : "scr";
    if (!line.error.empty()) {
        complain(line.error + "\n(scr --help lists the options)");
        return StatusUsage;
    }
    switch (line.action) {
    case Action::Help: print(helpText()); return 0;
    case Action::Version: print("scr " + std::string(Version) + "\n"); return 0;
    case Action::Interactive:
    case Action::Usage:
        complain("there is no interactive mode in this version: name a script, or pipe one in\n(scr --help lists the "
                 "options)");
        return StatusUsage;
    default: return runScript(line, invokedAs);
    }
}
