// What the constructors of functions share (ECMA-262 20.2.1.1.1).
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

enum class TextKind : u8;

/// CreateDynamicFunction ( constructor, newTarget, kind, parameterArgs, bodyArg ); `fallback` is the prototype of such
/// functions. [script]
Result createDynamicFunction(Vm& vm, Args args, TextKind kind, Intrinsic fallback);

}
