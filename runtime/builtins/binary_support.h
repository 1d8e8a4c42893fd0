// What the files about binary data share: indices, validated typed arrays, and making them.
//
// Every method validates its typed array first and, after anything that may run script (a conversion of an argument, a
// callback, a species constructor), reads the current length anew: a buffer may have been detached or resized
// meanwhile. Element reads and writes go through elementOf and putElementOf, which do nothing out of bounds.
#pragma once
#include "runtime/builtins/native.h"
#include "runtime/core/typed_array.h"
#include <algorithm>
#include <string>

namespace scr {

/// 7.1.22 ToIndex without its error: -1 if the value is no index (0 .. 2^53-1).
inline Completion<double> toIndex(Vm& vm, Value value) {
    if (LIKELY(value.isInt() && value.asInt() >= 0))
        return double(value.asInt());
    double integer = TRY(toIntegerOrInfinity(vm, value));
    return integer >= 0 && integer <= 9007199254740991.0 ? integer : -1.0;
}

/// A relative index (at, slice, ...): negative counts from the end, clamped to 0..length; undefined is `fallback`.
inline Completion<u64> relativeTo(Vm& vm, Value value, u64 length, u64 fallback) {
    if (value.isUndefined())
        return fallback;
    double relative = TRY(toIntegerOrInfinity(vm, value));
    if (relative < 0)
        relative = std::max(relative + double(length), 0.0);
    return u64(std::min(relative, double(length)));
}

/// A step of a loop in a native: counts work, and ends loops that outlive their budget.
ALWAYS_INLINE Completion<void> countStep(Vm& vm) {
    TRY(vm.work(1));
    return {};
}
/// The same for a block of bytes moved at once.
inline Completion<void> countBytes(Vm& vm, u64 bytes) {
    TRY(vm.work(u32(std::min<u64>(bytes / 256, 1000000))));
    return {};
}

/// A method of %TypedArray%.prototype under way.
struct TypedMethod {
    TypedArray* array;
    u64 length; ///< when it began
};
/// 23.2.4.4 ValidateTypedArray of the receiver; `method` is what follows "%TypedArray%.prototype.".
Completion<TypedMethod> thisTypedArray(Vm& vm, Args args, std::string_view method);
/// The same of any value; `method` is the whole name.
Completion<TypedArray*> validateTypedArray(Vm& vm, Value value, std::string_view method);
COLD Threw throwDetached(Vm& vm, std::string_view method);

/// 23.2.4.3 TypedArrayCreateSameType: of the intrinsic class, all zeros.
Completion<TypedArray*> typedArrayOfType(Vm& vm, ElementType type, u64 length);
/// 23.2.4.2 TypedArrayCreateFromConstructor with one length.
Completion<TypedArray*> typedArrayFrom(Vm& vm, Object* constructor, double length, std::string_view method);
/// 23.2.4.1 TypedArraySpeciesCreate with a length.
Completion<TypedArray*> typedArraySpecies(Vm& vm, TypedArray* exemplar, u64 length, std::string_view method);
/// The same with buffer, offset and, unless it is undefined, length.
Completion<TypedArray*> typedArraySpeciesOver(
    Vm& vm, TypedArray* exemplar, double byteOffset, Value length, std::string_view method);

/// %Uint8Array% over bytes of a new buffer; all zeros.
inline Completion<TypedArray*> newByteArray(Vm& vm, u64 length) {
    return typedArrayOfType(vm, ElementType::Uint8, length);
}

}
