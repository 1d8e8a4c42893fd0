// What the files of Array share: elements of array-likes at any index up to 2^53 - 2, with a fast path for dense
// storage.
//
// Every fast path asks three things of an array and asks them again after anything that may have run script: the index
// is below denseLength (so it is not sparse), the place holds a value (a hole is looked up on the prototypes), and, for
// writes, no ObjectFlag is set. A new element may be added without looking at the prototypes only while no prototype
// has indexed properties (Vm::indexedPrototypes).
#pragma once
#include "runtime/builtins/iteration.h"

#include <algorithm>

namespace scr {

constexpr double MaxSafeLength = 9007199254740991.0;
constexpr double MaxArrayLength = 4294967295.0;

inline PropertyKey keyAt(Vm& vm, double index) {
    return LIKELY(index < MaxArrayLength) ? PropertyKey::index(u32(index)) : keyFromInteger(vm, index);
}

inline bool isPlainArray(const Object* object) { return kindOf(object) == Kind::Array; }
inline Array* asArray(Object* object) { return static_cast<Array*>(object); }

/// 7.3.18 LengthOfArrayLike.
inline Completion<double> lengthAt(Vm& vm, Object* object) {
    if (LIKELY(isPlainArray(object)))
        return double(asArray(object)->length());
    return lengthOf(vm, object);
}

/// The dense value at `index`, or a hole when it is not that simple.
ALWAYS_INLINE Value denseAt(Object* object, double index) {
    if (!isPlainArray(object) || index >= asArray(object)->elements_.denseLength)
        return Value::hole();
    return asArray(object)->elements_.dense()[u32(index)];
}

/// Nothing stands at `index`, not even on a prototype: a hole of dense storage, or a place behind it.
ALWAYS_INLINE bool isPlainHole(Vm& vm, Object* object, double index) {
    if (!isPlainArray(object) || vm.indexedPrototypes)
        return false;
    Elements& elements = asArray(object)->elements_;
    return index < elements.denseLength || !elements.isSparse();
}

/// Get.
ALWAYS_INLINE Result getAt(Vm& vm, Object* object, double index) {
    Value value = denseAt(object, index);
    if (LIKELY(!value.isHole()))
        return value;
    if (isPlainHole(vm, object, index))
        return Value::undefined();
    return get(vm, object, keyAt(vm, index));
}

/// HasProperty, then Get: false if there is no such element. May run script only for what is not dense.
ALWAYS_INLINE Completion<bool> readAt(Vm& vm, Object* object, double index, Value& value) {
    value = denseAt(object, index);
    if (LIKELY(!value.isHole()))
        return true;
    if (isPlainHole(vm, object, index))
        return false;
    PropertyKey key = keyAt(vm, index);
    if (!TRY(hasProperty(vm, object, key)))
        return false;
    value = TRY(get(vm, object, key));
    return true;
}

/// Set with throw.
inline Completion<void> putAt(Vm& vm, Object* object, double index, Value value) {
    if (isPlainArray(object) && !object->flags && index < asArray(object)->elements_.denseLength) {
        Value& place = asArray(object)->elements_.dense()[u32(index)];
        if (LIKELY(!place.isHole())) {
            place = value;
            return {};
        }
    }
    return put(vm, Value::object(object), keyAt(vm, index), value);
}

/// What Array.from, of and fromAsync fill: `new receiver(length)` if it is a constructor, else an array.
/// OPTIMIZATION: an ordinary array, which nobody has seen yet, starts empty and grows; finishLength gives it its
/// length.
Completion<Object*> constructReceiver(Vm& vm, Value receiver, const double* length);
Completion<void> finishLength(Vm& vm, Object* target, double length);

/// 7.3.9 DeletePropertyOrThrow.
Completion<void> deleteAt(Vm& vm, Object* object, double index);

/// 7.3.6 CreateDataPropertyOrThrow.
inline Completion<void> defineAt(Vm& vm, Object* object, double index, Value value) {
    if (isPlainArray(object) && !object->flags) {
        Elements& elements = asArray(object)->elements_;
        if (index < elements.denseLength) {
            elements.dense()[u32(index)] = value;
            return {};
        }
        if (index == elements.denseLength && index == elements.length && !elements.isSparse()
            && index < MaxArrayLength - 1)
            return pushDense(vm, elements, value);
    }
    return createDataPropertyOrThrow(vm, object, keyAt(vm, index), value);
}

/// Set(object, "length", length, true).
inline Completion<void> putLength(Vm& vm, Object* object, double length) {
    return put(vm, Value::object(object), KEY(vm, length), Value::number(length));
}

/// An array whose elements may be moved about in its storage without anybody noticing: dense up to its length,
/// writable, extensible, and no hole can show an element of a prototype.
inline bool isMovable(Vm& vm, Object* object) {
    if (!isPlainArray(object) || object->flags || vm.indexedPrototypes)
        return false;
    Elements& elements = asArray(object)->elements_;
    // A sparse array has denseLength 0, and may have become empty.
    return elements.length == elements.denseLength && (elements.length || !elements.isSparse());
}

/// A relative index (at, slice, ...): negative counts from the end, clamped to 0..length. `fallback` stands for
/// undefined.
Completion<double> relativeIndex(Vm& vm, Value value, double length, double fallback);

/// 10.4.2.2 ArrayCreate in the current realm; RangeError above 2^32 - 1. All holes.
Completion<Array*> arrayCreate(Vm& vm, double length);
/// The same with length 0 and the room: for results that grow and get their length at the end, which nobody can tell.
Completion<Array*> emptyArray(Vm& vm, double length);
/// 23.1.3.1.x ArraySpeciesCreate; null means an ordinary array in the current realm, which the caller makes as it
/// likes.
Completion<Object*> speciesOf(Vm& vm, Object* original, double length);
/// The same, with the ordinary array made.
Completion<Object*> speciesCreate(Vm& vm, Object* original, double length);

/// Sorts the values of a dense list that nobody else sees, by a function or, if it is undefined, as texts. Undefined
/// ones must not be among them.
Completion<void> sortValues(Vm& vm, Array* values, Value comparator);

/// What splice and toSpliced read from their arguments.
struct SpliceRange {
    double start, removed;
    u32 inserted;
};
Completion<SpliceRange> spliceRange(Vm& vm, Args args, double length);

/// get [Symbol.species] of Array and other classes.
Result species_getter(Vm& vm, Args args);

/// The callback of forEach, map and the like: called with (value, index, object).
class ElementCall {
public:
    ElementCall(Vm& vm, Value callee, Value self, Object* object)
        : call_(vm, callee, self)
        , object_(object) { }
    Result operator()(Value value, double index) {
        Value args[] = {value, Value::number(index), Value::object(object_)};
        return call_(args, 3);
    }

private:
    RepeatedCall call_;
    Object* object_;
};

/// TypeError "x is not a function".
inline Completion<void> requireCallable(Vm& vm, Value value) {
    if (LIKELY(isCallable(value)))
        return {};
    return throwError(vm, Error::NotCallable, value);
}

}
