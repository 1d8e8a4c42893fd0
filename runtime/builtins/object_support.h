// Steps that Object's functions and its prototype's methods share.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

/// The prototype as a value: an object or null.
Result prototypeValue(Vm& vm, Object* object);
/// [[SetPrototypeOf]] to an object or null, or the TypeError that says why it was refused.
/// The setter of __proto__ words it differently.
Completion<void> setPrototypeOrThrow(Vm& vm, Object* object, Value prototype, bool isSetter = false);

}
