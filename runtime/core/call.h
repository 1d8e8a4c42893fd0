// Seam 1: builtins call back into functions. Declared here, defined in interp/vm/call.cpp.
#pragma once
#include "runtime/core/function.h"

namespace scr {

/// 7.3.14 Call. TypeError if `callee` is not callable. Arguments may stand anywhere the collector sees.
Completion<Value> call(Vm& vm, Value callee, Value self, const Value* args, u32 argc);
inline Completion<Value> call(Vm& vm, Value callee, Value self) { return call(vm, callee, self, nullptr, 0); }
inline Completion<Value> call(Vm& vm, Value callee, Value self, Value a) { return call(vm, callee, self, &a, 1); }
inline Completion<Value> call(Vm& vm, Value callee, Value self, Value a, Value b) {
    Value args[] = {a, b};
    return call(vm, callee, self, args, 2);
}
inline Completion<Value> call(Vm& vm, Value callee, Value self, Value a, Value b, Value c) {
    Value args[] = {a, b, c};
    return call(vm, callee, self, args, 3);
}
/// 7.3.15 Construct. `newTarget` is usually the callee.
Completion<Value> construct(Vm& vm, Object* callee, const Value* args, u32 argc, Object* newTarget);
/// 7.3.11 GetMethod then 7.3.21 Invoke.
Completion<Value> invoke(Vm& vm, Value base, PropertyKey key, const Value* args = nullptr, u32 argc = 0);
/// 10.1.14 GetPrototypeFromConstructor: newTarget.prototype if an object, else `fallback` of newTarget's realm. May run
/// script.
enum class Intrinsic : u16;
Completion<Object*> prototypeFromConstructor(Vm& vm, Object* newTarget, Intrinsic fallback);

/// A function called many times by one builtin (sort, map, forEach): what call() must find out each time is known from
/// the first call on. Lives in a local variable of the native that calls, for no longer than that.
class RepeatedCall {
public:
    RepeatedCall(Vm& vm, Value callee, Value self)
        : vm_(vm)
        , callee_(callee)
        , self_(self) { }
    Completion<Value> operator()(const Value* args, u32 argc);

private:
    Completion<Value> prepare(const Value* args, u32 argc);

    Vm& vm_;
    Value callee_, self_;
    Value* window_ = nullptr; ///< of every call; null while nothing is known
    Value* base_ = nullptr; ///< of the native's caller, with its nativeTop: the window stands above
    Value* nativeTop_ = nullptr;
    const u64* words_ = nullptr;
    u32 argc_ = 0; ///< that the function wants
    bool isPlain_ = true; ///< false: every call is an ordinary one
};

}
