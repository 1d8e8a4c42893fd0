// WeakMap, WeakSet, WeakRef and FinalizationRegistry (ECMA-262 24.3, 24.4, 26.1, 26.2).
#include "runtime/core/weak.h"
#include "runtime/builtins/collection_support.h"
#include "runtime/builtins/native.h"

namespace scr {

namespace {

/// Known: the receiver of a [[Construct]] is `new.target`.
template <class T> Completion<T*> newWeakObject(Vm& vm, Args args, Value newTarget, Kind kind, Intrinsic prototype) {
    Shape* shape = rootShape(vm, TRY(prototypeFor(vm, args, newTarget, prototype)), 0);
    return static_cast<T*>(allocateObject(vm, kind, sizeof(T), shape));
}

Result constructWeak(Vm& vm, Args args, Kind kind, Intrinsic prototype, const CollectionClass& of) {
    Value newTarget = vm.takeNewTarget();
    if (newTarget.isUndefined())
        return throwError(vm, Error::ConstructorNeedsNew, of.name);
    auto* collection = TRY(newWeakObject<WeakCollection>(vm, args, newTarget, kind, prototype));
    collection->table = nullptr;
    if (!args[0].isNullish())
        TRY(addFromIterable(vm, collection, args[0], of));
    return Value::object(collection);
}

Completion<WeakCollection*> thisWeakMap(Vm& vm, Args args, std::string_view method) {
    return thisAs<WeakCollection>(vm, args.self(), Kind::WeakMap, method);
}
Completion<WeakCollection*> thisWeakSet(Vm& vm, Args args, std::string_view method) {
    return thisAs<WeakCollection>(vm, args.self(), Kind::WeakSet, method);
}

Completion<void> requireKey(Vm& vm, Value key) {
    if (LIKELY(canBeHeldWeakly(key)))
        return {};
    return throwError(vm, Error::WeakMapKey);
}

Completion<void> addToMap(Vm& vm, Object* map, Value key, Value value) {
    TRY(requireKey(vm, key));
    return setWeak(vm, static_cast<WeakCollection*>(map), key, value);
}
Completion<void> addToSet(Vm& vm, Object* set, Value value, Value) {
    if (!canBeHeldWeakly(value))
        return throwError(vm, Error::WeakSetValue);
    return setWeak(vm, static_cast<WeakCollection*>(set), value, Value::undefined());
}

}

// ---- WeakMap

// 24.3.1.1 WeakMap ( [ iterable ] )
Result weakMap_constructor(Vm& vm, Args args) {
    return constructWeak(
        vm, args, Kind::WeakMap, Intrinsic::WeakMapPrototype, {"WeakMap", "set", weakMap_set, addToMap, true});
}
Result weakMap_delete(Vm& vm, Args args) {
    return Value::boolean(deleteWeak(TRY(thisWeakMap(vm, args, "WeakMap.prototype.delete")), args[0]));
}
Result weakMap_get(Vm& vm, Args args) {
    WeakEntry* entry = findWeak(TRY(thisWeakMap(vm, args, "WeakMap.prototype.get")), args[0]);
    return entry ? Value::fromBits(entry->value) : Value::undefined();
}
Result weakMap_set(Vm& vm, Args args) {
    TRY(addToMap(vm, TRY(thisWeakMap(vm, args, "WeakMap.prototype.set")), args[0], args[1]));
    return args.self();
}
Result weakMap_has(Vm& vm, Args args) {
    return Value::boolean(findWeak(TRY(thisWeakMap(vm, args, "WeakMap.prototype.has")), args[0]) != nullptr);
}
// WeakMap.prototype.getOrInsert ( key, value )
Result weakMap_getOrInsert(Vm& vm, Args args) {
    WeakCollection* map = TRY(thisWeakMap(vm, args, "WeakMap.prototype.getOrInsert"));
    TRY(requireKey(vm, args[0]));
    if (WeakEntry* entry = findWeak(map, args[0]))
        return Value::fromBits(entry->value);
    TRY(setWeak(vm, map, args[0], args[1]));
    return args[1];
}
// WeakMap.prototype.getOrInsertComputed ( key, callback )
Result weakMap_getOrInsertComputed(Vm& vm, Args args) {
    WeakCollection* map = TRY(thisWeakMap(vm, args, "WeakMap.prototype.getOrInsertComputed"));
    TRY(requireKey(vm, args[0]));
    if (!isCallable(args[1]))
        return throwError(vm, Error::NotCallable, args[1]);
    if (WeakEntry* entry = findWeak(map, args[0]))
        return Value::fromBits(entry->value);
    Value value = TRY(call(vm, args[1], Value::undefined(), args[0]));
    TRY(setWeak(vm, map, args[0], value));
    return value;
}

/// What is remembered of objects, for as long as they live: a map that no script sees.
Object* makeHiddenWeakMap(Vm& vm, Object* prototype) {
    Shape* shape = rootShape(vm, prototype, 0);
    auto* map = static_cast<WeakCollection*>(allocateObject(vm, Kind::WeakMap, sizeof(WeakCollection), shape));
    map->table = nullptr;
    return map;
}

// ---- WeakSet

// 24.4.1.1 WeakSet ( [ iterable ] )
Result weakSet_constructor(Vm& vm, Args args) {
    return constructWeak(
        vm, args, Kind::WeakSet, Intrinsic::WeakSetPrototype, {"WeakSet", "add", weakSet_add, addToSet, false});
}
Result weakSet_delete(Vm& vm, Args args) {
    return Value::boolean(deleteWeak(TRY(thisWeakSet(vm, args, "WeakSet.prototype.delete")), args[0]));
}
Result weakSet_has(Vm& vm, Args args) {
    return Value::boolean(findWeak(TRY(thisWeakSet(vm, args, "WeakSet.prototype.has")), args[0]) != nullptr);
}
Result weakSet_add(Vm& vm, Args args) {
    TRY(addToSet(vm, TRY(thisWeakSet(vm, args, "WeakSet.prototype.add")), args[0], args[0]));
    return args.self();
}

// ---- WeakRef

// 26.1.1.1 WeakRef ( target )
Result weakRef_constructor(Vm& vm, Args args) {
    Value newTarget = vm.takeNewTarget();
    if (newTarget.isUndefined())
        return throwError(vm, Error::ConstructorNeedsNew, "WeakRef");
    if (!canBeHeldWeakly(args[0]))
        return throwError(vm, Error::WeakRefTarget);
    auto* reference = TRY(newWeakObject<WeakRef>(vm, args, newTarget, Kind::WeakRef, Intrinsic::WeakRefPrototype));
    reference->target = args[0];
    reference->job = 0;
    keepDuringJob(vm, reference);
    return Value::object(reference);
}
// 26.1.3.2 WeakRef.prototype.deref ( )
Result weakRef_deref(Vm& vm, Args args) {
    auto* reference = TRY(thisAs<WeakRef>(vm, args.self(), Kind::WeakRef, "WeakRef.prototype.deref"));
    if (!reference->target.isUndefined())
        keepDuringJob(vm, reference);
    return reference->target;
}

// ---- FinalizationRegistry

// 26.2.1.1 FinalizationRegistry ( cleanupCallback )
Result finalizationRegistry_constructor(Vm& vm, Args args) {
    Value newTarget = vm.takeNewTarget();
    if (newTarget.isUndefined())
        return throwError(vm, Error::ConstructorNeedsNew, "FinalizationRegistry");
    if (!isCallable(args[0]))
        return throwError(vm, Error::CleanupNotCallable);
    auto* registry = TRY(newWeakObject<FinalizationRegistry>(
        vm, args, newTarget, Kind::FinalizationRegistry, Intrinsic::FinalizationRegistryPrototype));
    registry->cleanup = args[0];
    registry->table = nullptr;
    registry->tokens = nullptr;
    registry->used = registry->firstFree = registry->firstDue = 0;
    registry->queued = false;
    return Value::object(registry);
}

static Completion<FinalizationRegistry*> thisRegistry(Vm& vm, Args args, std::string_view method) {
    return thisAs<FinalizationRegistry>(vm, args.self(), Kind::FinalizationRegistry, method);
}

// 26.2.3.2 FinalizationRegistry.prototype.register ( target, heldValue [ , unregisterToken ] )
Result finalizationRegistry_register(Vm& vm, Args args) {
    auto* registry = TRY(thisRegistry(vm, args, "FinalizationRegistry.prototype.register"));
    if (!canBeHeldWeakly(args[0]))
        return throwError(vm, Error::RegisterTarget);
    if (args[0] == args[1])
        return throwError(vm, Error::RegisterSame);
    if (!args[2].isUndefined() && !canBeHeldWeakly(args[2]))
        return throwError(vm, Error::UnregisterToken, args[2]);
    TRY(registerTarget(vm, registry, args[0], args[1], args[2]));
    return Value::undefined();
}
// 26.2.3.3 FinalizationRegistry.prototype.unregister ( unregisterToken )
Result finalizationRegistry_unregister(Vm& vm, Args args) {
    auto* registry = TRY(thisRegistry(vm, args, "FinalizationRegistry.prototype.unregister"));
    if (!canBeHeldWeakly(args[0]))
        return throwError(vm, Error::UnregisterToken, args[0]);
    return Value::boolean(unregisterToken(registry, args[0]));
}

}
