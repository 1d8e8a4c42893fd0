// Words, constants, jumps and places of one function.
#include "interp/compiler/emitter.h"

namespace scr {

// ---- words

u32 Emitter::emitRaw(Op op, u16 a, u16 b, u16 c) {
    u32 at = here();
    words_.push_back(u64(op) | u64(a) << 16 | u64(b) << 32 | u64(c) << 48);
    for (unsigned i = 1; i < infoOf(op).words; i++)
        words_.push_back(0);
    lastOp_ = op;
    return at;
}

void Emitter::place(Span span, u32 point) {
    if (!places_.empty()) {
        Place& last = places_.back();
        if (last.begin == span.begin && last.end == span.end && last.point == point)
            return;
        if (last.word == here()) {
            last = {here(), span.begin, span.end, point};
            return;
        }
    }
    places_.push_back({here(), span.begin, span.end, point});
}

bool Emitter::endsBlock(Op op) { return strchr(infoOf(op).traits, 'E') != nullptr; }

// ---- registers

Reg Emitter::tooManyRegisters() {
    unit_.fail(lastPlace(), "a function needs more than 65,000 variables and temporaries");
    return {u16(MaxRegisters - 1)};
}

Span Emitter::lastPlace() const {
    return places_.empty() ? Span{0, 0} : Span{places_.back().begin, places_.back().end};
}

// ---- constants

static u32 numberOf(std::vector<Value>& values, std::unordered_map<u64, u32>& numbers, Value value) {
    auto [place, isNew] = numbers.try_emplace(value.bits(), u32(values.size()));
    if (isNew)
        values.push_back(value);
    return place->second;
}

Const Emitter::constant(Value value, const char* what) {
    u32 number = numberOf(narrow_, narrowNumbers_, value);
    if (number > 0xFFFF) {
        unit_.fail(lastPlace(), std::string("more than 65,535 ") + what + " in one function");
        return {0};
    }
    return {u16(number)};
}

void Emitter::loadConstant(Reg dst, Value value) {
    u32 number = numberOf(wide_, wideNumbers_, value);
    wideLoads_.push_back(here());
    emit(ops::LoadConstant{.dst = dst, .offset = {i32(number)}});
}

void Emitter::loadNumber(Reg dst, double number) {
    Value value = Value::number(number);
    if (value.isInt())
        emit(ops::LoadInt{.dst = dst, .value = {value.asInt()}});
    else
        loadConstant(dst, value);
}

void Emitter::loadSpecial(Reg dst, Value::Misc which) { emit(ops::LoadSpecial{.dst = dst, .which = {i16(which)}}); }

i16 Emitter::nearConstant(double number) {
    if (narrow_.size() >= NameConstants)
        return 0;
    u32 index = numberOf(narrow_, narrowNumbers_, Value::rawDouble(number));
    i64 offset = -1 - i64(index) - i64(here());
    return offset >= INT16_MIN ? i16(offset) : 0;
}

// ---- jumps

/// Targets are counted from the word behind the jump; jumps have no cache words.
void Emitter::setTarget(u32 word, bool wide, u32 position) {
    i64 distance = i64(position) - i64(word) - 1;
    if (wide) {
        words_[word] = (words_[word] & 0xFFFFFFFFull) | u64(u32(i32(distance))) << 32;
        return;
    }
    if (distance != i16(distance))
        needsFar_ = true;
    words_[word] = (words_[word] & 0xFFFFFFFFFFFFull) | u64(u16(distance)) << 48;
}

void Emitter::addUse(JumpTarget& label, u32 word, bool wide) {
    if (label.isBound()) {
        setTarget(word, wide, label.position);
        return;
    }
    uses_.push_back({word, label.firstUse, wide});
    label.firstUse = u32(uses_.size() - 1);
}

void Emitter::bind(JumpTarget& label) {
    ASSERT(!label.isBound());
    label.position = here();
    for (u32 use = label.firstUse; use != JumpTarget::Unbound; use = uses_[use].next)
        setTarget(uses_[use].word, uses_[use].wide, here());
    lastTarget_ = here();
}

void Emitter::jump(JumpTarget& target) {
    if (isUnreachable())
        return;
    u32 at = emit(ops::Jump{});
    addUse(target, at, true);
}

void Emitter::jumps(const std::vector<JumpTarget*>& targets) {
    for (JumpTarget* target : targets)
        addUse(*target, emit(ops::Jump{}), true);
}

void Emitter::jumpIf(Op op, Reg a, JumpTarget& target) { addUse(target, emitRaw(op, a.n, 0, 0), true); }

/// Each jump and the one that jumps when it does not.
static constexpr Op opposites[][2] = {
    {Op::JumpIfTrue, Op::JumpIfFalse},
    {Op::JumpIfLess, Op::JumpIfNotLess},
    {Op::JumpIfLessEqual, Op::JumpIfNotLessEqual},
    {Op::JumpIfGreater, Op::JumpIfNotGreater},
    {Op::JumpIfGreaterEqual, Op::JumpIfNotGreaterEqual},
    {Op::JumpIfLessInt, Op::JumpIfNotLessInt},
    {Op::JumpIfLessEqualInt, Op::JumpIfNotLessEqualInt},
    {Op::JumpIfGreaterInt, Op::JumpIfNotGreaterInt},
    {Op::JumpIfGreaterEqualInt, Op::JumpIfNotGreaterEqualInt},
    {Op::JumpIfStrictEqual, Op::JumpIfStrictNotEqual},
    {Op::JumpIfEqual, Op::JumpIfNotEqual},
    {Op::JumpIfStrictEqualInt, Op::JumpIfStrictNotEqualInt},
};

Op Emitter::inverseOf(Op op) {
    for (const auto& pair : opposites) {
        if (pair[0] == op)
            return pair[1];
        if (pair[1] == op)
            return pair[0];
    }
    UNREACHABLE();
}

void Emitter::compareJump(Op op, Reg a, u16 b, JumpTarget& target) {
    if (!far_) {
        addUse(target, emitRaw(op, a.n, b, 0), false);
        return;
    }
    JumpTarget skip;
    addUse(skip, emitRaw(inverseOf(op), a.n, b, 0), false);
    jump(target);
    bind(skip);
}

void Emitter::loop(const JumpTarget& top) {
    if (isUnreachable())
        return;
    setTarget(emit(ops::Loop{}), true, top.position);
}

void Emitter::loopIf(Op op, Op inverse, Reg a, u16 b, const JumpTarget& top) {
    if (op == Op::LoopIfTrue || op == Op::LoopIfFalse) {
        setTarget(emitRaw(op, a.n, 0, 0), true, top.position);
        return;
    }
    if (isNear(top)) {
        setTarget(emitRaw(op, a.n, b, 0), false, top.position);
        return;
    }
    JumpTarget skip;
    addUse(skip, emitRaw(inverse, a.n, b, 0), false);
    loop(top);
    bind(skip);
}

void Emitter::iterate(Op op, Reg first, Reg dst, JumpTarget& done) {
    if (!far_) {
        addUse(done, emitRaw(op, first.n, dst.n, 0), false);
        return;
    }
    JumpTarget over, trampoline;
    addUse(trampoline, emitRaw(op, first.n, dst.n, 0), false);
    jump(over);
    bind(trampoline);
    jump(done);
    bind(over);
}

void Emitter::handler(u32 begin, u32 end, const JumpTarget& target, Reg exception) {
    if (begin < end)
        handlers_.push_back({begin, end, target.position, exception.n});
}

void Emitter::finish(CodeParts& parts) {
    u32 narrowCount = u32(narrow_.size());
    for (u32 word : wideLoads_) {
        auto& load = at<ops::LoadConstant>(word);
        load.offset.words = -1 - i32(narrowCount) - load.offset.words - i32(word);
    }
    narrow_.insert(narrow_.end(), wide_.begin(), wide_.end());
    parts.words = std::move(words_);
    parts.constants = std::move(narrow_);
    parts.handlers = std::move(handlers_);
    parts.places = std::move(places_);
    parts.registerCount = max_;
}

}
