// process.emitWarning: the line on standard error and the event; the flags of process that change them; what takes
// uncaught exceptions instead of the event.
#include "runtime/builtins/argument_error.h"
#include "runtime/builtins/inspect.h"
#include "runtime/builtins/process_support.h"
#include "runtime/builtins/timer_support.h"
#include "runtime/core/promise.h"
#include "runtime/loop/event_loop.h"
#include <cstdlib>
#include <unistd.h>

namespace scr {

static bool isError(Value value) { return value.isObject() && kindOf(value.asCell()) == Kind::Error; }

/// A flag of the process object, which a script may have set; `given` by the command line.
static Completion<bool> flag(Vm& vm, const char* name, bool given) {
    Value value = TRY(get(vm, vm.loop->process(), asciiKey(vm, name)));
    return value.isUndefined() ? given : toBoolean(value);
}

/// Whether util.deprecate has nothing to do: process.noDeprecation is true, or the option was given.
Result internal_ignoresDeprecations(Vm& vm, Args) {
    Value value = TRY(get(vm, vm.loop->process(), asciiKey(vm, "noDeprecation")));
    return Value::boolean(value.isUndefined() ? vm.loop->warnings.noDeprecation : value.isTrue());
}

static Completion<std::string> text(Vm& vm, Value value) { return toUtf8(vm, TRY(toString(vm, value))); }

/// "Name: message" by the warning's own toString.
static Completion<std::string> headOf(Vm& vm, Object* warning) {
    Value method = TRY(get(vm, warning, KEY(vm, toString)));
    if (!isCallable(method))
        method = TRY(get(vm, vm.realm->intrinsic(vm, Intrinsic::ErrorPrototype), KEY(vm, toString)));
    return text(vm, TRY(call(vm, method, Value::object(warning))));
}

static Completion<void> printWarning(Vm& vm, Object* warning) {
    EventLoop& loop = *vm.loop;
    Value name = TRY(get(vm, warning, KEY(vm, name)));
    bool deprecation = name.isString() && toUtf8(vm, name.asString()) == "DeprecationWarning";
    if (deprecation && TRY(flag(vm, "noDeprecation", loop.warnings.noDeprecation)))
        return {};
    if (loop.describeWarning) {
        loop.err.write(loop.describeWarning(vm, warning));
        return {};
    }
    bool trace = loop.warnings.trace || TRY(flag(vm, "traceProcessWarnings", false));
    trace = trace || (deprecation && TRY(flag(vm, "traceDeprecation", loop.warnings.traceDeprecation)));
    std::string line = "(node:" + std::to_string(getpid()) + ") ";
    if (Value code = TRY(get(vm, warning, KEY(vm, code))); toBoolean(code))
        line += "[" + TRY(text(vm, code)) + "] ";
    Value stack = trace ? TRY(get(vm, warning, KEY(vm, stack))) : Value::undefined();
    line += toBoolean(stack) ? TRY(text(vm, stack)) : TRY(headOf(vm, warning));
    if (Value detail = TRY(get(vm, warning, asciiKey(vm, "detail"))); detail.isString())
        line += "\n" + TRY(text(vm, detail));
    if (!trace && !loop.warned) {
        line += deprecation ? "\n(Use `node --trace-deprecation" : "\n(Use `node --trace-warnings";
        line += " ...` to show where the warning was created)";
        loop.warned = true;
    }
    loop.err.write(line + "\n");
    return {};
}

/// The tick that delivers a warning: the line first, then the listeners.
static Result deliverWarning(Vm& vm, Args args) {
    if (isError(args[0]) && !vm.loop->warnings.silent)
        TRY(printWarning(vm, args[0].asObject()));
    TRY(vm.loop->events.emit(vm, asciiKey(vm, "warning"), Value::object(vm.loop->process()), args.values, 1));
    return Value::undefined();
}

static Result throwWarning(Vm& vm, Args args) { return vm.throwValue(args[0]); }

static void queueWith(Vm& vm, Value warning, NativeCode code) {
    Value window[] = {warning};
    Value arguments = storeArguments(vm, Args{window, 1}, 0);
    vm.loop->queueTick(Value::object(newNative(vm, code, "doEmitWarning", 1)), arguments);
}

void queueWarning(Vm& vm, Value warning) { queueWith(vm, warning, deliverWarning); }

Object* newWarning(Vm& vm, String* message, Value name, Value above) {
    Object* warning = newErrorWithPrototype(vm, vm.realm->intrinsic(vm, Intrinsic::ErrorPrototype), message);
    if (isCallable(above) && vm.captureStackHook)
        vm.captureStackHook(vm, warning, above.asObject());
    defineDirect(vm, warning, KEY(vm, name), name, AllAttributes);
    return warning;
}

void emitWarning(Vm& vm, std::string_view name, std::string_view utf8Message) {
    queueWarning(vm, Value::object(newWarning(vm, newUtf8(vm, utf8Message), asciiValue(vm, name))));
}

void warnHandledRejection(Vm& vm, u32 number) {
    std::string text = "Promise rejection was handled asynchronously (rejection id: " + std::to_string(number) + ")";
    Object* warning = newWarning(vm, newUtf8(vm, text), asciiValue(vm, "PromiseRejectionHandledWarning"));
    setField(vm, warning, "id", Value::number(number));
    queueWarning(vm, Value::object(warning));
}

/// Two warnings: what it was rejected with, and what that means.
void warnUnhandledRejection(Vm& vm, Value reason, u32 number) {
    constexpr std::string_view name = "UnhandledPromiseRejectionWarning";
    std::string shown = describeForMessage(vm, reason);
    if (isError(reason)) {
        Completion<Value> stack = get(vm, reason.asObject(), KEY(vm, stack));
        if (!stack.threw() && stack.value().isString())
            shown = toUtf8(vm, stack.value().asString());
        else if (stack.threw() && catchException(vm).threw())
            return;
    }
    emitWarning(vm, name, shown);
    std::string meaning =
        "Unhandled promise rejection. This error originated either by throwing inside of an async function without a "
        "catch block, or by rejecting a promise which was not handled with .catch(). To terminate the node process on "
        "unhandled promise rejection, use the CLI flag `--unhandled-rejections=strict` (see "
        "https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). (rejection id: "
        + std::to_string(number) + ")";
    emitWarning(vm, name, meaning);
}

Result process_emitWarning(Vm& vm, Args args) {
    Value warning = args[0], type = args[1], code = args[2], above = args[3], detail;
    if (type.isObject() && !isArrayObject(type) && !isCallable(type)) {
        Object* options = type.asObject();
        above = TRY(get(vm, options, asciiKey(vm, "ctor")));
        code = TRY(get(vm, options, KEY(vm, code)));
        detail = TRY(get(vm, options, asciiKey(vm, "detail")));
        type = TRY(get(vm, options, asciiKey(vm, "type")));
        if (!toBoolean(type))
            type = asciiValue(vm, "Warning");
    } else if (isCallable(type)) {
        above = type;
        type = asciiValue(vm, "Warning");
        code = Value::undefined();
    }
    if (!type.isUndefined() && !type.isString())
        return throwArgumentType(vm, "type", "of type string", type);
    if (isCallable(code)) {
        above = code;
        code = Value::undefined();
    }
    if (!code.isUndefined() && !code.isString())
        return throwArgumentType(vm, "code", "of type string", code);
    if (warning.isString()) {
        Value name = toBoolean(type) ? type : asciiValue(vm, "Warning");
        if (!isCallable(above))
            above = Value::object(args.callee());
        Object* error = newWarning(vm, warning.asString(), name, above);
        if (toBoolean(code))
            defineDirect(vm, error, KEY(vm, code), code, AllAttributes);
        if (detail.isString())
            setField(vm, error, "detail", detail);
        warning = Value::object(error);
    } else if (!isError(warning)) {
        return throwArgumentType(vm, "warning", "of type string or an instance of Error", warning);
    }
    Value name = TRY(get(vm, warning.asObject(), KEY(vm, name)));
    if (name.isString() && toUtf8(vm, name.asString()) == "DeprecationWarning") {
        if (TRY(flag(vm, "noDeprecation", vm.loop->warnings.noDeprecation)))
            return Value::undefined();
        if (TRY(flag(vm, "throwDeprecation", vm.loop->warnings.throwDeprecation))) {
            queueWith(vm, warning, throwWarning);
            return Value::undefined();
        }
    }
    queueWarning(vm, warning);
    return Value::undefined();
}

// ---- what takes uncaught exceptions

Result process_setUncaughtExceptionCaptureCallback(Vm& vm, Args args) {
    if (args[0].isNull()) {
        vm.loop->captureException = Value::undefined();
        return Value::undefined();
    }
    if (!isCallable(args[0]))
        return throwArgumentType(vm, "fn", "of type function or null", args[0]);
    if (!vm.loop->captureException.isUndefined())
        return throwCoded(vm, Intrinsic::ErrorPrototype, "ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET",
            "`process.setupUncaughtExceptionCapture()` was called while a capture callback was already active");
    vm.loop->captureException = args[0];
    return Value::undefined();
}

Result process_hasUncaughtExceptionCaptureCallback(Vm& vm, Args) {
    return Value::boolean(!vm.loop->captureException.isUndefined());
}

}
