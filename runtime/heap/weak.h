// What the collector knows of weak references: tables whose entries live as long as their keys (ephemerons), and cells
// that want to forget the dead.
//
// Invariants. A WeakTable never keeps a key alive, and an entry's value only while the table and the key are reached.
// Such entries are found in time linear in the number of entries and cells, however long a chain they make: a value
// whose key was not reached yet waits under that key (Ephemerons) and is marked when the key is traced. Once nothing
// more is reached, entries with dead keys are deleted, before any memory is freed.
#pragma once
#include "runtime/heap/cell.h"
#include "runtime/heap/pointer.h"
#include <vector>

namespace scr {

class Heap;
class Marker;

/// A key and a value as NaN-boxed words; key 0 is free, 1 deleted.
struct WeakEntry {
    u64 key; ///< weak
    u64 value;
};

/// Open addressing with linear probing by the key's address, which never changes. Tables grow by being replaced.
struct WeakTable : Cell {
    static constexpr u64 Free = 0, Deleted = 1;
    u32 used; ///< deleted entries included
    u32 live;
    u32 capacity; ///< a power of two
    u32 reserved;
    WeakEntry entries[];

    static size_t bytesFor(u32 capacity) { return sizeof(WeakTable) + size_t(capacity) * sizeof(WeakEntry); }
    /// Makes a new cell an empty table.
    void format(u32 newCapacity);
    /// The entry with this key, or null.
    WeakEntry* find(u64 key);
    /// Known: there is no such key, and an entry is free.
    void insert(u64 key, u64 value);
    void remove(WeakEntry* entry);
    bool isFull() const { return (used + 1) * 4 > capacity * 3; }
    /// Most of it died: the next change should make a smaller table.
    bool isSparse() const { return capacity > 16 && live < capacity / 8; }
    void deleteUnmarked(const Heap& heap);

    static void trace(Cell* table, Marker& marker);
};

/// During one marking: what waits for keys that were not reached.
class Ephemerons {
public:
    explicit Ephemerons(Marker& marker)
        : marker_(marker) { }
    /// Marks the values whose keys are marked; the others wait.
    void scan(WeakTable* table);
    /// The key was reached: its values are too.
    void release(const Cell* key);
    bool empty() const { return waiting_.empty(); }

private:
    struct Waiting {
        const Cell* key;
        u64 value;
        u32 next; ///< number + 1 of the next one in the same bucket
    };
    u32& bucketOf(const Cell* key) { return buckets_[size_t(u64(key) * 0x9E3779B97F4A7C15ull >> shift_)]; }
    void wait(const Cell* key, u64 value);
    void grow();
    Marker& marker_;
    std::vector<Waiting> waiting_;
    std::vector<u32> buckets_;
    unsigned shift_ = 64;
};

}
