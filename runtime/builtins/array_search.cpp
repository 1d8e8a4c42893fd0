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

/// 7.2.15 with what can be decided from the bits first.
ALWAYS_INLINE Completion<bool> isSame(Vm& vm, Value a, Value b) {
    if (Value::bothInt(a, b) || (a.isObject() && b.isObject()))
        return a == b;
    return strictlyEqual(vm, a, b);
}

/// Known: `index` < length. Whether an element equal to `wanted` stands there; holes are no elements.
Completion<bool> matchesAt(Vm& vm, Object* object, double index, Value wanted) {
    Value value;
    return TRY(readAt(vm, object, index, value)) && TRY(isSame(vm, value, wanted));
}

}

// 23.1.3.16 Array.prototype.includes ( searchElement [ , fromIndex ] )
Result array_includes(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    if (length == 0)
        return Value::boolean(false);
    for (double index = TRY(relativeIndex(vm, args[1], length, 0)); index < length; index++) {
        vm.charge(1);
        Value value = TRY(getAt(vm, object, index));
        if (Value::bothInt(value, args[0]) ? value == args[0] : TRY(sameValueZero(vm, value, args[0])))
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
    for (double index = TRY(relativeIndex(vm, args[1], length, 0)); index < length; index++) {
        vm.charge(1);
        if (TRY(matchesAt(vm, object, index, args[0])))
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
    for (; index >= 0; index--) {
        vm.charge(1);
        if (TRY(matchesAt(vm, object, index, args[0])))
            return Value::number(index);
    }
    return Value::int32(-1);
}

}
