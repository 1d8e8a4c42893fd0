// Weak collections, references and registries: their tables, and their part of a collection.
#include "runtime/core/weak.h"
#include "runtime/core/call.h"
#include "runtime/core/vm.h"

namespace scr {

bool canBeHeldWeakly(Value value) {
    return value.isObject() || (value.isSymbol() && !(value.asSymbol()->flags & SymbolRegistered));
}

static bool isDead(Heap& heap, Value value) { return value.isCell() && !heap.isMarked(value.asCell()); }

// ---- tables

static constexpr u32 SmallestCapacity = 8;

/// A table with room for one more takes the place of `table` (null: none yet).
static Completion<WeakTable*> replaceTable(Vm& vm, WeakTable* table) {
    u32 capacity = SmallestCapacity;
    while (table && capacity < u64(table->live + 1) * 2)
        capacity *= 2;
    Cell* cell = vm.heap.tryAllocate(WeakTable::bytesFor(capacity), u8(Kind::WeakTable), capacity);
    if (!cell)
        return vm.terminateMemory();
    auto* larger = static_cast<WeakTable*>(cell);
    larger->format(capacity);
    // The allocation may have collected, and entries may have gone.
    for (u32 i = 0; table && i < table->capacity; i++)
        if (table->entries[i].key > WeakTable::Deleted)
            larger->insert(table->entries[i].key, table->entries[i].value);
    return larger;
}

static Completion<void> putWeak(Vm& vm, Ptr<WeakTable>& table, Value key, Value value) {
    if (WeakEntry* entry = table ? table->find(key.bits()) : nullptr) {
        entry->value = value.bits();
        return {};
    }
    if (!table || table->isFull() || table->isSparse())
        table = TRY(replaceTable(vm, table));
    table->insert(key.bits(), value.bits());
    return {};
}

WeakEntry* findWeak(WeakCollection* collection, Value key) {
    return collection->table && key.isCell() ? collection->table->find(key.bits()) : nullptr;
}

Completion<void> setWeak(Vm& vm, WeakCollection* collection, Value key, Value value) {
    return putWeak(vm, collection->table, key, value);
}

bool deleteWeak(WeakCollection* collection, Value key) {
    WeakEntry* entry = findWeak(collection, key);
    if (!entry)
        return false;
    collection->table->remove(entry);
    if (!collection->table->live)
        collection->table = nullptr;
    return true;
}

static void traceWeakCollection(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    auto* collection = static_cast<WeakCollection*>(cell);
    if (!collection->table)
        return;
    marker.mark(collection->table);
    marker.heap().addWeakCell(cell);
}

/// Known: the table's dead entries have been deleted.
static void sweepWeakCollection(Cell* cell, Heap&) {
    auto* collection = static_cast<WeakCollection*>(cell);
    if (!collection->table->live)
        collection->table = nullptr;
}

// ---- references

void keepDuringJob(Vm& vm, WeakRef* reference) {
    if (reference->job == vm.job)
        return;
    reference->job = vm.job;
    vm.keptAlive.push_back(reference->target);
}

static void traceWeakRef(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    marker.heap().addWeakCell(cell);
}

static void sweepWeakRef(Cell* cell, Heap& heap) {
    auto* reference = static_cast<WeakRef*>(cell);
    if (isDead(heap, reference->target))
        reference->target = Value::undefined();
}

// ---- registries

namespace {

FinalizationRecord& recordAt(FinalizationRegistry* registry, u32 number) {
    return registry->table->records[number - 1];
}

/// The number of an unused record.
Completion<u32> takeRecord(Vm& vm, FinalizationRegistry* registry) {
    if (u32 number = registry->firstFree) {
        registry->firstFree = recordAt(registry, number).nextDue;
        return number;
    }
    u32 capacity = registry->table ? registry->table->shape : 0;
    if (registry->used == capacity) {
        u32 grown = capacity ? capacity * 2 : 4;
        size_t bytes = sizeof(FinalizationRecords) + grown * sizeof(FinalizationRecord);
        auto* table =
            static_cast<FinalizationRecords*>(vm.heap.tryAllocate(bytes, u8(Kind::FinalizationRecords), grown));
        if (!table)
            return vm.terminateMemory();
        for (u32 i = 0; i < grown; i++)
            table->records[i] = i < capacity ? registry->table->records[i]
                                             : FinalizationRecord{{}, {}, {}, 0, 0, 0, FinalizationRecord::Free};
        registry->table = table;
    }
    return ++registry->used;
}

void freeRecord(FinalizationRegistry* registry, u32 number) {
    recordAt(registry, number) = {{}, {}, {}, 0, 0, registry->firstFree, FinalizationRecord::Free};
    registry->firstFree = number;
}

/// Takes the record out of the chain of its token.
void unlinkToken(FinalizationRegistry* registry, u32 number) {
    FinalizationRecord& record = recordAt(registry, number);
    if (record.next)
        recordAt(registry, record.next).previous = record.previous;
    if (record.previous)
        recordAt(registry, record.previous).next = record.next;
    else if (WeakEntry* entry = record.token.isCell() ? registry->tokens->find(record.token.bits()) : nullptr) {
        if (record.next)
            entry->value = Value::int32(i32(record.next)).bits();
        else
            registry->tokens->remove(entry);
    }
    record.next = record.previous = 0;
    record.token = Value::undefined();
}

Completion<void> linkToken(Vm& vm, FinalizationRegistry* registry, u32 number, Value token) {
    WeakEntry* entry = registry->tokens ? registry->tokens->find(token.bits()) : nullptr;
    u32 first = entry ? u32(Value::fromBits(entry->value).asInt()) : 0;
    TRY(putWeak(vm, registry->tokens, token, Value::int32(i32(number))));
    FinalizationRecord& record = recordAt(registry, number);
    record.token = token;
    record.next = first;
    if (first)
        recordAt(registry, first).previous = number;
    return {};
}

}

Completion<void> registerTarget(Vm& vm, FinalizationRegistry* registry, Value target, Value held, Value token) {
    u32 number = TRY(takeRecord(vm, registry));
    recordAt(registry, number) = {target, held, Value::undefined(), 0, 0, 0, FinalizationRecord::Active};
    return token.isUndefined() ? Completion<void>{} : linkToken(vm, registry, number, token);
}

bool unregisterToken(FinalizationRegistry* registry, Value token) {
    WeakEntry* entry = registry->tokens ? registry->tokens->find(token.bits()) : nullptr;
    if (!entry)
        return false;
    u32 number = u32(Value::fromBits(entry->value).asInt());
    registry->tokens->remove(entry);
    while (number) {
        FinalizationRecord& record = recordAt(registry, number);
        u32 next = record.next;
        if (record.state == FinalizationRecord::Due)
            record = {{}, {}, {}, 0, 0, record.nextDue, FinalizationRecord::Cancelled};
        else
            freeRecord(registry, number);
        number = next;
    }
    return true;
}

/// The next value to clean up after; false: none is due any more.
static bool takeDue(FinalizationRegistry* registry, Value& held) {
    while (u32 number = registry->firstDue) {
        FinalizationRecord& record = recordAt(registry, number);
        bool due = record.state == FinalizationRecord::Due;
        registry->firstDue = record.nextDue;
        held = record.held;
        unlinkToken(registry, number);
        freeRecord(registry, number);
        if (due)
            return true;
    }
    return false;
}

u32 dueTargets(const Vm& vm) {
    u32 count = 0;
    for (FinalizationRegistry* registry : vm.dueRegistries)
        for (u32 number = registry->firstDue; number; count++)
            number = recordAt(registry, number).nextDue;
    return count;
}

static void queueIfDue(Vm& vm, FinalizationRegistry* registry) {
    if (!registry->firstDue || registry->queued)
        return;
    registry->queued = true;
    vm.dueRegistries.push_back(registry);
}

Completion<void> cleanUpRegistry(Vm& vm, u32& most) {
    FinalizationRegistry* registry = vm.dueRegistries.front();
    vm.dueRegistries.erase(vm.dueRegistries.begin());
    registry->queued = false;
    Value held;
    bool threw = false;
    while (!threw && most && takeDue(registry, held)) {
        most--;
        threw = call(vm, registry->cleanup, Value::undefined(), held).threw();
    }
    queueIfDue(vm, registry);
    if (threw)
        return Threw{};
    return {};
}

static void traceRecords(Cell* cell, Marker& marker) {
    auto* table = static_cast<FinalizationRecords*>(cell);
    for (u32 i = 0; i < table->shape; i++)
        marker.markValues(&table->records[i].held, 1);
}

static void traceRegistry(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    auto* registry = static_cast<FinalizationRegistry*>(cell);
    marker.markValues(&registry->cleanup, 1);
    marker.mark(registry->table);
    marker.mark(registry->tokens);
    marker.heap().addWeakCell(cell);
}

static void sweepRegistry(Cell* cell, Heap& heap) {
    auto* registry = static_cast<FinalizationRegistry*>(cell);
    for (u32 number = 1; number <= registry->used; number++) {
        FinalizationRecord& record = recordAt(registry, number);
        if (isDead(heap, record.token)) {
            // Nobody can name the chain any more: its entry in the table is gone, and its records dissolve one by one.
            record.token = Value::undefined();
            record.next = record.previous = 0;
        }
        if (!isDead(heap, record.target))
            continue;
        record.target = Value::undefined();
        record.state = FinalizationRecord::Due;
        record.nextDue = registry->firstDue;
        registry->firstDue = number;
    }
    queueIfDue(Vm::of(heap), registry);
}

void registerWeakKinds(Heap& heap) {
    heap.setTrace(u8(Kind::WeakTable), WeakTable::trace);
    heap.setTrace(u8(Kind::FinalizationRecords), traceRecords);
    heap.setTrace(u8(Kind::WeakMap), traceWeakCollection);
    heap.setTrace(u8(Kind::WeakSet), traceWeakCollection);
    heap.setTrace(u8(Kind::WeakRef), traceWeakRef);
    heap.setTrace(u8(Kind::FinalizationRegistry), traceRegistry);
    heap.setWeakSweep(u8(Kind::WeakMap), sweepWeakCollection);
    heap.setWeakSweep(u8(Kind::WeakSet), sweepWeakCollection);
    heap.setWeakSweep(u8(Kind::WeakRef), sweepWeakRef);
    heap.setWeakSweep(u8(Kind::FinalizationRegistry), sweepRegistry);
}

}
