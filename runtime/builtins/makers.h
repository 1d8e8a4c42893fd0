// What install.cpp asks of the files that know cells with fields of their own: how the collector traces them.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

/// Each sets the trace functions of its kinds.
void registerIteratorKinds(Heap& heap);
void registerCollectionKinds(Heap& heap);
void registerIteratorMethods(Heap& heap);
void registerCallSites(Heap& heap);
/// Vm::prepareStackHook.
Result prepareStack(Vm& vm, Object* error);
/// Vm::promiseElementHook.
bool describePromiseElement(Value handler, struct PromiseElement& out);
/// Tells the Vm which builtins' `next` can be taken as a plain step (Vm::iteratorSteps).
void registerIteratorSteps(Vm& vm);

}
