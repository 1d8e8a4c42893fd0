// Iterator helpers (ECMA-262 27.1.2): what the lazy methods of Iterator.prototype return. The text describes them as
// generators; here each is a cell with a state and a step for its operation, so nothing is suspended.
//
// Invariants. While a step runs the state is Running, and `next` and `return` refuse to enter again. A helper that has
// ended is Done and holds nothing. A step that throws has closed what the text says it closes.
#pragma once
#include "runtime/builtins/iteration.h"

namespace scr {

struct IteratorHelper : Object {
    enum Operation : u8 { Map, Filter, Take, Drop, FlatMap, Chunks, Windows, Concat, Zip, ZipKeyed };
    enum State : u8 { Start, Suspended, Running, Done };
    enum ZipMode : u8 { Shortest, Longest, Strict };

    Value iterator, next; ///< the underlying one; undefined for Concat and Zip
    Value callback; ///< Map, Filter, FlatMap
    Value innerIterator, innerNext; ///< FlatMap, Concat: the one being walked; undefined: none
    Ptr<Array> list; ///< Chunks, Windows: values gathered. Concat: method, iterable, ... Zip: iterator (undefined once
                     ///< it has ended), next, ...
    Ptr<Array> padding; ///< Zip with mode Longest
    Ptr<Array> keys; ///< ZipKeyed
    double count; ///< steps done; Take, Drop: what is left; Chunks, Windows: the size
    Operation operation;
    State state;
    ZipMode mode;
    bool partial; ///< Windows: a last one that is too short counts

    IteratorRecord underlying() const { return {iterator, next}; }
    IteratorRecord inner() const { return {innerIterator, innerNext}; }
};

/// Fresh, in state Start, its other fields empty.
IteratorHelper* newIteratorHelper(Vm& vm, IteratorHelper::Operation operation);

/// 7.4.2 GetIteratorDirect.
Completion<IteratorRecord> iteratorDirect(Vm& vm, Object* iterator);
/// 7.4.x GetIteratorFlattenable: `method` for the message.
enum class Flattenable { ObjectsOnly, ObjectsAndStrings };
Completion<IteratorRecord> iteratorFlattenable(Vm& vm, Value value, Flattenable which, std::string_view method);

// ---- iterator_zip.cpp
/// The values of one round, or the end (false).
Completion<bool> zipStep(Vm& vm, IteratorHelper* helper, Value& value);
/// 7.4.x IteratorCloseAll, the last first. Threw if `throwing` (then the pending exception stays) or if one of them
/// does.
Completion<void> closeAll(Vm& vm, Array* records, bool throwing);

}
