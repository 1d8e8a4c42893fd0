// Making and throwing errors. The invariant: the texts stand in errors.def and nowhere else; no script runs here, so an
// error can be made anywhere, also where the stack is nearly used up.
#include "runtime/core/error.h"
#include "runtime/core/vm.h"

namespace scr {

struct ErrorText {
    Intrinsic prototype;
    std::string_view text;
};
static constexpr ErrorText errorTexts[] = {
#define ERROR(Name, Type, text) {Intrinsic::Type##Prototype, text},
#include "runtime/core/errors.def"
#undef ERROR
};

MessagePart::MessagePart(PropertyKey key)
    : type(Val) {
    if (key.isIndex())
        value = Value::number(key.asIndex());
    else if (key.isPrivate())
        value = key.asSymbol()->description;
    else
        value = Value::fromBits(key.bits());
}

// ---- error objects

/// The shape of a new error: `stack` alone.
static Shape* errorShape(Vm& vm, Object* prototype) {
    return shapeWithProperty(
        vm, rootShape(vm, prototype, 0), PropertyKey::atom(vm.names.stack), HiddenAttributes | LazyBuiltin);
}

static ErrorObject* allocateError(Vm& vm, Object* prototype, size_t bytes = sizeof(ErrorObject)) {
    Shape* shape = errorShape(vm, prototype);
    auto* error = static_cast<ErrorObject*>(allocateObject(vm, Kind::Error, bytes, rootShape(vm, prototype, 0)));
    error->frames = nullptr;
    error->frameCount = 0;
    error->errorFlags = 0;
    error->unparsed = nullptr;
    error->registers = nullptr;
    addSlot(vm, error, shape, Value::hole());
    return error;
}

bool hasLazyStack(Vm& vm, const Object* error) {
    const Shape* shape = shapeOf(vm, error);
    return shape->count && entryAt(shape, 0).key == PropertyKey::atom(vm.names.stack).bits()
        && (entryAt(shape, 0).attributes & LazyBuiltin);
}

Completion<void> readyStack(Vm& vm, Object* object) {
    for (Object* holder = object; holder; holder = prototypeOf(vm, holder)) {
        if (kindOf(holder) == Kind::Error && hasLazyStack(vm, holder)) {
            if (holder->slot(0).isHole() && vm.prepareStackHook)
                TRY(vm.prepareStackHook(vm, holder));
            return {};
        }
    }
    return {};
}

ErrorObject* newErrorWithPrototype(Vm& vm, Object* prototype, String* message) {
    ErrorObject* error = allocateError(vm, prototype);
    if (message)
        defineDirect(vm, error, PropertyKey::atom(vm.names.message), Value::string(message), HiddenAttributes);
    if (vm.captureStackHook)
        vm.captureStackHook(vm, error, nullptr);
    return error;
}

ErrorObject* newError(Vm& vm, Intrinsic prototype, String* message) {
    return newErrorWithPrototype(vm, vm.realm->intrinsic(vm, prototype), message);
}

Threw throwText(Vm& vm, Intrinsic prototype, std::string_view utf8) {
    return vm.throwValue(Value::object(newError(vm, prototype, newUtf8(vm, utf8))));
}

ErrorObject* newCodedError(Vm& vm, Intrinsic prototype, std::string_view code, String* message) {
    ErrorObject* error = allocateError(vm, vm.realm->intrinsic(vm, prototype));
    error->errorFlags = ErrorCoded;
    defineDirect(vm, error, PropertyKey::atom(vm.names.code), Value::string(newAscii(vm, code)), AllAttributes);
    defineDirect(vm, error, PropertyKey::atom(vm.names.message), Value::string(message), HiddenAttributes);
    if (vm.captureStackHook)
        vm.captureStackHook(vm, error, nullptr);
    return error;
}

Threw throwCoded(Vm& vm, Intrinsic prototype, std::string_view code, std::string_view utf8Message) {
    return vm.throwValue(Value::object(newCodedError(vm, prototype, code, newUtf8(vm, utf8Message))));
}

DomException* newDomException(Vm& vm, Object* prototype, String* name, String* message) {
    auto* error = static_cast<DomException*>(allocateError(vm, prototype, sizeof(DomException)));
    error->name = Value::string(name);
    error->message = Value::string(message);
    error->errorFlags = ErrorDom;
    if (vm.captureStackHook)
        vm.captureStackHook(vm, error, nullptr);
    return error;
}

Threw throwDomException(Vm& vm, std::string_view name, std::string_view utf8Message) {
    Object* prototype = vm.realm->intrinsic(vm, Intrinsic::DOMExceptionPrototype);
    String* nameText = newAscii(vm, name);
    return vm.throwValue(Value::object(newDomException(vm, prototype, nameText, newUtf8(vm, utf8Message))));
}

// ---- messages

static void appendPart(Vm& vm, std::string& text, const MessagePart& part) {
    if (part.type == MessagePart::Text)
        text += part.text;
    else
        text += describeForMessage(vm, part.value);
}

/// Whether the values that it is about help to tell what went wrong.
static bool isAboutValues(Error error) {
    switch (error) {
    case Error::NotCallable:
    case Error::NotConstructor:
    case Error::NotIterable:
    case Error::NotIterableRead:
    case Error::CallNotIterable:
    case Error::ReadOfNullish:
    case Error::SetOfNullish: return true;
    default: return false;
    }
}

static Threw throwFormatted(Vm& vm, Error error, const MessagePart* parts, size_t count) {
    const ErrorText& entry = errorTexts[size_t(error)];
    std::string text;
    size_t used = 0;
    for (size_t i = 0; i < entry.text.size(); i++) {
        if (entry.text[i] == '{' && entry.text[i + 1] == '}') {
            if (used < count)
                appendPart(vm, text, parts[used++]);
            i++;
        } else {
            text += entry.text[i];
        }
    }
    ErrorObject* object = newError(vm, entry.prototype, newUtf8(vm, text));
    if (isAboutValues(error) && vm.keepRegistersHook)
        vm.keepRegistersHook(vm, object);
    return vm.throwValue(Value::object(object));
}

Threw throwError(Vm& vm, Error error) { return throwFormatted(vm, error, nullptr, 0); }
Threw throwError(Vm& vm, Error error, MessagePart a) { return throwFormatted(vm, error, &a, 1); }
Threw throwError(Vm& vm, Error error, MessagePart a, MessagePart b) {
    MessagePart parts[] = {a, b};
    return throwFormatted(vm, error, parts, 2);
}
Threw throwError(Vm& vm, Error error, MessagePart a, MessagePart b, MessagePart c) {
    MessagePart parts[] = {a, b, c};
    return throwFormatted(vm, error, parts, 3);
}

}
