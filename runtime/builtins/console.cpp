// console, as Node 20 has it: methods that need no receiver, groups, counters, stopwatches. What a method prints goes
// through the loop's streams; the colours of values are chosen by stream.
#include "runtime/builtins/console.h"
#include "runtime/base/utf.h"
#include "runtime/builtins/process_support.h"
#include "runtime/core/number.h"
#include "runtime/loop/event_loop.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace scr {

// ---- state: an array that no script sees. Counters and stopwatches are objects without prototype.

enum ConsoleSlot : u32 { Counters, Stopwatches, Indentation, OutColors, ErrorColors, SlotCount };

Object* makeConsoleState(Vm& vm, Object*) {
    Value slots[SlotCount] = {Value::object(newObject(vm, nullptr)), Value::undefined(), Value::int32(0)};
    slots[Stopwatches] = Value::object(newObject(vm, nullptr));
    return newArrayFrom(vm, slots, SlotCount);
}

static Value& consoleSlot(Vm& vm, ConsoleSlot slot) {
    return vm.realm->intrinsic(vm, Intrinsic::ConsoleState)->elements()->dense()[slot];
}

/// The console's prototype is an empty object of its own (console.spec.whatwg.org).
Object* makeConsole(Vm& vm, Object* objectPrototype) { return newObject(vm, newObject(vm, objectPrototype, 0), 0); }

// ---- writing

Result console_log(Vm& vm, Args args);
Result console_warn(Vm& vm, Args args);
Result console_error(Vm& vm, Args args);

bool wantsColors(OutputStream& stream) {
    auto isSet = [](const char* text) { return text && *text; };
    if (const char* forced = std::getenv("FORCE_COLOR"))
        return std::string_view(forced) != "0";
    const char* terminal = std::getenv("TERM");
    return stream.isTerminal() && !isSet(std::getenv("NO_COLOR"))
        && !(terminal && std::string_view(terminal) == "dumb");
}

static OutputStream& streamOf(Vm& vm, ConsoleStream stream) {
    return stream == ConsoleStream::Out ? vm.loop->out : vm.loop->err;
}

InspectOptions consoleOptions(Vm& vm, ConsoleStream stream) {
    Value& colors = consoleSlot(vm, stream == ConsoleStream::Out ? OutColors : ErrorColors);
    if (colors.isUndefined()) // asked once: the environment does not change
        colors = Value::boolean(wantsColors(streamOf(vm, stream)));
    InspectOptions options = defaultInspectOptions(vm);
    if (colors.isTrue())
        options.set(InspectOption::Colors, colors);
    return options;
}

/// The write that a script has put in place of process.stdout's (or stderr's); undefined if it has not. `self` is its
/// receiver then.
static Value replacedWrite(Vm& vm, ConsoleStream stream, Value& self) {
    Object* process = vm.realm->intrinsics[size_t(Intrinsic::Process)];
    if (LIKELY(!process))
        return Value::undefined();
    bool out = stream == ConsoleStream::Out;
    Lookup own = getOwnProperty(vm, process, asciiKey(vm, out ? "stdout" : "stderr"));
    if (!own.value.isObject() || own.isAccessor())
        return Value::undefined();
    Lookup write = lookup(vm, own.value.asObject(), asciiKey(vm, "write"));
    if (!isCallable(write.dataValue()))
        return Value::undefined();
    auto* function = static_cast<NativeFunction*>(write.value.asObject());
    if (kindOf(function) == Kind::NativeFunction && function->code == (out ? process_writeOut : process_writeError))
        return Value::undefined();
    self = own.value;
    return write.value;
}

/// Text in which surrogates stand alone, as bytes that are valid.
static std::string validUtf8(std::string text) {
    // A surrogate in three bytes begins with 0xED and goes on above 0x9F.
    for (size_t i = 0; i + 2 < text.size(); i++)
        if (u8(text[i]) == 0xED && u8(text[i + 1]) > 0x9F)
            text.replace(i, 3, "\xEF\xBF\xBD");
    return text;
}

Completion<void> consoleWrite(Vm& vm, ConsoleStream stream, std::string text) {
    text = validUtf8(std::move(text));
    size_t indentation = size_t(consoleSlot(vm, Indentation).asInt());
    if (indentation) {
        text.insert(0, indentation, ' ');
        for (size_t i = text.find('\n'); i != text.npos; i = text.find('\n', i + 1))
            text.insert(i + 1, indentation, ' ');
    }
    text += '\n';
    Value self;
    Value write = replacedWrite(vm, stream, self);
    if (write.isUndefined()) {
        streamOf(vm, stream).write(text);
        return {};
    }
    // As in Node, what it throws is dropped.
    if (call(vm, write, self, utf8Value(vm, text)).threw() && vm.terminating())
        return Threw{};
    return {};
}

/// The commonest call: one ASCII string outside of any group.
static bool writePlain(Vm& vm, ConsoleStream stream, Args args) {
    if (args.count != 1 || !args[0].isString() || consoleSlot(vm, Indentation).asInt())
        return false;
    String* string = args[0].asString();
    if (string->isRope() || string->isWide() || !isAscii(string->latin1(), string->length))
        return false;
    Value self;
    if (!replacedWrite(vm, stream, self).isUndefined())
        return false;
    OutputStream& out = streamOf(vm, stream);
    if (string->length < 512) {
        char line[512];
        memcpy(line, string->latin1(), string->length);
        line[string->length] = '\n';
        out.write({line, string->length + 1});
    } else {
        out.write({reinterpret_cast<const char*>(string->latin1()), string->length});
        out.write("\n");
    }
    return true;
}

static Completion<void> print(Vm& vm, ConsoleStream stream, Args args) {
    if (writePlain(vm, stream, args))
        return {};
    std::string text;
    TRY(formatArguments(vm, args.values, args.count, consoleOptions(vm, stream), text));
    return consoleWrite(vm, stream, std::move(text));
}

Completion<void> consolePrint(Vm& vm, std::string_view method, Array* list) {
    ConsoleStream stream = method == "log" ? ConsoleStream::Out : ConsoleStream::Error;
    Object* console = vm.realm->intrinsic(vm, Intrinsic::Console);
    Value function = TRY(get(vm, console, asciiKey(vm, method)));
    NativeCode usual = method == "log" ? console_log : method == "warn" ? console_warn : console_error;
    bool replaced = !function.isObject() || kindOf(function.asObject()) != Kind::NativeFunction
        || static_cast<NativeFunction*>(function.asObject())->code != usual;
    if (replaced) {
        std::vector<Value> arguments(list->elements_.dense(), list->elements_.dense() + list->length());
        TRY(call(vm, function, Value::object(console), arguments.data(), u32(arguments.size())));
        return {};
    }
    std::string text;
    TRY(formatArguments(vm, list->elements_.dense(), list->length(), consoleOptions(vm, stream), text));
    return consoleWrite(vm, stream, std::move(text));
}

static Result printOut(Vm& vm, Args args) {
    TRY(print(vm, ConsoleStream::Out, args));
    return Value::undefined();
}
static Result printError(Vm& vm, Args args) {
    TRY(print(vm, ConsoleStream::Error, args));
    return Value::undefined();
}

Result console_log(Vm& vm, Args args) { return printOut(vm, args); }
Result console_info(Vm& vm, Args args) { return printOut(vm, args); }
Result console_debug(Vm& vm, Args args) { return printOut(vm, args); }
Result console_dirxml(Vm& vm, Args args) { return printOut(vm, args); }
Result console_error(Vm& vm, Args args) { return printError(vm, args); }
Result console_warn(Vm& vm, Args args) { return printError(vm, args); }

Result console_dir(Vm& vm, Args args) {
    InspectOptions options = consoleOptions(vm, ConsoleStream::Out);
    options.set(InspectOption::CustomInspect, Value::boolean(false));
    options = TRY(inspectOptionsFrom(vm, args[1], options));
    std::string text;
    TRY(inspect(vm, args[0], options, text));
    TRY(consoleWrite(vm, ConsoleStream::Out, std::move(text)));
    return Value::undefined();
}

Result console_assert(Vm& vm, Args args) {
    if (toBoolean(args[0]))
        return Value::undefined();
    Array* list = args.count > 1 ? newArrayFrom(vm, args.values + 1, args.count - 1) : newArray(vm, 1);
    StringBuilder text(vm);
    text.appendAscii("Assertion failed");
    if (args.count > 1) {
        text.appendAscii(": ");
        text.append(TRY(toString(vm, args[1])));
    }
    Value first = Value::string(TRY(text.finish()));
    if (args.count > 1)
        list->elements_.dense()[0] = first;
    else
        TRY(pushDense(vm, list->elements_, first));
    TRY(consolePrint(vm, "warn", list));
    return Value::undefined();
}

Result console_trace(Vm& vm, Args args) {
    std::string message;
    TRY(formatArguments(vm, args.values, args.count, consoleOptions(vm, ConsoleStream::Error), message));
    ErrorObject* error = newError(vm, Intrinsic::ErrorPrototype, newUtf8(vm, message));
    vm.captureStackHook(vm, error, args.callee());
    defineDirect(vm, error, KEY(vm, name), asciiValue(vm, "Trace"), HiddenAttributes);
    Value stack = TRY(get(vm, error, KEY(vm, stack)));
    TRY(consolePrint(vm, "error", newArrayFrom(vm, &stack, 1)));
    return Value::undefined();
}

Result console_clear(Vm& vm, Args) {
    OutputStream& out = vm.loop->out;
    const char* terminal = std::getenv("TERM");
    if (out.isTerminal() && !(terminal && std::string_view(terminal) == "dumb"))
        out.write("\x1b[1;1H\x1b[0J");
    return Value::undefined();
}

/// For the timeline of an inspector, as in Node: without one they do nothing.
Result console_profile(Vm&, Args) { return Value::undefined(); }
Result console_profileEnd(Vm&, Args) { return Value::undefined(); }
Result console_timeStamp(Vm&, Args) { return Value::undefined(); }

// ---- groups

static constexpr i32 IndentationStep = 2;

Result console_group(Vm& vm, Args args) {
    if (args.count)
        TRY(consolePrint(vm, "log", newArrayFrom(vm, args.values, args.count)));
    Value& indentation = consoleSlot(vm, Indentation);
    if (indentation.asInt() < 1 << 20)
        indentation = Value::int32(indentation.asInt() + IndentationStep);
    return Value::undefined();
}
Result console_groupCollapsed(Vm& vm, Args args) { return console_group(vm, args); }

Result console_groupEnd(Vm& vm, Args) {
    Value& indentation = consoleSlot(vm, Indentation);
    if (indentation.asInt() > 0)
        indentation = Value::int32(indentation.asInt() - IndentationStep);
    return Value::undefined();
}

// ---- counters and stopwatches

static Completion<PropertyKey> labelOf(Vm& vm, Value label) {
    if (label.isUndefined())
        return keyOf(vm.names.default_);
    return keyFromAtom(TRY(internString(vm, TRY(toString(vm, label)))));
}
static std::string labelText(Vm& vm, PropertyKey label) { return toUtf8(vm, keyToValue(vm, label).asString()); }

static Completion<void> warn(Vm& vm, const std::string& text) {
    Value message = utf8Value(vm, text);
    Value process = TRY(get(vm, vm.realm->global, PropertyKey::atom(internAscii(vm, "process"))));
    TRY(invoke(vm, process, PropertyKey::atom(internAscii(vm, "emitWarning")), &message, 1));
    return {};
}

Result console_count(Vm& vm, Args args) {
    PropertyKey label = TRY(labelOf(vm, args[0]));
    Object* counters = consoleSlot(vm, Counters).asObject();
    Lookup own = getOwnProperty(vm, counters, label);
    double count = own.found() ? own.value.asNumber() + 1 : 1;
    TRY(createDataProperty(vm, counters, label, Value::number(count)));
    NumberBuffer buffer;
    Value line = utf8Value(vm, labelText(vm, label) + ": " + std::string(numberText(count, buffer)));
    TRY(consolePrint(vm, "log", newArrayFrom(vm, &line, 1)));
    return Value::undefined();
}

Result console_countReset(Vm& vm, Args args) {
    // Node looks for the label as it is given: only strings are found.
    bool comparable = args[0].isUndefined() || args[0].isString();
    PropertyKey label = TRY(labelOf(vm, args[0]));
    Object* counters = consoleSlot(vm, Counters).asObject();
    if (comparable && getOwnProperty(vm, counters, label).found())
        TRY(deleteProperty(vm, counters, label));
    else
        TRY(warn(vm, "Count for '" + labelText(vm, label) + "' does not exist"));
    return Value::undefined();
}

static std::string fixed(double number, const char* format) {
    char text[48];
    snprintf(text, sizeof text, format, number);
    return text;
}

/// As short as it can be told: 1.5ms, 2.345s, 1:02.345 (m:ss.mmm), 1:02:03.456 (h:mm:ss.mmm).
static std::string durationText(double milliseconds) {
    if (milliseconds < 1000) {
        NumberBuffer buffer;
        return std::string(numberText(std::strtod(fixed(milliseconds, "%.3f").c_str(), nullptr), buffer)) + "ms";
    }
    double hours = std::floor(milliseconds / 3600000);
    milliseconds -= hours * 3600000;
    double minutes = std::floor(milliseconds / 60000);
    milliseconds -= minutes * 60000;
    std::string seconds = fixed(milliseconds / 1000, hours || minutes ? "%06.3f" : "%.3f");
    if (!hours && !minutes)
        return seconds + "s";
    if (!hours)
        return fixed(minutes, "%.0f:") + seconds + " (m:ss.mmm)";
    return fixed(hours, "%.0f:") + fixed(minutes, "%02.0f:") + seconds + " (h:mm:ss.mmm)";
}

/// (milliseconds): how timeEnd tells a duration.
Result internal_durationText(Vm& vm, Args args) { return asciiValue(vm, durationText(args[0].asNumber())); }

Result console_time(Vm& vm, Args args) {
    PropertyKey label = TRY(labelOf(vm, args[0]));
    Object* stopwatches = consoleSlot(vm, Stopwatches).asObject();
    if (getOwnProperty(vm, stopwatches, label).found())
        TRY(warn(vm, "Label '" + labelText(vm, label) + "' already exists for console.time()"));
    else
        TRY(createDataProperty(vm, stopwatches, label, Value::number(vm.loop->nanoseconds())));
    return Value::undefined();
}

/// "label: 1.5ms data...". False: nobody started that stopwatch.
static Completion<bool> printTime(Vm& vm, PropertyKey label, std::string_view method, Args args) {
    double now = double(vm.loop->nanoseconds());
    Lookup own = getOwnProperty(vm, consoleSlot(vm, Stopwatches).asObject(), label);
    if (!own.found()) {
        TRY(warn(vm, "No such label '" + labelText(vm, label) + "' for console." + std::string(method) + "()"));
        return false;
    }
    Value time = asciiValue(vm, durationText((now - own.value.asNumber()) / 1e6));
    Array* list = newArray(vm, 4);
    TRY(pushDense(vm, list->elements_, asciiValue(vm, "%s: %s")));
    TRY(pushDense(vm, list->elements_, keyToValue(vm, label)));
    TRY(pushDense(vm, list->elements_, time));
    for (u32 i = 1; i < args.count; i++)
        TRY(pushDense(vm, list->elements_, args[i]));
    TRY(consolePrint(vm, "log", list));
    return true;
}

Result console_timeEnd(Vm& vm, Args args) {
    PropertyKey label = TRY(labelOf(vm, args[0]));
    if (TRY(printTime(vm, label, "timeEnd", Args{args.values, 0})))
        TRY(deleteProperty(vm, consoleSlot(vm, Stopwatches).asObject(), label));
    return Value::undefined();
}

Result console_timeLog(Vm& vm, Args args) {
    TRY(printTime(vm, TRY(labelOf(vm, args[0])), "timeLog", args));
    return Value::undefined();
}

}
