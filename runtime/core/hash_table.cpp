// Insertion-ordered hash table of Map and Set.
#include "runtime/core/hash_table.h"
#include "runtime/core/operations.h"
#include "runtime/core/vm.h"

namespace scr {

static constexpr u32 SmallestCapacity = 4;

static size_t tableBytes(u32 capacity, u32 buckets) {
    return sizeof(HashTable) + size_t(capacity) * sizeof(HashTable::Entry) + size_t(buckets) * sizeof(u32);
}

static u32 bucketsFor(u32 capacity) {
    u32 buckets = 4;
    while (buckets < capacity)
        buckets *= 2;
    return buckets;
}

static HashTable* initialize(Cell* cell, u32 capacity) {
    auto* table = static_cast<HashTable*>(cell);
    table->used = table->deleted = 0;
    table->capacity = capacity;
    table->mask = bucketsFor(capacity) - 1;
    table->successor = nullptr;
    table->cleared = table->reserved = 0;
    for (u32 i = 0; i <= table->mask; i++)
        table->buckets()[i] = 0;
    return table;
}

HashTable* newHashTable(Vm& vm, u32 capacity) {
    capacity = capacity < SmallestCapacity ? SmallestCapacity : capacity;
    return initialize(
        vm.heap.allocate(tableBytes(capacity, bucketsFor(capacity)), u8(Kind::HashTable), KeyNone), capacity);
}

static u32 mix(u64 bits, u64 seed) {
    u64 h = (bits ^ seed) * 0x9E3779B97F4A7C15ull;
    return u32((h ^ (h >> 32)) * 0xD6E8FEB86659FD93ull >> 32);
}

/// A number in one form for both representations; strings flat; everything else as it is.
static ALWAYS_INLINE Completion<Value> canonicalKey(Vm& vm, Value key) {
    if (key.isDouble())
        return Value::number(key.asDouble() == 0 ? 0.0 : key.asDouble());
    if (key.isString())
        return Value::string(TRY(flatten(vm, key.asString())));
    return key;
}

static u32 hashKey(Vm& vm, Value key) {
    return key.isString() ? hashOf(vm, key.asString()) : mix(key.bits(), vm.hashSeed);
}

static Completion<bool> sameKey(Vm& vm, Value a, Value b) {
    if (a == b)
        return true;
    if (a.isString() && b.isString())
        return equalStrings(vm, a.asString(), b.asString());
    return false;
}

static ALWAYS_INLINE Completion<HashTable::Entry*> find(Vm& vm, HashTable* table, Value key, u32 hash) {
    for (u32 at = table->buckets()[hash & table->mask]; at;) {
        HashTable::Entry& entry = table->entries()[at - 1];
        if (LIKELY(entry.key == key) || (entry.hash == hash && TRY(sameKey(vm, entry.key, key))))
            return &entry;
        at = entry.next;
    }
    return nullptr;
}

Completion<HashTable::Entry*> findEntry(Vm& vm, HashTable* table, Value key) {
    key = TRY(canonicalKey(vm, key));
    return find(vm, table, key, hashKey(vm, key));
}

static void append(HashTable* table, Value key, Value value, u32 hash) {
    u32& bucket = table->buckets()[hash & table->mask];
    table->entries()[table->used] = {key, value, hash, bucket};
    bucket = ++table->used;
}

/// Known: there is room.
static void appendLive(HashTable* table, HashTable* from) {
    for (u32 i = 0; i < from->used; i++) {
        HashTable::Entry& entry = from->entries()[i];
        if (!entry.key.isHole())
            append(table, entry.key, entry.value, entry.hash);
    }
}

/// `successor` has taken its place. Iterators that stand in it need to know where its holes are, and nothing else.
static void retire(HashTable* table, HashTable* successor) {
    table->successor = successor;
    for (u32 i = 0; i < table->used; i++) {
        HashTable::Entry& entry = table->entries()[i];
        entry.value = Value::undefined();
        if (!entry.key.isHole())
            entry.key = Value::undefined();
    }
}

static Completion<HashTable*> tryNewTable(Vm& vm, u32 capacity) {
    Cell* cell = vm.heap.tryAllocate(tableBytes(capacity, bucketsFor(capacity)), u8(Kind::HashTable), KeyNone);
    if (!cell)
        return vm.terminateMemory();
    return initialize(cell, capacity);
}

/// A table without holes and with room for more takes the place of the full one.
static Completion<HashTable*> replaceTable(Vm& vm, Collection* collection) {
    HashTable* old = collection->table;
    u32 capacity = old->live() >= old->capacity / 2 ? old->capacity * 2 : old->capacity;
    HashTable* table = TRY(tryNewTable(vm, capacity));
    appendLive(table, old);
    vm.charge(old->used);
    retire(old, table);
    collection->table = table;
    return table;
}

Completion<void> setEntry(Vm& vm, Collection* collection, Value key, Value value) {
    key = TRY(canonicalKey(vm, key));
    u32 hash = hashKey(vm, key);
    HashTable* table = collection->table;
    if (HashTable::Entry* entry = TRY(find(vm, table, key, hash))) {
        entry->value = value;
        return {};
    }
    if (table->used == table->capacity)
        table = TRY(replaceTable(vm, collection));
    append(table, key, value, hash);
    return {};
}

Completion<void> addEntry(Vm& vm, HashTable* table, Value key, Value value) {
    ASSERT(table->used < table->capacity);
    key = TRY(canonicalKey(vm, key));
    u32 hash = hashKey(vm, key);
    if (!TRY(find(vm, table, key, hash)))
        append(table, key, value, hash);
    return {};
}

Completion<bool> deleteEntry(Vm& vm, Collection* collection, Value key) {
    HashTable* table = collection->table;
    HashTable::Entry* entry = TRY(findEntry(vm, table, key));
    if (!entry)
        return false;
    u32 number = u32(entry - table->entries()) + 1;
    for (u32* at = &table->buckets()[entry->hash & table->mask];; at = &table->entries()[*at - 1].next) {
        if (*at == number) {
            *at = entry->next;
            break;
        }
    }
    entry->key = Value::hole();
    entry->value = Value::undefined();
    table->deleted++;
    return true;
}

void clearEntries(Vm& vm, Collection* collection) {
    vm.charge(collection->table->used / 4);
    HashTable* table = newHashTable(vm, SmallestCapacity);
    collection->table->cleared = 1;
    retire(collection->table, table);
    collection->table = table;
}

Completion<void> copyEntries(Vm& vm, Collection* to, HashTable* from) {
    u32 capacity = from->live() < SmallestCapacity ? SmallestCapacity : from->live();
    HashTable* table = TRY(tryNewTable(vm, capacity));
    appendLive(table, from);
    vm.charge(from->used);
    to->table = table;
    return {};
}

HashTable::Entry* TablePosition::next() {
    while (HashTable* successor = table->successor) {
        u32 holes = 0;
        for (u32 i = 0; i < index; i++)
            holes += table->entries()[i].key.isHole();
        index = table->cleared ? 0 : index - holes;
        table = successor;
    }
    while (index < table->used) {
        HashTable::Entry& entry = table->entries()[index++];
        if (!entry.key.isHole())
            return &entry;
    }
    return nullptr;
}

static void traceTable(Cell* cell, Marker& marker) {
    auto* table = static_cast<HashTable*>(cell);
    marker.mark(table->successor);
    for (u32 i = 0; i < table->used; i++) {
        marker.markWord(table->entries()[i].key.bits());
        marker.markWord(table->entries()[i].value.bits());
    }
}
void registerHashTable(Heap& heap) { heap.setTrace(u8(Kind::HashTable), traceTable); }

}
