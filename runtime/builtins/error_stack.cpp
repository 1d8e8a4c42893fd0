// V8's interface to stacks: Error.captureStackTrace, Error.prepareStackTrace and the CallSite objects it is given.
//
// An error's `stack` is made when a script first reads it. Reading that runs no script (core/stack_frames.h) makes
// plain text; `get` comes here first (Vm::prepareStackHook).
#include "runtime/builtins/call_site.h"
#include "runtime/builtins/makers.h"
#include "runtime/core/stack_frames.h"

namespace scr {

// ---- call sites

namespace {

Object* newCallSite(Vm& vm, const StackFrame& frame) {
    Object* prototype = vm.realm->intrinsic(vm, Intrinsic::CallSitePrototype);
    auto* site =
        static_cast<CallSite*>(allocateObject(vm, Kind::CallSite, sizeof(CallSite), rootShape(vm, prototype, 0)));
    site->callee = frame.callee;
    site->self = frame.self;
    site->word = frame.word;
    site->isAsync = frame.isAsync;
    return site;
}

void traceCallSite(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    auto* site = static_cast<CallSite*>(cell);
    marker.mark(site->callee);
    marker.markValues(&site->self, 1);
}

Completion<StackFrame> thisFrame(Vm& vm, Args args, std::string_view method) {
    if (!args.self().isObject() || kindOf(args.self().asCell()) != Kind::CallSite)
        return throwError(vm, Error::CallSiteReceiver, method);
    auto* site = static_cast<CallSite*>(args.self().asObject());
    return StackFrame{site->callee, site->word, site->self, site->isAsync};
}

Completion<FramePlace> thisPlace(Vm& vm, Args args, std::string_view method) {
    StackFrame frame = TRY(thisFrame(vm, args, method));
    FramePlace place;
    if (!frame.isNative())
        vm.framePlaceHook(vm, frame.callee, frame.word, place);
    return place;
}

Value numberOrNull(u32 number) { return number ? Value::number(number) : Value::null(); }
Value nameOrNull(Vm& vm, const std::string& name) { return name.empty() ? Value::null() : utf8Value(vm, name); }

}

void registerCallSites(Heap& heap) { heap.setTrace(u8(Kind::CallSite), traceCallSite); }

Result callSite_constructor(Vm& vm, Args) {
    vm.takeNewTarget();
    return throwText(vm, Intrinsic::TypeErrorPrototype, "Illegal constructor");
}

Result callSite_getColumnNumber(Vm& vm, Args args) {
    return numberOrNull(TRY(thisPlace(vm, args, "getColumnNumber")).column);
}
Result callSite_getEnclosingColumnNumber(Vm& vm, Args args) {
    return numberOrNull(TRY(thisPlace(vm, args, "getEnclosingColumnNumber")).enclosingColumn);
}
Result callSite_getEnclosingLineNumber(Vm& vm, Args args) {
    return numberOrNull(TRY(thisPlace(vm, args, "getEnclosingLineNumber")).enclosingLine);
}
Result callSite_getLineNumber(Vm& vm, Args args) {
    return numberOrNull(TRY(thisPlace(vm, args, "getLineNumber")).line);
}
Result callSite_getPosition(Vm& vm, Args args) {
    StackFrame frame = TRY(thisFrame(vm, args, "getPosition"));
    return Value::number(frame.isCombinator() ? frame.word : TRY(thisPlace(vm, args, "getPosition")).position);
}
Result callSite_getFileName(Vm& vm, Args args) {
    FramePlace place = TRY(thisPlace(vm, args, "getFileName"));
    return nameOrNull(vm, place.file);
}
Result callSite_getScriptNameOrSourceURL(Vm& vm, Args args) {
    return nameOrNull(vm, TRY(thisPlace(vm, args, "getScriptNameOrSourceURL")).file);
}
Result callSite_getFunctionName(Vm& vm, Args args) {
    return nameOrNull(vm, functionNameOf(vm, TRY(thisFrame(vm, args, "getFunctionName"))));
}
Result callSite_getMethodName(Vm& vm, Args args) {
    return nameOrNull(vm, methodNameOf(vm, TRY(thisFrame(vm, args, "getMethodName"))));
}
Result callSite_getTypeName(Vm& vm, Args args) {
    StackFrame frame = TRY(thisFrame(vm, args, "getTypeName"));
    return nameOrNull(vm, typeNameOf(vm, frame));
}
/// All code is strict: functions and receivers stay hidden.
Result callSite_getFunction(Vm& vm, Args args) {
    StackFrame frame = TRY(thisFrame(vm, args, "getFunction"));
    return frame.isCombinator() ? Value::object(frame.callee) : Value::undefined();
}
Result callSite_getThis(Vm& vm, Args args) {
    StackFrame frame = TRY(thisFrame(vm, args, "getThis"));
    return frame.isCombinator() ? frame.self : Value::undefined();
}
Result callSite_getEvalOrigin(Vm& vm, Args args) {
    TRY(thisFrame(vm, args, "getEvalOrigin"));
    return Value::undefined();
}
Result callSite_getPromiseIndex(Vm& vm, Args args) {
    StackFrame frame = TRY(thisFrame(vm, args, "getPromiseIndex"));
    return frame.isCombinator() ? Value::number(frame.word) : Value::null();
}
Result callSite_isAsync(Vm& vm, Args args) { return Value::boolean(TRY(thisFrame(vm, args, "isAsync")).isAsync); }
Result callSite_isConstructor(Vm& vm, Args args) {
    return Value::boolean(TRY(thisFrame(vm, args, "isConstructor")).constructs());
}
Result callSite_isEval(Vm& vm, Args args) {
    TRY(thisFrame(vm, args, "isEval"));
    return Value::boolean(false);
}
/// Of V8's own scripts; builtins are not native in this sense.
Result callSite_isNative(Vm& vm, Args args) {
    TRY(thisFrame(vm, args, "isNative"));
    return Value::boolean(false);
}
Result callSite_isPromiseAll(Vm& vm, Args args) {
    StackFrame frame = TRY(thisFrame(vm, args, "isPromiseAll"));
    return Value::boolean(frame.isCombinator() && functionNameOf(vm, frame) == "all");
}
Result callSite_isToplevel(Vm& vm, Args args) {
    return Value::boolean(isTopLevel(vm, TRY(thisFrame(vm, args, "isToplevel"))));
}
Result callSite_toString(Vm& vm, Args args) {
    return utf8Value(vm, frameText(vm, TRY(thisFrame(vm, args, "toString"))));
}

// ---- text

namespace {

/// The first line: what Error.prototype.toString gives.
Completion<String*> heading(Vm& vm, Object* object) {
    Value method = TRY(get(vm, vm.realm->intrinsic(vm, Intrinsic::ErrorPrototype), KEY(vm, toString)));
    return isCallable(method) ? toString(vm, TRY(call(vm, method, Value::object(object)))) : newAscii(vm, "Error");
}

Result plainStack(Vm& vm, Object* object, const ErrorObject* frames) {
    StringBuilder text(vm);
    text.append(TRY(heading(vm, object)));
    text.append(newUtf8(vm, framesText(vm, frames)));
    return Value::string(TRY(text.finish()));
}

bool isOurPreparer(Value function) {
    return function.isObject() && kindOf(function.asCell()) == Kind::NativeFunction
        && static_cast<NativeFunction*>(function.asObject())->code == error_prepareStackTrace;
}

/// What a script has put in the place of Error.prepareStackTrace; undefined if it has not.
Value customPreparer(Vm& vm) {
    Object* error = vm.realm->intrinsics[size_t(Intrinsic::Error)];
    if (!error || vm.preparingStack)
        return Value::undefined();
    Lookup own = getOwnProperty(vm, error, PropertyKey::atom(internAscii(vm, "prepareStackTrace")));
    bool custom = own.type == Lookup::Data && isCallable(own.value) && !isOurPreparer(own.value);
    return custom ? own.value : Value::undefined();
}

Result callPreparer(Vm& vm, Value preparer, Object* object, const ErrorObject* frames) {
    Array* sites = newArray(vm, frameCountOf(frames));
    for (u32 i = 0; i < frameCountOf(frames); i++)
        TRY(pushDense(vm, sites->elements_, Value::object(newCallSite(vm, frameOf(frames, i)))));
    Value constructor = Value::object(vm.realm->intrinsic(vm, Intrinsic::Error));
    vm.preparingStack = true;
    Result result = call(vm, preparer, constructor, Value::object(object), Value::object(sites));
    vm.preparingStack = false;
    return result;
}

/// The value of `stack` for an object whose frames `frames` holds.
Result makeStack(Vm& vm, Object* object, const ErrorObject* frames) {
    Value preparer = customPreparer(vm);
    return preparer.isUndefined() ? plainStack(vm, object, frames) : callPreparer(vm, preparer, object, frames);
}

}

/// Vm::prepareStackHook
Result prepareStack(Vm& vm, Object* object) {
    auto* error = static_cast<ErrorObject*>(object);
    Value stack = TRY(makeStack(vm, error, error));
    if (hasLazyStack(vm, error))
        error->slot(0) = stack;
    return stack;
}

// V8: Error.captureStackTrace ( object [ , above ] ): the frames below the innermost one of `above`.
Result error_captureStackTrace(Vm& vm, Args args) {
    if (!args[0].isObject())
        return throwError(vm, Error::InvalidArgument);
    Object* object = args[0].asObject();
    Object* above = args[1].isObject() && args[1].asObject()->isCallable() ? args[1].asObject() : nullptr;
    if (kindOf(object) == Kind::Error && hasLazyStack(vm, object)) {
        vm.captureStackHook(vm, object, above);
        return Value::undefined();
    }
    ErrorObject* frames = newErrorWithPrototype(vm, nullptr, nullptr);
    vm.captureStackHook(vm, frames, above);
    bool none = frames->slot(0).isUndefined();
    Value stack = none ? Value::undefined() : TRY(makeStack(vm, object, frames));
    TRY(defineOrThrow(vm, object, KEY(vm, stack), PropertyDescriptor::data(stack, HiddenAttributes)));
    return Value::undefined();
}

/// V8: Error.prepareStackTrace ( error, sites ), until a script replaces it.
Result error_prepareStackTrace(Vm& vm, Args args) {
    StringBuilder text(vm);
    Value method = TRY(get(vm, vm.realm->intrinsic(vm, Intrinsic::ErrorPrototype), KEY(vm, toString)));
    text.append(TRY(toString(vm, TRY(call(vm, method, args[0])))));
    Object* sites = TRY(toObject(vm, args[1]));
    double length = TRY(lengthOf(vm, sites));
    for (double i = 0; i < length && !text.failed(); i++) {
        TRY(vm.work(1));
        text.appendAscii("\n    at ");
        text.append(TRY(toString(vm, TRY(get(vm, sites, keyFromInteger(vm, i))))));
    }
    return Value::string(TRY(text.finish()));
}

Value makeErrorPreparer(Vm& vm) {
    return Value::object(newNative(vm, error_prepareStackTrace, "ErrorPrepareStackTrace", 2));
}

}
