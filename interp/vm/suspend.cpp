// Functions that wait: taking a frame off the stack and putting it back (runtime/core/suspension.h).
#include "interp/vm/activation.h"
#include "interp/vm/slow_paths.h"
#include "runtime/core/async_generator.h"
#include "runtime/core/error.h"
#include <atomic>

namespace scr {

// ---- waiting

Completion<Value> slowStartGenerator(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::StartGenerator>(pc);
    publish(vm, pc, base);
    Function* function = calleeOf(base);
    Code* code = function->code();
    vm.realm = code->realm;
    Generator* generator = TRY(newGenerator(vm, function, code->frameCapacity, code->infoFlags & InfoAsync));
    base[insn.frame.n] = Value::cell(generator->frame.get());
    suspend(generator->frame, pc, base, insn.live.n);
    return Value::object(generator);
}

/// 27.7.5.3 Await up to where the surrounding agent goes on. The promise of the function if it waits for the first
/// time: that is what its caller gets.
Completion<Value> slowAwait(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::Await>(pc);
    publish(vm, pc, base);
    Code* code = codeOf(base);
    Value awaited = base[insn.first.n];
    if (awaited.isObject() && !isPlainPromise(vm, awaited))
        awaited = TRY(promiseResolve(vm, code->realm->intrinsic(vm, Intrinsic::Promise), awaited));
    Value handed = Value::undefined();
    if (base[insn.frame.n].isUndefined()) {
        Promise* promise = newPromise(vm);
        handed = Value::object(promise);
        base[insn.frame.n] = Value::cell(newSuspendedFrame(vm, calleeOf(base), code->frameCapacity, promise));
    }
    auto* frame = base[insn.frame.n].as<SuspendedFrame>();
    suspend(frame, pc, base, insn.first.n);
    waitFor(vm, frame, awaited);
    return handed;
}

// ---- ending

/// The promise of an async function that ends, and what its caller gets: the promise, if the caller still waits for it.
static Promise* takePromise(Vm& vm, Value* base, Reg frameRegister, Value& handed) {
    handed = Value::undefined();
    if (base[frameRegister.n].isUndefined()) {
        Promise* promise = newPromise(vm);
        handed = Value::object(promise);
        return promise;
    }
    auto* frame = base[frameRegister.n].as<SuspendedFrame>();
    frame->setState(FrameState::Finished);
    return static_cast<Promise*>(frame->owner.get());
}

Completion<Value> slowReturnAsync(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::ReturnAsync>(pc);
    publish(vm, pc, base);
    Value handed;
    Promise* promise = takePromise(vm, base, insn.frame, handed);
    TRY(resolvePromise(vm, promise, base[insn.src.n]));
    return handed;
}

Completion<Value> slowRejectAsync(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::RejectAsync>(pc);
    publish(vm, pc, base);
    Value handed;
    Promise* promise = takePromise(vm, base, insn.frame, handed);
    rejectPromise(vm, promise, base[insn.src.n]);
    return handed;
}

// ---- going on

/// Where a yield* looks for the ResumeMode.
static u16 modeRegister(Op op, u16 first) { return op == Op::YieldDelegated ? first + 1 : first - 1; }

/// Where the function goes on after `next(value)`.
static ALWAYS_INLINE const u64* goOn(Value* base, const u64* pc, Value value) {
    Op op = Op(u16(*pc));
    if (op == Op::StartGenerator || op == Op::StartModule)
        return pc + 1;
    u16 first = at<ops::Await>(pc).first.n;
    base[first] = value;
    if (LIKELY(op == Op::Yield || op == Op::AsyncYield))
        return pc + 2 + at<ops::Jump>(pc + 1).target.words;
    if (op == Op::YieldDelegated || op == Op::AsyncYieldDelegated)
        base[modeRegister(op, first)] = Value::int32(i32(ResumeMode::Next));
    return pc + 1;
}

/// The saved registers stand where they were again.
static ALWAYS_INLINE void putBack(SuspendedFrame* frame, Value* base) {
    for (u32 i = 0, live = frame->live; i < live; i++)
        base[i] = frame->registers[i];
    frame->live = 0;
    frame->setState(FrameState::Running);
}

/// Where the function goes on: false if an exception that its frame does not handle is on its way.
static bool enterResumed(Vm& vm, Value* base, const u64* pc, ResumeMode mode, Value value) {
    vm.base = base;
    vm.pc = pc;
    if (mode == ResumeMode::Next) {
        vm.pc = goOn(base, pc, value);
        return true;
    }
    Op op = Op(u16(*pc));
    ASSERT(op != Op::StartGenerator && op != Op::StartModule);
    u16 first = at<ops::Await>(pc).first.n;
    if (op == Op::YieldDelegated || op == Op::AsyncYieldDelegated) {
        base[first] = value;
        base[modeRegister(op, first)] = Value::int32(i32(mode));
        vm.pc = pc + 1;
        return true;
    }
    if (mode == ResumeMode::Throw) {
        (void)vm.throwValue(value);
        return unwind(vm);
    }
    base[first] = value;
    vm.pc = pc + 1;
    if (op == Op::Yield || op == Op::AsyncYield) // over the Jump that next() takes
        vm.pc++;
    return true;
}

Completion<Value> resumeFrame(Vm& vm, SuspendedFrame* frame, ResumeMode mode, Value value) {
    ASSERT(frame->state() == FrameState::Suspended);
    if (UNLIKELY(vm.cStackLow()))
        return vm.throwStackOverflow();
    TRY(vm.work(1));
    Activation activation(vm);
    Function* function = frame->callee;
    Value* top = vm.stackTop();
    Value* base = top + EntrySavedWords + 2;
    if (UNLIKELY(base + function->code()->registerCount > vm.stackLimit))
        return vm.throwStackOverflow();
    top[0] = Value::fromBits(u64(vm.base));
    top[1] = Value::fromBits(u64(vm.pc));
    base[-2] = Value::object(function);
    base[-1] = Value::fromBits(ReturnInfo::make(nullptr, 0, ReturnInfo::FlagEntry));
    vm.nativeTop = base + frame->live;
    putBack(frame, base);
    frame->awaited = nullptr;
    std::atomic_signal_fence(std::memory_order_release); // a profiler's signal finds the frame whole
    Completion<Value> result = Threw{};
    if (enterResumed(vm, base, frame->pc, mode, value))
        result = vm.interpretHook(vm, vm.pc, vm.base);
    if (UNLIKELY(result.threw()))
        frame->setState(FrameState::Finished);
    return result;
}

Completion<Value> resumeGenerator(Vm& vm, Generator* generator, ResumeMode mode, Value value, GeneratorStep& step) {
    SuspendedFrame* frame = generator->frame;
    step = GeneratorStep::Done;
    if (frame && UNLIKELY(frame->state() == FrameState::Running))
        return throwError(vm, Error::GeneratorRunning);
    if (frame && !generator->started) {
        if (mode == ResumeMode::Next)
            generator->started = true;
        else
            frame = generator->frame = nullptr; // 27.5.3.4 step 2: it never runs
    }
    if (!frame) {
        if (mode == ResumeMode::Throw)
            return vm.throwValue(value);
        return mode == ResumeMode::Return ? value : Value::undefined();
    }
    Completion<Value> result = resumeFrame(vm, frame, mode, value);
    if (frame->state() == FrameState::Suspended) {
        if (!result.threw())
            step = Op(u16(*frame->pc)) == Op::YieldDelegated && frame->handsResult ? GeneratorStep::Delegated
                                                                                   : GeneratorStep::Yielded;
    } else {
        generator->frame = nullptr;
    }
    return result;
}

// ---- going on in the activation of whoever resumes

Resumption resumeInPlace(Vm& vm, const u64* next, Value* base, Generator* generator, Value sent, u64 flags) {
    SuspendedFrame* frame = generator->frame;
    if (UNLIKELY(!frame) || UNLIKELY(frame->state() != FrameState::Suspended))
        return {nullptr, base};
    Function* function = frame->callee;
    u16 first = codeOf(base)->registerCount;
    Value* window = base + first;
    if (UNLIKELY(window + 2 + function->code()->registerCount > vm.stackLimit) || UNLIKELY(vm.budget <= 0))
        return {nullptr, base};
    vm.budget--;
    generator->started = true;
    window[0] = Value::object(function);
    window[1] = Value::fromBits(ReturnInfo::make(next, first, flags | ReturnInfo::FlagResume));
    putBack(frame, window + 2);
    return {goOn(window + 2, frame->pc, sent), window + 2};
}

/// The generator that the instruction has resumed.
static Generator* resumedBy(const u64* pc, const Value* base, u64 info) {
    u16 first = at<ops::ForOfNext>(pc).first.n;
    return base[ReturnInfo::resumesByCall(info) ? first + 2 : first].as<Generator>();
}

void abandonResumed(const u64* pc, Value* base, u64 info) {
    Generator* generator = resumedBy(pc, base, info);
    generator->frame->setState(FrameState::Finished);
    generator->frame = nullptr;
    Op op = Op(u16(*pc));
    if (op == Op::ForOfNext || op == Op::IteratorNext)
        base[at<ops::ForOfNext>(pc).first.n + 2] = Value::boolean(true);
}

void giveStepResult(Vm& vm, const u64* pc, Value* base, Value value, bool done) {
    Value* window = &base[at<ops::CallMethod>(pc).first.n];
    vm.pc = pc;
    vm.base = base;
    vm.realm = window[0].as<NativeFunction>()->realm;
    window[0] = Value::object(newIteratorResult(vm, value, done));
}

i32 takeReturned(const u64* pc, Value* base, Value value) {
    const auto& insn = at<ops::ForOfNext>(pc);
    Op op = Op(u16(*pc));
    if (op == Op::DelegateNext) {
        base[insn.dst.n] = value;
        base[insn.first.n + 3] = Value::int32(i32(ResumeMode::Next));
        return insn.target.words;
    }
    base[insn.first.n + 2] = Value::boolean(true);
    if (op == Op::ForOfNext)
        return insn.target.words;
    base[insn.dst.n] = Value::undefined();
    return 0;
}

/// 7.4.7 IteratorComplete; 7.4.8 IteratorValue of what is yielded, or of what is returned.
static Completion<bool> openResult(Vm& vm, Object* result, Value& value, bool wantsYielded) {
    bool done = toBoolean(TRY(get(vm, result, PropertyKey::atom(vm.names.done))));
    if (done == wantsYielded)
        return done;
    value = TRY(get(vm, result, PropertyKey::atom(vm.names.value)));
    return done;
}

int slowTakeDelegated(Vm& vm, const u64* pc, Value* base, Value result) {
    publish(vm, pc, base);
    const auto& insn = at<ops::ForOfNext>(pc);
    bool delegates = Op(u16(*pc)) == Op::DelegateNext;
    Value& state = base[insn.first.n + (delegates ? 3 : 2)];
    state = delegates ? Value::int32(i32(ResumeMode::Next)) : Value::boolean(true);
    Value value = result;
    Completion<bool> done = openResult(vm, result.asObject(), value, !delegates);
    if (done.threw())
        return -1;
    if (done.value())
        return takeReturned(pc, base, value);
    if (!delegates)
        state = Value::int32(StateGenerator);
    base[insn.dst.n] = value;
    return 0;
}

Completion<void> continueAsync(Vm& vm, SuspendedFrame* frame, Value value, bool rejected) {
    Completion<Value> result = resumeFrame(vm, frame, rejected ? ResumeMode::Throw : ResumeMode::Next, value);
    if (!result.threw())
        return {};
    // Its own handler has not got it: the run ends, or the stack was full before it could go on.
    Value exception = TRY(catchException(vm));
    if (kindOf(frame->owner) == Kind::AsyncGenerator)
        return asyncGeneratorEnd(vm, static_cast<AsyncGenerator*>(frame->owner.get()), exception, true);
    frame->setState(FrameState::Finished);
    rejectPromise(vm, static_cast<Promise*>(frame->owner.get()), exception);
    return {};
}

// ---- yield*

bool slowDelegateInit(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::DelegateInit>(pc);
    publish(vm, pc, base);
    Completion<IteratorRecord> record = getIterator(vm, base[insn.iterable.n]);
    if (record.threw())
        return false;
    Value* delegate = &base[insn.first.n];
    delegate[0] = record.value().iterator;
    delegate[1] = isPlainGenerator(vm, record.value()) ? Value::int32(StateGenerator) : record.value().nextMethod;
    delegate[2] = Value::undefined();
    delegate[3] = Value::int32(i32(ResumeMode::Next));
    return true;
}

/// The method that the mode stands for; undefined for a return() that the iterator does not care about.
static Completion<Value> delegateMethod(Vm& vm, const Value* delegate) {
    auto mode = ResumeMode(delegate[3].asInt());
    if (mode == ResumeMode::Next)
        return delegate[1];
    bool isThrow = mode == ResumeMode::Throw;
    Value method = TRY(getMethod(vm, delegate[0], PropertyKey::atom(isThrow ? vm.names.throw_ : vm.names.return_)));
    if (!isThrow || !method.isUndefined())
        return method;
    TRY(iteratorClose(vm, delegate[0])); // a chance to clean up before the error that follows
    return throwError(vm, Error::ThrowMethodMissing);
}

/// The inner generator's step where it cannot be made in place.
static Completion<bool> delegateToGenerator(Vm& vm, Value* delegate) {
    GeneratorStep step;
    auto* generator = delegate[0].as<Generator>();
    delegate[2] = TRY(resumeGenerator(vm, generator, ResumeMode::Next, delegate[2], step));
    if (step == GeneratorStep::Done)
        return true;
    if (step == GeneratorStep::Delegated)
        return openResult(vm, delegate[2].asObject(), delegate[2], false);
    delegate[3] = DelegatesValue;
    return false;
}

static Completion<bool> delegateNext(Vm& vm, Value* delegate) {
    if (delegate[1].isInt() && delegate[3] == Value::int32(i32(ResumeMode::Next)))
        return delegateToGenerator(vm, delegate);
    Value method = TRY(delegateMethod(vm, delegate));
    if (method.isUndefined() && delegate[3] == Value::int32(i32(ResumeMode::Return)))
        return true;
    Value result = TRY(call(vm, method, delegate[0], delegate[2]));
    if (!result.isObject())
        return throwError(vm, Error::IteratorResultNotObject, result);
    delegate[2] = result;
    return openResult(vm, result.asObject(), delegate[2], false);
}

int slowDelegateNext(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    Completion<bool> finished = delegateNext(vm, &base[at<ops::DelegateNext>(pc).first.n]);
    return finished.threw() ? -1 : finished.value();
}

}
