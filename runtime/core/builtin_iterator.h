// The iterators of arrays and strings: one kind of cell, told apart by the class whose `next` may walk it.
#pragma once
#include "runtime/core/object.h"

namespace scr {

enum class IteratorClass : u8 { Array, String };
enum class IterationKind : u8 { Keys, Values, Entries };

struct BuiltinIterator : Object {
    Value target; ///< what is walked; undefined once the end was reached
    u64 position; ///< next index or code unit
    IteratorClass of;
    IterationKind kind;
};

/// 23.1.5.1 one step of an array iterator: what `next` yields, without the object around it; false at the end.
Completion<bool> stepArrayIterator(Vm& vm, BuiltinIterator* iterator, Value& value);

}
