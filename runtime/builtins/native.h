// What a native function may use. Natives need no rooting code: both stacks are scanned conservatively. A native
// returns a Value or Threw; TRY where the specification writes `?`, MUST for `!`.
#pragma once
#include "runtime/core/call.h"
#include "runtime/core/compile.h"
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

/// The receiver as the cell of `kind`, or TypeError Incompatible ("Method Map.prototype.get called on incompatible
/// receiver x").
template <class T> Completion<T*> thisAs(Vm& vm, Value self, Kind kind, std::string_view method) {
    if (LIKELY(self.isObject() && kindOf(self.asCell()) == kind))
        return static_cast<T*>(self.asObject());
    return throwError(vm, Error::Incompatible, method, self);
}

/// The receiver as an object (7.1.18 ToObject).
inline Completion<Object*> thisObject(Vm& vm, Value self) {
    if (LIKELY(self.isObject()))
        return self.asObject();
    return toObject(vm, self);
}

/// The same, or TypeError CalledOnNullish ("Array.prototype.map called on null or
/// undefined").
inline Completion<Object*> thisObject(Vm& vm, Value self, std::string_view method) {
    if (LIKELY(self.isObject()))
        return self.asObject();
    if (self.isNullish())
        return throwError(vm, Error::CalledOnNullish, method);
    return toObject(vm, self);
}

/// 10.1.13 OrdinaryCreateFromConstructor for a native that was called with `newTarget` (from Vm::takeNewTarget): the
/// prototype of the object to make. Runs script only if newTarget is not the builtin itself.
inline Completion<Object*> prototypeFor(Vm& vm, Args args, Value newTarget, Intrinsic fallback) {
    if (LIKELY(!newTarget.isObject() || newTarget.asObject() == static_cast<Object*>(args.callee())))
        return vm.realm->intrinsic(vm, fallback);
    return prototypeFromConstructor(vm, newTarget.asObject(), fallback);
}

/// Throws with the value as V8 names it where a native has no source text to show: its type, and what a string, number
/// or boolean is (`number 1`, `string "a"`, `object null`, `object`).
COLD Threw throwOperand(Vm& vm, Error error, Value value);

/// A fresh realm with its global object; becomes vm.realm if there is none yet. Sets the hooks that make intrinsics and
/// builtin methods on first use, and the traces of the cells that only builtins know.
Realm* newRealm(Vm& vm);

}
