// Functions (ECMA-262 15): what is entered and left, parameters, what a function uses, and the text as a whole.
#include "grammar/builder.h"

namespace scr {

namespace {

/// Whether binding a pattern evaluates an expression of the script: a default or a computed key.
bool hasExpression(Expr* pattern) {
    if (auto* array = pattern->asIf<ArrayPattern>()) {
        for (PatternElement* element : array->elements) {
            if (element && (element->initializer || hasExpression(element->target)))
                return true;
        }
        return array->rest && hasExpression(array->rest);
    }
    if (auto* object = pattern->asIf<ObjectPattern>()) {
        for (PatternProperty* property : object->properties) {
            if (property->computed || property->initializer || hasExpression(property->target))
                return true;
        }
    }
    return false;
}

/// Uses that an arrow function shares with the function around it.
constexpr Use sharedUses[] = {
    Use::This, Use::Arguments, Use::NewTarget, Use::SuperProperty, Use::SuperCall, Use::Eval, Use::InnerEval};

} // namespace

Builder::Builder(
    const Source& source, Arena& arena, NameTable& names, Errors& errors, const ParseOptions& options, bool isModule)
    : arena(arena)
    , names(names)
    , errors(errors)
    , lexer(source, arena, names, errors, isModule)
    , scopes(arena, errors)
    , source_(source)
    , options_(options)
    , isModule_(isModule) { }

void Builder::use(Use what, u32 place) { function_->lastUse[static_cast<size_t>(what)] = place + 1; }

/// The innermost function that is no arrow function.
FunctionContext* Builder::providerOfThis() const {
    FunctionContext* context = function_;
    while (context->node->kind == FunctionKind::Arrow)
        context = context->outer;
    return context;
}

// ---- In and out
// -------------------------------------------------------------------------------------------------------

FunctionContext& Builder::push(FunctionNode* node, u32 begin) {
    auto* context = arena.make<FunctionContext>();
    context->node = node;
    context->outer = function_;
    context->begin = begin;
    context->firstLabel = labels_.size();
    context->awaitIsKeyword = isModule_ || node->isAsync || node->kind == FunctionKind::StaticBlock;
    function_ = context;
    context->parameters = scopes.open(ScopeKind::Parameters, node, begin);
    lexer.setAwait(context->awaitIsKeyword);
    return *context;
}

void Builder::pop() {
    function_ = function_->outer;
    if (function_)
        lexer.setAwait(function_->awaitIsKeyword);
}

void Builder::enterFunction(FunctionKind kind, bool isAsync, bool isGenerator, u32 begin) {
    auto* node = make<FunctionNode>(Span{begin, begin}, kind, isAsync, isGenerator);
    push(node, begin);
}

void Builder::enterBody(Parameters parameters, Span closeSpan, u32 bodyBegin) {
    FunctionNode& node = *function_->node;
    function_->closeSpan = closeSpan;
    node.parameters = parameters.list;
    node.rest = parameters.rest;
    checkParameterUse(0, node.isAsync);
    describeParameters(node);
    declareParameters(node);
    OpenScope* body = scopes.open(ScopeKind::Body, &node, bodyBegin);
    body->sharesParameters = !node.hasParameterExpressions;
}

/// await and yield are not allowed in the parameters of the function itself (15.5.1, 15.8.1), nor in those of an arrow
/// function whose head begins at since (15.3.1, 15.9.1).
void Builder::checkParameterUse(u32 since, bool isAsync) {
    u32 await = function_->lastUse[static_cast<size_t>(Use::Await)];
    u32 yield = function_->lastUse[static_cast<size_t>(Use::Yield)];
    u32 name = function_->lastUse[static_cast<size_t>(Use::AwaitName)];
    if (await > since)
        error({await - 1, await + 4}, "Illegal await-expression in formal parameters of async function");
    if (yield > since)
        error({yield - 1, yield + 4}, "Yield expression not allowed in formal parameter");
    if (isAsync && name > since)
        error({name - 1, name + 4}, "Unexpected reserved word 'await'");
}

void Builder::describeParameters(FunctionNode& node) {
    node.hasSimpleParameters = !node.rest;
    node.hasParameterExpressions = node.rest && hasExpression(node.rest);
    bool counts = true;
    for (PatternElement* parameter : node.parameters) {
        counts = counts && !parameter->initializer;
        node.length += counts;
        bool isName = parameter->target->is<Identifier>();
        node.hasSimpleParameters = node.hasSimpleParameters && isName && !parameter->initializer;
        node.hasParameterExpressions =
            node.hasParameterExpressions || parameter->initializer || (!isName && hasExpression(parameter->target));
    }
}

void Builder::declareParameters(FunctionNode& node) {
    for (PatternElement* parameter : node.parameters)
        declarePattern(parameter->target, DeclarationKind::Parameter, parameter->span.end);
    if (node.rest)
        declarePattern(node.rest, DeclarationKind::Parameter, node.rest->span.end);
}

FunctionNode* Builder::leaveFunction(List<Stmt*> body, Span bodySpan) {
    FunctionNode& node = *function_->node;
    node.body = body;
    node.bodySpan = bodySpan;
    checkDirectives(node);
    leave(*function_);
    return &node;
}

/// Closes the scopes of the innermost function, settles what it uses, and steps out of it.
void Builder::leave(FunctionContext& context) {
    FunctionNode& node = *context.node;
    if (scopes.current()->kind == ScopeKind::Body)
        scopes.closeBody(node.variableScope, node.lexicalScope);
    auto uses = [&](Use what) { return context.lastUse[static_cast<size_t>(what)] != 0; };
    bool isProvider = node.kind == FunctionKind::Normal || node.kind == FunctionKind::Method
        || (node.kind == FunctionKind::Script && options_.isCommonJs);
    if (isProvider && (uses(Use::Arguments) || uses(Use::Eval)))
        scopes.declareArguments(names.arguments, uses(Use::Eval));
    leftBegin_ = context.begin;
    leftClose_ = context.closeSpan;
    leftReference_ = context.parameters->firstReference;
    node.parameterScope = scopes.close();
    node.usesThis = uses(Use::This);
    node.usesArguments = uses(Use::Arguments);
    node.usesNewTarget = uses(Use::NewTarget);
    node.usesSuper = uses(Use::SuperProperty);
    node.callsSuper = uses(Use::SuperCall);
    node.hasDirectEval = uses(Use::Eval);
    node.hasInnerDirectEval = uses(Use::InnerEval);
    node.hasAwait = uses(Use::Await);
    node.hasYield = uses(Use::Yield);
    superCallAt_ = node.kind == FunctionKind::Method ? context.lastUse[static_cast<size_t>(Use::SuperCall)] : 0;
    pop();
    if (!function_)
        return;
    u32* outer = function_->lastUse;
    for (Use what : sharedUses) {
        size_t index = static_cast<size_t>(what);
        bool isShared = node.kind == FunctionKind::Arrow || what == Use::InnerEval;
        if (isShared && context.lastUse[index] > outer[index])
            outer[index] = context.lastUse[index];
    }
}

/// References out of the function just left cross its border. ownName: of a function expression, or null.
void Builder::crossFunction(FunctionNode& node, Identifier* ownName, u32 place) {
    Declaration* own = scopes.leaveFunction(leftReference_, &node, ownName, place, node.hasInnerDirectEval);
    if (!ownName)
        return;
    ownName->declaration = own;
    if (own)
        node.ownNameScope = scopes.single(own);
}

/// "use strict" says nothing new here, but is an error after parameters that are not just names (15.2.1).
void Builder::checkDirectives(const FunctionNode& function) {
    if (function.hasSimpleParameters)
        return;
    for (Stmt* statement : function.body) {
        auto* directive = statement->asIf<ExpressionStatement>();
        auto* text = directive ? directive->expression->asIf<StringLiteral>() : nullptr;
        if (!text || text->isParenthesized)
            return;
        if (text->value == names.useStrict && text->span.length() == sizeof("'use strict'") - 1)
            error(text->span, "Illegal 'use strict' directive in function with non-simple parameter list");
    }
}

Expr* Builder::functionExpression(Identifier* name, FunctionNode* function, Span span) {
    function->name = name;
    function->span = span;
    if (name && name->name == names.await && (function->isAsync || isModule_))
        error(name->span, "Unexpected reserved word 'await'");
    crossFunction(*function, name, span.begin);
    return make<FunctionExpression>(span, function);
}

/// name: null for export default function.
Stmt* Builder::functionDeclaration(Identifier* name, FunctionNode* function, Span span) {
    function->name = name;
    function->span = span;
    // Hoisted: it may be called from the beginning of its scope on.
    crossFunction(*function, nullptr, scopes.current()->begin);
    auto* statement = make<FunctionDeclaration>(span, function, nullptr);
    if (name) {
        statement->declaration = scopes.declare(name->name, name->span, DeclarationKind::Function, span.end);
        statement->declaration->function = function;
        name->declaration = statement->declaration;
    }
    return statement;
}

void Builder::checkAccessor(FunctionNode* function, bool isGetter) {
    u32 count = function->parameters.size();
    if (isGetter && (count || function->rest))
        error(leftParameters(), "Getter must not have any formal parameters.");
    if (isGetter)
        return;
    if (function->rest && !count)
        error(leftParameters(), "Setter function argument must not be a rest parameter");
    else if (count != 1 || function->rest)
        error(leftParameters(), "Setter must have exactly one formal parameter.");
}

// ---- Arrow functions (15.3, 15.9)
// ---------------------------------------------------------------------------------------

void Builder::enterArrow(ArrowHead head, Span span) {
    auto* call = head.expression ? head.expression->asIf<Call>() : nullptr;
    auto* callee = call && !call->isParenthesized ? call->callee->asIf<Identifier>() : nullptr;
    bool isAsync = callee && !head.isList && !callee->isParenthesized && lexer.isExactly(callee->span, "async");
    if (isAsync && call->isOptional)
        isAsync = false;
    if (isAsync && lexer.hasLineBreakIn({callee->span.end, call->argumentsSpan.begin}))
        error(call->argumentsSpan, "Unexpected token '=>'",
            {"a line break is not allowed between 'async' and the parameters"});
    auto* node = make<FunctionNode>(span, FunctionKind::Arrow, isAsync);
    checkParameterUse(span.begin, isAsync);
    if (isAsync)
        asyncArrowParameters(*node, *call, *callee);
    else
        arrowParameters(*node, head);
    startArrow(*node, span.begin);
}

/// async name => body: the name was not an expression yet.
void Builder::enterAsyncArrow(Name* parameter, Span parameterSpan, Span span) {
    auto* node = make<FunctionNode>(span, FunctionKind::Arrow, true);
    if (parameter == names.await)
        error(parameterSpan, "Unexpected reserved word 'await'");
    auto* name = bindingIdentifier(parameter, parameterSpan);
    node->parameters.append(arena, make<PatternElement>(parameterSpan, name, nullptr));
    startArrow(*node, span.begin);
}

void Builder::arrowParameters(FunctionNode& node, ArrowHead head) {
    node.rest = head.rest;
    Expr* expression = head.expression;
    if (!expression)
        return;
    bool isParenthesized = head.isList || expression->isParenthesized;
    if (!isParenthesized && !expression->is<Identifier>())
        return error(expression->span, "Malformed arrow function parameter list");
    if (!head.isList) {
        if (expression->marks & IsTwiceParenthesized)
            return error(expression->span, "Malformed arrow function parameter list");
        expression->isParenthesized = false;
    }
    auto* list = expression->asIf<Sequence>();
    if (!list || list->isParenthesized) {
        node.parameters.append(arena, toElement(expression, true));
        return;
    }
    for (Expr* item : list->expressions)
        node.parameters.append(arena, toElement(item, true));
}

/// async(...) was read as a call.
void Builder::asyncArrowParameters(FunctionNode& node, Call& call, Identifier& callee) {
    callee.marks |= IsBinding; // not a reference to async after all
    for (u32 i = 0; i < call.arguments.size(); i++) {
        Expr* argument = call.arguments[i];
        auto* spread = argument->asIf<Spread>();
        if (!spread) {
            node.parameters.append(arena, toElement(argument, true));
            continue;
        }
        if (i + 1 < call.arguments.size() || call.marks & EndsInComma)
            error(spread->span, "Rest parameter must be last formal parameter");
        node.rest = toPattern(spread->argument, true);
    }
}

/// Known: the parameters are read; "=>" is the last token.
void Builder::startArrow(FunctionNode& node, u32 begin) {
    FunctionContext& context = push(&node, begin);
    // What the head used was booked on the function around: it is this one's too.
    for (Use what : sharedUses) {
        size_t index = static_cast<size_t>(what);
        if (context.outer->lastUse[index] > begin)
            context.lastUse[index] = context.outer->lastUse[index];
    }
    context.parameters->hasEval = context.lastUse[static_cast<size_t>(Use::InnerEval)] != 0;
    scopes.takeReferencesSince(begin);
    describeParameters(node);
    declareParameters(node);
    OpenScope* body = scopes.open(ScopeKind::Body, &node, begin);
    body->sharesParameters = !node.hasParameterExpressions;
    lexer.startArrowBody();
}

Expr* Builder::leaveArrow(List<Stmt*> body, Expr* expression, Span bodySpan) {
    FunctionNode& node = *function_->node;
    node.body = body;
    node.expressionBody = expression;
    node.bodySpan = bodySpan;
    checkDirectives(node);
    u32 begin = function_->begin;
    leave(*function_);
    crossFunction(node, nullptr, begin);
    return make<FunctionExpression>(bodySpan, &node);
}

void Builder::spanArrow(Expr* arrow, Span span) {
    arrow->span = arrow->as<FunctionExpression>()->function->span = span;
}

// ---- The whole text
// -----------------------------------------------------------------------------------------------------

void Builder::begin() {
    auto* node = make<FunctionNode>(Span{0, 0}, isModule_ ? FunctionKind::Module : FunctionKind::Script, false);
    FunctionContext& context = push(node, 0);
    context.awaitIsKeyword = isModule_ || options_.allowTopLevelAwait || options_.goal == Goal::Detect;
    lexer.setAwait(context.awaitIsKeyword);
    node->hasSimpleParameters = true;
    if (options_.isCommonJs && !isModule_) {
        for (const char* parameter : {"exports", "require", "module", "__filename", "__dirname"}) {
            auto* name = bindingIdentifier(names.intern(parameter), Span{0, 0});
            node->parameters.append(arena, make<PatternElement>(Span{0, 0}, name, nullptr));
        }
        describeParameters(*node);
        declareParameters(*node);
    }
    OpenScope* body = scopes.open(ScopeKind::Body, node, 0);
    body->sharesParameters = true;
}

void Builder::finish(List<Stmt*> body, Span span) {
    FunctionNode& node = *function_->node;
    node.span = {0, source_.size()};
    node.body = body;
    node.bodySpan = span;
    checkConversions();
    resolveExports();
    for (const PrivateReference& reference : privateReferences_) {
        bool isKnown = false;
        for (std::string_view name : options_.privateNames)
            isKnown = isKnown || toUtf8(*reference.name).substr(1) == name;
        if (!isKnown)
            error(reference.span,
                "Private field '" + toUtf8(*reference.name) + "' must be declared in an enclosing class");
    }
    leave(*function_);
    program = make<Program>(node.span, isModule_, &node);
}

/// Something that only a module has: with Goal::Detect, this parse stops and another one starts.
/// The message is that of a script.
void Builder::markModule(Span span, std::string message, bool isAwait, Notes notes) {
    if (isModule_ || options_.goal != Goal::Detect || errors.any)
        return;
    isModuleAfterAll = true;
    isModuleByAwait = isAwait;
    error(span, std::move(message), std::move(notes));
}

}
