// Function and Function.prototype (ECMA-262 20.2), %ThrowTypeError% (10.2.4.1).
#include "runtime/builtins/argument_list.h"
#include "runtime/builtins/dynamic_function.h"
#include "runtime/core/call_site.h"
#include "runtime/core/compile.h"

#include <algorithm>
#include <cmath>

namespace scr {

namespace {

Result functionPrototypeCode(Vm&, Args) { return Value::undefined(); }

Result throwRestricted(Vm& vm, Args) { return throwError(vm, Error::StrictCallee); }

}

// 20.2.3: a function itself, which accepts anything and returns undefined. Its own prototype is Object.prototype, so
// it cannot be made as other functions are.
Object* makeFunctionPrototype(Vm& vm, Object* prototype) {
    Shape* shape = rootShape(vm, prototype, 0);
    auto* function =
        static_cast<NativeFunction*>(allocateObject(vm, Kind::NativeFunction, sizeof(NativeFunction), shape));
    function->flags |= HasLazyProperties;
    function->code = functionPrototypeCode;
    function->realm = vm.realm;
    function->name = Value::string(emptyString(vm));
    function->data[0] = function->data[1] = Value::undefined();
    function->length = 0;
    return function;
}

// 10.2.4.1 %ThrowTypeError%: frozen, so that nobody can tell two uses of it apart.
Object* makeThrowTypeError(Vm& vm, Object*) {
    NativeFunction* function = newNative(vm, throwRestricted, "", 0);
    materializeFunction(vm, function);
    MUST(setIntegrity(vm, function, Integrity::Frozen));
    return function;
}

Result createDynamicFunction(Vm& vm, Args args, TextKind kind, Intrinsic fallback) {
    Value newTarget = vm.takeNewTarget();
    Realm* realm = vm.realm;
    StringBuilder parameters(vm);
    for (u32 i = 0; i + 1 < args.count; i++) {
        if (i)
            parameters.appendAscii(",");
        parameters.append(TRY(toString(vm, args[i])));
    }
    CompileRequest request;
    request.kind = kind;
    request.text =
        TRY(flatten(vm, TRY(toString(vm, args.count ? args[args.count - 1] : Value::string(emptyString(vm))))));
    request.parameters = TRY(parameters.finish());
    vm.realm = realm;
    Function* function = TRY(compileText(vm, request));
    Object* prototype = newTarget.isObject() ? TRY(prototypeFromConstructor(vm, newTarget.asObject(), fallback))
                                             : realm->intrinsic(vm, fallback);
    TRY(setPrototypeOf(vm, function, prototype));
    return Value::object(function);
}

// 20.2.1.1 Function ( ...parameterArgs, bodyArg )
Result function_constructor(Vm& vm, Args args) {
    return createDynamicFunction(vm, args, TextKind::Function, Intrinsic::FunctionPrototype);
}

// 19.2.1 eval ( x )
Result global_eval(Vm& vm, Args args) {
    if (!args[0].isString())
        return args[0];
    CompileRequest request;
    request.text = TRY(flatten(vm, args[0].asString()));
    Realm* realm = vm.realm;
    Function* function = TRY(compileText(vm, request));
    return call(vm, Value::object(function), Value::object(realm->global.get()));
}

namespace {

/// More arguments than this cannot be on the stack, whatever its size.
constexpr u32 MaxArguments = 1 << 22;
/// Longer lists V8 does not even make.
constexpr double MaxListLength = 134217725;

/// 7.3.19 CreateListFromArrayLike, in a cell.
Completion<Array*> argumentList(Vm& vm, Object* object) {
    double length = TRY(lengthOf(vm, object));
    if (length > MaxListLength)
        return throwError(vm, Error::ArrayLength);
    if (length > MaxArguments)
        return vm.throwStackOverflow();
    u32 count = u32(length);
    Array* list = newArray(vm, count);
    for (u32 i = 0; i < count; i++)
        TRY(pushDense(vm, list->elements_, TRY(get(vm, object, PropertyKey::index(i)))));
    return list;
}

/// A packed array is its own list: call() copies the values before it runs anything.
bool isPacked(Object* object) {
    if (kindOf(object) != Kind::Array)
        return false;
    Elements& elements = static_cast<Array*>(object)->elements_;
    if (elements.length != elements.denseLength || elements.length > MaxArguments)
        return false;
    const Value* values = elements.denseLength ? elements.dense() : nullptr;
    return std::none_of(values, values + elements.denseLength, [](Value value) { return value.isHole(); });
}

}

Completion<Array*> argumentListFrom(Vm& vm, Value value) {
    if (!value.isObject())
        return throwError(vm, Error::ApplyNotObject);
    Object* object = value.asObject();
    Array* list = isPacked(object) ? static_cast<Array*>(object) : TRY(argumentList(vm, object));
    TRY(vm.work(list->elements_.denseLength));
    return list;
}

/// V8 names the call, not the receiver.
static Threw throwNotCallable(Vm& vm, const char* method) {
    std::string site = callSiteText(vm);
    return throwError(vm, Error::NotCallable, site.empty() ? std::string_view(method) : std::string_view(site));
}

// 20.2.3.1 Function.prototype.apply ( thisArg, argArray )
Result function_prototype_apply(Vm& vm, Args args) {
    if (!isCallable(args.self()))
        return throwNotCallable(vm, "Function.prototype.apply");
    if (args[1].isNullish())
        return call(vm, args.self(), args[0]);
    Array* list = TRY(argumentListFrom(vm, args[1]));
    u32 count = list->elements_.denseLength;
    return call(vm, args.self(), args[0], count ? list->elements_.dense() : nullptr, count);
}

// 20.2.3.3 Function.prototype.call ( thisArg, ...args )
Result function_prototype_call(Vm& vm, Args args) {
    if (!isCallable(args.self()))
        return throwNotCallable(vm, "Function.prototype.call");
    u32 count = args.count > 1 ? args.count - 1 : 0;
    return call(vm, args.self(), args[0], count ? args.values + 1 : nullptr, count);
}

namespace {

/// 20.2.3.2 steps 4 to 7: what is left of the target's parameters.
Completion<double> boundLength(Vm& vm, Object* target, u32 given) {
    if (!TRY(hasOwnProperty(vm, target, KEY(vm, length))))
        return 0.0;
    Value length = TRY(get(vm, target, KEY(vm, length)));
    if (!length.isNumber())
        return 0.0;
    double count = TRY(toIntegerOrInfinity(vm, length));
    return std::max(count - given, 0.0);
}

/// 10.4.1.3 BoundFunctionCreate.
Completion<BoundFunction*> newBound(Vm& vm, Object* target, Args args) {
    Object* prototype = TRY(getPrototypeOf(vm, target));
    u32 given = args.count > 1 ? args.count - 1 : 0;
    Array* arguments = given ? newArrayFrom(vm, args.values + 1, given) : nullptr;
    Shape* shape =
        vm.realm->boundShape->prototype == prototype ? vm.realm->boundShape.get() : rootShape(vm, prototype, 0);
    auto* bound = static_cast<BoundFunction*>(allocateObject(vm, Kind::BoundFunction, sizeof(BoundFunction), shape));
    bound->flags |= target->flags & IsConstructor;
    bound->target = target;
    bound->boundThis = args[0];
    bound->arguments = arguments ? static_cast<Storage*>(arguments->elements_.storage.get()) : nullptr;
    bound->argumentCount = given;
    return bound;
}

}

// 20.2.3.2 Function.prototype.bind ( thisArg, ...args )
Result function_prototype_bind(Vm& vm, Args args) {
    if (!isCallable(args.self()))
        return throwError(vm, Error::BindNotFunction);
    Object* target = args.self().asObject();
    BoundFunction* bound = TRY(newBound(vm, target, args));
    double length = TRY(boundLength(vm, target, bound->argumentCount));
    defineDirect(vm, bound, KEY(vm, length), Value::number(length), Configurable);
    Value name = TRY(get(vm, target, KEY(vm, name)));
    String* text = newAscii(vm, "bound ");
    if (name.isString())
        text = TRY(concatenate(vm, text, name.asString()));
    defineDirect(vm, bound, KEY(vm, name), Value::string(text), Configurable);
    return Value::object(bound);
}

// 20.2.3.5 Function.prototype.toString ( )
Result function_prototype_toString(Vm& vm, Args args) {
    if (!isCallable(args.self()))
        return throwError(vm, Error::RequiresThis, "Function.prototype.toString", "Function");
    Object* function = args.self().asObject();
    if (kindOf(function) == Kind::Function && vm.sourceTextHook)
        return vm.sourceTextHook(vm, function);
    StringBuilder text(vm);
    text.appendAscii("function ");
    if (kindOf(function) == Kind::NativeFunction) {
        Value name = static_cast<NativeFunction*>(function)->name;
        if (name.isString())
            text.append(name.asString());
    }
    text.appendAscii("() { [native code] }");
    return Value::string(TRY(text.finish()));
}

// 20.2.3.6 Function.prototype [ %Symbol.hasInstance% ] ( V )
Result function_prototype_hasInstance(Vm& vm, Args args) {
    return Value::boolean(TRY(ordinaryHasInstance(vm, args.self(), args[0])));
}

}
