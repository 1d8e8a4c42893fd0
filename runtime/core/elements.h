// Indexed storage. Dense: `storage` is a Storage cell, indices below denseLength are in it (a hole where absent).
// Sparse: `storage` is a SparseElements cell (index -> value, attributes; any order) and denseLength is 0. So the fast
// path of every reader is one compare with denseLength, and whatever is odd (sparse, accessors, read-only) has
// denseLength 0 or an ObjectFlag.
#pragma once
#include "runtime/core/value.h"
#include "runtime/heap/pointer.h"
#include <vector>

namespace scr {

class Vm;

/// Cell::flags of storage whose first elements were dropped.
constexpr u8 StorageShifted = 1;

/// A run of Values; Cell::shape is the capacity.
struct Storage : Cell {
    Value values[];
    u32 capacity() const { return shape; }
};

struct Elements {
    Ptr<Cell> storage; ///< null, Storage or SparseElements
    u32 denseLength;
    u32 length; ///< arrays: the length property; else unused
    /// Not to be looked into while denseLength is 0: there may be no storage.
    Value* dense() { return reinterpret_cast<Value*>(reinterpret_cast<u64>(storage.get()) + sizeof(Storage)); }
    bool isSparse() const;
    u32 capacity() const { return storage && !isSparse() ? static_cast<Storage*>(storage.get())->capacity() : 0; }
};
static_assert(sizeof(Elements) == 16);

/// Elements of an object that is no array.
struct ElementsBox : Cell {
    Elements elements;
};

/// Open-addressing table from index to value and attributes.
struct SparseElements : Cell {
    struct Entry {
        u32 index;
        u8 attributes; ///< property.h Attribute
        u8 state; ///< 0 free, 1 used, 2 deleted
        Value value;
    };
    u32 used, capacity; ///< capacity is a power of two; used counts deleted ones too
    Entry entries[];
};

/// Room for `capacity` values at least (grows by half); values up to denseLength stay. Throws by the memory limit only.
Completion<void> reserveDense(Vm& vm, Elements& elements, u32 capacity);
/// Appends to dense elements; length follows denseLength (arrays).
Completion<void> pushDense(Vm& vm, Elements& elements, Value value);

// ---- the front of dense elements. Dropped elements leave their room in front: `storage` then points into the cell, at
// a header that stands in the place of the element dropped last (StorageShifted), with the capacity that is left. In
// front of it stands how many places were dropped; if that is one, the header of the cell itself.
/// Known: dense, not empty, more than one element. O(1) amortised.
void dropFirst(Vm& vm, Elements& elements);
/// Makes room for `count` elements in front, which the caller must write at once; the lengths grow. O(count) amortised.
Completion<void> openFront(Vm& vm, Elements& elements, u32 count);
/// The cell that `storage` points to or into.
Cell* storageCell(Cell* storage);

/// What a write of `index` should do to dense storage: stay dense (possibly with holes) or become sparse.
bool staysDense(const Elements& elements, u32 index);
Completion<void> makeSparse(Vm& vm, Elements& elements, u8 attributes);
SparseElements::Entry* findSparse(const Elements& elements, u32 index);
/// Adds or overwrites.
Completion<void> putSparse(Vm& vm, Elements& elements, u32 index, Value value, u8 attributes);
void removeSparse(Elements& elements, u32 index);
/// Indices present, ascending.
std::vector<u32> sparseIndices(const Elements& elements);

}
