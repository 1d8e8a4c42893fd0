// Shapes (hidden classes): which named properties an object has, in which slots, and its prototype.
//
// A *shared* shape belongs to every object that got the same properties in the same order from the same root; it never
// changes. A *unique* shape belongs to one object (a prototype, a builtin, a dictionary) and is changed in place; its id
// is renewed whenever a cache may know the old one and an answer keyed by it could change. A shape id is never used
// again while a cache word can still name it (the Vm clears caches of dead shapes after marking).
// Properties stand in insertion order in the table; the slot of the n-th is n, so order needs no further record. Deleted
// entries of unique shapes keep their slot with a null key until the table is compacted.
#pragma once
#include "runtime/core/property.h"

namespace scr {

struct Shape;

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

enum ShapeFlag : u8 {
    ShapeUnique = 1,
    ShapeCached = 2, ///< an inline cache has been filled with this id
    ShapeUncacheable = 4, ///< a dictionary whose id was renewed too often
    ShapeClass = 8, ///< layout of a builtin class; not used by caches
};

struct Shape : Cell { // Cell::shape is unused (KeyNone); Cell::flags are ShapeFlags; Cell::aux is inlineCapacity
    u32 id;
    u32 count; ///< entries used = slots used
    Ptr<Object> prototype;
    Ptr<PropertyTable> table; ///< null while count is 0
    Ptr<Cell> transitions; ///< weak: null, the one child Shape, or a HashTable of them; by key, attributes or prototype
    u64 transitionKey; ///< the key (and attributes) by which the parent's transitions know this shape
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
/// A unique shape of its own for an object to be (count 0).
Shape* newUniqueShape(Vm& vm, Object* prototype, u8 inlineCapacity);
/// The shared shape after adding `key`; from a shared shape with fewer than MaxSharedProperties.
Shape* shapeWithProperty(Vm& vm, Shape* shape, PropertyKey key, u8 attributes);
Shape* shapeFromId(Vm& vm, u32 id);

/// Objects with more named properties than this become dictionaries (unique).
constexpr u32 MaxSharedProperties = 128;

}
