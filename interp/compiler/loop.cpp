// Loops (ECMA-262 14.7). The condition stands at the bottom: one jump for each round. In front of the loop it stands
// once more as a guard, unless it is large; then the loop is entered at the bottom.
#include "interp/compiler/function_compiler.h"

namespace scr {

// ---- constants

Value FunctionCompiler::constantValue(Expr* e) {
    double number;
    if (StringLiteral* string = e->asIf<StringLiteral>())
        return Value::string(unit_.atom(string->value));
    if (BooleanLiteral* boolean = e->asIf<BooleanLiteral>())
        return Value::boolean(boolean->value);
    if (e->is<NullLiteral>())
        return Value::null();
    return isNumber(e, number) ? Value::number(number) : Value::undefined();
}

/// The outermost loop of a function loads the literals that it and the loops inside it need again and again.
void FunctionCompiler::holdConstants(Stmt* loop) {
    constexpr size_t Most = 16;
    if (loops_++ > 0)
        return;
    std::vector<Expr*> literals;
    findLoopConstants(loop, literals);
    for (Expr* literal : literals) {
        Reg held;
        if (loopConstants_.size() == Most || heldConstant(literal, held))
            continue;
        held = emit_.allocate();
        expression(literal, held);
        loopConstants_.push_back({constantValue(literal), held});
    }
}

/// At the end of the loop; its registers are the caller's to free.
void FunctionCompiler::dropConstants() {
    if (--loops_ == 0)
        loopConstants_.clear();
}

bool FunctionCompiler::heldConstant(Expr* e, Reg& reg) {
    if (loopConstants_.empty() || !isConstant(e))
        return false;
    Value value = constantValue(e);
    for (const LoopConstant& constant : loopConstants_)
        if (constant.value == value) {
            reg = constant.reg;
            return true;
        }
    return false;
}

/// Before the first round: to `end` if the test fails, or to `bottom`, where the test stands.
void FunctionCompiler::guard(Expr* test, JumpTarget& end, JumpTarget& bottom) {
    if (!test)
        return;
    if (isSmall(test))
        jumpIf(test, false, end);
    else
        emit_.jump(bottom);
}

void FunctionCompiler::whileStatement(While* s) {
    startCompletion();
    JumpTarget top, bottom, end;
    u16 mark = emit_.next();
    holdConstants(s);
    u16 inner = emit_.next();
    guard(s->test, end, bottom);
    Control control{Control::Loop, control_, s, &end, &bottom};
    control_ = &control;
    emit_.bind(top);
    statement(s->body);
    emit_.release(inner);
    control_ = control.outer;
    emit_.bind(bottom);
    if (!emit_.isUnreachable())
        loopIf(s->test, top);
    dropConstants();
    emit_.bind(end);
    emit_.release(mark);
}

void FunctionCompiler::doWhile(DoWhile* s) {
    startCompletion();
    JumpTarget top, bottom, end;
    u16 mark = emit_.next();
    holdConstants(s);
    u16 inner = emit_.next();
    Control control{Control::Loop, control_, s, &end, &bottom};
    control_ = &control;
    emit_.bind(top);
    statement(s->body);
    emit_.release(inner);
    control_ = control.outer;
    emit_.bind(bottom);
    loopIf(s->test, top);
    dropConstants();
    emit_.bind(end);
    emit_.release(mark);
}

// ---- for (14.7.4)

void FunctionCompiler::forStatement(For* s) {
    startCompletion();
    u16 mark = emit_.next();
    holdConstants(s);
    OpenScope open = enterScope(s->scope);
    EnvironmentScope* environment = environment_ != open.environment ? environment_ : nullptr;
    UsingScope disposal;
    beginUsing(disposal, s->scope);
    if (s->init && s->init->is<VariableDeclaration>())
        variables(s->init->as<VariableDeclaration>());
    else if (s->init)
        effect(static_cast<Expr*>(s->init));
    if (environment && s->init && !isSmall(s->init)) // a function of the head keeps the first environment
        emit_.emit(ops::CopyEnvironment{.dst = environment->reg, .src = environment->reg});
    JumpTarget top, next, bottom, end;
    guard(s->test, end, bottom);
    Control control{Control::Loop, control_, s, &end, &next};
    control_ = &control;
    emit_.bind(top);
    u16 inner = emit_.next();
    statement(s->body);
    emit_.release(inner);
    control_ = control.outer;
    emit_.bind(next);
    if (!emit_.isUnreachable() || bottom.isUsed()) {
        if (environment)
            emit_.emit(ops::CopyEnvironment{.dst = environment->reg, .src = environment->reg});
        if (bottom.isUsed() || !incrementLoop(s, top)) {
            if (s->update)
                effect(s->update);
            emit_.bind(bottom);
            emit_.place(s->span);
            if (s->test)
                loopIf(s->test, top);
            else
                emit_.loop(top);
        }
    }
    dropConstants();
    emit_.bind(end);
    endUsing(disposal, s->span.end);
    leaveScope(open);
    emit_.release(mark);
}

/// `i < n; i++` with both in registers (or n an immediate) is one instruction.
bool FunctionCompiler::incrementLoop(For* s, const JumpTarget& top) {
    Update* update = s->update ? s->update->asIf<Update>() : nullptr;
    Binary* test = s->test ? s->test->asIf<Binary>() : nullptr;
    if (!update || !update->isIncrement || !test || !emit_.isNear(top))
        return false;
    auto local = [](Expr* e) -> Declaration* {
        Identifier* identifier = e->asIf<Identifier>();
        Declaration* d = identifier ? identifier->declaration : nullptr;
        return isLocal(d) && !needsCheck(d) ? d : nullptr;
    };
    Declaration *counter = local(update->target), *limit = local(test->right);
    if (!counter || counter->isConstant() || local(test->left) != counter || limit == counter)
        return false;
    i16 immediate;
    bool isLess = test->op == BinaryOperator::Less;
    emit_.place(test->span, test->operatorSpan.begin);
    if (isLess && isSmallInt(test->right, immediate))
        emit_.loopIf(Op::IncrementLoopIfLessInt, Op::Count, registerOf(counter), u16(immediate), top);
    else if (isLess && limit)
        emit_.loopIf(Op::IncrementLoopIfLess, Op::Count, registerOf(counter), registerOf(limit).n, top);
    else if (test->op == BinaryOperator::LessEqual && limit)
        emit_.loopIf(Op::IncrementLoopIfLessEqual, Op::Count, registerOf(counter), registerOf(limit).n, top);
    else
        return false;
    return true;
}

// ---- for-in, for-of (14.7.5)

/// What a head gives each value to.
static Expr* eachOf(Node* left) {
    VariableDeclaration* declaration = left->asIf<VariableDeclaration>();
    return declaration ? declaration->declarators[0]->target : static_cast<Expr*>(left);
}

/// Where V8 says that a loop takes the next value for a head: at its name or target, the end of the pattern that it
/// declares.
u32 FunctionCompiler::eachPoint(Node* left) const {
    Expr* each = eachOf(left);
    bool declares = left->is<VariableDeclaration>() && !each->is<Identifier>();
    return declares ? each->span.end - 1 : pointOf(each);
}

/// The object of a head, evaluated while the head's names are in the dead zone.
Reg FunctionCompiler::iterable(Expr* e, Scope* scope) {
    beginStatement(e->span.begin);
    bool reachesNames = false;
    if (scope)
        for (Declaration* d : scope->declarations)
            reachesNames |= d->isEarly;
    if (!reachesNames)
        return expression(e);
    u16 mark = emit_.next();
    Reg value = emit_.allocate(); // below the scope's registers
    OpenScope open = enterScope(scope);
    expression(e, value);
    leaveScope(open);
    emit_.release(mark + 1);
    return value;
}

void FunctionCompiler::forIn(ForIn* s) {
    startCompletion();
    u16 mark = emit_.next();
    holdConstants(s);
    Reg iterator = emit_.allocate();
    Reg object = iterable(s->right, s->scope);
    emit_.place(s->right->span, pointOf(s->right));
    emit_.emit(ops::ForInInit{.dst = iterator, .object = object});
    emit_.release(iterator.n + 1);
    JumpTarget top, next, end;
    Control control{Control::Loop, control_, s, &end, &next};
    control_ = &control;
    emit_.bind(top);
    Reg value = emit_.allocate();
    emit_.place(s->left->span);
    emit_.iterate(Op::ForInNext, iterator, value, end);
    eachRound(s->left, s->scope, value, s->body, {s->span.begin, s->span.begin + 3});
    control_ = control.outer;
    emit_.bind(next);
    emit_.place(s->span);
    emit_.loop(top);
    dropConstants();
    emit_.bind(end);
    emit_.release(mark);
}

void FunctionCompiler::forOf(ForOf* s) {
    if (s->isAwait)
        return forAwait(s);
    startCompletion();
    u16 mark = emit_.next();
    holdConstants(s);
    Reg iterator = emit_.allocate();
    emit_.allocate(), emit_.allocate();
    Reg object = iterable(s->right, s->scope);
    emit_.place(s->right->span, pointOf(s->right));
    emit_.emit(ops::ForOfInit{.first = iterator, .iterable = object});
    emit_.release(iterator.n + 3);
    JumpTarget top, next, end, done;
    Control loop{Control::Loop, control_, s, &end, &next};
    Control closing{Control::Iterator, &loop, s};
    closing.state = iterator;
    emit_.bind(top);
    Reg value = emit_.allocate();
    emit_.place(eachOf(s->left)->span, eachPoint(s->left));
    emit_.iterate(Op::ForOfNext, iterator, value, done);
    closing.begin = emit_.here();
    control_ = &closing;
    eachRound(s->left, s->scope, value, s->body, {s->span.begin, s->span.begin + 3});
    control_ = loop.outer;
    u32 rangeEnd = emit_.here();
    emit_.bind(next);
    emit_.place(s->span);
    emit_.loop(top);
    closeSilently(closing, rangeEnd);
    dropConstants();
    emit_.bind(done);
    emit_.bind(end);
    emit_.release(mark);
}

/// As forOf(). What next() and return() give is awaited (14.7.5.6, 14.7.5.7).
void FunctionCompiler::forAwait(ForOf* s) {
    startCompletion();
    u16 mark = emit_.next();
    holdConstants(s);
    Reg iterator = emit_.allocate();
    emit_.allocate();
    Reg object = iterable(s->right, s->scope);
    emit_.place(s->right->span, pointOf(s->right));
    emit_.emit(ops::ForAwaitInit{.first = iterator, .iterable = object});
    emit_.release(iterator.n + 2);
    JumpTarget top, next, end, done, caught;
    Control loop{Control::Loop, control_, s, &end, &next};
    Control closing{Control::Iterator, &loop, s};
    closing.state = iterator;
    closing.awaits = true;
    emit_.bind(top);
    Reg value = emit_.allocate();
    emit_.place(eachOf(s->left)->span, eachPoint(s->left));
    emit_.emit(ops::ForAwaitNext{.first = iterator, .dst = value});
    emit_.place(eachOf(s->left)->span, eachPoint(s->left));
    emitAwait(value);
    emit_.iterate(Op::ForAwaitResult, iterator, value, done);
    closing.begin = emit_.here();
    control_ = &closing;
    eachRound(s->left, s->scope, value, s->body, {s->span.begin, s->span.begin + 3});
    control_ = loop.outer;
    u32 rangeEnd = emit_.here();
    emit_.bind(next);
    emit_.place(s->span);
    emit_.loop(top);
    emit_.bind(caught);
    emit_.release(value.n);
    Reg exception = emit_.allocate();
    protect(closing, rangeEnd, caught, exception);
    closeAsyncSilently(iterator);
    emit_.emit(ops::Throw{.value = exception});
    dropConstants();
    emit_.bind(done);
    emit_.bind(end);
    emit_.release(mark);
}

/// Gives the next value to the head's names or target and runs the body.
/// `head`: the word for, which V8 names when the value has no such part.
void FunctionCompiler::eachRound(Node* left, Scope* scope, Reg value, Stmt* body, Span head) {
    VariableDeclaration* declaration = left->asIf<VariableDeclaration>();
    Expr* each = eachOf(left);
    OpenScope open = enterScope(scope);
    UsingScope disposal;
    beginUsing(disposal, scope);
    if (declaration)
        addDisposable(declaration->kind, value, each->span);
    Identifier* name = each->asIf<Identifier>();
    if (declaration && name && isLocal(name->declaration) && isUnplaced(name->declaration)) {
        name->declaration->slot = value.n; // it is the register that the iteration fills
        name->declaration->scratch = (name->declaration->scratch & MayBeObject) | Initialized;
    } else if (declaration) {
        placePattern(each);
        if (name)
            bindTarget(each, value, true);
        else
            destructure(each, value, true, head);
    } else if (name) {
        bindTarget(each, value, false);
    } else if (each->is<ArrayPattern>() || each->is<ObjectPattern>()) {
        Span named = each->is<ObjectPattern>() ? each->span : Span{each->span.begin, each->span.begin};
        destructure(each, value, false, named);
    } else {
        u16 mark = emit_.next();
        store(reference(each, nullptr), value, each->span.begin);
        emit_.release(mark);
    }
    statement(body);
    endUsing(disposal, body->span.end);
    leaveScope(open);
}

}
