// Type conversion (ECMA-262 7.1). No recursion: an object becomes a primitive once, and a primitive converts at once.
#include "runtime/core/call.h"
#include "runtime/core/error.h"
#include "runtime/core/operations.h"
#include "runtime/core/vm.h"
#include <bit>
#include <cmath>

namespace scr {

// ---- to primitive

static Completion<Value> exoticToPrimitive(Vm& vm, Value value, Value method, Hint hint) {
    String* names[] = {vm.names.default_, vm.names.number_, vm.names.string_};
    Value result = TRY(call(vm, method, value, Value::string(names[size_t(hint)])));
    if (result.isObject())
        return throwError(vm, Error::ToPrimitive);
    return result;
}

// 7.1.1 ToPrimitive ( input [ , preferredType ] ), with 7.1.1.1 OrdinaryToPrimitive
Completion<Value> toPrimitive(Vm& vm, Value value, Hint hint) {
    if (!value.isObject())
        return value;
    Value method = TRY(getMethod(vm, value, PropertyKey::symbol(vm.symbols.toPrimitive)));
    if (!method.isUndefined())
        return exoticToPrimitive(vm, value, method, hint);
    bool stringFirst = hint == Hint::String;
    String* names[] = {
        stringFirst ? vm.names.toString : vm.names.valueOf, stringFirst ? vm.names.valueOf : vm.names.toString};
    for (String* name : names) {
        method = TRY(get(vm, value.asObject(), PropertyKey::atom(name)));
        if (!isCallable(method))
            continue;
        Value result = TRY(call(vm, method, value));
        if (!result.isObject())
            return result;
    }
    return throwError(vm, Error::ToPrimitive);
}

// ---- to boolean and numbers

bool toBooleanSlow(Value value) {
    if (value.isInt())
        return value.asInt() != 0;
    if (value.isDouble())
        return value.asDouble() != 0 && value.asDouble() == value.asDouble();
    if (value.isString())
        return value.asString()->length != 0;
    return !value.isNullish();
}

/// Known: not an object.
static Completion<double> primitiveToNumber(Vm& vm, Value value) {
    if (value.isNumber())
        return value.asNumber();
    if (value.isString()) {
        vm.charge(value.asString()->length >> 6);
        return stringToNumber(TRY(flatten(vm, value.asString())));
    }
    if (value.isUndefined())
        return std::nan("");
    if (value.isSymbol())
        return throwError(vm, Error::SymbolToNumber);
    if (value.isBigInt())
        return throwError(vm, Error::BigIntToNumber);
    return value.isTrue() ? 1.0 : 0.0;
}

Completion<double> toNumberSlow(Vm& vm, Value value) {
    return primitiveToNumber(vm, TRY(toPrimitive(vm, value, Hint::Number)));
}

Completion<Value> toNumeric(Vm& vm, Value value) {
    if (value.isNumber())
        return value;
    value = TRY(toPrimitive(vm, value, Hint::Number));
    if (value.isBigInt())
        return value;
    return Value::number(TRY(primitiveToNumber(vm, value)));
}

Completion<double> toIntegerOrInfinity(Vm& vm, Value value) {
    if (value.isInt())
        return double(value.asInt());
    double number = TRY(toNumber(vm, value));
    if (number != number)
        return 0.0;
    return std::trunc(number) + 0.0; // -0 becomes 0
}

// 7.1.6 ToInt32 ( argument ), step 4 on: the low 32 bits of the integer part
i32 doubleToInt32(double d) {
    if (d >= -2147483648.0 && d <= 2147483647.0)
        return i32(d);
    u64 bits = std::bit_cast<u64>(d);
    int exponent = int(bits >> 52 & 0x7FF) - 1075; // of the significand's lowest bit
    if (exponent == 0x7FF - 1075 || exponent >= 32 || exponent <= -53)
        return 0;
    u64 significand = (bits & ((1ull << 52) - 1)) | 1ull << 52;
    u32 integer = exponent >= 0 ? u32(significand << exponent) : u32(significand >> -exponent);
    return i32(bits >> 63 ? 0 - integer : integer);
}

Completion<i32> toInt32(Vm& vm, Value value) {
    if (value.isInt())
        return value.asInt();
    return doubleToInt32(TRY(toNumber(vm, value)));
}

Completion<u32> toUint32(Vm& vm, Value value) { return u32(TRY(toInt32(vm, value))); }

Completion<double> toLength(Vm& vm, Value value) {
    double length = TRY(toIntegerOrInfinity(vm, value));
    return length <= 0 ? 0.0 : std::fmin(length, 9007199254740991.0);
}

// ---- to string and object

Completion<String*> toStringSlow(Vm& vm, Value value) {
    if (value.isObject())
        value = TRY(toPrimitive(vm, value, Hint::String));
    if (value.isString())
        return value.asString();
    if (value.isNumber())
        return numberToString(vm, value.asNumber());
    if (value.isSymbol())
        return throwError(vm, Error::SymbolToString);
    if (value.isUndefined())
        return vm.names.undefined_;
    if (value.isNull())
        return vm.names.null_;
    return value.isTrue() ? vm.names.true_ : vm.names.false_;
}

Completion<Object*> toObject(Vm& vm, Value value) {
    if (value.isObject())
        return value.asObject();
    if (value.isNullish())
        return throwError(vm, Error::ConvertNullish);
    return TRY(newWrapper(vm, value));
}

Completion<void> requireObjectCoercible(Vm& vm, Value value, std::string_view method) {
    if (UNLIKELY(value.isNullish()))
        return throwError(vm, Error::CalledOnNullish, method);
    return {};
}

}
