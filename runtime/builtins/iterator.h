// Making and walking the iterators of arrays and strings.
#pragma once
#include "runtime/builtins/native.h"
#include "runtime/core/builtin_iterator.h"

namespace scr {

/// A fresh iterator at position 0.
BuiltinIterator* newBuiltinIterator(Vm& vm, IteratorClass of, IterationKind kind, Value target);
/// The receiver as an iterator of that class, or TypeError ("Method Array Iterator.prototype.next called on
/// incompatible receiver x").
Completion<BuiltinIterator*> thisIterator(Vm& vm, Value self, IteratorClass of);
/// What `next` returns for a step.
inline Result stepResult(Vm& vm, Completion<bool> more, Value value) {
    bool goesOn = TRY(more);
    return Value::object(newIteratorResult(vm, goesOn ? value : Value::undefined(), !goesOn));
}

}
