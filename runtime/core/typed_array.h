// Typed arrays and DataViews (ECMA-262 23.2, 25.3): windows onto an ArrayBuffer, and elements as values.
//
// A view does not know what happens to its buffer: whoever reads or writes compares `end` with the buffer's length each
// time, so that a detached or shrunken buffer is seen at once. Invariants: a view that tracks its buffer's length has
// `length` 0 (the fast paths leave it alone) and `end` equal to byteOffset; any other has end = byteOffset + its bytes.
// A detached buffer has byteLength 0, so a view with elements fails the same comparison.
#pragma once
#include "runtime/base/half.h"
#include "runtime/core/array_buffer.h"
#include "runtime/core/operations.h"
#include <cstring>

namespace scr {

enum class ElementType : u8 {
#define ELEMENT(Name, type) Name,
#include "runtime/core/element_types.def"
#undef ELEMENT
    Count
};

struct ElementInfo {
    u8 bytes;
    u8 shift; ///< log2 of bytes
    Intrinsic constructor, prototype;
    const char* name; ///< of the constructor
};
extern const ElementInfo elementInfos[size_t(ElementType::Count)];

/// Kind TypedArray or DataView.
struct BufferView : Object {
    Ptr<ArrayBuffer> buffer;
    u64 byteOffset;
    u64 length; ///< elements; bytes of a DataView; 0 if it tracks
    u64 end; ///< how many bytes the buffer must have
    ElementType type;
    u8 shift;
    bool tracksLength;

    /// 10.4.5.14 IsTypedArrayOutOfBounds, 25.3.1.3 IsViewOutOfBounds; detached buffers included.
    bool isOutOfBounds() const { return buffer->byteLength < end || buffer->isDetached(); }
    /// In elements, 0 if out of bounds.
    u64 currentLength() const {
        if (UNLIKELY(isOutOfBounds()))
            return 0;
        return tracksLength ? (buffer->byteLength - byteOffset) >> shift : length;
    }
    /// First byte. Not to be kept over anything that may run script; null when there are no bytes.
    u8* bytes() const { return buffer->data ? buffer->data + byteOffset : nullptr; }
};
struct TypedArray : BufferView {
    const ElementInfo& info() const { return elementInfos[size_t(type)]; }
};
struct DataView : BufferView { };

inline bool isTypedArray(const Object* object) { return kindOf(object) == Kind::TypedArray; }
inline bool isTypedArray(Value value) { return value.isObject() && isTypedArray(value.asObject()); }
inline TypedArray* asTypedArray(Object* object) { return static_cast<TypedArray*>(object); }

/// Fields from their own invariant; `tracks`: length is that of the buffer.
BufferView* newBufferView(Vm& vm, Kind kind, ElementType type, Object* prototype, ArrayBuffer* buffer, u64 byteOffset,
    u64 length, bool tracks);

// ---- elements as values

inline bool isIntegerElement(ElementType type) { return type < ElementType::Float16; }

/// 25.1.3.16 RawBytesToNumeric. `at` is aligned for the type.
ALWAYS_INLINE Value loadElement(ElementType type, const u8* at) {
    auto ofDouble = [](double number) { return number == number ? Value::rawDouble(number) : Value::nan(); };
    switch (type) {
    case ElementType::Int8: return Value::int32(*reinterpret_cast<const i8*>(at));
    case ElementType::Uint8:
    case ElementType::Uint8Clamped: return Value::int32(*at);
    case ElementType::Int16: return Value::int32(*reinterpret_cast<const i16*>(at));
    case ElementType::Uint16: return Value::int32(*reinterpret_cast<const u16*>(at));
    case ElementType::Int32: return Value::int32(*reinterpret_cast<const i32*>(at));
    case ElementType::Uint32: return Value::number(*reinterpret_cast<const u32*>(at));
    case ElementType::Float16: return ofDouble(doubleFromHalf(*reinterpret_cast<const u16*>(at)));
    case ElementType::Float32: return ofDouble(double(*reinterpret_cast<const float*>(at)));
    case ElementType::Float64: return ofDouble(*reinterpret_cast<const double*>(at));
    case ElementType::Count: break;
    }
    return Value::undefined();
}

/// 7.1.11 ToUint8Clamp of a number.
inline u8 clampToByte(double number) {
    if (!(number > 0))
        return 0;
    if (number >= 255)
        return 255;
    u8 low = u8(number);
    double above = number - low;
    return u8(low + (above > 0.5 || (above == 0.5 && (low & 1))));
}

/// 25.1.3.18 NumericToRawBytes. `number` is a number; `at` is aligned for the type.
ALWAYS_INLINE void storeElement(ElementType type, u8* at, Value number) {
    auto integer = [number] { return number.isInt() ? number.asInt() : doubleToInt32(number.asDouble()); };
    switch (type) {
    case ElementType::Int8:
    case ElementType::Uint8: *at = u8(integer()); break;
    case ElementType::Uint8Clamped:
        *at = number.isInt() ? u8(number.asInt() < 0 ? 0
                      : number.asInt() > 255         ? 255
                                                     : number.asInt())
                             : clampToByte(number.asDouble());
        break;
    case ElementType::Int16:
    case ElementType::Uint16: *reinterpret_cast<u16*>(at) = u16(integer()); break;
    case ElementType::Int32:
    case ElementType::Uint32: *reinterpret_cast<i32*>(at) = integer(); break;
    case ElementType::Float16: *reinterpret_cast<u16*>(at) = halfFromDouble(number.asNumber()); break;
    case ElementType::Float32: *reinterpret_cast<float*>(at) = float(number.asNumber()); break;
    case ElementType::Float64: *reinterpret_cast<double*>(at) = number.asNumber(); break;
    case ElementType::Count: break;
    }
}

/// What a value becomes before it is stored in an array of that type: a number. May run script.
inline Completion<Value> convertElement(Vm& vm, ElementType, Value value) {
    if (LIKELY(value.isNumber()))
        return value;
    return Value::number(TRY(toNumberSlow(vm, value)));
}

/// The element, or undefined where there is none (10.4.5.9 TypedArrayGetElement with a valid or invalid index).
ALWAYS_INLINE Value elementOf(const TypedArray* array, u64 index) {
    if (UNLIKELY(index >= array->currentLength()))
        return Value::undefined();
    return loadElement(array->type, array->bytes() + (index << array->shift));
}
/// Stores a number; nothing happens where there is no element.
ALWAYS_INLINE void putElementOf(TypedArray* array, u64 index, Value number) {
    if (LIKELY(index < array->currentLength()))
        storeElement(array->type, array->bytes() + (index << array->shift), number);
}

// ---- for the interpreter: the common case and nothing else (a fixed length, not out of bounds)

/// A negative index becomes a large one.
ALWAYS_INLINE bool hasFastElement(const TypedArray* array, i32 index) {
    return u64(i64(index)) < array->length && array->end <= array->buffer->byteLength;
}
ALWAYS_INLINE u8* fastElement(const TypedArray* array, i32 index) {
    return array->buffer->data + array->byteOffset + (u64(u32(index)) << array->shift);
}

// ---- for the internal methods (10.4.5)

constexpr u64 NoElement = ~u64(0);
/// 7.1.21 CanonicalNumericIndexString of a key: false if it is none, so that the key is an ordinary one. `index` is
/// then the element that it names now, or NoElement.
bool numericIndex(const TypedArray* array, PropertyKey key, u64& index);
/// A key that some typed array may treat as an element though it is no index ("-0", "NaN", "1.5", "4294967295").
bool isNumericName(PropertyKey key);
/// 10.4.5.10 TypedArraySetElement.
Completion<void> setElement(Vm& vm, TypedArray* array, PropertyKey key, Value value);
/// 10.4.5.3 [[DefineOwnProperty]] for a numeric key.
Completion<bool> defineElement(
    Vm& vm, TypedArray* array, u64 index, PropertyKey key, const PropertyDescriptor& descriptor);
/// 10.4.5.1 [[PreventExtensions]] step 1: false if the elements may become more or fewer.
bool isFixedLength(const TypedArray* array);

}
