// Async generators and async iteration: what their instructions do (ECMA-262 7.4, 14.7.5, 15.5.5, 27.6). Every value
// that has to be awaited is left in a register for the Await that follows.
#include "interp/vm/slow_paths.h"
#include "runtime/core/async_generator.h"
#include "runtime/core/async_iteration.h"
#include "runtime/core/error.h"

namespace scr {

static AsyncGenerator* generatorOf(Value frame) {
    return static_cast<AsyncGenerator*>(frame.as<SuspendedFrame>()->owner.get());
}

// ---- yielding and ending

int slowAsyncYield(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::AsyncYield>(pc);
    publish(vm, pc, base);
    ResumeMode mode;
    Value value = base[insn.first.n];
    Value frame = base[insn.frame.n];
    Completion<bool> goesOn = asyncGeneratorYield(vm, generatorOf(frame), value, mode);
    if (goesOn.threw())
        return -1;
    if (!goesOn.value()) {
        suspend(frame.as<SuspendedFrame>(), pc, base, insn.first.n);
        return 0;
    }
    if (Op(u16(*pc)) == Op::AsyncYieldDelegated)
        base[insn.first.n - 1] = Value::int32(i32(mode));
    else if (mode == ResumeMode::Throw)
        return (void)vm.throwValue(value), -1;
    else if (mode == ResumeMode::Next)
        vm.pc += 1 + at<ops::Jump>(pc + 1).target.words;
    else
        vm.pc++;
    vm.pc++;
    base[insn.first.n] = value;
    return 1;
}

static Completion<Value> end(Vm& vm, const u64* pc, Value* base, bool rejected) {
    const auto& insn = at<ops::ReturnAsyncGenerator>(pc);
    publish(vm, pc, base);
    TRY(asyncGeneratorEnd(vm, generatorOf(base[insn.frame.n]), base[insn.src.n], rejected));
    return Value::undefined();
}

Completion<Value> slowReturnAsyncGenerator(Vm& vm, const u64* pc, Value* base) { return end(vm, pc, base, false); }
Completion<Value> slowRejectAsyncGenerator(Vm& vm, const u64* pc, Value* base) { return end(vm, pc, base, true); }

// ---- iterators

static Threw throwNotAsyncIterable(Vm& vm, const u64* pc, Value* base, Value method) {
    std::string text = expressionText(vm, codeOf(base), pc);
    if (Op(u16(*pc)) == Op::AsyncDelegateInit || text.empty() || text.find("(intermediate value)") != text.npos)
        return throwError(vm, Error::NotCallable, std::string_view(describeWithType(vm, method)));
    bool isCall = text.ends_with("(...)");
    return throwError(vm, isCall ? Error::CallNotAsyncIterable : Error::NotAsyncIterable, std::string_view(text));
}

/// 7.4.3 GetIterator ( obj, async ).
static Completion<IteratorRecord> openAsyncIterator(Vm& vm, const u64* pc, Value* base, Value iterable) {
    Value method = TRY(getOf(vm, iterable, PropertyKey::symbol(vm.symbols.asyncIterator)));
    bool isSync = method.isNullish();
    if (isSync)
        method = TRY(getOf(vm, iterable, PropertyKey::symbol(vm.symbols.iterator)));
    if (!isCallable(method))
        return throwNotAsyncIterable(vm, pc, base, method);
    Value iterator = TRY(call(vm, method, iterable));
    if (!iterator.isObject())
        return throwError(vm, isSync ? Error::IteratorSymbolNotObject : Error::AsyncIteratorSymbolNotObject);
    IteratorRecord record{iterator, TRY(get(vm, iterator.asObject(), PropertyKey::atom(vm.names.next)))};
    return isSync ? newAsyncFromSyncIterator(vm, record) : record;
}

static Completion<Value> callMethod(Vm& vm, Value method, Value self, const Value* args, u32 argc) {
    if (!isCallable(method))
        return throwError(vm, Error::NotCallable, std::string_view(describeWithType(vm, method)));
    return call(vm, method, self, args, argc);
}

/// Takes the result object of a step apart: true at the end.
static Completion<bool> takeResult(Vm& vm, Value& value) {
    if (!value.isObject())
        return throwError(vm, Error::IteratorResultNotObject, value);
    Object* result = value.asObject();
    bool done = toBoolean(TRY(get(vm, result, PropertyKey::atom(vm.names.done))));
    value = TRY(get(vm, result, PropertyKey::atom(vm.names.value)));
    return done;
}

// ---- for await

bool slowForAwaitInit(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::ForAwaitInit>(pc);
    publish(vm, pc, base);
    Completion<IteratorRecord> record = openAsyncIterator(vm, pc, base, base[insn.iterable.n]);
    if (record.threw())
        return false;
    base[insn.first.n] = record.value().iterator;
    base[insn.first.n + 1] = record.value().nextMethod;
    return true;
}

bool slowForAwaitNext(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::ForAwaitNext>(pc);
    publish(vm, pc, base);
    Completion<Value> result = callMethod(vm, base[insn.first.n + 1], base[insn.first.n], nullptr, 0);
    if (result.threw())
        return false;
    base[insn.dst.n] = result.value();
    return true;
}

/// Unlike yield*, a loop does not read the value that comes with the end.
int slowForAwaitResult(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::ForAwaitResult>(pc);
    publish(vm, pc, base);
    auto take = [&]() -> Completion<bool> {
        Value result = base[insn.value.n];
        if (!result.isObject())
            return throwError(vm, Error::IteratorResultNotObject, result);
        if (toBoolean(TRY(get(vm, result.asObject(), PropertyKey::atom(vm.names.done)))))
            return true;
        base[insn.value.n] = TRY(get(vm, result.asObject(), PropertyKey::atom(vm.names.value)));
        return false;
    };
    Completion<bool> done = take();
    return done.threw() ? -1 : done.value();
}

int slowAsyncIteratorClose(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::AsyncIteratorClose>(pc);
    publish(vm, pc, base);
    Value iterator = base[insn.first.n];
    Completion<Value> method = getMethod(vm, iterator, PropertyKey::atom(vm.names.return_));
    if (method.threw())
        return -1;
    if (method.value().isUndefined())
        return 1;
    Completion<Value> result = call(vm, method.value(), iterator);
    if (result.threw())
        return -1;
    base[insn.dst.n] = result.value();
    return 0;
}

bool slowCheckIteratorResult(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    Value result = base[at<ops::CheckIteratorResult>(pc).a.n];
    if (LIKELY(result.isObject()))
        return true;
    (void)throwError(vm, Error::IteratorResultNotObject, result);
    return false;
}

// ---- yield* in an async generator (15.5.5)

/// The registers behind iterator and next method.
enum { DelegateMode = 2, DelegateValue };

/// In the register of the ResumeMode: a return() of an iterator that has no throw() is awaited.
constexpr i32 ModeClosing = 3;

bool slowAsyncDelegateInit(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::AsyncDelegateInit>(pc);
    publish(vm, pc, base);
    Completion<IteratorRecord> record = openAsyncIterator(vm, pc, base, base[insn.iterable.n]);
    if (record.threw())
        return false;
    Value* delegate = &base[insn.first.n];
    delegate[0] = record.value().iterator;
    delegate[1] = record.value().nextMethod;
    delegate[DelegateMode] = Value::int32(i32(ResumeMode::Next));
    delegate[DelegateValue] = Value::undefined();
    return true;
}

/// Hands on what the generator was given; true: return() ends here, since the iterator has none.
static Completion<bool> delegateCall(Vm& vm, Value* delegate) {
    auto mode = ResumeMode(delegate[DelegateMode].asInt());
    if (mode == ResumeMode::Next) {
        delegate[DelegateValue] = TRY(callMethod(vm, delegate[1], delegate[0], &delegate[DelegateValue], 1));
        return false;
    }
    PropertyKey returnKey = PropertyKey::atom(vm.names.return_);
    bool isThrow = mode == ResumeMode::Throw;
    Value method = TRY(getMethod(vm, delegate[0], isThrow ? PropertyKey::atom(vm.names.throw_) : returnKey));
    if (!method.isUndefined()) {
        delegate[DelegateValue] = TRY(call(vm, method, delegate[0], delegate[DelegateValue]));
        return false;
    }
    if (!isThrow)
        return true;
    method = TRY(getMethod(vm, delegate[0], returnKey)); // a chance to clean up before the error that follows
    if (method.isUndefined())
        return throwError(vm, Error::ThrowMethodMissing);
    delegate[DelegateValue] = TRY(call(vm, method, delegate[0]));
    delegate[DelegateMode] = Value::int32(ModeClosing);
    return false;
}

int slowAsyncDelegateNext(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    Completion<bool> ends = delegateCall(vm, &base[at<ops::AsyncDelegateNext>(pc).first.n]);
    return ends.threw() ? -1 : ends.value();
}

int slowAsyncDelegateResult(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    Value* delegate = &base[at<ops::AsyncDelegateResult>(pc).first.n];
    auto take = [&]() -> Completion<bool> {
        if (delegate[DelegateMode] != Value::int32(ModeClosing))
            return takeResult(vm, delegate[DelegateValue]);
        if (!delegate[DelegateValue].isObject())
            return throwError(vm, Error::IteratorResultNotObject, delegate[DelegateValue]);
        return throwError(vm, Error::ThrowMethodMissing);
    };
    Completion<bool> done = take();
    return done.threw() ? -1 : done.value();
}

}
