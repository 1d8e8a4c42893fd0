// The objects of --json, field by field. No script runs: properties that are no plain data are left out.
#include "interp/host/json_report.h"
#include "interp/host/hints.h"
#include "interp/vm/interpreter.h"
#include "runtime/builtins/inspect.h"
#include "runtime/core/stack_frames.h"
#include <cstdio>

namespace scr {

namespace {

constexpr int DeepestCause = 8;
constexpr u32 MostErrors = 100;

void appendText(std::string& out, std::string_view text) {
    out += '"';
    for (size_t i = 0; i < text.size(); i++) {
        char c = text[i];
        if (u8(c) == 0xED && i + 2 < text.size() && u8(text[i + 1]) >= 0xA0) { // a lone surrogate
            char escape[8];
            unsigned unit = 0xD000 | (u8(text[i + 1]) & 0x3F) << 6 | (u8(text[i + 2]) & 0x3F);
            std::snprintf(escape, sizeof escape, "\\u%04x", unit & 0xFFFF);
            out += escape;
            i += 2;
        } else if (c == '"' || c == '\\') {
            (out += '\\') += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (u8(c) < 0x20 || c == 0x7F) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", unsigned(u8(c)));
            out += escape;
        } else {
            out += c;
        }
    }
    out += '"';
}

/// An object under construction: fields in the order in which they are added.
class JsonObject {
public:
    void text(std::string_view name, std::string_view value) {
        begin(name);
        appendText(out_, value);
    }
    void textUnlessEmpty(std::string_view name, std::string_view value) {
        if (!value.empty())
            text(name, value);
    }
    void number(std::string_view name, u64 value) { raw(name, std::to_string(value)); }
    void raw(std::string_view name, std::string_view value) {
        begin(name);
        out_ += value;
    }
    std::string finish() const { return out_.empty() ? "{}" : out_ + "}"; }

private:
    void begin(std::string_view name) {
        out_ += out_.empty() ? "{" : ",";
        appendText(out_, name);
        out_ += ':';
    }
    std::string out_;
};

void addPlace(JsonObject& object, const ScriptSource& script, u32 begin, u32 end) {
    Source source(script.name, script.text);
    Position at = source.position(begin);
    object.text("file", script.name);
    object.number("line", at.line);
    object.number("column", at.column);
    if (end > begin && source.position(end).line == at.line)
        object.number("endColumn", source.position(end).column);
    constexpr size_t Longest = 1000;
    std::string_view line = source.line(begin);
    object.text("source", line.size() <= Longest ? line : line.substr(0, 0));
}

void addPlace(JsonObject& object, const ThrowPlace& place) {
    auto* code = static_cast<Code*>(place.code);
    if (const Place* where = code ? findPlace(code, place.word) : nullptr)
        addPlace(object, *code->script->source, where->point, where->point);
}

std::string stackOf(Vm& vm, const ErrorObject* error) {
    std::string list = "[";
    for (u32 i = 0; i < frameCountOf(error); i++) {
        StackFrame frame = frameOf(error, i);
        FramePlace place;
        JsonObject entry;
        if (!frame.isNative())
            vm.framePlaceHook(vm, frame.callee, frame.word, place);
        entry.text(
            "function", frame.isCombinator() ? "Promise." + functionNameOf(vm, frame) : functionNameOf(vm, frame));
        if (!place.file.empty()) {
            entry.text("file", place.file);
            entry.number("line", place.line);
            entry.number("column", place.column);
        }
        if (frame.isAsync)
            entry.raw("async", "true");
        if (frame.constructs())
            entry.raw("new", "true");
        list += (i ? "," : "") + entry.finish();
    }
    return list + "]";
}

class ErrorWriter {
public:
    explicit ErrorWriter(Vm& vm)
        : vm_(vm) { }
    void write(JsonObject& object, Value value, int depth);

private:
    Value data(Object* object, std::string_view name) {
        return lookup(vm_, object, keyFromAtom(internAscii(vm_, name))).dataValue();
    }
    std::string textOf(Object* object, std::string_view name) {
        Value value = data(object, name);
        return value.isString() ? toUtf8(vm_, value.asString()) : "";
    }
    std::string nested(Value value, int depth) {
        JsonObject object;
        write(object, value, depth);
        return object.finish();
    }
    void writeErrors(JsonObject& object, Value errors, int depth);
    Vm& vm_;
};

void ErrorWriter::write(JsonObject& object, Value value, int depth) {
    bool isError = value.isObject() && kindOf(value.asCell()) == Kind::Error;
    if (!isError) {
        object.text("message", inspect(vm_, value));
        return;
    }
    auto* error = static_cast<ErrorObject*>(value.asObject());
    if (DomException* exception = asDomException(value)) {
        object.text("name", toUtf8(vm_, exception->name.asString()));
        object.text("message", toUtf8(vm_, exception->message.asString()));
    } else {
        object.text("name", textOf(error, "name"));
        object.text("message", textOf(error, "message"));
    }
    object.textUnlessEmpty("code", textOf(error, "code"));
    object.raw("stack", stackOf(vm_, error));
    if (depth >= DeepestCause)
        return;
    Lookup cause = getOwnProperty(vm_, error, KEY(vm_, cause));
    if (cause.type == Lookup::Data)
        object.raw("cause", nested(cause.value, depth + 1));
    writeErrors(object, data(error, "errors"), depth);
}

void ErrorWriter::writeErrors(JsonObject& object, Value errors, int depth) {
    if (!errors.isObject() || kindOf(errors.asCell()) != Kind::Array)
        return;
    Elements& elements = static_cast<Array*>(errors.asObject())->elements_;
    std::string list = "[";
    for (u32 i = 0; i < elements.denseLength && i < MostErrors; i++)
        list +=
            (i ? "," : "") + nested(elements.dense()[i].isHole() ? Value::undefined() : elements.dense()[i], depth + 1);
    object.raw("errors", list + "]");
}

std::string line(const JsonObject& object) { return object.finish() + "\n"; }

std::string uncaught(Vm& vm, Value error, const ThrowPlace& given) {
    ThrowPlace place = knownPlace(vm, given);
    JsonObject object;
    bool isError = error.isObject() && kindOf(error.asCell()) == Kind::Error;
    bool isSyntax = isError && static_cast<ErrorObject*>(error.asObject())->unparsed;
    object.text("kind", isSyntax ? "syntax" : place.isRejection ? "rejection" : "uncaught");
    addPlace(object, place);
    ErrorWriter(vm).write(object, error, 0);
    auto* code = static_cast<Code*>(place.code);
    if (const Place* where = isError && code ? findPlace(code, place.word) : nullptr) {
        Hints hints = hintsOf(vm, error.asObject(), place, *where);
        std::string text = hints.value + (hints.value.empty() || hints.meant.empty() ? "" : "; ") + hints.meant;
        object.textUnlessEmpty("hint", text);
    }
    std::string armed = describeArming(vm, place.armed);
    object.textUnlessEmpty("armed", armed.substr(std::min(armed.size(), armed.find_first_not_of(' '))));
    return line(object);
}

std::string warning(Vm& vm, Object* given) {
    JsonObject object;
    object.text("kind", "warning");
    addPlace(object, placeOfError(Value::object(given)));
    ErrorWriter(vm).write(object, Value::object(given), 0);
    return line(object);
}

std::string unsettled(Vm& vm, Promise* promise) {
    JsonObject object;
    std::string text = reportUnsettled(vm, promise);
    object.text("kind", "unsettled");
    object.text("message", "Detected unsettled top-level await");
    object.text("report", text);
    return line(object);
}

}

void installJsonReports(Vm& vm) {
    vm.loop->describeUncaught = uncaught;
    vm.loop->describeWarning = warning;
    vm.loop->describeUnsettled = unsettled;
}

bool reportsJson(Vm& vm) { return vm.loop->describeWarning != nullptr; }

std::string jsonSyntaxError(const ScriptSource& source, const CompileError& error) {
    JsonObject object;
    constexpr std::string_view Name = "SyntaxError: ";
    std::string_view message = error.message;
    object.text("kind", "syntax");
    addPlace(object, source, error.begin, error.end);
    if (message.starts_with(Name))
        message.remove_prefix(Name.size());
    object.text("name", "SyntaxError");
    object.text("message", message);
    std::string hint = renderNotes(Source(source.name, source.text), error.notes);
    object.textUnlessEmpty("hint", std::string_view(hint).substr(0, hint.find_last_not_of('\n') + 1));
    return line(object);
}

std::string jsonLimit(Vm&, const ThrowPlace& place, const std::string& text) {
    JsonObject object;
    object.text("kind", "limit");
    addPlace(object, place);
    object.text("message", text);
    return line(object);
}

std::string jsonInterrupt(Vm& vm, const std::string& pending) {
    JsonObject object;
    object.text("kind", "interrupt");
    addPlace(object, {vm.thrownCode, vm.thrownWord, {}, false});
    object.text("message", "Interrupted");
    Value stack = vm.thrownValue;
    if (stack.isObject() && kindOf(stack.asCell()) == Kind::Error)
        object.raw("stack", stackOf(vm, static_cast<ErrorObject*>(stack.asObject())));
    object.textUnlessEmpty("pending", pending);
    return line(object);
}

std::string jsonComplaint(const std::string& text) {
    JsonObject object;
    object.text("kind", "host");
    object.text("message", text);
    return line(object);
}

}
