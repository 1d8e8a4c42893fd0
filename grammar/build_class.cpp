// Classes (ECMA-262 15.7): members, the constructor, private names.
#include "grammar/builder.h"

namespace scr {

namespace {

bool isNamed(const ClassMember& member, const Name* name) {
    const auto* key =
        member.key && !member.computed && member.key->is<StringLiteral>() ? member.key->as<StringLiteral>() : nullptr;
    return key && key->value == name;
}

} // namespace

/// Before the heritage: the class's own name is in scope there, its private names are not yet.
void Builder::enterClass(Identifier* name, u32 begin) {
    auto* context = arena.make<ClassContext>();
    context->node = make<Class>(Span{begin, begin}, name);
    context->outer = class_;
    context->scope = scopes.open(ScopeKind::Class, function_->node, begin);
    class_ = context;
}

void Builder::enterClassBody(Expr* heritage, u32 begin) {
    class_->node->heritage = heritage;
    class_->bodyBegin = begin;
    class_->firstReference = privateReferences_.size();
}

ClassMember* Builder::method(MemberKind kind, Key key, FunctionNode* function, Span span) {
    function->span = span;
    if (kind != MemberKind::Method)
        function->kind = kind == MemberKind::Getter ? FunctionKind::Getter : FunctionKind::Setter;
    crossFunction(*function, nullptr, span.begin);
    return make<ClassMember>(span, kind, false, key.isComputed, key.expression, function);
}

ClassMember* Builder::staticMember(ClassMember* member, Span span) {
    member->isStatic = true;
    member->span = span;
    return member;
}

void Builder::enterField(u32 begin) { enterInitializer(FunctionKind::FieldInitializer, begin); }
void Builder::enterStaticBlock(u32 begin) { enterInitializer(FunctionKind::StaticBlock, begin); }

void Builder::enterInitializer(FunctionKind kind, u32 begin) {
    auto* node = make<FunctionNode>(Span{begin, begin}, kind, false);
    node->hasSimpleParameters = true;
    push(node, begin);
    scopes.open(ScopeKind::Body, node, begin);
}

FunctionNode* Builder::leaveField(Expr* value) { return leaveInitializer(value, {}, value->span); }

FunctionNode* Builder::leaveInitializer(Expr* value, List<Stmt*> body, Span span) {
    FunctionNode& node = *function_->node;
    node.expressionBody = value;
    node.body = body;
    node.span = node.bodySpan = span;
    u32 begin = function_->begin;
    leave(*function_);
    crossFunction(node, nullptr, begin);
    return &node;
}

ClassMember* Builder::field(Key key, FunctionNode* initializer, bool isStatic, Span span) {
    return make<ClassMember>(span, MemberKind::Field, isStatic, key.isComputed, key.expression, initializer);
}

ClassMember* Builder::staticBlock(List<Stmt*> body, Span bodySpan, Span span) {
    FunctionNode* function = leaveInitializer(nullptr, body, bodySpan);
    return make<ClassMember>(span, MemberKind::StaticBlock, true, false, nullptr, function);
}

void Builder::addMember(List<ClassMember*>& members, ClassMember* member) {
    u32 superCallAt = superCallAt_;
    superCallAt_ = 0;
    Class& node = *class_->node;
    class_->hasComputedKey = class_->hasComputedKey || member->computed;
    checkMemberName(*member);
    bool isConstructor = !member->isStatic && member->kind != MemberKind::Field && isNamed(*member, names.constructor);
    if (superCallAt && !(isConstructor && node.heritage))
        error({superCallAt - 1, superCallAt + 4}, "'super' keyword unexpected here",
            {node.heritage ? "super(...) stands in the constructor only"
                           : "super(...) needs a class that extends another"});
    if (isConstructor)
        return addConstructor(*member);
    bool isInstancePrivate = !member->isStatic && member->key->is<PrivateName>();
    node.hasInstanceFields =
        node.hasInstanceFields || (member->kind == MemberKind::Field && !member->isStatic) || isInstancePrivate;
    node.hasStaticElements = node.hasStaticElements || (member->kind == MemberKind::Field && member->isStatic)
        || member->kind == MemberKind::StaticBlock;
    members.append(arena, member);
}

void Builder::checkMemberName(const ClassMember& member) {
    if (member.kind == MemberKind::Field && isNamed(member, names.constructor))
        error(member.key->span, "Classes may not have a field named 'constructor'");
    if (member.isStatic && isNamed(member, names.prototype))
        error(member.key->span, "Classes may not have a static property named 'prototype'");
    if (member.key && !member.computed && member.key->is<PrivateName>()
        && member.key->as<PrivateName>()->name->equals("#constructor"))
        error(member.key->span,
            member.kind == MemberKind::Field ? "Classes may not have a field named 'constructor'"
                                             : "Class constructor may not be a private method");
}

void Builder::addConstructor(const ClassMember& member) {
    Class& node = *class_->node;
    if (member.kind != MemberKind::Method)
        error(member.key->span, "Class constructor may not be an accessor");
    else if (member.function->isGenerator)
        error(member.key->span, "Class constructor may not be a generator");
    else if (member.function->isAsync)
        error(member.key->span, "Class constructor may not be an async method");
    else if (node.constructor)
        error(member.key->span, "A class may only have one constructor",
            {{"the first one:", {node.constructor->span.begin, node.constructor->span.begin + 11}}});
    node.constructor = member.function;
    node.constructor->kind = FunctionKind::ClassConstructor;
    node.constructor->isDerived = node.heritage != nullptr;
}

// ---- Private names (15.7.1) -----------------------------------------------------------------------------------------

void Builder::referPrivate(Name* name, Span span) { privateReferences_.push_back({name, span}); }

/// Lists them; each name's cache holds its binding until resolvePrivateNames takes it away.
void Builder::declarePrivateNames(Class& node) {
    for (ClassMember* member : node.members) {
        if (!member->key || member->computed || !member->key->is<PrivateName>())
            continue;
        Name* name = member->key->as<PrivateName>()->name;
        auto* known = static_cast<PrivateBinding*>(name->cache);
        if (!known) {
            known = make<PrivateBinding>(member->key->span, name, member->kind, member->isStatic);
            name->cache = known;
            node.privateNames.append(arena, known);
            continue;
        }
        bool isPair = (known->kind == MemberKind::Getter && member->kind == MemberKind::Setter)
            || (known->kind == MemberKind::Setter && member->kind == MemberKind::Getter);
        if (!isPair || known->isStatic != member->isStatic)
            error(member->key->span, "Identifier '" + toUtf8(*name) + "' has already been declared",
                {{"'" + toUtf8(*name) + "' was first declared here:", known->span}});
        known->kind = MemberKind::Accessor;
    }
}

/// References that this class does not answer are left to the classes around it.
void Builder::resolvePrivateNames(const Class& node) {
    size_t kept = class_->firstReference;
    for (size_t i = kept; i < privateReferences_.size(); i++) {
        if (!privateReferences_[i].name->cache)
            privateReferences_[kept++] = privateReferences_[i];
    }
    privateReferences_.resize(kept);
    for (PrivateBinding* binding : node.privateNames)
        binding->name->cache = nullptr;
}

Class* Builder::leaveClass(List<ClassMember*> members, Span span) {
    Class& node = *class_->node;
    node.members = members;
    node.span = span;
    declarePrivateNames(node);
    resolvePrivateNames(node);
    bool hasEval = class_->scope->hasEval;
    u32 firstReference = class_->scope->firstReference;
    scopes.close();
    if (node.name) {
        // Only the heritage and computed keys can meet the name before it has its value.
        u32 initializedAt = class_->hasComputedKey ? span.end : class_->bodyBegin;
        Declaration* inner =
            scopes.declareClassName(firstReference, node.name, function_->node, initializedAt, hasEval);
        node.scope = inner ? scopes.single(inner) : nullptr;
    }
    class_ = class_->outer;
    return &node;
}

Stmt* Builder::classDeclaration(Class* definition, Span span) {
    definition->span = span;
    auto* statement = make<ClassDeclaration>(span, definition, nullptr);
    if (Identifier* name = definition->name) {
        statement->declaration = scopes.declare(name->name, name->span, DeclarationKind::Class, span.end);
        name->declaration = statement->declaration;
    }
    return statement;
}

}
