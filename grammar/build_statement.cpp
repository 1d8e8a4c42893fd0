// Statements (ECMA-262 14): declarations, loops and labels.
#include "grammar/builder.h"
#include "runtime/base/near_miss.h"

namespace scr {

// ---- Declarations (14.3)
// ----------------------------------------------------------------------------------------------

/// isComplete: a statement, or the head of a for (;;), not of for-in or for-of, which declares when the head is read.
Stmt* Builder::declarations(DeclarationKind kind, List<Declarator*> list, Span span, bool isComplete) {
    auto* statement = make<VariableDeclaration>(span, kind, list);
    if (isComplete)
        completeDeclaration(*statement);
    return statement;
}

void Builder::completeDeclaration(VariableDeclaration& statement) {
    bool isUsing = statement.kind == DeclarationKind::Using || statement.kind == DeclarationKind::AwaitUsing;
    if (statement.kind == DeclarationKind::AwaitUsing)
        useAwait({statement.span.begin, statement.span.begin + 5}, "await using");
    for (Declarator* declarator : statement.declarators) {
        bool isName = declarator->target->is<Identifier>();
        if (isUsing && !isName)
            error(declarator->target->span, "A using declaration binds a name, not a pattern");
        if (!declarator->initializer && !isName)
            error(declarator->target->span, "Missing initializer in destructuring declaration");
        else if (!declarator->initializer && statement.kind == DeclarationKind::Const)
            error(declarator->target->span, "Missing initializer in const declaration",
                {"a constant is given its value where it is declared"});
        else if (!declarator->initializer && isUsing)
            error(declarator->target->span, "Missing initializer in using declaration");
        declarePattern(declarator->target, statement.kind, declarator->span.end);
    }
}

/// The place of a using statement: not directly in a case, nor at the top of a plain script.
void Builder::checkUsingPlace(Span span) {
    if (scopes.current()->kind == ScopeKind::Switch)
        error(
            span, "A using declaration is not allowed directly in a case", {"put it in a block, between '{' and '}'"});
    bool isScriptTop = scopes.current()->kind == ScopeKind::Body && function_->node->kind == FunctionKind::Script;
    if (isScriptTop && !options_.isCommonJs && options_.goal != Goal::Detect && !options_.allowTopLevelAwait)
        error(span, "A using declaration is not allowed at the top level of a script");
}

/// loop: "for-in" or "for-of"; null for a plain for.
void Builder::forDeclaration(Stmt* statement, const char* loop, u32 headEnd) {
    auto& declaration = *statement->as<VariableDeclaration>();
    if (!loop)
        return completeDeclaration(declaration);
    bool isUsing = declaration.kind == DeclarationKind::Using || declaration.kind == DeclarationKind::AwaitUsing;
    Declarator* first = declaration.declarators[0];
    if (declaration.kind == DeclarationKind::AwaitUsing)
        useAwait({declaration.span.begin, declaration.span.begin + 5}, "await using");
    if (isUsing && loop == std::string_view("for-in"))
        error(declaration.span, "A using declaration is not allowed in a for-in loop");
    else if (declaration.declarators.size() > 1)
        error(first->span, std::string("Invalid left-hand side in ") + loop + " loop: Must have a single binding.");
    else if (first->initializer)
        error(first->span, std::string(loop) + " loop variable declaration may not have an initializer.");
    else if (isUsing && !first->target->is<Identifier>())
        error(first->target->span, "A using declaration binds a name, not a pattern");
    declarePattern(first->target, declaration.kind, headEnd);
}

/// The target of for (target in ...) or for (target of ...), which was read as an expression.
Node* Builder::forTarget(Expr* target, bool isOf, bool isAwait) {
    auto* name = target->asIf<Identifier>();
    if (isOf && !isAwait && name && !name->isParenthesized && lexer.isExactly(name->span, "async"))
        error(name->span, "The left-hand side of a for-of loop may not be 'async'.");
    if (!target->isParenthesized && (target->is<ArrayLiteral>() || target->is<ObjectLiteral>()))
        return toPattern(target, false);
    return toTarget(target, "Invalid left-hand side in for-loop");
}

void Builder::beginCatch(Expr* parameter, u32 place) {
    scopes.current()->isSimpleCatch = parameter->is<Identifier>();
    declarePattern(parameter, DeclarationKind::Catch, place);
}

void Builder::addCase(List<SwitchCase*>& cases, SwitchCase* item) {
    for (SwitchCase* other : cases) {
        if (!item->test && !other->test)
            error({item->span.begin, item->span.begin + 7}, "More than one default clause in switch statement",
                {{"the first one:", {other->span.begin, other->span.begin + 7}}});
        if (item->test)
            break;
    }
    cases.append(arena, item);
}

// ---- Labels and jumps (14.8 to 14.13)
// -----------------------------------------------------------------------------------

Labeled* Builder::beginLabel(Name* name, Span nameSpan) {
    for (size_t i = function_->firstLabel; i < labels_.size(); i++) {
        if (labels_[i].name == name)
            error(nameSpan, "Label '" + toUtf8(*name) + "' has already been declared",
                {{"the loop or statement around has it:", labels_[i].statement->span}});
    }
    bool isChained = labels_.size() > function_->firstLabel && labels_.back().serial == serial_;
    auto* statement = make<Labeled>(nameSpan, name, nullptr);
    labels_.push_back({name, statement, serial_ + 1, isChained, false});
    return statement;
}

Stmt* Builder::endLabel(Labeled* labeled, Stmt* body, Span span) {
    labels_.pop_back();
    labeled->body = body;
    labeled->span = span;
    return labeled;
}

void Builder::markLoop() {
    if (labels_.size() == function_->firstLabel || labels_.back().serial != serial_)
        return;
    for (size_t i = labels_.size(); i-- > function_->firstLabel;) {
        labels_[i].isOfLoop = true;
        if (!labels_[i].isChained)
            return;
    }
}

/// break and continue do not reach what stands around a function.
Notes Builder::jumpNotes(const char* what) const {
    for (const FunctionContext* context = function_->outer; context; context = context->outer)
        if (context->loops || (context->switches && *what == 'b'))
            return {"'" + std::string(what) + "' cannot leave the function that it stands in"};
    return {"'" + std::string(what) + "' stands in loops" + (*what == 'b' ? " and switches only" : " only")};
}

Notes Builder::labelNotes(const Name& label) const {
    for (size_t i = labels_.size(); i-- > 0;) {
        if (i < function_->firstLabel && labels_[i].name->length == label.length
            && toUtf8(*labels_[i].name) == toUtf8(label))
            return {Note("a jump cannot leave the function that it stands in; the label:", labels_[i].statement->span)};
        if (i >= function_->firstLabel && isNearMiss(toUtf8(label), toUtf8(*labels_[i].name)))
            return {Note("did you mean '" + toUtf8(*labels_[i].name) + "'?", labels_[i].statement->span)};
    }
    return {};
}

/// continue or break; labelSpan: where to point when there is no target.
Stmt* Builder::jump(bool isContinue, Name* label, Span labelSpan, Span span) {
    Labeled* target = nullptr;
    bool isOfLoop = false;
    for (size_t i = labels_.size(); label && !target && i-- > function_->firstLabel;) {
        if (labels_[i].name == label) {
            target = labels_[i].statement;
            isOfLoop = labels_[i].isOfLoop;
        }
    }
    if (label && !target)
        error(labelSpan, "Undefined label '" + toUtf8(*label) + "'", labelNotes(*label));
    else if (label && isContinue && !isOfLoop)
        error(labelSpan, "Illegal continue statement: '" + toUtf8(*label) + "' does not denote an iteration statement",
            {{"the label does not stand before a loop:", target->span}});
    else if (!label && isContinue && !function_->loops)
        error(labelSpan, "Illegal continue statement: no surrounding iteration statement", jumpNotes("continue"));
    else if (!label && !isContinue && !function_->loops && !function_->switches)
        error(labelSpan, "Illegal break statement", jumpNotes("break"));
    if (isContinue)
        return make<Continue>(span, label, target);
    return make<Break>(span, label, target);
}

Stmt* Builder::returnStatement(Expr* argument, Span span) {
    FunctionKind kind = function_->node->kind;
    bool isAllowed = kind != FunctionKind::Module && kind != FunctionKind::StaticBlock
        && (kind != FunctionKind::Script || options_.isCommonJs);
    if (!isAllowed)
        error({span.begin, span.begin + 6}, "Illegal return statement", {"'return' stands in functions only"});
    return make<Return>(span, argument);
}

}
