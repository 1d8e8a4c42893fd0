// Values as V8 shows them in messages. The invariant: no script runs; only data properties are read.
#include "runtime/core/error.h"
#include "runtime/core/operations.h"
#include "runtime/core/proxy.h"
#include "runtime/core/typed_array.h"
#include "runtime/core/vm.h"

namespace scr {

/// A data property along the chain; undefined for accessors and absent ones.
static Value dataProperty(Vm& vm, Object* object, PropertyKey key) { return lookup(vm, object, key).dataValue(); }

/// The method that a prototype of the realm has itself.
static Value ownMethod(Vm& vm, Intrinsic prototype, PropertyKey key) {
    return getOwnProperty(vm, vm.realm->intrinsic(vm, prototype), key).value;
}

/// The name a function was written with, whatever its `name` property says today.
static std::string debugName(Vm& vm, Object* function) {
    if (kindOf(function) == Kind::Function) {
        String* name = static_cast<Function*>(function)->info->name;
        return name ? toUtf8(vm, name) : "";
    }
    Value name = dataProperty(vm, function, PropertyKey::atom(vm.names.name));
    return name.isString() ? toUtf8(vm, name.asString()) : "";
}

/// The middle of a long text left out, where V8 does it.
static std::string shortened(Vm& vm, String* text) {
    if (text->length <= 128)
        return toUtf8(vm, text);
    auto head = substring(vm, text, 0, 111), tail = substring(vm, text, text->length - 2, text->length);
    if (head.threw() || tail.threw())
        return "...";
    return toUtf8(vm, head.value()) + "...<omitted>..." + toUtf8(vm, tail.value());
}

static std::string describeFunction(Vm& vm, Object* function) {
    if (kindOf(function) == Kind::Function && vm.sourceTextHook)
        if (auto text = vm.sourceTextHook(vm, function); !text.threw() && text.value().isString())
            return shortened(vm, text.value().asString());
    return "function " + (kindOf(function) == Kind::BoundFunction ? "" : debugName(vm, function))
        + "() { [native code] }";
}

/// Name and message count only where they are strings.
static std::string describeError(Vm& vm, Object* error) {
    if (DomException* exception = asDomException(Value::object(error)))
        return toUtf8(vm, exception->name.asString()) + ": " + toUtf8(vm, exception->message.asString());
    auto text = [&](String* key) {
        Value value = dataProperty(vm, error, PropertyKey::atom(key));
        return value.isString() ? toUtf8(vm, value.asString()) : std::string();
    };
    std::string name = text(vm.names.name), message = text(vm.names.message);
    return name.empty() || message.empty() ? name + message : name + ": " + message;
}

static const char* builtinTag(Object* object) {
    switch (kindOf(object)) {
    case Kind::Array: return "Array";
    case Kind::Arguments: return "Arguments";
    case Kind::Error: return "Error";
    case Kind::Map: return "Map";
    case Kind::Set: return "Set";
    case Kind::TypedArray: return asTypedArray(object)->info().name;
    case Kind::Date: return "Date";
    case Kind::PrimitiveWrapper: {
        Value value = static_cast<PrimitiveWrapper*>(object)->value;
        return value.isString() ? "String" : value.isNumber() ? "Number" : value.isBoolean() ? "Boolean" : "Object";
    }
    default: return object->isCallable() ? "Function" : "Object";
    }
}

static std::string describeObject(Vm& vm, Object* object) {
    // A proxy looks like its target, a revoked one like null.
    while (isProxy(object)) {
        object = static_cast<ProxyObject*>(object)->target;
        if (!object)
            return "null";
    }
    if (object->isCallable())
        return describeFunction(vm, object);
    PropertyKey toStringKey = PropertyKey::atom(vm.names.toString);
    Value method = dataProperty(vm, object, toStringKey);
    if (kindOf(object) == Kind::Error
        || (method.isObject() && method == ownMethod(vm, Intrinsic::ErrorPrototype, toStringKey)))
        return describeError(vm, object);
    if (method.isObject() && method == ownMethod(vm, Intrinsic::ObjectPrototype, toStringKey)) {
        Lookup found = lookup(vm, object, PropertyKey::atom(vm.names.constructor));
        Value constructor = found.dataValue();
        // Iterator.prototype has an accessor there, which is not asked: what lies behind it counts.
        if (found.isAccessor() && found.holder == vm.realm->intrinsic(vm, Intrinsic::IteratorPrototype))
            constructor = ownMethod(vm, Intrinsic::ObjectPrototype, PropertyKey::atom(vm.names.constructor));
        if (isCallable(constructor))
            if (std::string name = debugName(vm, constructor.asObject()); !name.empty())
                return "#<" + name + ">";
    }
    Value tag = dataProperty(vm, object, PropertyKey::symbol(vm.symbols.toStringTag));
    return "[object " + (tag.isString() ? toUtf8(vm, tag.asString()) : builtinTag(object)) + "]";
}

std::string describeForMessage(Vm& vm, Value value) {
    if (value.isObject())
        return describeObject(vm, value.asObject());
    if (value.isString())
        return toUtf8(vm, value.asString());
    if (value.isSymbol()) {
        Value description = value.asSymbol()->description;
        return "Symbol(" + (description.isString() ? toUtf8(vm, description.asString()) : "") + ")";
    }
    auto text = toString(vm, value);
    return text.threw() ? "" : toUtf8(vm, text.value());
}

std::string describeWithType(Vm& vm, Value value) {
    std::string text = toUtf8(vm, typeOf(vm, value));
    if (value.isString())
        return text + " \"" + toUtf8(vm, value.asString()) + "\"";
    if (value.isNull() || value.isBoolean() || value.isNumber())
        return text + " " + describeForMessage(vm, value);
    return text;
}

}
