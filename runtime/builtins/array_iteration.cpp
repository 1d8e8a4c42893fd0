// The methods of Array.prototype that call a function for each element (ECMA-262 23.1.3), and its iterators.
// The length is read once, before the first call; elements are looked up when their turn comes.
#include "runtime/builtins/array_support.h"
#include "runtime/builtins/iterator.h"

namespace scr {

namespace {

/// Where a walk begins: the object, its length at the start, the callback. Their conversions come in this order.
struct Walk {
    Object* object;
    double length;
};
Completion<Walk> startWalk(Vm& vm, Args args, std::string_view method) {
    Object* object = TRY(thisObject(vm, args.self(), method));
    double length = TRY(lengthAt(vm, object));
    TRY(requireCallable(vm, args[0]));
    return Walk{object, length};
}

/// Calls the function for each element that is present, in ascending order; `use(result, value, index)` says whether to
/// go on.
template <class Use> Completion<void> walkPresent(Vm& vm, Args args, const Walk& walk, Use use) {
    ElementCall callback(vm, args[0], args[1], walk.object);
    Value value;
    for (double index = 0; index < walk.length; index++) {
        TRY(vm.work(1));
        if (!TRY(readAt(vm, walk.object, index, value)))
            continue;
        Value result = TRY(callback(value, index));
        if (!TRY(use(result, value, index)))
            break;
    }
    return {};
}

}

// 23.1.3.15 Array.prototype.forEach ( callback [ , thisArg ] )
Result array_forEach(Vm& vm, Args args) {
    Walk walk = TRY(startWalk(vm, args, "Array.prototype.forEach"));
    TRY(walkPresent(vm, args, walk, [](Value, Value, double) -> Completion<bool> { return true; }));
    return Value::undefined();
}

namespace {

/// Known: the result is an ordinary array, so nobody sees it before it is complete and holes can be pushed.
Result mapToArray(Vm& vm, Args args, const Walk& walk) {
    Array* result = TRY(arrayCreate(vm, walk.length));
    TRY(walkPresent(vm, args, walk, [&](Value mapped, Value, double index) -> Completion<bool> {
        Elements& elements = result->elements_;
        if (index == elements.denseLength && !elements.isSparse()) {
            TRY(pushDense(vm, elements, mapped));
            elements.length = u32(walk.length);
            return true;
        }
        TRY(createDataPropertyOrThrow(vm, result, keyAt(vm, index), mapped));
        return true;
    }));
    return Value::object(result);
}

}

// 23.1.3.21 Array.prototype.map ( callback [ , thisArg ] )
Result array_map(Vm& vm, Args args) {
    Walk walk = TRY(startWalk(vm, args, "Array.prototype.map"));
    Object* result = TRY(speciesOf(vm, walk.object, walk.length));
    if (!result)
        return mapToArray(vm, args, walk);
    TRY(walkPresent(vm, args, walk, [&](Value mapped, Value, double index) -> Completion<bool> {
        TRY(defineAt(vm, result, index, mapped));
        return true;
    }));
    return Value::object(result);
}

// 23.1.3.8 Array.prototype.filter ( callback [ , thisArg ] )
Result array_filter(Vm& vm, Args args) {
    Walk walk = TRY(startWalk(vm, args, "Array.prototype.filter"));
    Object* result = TRY(speciesCreate(vm, walk.object, 0));
    double to = 0;
    TRY(walkPresent(vm, args, walk, [&](Value selected, Value value, double) -> Completion<bool> {
        if (toBoolean(selected))
            TRY(defineAt(vm, result, to++, value));
        return true;
    }));
    return Value::object(result);
}

// 23.1.3.6 Array.prototype.every ( callback [ , thisArg ] )
Result array_every(Vm& vm, Args args) {
    Walk walk = TRY(startWalk(vm, args, "Array.prototype.every"));
    bool every = true;
    TRY(walkPresent(
        vm, args, walk, [&](Value result, Value, double) -> Completion<bool> { return every = toBoolean(result); }));
    return Value::boolean(every);
}

// 23.1.3.29 Array.prototype.some ( callback [ , thisArg ] )
Result array_some(Vm& vm, Args args) {
    Walk walk = TRY(startWalk(vm, args, "Array.prototype.some"));
    bool some = false;
    TRY(walkPresent(
        vm, args, walk, [&](Value result, Value, double) -> Completion<bool> { return !(some = toBoolean(result)); }));
    return Value::boolean(some);
}

namespace {

struct Found {
    Value value;
    double index; ///< -1 if there is none
};

/// 23.1.3.12.1 FindViaPredicate: visits holes too (as undefined), from either end.
Completion<Found> findVia(Vm& vm, Args args, bool fromEnd, std::string_view method) {
    Walk walk = TRY(startWalk(vm, args, method));
    ElementCall callback(vm, args[0], args[1], walk.object);
    for (double step = 0; step < walk.length; step++) {
        TRY(vm.work(1));
        double index = fromEnd ? walk.length - 1 - step : step;
        Value value = TRY(getAt(vm, walk.object, index));
        if (toBoolean(TRY(callback(value, index))))
            return Found{value, index};
    }
    return Found{Value::undefined(), -1};
}

}

// 23.1.3.9 Array.prototype.find ( predicate [ , thisArg ] )
Result array_find(Vm& vm, Args args) { return TRY(findVia(vm, args, false, "Array.prototype.find")).value; }

// 23.1.3.10 Array.prototype.findIndex ( predicate [ , thisArg ] )
Result array_findIndex(Vm& vm, Args args) {
    return Value::number(TRY(findVia(vm, args, false, "Array.prototype.findIndex")).index);
}

// 23.1.3.11 Array.prototype.findLast ( predicate [ , thisArg ] )
Result array_findLast(Vm& vm, Args args) { return TRY(findVia(vm, args, true, "Array.prototype.findLast")).value; }

// 23.1.3.12 Array.prototype.findLastIndex ( predicate [ , thisArg ] )
Result array_findLastIndex(Vm& vm, Args args) {
    return Value::number(TRY(findVia(vm, args, true, "Array.prototype.findLastIndex")).index);
}

namespace {

/// 23.1.3.24 and 23.1.3.25: from either end; without an initial value the first element present is taken.
Result reduceFrom(Vm& vm, Args args, bool fromEnd, std::string_view method) {
    Walk walk = TRY(startWalk(vm, args, method));
    RepeatedCall callback(vm, args[0], Value::undefined());
    bool started = args.count > 1;
    Value accumulator = args[1], value;
    for (double step = 0; step < walk.length; step++) {
        TRY(vm.work(1));
        double index = fromEnd ? walk.length - 1 - step : step;
        if (!TRY(readAt(vm, walk.object, index, value)))
            continue;
        if (started) {
            Value callArgs[] = {accumulator, value, Value::number(index), Value::object(walk.object)};
            value = TRY(callback(callArgs, 4));
        }
        accumulator = value;
        started = true;
    }
    if (!started)
        return throwError(vm, Error::ReduceEmpty);
    return accumulator;
}

}

// 23.1.3.24 Array.prototype.reduce ( callback [ , initialValue ] )
Result array_reduce(Vm& vm, Args args) { return reduceFrom(vm, args, false, "Array.prototype.reduce"); }

// 23.1.3.25 Array.prototype.reduceRight ( callback [ , initialValue ] )
Result array_reduceRight(Vm& vm, Args args) { return reduceFrom(vm, args, true, "Array.prototype.reduceRight"); }

namespace {

/// 23.1.3.13.1 FlattenIntoArray: appends to `target` from index `to` on; the next index is the result.
Completion<double> flattenInto(
    Vm& vm, Object* target, const Walk& source, double to, double depth, ElementCall* mapper) {
    if (vm.cStackLow())
        return vm.throwStackOverflow();
    Value value;
    for (double index = 0; index < source.length; index++) {
        TRY(vm.work(1));
        if (!TRY(readAt(vm, source.object, index, value)))
            continue;
        if (mapper)
            value = TRY((*mapper)(value, index));
        if (depth > 0 && TRY(isArray(vm, value))) {
            Walk nested{value.asObject(), TRY(lengthAt(vm, value.asObject()))};
            to = TRY(flattenInto(vm, target, nested, to, depth - 1, nullptr));
        } else {
            TRY(defineAt(vm, target, to++, value));
        }
    }
    return to;
}

}

// 23.1.3.13 Array.prototype.flat ( [ depth ] )
Result array_flat(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    Walk walk{object, TRY(lengthAt(vm, object))};
    double depth = args[0].isUndefined() ? 1 : TRY(toIntegerOrInfinity(vm, args[0]));
    Object* target = TRY(speciesCreate(vm, object, 0));
    TRY(flattenInto(vm, target, walk, 0, depth, nullptr));
    return Value::object(target);
}

// 23.1.3.14 Array.prototype.flatMap ( mapperFunction [ , thisArg ] )
Result array_flatMap(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    Walk walk{object, TRY(lengthAt(vm, object))};
    if (!isCallable(args[0]))
        return throwError(vm, Error::FlatMapMapper);
    Object* target = TRY(speciesCreate(vm, object, 0));
    ElementCall mapper(vm, args[0], args[1], object);
    TRY(flattenInto(vm, target, walk, 0, 1, &mapper));
    return Value::object(target);
}

namespace {

Result iterate(Vm& vm, Args args, IterationKind kind) {
    Object* object = TRY(thisObject(vm, args.self()));
    return Value::object(newBuiltinIterator(vm, IteratorClass::Array, kind, Value::object(object)));
}

}

// 23.1.3.5 Array.prototype.entries ( )
Result array_entries(Vm& vm, Args args) { return iterate(vm, args, IterationKind::Entries); }

// 23.1.3.19 Array.prototype.keys ( )
Result array_keys(Vm& vm, Args args) { return iterate(vm, args, IterationKind::Keys); }

// 23.1.3.38 Array.prototype.values ( )
Result array_values(Vm& vm, Args args) { return iterate(vm, args, IterationKind::Values); }

}
