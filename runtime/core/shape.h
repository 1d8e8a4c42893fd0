// Shapes (hidden classes): which named properties an object has, in which slots, and its prototype.
//
// A *shared* shape belongs to every object that got the same properties in the same order from the same root; it never
// changes. A *unique* shape belongs to one object (a prototype, a builtin, a dictionary) and is changed in place; its
// id is renewed whenever a cache may know the old one and an answer keyed by it could change. A shape id is never used
// again while a cache word can still name it (the Vm clears caches of dead shapes after marking).
// Properties stand in insertion order in the table; the slot of the n-th is n, so order needs no further record.
// Deleted entries of unique shapes keep their slot with a null key until the table is compacted.
#pragma once
#include "runtime/core/property.h"
#include <vector>

namespace scr {

struct Shape;
class Heap;

struct PropertyEntry {
    u64 key; ///< PropertyKey bits; 0 = deleted
    u8 attributes;
};

/// Entries in insertion order, with a hash index behind them once there are more than eight. A table is shared by the
/// shapes of one lineage: each uses its first Shape::count entries; only the shape that uses all may append in place.
struct PropertyTable : Cell {
    u32 count; ///< entries in use
    u32 capacity; ///< entries there is room for
    u32 indexMask; ///< slots of the index - 1; 0 = no index, look linearly
    u32 deleted; ///< entries with a null key (unique shapes only)
    PropertyEntry* entries() { return reinterpret_cast<PropertyEntry*>(this + 1); }
    /// entry number + 1 by hash, 0 = free; behind the entries
    u32* index() { return reinterpret_cast<u32*>(entries() + capacity); }
};

/// Children of a shared shape by (transitionKey, transitionAttributes): open addressing, linear probing.
struct TransitionTable : Cell { // Cell::shape is the capacity, a power of two
    u32 used; ///< tombstones included
    u32 live;
    Shape* children[]; ///< weak; null = free, tombstone() = was a shape
    u32 capacity() const { return shape; }
    static Shape* tombstone() { return reinterpret_cast<Shape*>(8); }
};

/// Transition keys that are no property keys: the whole object changes.
enum ShapeStep : u64 { StepPreventExtensions = 1, StepSeal = 2, StepFreeze = 3 };
/// Marks a transitionAttributes that reconfigures the key instead of adding it.
constexpr u8 ReconfigureStep = 128;

enum ShapeFlag : u8 {
    ShapeUnique = 1,
    ShapeCached = 2, ///< an inline cache has been filled with this id
    ShapeUncacheable = 4, ///< a dictionary whose id was renewed too often
};

struct Shape : Cell { // Cell::shape is unused (KeyNone); Cell::flags are ShapeFlags; Cell::aux is inlineCapacity
    u32 id;
    u32 count; ///< entries used = slots used
    Ptr<Object> prototype;
    Ptr<PropertyTable> table; ///< null while count is 0
    Ptr<Cell> transitions; ///< children, weakly: null, the one child Shape, or a TransitionTable of them
    Ptr<Shape> parent; ///< keeps the way here alive, so that new objects find it; null for roots and unique shapes
    u64 transitionKey; ///< the key (or ShapeStep) by which the parent knows this shape, with transitionAttributes
    u8 transitionAttributes;
    u16 renewals; ///< of a unique shape's id

    bool isUnique() const { return flags & ShapeUnique; }
    u8 inlineCapacity() const { return aux; }
};

constexpr u32 NotFound = ~0u;
/// The entry number (= slot) of `key`, or NotFound. Does not allocate.
u32 findSlot(const Shape* shape, PropertyKey key);
inline PropertyEntry& entryAt(const Shape* shape, u32 slot) { return shape->table->entries()[slot]; }

/// The empty shape of objects with this prototype and inline capacity; one for each pair and realm-independent. Makes
/// `prototype` (if not null) a prototype object: see Object::becomePrototype.
Shape* rootShape(Vm& vm, Object* prototype, u8 inlineCapacity);
/// An empty shared shape that is in no table: the root of a lineage of its maker's.
Shape* newSharedShape(Vm& vm, Object* prototype, u8 inlineCapacity);
/// A unique shape of its own for an object to be (count 0).
Shape* newUniqueShape(Vm& vm, Object* prototype, u8 inlineCapacity);
/// The shared shape after adding `key`; from a shared shape with fewer than MaxSharedProperties.
Shape* shapeWithProperty(Vm& vm, Shape* shape, PropertyKey key, u8 attributes);
/// The shared shape with other attributes in this slot.
Shape* shapeWithAttributes(Vm& vm, Shape* shape, u32 slot, u8 attributes);
/// The shared shape of objects that may get no more properties; sealed and frozen ones have their attributes narrowed
/// (private names excepted). No cache for adding a property is ever filled with its id: the objects refuse.
Shape* shapeWithStep(Vm& vm, Shape* shape, ShapeStep step);
/// The shared shape with the same properties under another prototype.
Shape* shapeWithPrototype(Vm& vm, Shape* shape, Object* prototype);
/// A unique shape with the properties of `shape`.
Shape* uniqueCopy(Vm& vm, const Shape* shape);
/// Adds an entry to a unique shape in place; its slot is the count before.
void appendToUnique(Vm& vm, Shape* shape, PropertyKey key, u8 attributes);
/// Takes deleted entries out of a unique shape: entry i moves to moves[i], NotFound = gone.
void compactUnique(Vm& vm, Shape* shape, std::vector<u32>& moves);
/// What narrowing to this step does to a property that has `attributes`.
u8 attributesAfterStep(u8 attributes, ShapeStep step);
Shape* shapeFromId(Vm& vm, u32 id);
/// Drops dead children: called by the Vm after marking.
void sweepTransitions(Heap& heap, Shape* shape);

/// The roots of the tree: one shape for each prototype and inline capacity. Weak: swept after marking.
struct RootShapes {
    std::vector<Shape*> table; ///< open addressing, a power of two
    u32 count = 0;
    void rehash(size_t size);
    void sweep(Heap& heap);
};

/// A unique shape whose id was renewed more often is no longer cached.
constexpr u16 MaxRenewals = 64;

/// Objects with more named properties than this become dictionaries (unique).
constexpr u32 MaxSharedProperties = 128;

}
