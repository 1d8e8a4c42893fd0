// %IteratorPrototype% and the iterators of arrays and strings (ECMA-262 27.1, 23.1.5, 22.1.5).
#include "runtime/builtins/iterator.h"
#include "runtime/builtins/generator.h"

#include "runtime/builtins/collection_iterator.h"
#include "runtime/builtins/iteration.h"
#include "runtime/builtins/makers.h"
#include "runtime/core/typed_array.h"

namespace scr {

namespace {

struct ClassInfo {
    Intrinsic prototype;
    const char* next;
};
constexpr ClassInfo classInfos[] = {
    {Intrinsic::ArrayIteratorPrototype, "Array Iterator.prototype.next"},
    {Intrinsic::StringIteratorPrototype, "String Iterator.prototype.next"},
};

}

BuiltinIterator* newBuiltinIterator(Vm& vm, IteratorClass of, IterationKind kind, Value target) {
    Shape* shape = rootShape(vm, vm.realm->intrinsic(vm, classInfos[size_t(of)].prototype), 0);
    auto* iterator =
        static_cast<BuiltinIterator*>(allocateObject(vm, Kind::BuiltinIterator, sizeof(BuiltinIterator), shape));
    iterator->target = target;
    iterator->position = 0;
    iterator->of = of;
    iterator->kind = kind;
    return iterator;
}

Completion<BuiltinIterator*> thisIterator(Vm& vm, Value self, IteratorClass of) {
    if (LIKELY(self.isObject() && kindOf(self.asObject()) == Kind::BuiltinIterator)) {
        auto* iterator = static_cast<BuiltinIterator*>(self.asObject());
        if (LIKELY(iterator->of == of))
            return iterator;
    }
    return throwError(vm, Error::Incompatible, classInfos[size_t(of)].next, self);
}

/// Nothing more comes; the target is forgotten, so that no later call can revive the iterator.
static bool finishIterator(BuiltinIterator* iterator) {
    iterator->target = Value::undefined();
    return false;
}

// 27.1.4.1 %IteratorPrototype% [ %Symbol.iterator% ] ( )
Result iterator_prototype_iterator(Vm&, Args args) { return args.self(); }

static Completion<bool> stepArray(Vm& vm, Value self, Value& value) {
    return stepArrayIterator(vm, TRY(thisIterator(vm, self, IteratorClass::Array)), value);
}

// 23.1.5.2.1 %ArrayIteratorPrototype%.next ( )
Result array_iterator_next(Vm& vm, Args args) {
    Value value;
    Completion<bool> more = stepArray(vm, args.self(), value);
    return stepResult(vm, more, value);
}

// 22.1.3.36 String.prototype [ %Symbol.iterator% ] ( )
Result string_iterator(Vm& vm, Args args) {
    Value self = args.self();
    if (self.isNullish())
        return throwError(vm, Error::CalledOnNullish, "String.prototype[Symbol.iterator]");
    Value text = Value::string(TRY(toString(vm, self)));
    return Value::object(newBuiltinIterator(vm, IteratorClass::String, IterationKind::Values, text));
}

static Completion<bool> stepString(Vm& vm, Value self, Value& value) {
    BuiltinIterator* iterator = TRY(thisIterator(vm, self, IteratorClass::String));
    if (!iterator->target.isString())
        return false;
    String* string = TRY(flatten(vm, iterator->target.asString()));
    u32 at = u32(iterator->position);
    if (at >= string->length)
        return finishIterator(iterator);
    char16_t unit = string->unit(at);
    bool pair = (unit & 0xFC00) == 0xD800 && at + 1 < string->length && (string->unit(at + 1) & 0xFC00) == 0xDC00;
    iterator->position = at + (pair ? 2 : 1);
    value = Value::string(pair ? TRY(substring(vm, string, at, at + 2)) : unitString(vm, unit));
    return true;
}

// 22.1.5.1.1 %StringIteratorPrototype%.next ( )
Result string_iterator_next(Vm& vm, Args args) {
    Value value;
    Completion<bool> more = stepString(vm, args.self(), value);
    return stepResult(vm, more, value);
}

Completion<IteratorRecord> iteratorFromMethod(Vm& vm, Value iterable, Value method) {
    Value iterator = TRY(call(vm, method, iterable));
    if (!iterator.isObject())
        return throwError(vm, Error::IteratorSymbolNotObject);
    Value next = TRY(get(vm, iterator.asObject(), KEY(vm, next)));
    return IteratorRecord{iterator, next};
}

Completion<IteratorRecord> iteratorOf(Vm& vm, Value iterable) {
    if (iterable.isNullish())
        return throwOperand(vm, Error::NotIterableRead, iterable);
    Value method = TRY(getOf(vm, iterable, SYMBOL(vm, iterator)));
    if (!isCallable(method))
        return throwOperand(vm, Error::NotIterableRead, iterable);
    return iteratorFromMethod(vm, iterable, method);
}

Completion<void> requireNext(Vm& vm, const IteratorRecord& record) {
    if (isCallable(record.nextMethod))
        return {};
    return throwOperand(vm, Error::NotCallable, record.nextMethod);
}

void registerIteratorSteps(Vm& vm) {
    vm.iteratorSteps[0] = {array_iterator_next, stepArray};
    vm.iteratorSteps[1] = {string_iterator_next, stepString};
    registerCollectionSteps(vm);
    vm.iteratorSteps[4] = {generator_next, stepGenerator};
}

static void traceIterator(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    auto* iterator = static_cast<BuiltinIterator*>(cell);
    marker.markWord(iterator->target.bits());
}

void registerIteratorKinds(Heap& heap) { heap.setTrace(u8(Kind::BuiltinIterator), traceIterator); }

}
