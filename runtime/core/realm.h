// Realm (ECMA-262 9.3): the intrinsics of one world. Found from the running function, so several live side by side.
#pragma once
#include "runtime/core/function.h"

namespace scr {

enum class Intrinsic : u16 {
#define INTRINSIC(Name) Name,
#include "runtime/core/intrinsics.def"
#undef INTRINSIC
    Count
};

struct Realm : Cell {
    Ptr<Object> global;
    Ptr<Object> lexical; ///< the global let, const and class bindings (global_scope.h); null until there is one
    Ptr<Object> intrinsics[size_t(Intrinsic::Count)];
    // Initial shapes that the VM makes objects with, without asking anybody.
    Ptr<Shape> objectShapes[9]; ///< empty objects by inline capacity 0..8
    Ptr<Shape> arrayShape, functionShape, constructorShape, nativeShape, boundShape, argumentsShape;
    Ptr<Shape> timeoutShape, immediateShape;
    Ptr<Shape> proxyShape; ///< made with the first proxy
    Ptr<Shape> promiseShape;
    Ptr<Shape> iteratorResultShape; ///< made with the first {value, done}
    Ptr<Shape> suspendableShapes[3]; ///< of generator, async and async generator functions (suspendableShape)
    u32 arrayIterationEpoch; ///< Vm::prototypeEpoch at which array iteration was last seen untouched; 0 = never
    u32 promiseSpeciesEpoch; ///< the same of what Promise.prototype.then asks for

    /// Made on first use (seam: Vm::makeIntrinsic).
    ALWAYS_INLINE Object* intrinsic(Vm& vm, Intrinsic which) {
        Object* object = intrinsics[size_t(which)];
        return LIKELY(object != nullptr) ? object : makeIntrinsic(vm, which);
    }

private:
    COLD Object* makeIntrinsic(Vm& vm, Intrinsic which);
};

/// Defined in runtime/builtins/install.cpp: the intrinsic made from builtins.def; called through Vm::intrinsicHook.
using IntrinsicHook = Object* (*)(Vm& vm, Realm* realm, Intrinsic which);
/// Turns a LazyBuiltin slot's number into the function.
using LazyBuiltinHook = Value (*)(Vm& vm, Realm* realm, u32 builtin, Object* holder, PropertyKey key);

}
