// Settling promises, their reactions and jobs.
#include "runtime/core/promise.h"
#include "runtime/core/error.h"
#include "runtime/core/operations.h"
#include "runtime/core/suspension.h"
#include "runtime/core/vm.h"

namespace scr {

static void tracePromise(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    auto* promise = static_cast<Promise*>(cell);
    marker.markValues(&promise->result, 1);
    marker.markValues(&promise->handler, 1);
    marker.markValues(&promise->derived, 1);
}
static void traceReaction(Cell* cell, Marker& marker) {
    auto* reaction = static_cast<PromiseReaction*>(cell);
    marker.mark(reaction->next);
    marker.markValues(&reaction->onFulfilled, 1);
    marker.markValues(&reaction->onRejected, 1);
    marker.markValues(&reaction->derived, 1);
    marker.mark(reaction->context);
}
static void traceCapability(Cell* cell, Marker& marker) {
    auto* capability = static_cast<PromiseCapability*>(cell);
    marker.markValues(&capability->promise, 1);
    marker.markValues(&capability->resolve, 1);
    marker.markValues(&capability->reject, 1);
}
static void traceWaiter(Cell* cell, Marker& marker) {
    auto* waiter = static_cast<Waiter*>(cell);
    marker.mark(waiter->next);
    marker.mark(waiter->promise);
    marker.mark(waiter->realm);
    marker.markValues(waiter->values, waiter->shape);
}
void registerPromiseKinds(Heap& heap) {
    heap.setTrace(u8(Kind::Waiter), traceWaiter);
    heap.setTrace(u8(Kind::Promise), tracePromise);
    heap.setTrace(u8(Kind::PromiseReaction), traceReaction);
    heap.setTrace(u8(Kind::PromiseCapability), traceCapability);
}

Completion<Value> catchException(Vm& vm) {
    if (UNLIKELY(vm.terminating()))
        return Threw{};
    Value exception = vm.pendingException;
    vm.pendingException = Value::undefined();
    return exception;
}

// ---- making

static Promise* allocatePromise(Vm& vm, Shape* shape) {
    auto* promise = static_cast<Promise*>(allocateObject(vm, Kind::Promise, sizeof(Promise), shape));
    promise->result = promise->handler = promise->derived = Value::undefined();
    promise->state = PromiseState::Pending;
    promise->promiseFlags = 0;
    promise->reserved = 0;
    promise->turn = 0;
    return promise;
}

Promise* newPromise(Vm& vm, Object* prototype) { return allocatePromise(vm, rootShape(vm, prototype, 0)); }

Promise* newPromise(Vm& vm) {
    if (UNLIKELY(!vm.realm->promiseShape))
        vm.realm->intrinsic(vm, Intrinsic::PromisePrototype); // makes the shape too
    return allocatePromise(vm, vm.realm->promiseShape);
}

static PromiseReaction* newReaction(Vm& vm, Value onFulfilled, Value onRejected, Value derived, Cell* context) {
    auto* reaction =
        static_cast<PromiseReaction*>(vm.heap.allocate(sizeof(PromiseReaction), u8(Kind::PromiseReaction), 0));
    reaction->next = nullptr;
    reaction->onFulfilled = onFulfilled;
    reaction->onRejected = onRejected;
    reaction->derived = derived;
    reaction->context = context;
    return reaction;
}

/// 27.2.1.3.1, 27.2.1.3.2: data is the promise and its turn, which says whether [[AlreadyResolved]] is still false:
/// a pair of functions is made for a promise only when the pair before has done its work.
static Promise* takePromise(Args args) {
    NativeFunction* function = args.callee();
    auto* promise = static_cast<Promise*>(function->data[0].asObject());
    if (promise->state != PromiseState::Pending || u32(function->data[1].asInt()) != promise->turn)
        return nullptr;
    promise->turn++;
    return promise;
}

static Completion<Value> callResolve(Vm& vm, Args args) {
    if (Promise* promise = takePromise(args))
        TRY(resolvePromise(vm, promise, args[0]));
    return Value::undefined();
}

static Completion<Value> callReject(Vm& vm, Args args) {
    if (Promise* promise = takePromise(args))
        rejectPromise(vm, promise, args[0]);
    return Value::undefined();
}

ResolvingFunctions newResolvingFunctions(Vm& vm, Promise* promise) {
    ResolvingFunctions functions{newNative(vm, callResolve, "", 1), newNative(vm, callReject, "", 1)};
    functions.resolve->data[0] = functions.reject->data[0] = Value::object(promise);
    functions.resolve->data[1] = functions.reject->data[1] = Value::int32(i32(promise->turn));
    return functions;
}

Promise* promiseOfResolver(Value function) {
    if (!function.isObject() || kindOf(function.asCell()) != Kind::NativeFunction)
        return nullptr;
    auto* native = static_cast<NativeFunction*>(function.asObject());
    return native->code == callResolve ? static_cast<Promise*>(native->data[0].asObject()) : nullptr;
}

/// 27.2.1.5.1: the executor that a constructor gets; data is the capability to fill.
static Completion<Value> capabilityExecutor(Vm& vm, Args args) {
    auto* capability = static_cast<PromiseCapability*>(args.callee()->data[0].asCell());
    if (!capability->resolve.isUndefined() || !capability->reject.isUndefined())
        return throwError(vm, Error::ExecutorCalledTwice);
    capability->resolve = args[0];
    capability->reject = args[1];
    return Value::undefined();
}

static bool isBuiltinPromise(Vm& vm, Value constructor) {
    return constructor.isObject() && constructor.asObject() == vm.realm->intrinsics[size_t(Intrinsic::Promise)].get();
}

Completion<PromiseCapability*> newCapability(Vm& vm, Value constructor) {
    if (!isConstructor(constructor))
        return throwError(vm, Error::NotConstructor, constructor);
    auto* capability =
        static_cast<PromiseCapability*>(vm.heap.allocate(sizeof(PromiseCapability), u8(Kind::PromiseCapability), 0));
    capability->promise = capability->resolve = capability->reject = Value::undefined();
    if (isBuiltinPromise(vm, constructor)) {
        Promise* promise = newPromise(vm);
        ResolvingFunctions functions = newResolvingFunctions(vm, promise);
        capability->promise = Value::object(promise);
        capability->resolve = Value::object(functions.resolve);
        capability->reject = Value::object(functions.reject);
        return capability;
    }
    NativeFunction* executor = newNative(vm, capabilityExecutor, "", 2);
    executor->data[0] = Value::cell(capability);
    Value argument = Value::object(executor);
    capability->promise = TRY(construct(vm, constructor.asObject(), &argument, 1, constructor.asObject()));
    if (!isCallable(capability->resolve) || !isCallable(capability->reject))
        return throwError(vm, Error::CapabilityNotCallable);
    return capability;
}

Completion<Value> newDerived(Vm& vm, Value constructor) {
    if (LIKELY(isBuiltinPromise(vm, constructor)))
        return Value::object(newPromise(vm));
    return Value::cell(TRY(newCapability(vm, constructor)));
}

Value promiseOf(Value derived) {
    return derived.isObject() ? derived : static_cast<PromiseCapability*>(derived.asCell())->promise;
}

// ---- settling

static void enqueue(Vm& vm, Cell* job, Value argument, Cell* context) {
    if (vm.enqueueJobHook)
        vm.enqueueJobHook(vm, Value::cell(job), argument, context);
}

/// The job of one reaction (27.2.2.1 NewPromiseReactionJob).
static void enqueueReaction(Vm& vm, PromiseReaction* reaction, const Promise* promise) {
    reaction->flags = 0;
    if (promise->state == PromiseState::Rejected) {
        reaction->flags = ReactionRejected;
        reaction->onFulfilled = reaction->onRejected;
    }
    enqueue(vm, reaction, promise->result, reaction->context);
}

/// 27.2.1.8 TriggerPromiseReactions, and the state with it.
static void settle(Vm& vm, Promise* promise, PromiseState state, Value value) {
    ASSERT(promise->state == PromiseState::Pending);
    Value first = promise->result;
    u8 flags = promise->promiseFlags;
    promise->state = state;
    promise->result = value;
    promise->promiseFlags = flags & PromiseHandled;
    if (state == PromiseState::Rejected && !(flags & PromiseHandled) && vm.rejectionHook)
        vm.rejectionHook(vm, promise, false);
    if (flags & PromiseInline) {
        if (state == PromiseState::Fulfilled)
            promise->handler = first;
        promise->promiseFlags |= PromiseQueued;
        return enqueue(vm, promise, Value::undefined(), nullptr);
    }
    if (!(flags & PromiseListed))
        return;
    promise->handler = Value::undefined();
    for (auto* reaction = static_cast<PromiseReaction*>(first.asCell()); reaction;) {
        PromiseReaction* next = reaction->next;
        reaction->next = nullptr;
        enqueueReaction(vm, reaction, promise);
        vm.charge(1);
        reaction = next;
    }
}

void fulfillPromise(Vm& vm, Promise* promise, Value value) { settle(vm, promise, PromiseState::Fulfilled, value); }
void rejectPromise(Vm& vm, Promise* promise, Value reason) { settle(vm, promise, PromiseState::Rejected, reason); }

Completion<void> resolvePromise(Vm& vm, Promise* promise, Value resolution) {
    if (!resolution.isObject()) {
        fulfillPromise(vm, promise, resolution);
        return {};
    }
    Completion<Value> then = Threw{};
    if (resolution.asObject() == promise)
        (void)throwError(vm, Error::PromiseCycle, resolution);
    else
        then = get(vm, resolution.asObject(), PropertyKey::atom(vm.names.then));
    if (then.threw()) {
        rejectPromise(vm, promise, TRY(catchException(vm)));
    } else if (!isCallable(then.value())) {
        fulfillPromise(vm, promise, resolution);
    } else {
        PromiseReaction* job = newReaction(vm, then.value(), resolution, Value::object(promise), vm.asyncContext);
        job->flags = ReactionThenable;
        enqueue(vm, job, Value::undefined(), vm.asyncContext);
    }
    return {};
}

Completion<void> settleDerived(Vm& vm, Value derived, Value value, bool rejected) {
    if (LIKELY(derived.isObject())) {
        auto* promise = static_cast<Promise*>(derived.asObject());
        if (!rejected)
            return resolvePromise(vm, promise, value);
        rejectPromise(vm, promise, value);
        return {};
    }
    if (kindOf(derived.asCell()) == Kind::SuspendedFrame)
        return continueAsync(vm, derived.as<SuspendedFrame>(), value, rejected);
    if (kindOf(derived.asCell()) == Kind::Waiter) {
        auto* waiter = derived.as<Waiter>();
        Realm* realm = vm.realm;
        vm.realm = waiter->realm;
        Completion<void> result = waiter->settled(vm, waiter, value, rejected);
        vm.realm = realm;
        return result;
    }
    auto* capability = static_cast<PromiseCapability*>(derived.asCell());
    TRY(call(vm, rejected ? capability->reject : capability->resolve, Value::undefined(), value));
    return {};
}

static bool speciesIsIntact(Vm& vm, Realm* realm);

bool isPlainPromise(Vm& vm, Value value) {
    Realm* realm = vm.realm;
    return isPromise(value) && LIKELY(realm->promiseShape && value.asCell()->shape == realm->promiseShape->id)
        && LIKELY(speciesIsIntact(vm, realm));
}

Completion<Value> promiseResolve(Vm& vm, Object* constructor, Value value) {
    if (isPromise(value)) {
        if (LIKELY(isBuiltinPromise(vm, Value::object(constructor)) && isPlainPromise(vm, value)))
            return value;
        Value made = TRY(get(vm, value.asObject(), PropertyKey::atom(vm.names.constructor)));
        if (made == Value::object(constructor))
            return value;
    }
    Value derived = TRY(newDerived(vm, Value::object(constructor)));
    TRY(settleDerived(vm, derived, value, false));
    return promiseOf(derived);
}

// ---- waiting

/// Behind the others; what stood in the promise's own words goes in front of it.
static void appendReaction(Vm& vm, Promise* promise, PromiseReaction* reaction) {
    if (promise->promiseFlags & PromiseListed) {
        static_cast<PromiseReaction*>(promise->handler.asCell())->next = reaction;
    } else {
        PromiseReaction* first = reaction;
        if (promise->promiseFlags & PromiseInline) {
            first = newReaction(vm, promise->result, promise->handler, promise->derived, nullptr);
            first->next = reaction;
        }
        promise->result = Value::cell(first);
        promise->derived = Value::undefined();
        promise->promiseFlags = (promise->promiseFlags & ~PromiseInline) | PromiseListed;
    }
    promise->handler = Value::cell(reaction);
}

void performThen(Vm& vm, Promise* promise, Value onFulfilled, Value onRejected, Value derived) {
    Cell* context = vm.asyncContext;
    bool pending = promise->state == PromiseState::Pending;
    bool free = !(promise->promiseFlags & (PromiseInline | PromiseListed | PromiseQueued)) && !context;
    if (promise->state == PromiseState::Rejected && !(promise->promiseFlags & PromiseHandled) && vm.rejectionHook)
        vm.rejectionHook(vm, promise, true);
    promise->promiseFlags |= PromiseHandled;
    if (!free) {
        PromiseReaction* reaction = newReaction(vm, onFulfilled, onRejected, derived, context);
        return pending ? appendReaction(vm, promise, reaction) : enqueueReaction(vm, reaction, promise);
    }
    promise->derived = derived;
    if (pending) {
        promise->result = onFulfilled;
        promise->handler = onRejected;
        promise->promiseFlags |= PromiseInline;
        return;
    }
    promise->handler = promise->state == PromiseState::Fulfilled ? onFulfilled : onRejected;
    promise->promiseFlags |= PromiseQueued;
    enqueue(vm, promise, Value::undefined(), nullptr);
}

Waiter* newWaiter(Vm& vm, Waiter::Code settled, Promise* promise, u32 count) {
    auto* waiter =
        static_cast<Waiter*>(vm.heap.allocate(sizeof(Waiter) + count * sizeof(Value), u8(Kind::Waiter), count));
    waiter->settled = settled;
    waiter->next = nullptr;
    waiter->promise = promise;
    waiter->realm = vm.realm;
    for (u32 i = 0; i < count; i++)
        waiter->values[i] = Value::undefined();
    return waiter;
}

Completion<void> awaitNative(Vm& vm, Value value, Waiter* waiter) {
    Value promise = TRY(promiseResolve(vm, vm.realm->intrinsic(vm, Intrinsic::Promise), value));
    performThen(
        vm, static_cast<Promise*>(promise.asObject()), Value::undefined(), Value::undefined(), Value::cell(waiter));
    return {};
}

void waitFor(Vm& vm, SuspendedFrame* frame, Value value) {
    if (isPromise(value)) {
        auto* promise = static_cast<Promise*>(value.asObject());
        if (promise->state != PromiseState::Fulfilled) {
            frame->awaited = promise;
            return performThen(vm, promise, Value::undefined(), Value::undefined(), Value::cell(frame));
        }
        promise->promiseFlags |= PromiseHandled;
        value = promise->result;
    }
    enqueue(vm, frame, value, vm.asyncContext);
}

/// `constructor` of %Promise.prototype% and Symbol.species of %Promise% are what they were.
static bool speciesIsIntact(Vm& vm, Realm* realm) {
    if (LIKELY(realm->promiseSpeciesEpoch == vm.prototypeEpoch))
        return true;
    Object* prototype = realm->intrinsic(vm, Intrinsic::PromisePrototype);
    Object* promise = realm->intrinsic(vm, Intrinsic::Promise);
    Lookup constructor = getOwnProperty(vm, prototype, PropertyKey::atom(vm.names.constructor));
    if (constructor.type != Lookup::Data || constructor.value != Value::object(promise))
        return false;
    // What is changed in a prototype moves the epoch: so it will here.
    becomePrototype(vm, promise);
    Lookup species = getOwnProperty(vm, promise, PropertyKey::symbol(vm.symbols.species));
    if (species.type != Lookup::Accessor)
        return false;
    Value getter = species.value.isCell() ? static_cast<Accessor*>(species.value.asCell())->getter : Value::undefined();
    if (!getter.isObject() || kindOf(getter.asCell()) != Kind::NativeFunction
        || static_cast<NativeFunction*>(getter.asObject())->quick != QuickReceiver)
        return false;
    if (!vm.dependOnSlotValue(prototype, constructor.slot))
        return false;
    realm->promiseSpeciesEpoch = vm.prototypeEpoch;
    return true;
}

/// SpeciesConstructor ( promise, %Promise% ), without reading anything where nobody could see it.
static Completion<Object*> promiseSpecies(Vm& vm, Promise* promise) {
    Realm* realm = vm.realm;
    if (LIKELY(isPlainPromise(vm, Value::object(promise))))
        return realm->intrinsic(vm, Intrinsic::Promise);
    Object* chosen = TRY(speciesConstructor(vm, promise, Intrinsic::Promise));
    return chosen ? chosen : realm->intrinsic(vm, Intrinsic::Promise);
}

static Value handlerOf(Value value) { return isCallable(value) ? value : Value::undefined(); }

Completion<Value> promiseThen(Vm& vm, Promise* promise, Value onFulfilled, Value onRejected) {
    Value derived = TRY(newDerived(vm, Value::object(TRY(promiseSpecies(vm, promise)))));
    performThen(vm, promise, handlerOf(onFulfilled), handlerOf(onRejected), derived);
    return promiseOf(derived);
}

// ---- jobs

/// `then` called on the thenable with the functions that settle the promise.
static Completion<Value> callThen(Vm& vm, Value then, Value thenable, Promise* promise, Object* species) {
    ResolvingFunctions functions = newResolvingFunctions(vm, promise);
    Value resolve = Value::object(functions.resolve), reject = Value::object(functions.reject);
    Completion<Value> result = Threw{};
    if (!species) {
        result = call(vm, then, thenable, resolve, reject);
    } else {
        Completion<Value> derived = newDerived(vm, Value::object(species));
        if (!derived.threw()) {
            performThen(vm, static_cast<Promise*>(thenable.asObject()), resolve, reject, derived.value());
            return Value::undefined();
        }
    }
    if (!result.threw())
        return Value::undefined();
    return call(vm, reject, Value::undefined(), TRY(catchException(vm)));
}

/// 27.2.2.2 NewPromiseResolveThenableJob: its closure.
static Completion<void> runThenable(Vm& vm, Value then, Value thenable, Promise* promise) {
    Object* species = nullptr;
    // OPTIMIZATION: %Promise.prototype.then% on a promise. The functions it would be called with settle the promise,
    // which a reaction does without them.
    if (isPromise(thenable) && then == Value::object(vm.realm->intrinsic(vm, Intrinsic::PromisePrototypeThen))) {
        auto* other = static_cast<Promise*>(thenable.asObject());
        Completion<Object*> chosen = promiseSpecies(vm, other);
        if (chosen.threw()) {
            rejectPromise(vm, promise, TRY(catchException(vm)));
            return {};
        }
        species = chosen.value();
        if (isBuiltinPromise(vm, Value::object(species))) {
            performThen(vm, other, Value::undefined(), Value::undefined(), Value::object(promise));
            return {};
        }
    }
    TRY(callThen(vm, then, thenable, promise, species));
    return {};
}

/// The handler, and what depends on it.
static Completion<void> react(Vm& vm, Value handler, Value derived, Value argument, bool rejected) {
    if (!handler.isUndefined()) {
        Completion<Value> result = call(vm, handler, Value::undefined(), argument);
        rejected = result.threw();
        argument = rejected ? TRY(catchException(vm)) : result.value();
    }
    return derived.isUndefined() ? Completion<void>() : settleDerived(vm, derived, argument, rejected);
}

/// 27.2.2.1 NewPromiseReactionJob: its closure.
static Completion<void> runReaction(Vm& vm, Value handler, Value derived, Value argument, bool rejected) {
    vm.runningDerived = derived;
    Completion<void> result = react(vm, handler, derived, argument, rejected);
    vm.runningDerived = Value::undefined();
    return result;
}

Completion<void> runPromiseJob(Vm& vm, Cell* job, Value argument) {
    TRY(vm.work(1));
    if (kindOf(job) == Kind::Promise) {
        auto* promise = static_cast<Promise*>(job);
        Value handler = promise->handler, derived = promise->derived;
        promise->handler = promise->derived = Value::undefined();
        promise->promiseFlags &= u8(~PromiseQueued);
        return runReaction(vm, handler, derived, promise->result, promise->state == PromiseState::Rejected);
    }
    if (kindOf(job) == Kind::SuspendedFrame)
        return runReaction(vm, Value::undefined(), Value::cell(job), argument, false);
    auto* reaction = static_cast<PromiseReaction*>(job);
    if (reaction->flags & ReactionThenable)
        return runThenable(
            vm, reaction->onFulfilled, reaction->onRejected, static_cast<Promise*>(reaction->derived.asObject()));
    return runReaction(vm, reaction->onFulfilled, reaction->derived, argument, reaction->flags & ReactionRejected);
}

}
