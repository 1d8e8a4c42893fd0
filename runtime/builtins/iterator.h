// The iterators of arrays and strings: one kind of cell, told apart by the class whose `next` may walk it.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

enum class IteratorClass : u8 { Array, String };
enum class IterationKind : u8 { Keys, Values, Entries };

struct BuiltinIterator : Object {
    Value target; ///< what is walked; undefined once the end was reached
    u64 position; ///< next index or code unit
    IteratorClass of;
    IterationKind kind;
};

/// A fresh iterator at position 0.
BuiltinIterator* newBuiltinIterator(Vm& vm, IteratorClass of, IterationKind kind, Value target);
/// The receiver as an iterator of that class, or TypeError ("Method Array Iterator.prototype.next called on
/// incompatible receiver x").
Completion<BuiltinIterator*> thisIterator(Vm& vm, Value self, IteratorClass of);
/// { value: undefined, done: true }; the target is forgotten, so that no later call can revive the iterator.
Value finishIterator(Vm& vm, BuiltinIterator* iterator);
/// The result of one step over something with keys: key, value, or [key, value].
Value iterationResult(Vm& vm, IterationKind kind, Value key, Value value);

}
