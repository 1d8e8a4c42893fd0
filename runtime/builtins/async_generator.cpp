// AsyncGeneratorFunction and the prototype of async generators (ECMA-262 27.4, 27.6).
#include "runtime/core/async_generator.h"
#include "runtime/builtins/dynamic_function.h"
#include "runtime/core/compile.h"

namespace scr {

// 27.4.1.1 AsyncGeneratorFunction ( ...parameterArgs, bodyArg )
Result asyncGeneratorFunction_constructor(Vm& vm, Args args) {
    return createDynamicFunction(vm, args, TextKind::AsyncGenerator, Intrinsic::AsyncGeneratorFunctionPrototype);
}

/// A wrong receiver does not throw: it rejects (27.6.3.4 AsyncGeneratorValidate).
static Result callGenerator(Vm& vm, Args args, ResumeMode mode, std::string_view method) {
    if (LIKELY(isAsyncGenerator(args.self())))
        return asyncGeneratorCall(vm, static_cast<AsyncGenerator*>(args.self().asObject()), mode, args[0]);
    Promise* promise = newPromise(vm);
    (void)throwError(vm, Error::Incompatible, method, args.self());
    rejectPromise(vm, promise, TRY(catchException(vm)));
    return Value::object(promise);
}

// 27.6.1.2 to 27.6.1.4
Result asyncGenerator_next(Vm& vm, Args args) {
    return callGenerator(vm, args, ResumeMode::Next, "[AsyncGenerator].prototype.next");
}
Result asyncGenerator_return(Vm& vm, Args args) {
    return callGenerator(vm, args, ResumeMode::Return, "[AsyncGenerator].prototype.return");
}
Result asyncGenerator_throw(Vm& vm, Args args) {
    return callGenerator(vm, args, ResumeMode::Throw, "[AsyncGenerator].prototype.throw");
}

}
