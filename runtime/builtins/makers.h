// What install.cpp asks of the files that know a builtin's insides: the shapes of objects that the VM makes, and the
// traces of cells with fields of their own.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

/// Registers the trace functions of the kinds that only builtins know.
void setBuiltinTraces(Vm& vm);
/// The shape of errors with this prototype: `stack` (slot 0, made on first read), then `message` (slot 1).
Shape* newErrorShape(Vm& vm, Object* prototype);
/// The shape of arguments objects (10.4.4.6): length (slot 0), callee (slot 1, an Accessor), Symbol.iterator (slot 2).
Shape* newArgumentsShape(Vm& vm, Realm* realm);

}
