// Async generators (ECMA-262 27.6): the queue of the calls that wait, and what each comes to.
//
// Invariants. The first call of the queue is the one that the body works for, or whose `return` value is awaited. The
// frame is null exactly in the states DrainingQueue and Completed. While the state is Executing or DrainingQueue, calls
// only join the queue: whoever took the generator there looks at the queue before it leaves.
#pragma once
#include "runtime/core/suspension.h"

namespace scr {

enum class AsyncGeneratorState : u8 { SuspendedStart, SuspendedYield, Executing, DrainingQueue, Completed };

struct AsyncGenerator : Generator {
    AsyncGeneratorState state;
    Ptr<Waiter> first, last; ///< the queue: see AsyncRequest
};

/// Words of a Waiter of the queue, whose Cell::flags is the ResumeMode of its call.
enum AsyncRequest : u8 { RequestValue, RequestGenerator, RequestSize };

inline bool isAsyncGenerator(Value value) { return value.isObject() && kindOf(value.asCell()) == Kind::AsyncGenerator; }

/// 27.6.1.2 to 27.6.1.4 behind the check of the receiver. The promise of the call. [script]
Completion<Value> asyncGeneratorCall(Vm& vm, AsyncGenerator* generator, ResumeMode mode, Value value);

/// 27.6.3.8 AsyncGeneratorYield from step 9: the first call gets the value. True if another call waits for the
/// generator to go on at once: `mode` and `value` are what it brings. False: the generator is suspended. [script]
Completion<bool> asyncGeneratorYield(Vm& vm, AsyncGenerator* generator, Value& value, ResumeMode& mode);

/// The body has ended, or thrown `value` (27.6.3.2 from step 4.g). [script]
Completion<void> asyncGeneratorEnd(Vm& vm, AsyncGenerator* generator, Value value, bool rejected);

}
