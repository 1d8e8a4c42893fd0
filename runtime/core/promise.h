// Promises (ECMA-262 27.2): states, reactions, the jobs they make. Nothing here knows how jobs are queued: the event
// loop sets Vm::enqueueJobHook and calls runPromiseJob.
//
// Invariants. A pending promise has no reaction, one of its own words (PromiseInline), or a list of Reaction cells. A
// settled one may still hold a reaction in its own words, whose job is queued (PromiseQueued): the promise is the job.
// A reaction is a pair of handlers and what depends on them (`derived`): nothing, a promise that nobody else can
// settle, a capability, or (without handlers) the frame of a function that waits, or a native that does (Waiter). No
// closure is made for what only the engine calls. Nothing here recurses along a chain.
#pragma once
#include "runtime/core/call.h"

namespace scr {

enum class PromiseState : u8 { Pending, Fulfilled, Rejected };

enum PromiseFlag : u8 {
    PromiseInline = 1, ///< pending: one reaction, in `result` (when fulfilled), `handler` (when rejected), `derived`
    PromiseListed = 2, ///< pending: `result` is the first of the Reaction cells, `handler` the last
    PromiseQueued = 4, ///< settled: `handler` and `derived` wait for their job
    PromiseHandled = 8, ///< [[PromiseIsHandled]]
    PromiseTracked = 16, ///< rejected and not handled: the host has been told
    PromiseReported = 32, ///< the process has heard of that
};

struct Promise : Object {
    Value result; ///< of a settled promise
    Value handler;
    Value derived;
    PromiseState state;
    u8 promiseFlags;
    u16 reserved;
    /// Pending: how often one of its resolving functions has been called; those made before are without effect then.
    /// Rejected: by which number the process knows of it.
    u32 turn;
};
static_assert(sizeof(Promise) == 48);

/// 27.2.1.1 PromiseCapability whose functions are wanted: those that a constructor gave, or the promise's own.
struct PromiseCapability : Cell {
    Value promise;
    Value resolve, reject;
};

enum ReactionFlag : u8 { // Cell::flags, of a queued one
    ReactionRejected = 1, ///< onFulfilled is the handler for the reason
    ReactionThenable = 2, ///< 27.2.2.2: onFulfilled is the `then` to call on onRejected, to settle `derived`
};

struct PromiseReaction : Cell {
    Ptr<PromiseReaction> next;
    Value onFulfilled, onRejected; ///< undefined: passed on
    Value derived;
    Ptr<Cell> context; ///< Vm::asyncContext of whoever waits
};

/// A native that waits for a promise, with what it needs to go on. Cell::shape is the number of values.
struct Waiter : Cell {
    using Code = Completion<void> (*)(Vm& vm, Waiter* waiter, Value value, bool rejected);
    Code settled; ///< goes on, in `realm`. [script]
    Ptr<Waiter> next; ///< in the queue of an async generator
    Ptr<Promise> promise; ///< what the native has promised
    Ptr<Realm> realm;
    Value values[];
};

inline bool isPromise(Value value) { return value.isObject() && kindOf(value.asCell()) == Kind::Promise; }

// ---- making
Promise* newPromise(Vm& vm, Object* prototype);
/// Of the current realm.
Promise* newPromise(Vm& vm);
struct ResolvingFunctions {
    NativeFunction *resolve, *reject;
};
/// 27.2.1.3 CreateResolvingFunctions.
ResolvingFunctions newResolvingFunctions(Vm& vm, Promise* promise);
/// 27.2.1.5 NewPromiseCapability with its functions. [script]
Completion<PromiseCapability*> newCapability(Vm& vm, Value constructor);
/// The same for what only the engine settles: a promise itself, if the constructor is %Promise%, else the cell of a
/// capability. [script]
Completion<Value> newDerived(Vm& vm, Value constructor);
/// The promise of what newDerived gave.
Value promiseOf(Value derived);

// ---- settling. Throws only if the run ends, or a capability's function throws.
/// 27.2.1.4 FulfillPromise. Known: pending.
void fulfillPromise(Vm& vm, Promise* promise, Value value);
/// 27.2.1.7 RejectPromise. Known: pending.
void rejectPromise(Vm& vm, Promise* promise, Value reason);
/// What a promise's resolve function does the first time (27.2.1.3.2 from step 7). [script]
Completion<void> resolvePromise(Vm& vm, Promise* promise, Value resolution);
/// Resolves or rejects what newDerived gave. [script]
Completion<void> settleDerived(Vm& vm, Value derived, Value value, bool rejected);
/// 27.2.4.7.1 PromiseResolve. [script]
Completion<Value> promiseResolve(Vm& vm, Object* constructor, Value value);

// ---- waiting
/// 27.2.5.4.1 PerformPromiseThen: handlers are callable or undefined; `derived` is undefined or from newDerived.
void performThen(Vm& vm, Promise* promise, Value onFulfilled, Value onRejected, Value derived);
/// 27.7.5.3 Await from step 3 on, for the frame of an async function. The value is a promise or no object: of what is
/// settled nobody can tell whether there is a promise and a reaction, so the frame itself is the job.
void waitFor(Vm& vm, struct SuspendedFrame* frame, Value value);
/// A promise whose `constructor` and species are %Promise% of the current realm, which nobody needs to read.
bool isPlainPromise(Vm& vm, Value value);
/// 27.2.5.4 Promise.prototype.then. [script]
Completion<Value> promiseThen(Vm& vm, Promise* promise, Value onFulfilled, Value onRejected);

/// In the current realm, with all values undefined.
Waiter* newWaiter(Vm& vm, Waiter::Code settled, Promise* promise, u32 count);
/// 27.7.5.3 Await for a native: the waiter goes on in a job of its own. Threw: the value cannot be waited for. [script]
Completion<void> awaitNative(Vm& vm, Value value, Waiter* waiter);

/// What an element function of a combinator belongs to (Vm::promiseElementHook).
struct PromiseElement {
    Value combinator, constructor; ///< the function Promise.all or its like, and its receiver
    Value promise; ///< that it was called for
    u32 index;
};
/// The promise that this is the resolve function of, made by the engine; null for everything else.
Promise* promiseOfResolver(Value function);

/// A job of enqueueJobHook: a promise, a reaction or the frame of an async function, and the value it was settled with.
/// [script]
Completion<void> runPromiseJob(Vm& vm, Cell* job, Value argument);

/// The exception that has just been thrown, taken off, for whoever rejects with it. Threw: the run ends, and nobody may
/// hold it back.
Completion<Value> catchException(Vm& vm);

void registerPromiseKinds(Heap& heap);

}
