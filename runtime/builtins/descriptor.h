// Property descriptors as objects (ECMA-262 6.2.6) and lists of keys that survive while script runs.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

/// 6.2.6.5 ToPropertyDescriptor. TypeError if `value` is no object or the fields contradict. May run script.
Completion<PropertyDescriptor> toPropertyDescriptor(Vm& vm, Value value);
/// 6.2.6.4 FromPropertyDescriptor of a property that was found.
Value fromLookup(Vm& vm, const Lookup& found);

/// The shape of an object whose own enumerable string-keyed properties can be read straight from its slots in the order
/// of its shape: an ordinary object, no indices, nothing but data under atoms. Null for all others. While the object
/// keeps that shape, slot i belongs to entry i.
Shape* plainShape(Vm& vm, Object* object);

/// The own keys of an object at one moment, held in a cell: script that runs meanwhile may delete them.
class KeyList {
public:
    KeyList(Vm& vm, Object* object, u8 filter);
    u32 count() const { return list_->elements_.denseLength; }
    PropertyKey operator[](u32 i) const { return PropertyKey::fromBits(list_->elements_.dense()[i].bits()); }

private:
    Array* list_;
};

}
