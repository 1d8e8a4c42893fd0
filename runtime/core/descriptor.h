// Property descriptors as objects (ECMA-262 6.2.6).
#pragma once
#include "runtime/core/object.h"

namespace scr {

/// 6.2.6.5 ToPropertyDescriptor. TypeError if `value` is no object or the fields contradict. May run script.
Completion<PropertyDescriptor> toPropertyDescriptor(Vm& vm, Value value);
/// 6.2.6.4 FromPropertyDescriptor: an object with the fields that the descriptor has.
Object* fromPropertyDescriptor(Vm& vm, const PropertyDescriptor& descriptor);
/// Every field of a property that was found.
PropertyDescriptor descriptorOf(const Lookup& found);
/// The object that describes a property that was found, or undefined.
Value fromLookup(Vm& vm, const Lookup& found);
/// 6.2.6.6 CompletePropertyDescriptor, and the result as a property of `holder`.
Lookup lookupFromDescriptor(Vm& vm, Object* holder, const PropertyDescriptor& descriptor);

}
