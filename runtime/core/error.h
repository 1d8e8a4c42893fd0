// Errors: every message stands once in errors.def; throwError formats it and makes the pending exception.
#pragma once
#include "runtime/core/realm.h"

namespace scr {

enum class Error : u16 {
#define ERROR(Name, Type, text) Name,
#include "runtime/core/errors.def"
#undef ERROR
    Count
};

/// An Error instance. The frames are captured as (code, pc) pairs when it is made; the text of `stack` is made on first
/// read. An error's shape has `stack` (slot 0, LazyBuiltin: a hole until somebody reads it) and then
/// `message`. Node shows own names in the order stack, message, cause.
struct ErrorObject : Object {
    Ptr<Storage> frames; ///< pairs: code or native function cell, then the word offset of the pc as an int
    u32 frameCount; ///< Values used in `frames`
    u32 errorFlags;
    Ptr<Cell> unparsed; ///< of a text that is none: the Script, whose source->notes tell more; or null
    Ptr<Storage> registers; ///< of the frame that threw, for reports (interp/vm/missing.h); or null
};
enum ErrorFlag : u32 {
    ErrorCoded = 1, ///< one of Node's: the head of `stack` is "Name [code]: message"
    ErrorDom = 2, ///< a DomException
};

/// A DOMException (Web IDL 2.8.1): what its prototype's getters show.
struct DomException : ErrorObject {
    Value name; ///< strings
    Value message;
};

/// One piece of a message: text, a string, or a value shown as V8 shows it in messages.
struct MessagePart {
    enum Type : u8 { Text, Str, Val, Num } type;
    std::string_view text;
    Value value;
    MessagePart(std::string_view t)
        : type(Text)
        , text(t) { }
    MessagePart(const char* t)
        : type(Text)
        , text(t) { }
    MessagePart(Value v)
        : type(Val)
        , value(v) { }
    MessagePart(String* s)
        : type(Str)
        , value(Value::string(s)) { }
    MessagePart(PropertyKey key); ///< index digits, the atom's text, Symbol(description)
};

/// Makes the error of the current realm with its message and stack and throws it.
COLD Threw throwError(Vm& vm, Error error);
COLD Threw throwError(Vm& vm, Error error, MessagePart a);
COLD Threw throwError(Vm& vm, Error error, MessagePart a, MessagePart b);
COLD Threw throwError(Vm& vm, Error error, MessagePart a, MessagePart b, MessagePart c);
/// With a ready text and prototype (syntax errors, Node's coded errors).
COLD ErrorObject* newError(Vm& vm, Intrinsic prototype, String* message);
/// With any prototype (subclasses); `message` may be null: then there is no such property. Captures the frames.
COLD ErrorObject* newErrorWithPrototype(Vm& vm, Object* prototype, String* message);
/// `stack` is where it was when this error was made, and as it was: slot 0, a hole or the text.
bool hasLazyStack(Vm& vm, const Object* error);
/// Makes the `stack` that a read of `object`'s property would find, if it is an error's and not made yet. [script]
COLD Completion<void> readyStack(Vm& vm, Object* object);
COLD Threw throwText(Vm& vm, Intrinsic prototype, std::string_view utf8);
/// Node's errors with a code: own properties stack, code (enumerable), message.
COLD ErrorObject* newCodedError(Vm& vm, Intrinsic prototype, std::string_view code, String* message);
COLD Threw throwCoded(Vm& vm, Intrinsic prototype, std::string_view code, std::string_view utf8Message);

/// A DOMException; captures the frames.
COLD DomException* newDomException(Vm& vm, Object* prototype, String* name, String* message);
COLD Threw throwDomException(Vm& vm, std::string_view name, std::string_view utf8Message);
/// The error as a DomException, or null.
inline DomException* asDomException(Value value) {
    bool is = value.isObject() && kindOf(value.asCell()) == Kind::Error
        && (static_cast<ErrorObject*>(value.asObject())->errorFlags & ErrorDom);
    return is ? static_cast<DomException*>(value.asObject()) : nullptr;
}

/// A value as V8 shows it in messages: strings as they are, functions by source, objects as #<Name>, [object Tag] or
/// "Name: message". Runs no script.
std::string describeForMessage(Vm& vm, Value value);
/// As V8 names an operand whose source text it does not know: number 5, string "abc", object null, undefined, function.
std::string describeWithType(Vm& vm, Value value);

}
