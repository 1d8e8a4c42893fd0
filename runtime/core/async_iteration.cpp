// %AsyncFromSyncIterator%: results whose values are awaited.
#include "runtime/core/async_iteration.h"
#include "runtime/core/error.h"
#include "runtime/core/vm.h"

namespace scr {

static void traceAsyncFromSync(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    auto* self = static_cast<AsyncFromSyncIterator*>(cell);
    marker.markValues(&self->iterator, 1);
    marker.markValues(&self->next, 1);
}

void registerAsyncIterationKinds(Heap& heap) { heap.setTrace(u8(Kind::AsyncFromSyncIterator), traceAsyncFromSync); }

Completion<IteratorRecord> newAsyncFromSyncIterator(Vm& vm, const IteratorRecord& sync) {
    Shape* shape = rootShape(vm, vm.realm->intrinsic(vm, Intrinsic::AsyncFromSyncIteratorPrototype), 0);
    auto* self = static_cast<AsyncFromSyncIterator*>(
        allocateObject(vm, Kind::AsyncFromSyncIterator, sizeof(AsyncFromSyncIterator), shape));
    self->iterator = sync.iterator;
    self->next = sync.nextMethod;
    Value next = TRY(get(vm, self, PropertyKey::atom(vm.names.next)));
    return IteratorRecord{Value::object(self), next};
}

/// What a Waiter for a value holds: whether it is the last, and the iterator to close if it is rejected.
enum : u8 { WaiterDone, WaiterIterator, WaiterSize };

/// The closures of 27.1.6.4 steps 8 and 13.
static Completion<void> valueSettled(Vm& vm, Waiter* waiter, Value value, bool rejected) {
    if (!rejected) {
        Object* result = newIteratorResult(vm, value, waiter->values[WaiterDone].isTrue());
        return resolvePromise(vm, waiter->promise, Value::object(result));
    }
    if (Value iterator = waiter->values[WaiterIterator]; !iterator.isUndefined()) {
        (void)vm.throwValue(value);
        (void)iteratorCloseThrow(vm, iterator);
        value = TRY(catchException(vm));
    }
    rejectPromise(vm, waiter->promise, value);
    return {};
}

/// 27.1.6.4 AsyncFromSyncIteratorContinuation. Threw: what the promise is to be rejected with.
static Completion<void> continueWith(Vm& vm, Promise* promise, Object* result, Value closing) {
    bool done = toBoolean(TRY(get(vm, result, PropertyKey::atom(vm.names.done))));
    Value value = TRY(get(vm, result, PropertyKey::atom(vm.names.value)));
    if (done)
        closing = Value::undefined();
    Waiter* waiter = newWaiter(vm, valueSettled, promise, WaiterSize);
    waiter->values[WaiterDone] = Value::boolean(done);
    waiter->values[WaiterIterator] = closing;
    if (!awaitNative(vm, value, waiter).threw())
        return {};
    return closing.isUndefined() ? Threw{} : iteratorCloseThrow(vm, closing);
}

/// The method of the iterator that is asked for; undefined: there is none.
static Completion<Value> methodFor(Vm& vm, AsyncFromSyncIterator* self, ResumeMode mode) {
    if (mode == ResumeMode::Next)
        return self->next;
    return getMethod(
        vm, self->iterator, PropertyKey::atom(mode == ResumeMode::Throw ? vm.names.throw_ : vm.names.return_));
}

static Completion<void> step(
    Vm& vm, AsyncFromSyncIterator* self, ResumeMode mode, Promise* promise, const Value* args, u32 argc) {
    Value method = TRY(methodFor(vm, self, mode));
    if (method.isUndefined() && mode == ResumeMode::Return) {
        Value value = argc ? args[0] : Value::undefined();
        return resolvePromise(vm, promise, Value::object(newIteratorResult(vm, value, true)));
    }
    if (method.isUndefined() && mode == ResumeMode::Throw) {
        TRY(iteratorClose(vm, self->iterator));
        return throwError(vm, Error::ThrowMethodMissing);
    }
    if (!isCallable(method))
        return throwError(vm, Error::NotCallable, std::string_view(describeWithType(vm, method)));
    Value result = TRY(call(vm, method, self->iterator, args, argc));
    if (!result.isObject())
        return throwError(vm, Error::IteratorResultNotObject, result);
    Value closing = mode == ResumeMode::Return ? Value::undefined() : self->iterator;
    return continueWith(vm, promise, result.asObject(), closing);
}

Completion<Value> asyncFromSyncCall(Vm& vm, AsyncFromSyncIterator* self, ResumeMode mode, const Value* args, u32 argc) {
    Promise* promise = newPromise(vm);
    if (step(vm, self, mode, promise, args, argc).threw())
        rejectPromise(vm, promise, TRY(catchException(vm)));
    return Value::object(promise);
}

}
