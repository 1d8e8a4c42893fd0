// Map and Set (ECMA-262 24.1, 24.2) and their iterators.
#include "runtime/builtins/collection_iterator.h"
#include "runtime/builtins/native.h"

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

static Completion<Collection*> newCollection(Vm& vm, Kind kind, Value newTarget, Intrinsic fallback) {
    Object* prototype = TRY(prototypeFromConstructor(vm, newTarget.asObject(), vm.realm->intrinsic(vm, fallback)));
    HashTable* table = newHashTable(vm, 0);
    auto* collection =
        static_cast<Collection*>(allocateObject(vm, kind, sizeof(Collection), rootShape(vm, prototype, 0)));
    collection->table = table;
    return collection;
}

/// 24.1.1.2 AddEntriesFromIterable, and its like for Set: calls `adder` unless it is the builtin one.
static Completion<void> fillFrom(Vm& vm, Collection* collection, Value iterable, Value adder, bool isMap) {
    IteratorRecord record = TRY(getIterator(vm, iterable));
    Value item;
    while (TRY(iteratorStep(vm, record, item))) {
        auto add = [&]() -> Completion<void> {
            if (!isMap) {
                TRY(call(vm, adder, Value::object(collection), item));
                return {};
            }
            if (!item.isObject())
                return throwError(vm, Error::IteratorEntry, item);
            Value key = TRY(get(vm, item.asObject(), PropertyKey::index(0)));
            Value value = TRY(get(vm, item.asObject(), PropertyKey::index(1)));
            TRY(call(vm, adder, Value::object(collection), key, value));
            return {};
        };
        if (add().threw())
            return iteratorCloseThrow(vm, record.iterator);
    }
    return {};
}

static Result constructCollection(
    Vm& vm, Args args, Kind kind, Intrinsic prototype, std::string_view name, std::string_view adderName) {
    Value newTarget = vm.takeNewTarget();
    if (newTarget.isUndefined())
        return throwError(vm, Error::ConstructorNeedsNew, name);
    Collection* collection = TRY(newCollection(vm, kind, newTarget, prototype));
    if (args[0].isNullish())
        return Value::object(collection);
    Value adder = TRY(get(vm, collection, PropertyKey::atom(internAscii(vm, adderName))));
    if (!isCallable(adder)) {
        std::string what = "'" + describeForMessage(vm, adder) + "' returned for property '" + std::string(adderName)
            + "' of object '#<" + std::string(name) + ">'";
        return throwError(vm, Error::NotCallable, std::string_view(what));
    }
    TRY(fillFrom(vm, collection, args[0], adder, kind == Kind::Map));
    return Value::object(collection);
}

Result map_constructor(Vm& vm, Args args) {
    return constructCollection(vm, args, Kind::Map, Intrinsic::MapPrototype, "Map", "set");
}
Result set_constructor(Vm& vm, Args args) {
    return constructCollection(vm, args, Kind::Set, Intrinsic::SetPrototype, "Set", "add");
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
        return throwError(vm, Error::NotCallable, args[0]);
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

static Result nextOf(Vm& vm, CollectionIterator* iterator) {
    HashTable::Entry* entry = iterator->position.table ? iterator->position.next() : nullptr;
    if (!entry) {
        iterator->position.table = nullptr;
        return Value::object(newIteratorResult(vm, Value::undefined(), true));
    }
    Value second = iterator->ofMap ? entry->value : entry->key;
    Value value = iterator->yields == Keys ? entry->key : second;
    if (iterator->yields == Entries) {
        Value pair[] = {entry->key, second};
        value = Value::object(newArrayFrom(vm, pair, 2));
    }
    return Value::object(newIteratorResult(vm, value, false));
}

static Completion<CollectionIterator*> thisIterator(Vm& vm, Args args, bool ofMap, std::string_view method) {
    auto* iterator = TRY(thisAs<CollectionIterator>(vm, args.self(), Kind::CollectionIterator, method));
    if (iterator->ofMap != ofMap)
        return throwError(vm, Error::Incompatible, method, args.self());
    return iterator;
}
Result mapIterator_next(Vm& vm, Args args) {
    return nextOf(vm, TRY(thisIterator(vm, args, true, "Map Iterator.prototype.next")));
}
Result setIterator_next(Vm& vm, Args args) {
    return nextOf(vm, TRY(thisIterator(vm, args, false, "Set Iterator.prototype.next")));
}

}
