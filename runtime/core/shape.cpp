// Property tables and the tree of shared shapes. The invariant: entries [0, count) of a shared shape never change; a
// table is appended to in place only by the shape that uses all of its entries, so shorter shapes of the lineage may
// share it.
#include "runtime/core/shape.h"
#include "runtime/core/object.h"
#include "runtime/core/vm.h"
#include <cstring>

namespace scr {

// ---- property tables

/// Tables up to this capacity are searched linearly.
static constexpr u32 LinearCapacity = 8;

static void indexEntry(PropertyTable* table, u32 entry) {
    u32* index = table->index();
    u32 at = PropertyKey::fromBits(table->entries()[entry].key).hash() & table->indexMask;
    while (index[at])
        at = (at + 1) & table->indexMask;
    index[at] = entry + 1;
}

static PropertyTable* newTable(Vm& vm, u32 capacity) {
    bool indexed = capacity > LinearCapacity;
    size_t bytes =
        sizeof(PropertyTable) + capacity * sizeof(PropertyEntry) + (indexed ? capacity * 2 * sizeof(u32) : 0);
    auto* table = static_cast<PropertyTable*>(vm.heap.allocate(bytes, u8(Kind::PropertyTable), 0));
    table->count = 0;
    table->capacity = capacity;
    table->indexMask = indexed ? capacity * 2 - 1 : 0;
    table->deleted = 0;
    if (indexed)
        memset(table->index(), 0, capacity * 2 * sizeof(u32));
    return table;
}

static void append(PropertyTable* table, u64 key, u8 attributes) {
    ASSERT(table->count < table->capacity);
    u32 entry = table->count++;
    table->entries()[entry] = {key, attributes};
    if (!key)
        table->deleted++;
    else if (table->indexMask)
        indexEntry(table, entry);
}

/// The first `count` entries of `old` (may be null when count is 0) with room for at least `room` entries.
static PropertyTable* copyTable(Vm& vm, PropertyTable* old, u32 count, u32 room) {
    u32 capacity = 4;
    while (capacity < room)
        capacity *= 2;
    PropertyTable* table = newTable(vm, capacity);
    for (u32 i = 0; i < count; i++)
        append(table, old->entries()[i].key, old->entries()[i].attributes);
    return table;
}

u32 findSlot(const Shape* shape, PropertyKey key) {
    PropertyTable* table = shape->table;
    if (!table)
        return NotFound;
    const PropertyEntry* entries = table->entries();
    if (!table->indexMask) {
        for (u32 i = 0; i < shape->count; i++)
            if (entries[i].key == key.bits())
                return i;
        return NotFound;
    }
    const u32* index = table->index();
    for (u32 at = key.hash() & table->indexMask; index[at]; at = (at + 1) & table->indexMask)
        if (entries[index[at] - 1].key == key.bits())
            return index[at] - 1 < shape->count ? index[at] - 1 : NotFound;
    return NotFound;
}

// ---- making shapes

static Shape* allocateShape(Vm& vm, Object* prototype, u8 inlineCapacity, u8 flags) {
    // The id first: taking one may collect, and a shape is only valid once it is complete.
    u32 id = vm.allocateShapeId(nullptr);
    auto* shape = static_cast<Shape*>(vm.heap.allocate(sizeof(Shape), u8(Kind::Shape), KeyNone));
    shape->flags = flags;
    shape->aux = inlineCapacity;
    shape->id = id;
    shape->count = 0;
    shape->prototype = prototype;
    shape->table = nullptr;
    shape->transitions = nullptr;
    shape->parent = nullptr;
    shape->transitionKey = 0;
    shape->transitionAttributes = 0;
    shape->renewals = 0;
    vm.shapes[id] = shape;
    return shape;
}

Shape* shapeFromId(Vm& vm, u32 id) { return vm.shapes[id]; }

Shape* newSharedShape(Vm& vm, Object* prototype, u8 inlineCapacity) {
    if (prototype)
        becomePrototype(vm, prototype);
    return allocateShape(vm, prototype, inlineCapacity, 0);
}

Shape* newUniqueShape(Vm& vm, Object* prototype, u8 inlineCapacity) {
    if (prototype)
        becomePrototype(vm, prototype);
    return allocateShape(vm, prototype, inlineCapacity, ShapeUnique);
}

Shape* uniqueCopy(Vm& vm, const Shape* shape) {
    PropertyTable* table = shape->count ? copyTable(vm, shape->table, shape->count, shape->count + 1) : nullptr;
    Shape* copy = allocateShape(vm, shape->prototype, shape->inlineCapacity(), ShapeUnique);
    copy->table = table;
    copy->count = shape->count;
    return copy;
}

// ---- root shapes: (prototype, inline capacity) -> shape, in memory of the Vm's, weak

static u32 rootHash(const Object* prototype, u8 inlineCapacity) {
    return u32((u64(prototype) >> 4) * 0x9E3779B97F4A7C15ull >> 32) + inlineCapacity;
}

static void insertRoot(std::vector<Shape*>& table, Shape* shape) {
    u32 mask = u32(table.size()) - 1, at = rootHash(shape->prototype, shape->inlineCapacity()) & mask;
    while (table[at])
        at = (at + 1) & mask;
    table[at] = shape;
}

void RootShapes::rehash(size_t size) {
    std::vector<Shape*> old(size);
    old.swap(table);
    for (Shape* shape : old)
        if (shape)
            insertRoot(table, shape);
}

void RootShapes::sweep(Heap& heap) {
    u32 live = 0;
    for (Shape*& shape : table) {
        if (shape && !heap.isMarked(shape))
            shape = nullptr;
        live += shape != nullptr;
    }
    if (live != count) {
        count = live;
        rehash(table.size());
    }
}

Shape* rootShape(Vm& vm, Object* prototype, u8 inlineCapacity) {
    RootShapes& roots = vm.rootShapes;
    if (u32 mask = u32(roots.table.size()) - 1; !roots.table.empty())
        for (u32 at = rootHash(prototype, inlineCapacity) & mask; Shape* shape = roots.table[at]; at = (at + 1) & mask)
            if (shape->prototype == prototype && shape->inlineCapacity() == inlineCapacity)
                return shape;
    if (prototype)
        becomePrototype(vm, prototype);
    Shape* shape = allocateShape(vm, prototype, inlineCapacity, 0);
    if (roots.count * 2 >= roots.table.size())
        roots.rehash(roots.table.empty() ? 32 : roots.table.size() * 2);
    insertRoot(roots.table, shape);
    roots.count++;
    return shape;
}

// ---- transitions

static u32 transitionHash(u64 key, u8 attributes) {
    // Keys are cell pointers or small steps; what differs stands in the low 48 bits.
    return u32((key << 4 ^ key >> 12 ^ attributes) * 0x9E3779B97F4A7C15ull >> 32);
}

static bool isTransition(const Shape* child, u64 key, u8 attributes) {
    return child->transitionKey == key && child->transitionAttributes == attributes;
}

static Shape* findTransition(const Shape* shape, u64 key, u8 attributes) {
    Cell* transitions = shape->transitions;
    if (!transitions)
        return nullptr;
    if (kindOf(transitions) == Kind::Shape) {
        auto* child = static_cast<Shape*>(transitions);
        return isTransition(child, key, attributes) ? child : nullptr;
    }
    auto* table = static_cast<TransitionTable*>(transitions);
    u32 mask = table->capacity() - 1;
    for (u32 at = transitionHash(key, attributes) & mask; Shape* child = table->children[at]; at = (at + 1) & mask)
        if (child != TransitionTable::tombstone() && isTransition(child, key, attributes))
            return child;
    return nullptr;
}

static void insertChild(TransitionTable* table, Shape* child) {
    u32 mask = table->capacity() - 1, at = transitionHash(child->transitionKey, child->transitionAttributes) & mask;
    while (table->children[at])
        at = (at + 1) & mask;
    table->children[at] = child;
    table->used++;
    table->live++;
}

static TransitionTable* newTransitionTable(Vm& vm, u32 capacity) {
    size_t bytes = sizeof(TransitionTable) + capacity * sizeof(Shape*);
    auto* table = static_cast<TransitionTable*>(vm.heap.allocate(bytes, u8(Kind::TransitionTable), capacity));
    table->used = table->live = 0;
    memset(table->children, 0, capacity * sizeof(Shape*));
    return table;
}

static void addTransition(Vm& vm, Shape* shape, Shape* child) {
    if (!shape->transitions) {
        shape->transitions = child;
        return;
    }
    if (kindOf(shape->transitions) == Kind::Shape) {
        TransitionTable* table = newTransitionTable(vm, 4);
        // The allocation may have collected: the first child may be gone.
        if (shape->transitions)
            insertChild(table, static_cast<Shape*>(shape->transitions.get()));
        shape->transitions = table;
    }
    auto* table = static_cast<TransitionTable*>(shape->transitions.get());
    if ((table->used + 1) * 4 > table->capacity() * 3) {
        TransitionTable* larger =
            newTransitionTable(vm, table->live * 2 < table->capacity() ? table->capacity() : table->capacity() * 2);
        for (u32 i = 0; i < table->capacity(); i++)
            if (table->children[i] && table->children[i] != TransitionTable::tombstone())
                insertChild(larger, table->children[i]);
        shape->transitions = larger;
        table = larger;
    }
    insertChild(table, child);
}

void sweepTransitions(Heap& heap, Shape* shape) {
    Cell* transitions = shape->transitions;
    if (!transitions)
        return;
    if (kindOf(transitions) == Kind::Shape) {
        if (!heap.isMarked(transitions))
            shape->transitions = nullptr;
        return;
    }
    auto* table = static_cast<TransitionTable*>(transitions);
    for (u32 i = 0; i < table->capacity(); i++) {
        Shape*& child = table->children[i];
        if (child && child != TransitionTable::tombstone() && !heap.isMarked(child)) {
            child = TransitionTable::tombstone();
            table->live--;
        }
    }
}

/// A shared child of `shape` with this table, known to its parent by (key, attributes).
static Shape* newChild(Vm& vm, Shape* shape, PropertyTable* table, u32 count, u64 key, u8 attributes) {
    Shape* child = allocateShape(vm, shape->prototype, shape->inlineCapacity(), 0);
    child->table = table;
    child->count = count;
    child->parent = shape;
    child->transitionKey = key;
    child->transitionAttributes = attributes;
    addTransition(vm, shape, child);
    return child;
}

Shape* shapeWithProperty(Vm& vm, Shape* shape, PropertyKey key, u8 attributes) {
    ASSERT(!shape->isUnique() && !key.isIndex());
    if (Shape* child = findTransition(shape, key.bits(), attributes))
        return child;
    PropertyTable* table = shape->table;
    if (!table || table->count != shape->count || table->count == table->capacity)
        table = copyTable(vm, table, shape->count, shape->count + 1);
    // From here on no other shape may append to the table: its count says so.
    append(table, key.bits(), attributes);
    return newChild(vm, shape, table, shape->count + 1, key.bits(), attributes);
}

Shape* shapeWithAttributes(Vm& vm, Shape* shape, u32 slot, u8 attributes) {
    ASSERT(!shape->isUnique());
    u64 key = entryAt(shape, slot).key;
    u8 step = attributes | ReconfigureStep;
    if (Shape* child = findTransition(shape, key, step))
        return child;
    PropertyTable* table = copyTable(vm, shape->table, shape->count, shape->count);
    table->entries()[slot].attributes = attributes;
    return newChild(vm, shape, table, shape->count, key, step);
}

u8 attributesAfterStep(u8 attributes, ShapeStep step) {
    if (step >= StepSeal)
        attributes &= ~Configurable;
    if (step == StepFreeze && !(attributes & AccessorProperty))
        attributes &= ~Writable;
    return attributes;
}

Shape* shapeWithStep(Vm& vm, Shape* shape, ShapeStep step) {
    ASSERT(!shape->isUnique());
    if (Shape* child = findTransition(shape, step, 0))
        return child;
    PropertyTable* table = shape->count ? copyTable(vm, shape->table, shape->count, shape->count) : nullptr;
    for (u32 i = 0; i < shape->count; i++) {
        PropertyEntry& entry = table->entries()[i];
        if (!PropertyKey::fromBits(entry.key).isPrivate())
            entry.attributes = attributesAfterStep(entry.attributes, step);
    }
    return newChild(vm, shape, table, shape->count, step, 0);
}

Shape* shapeWithPrototype(Vm& vm, Shape* shape, Object* prototype) {
    Shape* result = rootShape(vm, prototype, shape->inlineCapacity());
    for (u32 i = 0; i < shape->count; i++) {
        PropertyEntry entry = entryAt(shape, i);
        result = shapeWithProperty(vm, result, PropertyKey::fromBits(entry.key), entry.attributes);
    }
    return result;
}

// ---- unique shapes

void appendToUnique(Vm& vm, Shape* shape, PropertyKey key, u8 attributes) {
    ASSERT(shape->isUnique());
    if (!shape->table || shape->table->count == shape->table->capacity)
        shape->table = copyTable(vm, shape->table, shape->count, shape->count + 1);
    append(shape->table, key.bits(), attributes);
    shape->count++;
}

void compactUnique(Vm& vm, Shape* shape, std::vector<u32>& moves) {
    PropertyTable* old = shape->table;
    u32 live = old->count - old->deleted;
    u32 capacity = 4;
    while (capacity < live + 1)
        capacity *= 2;
    PropertyTable* table = newTable(vm, capacity);
    moves.assign(old->count, NotFound);
    for (u32 i = 0; i < old->count; i++)
        if (PropertyEntry entry = old->entries()[i]; entry.key) {
            moves[i] = table->count;
            append(table, entry.key, entry.attributes);
        }
    shape->table = table;
    shape->count = live;
}

}
