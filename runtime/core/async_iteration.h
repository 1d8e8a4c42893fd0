// Async iteration (ECMA-262 7.4, 27.1.6): a synchronous iterator as an async one.
#pragma once
#include "runtime/core/operations.h"
#include "runtime/core/suspension.h"

namespace scr {

/// 27.1.6.3: no script ever sees one.
struct AsyncFromSyncIterator : Object {
    Value iterator, next;
};

/// 27.1.6.1 CreateAsyncFromSyncIterator, as the record to iterate with. [script]
Completion<IteratorRecord> newAsyncFromSyncIterator(Vm& vm, const IteratorRecord& sync);

/// 27.1.6.2.1 to 27.1.6.2.3: `next`, `throw` or `return` with the arguments it was called with. A promise. [script]
Completion<Value> asyncFromSyncCall(Vm& vm, AsyncFromSyncIterator* self, ResumeMode mode, const Value* args, u32 argc);

}
