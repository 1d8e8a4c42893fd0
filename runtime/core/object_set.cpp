// Writing properties (ECMA-262 10.1.9) and the reasons why strict code's writes fail.
#include "runtime/core/call.h"
#include "runtime/core/error.h"
#include "runtime/core/module_namespace.h"
#include "runtime/core/object_internal.h"
#include "runtime/core/operations.h"
#include "runtime/core/proxy.h"
#include "runtime/core/typed_array.h"
#include "runtime/core/vm.h"

namespace scr {

/// 10.4.2.4 ArraySetLength steps 3 to 5: the length a value stands for.
Completion<u32> toArrayLength(Vm& vm, Value value) {
    if (value.isInt() && value.asInt() >= 0)
        return u32(value.asInt());
    u32 length = TRY(toUint32(vm, value));
    double number = TRY(toNumber(vm, value));
    if (double(length) != number)
        return throwError(vm, Error::ArrayLength);
    return length;
}

static Completion<bool> setArrayLength(Vm& vm, Array* array, Value value) {
    u32 length = TRY(toArrayLength(vm, value));
    // The conversion may have run script.
    if (array->flags & LengthReadOnly)
        return length == array->length();
    return truncateArray(array, length);
}

/// Known: an own, writable data property of its holder.
static Completion<bool> overwrite(Vm& vm, const Lookup& own, Value value) {
    switch (own.type) {
    case Lookup::Data: writeSlot(vm, own.holder, own.slot, value); return true;
    case Lookup::Element: TRY(replaceElement(vm, own.holder, own.slot, value, own.attributes)); return true;
    default: // the one exotic property that is writable
        return setArrayLength(vm, static_cast<Array*>(own.holder), value);
    }
}

/// Known: `object` has no such own property.
static Completion<bool> add(Vm& vm, Object* object, PropertyKey key, Value value) {
    if (UNLIKELY(!object->isExtensible()))
        return false;
    if (!key.isIndex()) {
        addNamed(vm, object, key, value, AllAttributes);
        return true;
    }
    if (UNLIKELY((object->flags & LengthReadOnly) && key.asIndex() >= static_cast<Array*>(object)->length()))
        return false;
    TRY(addElement(vm, object, key.asIndex(), value, AllAttributes));
    return true;
}

static Completion<bool> callSetter(Vm& vm, const Lookup& found, Value receiver, Value value) {
    Value setter = found.value.as<Accessor>()->setter;
    if (setter.isUndefined())
        return false;
    TRY(call(vm, setter, receiver, value));
    return true;
}

/// 10.1.9.2 steps 2.c to 2.e: the receiver is not the object that was asked first.
static Completion<bool> setOnReceiver(Vm& vm, Object* receiver, PropertyKey key, Value value) {
    Lookup own = TRY(ownProperty(vm, receiver, key));
    if (!own.found())
        return createDataProperty(vm, receiver, key, value);
    if (own.isAccessor() || !(own.attributes & Writable))
        return false;
    PropertyDescriptor descriptor;
    descriptor.has = PropertyDescriptor::HasValue;
    descriptor.value = value;
    return defineOwnProperty(vm, receiver, key, descriptor);
}

/// What a typed array says about a numeric key.
static bool isTypedElement(const Lookup& found) {
    return found.holder && (!found.found() || found.type == Lookup::Exotic) && isTypedArray(found.holder);
}

// 10.1.9.2 OrdinarySetWithOwnDescriptor ( O, P, V, Receiver, ownDesc )
Completion<bool> set(Vm& vm, Object* object, PropertyKey key, Value value, Value receiver) {
    if (UNLIKELY(receiver.isObject() && kindOf(receiver.asCell()) == Kind::StringRecord))
        value = Value::string(TRY(toString(vm, value)));
    Lookup found = lookup(vm, object, key);
    if (found.isAccessor())
        return callSetter(vm, found, receiver, value);
    if (UNLIKELY(found.holder && isNamespace(found.holder))) // 10.4.6.9
        return false;
    if (UNLIKELY(found.isIntercepted()))
        return proxySet(vm, found.holder, key, value, receiver);
    if (UNLIKELY(isTypedElement(found))) {
        if (receiver == Value::object(found.holder)) {
            TRY(setElement(vm, asTypedArray(found.holder), key, value));
            return true;
        }
        if (!found.found())
            return true;
    }
    if (found.found() && !(found.attributes & Writable))
        return false;
    if (UNLIKELY(!receiver.isObject()))
        return false;
    Object* target = receiver.asObject();
    if (found.found() && found.holder == target)
        return overwrite(vm, found, value);
    if (LIKELY(target == object))
        return add(vm, object, key, value);
    return setOnReceiver(vm, target, key, value);
}

Completion<bool> set(Vm& vm, Object* object, PropertyKey key, Value value) {
    return set(vm, object, key, value, Value::object(object));
}

// ---- why not

static Threw readOnly(Vm& vm, Value base, PropertyKey key) {
    return throwError(vm, Error::ReadOnlyProperty, key, typeOf(vm, base), base);
}

/// What is found from `holder` on and forbids the write: false if nothing is and does. `base` is the receiver.
static COLD bool throwFound(Vm& vm, Object* holder, PropertyKey key, Value base) {
    Lookup found = lookup(vm, holder, key);
    // Bounded, because script may have made a circle of proxies and prototypes meanwhile.
    for (int i = 0; i < 1000 && found.isIntercepted() && isProxy(found.holder); i++) {
        Object* object = refusing(vm, found.holder, "set");
        if (isProxy(object)) {
            (void)throwError(vm, Error::ProxyFalsishFor, "set", key);
            return true;
        }
        found = lookup(vm, object, key);
    }
    bool isExport = found.found() && isNamespace(found.holder);
    if (!found.found() || (!found.isAccessor() && (found.attributes & Writable) && !isExport))
        return false;
    if (found.isAccessor())
        (void)throwError(vm, Error::GetterOnly, key, Value::object(found.holder));
    else
        (void)readOnly(vm, base, key);
    return true;
}

/// Known: `base` refused the write.
static COLD Threw throwRefused(Vm& vm, Value base, PropertyKey key) {
    bool isLength = key == PropertyKey::atom(vm.names.length);
    if (base.isString() && (isLength || (key.isIndex() && key.asIndex() < base.asString()->length)))
        return readOnly(vm, base, key);
    if (throwFound(vm, propertiesOf(vm, base), key, base))
        return {};
    if (!base.isObject())
        return throwError(vm, Error::PrimitiveProperty, key, typeOf(vm, base), base);
    if (kindOf(base.asObject()) == Kind::Array) {
        auto* array = static_cast<Array*>(base.asObject());
        if (isLength)
            return throwError(vm, Error::DeleteFailed, PropertyKey::index(array->length() - 1), base);
        if (key.isIndex() && (array->flags & LengthReadOnly) && array->isExtensible())
            return readOnly(vm, base, PropertyKey::atom(vm.names.length));
    }
    if (isProxy(base.asObject()))
        return throwDefineRefused(vm, base.asObject(), key);
    return throwError(vm, Error::NotExtensible, key);
}

Completion<void> put(Vm& vm, Value base, PropertyKey key, Value value) {
    Object* holder = propertiesOf(vm, base);
    if (UNLIKELY(!holder))
        return throwError(vm, Error::SetOfNullish, base, key);
    if (UNLIKELY(base.isString())
        && (key == PropertyKey::atom(vm.names.length) || (key.isIndex() && key.asIndex() < base.asString()->length)))
        return throwRefused(vm, base, key);
    if (UNLIKELY(!TRY(set(vm, holder, key, value, base))))
        return throwRefused(vm, base, key);
    return {};
}

Completion<void> putSuper(Vm& vm, Object* holder, PropertyKey key, Value value, Value receiver) {
    if (LIKELY(TRY(set(vm, holder, key, value, receiver))))
        return {};
    if (throwFound(vm, holder, key, receiver))
        return Threw{};
    if (!receiver.isObject())
        return readOnly(vm, receiver, key);
    Object* object = receiver.asObject();
    if (isProxy(object))
        return throwDefineRefused(vm, object, key);
    Lookup own = getOwnProperty(vm, object, key);
    if (own.isAccessor())
        return throwError(vm, Error::Redefine, key);
    return own.found() ? readOnly(vm, receiver, key) : throwError(vm, Error::NotExtensible, key);
}

}
