// Looking properties up and reading them. The invariant: finding runs no script and changes nothing that a script can
// see (lazy parts become real); only `get` and its relatives call getters and ask proxies.
#include "runtime/core/call.h"
#include "runtime/core/error.h"
#include "runtime/core/module_namespace.h"
#include "runtime/core/object_internal.h"
#include "runtime/core/operations.h"
#include "runtime/core/proxy.h"
#include "runtime/core/typed_array.h"
#include "runtime/core/vm.h"

namespace scr {

// ---- own properties

static Lookup exotic(Object* holder, Value value, u8 attributes) {
    Lookup found;
    found.type = Lookup::Exotic;
    found.attributes = attributes;
    found.holder = holder;
    found.value = value;
    return found;
}

static Lookup element(Object* holder, u32 index, Value value, u8 attributes) {
    Lookup found;
    found.type = attributes & AccessorProperty ? Lookup::ElementAccessor : Lookup::Element;
    found.attributes = attributes;
    found.slot = index;
    found.holder = holder;
    found.value = value;
    return found;
}

static Lookup intercepted(Object* proxy, PropertyKey key) {
    Lookup found;
    found.type = Lookup::Intercepted;
    found.holder = proxy;
    found.value = Value::fromBits(key.bits());
    return found;
}

/// 10.4.5.1 and the like: an element of a typed array, or that there is none. Absent if the key is an ordinary one.
static Lookup typedElement(Object* object, PropertyKey key) {
    TypedArray* array = asTypedArray(object);
    u64 index;
    if (!numericIndex(array, key, index))
        return {};
    if (index != NoElement)
        return exotic(object, elementOf(array, index), AllAttributes);
    Lookup none;
    none.holder = object;
    return none;
}

/// Known: the object has no elements.
static Lookup findExoticElement(Object* object, u32 index) {
    switch (kindOf(object)) {
    case Kind::TypedArray: return typedElement(object, PropertyKey::index(index));
    case Kind::Proxy:
    case Kind::CallableProxy: return intercepted(object, PropertyKey::index(index));
    case Kind::ModuleNamespace: return findNamespaceExport(object, PropertyKey::index(index));
    default: return {};
    }
}

static Lookup findElement(Vm& vm, Object* object, u32 index) {
    if (UNLIKELY(isStringWrapper(object))) {
        String* string = static_cast<PrimitiveWrapper*>(object)->value.asString();
        if (index < string->length)
            return exotic(object, Value::string(unitString(vm, string->unit(index))), Enumerable);
    }
    Elements* elements = object->elements();
    if (!elements)
        return findExoticElement(object, index);
    if (index < elements->denseLength) {
        Value value = elements->dense()[index];
        return value.isHole() ? Lookup{} : element(object, index, value, denseAttributes(object));
    }
    if (elements->isSparse())
        if (SparseElements::Entry* entry = findSparse(*elements, index))
            return element(object, index, entry->value, entry->attributes);
    return {};
}

/// Known: no slot has this key.
static Lookup findExoticNamed(Vm& vm, Object* object, PropertyKey key) {
    bool isLength = key == PropertyKey::atom(vm.names.length);
    switch (kindOf(object)) {
    case Kind::Array:
        return !isLength ? Lookup{}
                         : exotic(object, Value::number(static_cast<Array*>(object)->length()),
                             object->flags & LengthReadOnly ? 0 : Writable);
    case Kind::PrimitiveWrapper:
        return !isLength || !isStringWrapper(object)
            ? Lookup{}
            : exotic(object, Value::number(static_cast<PrimitiveWrapper*>(object)->value.asString()->length), 0);
    case Kind::TypedArray: return typedElement(object, key);
    case Kind::Proxy:
    case Kind::CallableProxy: return key.isPrivate() ? Lookup{} : intercepted(object, key);
    case Kind::ModuleNamespace: return findNamespaceExport(object, key);
    default: return {};
    }
}

/// Length, name and prototype of functions exist from the start, whether or not anybody has looked.
static void materializeFor(Vm& vm, Object* object, PropertyKey key) {
    if (!(object->flags & HasLazyProperties) || !object->isCallable() || !key.isAtom())
        return;
    String* atom = key.asAtom();
    if (atom == vm.names.length || atom == vm.names.name || atom == vm.names.prototype)
        materializeFunction(vm, object);
}

Lookup findOwn(Vm& vm, Object* object, PropertyKey key) {
    if (key.isIndex())
        return findElement(vm, object, key.asIndex());
    materializeFor(vm, object, key);
    Shape* shape = shapeOf(vm, object);
    u32 slot = findSlot(shape, key);
    if (slot == NotFound)
        return findExoticNamed(vm, object, key);
    Lookup found;
    found.attributes = entryAt(shape, slot).attributes;
    found.type = found.attributes & AccessorProperty ? Lookup::Accessor : Lookup::Data;
    found.slot = slot;
    found.holder = object;
    found.value = object->slot(slot);
    return found;
}

Lookup getOwnProperty(Vm& vm, Object* object, PropertyKey key) {
    Lookup found = findOwn(vm, object, key);
    if (UNLIKELY(found.attributes & LazyBuiltin)) {
        found.value = materializeSlot(vm, object, shapeOf(vm, object), found.slot);
        found.attributes = entryAt(shapeOf(vm, object), found.slot).attributes;
    }
    return found;
}

Lookup lookup(Vm& vm, Object* object, PropertyKey key) {
    for (Object* holder = object; holder; holder = prototypeOf(vm, holder))
        if (Lookup found = getOwnProperty(vm, holder, key); found.isFinal())
            return found;
    return {};
}

// ---- asking

Completion<Lookup> ownProperty(Vm& vm, Object* object, PropertyKey key) {
    Lookup found = getOwnProperty(vm, object, key);
    return LIKELY(!found.isIntercepted()) ? found : proxyGetOwnProperty(vm, object, key);
}

Completion<bool> hasOwnProperty(Vm& vm, Object* object, PropertyKey key) {
    Lookup found = findOwn(vm, object, key);
    if (UNLIKELY(found.isIntercepted()))
        return TRY(proxyGetOwnProperty(vm, object, key)).found();
    return found.found();
}

Completion<bool> hasProperty(Vm& vm, Object* object, PropertyKey key) {
    for (Object* holder = object; holder; holder = prototypeOf(vm, holder)) {
        Lookup found = findOwn(vm, holder, key);
        if (UNLIKELY(found.isIntercepted()))
            return proxyHasProperty(vm, holder, key);
        if (found.isFinal())
            return found.found();
    }
    return false;
}

Completion<Object*> getPrototypeOf(Vm& vm, Object* object) {
    return LIKELY(!isProxy(object)) ? prototypeOf(vm, object) : proxyGetPrototypeOf(vm, object);
}

Completion<bool> isExtensible(Vm& vm, Object* object) {
    return LIKELY(!isProxy(object)) ? object->isExtensible() : proxyIsExtensible(vm, object);
}

// ---- reading

Completion<Value> valueOf(Vm& vm, const Lookup& found, Value receiver) {
    if (!found.found())
        return Value::undefined();
    if (LIKELY(!found.isAccessor())) {
        if (UNLIKELY(found.isIntercepted()))
            return proxyGet(vm, found.holder, PropertyKey::fromBits(found.value.bits()), receiver);
        return found.value;
    }
    Value getter = found.value.as<Accessor>()->getter;
    if (getter.isUndefined())
        return Value::undefined();
    return call(vm, getter, receiver);
}

Completion<Value> get(Vm& vm, Object* object, PropertyKey key) {
    if (UNLIKELY(key == PropertyKey::atom(vm.names.stack)))
        TRY(readyStack(vm, object));
    return valueOf(vm, lookup(vm, object, key), Value::object(object));
}

Completion<Value> get(Vm& vm, Object* object, PropertyKey key, Value receiver) {
    if (UNLIKELY(key == PropertyKey::atom(vm.names.stack)))
        TRY(readyStack(vm, object));
    return valueOf(vm, lookup(vm, object, key), receiver);
}

Object* propertiesOf(Vm& vm, Value base) {
    if (base.isObject())
        return base.asObject();
    Realm* realm = vm.realm;
    if (base.isString())
        return realm->intrinsic(vm, Intrinsic::StringPrototype);
    if (base.isNumber())
        return realm->intrinsic(vm, Intrinsic::NumberPrototype);
    if (base.isBoolean())
        return realm->intrinsic(vm, Intrinsic::BooleanPrototype);
    if (base.isSymbol())
        return realm->intrinsic(vm, Intrinsic::SymbolPrototype);
    if (base.isBigInt())
        return realm->intrinsic(vm, Intrinsic::BigIntPrototype);
    return nullptr;
}

Completion<Value> getOf(Vm& vm, Value base, PropertyKey key) {
    if (LIKELY(base.isObject()))
        return get(vm, base.asObject(), key);
    if (base.isString()) {
        if (key == PropertyKey::atom(vm.names.length))
            return Value::number(base.asString()->length);
        if (key.isIndex() && key.asIndex() < base.asString()->length) {
            String* flat = TRY(flatten(vm, base.asString()));
            return Value::string(unitString(vm, flat->unit(key.asIndex())));
        }
    }
    Object* holder = propertiesOf(vm, base);
    if (UNLIKELY(!holder))
        return throwError(vm, Error::ReadOfNullish, base, key);
    return get(vm, holder, key, base);
}

}
