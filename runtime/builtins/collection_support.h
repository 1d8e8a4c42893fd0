// What the constructors of Map, Set, WeakMap and WeakSet share.
#pragma once
#include "runtime/builtins/native.h"
#include "runtime/core/hash_table.h"

namespace scr {

/// An empty Map or Set.
Collection* newCollection(Vm& vm, Kind kind, Object* prototype);

struct CollectionClass {
    std::string_view name;
    std::string_view adderName;
    NativeCode adderCode; ///< the builtin `adderName` of the class
    Completion<void> (*add)(Vm& vm, Object* collection, Value key, Value value); ///< what it does
    bool pairs; ///< the iterable yields [key, value]
};

/// 24.1.1.2 AddEntriesFromIterable, and its like for sets: calls the collection's adder for each value. Known: the
/// iterable is neither undefined nor null.
Completion<void> addFromIterable(Vm& vm, Object* collection, Value iterable, const CollectionClass& of);

Result map_set(Vm& vm, Args args);
Result set_add(Vm& vm, Args args);
Result weakMap_set(Vm& vm, Args args);
Result weakSet_add(Vm& vm, Args args);

}
