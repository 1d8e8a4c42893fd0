// at, includes, indexOf and lastIndexOf of Array.prototype (ECMA-262 23.1.3).
#include "runtime/builtins/array_support.h"

namespace scr {

// 23.1.3.1 Array.prototype.at ( index )
Result array_at(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    double index = args[0].isInt() ? args[0].asInt() : TRY(toIntegerOrInfinity(vm, args[0]));
    if (index < 0)
        index += length;
    if (index < 0 || index >= length)
        return Value::undefined();
    return getAt(vm, object, index);
}

namespace {

enum class Equality { Strict, SameValueZero };

/// The element equals `wanted` (7.2.15, or 7.2.12 SameValueZero). Runs no script.
ALWAYS_INLINE Completion<bool> isSame(Vm& vm, Value element, Value wanted, Equality equality) {
    if (element.isNumber() && wanted.isNumber()) {
        double a = element.asNumber(), b = wanted.asNumber();
        return a == b || (equality == Equality::SameValueZero && a != a && b != b);
    }
    if (element.isString() && wanted.isString())
        return equalStrings(vm, element.asString(), wanted.asString());
    return element == wanted || (element.isBigInt() && TRY(strictlyEqual(vm, element, wanted)));
}

/// A number among values that are mostly in their best form: one compare for each, two for doubles.
u32 scanNumber(const Value* values, u32 from, u32 to, double wanted, Equality equality) {
    if (wanted != wanted) {
        while (equality == Equality::SameValueZero && from < to
            && !(values[from].isDouble() && values[from].asDouble() != values[from].asDouble()))
            from++;
        return equality == Equality::SameValueZero ? from : to;
    }
    Value best = Value::number(wanted);
    while (from < to && values[from] != best && !(values[from].isDouble() && values[from].asDouble() == wanted)
        && !(wanted == 0 && values[from] == Value::int32(0)))
        from++;
    return from;
}

/// Known: [from, to) is dense. The first index whose value is the same bits or an equal number or text, or `to`. Holes
/// equal nothing.
Completion<u32> scanDense(Vm& vm, Elements& elements, u32 from, u32 to, Value wanted, Equality equality) {
    const Value* values = elements.dense();
    TRY(vm.work((to - from) / 4));
    if (wanted.isNumber())
        return scanNumber(values, from, to, wanted.asNumber(), equality);
    if (!wanted.isString() && !wanted.isBigInt())
        return u32(std::find(values + from, values + to, wanted) - values);
    for (u32 i = from; i < to; i++)
        if (TRY(isSame(vm, values[i], wanted, equality)))
            return i;
    return to;
}

/// The dense part of a search upwards: where it found something, or where the search must go on.
struct Scan {
    bool found;
    double index;
};
Completion<Scan> scanFront(Vm& vm, Object* object, double from, double to, Value wanted, Equality equality) {
    if (!isPlainArray(object))
        return Scan{false, from};
    Elements& elements = asArray(object)->elements_;
    to = std::min(to, double(elements.denseLength));
    if (from >= to)
        return Scan{false, from};
    u32 index = TRY(scanDense(vm, elements, u32(from), u32(to), wanted, equality));
    return Scan{index < to, double(index)};
}

}

// 23.1.3.16 Array.prototype.includes ( searchElement [ , fromIndex ] )
Result array_includes(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    if (length == 0)
        return Value::boolean(false);
    double index = TRY(relativeIndex(vm, args[1], length, 0));
    // A hole counts as undefined, or as what a prototype has there.
    if (!args[0].isUndefined() && !vm.indexedPrototypes) {
        Scan scan = TRY(scanFront(vm, object, index, length, args[0], Equality::SameValueZero));
        if (scan.found)
            return Value::boolean(true);
        index = scan.index;
    }
    for (; index < length; index++) {
        TRY(vm.work(1));
        if (TRY(isSame(vm, TRY(getAt(vm, object, index)), args[0], Equality::SameValueZero)))
            return Value::boolean(true);
    }
    return Value::boolean(false);
}

// 23.1.3.17 Array.prototype.indexOf ( searchElement [ , fromIndex ] )
Result array_indexOf(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self(), "Array.prototype.indexOf"));
    double length = TRY(lengthAt(vm, object));
    if (length == 0)
        return Value::int32(-1);
    double index = TRY(relativeIndex(vm, args[1], length, 0));
    if (!vm.indexedPrototypes) {
        Scan scan = TRY(scanFront(vm, object, index, length, args[0], Equality::Strict));
        if (scan.found)
            return Value::number(scan.index);
        index = scan.index;
    }
    Value value;
    for (; index < length; index++) {
        TRY(vm.work(1));
        if (TRY(readAt(vm, object, index, value)) && TRY(isSame(vm, value, args[0], Equality::Strict)))
            return Value::number(index);
    }
    return Value::int32(-1);
}

// 23.1.3.20 Array.prototype.lastIndexOf ( searchElement [ , fromIndex ] )
Result array_lastIndexOf(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    if (length == 0)
        return Value::int32(-1);
    double index = args.count > 1 ? TRY(toIntegerOrInfinity(vm, args[1])) : length - 1;
    index = index < 0 ? length + index : std::min(index, length - 1);
    Value value;
    for (; index >= 0; index--) {
        TRY(vm.work(1));
        if (TRY(readAt(vm, object, index, value)) && TRY(isSame(vm, value, args[0], Equality::Strict)))
            return Value::number(index);
    }
    return Value::int32(-1);
}

}
