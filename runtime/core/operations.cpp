// Operators on values of any type (ECMA-262 13.5 to 13.12), for what the interpreter's fast paths leave over.
#include "runtime/core/operations.h"
#include "runtime/core/call.h"
#include "runtime/core/error.h"
#include "runtime/core/proxy.h"
#include "runtime/core/vm.h"
#include <cmath>

namespace scr {

// ---- equality

Completion<bool> strictlyEqual(Vm& vm, Value a, Value b) {
    if (a.isNumber() && b.isNumber())
        return a.asNumber() == b.asNumber();
    if (a.isString() && b.isString())
        return equalStrings(vm, a.asString(), b.asString());
    return a == b;
}

Completion<bool> sameValueZero(Vm& vm, Value a, Value b) {
    if (a.isNumber() && b.isNumber()) {
        double x = a.asNumber(), y = b.asNumber();
        return x == y || (x != x && y != y);
    }
    return strictlyEqual(vm, a, b);
}

Completion<bool> sameValue(Vm& vm, Value a, Value b) {
    if (a.isNumber() && b.isNumber() && a.asNumber() == 0 && b.asNumber() == 0)
        return std::signbit(a.asNumber()) == std::signbit(b.asNumber());
    return sameValueZero(vm, a, b);
}

// 7.2.14 IsLooselyEqual ( x, y ). Each round turns one side into a primitive or both into numbers.
Completion<bool> looselyEqual(Vm& vm, Value a, Value b) {
    for (;;) {
        if ((a.isObject() && b.isObject()) || (a.isNumber() && b.isNumber()) || (a.isString() && b.isString()))
            return strictlyEqual(vm, a, b);
        if (a.isNullish() || b.isNullish())
            return a.isNullish() && b.isNullish();
        if (a.isObject())
            a = TRY(toPrimitive(vm, a));
        else if (b.isObject())
            b = TRY(toPrimitive(vm, b));
        else if (a.isSymbol() || b.isSymbol() || a == b)
            return a == b;
        else
            return TRY(toNumber(vm, a)) == TRY(toNumber(vm, b));
    }
}

// ---- order

static bool holds(Comparison comparison, i32 order) {
    switch (comparison) {
    case Comparison::Less: return order < 0;
    case Comparison::LessEqual: return order <= 0;
    case Comparison::Greater: return order > 0;
    default: return order >= 0;
    }
}

// 13.10.1, 7.2.13 IsLessThan: the left operand is converted first whichever way the comparison goes
Completion<bool> compareValues(Vm& vm, Comparison comparison, Value a, Value b) {
    if (a.isString() && b.isString())
        return holds(comparison, TRY(compareStrings(vm, a.asString(), b.asString())));
    a = TRY(toPrimitive(vm, a, Hint::Number));
    b = TRY(toPrimitive(vm, b, Hint::Number));
    if (a.isString() && b.isString())
        return holds(comparison, TRY(compareStrings(vm, a.asString(), b.asString())));
    double x = TRY(toNumber(vm, a)), y = TRY(toNumber(vm, b));
    if (x != x || y != y)
        return false;
    return holds(comparison, x < y ? -1 : x > y);
}

// ---- arithmetic

double numberRemainder(double a, double b) {
    // OPTIMIZATION: integers that doubles hold exactly. fmod works through the bits of the quotient one by one.
    constexpr double ExactIntegers = 9007199254740992.0;
    if (std::fabs(a) < ExactIntegers && std::fabs(b) < ExactIntegers) {
        i64 x = i64(a), y = i64(b);
        if (double(x) == a && double(y) == b && y && x) {
            i64 remainder = x % y;
            return remainder ? double(remainder) : std::copysign(0.0, a);
        }
    }
    return std::fmod(a, b);
}

static Value applyNumbers(Arithmetic operation, double x, double y) {
    i32 a, b;
    switch (operation) {
    case Arithmetic::Add: return Value::number(x + y);
    case Arithmetic::Sub: return Value::number(x - y);
    case Arithmetic::Mul: return Value::number(x * y);
    case Arithmetic::Div: return Value::number(x / y);
    case Arithmetic::Mod: return Value::number(numberRemainder(x, y));
    case Arithmetic::Exp: return Value::number(numberPower(x, y));
    default: break;
    }
    a = doubleToInt32(x);
    b = doubleToInt32(y);
    switch (operation) {
    case Arithmetic::BitAnd: return Value::int32(a & b);
    case Arithmetic::BitOr: return Value::int32(a | b);
    case Arithmetic::BitXor: return Value::int32(a ^ b);
    case Arithmetic::ShiftLeft: return Value::int32(i32(u32(a) << (b & 31)));
    case Arithmetic::ShiftRight: return Value::int32(a >> (b & 31));
    default: return Value::number(u32(a) >> (b & 31));
    }
}

// 13.15.3 ApplyStringOrNumericBinaryOperator ( lval, opText, rval )
Completion<Value> arithmetic(Vm& vm, Arithmetic operation, Value a, Value b) {
    if (a.isNumber() && b.isNumber())
        return applyNumbers(operation, a.asNumber(), b.asNumber());
    if (operation == Arithmetic::Add) {
        if (a.isString() && b.isString())
            return Value::string(TRY(concatenate(vm, a.asString(), b.asString())));
        if (a.isObject())
            a = TRY(toPrimitive(vm, a));
        if (b.isObject())
            b = TRY(toPrimitive(vm, b));
        if (a.isString() || b.isString()) {
            String* left = TRY(toString(vm, a));
            String* right = TRY(toString(vm, b));
            return Value::string(TRY(concatenate(vm, left, right)));
        }
    }
    a = TRY(toNumeric(vm, a));
    b = TRY(toNumeric(vm, b));
    if (!a.isNumber() || !b.isNumber())
        return throwError(vm, Error::BigIntMix);
    return applyNumbers(operation, a.asNumber(), b.asNumber());
}

Completion<Value> negate(Vm& vm, Value value) { return Value::number(-TRY(toNumber(vm, value))); }

Completion<Value> bitNot(Vm& vm, Value value) { return Value::int32(~TRY(toInt32(vm, value))); }

// ---- types

// 13.5.3 The typeof Operator
String* typeOf(Vm& vm, Value value) {
    if (value.isString())
        return vm.names.string_;
    if (value.isNumber())
        return vm.names.number_;
    if (value.isObject())
        return value.asObject()->isCallable() ? vm.names.function_ : vm.names.object_;
    if (value.isBoolean())
        return vm.names.boolean_;
    if (value.isUndefined())
        return vm.names.undefined_;
    if (value.isSymbol())
        return vm.names.symbol_;
    return value.isBigInt() ? vm.names.bigint_ : vm.names.object_;
}

bool isCallable(Value value) { return value.isObject() && value.asObject()->isCallable(); }

bool isConstructor(Value value) { return isCallable(value) && (value.asObject()->flags & IsConstructor); }

Completion<bool> isArray(Vm& vm, Value value) {
    if (!value.isObject())
        return false;
    Object* object = value.asObject();
    while (UNLIKELY(isProxy(object)))
        object = TRY(proxyTarget(vm, object, "IsArray"));
    return kindOf(object) == Kind::Array;
}

// ---- instanceof, in

// 7.3.20 OrdinaryHasInstance ( C, O )
Completion<bool> ordinaryHasInstance(Vm& vm, Value constructor, Value value) {
    if (!isCallable(constructor))
        return false;
    if (kindOf(constructor.asCell()) == Kind::BoundFunction) {
        if (vm.cStackLow()) // a bound target may have a Symbol.hasInstance that comes back here
            return vm.throwStackOverflow();
        return instanceOf(vm, value, Value::object(static_cast<BoundFunction*>(constructor.asObject())->target.get()));
    }
    if (!value.isObject())
        return false;
    Value prototype = TRY(get(vm, constructor.asObject(), PropertyKey::atom(vm.names.prototype)));
    if (!prototype.isObject())
        return throwError(vm, Error::InstanceofPrototype, prototype);
    u32 proxiesMet = 0, steps = 0;
    for (Object* object = value.asObject(); (object = TRY(nextPrototype(vm, object, proxiesMet)));) {
        if (object == prototype.asObject())
            return true;
        // Time alone is looked at: whether a cache answers before depends on the collector, and fuel must not.
        if (UNLIKELY(++steps % 1024 == 0))
            vm.wakeBudget();
    }
    return false;
}

// 13.10.2 InstanceofOperator ( V, target )
Completion<bool> instanceOf(Vm& vm, Value value, Value target) {
    if (!target.isObject())
        return throwError(vm, Error::InstanceofNotObject);
    // OPTIMIZATION: Function.prototype's own method cannot be replaced, and is OrdinaryHasInstance.
    if (LIKELY(!vm.customHasInstance && isCallable(target) && kindOf(target.asObject()) != Kind::CallableProxy))
        return ordinaryHasInstance(vm, target, value);
    PropertyKey key = PropertyKey::symbol(vm.symbols.hasInstance);
    Lookup found = lookup(vm, target.asObject(), key);
    if (found.found() && found.holder == vm.realm->intrinsic(vm, Intrinsic::FunctionPrototype))
        return ordinaryHasInstance(vm, target, value);
    if (found.found()) {
        Value method = TRY(getMethod(vm, target, key));
        if (!method.isUndefined())
            return toBoolean(TRY(call(vm, method, target, value)));
    }
    if (!isCallable(target))
        return throwError(vm, Error::InstanceofNotCallable);
    return ordinaryHasInstance(vm, target, value);
}

Completion<bool> hasPropertyOperator(Vm& vm, Value key, Value object) {
    if (!object.isObject())
        return throwError(vm, Error::InNotObject, key, object);
    return hasProperty(vm, object.asObject(), TRY(toPropertyKey(vm, key)));
}

// ---- objects

// 7.3.10 GetMethod ( V, P )
Completion<Value> getMethod(Vm& vm, Value base, PropertyKey key) {
    Value method = TRY(getOf(vm, base, key));
    if (method.isNullish())
        return Value::undefined();
    if (!isCallable(method))
        return throwError(vm, Error::NotCallable, std::string_view(describeWithType(vm, method)));
    return method;
}

Completion<double> lengthOf(Vm& vm, Object* object) {
    if (kindOf(object) == Kind::Array)
        return double(static_cast<Array*>(object)->length());
    return toLength(vm, TRY(get(vm, object, PropertyKey::atom(vm.names.length))));
}

// 7.3.22 SpeciesConstructor ( O, defaultConstructor )
Completion<Object*> speciesConstructor(Vm& vm, Object* object, Intrinsic defaultConstructor) {
    Value constructor = TRY(get(vm, object, PropertyKey::atom(vm.names.constructor)));
    if (constructor.isUndefined())
        return nullptr;
    if (!constructor.isObject())
        return throwError(vm, Error::ConstructorNotObject);
    Value species = TRY(get(vm, constructor.asObject(), PropertyKey::symbol(vm.symbols.species)));
    if (species.isNullish())
        return nullptr;
    if (!isConstructor(species))
        return throwError(vm, Error::NotConstructor, "object.constructor[Symbol.species]");
    Object* chosen = species.asObject();
    return chosen == vm.realm->intrinsics[size_t(defaultConstructor)].get() ? nullptr : chosen;
}

}
