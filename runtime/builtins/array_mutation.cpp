// The methods of Array.prototype that change their receiver in place (ECMA-262 23.1.3). Each has the text's own steps
// for any array-like, and a short way for arrays whose storage may be moved about (isMovable).
#include "runtime/builtins/array_support.h"

#include <cstring>

namespace scr {

namespace {

/// Moves one element of an array-like, or the gap: the step that shift, splice, unshift and copyWithin repeat.
Completion<void> moveAt(Vm& vm, Object* object, double from, double to) {
    TRY(vm.work(1));
    Value value;
    if (TRY(readAt(vm, object, from, value)))
        return putAt(vm, object, to, value);
    return deleteAt(vm, object, to);
}

/// Known: the array is movable and [from, length) lies in it. Moves its tail so that it begins at `to`, and fits the
/// length.
Completion<void> moveTail(Vm& vm, Array* array, u32 from, u32 to) {
    Elements& elements = array->elements_;
    u32 tail = elements.length - from, length = to + tail;
    if (length > elements.capacity())
        TRY(reserveDense(vm, elements, length));
    TRY(vm.work(tail / 8));
    if (elements.storage)
        std::memmove(static_cast<void*>(elements.dense() + to), elements.dense() + from, size_t(tail) * sizeof(Value));
    for (u32 i = length; i < elements.length; i++)
        elements.dense()[i] = Value::hole();
    elements.denseLength = elements.length = length;
    return {};
}

Value orUndefined(Value value) { return value.isHole() ? Value::undefined() : value; }

}

// 23.1.3.22 Array.prototype.pop ( )
Result array_pop(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    if (isMovable(vm, object) && asArray(object)->length()) {
        Elements& elements = asArray(object)->elements_;
        elements.length = --elements.denseLength;
        Value& place = elements.dense()[elements.length];
        Value last = orUndefined(place);
        place = Value::hole();
        return last;
    }
    double length = TRY(lengthAt(vm, object));
    if (length == 0) {
        TRY(putLength(vm, object, 0));
        return Value::undefined();
    }
    Value last = TRY(getAt(vm, object, length - 1));
    TRY(deleteAt(vm, object, length - 1));
    TRY(putLength(vm, object, length - 1));
    return last;
}

// 23.1.3.23 Array.prototype.push ( ...items )
Result array_push(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    if (LIKELY(isMovable(vm, object)) && double(asArray(object)->length()) + args.count <= MaxArrayLength) {
        Elements& elements = asArray(object)->elements_;
        for (u32 i = 0; i < args.count; i++)
            TRY(pushDense(vm, elements, args[i]));
        return Value::number(elements.length);
    }
    double length = TRY(lengthAt(vm, object));
    if (length + args.count > MaxSafeLength)
        return throwError(vm, Error::ArrayTooLong, Value::number(args.count), Value::number(length));
    for (u32 i = 0; i < args.count; i++)
        TRY(put(vm, Value::object(object), keyAt(vm, length + i), args[i]));
    TRY(putLength(vm, object, length + args.count));
    return Value::number(length + args.count);
}

// 23.1.3.26 Array.prototype.reverse ( )
Result array_reverse(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    if (isMovable(vm, object)) {
        Elements& elements = asArray(object)->elements_;
        TRY(vm.work(elements.length / 8));
        if (elements.length)
            std::reverse(elements.dense(), elements.dense() + elements.length);
        return Value::object(object);
    }
    double length = TRY(lengthAt(vm, object));
    for (double lower = 0, upper = length - 1; lower < upper; lower++, upper--) {
        TRY(vm.work(1));
        Value low, high;
        bool hasLow = TRY(readAt(vm, object, lower, low));
        bool hasHigh = TRY(readAt(vm, object, upper, high));
        if (hasHigh)
            TRY(putAt(vm, object, lower, high));
        else if (hasLow)
            TRY(deleteAt(vm, object, lower));
        if (hasLow)
            TRY(putAt(vm, object, upper, low));
        else if (hasHigh)
            TRY(deleteAt(vm, object, upper));
    }
    return Value::object(object);
}

// 23.1.3.27 Array.prototype.shift ( )
Result array_shift(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    if (isMovable(vm, object) && asArray(object)->length()) {
        Value first = orUndefined(asArray(object)->elements_.dense()[0]);
        // Short arrays are moved faster than they are kept track of.
        if (asArray(object)->length() < 16)
            TRY(moveTail(vm, asArray(object), 1, 0));
        else
            dropFirst(vm, asArray(object)->elements_);
        return first;
    }
    double length = TRY(lengthAt(vm, object));
    if (length == 0) {
        TRY(putLength(vm, object, 0));
        return Value::undefined();
    }
    Value first = TRY(getAt(vm, object, 0));
    for (double index = 1; index < length; index++)
        TRY(moveAt(vm, object, index, index - 1));
    TRY(deleteAt(vm, object, length - 1));
    TRY(putLength(vm, object, length - 1));
    return first;
}

// 23.1.3.37 Array.prototype.unshift ( ...items )
Result array_unshift(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    if (isMovable(vm, object) && double(asArray(object)->length()) + args.count <= MaxArrayLength) {
        if (asArray(object)->length() < 16 || !args.count)
            TRY(moveTail(vm, asArray(object), 0, args.count));
        else
            TRY(openFront(vm, asArray(object)->elements_, args.count));
        if (args.count)
            std::copy_n(args.values, args.count, asArray(object)->elements_.dense());
        return Value::number(asArray(object)->length());
    }
    double length = TRY(lengthAt(vm, object));
    if (args.count) {
        if (length + args.count > MaxSafeLength)
            return throwError(vm, Error::ArrayLengthType);
        for (double index = length; index > 0; index--)
            TRY(moveAt(vm, object, index - 1, index + args.count - 1));
        for (u32 i = 0; i < args.count; i++)
            TRY(put(vm, Value::object(object), keyAt(vm, i), args[i]));
    }
    TRY(putLength(vm, object, length + args.count));
    return Value::number(length + args.count);
}

Completion<SpliceRange> spliceRange(Vm& vm, Args args, double length) {
    double start = TRY(relativeIndex(vm, args[0], length, 0));
    double removed = 0;
    if (args.count == 1)
        removed = length - start;
    else if (args.count > 1)
        removed = std::min(std::max(TRY(toIntegerOrInfinity(vm, args[1])), 0.0), length - start);
    u32 inserted = args.count > 2 ? args.count - 2 : 0;
    if (length + inserted - removed > MaxSafeLength)
        return throwError(vm, Error::ArrayLengthType);
    return SpliceRange{start, removed, inserted};
}

namespace {

/// Known: the array is movable, still as long as the range supposes, and the result is an ordinary array.
Result spliceMovable(Vm& vm, Array* array, const SpliceRange& range, const Value* items) {
    u32 start = u32(range.start), removed = u32(range.removed);
    Array* result = newArrayFrom(vm, removed ? array->elements_.dense() + start : nullptr, removed);
    TRY(moveTail(vm, array, start + removed, start + range.inserted));
    if (range.inserted)
        std::copy_n(items, range.inserted, array->elements_.dense() + start);
    return Value::object(result);
}

/// Steps 14 to 16: closes the gap or widens it.
Completion<void> moveBehind(Vm& vm, Object* object, const SpliceRange& range, double length) {
    if (range.inserted < range.removed) {
        for (double index = range.start; index < length - range.removed; index++)
            TRY(moveAt(vm, object, index + range.removed, index + range.inserted));
        for (double index = length; index > length - range.removed + range.inserted; index--) {
            TRY(vm.work(1));
            TRY(deleteAt(vm, object, index - 1));
        }
    } else if (range.inserted > range.removed) {
        for (double index = length - range.removed; index > range.start; index--)
            TRY(moveAt(vm, object, index + range.removed - 1, index + range.inserted - 1));
    }
    return {};
}

Completion<void> copyRemoved(Vm& vm, Object* object, Object* result, const SpliceRange& range) {
    for (double index = 0; index < range.removed; index++) {
        TRY(vm.work(1));
        Value value;
        if (TRY(readAt(vm, object, range.start + index, value)))
            TRY(defineAt(vm, result, index, value));
    }
    return putLength(vm, result, range.removed);
}

}

// 23.1.3.31 Array.prototype.splice ( start, deleteCount, ...items )
Result array_splice(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    SpliceRange range = TRY(spliceRange(vm, args, length));
    Object* result = TRY(speciesOf(vm, object, range.removed));
    bool grown = length - range.removed + range.inserted > MaxArrayLength;
    if (!result && !grown && isMovable(vm, object) && asArray(object)->length() == length)
        return spliceMovable(vm, asArray(object), range, args.values + 2);
    if (!result)
        result = TRY(emptyArray(vm, range.removed));
    TRY(copyRemoved(vm, object, result, range));
    TRY(moveBehind(vm, object, range, length));
    for (u32 i = 0; i < range.inserted; i++)
        TRY(put(vm, Value::object(object), keyAt(vm, range.start + i), args[i + 2]));
    TRY(putLength(vm, object, length - range.removed + range.inserted));
    return Value::object(result);
}

namespace {

/// Beyond it no single storage is asked for.
constexpr double LongestStorage = 0xFFFFFF00;

/// Known: nothing ran since the range was clamped to the array's length. Fills as far as the storage may simply be
/// written.
Completion<bool> fillDense(Vm& vm, Object* object, double start, double end, Value value) {
    if (!isPlainArray(object) || object->flags || vm.indexedPrototypes)
        return false;
    Elements& elements = asArray(object)->elements_;
    if (elements.isSparse() || start > elements.denseLength || end > elements.length || end > LongestStorage)
        return false;
    constexpr u32 Part = 1 << 20;
    for (u32 from = u32(start), part; from < end; from += part) {
        part = std::min(Part, u32(end) - from);
        TRY(vm.work(part / 8));
        TRY(reserveDense(vm, elements, from + part));
        std::fill_n(elements.dense() + from, part, value);
        elements.denseLength = std::max(elements.denseLength, from + part);
    }
    return true;
}

}

// 23.1.3.7 Array.prototype.fill ( value [ , start [ , end ] ] )
Result array_fill(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    double start = TRY(relativeIndex(vm, args[1], length, 0));
    double end = TRY(relativeIndex(vm, args[2], length, length));
    // As V8: an array that became shorter meanwhile stays so (the text would make it longer again).
    if (isPlainArray(object) && !asArray(object)->elements_.isSparse())
        end = std::min(end, double(asArray(object)->length()));
    if (start < end && TRY(fillDense(vm, object, start, end, args[0])))
        return Value::object(object);
    for (double index = start; index < end; index++) {
        TRY(vm.work(1));
        TRY(putAt(vm, object, index, args[0]));
    }
    return Value::object(object);
}

// 23.1.3.4 Array.prototype.copyWithin ( target, start [ , end ] )
Result array_copyWithin(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    double to = TRY(relativeIndex(vm, args[0], length, 0));
    double from = TRY(relativeIndex(vm, args[1], length, 0));
    double count = std::min(TRY(relativeIndex(vm, args[2], length, length)) - from, length - to);
    bool backwards = from < to && to < from + count;
    for (double done = 0; done < count; done++) {
        double step = backwards ? count - 1 - done : done;
        TRY(moveAt(vm, object, from + step, to + step));
    }
    return Value::object(object);
}

}
