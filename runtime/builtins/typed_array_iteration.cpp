// The methods of %TypedArray%.prototype that call a function for each element (ECMA-262 23.2.3), and its iterators. The
// length is read once, before the first call; an element that is gone when its turn comes is undefined.
#include "runtime/builtins/array_support.h"
#include "runtime/builtins/binary_support.h"
#include "runtime/builtins/iterator.h"

namespace scr {

namespace {

Completion<TypedMethod> startWalk(Vm& vm, Args args, std::string_view method) {
    TypedMethod walk = TRY(thisTypedArray(vm, args, method));
    TRY(requireCallable(vm, args[0]));
    return walk;
}

/// Calls the function for each element; `use(result, value, index)` says whether to go on.
template <class Use> Completion<void> walkAll(Vm& vm, Args args, const TypedMethod& walk, bool backwards, Use use) {
    ElementCall callback(vm, args[0], args[1], walk.array);
    for (u64 step = 0; step < walk.length; step++) {
        TRY(countStep(vm));
        u64 index = backwards ? walk.length - 1 - step : step;
        Value value = elementOf(walk.array, index);
        Value result = TRY(callback(value, double(index)));
        if (!TRY(use(result, value, index)))
            break;
    }
    return {};
}

/// every and some: whether a result was other than `expected`.
Completion<bool> anyOther(Vm& vm, Args args, std::string_view method, bool expected) {
    TypedMethod walk = TRY(startWalk(vm, args, method));
    bool other = false;
    TRY(walkAll(vm, args, walk, false, [&](Value result, Value, u64) -> Completion<bool> {
        other = toBoolean(result) != expected;
        return !other;
    }));
    return other;
}

struct Found {
    Value value;
    double index = -1;
};
Completion<Found> findElement(Vm& vm, Args args, std::string_view method, bool backwards) {
    TypedMethod walk = TRY(startWalk(vm, args, method));
    Found found;
    TRY(walkAll(vm, args, walk, backwards, [&](Value result, Value value, u64 index) -> Completion<bool> {
        if (toBoolean(result))
            found = {value, double(index)};
        return found.index < 0;
    }));
    return found;
}

Result fold(Vm& vm, Args args, std::string_view method, bool backwards) {
    TypedMethod walk = TRY(startWalk(vm, args, method));
    u64 step = 0;
    auto indexOf = [&] { return backwards ? walk.length - 1 - step : step; };
    Value result = args[1];
    if (args.count < 2) {
        if (!walk.length)
            return throwError(vm, Error::ReduceEmpty);
        result = elementOf(walk.array, indexOf());
        step++;
    }
    RepeatedCall callback(vm, args[0], Value::undefined());
    for (; step < walk.length; step++) {
        TRY(countStep(vm));
        Value callbackArgs[] = {
            result, elementOf(walk.array, indexOf()), Value::number(indexOf()), Value::object(walk.array)};
        result = TRY(callback(callbackArgs, 4));
    }
    return result;
}

}

// 23.2.3.8 %TypedArray%.prototype.every ( callback [ , thisArg ] )
Result typedArray_every(Vm& vm, Args args) { return Value::boolean(!TRY(anyOther(vm, args, "every", true))); }

// 23.2.3.28 %TypedArray%.prototype.some ( callback [ , thisArg ] )
Result typedArray_some(Vm& vm, Args args) { return Value::boolean(TRY(anyOther(vm, args, "some", false))); }

// 23.2.3.15 %TypedArray%.prototype.forEach ( callback [ , thisArg ] )
Result typedArray_forEach(Vm& vm, Args args) {
    TypedMethod walk = TRY(startWalk(vm, args, "forEach"));
    TRY(walkAll(vm, args, walk, false, [](Value, Value, u64) -> Completion<bool> { return true; }));
    return Value::undefined();
}

// 23.2.3.11 to 23.2.3.14
Result typedArray_find(Vm& vm, Args args) { return TRY(findElement(vm, args, "find", false)).value; }
Result typedArray_findIndex(Vm& vm, Args args) {
    return Value::number(TRY(findElement(vm, args, "findIndex", false)).index);
}
Result typedArray_findLast(Vm& vm, Args args) { return TRY(findElement(vm, args, "findLast", true)).value; }
Result typedArray_findLastIndex(Vm& vm, Args args) {
    return Value::number(TRY(findElement(vm, args, "findLastIndex", true)).index);
}

// 23.2.3.10 %TypedArray%.prototype.filter ( callback [ , thisArg ] )
Result typedArray_filter(Vm& vm, Args args) {
    TypedMethod walk = TRY(startWalk(vm, args, "filter"));
    Array* kept = newArray(vm);
    TRY(walkAll(vm, args, walk, false, [&](Value result, Value value, u64) -> Completion<bool> {
        if (toBoolean(result))
            TRY(pushDense(vm, kept->elements_, value));
        return true;
    }));
    TypedArray* result = TRY(typedArraySpecies(vm, walk.array, kept->length(), "filter"));
    for (u32 i = 0; i < kept->length(); i++)
        putElementOf(result, i, TRY(convertElement(vm, result->type, kept->elements_.dense()[i])));
    return Value::object(result);
}

// 23.2.3.22 %TypedArray%.prototype.map ( callback [ , thisArg ] )
Result typedArray_map(Vm& vm, Args args) {
    TypedMethod walk = TRY(startWalk(vm, args, "map"));
    TypedArray* result = TRY(typedArraySpecies(vm, walk.array, walk.length, "map"));
    TRY(walkAll(vm, args, walk, false, [&](Value mapped, Value, u64 index) -> Completion<bool> {
        putElementOf(result, index, TRY(convertElement(vm, result->type, mapped)));
        return true;
    }));
    return Value::object(result);
}

// 23.2.3.23, 23.2.3.24
Result typedArray_reduce(Vm& vm, Args args) { return fold(vm, args, "reduce", false); }
Result typedArray_reduceRight(Vm& vm, Args args) { return fold(vm, args, "reduceRight", true); }

// ---- iterators (23.2.3.7, 23.2.3.19, 23.2.3.35)

static Result iterate(Vm& vm, Args args, std::string_view method, IterationKind kind) {
    TypedMethod walk = TRY(thisTypedArray(vm, args, method));
    return Value::object(newBuiltinIterator(vm, IteratorClass::Array, kind, Value::object(walk.array)));
}
Result typedArray_entries(Vm& vm, Args args) { return iterate(vm, args, "entries", IterationKind::Entries); }
Result typedArray_keys(Vm& vm, Args args) { return iterate(vm, args, "keys", IterationKind::Keys); }
Result typedArray_values(Vm& vm, Args args) { return iterate(vm, args, "values", IterationKind::Values); }

}
