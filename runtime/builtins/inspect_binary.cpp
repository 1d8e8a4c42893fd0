// Buffers and their views as inspection shows them: bytes, elements, and the properties that only prototypes have.
#include "runtime/builtins/inspect_state.h"
#include "runtime/core/typed_array.h"
#include <algorithm>

namespace scr {

void Inspector::describeTypedArray(Object* object, ObjectForm& form) {
    TypedArray* array = asTypedArray(object);
    u64 length = array->currentLength();
    std::string fallback = form.constructor ? "" : array->info().name;
    form.open = prefix(form.constructor, form.tag, fallback, "(" + std::to_string(length) + ")") + "[";
    form.close = "]";
    form.keys = namesToShow(object);
    form.entries = ObjectForm::Entries::TypedArray;
    form.layout = EntryLayout::Array;
    if (length == 0 && form.hasNoKeys() && !options_.showHidden)
        form.finish(form.open + "]");
}

Completion<void> Inspector::formatTypedArray(Object* object, int depth, std::vector<std::string>& output) {
    TypedArray* array = asTypedArray(object);
    u64 length = array->currentLength();
    u64 limit = u64(std::min(std::max(0.0, options_.maxArrayLength), double(length)));
    for (u64 i = 0; i < limit; i++) {
        std::string text;
        TRY(formatPrimitive(elementOf(array, i), true, text));
        output.push_back(std::move(text));
    }
    appendMore(double(length - limit), output);
    if (!options_.showHidden)
        return {};
    indentation_ += 2;
    insideTypedArray_ = true;
    for (std::string_view name : {"BYTES_PER_ELEMENT", "length", "byteLength", "byteOffset", "buffer"}) {
        std::string text;
        auto formatted = formatValue(TRY(get(vm_, object, keyOf(internAscii(vm_, name)))), depth, text);
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
        TRY(formatPrimitive(Value::number(static_cast<ArrayBuffer*>(object)->byteLength), false, text));
        form.finish(text + " }");
        return {};
    }
    return showFirst({"byteLength"}, form);
}

Completion<void> Inspector::describeDataView(ObjectForm& form) {
    form.open = prefix(form.constructor, form.tag, "DataView") + "{";
    return showFirst({"byteLength", "byteOffset", "buffer"}, form);
}

void Inspector::formatBytes(Object* object, std::vector<std::string>& output) {
    auto* buffer = static_cast<ArrayBuffer*>(object);
    std::string text;
    if (buffer->isDetached()) {
        style("(detached)", TextStyle::Special, text);
        output.push_back(std::move(text));
        return;
    }
    u64 limit = u64(std::min(std::max(0.0, options_.maxArrayLength), double(buffer->byteLength)));
    style("[Uint8Contents]", TextStyle::Special, text);
    text += ": <";
    for (u64 i = 0; i < limit; i++) {
        if (i)
            text += ' ';
        text += "0123456789abcdef"[buffer->data[i] >> 4];
        text += "0123456789abcdef"[buffer->data[i] & 15];
    }
    if (u64 more = buffer->byteLength - limit; more > 0)
        text += " ... " + std::to_string(more) + (more > 1 ? " more bytes" : " more byte");
    output.push_back(text + ">");
}

}
