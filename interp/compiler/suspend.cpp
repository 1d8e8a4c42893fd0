// Where functions wait: generators, async functions, yield, await (ECMA-262 15.5, 15.8, 27.5, 27.7). The code of a
// function that may wait keeps its SuspendedFrame in a register; what is live where it waits lies below the register
// that holds the value.
#include "interp/compiler/function_compiler.h"
#include "runtime/core/suspension.h"

namespace scr {

/// The whole of an async function stands in a try: what it throws rejects its promise.
void FunctionCompiler::beginSuspendable() {
    if (!suspends())
        return;
    frame_ = emit_.allocate();
    emit_.loadUndefined(frame_);
    if (!node_.isGenerator)
        beginRejecting();
}

void FunctionCompiler::beginRejecting() {
    rejecting_.begin = emit_.here();
    control_ = &rejecting_;
}

/// The parameters are bound and the variables made: the caller gets the generator (15.5.2, 15.6.2).
void FunctionCompiler::startGenerator() {
    if (!node_.isGenerator)
        return;
    emit_.place(node_.span);
    emit_.emit(ops::StartGenerator{.frame = frame_, .live = {liveRegisters(emit_.next())}});
}

void FunctionCompiler::endSuspendable() {
    if (control_ != &rejecting_)
        return;
    control_ = nullptr;
    u32 end = emit_.here();
    JumpTarget caught;
    emit_.bind(caught);
    Reg exception = emit_.allocate();
    protect(rejecting_, end, caught, exception);
    emit_.place(node_.span);
    emit_.emit(ops::RejectAsync{.src = exception, .frame = frame_});
    emit_.release(exception.n);
}

/// What a `return` in a suspendable function comes to.
void FunctionCompiler::returnSuspendable(Reg value) {
    u16 mark = emit_.next();
    if (value == Any)
        emit_.loadUndefined(value = emit_.allocate());
    if (node_.isGenerator)
        emit_.emit(ops::ReturnGenerator{.src = value, .frame = frame_});
    else
        emit_.emit(ops::ReturnAsync{.src = value, .frame = frame_});
    emit_.release(mark);
}

/// Notes how many registers the frame must have room for.
u16 FunctionCompiler::liveRegisters(u16 count) {
    if (count > frameCapacity_)
        frameCapacity_ = count;
    return count;
}

// ---- await

/// R(first) = Await(R(first)). Known: it is the last register in use.
void FunctionCompiler::emitAwait(Reg first, Span span) {
    ASSERT(first.n + 1 == emit_.next());
    liveRegisters(first.n);
    emit_.place(span);
    emit_.emit(ops::Await{.first = first, .frame = frame_});
}

Reg FunctionCompiler::await(Await* e, Reg want) {
    Reg value = toNext(e->argument);
    emitAwait(value, e->span);
    return settle(want, value);
}

// ---- yield

/// Hands R(first) out. Where return() goes on is told apart; next() goes on behind. Known: the last register in use.
void FunctionCompiler::emitYield(Reg first, Span span) {
    ASSERT(first.n + 1 == emit_.next());
    liveRegisters(first.n);
    emit_.place(span);
    emit_.emit(ops::Yield{.first = first, .frame = frame_});
    JumpTarget next;
    emit_.jump(next);
    leave({Control::Exit::Return, nullptr}, first);
    emit_.bind(next);
}

Reg FunctionCompiler::yield(Yield* e, Reg want) {
    if (e->isDelegate)
        return delegate(e, want);
    Reg value;
    if (e->argument)
        value = toNext(e->argument);
    else
        emit_.loadUndefined(value = emit_.allocate());
    emitYield(value, e->span);
    return settle(want, value);
}

/// yield* (15.5.5): the inner iterator gets what the generator is given, and the generator hands out its results.
Reg FunctionCompiler::delegate(Yield* e, Reg want) {
    u16 mark = emit_.next();
    Reg result = emit_.allocate(), iterator = emit_.allocate();
    emit_.allocate();
    Reg value = emit_.allocate();
    expression(e->argument, value);
    Reg mode = emit_.allocate();
    emit_.place(e->argument->span, pointOf(e->argument));
    emit_.emit(ops::DelegateInit{.first = iterator, .iterable = value});
    JumpTarget top, finished, next;
    emit_.bind(top);
    emit_.place(e->span);
    emit_.iterate(Op::DelegateNext, iterator, value, finished);
    liveRegisters(value.n);
    emit_.emit(ops::YieldDelegated{.first = value, .frame = frame_});
    emit_.loop(top);
    emit_.bind(finished);
    emit_.compareJump(Op::JumpIfStrictNotEqualInt, mode, u16(ResumeMode::Return), next);
    leave({Control::Exit::Return, nullptr}, value);
    emit_.bind(next);
    move(result, value);
    emit_.release(mark + 1);
    return settle(want, result);
}

}
