// Handles of timers and immediates. They have no properties; inspection shows those that Node's have, on an object that
// stands in for the handle.
#include "runtime/builtins/inspect_state.h"
#include "runtime/core/elements.h"
#include "runtime/core/weak.h"
#include "runtime/loop/event_loop.h"

namespace scr {

void Inspector::showField(Object* shown, std::string_view name, Value value) {
    defineDirect(vm_, shown, PropertyKey::atom(internAscii(vm_, name)), value, AllAttributes);
}

/// The function of a callback; null if there is none any more.
static Value functionOf(Value callback, bool packed) {
    if (callback.isUndefined())
        return Value::null();
    return packed && callback.isCell() ? callback.as<Storage>()->values[PackedFunction] : callback;
}

/// An array of its arguments; undefined if there are none.
static Value argumentsOf(Vm& vm, Value callback, bool packed) {
    if (!packed || !callback.isCell())
        return Value::undefined();
    auto* pack = callback.as<Storage>();
    u32 count = pack->capacity() - PackedArguments;
    return count ? Value::object(newArrayFrom(vm, pack->values + PackedArguments, count)) : Value::undefined();
}

static Result constructNothing(Vm&, Args) { return Value::undefined(); }

/// What the list of a timer is shown as: one level deep its name is all.
Value Inspector::timersList() {
    Object* prototype = newObject(vm_, vm_.realm->intrinsic(vm_, Intrinsic::ObjectPrototype));
    NativeFunction* constructor = newNative(vm_, constructNothing, "TimersList", 0, true);
    defineDirect(vm_, constructor, KEY(vm_, prototype), Value::object(prototype), 0);
    defineDirect(vm_, prototype, KEY(vm_, constructor), Value::object(constructor), HiddenAttributes);
    Object* list = newObject(vm_, prototype);
    showField(list, "msecs", Value::undefined());
    return Value::object(list);
}

/// The timer beside another one, or the list.
Value Inspector::neighbour(TimerLink* link) {
    return vm_.loop->isHead(link) ? timersList() : Value::object(Timeout::of(link));
}

/// Numbers handles in the order in which they are first shown: async hooks would tell them apart by such numbers.
static Value asyncNumber(Vm& vm, Object* handle) {
    auto* numbers = static_cast<WeakCollection*>(vm.realm->intrinsic(vm, Intrinsic::HandleNumbers));
    if (WeakEntry* entry = findWeak(numbers, Value::object(handle)))
        return Value::fromBits(entry->value);
    constexpr int first = 2; // the main script is 1
    Value counter = Value::object(numbers);
    WeakEntry* last = findWeak(numbers, counter);
    Value number = Value::int32(last ? Value::fromBits(last->value).asInt() + 1 : first);
    (void)setWeak(vm, numbers, counter, number); // only for lack of memory
    (void)setWeak(vm, numbers, Value::object(handle), number);
    return number;
}

void Inspector::showSymbols(Object* handle, Object* shown, Value referenced, bool numbered) {
    auto show = [&](std::string_view name, Value value) {
        Symbol* symbol = newSymbol(vm_, asciiValue(vm_, name));
        defineDirect(vm_, shown, PropertyKey::symbol(symbol), value, AllAttributes);
    };
    show("refed", referenced);
    if (kindOf(handle) == Kind::Timeout)
        show("kHasPrimitive", Value::boolean(numbered));
    // The number that clearTimeout takes is this one in Node.
    show("asyncId", numbered ? Value::number(static_cast<Timeout*>(handle)->id) : asyncNumber(vm_, handle));
    show("triggerId", Value::int32(1));
}

void Inspector::showTimeout(Timeout* timer, Object* shown) {
    u32 flags = timer->timerFlags;
    bool armed = flags & TimerArmed, cleared = flags & TimerCleared, packed = flags & TimerPacked;
    // Node chains timers the other way round.
    showField(shown, "_idleTimeout", cleared ? Value::int32(-1) : Value::number(timer->duration));
    showField(shown, "_idlePrev", armed ? neighbour(timer->link.next) : Value::null());
    showField(shown, "_idleNext", armed ? neighbour(timer->link.previous) : Value::null());
    showField(shown, "_idleStart", Value::number(double(timer->start)));
    showField(shown, "_onTimeout", functionOf(timer->callback, packed));
    showField(shown, "_timerArgs", argumentsOf(vm_, timer->callback, packed));
    showField(shown, "_repeat", flags & TimerInterval ? Value::number(timer->duration) : Value::null());
    showField(shown, "_destroyed", Value::boolean(!(flags & (TimerArmed | TimerLive))));
}

void Inspector::showImmediate(Immediate* immediate, Object* shown) {
    bool queued = immediate->immediateFlags & ImmediateQueued, packed = immediate->immediateFlags & ImmediatePacked;
    auto beside = [&](TimerLink* link) {
        return !queued || vm_.loop->isHead(link) ? Value::null() : Value::object(Immediate::of(link));
    };
    showField(shown, "_idleNext", beside(immediate->link.next));
    showField(shown, "_idlePrev", beside(immediate->link.previous));
    showField(shown, "_onImmediate", functionOf(immediate->callback, packed));
    showField(shown, "_argv", argumentsOf(vm_, immediate->callback, packed));
    showField(shown, "_destroyed", Value::boolean(!queued));
}

Completion<void> Inspector::describeHandle(Object* handle, ObjectForm& form) {
    Object* shown = newObject(vm_, vm_.realm->intrinsic(vm_, Intrinsic::ObjectPrototype));
    bool isTimeout = kindOf(handle) == Kind::Timeout;
    if (isTimeout)
        showTimeout(static_cast<Timeout*>(handle), shown);
    else
        showImmediate(static_cast<Immediate*>(handle), shown);
    Array* own = ownKeys(vm_, handle, StringKeys | OnlyEnumerable);
    for (u32 i = 0; i < own->length(); i++) {
        PropertyKey key = TRY(toPropertyKey(vm_, own->elements_.dense()[i]));
        Lookup property = getOwnProperty(vm_, handle, key);
        if (property.found() && !property.isAccessor())
            TRY(createDataProperty(vm_, shown, key, property.value));
    }
    if (isTimeout) {
        u32 flags = static_cast<Timeout*>(handle)->timerFlags;
        showSymbols(handle, shown, Value::boolean(flags & TimerReferenced), flags & TimerNumbered);
    } else {
        u16 flags = static_cast<Immediate*>(handle)->immediateFlags;
        bool queued = flags & ImmediateQueued;
        showSymbols(handle, shown, queued ? Value::boolean(flags & ImmediateReferenced) : Value::null(), false);
    }
    form.open = classPrefix(handle, form) + "{";
    form.standIn = shown;
    form.keys = TRY(ownKeysToShow(shown));
    return {};
}

/// A timer says itself how it is shown: one level of it, wherever it stands.
Completion<void> Inspector::formatTimeout(Object* timer, std::string& out) {
    InspectOptions options = options_;
    options.set(InspectOption::Depth, Value::int32(0));
    options.set(InspectOption::CustomInspect, Value::boolean(false));
    std::string text;
    TRY(inspect(vm_, Value::object(timer), options, text));
    for (char c : text) {
        out += c;
        if (c == '\n')
            appendIndentation(out);
    }
    return {};
}

}
