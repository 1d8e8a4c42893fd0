// ECMA-262 chapter 7: conversions, comparisons, operations on any value. [script] marks what may run script.
#pragma once
#include "runtime/core/realm.h"

namespace scr {

// ---- conversions
enum class Hint { Default, Number, String };
Completion<Value> toPrimitive(Vm& vm, Value value, Hint hint = Hint::Default); // [script]
COLD bool toBooleanSlow(Value value);
/// 7.1.2 ToBoolean.
ALWAYS_INLINE bool toBoolean(Value value) {
    if (LIKELY(value.isBoolean()))
        return value.asBoolean();
    return toBooleanSlow(value);
}
COLD Completion<double> toNumberSlow(Vm& vm, Value value); // [script]
ALWAYS_INLINE Completion<double> toNumber(Vm& vm, Value value) {
    if (LIKELY(value.isNumber()))
        return value.asNumber();
    return toNumberSlow(vm, value);
}
/// 7.1.3 ToNumeric: a number (best form) or a BigInt.
Completion<Value> toNumeric(Vm& vm, Value value); // [script]
/// 7.1.5 ToIntegerOrInfinity.
Completion<double> toIntegerOrInfinity(Vm& vm, Value value); // [script]
i32 doubleToInt32(double d);
Completion<i32> toInt32(Vm& vm, Value value); // [script]
Completion<u32> toUint32(Vm& vm, Value value); // [script]
/// 7.1.20 ToLength: 0 .. 2^53-1.
Completion<double> toLength(Vm& vm, Value value); // [script]
/// 7.1.17 ToString. Symbols throw.
COLD Completion<String*> toStringSlow(Vm& vm, Value value); // [script]
ALWAYS_INLINE Completion<String*> toString(Vm& vm, Value value) {
    if (LIKELY(value.isString()))
        return value.asString();
    return toStringSlow(vm, value);
}
/// 7.1.18 ToObject: wraps primitives; TypeError for undefined and null.
Completion<Object*> toObject(Vm& vm, Value value);
/// 7.2.1 RequireObjectCoercible with the method's name for the message ("String.prototype.trim").
Completion<void> requireObjectCoercible(Vm& vm, Value value, std::string_view method);

// ---- numbers and text (number.cpp)
/// 6.1.6.1.20 Number::toString radix 10; cached for small integers.
String* numberToString(Vm& vm, double number);
Completion<String*> numberToRadix(Vm& vm, double number, int radix);
/// WhiteSpace or LineTerminator (12.2, 12.3).
bool isSpace(char16_t unit);
/// 7.1.4.1 StringToNumber of a flat string.
double stringToNumber(const String* flat);

// ---- comparisons
/// 7.2.14 IsLooselyEqual.
Completion<bool> looselyEqual(Vm& vm, Value a, Value b); // [script]
/// 7.2.15 IsStrictlyEqual. Throws only by the memory limit (rope flattening).
Completion<bool> strictlyEqual(Vm& vm, Value a, Value b);
Completion<bool> sameValue(Vm& vm, Value a, Value b);
Completion<bool> sameValueZero(Vm& vm, Value a, Value b);
enum class Comparison { Less, LessEqual, Greater, GreaterEqual };
/// a < b and the like with the conversions in source order (13.10.1); NaN compares false.
Completion<bool> compareValues(Vm& vm, Comparison comparison, Value a, Value b); // [script]

// ---- operators on any values [script]
enum class Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Exp,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned
};
Completion<Value> arithmetic(Vm& vm, Arithmetic operation, Value a, Value b);
double numberRemainder(double a, double b);
double numberPower(double base, double exponent); ///< 6.1.6.1.3
Completion<Value> negate(Vm& vm, Value value);
Completion<Value> bitNot(Vm& vm, Value value);
String* typeOf(Vm& vm, Value value);
Completion<bool> instanceOf(Vm& vm, Value value, Value target); ///< 13.10.2
Completion<bool> ordinaryHasInstance(Vm& vm, Value constructor, Value value); ///< 7.3.20
Completion<bool> hasPropertyOperator(Vm& vm, Value key, Value object); ///< key in object

// ---- objects
bool isCallable(Value value);
bool isConstructor(Value value);
/// 7.2.2 IsArray: TypeError for a revoked proxy.
Completion<bool> isArray(Vm& vm, Value value);
/// An array itself, not a proxy for one.
inline bool isArrayObject(Value value) { return value.isObject() && kindOf(value.asCell()) == Kind::Array; }
/// 7.3.10 GetMethod: undefined for undefined and null; TypeError if not callable.
Completion<Value> getMethod(Vm& vm, Value base, PropertyKey key);
/// 7.3.18 LengthOfArrayLike.
Completion<double> lengthOf(Vm& vm, Object* object);
/// 7.3.22 SpeciesConstructor: null = the default.
Completion<Object*> speciesConstructor(Vm& vm, Object* object, Intrinsic defaultConstructor);
/// A property key from a number that is an integer >= 0 (indices above 2^32-2 become atoms).
PropertyKey keyFromInteger(Vm& vm, double integer);

// ---- iteration (7.4)
struct IteratorRecord {
    Value iterator;
    Value nextMethod;
};
Completion<IteratorRecord> getIterator(Vm& vm, Value iterable);
/// 7.4.8 IteratorStepValue: false at the end.
Completion<bool> iteratorStep(Vm& vm, const IteratorRecord& record, Value& value);
/// 7.4.7 IteratorStep: the same without reading the value.
Completion<bool> iteratorAdvance(Vm& vm, const IteratorRecord& record);
/// 7.4.11 IteratorClose after a throw: keeps the pending exception; errors of `return` are dropped.
Threw iteratorCloseThrow(Vm& vm, Value iterator);
/// After a normal end: errors of `return` throw.
Completion<void> iteratorClose(Vm& vm, Value iterator);
/// True while for-of over this value needs no script: an array whose iteration nobody changed. Then elements are read
/// by index until length.
bool iteratesAsArray(Vm& vm, Value value);
/// Appends what iterating over `source` yields, to a list whose length is its dense length. [script] only for holes.
Completion<void> appendElements(Vm& vm, Array* list, Array* source);
/// Collects an iterable's values (spread, Map and Set constructors, Array.from).
Completion<Array*> listFromIterable(Vm& vm, Value iterable);
/// 20.5.x: {value, done} objects share one shape.
Object* newIteratorResult(Vm& vm, Value value, bool done);

}
