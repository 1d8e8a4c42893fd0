// Iterating from C++ (ECMA-262 7.4).
#include "runtime/core/builtin_iterator.h"
#include "runtime/core/call.h"
#include "runtime/core/error.h"
#include "runtime/core/operations.h"
#include "runtime/core/typed_array.h"
#include "runtime/core/vm.h"

namespace scr {

// 7.4.4 GetIterator ( obj, sync ), with 7.4.3 GetIteratorFromMethod
Completion<IteratorRecord> getIterator(Vm& vm, Value iterable) {
    if (iterable.isNullish())
        return throwError(vm, Error::NotIterableRead, iterable);
    Value method = TRY(getOf(vm, iterable, PropertyKey::symbol(vm.symbols.iterator)));
    if (!isCallable(method))
        return throwError(vm, Error::NotIterableRead, std::string_view(describeWithType(vm, iterable)));
    Value iterator = TRY(call(vm, method, iterable));
    if (!iterator.isObject())
        return throwError(vm, Error::IteratorSymbolNotObject);
    Value next = TRY(get(vm, iterator.asObject(), PropertyKey::atom(vm.names.next)));
    return IteratorRecord{iterator, next};
}

/// OPTIMIZATION: what a builtin's `next` would put into its result object and iteratorStep take out again.
static ALWAYS_INLINE const Vm::IteratorStep* builtinStep(Vm& vm, Value next) {
    if (!next.isObject() || kindOf(next.asCell()) != Kind::NativeFunction)
        return nullptr;
    NativeCode code = static_cast<NativeFunction*>(next.asObject())->code;
    for (const Vm::IteratorStep& step : vm.iteratorSteps)
        if (step.next == code)
            return &step;
    return nullptr;
}

/// The result object of one step, or null at the end.
static Completion<Object*> stepResult(Vm& vm, const IteratorRecord& record) {
    if (UNLIKELY(!isCallable(record.nextMethod)))
        return throwError(vm, Error::NotCallable, std::string_view(describeWithType(vm, record.nextMethod)));
    Value result = TRY(call(vm, record.nextMethod, record.iterator));
    if (UNLIKELY(!result.isObject()))
        return throwError(vm, Error::IteratorResultNotObject, result);
    bool done = toBoolean(TRY(get(vm, result.asObject(), PropertyKey::atom(vm.names.done))));
    return done ? nullptr : result.asObject();
}

Completion<bool> iteratorAdvance(Vm& vm, const IteratorRecord& record) {
    return TRY(stepResult(vm, record)) != nullptr;
}

/// 7.3.18 LengthOfArrayLike of what an array iterator walks.
static Completion<double> lengthToWalk(Vm& vm, Object* object) {
    if (LIKELY(kindOf(object) == Kind::Array))
        return double(static_cast<Array*>(object)->length());
    if (!isTypedArray(object))
        return lengthOf(vm, object);
    if (asTypedArray(object)->isOutOfBounds())
        return throwError(vm, Error::BufferDetached, "Array Iterator.prototype.next");
    return double(asTypedArray(object)->currentLength());
}

static Completion<Value> elementToYield(Vm& vm, Object* object, u64 index) {
    if (isTypedArray(object))
        return elementOf(asTypedArray(object), index);
    if (LIKELY(kindOf(object) == Kind::Array)) {
        Elements& elements = static_cast<Array*>(object)->elements_;
        if (LIKELY(index < elements.denseLength && !elements.dense()[index].isHole()))
            return elements.dense()[index];
    }
    return get(vm, object, keyFromInteger(vm, double(index)));
}

Completion<bool> stepArrayIterator(Vm& vm, BuiltinIterator* iterator, Value& value) {
    if (!iterator->target.isObject())
        return false;
    Object* object = iterator->target.asObject();
    if (double(iterator->position) >= TRY(lengthToWalk(vm, object))) {
        iterator->target = Value::undefined(); // no later call revives it
        return false;
    }
    u64 index = iterator->position++;
    Value key = Value::number(index);
    if (iterator->kind == IterationKind::Keys) {
        value = key;
        return true;
    }
    value = TRY(elementToYield(vm, object, index));
    if (iterator->kind == IterationKind::Entries) {
        Value entry[] = {key, value};
        value = Value::object(newArrayFrom(vm, entry, 2));
    }
    return true;
}

Completion<bool> iteratorStep(Vm& vm, const IteratorRecord& record, Value& value) {
    if (const Vm::IteratorStep* builtin = builtinStep(vm, record.nextMethod)) {
        Realm* realm = vm.realm;
        vm.realm = static_cast<NativeFunction*>(record.nextMethod.asObject())->realm;
        Completion<bool> more = builtin->step(vm, record.iterator, value);
        vm.realm = realm;
        return more;
    }
    Object* result = TRY(stepResult(vm, record));
    if (!result)
        return false;
    value = TRY(get(vm, result, PropertyKey::atom(vm.names.value)));
    return true;
}

// 7.4.11 IteratorClose ( iteratorRecord, completion ) with a throw completion
Threw iteratorCloseThrow(Vm& vm, Value iterator) {
    if (vm.terminating())
        return {};
    Value thrown = vm.pendingException;
    auto method = getMethod(vm, iterator, PropertyKey::atom(vm.names.return_));
    if (!method.threw() && !method.value().isUndefined())
        (void)call(vm, method.value(), iterator).threw();
    // What `return` threw is dropped, but not the end of the run.
    return vm.terminating() ? Threw{} : vm.throwValue(thrown);
}

Completion<void> iteratorClose(Vm& vm, Value iterator) {
    Value method = TRY(getMethod(vm, iterator, PropertyKey::atom(vm.names.return_)));
    if (method.isUndefined())
        return {};
    Value result = TRY(call(vm, method, iterator));
    if (!result.isObject())
        return throwError(vm, Error::IteratorResultNotObject, result);
    return {};
}

/// Symbol.iterator of %Array.prototype% and `next` of its iterators are what they were.
static bool arrayIterationIsIntact(Vm& vm, Realm* realm) {
    if (LIKELY(realm->arrayIterationEpoch == vm.prototypeEpoch))
        return true;
    PropertyKey iterator = PropertyKey::symbol(vm.symbols.iterator), next = PropertyKey::atom(vm.names.next);
    Object* arrayPrototype = realm->intrinsic(vm, Intrinsic::ArrayPrototype);
    Object* iteratorPrototype = realm->intrinsic(vm, Intrinsic::ArrayIteratorPrototype);
    Lookup values = getOwnProperty(vm, arrayPrototype, iterator), step = getOwnProperty(vm, iteratorPrototype, next);
    if (values.type != Lookup::Data
        || values.value != Value::object(realm->intrinsic(vm, Intrinsic::ArrayPrototypeValues)))
        return false;
    if (step.type != Lookup::Data
        || step.value != Value::object(realm->intrinsic(vm, Intrinsic::ArrayIteratorPrototypeNext)))
        return false;
    if (lookup(vm, iteratorPrototype, PropertyKey::atom(vm.names.return_)).found())
        return false;
    // A plain write to either must move the epoch; a slot written before never is trusted again.
    if (!vm.dependOnSlotValue(arrayPrototype, values.slot) || !vm.dependOnSlotValue(iteratorPrototype, step.slot))
        return false;
    realm->arrayIterationEpoch = vm.prototypeEpoch;
    return true;
}

bool iteratesAsArray(Vm& vm, Value value) {
    if (!isArrayObject(value))
        return false;
    // Known by its shape: nothing of its own but elements, and %Array.prototype% above.
    Shape* shape = shapeOf(vm, value.asObject());
    Realm* realm = vm.realm;
    if (shape != realm->arrayShape.get()) {
        if (shape->prototype.get() != realm->intrinsics[size_t(Intrinsic::ArrayPrototype)].get())
            return false;
        if (findSlot(shape, PropertyKey::symbol(vm.symbols.iterator)) != NotFound)
            return false;
    }
    return arrayIterationIsIntact(vm, realm);
}

Completion<void> appendElements(Vm& vm, Array* list, Array* source) {
    TRY(vm.work(source->length() / 4));
    u32 dense = source->elements_.denseLength, i = 0;
    if (dense > ~list->elements_.denseLength)
        return vm.terminateMemory();
    TRY(reserveDense(vm, list->elements_, list->elements_.denseLength + dense));
    Value* to = dense ? list->elements_.dense() + list->elements_.denseLength : nullptr;
    for (; i < dense; i++) {
        Value value = source->elements_.dense()[i];
        if (UNLIKELY(value.isHole())) {
            if (vm.indexedPrototypes)
                break;
            value = Value::undefined();
        }
        to[i] = value;
    }
    list->elements_.denseLength += i;
    list->elements_.length = list->elements_.denseLength;
    // Holes may find a getter on a prototype, which may change the source.
    for (; i < source->length(); i++) {
        TRY(vm.work(1));
        TRY(pushDense(vm, list->elements_, TRY(get(vm, source, PropertyKey::index(i)))));
    }
    return {};
}

Completion<Array*> listFromIterable(Vm& vm, Value iterable) {
    Array* list = newArray(vm);
    if (iteratesAsArray(vm, iterable)) {
        TRY(appendElements(vm, list, static_cast<Array*>(iterable.asObject())));
        return list;
    }
    IteratorRecord record = TRY(getIterator(vm, iterable));
    Value value;
    while (TRY(iteratorStep(vm, record, value))) {
        TRY(vm.work(1));
        TRY(pushDense(vm, list->elements_, value));
    }
    return list;
}

static COLD void makeIteratorResultShape(Vm& vm, Realm* realm) {
    Shape* shape = realm->objectShapes[2];
    shape = shapeWithProperty(vm, shape, PropertyKey::atom(vm.names.value), AllAttributes);
    realm->iteratorResultShape = shapeWithProperty(vm, shape, PropertyKey::atom(vm.names.done), AllAttributes);
}

Object* newIteratorResult(Vm& vm, Value value, bool done) {
    if (UNLIKELY(!vm.realm->iteratorResultShape))
        makeIteratorResultShape(vm, vm.realm);
    Object* result = newObjectWithShape(vm, vm.realm->iteratorResultShape);
    result->slot(0) = value;
    result->slot(1) = Value::boolean(done);
    return result;
}

}
