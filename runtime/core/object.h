// Objects: named properties in slots described by the shape, indexed properties in elements, exotic behaviour by kind.
//
// Slot n is inline if n < inlineCapacity (known from the shape, so a cache knows it too), else in the overflow cell.
// Everything that reads or writes a property goes through the functions below (or through an inline cache that one of
// their Lookups filled). Those marked [script] may run script: getters, setters, valueOf, the traps of proxies.
//
// The essential internal methods (ECMA-262 6.1.7.2) of every kind of object are ownProperty, defineOwnProperty,
// hasProperty, get, set, deleteProperty, ownPropertyKeys, getPrototypeOf, setPrototypeOf, isExtensible and
// preventExtensions. Each looks at the kind in one place and does the rest as for an ordinary object.
#pragma once
#include "runtime/core/elements.h"
#include "runtime/core/shape.h"

namespace scr {

enum ObjectFlag : u8 { // Cell::flags of objects. An array's element fast path for writes wants all of them clear.
    NotExtensible = 1,
    IsPrototype = 2, ///< has a unique shape; structural changes tell the Vm (Vm::prototypeChanged)
    ElementsFrozen = 4, ///< elements are not writable nor configurable
    ElementsSealed = 8, ///< elements are not configurable
    LengthReadOnly = 16, ///< arrays: length is not writable
    HasLazyProperties = 32, ///< functions: length, name, prototype are not in the shape yet
    ClassConstructor = 64, ///< functions: [[Call]] throws
    IsConstructor = 128, ///< functions: has [[Construct]]
};

/// Overflow slots; Cell::shape is their capacity. The first word holds the elements of objects that are no arrays.
struct Overflow : Cell {
    Ptr<ElementsBox> elements;
    Value slots[];
    u32 capacity() const { return shape; }
};

struct Object : Cell { // Cell::shape is the shape id, Cell::aux the number of inline slots (the shape's inlineCapacity)
    Ptr<Overflow> overflow;

    /// Inline slots begin where the kind's own fields end.
    inline Value* inlineSlots();
    inline Value& slot(u32 n);
    /// Null if it has none and is no array.
    inline Elements* elements();
    bool isExtensible() const { return !(flags & NotExtensible); } ///< of all but proxies
    bool isCallable() const { return isCallableKind(kindOf(this)); }
};
static_assert(sizeof(Object) == 16);

/// Kind Array, and nothing else: `length` may be larger than elements.denseLength (holes at the end, or sparse).
struct Array : Object {
    Elements elements_;
    u32 length() const { return elements_.length; }
};
static_assert(sizeof(Array) == 32);

/// A primitive as an object (7.1.18). A string is flat; its length and indices are exotic properties (10.4.3).
struct PrimitiveWrapper : Object {
    Value value;
};

/// Kinds whose inline slots follow this many bytes. Kinds with fields of their own have no inline slots (capacity 0).
inline Value* Object::inlineSlots() { return reinterpret_cast<Value*>(this + 1); }
inline Value& Object::slot(u32 n) { return n < aux ? inlineSlots()[n] : overflow->slots[n - aux]; }
inline Elements* Object::elements() {
    if (kindOf(this) == Kind::Array)
        return &static_cast<Array*>(this)->elements_;
    return overflow && overflow->elements ? &overflow->elements->elements : nullptr;
}

// ---- making
/// An empty ordinary object.
Object* newObject(Vm& vm, Object* prototype, u8 inlineCapacity = 4);
/// With this shape (slots up to shape->count must be written by the caller at once; they hold undefined).
Object* newObjectWithShape(Vm& vm, Shape* shape);
/// A cell of `bytes` for a builtin kind with fields of its own and no inline slots; overflow is null, fields are
/// garbage.
Object* allocateObject(Vm& vm, Kind kind, size_t bytes, Shape* shape);
/// Dense, length and denseLength = 0 with room for `capacity`. Prototype: %Array.prototype% of the current realm.
Array* newArray(Vm& vm, u32 capacity = 0);
Array* newArrayFrom(Vm& vm, const Value* values, u32 count);
/// Of the current realm; `value` is no object and not nullish. A rope is replaced by its flat string before.
Completion<PrimitiveWrapper*> newWrapper(Vm& vm, Value value);
/// With another prototype (subclasses of String, Number, Boolean).
Completion<PrimitiveWrapper*> newWrapper(Vm& vm, Object* prototype, Value value);

// ---- the shape of an object
Shape* shapeOf(Vm& vm, const Object* object);
/// As the object itself knows it: null for a proxy, which getPrototypeOf asks.
Object* prototypeOf(Vm& vm, const Object* object);
/// Gives the object a unique shape (if it is shared) and sets IsPrototype.
void becomePrototype(Vm& vm, Object* object);
/// Gives the object a unique shape: for builtins, for objects whose slots shall be value-cached.
void makeUnique(Vm& vm, Object* object);

// ---- lookups: no script runs. Where a proxy is met they end with Lookup::Intercepted.
/// An own property. Materialises lazy functions and lazy function properties.
Lookup getOwnProperty(Vm& vm, Object* object, PropertyKey key);
/// Along the prototype chain. The holder of what a proxy would have to be asked is that proxy.
Lookup lookup(Vm& vm, Object* object, PropertyKey key);

// ---- reading [script]
/// [[GetOwnProperty]]. Never Intercepted; what a trap described is Exotic, or an Accessor without a slot.
Completion<Lookup> ownProperty(Vm& vm, Object* object, PropertyKey key);
/// [[HasProperty]].
Completion<bool> hasProperty(Vm& vm, Object* object, PropertyKey key);
/// 7.3.12 HasOwnProperty.
Completion<bool> hasOwnProperty(Vm& vm, Object* object, PropertyKey key);
/// [[GetPrototypeOf]]: null if there is none.
Completion<Object*> getPrototypeOf(Vm& vm, Object* object);
/// [[IsExtensible]].
Completion<bool> isExtensible(Vm& vm, Object* object);
/// ECMA-262 7.3.2 Get.
Completion<Value> get(Vm& vm, Object* object, PropertyKey key);
/// With another receiver (super, primitives).
Completion<Value> get(Vm& vm, Object* object, PropertyKey key, Value receiver);
/// ECMA-262 7.3.3 GetV: any value; TypeError for undefined and null.
Completion<Value> getOf(Vm& vm, Value base, PropertyKey key);
/// What a Lookup's property yields for `receiver`: the value, the getter called, or the proxy asked.
Completion<Value> valueOf(Vm& vm, const Lookup& found, Value receiver);
/// The object whose properties a primitive's are (its prototype), or the object itself; null for undefined and null.
Object* propertiesOf(Vm& vm, Value base);

// ---- writing [script]
/// [[Set]] with the receiver the object itself; false if it was refused.
Completion<bool> set(Vm& vm, Object* object, PropertyKey key, Value value);
Completion<bool> set(Vm& vm, Object* object, PropertyKey key, Value value, Value receiver);
/// As strict code assigns: TypeError if it was refused ("Cannot assign to read only property 'x' of object
/// '#<Object>'", ...).
Completion<void> put(Vm& vm, Value base, PropertyKey key, Value value);
/// As `super` assigns: the walk begins at another object than the receiver.
Completion<void> putSuper(Vm& vm, Object* holder, PropertyKey key, Value value, Value receiver);
/// [[DefineOwnProperty]]; false if refused.
Completion<bool> defineOwnProperty(Vm& vm, Object* object, PropertyKey key, const PropertyDescriptor& descriptor);
/// 7.3.8 DefinePropertyOrThrow.
Completion<void> defineOrThrow(Vm& vm, Object* object, PropertyKey key, const PropertyDescriptor& descriptor);
/// 7.3.5 CreateDataProperty, all attributes; false if refused.
Completion<bool> createDataProperty(Vm& vm, Object* object, PropertyKey key, Value value);
Completion<void> createDataPropertyOrThrow(Vm& vm, Object* object, PropertyKey key, Value value);
/// Adds or overwrites an own property of an object known to be ordinary, extensible and fresh enough not to refuse it.
void defineDirect(Vm& vm, Object* object, PropertyKey key, Value value, u8 attributes);
void defineAccessorDirect(Vm& vm, Object* object, PropertyKey key, Value getter, Value setter, u8 attributes);
/// [[Delete]]: false if not configurable.
Completion<bool> deleteProperty(Vm& vm, Object* object, PropertyKey key);
/// 7.3.9 DeletePropertyOrThrow.
Completion<void> deleteOrThrow(Vm& vm, Object* object, PropertyKey key);
/// [[SetPrototypeOf]]: false if refused (cycle, not extensible).
Completion<bool> setPrototypeOf(Vm& vm, Object* object, Object* prototype);
/// [[PreventExtensions]]: false if refused.
Completion<bool> preventExtensions(Vm& vm, Object* object);
enum class Integrity { Sealed, Frozen };
/// 7.3.14 SetIntegrityLevel: false if refused.
Completion<bool> setIntegrity(Vm& vm, Object* object, Integrity level);
/// 7.3.15 TestIntegrityLevel.
Completion<bool> testIntegrity(Vm& vm, Object* object, Integrity level);

// ---- enumerating
enum KeyFilter : u8 { StringKeys = 1, SymbolKeys = 2, OnlyEnumerable = 4, PrivateKeys = 8, NoIndices = 16 };
/// [[OwnPropertyKeys]], filtered: each element is a string or symbol Value. OnlyEnumerable asks for each property, in
/// order. [script]
Completion<Array*> ownPropertyKeys(Vm& vm, Object* object, u8 filter);
/// The same with the bits of keys as elements (PropertyKey::fromBits): an index is an int32. Without OnlyEnumerable.
/// [script]
Completion<Array*> ownKeyList(Vm& vm, Object* object, u8 filter);
/// Of all but proxies, in the order of 10.1.11: indices ascending, strings by insertion, symbols by insertion. Each
/// element is a string or symbol Value. No script runs.
Array* ownKeys(Vm& vm, Object* object, u8 filter);
/// Appends PropertyKeys instead. Nobody keeps them alive: use the other form where script may run in between.
void ownKeys(Vm& vm, Object* object, u8 filter, std::vector<PropertyKey>& keys);

// ---- slots, for caches and builtins
/// Writes a slot of an existing data property; tells the Vm when a cache depends on its value.
void writeSlot(Vm& vm, Object* object, u32 slot, Value value);
/// Room for this slot. May allocate.
void ensureSlot(Vm& vm, Object* object, u32 slot);
/// Adds a property with the next slot of `next` (a shape that follows the object's own): transition and store.
void addSlot(Vm& vm, Object* object, Shape* next, Value value);

/// Traces what every object has, for kinds with fields of their own.
void traceObject(Cell* cell, Marker& marker);

}
