// The iterators of Map and Set, for those who look into them.
#pragma once
#include "runtime/core/hash_table.h"

namespace scr {

/// A Map or Set Iterator: a position and what it yields.
struct CollectionIterator : Object {
    enum Yields : u8 { Keys, Values, Entries };
    TablePosition position; ///< table null: finished
    Yields yields;
    bool ofMap;
};

/// Part of registerIteratorSteps.
void registerCollectionSteps(Vm& vm);

}
