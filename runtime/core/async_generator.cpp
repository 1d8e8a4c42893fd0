// Async generators: calls that queue, resuming, what a return() waits for.
#include "runtime/core/async_generator.h"
#include "runtime/core/error.h"
#include "runtime/core/operations.h"
#include "runtime/core/vm.h"

namespace scr {

using State = AsyncGeneratorState;

static ResumeMode modeOf(const Waiter* request) { return ResumeMode(request->flags); }

/// 27.6.3.6 AsyncGeneratorCompleteStep.
static Completion<void> completeStep(Vm& vm, AsyncGenerator* generator, Value value, bool rejected, bool done) {
    Waiter* request = generator->first;
    generator->first = request->next;
    if (!generator->first)
        generator->last = nullptr;
    if (!rejected)
        return resolvePromise(vm, request->promise, Value::object(newIteratorResult(vm, value, done)));
    rejectPromise(vm, request->promise, value);
    return {};
}

static Completion<void> drainQueue(Vm& vm, AsyncGenerator* generator);

/// What a return() brought has been settled.
static Completion<void> returnAwaited(Vm& vm, Waiter* request, Value value, bool rejected) {
    auto* generator = static_cast<AsyncGenerator*>(request->values[RequestGenerator].asObject());
    ASSERT(generator->state == State::DrainingQueue && generator->first == request);
    TRY(completeStep(vm, generator, value, rejected, true));
    return drainQueue(vm, generator);
}

/// 27.6.3.10 AsyncGeneratorAwaitReturn. False: it could not be awaited, and the call has been rejected.
static Completion<bool> awaitReturn(Vm& vm, AsyncGenerator* generator) {
    Waiter* request = generator->first;
    if (!awaitNative(vm, request->values[RequestValue], request).threw())
        return true;
    TRY(completeStep(vm, generator, TRY(catchException(vm)), true, true));
    return false;
}

/// 27.6.3.11 AsyncGeneratorDrainQueue.
static Completion<void> drainQueue(Vm& vm, AsyncGenerator* generator) {
    ASSERT(generator->state == State::DrainingQueue);
    while (Waiter* request = generator->first) {
        TRY(vm.work(1));
        if (modeOf(request) == ResumeMode::Return) {
            if (TRY(awaitReturn(vm, generator)))
                return {};
            continue;
        }
        bool rejected = modeOf(request) == ResumeMode::Throw;
        Value value = rejected ? request->values[RequestValue] : Value::undefined();
        TRY(completeStep(vm, generator, value, rejected, true));
    }
    generator->state = State::Completed;
    return {};
}

Completion<void> asyncGeneratorEnd(Vm& vm, AsyncGenerator* generator, Value value, bool rejected) {
    if (generator->frame)
        generator->frame->setState(FrameState::Finished);
    generator->frame = nullptr;
    generator->state = State::DrainingQueue;
    TRY(completeStep(vm, generator, value, rejected, true));
    return drainQueue(vm, generator);
}

Completion<bool> asyncGeneratorYield(Vm& vm, AsyncGenerator* generator, Value& value, ResumeMode& mode) {
    TRY(completeStep(vm, generator, value, false, false));
    if (Waiter* request = generator->first) {
        value = request->values[RequestValue];
        mode = modeOf(request);
        return true;
    }
    generator->state = State::SuspendedYield;
    return false;
}

/// 27.6.3.7 AsyncGeneratorResume.
static Completion<void> resume(Vm& vm, AsyncGenerator* generator, ResumeMode mode, Value value) {
    generator->state = State::Executing;
    Completion<Value> result = resumeFrame(vm, generator->frame, mode, value);
    if (LIKELY(!result.threw()))
        return {};
    // The body has a handler around it: the run ends, or the stack was full before it could go on.
    return asyncGeneratorEnd(vm, generator, TRY(catchException(vm)), true);
}

Completion<Value> asyncGeneratorCall(Vm& vm, AsyncGenerator* generator, ResumeMode mode, Value value) {
    Promise* promise = newPromise(vm);
    if (mode == ResumeMode::Throw && generator->state == State::SuspendedStart) {
        generator->state = State::Completed;
        generator->frame = nullptr;
    }
    if (generator->state == State::Completed && mode != ResumeMode::Return) {
        if (mode == ResumeMode::Throw)
            rejectPromise(vm, promise, value);
        else
            TRY(resolvePromise(vm, promise, Value::object(newIteratorResult(vm, Value::undefined(), true))));
        return Value::object(promise);
    }
    Waiter* request = newWaiter(vm, returnAwaited, promise, RequestSize);
    request->flags = u8(mode);
    request->values[RequestValue] = value;
    request->values[RequestGenerator] = Value::object(generator);
    (generator->last ? generator->last->next : generator->first) = request;
    generator->last = request;
    switch (generator->state) {
    case State::Completed:
    case State::SuspendedStart:
        if (mode == ResumeMode::Return) {
            generator->state = State::DrainingQueue;
            generator->frame = nullptr;
            if (!TRY(awaitReturn(vm, generator)))
                TRY(drainQueue(vm, generator));
            break;
        }
        [[fallthrough]];
    case State::SuspendedYield: TRY(resume(vm, generator, mode, value)); break;
    case State::Executing:
    case State::DrainingQueue: break;
    }
    return Value::object(promise);
}

}
