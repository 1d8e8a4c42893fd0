// DOMException (Web IDL 2.8.1, 4.3), as Node has it.
#include "runtime/builtins/native.h"
#include <iterator>

namespace scr {

/// By their codes from 1 on; names that are empty have no error any more.
static constexpr std::string_view legacyNames[] = {"IndexSizeError", "", "HierarchyRequestError", "WrongDocumentError",
    "InvalidCharacterError", "", "NoModificationAllowedError", "NotFoundError", "NotSupportedError",
    "InUseAttributeError", "InvalidStateError", "SyntaxError", "InvalidModificationError", "NamespaceError",
    "InvalidAccessError", "", "TypeMismatchError", "SecurityError", "NetworkError", "AbortError", "URLMismatchError",
    "QuotaExceededError", "TimeoutError", "InvalidNodeTypeError", "DataCloneError"};

Result domException_constructor(Vm& vm, Args args) {
    Value newTarget = vm.takeNewTarget();
    if (newTarget.isUndefined())
        return throwError(vm, Error::ClassCall, "DOMException");
    Object* prototype = TRY(prototypeFor(vm, args, newTarget, Intrinsic::DOMExceptionPrototype));
    Object* options = args[1].isObject() ? args[1].asObject() : nullptr;
    Value name = options ? TRY(get(vm, options, KEY(vm, name))) : args[1];
    String* message = args[0].isUndefined() ? emptyString(vm) : TRY(toString(vm, args[0]));
    String* nameText = !options && name.isUndefined() ? newAscii(vm, "Error") : TRY(toString(vm, name));
    DomException* error = newDomException(vm, prototype, nameText, message);
    // A class that extends it: its constructors are not part of the stack.
    if (newTarget.isObject() && kindOf(newTarget.asCell()) == Kind::Function && vm.captureStackHook)
        vm.captureStackHook(vm, error, newTarget.asObject());
    if (options && TRY(hasProperty(vm, options, KEY(vm, cause))))
        defineDirect(vm, error, KEY(vm, cause), TRY(get(vm, options, KEY(vm, cause))), HiddenAttributes);
    return Value::object(error);
}

static Completion<DomException*> thisException(Vm& vm, Args args) {
    if (DomException* exception = asDomException(args.self()))
        return exception;
    return throwCoded(
        vm, Intrinsic::TypeErrorPrototype, "ERR_INVALID_THIS", "Value of \"this\" must be of DOMException");
}

Result domException_name(Vm& vm, Args args) { return TRY(thisException(vm, args))->name; }

Result domException_message(Vm& vm, Args args) { return TRY(thisException(vm, args))->message; }

Result domException_code(Vm& vm, Args args) {
    std::string name = toUtf8(vm, TRY(thisException(vm, args))->name.asString());
    for (size_t i = 0; i < std::size(legacyNames); i++)
        if (!name.empty() && legacyNames[i] == name)
            return Value::int32(i32(i) + 1);
    return Value::int32(0);
}

}
