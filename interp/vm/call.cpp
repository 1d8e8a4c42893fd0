// Calls from C++ into functions of any kind (seam runtime/core/call.h): an entry frame on the VM stack, one activation
// of the interpreter for it.
#include "runtime/core/call.h"
#include "interp/vm/activation.h"
#include "interp/vm/slow_paths.h"
#include "runtime/core/error.h"
#include "runtime/core/proxy.h"
#include "runtime/core/side_effects.h"
#include <algorithm>
#include <atomic>

namespace scr {

/// A window above everything live, with the callee, `this` and the arguments in it; null if the stack is full.
static Value* pushWindow(Vm& vm, Object* callee, Value self, const Value* args, u32 argc) {
    Value* top = vm.stackTop();
    if (UNLIKELY(top + EntrySavedWords + 3 + argc > vm.stackLimit))
        return nullptr;
    top[0] = Value::fromBits(u64(vm.base));
    top[1] = Value::fromBits(u64(vm.pc));
    Value* window = top + EntrySavedWords;
    window[0] = Value::object(callee);
    window[1] = Value::undefined();
    window[2] = self;
    for (u32 i = 0; i < argc; i++)
        window[3 + i] = args[i];
    vm.nativeTop = window + 3 + argc;
    return window;
}

static Completion<Value> runFunction(Vm& vm, Function* function, Value self, const Value* args, u32 argc, u64 flags) {
    if (UNLIKELY(vm.cStackLow()))
        return vm.throwStackOverflow();
    Activation activation(vm);
    Value* window = pushWindow(vm, function, self, args, argc);
    if (UNLIKELY(!window))
        return vm.throwStackOverflow();
    Code* code = function->code();
    u32 wanted = flags & ReturnInfo::FlagConstruct ? code->constructArgc : code->entryArgc;
    if (UNLIKELY(--vm.budget < 0) || UNLIKELY(argc != wanted)
        || UNLIKELY(window + 2 + code->registerCount > vm.stackLimit)) {
        if (!slowEnter(vm, vm.pc, vm.base, window, function, argc, flags))
            return Threw{};
    }
    window[1] = Value::fromBits(ReturnInfo::make(nullptr, 0, flags | ReturnInfo::FlagEntry));
    std::atomic_signal_fence(std::memory_order_release); // a profiler's signal finds the frame whole
    vm.base = window + 2;
    vm.pc = code->words;
    return vm.interpretHook(vm, code->words, window + 2);
}

Completion<Value> RepeatedCall::prepare(const Value* args, u32 argc) {
    if (!callee_.isObject() || kindOf(callee_.asCell()) != Kind::Function) {
        isPlain_ = false;
        return call(vm_, callee_, self_, args, argc);
    }
    Code* code = static_cast<Function*>(callee_.asObject())->code();
    Value* window = vm_.stackTop() + EntrySavedWords;
    if (code->entryArgc == 0xFFFF) {
        isPlain_ = false;
    } else if (!vm_.cStackLow() && window + 3 + argc < vm_.stackLimit
        && window + 2 + code->registerCount <= vm_.stackLimit) {
        window_ = window;
        base_ = vm_.base;
        nativeTop_ = vm_.nativeTop;
        words_ = code->words;
        argc_ = code->entryArgc;
    }
    return call(vm_, callee_, self_, args, argc);
}

Completion<Value> RepeatedCall::operator()(const Value* args, u32 argc) {
    Vm& vm = vm_;
    if (UNLIKELY(!window_)) {
        if (isPlain_)
            return prepare(args, argc);
        return call(vm, callee_, self_, args, argc);
    }
    // Called from elsewhere than the first time, or something is due.
    if (UNLIKELY(vm.base != base_) || UNLIKELY(vm.nativeTop != nativeTop_) || UNLIKELY(vm.budget <= 0))
        return call(vm, callee_, self_, args, argc);
    vm.budget--;
    const u64* pc = vm.pc;
    Realm* realm = vm.realm;
    Value* window = window_;
    // All of it anew: a collection between two calls clears what is above the live stack.
    window[-2] = Value::fromBits(u64(base_));
    window[-1] = Value::fromBits(u64(pc));
    window[0] = callee_;
    window[1] = Value::fromBits(ReturnInfo::make(nullptr, 0, ReturnInfo::FlagEntry));
    window[2] = self_;
    u32 wanted = argc_;
    for (u32 i = 0; i < wanted; i++)
        window[3 + i] = i < argc ? args[i] : Value::undefined();
    vm.nativeTop = window + 3 + wanted;
    std::atomic_signal_fence(std::memory_order_release);
    vm.base = window + 2;
    vm.pc = words_;
    Completion<Value> result = vm.interpretHook(vm, words_, window + 2);
    vm.base = base_;
    vm.pc = pc;
    vm.nativeTop = nativeTop_;
    vm.realm = realm;
    return result;
}

static Completion<Value> runNative(Vm& vm, NativeFunction* native, Value self, const Value* args, u32 argc) {
    if (UNLIKELY(vm.cStackLow()))
        return vm.throwStackOverflow();
    Activation activation(vm);
    Value* window = pushWindow(vm, native, self, args, argc);
    if (UNLIKELY(!window))
        return vm.throwStackOverflow();
    Args arguments{window + 3, argc};
    if (UNLIKELY(!guardAllows(vm, native, arguments)))
        return Threw{};
    vm.realm = native->realm;
    return native->code(vm, arguments);
}

/// What a call of a bound function calls (10.4.1): behind a chain of them, at once, since the arguments grow with each.
struct BoundCall {
    Object* target;
    Value self;
    std::vector<Value> arguments; // outside the scanned memory: the bound functions and the caller keep them alive
};

static Completion<BoundCall> unbind(Vm& vm, Object* callee, const Value* args, u32 argc) {
    BoundCall result{callee, {}, {}};
    size_t count = argc;
    for (; kindOf(result.target) == Kind::BoundFunction;
         result.target = static_cast<BoundFunction*>(result.target)->target) {
        TRY(vm.work(1));
        count += static_cast<BoundFunction*>(result.target)->argumentCount;
    }
    if (UNLIKELY(count > size_t(vm.stackLimit - vm.stackBegin)))
        return vm.throwStackOverflow();
    result.arguments.resize(count);
    Value* at = result.arguments.data() + count - argc;
    std::copy(args, args + argc, at);
    for (Object* each = callee; each != result.target; each = static_cast<BoundFunction*>(each)->target) {
        auto* bound = static_cast<BoundFunction*>(each);
        at -= bound->argumentCount;
        for (u32 i = 0; i < bound->argumentCount; i++)
            at[i] = bound->arguments->values[i];
        result.self = bound->boundThis;
    }
    return result;
}

Completion<Value> call(Vm& vm, Value callee, Value self, const Value* args, u32 argc) {
    if (UNLIKELY(!isCallable(callee)))
        return throwError(vm, Error::NotCallable, callee);
    switch (kindOf(callee.asCell())) {
    case Kind::Function: return runFunction(vm, static_cast<Function*>(callee.asObject()), self, args, argc, 0);
    case Kind::NativeFunction: return runNative(vm, static_cast<NativeFunction*>(callee.asObject()), self, args, argc);
    case Kind::CallableProxy: return proxyCall(vm, callee.asObject(), self, args, argc);
    default: {
        if (UNLIKELY(vm.cStackLow()))
            return vm.throwStackOverflow();
        BoundCall bound = TRY(unbind(vm, callee.asObject(), args, argc));
        return call(vm, Value::object(bound.target), bound.self, bound.arguments.data(), u32(bound.arguments.size()));
    }
    }
}

static Completion<Value> constructFunction(Vm& vm, Function* function, const Value* args, u32 argc, Object* newTarget) {
    Code* code = function->code();
    Value self = Value::uninitialized();
    vm.newTarget = Value::undefined();
    if (!(code->infoFlags & InfoDerived)) {
        bool cacheable;
        u32 slots = code->instanceSlots;
        if (newTarget != function && kindOf(newTarget) == Kind::Function)
            slots += static_cast<Function*>(newTarget)->code()->instanceSlots;
        self = Value::object(newInstance(vm, TRY(instanceShape(vm, newTarget, slots, cacheable))));
    }
    if (code->newTargetRegister || (code->infoFlags & InfoDerived))
        vm.newTarget = Value::object(newTarget);
    return runFunction(vm, function, self, args, argc, ReturnInfo::FlagConstruct);
}

static Completion<Value> constructAny(Vm& vm, Object* callee, const Value* args, u32 argc, Object* newTarget) {
    switch (kindOf(callee)) {
    case Kind::Function: return constructFunction(vm, static_cast<Function*>(callee), args, argc, newTarget);
    case Kind::NativeFunction: {
        vm.newTarget = Value::object(newTarget);
        Completion<Value> result = runNative(vm, static_cast<NativeFunction*>(callee), Value::undefined(), args, argc);
        vm.newTarget = Value::undefined();
        return result;
    }
    case Kind::BoundFunction: {
        if (UNLIKELY(vm.cStackLow()))
            return vm.throwStackOverflow();
        BoundCall bound = TRY(unbind(vm, callee, args, argc));
        for (Object* each = callee; each != bound.target; each = static_cast<BoundFunction*>(each)->target)
            if (newTarget == each)
                newTarget = static_cast<BoundFunction*>(each)->target;
        return construct(vm, bound.target, bound.arguments.data(), u32(bound.arguments.size()), newTarget);
    }
    case Kind::CallableProxy: return proxyConstruct(vm, callee, args, argc, newTarget);
    default: return throwError(vm, Error::NotConstructor, Value::object(callee));
    }
}

Completion<Value> construct(Vm& vm, Object* callee, const Value* args, u32 argc, Object* newTarget) {
    Completion<Value> result = constructAny(vm, callee, args, argc, newTarget);
    // Natives fill what they let a species or a class make; of what a native makes they know whether it is new.
    if (UNLIKELY(vm.guard != nullptr) && !result.threw() && kindOf(callee) != Kind::NativeFunction
        && !vm.guard->isFresh(result.value())) {
        vm.guard->refuse();
        return Threw{};
    }
    return result;
}

Completion<Value> invoke(Vm& vm, Value base, PropertyKey key, const Value* args, u32 argc) {
    return call(vm, TRY(getOf(vm, base, key)), base, args, argc);
}

Completion<Object*> prototypeFromConstructor(Vm& vm, Object* newTarget, Intrinsic fallback) {
    Value prototype = TRY(get(vm, newTarget, PropertyKey::atom(vm.names.prototype)));
    if (prototype.isObject())
        return prototype.asObject();
    TRY(requireRealm(vm, newTarget));
    return realmOf(vm, newTarget)->intrinsic(vm, fallback);
}

}
