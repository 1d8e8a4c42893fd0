// Suspension (ECMA-262 27.5 to 27.7): what is left of a function while it waits, and how it goes on.
//
// A running generator or async function is an ordinary frame of the VM stack. Where it waits (StartGenerator, Yield,
// Await and their kin), the registers that are live move into a SuspendedFrame; going on copies them to the top of the
// stack again. Nothing in a frame points into the stack, since what closures capture lives in environments.
//
// Invariants. `pc` is the instruction that waits, whose first operand says where the value goes that it goes on with.
// `live` is 0 while the function runs: nothing then keeps alive what the saved registers held. An async function has no
// frame cell until its first await.
#pragma once
#include "runtime/core/promise.h"

namespace scr {

enum class ResumeMode : u8 { Next, Throw, Return };

enum class FrameState : u8 { Suspended, Running, Finished };

/// Cell::shape is the capacity in registers, Cell::flags the FrameState.
struct SuspendedFrame : Cell {
    Ptr<Function> callee;
    const u64* pc; ///< inside the callee's code
    Ptr<Cell> owner; ///< the promise of an async function, the object of a generator
    Ptr<Cell> awaited; ///< the promise that it waits for; null at a yield
    u32 live; ///< registers saved, from R(0) on
    bool handsResult; ///< it waits in a yield* that hands a result object through as it is
    Value registers[];
    FrameState state() const { return FrameState(flags); }
    void setState(FrameState state) { flags = u8(state); }
};

/// 27.5.2 and 27.6.2: the cells of both kinds of generator begin alike.
struct Generator : Object {
    Ptr<SuspendedFrame> frame; ///< null: completed
    /// False: it has not run yet and stands behind its parameters.
    bool started;
};

/// What a step of a generator came to.
enum class GeneratorStep : u8 {
    Yielded,
    Delegated, ///< the value is a result object that yield* hands through as it is
    Done,
};

/// A frame cell with room for all that the function saves; Running, and empty.
SuspendedFrame* newSuspendedFrame(Vm& vm, Function* callee, u32 capacity, Cell* owner);
/// A generator for a call of `function`, with room for `capacity` registers: 10.1.13 with its `prototype`. [script]
Completion<Generator*> newGenerator(Vm& vm, Function* function, u32 capacity, bool isAsync);

// ---- Seam: defined in interp/vm/suspend.cpp

/// Goes on until the function waits again, ends or throws; `frame` says which. In mode Return a generator runs its
/// finally blocks. Known: the frame is suspended. [script]
Completion<Value> resumeFrame(Vm& vm, SuspendedFrame* frame, ResumeMode mode, Value value);
/// 27.5.3.3 GeneratorResume, 27.5.3.4 GeneratorResumeAbrupt. TypeError if it is running. [script]
Completion<Value> resumeGenerator(Vm& vm, Generator* generator, ResumeMode mode, Value value, GeneratorStep& step);
/// What an async function waited for has been settled (27.7.5.3 steps 3 and 5). [script]
Completion<void> continueAsync(Vm& vm, SuspendedFrame* frame, Value value, bool rejected);

void registerSuspensionKinds(Heap& heap);
void registerAsyncIterationKinds(Heap& heap);

}
