// %AsyncIteratorPrototype% and %AsyncFromSyncIteratorPrototype% (ECMA-262 27.1.4, 27.1.6).
#include "runtime/builtins/native.h"
#include "runtime/core/async_iteration.h"

namespace scr {

// 27.1.4.1 %AsyncIteratorPrototype% [ %Symbol.asyncIterator% ] ( )
Result asyncIterator_prototype_asyncIterator(Vm&, Args args) { return args.self(); }

// ---- disposing

static Completion<void> disposed(Vm& vm, Waiter* waiter, Value value, bool rejected) {
    if (!rejected)
        return resolvePromise(vm, waiter->promise, Value::undefined());
    rejectPromise(vm, waiter->promise, value);
    return {};
}

static Completion<void> dispose(Vm& vm, Value self, Promise* promise) {
    Value method = TRY(getMethod(vm, self, KEY(vm, return_)));
    if (method.isUndefined())
        return resolvePromise(vm, promise, Value::undefined());
    Value result = TRY(call(vm, method, self));
    return awaitNative(vm, result, newWaiter(vm, disposed, promise, 0));
}

// 27.1.4.2 %AsyncIteratorPrototype% [ %Symbol.asyncDispose% ] ( )
Result asyncIterator_prototype_asyncDispose(Vm& vm, Args args) {
    Promise* promise = newPromise(vm);
    if (dispose(vm, args.self(), promise).threw())
        rejectPromise(vm, promise, TRY(catchException(vm)));
    return Value::object(promise);
}

// ---- synchronous iterators. Known: no script has a receiver of these in its hands, nor the functions.

static Result callIterator(Vm& vm, Args args, ResumeMode mode) {
    ASSERT(kindOf(args.self().asCell()) == Kind::AsyncFromSyncIterator);
    Value argument = args[0];
    return asyncFromSyncCall(
        vm, static_cast<AsyncFromSyncIterator*>(args.self().asObject()), mode, &argument, args.count ? 1 : 0);
}

// 27.1.6.2.1 to 27.1.6.2.3
Result asyncFromSyncIterator_next(Vm& vm, Args args) { return callIterator(vm, args, ResumeMode::Next); }
Result asyncFromSyncIterator_return(Vm& vm, Args args) { return callIterator(vm, args, ResumeMode::Return); }
Result asyncFromSyncIterator_throw(Vm& vm, Args args) { return callIterator(vm, args, ResumeMode::Throw); }

}
