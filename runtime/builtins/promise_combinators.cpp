// Promise.all, allSettled, any and race (ECMA-262 27.2.4). The functions that wait for one element each are natives
// with two words of data: the state they share, undefined once they have been called, and the index.
#include "runtime/builtins/iteration.h"
#include "runtime/builtins/makers.h"
#include "runtime/builtins/native.h"
#include "runtime/core/promise.h"

namespace scr {

namespace {

/// Words of the Storage cell that the functions of one call share.
enum SharedWord : u32 {
    Values, ///< the array of results: nobody else sees it before it is complete
    Remaining, ///< of the elements and the loop itself
    Capability,
    Callee, ///< the function Promise.all or its like, and its receiver: for stack traces
    Receiver,
    SharedWords
};
/// Words of the one that both functions of an element of allSettled share.
enum ElementWord : u32 { Shared, Index, ElementWords };

Storage* newStorage(Vm& vm, u32 count) {
    auto* storage =
        static_cast<Storage*>(vm.heap.allocate(sizeof(Storage) + count * sizeof(Value), u8(Kind::Storage), count));
    for (u32 i = 0; i < count; i++)
        storage->values[i] = Value::undefined();
    return storage;
}

PromiseCapability* capabilityOf(Storage* shared) {
    return static_cast<PromiseCapability*>(shared->values[Capability].asCell());
}

Value settledEntry(Vm& vm, std::string_view status, std::string_view key, Value value) {
    Object* entry = newObject(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype));
    defineDirect(vm, entry, keyOf(internAscii(vm, "status")), asciiValue(vm, status), AllAttributes);
    defineDirect(vm, entry, keyOf(internAscii(vm, key)), value, AllAttributes);
    return Value::object(entry);
}

/// 27.2.4.3.1 step 3.d: what any ends with when nothing was fulfilled.
Value aggregateError(Vm& vm, Value errors) {
    Object* error = newErrorWithPrototype(
        vm, vm.realm->intrinsic(vm, Intrinsic::AggregateErrorPrototype), newAscii(vm, "All promises were rejected"));
    defineDirect(vm, error, KEY(vm, errors), errors, HiddenAttributes);
    return Value::object(error);
}

using Finish = Result (*)(Vm& vm, Storage* shared);
Result resolveValues(Vm& vm, Storage* shared) {
    return call(vm, capabilityOf(shared)->resolve, Value::undefined(), shared->values[Values]);
}
Result rejectErrors(Vm& vm, Storage* shared) {
    Value error = aggregateError(vm, shared->values[Values]);
    return call(vm, capabilityOf(shared)->reject, Value::undefined(), error);
}

Result throwErrors(Vm& vm, Storage* shared) { return vm.throwValue(aggregateError(vm, shared->values[Values])); }

/// One less to wait for.
Result countDown(Vm& vm, Storage* shared, Finish finish) {
    u32 remaining = shared->values[Remaining].asInt() - 1;
    shared->values[Remaining] = Value::int32(i32(remaining));
    return remaining ? Result(Value::undefined()) : finish(vm, shared);
}

Result storeElement(Vm& vm, Storage* shared, Value index, Value value, Finish finish) {
    Elements& elements = static_cast<Array*>(shared->values[Values].asObject())->elements_;
    elements.dense()[u32(index.asInt())] = value;
    return countDown(vm, shared, finish);
}

/// 27.2.4.1.3 Promise.all Resolve Element Functions, 27.2.4.3.2 Promise.any Reject Element Functions.
Result settleElement(Vm& vm, Args args, Finish finish) {
    NativeFunction* self = args.callee();
    if (self->data[0].isUndefined())
        return Value::undefined();
    auto* shared = self->data[0].as<Storage>();
    self->data[0] = Value::undefined();
    return storeElement(vm, shared, self->data[1], args[0], finish);
}
Result resolveElement(Vm& vm, Args args) { return settleElement(vm, args, resolveValues); }
Result rejectElement(Vm& vm, Args args) { return settleElement(vm, args, rejectErrors); }

/// 27.2.4.2.2, 27.2.4.2.3: the element functions of allSettled.
Result describeElement(Vm& vm, Args args, std::string_view status, std::string_view key) {
    auto* element = args.callee()->data[0].as<Storage>();
    if (element->values[Shared].isUndefined())
        return Value::undefined();
    auto* shared = element->values[Shared].as<Storage>();
    element->values[Shared] = Value::undefined();
    return storeElement(vm, shared, element->values[Index], settledEntry(vm, status, key, args[0]), resolveValues);
}
Result fulfilledElement(Vm& vm, Args args) { return describeElement(vm, args, "fulfilled", "value"); }
Result rejectedElement(Vm& vm, Args args) { return describeElement(vm, args, "rejected", "reason"); }

Value newElementFunction(Vm& vm, NativeCode code, Storage* state, u32 index) {
    NativeFunction* function = newNative(vm, code, "", 1);
    function->data[0] = Value::cell(state);
    function->data[1] = Value::int32(i32(index));
    return Value::object(function);
}

enum class Combinator { All, AllSettled, Any, Race };

/// What each element's `then` is called with.
void makeHandlers(Vm& vm, Combinator which, Storage* shared, u32 index, Value handlers[2]) {
    handlers[0] = capabilityOf(shared)->resolve;
    handlers[1] = capabilityOf(shared)->reject;
    switch (which) {
    case Combinator::All: handlers[0] = newElementFunction(vm, resolveElement, shared, index); break;
    case Combinator::Any: handlers[1] = newElementFunction(vm, rejectElement, shared, index); break;
    case Combinator::AllSettled: {
        Storage* element = newStorage(vm, ElementWords);
        element->values[Shared] = Value::cell(shared);
        element->values[Index] = Value::int32(i32(index));
        handlers[0] = newElementFunction(vm, fulfilledElement, element, index);
        handlers[1] = newElementFunction(vm, rejectedElement, element, index);
        break;
    }
    case Combinator::Race: break;
    }
}

/// PerformPromiseAll and its like, with GetPromiseResolve and GetIterator before them.
Completion<void> perform(Vm& vm, Combinator which, Value constructor, Value iterable, Storage* shared) {
    Value resolve = TRY(get(vm, constructor.asObject(), KEY(vm, resolve)));
    if (!isCallable(resolve))
        return throwError(vm, Error::NotCallable, "resolve");
    auto* values = static_cast<Array*>(shared->values[Values].asObject());
    u32 index = 0;
    TRY(forEachOf(vm, iterable, [&](Value item) -> Completion<void> {
        if (which != Combinator::Race)
            TRY(pushDense(vm, values->elements_, Value::undefined()));
        Value promise = TRY(call(vm, resolve, constructor, item));
        Value handlers[2];
        makeHandlers(vm, which, shared, index++, handlers);
        shared->values[Remaining] = Value::int32(shared->values[Remaining].asInt() + 1);
        TRY(invoke(vm, promise, KEY(vm, then), handlers, 2));
        return {};
    }));
    if (which == Combinator::Any)
        TRY(countDown(vm, shared, throwErrors));
    else if (which != Combinator::Race)
        TRY(countDown(vm, shared, resolveValues));
    return {};
}

Result combine(Vm& vm, Args args, Combinator which, std::string_view name) {
    if (!args.self().isObject())
        return throwError(vm, Error::CalledOnNonObject, name);
    PromiseCapability* capability = TRY(newCapability(vm, args.self()));
    Array* values = newArray(vm);
    Storage* shared = newStorage(vm, SharedWords);
    shared->values[Values] = Value::object(values);
    shared->values[Remaining] = Value::int32(1);
    shared->values[Capability] = Value::cell(capability);
    shared->values[Callee] = Value::object(args.callee());
    shared->values[Receiver] = args.self();
    // 27.2.1.1.1 IfAbruptRejectPromise
    if (perform(vm, which, args.self(), args[0], shared).threw())
        TRY(call(vm, capability->reject, Value::undefined(), TRY(catchException(vm))));
    return capability->promise;
}

}

/// Vm::promiseElementHook
bool describePromiseElement(Value handler, PromiseElement& out) {
    if (!handler.isObject() || kindOf(handler.asCell()) != Kind::NativeFunction)
        return false;
    auto* function = static_cast<NativeFunction*>(handler.asObject());
    Value state = function->data[0], index = function->data[1];
    if (function->code == fulfilledElement) {
        auto* element = state.as<Storage>();
        state = element->values[Shared];
        index = element->values[Index];
    } else if (function->code != resolveElement && function->code != rejectElement) {
        return false;
    }
    if (state.isUndefined())
        return false;
    auto* shared = state.as<Storage>();
    out = {shared->values[Callee], shared->values[Receiver], capabilityOf(shared)->promise, u32(index.asInt())};
    return true;
}

/// 27.2.4.1 Promise.all ( iterable )
Result promise_all(Vm& vm, Args args) { return combine(vm, args, Combinator::All, "Promise.all"); }
/// 27.2.4.2 Promise.allSettled ( iterable )
Result promise_allSettled(Vm& vm, Args args) { return combine(vm, args, Combinator::AllSettled, "Promise.allSettled"); }
/// 27.2.4.3 Promise.any ( iterable )
Result promise_any(Vm& vm, Args args) { return combine(vm, args, Combinator::Any, "Promise.any"); }
/// 27.2.4.5 Promise.race ( iterable )
Result promise_race(Vm& vm, Args args) { return combine(vm, args, Combinator::Race, "Promise.race"); }

}
