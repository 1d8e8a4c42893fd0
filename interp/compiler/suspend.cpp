// Where functions wait: generators, async functions, yield, await (ECMA-262 15.5, 15.8, 27.5, 27.7). The code of a
// function that may wait keeps its SuspendedFrame in a register; what is live where it waits lies below the register
// that holds the value.
#include "interp/compiler/function_compiler.h"
#include "runtime/core/suspension.h"

namespace scr {

/// The whole of an async function stands in a try: what it throws rejects its promise. In an async generator that is
/// what follows the parameters.
void FunctionCompiler::beginSuspendable() {
    if (!suspends())
        return;
    frame_ = emit_.allocate();
    emit_.loadUndefined(frame_);
    if (isModule() ? node_.isAsync : !node_.isGenerator)
        beginRejecting();
}

void FunctionCompiler::beginRejecting() {
    rejecting_.begin = emit_.here();
    control_ = &rejecting_;
}

/// The parameters are bound and the variables made: the caller gets the generator (15.5.2, 15.6.2), or has linked the
/// module.
void FunctionCompiler::startGenerator() {
    if (isModule()) {
        Reg environment = functionEnvironment_ ? functionEnvironment_->reg : NoReg;
        emit_.emit(ops::StartModule{.frame = frame_, .env = environment, .live = {liveRegisters(emit_.next())}});
        return;
    }
    if (!node_.isGenerator)
        return;
    emit_.place(node_.span);
    emit_.emit(ops::StartGenerator{.frame = frame_, .live = {liveRegisters(emit_.next())}});
    if (node_.isAsync)
        beginRejecting();
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
    if (node_.isGenerator)
        emit_.emit(ops::RejectAsyncGenerator{.src = exception, .frame = frame_});
    else
        emit_.emit(ops::RejectAsync{.src = exception, .frame = frame_});
    emit_.release(exception.n);
}

/// What a `return` in a suspendable function comes to.
void FunctionCompiler::returnSuspendable(Reg value) {
    u16 mark = emit_.next();
    if (value == Any)
        emit_.loadUndefined(value = emit_.allocate());
    if (isAsyncGenerator())
        emit_.emit(ops::ReturnAsyncGenerator{.src = value, .frame = frame_});
    else if (node_.isGenerator || (isModule() && !node_.isAsync))
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
void FunctionCompiler::emitAwait(Reg first) {
    ASSERT(first.n + 1 == emit_.next());
    liveRegisters(first.n);
    emit_.emit(ops::Await{.first = first, .frame = frame_});
}

Reg FunctionCompiler::await(Await* e, Reg want) {
    Reg value = toNext(e->argument);
    emitAwait(value, e->span);
    return settle(want, value);
}

// ---- yield

/// A yield that ends the generator.
void FunctionCompiler::returnFrom(Span span, Reg value) {
    Span outer = leaving_;
    leaving_ = span;
    leave({Control::Exit::Return, nullptr}, value);
    leaving_ = outer;
}

/// Hands R(first) out, awaited in an async generator. Where return() goes on is told apart (27.6.3.7: there its value
/// is awaited too); next() goes on behind. Known: the last register in use.
void FunctionCompiler::emitYield(Reg first, Span span) {
    ASSERT(first.n + 1 == emit_.next());
    if (isAsyncGenerator())
        emitAwait(first, span);
    liveRegisters(first.n);
    emit_.place(span);
    if (isAsyncGenerator())
        emit_.emit(ops::AsyncYield{.first = first, .frame = frame_});
    else
        emit_.emit(ops::Yield{.first = first, .frame = frame_});
    JumpTarget next;
    emit_.jump(next);
    if (isAsyncGenerator())
        emitAwait(first, span);
    returnFrom(span, first);
    emit_.bind(next);
}

Reg FunctionCompiler::yield(Yield* e, Reg want) {
    if (e->isDelegate)
        return node_.isAsync ? delegateAsync(e, want) : delegate(e, want);
    Reg value;
    if (e->argument)
        value = toNext(e->argument);
    else
        emit_.loadUndefined(value = emit_.allocate());
    emitYield(value, e->span);
    return settle(want, value);
}

/// What a yield* iterates over, and where its errors stand: as those of the first name of a statement (namePoint).
u32 FunctionCompiler::delegated(Expr* e, Reg value) {
    u32 begin = emit_.here(), atBegin = statementPoint_;
    bool hasPoint = e->is<Call>() || e->is<Member>() || e->is<Index>() || e->is<New>();
    expression(e, value);
    return begin == statementWord_ && !hasPoint ? atBegin : pointOf(e);
}

/// yield* (15.5.5): the inner iterator gets what the generator is given, and the generator hands out its results.
Reg FunctionCompiler::delegate(Yield* e, Reg want) {
    u16 mark = emit_.next();
    Reg result = emit_.allocate(), iterator = emit_.allocate();
    emit_.allocate();
    Reg value = emit_.allocate();
    u32 point = delegated(e->argument, value);
    Reg mode = emit_.allocate();
    emit_.place(e->argument->span, point);
    emit_.emit(ops::DelegateInit{.first = iterator, .iterable = value});
    JumpTarget top, finished, next;
    emit_.bind(top);
    emit_.place(e->span, point);
    emit_.iterate(Op::DelegateNext, iterator, value, finished);
    liveRegisters(value.n);
    emit_.emit(ops::YieldDelegated{.first = value, .frame = frame_});
    emit_.loop(top);
    emit_.bind(finished);
    emit_.compareJump(Op::JumpIfStrictNotEqualInt, mode, u16(ResumeMode::Return), next);
    returnFrom(e->span, value);
    emit_.bind(next);
    move(result, value);
    emit_.release(mark + 1);
    return settle(want, result);
}

/// The same in an async generator. What return() brings is awaited where it arrives, and throws here if it is rejected:
/// the inner iterator gets what comes of it.
Reg FunctionCompiler::delegateAsync(Yield* e, Reg want) {
    u16 mark = emit_.next();
    Reg result = emit_.allocate(), iterator = emit_.allocate();
    emit_.allocate();
    Reg mode = emit_.allocate(), value = emit_.allocate();
    u32 point = delegated(e->argument, value);
    emit_.place(e->argument->span, point);
    emit_.emit(ops::AsyncDelegateInit{.first = iterator, .iterable = value});
    liveRegisters(value.n);
    JumpTarget top, finished, goesOn, ignored, next, rejected;
    emit_.bind(top);
    emit_.place(e->span);
    emit_.iterate(Op::AsyncDelegateNext, iterator, value, ignored);
    emitAwait(value);
    emit_.iterate(Op::AsyncDelegateResult, iterator, value, finished);
    emit_.emit(ops::AsyncYieldDelegated{.first = value, .frame = frame_});
    emit_.compareJump(Op::JumpIfStrictNotEqualInt, mode, u16(ResumeMode::Return), goesOn);
    u32 begin = emit_.here();
    emitAwait(value, e->span);
    u32 end = emit_.here();
    emit_.bind(goesOn);
    emit_.loop(top);
    emit_.bind(rejected);
    emit_.handler(begin, end, rejected, value);
    emit_.emit(ops::LoadInt{.dst = mode, .value = {i32(ResumeMode::Throw)}});
    emit_.loop(top);
    emit_.bind(ignored);
    emitAwait(value, e->span);
    returnFrom(e->span, value);
    emit_.bind(finished);
    emit_.compareJump(Op::JumpIfStrictNotEqualInt, mode, u16(ResumeMode::Return), next);
    returnFrom(e->span, value);
    emit_.bind(next);
    move(result, value);
    emit_.release(mark + 1);
    return settle(want, result);
}

// ---- for await

/// 7.4.13 AsyncIteratorClose after anything but a throw.
void FunctionCompiler::closeAsync(Reg iterator) {
    Reg result = emit_.allocate();
    JumpTarget none;
    emit_.iterate(Op::AsyncIteratorClose, iterator, result, none);
    emitAwait(result);
    emit_.emit(ops::CheckIteratorResult{.a = result});
    emit_.bind(none);
    emit_.release(result.n);
}

/// The same after a throw: what goes wrong does not count. Known: registers up to the next are live.
void FunctionCompiler::closeAsyncSilently(Reg iterator) {
    u32 begin = emit_.here();
    Reg result = emit_.allocate();
    JumpTarget end, caught;
    emit_.iterate(Op::AsyncIteratorClose, iterator, result, end);
    emitAwait(result);
    u32 here = emit_.here();
    emit_.jump(end);
    emit_.bind(caught);
    emit_.handler(begin, here, caught, result);
    emit_.bind(end);
    emit_.release(result.n);
}

}
