// Functions: entry, parameters, variables, exit, closures (ECMA-262 10.2.11, 15).
#include "interp/compiler/function_compiler.h"

namespace scr {

FunctionCompiler::FunctionCompiler(Unit& unit, FunctionCompiler* outer, EnvironmentScope* environment,
    FunctionNode& node, const FunctionSurroundings& surroundings, bool far)
    : unit_(unit)
    , outer_(outer)
    , node_(node)
    , info_(surroundings)
    , emit_(unit, far)
    , outerEnvironment_(environment)
    , environment_(environment) { }

Code* compileFunction(Unit& unit, FunctionCompiler* outer, EnvironmentScope* environment, FunctionNode& node,
    const FunctionSurroundings& surroundings) {
    if (!unit.hasStack(node.span))
        return nullptr;
    bool far = unit.farFunctions.count(&node);
    for (;;) {
        FunctionCompiler compiler(unit, outer, environment, node, surroundings, far);
        Code* code = compiler.compile();
        if (code || unit.failed())
            return code;
        far = true;
        unit.farFunctions.insert(&node);
    }
}

Code* FunctionCompiler::compile() {
    if (!outer_ && declaresGlobals(info_.goal))
        declareGlobals();
    spreadNames();
    facts_ = analyze(node_);
    if (info_.isFieldInitializer)
        analyzeFields(*info_.definition, info_.isStatic, facts_);
    if (evaluates()) { // the text may use what an arrow function may
        facts_.arrowUsesThis = facts_.arrowUsesNewTarget = true;
        facts_.arrowCallsSuper |= node_.isDerived;
    }
    prologue();
    body();
    epilogue();
    if (functionEnvironment_)
        closeEnvironment(functionEnvironment_);
    for (Scope* scope : moreScopes())
        closeEnvironment(static_cast<EnvironmentScope*>(scope->cache));
    if (unit_.failed() || emit_.needsFar())
        return nullptr;
    return makeCode();
}

/// The names at the top of a script live in no register and no environment: they are looked up.
void FunctionCompiler::declareGlobals() {
    for (Scope* scope : {node_.variableScope, node_.lexicalScope}) {
        if (!scope)
            continue;
        for (Declaration* d : scope->declarations) {
            d->isCaptured = true;
            d->scratch |= Global;
            bool isConstant = d->kind == DeclarationKind::Const;
            GlobalName::Kind kind = isConstant ? GlobalName::Const
                : d->isLexical()               ? GlobalName::Let
                : d->function                  ? GlobalName::Function
                                               : GlobalName::Var;
            unit_.globals->push_back({kind, unit_.atom(d->name)});
        }
    }
}

/// Names that neither the registers nor one environment have room for: they go into environments of their own.
void FunctionCompiler::spreadNames() {
    for (Scope* scope : {node_.variableScope, node_.lexicalScope})
        if (UNLIKELY(scope && scope->declarations.size() > MostNames))
            spread(*scope);
}

void FunctionCompiler::spread(Scope& scope) {
    std::vector<Scope*>& more = unit_.moreScopes[&node_];
    List<Declaration*> all = scope.declarations;
    scope.declarations = {};
    for (Declaration* d : all) {
        bool stays = isGlobal(d) || (d->scratch & Imported) || d->isExported || scope.declarations.size() < MostNames;
        if (stays) {
            scope.declarations.append(unit_.arena, d);
            continue;
        }
        if (more.empty() || more.back()->declarations.size() == MostNames) {
            more.push_back(unit_.arena.make<Scope>());
            more.back()->hasCaptured = true;
        }
        d->isCaptured = true;
        d->scope = more.back();
        more.back()->declarations.append(unit_.arena, d);
    }
}

const std::vector<Scope*>& FunctionCompiler::moreScopes() const {
    static const std::vector<Scope*> none;
    auto found = unit_.moreScopes.find(&node_);
    return LIKELY(found == unit_.moreScopes.end()) ? none : found->second;
}

/// A direct eval here, or in an arrow function inside, sees this function as its own.
bool FunctionCompiler::evaluates() const {
    if (node_.kind == FunctionKind::Arrow && outer_)
        return false;
    bool result = node_.hasDirectEval;
    if (info_.isFieldInitializer)
        for (ClassMember* member : info_.definition->members)
            result |= member->kind == MemberKind::Field && member->function && member->function->hasDirectEval;
    return result;
}

// ---- entry

static bool isArrow(const FunctionNode& node) { return node.kind == FunctionKind::Arrow; }

void FunctionCompiler::prologue() {
    allocateParameters();
    beginSuspendable();
    if (node_.kind == FunctionKind::ClassConstructor && !node_.isDerived)
        runFields(*this, {0});
    makeFunctionEnvironment();
    if (isArrow(node_) && facts_.thisUses > 1 && outer_ && !provider()->node_.isDerived && provider() != this) {
        Reg self = emit_.allocate();
        thisValue(node_.span, self);
        cachedThis_ = self;
    }
    bindParameters();
    initializeVariables();
    startGenerator();
    if (info_.goal == CompileGoal::Eval || declaresGlobals(info_.goal))
        emit_.loadUndefined(completion_ = emit_.allocate());
}

/// R(0) is this, then the parameters; behind them what the interpreter makes at entry.
void FunctionCompiler::allocateParameters() {
    emit_.allocate();
    for (u32 i = 0; i < node_.parameters.size(); i++)
        emit_.allocate();
    if (node_.rest || info_.restArguments)
        rest_ = emit_.allocate();
    if (isArrow(node_))
        return;
    if (node_.usesArguments && node_.parameterScope)
        for (Declaration* d : node_.parameterScope->declarations)
            if (d->kind == DeclarationKind::Arguments)
                arguments_ = emit_.allocate();
    if (node_.usesNewTarget || node_.callsSuper || node_.isDerived)
        newTarget_ = emit_.allocate();
}

/// One environment holds what is captured of parameters, variables and the body's names.
void FunctionCompiler::makeFunctionEnvironment() {
    bool isNeeded = facts_.arrowUsesThis || facts_.arrowUsesNewTarget || facts_.arrowCallsSuper;
    if (isArrow(node_) && outer_)
        isNeeded = false;
    for (Scope* scope : {node_.ownNameScope, node_.parameterScope, node_.variableScope, node_.lexicalScope})
        isNeeded |= scope && scope->hasCaptured && !isGlobal(scope->declarations[0]);
    if (isNeeded)
        functionEnvironment_ = openEnvironment(!outer_);
    for (Scope* scope : {node_.ownNameScope, node_.parameterScope, node_.variableScope, node_.lexicalScope})
        if (scope)
            scope->cache = functionEnvironment_;
    for (Scope* scope : moreScopes())
        scope->cache = openEnvironment(!outer_);
    if (!isNeeded)
        return;
    for (Scope* scope : {node_.ownNameScope, node_.parameterScope})
        if (scope)
            functionEnvironment_->scopes.append(unit_.arena, scope);
    if (!(isArrow(node_) && outer_))
        captureSurroundings();
    if (node_.ownNameScope && node_.ownNameScope->hasCaptured) {
        Declaration* own = node_.ownNameScope->declarations[0];
        own->slot = functionEnvironment_->slots++;
        Reg callee = emit_.allocate();
        emit_.emit(ops::LoadCallee{.dst = callee});
        storeSlot(functionEnvironment_, own->slot, callee);
        emit_.release(callee.n);
    }
}

/// What arrow functions inside take from here. A derived constructor's `this` lives there alone.
void FunctionCompiler::captureSurroundings() {
    EnvironmentScope* environment = functionEnvironment_;
    if (facts_.arrowUsesThis) {
        u32 slot = hiddenSlot(environment, environment->thisSlot);
        if (!node_.isDerived)
            storeSlot(environment, slot, {0});
    }
    if (facts_.arrowUsesNewTarget) {
        Reg value = newTarget(Any);
        storeSlot(environment, hiddenSlot(environment, environment->newTargetSlot), value);
        emit_.release(value == newTarget_ ? emit_.next() : value.n);
    }
    if (facts_.arrowCallsSuper) {
        Reg callee = emit_.allocate();
        emit_.emit(ops::LoadCallee{.dst = callee});
        storeSlot(environment, hiddenSlot(environment, environment->calleeSlot), callee);
        emit_.release(callee.n);
    }
}

/// The declaration of parameter number `index` if it is a plain name whose value may stay where the caller put it.
static Declaration* plainParameter(FunctionNode& node, u32 index) {
    Identifier* name = node.parameters[index]->target->asIf<Identifier>();
    Declaration* d = name ? name->declaration : nullptr;
    return d && !d->isCaptured && !(d->isEarly && node.hasParameterExpressions) ? d : nullptr;
}

void FunctionCompiler::bindParameters() {
    if (Scope* scope = node_.parameterScope) {
        for (Declaration* d : scope->declarations)
            d->slot = 0xFFFF; // not placed
        for (u32 i = 0; i < node_.parameters.size(); i++)
            if (Declaration* d = plainParameter(node_, i)) {
                d->slot = i + 1;
                d->scratch &= MayBeObject;
            }
        for (Declaration* d : scope->declarations)
            if (d->slot == 0xFFFF)
                placeParameter(d);
    }
    for (u32 i = 0; i < node_.parameters.size(); i++)
        bindParameter(node_.parameters[i], {u16(i + 1)});
    if (!node_.rest)
        return;
    placePattern(node_.rest);
    bindTarget(node_.rest, rest_, true);
}

void FunctionCompiler::placeParameter(Declaration* d) {
    d->scratch &= MayBeObject;
    if (d->isCaptured) {
        d->slot = functionEnvironment_->slots++;
    } else if (d->kind == DeclarationKind::Arguments) {
        d->slot = arguments_.n;
    } else if (Identifier* rest = node_.rest ? node_.rest->asIf<Identifier>() : nullptr;
               rest && rest->declaration == d) {
        d->slot = rest_.n;
    } else {
        placeNow(d);
        if (d->isEarly)
            emit_.loadSpecial(registerOf(d), Value::Uninitialized);
    }
    if (d->kind == DeclarationKind::Arguments) {
        if (d->isCaptured)
            storeSlot(functionEnvironment_, d->slot, arguments_);
        d->scratch |= Initialized;
    }
}

void FunctionCompiler::bindParameter(PatternElement* parameter, Reg from) {
    withDefault(from, parameter->initializer, parameter->target);
    Identifier* name = parameter->target->asIf<Identifier>();
    if (name && isLocal(name->declaration) && registerOf(name->declaration) == from) {
        name->declaration->scratch |= Initialized;
        return;
    }
    if (name)
        return bindTarget(parameter->target, from, true);
    // Errors show the value: no expression names it, unless there is a default, whose choice V8 names.
    Span source{parameter->span.begin, parameter->span.begin};
    if (parameter->initializer && parameter->target->is<ObjectPattern>())
        source = parameter->span;
    destructure(parameter->target, from, true, source);
}

/// Variables begin as undefined (or as the parameter of that name, when the parameters have a scope of their own);
/// functions have their value at once. Lexical names only get their place.
void FunctionCompiler::initializeVariables() {
    for (Scope* scope : {node_.variableScope, node_.lexicalScope})
        if (scope)
            placeNames(scope);
    for (Scope* scope : moreScopes())
        placeNames(scope);
    if (node_.variableScope)
        beginVariables(node_.variableScope);
    for (Scope* scope : moreScopes())
        beginVariables(scope);
    for (Scope* scope : {node_.parameterScope, node_.variableScope, node_.lexicalScope})
        if (scope)
            hoistFunctions(scope);
    for (Scope* scope : moreScopes())
        hoistFunctions(scope);
}

void FunctionCompiler::placeNames(Scope* scope) {
    auto* environment = static_cast<EnvironmentScope*>(scope->cache);
    if (environment)
        environment->scopes.append(unit_.arena, scope);
    for (Declaration* d : scope->declarations)
        if (!isGlobal(d))
            placeDeclaration(d, environment, false);
}

void FunctionCompiler::beginVariables(Scope* scope) {
    Reg undefined = Any;
    u16 mark = emit_.next();
    for (Declaration* d : scope->declarations) {
        if (d->function || d->isLexical() || isGlobal(d))
            continue;
        Declaration* parameter = node_.hasParameterExpressions ? parameterNamed(d->name) : nullptr;
        if (parameter) {
            Reg value =
                isLocal(parameter) ? registerOf(parameter) : loadSlot(environmentOf(parameter), parameter->slot, Any);
            initialize(d, value);
        } else if (isLocal(d)) {
            emit_.loadUndefined(registerOf(d));
        } else {
            if (undefined == Any)
                emit_.loadUndefined(undefined = emit_.allocate());
            storeSlot(environmentOf(d), d->slot, undefined);
        }
    }
    emit_.release(mark);
}

Declaration* FunctionCompiler::parameterNamed(Name* name) {
    if (node_.parameterScope)
        for (Declaration* d : node_.parameterScope->declarations)
            if (d->name == name)
                return d;
    return nullptr;
}

// ---- body and exit

void FunctionCompiler::body() {
    if (info_.isFieldInitializer)
        return defineFields();
    if (node_.expressionBody)
        return returnValue(node_.expressionBody);
    if (info_.restArguments)
        return defaultDerivedBody();
    UsingScope disposal;
    beginUsing(disposal, node_.lexicalScope);
    for (Stmt* each : node_.body) {
        atTopLevel_ = true;
        statement(each);
    }
    endUsing(disposal, node_.bodySpan.end);
}

void FunctionCompiler::epilogue() {
    if (!emit_.isUnreachable())
        endOfBody();
    endSuspendable();
}

void FunctionCompiler::endOfBody() {
    Reg value = Any;
    if (!(completion_ == Any))
        value = completion_;
    else if (node_.isDerived)
        emit_.loadUndefined(value = emit_.allocate());
    if (info_.goal == CompileGoal::Repl && suspends())
        value = wrapCompletion();
    emitReturn(value);
}

/// What an async text comes to is no promise and has no `then`, so it reaches the host as it is.
Reg FunctionCompiler::wrapCompletion() {
    Reg object = emit_.allocate(), prototype = emit_.allocate();
    emit_.emit(ops::NewObject{.dst = object, .inlineSlots = {1}});
    emit_.loadSpecial(prototype, Value::Null);
    emit_.place(node_.span);
    emit_.emit(ops::SetLiteralPrototype{.object = object, .value = prototype});
    StaticKey key;
    key.atom = unit_.vm.names.value;
    defineMember(object, key, completion_, node_.span);
    return object;
}

u16 FunctionCompiler::flags() const {
    u16 flags = 0;
    switch (node_.kind) {
    case FunctionKind::Normal: flags = suspends() ? 0 : InfoConstructor; break;
    case FunctionKind::Arrow: flags = InfoArrow; break;
    case FunctionKind::ClassConstructor: flags = InfoConstructor | InfoClassConstructor; break;
    default: flags = InfoMethod; break;
    }
    if (node_.isDerived)
        flags |= u16(InfoDerived) | u16(CodeDerivedThis);
    if (unit_.isBuiltin)
        flags |= CodeBuiltin;
    flags |= (node_.isGenerator ? InfoGenerator : 0) | (node_.isAsync ? InfoAsync : 0);
    if (!outer_)
        flags |= CodeTopLevel;
    return flags;
}

Code* FunctionCompiler::makeCode() {
    Vm& vm = unit_.vm;
    CodeParts parts{};
    parts.name = info_.name ? info_.name : node_.name ? unit_.atom(node_.name->name) : vm.emptyStringCell;
    parts.script = unit_.script;
    parts.realm = unit_.realm;
    parts.flags = flags();
    parts.length = u16(node_.length);
    parts.parameterCount = u16(node_.parameters.size());
    parts.restRegister = rest_.n;
    parts.argumentsRegister = arguments_.n;
    parts.newTargetRegister = newTarget_.n;
    bool isSlow =
        rest_.n || arguments_.n || newTarget_.n || node_.isDerived || node_.kind == FunctionKind::ClassConstructor;
    parts.entryArgc = isSlow ? 0xFFFF : parts.parameterCount;
    u32 slots = facts_.thisProperties;
    Span source = node_.span;
    if (node_.kind == FunctionKind::ClassConstructor) {
        source = info_.definition->span;
        for (ClassMember* member : info_.definition->members)
            slots += member->kind == MemberKind::Field && !member->isStatic;
        slots += info_.privates && info_.privates->brand.exists();
    }
    parts.instanceSlots = u16(slots ? (slots + 1 < 32 ? slots + 1 : 32) : 0);
    parts.frameCapacity = frameCapacity_;
    parts.sourceBegin = source.begin;
    parts.sourceEnd = source.end;
    emit_.finish(parts);
    Code* code = newCode(vm, parts);
    unit_.keep(Value::cell(code));
    return code;
}

// ---- closures

Reg FunctionCompiler::closure(FunctionNode& function, const FunctionSurroundings& surroundings, Reg want) {
    Code* code = compileFunction(unit_, this, environment_, function, surroundings);
    Reg dst = target(want);
    if (!code)
        return dst;
    if (UNLIKELY(!emit_.hasRoomForName(Value::cell(code)))) {
        u16 mark = emit_.next();
        Reg cell = emit_.allocate();
        emit_.loadConstant(cell, Value::cell(code));
        emit_.emit(ops::ClosureOf{.dst = dst, .code = cell, .env = environmentRegister()});
        emit_.release(mark);
        return dst;
    }
    Const constant = emit_.constant(Value::cell(code), "functions");
    emit_.emit(ops::Closure{.dst = dst, .code = constant, .env = environmentRegister()});
    return dst;
}

Reg FunctionCompiler::functionExpression(FunctionExpression* e, String* name, Reg want) {
    FunctionSurroundings surroundings;
    surroundings.name = name;
    return closure(*e->function, surroundings, want);
}

}
