// The Array constructor and its functions (ECMA-262 23.1.1, 23.1.2), and the steps that Array's files share.
#include "runtime/builtins/array_support.h"

#include <cmath>

namespace scr {

Object* makeArrayPrototype(Vm& vm, Object* prototype) {
    auto* array = static_cast<Array*>(allocateObject(vm, Kind::Array, sizeof(Array), rootShape(vm, prototype, 0)));
    array->elements_ = {nullptr, 0, 0};
    return array;
}

Completion<void> deleteAt(Vm& vm, Object* object, double index) { return deleteOrThrow(vm, object, keyAt(vm, index)); }

Completion<double> relativeIndex(Vm& vm, Value value, double length, double fallback) {
    if (value.isUndefined())
        return fallback;
    double relative = value.isInt() ? value.asInt() : TRY(toIntegerOrInfinity(vm, value));
    return relative < 0 ? std::max(length + relative, 0.0) : std::min(relative, length);
}

namespace {

/// Room made at once for an array that is given a length.
constexpr double MaxReserved = 1 << 16;

Completion<Array*> arrayWithPrototype(Vm& vm, double length, Object* prototype) {
    Array* array = TRY(arrayCreate(vm, length));
    if (prototype != vm.realm->intrinsic(vm, Intrinsic::ArrayPrototype))
        array->shape = rootShape(vm, prototype, 0)->id;
    return array;
}

}

Completion<Array*> arrayCreate(Vm& vm, double length) {
    if (length > MaxArrayLength)
        return throwError(vm, Error::ArrayLength);
    Array* array = newArray(vm);
    if (length > 0 && length <= MaxReserved)
        TRY(reserveDense(vm, array->elements_, u32(length)));
    array->elements_.length = u32(length);
    return array;
}

Completion<Array*> emptyArray(Vm& vm, double length) {
    Array* array = TRY(arrayCreate(vm, length));
    array->elements_.length = 0;
    return array;
}

namespace {

/// The constructor is Array, and Array[Symbol.species] is still the getter that returns `this`.
bool isDefaultSpecies(Vm& vm, Value constructor) {
    Object* array = vm.realm->intrinsic(vm, Intrinsic::Array);
    if (!constructor.isObject() || constructor.asObject() != array)
        return false;
    Lookup species = getOwnProperty(vm, array, SYMBOL(vm, species));
    if (species.type != Lookup::Accessor)
        return false;
    Value getter = species.value.as<Accessor>()->getter;
    return getter.isObject() && kindOf(getter.asObject()) == Kind::NativeFunction
        && static_cast<NativeFunction*>(getter.asObject())->code == species_getter;
}

/// An Array constructor of another realm counts as none (step 4.c).
Completion<bool> isForeignArray(Vm& vm, Value constructor) {
    if (!isConstructor(constructor))
        return false;
    TRY(requireRealm(vm, constructor.asObject()));
    Realm* realm = realmOf(vm, constructor.asObject());
    return realm != vm.realm && constructor.asObject() == realm->intrinsics[size_t(Intrinsic::Array)].get();
}

}

Completion<Object*> speciesOf(Vm& vm, Object* original, double length) {
    if (!TRY(isArray(vm, Value::object(original))))
        return nullptr;
    Value constructor = TRY(get(vm, original, KEY(vm, constructor)));
    if (LIKELY(isDefaultSpecies(vm, constructor)))
        return nullptr;
    if (TRY(isForeignArray(vm, constructor)))
        return nullptr;
    if (constructor.isObject()) {
        constructor = TRY(get(vm, constructor.asObject(), SYMBOL(vm, species)));
        if (constructor.isNull())
            return nullptr;
    }
    if (constructor.isUndefined())
        return nullptr;
    if (!isConstructor(constructor))
        return throwError(vm, Error::SpeciesNotConstructor);
    Value argument = Value::number(length);
    return TRY(construct(vm, constructor.asObject(), &argument, 1, constructor.asObject())).asObject();
}

Completion<Object*> speciesCreate(Vm& vm, Object* original, double length) {
    Object* made = TRY(speciesOf(vm, original, length));
    return made ? made : TRY(arrayCreate(vm, length));
}

// 23.1.1.1 Array ( ...values )
Result array_constructor(Vm& vm, Args args) {
    Object* prototype = TRY(prototypeFor(vm, args, vm.takeNewTarget(), Intrinsic::ArrayPrototype));
    if (args.count == 1 && args[0].isNumber()) {
        double length = args[0].asNumber();
        if (length < 0 || length > MaxArrayLength || length != std::trunc(length))
            return throwError(vm, Error::ArrayLength);
        return Value::object(TRY(arrayWithPrototype(vm, length, prototype)));
    }
    Array* array = TRY(arrayWithPrototype(vm, 0, prototype));
    TRY(reserveDense(vm, array->elements_, args.count));
    for (u32 i = 0; i < args.count; i++)
        TRY(pushDense(vm, array->elements_, args[i]));
    return Value::object(array);
}

// 23.1.2.2 Array.isArray ( arg )
Result array_isArray(Vm& vm, Args args) { return Value::boolean(TRY(isArray(vm, args[0]))); }

Completion<Object*> constructReceiver(Vm& vm, Value receiver, const double* length) {
    bool ordinary = receiver.isObject() && receiver.asObject() == vm.realm->intrinsics[size_t(Intrinsic::Array)].get();
    if (ordinary || !isConstructor(receiver))
        return TRY(emptyArray(vm, length ? *length : 0));
    Value argument = length ? Value::number(*length) : Value::undefined();
    Object* constructor = receiver.asObject();
    return TRY(construct(vm, constructor, &argument, length ? 1 : 0, constructor)).asObject();
}

Completion<void> finishLength(Vm& vm, Object* target, double length) {
    if (isPlainArray(target) && asArray(target)->length() == length && !target->flags)
        return {};
    return putLength(vm, target, length);
}

namespace {

/// The mapping function of Array.from, called with (value, index).
struct Mapping {
    bool present;
    RepeatedCall call;

    Result operator()(Value value, double index) {
        if (!present)
            return value;
        Value args[] = {value, Value::number(index)};
        return call(args, 2);
    }
};

Result fromIterable(Vm& vm, Object* target, Value items, Value method, Mapping& mapping) {
    double index = 0;
    auto add = [&](Value value) -> Completion<void> {
        value = TRY(mapping(value, index));
        return defineAt(vm, target, index++, value);
    };
    if (!iteratesAsArray(vm, items)) {
        TRY(forEachWith(vm, TRY(iteratorFromMethod(vm, items, method)), add));
    } else if (!mapping.present && isMovable(vm, target) && !asArray(target)->length()) {
        TRY(appendElements(vm, asArray(target), asArray(items.asObject())));
        index = asArray(target)->length();
    } else {
        TRY(forEachOf(vm, items, add));
    }
    TRY(finishLength(vm, target, index));
    return Value::object(target);
}

Result fromArrayLike(Vm& vm, Value receiver, Value items, Mapping& mapping) {
    Object* source = TRY(toObject(vm, items));
    double length = TRY(lengthAt(vm, source));
    Object* target = TRY(constructReceiver(vm, receiver, &length));
    for (double index = 0; index < length; index++) {
        TRY(vm.work(1));
        TRY(defineAt(vm, target, index, TRY(mapping(TRY(getAt(vm, source, index)), index))));
    }
    TRY(finishLength(vm, target, length));
    return Value::object(target);
}

}

// 23.1.2.1 Array.from ( items [ , mapper [ , thisArg ] ] )
Result array_from(Vm& vm, Args args) {
    if (!args[1].isUndefined())
        TRY(requireCallable(vm, args[1]));
    Mapping mapping{!args[1].isUndefined(), RepeatedCall(vm, args[1], args[2])};
    if (args[0].isNullish())
        return throwOperand(vm, Error::NotIterableRead, args[0]);
    Value method = TRY(getOf(vm, args[0], SYMBOL(vm, iterator)));
    if (method.isNullish())
        return fromArrayLike(vm, args.self(), args[0], mapping);
    if (!isCallable(method))
        return throwError(vm, Error::ArrayFromIterator);
    return fromIterable(vm, TRY(constructReceiver(vm, args.self(), nullptr)), args[0], method, mapping);
}

// 23.1.2.3 Array.of ( ...items )
Result array_of(Vm& vm, Args args) {
    double length = args.count;
    Object* target = TRY(constructReceiver(vm, args.self(), &length));
    for (u32 i = 0; i < args.count; i++)
        TRY(defineAt(vm, target, i, args[i]));
    TRY(finishLength(vm, target, length));
    return Value::object(target);
}

}
