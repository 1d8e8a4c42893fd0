// Indexed storage: growth of dense runs, the sparse table. The invariant: a sparse table has denseLength 0 and a dense
// one holds a value or a hole in every place below denseLength.
#include "runtime/core/elements.h"
#include "runtime/core/object.h"
#include "runtime/core/vm.h"
#include "runtime/heap/heap.h"
#include <algorithm>

namespace scr {

/// Beyond this gap after the last dense element a write makes the elements sparse.
static constexpr u32 LargestGap = 1024;
/// Places that a dense run may have: its length needs one number more.
static constexpr u32 LargestCapacity = 0xFFFFFFFE;

bool Elements::isSparse() const { return storage && kindOf(storage) == Kind::SparseElements; }

static Threw outOfMemory(Vm& vm) { return vm.terminateMemory(); }

// ---- dense

static size_t storageBytes(u32 capacity) { return sizeof(Storage) + size_t(capacity) * sizeof(Value); }

/// `capacity` rounded up to what the heap would hand out anyway.
static u32 roundCapacity(u32 capacity) {
    size_t bytes = storageBytes(capacity);
    if (bytes <= Heap::LargestSmall)
        return u32((Heap::cellSize(Heap::sizeClassOf(bytes)) - sizeof(Storage)) / sizeof(Value));
    return capacity;
}

// ---- the front

static_assert(sizeof(Storage) == sizeof(u64) && sizeof(Value) == sizeof(u64));

/// How many places were dropped in front of these elements.
static u32 droppedOf(const Cell* storage) {
    if (!(storage->flags & StorageShifted))
        return 0;
    // The cell's own header has a kind, a count of 32 bits has not.
    u64 before = reinterpret_cast<const u64*>(storage)[-1];
    return before >> 32 ? 1 : u32(before);
}

Cell* storageCell(Cell* storage) {
    return reinterpret_cast<Cell*>(reinterpret_cast<u64*>(storage) - droppedOf(storage));
}

/// Makes elements begin behind the first `dropped` places of this cell.
static void setDropped(Elements& elements, Storage* cell, u32 dropped) {
    auto* words = reinterpret_cast<u64*>(cell);
    elements.storage = cell;
    if (!dropped)
        return;
    if (dropped > 1)
        words[dropped - 1] = dropped;
    auto* header = reinterpret_cast<Cell*>(words + dropped);
    *header = Cell{cell->shape - dropped, u8(Kind::Storage), StorageShifted, 0, 0};
    elements.storage = header;
}

/// Moves the elements to the front of their cell.
static void closeFront(Vm& vm, Elements& elements) {
    u32 dropped = droppedOf(elements.storage), live = elements.denseLength;
    auto* cell = static_cast<Storage*>(storageCell(elements.storage));
    vm.charge(live / 8);
    std::copy_n(elements.dense(), live, cell->values);
    std::fill_n(cell->values + live, dropped, Value::hole());
    elements.storage = cell;
}

/// A new cell for the elements, `front` places from its start, with room for `capacity` in all.
static Completion<void> moveElements(Vm& vm, Elements& elements, u32 front, u32 capacity) {
    capacity = roundCapacity(capacity);
    auto* cell = static_cast<Storage*>(vm.heap.tryAllocate(storageBytes(capacity), u8(Kind::Storage), capacity));
    if (UNLIKELY(!cell))
        return outOfMemory(vm);
    vm.charge(elements.denseLength / 8);
    std::fill_n(cell->values, capacity, Value::hole());
    if (elements.denseLength)
        std::copy_n(elements.dense(), elements.denseLength, cell->values + front);
    setDropped(elements, cell, front);
    return {};
}

void dropFirst(Vm& vm, Elements& elements) {
    auto* cell = static_cast<Storage*>(storageCell(elements.storage));
    u32 dropped = droppedOf(elements.storage) + 1;
    setDropped(elements, cell, dropped);
    u32 live = --elements.denseLength;
    elements.length = live;
    // Most of the cell lies idle: a smaller one does.
    if (dropped > 1024 && live < dropped / 8)
        (void)moveElements(vm, elements, 0, live + live / 2 + 1).threw();
}

Completion<void> openFront(Vm& vm, Elements& elements, u32 count) {
    u32 dropped = elements.storage ? droppedOf(elements.storage) : 0, live = elements.denseLength;
    if (dropped < count) {
        dropped = std::max(count, live / 2);
        u64 capacity = u64(dropped) + live + live / 4;
        if (capacity > LargestCapacity)
            return outOfMemory(vm);
        TRY(moveElements(vm, elements, dropped, u32(capacity)));
    }
    setDropped(elements, static_cast<Storage*>(storageCell(elements.storage)), dropped - count);
    std::fill_n(elements.dense(), count, Value::hole());
    elements.denseLength = elements.length = live + count;
    return {};
}

Completion<void> reserveDense(Vm& vm, Elements& elements, u32 capacity) {
    ASSERT(!elements.isSparse());
    u32 old = elements.capacity();
    if (capacity <= old)
        return {};
    if (capacity > LargestCapacity)
        return outOfMemory(vm);
    if (UNLIKELY(old && (elements.storage->flags & StorageShifted))) {
        u32 dropped = droppedOf(elements.storage), all = old + dropped;
        if (capacity > all || dropped < all / 4)
            return moveElements(
                vm, elements, 0, u32(std::min<u64>(std::max<u64>(capacity, u64(all) + all / 2), LargestCapacity)));
        closeFront(vm, elements);
        return {};
    }
    u64 grown = std::max<u64>(capacity, u64(old) + old / 2);
    capacity = roundCapacity(u32(std::min<u64>(grown, LargestCapacity)));
    Cell* cell = old ? vm.heap.tryResize(elements.storage, storageBytes(old), storageBytes(capacity))
                     : vm.heap.tryAllocate(storageBytes(capacity), u8(Kind::Storage), capacity);
    if (UNLIKELY(!cell))
        return outOfMemory(vm);
    auto* storage = static_cast<Storage*>(cell);
    storage->shape = capacity;
    std::fill(storage->values + old, storage->values + capacity, Value::hole());
    elements.storage = storage;
    return {};
}

Completion<void> pushDense(Vm& vm, Elements& elements, Value value) {
    u32 index = elements.denseLength;
    if (UNLIKELY(index >= elements.capacity()))
        TRY(reserveDense(vm, elements, index + 1));
    elements.dense()[index] = value;
    elements.denseLength = index + 1;
    elements.length = index + 1;
    return {};
}

/// At least one place in eight of a run that long would be in use. Asked only when a run with gaps must grow.
static bool isDenseEnough(const Elements& elements, u32 newLength) {
    if (newLength <= 8 * LargestGap)
        return true;
    const Value* values = static_cast<const Storage*>(elements.storage.get())->values;
    u32 used = 0;
    for (u32 i = 0; i < elements.denseLength; i++)
        used += !values[i].isHole();
    return used >= newLength / 8;
}

bool staysDense(const Elements& elements, u32 index) {
    if (elements.isSparse())
        return false;
    if (index < elements.capacity())
        return true;
    u32 gap = index - elements.denseLength;
    if (gap == 0)
        return true;
    return gap <= LargestGap && isDenseEnough(elements, index + 1);
}

// ---- sparse

static u32 sparseHash(const SparseElements* table, u32 index) {
    return u32((u64(index) + table->shape) * 0x9E3779B97F4A7C15ull >> 32);
}

static SparseElements* newSparse(Vm& vm, u32 capacity) {
    size_t bytes = sizeof(SparseElements) + size_t(capacity) * sizeof(SparseElements::Entry);
    // Cell::shape is the seed of the table's hashes: a script chooses the indices.
    auto* table = static_cast<SparseElements*>(vm.heap.tryAllocate(bytes, u8(Kind::SparseElements), u32(vm.hashSeed)));
    if (!table)
        return nullptr;
    table->used = 0;
    table->capacity = capacity;
    for (u32 i = 0; i < capacity; i++)
        table->entries[i].state = 0;
    return table;
}

static void insertSparse(SparseElements* table, u32 index, Value value, u8 attributes) {
    u32 mask = table->capacity - 1, at = sparseHash(table, index) & mask;
    while (table->entries[at].state)
        at = (at + 1) & mask;
    table->entries[at] = {index, attributes, 1, value};
    table->used++;
}

SparseElements::Entry* findSparse(const Elements& elements, u32 index) {
    auto* table = static_cast<SparseElements*>(elements.storage.get());
    u32 mask = table->capacity - 1;
    for (u32 at = sparseHash(table, index) & mask;; at = (at + 1) & mask) {
        SparseElements::Entry& entry = table->entries[at];
        if (!entry.state)
            return nullptr;
        if (entry.state == 1 && entry.index == index)
            return &entry;
    }
}

Completion<void> makeSparse(Vm& vm, Elements& elements, u8 attributes) {
    ASSERT(!elements.isSparse());
    u32 used = 0, capacity = 8;
    for (u32 i = 0; i < elements.denseLength; i++)
        used += !elements.dense()[i].isHole();
    while (capacity < used * 2)
        capacity *= 2;
    SparseElements* table = newSparse(vm, capacity);
    if (!table)
        return outOfMemory(vm);
    for (u32 i = 0; i < elements.denseLength; i++)
        if (Value value = elements.dense()[i]; !value.isHole())
            insertSparse(table, i, value, attributes);
    elements.storage = table;
    elements.denseLength = 0;
    return {};
}

/// A table that has to grow although every second index below its greatest is there, all of them plain: dense again.
static bool belongsDense(const SparseElements* table, u32& length) {
    u32 live = 0;
    length = 0;
    for (u32 i = 0; i < table->capacity; i++) {
        const SparseElements::Entry& entry = table->entries[i];
        if (entry.state != 1)
            continue;
        if (entry.attributes != AllAttributes)
            return false;
        live++;
        length = std::max(length, entry.index + 1);
    }
    return live >= length / 2;
}

static Completion<void> makeDense(Vm& vm, Elements& elements, u32 length) {
    auto* table = static_cast<SparseElements*>(elements.storage.get());
    Elements dense{nullptr, 0, elements.length};
    TRY(reserveDense(vm, dense, length));
    std::fill(dense.dense(), dense.dense() + length, Value::hole());
    for (u32 i = 0; i < table->capacity; i++)
        if (table->entries[i].state == 1)
            dense.dense()[table->entries[i].index] = table->entries[i].value;
    dense.denseLength = length;
    elements = dense;
    return {};
}

static Completion<void> growSparse(Vm& vm, Elements& elements) {
    auto* table = static_cast<SparseElements*>(elements.storage.get());
    u32 live = 0;
    for (u32 i = 0; i < table->capacity; i++)
        live += table->entries[i].state == 1;
    u32 capacity = 8;
    while (capacity < live * 2 + 2)
        capacity *= 2;
    SparseElements* larger = newSparse(vm, capacity);
    if (!larger)
        return outOfMemory(vm);
    for (u32 i = 0; i < table->capacity; i++)
        if (const SparseElements::Entry& entry = table->entries[i]; entry.state == 1)
            insertSparse(larger, entry.index, entry.value, entry.attributes);
    elements.storage = larger;
    return {};
}

Completion<void> putSparse(Vm& vm, Elements& elements, u32 index, Value value, u8 attributes) {
    if (SparseElements::Entry* entry = findSparse(elements, index)) {
        entry->value = value;
        entry->attributes = attributes;
        return {};
    }
    auto* table = static_cast<SparseElements*>(elements.storage.get());
    if ((table->used + 1) * 4 > table->capacity * 3) {
        u32 length;
        if (attributes == AllAttributes && belongsDense(table, length) && index <= length) {
            TRY(makeDense(vm, elements, std::max(length, index + 1)));
            elements.dense()[index] = value;
            return {};
        }
        TRY(growSparse(vm, elements));
        table = static_cast<SparseElements*>(elements.storage.get());
    }
    insertSparse(table, index, value, attributes);
    return {};
}

void removeSparse(Elements& elements, u32 index) {
    if (SparseElements::Entry* entry = findSparse(elements, index)) {
        entry->state = 2;
        entry->value = Value::undefined();
    }
}

std::vector<u32> sparseIndices(const Elements& elements) {
    auto* table = static_cast<SparseElements*>(elements.storage.get());
    std::vector<u32> indices;
    for (u32 i = 0; i < table->capacity; i++)
        if (table->entries[i].state == 1)
            indices.push_back(table->entries[i].index);
    std::sort(indices.begin(), indices.end());
    return indices;
}

}
