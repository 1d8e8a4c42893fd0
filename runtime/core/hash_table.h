// The table behind Map and Set: insertion-ordered, keyed by SameValueZero, hashed with the Vm's seed. Entries are
// appended and deleted ones become holes; a full table is replaced by a new one, and the old one remembers its
// successor, so that an iterator standing in it finds its place again (ECMA-262 24.1: entries added or deleted during
// iteration are seen).
#pragma once
#include "runtime/core/object.h"
#include "runtime/heap/heap.h"

namespace scr {

struct HashTable : Cell {
    struct Entry {
        Value key; ///< hole: deleted
        Value value;
        u32 hash;
        u32 next; ///< entry number + 1 in the same bucket; 0 ends
    };
    u32 used; ///< entries appended, deleted ones included
    u32 capacity;
    u32 deleted;
    u32 mask; ///< buckets - 1
    Ptr<HashTable> successor; ///< set when this table has been replaced
    u32 cleared; ///< replaced by clear(): iterators start over
    u32 reserved;
    Entry* entries() { return reinterpret_cast<Entry*>(this + 1); }
    u32* buckets() { return reinterpret_cast<u32*>(entries() + capacity); }
    u32 live() const { return used - deleted; }
};

/// Map and Set objects.
struct Collection : Object {
    Ptr<HashTable> table; ///< never null once constructed
};

HashTable* newHashTable(Vm& vm, u32 capacity);
/// The entry of `key`, or null. Throws only by the memory limit (rope keys are flattened).
Completion<HashTable::Entry*> findEntry(Vm& vm, HashTable* table, Value key);
/// Adds or overwrites. -0 becomes +0.
Completion<void> setEntry(Vm& vm, Collection* collection, Value key, Value value);
/// Adds to a table that has room; of equal keys the first stays.
Completion<void> addEntry(Vm& vm, HashTable* table, Value key, Value value);
/// True if it was there.
Completion<bool> deleteEntry(Vm& vm, Collection* collection, Value key);
void clearEntries(Vm& vm, Collection* collection);
/// Gives `to`, which nobody has seen yet, the entries of another collection.
Completion<void> copyEntries(Vm& vm, Collection* to, HashTable* from);
/// A position in a collection that survives changes of it.
struct TablePosition {
    Ptr<HashTable> table;
    u32 index = 0;
    /// The next live entry, or null at the end. Follows replaced tables.
    HashTable::Entry* next();
};
void registerHashTable(Heap& heap);

}
