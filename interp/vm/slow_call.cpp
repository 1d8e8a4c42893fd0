// Slow paths of calls: finding methods, odd entries, construction, spread.
#include "interp/vm/slow_paths.h"
#include "runtime/core/call.h"
#include "runtime/core/compile.h"
#include "runtime/core/error.h"
#include "runtime/core/module_namespace.h"
#include "runtime/core/side_effects.h"

namespace scr {

static bool finish(Value& target, Completion<Value> result) {
    if (UNLIKELY(result.threw()))
        return false;
    target = result.value();
    return true;
}

bool serviceSlow(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    return !vm.serviceBudget().threw();
}

// ---- entering

/// The array of surplus arguments, the arguments object: made before anything is written over them.
static void fillSpecialRegisters(Vm& vm, Function* function, Value* window, u32 argc, u64 flags) {
    Code* code = function->code();
    Value* base = window + 2;
    Value rest, arguments;
    if (code->restRegister) {
        u32 surplus = argc > code->parameterCount ? argc - code->parameterCount : 0;
        if (surplus || !(code->infoFlags & CodeBuiltin))
            rest = Value::object(newArrayFrom(vm, window + 3 + code->parameterCount, surplus));
    }
    if (code->argumentsRegister)
        arguments = code->infoFlags & CodeBuiltin ? Value::number(argc)
                                                  : Value::object(newArguments(vm, code->realm, window + 3, argc));
    for (u32 i = argc; i < code->parameterCount; i++)
        window[3 + i] = Value::undefined();
    if (code->restRegister)
        base[code->restRegister] = rest;
    if (code->argumentsRegister)
        base[code->argumentsRegister] = arguments;
    if (code->newTargetRegister) {
        Value newTarget = vm.takeNewTarget();
        bool implied = (flags & ReturnInfo::FlagConstruct) && newTarget.isUndefined();
        base[code->newTargetRegister] = implied ? Value::object(function) : newTarget;
    }
    if (code->infoFlags & CodeDerivedThis)
        base[0] = Value::uninitialized();
}

bool slowEnter(Vm& vm, const u64* pc, Value* base, Value* window, Function* function, u32 argc, u64 flags) {
    vm.pc = pc;
    vm.base = base; // null if C++ calls
    Code* code = function->code();
    vm.realm = code->realm;
    if (window + 2 + code->registerCount > vm.stackLimit) {
        (void)vm.throwStackOverflow();
        return false;
    }
    if (vm.budget < 0 && vm.serviceBudget().threw())
        return false;
    if ((code->infoFlags & InfoClassConstructor) && !(flags & ReturnInfo::FlagConstruct)) {
        if (code->name->length)
            (void)throwError(vm, Error::ClassCall, code->name.get());
        else
            (void)throwText(vm, Intrinsic::TypeErrorPrototype, "Class constructors cannot be invoked without 'new'");
        return false;
    }
    fillSpecialRegisters(vm, function, window, argc, flags);
    return true;
}

// ---- methods

/// The form of a site that calls this function as a method, and which builtin it carries out in place if it is such a
/// form.
static Op methodForm(Vm& vm, Object* function, bool onObject, u32 argc, u32& inlined) {
    if (kindOf(function) == Kind::Function)
        return onObject ? Op::CallMethodFunction : Op::CallMethodPrimitive;
    NativeCode code = static_cast<NativeFunction*>(function)->code;
    while (inlined < size_t(InlineNative::Count) && vm.inlineNatives[inlined] != code)
        inlined++;
    auto which = InlineNative(inlined);
    if (which == InlineNative::CharCodeAt && !onObject && argc == 1)
        return Op::CallMethodCharCodeAt;
    if (which == InlineNative::ArrayPush && onObject && argc == 1)
        return Op::CallMethodPush;
    if (which == InlineNative::GeneratorNext && onObject)
        return Op::CallMethodGenerator;
    bool isBinary = which == InlineNative::MathMin || which == InlineNative::MathMax;
    if (which >= InlineNative::MathFloor && which < InlineNative::Count && onObject && argc == (isBinary ? 2 : 1))
        return Op::CallMethodMath;
    return onObject ? Op::CallMethodNative : Op::CallMethodPrimitive;
}

static bool cacheMethod(Vm& vm, const u64* pc, Value* base, Value receiver, Object* start, const Lookup& found) {
    // Known: found.value is a bytecode or native function in a data slot.
    Code* code = codeOf(base);
    u32 typeKey = receiver.isObject() ? start->shape : primitiveKey(receiver);
    bool ofHolder = found.holder != start || !receiver.isObject() || shapeOf(vm, start)->isUnique();
    if (typeKey == KeyNone || !ofHolder || found.holder == code->realm->global
        || !vm.dependOnSlotValue(found.holder, found.slot))
        return false;
    if (receiver.isObject() && (shapeOf(vm, start)->flags & ShapeUncacheable))
        return false;
    Op op = Op(*reinterpret_cast<const u16*>(pc));
    CacheWords& words = cacheOf(pc);
    if (receiver.isObject())
        typeKey = start->shape; // dependOnSlotValue may have renewed it
    if (op == Op::CallMethodPolymorphic || op == Op::CallMethodMegamorphic)
        return false;
    if (op != Op::CallMethod && words.key != KeyNone && words.key != typeKey)
        return false;
    if (receiver.isObject())
        shapeOf(vm, start)->flags |= ShapeCached;
    u32 inlined = 0;
    Op form = methodForm(vm, found.value.asObject(), receiver.isObject(), at<ops::CallMethod>(pc).argc.n, inlined);
    words = {typeKey, inlined, u64(found.value.asObject())};
    vm.dependOnPrototypes(code, &words.key);
    *reinterpret_cast<u16*>(const_cast<u64*>(pc)) = u16(form);
    return true;
}

static Completion<Value> findMethod(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::CallMethod>(pc);
    Value receiver = base[insn.first.n + 2];
    PropertyKey key = PropertyKey::fromBits(codeOf(base)->constant(insn.name.n).bits());
    if (UNLIKELY(receiver.isNullish()))
        return key == PropertyKey::symbol(vm.symbols.iterator)
            ? throwError(vm, Error::NotIterableRead, std::string_view(describeWithType(vm, receiver)))
            : throwError(vm, Error::ReadOfNullish, receiver.isNull() ? "null" : "undefined", key);
    vm.realm = codeOf(base)->realm; // whose prototypes a primitive has
    Object* start = propertiesOf(vm, receiver);
    Lookup found = lookup(vm, start, key);
    Value method = TRY(valueOf(vm, found, receiver));
    bool isExport = found.type == Lookup::Exotic && isNamespace(start);
    bool plain = (found.type == Lookup::Data || isExport) && method.isObject()
        && (kindOf(method.asCell()) == Kind::Function || kindOf(method.asCell()) == Kind::NativeFunction);
    if (plain && (isExport || !cacheMethod(vm, pc, base, receiver, start, found)) && receiver.isObject())
        fillSite(vm, codeOf(base), const_cast<u64*>(pc), callMethodForms, readEntry(vm, start, found), key);
    return method;
}

bool slowFindMethod(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    return finish(base[at<ops::CallMethod>(pc).first.n], findMethod(vm, pc, base));
}

// ---- calls

static Threw throwNotCallable(Vm& vm, const u64* pc, Value* base, Value callee, Error error) {
    std::string text = expressionText(vm, codeOf(base), pc);
    if (text.empty())
        return throwError(vm, error, callee);
    return throwError(vm, error, std::string_view(text));
}

bool slowCall(Vm& vm, const u64* pc, Value* base) {
    // Known: the callee is neither a bytecode nor a native function.
    const auto& insn = at<ops::Call>(pc);
    publish(vm, pc, base);
    Value* window = &base[insn.first.n];
    if (!isCallable(window[0])) {
        (void)throwNotCallable(vm, pc, base, window[0], Error::NotCallable);
        return false;
    }
    return finish(window[0], call(vm, window[0], window[2], window + 3, insn.argc.n));
}

bool slowCallSpread(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    Value* window = &base[at<ops::CallSpread>(pc).first.n];
    if (!isCallable(window[0])) {
        (void)throwNotCallable(vm, pc, base, window[0], Error::NotCallable);
        return false;
    }
    Elements& arguments = static_cast<Array*>(window[3].asObject())->elements_;
    return finish(window[0],
        call(vm, window[0], window[2], arguments.denseLength ? arguments.dense() : nullptr, arguments.denseLength));
}

/// 13.3.6.1 steps 6 to 8.
static Completion<Value> callEval(
    Vm& vm, const u64* pc, Value* base, u16 first, Const scopes, const Value* args, u32 argc) {
    Value callee = base[first];
    Code* code = codeOf(base);
    if (!isCallable(callee))
        return throwNotCallable(vm, pc, base, callee, Error::NotCallable);
    auto* native = kindOf(callee.asCell()) == Kind::NativeFunction ? callee.as<NativeFunction>() : nullptr;
    if (!native || native->code != global_eval || native->realm != code->realm)
        return call(vm, callee, Value::undefined(), args, argc);
    if (!argc || !args[0].isString())
        return argc ? args[0] : Value::undefined();
    vm.realm = code->realm;
    CompileRequest request;
    request.kind = TextKind::DirectEval;
    request.text = TRY(flatten(vm, args[0].asString()));
    request.scopes = static_cast<Array*>(code->constant(scopes.n).asObject());
    request.environment = base[first + 1].as<Environment>();
    Function* function = TRY(compileText(vm, request));
    return call(vm, Value::object(function), Value::undefined());
}

bool slowCallEval(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::CallEval>(pc);
    publish(vm, pc, base);
    Value* window = &base[insn.first.n];
    return finish(window[0], callEval(vm, pc, base, insn.first.n, insn.scopes, window + 3, insn.argc.n));
}

bool slowCallEvalSpread(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::CallEvalSpread>(pc);
    publish(vm, pc, base);
    Value* window = &base[insn.first.n];
    Elements& list = static_cast<Array*>(window[3].asObject())->elements_;
    const Value* args = list.denseLength ? list.dense() : nullptr;
    return finish(window[0], callEval(vm, pc, base, insn.first.n, insn.scopes, args, list.denseLength));
}

// ---- construction

Completion<Shape*> instanceShape(Vm& vm, Object* newTarget, u32 inlineSlots, bool& cacheable) {
    PropertyKey key = PropertyKey::atom(vm.names.prototype);
    Lookup own = getOwnProperty(vm, newTarget, key);
    cacheable = own.type == Lookup::Data && own.value.isObject();
    Value prototype = TRY(get(vm, newTarget, key));
    Object* parent = prototype.isObject() ? prototype.asObject() : nullptr;
    if (!parent) {
        TRY(requireRealm(vm, newTarget));
        parent = realmOf(vm, newTarget)->intrinsic(vm, Intrinsic::ObjectPrototype);
    }
    return rootShape(vm, parent, u8(inlineSlots < 200 ? inlineSlots : 200));
}

/// Remembers the shape of instances at a Construct or SuperCall site, keyed by the new target's own (unique) shape.
static void cacheInstanceShape(Vm& vm, const u64* pc, Value* base, Object* newTarget, Shape* shape) {
    makeUnique(vm, newTarget);
    Lookup own = getOwnProperty(vm, newTarget, PropertyKey::atom(vm.names.prototype));
    if (own.type != Lookup::Data || !vm.dependOnSlotValue(newTarget, own.slot))
        return;
    Shape* key = shapeOf(vm, newTarget);
    if (key->flags & ShapeUncacheable)
        return;
    key->flags |= ShapeCached;
    cacheOf(pc) = {newTarget->shape, 0, u64(shape)};
    vm.dependOnPrototypes(codeOf(base), &cacheOf(pc).key);
}

/// In the window where it stands, as a call of a native.
static Completion<Value> constructNative(Vm& vm, Value* window, u32 argc, Object* newTarget) {
    auto* native = window[0].as<NativeFunction>();
    window[2] = Value::undefined();
    Args arguments{window + 3, argc};
    if (UNLIKELY(!guardAllows(vm, native, arguments)))
        return Threw{};
    vm.newTarget = Value::object(newTarget);
    vm.realm = native->realm;
    Completion<Value> result = native->code(vm, arguments);
    vm.newTarget = Value::undefined();
    return result;
}

static Completion<bool> prepare(Vm& vm, const u64* pc, Value* base, Value* window, u32 argc, Object* newTarget) {
    Object* callee = window[0].asObject();
    if (kindOf(callee) == Kind::NativeFunction) {
        window[0] = TRY(constructNative(vm, window, argc, newTarget));
        return false;
    }
    if (kindOf(callee) != Kind::Function) {
        window[0] = TRY(construct(vm, callee, window + 3, argc, newTarget));
        return false;
    }
    Code* code = static_cast<Function*>(callee)->code();
    vm.newTarget = Value::undefined();
    if (code->infoFlags & InfoDerived) {
        vm.newTarget = Value::object(newTarget);
        window[2] = Value::uninitialized();
        return true;
    }
    if (newTarget->shape != cacheOf(pc).key) {
        bool cacheable = false;
        u32 slots = code->instanceSlots;
        if (newTarget != callee && kindOf(newTarget) == Kind::Function)
            slots += static_cast<Function*>(newTarget)->code()->instanceSlots;
        Shape* shape = TRY(instanceShape(vm, newTarget, slots, cacheable));
        window[2] = Value::object(newInstance(vm, shape));
        if (cacheable && kindOf(newTarget) == Kind::Function)
            cacheInstanceShape(vm, pc, base, newTarget, shape);
    } else {
        window[2] = Value::object(newInstance(vm, reinterpret_cast<Shape*>(cacheOf(pc).pointer)));
    }
    if (code->newTargetRegister)
        vm.newTarget = Value::object(newTarget);
    return true;
}

static int decide(Completion<bool> result) { return result.threw() ? -1 : result.value(); }

int slowPrepareConstruct(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::Construct>(pc);
    publish(vm, pc, base);
    Value* window = &base[insn.first.n];
    if (!isConstructor(window[0])) {
        (void)throwNotCallable(vm, pc, base, window[0], Error::NotConstructor);
        return -1;
    }
    return decide(prepare(vm, pc, base, window, insn.argc.n, window[0].asObject()));
}

/// V8 names both functions; Function.prototype, the parent of `extends null`, has no name and shows as null.
static Threw throwSuperNotConstructor(Vm& vm, Value* base, Value callee) {
    std::string shown = describeForMessage(vm, callee);
    if (callee.isObject() && callee.asObject()->isCallable()) {
        Lookup name = getOwnProperty(vm, callee.asObject(), PropertyKey::atom(vm.names.name));
        bool isNamed = name.type == Lookup::Data && name.value.isString() && name.value.asString()->length;
        shown = isNamed ? toUtf8(vm, name.value.asString()) : "null";
    }
    String* name = codeOf(base)->name;
    bool isEval = (codeOf(base)->infoFlags & InfoArrow) && name == internAscii(vm, "eval");
    if (!name->length || isEval)
        return throwError(vm, Error::SuperOfAnonymous, std::string_view(shown));
    return throwError(vm, Error::SuperNotConstructor, std::string_view(shown), name);
}

int slowPrepareSuperCall(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::SuperCall>(pc);
    publish(vm, pc, base);
    Value* window = &base[insn.first.n];
    if (!isConstructor(window[0])) {
        (void)throwSuperNotConstructor(vm, base, window[0]);
        return -1;
    }
    return decide(prepare(vm, pc, base, window, insn.argc.n, window[2].asObject()));
}

static Completion<Value> constructSpread(Vm& vm, Value callee, Value list, Value newTarget) {
    Elements& arguments = static_cast<Array*>(list.asObject())->elements_;
    const Value* values = arguments.denseLength ? arguments.dense() : nullptr;
    return construct(vm, callee.asObject(), values, arguments.denseLength, newTarget.asObject());
}

bool slowConstructSpread(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    Value* window = &base[at<ops::ConstructSpread>(pc).first.n];
    if (!isConstructor(window[0])) {
        (void)throwNotCallable(vm, pc, base, window[0], Error::NotConstructor);
        return false;
    }
    return finish(window[0], constructSpread(vm, window[0], window[3], window[0]));
}

bool slowSuperCallSpread(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    Value* window = &base[at<ops::SuperCallSpread>(pc).first.n];
    if (!isConstructor(window[0])) {
        (void)throwSuperNotConstructor(vm, base, window[0]);
        return false;
    }
    return finish(window[0], constructSpread(vm, window[0], window[3], window[2]));
}

/// The realm of the code that called this frame.
static Realm* callerRealm(Vm& vm, Value* base) {
    u64 info = returnInfoOf(base);
    Value* caller = info & ReturnInfo::FlagEntry ? savedBaseOf(base) : base - ReturnInfo::delta(info);
    return caller ? codeOf(caller)->realm.get() : vm.realm;
}

// 10.2.2 [[Construct]] steps 10 to 14: what goes wrong here is the caller's error.
bool slowReturnDerived(Vm& vm, const u64* pc, Value* base) {
    // Known: the value is no object.
    const auto& insn = at<ops::ReturnDerived>(pc);
    publish(vm, pc, base);
    // Steps 11 and 12: the constructor's own context is gone by now, the errors are those of the caller's realm.
    u64 info = returnInfoOf(base);
    if (Value* caller = info & ReturnInfo::FlagEntry ? savedBaseOf(base) : base - ReturnInfo::delta(info))
        vm.realm = codeOf(caller)->realm;
    vm.realm = callerRealm(vm, base);
    if (!base[insn.src.n].isUndefined()) {
        (void)throwError(vm, Error::DerivedReturn);
        return false;
    }
    if (base[insn.thisReg.n].isUninitialized()) {
        (void)throwError(vm, Error::ThisBeforeSuper);
        return false;
    }
    base[insn.src.n] = base[insn.thisReg.n];
    return true;
}

// ---- bindings

bool slowGetCapturedOnce(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::GetCapturedOnce>(pc);
    Value value = environmentAt(base, insn.hops.n)->slots[insn.slot.n];
    if (!value.isUninitialized()) {
        u16 op = u16(insn.hops.n == 0 ? Op::GetCaptured : insn.hops.n == 1 ? Op::GetCaptured1 : Op::GetCapturedN);
        *reinterpret_cast<u16*>(const_cast<u64*>(pc)) = op;
        base[insn.dst.n] = value;
        return true;
    }
    publish(vm, pc, base);
    (void)throwError(vm, Error::BeforeInitialization, std::string_view(expressionText(vm, codeOf(base), pc)));
    return false;
}
bool slowCheckInitialized(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    Value name = codeOf(base)->constant(at<ops::CheckInitialized>(pc).name.n);
    (void)throwError(vm, Error::BeforeInitialization, name.asString());
    return false;
}
bool slowCheckThis(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    (void)throwError(vm, Error::ThisBeforeSuper);
    return false;
}
bool slowCheckThisUninitialized(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    (void)throwError(vm, Error::SuperCalledTwice);
    return false;
}
bool slowThrowError(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::ThrowError>(pc);
    publish(vm, pc, base);
    Value argument = codeOf(base)->constant(insn.argument.n);
    if (argument.isString())
        (void)throwError(vm, scr::Error(insn.error.value), argument.asString());
    else
        (void)throwError(vm, scr::Error(insn.error.value), argument);
    return false;
}

}
