// The natives behind require("internal"), which only the scripts of stdlib see: Node's errors, and tests of what a
// value is. Their arguments are what those scripts give, never a user's mistake.
#include "runtime/base/text_width.h"
#include "runtime/builtins/argument_error.h"
#include "runtime/builtins/console.h"
#include "runtime/builtins/timer_support.h"
#include "runtime/core/call_site.h"
#include "runtime/core/proxy.h"
#include "runtime/loop/event_loop.h"
#include <cstdio>
#include <ctime>

namespace scr {

Completion<Object*> builtinModule(Vm& vm, std::string_view name) {
    if (LIKELY(vm.builtinModuleHook != nullptr))
        return vm.builtinModuleHook(vm, name);
    return throwText(vm, Intrinsic::TypeErrorPrototype, "No such built-in module: " + std::string(name));
}

static Completion<std::string> text(Vm& vm, Value value) { return toUtf8(vm, TRY(toString(vm, value))); }

/// (name, expected, value): ERR_INVALID_ARG_TYPE.
Result internal_throwArgumentType(Vm& vm, Args args) {
    std::string name = TRY(text(vm, args[0])), expected = TRY(text(vm, args[1]));
    return throwArgumentType(vm, name, expected, args[2]);
}

/// (name, range, value): ERR_OUT_OF_RANGE.
Result internal_throwOutOfRange(Vm& vm, Args args) {
    std::string name = TRY(text(vm, args[0])), range = TRY(text(vm, args[1]));
    return throwOutOfRange(vm, name, range, args[2]);
}

/// (prototype's class, code, message): an error as Node's own are, with `code` behind its name in the stack.
Result internal_codedError(Vm& vm, Args args) {
    std::string kind = TRY(text(vm, args[0])), code = TRY(text(vm, args[1]));
    Intrinsic prototype = kind == "TypeError" ? Intrinsic::TypeErrorPrototype
        : kind == "RangeError"                ? Intrinsic::RangeErrorPrototype
                                              : Intrinsic::ErrorPrototype;
    return Value::object(newCodedError(vm, prototype, code, TRY(toString(vm, args[2]))));
}

/// (object, symbol, value): an own property, whatever the prototypes have.
Result internal_setOwn(Vm& vm, Args args) {
    Object* object = TRY(toObject(vm, args[0]));
    PropertyKey key = TRY(toPropertyKey(vm, args[1]));
    if (LIKELY(!isProxy(object) && object->isExtensible() && !getOwnProperty(vm, object, key).found()))
        defineDirect(vm, object, key, args[2], AllAttributes);
    else
        TRY(put(vm, args[0], key, args[2]));
    return Value::undefined();
}

/// (error, head, capture): EventLoop::emission.
Result internal_noteEmission(Vm& vm, Args args) {
    vm.loop->emission = {args[0], args[1], args[2]};
    return Value::undefined();
}

/// Whether a value is an Error, of any realm, or inherits from this realm's Error.prototype.
Result internal_isError(Vm& vm, Args args) {
    if (!args[0].isObject())
        return Value::boolean(false);
    if (kindOf(args[0].asCell()) == Kind::Error)
        return Value::boolean(true);
    return Value::boolean(
        TRY(ordinaryHasInstance(vm, Value::object(vm.realm->intrinsic(vm, Intrinsic::Error)), args[0])));
}

Result internal_isTimeout(Vm&, Args args) {
    return Value::boolean(args[0].isObject() && kindOf(args[0].asCell()) == Kind::Timeout);
}

/// util.format.
Result internal_format(Vm& vm, Args args) {
    std::string out;
    TRY(formatArguments(vm, args.values, args.count, defaultInspectOptions(vm), out));
    return utf8Value(vm, out);
}

/// util.formatWithOptions.
Result internal_formatWithOptions(Vm& vm, Args args) {
    if (!args[0].isObject() || args[0].asObject()->isCallable())
        return throwArgumentType(vm, "inspectOptions", "of type object", args[0]);
    InspectOptions options = TRY(inspectOptionsFrom(vm, args[0], defaultInspectOptions(vm)));
    std::string out;
    TRY(formatArguments(vm, args.values + 1, args.count - 1, options, out));
    return utf8Value(vm, out);
}

/// The text without terminal control sequences.
Result internal_stripControls(Vm& vm, Args args) {
    TRY(vm.work(args[0].asString()->length / 16));
    return utf8Value(vm, withoutControls(textWithSurrogates(vm, args[0].asString())));
}

/// Whether standard output is a terminal that wants colours (or is said to).
Result internal_outputColors(Vm& vm, Args) { return Value::boolean(wantsColors(vm.loop->out)); }

/// "1 Jan 10:20:30", of this moment.
Result internal_timeOfDay(Vm& vm, Args) {
    static constexpr const char* months[] = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t now = time(nullptr);
    tm local;
    localtime_r(&now, &local);
    char text[64];
    snprintf(text, sizeof text, "%d %s %02d:%02d:%02d", local.tm_mday, months[local.tm_mon], local.tm_hour,
        local.tm_min, local.tm_sec);
    return asciiValue(vm, text);
}

/// The text of the call of `function` that is running, as its script has it; "" if no script called it.
Result internal_callText(Vm& vm, Args args) { return utf8Value(vm, callText(vm, args[0].asObject())); }

/// What errors say behind "Received " about a value.
Result internal_describeReceived(Vm& vm, Args args) { return utf8Value(vm, TRY(describeReceived(vm, args[0]))); }

/// Whether messages may have colours: standard error is a terminal that wants them.
Result internal_errorColors(Vm& vm, Args) {
    return Value::boolean(vm.loop->err.isTerminal() && wantsColors(vm.loop->err));
}

/// How many columns standard error has; 80 if it is no terminal.
Result internal_errorColumns(Vm& vm, Args) {
    u32 columns = vm.loop->err.columns();
    return Value::number(columns ? columns : 80);
}

}
