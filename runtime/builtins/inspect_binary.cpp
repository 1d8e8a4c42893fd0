// Buffers and their views as inspection shows them: bytes, elements, and the properties that only prototypes have.
#include "runtime/builtins/binary_support.h"
#include "runtime/builtins/inspect_state.h"
#include "runtime/core/number.h"
#include "runtime/core/typed_array.h"
#include <algorithm>

namespace scr {

Completion<void> Inspector::describeTypedArray(Object* object, ObjectForm& form) {
    TypedArray* array = asTypedArray(object);
    u64 length = array->currentLength();
    std::string fallback = form.constructor ? "" : array->info().name;
    form.open = prefix(form.constructor, form.tag, fallback, "(" + std::to_string(length) + ")") + "[";
    form.close = "]";
    form.keys = namesToShow(object);
    form.entries = ObjectForm::Entries::TypedArray;
    form.layout = EntryLayout::Array;
    if (!form.hasNoKeys() || options_.showHidden)
        return {};
    Value shown = TRY(get(vm_, object, KEY(vm_, length)));
    if (shown.isNumber() && shown.asNumber() == 0)
        form.finish(form.open + "]");
    return {};
}

Completion<void> Inspector::formatTypedArray(
    Object* object, int depth, bool hasConstructor, std::vector<std::string>& output) {
    TypedArray* array = asTypedArray(object);
    u64 length = array->currentLength();
    double limit = arrayLimit(double(length));
    if (std::floor(limit) != limit) // Node makes an array of that length
        return throwError(vm_, Error::ArrayLength);
    for (u64 i = 0; double(i) < limit && i < array->currentLength(); i++) {
        std::string text;
        TRY(formatPrimitive(elementOf(array, i), true, text));
        output.push_back(std::move(text));
    }
    Value shown = hasConstructor ? TRY(get(vm_, object, KEY(vm_, length))) : Value::number(length);
    appendMore(TRY(toNumber(vm_, shown)) - limit, output);
    if (!options_.showHidden)
        return {};
    indentation_ += 2;
    insideTypedArray_ = true;
    // Without its prototype an array tells nothing: a copy of it does.
    Object* asked = hasConstructor ? object : TRY(typedArrayOfType(vm_, array->type, length));
    for (std::string_view name : {"BYTES_PER_ELEMENT", "length", "byteLength", "byteOffset", "buffer"}) {
        std::string text;
        auto formatted = formatValue(TRY(get(vm_, asked, keyOf(internAscii(vm_, name)))), depth, text);
        if (formatted.threw()) {
            insideTypedArray_ = false;
            return Threw{};
        }
        output.push_back("[" + std::string(name) + "]: " + text);
    }
    insideTypedArray_ = false;
    indentation_ -= 2;
    return {};
}

/// Properties of the prototype that are shown like own ones.
Completion<void> Inspector::showFirst(std::initializer_list<std::string_view> names, ObjectForm& form) {
    Array* keys = newArray(vm_);
    for (std::string_view name : names)
        TRY(pushDense(vm_, keys->elements_, Value::string(internAscii(vm_, name))));
    for (u32 i = 0; i < form.keys->length(); i++)
        TRY(pushDense(vm_, keys->elements_, form.keys->elements_.dense()[i]));
    form.keys = keys;
    return {};
}

Completion<void> Inspector::describeBuffer(Object* object, ObjectForm& form) {
    bool shared = kindOf(object) == Kind::SharedArrayBuffer;
    form.open = prefix(form.constructor, form.tag, shared ? "SharedArrayBuffer" : "ArrayBuffer") + "{";
    if (!insideTypedArray_) {
        form.entries = ObjectForm::Entries::Bytes;
    } else if (form.hasNoKeys()) {
        std::string text = form.open + " byteLength: ";
        NumberBuffer digits;
        style(numberText(double(static_cast<ArrayBuffer*>(object)->byteLength), digits), TextStyle::Number, text);
        form.finish(text + " }");
        return {};
    }
    return showFirst({"byteLength"}, form);
}

Completion<void> Inspector::describeDataView(ObjectForm& form) {
    form.open = prefix(form.constructor, form.tag, "DataView") + "{";
    return showFirst({"byteLength", "byteOffset", "buffer"}, form);
}

Completion<void> Inspector::formatBytes(Object* object, std::vector<std::string>& output) {
    auto* buffer = static_cast<ArrayBuffer*>(object);
    std::string text;
    if (buffer->isDetached()) {
        style("(detached)", TextStyle::Special, text);
        output.push_back(std::move(text));
        return {};
    }
    double most = options_.maxArrayLength;
    if (most < 0 && buffer->byteLength)
        return throwCoded(vm_, Intrinsic::RangeErrorPrototype, "ERR_OUT_OF_RANGE", "Index out of range");
    u64 limit = most > 0 ? u64(std::min(std::floor(most), double(buffer->byteLength))) : 0;
    style("[Uint8Contents]", TextStyle::Special, text);
    text += ": <";
    for (u64 i = 0; i < limit; i++) {
        if (i)
            text += ' ';
        text += "0123456789abcdef"[buffer->data[i] >> 4];
        text += "0123456789abcdef"[buffer->data[i] & 15];
    }
    NumberBuffer digits;
    if (double more = double(buffer->byteLength) - most; more > 0)
        text += " ... " + std::string(numberText(more, digits)) + (more > 1 ? " more bytes" : " more byte");
    output.push_back(text + ">");
    return {};
}

}
