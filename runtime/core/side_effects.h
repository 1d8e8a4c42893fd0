// SideEffectGuard: script that runs on condition that it changes nothing which was there before, as the previews of the
// interactive mode do.
//
// What may be written is what was made since the guard began: it is told of every cell that the heap hands out. What
// the engine makes late on behalf of something older (a builtin on first use, the `prototype` of a function) counts as
// older. The watched interpreter asks before each instruction (interp/vm/instruction_effects.cpp), every call of a
// native function asks here, and the hooks that would queue a job or load a module refuse. A refusal is a termination:
// no handler and no finally block of the script runs.
//
// Invariant: once a guard has ended, the Vm stands as it did before, a pending exception and a termination included.
#pragma once
#include "runtime/core/vm.h"
#include <unordered_set>

namespace scr {

/// What a native function does besides calling script and returning a value.
enum class NativeEffect : u8 {
    Refused, ///< writes, prints, waits, asks the system, or nobody has looked at it
    None,
    ChangesThis,
    ChangesFirst, ///< its first argument
    ChangesReceiver, ///< its first argument, and the fourth if there is one (Reflect.set)
    NoneIfSingle, ///< nothing, with one argument
};

class SideEffectGuard {
public:
    using Interpret = Completion<Value> (*)(Vm& vm, const u64* pc, Value* base);
    using EffectOf = NativeEffect (*)(NativeCode);
    /// `interpret` asks the guard before each instruction, `effectOf` knows the native functions. Only one guard at a
    /// time, and not while script runs.
    SideEffectGuard(Vm& vm, Interpret interpret, EffectOf effectOf);
    ~SideEffectGuard();
    SideEffectGuard(const SideEffectGuard&) = delete;

    /// Bounds: work units, milliseconds, bytes of new cells.
    void limit(u64 fuel, u64 milliseconds, u64 bytes);

    /// Ends the run: always false.
    COLD bool refuse();
    bool refused() const { return refused_; }
    /// Made since the guard began, with everything that a write to it changes.
    bool isFresh(const Cell* cell) const;
    /// May be the object of a write: it is fresh, or a primitive, of which nothing can be changed.
    bool isFresh(Value value) const { return !value.isObject() || isFresh(static_cast<const Cell*>(value.asObject())); }
    bool mayCall(const NativeFunction* native, Args args);

    /// While one lives, what is made counts as old as `owner`, on whose behalf it is made; null: older than the guard.
    class Pause {
    public:
        explicit Pause(Vm& vm, const Cell* owner = nullptr)
            : guard_(vm.guard && !(owner && vm.guard->isFresh(owner)) ? vm.guard : nullptr) {
            if (UNLIKELY(guard_ != nullptr))
                guard_->paused_++;
        }
        ~Pause() {
            if (UNLIKELY(guard_ != nullptr))
                guard_->paused_--;
        }
        Pause(const Pause&) = delete;

    private:
        SideEffectGuard* guard_;
    };

private:
    struct Saved;
    static void noteCell(void* guard, Cell* cell);

    Vm& vm_;
    EffectOf effectOf_;
    std::unordered_set<const Cell*> fresh_; ///< addresses only: a cell that dies is never asked about
    u32 paused_ = 0;
    bool refused_ = false;
    Saved* saved_;
};

/// Whether the guard, if there is one, lets the native be called; a refusal is pending if not.
ALWAYS_INLINE bool guardAllows(Vm& vm, const NativeFunction* native, Args args) {
    return LIKELY(!vm.guard) || vm.guard->mayCall(native, args);
}

}
