// Views of buffers, and which property keys are elements of a typed array (ECMA-262 10.4.5).
#include "runtime/core/typed_array.h"
#include "runtime/core/number.h"
#include "runtime/core/vm.h"
#include <bit>
#include <cmath>

namespace scr {

const ElementInfo elementInfos[] = {
#define ELEMENT(Name, type)                                                                                            \
    {sizeof(type), u8(std::countr_zero(sizeof(type))), Intrinsic::Name##Array, Intrinsic::Name##ArrayPrototype,        \
        #Name "Array"},
#include "runtime/core/element_types.def"
#undef ELEMENT
};

BufferView* newBufferView(Vm& vm, Kind kind, ElementType type, Object* prototype, ArrayBuffer* buffer, u64 byteOffset,
    u64 length, bool tracks) {
    auto* view = static_cast<BufferView*>(allocateObject(vm, kind, sizeof(BufferView), rootShape(vm, prototype, 0)));
    view->buffer = buffer;
    view->byteOffset = byteOffset;
    view->type = type;
    view->shift = kind == Kind::DataView ? 0 : elementInfos[size_t(type)].shift;
    view->length = tracks ? 0 : length;
    view->end = byteOffset + (view->length << view->shift);
    view->tracksLength = tracks;
    return view;
}

// ---- keys

/// The number whose text the atom is, -0 included.
static bool canonicalNumber(const String* atom, double& number) {
    if (atom->length == 0 || atom->length > sizeof(NumberBuffer))
        return false;
    char16_t first = atom->unit(0);
    if (!(first >= '0' && first <= '9') && first != '-' && first != 'I' && first != 'N')
        return false;
    if (atom->isWide())
        return false;
    std::string_view text(reinterpret_cast<const char*>(atom->latin1()), atom->length);
    number = stringToNumber(atom);
    if (text == "-0") {
        number = -0.0;
        return true;
    }
    NumberBuffer buffer;
    return numberText(number, buffer) == text;
}

bool isNumericName(PropertyKey key) {
    double number;
    return key.isAtom() && canonicalNumber(key.asAtom(), number);
}

bool numericIndex(const TypedArray* array, PropertyKey key, u64& index) {
    if (LIKELY(key.isIndex())) {
        index = key.asIndex() < array->currentLength() ? key.asIndex() : NoElement;
        return true;
    }
    double number;
    if (!key.isAtom() || !canonicalNumber(key.asAtom(), number))
        return false;
    bool valid = number >= 0 && number < double(array->currentLength()) && number == double(u64(number))
        && !std::signbit(number);
    index = valid ? u64(number) : NoElement;
    return true;
}

// ---- internal methods

Completion<void> setElement(Vm& vm, TypedArray* array, PropertyKey key, Value value) {
    Value number = TRY(convertElement(vm, array->type, value));
    // The conversion may have detached or resized the buffer.
    u64 index;
    numericIndex(array, key, index);
    putElementOf(array, index, number);
    return {};
}

Completion<bool> defineElement(
    Vm& vm, TypedArray* array, u64 index, PropertyKey key, const PropertyDescriptor& descriptor) {
    using Descriptor = PropertyDescriptor;
    constexpr struct {
        Descriptor::Has has;
        Attribute attribute;
    } wanted[] = {{Descriptor::HasConfigurable, Configurable}, {Descriptor::HasEnumerable, Enumerable},
        {Descriptor::HasWritable, Writable}};
    if (index == NoElement || descriptor.isAccessor())
        return false;
    for (const auto& want : wanted)
        if ((descriptor.has & want.has) && !(descriptor.attributes & want.attribute))
            return false;
    if (descriptor.has & Descriptor::HasValue)
        TRY(setElement(vm, array, key, descriptor.value));
    return true;
}

bool isFixedLength(const TypedArray* array) {
    return !array->tracksLength && (!array->buffer->isResizable() || array->buffer->isShared());
}

}
