// Layout of what Node's REPL says about values and errors.
#include "interp/repl/display.h"
#include "interp/bytecode/bytecode.h"
#include "interp/host/report.h"
#include "runtime/core/stack_frames.h"
#include <algorithm>

namespace scr {

Completion<void> showResult(Vm& vm, Value value, bool colors, std::string& out) {
    InspectOptions options;
    options.showProxy = true;
    options.colors = colors;
    return inspect(vm, value, options, out);
}

// ---- errors

/// The body of a text of one line: whoever sees the prompt knows that place.
static bool isPrompt(const StackFrame& frame) {
    if (kindOf(frame.callee) != Kind::Function)
        return false;
    Code* code = static_cast<Function*>(frame.callee)->code();
    const ScriptSource& source = *code->script->source;
    return (code->infoFlags & CodeTopLevel) && source.name.starts_with("REPL")
        && source.text.find_last_not_of(" \n") < source.text.find('\n');
}

/// As Node does: the frame of the text itself, the last one, goes before anybody has seen the stack.
static void dropPrompt(Value error) {
    if (!error.isObject() || kindOf(error.asCell()) != Kind::Error)
        return;
    auto* object = static_cast<ErrorObject*>(error.asObject());
    u32 count = frameCountOf(object);
    if (count && object->slot(0).isHole() && isPrompt(frameOf(object, count - 1)))
        object->frameCount -= StackFrame::Words;
}

/// A line that begins "TypeError", "[DOMException [AbortError]" or the like.
static bool beginsWithName(std::string_view line) {
    size_t at = line.find("Error");
    if (at == line.npos)
        return false;
    std::string_view before = line.substr(0, at);
    if (before.starts_with('['))
        before.remove_prefix(1);
    auto isWord = [](char c) { return unsigned(c | 32) - 'a' < 26 || unsigned(c) - '0' < 10 || c == '_'; };
    for (char c : before)
        if (!isWord(c))
            return false;
    return before.empty() || (before[0] >= 'A' && before[0] <= 'Z');
}

/// "Uncaught" before the line that names the error, on a line of its own if that line is long.
static std::string withUncaught(std::string_view text) {
    constexpr size_t BreakLength = 80;
    std::string result;
    bool named = false;
    size_t lines = 0;
    for (size_t at = 0; at < text.size(); lines++) {
        size_t end = text.find('\n', at);
        std::string_view line = text.substr(at, end == text.npos ? end : end + 1 - at);
        if (!named && beginsWithName(line)) {
            named = true;
            result += line.size() <= BreakLength ? "Uncaught " : "Uncaught:\n";
        }
        result += line;
        at += line.size();
    }
    if (!named)
        result.insert(0, lines > 1 ? "Uncaught:\n" : "Uncaught ");
    return result + (result.ends_with('\n') ? "" : "\n");
}

/// Words that people type to leave, or to get help.
static std::string commandMeant(Vm& vm, Value error) {
    bool isError = error.isObject() && kindOf(error.asCell()) == Kind::Error;
    Value message = isError ? lookup(vm, error.asObject(), KEY(vm, message)).dataValue() : Value::undefined();
    std::string text = message.isString() ? toUtf8(vm, message.asString()) : "";
    if (text == "exit is not defined" || text == "quit is not defined")
        return "  to leave, type .exit or press Ctrl+D\n";
    return text == "help is not defined" ? "  .help lists the commands\n" : "";
}

/// Lines below it.
static std::string moreOf(Vm& vm, Value error, const ThrowPlace& place) {
    std::string text = commandMeant(vm, error), hints = errorHints(vm, error, place);
    for (size_t at = 0, end; at < hints.size(); at = end + 1) {
        end = std::min(hints.find('\n', at), hints.size());
        text += "  " + hints.substr(at, end - at) + "\n";
    }
    std::string armed = describeArming(vm, place.armed);
    return armed.empty() ? text : text + armed + "\n";
}

std::string showUncaught(Vm& vm, Value error, const ThrowPlace& place, bool colors) {
    dropPrompt(error);
    std::string text;
    if (showResult(vm, error, colors, text).threw()) {
        if (vm.terminating())
            return "";
        vm.pendingException = Value::undefined();
        text = inspect(vm, error);
    }
    // Without frames inspect puts brackets around it.
    bool isError = error.isObject() && kindOf(error.asCell()) == Kind::Error;
    if (isError && text.starts_with('[') && text.ends_with(']'))
        text = text.substr(1, text.size() - 2);
    return withUncaught(text) + moreOf(vm, error, place);
}

// ---- terminations

std::string showTermination(Vm& vm, u64 timeLimit, u64 fuel, Promise* waiting) {
    ThrowPlace place{vm.thrownCode, vm.thrownWord};
    if (vm.termination != Termination::Interrupt) {
        std::string report = reportLimit(vm, place, {timeLimit, fuel});
        report.pop_back();
        return report;
    }
    std::string text =
        "Uncaught:\nError [ERR_SCRIPT_EXECUTION_INTERRUPTED]: Script execution was interrupted by `SIGINT`\n";
    Value stack = vm.thrownValue;
    if (waiting)
        return text + waitingFrames(vm, waiting);
    if (stack.isObject() && kindOf(stack.asCell()) == Kind::Error)
        text += framesText(vm, static_cast<ErrorObject*>(stack.asObject())).substr(1) + "\n";
    return text;
}

}
