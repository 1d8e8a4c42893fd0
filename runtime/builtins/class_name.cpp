// Names of classes, found without running script.
#include "runtime/builtins/class_name.h"
#include "runtime/core/typed_array.h"
#include "runtime/core/weak.h"

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
    case Kind::Function: {
        u16 flags = static_cast<const Function*>(object)->info->infoFlags;
        if (flags & InfoGenerator)
            return flags & InfoAsync ? "AsyncGeneratorFunction" : "GeneratorFunction";
        return "Function";
    }
    default: return object->isCallable() ? "Function" : "Object";
    }
}

/// The name with which the constructor of its class was written; null: it has none of its own.
static String* constructorName(Vm& vm, Object* object) {
    Object* prototype = prototypeOf(vm, object);
    if (!prototype)
        return nullptr;
    Value constructor = plainProperty(vm, prototype, KEY(vm, constructor));
    String* name =
        constructor.isObject() && isCallable(constructor) ? writtenName(vm, constructor.asObject()) : nullptr;
    return name && name->length ? name : nullptr;
}

static WeakCollection* formerClasses(Vm& vm) {
    return static_cast<WeakCollection*>(vm.realm->intrinsic(vm, Intrinsic::FormerClasses));
}

static bool isDerivedClass(Value constructor) {
    return constructor.isObject() && kindOf(constructor.asObject()) == Kind::Function
        && (static_cast<Function*>(constructor.asObject())->info->infoFlags & InfoDerived);
}

void rememberClass(Vm& vm, Object* object) {
    if (prototypeOf(vm, object) == vm.realm->intrinsics[size_t(Intrinsic::ObjectPrototype)])
        return;
    String* name = constructorName(vm, object);
    if (!name || toUtf8(vm, name) == nameOfKind(object))
        return;
    // V8 remembers no derived class.
    if (isDerivedClass(plainProperty(vm, prototypeOf(vm, object), KEY(vm, constructor))))
        return;
    if (!findWeak(formerClasses(vm), Value::object(object)))
        (void)setWeak(vm, formerClasses(vm), Value::object(object), Value::string(name)); // only for lack of memory
}

String* classNameOf(Vm& vm, Object* object) {
    // V8 forgets the class of an object that has become a prototype.
    if (vm.realm->intrinsics[size_t(Intrinsic::FormerClasses)] && !(object->flags & IsPrototype))
        if (WeakEntry* entry = findWeak(formerClasses(vm), Value::object(object)))
            return Value::fromBits(entry->value).asString();
    Value tag = plainProperty(vm, object, SYMBOL(vm, toStringTag));
    if (tag.isString() && tag.asString()->length)
        return tag.asString();
    if (String* name = constructorName(vm, object))
        return name;
    return newAscii(vm, nameOfKind(object));
}

}
