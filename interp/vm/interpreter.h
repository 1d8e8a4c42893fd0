// The entrance of the interpreter; call() (runtime/core/call.h) is what everybody else uses.
#pragma once
#include "interp/bytecode/bytecode.h"

namespace scr {

/// Runs from `pc` with the frame at `base` until the entry frame (ReturnInfo::FlagEntry) at or above it returns or
/// throws. The caller has checked the C++ stack.
Completion<Value> interpret(Vm& vm, const u64* pc, Value* base);

/// The same, and tells the watchers before each instruction where the script is (watch.h).
Completion<Value> interpretWatched(Vm& vm, const u64* pc, Value* base);

/// Finds the handler of the pending exception in this activation: sets vm.pc and vm.base to continue there. False: the
/// entry frame is left. A termination finds no handler. (Not by reference: pc and base must stay in registers.)
bool unwind(Vm& vm);

/// Sets up the seams of this layer (stack capture, caches) in a new Vm.
void installInterpreter(Vm& vm);

/// Does the instruction call what its window holds (ops::Call::first)?
bool isCallInstruction(Op op);

// ---- frames
inline Function* calleeOf(const Value* base) { return base[-2].as<Function>(); }
inline Code* codeOf(const Value* base) { return calleeOf(base)->code(); }
inline u64 returnInfoOf(const Value* base) { return base[-1].bits(); }
/// Entry frames stand above two saved words: the base and pc that were published when C++ called in.
constexpr u32 EntrySavedWords = 2;
inline Value* savedBaseOf(const Value* base) { return reinterpret_cast<Value*>(base[-4].bits()); }
inline const u64* savedPcOf(const Value* base) { return reinterpret_cast<const u64*>(base[-3].bits()); }

}
