// The methods of Set.prototype that combine two sets (ECMA-262 24.2.4): the other one is any object with size, has and
// keys. Script runs at each step and may change the receiver, whose elements are walked as an iterator would walk them.
#include "runtime/builtins/collection_support.h"
#include "runtime/builtins/iteration.h"

namespace scr {

namespace {

/// 24.2.1.1 Set Record.
struct SetRecord {
    Object* object;
    double size;
    Value has, keys;
};

Completion<Value> getMethodOf(Vm& vm, Object* object, PropertyKey key, std::string_view name) {
    Value method = TRY(get(vm, object, key));
    if (!isCallable(method))
        return throwError(vm, Error::NotCallable, name);
    return method;
}

// 24.2.1.2 GetSetRecord ( obj )
Completion<SetRecord> setRecordOf(Vm& vm, Value other, std::string_view method) {
    if (!other.isObject())
        return throwError(vm, Error::NotObject, method);
    SetRecord record{other.asObject(), 0, {}, {}};
    double size = TRY(toNumber(vm, TRY(get(vm, record.object, KEY(vm, size)))));
    if (size != size)
        return throwError(vm, Error::SizeIsNaN);
    record.size = TRY(toIntegerOrInfinity(vm, Value::number(size)));
    if (record.size < 0)
        return throwError(vm, Error::SizeNegative, Value::number(record.size));
    record.has = TRY(getMethodOf(vm, record.object, KEY(vm, has), "has"));
    record.keys = TRY(getMethodOf(vm, record.object, KEY(vm, keys), "keys"));
    return record;
}

/// Receiver and argument of a method.
struct Operands {
    Collection* set;
    SetRecord other;

    bool otherIsNotSmaller() const { return set->table->live() <= other.size; }
};
Completion<Operands> operandsOf(Vm& vm, Args args, std::string_view method) {
    auto* set = TRY(thisAs<Collection>(vm, args.self(), Kind::Set, method));
    return Operands{set, TRY(setRecordOf(vm, args[0], method))};
}

Completion<bool> otherHas(Vm& vm, const SetRecord& other, Value element) {
    return toBoolean(TRY(call(vm, other.has, Value::object(other.object), element)));
}

Completion<bool> contains(Vm& vm, Collection* set, Value element) {
    return TRY(findEntry(vm, set->table, element)) != nullptr;
}

Completion<void> add(Vm& vm, Collection* set, Value element) { return setEntry(vm, set, element, element); }

/// Calls `use(element)` -> Completion<bool> for each element until one answers false. The result says whether none did.
template <class Use> Completion<bool> everyElement(Vm& vm, Collection* set, Use use) {
    TablePosition position{set->table, 0};
    while (HashTable::Entry* entry = position.next()) {
        TRY(vm.work(1));
        if (!TRY(use(entry->key)))
            return false;
    }
    return true;
}

/// 7.4.4 GetIteratorFromMethod ( other, other.keys )
Completion<IteratorRecord> keysOf(Vm& vm, const SetRecord& other) {
    Value iterator = TRY(call(vm, other.keys, Value::object(other.object)));
    if (!iterator.isObject())
        return throwError(vm, Error::KeysNotObject);
    return IteratorRecord{iterator, TRY(get(vm, iterator.asObject(), KEY(vm, next)))};
}

/// The same for the keys of the other set, whose iterator is closed when `use` answers false.
template <class Use> Completion<bool> everyKey(Vm& vm, const SetRecord& other, Use use) {
    IteratorRecord record = TRY(keysOf(vm, other));
    Value key;
    while (TRY(iteratorStep(vm, record, key))) {
        TRY(vm.work(1));
        if (TRY(use(key)))
            continue;
        TRY(iteratorClose(vm, record.iterator));
        return false;
    }
    return true;
}

/// A Set with the elements of another one (null: empty).
Completion<Collection*> newSet(Vm& vm, HashTable* elements) {
    Collection* set = newCollection(vm, Kind::Set, vm.realm->intrinsic(vm, Intrinsic::SetPrototype));
    if (elements)
        TRY(copyEntries(vm, set, elements));
    return set;
}

}

// 24.2.4.17 Set.prototype.union ( other ): the receiver is copied after `keys` was called.
Result set_union(Vm& vm, Args args) {
    auto [set, other] = TRY(operandsOf(vm, args, "Set.prototype.union"));
    IteratorRecord record = TRY(keysOf(vm, other));
    Collection* result = TRY(newSet(vm, set->table));
    Value key;
    while (TRY(iteratorStep(vm, record, key))) {
        TRY(vm.work(1));
        TRY(add(vm, result, key));
    }
    return Value::object(result);
}

// 24.2.4.9 Set.prototype.intersection ( other )
Result set_intersection(Vm& vm, Args args) {
    auto operands = TRY(operandsOf(vm, args, "Set.prototype.intersection"));
    Collection *set = operands.set, *result = TRY(newSet(vm, nullptr));
    const SetRecord& other = operands.other;
    if (operands.otherIsNotSmaller()) {
        TRY(everyElement(vm, set, [&](Value element) -> Completion<bool> {
            if (TRY(otherHas(vm, other, element)))
                TRY(add(vm, result, element));
            return true;
        }));
    } else {
        TRY(everyKey(vm, other, [&](Value key) -> Completion<bool> {
            if (TRY(contains(vm, set, key)))
                TRY(add(vm, result, key));
            return true;
        }));
    }
    return Value::object(result);
}

// 24.2.4.5 Set.prototype.difference ( other )
Result set_difference(Vm& vm, Args args) {
    auto operands = TRY(operandsOf(vm, args, "Set.prototype.difference"));
    Collection *set = operands.set, *result = TRY(newSet(vm, set->table));
    const SetRecord& other = operands.other;
    if (operands.otherIsNotSmaller()) {
        TRY(everyElement(vm, set, [&](Value element) -> Completion<bool> {
            if (TRY(otherHas(vm, other, element)))
                TRY(deleteEntry(vm, result, element));
            return true;
        }));
    } else {
        TRY(everyKey(vm, other, [&](Value key) -> Completion<bool> {
            TRY(deleteEntry(vm, result, key));
            return true;
        }));
    }
    return Value::object(result);
}

// 24.2.4.15 Set.prototype.symmetricDifference ( other )
Result set_symmetricDifference(Vm& vm, Args args) {
    auto [set, other] = TRY(operandsOf(vm, args, "Set.prototype.symmetricDifference"));
    IteratorRecord record = TRY(keysOf(vm, other));
    Collection* result = TRY(newSet(vm, set->table));
    Value key;
    while (TRY(iteratorStep(vm, record, key))) {
        TRY(vm.work(1));
        // The receiver as it is by now: an element that script has added to it is in both.
        if (TRY(contains(vm, set, key)))
            TRY(deleteEntry(vm, result, key));
        else
            TRY(add(vm, result, key));
    }
    return Value::object(result);
}

// 24.2.4.11 Set.prototype.isSubsetOf ( other )
Result set_isSubsetOf(Vm& vm, Args args) {
    auto operands = TRY(operandsOf(vm, args, "Set.prototype.isSubsetOf"));
    if (!operands.otherIsNotSmaller())
        return Value::boolean(false);
    return Value::boolean(
        TRY(everyElement(vm, operands.set, [&](Value element) { return otherHas(vm, operands.other, element); })));
}

// 24.2.4.12 Set.prototype.isSupersetOf ( other )
Result set_isSupersetOf(Vm& vm, Args args) {
    auto operands = TRY(operandsOf(vm, args, "Set.prototype.isSupersetOf"));
    if (operands.set->table->live() < operands.other.size)
        return Value::boolean(false);
    return Value::boolean(
        TRY(everyKey(vm, operands.other, [&](Value key) { return contains(vm, operands.set, key); })));
}

// 24.2.4.10 Set.prototype.isDisjointFrom ( other )
Result set_isDisjointFrom(Vm& vm, Args args) {
    auto operands = TRY(operandsOf(vm, args, "Set.prototype.isDisjointFrom"));
    bool disjoint;
    if (operands.otherIsNotSmaller())
        disjoint = TRY(everyElement(vm, operands.set,
            [&](Value element) -> Completion<bool> { return !TRY(otherHas(vm, operands.other, element)); }));
    else
        disjoint = TRY(everyKey(
            vm, operands.other, [&](Value key) -> Completion<bool> { return !TRY(contains(vm, operands.set, key)); }));
    return Value::boolean(disjoint);
}

}
