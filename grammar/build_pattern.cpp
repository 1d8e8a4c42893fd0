// Patterns: expressions re-read as what they turn out to be (ECMA-262 13.15.5, 14.3.3, 15.3). The invariant: a node
// that was only right as part of a pattern is marked IsConverted here, or reported in the end.
#include "grammar/builder.h"

namespace scr {

void Builder::expectConversion(Node* node, Span span, const char* message, const char* note, Span notePlace) {
    pending_.push_back({node, span, message, note, notePlace});
}

void Builder::checkConversions() {
    for (const PendingConversion& pending : pending_) {
        if (pending.node->marks & IsConverted)
            continue;
        bool hasPlace = pending.notePlace.end;
        error(pending.span, pending.message, {hasPlace ? Note(pending.note, pending.notePlace) : Note(pending.note)});
    }
}

Expr* Builder::toTarget(Expr* expression, const char* what) {
    switch (expression->kind) {
    case NodeKind::Identifier:
        checkBindingName(expression->as<Identifier>()->name, expression->span);
        expression->marks |= IsWritten;
        break;
    case NodeKind::Member:
    case NodeKind::Index:
    case NodeKind::PrivateMember:
    case NodeKind::SuperMember:
    case NodeKind::SuperIndex: break;
    case NodeKind::OptionalChain: error(expression->span, what, {"an optional chain cannot be assigned to"}); break;
    default:
        error(expression->span, what, {"only a variable, a property or a pattern can be assigned to; === compares"});
    }
    return expression;
}

Expr* Builder::toPattern(Expr* expression, bool isBinding) {
    static const char* const invalid = "Invalid destructuring assignment target";
    bool isBare = !expression->isParenthesized;
    if (expression->is<ArrayLiteral>() && isBare)
        return toArrayPattern(expression->as<ArrayLiteral>(), isBinding);
    if (expression->is<ObjectLiteral>() && isBare)
        return toObjectPattern(expression->as<ObjectLiteral>(), isBinding);
    return isBinding ? checkBinding(expression) : toTarget(expression, invalid);
}

/// What an inner assignment made a pattern already, or a name: can it be bound?
Expr* Builder::checkBinding(Expr* pattern) {
    if (pattern->isParenthesized
        || !(pattern->is<Identifier>() || pattern->is<ArrayPattern>() || pattern->is<ObjectPattern>())) {
        error(pattern->span, "Invalid destructuring assignment target");
        return pattern;
    }
    if (auto* name = pattern->asIf<Identifier>()) {
        checkBindingName(name->name, name->span);
        name->marks = IsBinding;
        return pattern;
    }
    if (auto* array = pattern->asIf<ArrayPattern>()) {
        for (PatternElement* element : array->elements) {
            if (element)
                checkBinding(element->target);
        }
        if (array->rest)
            checkBinding(array->rest);
        return pattern;
    }
    auto* object = pattern->as<ObjectPattern>();
    for (PatternProperty* property : object->properties)
        checkBinding(property->target);
    if (object->rest)
        checkBinding(object->rest);
    return pattern;
}

/// An element or a parameter: target or target = initializer.
PatternElement* Builder::toElement(Expr* expression, bool isBinding) {
    auto* assign = expression->asIf<Assign>();
    if (!assign || assign->isParenthesized)
        return make<PatternElement>(expression->span, toPattern(expression, isBinding), nullptr);
    if (isBinding)
        checkBinding(assign->target);
    else if (auto* name = assign->target->asIf<Identifier>())
        checkBindingName(name->name, name->span); // of { name = initializer }, not checked yet
    return make<PatternElement>(expression->span, assign->target, assign->value);
}

Expr* Builder::toArrayPattern(ArrayLiteral* literal, bool isBinding) {
    auto* pattern = make<ArrayPattern>(literal->span);
    for (u32 i = 0; i < literal->elements.size(); i++) {
        Expr* element = literal->elements[i];
        auto* spread = element ? element->asIf<Spread>() : nullptr;
        if (!spread) {
            pattern->elements.append(arena, element ? toElement(element, isBinding) : nullptr);
            continue;
        }
        if (i + 1 < literal->elements.size() || literal->marks & EndsInComma)
            error(spread->span, "Rest element must be last element");
        pattern->rest = toPattern(spread->argument, isBinding);
    }
    return pattern;
}

Expr* Builder::toObjectPattern(ObjectLiteral* literal, bool isBinding) {
    static const char* const invalid = "Invalid destructuring assignment target";
    auto* pattern = make<ObjectPattern>(literal->span);
    literal->marks |= IsConverted;
    for (u32 i = 0; i < literal->properties.size(); i++) {
        Property* property = literal->properties[i];
        property->marks |= IsConverted;
        switch (property->kind) {
        case PropertyKind::Spread:
            if (i + 1 < literal->properties.size() || literal->marks & EndsInComma)
                error(property->span, "Rest element must be last element");
            if (isBinding && !property->value->is<Identifier>())
                error(property->value->span, "`...` must be followed by an identifier in declaration contexts");
            pattern->rest = isBinding ? checkBinding(property->value) : toTarget(property->value, invalid);
            break;
        case PropertyKind::Value:
        case PropertyKind::Shorthand:
        case PropertyKind::Prototype: {
            PatternElement* element = toElement(property->value, isBinding);
            pattern->properties.append(arena,
                make<PatternProperty>(
                    property->span, property->computed, property->key, element->target, element->initializer));
            break;
        }
        default: error(property->span, invalid);
        }
    }
    return pattern;
}

PatternProperty* Builder::patternShorthand(Name* name, Span nameSpan, Expr* initializer, Span span) {
    return make<PatternProperty>(span, false, string(name, nameSpan), bindingIdentifier(name, nameSpan), initializer);
}

/// Declares every name that pattern binds.
void Builder::declarePattern(Expr* pattern, DeclarationKind kind, u32 initializedAt) {
    if (auto* name = pattern->asIf<Identifier>()) {
        name->declaration = scopes.declare(name->name, name->span, kind, initializedAt);
    } else if (auto* array = pattern->asIf<ArrayPattern>()) {
        for (PatternElement* element : array->elements) {
            if (element)
                declarePattern(element->target, kind, initializedAt);
        }
        if (array->rest)
            declarePattern(array->rest, kind, initializedAt);
    } else if (auto* object = pattern->asIf<ObjectPattern>()) {
        for (PatternProperty* property : object->properties) {
            if (property->key->is<PrivateName>())
                error(property->key->span, "Unexpected private name", {"an object pattern has no private names"});
            declarePattern(property->target, kind, initializedAt);
        }
        if (object->rest)
            declarePattern(object->rest, kind, initializedAt);
    }
}

}
