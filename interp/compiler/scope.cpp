// Bindings: where each name lives, how it is read, checked, written and initialised (ECMA-262 9.1, 13.1).
#include "interp/compiler/function_compiler.h"

namespace scr {

// ---- environments

Reg FunctionCompiler::environmentRegister() const {
    return environment_ && environment_->owner == this ? environment_->reg : NoReg;
}

EnvironmentScope* FunctionCompiler::openEnvironment(bool existsOnce) {
    auto* environment = unit_.arena.make<EnvironmentScope>();
    environment->parent = environment_;
    environment->owner = this;
    environment->existsOnce = existsOnce;
    Reg parent = environmentRegister();
    environment->reg = emit_.allocate();
    environment->word = emit_.emit(ops::NewEnvironment{.dst = environment->reg, .parent = parent});
    environment_ = environment;
    return environment;
}

void FunctionCompiler::closeEnvironment(EnvironmentScope* environment) {
    if (environment->slots > 0xFFFF)
        unit_.fail(node_.span, "a scope has more than 65,535 variables that functions inside it use");
    emit_.at<ops::NewEnvironment>(environment->word).count.n = u16(environment->slots);
}

u32 FunctionCompiler::hiddenSlot(EnvironmentScope* environment, u32& slot) {
    if (!slot)
        slot = ++environment->slots;
    return slot - 1;
}

u32 FunctionCompiler::hopsTo(EnvironmentScope* environment) const {
    u32 hops = 0;
    for (EnvironmentScope* at = outerEnvironment_; at != environment; at = at->parent)
        hops++;
    return hops;
}

Reg FunctionCompiler::loadSlot(EnvironmentScope* environment, u32 slot, Reg want) {
    Reg dst = target(want);
    if (isStored(environment, slot, dst))
        return dst;
    Slot number{u16(slot)};
    if (environment->owner == this) {
        emit_.emit(ops::GetSlot{.dst = dst, .env = environment->reg, .slot = number});
        return dst;
    }
    u32 hops = hopsTo(environment);
    if (hops == 0)
        emit_.emit(ops::GetCaptured{.dst = dst, .slot = number});
    else if (hops == 1)
        emit_.emit(ops::GetCaptured1{.dst = dst, .slot = number});
    else
        emit_.emit(ops::GetCapturedN{.dst = dst, .slot = number, .hops = {u16(hops)}});
    return dst;
}

/// Whether the instruction just before has stored that very register there.
bool FunctionCompiler::isStored(EnvironmentScope* environment, u32 slot, Reg value) const {
    if (environment->owner == this) {
        auto* store = emit_.previous<ops::SetSlot>();
        return store && store->env == environment->reg && store->slot.n == slot && store->src == value;
    }
    u32 hops = hopsTo(environment);
    if (hops == 0) {
        auto* store = emit_.previous<ops::SetCaptured>();
        return store && store->slot.n == slot && store->src == value;
    }
    if (hops == 1) {
        auto* store = emit_.previous<ops::SetCaptured1>();
        return store && store->slot.n == slot && store->src == value;
    }
    auto* store = emit_.previous<ops::SetCapturedN>();
    return store && store->slot.n == slot && store->src == value && store->hops.n == hops;
}

void FunctionCompiler::storeSlot(EnvironmentScope* environment, u32 slot, Reg value) {
    Slot number{u16(slot)};
    if (environment->owner == this) {
        emit_.emit(ops::SetSlot{.env = environment->reg, .slot = number, .src = value});
        return;
    }
    u32 hops = hopsTo(environment);
    if (hops == 0)
        emit_.emit(ops::SetCaptured{.slot = number, .src = value});
    else if (hops == 1)
        emit_.emit(ops::SetCaptured1{.slot = number, .src = value});
    else
        emit_.emit(ops::SetCapturedN{.slot = number, .src = value, .hops = {u16(hops)}});
}

// ---- scopes

FunctionCompiler::OpenScope FunctionCompiler::enterScope(Scope* scope, bool placeAll) {
    OpenScope open{environment_, emit_.next()};
    if (!scope)
        return open;
    bool existsOnce = !outer_ && loops_ == 0;
    EnvironmentScope* environment = scope->hasCaptured ? openEnvironment(existsOnce) : nullptr;
    scope->cache = environment;
    if (environment)
        environment->scopes.append(unit_.arena, scope);
    for (Declaration* declaration : scope->declarations)
        placeDeclaration(declaration, environment, placeAll);
    hoistFunctions(scope);
    return open;
}

void FunctionCompiler::leaveScope(const OpenScope& open) {
    if (environment_ != open.environment)
        closeEnvironment(environment_);
    environment_ = open.environment;
    emit_.release(open.mark);
}

/// A local that nothing reaches too early gets its register where its declaration stands: then its initial value is
/// computed right there.
void FunctionCompiler::placeDeclaration(Declaration* declaration, EnvironmentScope* environment, bool placeAll) {
    if (declaration->scratch & Imported)
        return;
    declaration->scratch &= MayBeObject;
    if (declaration->isCaptured) {
        declaration->slot = environment->slots++;
        return;
    }
    if (declaration->isLexical() && !declaration->isEarly && !placeAll) {
        declaration->scratch |= Unplaced;
        return;
    }
    placeNow(declaration);
    if ((declaration->isLexical() || declaration->kind == DeclarationKind::Catch) && declaration->isEarly)
        emit_.loadSpecial(registerOf(declaration), Value::Uninitialized);
}

void FunctionCompiler::placeNow(Declaration* declaration) {
    declaration->slot = emit_.allocate().n;
    declaration->scratch &= ~u32(Unplaced);
}

/// Functions of a block have their value from its beginning (14.2.3).
void FunctionCompiler::hoistFunctions(Scope* scope) {
    for (Declaration* declaration : scope->declarations) {
        if (!declaration->function)
            continue;
        u16 mark = emit_.next();
        bool local = isLocal(declaration);
        FunctionSurroundings surroundings;
        surroundings.name = defaultName(declaration);
        Reg value = closure(*declaration->function, surroundings, local ? registerOf(declaration) : Any);
        if (!local)
            initialize(declaration, value);
        declaration->scratch |= Initialized;
        emit_.release(mark);
    }
}

bool FunctionCompiler::needsCheck(Declaration* d) {
    if (d->scratch & (Initialized | Global))
        return false;
    bool isHead = d->kind == DeclarationKind::Parameter || d->kind == DeclarationKind::Catch;
    return d->isLexical() || (isHead && d->isEarly);
}

// ---- reading

Reg FunctionCompiler::identifier(Identifier* e, Reg want) {
    return isGlobal(e->declaration) ? global(e, want, false) : loadBinding(e, want);
}

Reg FunctionCompiler::global(Identifier* e, Reg want, bool orUndefined) {
    Reg dst = target(want);
    if (e->name->equals("undefined")) {
        emit_.loadUndefined(dst);
        return dst;
    }
    Const name = emit_.constant(Value::string(unit_.atom(e->name)), "names");
    emit_.place(e->span, namePoint(e->span, 0));
    if (orUndefined)
        emit_.emit(ops::GetGlobalOrUndefined{.dst = dst, .name = name});
    else
        emit_.emit(ops::GetGlobal{.dst = dst, .name = name});
    return dst;
}

Reg FunctionCompiler::loadBinding(Identifier* e, Reg want) {
    Declaration* d = e->declaration;
    if (UNLIKELY(d->scratch & Imported))
        return importedName(e, want);
    bool check = needsCheck(d);
    if (isLocal(d)) {
        ASSERT(!isUnplaced(d));
        if (check)
            checkInitialized(d, registerOf(d), e->span, namePoint(e->span, 0));
        return settle(want, registerOf(d));
    }
    if (!d->isCaptured) { // the own name of a function expression, used by itself
        Reg dst = target(want);
        emit_.emit(ops::LoadCallee{.dst = dst});
        return dst;
    }
    EnvironmentScope* environment = environmentOf(d);
    if (check && environment->existsOnce && environment->owner != this) {
        Reg dst = target(want);
        emit_.place(e->span, namePoint(e->span, 0));
        emit_.emit(ops::GetCapturedOnce{.dst = dst, .slot = {u16(d->slot)}, .hops = {u16(hopsTo(environment))}});
        return dst;
    }
    // Checked before it can reach a variable that a handler sees.
    if (check && want != Any && tries_) {
        Reg value = loadSlot(environment, d->slot, Any);
        checkInitialized(d, value, e->span, namePoint(e->span, 1));
        return settle(want, value);
    }
    Reg dst = loadSlot(environment, d->slot, want);
    if (check)
        checkInitialized(d, dst, e->span, namePoint(e->span, 1));
    return dst;
}

void FunctionCompiler::checkInitialized(Declaration* d, Reg value, Span span, u32 point) {
    emit_.place(span, point);
    emit_.emit(ops::CheckInitialized{.a = value, .name = emit_.constant(Value::string(unit_.atom(d->name)), "names")});
}

// ---- writing

void FunctionCompiler::checkBeforeStore(Identifier* e, u32 point) {
    Declaration* d = e->declaration;
    if (!needsCheck(d))
        return;
    u16 mark = emit_.next();
    Reg value = isLocal(d) ? registerOf(d) : loadSlot(environmentOf(d), d->slot, Any);
    emit_.place(e->span, point);
    emit_.emit(ops::CheckInitialized{.a = value, .name = emit_.constant(Value::string(unit_.atom(d->name)), "names")});
    emit_.release(mark);
}

/// Assigning to a constant throws when the right side has been evaluated (9.1.1.1.5).
bool FunctionCompiler::refuseConstant(Identifier* e, u32 point) {
    Declaration* d = e->declaration;
    if (!d || !d->isConstant())
        return false;
    checkBeforeStore(e, point);
    emit_.place(e->span, point);
    Const name = emit_.constant(Value::string(unit_.atom(e->name)), "names");
    emit_.emit(ops::ThrowError{.error = {i16(Error::AssignConstant)}, .argument = name});
    return true;
}

void FunctionCompiler::storeIdentifier(Identifier* e, Reg value, u32 point) {
    Declaration* d = e->declaration;
    if (isGlobal(d)) {
        emit_.place(e->span, point);
        emit_.emit(ops::SetGlobal{.src = value, .name = emit_.constant(Value::string(unit_.atom(e->name)), "names")});
        return;
    }
    if (refuseConstant(e, point))
        return;
    checkBeforeStore(e, point);
    if (isLocal(d))
        move(registerOf(d), value);
    else
        storeSlot(environmentOf(d), d->slot, value);
}

void FunctionCompiler::initialize(Declaration* d, Reg value) {
    if (isGlobal(d)) {
        Const name = emit_.constant(Value::string(unit_.atom(d->name)), "names");
        if (d->isLexical())
            emit_.emit(ops::InitializeGlobal{.src = value, .name = name});
        else
            emit_.emit(ops::SetGlobal{.src = value, .name = name});
    } else if (d->isCaptured) {
        storeSlot(environmentOf(d), d->slot, value);
    } else {
        if (isUnplaced(d))
            placeNow(d);
        move(registerOf(d), value);
    }
    d->scratch |= Initialized;
}

/// `let x = value`: an unplaced x takes the register in which its value was computed.
void FunctionCompiler::initializeWith(Declaration* d, Expr* value) {
    String* name = isAnonymousFunction(value) ? unit_.atom(d->name) : nullptr;
    u16 mark = emit_.next();
    if (isLocal(d) && !isUnplaced(d)) {
        assignRegister(registerOf(d), value, name);
        d->scratch |= Initialized;
        return;
    }
    Reg result = named(value, name, Any);
    if (d->isCaptured) {
        initialize(d, result);
        emit_.release(mark);
        return;
    }
    emit_.release(mark);
    placeNow(d);
    move(registerOf(d), result);
    d->scratch |= Initialized;
}

void FunctionCompiler::assignRegister(Reg local, Expr* value, String* name) {
    u16 mark = emit_.next();
    if (writesLast(value, local))
        named(value, name, local);
    else
        move(local, named(value, name, Any));
    emit_.release(mark);
}

/// Whether compiling `e` into the variable `local` writes it as the last thing, or so that nobody can tell.
bool FunctionCompiler::writesLast(Expr* e, Reg local) {
    switch (e->kind) {
    case NodeKind::Conditional:
        return writesLast(e->as<Conditional>()->then, local) && writesLast(e->as<Conditional>()->otherwise, local);
    case NodeKind::Sequence: return writesLast(e->as<Sequence>()->expressions.last(), local);
    case NodeKind::Logical: {
        Logical* logical = e->as<Logical>();
        return !tries_ && !mayTouch(logical->right, local, true) && writesLast(logical->left, local)
            && writesLast(logical->right, local);
    }
    case NodeKind::ArrayLiteral: {
        for (Expr* element : e->as<ArrayLiteral>()->elements)
            if (!element || element->is<Spread>())
                return false;
        return e->as<ArrayLiteral>()->elements.size() <= 64;
    }
    case NodeKind::ObjectLiteral: return isPlainLiteral(e->as<ObjectLiteral>());
    case NodeKind::Update: return e->as<Update>()->isPrefix || !mayTouch(e, local, true);
    case NodeKind::Assign:
    case NodeKind::CompoundAssign:
    case NodeKind::LogicalAssign: return false;
    default: return true;
    }
}

}
