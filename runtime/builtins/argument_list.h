// Arguments that come as an array-like object (Function.prototype.apply, Reflect.apply, Reflect.construct).
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

/// 7.3.19 CreateListFromArrayLike: an array without holes, perhaps `value` itself; its dense part is the list.
/// TypeError if `value` is no object. May run script.
Completion<Array*> argumentListFrom(Vm& vm, Value value);

}
