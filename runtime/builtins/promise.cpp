// Promise and its prototype (ECMA-262 27.2); the functions that take several promises are in promise_combinators.cpp.
#include "runtime/core/promise.h"
#include "runtime/builtins/native.h"

namespace scr {

/// 27.2.3.1 Promise ( executor )
Result promise_constructor(Vm& vm, Args args) {
    Value newTarget = vm.takeNewTarget();
    if (newTarget.isUndefined())
        return throwError(vm, Error::PromiseNew);
    if (!isCallable(args[0]))
        return throwError(vm, Error::PromiseResolver, args[0]);
    bool plain = newTarget.asObject() == static_cast<Object*>(args.callee());
    Promise* promise = plain
        ? newPromise(vm)
        : newPromise(vm, TRY(prototypeFromConstructor(vm, newTarget.asObject(), Intrinsic::PromisePrototype)));
    ResolvingFunctions functions = newResolvingFunctions(vm, promise);
    Value resolve = Value::object(functions.resolve), reject = Value::object(functions.reject);
    if (call(vm, args[0], Value::undefined(), resolve, reject).threw())
        TRY(call(vm, reject, Value::undefined(), TRY(catchException(vm))));
    return Value::object(promise);
}

/// 27.2.5.4 Promise.prototype.then ( onFulfilled, onRejected )
Result promise_then(Vm& vm, Args args) {
    auto* promise = TRY(thisAs<Promise>(vm, args.self(), Kind::Promise, "Promise.prototype.then"));
    return promiseThen(vm, promise, args[0], args[1]);
}

/// 27.2.5.1 Promise.prototype.catch ( onRejected )
Result promise_catch(Vm& vm, Args args) {
    Value handlers[] = {Value::undefined(), args[0]};
    return invoke(vm, args.self(), KEY(vm, then), handlers, 2);
}

namespace {

enum FinallyData { OnFinally, Constructor };

/// 27.2.5.3.1, .2: the value or the exception that was there before; data[0].
Result giveBack(Vm&, Args args) { return args.callee()->data[0]; }
Result throwAgain(Vm& vm, Args args) { return vm.throwValue(args.callee()->data[0]); }

Result afterFinally(Vm& vm, Args args, NativeCode restore) {
    NativeFunction* self = args.callee();
    Value result = TRY(call(vm, self->data[OnFinally], Value::undefined()));
    Value promise = TRY(promiseResolve(vm, self->data[Constructor].asObject(), result));
    NativeFunction* next = newNative(vm, restore, "", 0);
    next->data[0] = args[0];
    Value handler = Value::object(next);
    return invoke(vm, promise, KEY(vm, then), &handler, 1);
}
Result thenFinally(Vm& vm, Args args) { return afterFinally(vm, args, giveBack); }
Result catchFinally(Vm& vm, Args args) { return afterFinally(vm, args, throwAgain); }

}

/// 27.2.5.3 Promise.prototype.finally ( onFinally )
Result promise_finally(Vm& vm, Args args) {
    Value self = args.self(), handlers[] = {args[0], args[0]};
    if (!self.isObject())
        return throwError(vm, Error::CalledOnNonObject, "Promise.prototype.finally");
    Object* constructor = TRY(speciesConstructor(vm, self.asObject(), Intrinsic::Promise));
    if (!constructor)
        constructor = vm.realm->intrinsic(vm, Intrinsic::Promise);
    if (isCallable(args[0])) {
        NativeCode codes[] = {thenFinally, catchFinally};
        for (int i = 0; i < 2; i++) {
            NativeFunction* function = newNative(vm, codes[i], "", 1);
            function->data[OnFinally] = args[0];
            function->data[Constructor] = Value::object(constructor);
            handlers[i] = Value::object(function);
        }
    }
    return invoke(vm, self, KEY(vm, then), handlers, 2);
}

// ---- the constructor's functions

/// 27.2.4.7 Promise.resolve ( x )
Result promise_resolve(Vm& vm, Args args) {
    if (!args.self().isObject())
        return throwError(vm, Error::CalledOnNonObject, "PromiseResolve");
    return promiseResolve(vm, args.self().asObject(), args[0]);
}

/// 27.2.4.6 Promise.reject ( r )
Result promise_reject(Vm& vm, Args args) {
    if (!args.self().isObject())
        return throwError(vm, Error::CalledOnNonObject, "PromiseReject");
    Value derived = TRY(newDerived(vm, args.self()));
    TRY(settleDerived(vm, derived, args[0], true));
    return promiseOf(derived);
}

/// 27.2.4.9 Promise.withResolvers ( )
Result promise_withResolvers(Vm& vm, Args args) {
    PromiseCapability* capability = TRY(newCapability(vm, args.self()));
    Object* result = newObject(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype));
    defineDirect(vm, result, keyOf(internAscii(vm, "promise")), capability->promise, AllAttributes);
    defineDirect(vm, result, KEY(vm, resolve), capability->resolve, AllAttributes);
    defineDirect(vm, result, keyOf(internAscii(vm, "reject")), capability->reject, AllAttributes);
    return Value::object(result);
}

/// 27.2.4.8 Promise.try ( callback, ...args )
Result promise_try(Vm& vm, Args args) {
    if (!args.self().isObject())
        return throwError(vm, Error::CalledOnNonObject, "Promise.try");
    Value derived = TRY(newDerived(vm, args.self()));
    u32 count = args.count > 1 ? args.count - 1 : 0;
    Result result = call(vm, args[0], Value::undefined(), args.values + 1, count);
    bool rejected = result.threw();
    TRY(settleDerived(vm, derived, rejected ? TRY(catchException(vm)) : result.value(), rejected));
    return promiseOf(derived);
}

}
