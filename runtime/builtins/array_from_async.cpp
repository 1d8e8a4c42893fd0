// Array.fromAsync (ECMA-262 23.1.2.1): an async function made of C++. Where it waits, its Waiter holds what it needs to
// go on, and Cell::flags is the phase. Invariant: what is thrown in the phase Mapped closes the iterator first.
#include "runtime/builtins/array_support.h"
#include "runtime/core/async_iteration.h"

namespace scr {

namespace {

enum Phase : u8 {
    StepResult, ///< the iterator's next result is awaited
    Mapped, ///< what the mapper gave for a value of the iterator
    Closing, ///< what return() gave, before the promise is rejected
    Element, ///< an element of an array-like object
    MappedElement, ///< what the mapper gave for one
};

/// Words of the Waiter.
enum Word : u8 {
    Source, ///< the iterator, or the array-like object
    Next, ///< the iterator's method
    Mapper, ///< undefined: none
    MapperThis,
    Target,
    Index,
    Length, ///< of the array-like object
    Reason, ///< of the rejection
    WordCount,
};

class FromAsync {
public:
    FromAsync(Vm& vm, Waiter* waiter)
        : vm_(vm)
        , words_(waiter->values)
        , waiter_(waiter) { }

    Completion<void> begin(Value receiver, Value items);
    Completion<void> resume(Value value);
    Completion<void> close(Value reason);

private:
    double index() const { return words_[Index].asNumber(); }
    void enter(Phase phase) { waiter_->flags = phase; }
    Completion<bool> openIterator(Value items);
    Completion<void> map(Value value, Phase phase);
    Completion<void> add(Value value);
    Completion<void> askNext();
    Completion<void> askElement();
    Completion<void> finish();

    Vm& vm_;
    Value* words_;
    Waiter* waiter_;
};

/// False: the items are none that can be iterated over.
Completion<bool> FromAsync::openIterator(Value items) {
    Value method = TRY(getMethod(vm_, items, SYMBOL(vm_, asyncIterator)));
    bool isSync = method.isUndefined();
    if (isSync)
        method = TRY(getMethod(vm_, items, SYMBOL(vm_, iterator)));
    if (method.isUndefined())
        return false;
    Value iterator = TRY(call(vm_, method, items));
    if (!iterator.isObject())
        return throwError(vm_, isSync ? Error::IteratorSymbolNotObject : Error::AsyncIteratorSymbolNotObject);
    IteratorRecord record{iterator, TRY(get(vm_, iterator.asObject(), KEY(vm_, next)))};
    if (isSync)
        record = TRY(newAsyncFromSyncIterator(vm_, record));
    words_[Source] = record.iterator;
    words_[Next] = record.nextMethod;
    return true;
}

Completion<void> FromAsync::begin(Value receiver, Value items) {
    enter(Element);
    if (!words_[Mapper].isUndefined())
        TRY(requireCallable(vm_, words_[Mapper]));
    if (TRY(openIterator(items))) {
        words_[Target] = Value::object(TRY(constructReceiver(vm_, receiver, nullptr)));
        return askNext();
    }
    Object* source = TRY(toObject(vm_, items));
    double length = TRY(lengthAt(vm_, source));
    words_[Source] = Value::object(source);
    words_[Length] = Value::number(length);
    words_[Target] = Value::object(TRY(constructReceiver(vm_, receiver, &length)));
    return askElement();
}

Completion<void> FromAsync::askNext() {
    enter(StepResult);
    if (!isCallable(words_[Next]))
        return throwError(vm_, Error::NotCallable, std::string_view(describeWithType(vm_, words_[Next])));
    return awaitNative(vm_, TRY(call(vm_, words_[Next], words_[Source])), waiter_);
}

Completion<void> FromAsync::askElement() {
    enter(Element);
    if (index() >= words_[Length].asNumber())
        return finish();
    return awaitNative(vm_, TRY(getAt(vm_, words_[Source].asObject(), index())), waiter_);
}

Completion<void> FromAsync::map(Value value, Phase phase) {
    enter(phase);
    return awaitNative(vm_, TRY(call(vm_, words_[Mapper], words_[MapperThis], value, words_[Index])), waiter_);
}

Completion<void> FromAsync::add(Value value) {
    double at = index();
    words_[Index] = Value::number(at + 1);
    return defineAt(vm_, words_[Target].asObject(), at, value);
}

Completion<void> FromAsync::finish() {
    TRY(finishLength(vm_, words_[Target].asObject(), index()));
    return resolvePromise(vm_, waiter_->promise, words_[Target]);
}

/// The value that was awaited is there.
Completion<void> FromAsync::resume(Value value) {
    auto phase = Phase(waiter_->flags);
    bool isMapping = !words_[Mapper].isUndefined();
    if (phase == Element && isMapping)
        return map(value, MappedElement);
    if (phase == Element || phase == MappedElement) {
        TRY(add(value));
        return askElement();
    }
    if (phase == StepResult) {
        if (!value.isObject())
            return throwError(vm_, Error::IteratorResultNotObject, value);
        if (toBoolean(TRY(get(vm_, value.asObject(), KEY(vm_, done)))))
            return finish();
        value = TRY(get(vm_, value.asObject(), KEY(vm_, value)));
        if (isMapping)
            return map(value, Mapped);
        enter(Mapped);
    }
    TRY(add(value));
    return askNext();
}

/// 7.4.13 AsyncIteratorClose with a throw completion.
Completion<void> FromAsync::close(Value reason) {
    enter(Closing);
    words_[Reason] = reason;
    Completion<Value> method = getMethod(vm_, words_[Source], KEY(vm_, return_));
    if (!method.threw() && !method.value().isUndefined()) {
        Completion<Value> result = call(vm_, method.value(), words_[Source]);
        if (!result.threw() && !awaitNative(vm_, result.value(), waiter_).threw())
            return {};
    }
    if (vm_.terminating())
        return Threw{};
    vm_.pendingException = Value::undefined();
    rejectPromise(vm_, waiter_->promise, reason);
    return {};
}

/// What is thrown closes the iterator if it was not the iterator's own.
Completion<void> fail(Vm& vm, Waiter* waiter, Value reason) {
    if (waiter->flags == Mapped)
        return FromAsync(vm, waiter).close(reason);
    rejectPromise(vm, waiter->promise, waiter->flags == Closing ? waiter->values[Reason] : reason);
    return {};
}

Completion<void> fromAsyncSettled(Vm& vm, Waiter* waiter, Value value, bool rejected) {
    if (rejected || waiter->flags == Closing)
        return fail(vm, waiter, value);
    if (!FromAsync(vm, waiter).resume(value).threw())
        return {};
    return fail(vm, waiter, TRY(catchException(vm)));
}

}

// 23.1.2.1 Array.fromAsync ( items [ , mapper [ , thisArg ] ] )
Result array_fromAsync(Vm& vm, Args args) {
    Promise* promise = newPromise(vm);
    Waiter* waiter = newWaiter(vm, fromAsyncSettled, promise, WordCount);
    waiter->values[Mapper] = args[1];
    waiter->values[MapperThis] = args[2];
    waiter->values[Index] = Value::int32(0);
    if (FromAsync(vm, waiter).begin(args.self(), args[0]).threw())
        TRY(fail(vm, waiter, TRY(catchException(vm))));
    return Value::object(promise);
}

}
