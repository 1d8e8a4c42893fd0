// setTimeout, setInterval, setImmediate, their clears, queueMicrotask, and the classes of the handles. What a script
// does for every key of a rate limiter (arm, unref, clear) must stay a few dozen instructions: one cell, no other
// memory, no clock. The semantics are Node 20's.
#include "runtime/builtins/argument_error.h"
#include "runtime/builtins/timer_support.h"
#include "runtime/core/proxy.h"
#include "runtime/loop/event_loop.h"

namespace scr {

namespace {

constexpr u32 LongestDuration = 0x7FFFFFFF;

bool isFunction(Value value) { return value.isObject() && value.asObject()->isCallable(); }
/// What a proxy stands for: Node's handles keep their state in properties, which pass through it.
COLD Cell* behindProxies(Value value) {
    Object* object = value.isObject() ? value.asObject() : nullptr;
    while (object && isProxy(object))
        object = static_cast<ProxyObject*>(object)->target;
    return object;
}

/// Null if the value is no handle of that class.
template <class Handle, Kind handleKind> ALWAYS_INLINE Handle* handleOf(Value value) {
    if (LIKELY(value.isObject() && kindOf(value.asCell()) == handleKind))
        return static_cast<Handle*>(value.asCell());
    Cell* cell = behindProxies(value);
    return cell && kindOf(cell) == handleKind ? static_cast<Handle*>(cell) : nullptr;
}
ALWAYS_INLINE Timeout* timeoutOf(Value value) { return handleOf<Timeout, Kind::Timeout>(value); }
Immediate* immediateOf(Value value) { return handleOf<Immediate, Kind::Immediate>(value); }

COLD void makeTimeoutShape(Vm& vm) { vm.realm->intrinsic(vm, Intrinsic::TimeoutPrototype); }

ALWAYS_INLINE Timeout* newTimeout(Vm& vm, Value callback, u32 duration) {
    if (UNLIKELY(!vm.realm->timeoutShape))
        makeTimeoutShape(vm);
    u32 shape = vm.realm->timeoutShape->id;
    auto* timer = static_cast<Timeout*>(vm.heap.allocate(sizeof(Timeout), u8(Kind::Timeout), shape));
    timer->overflow = nullptr;
    timer->callback = callback;
    timer->duration = duration;
    return timer;
}

COLD void warnOverflow(Vm& vm, double delay) {
    std::string text = toUtf8(vm, numberToString(vm, delay));
    emitWarning(vm, "TimeoutOverflowWarning",
        text + " does not fit into a 32-bit signed integer.\nTimeout duration was set to 1.");
}

/// The delay as whole milliseconds from 1 to 2^31 - 1.
COLD Completion<u32> convertDuration(Vm& vm, Value delay) {
    vm.takeNewTarget();
    double number = TRY(toNumber(vm, delay));
    if (number >= 1 && number <= LongestDuration)
        return u32(number);
    if (number > LongestDuration)
        warnOverflow(vm, number);
    return 1u;
}

/// The callback with its context and the arguments from `first` on: what runs when there is more than a function.
COLD Value packCallback(Vm& vm, Args args, u32 first) {
    u32 count = args.count > first ? args.count - first : 0;
    auto* pack = static_cast<Storage*>(vm.heap.allocate(
        sizeof(Storage) + (PackedArguments + count) * sizeof(Value), u8(Kind::Storage), PackedArguments + count));
    Cell* context = vm.asyncContext;
    pack->values[PackedFunction] = args[0];
    pack->values[PackedContext] = context ? Value::cell(context) : Value::undefined();
    for (u32 i = 0; i < count; i++)
        pack->values[PackedArguments + i] = args.values[first + i];
    return Value::cell(pack);
}

ALWAYS_INLINE Result armTimer(Vm& vm, Args args, u32 flags) {
    Value callback = args[0];
    if (UNLIKELY(!isFunction(callback)))
        return throwArgumentType(vm, "callback", "of type function", callback);
    Value delay = args[1];
    u32 duration;
    if (LIKELY(delay.isInt() && delay.asInt() >= 1))
        duration = u32(delay.asInt());
    else
        duration = TRY(convertDuration(vm, delay));
    if (UNLIKELY(args.count > 2 || vm.asyncContext)) {
        callback = packCallback(vm, args, 2);
        flags |= TimerPacked;
    }
    Timeout* timer = newTimeout(vm, callback, duration);
    vm.loop->start(timer, flags);
    return Value::object(timer);
}

/// Only the canonical form of a number finds a timer by its text.
COLD Timeout* findByText(Vm& vm, String* string) {
    auto flat = flatten(vm, string);
    if (flat.threw() || flat.value()->length > 16 || !flat.value()->length)
        return nullptr;
    double number = 0;
    for (u32 i = 0; i < flat.value()->length; i++) {
        char16_t unit = flat.value()->unit(i);
        if (unit < '0' || unit > '9' || (i == 0 && unit == '0'))
            return nullptr;
        number = number * 10 + (unit - '0');
    }
    return vm.loop->findNumbered(number);
}

COLD void clearByNumber(Vm& vm, Value id) {
    Timeout* timer = nullptr;
    if (id.isNumber())
        timer = vm.loop->findNumbered(id.asNumber());
    else if (id.isString())
        timer = findByText(vm, id.asString());
    if (timer)
        vm.loop->clear(timer);
}

ALWAYS_INLINE void clearTimer(Vm& vm, Value handle) {
    if (Timeout* timer = timeoutOf(handle); LIKELY(timer))
        vm.loop->clear(timer);
    else
        clearByNumber(vm, handle);
}

/// A method of the handles was taken off and called on something else. Node's methods only touch properties of their
/// own on the receiver, so that objects pass, and what has no properties throws.
COLD Result foreignReceiver(Vm& vm, Value self, const char* property, bool writes, Value result) {
    if (self.isNullish())
        return throwError(vm, Error::ReadOfNullish, self, property);
    if (writes && !self.isObject())
        return throwText(vm, Intrinsic::TypeErrorPrototype,
            "Cannot create property '" + std::string(property) + "' on " + describeWithType(vm, self));
    return result;
}

}

// ---- globals

Result timers_setTimeout(Vm& vm, Args args) { return armTimer(vm, args, 0); }
Result timers_setInterval(Vm& vm, Args args) { return armTimer(vm, args, TimerInterval); }

Result timers_clearTimeout(Vm& vm, Args args) {
    clearTimer(vm, args[0]);
    return Value::undefined();
}

Result timers_setImmediate(Vm& vm, Args args) {
    Value callback = args[0];
    if (UNLIKELY(!isFunction(callback)))
        return throwArgumentType(vm, "callback", "of type function", callback);
    u16 flags = 0;
    if (args.count > 1 || vm.asyncContext) {
        callback = packCallback(vm, args, 1);
        flags = ImmediatePacked;
    }
    if (UNLIKELY(!vm.realm->immediateShape))
        vm.realm->intrinsic(vm, Intrinsic::ImmediatePrototype);
    auto* immediate =
        static_cast<Immediate*>(allocateObject(vm, Kind::Immediate, sizeof(Immediate), vm.realm->immediateShape));
    immediate->callback = callback;
    immediate->immediateFlags = flags;
    immediate->setArmedAt(vm.pc);
    vm.loop->queue(immediate);
    return Value::object(immediate);
}

Result timers_clearImmediate(Vm& vm, Args args) {
    if (Immediate* immediate = immediateOf(args[0]))
        vm.loop->clear(immediate);
    else if (Timeout* timer = timeoutOf(args[0]))
        vm.loop->clear(timer);
    return Value::undefined();
}

Result timers_queueMicrotask(Vm& vm, Args args) {
    if (UNLIKELY(!isFunction(args[0])))
        return throwArgumentType(vm, "callback", "of type function", args[0]);
    vm.loop->queueMicrotask(args[0], Value::undefined());
    return Value::undefined();
}

/// Functions that Node has as plain functions: `new setTimeout(f, 1)` gives the handle.
static Object* plainFunction(Vm& vm, NativeCode code, std::string_view name, u16 length) {
    return newNative(vm, code, name, length, true);
}
Object* timers_makeSetTimeout(Vm& vm, Object*) { return plainFunction(vm, timers_setTimeout, "setTimeout", 5); }
Object* timers_makeSetInterval(Vm& vm, Object*) { return plainFunction(vm, timers_setInterval, "setInterval", 5); }
Object* timers_makeSetImmediate(Vm& vm, Object*) { return plainFunction(vm, timers_setImmediate, "setImmediate", 4); }
Object* timers_makeClearTimeout(Vm& vm, Object*) { return plainFunction(vm, timers_clearTimeout, "clearTimeout", 1); }
Object* timers_makeClearInterval(Vm& vm, Object*) { return plainFunction(vm, timers_clearTimeout, "clearInterval", 1); }
Object* timers_makeClearImmediate(Vm& vm, Object*) {
    return plainFunction(vm, timers_clearImmediate, "clearImmediate", 1);
}
Object* timers_makeQueueMicrotask(Vm& vm, Object*) {
    return plainFunction(vm, timers_queueMicrotask, "queueMicrotask", 1);
}

/// What util.promisify makes of setTimeout and setImmediate: the functions of timers/promises.
static Result promisified(Vm& vm, std::string_view name) {
    Object* exports = TRY(builtinModule(vm, "timers/promises"));
    return lookup(vm, exports, keyOf(internAscii(vm, name))).value;
}
Result timers_promisifiedTimeout(Vm& vm, Args) { return promisified(vm, "setTimeout"); }
Result timers_promisifiedImmediate(Vm& vm, Args) { return promisified(vm, "setImmediate"); }

// ---- Timeout

/// new handle.constructor(callback, after, arguments, isRepeat, isReferenced): a handle that refresh() arms.
Result timeout_constructor(Vm& vm, Args args) {
    if (vm.takeNewTarget().isUndefined())
        return throwError(vm, Error::ClassCall, "Timeout");
    u32 duration = TRY(convertDuration(vm, args[1]));
    Timeout* timer = newTimeout(vm, args[0], duration);
    timer->link = {nullptr, nullptr};
    timer->start = 0;
    timer->armedAt = nullptr;
    timer->timerFlags = (toBoolean(args[3]) ? u32(TimerInterval) : 0) | (toBoolean(args[4]) ? u32(TimerReferenced) : 0);
    if (!isFunction(args[0]))
        timer->timerFlags |= TimerCleared;
    return Value::object(timer);
}

Result timeout_unref(Vm& vm, Args args) {
    Value self = args.self();
    Timeout* timer = timeoutOf(self);
    if (UNLIKELY(!timer))
        return foreignReceiver(vm, self, "Symbol(refed)", false, self);
    vm.loop->setReferenced(timer, false);
    return self;
}

Result timeout_ref(Vm& vm, Args args) {
    Value self = args.self();
    Timeout* timer = timeoutOf(self);
    if (UNLIKELY(!timer))
        return foreignReceiver(vm, self, "Symbol(refed)", true, self);
    vm.loop->setReferenced(timer, true);
    return self;
}

Result timeout_hasRef(Vm& vm, Args args) {
    Value self = args.self();
    Timeout* timer = timeoutOf(self);
    if (UNLIKELY(!timer))
        return foreignReceiver(vm, self, "Symbol(refed)", false, Value::undefined());
    return Value::boolean(timer->timerFlags & TimerReferenced);
}

Result timeout_refresh(Vm& vm, Args args) {
    Value self = args.self();
    Timeout* timer = timeoutOf(self);
    if (UNLIKELY(!timer))
        return foreignReceiver(vm, self, "Symbol(refed)", false, self);
    vm.loop->refresh(timer);
    return self;
}

Result timeout_close(Vm& vm, Args args) {
    clearTimer(vm, args.self());
    return args.self();
}

static Result timeout_dispose(Vm& vm, Args args) {
    clearTimer(vm, args.self());
    return Value::undefined();
}

Result timeout_toPrimitive(Vm& vm, Args args) {
    Value self = args.self();
    Timeout* timer = timeoutOf(self);
    if (!timer)
        return foreignReceiver(vm, self, "Symbol(asyncId)", true, Value::undefined());
    return Value::number(vm.loop->numberOf(timer));
}

Value timeout_makeClose(Vm& vm) { return Value::object(newNative(vm, timeout_close, "", 0)); }
Value timeout_makeDispose(Vm& vm) { return Value::object(newNative(vm, timeout_dispose, "", 0)); }

// ---- Immediate

Result immediate_constructor(Vm& vm, Args args) {
    if (vm.takeNewTarget().isUndefined())
        return throwError(vm, Error::ClassCall, "Immediate");
    return timers_setImmediate(vm, Args{args.values, args.count < 1 ? args.count : 1});
}

static Result referenceImmediate(Vm& vm, Value self, bool referenced) {
    Immediate* immediate = immediateOf(self);
    if (!immediate)
        return foreignReceiver(vm, self, "Symbol(refed)", false, self);
    vm.loop->setReferenced(immediate, referenced);
    return self;
}
Result immediate_ref(Vm& vm, Args args) { return referenceImmediate(vm, args.self(), true); }
Result immediate_unref(Vm& vm, Args args) { return referenceImmediate(vm, args.self(), false); }

Result immediate_hasRef(Vm& vm, Args args) {
    Value self = args.self();
    Immediate* immediate = immediateOf(self);
    if (!immediate)
        return foreignReceiver(vm, self, "Symbol(refed)", false, Value::boolean(false));
    return Value::boolean(immediate->immediateFlags & ImmediateReferenced);
}

static Result immediate_dispose(Vm& vm, Args args) { return timers_clearImmediate(vm, Args{args.values - 1, 1}); }
Value immediate_makeDispose(Vm& vm) { return Value::object(newNative(vm, immediate_dispose, "", 0)); }

}
