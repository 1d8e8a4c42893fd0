// The constructors of functions that may wait, and the prototype of generators (ECMA-262 27.3, 27.5, 27.7).
#include "runtime/builtins/generator.h"
#include "runtime/builtins/dynamic_function.h"
#include "runtime/core/compile.h"
#include "runtime/core/suspension.h"

namespace scr {

// 27.3.1.1 GeneratorFunction ( ...parameterArgs, bodyArg )
Result generatorFunction_constructor(Vm& vm, Args args) {
    return createDynamicFunction(vm, args, TextKind::Generator, Intrinsic::GeneratorFunctionPrototype);
}

// 27.7.1.1 AsyncFunction ( ...parameterArgs, bodyArg )
Result asyncFunction_constructor(Vm& vm, Args args) {
    return createDynamicFunction(vm, args, TextKind::AsyncFunction, Intrinsic::AsyncFunctionPrototype);
}

namespace {

Completion<Generator*> thisGenerator(Vm& vm, Value self, std::string_view method) {
    if (LIKELY(self.isObject() && kindOf(self.asCell()) == Kind::Generator))
        return static_cast<Generator*>(self.asObject());
    return throwError(vm, Error::Incompatible, method, self);
}

Result resume(Vm& vm, Args args, ResumeMode mode, std::string_view method) {
    Generator* generator = TRY(thisGenerator(vm, args.self(), method));
    GeneratorStep step;
    Value value = TRY(resumeGenerator(vm, generator, mode, args[0], step));
    if (step == GeneratorStep::Delegated)
        return value;
    return Value::object(newIteratorResult(vm, value, step == GeneratorStep::Done));
}

}

// 27.5.1.2 to 27.5.1.4
Result generator_next(Vm& vm, Args args) { return resume(vm, args, ResumeMode::Next, "[Generator].prototype.next"); }
Result generator_return(Vm& vm, Args args) {
    return resume(vm, args, ResumeMode::Return, "[Generator].prototype.return");
}
Result generator_throw(Vm& vm, Args args) { return resume(vm, args, ResumeMode::Throw, "[Generator].prototype.throw"); }

/// What a loop takes from a generator, without the object around it.
Completion<bool> stepGenerator(Vm& vm, Value iterator, Value& value) {
    Generator* generator = TRY(thisGenerator(vm, iterator, "[Generator].prototype.next"));
    GeneratorStep step;
    Value result = TRY(resumeGenerator(vm, generator, ResumeMode::Next, Value::undefined(), step));
    if (step == GeneratorStep::Done)
        return false;
    if (step == GeneratorStep::Delegated) {
        Object* inner = result.asObject();
        if (toBoolean(TRY(get(vm, inner, KEY(vm, done)))))
            return false;
        result = TRY(get(vm, inner, KEY(vm, value)));
    }
    value = result;
    return true;
}

}
