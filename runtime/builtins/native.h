// What a native function may use. Natives need no rooting code: both stacks are scanned conservatively. A native returns
// a Value or Threw; TRY where the specification writes `?`, MUST for `!`.
#pragma once
#include "runtime/core/call.h"
#include "runtime/core/error.h"
#include "runtime/core/operations.h"
#include "runtime/core/vm.h"

namespace scr {

using Result = Completion<Value>;

inline PropertyKey keyOf(const String* atom) { return PropertyKey::atom(atom); }
inline PropertyKey keyOf(const Symbol* symbol) { return PropertyKey::symbol(symbol); }
/// For names known to C++: KEY(vm, length).
#define KEY(vm, name) ::scr::PropertyKey::atom((vm).names.name)
#define SYMBOL(vm, name) ::scr::PropertyKey::symbol((vm).symbols.name)

inline Value asciiValue(Vm& vm, std::string_view text) { return Value::string(newAscii(vm, text)); }
inline Value utf8Value(Vm& vm, std::string_view text) { return Value::string(newUtf8(vm, text)); }

/// The receiver as the cell of `kind`, or TypeError Incompatible ("Method Map.prototype.get called on incompatible receiver x").
template<class T> Completion<T*> thisAs(Vm& vm, Value self, Kind kind, std::string_view method) {
    if (LIKELY(self.isObject() && kindOf(self.asCell()) == kind))
        return static_cast<T*>(self.asObject());
    return throwError(vm, Error::Incompatible, method, self);
}

}
