// Explicit resource management (ECMA-262 2026, 7.5): the resources of a scope with `using`, or of a DisposableStack,
// and their disposal, last one first.
//
// Disposal is a loop that may have to wait, so it is cut in steps: disposeUntilWait runs until a promise must be
// awaited and is called again afterwards. What it knows between two steps stands in the cell.
#pragma once
#include "runtime/core/call.h"

namespace scr {

enum class DisposeHint : u8 {
    Sync, ///< sync-dispose
    Async, ///< async-dispose
    AsyncFromSync, ///< async-dispose, but the method is that of Symbol.dispose: its result is not awaited, its error is
};

/// 7.5.1 DisposeCapability Record. Three elements for each resource: value, method (undefined: none), and the
/// DisposeHint with DisposeWithArgument.
struct DisposeCapability : Cell {
    Elements resources;
    bool needsAwait, hasAwaited; ///< of the loop of DisposeResources
};
/// In a resource's hint: the method gets the value as its argument, not as `this` (DisposableStack.prototype.adopt).
constexpr i32 DisposeWithArgument = 4;

/// The completion that disposal began with, and what has become of it.
struct DisposeCompletion {
    bool threw = false;
    Value error = Value::undefined();
};

DisposeCapability* newDisposeCapability(Vm& vm);
/// 7.5.4 AddDisposableResource for a value with a method of its own. [script]
Completion<void> addDisposable(Vm& vm, DisposeCapability* capability, Value value, bool isAsync);
/// The same with a given method.
Completion<void> addDisposeMethod(
    Vm& vm, DisposeCapability* capability, Value value, Value method, bool isAsync, bool withArgument);
/// 7.5.8 DisposeResources up to the next Await: true if `awaited` is to be awaited before it goes on, false at the end.
/// If that await throws, call suppress() and go on. Threw: the run ends. [script]
Completion<bool> disposeUntilWait(Vm& vm, DisposeCapability* capability, DisposeCompletion& completion, Value& awaited);
/// `error` is the completion now; one that it had before is suppressed.
void suppress(Vm& vm, DisposeCompletion& completion, Value error);

void registerDisposalKinds(Heap& heap);

}
