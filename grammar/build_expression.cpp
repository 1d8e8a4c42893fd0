// Expressions (ECMA-262 13): nodes and the early errors of operators, members and calls.
#include "grammar/builder.h"
#include "grammar/explain.h"
#include "grammar/regexp_syntax.h"

namespace scr {

namespace {

bool isBare(const Expr* expression, NodeKind kind) { return expression->kind == kind && !expression->isParenthesized; }

/// Where the "let" directly before begins, or begin.
u32 letBefore(std::string_view text, u32 begin) {
    size_t end = text.find_last_not_of(" \t\r\n", begin ? begin - 1 : 0) + 1;
    bool isLet = begin && end < begin && end >= 3 && text.substr(end - 3, 3) == "let";
    bool isWhole =
        isLet && (end == 3 || std::string_view(" \t\r\n;{}()").find(text[end - 4]) != std::string_view::npos);
    return isWhole ? u32(end - 3) : begin;
}

bool isBareLogical(Expr* expression, bool isCoalesce) {
    auto* logical = expression->asIf<Logical>();
    return logical && !logical->isParenthesized && (logical->op == LogicalOperator::Coalesce) == isCoalesce;
}

constexpr auto superUnexpected = "'super' keyword unexpected here";
constexpr auto superCallPlace = "super(...) stands in the constructor of a class that extends another, only";
constexpr auto unexpectedPrivate = "Unexpected private name";
constexpr auto privateNeeds = "'#name in object' needs parentheses here";

} // namespace

Name* Builder::nameOf(Span keyword) {
    // Through a lexer of its own: the word may hold escapes.
    Source word("", std::string(source_.text(keyword)));
    Lexer other(word, arena, names, errors, false);
    TokenValue value;
    Span span;
    value.name = nullptr;
    other.next(value, span);
    return source_.text(keyword).find('\\') != std::string_view::npos ? value.name
                                                                      : names.intern(source_.text(keyword));
}

void Builder::reservedWord(Span span) {
    std::string word(source_.text(span));
    if (word.find('\\') != word.npos)
        return error(span, "Keyword must not contain escaped characters");
    Notes notes{"'" + word + "' is a reserved word: it cannot be a name"};
    bool isOperator = word == "yield" || word == "let" || word == "static" || word == "await";
    if (u32 let = letBefore(source_.text(), span.begin); let != span.begin && !isOperator)
        return error({let, span.end}, "Unexpected strict mode reserved word", std::move(notes)); // as V8 words it
    if (word == "yield" || word == "let" || word == "static" || word == "implements" || word == "interface"
        || word == "package" || word == "private" || word == "protected" || word == "public")
        return error(span, "Unexpected strict mode reserved word", std::move(notes));
    if (word == "await" || word == "enum")
        return error(span, "Unexpected reserved word", std::move(notes));
    error(span, "Unexpected token '" + word + "'", std::move(notes));
}

const char* Builder::misusedAwait() const {
    return lexer.previousAwaitAt() ? "await is only valid in async functions and the top level bodies of modules"
                                   : nullptr;
}

// ---- Operands -----------------------------------------------------------------------------------------------------

Expr* Builder::identifier(Name* name, Span span) {
    auto* node = make<Identifier>(span, name, nullptr);
    if (UNLIKELY(name == names.arguments)) {
        FunctionKind kind = providerOfThis()->node->kind;
        bool isTop = kind == FunctionKind::Script || kind == FunctionKind::Module;
        if (kind == FunctionKind::FieldInitializer || kind == FunctionKind::StaticBlock
            || (isTop && options_.forbidArguments))
            error(span, "'arguments' is not allowed in class field initializer or static initialization block");
        use(Use::Arguments, span.begin);
    }
    if (UNLIKELY(name == names.await))
        use(Use::AwaitName, span.begin);
    scopes.refer(node);
    return node;
}

Identifier* Builder::bindingIdentifier(Name* name, Span span) {
    checkBindingName(name, span);
    if (UNLIKELY(name == names.await))
        use(Use::AwaitName, span.begin);
    auto* node = make<Identifier>(span, name, nullptr);
    node->marks = IsBinding;
    return node;
}

void Builder::checkBindingName(Name* name, Span span) {
    if (UNLIKELY(name == names.eval || name == names.arguments))
        error(span, "Unexpected eval or arguments in strict mode");
}

Expr* Builder::thisExpression(Span span) {
    use(Use::This, span.begin);
    return make<This>(span);
}

Expr* Builder::parenthesize(Expr* expression) {
    if (expression->isParenthesized)
        expression->marks |= IsTwiceParenthesized;
    expression->isParenthesized = true;
    return expression;
}

Expr* Builder::array(Elements elements, Span span) {
    auto* node = make<ArrayLiteral>(span, elements.list);
    if (elements.endsInComma)
        node->marks |= EndsInComma;
    return node;
}

Expr* Builder::object(List<Property*> properties, Span span) {
    auto* node = make<ObjectLiteral>(span, properties);
    Property* prototype = nullptr;
    for (Property* property : properties) {
        if (property->kind != PropertyKind::Prototype)
            continue;
        if (prototype)
            expectConversion(node, property->key->span, "Duplicate __proto__ fields are not allowed in object literals",
                "the first one:", prototype->key->span);
        prototype = property;
    }
    return node;
}

Expr* Builder::regExp(Span span) {
    std::string_view text = source_.text(span);
    size_t slash = text.rfind('/');
    Name* pattern = lexer.decoded({span.begin + 1, span.begin + u32(slash)});
    Name* flags = lexer.decoded({span.begin + u32(slash) + 1, span.end});
    std::string message = regExpError(*pattern, *flags);
    if (!message.empty())
        error(span, std::move(message));
    return make<RegExpLiteral>(span, pattern, flags);
}

Property* Builder::property(Key key, Expr* value, Span span) {
    if (key.expression->is<PrivateName>())
        error(key.expression->span, "Unexpected identifier '" + std::string(source_.text(key.expression->span)) + "'",
            {"an object literal has no private names"});
    auto* text = key.expression->asIf<StringLiteral>();
    bool isPrototype = !key.isComputed && text && text->value == names.proto;
    return make<Property>(
        span, isPrototype ? PropertyKind::Prototype : PropertyKind::Value, key.isComputed, key.expression, value);
}

/// { name } and, only in what becomes a pattern, { name = initializer }.
Property* Builder::shorthand(Name* name, Span nameSpan, Expr* initializer, Span span) {
    Expr* value = identifier(name, nameSpan);
    if (initializer) {
        value->marks |= IsWritten;
        value = make<Assign>(span, value, initializer);
    }
    auto* node = make<Property>(span, PropertyKind::Shorthand, false, string(name, nameSpan), value);
    if (initializer)
        expectConversion(node, span, "Invalid shorthand property initializer",
            "a property is written 'name: value'; 'name = value' is a default, in patterns only");
    return node;
}

Property* Builder::methodProperty(ClassMember* method) {
    if (method->key->is<PrivateName>())
        error(method->key->span, "Unexpected identifier '" + std::string(source_.text(method->key->span)) + "'",
            {"an object literal has no private names"});
    if (superCallAt_)
        error({superCallAt_ - 1, superCallAt_ + 4}, superUnexpected, {superCallPlace});
    superCallAt_ = 0;
    PropertyKind kind = method->kind == MemberKind::Getter ? PropertyKind::Getter
        : method->kind == MemberKind::Setter               ? PropertyKind::Setter
                                                           : PropertyKind::Method;
    Expr* value = make<FunctionExpression>(method->span, method->function);
    return make<Property>(method->span, kind, method->computed, method->key, value);
}

TemplateLiteral* Builder::templateBegin(TemplateChunk* chunk, Span span) {
    auto* node = make<TemplateLiteral>(span);
    node->chunks.append(arena, chunk);
    return node;
}

void Builder::templatePart(TemplateLiteral* literal, Expr* expression) {
    literal->expressions.append(arena, expression);
}

Expr* Builder::untagged(TemplateLiteral* literal) {
    for (TemplateChunk* chunk : literal->chunks) {
        if (chunk->cooked)
            continue;
        Diagnostic why = lexer.badEscape(chunk->span);
        error(why.span, why.message);
    }
    return literal;
}

Expr* Builder::tagged(Expr* tag, TemplateLiteral* literal, Span span) {
    return make<TaggedTemplate>(span, tag, literal);
}

// ---- Members and calls (13.3) ---------------------------------------------------------------------------------------

Expr* Builder::member(Expr* object, Name* property, Span propertySpan, Span span, bool isOptional) {
    return make<Member>(span, object, property, propertySpan, isOptional);
}

Expr* Builder::privateMember(Expr* object, Name* property, Span propertySpan, Span span, bool isOptional) {
    referPrivate(property,
        {lexer.isExactly({propertySpan.begin - 1, propertySpan.begin}, ".") ? propertySpan.begin - 1
                                                                            : propertySpan.begin,
            propertySpan.end});
    return make<PrivateMember>(span, object, property, propertySpan, isOptional);
}

Expr* Builder::call(Expr* callee, Elements arguments, Span argumentsSpan, Span span, bool isOptional) {
    auto* name = callee->asIf<Identifier>();
    bool isDirectEval = name && name->name == names.eval && !isOptional && !name->isParenthesized;
    auto* node = make<Call>(span, callee, arguments.list, argumentsSpan, isOptional, isDirectEval);
    if (arguments.endsInComma)
        node->marks |= EndsInComma;
    if (UNLIKELY(isDirectEval)) {
        // The evaluated text may use anything of the surroundings.
        for (Use what : {Use::Eval, Use::InnerEval, Use::This, Use::Arguments, Use::NewTarget})
            use(what, span.begin);
        scopes.noteEval();
    }
    return node;
}

Expr* Builder::superMember(Name* property, Span propertySpan, Span span) {
    checkSuperProperty(span);
    return make<SuperMember>(span, property, propertySpan);
}

Expr* Builder::superIndex(Expr* index, Span span) {
    checkSuperProperty(span);
    return make<SuperIndex>(span, index);
}

void Builder::checkSuperProperty(Span span) {
    FunctionKind kind = providerOfThis()->node->kind;
    bool isTop = kind == FunctionKind::Script || kind == FunctionKind::Module;
    if (kind == FunctionKind::Normal || (isTop && !options_.allowSuperProperty))
        error({span.begin, span.begin + 5}, superUnexpected,
            {"super.name stands in methods of classes and object literals, and in fields, only"});
    use(Use::SuperProperty, span.begin);
    use(Use::This, span.begin);
}

/// Whether a method may call super is known when its class knows it: see addMember and methodProperty.
Expr* Builder::superCall(List<Expr*> arguments, Span span) {
    FunctionKind kind = providerOfThis()->node->kind;
    bool isTop = kind == FunctionKind::Script || kind == FunctionKind::Module;
    if (kind != FunctionKind::Method && !(isTop && options_.allowSuperCall))
        error({span.begin, span.begin + 5}, superUnexpected, {superCallPlace});
    for (Use what : {Use::SuperCall, Use::This, Use::NewTarget})
        use(what, span.begin);
    return make<SuperCall>(span, arguments);
}

Expr* Builder::newTarget(Name*, Span nameSpan, Span span) {
    FunctionKind kind = providerOfThis()->node->kind;
    bool isTop = kind == FunctionKind::Script || kind == FunctionKind::Module;
    if (!lexer.isExactly(nameSpan, "target"))
        error(nameSpan, "Unexpected identifier '" + std::string(source_.text(nameSpan)) + "'",
            {"expected 'target' after 'new.'"});
    else if (isTop && !options_.allowNewTarget && !(options_.isCommonJs && !isModule_))
        error(nameSpan, "new.target expression is not allowed here", {"new.target stands in functions only"});
    use(Use::NewTarget, span.begin);
    return make<NewTarget>(span);
}

Expr* Builder::importMeta(Name*, Span nameSpan, Span span) {
    constexpr auto outsideModule = "Cannot use 'import.meta' outside a module";
    if (!lexer.isExactly(nameSpan, "meta"))
        error(nameSpan, "Unexpected identifier '" + std::string(source_.text(nameSpan)) + "'",
            {"expected 'meta' after 'import.'"});
    else if (!isModule_ && options_.goal != Goal::Detect)
        error(span, outsideModule);
    else
        markModule(span, outsideModule, false);
    return make<ImportMeta>(span);
}

// ---- Operators ------------------------------------------------------------------------------------------------------

Expr* Builder::unary(UnaryOperator op, Expr* operand, Span span) {
    if (op == UnaryOperator::Delete) {
        Expr* target = operand;
        while (auto* chain = target->asIf<OptionalChain>())
            target = chain->expression;
        if (operand->is<Identifier>())
            error(operand->span, "Delete of an unqualified identifier in strict mode.",
                {"only properties can be deleted: delete object.name"});
        if (target->is<PrivateMember>())
            error(operand->span, "Private fields can not be deleted");
    }
    return make<Unary>(span, op, operand);
}

Expr* Builder::update(bool isIncrement, bool isPrefix, Expr* target, Span span) {
    const char* what = isPrefix ? "Invalid left-hand side expression in prefix operation"
                                : "Invalid left-hand side expression in postfix operation";
    return make<Update>(span, isIncrement, isPrefix, toTarget(target, what));
}

Expr* Builder::await(Expr* argument, Span span) {
    useAwait({span.begin, span.begin + 5}, "await");
    return make<Await>(span, argument);
}

void Builder::awaitError(Span span, std::string message) {
    // Behind the whole text there is no function left.
    if (!function_)
        return error(span, std::move(message));
    Notes notes;
    FunctionKind kind = function_->node->kind;
    bool isArrow = kind == FunctionKind::Arrow;
    if (isArrow || kind == FunctionKind::Normal || kind == FunctionKind::Method)
        notes.push_back(functionNote(source_, function_->begin, isArrow, "async", "await does not work in it"));
    error(span, std::move(message), std::move(notes));
}

void Builder::useAwait(Span span, const char* what) {
    FunctionKind kind = function_->node->kind;
    if (!function_->node->isAsync) {
        bool isTop = kind == FunctionKind::Script && (options_.allowTopLevelAwait || options_.goal == Goal::Detect);
        std::string message =
            what + std::string(" is only valid in async functions and the top level bodies of modules");
        if (kind != FunctionKind::Module && !isTop)
            return awaitError(span, std::move(message));
        if (!options_.allowTopLevelAwait)
            markModule(span, std::move(message), true);
    }
    use(Use::Await, span.begin);
}

Expr* Builder::yield(Expr* argument, bool isDelegate, Span span) {
    if (!function_->node->isGenerator)
        error({span.begin, span.begin + 5}, "Unexpected strict mode reserved word",
            {isTopLevel() ? Note("'yield' stands in generators only: function* name() { ... }")
                          : functionNote(source_, function_->begin, function_->node->kind == FunctionKind::Arrow,
                              "a generator", "'yield' is a reserved word there")});
    use(Use::Yield, span.begin);
    return make<Yield>(span, isDelegate, argument);
}

Expr* Builder::binary(BinaryOperator op, Expr* left, Expr* right, Span opSpan, Span span) {
    if (op == BinaryOperator::Power && (isBare(left, NodeKind::Unary) || isBare(left, NodeKind::Await)))
        error(span,
            "Unary operator used immediately before exponentiation expression. Parenthesis must be used to "
            "disambiguate operator precedence",
            {"write (-a) ** b or -(a ** b), with the operator that is meant"});
    // #name in x is no operand of what binds as tightly (13.10: its right side is a ShiftExpression).
    bool isEquality = op == BinaryOperator::Equal || op == BinaryOperator::NotEqual || op == BinaryOperator::StrictEqual
        || op == BinaryOperator::StrictNotEqual;
    bool isLoose =
        isEquality || op == BinaryOperator::BitAnd || op == BinaryOperator::BitOr || op == BinaryOperator::BitXor;
    if (isBare(right, NodeKind::PrivateIn) && !isLoose)
        error({right->span.begin, right->span.begin + 1}, unexpectedPrivate, {privateNeeds});
    return make<Binary>(span, op, left, right, opSpan);
}

Expr* Builder::privateIn(Name* name, Span nameSpan, Expr* right, Span span) {
    referPrivate(name, nameSpan);
    if (isBare(right, NodeKind::PrivateIn))
        error({right->span.begin, right->span.begin + 1}, unexpectedPrivate, {privateNeeds});
    return make<PrivateIn>(span, name, right);
}

Expr* Builder::logical(LogicalOperator op, Expr* left, Expr* right, Span opSpan, Span span) {
    bool isCoalesce = op == LogicalOperator::Coalesce;
    if (isBareLogical(left, !isCoalesce) || isBareLogical(right, !isCoalesce))
        error(opSpan, "Unexpected token '" + std::string(text(op)) + "'",
            {"?? cannot stand beside || or && without parentheses that say which comes first"});
    return make<Logical>(span, op, left, right);
}

Expr* Builder::sequence(Expr* left, Expr* right, Span span) {
    auto* list = left->asIf<Sequence>();
    if (!list || list->isParenthesized) {
        list = make<Sequence>(span);
        list->expressions.append(arena, left);
    }
    list->expressions.append(arena, right);
    list->span = span;
    return list;
}

Expr* Builder::assign(Expr* target, Expr* value, Span span) {
    bool isPattern = isBare(target, NodeKind::ArrayLiteral) || isBare(target, NodeKind::ObjectLiteral);
    Expr* real = isPattern ? toPattern(target, false) : toTarget(target, "Invalid left-hand side in assignment");
    return make<Assign>(span, real, value);
}

Expr* Builder::compoundAssign(BinaryOperator op, Expr* target, Expr* value, Span opSpan, Span span) {
    return make<CompoundAssign>(span, op, toTarget(target, "Invalid left-hand side in assignment"), value, opSpan);
}

Expr* Builder::logicalAssign(LogicalOperator op, Expr* target, Expr* value, Span span) {
    return make<LogicalAssign>(span, op, toTarget(target, "Invalid left-hand side in assignment"), value);
}

}
