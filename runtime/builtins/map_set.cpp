// Map and Set (ECMA-262 24.1, 24.2) and their iterators.
#include "runtime/builtins/collection_iterator.h"
#include "runtime/builtins/collection_support.h"
#include "runtime/builtins/iteration.h"
#include "runtime/builtins/iterator.h"

namespace scr {

using IteratorKind = CollectionIterator::Yields;
using enum CollectionIterator::Yields;

static void traceCollection(Cell* cell, Marker& marker) {
    auto* collection = static_cast<Collection*>(cell);
    traceObject(cell, marker);
    marker.mark(collection->table);
}
static void traceCollectionIterator(Cell* cell, Marker& marker) {
    auto* iterator = static_cast<CollectionIterator*>(cell);
    traceObject(cell, marker);
    marker.mark(iterator->position.table);
}
/// Called once for each Vm.
void registerCollectionKinds(Heap& heap) {
    registerHashTable(heap);
    heap.setTrace(u8(Kind::Map), traceCollection);
    heap.setTrace(u8(Kind::Set), traceCollection);
    heap.setTrace(u8(Kind::CollectionIterator), traceCollectionIterator);
}

Collection* newCollection(Vm& vm, Kind kind, Object* prototype) {
    HashTable* table = newHashTable(vm, 0);
    auto* collection =
        static_cast<Collection*>(allocateObject(vm, kind, sizeof(Collection), rootShape(vm, prototype, 0)));
    collection->table = table;
    return collection;
}

Completion<void> addFromIterable(Vm& vm, Object* collection, Value iterable, const CollectionClass& of) {
    Value adder = TRY(get(vm, collection, PropertyKey::atom(internAscii(vm, of.adderName))));
    if (!isCallable(adder)) {
        std::string what = "'" + describeForMessage(vm, adder) + "' returned for property '" + std::string(of.adderName)
            + "' of object '#<" + std::string(of.name) + ">'";
        return throwError(vm, Error::NotCallable, std::string_view(what));
    }
    // OPTIMIZATION: the builtin adder need not be called to do what it does.
    bool builtin = kindOf(adder.asObject()) == Kind::NativeFunction
        && static_cast<NativeFunction*>(adder.asObject())->code == of.adderCode;
    auto addPair = [&](Value key, Value value) -> Completion<void> {
        if (builtin)
            return of.add(vm, collection, key, value);
        TRY(of.pairs ? call(vm, adder, Value::object(collection), key, value)
                     : call(vm, adder, Value::object(collection), key));
        return {};
    };
    return forEachOf(vm, iterable, [&](Value item) -> Completion<void> {
        if (!of.pairs)
            return addPair(item, item);
        if (!item.isObject())
            return throwError(vm, Error::IteratorEntry, item);
        Value key = TRY(elementAt(vm, item.asObject(), 0));
        return addPair(key, TRY(elementAt(vm, item.asObject(), 1)));
    });
}

static Result constructCollection(Vm& vm, Args args, Kind kind, Intrinsic prototype, const CollectionClass& of) {
    Value newTarget = vm.takeNewTarget();
    if (newTarget.isUndefined())
        return throwError(vm, Error::ConstructorNeedsNew, of.name);
    Collection* collection = newCollection(vm, kind, TRY(prototypeFor(vm, args, newTarget, prototype)));
    if (!args[0].isNullish())
        TRY(addFromIterable(vm, collection, args[0], of));
    return Value::object(collection);
}

static Completion<void> addToMap(Vm& vm, Object* map, Value key, Value value) {
    return setEntry(vm, static_cast<Collection*>(map), key, value);
}

Result map_constructor(Vm& vm, Args args) {
    return constructCollection(vm, args, Kind::Map, Intrinsic::MapPrototype, {"Map", "set", map_set, addToMap, true});
}
Result set_constructor(Vm& vm, Args args) {
    return constructCollection(vm, args, Kind::Set, Intrinsic::SetPrototype, {"Set", "add", set_add, addToMap, false});
}

// 24.1.2.1 Map.groupBy ( items, callback ): groups in the order in which their keys appear.
Result map_groupBy(Vm& vm, Args args) {
    if (args[0].isNullish())
        return throwError(vm, Error::NotIterable, args[0]);
    if (!isCallable(args[1]))
        return throwError(vm, Error::NotCallable, args[1]);
    Collection* groups = newCollection(vm, Kind::Map, vm.realm->intrinsic(vm, Intrinsic::MapPrototype));
    RepeatedCall keyOfItem(vm, args[1], Value::undefined());
    double index = 0;
    TRY(forEachOf(vm, args[0], [&](Value item) -> Completion<void> {
        Value callArgs[] = {item, Value::number(index++)};
        Value key = TRY(keyOfItem(callArgs, 2));
        if (HashTable::Entry* entry = TRY(findEntry(vm, groups->table, key)))
            return pushDense(vm, static_cast<Array*>(entry->value.asObject())->elements_, item);
        return setEntry(vm, groups, key, Value::object(newArrayFrom(vm, &item, 1)));
    }));
    return Value::object(groups);
}

/// get [Symbol.species]
Result species_getter(Vm&, Args args) { return args.self(); }

static Completion<Collection*> thisMap(Vm& vm, Args args, std::string_view method) {
    return thisAs<Collection>(vm, args.self(), Kind::Map, method);
}
static Completion<Collection*> thisSet(Vm& vm, Args args, std::string_view method) {
    return thisAs<Collection>(vm, args.self(), Kind::Set, method);
}

Result map_get(Vm& vm, Args args) {
    Collection* map = TRY(thisMap(vm, args, "Map.prototype.get"));
    HashTable::Entry* entry = TRY(findEntry(vm, map->table, args[0]));
    return entry ? entry->value : Value::undefined();
}
Result map_set(Vm& vm, Args args) {
    Collection* map = TRY(thisMap(vm, args, "Map.prototype.set"));
    TRY(setEntry(vm, map, args[0], args[1]));
    return args.self();
}
// Map.prototype.getOrInsert ( key, value )
Result map_getOrInsert(Vm& vm, Args args) {
    Collection* map = TRY(thisMap(vm, args, "Map.prototype.getOrInsert"));
    if (HashTable::Entry* entry = TRY(findEntry(vm, map->table, args[0])))
        return entry->value;
    TRY(setEntry(vm, map, args[0], args[1]));
    return args[1];
}
// Map.prototype.getOrInsertComputed ( key, callback )
Result map_getOrInsertComputed(Vm& vm, Args args) {
    Collection* map = TRY(thisMap(vm, args, "Map.prototype.getOrInsertComputed"));
    if (!isCallable(args[1]))
        return throwError(vm, Error::NotCallable, args[1]);
    if (HashTable::Entry* entry = TRY(findEntry(vm, map->table, args[0])))
        return entry->value;
    Value key = args[0].isNumber() ? Value::number(args[0].asNumber() + 0.0) : args[0];
    Value value = TRY(call(vm, args[1], Value::undefined(), key));
    TRY(setEntry(vm, map, key, value));
    return value;
}
Result map_has(Vm& vm, Args args) {
    Collection* map = TRY(thisMap(vm, args, "Map.prototype.has"));
    return Value::boolean(TRY(findEntry(vm, map->table, args[0])) != nullptr);
}
Result map_delete(Vm& vm, Args args) {
    return Value::boolean(TRY(deleteEntry(vm, TRY(thisMap(vm, args, "Map.prototype.delete")), args[0])));
}
Result map_clear(Vm& vm, Args args) {
    clearEntries(vm, TRY(thisMap(vm, args, "Map.prototype.clear")));
    return Value::undefined();
}
Result map_size(Vm& vm, Args args) {
    return Value::number(TRY(thisMap(vm, args, "get Map.prototype.size"))->table->live());
}
Result set_add(Vm& vm, Args args) {
    Collection* set = TRY(thisSet(vm, args, "Set.prototype.add"));
    TRY(setEntry(vm, set, args[0], args[0]));
    return args.self();
}
Result set_has(Vm& vm, Args args) {
    Collection* set = TRY(thisSet(vm, args, "Set.prototype.has"));
    return Value::boolean(TRY(findEntry(vm, set->table, args[0])) != nullptr);
}
Result set_delete(Vm& vm, Args args) {
    return Value::boolean(TRY(deleteEntry(vm, TRY(thisSet(vm, args, "Set.prototype.delete")), args[0])));
}
Result set_clear(Vm& vm, Args args) {
    clearEntries(vm, TRY(thisSet(vm, args, "Set.prototype.clear")));
    return Value::undefined();
}
Result set_size(Vm& vm, Args args) {
    return Value::number(TRY(thisSet(vm, args, "get Set.prototype.size"))->table->live());
}

static Result forEach(Vm& vm, Args args, Collection* collection, bool isMap) {
    if (!isCallable(args[0]))
        return throwOperand(vm, Error::NotCallable, args[0]);
    RepeatedCall callback(vm, args[0], args[1]);
    TablePosition position{collection->table, 0};
    while (HashTable::Entry* entry = position.next()) {
        Value values[] = {isMap ? entry->value : entry->key, entry->key, args.self()};
        TRY(callback(values, 3));
    }
    return Value::undefined();
}
Result map_forEach(Vm& vm, Args args) {
    return forEach(vm, args, TRY(thisMap(vm, args, "Map.prototype.forEach")), true);
}
Result set_forEach(Vm& vm, Args args) {
    return forEach(vm, args, TRY(thisSet(vm, args, "Set.prototype.forEach")), false);
}

// ---- iterators

static Value newIterator(Vm& vm, Collection* collection, IteratorKind kind, Intrinsic prototype) {
    Shape* shape = rootShape(vm, vm.realm->intrinsic(vm, prototype), 0);
    auto* iterator = static_cast<CollectionIterator*>(
        allocateObject(vm, Kind::CollectionIterator, sizeof(CollectionIterator), shape));
    iterator->position = {collection->table, 0};
    iterator->yields = kind;
    iterator->ofMap = kindOf(collection) == Kind::Map;
    return Value::object(iterator);
}
Result map_keys(Vm& vm, Args args) {
    return newIterator(vm, TRY(thisMap(vm, args, "Map.prototype.keys")), Keys, Intrinsic::MapIteratorPrototype);
}
Result map_values(Vm& vm, Args args) {
    return newIterator(vm, TRY(thisMap(vm, args, "Map.prototype.values")), Values, Intrinsic::MapIteratorPrototype);
}
Result map_entries(Vm& vm, Args args) {
    return newIterator(vm, TRY(thisMap(vm, args, "Map.prototype.entries")), Entries, Intrinsic::MapIteratorPrototype);
}
Result set_values(Vm& vm, Args args) {
    return newIterator(vm, TRY(thisSet(vm, args, "Set.prototype.values")), Keys, Intrinsic::SetIteratorPrototype);
}
Result set_entries(Vm& vm, Args args) {
    return newIterator(vm, TRY(thisSet(vm, args, "Set.prototype.entries")), Entries, Intrinsic::SetIteratorPrototype);
}

static Completion<bool> step(Vm& vm, CollectionIterator* iterator, Value& value) {
    HashTable::Entry* entry = iterator->position.table ? iterator->position.next() : nullptr;
    if (!entry) {
        iterator->position.table = nullptr;
        return false;
    }
    Value second = iterator->ofMap ? entry->value : entry->key;
    value = iterator->yields == Keys ? entry->key : second;
    if (iterator->yields == Entries) {
        Value pair[] = {entry->key, second};
        value = Value::object(newArrayFrom(vm, pair, 2));
    }
    return true;
}

static Completion<CollectionIterator*> thisIterator(Vm& vm, Value self, bool ofMap, std::string_view method) {
    auto* iterator = TRY(thisAs<CollectionIterator>(vm, self, Kind::CollectionIterator, method));
    if (iterator->ofMap != ofMap)
        return throwError(vm, Error::Incompatible, method, self);
    return iterator;
}
static Completion<bool> stepMap(Vm& vm, Value self, Value& value) {
    return step(vm, TRY(thisIterator(vm, self, true, "Map Iterator.prototype.next")), value);
}
static Completion<bool> stepSet(Vm& vm, Value self, Value& value) {
    return step(vm, TRY(thisIterator(vm, self, false, "Set Iterator.prototype.next")), value);
}
Result mapIterator_next(Vm& vm, Args args) {
    Value value;
    Completion<bool> more = stepMap(vm, args.self(), value);
    return stepResult(vm, more, value);
}
Result setIterator_next(Vm& vm, Args args) {
    Value value;
    Completion<bool> more = stepSet(vm, args.self(), value);
    return stepResult(vm, more, value);
}

void registerCollectionSteps(Vm& vm) {
    vm.iteratorSteps[2] = {mapIterator_next, stepMap};
    vm.iteratorSteps[3] = {setIterator_next, stepSet};
}

}
