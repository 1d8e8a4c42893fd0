// process as an event emitter.
#include "runtime/builtins/argument_error.h"
#include "runtime/builtins/inspect.h"
#include "runtime/builtins/process_support.h"
#include "runtime/builtins/timer_support.h"
#include "runtime/loop/event_loop.h"
#include <cmath>

namespace scr {

static PropertyKey eventKey(Vm& vm, std::string_view name) { return asciiKey(vm, name); }

static Completion<void> emitNotice(Vm& vm, std::string_view notice, PropertyKey event, Value self, Value listener) {
    Value args[] = {keyToValue(vm, event), listener};
    TRY(vm.loop->events.emit(vm, eventKey(vm, notice), self, args, 2));
    return {};
}

/// The number of listeners from which on there may be a leak: `_maxListeners`, else what all emitters share.
static Completion<double> listenerLimit(Vm& vm, Value self) {
    Value limit = TRY(getOf(vm, self, eventKey(vm, "_maxListeners")));
    if (limit.isUndefined()) {
        Object* shared = TRY(builtinModule(vm, "internal/listener_limit"));
        limit = TRY(get(vm, shared, eventKey(vm, "defaultMaxListeners")));
    }
    return limit.isNumber() ? limit.asNumber() : 0;
}

/// MaxListenersExceededWarning, when the limit is passed.
static Completion<void> checkLimit(Vm& vm, Value self, PropertyKey event) {
    double count = double(vm.loop->events.count(event));
    if (count < 2)
        return {};
    double limit = TRY(listenerLimit(vm, self));
    if (!(limit > 0) || count != std::floor(limit) + 1)
        return {};
    auto decimal = [&](double number) { return toUtf8(vm, numberToString(vm, number)); };
    std::string text = "Possible EventEmitter memory leak detected. " + decimal(count) + " ";
    text += describeForMessage(vm, keyToValue(vm, event)) + " listeners added to [process]. MaxListeners is ";
    text += decimal(limit) + ". Use emitter.setMaxListeners() to increase limit";
    Object* warning = newWarning(vm, newUtf8(vm, text), asciiValue(vm, "MaxListenersExceededWarning"));
    setField(vm, warning, "emitter", self);
    setField(vm, warning, "type", keyToValue(vm, event));
    setField(vm, warning, "count", Value::number(count));
    queueWarning(vm, Value::object(warning));
    return {};
}

static Result addListener(Vm& vm, Args args, bool once, bool inFront) {
    PropertyKey event = TRY(toPropertyKey(vm, args[0]));
    if (!isCallable(args[1]))
        return throwArgumentType(vm, "listener", "of type function", args[1]);
    TRY(emitNotice(vm, "newListener", event, args.self(), args[1]));
    TRY(listenToSignal(vm, event));
    vm.loop->events.add(event, args[1], once, inFront);
    TRY(checkLimit(vm, args.self(), event));
    return args.self();
}
Result process_on(Vm& vm, Args args) { return addListener(vm, args, false, false); }
Result process_once(Vm& vm, Args args) { return addListener(vm, args, true, false); }
Result process_prependListener(Vm& vm, Args args) { return addListener(vm, args, false, true); }
Result process_prependOnceListener(Vm& vm, Args args) { return addListener(vm, args, true, true); }

Result process_off(Vm& vm, Args args) {
    PropertyKey event = TRY(toPropertyKey(vm, args[0]));
    if (!isCallable(args[1]))
        return throwArgumentType(vm, "listener", "of type function", args[1]);
    if (vm.loop->events.remove(event, args[1]))
        TRY(emitNotice(vm, "removeListener", event, args.self(), args[1]));
    return args.self();
}

Result process_removeAllListeners(Vm& vm, Args args) {
    std::vector<PropertyKey> keys;
    if (args.count == 0 || args[0].isUndefined())
        keys = vm.loop->events.events();
    else
        keys.push_back(TRY(toPropertyKey(vm, args[0])));
    PropertyKey notice = eventKey(vm, "removeListener");
    for (PropertyKey key : keys) {
        // Newest first, each with its notice; without anybody to notice, all at once.
        while (vm.loop->events.count(notice) && key != notice && vm.loop->events.count(key)) {
            Value listener = vm.loop->events.listeners(key)->back().function;
            vm.loop->events.remove(key, listener);
            TRY(emitNotice(vm, "removeListener", key, args.self(), listener));
        }
        vm.loop->events.removeAll(key);
    }
    return args.self();
}

/// An 'error' that nobody listens to is thrown.
static Threw throwUnhandled(Vm& vm, Value error) {
    if (error.isObject() && kindOf(error.asCell()) == Kind::Error)
        return vm.throwValue(error);
    String* text = newUtf8(vm, "Unhandled error. (" + inspect(vm, error) + ")");
    Object* unhandled = newCodedError(vm, Intrinsic::ErrorPrototype, "ERR_UNHANDLED_ERROR", text);
    setField(vm, unhandled, "context", error);
    return vm.throwValue(Value::object(unhandled));
}

Result process_emit(Vm& vm, Args args) {
    PropertyKey event = TRY(toPropertyKey(vm, args[0]));
    if (event == eventKey(vm, "error") && !vm.loop->events.count(event))
        return throwUnhandled(vm, args[1]);
    u32 count = args.count > 1 ? args.count - 1 : 0;
    return Value::boolean(TRY(vm.loop->events.emit(vm, event, args.self(), args.values + 1, count)));
}

/// What a wrapper in rawListeners does: removes its listener and calls it.
static Result runOnce(Vm& vm, Args args) {
    NativeFunction* wrapper = args.callee();
    Value listener = wrapper->data[1];
    vm.loop->events.remove(TRY(toPropertyKey(vm, wrapper->data[0])), listener);
    return call(vm, listener, Value::object(vm.loop->process()), args.values, args.count);
}

Result process_listeners(Vm& vm, Args args) {
    PropertyKey event = TRY(toPropertyKey(vm, args[0]));
    Array* array = newArray(vm);
    if (const auto* listeners = vm.loop->events.listeners(event))
        for (const Emitter::Listener& listener : *listeners)
            TRY(pushDense(vm, array->elements_, listener.function));
    return Value::object(array);
}

/// The same with the wrapper of each listener that is called once: a function bound to itself, with `listener`.
Result process_rawListeners(Vm& vm, Args args) {
    PropertyKey event = TRY(toPropertyKey(vm, args[0]));
    Array* array = newArray(vm);
    std::vector<Emitter::Listener> all;
    if (const auto* listeners = vm.loop->events.listeners(event))
        all = *listeners;
    for (const Emitter::Listener& listener : all) {
        Value shown = listener.function;
        if (listener.once) {
            NativeFunction* wrapper = newNative(vm, runOnce, "bound onceWrapper", 0);
            materializeFunction(vm, wrapper);
            setField(vm, wrapper, "listener", shown);
            wrapper->data[0] = keyToValue(vm, event);
            wrapper->data[1] = shown;
            shown = Value::object(wrapper);
        }
        TRY(pushDense(vm, array->elements_, shown));
    }
    return Value::object(array);
}

/// With a second argument: how often that listener is there.
Result process_listenerCount(Vm& vm, Args args) {
    PropertyKey event = TRY(toPropertyKey(vm, args[0]));
    if (args[1].isNullish())
        return Value::number(u32(vm.loop->events.count(event)));
    u32 count = 0;
    if (const auto* listeners = vm.loop->events.listeners(event))
        for (const Emitter::Listener& listener : *listeners)
            count += listener.function == args[1];
    return Value::number(count);
}

Result process_eventNames(Vm& vm, Args) {
    Array* array = newArray(vm);
    for (PropertyKey key : vm.loop->events.events())
        TRY(pushDense(vm, array->elements_, keyToValue(vm, key)));
    return Value::object(array);
}

}
