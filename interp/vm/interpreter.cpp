// The interpreter: one CASE for each instruction. A handler is decode, fast path, slow path, NEXT; whatever is not the
// fast path is a named function in slow_paths.h that publishes pc and base, so that errors and the collector see them.
//
// `pc` points at the running instruction, `base` at R(0). Return pops to the caller's frame in place: a script calling
// a script never recurses in C++. Both arms of a conditional jump end in a dispatch of their own (ARM keeps the
// compiler from turning them into a conditional move, which costs a quarter of the speed).
#include "interp/vm/interpreter.h"
#include "interp/bytecode/inline_cache.h"
#include "interp/vm/slow_paths.h"
#include "runtime/core/typed_array.h"
#include <algorithm>
#include <cmath>

namespace scr {

#define R(reg) base[(reg).n]
// The mark is for make lint, which looks there for conditional moves.
#define CASE(Name)                                                                                                     \
    L_##Name : asm volatile("# handler " #Name);                                                                       \
    if ([[maybe_unused]] const ops::Name& insn = *reinterpret_cast<const ops::Name*>(pc); true)
#ifndef SCR_WATCHED
#define INTERPRET interpret
#define DISPATCH() goto* handlers[*reinterpret_cast<const u16*>(pc)]
#define GUARD_NATIVE(native, args)
#else
// The watched form (interpreter_watched.cpp): one dispatch, which tells where the script is.
#define INTERPRET interpretWatched
#define DISPATCH() goto dispatch
#define GUARD_NATIVE(native, args)                                                                                     \
    if (UNLIKELY(!guardAllows(vm, native, args)))                                                                      \
    goto exception
#endif
#define NEXT(Name)                                                                                                     \
    do {                                                                                                               \
        pc += ops::Name::Words;                                                                                        \
        DISPATCH();                                                                                                    \
    } while (0)
#define ARM() asm volatile("")
#define JUMP(Name)                                                                                                     \
    do {                                                                                                               \
        pc += i32(ops::Name::Words) + insn.target.words;                                                               \
        ARM();                                                                                                         \
        DISPATCH();                                                                                                    \
    } while (0)
#define FALL(Name)                                                                                                     \
    do {                                                                                                               \
        pc += ops::Name::Words;                                                                                        \
        ARM();                                                                                                         \
        DISPATCH();                                                                                                    \
    } while (0)
/// Runs a slow path to its end: the instruction is done, or an exception is pending.
#define SLOW(Name, function)                                                                                           \
    do {                                                                                                               \
        if (LIKELY(function(vm, pc, base)))                                                                            \
            NEXT(Name);                                                                                                \
        goto exception;                                                                                                \
    } while (0)
/// A slow path that decides a jump: 1 taken, 0 not, -1 threw.
#define SLOW_JUMP(Name, decision)                                                                                      \
    do {                                                                                                               \
        int taken = (decision);                                                                                        \
        if (UNLIKELY(taken < 0))                                                                                       \
            goto exception;                                                                                            \
        if (taken)                                                                                                     \
            JUMP(Name);                                                                                                \
        FALL(Name);                                                                                                    \
    } while (0)
/// Back-edges pay one unit of the budget.
#define LOOP(Name)                                                                                                     \
    do {                                                                                                               \
        if (UNLIKELY(--vm.budget < 0) && !serviceSlow(vm, pc, base))                                                   \
            goto exception;                                                                                            \
        JUMP(Name);                                                                                                    \
    } while (0)

Completion<Value> INTERPRET(Vm& vm, const u64* pc, Value* base) {
    static const void* const handlers[] = {
#define OP(Name, operands, traits, cacheWords) &&L_##Name,
#include "interp/bytecode/opcodes.def"
#undef OP
    };
    DISPATCH();
#ifdef SCR_WATCHED
dispatch:
    if (UNLIKELY(!watchInstruction(vm, pc, base)))
        goto exception;
    goto* handlers[*reinterpret_cast<const u16*>(pc)];
#endif

    // In this order: macros of one are used by the next.
    // clang-format off
#include "interp/vm/handlers_arithmetic.inc"
#include "interp/vm/handlers_jump.inc"
#include "interp/vm/handlers_binding.inc"
#include "interp/vm/handlers_property.inc"
#include "interp/vm/handlers_call.inc"
#include "interp/vm/handlers_suspend.inc"
    // clang-format on

exception:
    // Known: the exception is pending and vm.base, vm.pc tell where.
    if (!unwind(vm))
        return Threw{};
    pc = vm.pc;
    base = vm.base;
    DISPATCH();
}

}

#undef DISPATCH
#undef GUARD_NATIVE
#undef INTERPRET
