// Iterator, Iterator.from and the methods of Iterator.prototype (ECMA-262 27.1.3, 27.1.4). Each reads the receiver's
// `next` once, after its arguments were found good; bad ones close the receiver.
#include "runtime/builtins/iterator_helper.h"
#include "runtime/builtins/makers.h"

#include <cmath>

namespace scr {

static constexpr double MaxSafeInteger = 9007199254740991.0;

// ---- Iterator

// 27.1.3.1.1 Iterator ( ): abstract, for subclasses only
Result iterator_constructor(Vm& vm, Args args) {
    Value newTarget = vm.takeNewTarget();
    if (newTarget.isUndefined())
        return throwError(vm, Error::ConstructorNeedsNew, "Iterator");
    if (newTarget.asObject() == static_cast<Object*>(args.callee()))
        return throwError(vm, Error::AbstractClass, "Iterator");
    return Value::object(newObject(vm, TRY(prototypeFor(vm, args, newTarget, Intrinsic::IteratorPrototype))));
}

namespace {

/// What Iterator.from makes of an iterator that does not inherit from Iterator.prototype.
struct WrappedIterator : Object {
    Value iterator, next;
};

void traceWrapped(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    auto* wrapped = static_cast<WrappedIterator*>(cell);
    marker.markValues(&wrapped->iterator, 1);
    marker.markValues(&wrapped->next, 1);
}

}

void registerIteratorHelper(Heap& heap);
void registerIteratorMethods(Heap& heap) {
    heap.setTrace(u8(Kind::WrappedIterator), traceWrapped);
    registerIteratorHelper(heap);
}

// 27.1.3.2.1 Iterator.from ( O )
Result iterator_from(Vm& vm, Args args) {
    IteratorRecord record = TRY(iteratorFlattenable(vm, args[0], Flattenable::ObjectsAndStrings, "Iterator.from"));
    Value constructor = Value::object(vm.realm->intrinsic(vm, Intrinsic::Iterator));
    if (TRY(ordinaryHasInstance(vm, constructor, record.iterator)))
        return record.iterator;
    Shape* shape = rootShape(vm, vm.realm->intrinsic(vm, Intrinsic::WrapForValidIteratorPrototype), 0);
    auto* wrapped =
        static_cast<WrappedIterator*>(allocateObject(vm, Kind::WrappedIterator, sizeof(WrappedIterator), shape));
    wrapped->iterator = record.iterator;
    wrapped->next = record.nextMethod;
    return Value::object(wrapped);
}

// 27.1.3.2.1.1.1 %WrapForValidIteratorPrototype%.next ( )
Result wrappedIterator_next(Vm& vm, Args args) {
    auto* wrapped =
        TRY(thisAs<WrappedIterator>(vm, args.self(), Kind::WrappedIterator, "%WrapForValidIteratorPrototype%.next"));
    if (vm.cStackLow())
        return vm.throwStackOverflow();
    return call(vm, wrapped->next, wrapped->iterator);
}

// 27.1.3.2.1.1.2 %WrapForValidIteratorPrototype%.return ( )
Result wrappedIterator_return(Vm& vm, Args args) {
    auto* wrapped =
        TRY(thisAs<WrappedIterator>(vm, args.self(), Kind::WrappedIterator, "%WrapForValidIteratorPrototype%.return"));
    if (vm.cStackLow())
        return vm.throwStackOverflow();
    Value method = TRY(getMethod(vm, wrapped->iterator, KEY(vm, return_)));
    if (method.isUndefined())
        return Value::object(newIteratorResult(vm, Value::undefined(), true));
    return call(vm, method, wrapped->iterator);
}

// ---- the accessors that pretend to be data properties

// 7.3.x SetterThatIgnoresPrototypeProperties ( this, home, p, v )
static Result setIgnoringPrototype(Vm& vm, Args args, PropertyKey key) {
    Value self = args.self(), home = Value::object(vm.realm->intrinsic(vm, Intrinsic::IteratorPrototype));
    if (!self.isObject())
        return throwError(vm, Error::NotObject, self);
    if (self == home)
        return throwError(vm, Error::ReadOnlyProperty, MessagePart(key), "object", self);
    if (TRY(hasOwnProperty(vm, self.asObject(), key)))
        TRY(put(vm, self, key, args[0]));
    else
        TRY(createDataPropertyOrThrow(vm, self.asObject(), key, args[0]));
    return Value::undefined();
}
// 27.1.4.1 Iterator.prototype.constructor
Result iterator_prototype_getConstructor(Vm& vm, Args) {
    return Value::object(vm.realm->intrinsic(vm, Intrinsic::Iterator));
}
Result iterator_prototype_setConstructor(Vm& vm, Args args) {
    return setIgnoringPrototype(vm, args, KEY(vm, constructor));
}
// 27.1.4.14 Iterator.prototype [ %Symbol.toStringTag% ]
Result iterator_prototype_getTag(Vm& vm, Args) { return asciiValue(vm, "Iterator"); }
Result iterator_prototype_setTag(Vm& vm, Args args) { return setIgnoringPrototype(vm, args, SYMBOL(vm, toStringTag)); }

// Iterator.prototype [ %Symbol.dispose% ] ( )
Result iterator_prototype_dispose(Vm& vm, Args args) {
    Value method = TRY(getMethod(vm, args.self(), KEY(vm, return_)));
    if (!method.isUndefined())
        TRY(call(vm, method, args.self()));
    return Value::undefined();
}

// ---- what the methods share

namespace {

Completion<Object*> receiver(Vm& vm, Args args, std::string_view method) {
    if (!args.self().isObject())
        return throwError(vm, Error::CalledOnNonObject, method);
    return args.self().asObject();
}

/// The receiver as an iterator whose method takes a function.
Completion<IteratorRecord> withCallback(Vm& vm, Args args, std::string_view method) {
    Object* iterator = TRY(receiver(vm, args, method));
    if (!isCallable(args[0])) {
        (void)throwError(vm, Error::NotCallable, args[0]);
        return iteratorCloseThrow(vm, args.self());
    }
    return iteratorDirect(vm, iterator);
}

/// Calls `use(value, index)` -> Completion<bool> for each value until one answers false; then, or when it throws, the
/// iterator is closed.
template <class Use> Completion<void> eachValue(Vm& vm, const IteratorRecord& record, Use use) {
    Value value;
    for (double index = 0; TRY(iteratorStep(vm, record, value)); index++) {
        TRY(vm.work(1));
        Completion<bool> more = use(value, index);
        if (more.threw())
            return iteratorCloseThrow(vm, record.iterator);
        if (!more.value())
            return iteratorClose(vm, record.iterator);
    }
    return {};
}

Result newHelper(Vm& vm, IteratorHelper::Operation operation, const IteratorRecord& record, Value callback) {
    IteratorHelper* helper = newIteratorHelper(vm, operation);
    helper->iterator = record.iterator;
    helper->next = record.nextMethod;
    helper->callback = callback;
    return Value::object(helper);
}

/// The limit of take and drop: 0 or more.
Completion<double> limitOf(Vm& vm, Value value) {
    double number = TRY(toNumber(vm, value));
    if (number != number || std::trunc(number) < 0)
        return throwError(vm, Error::MustBePositive, value);
    if (number > MaxSafeInteger && !std::isinf(number))
        return throwError(vm, Error::SizeOutOfRange, value);
    return std::trunc(number) + 0.0;
}

Result limited(Vm& vm, Args args, IteratorHelper::Operation operation, std::string_view method) {
    Object* iterator = TRY(receiver(vm, args, method));
    auto limit = limitOf(vm, args[0]);
    if (limit.threw())
        return iteratorCloseThrow(vm, args.self());
    Value helper = TRY(newHelper(vm, operation, TRY(iteratorDirect(vm, iterator)), Value::undefined()));
    static_cast<IteratorHelper*>(helper.asObject())->count = limit.value();
    return helper;
}

/// The size of chunks and windows: an integral Number from 1 to 2^32 - 1.
Completion<double> sizeOf(Vm& vm, Value value) {
    double size = value.isNumber() ? value.asNumber() : NAN;
    if (std::trunc(size) != size || std::isinf(size))
        return throwError(vm, Error::NotIntegral, value);
    if (size < 1 || size > 4294967295.0)
        return throwError(vm, Error::SizeOutOfRange, value);
    return size;
}

}

// ---- lazy methods

// 27.1.4.8 Iterator.prototype.map ( mapper )
Result iterator_map(Vm& vm, Args args) {
    return newHelper(vm, IteratorHelper::Map, TRY(withCallback(vm, args, "Iterator.prototype.map")), args[0]);
}
// 27.1.4.4 Iterator.prototype.filter ( predicate )
Result iterator_filter(Vm& vm, Args args) {
    return newHelper(vm, IteratorHelper::Filter, TRY(withCallback(vm, args, "Iterator.prototype.filter")), args[0]);
}
// 27.1.4.6 Iterator.prototype.flatMap ( mapper )
Result iterator_flatMap(Vm& vm, Args args) {
    return newHelper(vm, IteratorHelper::FlatMap, TRY(withCallback(vm, args, "Iterator.prototype.flatMap")), args[0]);
}
// 27.1.4.11 Iterator.prototype.take ( limit )
Result iterator_take(Vm& vm, Args args) { return limited(vm, args, IteratorHelper::Take, "Iterator.prototype.take"); }
// 27.1.4.2 Iterator.prototype.drop ( limit )
Result iterator_drop(Vm& vm, Args args) { return limited(vm, args, IteratorHelper::Drop, "Iterator.prototype.drop"); }

// Iterator.prototype.chunks ( chunkSize )
Result iterator_chunks(Vm& vm, Args args) {
    Object* iterator = TRY(receiver(vm, args, "Iterator.prototype.chunks"));
    auto size = sizeOf(vm, args[0]);
    if (size.threw())
        return iteratorCloseThrow(vm, args.self());
    Value helper = TRY(newHelper(vm, IteratorHelper::Chunks, TRY(iteratorDirect(vm, iterator)), Value::undefined()));
    static_cast<IteratorHelper*>(helper.asObject())->count = size.value();
    return helper;
}

namespace {

/// "allow-partial", or not ("only-full", the default).
Completion<bool> allowsPartial(Vm& vm, Value undersized) {
    if (undersized.isUndefined())
        return false;
    std::string text = undersized.isString() ? toUtf8(vm, TRY(flatten(vm, undersized.asString()))) : std::string();
    if (text != "only-full" && text != "allow-partial")
        return throwError(vm, Error::WindowsUndersized);
    return text == "allow-partial";
}

}

// Iterator.prototype.windows ( windowSize [ , undersized ] )
Result iterator_windows(Vm& vm, Args args) {
    Object* iterator = TRY(receiver(vm, args, "Iterator.prototype.windows"));
    auto size = sizeOf(vm, args[0]);
    auto partial = size.threw() ? Completion<bool>(Threw{}) : allowsPartial(vm, args[1]);
    if (partial.threw())
        return iteratorCloseThrow(vm, args.self());
    Value made = TRY(newHelper(vm, IteratorHelper::Windows, TRY(iteratorDirect(vm, iterator)), Value::undefined()));
    auto* helper = static_cast<IteratorHelper*>(made.asObject());
    helper->count = size.value();
    helper->partial = partial.value();
    return made;
}

// ---- methods that walk at once

// 27.1.4.12 Iterator.prototype.toArray ( )
Result iterator_toArray(Vm& vm, Args args) {
    IteratorRecord record = TRY(iteratorDirect(vm, TRY(receiver(vm, args, "Iterator.prototype.toArray"))));
    Array* items = newArray(vm);
    TRY(eachValue(vm, record, [&](Value value, double) -> Completion<bool> {
        TRY(pushDense(vm, items->elements_, value));
        return true;
    }));
    return Value::object(items);
}

// 27.1.4.7 Iterator.prototype.forEach ( procedure )
Result iterator_forEach(Vm& vm, Args args) {
    IteratorRecord record = TRY(withCallback(vm, args, "Iterator.prototype.forEach"));
    TRY(eachValue(vm, record, [&](Value value, double index) -> Completion<bool> {
        TRY(call(vm, args[0], Value::undefined(), value, Value::number(index)));
        return true;
    }));
    return Value::undefined();
}

namespace {

/// Calls the predicate until it answers `wanted`: then `found` is the value. False: it never did.
Completion<bool> search(Vm& vm, Args args, bool wanted, Value& found, std::string_view method) {
    IteratorRecord record = TRY(withCallback(vm, args, method));
    bool stopped = false;
    TRY(eachValue(vm, record, [&](Value value, double index) -> Completion<bool> {
        Value answer = TRY(call(vm, args[0], Value::undefined(), value, Value::number(index)));
        stopped = toBoolean(answer) == wanted;
        if (stopped)
            found = value;
        return !stopped;
    }));
    return stopped;
}

}

// 27.1.4.10 Iterator.prototype.some ( predicate )
Result iterator_some(Vm& vm, Args args) {
    Value found;
    return Value::boolean(TRY(search(vm, args, true, found, "Iterator.prototype.some")));
}
// 27.1.4.3 Iterator.prototype.every ( predicate )
Result iterator_every(Vm& vm, Args args) {
    Value found;
    return Value::boolean(!TRY(search(vm, args, false, found, "Iterator.prototype.every")));
}
// 27.1.4.5 Iterator.prototype.find ( predicate )
Result iterator_find(Vm& vm, Args args) {
    Value found = Value::undefined();
    TRY(search(vm, args, true, found, "Iterator.prototype.find"));
    return found;
}

// 27.1.4.9 Iterator.prototype.reduce ( reducer [ , initialValue ] )
Result iterator_reduce(Vm& vm, Args args) {
    IteratorRecord record = TRY(withCallback(vm, args, "Iterator.prototype.reduce"));
    Value accumulator = args[1];
    double first = 0;
    if (args.count < 2) {
        if (!TRY(iteratorStep(vm, record, accumulator)))
            return throwError(vm, Error::ReduceDoneIterator);
        first = 1;
    }
    TRY(eachValue(vm, record, [&](Value value, double index) -> Completion<bool> {
        accumulator = TRY(call(vm, args[0], Value::undefined(), accumulator, value, Value::number(first + index)));
        return true;
    }));
    return accumulator;
}

namespace {

Completion<double> skippedOf(Vm& vm, Value value) {
    if (value.isUndefined())
        return 0;
    double skipped = value.isNumber() ? value.asNumber() : NAN;
    if (std::trunc(skipped) != skipped)
        return throwError(vm, Error::NotIntegral, value);
    if (skipped < 0 || (skipped > MaxSafeInteger && !std::isinf(skipped)))
        return throwError(vm, Error::SizeOutOfRange, value);
    return skipped;
}

}

// Iterator.prototype.includes ( searchElement [ , skippedElements ] )
Result iterator_includes(Vm& vm, Args args) {
    Object* iterator = TRY(receiver(vm, args, "Iterator.prototype.includes"));
    auto skipped = skippedOf(vm, args[1]);
    if (skipped.threw())
        return iteratorCloseThrow(vm, args.self());
    bool found = false;
    TRY(eachValue(vm, TRY(iteratorDirect(vm, iterator)), [&](Value value, double index) -> Completion<bool> {
        if (index >= skipped.value())
            found = TRY(sameValueZero(vm, value, args[0]));
        return !found;
    }));
    return Value::boolean(found);
}

// Iterator.prototype.join ( separator )
Result iterator_join(Vm& vm, Args args) {
    Object* iterator = TRY(receiver(vm, args, "Iterator.prototype.join"));
    String* separator = unitString(vm, ',');
    if (!args[0].isUndefined()) {
        auto text = toString(vm, args[0]);
        if (text.threw())
            return iteratorCloseThrow(vm, args.self());
        separator = TRY(flatten(vm, text.value()));
    }
    StringBuilder text(vm);
    TRY(eachValue(vm, TRY(iteratorDirect(vm, iterator)), [&](Value value, double index) -> Completion<bool> {
        if (index > 0)
            text.append(separator);
        if (!value.isNullish())
            text.append(TRY(toString(vm, value)));
        if (text.length() > String::MaxLength)
            return throwError(vm, Error::StringLength);
        return true;
    }));
    return Value::string(TRY(text.finish()));
}

}
