// Atomics (ECMA-262 25.4) of an agent that shares its memory with nobody: every access is atomic, nobody ever notifies
// a wait but its time limit, and a notification finds nobody waiting.
#include "runtime/builtins/binary_support.h"
#include "runtime/loop/event_loop.h"
#include <cmath>
#include <ctime>

namespace scr {

namespace {

/// 25.4.3.1 ValidateIntegerTypedArray
Completion<TypedArray*> integerArray(Vm& vm, Value value, std::string_view method) {
    if (!isTypedArray(value) || !isIntegerElement(asTypedArray(value.asObject())->type)
        || asTypedArray(value.asObject())->type == ElementType::Uint8Clamped)
        return throwError(vm, Error::AtomicsNotInteger, value);
    if (asTypedArray(value.asObject())->isOutOfBounds())
        return throwDetached(vm, method);
    return asTypedArray(value.asObject());
}

/// The same for wait and notify: elements that one can wait for.
Completion<TypedArray*> waitableArray(Vm& vm, Value value, std::string_view method) {
    if (!isTypedArray(value) || asTypedArray(value.asObject())->type != ElementType::Int32)
        return throwError(vm, Error::AtomicsNotWaitable, value);
    if (asTypedArray(value.asObject())->isOutOfBounds())
        return throwDetached(vm, method);
    return asTypedArray(value.asObject());
}

/// 25.4.3.2 ValidateAtomicAccess
Completion<u64> accessIndex(Vm& vm, TypedArray* array, Value value) {
    u64 length = array->currentLength();
    double index = TRY(toIndex(vm, value));
    if (index < 0 || index >= double(length))
        return throwError(vm, Error::AtomicsIndex);
    return u64(index);
}

/// 25.4.3.4 RevalidateAtomicAccess: conversions may have detached or shrunken the buffer.
Completion<void> checkAgain(Vm& vm, TypedArray* array, u64 index, std::string_view method) {
    if (array->isOutOfBounds())
        return throwDetached(vm, method);
    if (index >= array->currentLength())
        return throwError(vm, Error::AtomicsIndex);
    return {};
}

/// An operand: an integer, or an infinity that is stored as 0.
Result operand(Vm& vm, Value value) { return Value::number(TRY(toIntegerOrInfinity(vm, value)) + 0.0); }

/// A number as an element of that type would give it back.
Value asElement(ElementType type, Value number) {
    alignas(8) u8 raw[8];
    storeElement(type, raw, number);
    return loadElement(type, raw);
}

// 25.4.3.14 AtomicReadModifyWrite ( typedArray, index, value, op )
template <class Modify> Result readModifyWrite(Vm& vm, Args args, std::string_view method, Modify modify) {
    TypedArray* array = TRY(integerArray(vm, args[0], method));
    u64 index = TRY(accessIndex(vm, array, args[1]));
    Value value = TRY(operand(vm, args[2]));
    TRY(checkAgain(vm, array, index, method));
    Value old = elementOf(array, index);
    i32 left = doubleToInt32(old.asNumber()), right = doubleToInt32(value.asNumber());
    putElementOf(array, index, Value::int32(i32(modify(u32(left), u32(right)))));
    return old;
}

constexpr double NanosecondsPerMillisecond = 1e6;

/// Sleeps, but notices every now and then that the run must end.
Completion<void> sleep(Vm& vm, double milliseconds) {
    constexpr double slice = 50;
    TRY(vm.serviceBudget());
    while (milliseconds > 0) {
        double part = std::min(milliseconds, slice);
        timespec time{0, long(part * NanosecondsPerMillisecond)};
        nanosleep(&time, nullptr);
        milliseconds -= part;
        TRY(vm.serviceBudget());
    }
    return {};
}

}

// 25.4.4 Atomics.add ( typedArray, index, value )
Result atomics_add(Vm& vm, Args args) {
    return readModifyWrite(vm, args, "Atomics.add", [](u32 a, u32 b) { return a + b; });
}
Result atomics_and(Vm& vm, Args args) {
    return readModifyWrite(vm, args, "Atomics.and", [](u32 a, u32 b) { return a & b; });
}
Result atomics_exchange(Vm& vm, Args args) {
    return readModifyWrite(vm, args, "Atomics.exchange", [](u32, u32 b) { return b; });
}
Result atomics_or(Vm& vm, Args args) {
    return readModifyWrite(vm, args, "Atomics.or", [](u32 a, u32 b) { return a | b; });
}
Result atomics_sub(Vm& vm, Args args) {
    return readModifyWrite(vm, args, "Atomics.sub", [](u32 a, u32 b) { return a - b; });
}
Result atomics_xor(Vm& vm, Args args) {
    return readModifyWrite(vm, args, "Atomics.xor", [](u32 a, u32 b) { return a ^ b; });
}

// 25.4.6 Atomics.compareExchange ( typedArray, index, expectedValue, replacementValue )
Result atomics_compareExchange(Vm& vm, Args args) {
    constexpr const char* method = "Atomics.compareExchange";
    TypedArray* array = TRY(integerArray(vm, args[0], method));
    u64 index = TRY(accessIndex(vm, array, args[1]));
    Value expected = TRY(operand(vm, args[2]));
    Value replacement = TRY(operand(vm, args[3]));
    TRY(checkAgain(vm, array, index, method));
    Value old = elementOf(array, index);
    if (old.asNumber() == asElement(array->type, expected).asNumber())
        putElementOf(array, index, replacement);
    return old;
}

// 25.4.8 Atomics.isLockFree ( size )
Result atomics_isLockFree(Vm& vm, Args args) {
    double size = TRY(toIntegerOrInfinity(vm, args[0]));
    return Value::boolean(size == 1 || size == 2 || size == 4 || size == 8);
}

// 25.4.9 Atomics.load ( typedArray, index )
Result atomics_load(Vm& vm, Args args) {
    TypedArray* array = TRY(integerArray(vm, args[0], "Atomics.load"));
    u64 index = TRY(accessIndex(vm, array, args[1]));
    TRY(checkAgain(vm, array, index, "Atomics.load"));
    return elementOf(array, index);
}

// 25.4.11 Atomics.store ( typedArray, index, value )
Result atomics_store(Vm& vm, Args args) {
    TypedArray* array = TRY(integerArray(vm, args[0], "Atomics.store"));
    u64 index = TRY(accessIndex(vm, array, args[1]));
    Value value = TRY(operand(vm, args[2]));
    TRY(checkAgain(vm, array, index, "Atomics.store"));
    putElementOf(array, index, value);
    return value;
}

// 25.4.13 Atomics.wait ( typedArray, index, value, timeout )
Result atomics_wait(Vm& vm, Args args) {
    TypedArray* array = TRY(waitableArray(vm, args[0], "Atomics.wait"));
    if (!array->buffer->isShared())
        return throwError(vm, Error::AtomicsNotShared, args[0]);
    u64 index = TRY(accessIndex(vm, array, args[1]));
    i32 expected = TRY(toInt32(vm, args[2]));
    double timeout = TRY(toNumber(vm, args[3]));
    timeout = std::isnan(timeout) ? HUGE_VAL : std::max(timeout, 0.0);
    if (elementOf(array, index).asNumber() != expected)
        return asciiValue(vm, "not-equal");
    TRY(sleep(vm, timeout));
    return asciiValue(vm, "timed-out");
}

// Atomics.pause ( [ iterationNumber ] ): a hint for loops that wait for another agent.
Result atomics_pause(Vm& vm, Args args) {
    Value count = args[0];
    if (!count.isUndefined() && !(count.isNumber() && std::trunc(count.asNumber()) - count.asNumber() == 0))
        return throwError(vm, Error::AtomicsPause);
    return Value::undefined();
}

// 25.4.15 Atomics.notify ( typedArray, index, count )
Result atomics_notify(Vm& vm, Args args) {
    TypedArray* array = TRY(waitableArray(vm, args[0], "Atomics.notify"));
    TRY(accessIndex(vm, array, args[1]));
    if (!args[2].isUndefined())
        TRY(toIntegerOrInfinity(vm, args[2]));
    return Value::int32(0);
}

}
