// Emitter: the words, constants, registers, jumps, handlers and places of one function while it is compiled.
//
// Registers are a stack: locals of the open scopes, then temporaries. Constants that an instruction names with a 16-bit
// number ("narrow") come first; those that only LoadConstant reaches ("wide") stand behind them and are patched in at
// the end. Invariant: every cell among the constants is also in the Unit's roots.
#pragma once
#include "interp/bytecode/bytecode.h"
#include "interp/compiler/unit.h"
#include <cstring>
#include <type_traits>
#include <unordered_map>

namespace scr {

/// A place in the code that jumps lead to.
struct JumpTarget {
    static constexpr u32 Unbound = ~0u;
    u32 position = Unbound;
    u32 firstUse = Unbound; ///< in Emitter::uses_, while unbound
    bool isBound() const { return position != Unbound; }
    bool isUsed() const { return firstUse != Unbound; }
};

/// In an expression's destination: wherever it is cheapest.
constexpr Reg Any{0xFFFF};

class Emitter {
public:
    static constexpr u32 MaxRegisters = 65000;
    /// Above this many narrow constants property names are loaded instead, so that functions and globals find room.
    static constexpr u32 NameConstants = 60000;

    Emitter(Unit& unit, bool far)
        : unit_(unit)
        , far_(far) { }

    // ---- words
    u32 here() const { return u32(words_.size()); }
    template <class I> u32 emit(const I& instruction) {
        static_assert(sizeof(I) == 8);
        u32 at = here();
        u64 word;
        memcpy(&word, &instruction, 8);
        words_.push_back(word);
        for (unsigned i = 1; i < I::Words; i++)
            words_.push_back(0);
        lastOp_ = I::Code;
        return at;
    }
    /// For instructions whose opcode is computed: fields A, B, C.
    u32 emitRaw(Op op, u16 a, u16 b, u16 c);
    /// The instruction before here, if control can only come from it.
    template <class I> const I* previous() const {
        bool isIt = !words_.empty() && lastOp_ == I::Code && lastTarget_ != here();
        return isIt ? reinterpret_cast<const I*>(&words_[words_.size() - I::Words]) : nullptr;
    }
    template <class I> I& at(u32 word) { return reinterpret_cast<I&>(words_[word]); }
    /// What the next instruction came from: the expression an error would name, and where the caret goes.
    void place(Span span, u32 point);
    void place(Span span) { place(span, span.begin); }
    /// True if control cannot come to here().
    bool isUnreachable() const { return !words_.empty() && endsBlock(lastOp_) && lastTarget_ != here(); }

    // ---- registers
    u16 next() const { return next_; }
    Reg allocate() {
        if (UNLIKELY(next_ >= MaxRegisters))
            return tooManyRegisters();
        Reg reg{next_++};
        if (next_ > max_)
            max_ = next_;
        return reg;
    }
    /// Frees every register from `mark` on.
    void release(u16 mark) {
        ASSERT(mark <= next_);
        next_ = mark;
    }
    u16 registerCount() const { return max_; }

    // ---- constants
    /// The number of a narrow constant; one past the last possible number fails the compilation with `what`.
    Const constant(Value value, const char* what);
    /// True if one more narrow constant for a property name is welcome.
    bool hasRoomForName(Value name) const {
        return narrow_.size() < NameConstants || narrowNumbers_.count(name.bits());
    }
    void loadConstant(Reg dst, Value value);
    void loadNumber(Reg dst, double number);
    void loadSpecial(Reg dst, Value::Misc which);
    void loadUndefined(Reg dst) { loadSpecial(dst, Value::Undefined); }
    /// A double constant within reach of a 16-bit offset from the next instruction: its offset, or 0.
    i16 nearConstant(double number);

    // ---- jumps
    void bind(JumpTarget& target);
    void jump(JumpTarget& target);
    /// A Jump to each: the destinations of the SwitchInt or SwitchTable before.
    void jumps(const std::vector<JumpTarget*>& targets);
    /// Op is JumpIfTrue, JumpIfFalse or one of their 32-bit siblings.
    void jumpIf(Op op, Reg a, JumpTarget& target);
    /// Op is a comparison that jumps (JumpIfLess ... JumpIfStrictNotEqualInt); b is a register or an immediate.
    void compareJump(Op op, Reg a, u16 b, JumpTarget& target);
    /// Backwards to a bound label, charging the budget.
    void loop(const JumpTarget& top);
    /// A loop form with a 16-bit target reaches back to there.
    bool isNear(const JumpTarget& top) const { return i64(here()) + 1 - i64(top.position) <= 32768; }
    /// Op is a loop form with 16 or 32-bit target. `inverse` jumps when it would not (used when the target is far).
    void loopIf(Op op, Op inverse, Reg a, u16 b, const JumpTarget& top);
    /// ForOfNext, ForInNext.
    void iterate(Op op, Reg first, Reg dst, JumpTarget& done);
    static Op inverseOf(Op compare);

    // ---- handlers: one entry from begin to end that continues at target; nothing if the range is empty
    void handler(u32 begin, u32 end, const JumpTarget& target, Reg exception);

    /// Some jump did not reach: compile again with far = true.
    bool needsFar() const { return needsFar_; }
    /// Moves everything into `parts` and patches the wide constants.
    void finish(CodeParts& parts);

private:
    struct Use {
        u32 word;
        u32 next;
        bool wide;
    };
    static bool endsBlock(Op op);
    COLD Reg tooManyRegisters();
    COLD Span lastPlace() const;
    void addUse(JumpTarget& target, u32 word, bool wide);
    void setTarget(u32 word, bool wide, u32 position);

    Unit& unit_;
    bool far_;
    bool needsFar_ = false;
    u16 next_ = 0, max_ = 0;
    Op lastOp_ = Op::Count;
    u32 lastTarget_ = ~0u;
    std::vector<u64> words_;
    std::vector<Value> narrow_, wide_;
    std::unordered_map<u64, u32> narrowNumbers_, wideNumbers_;
    std::vector<u32> wideLoads_; ///< words of LoadConstant whose offset is still the wide number
    std::vector<Use> uses_;
    std::vector<Handler> handlers_;
    std::vector<Place> places_;
};

}
