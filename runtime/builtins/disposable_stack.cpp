// DisposableStack and AsyncDisposableStack (ECMA-262 2026, 27.3, 27.4). Their methods are the same but for the kind,
// the hint and the disposal.
#include "runtime/builtins/disposable_stack.h"
#include "runtime/builtins/native.h"
#include "runtime/core/promise.h"

namespace scr {

static void traceDisposableStack(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    marker.mark(static_cast<DisposableStack*>(cell)->capability);
}

void registerDisposableStacks(Heap& heap) {
    heap.setTrace(u8(Kind::DisposableStack), traceDisposableStack);
    heap.setTrace(u8(Kind::AsyncDisposableStack), traceDisposableStack);
}

namespace {

struct StackClass {
    Kind kind;
    Intrinsic prototype;
    bool isAsync;
    std::string_view name;
};
constexpr StackClass syncClass{Kind::DisposableStack, Intrinsic::DisposableStackPrototype, false, "DisposableStack"};
constexpr StackClass asyncClass{
    Kind::AsyncDisposableStack, Intrinsic::AsyncDisposableStackPrototype, true, "AsyncDisposableStack"};

Completion<DisposableStack*> thisStack(Vm& vm, Args args, const StackClass& type, std::string_view method) {
    Value self = args.self();
    if (LIKELY(self.isObject() && kindOf(self.asCell()) == type.kind))
        return static_cast<DisposableStack*>(self.asObject());
    std::string name = std::string(type.name).append(".prototype.").append(method);
    return throwError(vm, Error::Incompatible, std::string_view(name), self);
}

/// What `method` is to change. `verb`: what it does to the stack, for the ReferenceError about one that is disposed.
Completion<DisposableStack*> pendingStack(
    Vm& vm, Args args, const StackClass& type, std::string_view method, std::string_view verb) {
    DisposableStack* stack = TRY(thisStack(vm, args, type, method));
    if (!stack->capability)
        return throwError(vm, Error::StackDisposed, verb);
    return stack;
}

DisposableStack* newStack(Vm& vm, const StackClass& type, Object* prototype) {
    auto* stack = static_cast<DisposableStack*>(
        allocateObject(vm, type.kind, sizeof(DisposableStack), rootShape(vm, prototype, 0)));
    stack->capability = nullptr;
    return stack;
}

Result constructStack(Vm& vm, Args args, const StackClass& type) {
    Value newTarget = vm.takeNewTarget();
    if (newTarget.isUndefined())
        return throwError(vm, Error::ConstructorNeedsNew, type.name);
    Object* prototype = TRY(prototypeFor(vm, args, newTarget, type.prototype));
    DisposableStack* stack = newStack(vm, type, prototype);
    stack->capability = newDisposeCapability(vm);
    return Value::object(stack);
}

Result use(Vm& vm, Args args, const StackClass& type) {
    DisposableStack* stack = TRY(pendingStack(vm, args, type, "use", "add to"));
    TRY(addDisposable(vm, stack->capability, args[0], type.isAsync));
    return args[0];
}

/// adopt ( value, onDispose ) and defer ( onDispose ).
Result add(Vm& vm, Args args, const StackClass& type, bool adopts) {
    DisposableStack* stack = TRY(pendingStack(vm, args, type, adopts ? "adopt" : "defer", "add to"));
    Value method = args[adopts ? 1 : 0];
    if (!isCallable(method))
        return throwError(vm, Error::NotCallable, method);
    Value value = adopts ? args[0] : Value::undefined();
    TRY(addDisposeMethod(vm, stack->capability, value, method, type.isAsync, adopts));
    return value;
}

Result isDisposed(Vm& vm, Args args, const StackClass& type) {
    return Value::boolean(!TRY(thisStack(vm, args, type, "disposed"))->capability);
}

Result moveStack(Vm& vm, Args args, const StackClass& type) {
    DisposableStack* stack = TRY(pendingStack(vm, args, type, "move", "move from"));
    DisposableStack* taker = newStack(vm, type, vm.realm->intrinsic(vm, type.prototype));
    taker->capability = stack->capability;
    stack->capability = nullptr;
    return Value::object(taker);
}

}

// ---- DisposableStack

// 27.3.1.1 DisposableStack ( )
Result disposableStack_constructor(Vm& vm, Args args) { return constructStack(vm, args, syncClass); }
// 27.3.3.1 to 27.3.3.7
Result disposableStack_adopt(Vm& vm, Args args) { return add(vm, args, syncClass, true); }
Result disposableStack_defer(Vm& vm, Args args) { return add(vm, args, syncClass, false); }
Result disposableStack_use(Vm& vm, Args args) { return use(vm, args, syncClass); }
Result disposableStack_move(Vm& vm, Args args) { return moveStack(vm, args, syncClass); }
Result disposableStack_disposed(Vm& vm, Args args) { return isDisposed(vm, args, syncClass); }
Result disposableStack_dispose(Vm& vm, Args args) {
    DisposableStack* stack = TRY(thisStack(vm, args, syncClass, "dispose"));
    DisposeCapability* capability = stack->capability;
    if (!capability)
        return Value::undefined();
    stack->capability = nullptr;
    DisposeCompletion completion;
    Value awaited;
    TRY(disposeUntilWait(vm, capability, completion, awaited));
    return completion.threw ? vm.throwValue(completion.error) : Result(Value::undefined());
}

// ---- AsyncDisposableStack

// 27.4.1.1 AsyncDisposableStack ( )
Result asyncDisposableStack_constructor(Vm& vm, Args args) { return constructStack(vm, args, asyncClass); }
// 27.4.3.1 to 27.4.3.7
Result asyncDisposableStack_adopt(Vm& vm, Args args) { return add(vm, args, asyncClass, true); }
Result asyncDisposableStack_defer(Vm& vm, Args args) { return add(vm, args, asyncClass, false); }
Result asyncDisposableStack_use(Vm& vm, Args args) { return use(vm, args, asyncClass); }
Result asyncDisposableStack_move(Vm& vm, Args args) { return moveStack(vm, args, asyncClass); }
Result asyncDisposableStack_disposed(Vm& vm, Args args) { return isDisposed(vm, args, asyncClass); }

namespace {

/// Words of the Waiter of a disposal.
enum DisposalWord : u32 { DisposalList, DisposalThrew, DisposalError, DisposalWords };

Completion<void> continueDisposal(Vm& vm, Waiter* waiter, DisposeCompletion completion) {
    auto* capability = static_cast<DisposeCapability*>(waiter->values[DisposalList].asCell());
    Value awaited;
    while (TRY(disposeUntilWait(vm, capability, completion, awaited))) {
        waiter->values[DisposalThrew] = Value::boolean(completion.threw);
        waiter->values[DisposalError] = completion.error;
        if (!awaitNative(vm, awaited, waiter).threw())
            return {};
        suppress(vm, completion, TRY(catchException(vm))); // the await threw at once
    }
    if (completion.threw)
        rejectPromise(vm, waiter->promise, completion.error);
    else
        fulfillPromise(vm, waiter->promise, Value::undefined());
    return {};
}

/// What a disposal waited for has been settled.
Completion<void> disposedOne(Vm& vm, Waiter* waiter, Value value, bool rejected) {
    DisposeCompletion completion{waiter->values[DisposalThrew].isTrue(), waiter->values[DisposalError]};
    if (rejected)
        suppress(vm, completion, value);
    return continueDisposal(vm, waiter, completion);
}

}

// 27.4.3.4 AsyncDisposableStack.prototype.disposeAsync ( )
Result asyncDisposableStack_disposeAsync(Vm& vm, Args args) {
    Promise* promise = newPromise(vm);
    Completion<DisposableStack*> stack = thisStack(vm, args, asyncClass, "disposeAsync");
    if (stack.threw()) {
        rejectPromise(vm, promise, TRY(catchException(vm)));
        return Value::object(promise);
    }
    DisposeCapability* capability = stack.value()->capability;
    if (!capability) {
        fulfillPromise(vm, promise, Value::undefined());
        return Value::object(promise);
    }
    stack.value()->capability = nullptr;
    Waiter* waiter = newWaiter(vm, disposedOne, promise, DisposalWords);
    waiter->values[DisposalList] = Value::cell(capability);
    TRY(continueDisposal(vm, waiter, {}));
    return Value::object(promise);
}

}
