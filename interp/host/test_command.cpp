// The command `scr test`: every file runs in a process of its own, several at once; what they tell and print goes to a
// script (stdlib/test_parent.scr) that reports it, file by file in their order.
//
// Invariant: nothing of a file is given to the script before all files in front of it have ended and been reported.
#include "interp/host/test_command.h"
#include "interp/host/child.h"
#include "interp/host/run_script.h"
#include "interp/host/script_file.h"
#include "interp/host/test_files.h"
#include "runtime/builtins/console.h"
#include "runtime/builtins/native.h"
#include "runtime/loop/event_loop.h"
#include "stdlib/builtin_modules.h"
#include <csignal>
#include <cstring>
#include <deque>
#include <unistd.h>

namespace scr {

namespace {

/// What a file printed to one stream and nobody has reported yet.
struct Printed {
    static constexpr size_t Most = 16 << 20; ///< of a file whose turn has not come

    std::string bytes; ///< the first `gone` of them have been reported
    size_t gone = 0;
    u64 reported = 0, received = 0; ///< counted from the stream's begin
    u64 dropped = 0;

    void take(std::string_view text, bool isItsTurn) {
        received += text.size();
        size_t kept = bytes.size() - gone;
        size_t room = dropped ? 0 : isItsTurn ? text.size() : kept < Most ? Most - kept : 0;
        size_t length = std::min(text.size(), room);
        bytes += text.substr(0, length);
        dropped += text.size() - length; // and with it all that follows
    }
    std::string give(size_t length) {
        std::string given = bytes.substr(gone, length);
        gone += length;
        reported += length;
        if (gone > bytes.size() / 2) {
            bytes.erase(0, gone);
            gone = 0;
        }
        return given;
    }
};

/// A line of the channel: what had been printed before it, and an event.
struct Told {
    u64 out, err;
    std::string event;
};

struct TestFile {
    std::string path;
    Printed printed[2]; ///< standard output, standard error
    std::string line; ///< of the channel, not yet whole
    std::deque<Told> told;
    bool isStarted = false, isBegun = false, hasEnded = false;
    ChildEnd end;
    std::string problem; ///< why it could not be started
};

class TestCommand final : public ChildWatcher {
public:
    TestCommand(const CommandLine& line, const char* invokedAs, std::vector<std::string> paths);
    int run();

private:
    void childWrote(u32 child, int descriptor, std::string_view bytes) override;
    void childEnded(u32 child, const ChildEnd& end) override;
    void startFiles();
    void start(TestFile& file, u32 number);
    bool report();
    bool reportFile(TestFile& file);
    bool print(TestFile& file, int stream, u64 until, bool isLast);
    bool reportEnd(TestFile& file);
    bool tell(std::string_view function, std::initializer_list<Value> arguments, Value* result = nullptr);
    int fail();
    Value text(std::string_view bytes) { return Value::string(newUtf8(engine_.vm(), bytes)); }

    const CommandLine& line_;
    std::string program_;
    Engine engine_;
    std::vector<TestFile> files_;
    size_t next_ = 0; ///< the next file to be started
    size_t reported_ = 0; ///< so many have been, wholly
    u64 concurrency_;
    bool hasColors_ = false;
    Children children_{*this};
};

TestCommand::TestCommand(const CommandLine& line, const char* invokedAs, std::vector<std::string> paths)
    : line_(line)
    , program_(executablePath(invokedAs))
    , concurrency_(line.testConcurrency ? line.testConcurrency : processorCount()) {
    for (std::string& path : paths) {
        files_.emplace_back();
        files_.back().path = std::move(path);
    }
    EventLoop& loop = *engine_.vm().loop;
    loop.tests = testSettings(line);
    loop.tests.channel = -1;
    loop.out.onClosed = [] { _exit(0); };
    hasColors_ = wantsColors(loop.out);
    engine_.setArguments(program_, {});
}

/// Calls a function of the script. False: it threw, which only reporters of users do.
bool TestCommand::tell(std::string_view function, std::initializer_list<Value> arguments, Value* result) {
    Vm& vm = engine_.vm();
    auto exports = loadBuiltinModule(vm, "internal/test/parent");
    bool threw = exports.threw();
    if (!threw) {
        Value callee = lookup(vm, exports.value(), keyOf(internAscii(vm, function))).value;
        auto called = call(vm, callee, Value::undefined(), arguments.begin(), u32(arguments.size()));
        threw = called.threw();
        if (!threw && result)
            *result = called.value();
    }
    return vm.loop->afterScript(threw);
}

void TestCommand::childWrote(u32 child, int descriptor, std::string_view bytes) {
    TestFile& file = files_[child];
    if (descriptor != TestChannel) {
        file.printed[descriptor - 1].take(bytes, child == reported_);
        return;
    }
    for (size_t end; (end = bytes.find('\n')) != bytes.npos; bytes.remove_prefix(end + 1)) {
        file.line += bytes.substr(0, end);
        char* rest = nullptr;
        u64 out = std::strtoull(file.line.c_str(), &rest, 10);
        u64 err = std::strtoull(rest, &rest, 10);
        file.told.push_back({out, err, std::string(rest)});
        file.line.clear();
    }
    file.line += bytes;
}

void TestCommand::childEnded(u32 child, const ChildEnd& end) {
    files_[child].end = end;
    files_[child].hasEnded = true;
}

void TestCommand::start(TestFile& file, u32 number) {
    ChildRequest request;
    request.arguments = {program_};
    request.arguments.insert(request.arguments.end(), line_.options.begin(), line_.options.end());
    request.arguments.push_back(file.path);
    request.environment = {
        std::string(TestChannelVariable) + "=" + std::to_string(TestChannel) + (hasColors_ ? "c" : "")};
    request.extra = 1;
    request.timeLimit = line_.testTimeout;
    file.isStarted = true;
    file.hasEnded = !children_.start(number, request, file.problem);
}

void TestCommand::startFiles() {
    for (; next_ < files_.size() && children_.running() < concurrency_; next_++)
        start(files_[next_], u32(next_));
}

/// The whole lines of what was printed before `until`; at the end also what is no whole line.
bool TestCommand::print(TestFile& file, int stream, u64 until, bool isLast) {
    Printed& printed = file.printed[stream];
    std::string_view bytes = std::string_view(printed.bytes).substr(printed.gone);
    bytes = isLast ? bytes : bytes.substr(0, until > printed.reported ? until - printed.reported : 0);
    size_t length = isLast ? bytes.size() : bytes.rfind('\n') + 1; // npos + 1 is 0
    if (!length)
        return true;
    std::string shown = printed.give(length);
    if (shown.back() != '\n')
        shown += '\n';
    if (isLast && printed.dropped)
        shown += "scr: " + std::to_string(printed.dropped) + " bytes more are left out\n";
    return tell("print", {Value::boolean(stream == 1), text(shown)});
}

bool TestCommand::reportEnd(TestFile& file) {
    Value signal = Value::null();
    if (file.end.signal) {
        const char* name = sigabbrev_np(file.end.signal);
        signal = text(name ? std::string("SIG") + name : "signal " + std::to_string(file.end.signal));
    }
    double limit = file.end.timedOut ? double(line_.testTimeout) : 0;
    return tell("endFile",
        {Value::number(file.end.status), signal, Value::number(limit),
            Value::number(double(file.end.nanoseconds) / 1e6),
            file.problem.empty() ? Value::undefined() : text(file.problem)});
}

bool TestCommand::reportFile(TestFile& file) {
    if (!file.isBegun && !tell("beginFile", {text(file.path)}))
        return false;
    file.isBegun = true;
    while (!file.told.empty()) {
        Told told = std::move(file.told.front());
        file.told.pop_front();
        if (!print(file, 0, told.out, false) || !print(file, 1, told.err, false) || !tell("take", {text(told.event)}))
            return false;
    }
    for (int stream : {0, 1})
        if (!print(file, stream, file.printed[stream].received, file.hasEnded))
            return false;
    return !file.hasEnded || reportEnd(file);
}

/// All that can be reported in order. False: a reporter failed.
bool TestCommand::report() {
    while (reported_ < files_.size() && files_[reported_].isStarted) {
        TestFile& file = files_[reported_];
        if (!reportFile(file))
            return false;
        if (!file.hasEnded)
            break;
        file = TestFile(); // what it printed is not needed any more
        file.isStarted = file.hasEnded = true;
        reported_++;
    }
    engine_.vm().loop->out.flush();
    return true;
}

int TestCommand::fail() {
    EventLoop& loop = *engine_.vm().loop;
    loop.out.flush();
    loop.err.write(loop.report());
    return StatusFailed;
}

int TestCommand::run() {
    startFiles();
    while (children_.running()) {
        if (!children_.turn()) {
            report();
            engine_.vm().loop->err.write("scr: test: interrupted\n");
            children_.dieInterrupted();
        }
        startFiles();
        if (!report())
            return fail();
    }
    Value isWell;
    if (!report() || !tell("finish", {}, &isWell))
        return fail();
    Outcome outcome = engine_.runLoop(); // reporters may wait
    if (outcome.status != RunStatus::Ok)
        return fail();
    return isWell.asBoolean() ? outcome.exitCode : StatusFailed;
}

}

int runTestCommand(const CommandLine& line, const char* invokedAs) {
    std::vector<std::string> files;
    std::string missing;
    if (!findTestFiles(line.arguments, files, missing)) {
        complain("test: could not find '" + missing + "', or a file *.test.scr in it");
        return StatusFailed;
    }
    return TestCommand(line, invokedAs, std::move(files)).run();
}

}
