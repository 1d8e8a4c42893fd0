// What the object_*.cpp files share: changes of one property whose permission has been checked.
#pragma once
#include "runtime/core/object.h"

namespace scr {

/// The elements of any object, made empty if it has none.
Elements& ensureElements(Vm& vm, Object* object);
/// Attributes of every element in dense storage.
u8 denseAttributes(const Object* object);
/// Adds a named property known to be absent.
void addNamed(Vm& vm, Object* object, PropertyKey key, Value value, u8 attributes);
/// Adds an element known to be absent; an array's length follows. Throws by the memory limit only.
Completion<void> addElement(Vm& vm, Object* object, u32 index, Value value, u8 attributes);
/// Overwrites the element, changing its attributes.
Completion<void> replaceElement(Vm& vm, Object* object, u32 index, Value value, u8 attributes);
/// Gives a slot other attributes and a value; accessors are replaced this way too, so that cached getters miss.
void reconfigureSlot(Vm& vm, Object* object, u32 slot, Value value, u8 attributes);
/// 10.4.2.4 ArraySetLength from step 3 on. False if a non-configurable element stopped it.
bool truncateArray(Array* array, u32 newLength);
/// 10.1.6.2 IsCompatiblePropertyDescriptor: may a property that is `current` (or absent) become what the descriptor
/// says?
Completion<bool> isCompatible(Vm& vm, bool extensible, const Lookup& current, const PropertyDescriptor& descriptor);
/// Why defineOwnProperty was refused.
COLD Threw throwDefineRefused(Vm& vm, Object* object, PropertyKey key);
/// The length a value stands for: RangeError if it is none. May run script.
Completion<u32> toArrayLength(Vm& vm, Value value);
/// Tells caches that know the shape of an object with a unique shape that it changed; and the Vm, if it is a prototype.
void structureChanged(Vm& vm, Object* object, Shape* shape);
/// The function or text behind a LazyBuiltin slot, stored there.
Value materializeSlot(Vm& vm, Object* object, Shape* shape, u32 slot);
/// As getOwnProperty, but leaves lazy builtins alone (the value is then meaningless).
Lookup findOwn(Vm& vm, Object* object, PropertyKey key);

inline bool isStringWrapper(const Object* object) {
    return kindOf(object) == Kind::PrimitiveWrapper && static_cast<const PrimitiveWrapper*>(object)->value.isString();
}

}
