// Names of classes, found without running script.
#include "runtime/builtins/class_name.h"
#include "runtime/core/typed_array.h"

namespace scr {

/// A data property along the chain; undefined for accessors and absent ones.
static Value plainProperty(Vm& vm, Object* object, PropertyKey key) { return lookup(vm, object, key).dataValue(); }

/// The name that a function was written with, whatever its `name` property says today; null if there is none.
static String* writtenName(Vm& vm, Object* function) {
    if (kindOf(function) == Kind::Function)
        return static_cast<Function*>(function)->info->name;
    Value name = plainProperty(vm, function, KEY(vm, name));
    return name.isString() ? name.asString() : nullptr;
}

static std::string_view nameOfKind(const Object* object) {
    switch (kindOf(object)) {
    case Kind::Array: return "Array";
    case Kind::Map: return "Map";
    case Kind::Set: return "Set";
    case Kind::Error: return "Error";
    case Kind::WeakMap: return "WeakMap";
    case Kind::WeakSet: return "WeakSet";
    case Kind::WeakRef: return "WeakRef";
    case Kind::DisposableStack: return "DisposableStack";
    case Kind::AsyncDisposableStack: return "AsyncDisposableStack";
    case Kind::FinalizationRegistry: return "FinalizationRegistry";
    case Kind::Date: return "Date";
    case Kind::ArrayBuffer: return "ArrayBuffer";
    case Kind::SharedArrayBuffer: return "SharedArrayBuffer";
    case Kind::TypedArray: return static_cast<const TypedArray*>(object)->info().name;
    case Kind::DataView: return "DataView";
    case Kind::Timeout: return "Timeout";
    case Kind::Immediate: return "Immediate";
    case Kind::PrimitiveWrapper: {
        Value value = static_cast<const PrimitiveWrapper*>(object)->value;
        return value.isString() ? "String"
            : value.isNumber()  ? "Number"
            : value.isBoolean() ? "Boolean"
            : value.isSymbol()  ? "Symbol"
                                : "BigInt";
    }
    default: return object->isCallable() ? "Function" : "Object";
    }
}

String* classNameOf(Vm& vm, Object* object) {
    Value tag = plainProperty(vm, object, SYMBOL(vm, toStringTag));
    if (tag.isString() && tag.asString()->length)
        return tag.asString();
    if (Object* prototype = prototypeOf(vm, object)) {
        Value constructor = plainProperty(vm, prototype, KEY(vm, constructor));
        String* name =
            constructor.isObject() && isCallable(constructor) ? writtenName(vm, constructor.asObject()) : nullptr;
        if (name && name->length)
            return name;
    }
    return newAscii(vm, nameOfKind(object));
}

}
