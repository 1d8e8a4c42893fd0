// Property descriptors as objects, and key lists. See descriptor.h.
#include "runtime/builtins/descriptor.h"

namespace scr {

namespace {

/// A field of a descriptor, if it is there: false if not. HasProperty and Get are two steps that a script can tell
/// apart.
Completion<bool> readField(Vm& vm, Object* object, PropertyKey key, Value& value) {
    if (!hasProperty(vm, object, key))
        return false;
    value = TRY(get(vm, object, key));
    return true;
}

Completion<void> readFlag(
    Vm& vm, Object* object, PropertyKey key, PropertyDescriptor& descriptor, u8 has, u8 attribute) {
    Value value;
    if (!TRY(readField(vm, object, key, value)))
        return {};
    descriptor.has |= has;
    if (toBoolean(value))
        descriptor.attributes |= attribute;
    return {};
}

Completion<void> readFunction(
    Vm& vm, Object* object, PropertyKey key, PropertyDescriptor& descriptor, u8 has, Value& field, Error error) {
    if (!TRY(readField(vm, object, key, field)))
        return {};
    descriptor.has |= has;
    if (!isCallable(field) && !field.isUndefined())
        return throwError(vm, error, field);
    return {};
}

}

Completion<PropertyDescriptor> toPropertyDescriptor(Vm& vm, Value value) {
    if (!value.isObject())
        return throwError(vm, Error::DescriptorNotObject, value);
    Object* object = value.asObject();
    PropertyDescriptor descriptor;
    TRY(readFlag(vm, object, KEY(vm, enumerable), descriptor, PropertyDescriptor::HasEnumerable, Enumerable));
    TRY(readFlag(vm, object, KEY(vm, configurable), descriptor, PropertyDescriptor::HasConfigurable, Configurable));
    if (TRY(readField(vm, object, KEY(vm, value), descriptor.value)))
        descriptor.has |= PropertyDescriptor::HasValue;
    TRY(readFlag(vm, object, KEY(vm, writable), descriptor, PropertyDescriptor::HasWritable, Writable));
    TRY(readFunction(
        vm, object, KEY(vm, get), descriptor, PropertyDescriptor::HasGet, descriptor.getter, Error::DescriptorGetter));
    TRY(readFunction(
        vm, object, KEY(vm, set), descriptor, PropertyDescriptor::HasSet, descriptor.setter, Error::DescriptorSetter));
    if (descriptor.isAccessor() && descriptor.isData())
        return throwError(vm, Error::DescriptorBoth, value);
    return descriptor;
}

Value fromLookup(Vm& vm, const Lookup& found) {
    if (!found.found())
        return Value::undefined();
    Object* object = newObject(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype), 4);
    if (found.isAccessor()) {
        auto* accessor = found.value.as<Accessor>();
        defineDirect(vm, object, KEY(vm, get), accessor->getter, AllAttributes);
        defineDirect(vm, object, KEY(vm, set), accessor->setter, AllAttributes);
    } else {
        defineDirect(vm, object, KEY(vm, value), found.value, AllAttributes);
        defineDirect(vm, object, KEY(vm, writable), Value::boolean(found.attributes & Writable), AllAttributes);
    }
    defineDirect(vm, object, KEY(vm, enumerable), Value::boolean(found.attributes & Enumerable), AllAttributes);
    defineDirect(vm, object, KEY(vm, configurable), Value::boolean(found.attributes & Configurable), AllAttributes);
    return Value::object(object);
}

Shape* plainShape(Vm& vm, Object* object) {
    if (kindOf(object) != Kind::Object || object->elements())
        return nullptr;
    Shape* shape = shapeOf(vm, object);
    for (u32 i = 0; i < shape->count; i++) {
        PropertyEntry& entry = entryAt(shape, i);
        if (!PropertyKey::fromBits(entry.key).isAtom() || (entry.attributes & (AccessorProperty | LazyBuiltin)))
            return nullptr;
    }
    return shape;
}

KeyList::KeyList(Vm& vm, Object* object, u8 filter) {
    std::vector<PropertyKey> keys;
    ownKeys(vm, object, filter, keys);
    // A key's bits are those of its string or symbol, or of an int32: a value that the collector understands.
    static_assert(sizeof(PropertyKey) == sizeof(Value));
    list_ = newArrayFrom(vm, reinterpret_cast<const Value*>(keys.data()), u32(keys.size()));
}

}
