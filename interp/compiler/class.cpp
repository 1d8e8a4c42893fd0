// Classes (ECMA-262 15.7). The class scope's environment holds the inner name and, hidden, the home objects that super
// needs, the function that defines the fields of an instance, and the computed keys of fields.
#include "interp/compiler/function_compiler.h"

namespace scr {

namespace {

bool isField(ClassMember* member) {
    return member->kind == MemberKind::Field || member->kind == MemberKind::StaticBlock;
}

/// Some function of the class looks for its home object.
bool usesSuper(Class& definition) {
    for (ClassMember* member : definition.members)
        if (member->function && (member->function->usesSuper || member->function->hasDirectEval))
            return true;
    return definition.constructor && (definition.constructor->usesSuper || definition.constructor->hasDirectEval);
}

bool isSimpleValue(Expr* e) {
    double number;
    if (isNumber(e, number) || isUndefined(e))
        return true;
    switch (e->kind) {
    case NodeKind::NullLiteral:
    case NodeKind::BooleanLiteral:
    case NodeKind::StringLiteral: return true;
    case NodeKind::ArrayLiteral: return e->as<ArrayLiteral>()->elements.isEmpty();
    case NodeKind::ObjectLiteral: return e->as<ObjectLiteral>()->properties.isEmpty();
    default: return false;
    }
}

}

/// Few fields, whose values can neither throw nor see where they stand: constructors define them on their own.
bool FunctionCompiler::hasSimpleFields(Class* definition, bool isStatic) {
    u32 count = 0;
    for (ClassMember* member : definition->members) {
        if (member->isStatic != isStatic || !isField(member))
            continue;
        if (member->kind == MemberKind::StaticBlock || member->computed || ++count > 16
            || (member->function && !isSimpleValue(member->function->expressionBody)))
            return false;
    }
    return true;
}

FunctionNode* FunctionCompiler::syntheticFunction(FunctionKind kind, Span span) {
    FunctionNode* node = makeNode<FunctionNode>(unit_.arena, span, kind);
    node->bodySpan = span;
    return node;
}

/// R(result) is the constructor. While members are made, R(result + 1) is the prototype.
Reg FunctionCompiler::classExpression(Class* definition, String* name, Reg want) {
    if (definition->name)
        name = unit_.atom(definition->name->name);
    u16 mark = emit_.next();
    Reg pair = emit_.allocate();
    emit_.allocate();
    bool evaluates = definition->constructor && definition->constructor->hasDirectEval;
    bool inlineFields = hasSimpleFields(definition, false) && !evaluates; // an eval may call super()
    bool existsOnce = !outer_ && loops_ == 0;
    bool needsEnvironment = usesSuper(*definition) || (definition->hasInstanceFields && !inlineFields)
        || hasComputedFields(definition) || needsPrivateSlots(definition, existsOnce);
    OpenScope open = enterScope(definition->scope);
    EnvironmentScope* environment = environment_ != open.environment ? environment_ : nullptr;
    if (!environment && needsEnvironment)
        environment = openEnvironment(false);
    if (definition->heritage) {
        beginStatement(definition->heritage->span.begin);
        expression(definition->heritage, pair);
    } else {
        emit_.loadSpecial(pair, Value::Hole);
    }
    String* className = definition->name ? name : unit_.keep(Value::string(newAscii(unit_.vm, "anonymous"))).asString();
    ClassScope scope{unit_.classes, environment, className, {}, {}, {}, nullptr};
    unit_.classes = &scope;
    makePrivateNames(scope, definition, existsOnce);
    makeClass(definition, name, pair, environment, inlineFields);
    unit_.classes = scope.outer;
    leaveScope(open);
    emit_.release(mark + 1);
    return settle(want, pair);
}

bool FunctionCompiler::hasComputedFields(Class* definition) {
    for (ClassMember* member : definition->members)
        if (member->kind == MemberKind::Field && member->computed)
            return true;
    return false;
}

void FunctionCompiler::makeClass(
    Class* definition, String* name, Reg pair, EnvironmentScope* environment, bool inlineFields) {
    Declaration* inner = definition->scope ? definition->scope->declarations[0] : nullptr;
    Reg prototype{u16(pair.n + 1)};
    if (environment_ && environment_->owner == this)
        move(prototype, environment_->reg);
    else
        emit_.emit(ops::LoadEnvironment{.dst = prototype});
    if (inner) // no function of the class runs before its name has a value, but those in computed keys
        inner->scratch |= Initialized;
    bool runsFields = definition->hasInstanceFields && !inlineFields;
    if (runsFields)
        hiddenSlot(environment, environment->fieldsSlot);
    Code* code = constructorCode(definition, name, environment, inlineFields);
    if (!code)
        return;
    emit_.place(definition->heritage ? definition->heritage->span : definition->span);
    emit_.emit(ops::NewClass{.dst = pair, .code = emit_.constant(Value::cell(code), "functions")});
    std::vector<u32> keys; // of computed fields, by member: slot + 1
    for (ClassMember* member : definition->members) {
        keys.push_back(0);
        if (inner)
            inner->scratch &= ~u32(Initialized);
        if (!isField(member) && member->key->is<PrivateName>())
            privateMethod(member, environment);
        else if (!isField(member))
            classMethod(member, pair, environment, inner);
        else if (member->computed)
            keys.back() = fieldKey(member, environment);
    }
    if (inner)
        initialize(inner, pair);
    if (runsFields)
        makeFields(definition, environment, keys);
    if (environment && environment->homeSlot) // known now: everything that may ask for it has been compiled
        storeSlot(environment, environment->homeSlot - 1, prototype);
    addBrand(*unit_.classes, true, pair, definition->span);
    bool runsStatic = definition->hasStaticElements && !hasSimpleFields(definition, true);
    if (definition->hasStaticElements && !runsStatic)
        defineSimpleFields(definition, true, *this, pair, *unit_.classes);
    else if (runsStatic)
        runStaticElements(definition, pair, environment, keys);
    if (environment && environment->staticHomeSlot && !runsStatic)
        storeSlot(environment, environment->staticHomeSlot - 1, pair);
}

Code* FunctionCompiler::constructorCode(
    Class* definition, String* name, EnvironmentScope* environment, bool inlineFields) {
    FunctionNode* function = definition->constructor;
    FunctionSurroundings surroundings;
    if (!function) {
        function = syntheticFunction(FunctionKind::ClassConstructor, definition->span);
        function->isDerived = definition->heritage;
        function->callsSuper = definition->heritage;
        surroundings.restArguments = definition->heritage;
    }
    surroundings.name = name ? name : unit_.vm.emptyStringCell;
    surroundings.home = environment;
    surroundings.definition = definition;
    surroundings.classScope = environment;
    surroundings.privates = unit_.classes;
    surroundings.inlineFields = inlineFields;
    return compileFunction(unit_, this, environment_, *function, surroundings);
}

/// constructor(...args) { super(...args); } without the iteration.
void FunctionCompiler::defaultDerivedBody() {
    Reg first = emit_.allocate();
    emit_.allocate();
    Reg target = emit_.allocate();
    Reg array = emit_.allocate();
    emit_.emit(ops::LoadCallee{.dst = first});
    emit_.emit(ops::GetPrototype{.dst = first, .object = first});
    move(target, newTarget_);
    move(array, rest_);
    emit_.place(node_.span);
    emit_.emit(ops::SuperCallSpread{.first = first});
    bindThis(first, node_.span);
    thisIsInitialized_ = true;
    emit_.release(first.n);
}

// ---- members

void FunctionCompiler::classMethod(ClassMember* member, Reg pair, EnvironmentScope* environment, Declaration* inner) {
    u16 mark = emit_.next();
    bool isGetter = member->kind == MemberKind::Getter, isSetter = member->kind == MemberKind::Setter;
    Reg object{u16(member->isStatic ? pair.n : pair.n + 1)};
    StaticKey key;
    Reg name;
    FunctionSurroundings surroundings;
    surroundings.home = environment;
    surroundings.isStatic = member->isStatic;
    if (!member->computed && staticKey(member->key, false, key)) {
        loadKey(name = emit_.allocate(), key);
        surroundings.name = isGetter || isSetter ? joinName(isGetter ? "get " : "set ", key.atom) : key.atom;
    } else {
        name = propertyKey(member->key);
    }
    if (inner)
        inner->scratch |= Initialized;
    Reg function = closure(*member->function, surroundings, Any);
    emit_.place(member->key->span);
    if (!surroundings.name)
        emit_.emit(ops::SetFunctionName{.function = function,
            .key = name,
            .prefix = {i16(isGetter ? 1
                    : isSetter      ? 2
                                    : 0)}});
    if (isGetter)
        emit_.emit(ops::DefineClassGetter{.object = object, .key = name, .function = function});
    else if (isSetter)
        emit_.emit(ops::DefineClassSetter{.object = object, .key = name, .function = function});
    else
        emit_.emit(ops::DefineMethod{.object = object, .key = name, .function = function});
    emit_.release(mark);
}

/// Evaluates the computed key of a field, once; its slot + 1.
u32 FunctionCompiler::fieldKey(ClassMember* member, EnvironmentScope* environment) {
    u16 mark = emit_.next();
    Reg key = propertyKey(member->key);
    u32 slot = environment->slots++;
    storeSlot(environment, slot, key);
    emit_.release(mark);
    return slot + 1;
}

// ---- fields

/// The function that defines the fields of an instance, in its hidden binding.
void FunctionCompiler::makeFields(Class* definition, EnvironmentScope* environment, const std::vector<u32>& keys) {
    FunctionSurroundings surroundings;
    surroundings.name = unit_.keep(Value::string(newAscii(unit_.vm, "<instance_members_initializer>"))).asString();
    surroundings.home = environment;
    surroundings.definition = definition;
    surroundings.isFieldInitializer = true;
    surroundings.privates = unit_.classes;
    surroundings.fieldKeys = &keys;
    u16 mark = emit_.next();
    Reg function = closure(*syntheticFunction(FunctionKind::FieldInitializer, definition->span), surroundings, Any);
    storeSlot(environment, environment->fieldsSlot - 1, function);
    emit_.release(mark);
}

/// Static fields and blocks run as one method of the constructor.
void FunctionCompiler::runStaticElements(
    Class* definition, Reg pair, EnvironmentScope* environment, const std::vector<u32>& keys) {
    FunctionSurroundings surroundings;
    surroundings.name = unit_.keep(Value::string(newAscii(unit_.vm, "<static_initializer>"))).asString();
    surroundings.home = environment;
    surroundings.isStatic = true;
    surroundings.definition = definition;
    surroundings.isFieldInitializer = true;
    surroundings.privates = unit_.classes;
    surroundings.fieldKeys = &keys;
    u16 mark = emit_.next();
    Reg first = closure(*syntheticFunction(FunctionKind::FieldInitializer, definition->span), surroundings, Any);
    if (environment && environment->staticHomeSlot)
        storeSlot(environment, environment->staticHomeSlot - 1, pair);
    emit_.allocate();
    move(emit_.allocate(), pair);
    emit_.place(definition->span);
    emit_.emit(ops::CallWithThis{.first = first, .argc = {0}});
    emit_.release(mark);
}

/// The body of a field initializer.
void FunctionCompiler::defineFields() {
    const List<ClassMember*>& members = info_.definition->members;
    if (!info_.isStatic)
        addBrand(*info_.privates, false, {0}, info_.definition->span);
    for (u32 i = 0; i < members.size(); i++) {
        u16 mark = emit_.next();
        if (members[i]->isStatic != info_.isStatic)
            continue;
        if (members[i]->kind == MemberKind::StaticBlock) {
            FunctionSurroundings surroundings;
            surroundings.home = info_.home;
            surroundings.isStatic = true;
            Reg first = closure(*members[i]->function, surroundings, Any);
            emit_.allocate();
            move(emit_.allocate(), {0});
            emit_.place(members[i]->span);
            emit_.emit(ops::CallWithThis{.first = first, .argc = {0}});
        } else if (members[i]->kind == MemberKind::Field) {
            defineFieldMember(members[i], {0}, (*info_.fieldKeys)[i], *info_.privates);
        }
        emit_.release(mark);
    }
}

/// keySlot: of the evaluated key, + 1; 0 if the key is static.
void FunctionCompiler::defineFieldMember(ClassMember* member, Reg self, u32 keySlot, const ClassScope& privates) {
    u16 mark = emit_.next();
    StaticKey key;
    Reg computed = Any;
    PrivateName* secret = member->key->asIf<PrivateName>();
    if (keySlot)
        computed = loadSlot(info_.home, keySlot - 1, Any);
    else if (secret)
        key.atom = unit_.atom(secret->name);
    else if (!staticKey(member->key, false, key))
        return;
    Reg value;
    if (!member->function) {
        emit_.loadUndefined(value = emit_.allocate());
    } else {
        Expr* initializer = member->function->expressionBody;
        value = named(initializer, keySlot ? nullptr : key.atom, Any);
        if (keySlot && isAnonymousFunction(initializer))
            emit_.emit(ops::SetFunctionName{.function = value, .key = computed, .prefix = {0}});
    }
    if (secret) {
        addPrivate(privates, privates.elements.at(key.atom).key, self, value, member->span);
    } else if (keySlot) {
        emit_.place(member->span);
        emit_.emit(ops::DefineElement{.object = self, .key = computed, .src = value});
    } else {
        defineMember(self, key, value, member->span);
    }
    emit_.release(mark);
}

void FunctionCompiler::defineSimpleFields(
    Class* definition, bool isStatic, FunctionCompiler& at, Reg self, const ClassScope& privates) {
    for (ClassMember* member : definition->members)
        if (member->kind == MemberKind::Field && member->isStatic == isStatic)
            at.defineFieldMember(member, self, 0, privates);
}

/// In a constructor (this compiler): defines the instance's fields, in the code of `at`, which may be an arrow function
/// that called super().
void FunctionCompiler::runFields(FunctionCompiler& at, Reg self) {
    Class* definition = info_.definition;
    bool isUnknown = !definition && info_.classScope && info_.classScope->fieldsSlot; // in eval
    if (!isUnknown && !(definition && definition->hasInstanceFields))
        return;
    if (info_.inlineFields) {
        at.addBrand(*info_.privates, false, self, node_.span);
        return defineSimpleFields(definition, false, at, self, *info_.privates);
    }
    Emitter& emit = at.emit_;
    u16 mark = emit.next();
    Reg first = at.loadSlot(info_.classScope, info_.classScope->fieldsSlot - 1, Any);
    emit.allocate();
    at.move(emit.allocate(), self);
    emit.place(node_.span);
    emit.emit(ops::CallWithThis{.first = first, .argc = {0}});
    emit.release(mark);
}

}
