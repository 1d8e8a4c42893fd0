// Resources: collecting them and disposing of them.
#include "runtime/core/disposal.h"
#include "runtime/core/atom.h"
#include "runtime/core/error.h"
#include "runtime/core/operations.h"
#include "runtime/core/promise.h"
#include "runtime/core/vm.h"
#include <algorithm>

namespace scr {

enum ResourceWord : u32 { ResourceValue, ResourceMethod, ResourceHint, ResourceWords };

static void traceDisposeCapability(Cell* cell, Marker& marker) {
    marker.mark(static_cast<DisposeCapability*>(cell)->resources.storage);
}

void registerDisposalKinds(Heap& heap) { heap.setTrace(u8(Kind::DisposeCapability), traceDisposeCapability); }

DisposeCapability* newDisposeCapability(Vm& vm) {
    auto* capability =
        static_cast<DisposeCapability*>(vm.heap.allocate(sizeof(DisposeCapability), u8(Kind::DisposeCapability), 0));
    capability->resources = Elements{};
    capability->needsAwait = capability->hasAwaited = false;
    return capability;
}

// ---- adding

static Completion<void> push(Vm& vm, DisposeCapability* capability, Value value, Value method, i32 hint) {
    Elements& resources = capability->resources;
    TRY(reserveDense(vm, resources, resources.denseLength + ResourceWords));
    TRY(pushDense(vm, resources, value));
    TRY(pushDense(vm, resources, method));
    TRY(pushDense(vm, resources, Value::int32(hint)));
    return {};
}

/// 7.5.6 GetDisposeMethod; undefined if there is none. `hint` tells where it was found.
static Completion<Value> disposeMethod(Vm& vm, Value value, DisposeHint& hint) {
    if (hint == DisposeHint::Async) {
        Value method = TRY(getMethod(vm, value, PropertyKey::symbol(vm.symbols.asyncDispose)));
        if (!method.isUndefined())
            return method;
        hint = DisposeHint::AsyncFromSync;
    }
    return getMethod(vm, value, PropertyKey::symbol(vm.symbols.dispose));
}

Completion<void> addDisposable(Vm& vm, DisposeCapability* capability, Value value, bool isAsync) {
    DisposeHint hint = isAsync ? DisposeHint::Async : DisposeHint::Sync;
    if (value.isNullish()) // nothing to dispose of, but an await all the same
        return isAsync ? push(vm, capability, Value::undefined(), Value::undefined(), i32(hint)) : Completion<void>{};
    if (!value.isObject())
        return throwError(vm, Error::DisposableNotObject, std::string_view(describeWithType(vm, value)));
    Value method = TRY(disposeMethod(vm, value, hint));
    if (method.isUndefined())
        return throwError(vm, isAsync ? Error::NotAsyncDisposable : Error::NotDisposable, value);
    return push(vm, capability, value, method, i32(hint));
}

Completion<void> addDisposeMethod(
    Vm& vm, DisposeCapability* capability, Value value, Value method, bool isAsync, bool withArgument) {
    DisposeHint hint = isAsync ? DisposeHint::Async : DisposeHint::Sync;
    return push(vm, capability, value, method, i32(hint) | (withArgument ? DisposeWithArgument : 0));
}

// ---- disposing

void suppress(Vm& vm, DisposeCompletion& completion, Value error) {
    if (completion.threw) {
        ErrorObject* both = newError(vm, Intrinsic::SuppressedErrorPrototype, nullptr);
        defineDirect(vm, both, PropertyKey::atom(internAscii(vm, "error")), error, HiddenAttributes);
        defineDirect(vm, both, PropertyKey::atom(internAscii(vm, "suppressed")), completion.error, HiddenAttributes);
        error = Value::object(both);
    }
    completion.threw = true;
    completion.error = error;
}

/// Step 3.e for one resource: true if `awaited` is to be awaited.
static Completion<bool> disposeOne(
    Vm& vm, DisposeCapability* capability, const Value* resource, DisposeCompletion& completion, Value& awaited) {
    i32 bits = resource[ResourceHint].asInt();
    auto hint = DisposeHint(bits & ~DisposeWithArgument);
    Value value = resource[ResourceValue], method = resource[ResourceMethod];
    Completion<Value> result =
        bits & DisposeWithArgument ? call(vm, method, Value::undefined(), value) : call(vm, method, value);
    if (hint == DisposeHint::Async && !result.threw()) {
        capability->hasAwaited = true;
        awaited = result.value();
        return true;
    }
    Value error = result.threw() ? TRY(catchException(vm)) : Value::undefined();
    if (hint == DisposeHint::AsyncFromSync) { // 7.5.6 step 1.b.ii.1: a promise is made of it
        capability->hasAwaited = true;
        if (result.threw()) {
            Promise* promise = newPromise(vm);
            rejectPromise(vm, promise, error);
            awaited = Value::object(promise);
        } else {
            awaited = Value::undefined();
        }
        return true;
    }
    if (result.threw())
        suppress(vm, completion, error);
    return false;
}

Completion<bool> disposeUntilWait(
    Vm& vm, DisposeCapability* capability, DisposeCompletion& completion, Value& awaited) {
    Realm* realm = vm.realm;
    Elements& resources = capability->resources;
    awaited = Value::undefined();
    while (resources.denseLength) {
        TRY(vm.work(1));
        Value resource[ResourceWords];
        u32 first = resources.denseLength - ResourceWords;
        std::copy_n(resources.dense() + first, u32(ResourceWords), resource);
        if (resource[ResourceHint].asInt() == i32(DisposeHint::Sync) && capability->needsAwait
            && !capability->hasAwaited) {
            capability->needsAwait = false;
            return true;
        }
        resources.denseLength = first;
        std::fill_n(resources.dense() + first, u32(ResourceWords), Value::hole());
        if (resource[ResourceMethod].isUndefined()) {
            capability->needsAwait = true;
            continue;
        }
        bool waits = TRY(disposeOne(vm, capability, resource, completion, awaited));
        vm.realm = realm;
        if (waits)
            return true;
    }
    bool waits = capability->needsAwait && !capability->hasAwaited;
    capability->needsAwait = false;
    return waits;
}

}
