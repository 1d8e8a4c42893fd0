// Previews at the prompt: one line under a guard, in a child process.
#include "interp/repl/preview.h"
#include "grammar/parse.h"
#include "interp/compiler/compiler.h"
#include "interp/repl/evaluator.h"
#include "interp/repl/globals.h"
#include "interp/vm/interpreter.h"
#include "runtime/base/text_width.h"
#include "runtime/base/utf.h"
#include "runtime/builtins/effects.h"
#include "runtime/builtins/inspect.h"
#include "runtime/builtins/native.h"
#include "runtime/core/call.h"
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace scr {

// What a preview may use. The units are what bounds it on every machine alike; the time is for natives that charge
// little, and for a machine with much else to do.
static constexpr u64 MostFuel = 200000, MostMilliseconds = 20, MostBytes = 16 << 20;
/// How long the prompt waits for the child.
static constexpr int PatienceMilliseconds = 100;
static constexpr size_t MostText = 4096;
/// The tables of a process with more memory than this take too long to copy.
static constexpr u64 MostHeap = u64(512) << 20;

// ---- one line

static void appendEscaped(std::string& line, u32 character) {
    constexpr char digits[] = "0123456789abcdef";
    line += "\\x";
    line += digits[character >> 4];
    line += digits[character & 15];
}

static bool isControl(u32 character) { return character < 0x20 || (character >= 0x7F && character < 0xA0); }

/// The first line of `shown`, cut to fit, with nothing in it that a terminal would obey.
static std::string oneLine(std::string_view shown, size_t columns) {
    constexpr std::string_view more = "...";
    std::string line;
    size_t width = 0, fits = 0; // `fits`: bytes that leave room for `more`
    const u8* at = reinterpret_cast<const u8*>(shown.data());
    const u8* end = at + shown.size();
    while (at < end && *at != '\n') {
        const u8* begin = at;
        u32 character = decodeUtf8(at, end);
        size_t length = line.size();
        if (isControl(character))
            appendEscaped(line, character);
        else
            line.append(reinterpret_cast<const char*>(begin), size_t(at - begin));
        width += isControl(character) ? 4 : columnCount(std::string_view(line).substr(length));
        if (width > columns)
            return columns <= more.size() ? std::string() : line.substr(0, fits) + std::string(more);
        if (width + more.size() <= columns)
            fits = line.size();
    }
    return line;
}

// ---- evaluating

static std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    size_t begin = text.find_first_not_of(blanks);
    return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

/// Nothing to say about a text that is no script, and what waits never has a preview.
static bool isWhole(std::string_view text) {
    Arena arena;
    return text.size() <= MostText && bool(parse(Source("REPL", Evaluator::asEntered(text)), arena));
}

static Completion<Value> evaluateText(Vm& vm, std::string_view text) {
    Script* script = newScript(vm, "REPL", Evaluator::asEntered(text));
    CompileError error;
    Function* function = compileScript(vm, script, CompileGoal::Eval, error);
    if (!function)
        return Threw{};
    return call(vm, Value::object(function), Value::object(vm.realm->global.get()));
}

static Completion<std::string> showText(Vm& vm, std::string_view text) {
    Value value = TRY(evaluateText(vm, text));
    std::string shown;
    if (value.isUndefined())
        return shown;
    InspectOptions options;
    options.depth = 1;
    options.compact = InspectOptions::CompactAll;
    options.breakLength = HUGE_VAL;
    TRY(inspect(vm, value, options, shown));
    return shown;
}

static NativeEffect effectOf(NativeCode code) {
    return ReplGlobals::isRead(code) ? NativeEffect::None : effectOfNative(code);
}

std::string previewHere(Vm& vm, std::string_view text, size_t columns) {
    text = trimmed(text);
    if (text.empty() || vm.terminating() || vm.guard || !isWhole(text))
        return {};
    SideEffectGuard guard(vm, interpretWatched, effectOf);
    guard.limit(MostFuel, MostMilliseconds, MostBytes);
    Completion<std::string> shown = showText(vm, text);
    if (shown.threw() || vm.terminating() || guard.refused() || shown.value() == text)
        return {};
    return oneLine(shown.value(), columns);
}

// ---- in a child

/// What the text names and is loaded on first use: modules of the prompt, and globals that stand in modules. That runs
/// scripts of the program alone, and in the child nobody notices.
static void loadNames(Vm& vm, std::string_view text) {
    std::string entered = Evaluator::asEntered(text);
    ParseOptions options;
    options.wantsFreeNames = true;
    Arena arena;
    ParseResult parsed = parse(Source("REPL", entered), arena, options);
    for (const Identifier* name : parsed.freeNames) {
        Value word =
            utf8Value(vm, std::string_view(entered).substr(name->span.begin, name->span.end - name->span.begin));
        (void)ReplGlobals::peek(vm, getOwnProperty(vm, vm.realm->global, MUST(toPropertyKey(vm, word))));
    }
}

/// Nothing of it may reach the terminal, and it must not outlive the prompt.
[[noreturn]] static void runChild(Vm& vm, std::string_view text, size_t columns, int out) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int number : {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH, SIGCONT})
        signal(number, SIG_DFL);
    int nowhere = open("/dev/null", O_RDWR);
    for (int standard : {0, 1, 2})
        dup2(nowhere, standard);
    loadNames(vm, text);
    std::string shown = previewHere(vm, text, columns);
    for (size_t at = 0; at < shown.size();) {
        ssize_t written = write(out, shown.data() + at, shown.size() - at);
        if (written <= 0)
            break;
        at += size_t(written);
    }
    _exit(0);
}

/// What comes through the pipe until its end; nothing if that takes too long.
static std::string readAll(int in) {
    std::string result;
    char buffer[4096];
    for (;;) {
        pollfd waiting{in, POLLIN, 0};
        int ready = poll(&waiting, 1, PatienceMilliseconds);
        if (ready < 0 && errno == EINTR)
            continue;
        ssize_t count = ready > 0 ? read(in, buffer, sizeof buffer) : -1;
        if (count < 0)
            return {};
        if (count == 0)
            return result;
        result.append(buffer, size_t(count));
    }
}

std::string preview(Vm& vm, std::string_view text, size_t columns) {
    if (trimmed(text).empty() || !isWhole(text) || vm.heap.reservedBytes() > MostHeap)
        return {};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return {};
    pid_t child = fork();
    if (child == 0)
        runChild(vm, text, columns, ends[1]);
    close(ends[1]);
    std::string result;
    if (child > 0) {
        result = readAll(ends[0]);
        kill(child, SIGKILL);
        int status;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    close(ends[0]);
    return result;
}

}
