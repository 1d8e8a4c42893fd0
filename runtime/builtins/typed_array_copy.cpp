// The methods of %TypedArray%.prototype that write elements or copy them (ECMA-262 23.2.3).
#include "runtime/builtins/array_support.h"
#include "runtime/builtins/binary_support.h"
#include <cmath>

namespace scr {

namespace {

/// The array again, after script ran: TypeError if it went out of bounds.
Completion<u64> lengthAgain(Vm& vm, TypedArray* array, std::string_view method) {
    if (array->isOutOfBounds())
        return throwDetached(vm, "%TypedArray%.prototype." + std::string(method));
    return array->currentLength();
}

u8* elementAddress(TypedArray* array, u64 index) { return array->bytes() + (index << array->shift); }

/// Calls `use` with the elements as unsigned integers of their size: for moves that need no numbers.
template <class Use> void asUnits(TypedArray* array, Use use) {
    u8* bytes = array->bytes();
    switch (array->shift) {
    case 0: return use(bytes);
    case 1: return use(reinterpret_cast<u16*>(bytes));
    case 2: return use(reinterpret_cast<u32*>(bytes));
    default: return use(reinterpret_cast<u64*>(bytes));
    }
}

/// Elements [from, from + count) of `source` to `to` of the target, each read before anything is written over it.
Completion<void> copyElements(
    Vm& vm, TypedArray* source, u64 from, TypedArray* target, u64 to, u64 count, bool mayOverlap) {
    if (!count)
        return {};
    TRY(countBytes(vm, count << target->shift));
    if (source->type == target->type) {
        memmove(elementAddress(target, to), elementAddress(source, from), count << target->shift);
        return {};
    }
    if (mayOverlap && source->buffer == target->buffer) {
        TypedArray* copy = TRY(typedArrayOfType(vm, source->type, count));
        memcpy(copy->bytes(), elementAddress(source, from), count << source->shift);
        source = copy;
        from = 0;
    }
    for (u64 i = 0; i < count; i++) {
        TRY(countStep(vm));
        putElementOf(target, to + i, elementOf(source, from + i));
    }
    return {};
}

/// 23.2.3.26.1 SetTypedArrayFromArrayLike from step 4 on.
Completion<void> setFromArrayLike(Vm& vm, TypedArray* target, double offset, Value sourceValue) {
    u64 length = target->currentLength();
    Object* source = TRY(toObject(vm, sourceValue));
    double count = TRY(lengthOf(vm, source));
    if (offset + count > double(length))
        return throwError(vm, Error::OffsetRange);
    for (u64 i = 0; i < u64(count); i++) {
        TRY(countStep(vm));
        Value value = TRY(getAt(vm, source, double(i)));
        putElementOf(target, u64(offset) + i, TRY(convertElement(vm, target->type, value)));
    }
    return {};
}

/// Bytes one after the other from the first on, as the text says: a target that overlaps the source sees its own
/// writes.
void copyForwards(u8* to, const u8* from, u64 bytes) {
    if (to > from && to < from + bytes)
        for (u64 i = 0; i < bytes; i++)
            to[i] = from[i];
    else
        memmove(to, from, bytes);
}

}

// 23.2.3.26 %TypedArray%.prototype.set ( source [ , offset ] )
Result typedArray_set(Vm& vm, Args args) {
    if (!isTypedArray(args.self()))
        return throwError(vm, Error::NotTypedArray);
    TypedArray* target = asTypedArray(args.self().asObject());
    double offset = TRY(toIntegerOrInfinity(vm, args[1]));
    if (offset < 0)
        return throwError(vm, Error::OffsetRange);
    u64 length = TRY(lengthAgain(vm, target, "set"));
    if (!isTypedArray(args[0])) {
        TRY(setFromArrayLike(vm, target, offset, args[0]));
        return Value::undefined();
    }
    TypedArray* source = asTypedArray(args[0].asObject());
    u64 count = TRY(lengthAgain(vm, source, "set"));
    if (offset + double(count) > double(length))
        return throwError(vm, Error::OffsetRange);
    TRY(copyElements(vm, source, 0, target, u64(offset), count, true));
    return Value::undefined();
}

// 23.2.3.9 %TypedArray%.prototype.fill ( value [ , start [ , end ] ] )
Result typedArray_fill(Vm& vm, Args args) {
    TypedMethod method = TRY(thisTypedArray(vm, args, "fill"));
    Value number = TRY(convertElement(vm, method.array->type, args[0]));
    u64 start = TRY(relativeTo(vm, args[1], method.length, 0));
    u64 end = TRY(relativeTo(vm, args[2], method.length, method.length));
    end = std::min(end, TRY(lengthAgain(vm, method.array, "fill")));
    if (start >= end)
        return args.self();
    alignas(8) u8 raw[8];
    storeElement(method.array->type, raw, number);
    TRY(countBytes(vm, (end - start) << method.array->shift));
    asUnits(method.array, [&]<class Unit>(Unit* units) {
        Unit unit;
        memcpy(&unit, raw, sizeof(Unit));
        std::fill(units + start, units + end, unit);
    });
    return args.self();
}

// 23.2.3.6 %TypedArray%.prototype.copyWithin ( target, start [ , end ] )
Result typedArray_copyWithin(Vm& vm, Args args) {
    TypedMethod method = TRY(thisTypedArray(vm, args, "copyWithin"));
    u64 to = TRY(relativeTo(vm, args[0], method.length, 0));
    u64 from = TRY(relativeTo(vm, args[1], method.length, 0));
    u64 end = TRY(relativeTo(vm, args[2], method.length, method.length));
    u64 count = end > from ? std::min(end - from, method.length - to) : 0;
    if (!count)
        return args.self();
    u64 length = TRY(lengthAgain(vm, method.array, "copyWithin"));
    if (from < length && to < length)
        TRY(copyElements(
            vm, method.array, from, method.array, to, std::min({count, length - from, length - to}), false));
    return args.self();
}

// 23.2.3.27 %TypedArray%.prototype.slice ( start, end )
Result typedArray_slice(Vm& vm, Args args) {
    TypedMethod method = TRY(thisTypedArray(vm, args, "slice"));
    u64 start = TRY(relativeTo(vm, args[0], method.length, 0));
    u64 end = TRY(relativeTo(vm, args[1], method.length, method.length));
    u64 count = end > start ? end - start : 0;
    TypedArray* result = TRY(typedArraySpecies(vm, method.array, count, "slice"));
    if (!count)
        return Value::object(result);
    end = std::min(end, TRY(lengthAgain(vm, method.array, "slice")));
    count = end > start ? std::min(end - start, result->currentLength()) : 0;
    if (!count)
        return Value::object(result);
    if (result->type == method.array->type) {
        TRY(countBytes(vm, count << result->shift));
        copyForwards(result->bytes(), elementAddress(method.array, start), count << result->shift);
    } else {
        for (u64 i = 0; i < count; i++) {
            TRY(countStep(vm));
            putElementOf(result, i, TRY(convertElement(vm, result->type, elementOf(method.array, start + i))));
        }
    }
    return Value::object(result);
}

// 23.2.3.30 %TypedArray%.prototype.subarray ( start, end )
Result typedArray_subarray(Vm& vm, Args args) {
    if (!isTypedArray(args.self()))
        return throwError(vm, Error::NotTypedArray);
    TypedArray* array = asTypedArray(args.self().asObject());
    u64 length = array->currentLength();
    u64 start = TRY(relativeTo(vm, args[0], length, 0));
    Value count;
    if (!array->tracksLength || !args[1].isUndefined()) {
        u64 end = TRY(relativeTo(vm, args[1], length, length));
        count = Value::number(end > start ? end - start : 0);
    }
    double offset = double(array->byteOffset + (start << array->shift));
    return Value::object(TRY(typedArraySpeciesOver(vm, array, offset, count, "subarray")));
}

// 23.2.3.25 %TypedArray%.prototype.reverse ( )
Result typedArray_reverse(Vm& vm, Args args) {
    TypedMethod method = TRY(thisTypedArray(vm, args, "reverse"));
    TRY(countBytes(vm, method.length << method.array->shift));
    if (method.length)
        asUnits(method.array, [&](auto* units) { std::reverse(units, units + method.length); });
    return args.self();
}

// 23.2.3.32 %TypedArray%.prototype.toReversed ( )
Result typedArray_toReversed(Vm& vm, Args args) {
    TypedMethod method = TRY(thisTypedArray(vm, args, "toReversed"));
    TypedArray* result = TRY(typedArrayOfType(vm, method.array->type, method.length));
    TRY(copyElements(vm, method.array, 0, result, 0, method.length, false));
    if (method.length)
        asUnits(result, [&](auto* units) { std::reverse(units, units + method.length); });
    return Value::object(result);
}

// 23.2.3.36 %TypedArray%.prototype.with ( index, value )
Result typedArray_with(Vm& vm, Args args) {
    TypedMethod method = TRY(thisTypedArray(vm, args, "with"));
    double index = TRY(toIntegerOrInfinity(vm, args[0]));
    if (index < 0)
        index += double(method.length);
    Value number = TRY(convertElement(vm, method.array->type, args[1]));
    u64 present = method.array->currentLength();
    if (!(index >= 0 && index < double(present)))
        return throwError(vm, Error::TypedArrayIndex);
    TypedArray* result = TRY(typedArrayOfType(vm, method.array->type, method.length));
    TRY(copyElements(vm, method.array, 0, result, 0, std::min(present, method.length), false));
    // Elements that the conversion made vanish were undefined when they were read.
    for (u64 i = present; i < method.length; i++)
        putElementOf(result, i, Value::nan());
    putElementOf(result, u64(index), number);
    return Value::object(result);
}

// ---- sorting (23.2.3.29, 23.2.3.33)

namespace {

/// Numbers in their order: -0 before 0, NaN last.
template <class Number> bool precedes(Number a, Number b) {
    if constexpr (std::is_floating_point_v<Number>) {
        if (a != a || b != b)
            return a == a && b != b;
        if (a == 0 && b == 0)
            return std::signbit(a) && !std::signbit(b);
    }
    return a < b;
}

template <class Number> void sortNumbers(u8* bytes, u64 length) {
    auto* numbers = reinterpret_cast<Number*>(bytes);
    std::sort(numbers, numbers + length, precedes<Number>);
}

/// Without a comparator no script runs: in place.
Completion<void> sortByValue(Vm& vm, TypedArray* array, u64 length) {
    TRY(countBytes(vm, length * 64));
    u8* bytes = array->bytes();
    if (length < 2)
        return {};
    if (array->type == ElementType::Float16) {
        auto* halves = reinterpret_cast<u16*>(bytes);
        std::sort(halves, halves + length, [](u16 a, u16 b) { return precedes(doubleFromHalf(a), doubleFromHalf(b)); });
        return {};
    }
    switch (array->type) {
#define ELEMENT(Name, type)                                                                                            \
    case ElementType::Name:                                                                                            \
        sortNumbers<type>(bytes, length);                                                                              \
        break;
#include "runtime/core/element_types.def"
#undef ELEMENT
    case ElementType::Count: break;
    }
    return {};
}

/// The elements sorted by a function, as values; `target` may be the array itself, and any length by the end.
Completion<void> sortByFunction(Vm& vm, TypedArray* array, u64 length, Value comparator, TypedArray* target) {
    if (double(length) >= MaxArrayLength)
        return throwError(vm, Error::ArrayLength);
    Array* values = newArray(vm);
    TRY(reserveDense(vm, values->elements_, u32(length)));
    for (u64 i = 0; i < length; i++) {
        TRY(countStep(vm));
        TRY(pushDense(vm, values->elements_, elementOf(array, i)));
    }
    TRY(sortValues(vm, values, comparator));
    for (u32 i = 0; i < values->length(); i++)
        putElementOf(target, i, values->elements_.dense()[i]);
    return {};
}

}

// 23.2.3.29 %TypedArray%.prototype.sort ( comparator )
Result typedArray_sort(Vm& vm, Args args) {
    if (!args[0].isUndefined() && !isCallable(args[0]))
        return throwError(vm, Error::SortComparator);
    TypedMethod method = TRY(thisTypedArray(vm, args, "sort"));
    if (args[0].isUndefined())
        TRY(sortByValue(vm, method.array, method.length));
    else
        TRY(sortByFunction(vm, method.array, method.length, args[0], method.array));
    return args.self();
}

// 23.2.3.33 %TypedArray%.prototype.toSorted ( comparator )
Result typedArray_toSorted(Vm& vm, Args args) {
    if (!args[0].isUndefined() && !isCallable(args[0]))
        return throwError(vm, Error::SortComparator);
    TypedMethod method = TRY(thisTypedArray(vm, args, "toSorted"));
    TypedArray* result = TRY(typedArrayOfType(vm, method.array->type, method.length));
    TRY(copyElements(vm, method.array, 0, result, 0, method.length, false));
    if (args[0].isUndefined())
        TRY(sortByValue(vm, result, method.length));
    else
        TRY(sortByFunction(vm, result, method.length, args[0], result));
    return Value::object(result);
}

}
