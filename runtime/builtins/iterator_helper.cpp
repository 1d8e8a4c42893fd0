// Iterator helpers: their cells, next, return, and one step of each operation.
#include "runtime/builtins/iterator_helper.h"
#include "runtime/builtins/makers.h"

#include <algorithm>

namespace scr {

IteratorHelper* newIteratorHelper(Vm& vm, IteratorHelper::Operation operation) {
    Shape* shape = rootShape(vm, vm.realm->intrinsic(vm, Intrinsic::IteratorHelperPrototype), 0);
    auto* helper =
        static_cast<IteratorHelper*>(allocateObject(vm, Kind::IteratorHelper, sizeof(IteratorHelper), shape));
    helper->iterator = helper->next = helper->callback = helper->innerIterator = helper->innerNext = Value::undefined();
    helper->list = helper->padding = helper->keys = nullptr;
    helper->count = 0;
    helper->operation = operation;
    helper->state = IteratorHelper::Start;
    helper->mode = IteratorHelper::Shortest;
    helper->partial = false;
    return helper;
}

Completion<IteratorRecord> iteratorDirect(Vm& vm, Object* iterator) {
    return IteratorRecord{Value::object(iterator), TRY(get(vm, iterator, KEY(vm, next)))};
}

Completion<IteratorRecord> iteratorFlattenable(Vm& vm, Value value, Flattenable which, std::string_view method) {
    if (!value.isObject() && !(which == Flattenable::ObjectsAndStrings && value.isString()))
        return throwError(vm, Error::CalledOnNonObject, method);
    Value iteratorMethod = TRY(getMethod(vm, value, SYMBOL(vm, iterator)));
    Value iterator = iteratorMethod.isUndefined() ? value : TRY(call(vm, iteratorMethod, value));
    if (!iterator.isObject())
        return throwError(vm, Error::CalledOnNonObject, method);
    return iteratorDirect(vm, iterator.asObject());
}

namespace {

using Step = Completion<bool>; ///< true: there is a value

/// The callback's answer; closes the underlying iterator if it throws.
Result callBack(Vm& vm, IteratorHelper* helper, Value value) {
    auto result = call(vm, helper->callback, Value::undefined(), value, Value::number(helper->count));
    if (result.threw())
        return iteratorCloseThrow(vm, helper->iterator);
    helper->count++;
    return result;
}

Step mapStep(Vm& vm, IteratorHelper* helper, Value& value) {
    if (!TRY(iteratorStep(vm, helper->underlying(), value)))
        return false;
    value = TRY(callBack(vm, helper, value));
    return true;
}

Step filterStep(Vm& vm, IteratorHelper* helper, Value& value) {
    while (TRY(iteratorStep(vm, helper->underlying(), value))) {
        TRY(vm.work(1));
        if (toBoolean(TRY(callBack(vm, helper, value))))
            return true;
    }
    return false;
}

Step takeStep(Vm& vm, IteratorHelper* helper, Value& value) {
    if (helper->count == 0) {
        TRY(iteratorClose(vm, helper->iterator));
        return false;
    }
    helper->count--; // Infinity stays what it is
    return iteratorStep(vm, helper->underlying(), value);
}

Step dropStep(Vm& vm, IteratorHelper* helper, Value& value) {
    for (; helper->count > 0; helper->count--) {
        TRY(vm.work(1));
        if (!TRY(iteratorAdvance(vm, helper->underlying())))
            return false;
    }
    return iteratorStep(vm, helper->underlying(), value);
}

/// The next value of the inner iterator. What it throws closes the underlying one.
Step innerStep(Vm& vm, IteratorHelper* helper, Value& value) {
    auto step = iteratorStep(vm, helper->inner(), value);
    if (step.threw())
        return iteratorCloseThrow(vm, helper->iterator);
    if (!step.value())
        helper->innerIterator = helper->innerNext = Value::undefined();
    return step;
}

Step flatMapStep(Vm& vm, IteratorHelper* helper, Value& value) {
    for (;;) {
        TRY(vm.work(1));
        if (helper->innerIterator.isObject()) {
            if (TRY(innerStep(vm, helper, value)))
                return true;
            continue;
        }
        if (!TRY(iteratorStep(vm, helper->underlying(), value)))
            return false;
        // The counter moves before the inner iterator is made, which nobody can tell.
        Value mapped = TRY(callBack(vm, helper, value));
        auto inner = iteratorFlattenable(vm, mapped, Flattenable::ObjectsOnly, "Iterator.prototype.flatMap");
        if (inner.threw())
            return iteratorCloseThrow(vm, helper->iterator);
        helper->innerIterator = inner.value().iterator;
        helper->innerNext = inner.value().nextMethod;
    }
}

Step chunkStep(Vm& vm, IteratorHelper* helper, Value& value) {
    Array* chunk = newArray(vm);
    while (chunk->length() < helper->count) {
        TRY(vm.work(1));
        if (!TRY(iteratorStep(vm, helper->underlying(), value))) {
            helper->state = IteratorHelper::Done;
            break;
        }
        TRY(pushDense(vm, chunk->elements_, value));
    }
    value = Value::object(chunk);
    return chunk->length() > 0;
}

Step windowStep(Vm& vm, IteratorHelper* helper, Value& value) {
    if (!helper->list)
        helper->list = newArray(vm);
    Elements& window = helper->list->elements_;
    u32 size = u32(helper->count);
    if (window.length == size) {
        TRY(vm.work(size / 8));
        std::copy_n(window.dense() + 1, size - 1, window.dense());
        window.dense()[size - 1] = Value::hole();
        window.denseLength = window.length = size - 1;
    }
    while (window.length < size) {
        TRY(vm.work(1));
        if (!TRY(iteratorStep(vm, helper->underlying(), value))) {
            // After the first window the rest is always too short by one.
            if (!helper->partial || helper->callback.isBoolean() || !window.length)
                return false;
            helper->state = IteratorHelper::Done;
            break;
        }
        TRY(pushDense(vm, window, value));
    }
    helper->callback = Value::boolean(true); // a window has been seen
    value = Value::object(newArrayFrom(vm, window.dense(), window.length));
    return true;
}

/// What is walked next; false: all have been.
Step openNext(Vm& vm, IteratorHelper* helper) {
    u32 at = u32(helper->count);
    if (at >= helper->list->length())
        return false;
    helper->count += 2;
    const Value* item = helper->list->elements_.dense() + at;
    Value iterator = TRY(call(vm, item[0], item[1]));
    if (!iterator.isObject())
        return throwError(vm, Error::IteratorSymbolNotObject);
    helper->innerNext = TRY(get(vm, iterator.asObject(), KEY(vm, next)));
    helper->innerIterator = iterator;
    return true;
}

Step concatStep(Vm& vm, IteratorHelper* helper, Value& value) {
    for (;;) {
        TRY(vm.work(1));
        if (!helper->innerIterator.isObject() && !TRY(openNext(vm, helper)))
            return false;
        if (TRY(iteratorStep(vm, helper->inner(), value)))
            return true;
        helper->innerIterator = Value::undefined();
    }
}

Step stepOf(Vm& vm, IteratorHelper* helper, Value& value) {
    switch (helper->operation) {
    case IteratorHelper::Map: return mapStep(vm, helper, value);
    case IteratorHelper::Filter: return filterStep(vm, helper, value);
    case IteratorHelper::Take: return takeStep(vm, helper, value);
    case IteratorHelper::Drop: return dropStep(vm, helper, value);
    case IteratorHelper::FlatMap: return flatMapStep(vm, helper, value);
    case IteratorHelper::Chunks: return chunkStep(vm, helper, value);
    case IteratorHelper::Windows: return windowStep(vm, helper, value);
    case IteratorHelper::Concat: return concatStep(vm, helper, value);
    case IteratorHelper::Zip:
    case IteratorHelper::ZipKeyed: return zipStep(vm, helper, value);
    }
    UNREACHABLE();
}

void finish(IteratorHelper* helper) {
    helper->state = IteratorHelper::Done;
    helper->iterator = helper->next = helper->callback = helper->innerIterator = helper->innerNext = Value::undefined();
    helper->list = helper->padding = helper->keys = nullptr;
}

/// What `return` closes. A helper that has not started yet has no inner iterator.
Completion<void> close(Vm& vm, IteratorHelper* helper) {
    if (helper->operation >= IteratorHelper::Zip)
        return closeAll(vm, helper->list, false);
    if (helper->innerIterator.isObject() && iteratorClose(vm, helper->innerIterator).threw())
        return helper->iterator.isObject() ? iteratorCloseThrow(vm, helper->iterator) : Threw{};
    return helper->iterator.isObject() ? iteratorClose(vm, helper->iterator) : Completion<void>{};
}

Completion<IteratorHelper*> thisHelper(Vm& vm, Args args, std::string_view method) {
    auto* helper = TRY(thisAs<IteratorHelper>(vm, args.self(), Kind::IteratorHelper, method));
    if (helper->state == IteratorHelper::Running)
        return throwError(vm, Error::GeneratorRunning);
    return helper;
}

}

// 27.1.2.1.1 %IteratorHelperPrototype%.next ( )
Result iteratorHelper_next(Vm& vm, Args args) {
    IteratorHelper* helper = TRY(thisHelper(vm, args, "Iterator Helper.prototype.next"));
    if (helper->state == IteratorHelper::Done)
        return Value::object(newIteratorResult(vm, Value::undefined(), true));
    if (vm.cStackLow())
        return vm.throwStackOverflow();
    helper->state = IteratorHelper::Running;
    Value value = Value::undefined();
    auto step = stepOf(vm, helper, value);
    if (step.threw()) {
        finish(helper);
        return Threw{};
    }
    if (!step.value()) {
        finish(helper);
        return Value::object(newIteratorResult(vm, Value::undefined(), true));
    }
    // A step that gave the last value has ended the helper itself.
    if (helper->state == IteratorHelper::Done)
        finish(helper);
    else
        helper->state = IteratorHelper::Suspended;
    return Value::object(newIteratorResult(vm, value, false));
}

// 27.1.2.1.2 %IteratorHelperPrototype%.return ( )
Result iteratorHelper_return(Vm& vm, Args args) {
    IteratorHelper* helper = TRY(thisHelper(vm, args, "Iterator Helper.prototype.return"));
    if (vm.cStackLow())
        return vm.throwStackOverflow();
    if (helper->state != IteratorHelper::Done) {
        // Before the first step nothing runs that could be entered again.
        helper->state = helper->state == IteratorHelper::Start ? IteratorHelper::Done : IteratorHelper::Running;
        auto closed = close(vm, helper);
        finish(helper);
        TRY(closed);
    }
    return Value::object(newIteratorResult(vm, Value::undefined(), true));
}

static void traceHelper(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    auto* helper = static_cast<IteratorHelper*>(cell);
    for (const Value* value :
        {&helper->iterator, &helper->next, &helper->callback, &helper->innerIterator, &helper->innerNext})
        marker.markValues(value, 1);
    marker.mark(helper->list);
    marker.mark(helper->padding);
    marker.mark(helper->keys);
}

void registerIteratorHelper(Heap& heap) { heap.setTrace(u8(Kind::IteratorHelper), traceHelper); }

}
