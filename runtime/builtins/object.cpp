// The Object constructor and its functions (ECMA-262 20.1.1 and 20.1.2). Every walk over the properties of an object
// takes the list of keys first and looks each one up again, because getters may change the object meanwhile.
#include "runtime/builtins/descriptor.h"
#include "runtime/builtins/iteration.h"
#include "runtime/builtins/object_support.h"
#include "runtime/core/proxy.h"

namespace scr {

// 20.1.1.1 Object ( [ value ] )
Result object_constructor(Vm& vm, Args args) {
    Value newTarget = vm.takeNewTarget();
    if (newTarget.isObject() && newTarget.asObject() != args.callee()) {
        Object* prototype = TRY(prototypeFor(vm, args, newTarget, Intrinsic::ObjectPrototype));
        return Value::object(newObject(vm, prototype));
    }
    if (args[0].isNullish())
        return Value::object(newObject(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype)));
    return Value::object(TRY(toObject(vm, args[0])));
}

namespace {

/// Get of an own property that was found a moment ago. A proxy is asked anew.
Result valueOfOwn(Vm& vm, Object* object, PropertyKey key, const Lookup& found) {
    return UNLIKELY(isProxy(object)) ? get(vm, object, key) : valueOf(vm, found, Value::object(object));
}

Completion<void> assignProperty(Vm& vm, Object* target, Object* source, PropertyKey key) {
    Lookup found = TRY(ownProperty(vm, source, key));
    if (!found.found() || !(found.attributes & Enumerable))
        return {};
    return put(vm, Value::object(target), key, TRY(valueOfOwn(vm, source, key, found)));
}

/// Known: `shape` is the source's plain shape, and shared: it lists the keys whatever a setter of the target does.
Completion<void> assignPlain(Vm& vm, Object* target, Object* source, Shape* shape) {
    for (u32 i = 0; i < shape->count; i++) {
        PropertyEntry entry = entryAt(shape, i);
        PropertyKey key = PropertyKey::fromBits(entry.key);
        if (UNLIKELY(source->shape != shape->id))
            TRY(assignProperty(vm, target, source, key));
        else if (entry.attributes & Enumerable)
            TRY(put(vm, Value::object(target), key, source->slot(i)));
    }
    return {};
}

Completion<void> assignFrom(Vm& vm, Object* target, Value value) {
    Object* source = TRY(toObject(vm, value));
    Shape* shape = plainShape(vm, source);
    if (shape && !shape->isUnique())
        return assignPlain(vm, target, source, shape);
    KeyList keys = TRY(KeyList::of(vm, source, StringKeys | SymbolKeys));
    TRY(vm.work(keys.count()));
    for (u32 i = 0; i < keys.count(); i++)
        TRY(assignProperty(vm, target, source, keys[i]));
    return {};
}

}

// 20.1.2.1 Object.assign ( target, ...sources )
Result object_assign(Vm& vm, Args args) {
    Object* target = TRY(toObject(vm, args[0]));
    for (u32 i = 1; i < args.count; i++)
        if (!args[i].isNullish())
            TRY(assignFrom(vm, target, args[i]));
    return Value::object(target);
}

namespace {

/// 20.1.2.3.1 ObjectDefineProperties. All descriptors are read before the first property is defined; they wait in a
/// cell.
Completion<void> definePropertiesOf(Vm& vm, Object* object, Value properties) {
    constexpr u32 Width = 5;
    Object* source = TRY(toObject(vm, properties));
    KeyList keys = TRY(KeyList::of(vm, source, StringKeys | SymbolKeys));
    Array* pending = newArray(vm, keys.count() * Width);
    for (u32 i = 0; i < keys.count(); i++) {
        Lookup found = TRY(ownProperty(vm, source, keys[i]));
        if (!found.found() || !(found.attributes & Enumerable))
            continue;
        Value described = TRY(valueOfOwn(vm, source, keys[i], found));
        PropertyDescriptor descriptor = TRY(toPropertyDescriptor(vm, described));
        Value fields[Width] = {Value::fromBits(keys[i].bits()),
            Value::int32(descriptor.has | descriptor.attributes << 8), descriptor.value, descriptor.getter,
            descriptor.setter};
        for (Value field : fields)
            TRY(pushDense(vm, pending->elements_, field));
    }
    for (u32 i = 0; i < pending->elements_.denseLength; i += Width) {
        const Value* fields = pending->elements_.dense() + i;
        i32 flags = fields[1].asInt();
        PropertyDescriptor descriptor{u8(flags), u8(flags >> 8), fields[2], fields[3], fields[4]};
        TRY(defineOrThrow(vm, object, PropertyKey::fromBits(fields[0].bits()), descriptor));
    }
    return {};
}

}

// 20.1.2.2 Object.create ( O, Properties )
Result object_create(Vm& vm, Args args) {
    if (!args[0].isObject() && !args[0].isNull())
        return throwError(vm, Error::NotAnObjectOrNull, args[0]);
    Object* object = newObject(vm, args[0].isNull() ? nullptr : args[0].asObject());
    if (!args[1].isUndefined())
        TRY(definePropertiesOf(vm, object, args[1]));
    return Value::object(object);
}

// 20.1.2.3 Object.defineProperties ( O, Properties )
Result object_defineProperties(Vm& vm, Args args) {
    if (!args[0].isObject())
        return throwError(vm, Error::CalledOnNonObject, "Object.defineProperties");
    TRY(definePropertiesOf(vm, args[0].asObject(), args[1]));
    return args[0];
}

// 20.1.2.4 Object.defineProperty ( O, P, Attributes )
Result object_defineProperty(Vm& vm, Args args) {
    if (!args[0].isObject())
        return throwError(vm, Error::CalledOnNonObject, "Object.defineProperty");
    PropertyKey key = TRY(toPropertyKey(vm, args[1]));
    PropertyDescriptor descriptor = TRY(toPropertyDescriptor(vm, args[2]));
    TRY(defineOrThrow(vm, args[0].asObject(), key, descriptor));
    return args[0];
}

namespace {

enum class Listed { Values, Entries };

Completion<void> addListed(Vm& vm, Array* result, PropertyKey key, Value value, Listed listed) {
    if (listed == Listed::Entries) {
        Value entry[] = {keyToValue(vm, key), value};
        value = Value::object(newArrayFrom(vm, entry, 2));
    }
    return pushDense(vm, result->elements_, value);
}

/// Known: `shape` is the object's plain shape, so no script runs.
Result listPlain(Vm& vm, Object* object, Shape* shape, Listed listed) {
    Array* result = newArray(vm, shape->count);
    for (u32 i = 0; i < shape->count; i++) {
        PropertyEntry entry = entryAt(shape, i);
        if (entry.attributes & Enumerable)
            TRY(addListed(vm, result, PropertyKey::fromBits(entry.key), object->slot(i), listed));
    }
    return Value::object(result);
}

/// 7.3.23 EnumerableOwnProperties of kind value or key+value.
Result listProperties(Vm& vm, Value value, Listed listed) {
    Object* object = TRY(toObject(vm, value));
    if (Shape* shape = plainShape(vm, object))
        return listPlain(vm, object, shape, listed);
    KeyList keys = TRY(KeyList::of(vm, object, StringKeys));
    Array* result = newArray(vm, keys.count());
    TRY(vm.work(keys.count()));
    for (u32 i = 0; i < keys.count(); i++) {
        Lookup found = TRY(ownProperty(vm, object, keys[i]));
        if (!found.found() || !(found.attributes & Enumerable))
            continue;
        Value property = TRY(valueOfOwn(vm, object, keys[i], found));
        TRY(addListed(vm, result, keys[i], property, listed));
    }
    return Value::object(result);
}

}

// 20.1.2.5 Object.entries ( O )
Result object_entries(Vm& vm, Args args) { return listProperties(vm, args[0], Listed::Entries); }

// 20.1.2.23 Object.values ( O )
Result object_values(Vm& vm, Args args) { return listProperties(vm, args[0], Listed::Values); }

// 20.1.2.17 Object.keys ( O )
Result object_keys(Vm& vm, Args args) {
    return Value::object(TRY(ownPropertyKeys(vm, TRY(toObject(vm, args[0])), StringKeys | OnlyEnumerable)));
}

namespace {

/// Only a proxy refuses.
Result narrowOrThrow(Vm& vm, Value value, Integrity level) {
    if (value.isObject() && !TRY(setIntegrity(vm, value.asObject(), level)))
        return throwError(vm, Error::ProxyFalsish, "preventExtensions");
    return value;
}

}

// 20.1.2.6 Object.freeze ( O )
Result object_freeze(Vm& vm, Args args) { return narrowOrThrow(vm, args[0], Integrity::Frozen); }

// 20.1.2.20 Object.seal ( O )
Result object_seal(Vm& vm, Args args) { return narrowOrThrow(vm, args[0], Integrity::Sealed); }

// 20.1.2.18 Object.preventExtensions ( O )
Result object_preventExtensions(Vm& vm, Args args) {
    if (args[0].isObject() && !TRY(preventExtensions(vm, args[0].asObject())))
        return throwError(vm, Error::ProxyFalsish, "preventExtensions");
    return args[0];
}

// 20.1.2.14 Object.isExtensible ( O )
Result object_isExtensible(Vm& vm, Args args) {
    return Value::boolean(args[0].isObject() && TRY(isExtensible(vm, args[0].asObject())));
}

// 20.1.2.15 Object.isFrozen ( O )
Result object_isFrozen(Vm& vm, Args args) {
    return Value::boolean(!args[0].isObject() || TRY(testIntegrity(vm, args[0].asObject(), Integrity::Frozen)));
}

// 20.1.2.16 Object.isSealed ( O )
Result object_isSealed(Vm& vm, Args args) {
    return Value::boolean(!args[0].isObject() || TRY(testIntegrity(vm, args[0].asObject(), Integrity::Sealed)));
}

namespace {

/// One entry of Object.fromEntries: two Gets, then the key.
Completion<void> addEntry(Vm& vm, Object* result, Value entry) {
    if (!entry.isObject())
        return throwError(vm, Error::IteratorEntry, entry);
    Value key = TRY(get(vm, entry.asObject(), PropertyKey::index(0)));
    Value value = TRY(get(vm, entry.asObject(), PropertyKey::index(1)));
    return createDataPropertyOrThrow(vm, result, TRY(toPropertyKey(vm, key)), value);
}

}

// 20.1.2.7 Object.fromEntries ( iterable )
Result object_fromEntries(Vm& vm, Args args) {
    if (args[0].isNullish())
        return throwError(vm, Error::NotIterable, "undefined");
    Object* result = newObject(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype));
    TRY(forEachOf(vm, args[0], [&](Value entry) { return addEntry(vm, result, entry); }));
    return Value::object(result);
}

// 20.1.2.13 Object.groupBy ( items, callback )
Result object_groupBy(Vm& vm, Args args) {
    if (args[0].isNullish())
        return throwError(vm, Error::NotIterable, args[0]);
    if (!isCallable(args[1]))
        return throwError(vm, Error::NotCallable, args[1]);
    // The groups are not visible before the end, so they may be the result's properties from the start.
    Object* groups = newObject(vm, nullptr);
    RepeatedCall keyOfItem(vm, args[1], Value::undefined());
    double index = 0;
    TRY(forEachOf(vm, args[0], [&](Value item) -> Completion<void> {
        Value callArgs[] = {item, Value::number(index++)};
        PropertyKey key = TRY(toPropertyKey(vm, TRY(keyOfItem(callArgs, 2))));
        Lookup found = getOwnProperty(vm, groups, key);
        if (found.found())
            return pushDense(vm, static_cast<Array*>(found.value.asObject())->elements_, item);
        return createDataPropertyOrThrow(vm, groups, key, Value::object(newArrayFrom(vm, &item, 1)));
    }));
    return Value::object(groups);
}

// 20.1.2.8 Object.getOwnPropertyDescriptor ( O, P )
Result object_getOwnPropertyDescriptor(Vm& vm, Args args) {
    Object* object = TRY(toObject(vm, args[0]));
    PropertyKey key = TRY(toPropertyKey(vm, args[1]));
    return fromLookup(vm, TRY(ownProperty(vm, object, key)));
}

// 20.1.2.9 Object.getOwnPropertyDescriptors ( O )
Result object_getOwnPropertyDescriptors(Vm& vm, Args args) {
    Object* object = TRY(toObject(vm, args[0]));
    KeyList keys = TRY(KeyList::of(vm, object, StringKeys | SymbolKeys));
    Object* result = newObject(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype));
    for (u32 i = 0; i < keys.count(); i++) {
        Lookup found = TRY(ownProperty(vm, object, keys[i]));
        if (found.found())
            TRY(createDataPropertyOrThrow(vm, result, keys[i], fromLookup(vm, found)));
    }
    return Value::object(result);
}

// 20.1.2.10 Object.getOwnPropertyNames ( O )
Result object_getOwnPropertyNames(Vm& vm, Args args) {
    return Value::object(TRY(ownPropertyKeys(vm, TRY(toObject(vm, args[0])), StringKeys)));
}

// 20.1.2.11 Object.getOwnPropertySymbols ( O )
Result object_getOwnPropertySymbols(Vm& vm, Args args) {
    return Value::object(TRY(ownPropertyKeys(vm, TRY(toObject(vm, args[0])), SymbolKeys)));
}

// 20.1.2.12 Object.getPrototypeOf ( O )
Result object_getPrototypeOf(Vm& vm, Args args) { return prototypeValue(vm, TRY(toObject(vm, args[0]))); }

// 20.1.2.13 Object.hasOwn ( O, P )
Result object_hasOwn(Vm& vm, Args args) {
    Object* object = TRY(toObject(vm, args[0]));
    PropertyKey key = TRY(toPropertyKey(vm, args[1]));
    return Value::boolean(TRY(hasOwnProperty(vm, object, key)));
}

// 20.1.2.14 Object.is ( value1, value2 )
Result object_is(Vm& vm, Args args) { return Value::boolean(TRY(sameValue(vm, args[0], args[1]))); }

// 20.1.2.22 Object.setPrototypeOf ( O, proto )
Result object_setPrototypeOf(Vm& vm, Args args) {
    if (args[0].isNullish())
        return throwError(vm, Error::CalledOnNullish, "Object.setPrototypeOf");
    if (!args[1].isObject() && !args[1].isNull())
        return throwError(vm, Error::NotAnObjectOrNull, args[1]);
    if (args[0].isObject())
        TRY(setPrototypeOrThrow(vm, args[0].asObject(), args[1]));
    return args[0];
}

}
