// Conditions: straight to jumps, in both polarities. Negated comparisons use the "Not" forms, because !(a < b) is not
// a >= b when one of them is NaN.
#include "interp/compiler/function_compiler.h"

namespace scr {

namespace {

bool isRelational(BinaryOperator op) { return op >= BinaryOperator::Less && op <= BinaryOperator::GreaterEqual; }
bool isEquality(BinaryOperator op) { return op >= BinaryOperator::Equal && op <= BinaryOperator::StrictNotEqual; }
static_assert(u16(BinaryOperator::Equal) + 3 == u16(BinaryOperator::StrictNotEqual));
static_assert(u16(BinaryOperator::Less) + 3 == u16(BinaryOperator::GreaterEqual));

/// The jump of a comparison, with registers and with an immediate; its loop forms.
struct JumpForms {
    Op plain, withInt = Op::Halt, loop = Op::Halt, loopInt = Op::Halt;
};

JumpForms formsOf(BinaryOperator op) {
    switch (op) {
    case BinaryOperator::Less: return {Op::JumpIfLess, Op::JumpIfLessInt, Op::LoopIfLess, Op::LoopIfLessInt};
    case BinaryOperator::LessEqual:
        return {Op::JumpIfLessEqual, Op::JumpIfLessEqualInt, Op::LoopIfLessEqual, Op::LoopIfLessEqualInt};
    case BinaryOperator::Greater:
        return {Op::JumpIfGreater, Op::JumpIfGreaterInt, Op::LoopIfGreater, Op::LoopIfGreaterInt};
    case BinaryOperator::GreaterEqual:
        return {Op::JumpIfGreaterEqual, Op::JumpIfGreaterEqualInt, Op::LoopIfGreaterEqual, Op::LoopIfGreaterEqualInt};
    case BinaryOperator::StrictEqual: return {Op::JumpIfStrictEqual, Op::JumpIfStrictEqualInt};
    case BinaryOperator::StrictNotEqual: return {Op::JumpIfStrictNotEqual, Op::JumpIfStrictNotEqualInt};
    case BinaryOperator::Equal: return {Op::JumpIfEqual};
    default: return {Op::JumpIfNotEqual};
    }
}

/// a < b is b > a.
BinaryOperator mirrored(BinaryOperator op) {
    switch (op) {
    case BinaryOperator::Less: return BinaryOperator::Greater;
    case BinaryOperator::LessEqual: return BinaryOperator::GreaterEqual;
    case BinaryOperator::Greater: return BinaryOperator::Less;
    case BinaryOperator::GreaterEqual: return BinaryOperator::LessEqual;
    default: return op;
    }
}

}

/// Jumps if the truth of e is `sense`, else goes on.
void FunctionCompiler::jumpIf(Expr* e, bool sense, JumpTarget& to) {
    u16 mark = emit_.next();
    if (!unit_.hasStack(e->span))
        return;
    while (Unary* unary = e->asIf<Unary>()) {
        if (unary->op != UnaryOperator::Not)
            break;
        e = unary->operand;
        sense = !sense;
    }
    if (e == given_) {
        emit_.jumpIf(sense ? Op::JumpIfTrue : Op::JumpIfFalse, givenRegister_, to);
        return;
    }
    if (int truth = truthOf(e); truth >= 0) {
        if (bool(truth) == sense)
            emit_.jump(to);
        return;
    }
    if (Logical* logical = e->asIf<Logical>(); logical && logical->op != LogicalOperator::Coalesce)
        return jumpLogical(logical, sense, to);
    if (Binary* binary = e->asIf<Binary>(); binary && (isRelational(binary->op) || isEquality(binary->op))) {
        if (!jumpNullish(binary, sense, to))
            jumpCompare(binary, sense, to);
        emit_.release(mark);
        return;
    }
    if (Sequence* sequence = e->asIf<Sequence>()) {
        u32 last = sequence->expressions.size() - 1;
        for (u32 i = 0; i < last; i++)
            effect(sequence->expressions[i]);
        return jumpIf(sequence->expressions[last], sense, to);
    }
    if (Conditional* conditional = e->asIf<Conditional>()) {
        JumpTarget otherwise, end;
        jumpIf(conditional->test, false, otherwise);
        jumpIf(conditional->then, sense, to);
        emit_.jump(end);
        emit_.bind(otherwise);
        jumpIf(conditional->otherwise, sense, to);
        emit_.bind(end);
        return;
    }
    Reg value = expression(e);
    emit_.jumpIf(sense ? Op::JumpIfTrue : Op::JumpIfFalse, value, to);
    emit_.release(mark);
}

/// The operands of a chain of one operator, in order.
static std::vector<Expr*> operandsOf(Logical* e, Expr* stop) {
    std::vector<Expr*> operands{e->right};
    Expr* first = e->left;
    for (Logical* inner; first != stop && (inner = first->asIf<Logical>()) && inner->op == e->op; first = inner->left)
        operands.push_back(inner->right);
    operands.push_back(first);
    return {operands.rbegin(), operands.rend()};
}

void FunctionCompiler::jumpLogical(Logical* e, bool sense, JumpTarget& to) {
    std::vector<Expr*> operands = operandsOf(e, given_);
    bool decides = e->op == LogicalOperator::Or; // the truth of one operand that decides the whole
    JumpTarget skip;
    for (size_t i = 0; i + 1 < operands.size(); i++)
        jumpIf(operands[i], decides, sense == decides ? to : skip);
    jumpIf(operands.back(), sense, to);
    emit_.bind(skip);
}

/// Comparisons with null and undefined that have a jump of their own.
bool FunctionCompiler::jumpNullish(Binary* e, bool sense, JumpTarget& to) {
    if (!isEquality(e->op))
        return false;
    bool isStrict = e->op == BinaryOperator::StrictEqual || e->op == BinaryOperator::StrictNotEqual;
    auto fits = [&](Expr* side) { return isUndefined(side) || (!isStrict && side->is<NullLiteral>()); };
    Expr* other = fits(e->right) ? e->left : fits(e->left) ? e->right : nullptr;
    if (!other)
        return false;
    bool isNegated = e->op == BinaryOperator::NotEqual || e->op == BinaryOperator::StrictNotEqual;
    Reg value = expression(other);
    Op positive = isStrict ? Op::JumpIfUndefined : Op::JumpIfNullish;
    Op negative = isStrict ? Op::JumpIfNotUndefined : Op::JumpIfNotNullish;
    emit_.jumpIf(sense != isNegated ? positive : negative, value, to);
    return true;
}

/// Evaluates both sides; an immediate goes to the right.
FunctionCompiler::Comparison FunctionCompiler::compared(Binary* e) {
    Comparison result{e->op, {}, 0, false};
    bool takesInt =
        isRelational(e->op) || e->op == BinaryOperator::StrictEqual || e->op == BinaryOperator::StrictNotEqual;
    i16 immediate;
    if (takesInt && isSmallInt(e->right, immediate)) {
        result.a = expression(e->left);
        result.isInt = true;
    } else if (takesInt && e->left != given_ && isSmallInt(e->left, immediate)) {
        result.op = mirrored(e->op);
        result.a = expression(e->right);
        result.isInt = true;
    } else {
        result.a = operand(e->left, e->right);
        result.b = expression(e->right).n;
    }
    if (result.isInt)
        result.b = u16(immediate);
    emit_.place(e->span, e->operatorSpan.begin);
    return result;
}

void FunctionCompiler::jumpCompare(Binary* e, bool sense, JumpTarget& to) {
    Comparison c = compared(e);
    Op op = c.isInt ? formsOf(c.op).withInt : formsOf(c.op).plain;
    emit_.compareJump(sense ? op : Emitter::inverseOf(op), c.a, c.b, to);
}

// ---- at the bottom of a loop

/// As a condition it is just a value.
static bool hasNoJump(Expr* e) {
    return !e->is<Binary>() && !e->is<Logical>() && !e->is<Unary>() && !e->is<Conditional>() && !e->is<Sequence>()
        && truthOf(e) < 0;
}

/// Goes back to `top` if e is true, else goes on.
void FunctionCompiler::loopIf(Expr* e, const JumpTarget& top) {
    u16 mark = emit_.next();
    if (!unit_.hasStack(e->span))
        return;
    int truth = truthOf(e);
    Binary* binary = e->asIf<Binary>();
    Logical* logical = e->asIf<Logical>();
    Unary* unary = e->asIf<Unary>();
    bool isPlainNot = unary && unary->op == UnaryOperator::Not && hasNoJump(unary->operand);
    emit_.place(e->span);
    if (truth >= 0) {
        if (truth)
            emit_.loop(top);
    } else if (logical && logical->op != LogicalOperator::Coalesce) {
        loopLogical(logical, top);
    } else if (binary && isRelational(binary->op)) {
        loopCompare(binary, top);
    } else if ((binary && isEquality(binary->op)) || (e->is<Unary>() && !isPlainNot) || e->is<Conditional>()
        || e->is<Sequence>()) {
        JumpTarget exit;
        jumpIf(e, false, exit);
        emit_.place(e->span);
        emit_.loop(top);
        emit_.bind(exit);
    } else {
        Reg value = expression(isPlainNot ? e->as<Unary>()->operand : e);
        emit_.place(e->span);
        if (isPlainNot)
            emit_.loopIf(Op::LoopIfFalse, Op::JumpIfTrue, value, 0, top);
        else
            emit_.loopIf(Op::LoopIfTrue, Op::JumpIfFalse, value, 0, top);
    }
    emit_.release(mark);
}

void FunctionCompiler::loopLogical(Logical* e, const JumpTarget& top) {
    std::vector<Expr*> operands = operandsOf(e, given_);
    JumpTarget exit;
    for (size_t i = 0; i + 1 < operands.size(); i++) {
        if (e->op == LogicalOperator::And)
            jumpIf(operands[i], false, exit);
        else
            loopIf(operands[i], top);
    }
    loopIf(operands.back(), top);
    emit_.bind(exit);
}

void FunctionCompiler::loopCompare(Binary* e, const JumpTarget& top) {
    Comparison c = compared(e);
    JumpForms forms = formsOf(c.op);
    Op inverse = Emitter::inverseOf(c.isInt ? forms.withInt : forms.plain);
    emit_.loopIf(c.isInt ? forms.loopInt : forms.loop, inverse, c.a, c.b, top);
}

}
