// Statements but loops (ECMA-262 14), and what break, continue, return and exceptions do on their way out.
#include "interp/compiler/function_compiler.h"
#include "runtime/core/hash_table.h"

namespace scr {

void FunctionCompiler::statements(const List<Stmt*>& list) {
    for (Stmt* each : list)
        statement(each);
}

/// Leaves the registers of variables declared by it taken; the scope around frees them.
void FunctionCompiler::statement(Stmt* s) {
    if (!unit_.hasStack(s->span))
        return;
    beginStatement(s->span.begin);
    bool wasTop = atTopLevel_;
    if (!s->is<ExpressionStatement>())
        atTopLevel_ = false;
    dispatchStatement(s);
    atTopLevel_ = wasTop;
}

void FunctionCompiler::dispatchStatement(Stmt* s) {
    leaving_ = s->span;
    switch (s->kind) {
    case NodeKind::ExpressionStatement: return expressionStatement(s->as<ExpressionStatement>());
    case NodeKind::VariableDeclaration: return variables(s->as<VariableDeclaration>());
    case NodeKind::FunctionDeclaration:
    case NodeKind::Empty:
    case NodeKind::Debugger: return;
    case NodeKind::ClassDeclaration: return classDeclaration(s->as<ClassDeclaration>());
    case NodeKind::BlockStatement: return block(s->as<BlockStatement>());
    case NodeKind::If: return ifStatement(s->as<If>());
    case NodeKind::For: return forStatement(s->as<For>());
    case NodeKind::ForIn: return forIn(s->as<ForIn>());
    case NodeKind::ForOf: return forOf(s->as<ForOf>());
    case NodeKind::While: return whileStatement(s->as<While>());
    case NodeKind::DoWhile: return doWhile(s->as<DoWhile>());
    case NodeKind::Continue: return breakStatement(s->as<Continue>()->target, true);
    case NodeKind::Break: return breakStatement(s->as<Break>()->target, false);
    case NodeKind::Return: return returnStatement(s->as<Return>());
    case NodeKind::Throw: return throwStatement(s->as<Throw>());
    case NodeKind::Labeled: return labeled(s->as<Labeled>());
    case NodeKind::Switch: return switchStatement(s->as<Switch>());
    case NodeKind::Try: return tryStatement(s->as<Try>());
    case NodeKind::ExportDeclaration: return dispatchStatement(s->as<ExportDeclaration>()->declaration);
    case NodeKind::ExportDefault: return exportDefault(s->as<ExportDefault>());
    case NodeKind::ImportDeclaration:
    case NodeKind::ExportNamed:
    case NodeKind::ExportAll: return;
    default: UNREACHABLE();
    }
}

void FunctionCompiler::expressionStatement(ExpressionStatement* s) {
    if (completion_ == Any)
        effect(s->expression);
    else
        expression(s->expression, completion_);
    if (atTopLevel_ && s->expression->is<SuperCall>())
        thisIsInitialized_ = true;
}

/// The completion value of compound statements is undefined until something inside them has one (14.1.1).
void FunctionCompiler::startCompletion() {
    if (!(completion_ == Any))
        emit_.loadUndefined(completion_);
}

/// What errors name as the value of a pattern. V8 names what a declaration iterates only if it is a name, the call of a
/// name, or a literal.
static Span sourceOf(Expr* pattern, Expr* value) {
    Call* call = value->asIf<Call>();
    bool isNamed = pattern->is<ObjectPattern>() || value->is<Identifier>() || value->is<ObjectLiteral>()
        || isConstant(value) || (call && call->callee->is<Identifier>());
    return isNamed ? value->span : Span{value->span.begin, value->span.begin};
}

void FunctionCompiler::variables(VariableDeclaration* s) {
    for (Declarator* declarator : s->declarators) {
        Identifier* identifier = declarator->target->asIf<Identifier>();
        if (!identifier) {
            placePattern(declarator->target);
            beginStatement(declarator->initializer->span.begin);
            u16 mark = emit_.next();
            Reg value = operand(declarator->initializer, declarator->target);
            destructure(declarator->target, value, true, sourceOf(declarator->target, declarator->initializer));
            emit_.release(mark);
            continue;
        }
        Declaration* d = identifier->declaration;
        if (declarator->initializer) {
            beginStatement(declarator->initializer->span.begin);
            if (s->kind == DeclarationKind::Using || s->kind == DeclarationKind::AwaitUsing)
                usingDeclarator(s->kind, d, declarator->initializer);
            else
                initializeWith(d, declarator->initializer);
        } else if (s->kind != DeclarationKind::Var) {
            if (isLocal(d) && isUnplaced(d))
                placeNow(d);
            u16 mark = emit_.next();
            Reg value = isLocal(d) ? registerOf(d) : emit_.allocate();
            emit_.loadUndefined(value);
            initialize(d, value);
            emit_.release(mark);
        }
    }
}

void FunctionCompiler::classDeclaration(ClassDeclaration* s) {
    Declaration* d = s->declaration;
    u16 mark = emit_.next();
    Reg value = classExpression(s->definition, defaultName(d), Any);
    emit_.release(mark);
    initialize(d, value); // an unplaced one takes the register in which the class was made
}

void FunctionCompiler::block(BlockStatement* s) {
    OpenScope open = enterScope(s->scope);
    UsingScope disposal;
    beginUsing(disposal, s->scope);
    statements(s->body);
    endUsing(disposal, s->span.end);
    leaveScope(open);
}

/// Where a break or continue jumps, if nothing is to be done on the way.
JumpTarget* FunctionCompiler::directExit(Stmt* s) {
    BlockStatement* block = s->asIf<BlockStatement>();
    if (block && block->body.size() == 1)
        s = block->body[0];
    if (!s->is<Break>() && !s->is<Continue>())
        return nullptr;
    bool isContinue = s->is<Continue>();
    Control* target = exitTarget(isContinue ? s->as<Continue>()->target : s->as<Break>()->target, isContinue);
    for (Control* at = control_; at != target; at = at->outer)
        if (at->kind == Control::Finally || (at->kind == Control::Finalizer && !(completion_ == Any))
            || (at->kind == Control::Iterator && !(isContinue && at->outer == target)))
            return nullptr;
    return isContinue ? target->onContinue : target->onBreak;
}

/// An else-if ladder is one long chain: no recursion along it.
void FunctionCompiler::ifStatement(If* s) {
    startCompletion();
    JumpTarget end;
    for (;;) {
        u16 mark = emit_.next();
        JumpTarget otherwise;
        if (JumpTarget* exit = s->otherwise ? nullptr : directExit(s->then)) {
            jumpIf(s->test, true, *exit);
            break;
        }
        jumpIf(s->test, false, otherwise);
        statement(s->then);
        emit_.release(mark);
        if (!s->otherwise) {
            emit_.bind(otherwise);
            break;
        }
        emit_.jump(end);
        emit_.bind(otherwise);
        If* next = s->otherwise->asIf<If>();
        if (!next) {
            statement(s->otherwise);
            emit_.release(mark);
            break;
        }
        s = next;
    }
    emit_.bind(end);
}

// ---- leaving

void FunctionCompiler::throwStatement(Throw* s) {
    u16 mark = emit_.next();
    Reg value = expression(s->argument);
    emit_.place(s->span);
    emit_.emit(ops::Throw{.value = value});
    emit_.release(mark);
}

void FunctionCompiler::returnStatement(Return* s) {
    u16 mark = emit_.next();
    if (s->argument) {
        returnValue(s->argument);
    } else {
        Reg value = Any;
        if (control_ || node_.isDerived)
            emit_.loadUndefined(value = emit_.allocate());
        leave({Control::Exit::Return, nullptr}, value);
    }
    emit_.release(mark);
}

/// Each arm of a conditional returns on its own.
void FunctionCompiler::returnValue(Expr* e) {
    u16 mark = emit_.next();
    if (!unit_.hasStack(e->span))
        return;
    if (Conditional* conditional = e->asIf<Conditional>()) {
        JumpTarget otherwise;
        jumpIf(conditional->test, false, otherwise);
        returnValue(conditional->then);
        emit_.bind(otherwise);
        returnValue(conditional->otherwise);
        return;
    }
    if (isUndefined(e) && !control_ && !node_.isDerived && !suspends())
        emit_.emit(ops::ReturnUndefined{});
    else if (!isAsyncGenerator())
        leave({Control::Exit::Return, nullptr}, expression(e));
    else { // 14.10.1 step 3
        Reg value = toNext(e);
        emitAwait(value, e->span);
        leave({Control::Exit::Return, nullptr}, value);
    }
    emit_.release(mark);
}

void FunctionCompiler::emitReturn(Reg value) {
    if (suspends()) {
        returnSuspendable(value);
    } else if (node_.isDerived) {
        Reg self{0};
        u16 mark = emit_.next();
        if (functionEnvironment_ && functionEnvironment_->thisSlot)
            self = loadSlot(functionEnvironment_, functionEnvironment_->thisSlot - 1, Any);
        emit_.place(node_.span, unit_.find('(', node_.span.begin));
        emit_.emit(ops::ReturnDerived{.src = value, .thisReg = self});
        emit_.release(mark);
    } else if (value == Any) {
        emit_.emit(ops::ReturnUndefined{});
    } else {
        emit_.emit(ops::Return{.src = value});
    }
}

void FunctionCompiler::labeled(Labeled* s) {
    Stmt* body = s->body;
    while (body->is<Labeled>())
        body = body->as<Labeled>()->body;
    bool isLoop = body->is<For>() || body->is<ForIn>() || body->is<ForOf>() || body->is<While>() || body->is<DoWhile>();
    if (isLoop || body->is<Switch>())
        return statement(body);
    JumpTarget end;
    Control control{Control::Block, control_, body, &end};
    control_ = &control;
    u16 mark = emit_.next();
    statement(body);
    emit_.release(mark);
    control_ = control.outer;
    emit_.bind(end);
}

Control* FunctionCompiler::exitTarget(Labeled* label, bool isContinue) {
    Stmt* named = label;
    while (named && named->is<Labeled>())
        named = named->as<Labeled>()->body;
    Control* to = control_;
    for (; to; to = to->outer) {
        if (named ? to->statement == named && to->kind != Control::Iterator
                  : to->kind == Control::Loop || (to->kind == Control::Switch && !isContinue))
            break;
    }
    ASSERT(to);
    return to;
}

void FunctionCompiler::breakStatement(Labeled* label, bool isContinue) {
    leave({isContinue ? Control::Exit::Continue : Control::Exit::Break, exitTarget(label, isContinue)}, Any);
}

/// Closes iterators and enters finally blocks from here to the exit's target, then goes there. What does so is outside
/// of the ranges that it leaves: its own exceptions go to the handlers further out.
void FunctionCompiler::leave(const Control::Exit& exit, Reg value) {
    std::vector<std::pair<Control*, u32>> left;
    Control* at = control_;
    Reg completion = completion_;
    for (; at != exit.target; at = at->outer) {
        if (at->kind == Control::Finally) {
            enterFinally(*at, exit, value);
            break;
        }
        if (at->kind == Control::Finalizer && !(completion == Any) && exit.type != Control::Exit::Return) {
            move(at->value, completion); // an abrupt completion of the block replaces that of the statement
            completion = at->value;
        }
        if (at->kind == Control::Iterator) {
            if (exit.type == Control::Exit::Continue && at->outer == exit.target)
                continue; // the loop goes on with its iterator
            left.push_back({at, emit_.here()});
            emit_.place(leaving_.end ? leaving_ : at->statement ? at->statement->span : node_.span);
            if (at->awaits)
                closeAsync(at->state);
            else
                emit_.emit(ops::IteratorClose{.first = at->state});
        } else if (at->kind == Control::Region) {
            left.push_back({at, emit_.here()});
        }
    }
    if (at == exit.target) {
        if (exit.type == Control::Exit::Return)
            emitReturn(value);
        else
            emit_.jump(exit.type == Control::Exit::Break ? *exit.target->onBreak : *exit.target->onContinue);
    }
    for (auto [control, begin] : left)
        control->gaps.push_back({begin, emit_.here()});
}

void FunctionCompiler::enterFinally(Control& control, const Control::Exit& exit, Reg value) {
    if (exit.type == Control::Exit::Return)
        move(control.value, value);
    u32 number = 0;
    while (number < control.exits.size() && !(control.exits[number] == exit))
        number++;
    if (number == control.exits.size())
        control.exits.push_back(exit);
    if (number > 30000)
        unit_.fail(node_.span, "too many ways lead out of a try statement");
    emit_.emit(ops::LoadInt{.dst = control.state, .value = {i32(number + 2)}});
    emit_.jump(*control.entry);
}

// ---- switch (14.12)

/// In place, unless a test of a clause may write it.
Reg FunctionCompiler::discriminant(Switch* s) {
    u16 mark = emit_.next();
    Reg value = expression(s->discriminant);
    if (isTemporary(value, mark) || value.n == 0)
        return value;
    for (SwitchCase* each : s->cases)
        if (each->test && mayTouch(each->test, value, false)) {
            Reg copy = emit_.allocate();
            move(copy, value);
            return copy;
        }
    return value;
}

namespace {

/// What the tests of a switch are, if all are literals.
struct CaseValues {
    std::vector<std::pair<Expr*, u32>> tests; ///< with the number of the clause
    bool areLiterals = true, areInts = true;
    i32 low = INT16_MAX, high = INT16_MIN;

    explicit CaseValues(Switch* s) {
        for (u32 i = 0; i < s->cases.size(); i++)
            if (Expr* test = s->cases[i]->test)
                add(test, i);
    }
    void add(Expr* test, u32 clause) {
        tests.push_back({test, clause});
        double number;
        // NaN equals nothing, and would be found in a table.
        areLiterals = areLiterals && (test->is<StringLiteral>() || (isNumber(test, number) && number == number));
        i16 value;
        areInts = areInts && isSmallInt(test, value);
        if (areInts) {
            low = std::min<i32>(low, value);
            high = std::max<i32>(high, value);
        }
    }
    u32 range() const { return u32(high - low) + 1; }
    /// A test costs one instruction: below this the chain of them is as fast.
    bool areMany() const { return tests.size() >= 6 && tests.size() < 60000; }
    bool areDense() const { return areInts && range() < 60000 && range() <= 4 * tests.size() + 16; }
};

}

/// Among literals the order of the tests cannot be seen: one instruction finds the clause.
bool FunctionCompiler::switchByTable(Switch* s, Reg value, std::vector<JumpTarget>& bodies, JumpTarget& otherwise) {
    CaseValues values(s);
    if (!values.areLiterals || !values.areMany())
        return false;
    std::vector<JumpTarget*> targets;
    if (values.areDense()) {
        targets.assign(values.range() + 1, &otherwise);
        for (size_t i = values.tests.size(); i-- > 0;) { // of equal tests the first counts
            i16 number = 0;
            isSmallInt(values.tests[i].first, number);
            targets[u32(number - values.low)] = &bodies[values.tests[i].second];
        }
        emit_.emit(ops::SwitchInt{.value = value, .low = {i16(values.low)}, .count = {u16(targets.size() - 1)}});
        emit_.jumps(targets);
        return true;
    }
    HashTable* table = newHashTable(unit_.vm, u32(values.tests.size()));
    Value constant = unit_.keep(Value::cell(table));
    for (auto [test, clause] : values.tests) {
        double number = 0;
        Value key = isNumber(test, number) ? Value::number(number)
                                           : Value::string(unit_.atom(test->as<StringLiteral>()->value));
        if (addEntry(unit_.vm, table, key, Value::int32(i32(targets.size()))).threw())
            return false; // the memory limit: the run ends
        targets.push_back(&bodies[clause]);
    }
    targets.push_back(&otherwise);
    Const number = emit_.constant(constant, "a switch");
    emit_.place(s->span);
    emit_.emit(ops::SwitchTable{.value = value, .table = number, .count = {u16(targets.size() - 1)}});
    emit_.jumps(targets);
    return true;
}

void FunctionCompiler::switchByTests(Switch* s, Reg value, std::vector<JumpTarget>& bodies, JumpTarget& otherwise) {
    for (u32 i = 0; i < s->cases.size(); i++) {
        SwitchCase* each = s->cases[i];
        u16 inner = emit_.next();
        i16 immediate;
        if (!each->test)
            continue;
        if (isSmallInt(each->test, immediate)) {
            emit_.compareJump(Op::JumpIfStrictEqualInt, value, u16(immediate), bodies[i]);
        } else {
            Reg test = expression(each->test);
            emit_.place(each->test->span);
            emit_.compareJump(Op::JumpIfStrictEqual, value, test.n, bodies[i]);
        }
        emit_.release(inner);
    }
    emit_.jump(otherwise);
}

void FunctionCompiler::switchStatement(Switch* s) {
    startCompletion();
    u16 mark = emit_.next();
    Reg value = discriminant(s);
    OpenScope open = enterScope(s->scope, true);
    std::vector<JumpTarget> bodies(s->cases.size());
    JumpTarget end;
    JumpTarget* otherwise = &end;
    for (u32 i = 0; i < s->cases.size(); i++)
        if (!s->cases[i]->test)
            otherwise = &bodies[i];
    if (!switchByTable(s, value, bodies, *otherwise))
        switchByTests(s, value, bodies, *otherwise);
    Control control{Control::Switch, control_, s, &end};
    control_ = &control;
    for (u32 i = 0; i < s->cases.size(); i++) {
        emit_.bind(bodies[i]);
        statements(s->cases[i]->body);
        if (s->scope) // the next clause may be entered past the declarations of this one
            for (Declaration* d : s->scope->declarations)
                if (d->isLexical())
                    d->scratch &= ~u32(Initialized);
    }
    control_ = control.outer;
    emit_.bind(end);
    leaveScope(open);
    emit_.release(mark);
}

// ---- try (14.15)

void FunctionCompiler::tryStatement(Try* s) {
    startCompletion();
    if (s->finalizer)
        tryFinally(s);
    else
        tryCatch(s);
}

/// The handlers of a range without its gaps.
void FunctionCompiler::protect(Control& control, u32 end, const JumpTarget& target, Reg exception) {
    u32 begin = control.begin;
    for (const Control::Gap& gap : control.gaps) {
        emit_.handler(begin, gap.begin, target, exception);
        begin = gap.end;
    }
    emit_.handler(begin, end, target, exception);
}

void FunctionCompiler::tryCatch(Try* s) {
    Control region{Control::Region, control_};
    region.begin = emit_.here();
    control_ = &region;
    tries_++;
    block(s->block);
    tries_--;
    control_ = region.outer;
    u32 end = emit_.here();
    JumpTarget after, caught;
    emit_.jump(after);
    emit_.bind(caught);
    startCompletion();
    u16 mark = emit_.next();
    Reg exception = emit_.allocate();
    protect(region, end, caught, exception);
    catchClause(s->handler, exception);
    emit_.release(mark);
    emit_.bind(after);
}

void FunctionCompiler::catchClause(CatchClause* clause, Reg exception) {
    Identifier* name = clause->parameter ? clause->parameter->asIf<Identifier>() : nullptr;
    if (name && isLocal(name->declaration)) { // it is the register that the handler fills
        name->declaration->slot = exception.n;
        name->declaration->scratch = (name->declaration->scratch & MayBeObject) | Initialized;
        return block(clause->body);
    }
    OpenScope open = enterScope(clause->scope, true);
    if (name)
        initialize(name->declaration, exception);
    else if (clause->parameter)
        destructure(clause->parameter, exception, true, clause->parameter->span);
    block(clause->body);
    leaveScope(open);
}

/// The finally block stands once. On entry `state` says what goes on behind it: 0 nothing, 1 the exception in `value`,
/// from 2 on one of the exits.
void FunctionCompiler::tryFinally(Try* s) {
    u16 mark = emit_.next();
    JumpTarget entry, caught, end;
    Control control{Control::Finally, control_};
    control.state = emit_.allocate();
    control.value = emit_.allocate();
    control.entry = &entry;
    control.begin = emit_.here();
    control_ = &control;
    tries_++;
    if (s->handler)
        tryCatch(s);
    else
        block(s->block);
    tries_--;
    control_ = control.outer;
    u32 rangeEnd = emit_.here();
    if (!emit_.isUnreachable()) {
        emit_.emit(ops::LoadInt{.dst = control.state, .value = {0}});
        emit_.jump(entry);
    }
    emit_.bind(caught);
    protect(control, rangeEnd, caught, control.value);
    emit_.emit(ops::LoadInt{.dst = control.state, .value = {1}});
    emit_.bind(entry);
    Reg completion = completion_;
    Control finalizer{Control::Finalizer, control_};
    finalizer.value = completion;
    control_ = &finalizer;
    if (!(completion == Any))
        emit_.loadUndefined(completion_ = emit_.allocate()); // what the block evaluates to does not count
    block(s->finalizer);
    completion_ = completion;
    control_ = finalizer.outer;
    dispatchExits(control, end);
    emit_.bind(end);
    emit_.release(mark);
}

void FunctionCompiler::dispatchExits(Control& control, JumpTarget& end) {
    if (emit_.isUnreachable())
        return;
    std::vector<JumpTarget> ways(control.exits.size());
    leaving_ = {};
    for (u32 i = 0; i < ways.size(); i++)
        emit_.compareJump(Op::JumpIfStrictEqualInt, control.state, u16(i + 2), ways[i]);
    emit_.compareJump(Op::JumpIfStrictNotEqualInt, control.state, 1, end);
    emit_.emit(ops::Throw{.value = control.value});
    for (u32 i = 0; i < ways.size(); i++) {
        emit_.bind(ways[i]);
        leave(control.exits[i], control.value);
    }
}

}
