// Members and calls (ECMA-262 13.3). A call's window [callee][return][this][arguments] is built at the top of the
// registers in place: the callee, `this` and the arguments are evaluated straight into it, and the result of an inner
// call lands where the outer one wants it.
#include "interp/compiler/function_compiler.h"

namespace scr {

// ---- members

void FunctionCompiler::getField(Reg dst, Reg object, Name* name, Span span, u32 point) {
    Value atom = Value::string(unit_.atom(name));
    emit_.place(span, point);
    if (emit_.hasRoomForName(atom)) {
        emit_.emit(ops::GetField{.dst = dst, .object = object, .name = emit_.constant(atom, "names")});
        return;
    }
    u16 mark = emit_.next();
    Reg key = emit_.allocate();
    emit_.loadConstant(key, atom);
    emit_.emit(ops::GetElement{.dst = dst, .object = object, .key = key});
    emit_.release(mark);
}

void FunctionCompiler::getElement(Reg dst, Reg object, Reg key, Span span, u32 point) {
    emit_.place(span, point);
    emit_.emit(ops::GetElement{.dst = dst, .object = object, .key = key});
}

/// What stands left of ?. : nothing more of the chain is evaluated if it is undefined or null.
void FunctionCompiler::shortCircuit(Reg value) { emit_.jumpIf(Op::JumpIfNullish, value, *chainEnd_); }

/// In the texts of the program's own `arguments` is nothing but its length.
bool FunctionCompiler::isArgumentCount(Member* e) const {
    Identifier* name = unit_.isBuiltin ? e->object->asIf<Identifier>() : nullptr;
    return name && name->declaration && name->declaration->kind == DeclarationKind::Arguments
        && e->property->equals("length");
}

Reg FunctionCompiler::member(Member* e, Reg want) {
    if (isArgumentCount(e))
        return expression(e->object, want);
    u16 mark = emit_.next();
    Reg object = expression(e->object);
    if (e->isOptional)
        shortCircuit(object);
    emit_.release(mark);
    Reg dst = target(want);
    getField(dst, object, e->property, e->object->span, e->propertySpan.begin);
    return dst;
}

Reg FunctionCompiler::index(Index* e, Reg want) {
    u16 mark = emit_.next();
    StringLiteral* string = e->index->asIf<StringLiteral>();
    bool isField = string && !keyOfName(string->value).isIndex;
    Reg object = operand(e->object, isField ? nullptr : e->index);
    if (e->isOptional)
        shortCircuit(object);
    if (isField) {
        emit_.release(mark);
        Reg dst = target(want);
        getField(dst, object, string->value, e->object->span, bracketPoint(e));
        return dst;
    }
    Reg key = expression(e->index);
    emit_.release(mark);
    Reg dst = target(want);
    getElement(dst, object, key, e->object->span, bracketPoint(e));
    return dst;
}

/// Three registers for GetSuper and PutSuper: base, key, this (13.3.7.1: this is taken first, the base last).
Reg FunctionCompiler::superReference(Expr* key, Name* name, Span span) {
    Reg home = emit_.allocate(), keyRegister = emit_.allocate(), self = emit_.allocate();
    thisValue(span, self);
    if (key)
        expression(key, keyRegister);
    else
        loadKey(keyRegister, keyOfName(name));
    FunctionCompiler* from = provider();
    EnvironmentScope* environment = from->info_.home;
    u32& slot = from->info_.isStatic ? environment->staticHomeSlot : environment->homeSlot;
    loadSlot(environment, hiddenSlot(environment, slot), home);
    emit_.emit(ops::GetPrototype{.dst = home, .object = home});
    return home;
}

Reg FunctionCompiler::superMember(Expr* e, Reg want) {
    u16 mark = emit_.next();
    SuperMember* member = e->asIf<SuperMember>();
    Reg first =
        superReference(member ? nullptr : e->as<SuperIndex>()->index, member ? member->property : nullptr, e->span);
    emit_.release(mark);
    Reg dst = target(want);
    emit_.place(e->span, member ? member->propertySpan.begin : e->span.begin);
    emit_.emit(ops::GetSuper{.dst = dst, .first = first});
    return dst;
}

Reg FunctionCompiler::optionalChain(OptionalChain* e, Reg want) {
    u16 mark = emit_.next();
    JumpTarget nothing, end, *outer = chainEnd_;
    chainEnd_ = &nothing;
    Reg dst = want == Any ? toNext(e->expression) : expression(e->expression, want);
    chainEnd_ = outer;
    emit_.jump(end);
    emit_.bind(nothing);
    emit_.loadUndefined(dst);
    emit_.bind(end);
    emit_.release(want == Any ? mark + 1 : mark);
    return dst;
}

// ---- arguments

bool FunctionCompiler::hasSpread(const List<Expr*>& arguments) {
    for (Expr* argument : arguments)
        if (argument->is<Spread>())
            return true;
    return false;
}

/// Into the next registers; their number.
u16 FunctionCompiler::arguments(const List<Expr*>& arguments) {
    for (Expr* argument : arguments)
        toNext(argument);
    return u16(arguments.size());
}

/// As an array, in the next register.
Reg FunctionCompiler::spreadArguments(const List<Expr*>& arguments) {
    Reg array = emit_.allocate();
    emit_.emit(ops::NewArray{.dst = array, .first = array, .count = {0}});
    size_t spreads = 0, last = 0, count = 0;
    for (Expr* argument : arguments) {
        count++;
        if (argument->is<Spread>()) {
            spreads++;
            last = count;
        }
    }
    SpreadKind kind = spreads == 1 && last == count ? SpreadKind::LastArgument : SpreadKind::Argument;
    for (Expr* argument : arguments)
        appendElement(array, argument, kind);
    return array;
}

// ---- calls

/// Where an error about the value of an expression points: its last property or its call, else its beginning.
u32 FunctionCompiler::pointOf(Expr* e) const {
    if (e->is<Member>())
        return e->as<Member>()->propertySpan.begin;
    if (e->is<PrivateMember>())
        return e->as<PrivateMember>()->propertySpan.begin;
    if (e->is<Index>())
        return bracketPoint(e->as<Index>());
    return e->is<Call>() ? callPoint(e->as<Call>()) : e->span.begin;
}

/// Where V8 puts the column of a call: the property or name that is called, else the parenthesis.
u32 FunctionCompiler::callPoint(Call* e) const {
    Expr* callee = e->callee;
    if (callee->isParenthesized)
        return e->argumentsSpan.begin;
    switch (callee->kind) {
    case NodeKind::Member: return e->isOptional ? e->argumentsSpan.begin : callee->as<Member>()->propertySpan.begin;
    case NodeKind::SuperMember: return callee->as<SuperMember>()->propertySpan.begin;
    case NodeKind::Identifier: return callee->span.begin;
    default: return e->argumentsSpan.begin;
    }
}

/// Callee and `this` of a call into its window; the registers up to first + 2 are taken then. True if there is a
/// `this`.
bool FunctionCompiler::callee(Expr* e, Reg first) {
    if (Member* member = e->asIf<Member>(); member && e != given_) {
        emit_.allocate(), emit_.allocate();
        Reg self = toNext(member->object);
        if (member->isOptional)
            shortCircuit(self);
        getField(first, self, member->property, member->object->span, member->propertySpan.begin);
        return true;
    }
    if (PrivateMember* member = e->asIf<PrivateMember>(); member && e != given_) {
        emit_.allocate(), emit_.allocate();
        Reg self = toNext(member->object);
        if (member->isOptional)
            shortCircuit(self);
        readPrivate(member->property, first, self, {member->object->span, member->propertySpan.begin});
        return true;
    }
    if (Index* index = e->asIf<Index>(); index && e != given_) {
        emit_.allocate(), emit_.allocate();
        Reg self = toNext(index->object);
        if (index->isOptional)
            shortCircuit(self);
        u16 mark = emit_.next();
        Reg key = expression(index->index);
        getElement(first, self, key, index->object->span, bracketPoint(index));
        emit_.release(mark);
        return true;
    }
    if (e->is<SuperMember>() || e->is<SuperIndex>()) {
        emit_.allocate(), emit_.allocate();
        Reg self = emit_.allocate();
        superMember(e, first);
        thisValue(e->span, self);
        return true;
    }
    toNext(e);
    emit_.allocate(), emit_.allocate();
    return false;
}

/// In the texts of the program's own: callFunction(f, self, ...arguments) is Call(f, self, arguments), whatever scripts
/// did to Function.prototype.call.
bool FunctionCompiler::isFunctionCall(Call* e) const {
    Identifier* name = unit_.isBuiltin ? e->callee->asIf<Identifier>() : nullptr;
    return name && isGlobal(name->declaration) && name->name->equals("callFunction") && e->arguments.size() >= 2
        && !e->arguments[0]->is<Spread>() && !e->arguments[1]->is<Spread>();
}

Reg FunctionCompiler::functionCall(Call* e, Reg want) {
    Reg first = toNext(e->arguments[0]);
    emit_.allocate();
    toNext(e->arguments[1]);
    List<Expr*> rest{};
    for (u32 i = 2; i < e->arguments.size(); i++)
        rest.append(unit_.arena, e->arguments[i]);
    bool spreads = hasSpread(rest);
    u16 argc = 0;
    if (spreads)
        spreadArguments(rest);
    else
        argc = arguments(rest);
    emit_.place(e->arguments[0]->span, e->arguments[0]->span.begin);
    if (spreads)
        emit_.emit(ops::CallSpread{.first = first});
    else
        emit_.emit(ops::CallWithThis{.first = first, .argc = {argc}});
    return finishCall(first, want);
}

Reg FunctionCompiler::call(Call* e, Reg want) {
    if (e->isDirectEval)
        return directEval(e, want);
    if (isFunctionCall(e))
        return functionCall(e, want);
    Reg first{emit_.next()};
    Expr* called = e->callee;
    OptionalChain* inner = called->asIf<OptionalChain>(); // (a?.b)(): keeps its this
    if (inner && called->isParenthesized)
        return parenthesizedChainCall(e, inner, want);
    Member* member = called->asIf<Member>();
    bool spreads = hasSpread(e->arguments);
    // The method is looked up by the call itself: only where nobody can notice that the arguments came first.
    bool isMethod = member && called != given_ && !e->isOptional && !spreads && areHarmless(e->arguments)
        && emit_.hasRoomForName(Value::string(unit_.atom(member->property)));
    if (isMethod) {
        emit_.allocate(), emit_.allocate();
        Reg self = toNext(member->object);
        if (member->isOptional)
            shortCircuit(self);
        u16 argc = arguments(e->arguments);
        Const name = emit_.constant(Value::string(unit_.atom(member->property)), "names");
        emit_.place(called->span, callPoint(e));
        emit_.emit(ops::CallMethod{.first = first, .argc = {argc}, .name = name});
        return finishCall(first, want);
    }
    bool hasThis = callee(called, first);
    if (e->isOptional)
        shortCircuit(first);
    return callWindow(e, first, hasThis, want);
}

/// The arguments and the call itself.
Reg FunctionCompiler::callWindow(Call* e, Reg first, bool hasThis, Reg want) {
    if (hasSpread(e->arguments)) {
        if (!hasThis)
            emit_.loadUndefined({u16(first.n + 2)});
        spreadArguments(e->arguments);
        emit_.place(e->callee->span, callPoint(e));
        emit_.emit(ops::CallSpread{.first = first});
        return finishCall(first, want);
    }
    u16 argc = arguments(e->arguments);
    emit_.place(e->callee->span, callPoint(e));
    if (hasThis)
        emit_.emit(ops::CallWithThis{.first = first, .argc = {argc}});
    else
        emit_.emit(ops::Call{.first = first, .argc = {argc}});
    return finishCall(first, want);
}

/// (a?.b)(x): the chain ends at the parenthesis, so its undefined is called; but `this` is still a.
Reg FunctionCompiler::parenthesizedChainCall(Call* e, OptionalChain* chain, Reg want) {
    Reg first{emit_.next()};
    JumpTarget nothing, end, *outer = chainEnd_;
    chainEnd_ = &nothing;
    bool hasThis = callee(chain->expression, first);
    chainEnd_ = outer;
    emit_.jump(end);
    emit_.bind(nothing);
    emit_.loadUndefined(first);
    emit_.bind(end);
    if (e->isOptional)
        shortCircuit(first);
    return callWindow(e, first, hasThis, want);
}

/// The result stands where the callee stood.
Reg FunctionCompiler::finishCall(Reg first, Reg want) {
    emit_.release(first.n);
    if (want == Any)
        return emit_.allocate();
    move(want, first);
    return want;
}

Reg FunctionCompiler::newExpression(New* e, Reg want) {
    Reg first = toNext(e->callee);
    emit_.allocate(), emit_.allocate();
    if (hasSpread(e->arguments)) {
        spreadArguments(e->arguments);
        emit_.place(e->callee->span, e->span.begin);
        emit_.emit(ops::ConstructSpread{.first = first});
    } else {
        u16 argc = arguments(e->arguments);
        emit_.place(e->callee->span, e->span.begin);
        emit_.emit(ops::Construct{.first = first, .argc = {argc}});
    }
    return finishCall(first, want);
}

/// 13.3.7.1: the parent constructor is looked up first, then come the arguments, then `this` is bound and the fields
/// are defined.
Reg FunctionCompiler::superCall(SuperCall* e, Reg want) {
    FunctionCompiler* from = provider();
    Reg first = emit_.allocate();
    emit_.allocate();
    Reg target = emit_.allocate();
    if (from == this)
        emit_.emit(ops::LoadCallee{.dst = first});
    else
        loadSlot(from->functionEnvironment_, from->functionEnvironment_->calleeSlot - 1, first);
    emit_.emit(ops::GetPrototype{.dst = first, .object = first});
    newTarget(target);
    if (hasSpread(e->arguments)) {
        spreadArguments(e->arguments);
        emit_.place(e->span);
        emit_.emit(ops::SuperCallSpread{.first = first});
    } else {
        u16 argc = arguments(e->arguments);
        emit_.place(e->span);
        emit_.emit(ops::SuperCall{.first = first, .argc = {argc}});
    }
    bindThis(first, e->span);
    return finishCall(first, want);
}

/// After super(): R(first) becomes `this`.
void FunctionCompiler::bindThis(Reg first, Span span) {
    FunctionCompiler* from = provider();
    EnvironmentScope* environment = from->functionEnvironment_;
    emit_.release(first.n + 1);
    emit_.place(span);
    if (environment && environment->thisSlot) {
        u16 mark = emit_.next();
        Reg before = loadSlot(environment, environment->thisSlot - 1, Any);
        emit_.emit(ops::CheckThisUninitialized{.a = before});
        emit_.release(mark);
        storeSlot(environment, environment->thisSlot - 1, first);
    } else {
        emit_.emit(ops::CheckThisUninitialized{.a = {0}});
        move({0}, first);
    }
    from->runFields(*this, first);
}

Reg FunctionCompiler::taggedTemplate(TaggedTemplate* e, Reg want) {
    Reg first{emit_.next()};
    bool hasThis = callee(e->tag, first);
    std::vector<Value> strings;
    for (TemplateChunk* chunk : e->quasi->chunks)
        strings.push_back(chunk->cooked ? Value::string(unit_.atom(chunk->cooked)) : Value::undefined());
    for (TemplateChunk* chunk : e->quasi->chunks)
        strings.push_back(Value::string(unit_.atom(chunk->raw)));
    Reg object = emit_.allocate();
    emit_.emit(ops::GetTemplateObject{
        .dst = object, .strings = emit_.constant(Value::object(newConstantArray(strings)), "tagged templates")});
    u16 argc = u16(1 + arguments(e->quasi->expressions));
    emit_.place(e->tag->span, e->quasi->span.begin);
    if (hasThis)
        emit_.emit(ops::CallWithThis{.first = first, .argc = {argc}});
    else
        emit_.emit(ops::Call{.first = first, .argc = {argc}});
    return finishCall(first, want);
}

}
