// Wrapped primitives (ECMA-262 10.4.3, 20.3.4, 20.4.4, 21.1.4).
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

/// A wrapper with a prototype of its own (subclasses). `value` is no rope.
PrimitiveWrapper* newWrapperWith(Vm& vm, Object* prototype, Value value);

/// The primitive behind a receiver: itself, or what a wrapper holds, if `matches` says that it is of the right type;
/// else TypeError "X.prototype.y requires that 'this' be a X".
template <class Matches>
Result thisPrimitive(Vm& vm, Value self, Matches matches, std::string_view method, std::string_view type) {
    if (LIKELY(matches(self)))
        return self;
    if (self.isObject() && kindOf(self.asObject()) == Kind::PrimitiveWrapper) {
        Value value = static_cast<PrimitiveWrapper*>(self.asObject())->value;
        if (matches(value))
            return value;
    }
    return throwError(vm, Error::RequiresThis, method, type);
}

}
