// Error and its classes (ECMA-262 20.5).
#include "runtime/builtins/iteration.h"
#include "runtime/builtins/makers.h"

namespace scr {

namespace {

/// 20.5.9.1 InstallErrorCause.
Completion<void> installCause(Vm& vm, Object* error, Value options) {
    if (!options.isObject() || !TRY(hasProperty(vm, options.asObject(), KEY(vm, cause))))
        return {};
    defineDirect(vm, error, KEY(vm, cause), TRY(get(vm, options.asObject(), KEY(vm, cause))), HiddenAttributes);
    return {};
}

/// 20.5.1.1, 20.5.6.1.1: the same for every class.
Completion<ErrorObject*> constructError(Vm& vm, Args args, Value message, Value options, Intrinsic prototypeName) {
    Value newTarget = vm.takeNewTarget();
    Object* prototype = TRY(prototypeFor(vm, args, newTarget, prototypeName));
    String* text = message.isUndefined() ? nullptr : TRY(toString(vm, message));
    ErrorObject* error = newErrorWithPrototype(vm, prototype, text);
    // A class that extends an error: its constructors are not part of the stack.
    if (newTarget.isObject() && kindOf(newTarget.asCell()) == Kind::Function && vm.captureStackHook)
        vm.captureStackHook(vm, error, newTarget.asObject());
    TRY(installCause(vm, error, options));
    return error;
}

Result construct(Vm& vm, Args args, Intrinsic prototype) {
    return Value::object(TRY(constructError(vm, args, args[0], args[1], prototype)));
}

}

// 20.5.1.1 Error ( message [ , options ] )
Result error_constructor(Vm& vm, Args args) { return construct(vm, args, Intrinsic::ErrorPrototype); }

// 20.5.6.1.1 NativeError ( message [ , options ] )
Result evalError_constructor(Vm& vm, Args args) { return construct(vm, args, Intrinsic::EvalErrorPrototype); }
Result rangeError_constructor(Vm& vm, Args args) { return construct(vm, args, Intrinsic::RangeErrorPrototype); }
Result referenceError_constructor(Vm& vm, Args args) { return construct(vm, args, Intrinsic::ReferenceErrorPrototype); }
Result syntaxError_constructor(Vm& vm, Args args) { return construct(vm, args, Intrinsic::SyntaxErrorPrototype); }
Result typeError_constructor(Vm& vm, Args args) { return construct(vm, args, Intrinsic::TypeErrorPrototype); }
Result uriError_constructor(Vm& vm, Args args) { return construct(vm, args, Intrinsic::URIErrorPrototype); }

// 20.5.7.1.1 AggregateError ( errors, message [ , options ] )
Result aggregateError_constructor(Vm& vm, Args args) {
    ErrorObject* error = TRY(constructError(vm, args, args[1], args[2], Intrinsic::AggregateErrorPrototype));
    Array* errors = newArray(vm);
    TRY(forEachOf(vm, args[0], [&](Value value) { return pushDense(vm, errors->elements_, value); }));
    defineDirect(vm, error, KEY(vm, errors), Value::object(errors), HiddenAttributes);
    return Value::object(error);
}

// 20.5.8.1.1 SuppressedError ( error, suppressed, message )
Result suppressedError_constructor(Vm& vm, Args args) {
    ErrorObject* error =
        TRY(constructError(vm, args, args[2], Value::undefined(), Intrinsic::SuppressedErrorPrototype));
    defineDirect(vm, error, keyOf(internAscii(vm, "error")), args[0], HiddenAttributes);
    defineDirect(vm, error, keyOf(internAscii(vm, "suppressed")), args[1], HiddenAttributes);
    return Value::object(error);
}

// 20.5.2.1 Error.isError ( arg )
Result error_isError(Vm&, Args args) {
    return Value::boolean(args[0].isObject() && kindOf(args[0].asCell()) == Kind::Error);
}

namespace {

/// The property as text; `fallback` when it is undefined.
Completion<String*> textOf(Vm& vm, Object* object, PropertyKey key, std::string_view fallback) {
    Value value = TRY(get(vm, object, key));
    return value.isUndefined() ? newAscii(vm, fallback) : TRY(toString(vm, value));
}

bool isCoded(Object* object) {
    return kindOf(object) == Kind::Error && (static_cast<ErrorObject*>(object)->errorFlags & ErrorCoded);
}

}

// 20.5.3.4 Error.prototype.toString ( )
Result error_prototype_toString(Vm& vm, Args args) {
    if (!args.self().isObject())
        return throwError(vm, Error::Incompatible, "Error.prototype.toString", args.self());
    String* name = TRY(textOf(vm, args.self().asObject(), KEY(vm, name), "Error"));
    String* message = TRY(textOf(vm, args.self().asObject(), KEY(vm, message), ""));
    // Node's coded errors have a toString of their own, which shows the code.
    if (isCoded(args.self().asObject())) {
        String* code = TRY(textOf(vm, args.self().asObject(), KEY(vm, code), ""));
        name = TRY(concatenate(
            vm, TRY(concatenate(vm, name, newAscii(vm, " ["))), TRY(concatenate(vm, code, newAscii(vm, "]")))));
    }
    if (!name->length)
        return Value::string(message);
    if (!message->length)
        return Value::string(name);
    return Value::string(TRY(concatenate(vm, TRY(concatenate(vm, name, newAscii(vm, ": "))), message)));
}

}
