// Values of expressions (ECMA-262 13), but calls, literals of objects and assignments.
#include "interp/compiler/function_compiler.h"

namespace scr {

// ---- the frame of every expression

Reg FunctionCompiler::expression(Expr* e, Reg want) {
    if (e == given_)
        return settle(want, givenRegister_);
    if (Reg held; want == Any && heldConstant(e, held))
        return held;
    u16 mark = emit_.next();
    if (!unit_.hasStack(e->span))
        return target(want);
    nesting_++;
    Reg result = nesting_ % 256 == 0 && leftOf(e) ? longChain(e, want) : dispatch(e, want);
    nesting_--;
    ASSERT(want == Any ? result.n <= mark : result == want);
    emit_.release(want == Any && result.n == mark ? mark + 1 : mark);
    return result;
}

Reg FunctionCompiler::dispatch(Expr* e, Reg want) {
    switch (e->kind) {
    case NodeKind::Identifier: return identifier(e->as<Identifier>(), want);
    case NodeKind::NullLiteral:
    case NodeKind::BooleanLiteral:
    case NodeKind::NumericLiteral:
    case NodeKind::StringLiteral: return literal(e, want);
    case NodeKind::TemplateLiteral: return templateLiteral(e->as<TemplateLiteral>(), want);
    case NodeKind::TaggedTemplate: return taggedTemplate(e->as<TaggedTemplate>(), want);
    case NodeKind::This: return thisValue(e->span, want);
    case NodeKind::ArrayLiteral: return arrayLiteral(e->as<ArrayLiteral>(), want);
    case NodeKind::ObjectLiteral: return objectLiteral(e->as<ObjectLiteral>(), want);
    case NodeKind::FunctionExpression: return functionExpression(e->as<FunctionExpression>(), nullptr, want);
    case NodeKind::ClassExpression: return classExpression(e->as<ClassExpression>()->definition, nullptr, want);
    case NodeKind::Member: return member(e->as<Member>(), want);
    case NodeKind::Index: return index(e->as<Index>(), want);
    case NodeKind::PrivateMember: return privateMember(e->as<PrivateMember>(), want);
    case NodeKind::PrivateIn: return privateIn(e->as<PrivateIn>(), want);
    case NodeKind::OptionalChain: return optionalChain(e->as<OptionalChain>(), want);
    case NodeKind::Call: return call(e->as<Call>(), want);
    case NodeKind::New: return newExpression(e->as<New>(), want);
    case NodeKind::SuperMember:
    case NodeKind::SuperIndex: return superMember(e, want);
    case NodeKind::SuperCall: return superCall(e->as<SuperCall>(), want);
    case NodeKind::NewTarget: return newTarget(want);
    case NodeKind::Unary: return unary(e->as<Unary>(), want);
    case NodeKind::Update: return update(e->as<Update>(), want, false);
    case NodeKind::Binary: return binary(e->as<Binary>(), want);
    case NodeKind::Logical: return logical(e->as<Logical>(), want);
    case NodeKind::Conditional: return conditional(e->as<Conditional>(), want);
    case NodeKind::Assign: return assign(e->as<Assign>(), want, false);
    case NodeKind::CompoundAssign: return compoundAssign(e->as<CompoundAssign>(), want);
    case NodeKind::LogicalAssign: return logicalAssign(e->as<LogicalAssign>(), want, false);
    case NodeKind::Sequence: return sequence(e->as<Sequence>(), want);
    case NodeKind::Yield: return yield(e->as<Yield>(), want);
    case NodeKind::Await: return await(e->as<Await>(), want);
    case NodeKind::ImportMeta: return importMeta(e->as<ImportMeta>(), want);
    case NodeKind::ImportCall: return importCall(e->as<ImportCall>(), want);
    default: return refuse(e, want);
    }
}

/// The error comes when the value is asked for: the rest of the file runs.
void FunctionCompiler::throwUnsupported(Span span, const char* what) {
    emit_.place(span);
    Const name = emit_.constant(unit_.keep(Value::string(internAscii(unit_.vm, what))), "names");
    emit_.emit(ops::ThrowError{.error = {i16(Error::NotSupportedYet)}, .argument = name});
}

/// What the tree can say and the engine cannot run yet.
Reg FunctionCompiler::refuse(Expr* e, Reg want) {
    switch (e->kind) {
    case NodeKind::RegExpLiteral: throwUnsupported(e->span, "regular expressions"); break;
    case NodeKind::BigIntLiteral: throwUnsupported(e->span, "BigInt literals"); break;
    default: UNREACHABLE();
    }
    return target(want);
}

/// A chain (a + b + ..., a.b().c()...) is as deep in the tree as it is long. From time to time the part of it below is
/// cut into pieces, which are compiled from the inside out, each finding the one inside it already evaluated.
Reg FunctionCompiler::longChain(Expr* e, Reg want) {
    constexpr u32 PieceLength = 128;
    std::vector<Expr*> cuts;
    u32 length = 0;
    for (Expr *at = e, *inner; (inner = leftOf(at)); at = inner) {
        // The member that a call takes its `this` from stays with the call.
        bool isCallee =
            (at->is<Call>() || at->is<TaggedTemplate>()) && !inner->is<Call>() && !inner->is<TaggedTemplate>();
        if (++length >= PieceLength && !isCallee && leftOf(inner) && !inner->is<Logical>()) {
            cuts.push_back(inner);
            length = 0;
        }
    }
    u16 mark = emit_.next();
    Expr* outerGiven = given_;
    Reg outerRegister = givenRegister_;
    for (size_t i = cuts.size(); i-- > 0;) {
        Reg piece = expression(cuts[i]);
        emit_.release(mark);
        givenRegister_ = emit_.allocate();
        move(givenRegister_, piece);
        given_ = cuts[i];
    }
    Reg result = dispatch(e, want);
    if (!cuts.empty() && want == Any) // it must land in the first free register
        move({mark}, result), result = {mark};
    given_ = outerGiven;
    givenRegister_ = outerRegister;
    return result;
}

void FunctionCompiler::effect(Expr* e) {
    u16 mark = emit_.next();
    if (!unit_.hasStack(e->span))
        return;
    nesting_++;
    switch (e->kind) {
    case NodeKind::Assign: assign(e->as<Assign>(), Any, true); break;
    case NodeKind::LogicalAssign: logicalAssign(e->as<LogicalAssign>(), Any, true); break;
    case NodeKind::Update: update(e->as<Update>(), Any, true); break;
    case NodeKind::Sequence:
        for (Expr* each : e->as<Sequence>()->expressions)
            effect(each);
        break;
    case NodeKind::Logical:
        if (e->as<Logical>()->op != LogicalOperator::Coalesce) {
            JumpTarget end;
            Logical* logical = e->as<Logical>();
            jumpIf(logical->left, logical->op == LogicalOperator::Or, end);
            effect(logical->right);
            emit_.bind(end);
            break;
        }
        expression(e);
        break;
    case NodeKind::Conditional: {
        JumpTarget otherwise, end;
        jumpIf(e->as<Conditional>()->test, false, otherwise);
        effect(e->as<Conditional>()->then);
        emit_.jump(end);
        emit_.bind(otherwise);
        effect(e->as<Conditional>()->otherwise);
        emit_.bind(end);
        break;
    }
    case NodeKind::Unary:
        if (e->as<Unary>()->op == UnaryOperator::Void || e->as<Unary>()->op == UnaryOperator::Not) {
            effect(e->as<Unary>()->operand);
            break;
        }
        expression(e);
        break;
    case NodeKind::NullLiteral:
    case NodeKind::BooleanLiteral:
    case NodeKind::NumericLiteral:
    case NodeKind::StringLiteral: break; // directives and the like
    default: expression(e); break;
    }
    nesting_--;
    emit_.release(mark);
}

Reg FunctionCompiler::named(Expr* e, String* name, Reg want) {
    if (!name || !isAnonymousFunction(e))
        return expression(e, want);
    u16 mark = emit_.next();
    Reg result = e->is<FunctionExpression>() ? functionExpression(e->as<FunctionExpression>(), name, want)
                                             : classExpression(e->as<ClassExpression>()->definition, name, want);
    emit_.release(want == Any ? mark + 1 : mark);
    return result;
}

/// A value that is used after `later` (and `last`) have run: a local in place unless they may write it.
Reg FunctionCompiler::operand(Expr* e, Node* later, Node* last) {
    u16 mark = emit_.next();
    Reg value = expression(e);
    if (later)
        endStatementPoint();
    if (isTemporary(value, mark) || value.n == 0)
        return value;
    if (!(later && mayTouch(later, value, false)) && !(last && mayTouch(last, value, false)))
        return value;
    Reg copy = emit_.allocate();
    move(copy, value);
    return copy;
}

/// The value in the next register, whatever it is.
Reg FunctionCompiler::toNext(Expr* e) {
    u16 mark = emit_.next();
    Reg value = expression(e);
    if (isTemporary(value, mark))
        return value;
    Reg dst = emit_.allocate();
    move(dst, value);
    return dst;
}

Reg FunctionCompiler::settle(Reg want, Reg value) {
    if (want == Any)
        return value;
    move(want, value);
    return want;
}

void FunctionCompiler::move(Reg dst, Reg src) {
    if (!(dst == src))
        emit_.emit(ops::Move{.dst = dst, .src = src});
}

// ---- literals, this

Reg FunctionCompiler::literal(Expr* e, Reg want) {
    Reg dst = target(want);
    if (e->is<NullLiteral>())
        emit_.loadSpecial(dst, Value::Null);
    else if (BooleanLiteral* boolean = e->asIf<BooleanLiteral>())
        emit_.loadSpecial(dst, boolean->value ? Value::True : Value::False);
    else if (NumericLiteral* number = e->asIf<NumericLiteral>())
        emit_.loadNumber(dst, number->value);
    else
        emit_.loadConstant(dst, Value::string(unit_.atom(e->as<StringLiteral>()->value)));
    return dst;
}

/// `this` of the function that provides it; a derived constructor's is in the dead zone until super() returns.
Reg FunctionCompiler::thisValue(Span span, Reg want) {
    FunctionCompiler* from = provider();
    bool isDerived = from->node_.isDerived;
    Reg value{0};
    if (!from->outer_ && from->info_.goal == CompileGoal::Eval) {
        Reg dst = target(want);
        emit_.emit(ops::LoadGlobalThis{.dst = dst});
        return dst;
    }
    if (from == this && !(functionEnvironment_ && functionEnvironment_->thisSlot && isDerived)) {
        if (isDerived && !thisIsInitialized_) {
            emit_.place(span);
            emit_.emit(ops::CheckThis{.a = value});
        }
        return settle(want, value);
    }
    if (!(cachedThis_ == Any))
        return settle(want, cachedThis_);
    EnvironmentScope* environment = from->functionEnvironment_;
    if (!isDerived)
        return loadSlot(environment, environment->thisSlot - 1, want);
    value = loadSlot(environment, environment->thisSlot - 1, Any);
    if (!(from == this && thisIsInitialized_)) {
        emit_.place(span);
        emit_.emit(ops::CheckThis{.a = value});
    }
    return settle(want, value);
}

Reg FunctionCompiler::newTarget(Reg want) {
    FunctionCompiler* from = provider();
    if (from == this && newTarget_.n)
        return settle(want, newTarget_);
    if (from == this) { // the initializer of a field is never constructed
        Reg dst = target(want);
        emit_.loadUndefined(dst);
        return dst;
    }
    EnvironmentScope* environment = from->functionEnvironment_;
    if (!environment->newTargetSlot) {
        Reg dst = target(want);
        emit_.loadUndefined(dst);
        return dst;
    }
    return loadSlot(environment, environment->newTargetSlot - 1, want);
}

// ---- operators

Reg FunctionCompiler::unary(Unary* e, Reg want) {
    double number;
    if (isNumber(e, number)) {
        Reg dst = target(want);
        emit_.loadNumber(dst, number);
        return dst;
    }
    u16 mark = emit_.next();
    switch (e->op) {
    case UnaryOperator::Delete: return deleteExpression(e, want);
    case UnaryOperator::Typeof: return typeOf(e, want);
    case UnaryOperator::Void: {
        effect(e->operand);
        Reg dst = target(want);
        emit_.loadUndefined(dst);
        return dst;
    }
    default: break;
    }
    Reg value = expression(e->operand);
    emit_.release(mark);
    Reg dst = target(want);
    emit_.place(e->span);
    switch (e->op) {
    case UnaryOperator::Minus: emit_.emit(ops::Negate{.dst = dst, .a = value}); break;
    case UnaryOperator::Plus: emit_.emit(ops::ToNumber{.dst = dst, .a = value}); break;
    case UnaryOperator::BitNot: emit_.emit(ops::BitNot{.dst = dst, .a = value}); break;
    default: emit_.emit(ops::Not{.dst = dst, .a = value}); break;
    }
    return dst;
}

Reg FunctionCompiler::typeOf(Unary* e, Reg want) {
    u16 mark = emit_.next();
    Identifier* name = e->operand->asIf<Identifier>();
    Reg value = name && isGlobal(name->declaration) ? global(name, Any, true) : expression(e->operand);
    emit_.release(mark);
    Reg dst = target(want);
    emit_.emit(ops::TypeOf{.dst = dst, .a = value});
    return dst;
}

/// V8 gives the instruction no place: that of what was evaluated before it stays.
static u32 deletePoint(Unary* e, Expr* object, u32 pointOfObject) {
    return object->is<Member>() || object->is<Index>() || object->is<Call>() ? pointOfObject : e->span.begin;
}

/// 13.5.1.2. What is no property is evaluated and true.
Reg FunctionCompiler::deleteExpression(Unary* e, Reg want) {
    u16 mark = emit_.next();
    Expr* operand = e->operand;
    JumpTarget nothing, *outerEnd = chainEnd_;
    if (OptionalChain* chain = operand->asIf<OptionalChain>()) {
        operand = chain->expression;
        chainEnd_ = &nothing;
    }
    Reg dst = want;
    if (operand->is<Member>() || operand->is<Index>()) {
        Expr* object = operand->is<Member>() ? operand->as<Member>()->object : operand->as<Index>()->object;
        bool isOptional = operand->is<Member>() ? operand->as<Member>()->isOptional : operand->as<Index>()->isOptional;
        Reg base = this->operand(object, operand->is<Index>() ? operand->as<Index>()->index : nullptr);
        if (isOptional)
            shortCircuit(base);
        StaticKey key;
        bool isField = operand->is<Member>() || (staticKey(operand->as<Index>()->index, true, key) && !key.isIndex);
        String* atom = operand->is<Member>() ? unit_.atom(operand->as<Member>()->property) : key.atom;
        if (isField && emit_.hasRoomForName(Value::string(atom))) {
            emit_.release(mark);
            dst = target(want);
            emit_.place(object->span, deletePoint(e, object, pointOf(object)));
            emit_.emit(
                ops::DeleteField{.dst = dst, .object = base, .name = emit_.constant(Value::string(atom), "names")});
        } else {
            Reg name = operand->is<Index>() ? expression(operand->as<Index>()->index) : emit_.allocate();
            if (operand->is<Member>())
                emit_.loadConstant(name, Value::string(atom));
            emit_.release(mark);
            dst = target(want);
            emit_.place(object->span, deletePoint(e, object, pointOf(object)));
            emit_.emit(ops::DeleteElement{.dst = dst, .object = base, .key = name});
        }
    } else if (operand->is<SuperMember>() || operand->is<SuperIndex>()) {
        thisValue(operand->span, Any);
        if (SuperIndex* super = operand->asIf<SuperIndex>())
            effect(super->index);
        emit_.release(mark);
        dst = target(want);
        emit_.place(operand->span);
        emit_.emit(ops::ThrowError{.error = {i16(Error::DeleteSuper)},
            .argument = emit_.constant(Value::string(unit_.vm.emptyStringCell), "names")});
    } else {
        effect(operand);
        dst = target(want);
        emit_.loadSpecial(dst, Value::True);
    }
    chainEnd_ = outerEnd;
    if (nothing.isUsed()) {
        JumpTarget end;
        emit_.jump(end);
        emit_.bind(nothing);
        emit_.loadSpecial(dst, Value::True);
        emit_.bind(end);
    }
    return dst;
}

static bool isCommutative(BinaryOperator op) {
    return op == BinaryOperator::Multiply || op == BinaryOperator::BitAnd || op == BinaryOperator::BitOr
        || op == BinaryOperator::BitXor;
}

Reg FunctionCompiler::binary(Binary* e, Reg want) {
    double number;
    if (isNumber(e, number)) {
        Reg dst = target(want);
        emit_.loadNumber(dst, number);
        return dst;
    }
    u16 mark = emit_.next();
    Expr *left = e->left, *right = e->right;
    if (isCommutative(e->op) && left != given_ && isNumber(left, number)) // so that it becomes an immediate
        std::swap(left, right);
    Reg value = operand(left, right);
    return operate(e->op, value, right, e->span, e->operatorSpan.begin, mark, want);
}

namespace {

/// The instruction of each operator, and its forms with an immediate and with a double constant (Halt: none).
struct OperatorForms {
    Op plain, withInt = Op::Halt, withConstant = Op::Halt;
};

OperatorForms formsOf(BinaryOperator op) {
    switch (op) {
    case BinaryOperator::Add: return {Op::Add, Op::AddInt, Op::AddConstant};
    case BinaryOperator::Subtract: return {Op::Sub, Op::SubInt, Op::SubConstant};
    case BinaryOperator::Multiply: return {Op::Mul, Op::MulInt, Op::MulConstant};
    case BinaryOperator::Divide: return {Op::Div, Op::DivInt, Op::DivConstant};
    case BinaryOperator::Remainder: return {Op::Mod, Op::ModInt};
    case BinaryOperator::Power: return {Op::Exp};
    case BinaryOperator::BitAnd: return {Op::BitAnd, Op::BitAndInt};
    case BinaryOperator::BitOr: return {Op::BitOr, Op::BitOrInt};
    case BinaryOperator::BitXor: return {Op::BitXor, Op::BitXorInt};
    case BinaryOperator::ShiftLeft: return {Op::ShiftLeft, Op::ShiftLeftInt};
    case BinaryOperator::ShiftRight: return {Op::ShiftRight, Op::ShiftRightInt};
    case BinaryOperator::ShiftRightUnsigned: return {Op::ShiftRightUnsigned, Op::ShiftRightUnsignedInt};
    case BinaryOperator::Equal: return {Op::Equal};
    case BinaryOperator::NotEqual: return {Op::NotEqual};
    case BinaryOperator::StrictEqual: return {Op::StrictEqual};
    case BinaryOperator::StrictNotEqual: return {Op::StrictNotEqual};
    case BinaryOperator::Less: return {Op::Less};
    case BinaryOperator::LessEqual: return {Op::LessEqual};
    case BinaryOperator::Greater: return {Op::Greater};
    case BinaryOperator::GreaterEqual: return {Op::GreaterEqual};
    case BinaryOperator::In: return {Op::In};
    case BinaryOperator::Instanceof: return {Op::InstanceOf};
    }
    UNREACHABLE();
}

}

/// left op right; frees the registers from `mark` on before it takes one for the result.
Reg FunctionCompiler::operate(BinaryOperator op, Reg left, Expr* right, Span span, u32 point, u16 mark, Reg want) {
    OperatorForms forms = formsOf(op);
    i16 immediate = 0, offset = 0;
    double number;
    bool isInt = forms.withInt != Op::Halt && isSmallInt(right, immediate);
    if (!isInt && forms.withConstant != Op::Halt && isNumber(right, number) && !Value::number(number).isInt())
        offset = emit_.nearConstant(number);
    Reg other;
    if (!isInt && !offset)
        other = expression(right);
    emit_.release(mark);
    Reg dst = target(want);
    emit_.place(span, point);
    Op form = isInt ? forms.withInt : offset ? forms.withConstant : forms.plain;
    emit_.emitRaw(form, dst.n, left.n, isInt ? u16(immediate) : offset ? u16(offset) : other.n);
    return dst;
}

/// a && b && c: each value goes to the destination and is tested there. The left operands are a chain: no recursion.
Reg FunctionCompiler::logical(Logical* e, Reg want) {
    u16 mark = emit_.next();
    std::vector<Expr*> operands{e->right};
    Expr* first = e->left;
    while (first != given_ && first->is<Logical>() && first->as<Logical>()->op == e->op) {
        operands.push_back(first->as<Logical>()->right);
        first = first->as<Logical>()->left;
    }
    operands.push_back(first);
    Op exit = e->op == LogicalOperator::And ? Op::JumpIfFalse
        : e->op == LogicalOperator::Or      ? Op::JumpIfTrue
                                            : Op::JumpIfNotNullish;
    JumpTarget end;
    Reg dst = want;
    for (size_t i = operands.size(); i-- > 0;) {
        emit_.release(mark);
        dst = want == Any ? toNext(operands[i]) : expression(operands[i], want);
        if (i > 0)
            emit_.jumpIf(exit, dst, end);
    }
    emit_.bind(end);
    return dst;
}

Reg FunctionCompiler::conditional(Conditional* e, Reg want) {
    u16 mark = emit_.next();
    JumpTarget otherwise, end;
    jumpIf(e->test, false, otherwise);
    Reg dst = want == Any ? toNext(e->then) : expression(e->then, want);
    emit_.jump(end);
    emit_.bind(otherwise);
    emit_.release(mark);
    dst = want == Any ? toNext(e->otherwise) : expression(e->otherwise, want);
    emit_.bind(end);
    return dst;
}

Reg FunctionCompiler::sequence(Sequence* e, Reg want) {
    u32 count = e->expressions.size();
    for (u32 i = 0; i + 1 < count; i++)
        effect(e->expressions[i]);
    endStatementPoint();
    return expression(e->expressions[count - 1], want);
}

/// 13.2.8.6: each part becomes a string as soon as it is evaluated; then they are joined at once.
Reg FunctionCompiler::templateLiteral(TemplateLiteral* e, Reg want) {
    constexpr u16 MostParts = 200;
    u16 mark = emit_.next();
    Reg first{mark};
    auto joined = [&](Reg dst) {
        u16 count = emit_.next() - mark;
        emit_.release(mark);
        Reg result = dst == Any ? emit_.allocate() : dst;
        emit_.place(e->span);
        emit_.emit(ops::Concat{.dst = result, .first = first, .count = {count}});
        return result;
    };
    for (u32 i = 0; i < e->chunks.size(); i++) {
        if (emit_.next() - mark >= MostParts)
            joined(Any);
        if (e->chunks[i]->cooked->length)
            emit_.loadConstant(emit_.allocate(), Value::string(unit_.atom(e->chunks[i]->cooked)));
        if (i < e->expressions.size()) {
            bool isFirst = emit_.here() == statementWord_ && e->expressions[i]->is<Identifier>();
            u32 begin = e->expressions[i]->span.begin, point = isFirst ? statementPoint_ : begin;
            Reg part = toNext(e->expressions[i]);
            emit_.place(e->expressions[i]->span, point);
            emit_.emit(ops::ToString{.dst = part, .a = part});
        }
    }
    u16 count = emit_.next() - mark;
    if (count == 0)
        emit_.loadConstant(emit_.allocate(), Value::string(unit_.vm.emptyStringCell));
    if (count < 2)
        return settle(want, first);
    return joined(want);
}

}
