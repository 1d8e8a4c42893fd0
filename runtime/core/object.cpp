// Making objects, and the changes of one property underneath everything that defines, writes and deletes. The
// invariant: an object's slots [0, shape count) hold values; a shape's count never runs ahead of the slots there is
// room for.
#include "runtime/core/object_internal.h"
#include "runtime/core/proxy.h"
#include "runtime/core/stack_frames.h"
#include "runtime/core/vm.h"
#include <algorithm>

namespace scr {

// ---- making

static size_t objectBytes(u8 inlineCapacity) { return sizeof(Object) + inlineCapacity * sizeof(Value); }

Object* newObject(Vm& vm, Object* prototype, u8 inlineCapacity) {
    return newObjectWithShape(vm, rootShape(vm, prototype, inlineCapacity));
}

Object* newObjectWithShape(Vm& vm, Shape* shape) {
    u8 inlineCapacity = shape->inlineCapacity();
    auto* object = static_cast<Object*>(vm.heap.allocate(objectBytes(inlineCapacity), u8(Kind::Object), KeyNone));
    object->shape = shape->id; // not before: a collection must find the shape on this stack
    object->aux = inlineCapacity;
    object->overflow = nullptr;
    std::fill_n(object->inlineSlots(), std::min<u32>(shape->count, inlineCapacity), Value::undefined());
    if (shape->count > inlineCapacity)
        ensureSlot(vm, object, shape->count - 1);
    return object;
}

Object* allocateObject(Vm& vm, Kind kind, size_t bytes, Shape* shape) {
    ASSERT(shape->inlineCapacity() == 0);
    auto* object = static_cast<Object*>(vm.heap.allocate(bytes, u8(kind), KeyNone));
    object->shape = shape->id; // not before: a collection must find the shape on this stack
    object->overflow = nullptr;
    return object;
}

Array* newArray(Vm& vm, u32 capacity) {
    auto* array = static_cast<Array*>(allocateObject(vm, Kind::Array, sizeof(Array), vm.realm->arrayShape));
    array->elements_ = {nullptr, 0, 0};
    if (capacity) {
        size_t bytes = sizeof(Storage) + size_t(capacity) * sizeof(Value);
        auto* storage = static_cast<Storage*>(vm.heap.allocate(bytes, u8(Kind::Storage), capacity));
        std::fill_n(storage->values, capacity, Value::hole());
        array->elements_.storage = storage;
    }
    return array;
}

Array* newArrayFrom(Vm& vm, const Value* values, u32 count) {
    Array* array = newArray(vm, count);
    if (count)
        std::copy_n(values, count, array->elements_.dense());
    array->elements_.denseLength = array->elements_.length = count;
    return array;
}

Completion<PrimitiveWrapper*> newWrapper(Vm& vm, Value value) { return newWrapper(vm, propertiesOf(vm, value), value); }

Completion<PrimitiveWrapper*> newWrapper(Vm& vm, Object* prototype, Value value) {
    if (value.isString())
        value = Value::string(TRY(flatten(vm, value.asString())));
    Shape* shape = rootShape(vm, prototype, 0);
    auto* wrapper =
        static_cast<PrimitiveWrapper*>(allocateObject(vm, Kind::PrimitiveWrapper, sizeof(PrimitiveWrapper), shape));
    wrapper->value = value;
    return wrapper;
}

Accessor* newAccessor(Vm& vm, Value getter, Value setter) {
    auto* accessor = static_cast<Accessor*>(vm.heap.allocate(sizeof(Accessor), u8(Kind::Accessor), KeyNone));
    accessor->getter = getter;
    accessor->setter = setter;
    return accessor;
}

// ---- shapes

Shape* shapeOf(Vm& vm, const Object* object) { return vm.shapes[object->shape]; }

Object* prototypeOf(Vm& vm, const Object* object) { return shapeOf(vm, object)->prototype; }

void makeUnique(Vm& vm, Object* object) {
    Shape* shape = shapeOf(vm, object);
    if (!shape->isUnique())
        object->shape = uniqueCopy(vm, shape)->id;
}

static bool hasIndices(Vm& vm, Object* object) {
    // A script may push to an array without a word to anybody; the one exception starts empty and is flagged.
    if (kindOf(object) == Kind::Array)
        return object->elements()->storage
            || (vm.realm && object != vm.realm->intrinsics[size_t(Intrinsic::ArrayPrototype)]);
    if (isProxy(object))
        return true;
    // String.prototype wraps the empty string.
    if (isStringWrapper(object) && static_cast<PrimitiveWrapper*>(object)->value.asString()->length)
        return true;
    return object->elements() || kindOf(object) == Kind::TypedArray;
}

void becomePrototype(Vm& vm, Object* object) {
    if (LIKELY(object->flags & IsPrototype))
        return;
    makeUnique(vm, object);
    object->flags |= IsPrototype;
    if (hasIndices(vm, object))
        vm.indexedPrototypes = true;
    if (isProxy(object))
        vm.customHasInstance = true;
}

void structureChanged(Vm& vm, Object* object, Shape* shape) {
    if (shape->flags & ShapeCached)
        vm.renewShapeId(object, shape);
    if (object->flags & IsPrototype)
        vm.prototypeChanged();
}

// ---- slots

static Overflow* newOverflow(Vm& vm, u32 capacity) {
    size_t bytes = sizeof(Overflow) + size_t(capacity) * sizeof(Value);
    auto* overflow = static_cast<Overflow*>(vm.heap.allocate(bytes, u8(Kind::Overflow), capacity));
    overflow->elements = nullptr;
    std::fill_n(overflow->slots, capacity, Value::undefined());
    return overflow;
}

void ensureSlot(Vm& vm, Object* object, u32 slot) {
    if (slot < object->aux)
        return;
    u32 needed = slot - object->aux + 1, old = object->overflow ? object->overflow->capacity() : 0;
    if (needed <= old)
        return;
    Overflow* larger = newOverflow(vm, std::max({needed, old * 2, 4u}));
    if (old)
        std::copy_n(object->overflow->slots, old, larger->slots);
    if (object->overflow)
        larger->elements = object->overflow->elements;
    object->overflow = larger;
}

void addSlot(Vm& vm, Object* object, Shape* next, Value value) {
    u32 slot = next->count - 1;
    ensureSlot(vm, object, slot);
    object->shape = next->id;
    object->slot(slot) = value;
}

void writeSlot(Vm& vm, Object* object, u32 slot, Value value) {
    object->slot(slot) = value;
    Shape* shape = shapeOf(vm, object);
    if (LIKELY(!shape->isUnique()))
        return;
    PropertyEntry& entry = entryAt(shape, slot);
    if (UNLIKELY(entry.attributes & ValueCached)) {
        // From now on puts may be cached again: the slot's value never is.
        entry.attributes = (entry.attributes & ~ValueCached) | NeverValueCached;
        vm.prototypeChanged();
    }
}

/// Takes deleted entries out when the table is full and a quarter of it is dead.
static void compactIfWorthwhile(Vm& vm, Object* object, Shape* shape) {
    PropertyTable* table = shape->table;
    if (!table || table->count < table->capacity || table->deleted * 4 < table->capacity)
        return;
    u32 oldCount = shape->count;
    std::vector<u32> moves;
    compactUnique(vm, shape, moves);
    for (u32 i = 0; i < oldCount; i++)
        if (moves[i] != NotFound && moves[i] != i)
            object->slot(moves[i]) = object->slot(i);
    for (u32 i = shape->count; i < oldCount; i++)
        object->slot(i) = Value::undefined();
}

void addNamed(Vm& vm, Object* object, PropertyKey key, Value value, u8 attributes) {
    if (UNLIKELY(key == PropertyKey::symbol(vm.symbols.hasInstance)))
        vm.customHasInstance |= object != vm.realm->intrinsics[size_t(Intrinsic::FunctionPrototype)];
    if (UNLIKELY(object->isCallable() && (object->flags & HasLazyProperties)))
        materializeFunction(vm, object);
    Shape* shape = shapeOf(vm, object);
    if (LIKELY(!shape->isUnique())) {
        if (LIKELY(shape->count < MaxSharedProperties))
            return addSlot(vm, object, shapeWithProperty(vm, shape, key, attributes), value);
        makeUnique(vm, object);
        shape = shapeOf(vm, object);
    }
    compactIfWorthwhile(vm, object, shape);
    ensureSlot(vm, object, shape->count);
    object->slot(shape->count) = Value::undefined();
    appendToUnique(vm, shape, key, attributes);
    object->slot(shape->count - 1) = value;
    structureChanged(vm, object, shape);
}

void reconfigureSlot(Vm& vm, Object* object, u32 slot, Value value, u8 attributes) {
    Shape* shape = shapeOf(vm, object);
    if (!shape->isUnique()) {
        if (entryAt(shape, slot).attributes != attributes)
            object->shape = shapeWithAttributes(vm, shape, slot, attributes)->id;
        object->slot(slot) = value;
        return;
    }
    PropertyEntry& entry = entryAt(shape, slot);
    bool valueCached = entry.attributes & ValueCached;
    entry.attributes = attributes | (valueCached ? u8(NeverValueCached) : u8(entry.attributes & NeverValueCached));
    object->slot(slot) = value;
    structureChanged(vm, object, shape);
    if (valueCached && !(object->flags & IsPrototype))
        vm.prototypeChanged();
}

Value materializeSlot(Vm& vm, Object* object, Shape* shape, u32 slot) {
    Value value = object->slot(slot);
    if (kindOf(object) == Kind::Error) {
        // `stack`. The shape may be shared with errors whose text is not made: the attribute stays.
        if (value.isHole()) {
            value = stackText(vm, object);
            object->slot(slot) = value;
        }
        return value;
    }
    PropertyEntry& entry = entryAt(shape, slot);
    ASSERT(shape->isUnique() && value.isInt());
    value = vm.lazyBuiltinHook(vm, vm.realm, u32(value.asInt()), object, PropertyKey::fromBits(entry.key));
    if (value.isHole())
        return Value::undefined(); // not to be had now: the next who asks may get it
    // The hook may have added properties to the holder, and so moved the table.
    shape = shapeOf(vm, object);
    entryAt(shape, slot).attributes &= ~LazyBuiltin;
    object->slot(slot) = value;
    return value;
}

// ---- elements

Elements& ensureElements(Vm& vm, Object* object) {
    if (Elements* elements = object->elements())
        return *elements;
    auto* box = static_cast<ElementsBox*>(vm.heap.allocate(sizeof(ElementsBox), u8(Kind::ElementsBox), KeyNone));
    box->elements = {nullptr, 0, 0};
    if (!object->overflow)
        object->overflow = newOverflow(vm, 0);
    object->overflow->elements = box;
    return box->elements;
}

u8 denseAttributes(const Object* object) {
    if (LIKELY(!(object->flags & (ElementsFrozen | ElementsSealed))))
        return AllAttributes;
    return object->flags & ElementsFrozen ? u8(Enumerable) : u8(Enumerable | Writable);
}

static Completion<void> addDense(Vm& vm, Elements& elements, u32 index, Value value) {
    TRY(reserveDense(vm, elements, index + 1));
    Value* values = elements.dense();
    for (u32 i = elements.denseLength; i < index; i++)
        values[i] = Value::hole();
    values[index] = value;
    elements.denseLength = std::max(elements.denseLength, index + 1);
    return {};
}

Completion<void> addElement(Vm& vm, Object* object, u32 index, Value value, u8 attributes) {
    Elements& elements = ensureElements(vm, object);
    if (object->flags & IsPrototype)
        vm.indexedPrototypes = true;
    if (attributes == AllAttributes && staysDense(elements, index)) {
        TRY(addDense(vm, elements, index, value));
    } else {
        if (!elements.isSparse())
            TRY(makeSparse(vm, elements, denseAttributes(object)));
        TRY(putSparse(vm, elements, index, value, attributes));
    }
    if (kindOf(object) == Kind::Array)
        elements.length = std::max(elements.length, index + 1);
    return {};
}

Completion<void> replaceElement(Vm& vm, Object* object, u32 index, Value value, u8 attributes) {
    Elements& elements = *object->elements();
    if (!elements.isSparse()) {
        if (attributes == denseAttributes(object)) {
            elements.dense()[index] = value;
            return {};
        }
        TRY(makeSparse(vm, elements, denseAttributes(object)));
    }
    return putSparse(vm, elements, index, value, attributes);
}

static bool truncateSparse(Array* array, u32 newLength) {
    std::vector<u32> indices = sparseIndices(array->elements_);
    for (size_t i = indices.size(); i > 0 && indices[i - 1] >= newLength; i--) {
        if (!(findSparse(array->elements_, indices[i - 1])->attributes & Configurable)) {
            array->elements_.length = indices[i - 1] + 1;
            return false;
        }
        removeSparse(array->elements_, indices[i - 1]);
    }
    return true;
}

static bool truncateDense(Array* array, u32 newLength) {
    Elements& elements = array->elements_;
    if (newLength >= elements.denseLength)
        return true;
    Value* values = elements.dense();
    if (!(denseAttributes(array) & Configurable)) {
        for (u32 i = elements.denseLength; i > newLength; i--)
            if (!values[i - 1].isHole()) {
                elements.length = i;
                return false;
            }
    }
    std::fill(values + newLength, values + elements.denseLength, Value::hole());
    elements.denseLength = newLength;
    // A large run emptied is worth giving back; a small one will be filled again.
    if (newLength == 0 && elements.capacity() > 1024)
        elements.storage = nullptr;
    return true;
}

bool truncateArray(Array* array, u32 newLength) {
    Elements& elements = array->elements_;
    if (newLength < elements.length)
        if (!(elements.isSparse() ? truncateSparse(array, newLength) : truncateDense(array, newLength)))
            return false;
    elements.length = newLength;
    return true;
}

}
