// Reflect (ECMA-262 28.1): the internal methods of objects as functions. What an internal method refuses is `false`
// here, not a TypeError.
#include "runtime/builtins/argument_list.h"
#include "runtime/builtins/descriptor.h"
#include "runtime/builtins/object_support.h"

namespace scr {

namespace {

Completion<Object*> target(Vm& vm, Args args, std::string_view method) {
    if (!args[0].isObject())
        return throwError(vm, Error::CalledOnNonObject, method);
    return args[0].asObject();
}

/// "a string", "an object", "null": as V8 says it, grammar aside.
std::string typeWithArticle(Vm& vm, Value value) {
    if (value.isNull())
        return "null";
    std::string type = toUtf8(vm, typeOf(vm, value));
    return (type == "object" ? "an " : "a ") + type;
}

}

// 28.1.1 Reflect.apply ( target, thisArgument, argumentsList )
Result reflect_apply(Vm& vm, Args args) {
    if (!isCallable(args[0])) {
        std::string type = typeWithArticle(vm, args[0]);
        return throwError(vm, Error::ApplyReceiver, args[0], std::string_view(type));
    }
    Array* list = TRY(argumentListFrom(vm, args[2]));
    u32 count = list->elements_.denseLength;
    return call(vm, args[0], args[1], count ? list->elements_.dense() : nullptr, count);
}

// 28.1.2 Reflect.construct ( target, argumentsList [ , newTarget ] )
Result reflect_construct(Vm& vm, Args args) {
    if (!isConstructor(args[0]))
        return throwError(vm, Error::NotConstructor, args[0]);
    Value newTarget = args.count > 2 ? args[2] : args[0];
    if (!isConstructor(newTarget))
        return throwError(vm, Error::NotConstructor, newTarget);
    Array* list = TRY(argumentListFrom(vm, args[1]));
    u32 count = list->elements_.denseLength;
    const Value* values = count ? list->elements_.dense() : nullptr;
    return construct(vm, args[0].asObject(), values, count, newTarget.asObject());
}

// 28.1.3 Reflect.defineProperty ( target, propertyKey, attributes )
Result reflect_defineProperty(Vm& vm, Args args) {
    Object* object = TRY(target(vm, args, "Reflect.defineProperty"));
    PropertyKey key = TRY(toPropertyKey(vm, args[1]));
    PropertyDescriptor descriptor = TRY(toPropertyDescriptor(vm, args[2]));
    return Value::boolean(TRY(defineOwnProperty(vm, object, key, descriptor)));
}

// 28.1.4 Reflect.deleteProperty ( target, propertyKey )
Result reflect_deleteProperty(Vm& vm, Args args) {
    Object* object = TRY(target(vm, args, "Reflect.deleteProperty"));
    PropertyKey key = TRY(toPropertyKey(vm, args[1]));
    return Value::boolean(TRY(deleteProperty(vm, object, key)));
}

// 28.1.5 Reflect.get ( target, propertyKey [ , receiver ] )
Result reflect_get(Vm& vm, Args args) {
    Object* object = TRY(target(vm, args, "Reflect.get"));
    PropertyKey key = TRY(toPropertyKey(vm, args[1]));
    return get(vm, object, key, args.count > 2 ? args[2] : args[0]);
}

// 28.1.6 Reflect.getOwnPropertyDescriptor ( target, propertyKey )
Result reflect_getOwnPropertyDescriptor(Vm& vm, Args args) {
    Object* object = TRY(target(vm, args, "Reflect.getOwnPropertyDescriptor"));
    PropertyKey key = TRY(toPropertyKey(vm, args[1]));
    return fromLookup(vm, TRY(ownProperty(vm, object, key)));
}

// 28.1.7 Reflect.getPrototypeOf ( target )
Result reflect_getPrototypeOf(Vm& vm, Args args) {
    return prototypeValue(vm, TRY(target(vm, args, "Reflect.getPrototypeOf")));
}

// 28.1.8 Reflect.has ( target, propertyKey )
Result reflect_has(Vm& vm, Args args) {
    Object* object = TRY(target(vm, args, "Reflect.has"));
    PropertyKey key = TRY(toPropertyKey(vm, args[1]));
    return Value::boolean(TRY(hasProperty(vm, object, key)));
}

// 28.1.9 Reflect.isExtensible ( target )
Result reflect_isExtensible(Vm& vm, Args args) {
    return Value::boolean(TRY(isExtensible(vm, TRY(target(vm, args, "Reflect.isExtensible")))));
}

// 28.1.10 Reflect.ownKeys ( target )
Result reflect_ownKeys(Vm& vm, Args args) {
    return Value::object(TRY(ownPropertyKeys(vm, TRY(target(vm, args, "Reflect.ownKeys")), StringKeys | SymbolKeys)));
}

// 28.1.11 Reflect.preventExtensions ( target )
Result reflect_preventExtensions(Vm& vm, Args args) {
    return Value::boolean(TRY(preventExtensions(vm, TRY(target(vm, args, "Reflect.preventExtensions")))));
}

// 28.1.12 Reflect.set ( target, propertyKey, V [ , receiver ] )
Result reflect_set(Vm& vm, Args args) {
    Object* object = TRY(target(vm, args, "Reflect.set"));
    PropertyKey key = TRY(toPropertyKey(vm, args[1]));
    return Value::boolean(TRY(set(vm, object, key, args[2], args.count > 3 ? args[3] : args[0])));
}

// 28.1.13 Reflect.setPrototypeOf ( target, proto )
Result reflect_setPrototypeOf(Vm& vm, Args args) {
    Object* object = TRY(target(vm, args, "Reflect.setPrototypeOf"));
    if (!args[1].isObject() && !args[1].isNull())
        return throwError(vm, Error::NotAnObjectOrNull, args[1]);
    Object* prototype = args[1].isObject() ? args[1].asObject() : nullptr;
    // 10.4.7: Object.prototype keeps the prototype that it has.
    if (object == vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype))
        return Value::boolean(!prototype);
    return Value::boolean(TRY(setPrototypeOf(vm, object, prototype)));
}

}
