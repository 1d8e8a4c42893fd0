// Reports on standard error, in the form that Node made known.
#include "interp/host/report.h"
#include "grammar/diagnostic.h"
#include "interp/host/hints.h"
#include "interp/host/json_report.h"
#include "interp/vm/interpreter.h"
#include "runtime/builtins/inspect.h"
#include "runtime/loop/rejections.h"
#include <algorithm>
#include <cstdio>

namespace scr {

namespace {

const Place* find(const ThrowPlace& place) {
    auto* code = static_cast<Code*>(place.code);
    return code ? findPlace(code, place.word) : nullptr;
}

/// The excerpt, or nothing if nobody knows the place.
std::string head(const ThrowPlace& place, Span caret = {0, 0}) {
    const Place* where = find(place);
    if (!where)
        return "";
    if (!caret.length())
        caret = {where->point, where->point};
    const ScriptSource& script = *static_cast<Code*>(place.code)->script->source;
    if (script.isHidden)
        return "";
    return excerpt(Source(script.name, script.text), caret);
}

}

/// What its text has to say of a syntax error.
static std::string notesOf(Object* error) {
    auto* script = static_cast<Script*>(static_cast<ErrorObject*>(error)->unparsed.get());
    return script ? script->source->notes : "";
}

std::string errorHints(Vm& vm, Value error, const ThrowPlace& place) {
    bool isError = error.isObject() && kindOf(error.asCell()) == Kind::Error;
    const Place* where = isError ? find(place) : nullptr;
    std::string hints = where ? hintsOf(vm, error.asObject(), place, *where).text() : "";
    return isError ? hints + notesOf(error.asObject()) : "";
}

std::string reportPlace(const ThrowPlace& place) { return head(place); }

/// An assertion that failed is shown where the script makes it, not where node:assert throws.
static ThrowPlace placeOfAssertion(Value error, const ThrowPlace& place) {
    constexpr std::string_view Asserting = "node:assert";
    auto* code = static_cast<Code*>(place.code);
    if (!code || code->script->source->name != Asserting)
        return place;
    ThrowPlace made = placeOfError(error);
    return made.code ? made : place;
}

/// A function's name and the place, or the place alone for the body of a file and for functions without a name.
std::string describeInstruction(Vm& vm, const u64* pc) {
    Code* code = codeAt(vm, pc);
    if (!code || (code->infoFlags & CodeBuiltin))
        return "";
    ScriptSource& source = *code->script->source;
    const Place* place = findPlace(code, u32(pc - code->words));
    LineColumn at = lineColumn(source, place ? place->point : code->sourceBegin);
    std::string where = source.name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
    std::string name = code->name && !(code->infoFlags & CodeTopLevel) ? toUtf8(vm, code->name) : "";
    return name.empty() ? where : name + " (" + where + ")";
}

std::string describeArming(Vm& vm, const ArmPlace& armed) {
    std::string where = armed.kind == ArmPlace::None ? "" : describeInstruction(vm, armed.pc);
    if (where.empty())
        return "";
    const char* what = armed.kind == ArmPlace::Timeout ? "timer"
        : armed.kind == ArmPlace::Interval             ? "interval"
                                                       : "immediate";
    return std::string("  the ") + what + " was armed at " + where;
}

ThrowPlace knownPlace(Vm& vm, const ThrowPlace& place) {
    ThrowPlace known = place;
    Code* code = place.code ? nullptr : codeAt(vm, place.at);
    if (code && !(code->infoFlags & CodeBuiltin)) {
        known.code = code;
        known.word = u32(place.at - code->words);
    }
    return known;
}

static std::string stackOf(Vm& vm, Value object) {
    Completion<Value> stack = get(vm, object.asObject(), PropertyKey::atom(vm.names.stack));
    return !stack.threw() && stack.value().isString() ? toUtf8(vm, stack.value().asString()) : "";
}

/// Into the text of an error that an emitter threw, behind its stack: where the event was emitted.
static void addEmission(Vm& vm, Value error, std::string& text) {
    const EventLoop::Emission& emission = vm.loop->emission;
    if (!emission.error.isObject() || emission.error.bits() != error.bits())
        return;
    std::string stack = stackOf(vm, error);
    std::vector<std::string> frames = stackLines(stackOf(vm, emission.capture));
    if (stack.empty() || !text.starts_with(stack) || frames.size() < 2)
        return;
    frames.erase(frames.begin());
    if (SharedRun run = findSharedRun(frames, stackLines(stack)); run.length)
        cutSharedRun(frames, run, "    [... lines matching original stack trace ...]");
    std::string lines = "\n" + toUtf8(vm, emission.head.asString());
    for (const std::string& frame : frames)
        lines += "\n" + frame;
    text.insert(stack.size(), lines);
}

std::string reportUncaught(Vm& vm, Value error, const ThrowPlace& given) {
    ThrowPlace place = knownPlace(vm, given);
    bool isError = error.isObject() && kindOf(error.asCell()) == Kind::Error;
    Hints hints;
    if (const Place* where = isError ? find(place) : nullptr)
        hints = hintsOf(vm, error.asObject(), place, *where);
    std::string text = head(placeOfAssertion(error, place), hints.caret);
    // The process looks deeper into what ends it than console.log does, and at the thing itself.
    InspectOptions options;
    options.depth = 5;
    options.customInspect = false;
    text += hints.text() + (isError ? notesOf(error.asObject()) : "");
    if (!text.empty())
        text += "\n";
    std::string shown = inspect(vm, error, options);
    addEmission(vm, error, shown);
    text += (isError ? "" : "Uncaught ") + shown + "\n";
    if (std::string armed = describeArming(vm, place.armed); !armed.empty())
        text += armed + "\n";
    return text + "\n";
}

std::string reportSyntaxError(const ScriptSource& source, const CompileError& error) {
    Source text(source.name, source.text);
    return excerpt(text, Span{error.begin, error.end}) + renderNotes(text, error.notes) + "\n" + error.message + "\n\n";
}

static std::string memoryText(u64 bytes) {
    return bytes % (1 << 20) == 0 ? std::to_string(bytes >> 20) + " MiB" : std::to_string(bytes) + " bytes";
}

static std::string limitText(Vm& vm, const LimitValues& values) {
    std::string text = "the script reached its ";
    switch (vm.termination) {
    case Termination::TimeLimit: return text + "time limit of " + std::to_string(values.time / 1000000) + " ms";
    case Termination::Fuel: return text + "fuel limit of " + std::to_string(values.fuel) + " units";
    case Termination::OutOfMemory: return "out of memory";
    default: return text + "memory limit of " + memoryText(vm.heap.memoryLimit());
    }
}

std::string reportLimit(Vm& vm, const ThrowPlace& place, const LimitValues& values) {
    std::string text = head(place), where;
    if (const Place* known = find(place)) {
        ScriptSource& source = *static_cast<Code*>(place.code)->script->source;
        LineColumn at = lineColumn(source, known->point);
        where = " (" + source.name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ")";
    }
    if (reportsJson(vm))
        return jsonLimit(vm, place, limitText(vm, values));
    return text + (text.empty() ? "" : "\n") + "scr: " + limitText(vm, values) + where + "\n\n";
}

size_t describePlace(void* context, char* text, size_t size) {
    Vm& vm = *static_cast<Vm*>(context);
    if (!vm.base || !vm.pc)
        return 0;
    Code* code = codeOf(vm.base);
    const Place* place = findPlace(code, u32(vm.pc - code->words));
    if (!place)
        return 0;
    const ScriptSource& source = *code->script->source;
    u32 line = 1, column = 1;
    for (u32 i = 0; i < place->point && i < source.text.size(); i++) {
        bool isLine = source.text[i] == '\n';
        line += isLine;
        column = isLine ? 1 : column + ((source.text[i] & 0xC0) != 0x80);
    }
    int length = std::snprintf(text, size, " (%s:%u:%u)", source.name.c_str(), line, column);
    return length < 0 ? 0 : std::min(size_t(length), size - 1);
}

}
