// Weak tables and ephemerons.
#include "runtime/heap/weak.h"
#include "runtime/heap/heap.h"

namespace scr {

static const Cell* cellOf(u64 word) { return reinterpret_cast<const Cell*>(word & 0xFFFFFFFFFFFFull); }
static bool isCellWord(u64 word) { return (word >> 48) - 0xFFFC <= 2; }

// ---- the table

static u32 slotOf(u64 key, u32 capacity) { return u32(key * 0x9E3779B97F4A7C15ull >> 32) & (capacity - 1); }

void WeakTable::format(u32 newCapacity) {
    used = live = reserved = 0;
    capacity = newCapacity;
    for (u32 i = 0; i < capacity; i++)
        entries[i] = {Free, 0};
}

WeakEntry* WeakTable::find(u64 key) {
    for (u32 at = slotOf(key, capacity);; at = (at + 1) & (capacity - 1)) {
        if (entries[at].key == key)
            return &entries[at];
        if (entries[at].key == Free)
            return nullptr;
    }
}

void WeakTable::insert(u64 key, u64 value) {
    ASSERT(used < capacity);
    u32 at = slotOf(key, capacity);
    while (entries[at].key > Deleted)
        at = (at + 1) & (capacity - 1);
    used += entries[at].key == Free;
    live++;
    entries[at] = {key, value};
}

void WeakTable::remove(WeakEntry* entry) {
    *entry = {Deleted, 0};
    live--;
}

void WeakTable::deleteUnmarked(const Heap& heap) {
    for (u32 i = 0; i < capacity; i++)
        if (entries[i].key > Deleted && !heap.isMarked(cellOf(entries[i].key)))
            remove(&entries[i]);
}

void WeakTable::trace(Cell* table, Marker& marker) {
    marker.heap().weakTables_.push_back(static_cast<WeakTable*>(table));
}

// ---- ephemerons

void Ephemerons::grow() {
    size_t count = buckets_.empty() ? 1024 : buckets_.size() * 2;
    shift_ = 64 - unsigned(__builtin_ctzll(count));
    buckets_.assign(count, 0);
    for (u32 i = 0; i < waiting_.size(); i++) {
        u32& bucket = bucketOf(waiting_[i].key);
        waiting_[i].next = bucket;
        bucket = i + 1;
    }
}

void Ephemerons::wait(const Cell* key, u64 value) {
    if (waiting_.size() >= buckets_.size())
        grow();
    u32& bucket = bucketOf(key);
    waiting_.push_back({key, value, bucket});
    bucket = u32(waiting_.size());
}

void Ephemerons::scan(WeakTable* table) {
    const Heap& heap = marker_.heap();
    for (u32 i = 0; i < table->capacity; i++) {
        const WeakEntry& entry = table->entries[i];
        if (entry.key <= WeakTable::Deleted || !isCellWord(entry.value) || heap.isMarked(cellOf(entry.value)))
            continue;
        if (heap.isMarked(cellOf(entry.key)))
            marker_.markWord(entry.value);
        else
            wait(cellOf(entry.key), entry.value);
    }
}

void Ephemerons::release(const Cell* key) {
    for (u32 at = bucketOf(key); at; at = waiting_[at - 1].next)
        if (waiting_[at - 1].key == key)
            marker_.markWord(waiting_[at - 1].value);
}

// ---- their part of a collection

/// Known: everything reached without ephemerons has been traced.
void Heap::markEphemerons(Marker& marker) {
    Ephemerons ephemerons(marker);
    for (size_t scanned = 0; scanned < weakTables_.size();) {
        while (scanned < weakTables_.size())
            ephemerons.scan(weakTables_[scanned++]);
        marker.drain(ephemerons);
    }
}

/// Known: marking is over. The dead leave the tables and the cells that hold them weakly.
void Heap::sweepWeak() {
    for (WeakTable* table : weakTables_)
        table->deleteUnmarked(*this);
    for (Cell* cell : weakCells_)
        weakSweep_[cell->kind](cell, *this);
    weakTables_.clear();
    weakCells_.clear();
}

}
