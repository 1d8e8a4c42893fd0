// Property descriptors as objects. See descriptor.h.
#include "runtime/core/descriptor.h"
#include "runtime/core/error.h"
#include "runtime/core/operations.h"
#include "runtime/core/vm.h"

namespace scr {

using Descriptor = PropertyDescriptor;

namespace {

PropertyKey key(const String* atom) { return PropertyKey::atom(atom); }

/// A field of a descriptor, if it is there: false if not. HasProperty and Get are two steps that a script can tell
/// apart.
Completion<bool> readField(Vm& vm, Object* object, PropertyKey key, Value& value) {
    if (!TRY(hasProperty(vm, object, key)))
        return false;
    value = TRY(get(vm, object, key));
    return true;
}

Completion<void> readFlag(Vm& vm, Object* object, PropertyKey key, Descriptor& descriptor, u8 has, u8 attribute) {
    Value value;
    if (!TRY(readField(vm, object, key, value)))
        return {};
    descriptor.has |= has;
    if (toBoolean(value))
        descriptor.attributes |= attribute;
    return {};
}

Completion<void> readFunction(
    Vm& vm, Object* object, PropertyKey key, Descriptor& descriptor, u8 has, Value& field, Error error) {
    if (!TRY(readField(vm, object, key, field)))
        return {};
    descriptor.has |= has;
    if (!isCallable(field) && !field.isUndefined())
        return throwError(vm, error, field);
    return {};
}

}

Completion<Descriptor> toPropertyDescriptor(Vm& vm, Value value) {
    if (!value.isObject())
        return throwError(vm, Error::DescriptorNotObject, value);
    Object* object = value.asObject();
    Descriptor descriptor;
    TRY(readFlag(vm, object, key(vm.names.enumerable), descriptor, Descriptor::HasEnumerable, Enumerable));
    TRY(readFlag(vm, object, key(vm.names.configurable), descriptor, Descriptor::HasConfigurable, Configurable));
    if (TRY(readField(vm, object, key(vm.names.value), descriptor.value)))
        descriptor.has |= Descriptor::HasValue;
    TRY(readFlag(vm, object, key(vm.names.writable), descriptor, Descriptor::HasWritable, Writable));
    TRY(readFunction(
        vm, object, key(vm.names.get), descriptor, Descriptor::HasGet, descriptor.getter, Error::DescriptorGetter));
    TRY(readFunction(
        vm, object, key(vm.names.set), descriptor, Descriptor::HasSet, descriptor.setter, Error::DescriptorSetter));
    if (descriptor.isAccessor() && descriptor.isData())
        return throwError(vm, Error::DescriptorBoth, value);
    return descriptor;
}

Object* fromPropertyDescriptor(Vm& vm, const Descriptor& descriptor) {
    Object* object = newObject(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype), 4);
    auto define = [&](u8 field, const String* name, Value value) {
        if (descriptor.has & field)
            defineDirect(vm, object, key(name), value, AllAttributes);
    };
    auto flag = [&](u8 attribute) { return Value::boolean(descriptor.attributes & attribute); };
    define(Descriptor::HasValue, vm.names.value, descriptor.value);
    define(Descriptor::HasWritable, vm.names.writable, flag(Writable));
    define(Descriptor::HasGet, vm.names.get, descriptor.getter);
    define(Descriptor::HasSet, vm.names.set, descriptor.setter);
    define(Descriptor::HasEnumerable, vm.names.enumerable, flag(Enumerable));
    define(Descriptor::HasConfigurable, vm.names.configurable, flag(Configurable));
    return object;
}

Descriptor descriptorOf(const Lookup& found) {
    Descriptor descriptor = Descriptor::data(found.value, found.attributes & AllAttributes);
    if (!found.isAccessor())
        return descriptor;
    auto* accessor = found.value.as<Accessor>();
    descriptor.has = Descriptor::HasGet | Descriptor::HasSet | Descriptor::HasEnumerable | Descriptor::HasConfigurable;
    descriptor.attributes &= ~Writable;
    descriptor.value = Value::undefined();
    descriptor.getter = accessor->getter;
    descriptor.setter = accessor->setter;
    return descriptor;
}

Value fromLookup(Vm& vm, const Lookup& found) {
    return found.found() ? Value::object(fromPropertyDescriptor(vm, descriptorOf(found))) : Value::undefined();
}

Lookup lookupFromDescriptor(Vm& vm, Object* holder, const Descriptor& descriptor) {
    Lookup found;
    found.holder = holder;
    // Attributes and values of fields that are not there are false and undefined.
    found.attributes = descriptor.attributes;
    if (!descriptor.isAccessor()) {
        found.type = Lookup::Exotic;
        found.value = descriptor.value;
        return found;
    }
    found.type = Lookup::Accessor;
    found.slot = NotFound;
    found.attributes = (descriptor.attributes & (Enumerable | Configurable)) | AccessorProperty;
    found.value = Value::cell(newAccessor(vm, descriptor.getter, descriptor.setter));
    return found;
}

}
