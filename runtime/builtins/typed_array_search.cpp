// at, includes, indexOf, lastIndexOf, join and toLocaleString of %TypedArray%.prototype (ECMA-262 23.2.3).
#include "runtime/builtins/array_support.h"
#include "runtime/builtins/binary_support.h"
#include "runtime/core/number.h"

namespace scr {

// 23.2.3.1 %TypedArray%.prototype.at ( index )
Result typedArray_at(Vm& vm, Args args) {
    TypedMethod method = TRY(thisTypedArray(vm, args, "at"));
    double index = TRY(toIntegerOrInfinity(vm, args[0]));
    if (index < 0)
        index += double(method.length);
    if (index < 0 || index >= double(method.length))
        return Value::undefined();
    return elementOf(method.array, u64(index));
}

/// The first element in [from, end) that equals the number; `end` if there is none.
static Completion<u64> findNumber(Vm& vm, TypedArray* array, double number, u64 from, u64 end) {
    for (u64 i = from; i < end; i++) {
        TRY(countStep(vm));
        if (elementOf(array, i).asNumber() == number)
            return i;
    }
    return end;
}

// 23.2.3.16 %TypedArray%.prototype.includes ( searchElement [ , fromIndex ] )
Result typedArray_includes(Vm& vm, Args args) {
    TypedMethod method = TRY(thisTypedArray(vm, args, "includes"));
    if (!method.length)
        return Value::boolean(false);
    u64 from = TRY(relativeTo(vm, args[1], method.length, 0));
    u64 present = std::min(method.length, method.array->currentLength());
    // Elements that the conversion made vanish are undefined.
    if (args[0].isUndefined())
        return Value::boolean(std::max(from, present) < method.length);
    if (!args[0].isNumber())
        return Value::boolean(false);
    double wanted = args[0].asNumber();
    if (wanted == wanted)
        return Value::boolean(from < present && TRY(findNumber(vm, method.array, wanted, from, present)) < present);
    for (u64 i = from; i < present; i++) {
        TRY(countStep(vm));
        if (double number = elementOf(method.array, i).asNumber(); number != number)
            return Value::boolean(true);
    }
    return Value::boolean(false);
}

// 23.2.3.17 %TypedArray%.prototype.indexOf ( searchElement [ , fromIndex ] )
Result typedArray_indexOf(Vm& vm, Args args) {
    TypedMethod method = TRY(thisTypedArray(vm, args, "indexOf"));
    if (!method.length)
        return Value::int32(-1);
    u64 from = TRY(relativeTo(vm, args[1], method.length, 0));
    u64 end = std::min(method.length, method.array->currentLength());
    if (!args[0].isNumber() || from >= end)
        return Value::int32(-1);
    u64 found = TRY(findNumber(vm, method.array, args[0].asNumber(), from, end));
    return found < end ? Value::number(found) : Value::int32(-1);
}

// 23.2.3.20 %TypedArray%.prototype.lastIndexOf ( searchElement [ , fromIndex ] )
Result typedArray_lastIndexOf(Vm& vm, Args args) {
    TypedMethod method = TRY(thisTypedArray(vm, args, "lastIndexOf"));
    if (!method.length)
        return Value::int32(-1);
    double from = args.count > 1 ? TRY(toIntegerOrInfinity(vm, args[1])) : double(method.length) - 1;
    from = from < 0 ? from + double(method.length) : std::min(from, double(method.length) - 1);
    if (!args[0].isNumber() || from < 0)
        return Value::int32(-1);
    double wanted = args[0].asNumber();
    u64 end = std::min(u64(from) + 1, method.array->currentLength());
    for (u64 i = end; i > 0; i--) {
        TRY(countStep(vm));
        if (elementOf(method.array, i - 1).asNumber() == wanted)
            return Value::number(i - 1);
    }
    return Value::int32(-1);
}

// 23.2.3.18 %TypedArray%.prototype.join ( separator )
Result typedArray_join(Vm& vm, Args args) {
    TypedMethod method = TRY(thisTypedArray(vm, args, "join"));
    String* separator = args[0].isUndefined() ? unitString(vm, ',') : TRY(toString(vm, args[0]));
    separator = TRY(flatten(vm, separator));
    StringBuilder builder(vm);
    for (u64 i = 0; i < method.length && !builder.failed(); i++) {
        TRY(countStep(vm));
        if (i)
            builder.append(separator);
        Value value = elementOf(method.array, i);
        NumberBuffer buffer;
        if (!value.isUndefined())
            builder.appendAscii(numberText(value.asNumber(), buffer));
    }
    return Value::string(TRY(builder.finish()));
}

// 23.2.3.31 %TypedArray%.prototype.toLocaleString ( )
Result typedArray_toLocaleString(Vm& vm, Args args) {
    TypedMethod method = TRY(thisTypedArray(vm, args, "toLocaleString"));
    StringBuilder builder(vm);
    for (u64 i = 0; i < method.length && !builder.failed(); i++) {
        TRY(countStep(vm));
        if (i)
            builder.append(u',');
        Value value = elementOf(method.array, i);
        if (value.isUndefined())
            continue;
        Value text = TRY(invoke(vm, value, keyOf(internAscii(vm, "toLocaleString"))));
        builder.append(TRY(toString(vm, text)));
    }
    return Value::string(TRY(builder.finish()));
}

}
