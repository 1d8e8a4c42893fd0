// Object.prototype (ECMA-262 20.1.3 and B.2.2).
#include "runtime/builtins/object_support.h"
#include "runtime/builtins/primitive.h"
#include "runtime/core/proxy.h"

namespace scr {

Result prototypeValue(Vm& vm, Object* object) {
    Object* prototype = TRY(getPrototypeOf(vm, object));
    return prototype ? Value::object(prototype) : Value::null();
}

Completion<void> setPrototypeOrThrow(Vm& vm, Object* object, Value prototype, bool isSetter) {
    Object* wanted = prototype.isObject() ? prototype.asObject() : nullptr;
    if (TRY(setPrototypeOf(vm, object, wanted)))
        return {};
    object = refusing(vm, object, "setPrototypeOf");
    if (isProxy(object))
        return isSetter ? throwError(vm, Error::ProxyFalsish, "setPrototypeOf")
                        : throwError(vm, Error::ProxyFalsishFor, "setPrototypeOf", "undefined");
    // 10.4.7: Object.prototype is an immutable prototype exotic object.
    if (object == vm.realm->intrinsics[size_t(Intrinsic::ObjectPrototype)].get())
        return throwError(vm, Error::ImmutablePrototype);
    if (!object->isExtensible())
        return throwError(vm, Error::PrototypeNotExtensible, Value::object(object));
    return throwError(vm, Error::CyclicPrototype);
}

// 20.1.3.2 Object.prototype.hasOwnProperty ( V )
Result object_prototype_hasOwnProperty(Vm& vm, Args args) {
    PropertyKey key = TRY(toPropertyKey(vm, args[0]));
    return Value::boolean(TRY(hasOwnProperty(vm, TRY(toObject(vm, args.self())), key)));
}

// 20.1.3.3 Object.prototype.isPrototypeOf ( V )
Result object_prototype_isPrototypeOf(Vm& vm, Args args) {
    if (!args[0].isObject())
        return Value::boolean(false);
    Object* object = TRY(toObject(vm, args.self()));
    u32 proxiesMet = 0;
    for (Object* next = args[0].asObject(); (next = TRY(nextPrototype(vm, next, proxiesMet)));) {
        TRY(vm.work(1));
        if (next == object)
            return Value::boolean(true);
    }
    return Value::boolean(false);
}

// 20.1.3.4 Object.prototype.propertyIsEnumerable ( V )
Result object_prototype_propertyIsEnumerable(Vm& vm, Args args) {
    PropertyKey key = TRY(toPropertyKey(vm, args[0]));
    Lookup found = TRY(ownProperty(vm, TRY(toObject(vm, args.self())), key));
    return Value::boolean(found.found() && (found.attributes & Enumerable));
}

// 20.1.3.5 Object.prototype.toLocaleString ( )
Result object_prototype_toLocaleString(Vm& vm, Args args) {
    if (args.self().isNullish())
        return throwError(vm, Error::CalledOnNullish, "Object.prototype.toLocaleString");
    Value method = TRY(getOf(vm, args.self(), KEY(vm, toString)));
    if (!isCallable(method))
        return throwOperand(vm, Error::NotCallable, method);
    return call(vm, method, args.self());
}

namespace {

/// 20.1.3.6 steps 4 to 14: the tag of an object that has no Symbol.toStringTag.
Completion<std::string_view> builtinTag(Vm& vm, Object* object) {
    Object* innermost = object;
    while (isProxy(innermost))
        innermost = TRY(proxyTarget(vm, innermost, "Object.prototype.toString"));
    if (kindOf(innermost) == Kind::Array)
        return std::string_view("Array");
    if (object->isCallable())
        return std::string_view("Function");
    switch (kindOf(object)) {
    case Kind::Date: return std::string_view("Date");
    case Kind::Error: return std::string_view("Error");
    case Kind::Arguments: return std::string_view("Arguments");
    case Kind::PrimitiveWrapper: {
        Value value = static_cast<PrimitiveWrapper*>(object)->value;
        return std::string_view(value.isBoolean() ? "Boolean"
                : value.isNumber()                ? "Number"
                : value.isString()                ? "String"
                                                  : "Object");
    }
    default: return std::string_view("Object");
    }
}

}

// 20.1.3.6 Object.prototype.toString ( )
Result object_prototype_toString(Vm& vm, Args args) {
    if (args.self().isNullish())
        return asciiValue(vm, args.self().isUndefined() ? "[object Undefined]" : "[object Null]");
    Object* object = TRY(toObject(vm, args.self()));
    std::string_view builtin = TRY(builtinTag(vm, object));
    Value tag = TRY(get(vm, object, SYMBOL(vm, toStringTag)));
    StringBuilder text(vm);
    text.appendAscii("[object ");
    if (tag.isString())
        text.append(tag.asString());
    else
        text.appendAscii(builtin);
    text.append(u']');
    return Value::string(TRY(text.finish()));
}

// 20.1.3.7 Object.prototype.valueOf ( )
Result object_prototype_valueOf(Vm& vm, Args args) { return Value::object(TRY(toObject(vm, args.self()))); }

// 20.1.3.8.1 get Object.prototype.__proto__
Result object_prototype_getProto(Vm& vm, Args args) { return prototypeValue(vm, TRY(toObject(vm, args.self()))); }

// 20.1.3.8.2 set Object.prototype.__proto__
Result object_prototype_setProto(Vm& vm, Args args) {
    if (args.self().isNullish())
        return throwError(vm, Error::CalledOnNullish, "set Object.prototype.__proto__");
    if (args.self().isObject() && (args[0].isObject() || args[0].isNull()))
        TRY(setPrototypeOrThrow(vm, args.self().asObject(), args[0], true));
    return Value::undefined();
}

namespace {

/// 20.1.3.9.1 and 20.1.3.9.2: `has` says which half of the accessor is defined.
Result defineHalf(Vm& vm, Args args, PropertyDescriptor::Has has, std::string_view method) {
    Object* object = TRY(toObject(vm, args.self()));
    if (!isCallable(args[1]))
        return throwError(vm, Error::ExpectingFunction, method);
    PropertyDescriptor descriptor;
    descriptor.has = has | PropertyDescriptor::HasEnumerable | PropertyDescriptor::HasConfigurable;
    descriptor.attributes = Enumerable | Configurable;
    (has == PropertyDescriptor::HasGet ? descriptor.getter : descriptor.setter) = args[1];
    PropertyKey key = TRY(toPropertyKey(vm, args[0]));
    TRY(defineOrThrow(vm, object, key, descriptor));
    return Value::undefined();
}

/// 20.1.3.9.3 and 20.1.3.9.4: the nearest property of that name, if it is an accessor.
Completion<Accessor*> findAccessor(Vm& vm, Args args) {
    Object* object = TRY(toObject(vm, args.self()));
    PropertyKey key = TRY(toPropertyKey(vm, args[0]));
    u32 proxiesMet = 0;
    for (; object; object = TRY(nextPrototype(vm, object, proxiesMet)))
        if (Lookup found = TRY(ownProperty(vm, object, key)); found.found())
            return found.isAccessor() ? found.value.as<Accessor>() : nullptr;
    return nullptr;
}

}

// 20.1.3.9.1 Object.prototype.__defineGetter__ ( P, getter )
Result object_prototype_defineGetter(Vm& vm, Args args) {
    return defineHalf(vm, args, PropertyDescriptor::HasGet, "Object.prototype.__defineGetter__");
}

// 20.1.3.9.2 Object.prototype.__defineSetter__ ( P, setter )
Result object_prototype_defineSetter(Vm& vm, Args args) {
    return defineHalf(vm, args, PropertyDescriptor::HasSet, "Object.prototype.__defineSetter__");
}

// 20.1.3.9.3 Object.prototype.__lookupGetter__ ( P )
Result object_prototype_lookupGetter(Vm& vm, Args args) {
    Accessor* accessor = TRY(findAccessor(vm, args));
    return accessor ? accessor->getter : Value::undefined();
}

// 20.1.3.9.4 Object.prototype.__lookupSetter__ ( P )
Result object_prototype_lookupSetter(Vm& vm, Args args) {
    Accessor* accessor = TRY(findAccessor(vm, args));
    return accessor ? accessor->setter : Value::undefined();
}

}
