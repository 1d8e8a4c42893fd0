// Declarations and references (ECMA-262 8.2, 8.3 and the early errors of 14.2.1, 14.12.1, 14.15.1, 15.2.1, 16.1.1).
#include "grammar/scopes.h"

#include "runtime/base/utf.h"

namespace scr {

namespace {

/// Set on identifiers by the tree builder; see Node::marks.
constexpr u8 isBindingMark = 1;
constexpr u8 isWrittenMark = 2;

bool isFunctionTop(const OpenScope& scope) { return scope.kind == ScopeKind::Body; }

/// Whether a declaration bound in a body may be repeated by var. In a module, functions are lexical (16.2.1.5).
bool isVariableOf(const OpenScope& body, const Declaration& declaration) {
    return declaration.kind == DeclarationKind::Var || declaration.kind == DeclarationKind::Parameter
        || (declaration.kind == DeclarationKind::Function && body.function->kind != FunctionKind::Module);
}

} // namespace

OpenScope* ScopeTable::open(ScopeKind kind, FunctionNode* function, u32 begin) {
    auto* scope = arena_.make<OpenScope>();
    scope->kind = kind;
    scope->begin = begin;
    scope->firstReference = static_cast<u32>(references_.size());
    scope->parent = current_;
    scope->function = function;
    return current_ = scope;
}

Scope* ScopeTable::close() {
    resolveInside();
    unbind();
    Scope* result = finish(current_->declarations);
    current_ = current_->parent;
    return result;
}

void ScopeTable::closeBody(Scope*& variables, Scope*& lexical) {
    resolveInside();
    unbind();
    variables = finish(current_->variables);
    lexical = finish(current_->declarations);
    current_ = current_->parent;
}

void ScopeTable::takeReferencesSince(u32 place) {
    u32 first = static_cast<u32>(references_.size());
    while (first > 0 && references_[first - 1].identifier->span.begin >= place)
        first--;
    current_->firstReference = first;
}

// ---- Declaring --------------------------------------------------------------------------------------------------

Declaration* ScopeTable::declare(Name* name, Span span, DeclarationKind kind, u32 initializedAt) {
    bool isVariable = kind == DeclarationKind::Var
        || (kind == DeclarationKind::Function && isFunctionTop(*current_)
            && current_->function->kind != FunctionKind::Module);
    return isVariable ? declareVariable(name, span, kind, initializedAt)
                      : declareLexical(name, span, kind, initializedAt);
}

Declaration* ScopeTable::declareLexical(Name* name, Span span, DeclarationKind kind, u32 initializedAt) {
    Binding* other = top(name);
    // The names of parameters and of a catch clause are closed to the let and const of the block that follows.
    OpenScope* head = current_->parent;
    bool hasHead = (current_->kind == ScopeKind::Body && head && head->kind == ScopeKind::Parameters)
        || (current_->kind == ScopeKind::Block && head && head->kind == ScopeKind::Catch);
    if (other && (other->scope == current_ || (hasHead && other->scope == head)))
        clash(*other->declaration, span, kind);
    Declaration* declaration = make(name, span, kind, initializedAt, current_->function);
    current_->declarations.append(arena_, declaration);
    push(name, current_, declaration, false);
    return declaration;
}

Declaration* ScopeTable::declareVariable(Name* name, Span span, DeclarationKind kind, u32 initializedAt) {
    OpenScope* body = current_;
    while (body->kind != ScopeKind::Body)
        body = body->parent;
    Declaration *declaration = nullptr, *caught = nullptr;
    auto** link = reinterpret_cast<Binding**>(&name->cache);
    for (Binding* other; (other = *link) && other->scope->function == body->function; link = &other->outer) {
        if (other->scope->kind == ScopeKind::Parameters) {
            if (!declaration && body->sharesParameters)
                declaration = other->declaration;
            break;
        }
        if (other->isPassing || (other->scope == body && isVariableOf(*body, *other->declaration)))
            declaration = other->declaration;
        else if (!(other->scope->kind == ScopeKind::Catch && other->scope->isSimpleCatch))
            clash(*other->declaration, span, kind);
        else if (!caught)
            caught = other->declaration;
    }
    bool isBound = false;
    for (Binding* other = top(name); other && !isBound; other = other->outer)
        isBound = other->scope == body;
    if (!declaration) {
        declaration = make(name, span, kind, initializedAt, body->function);
        body->variables.append(arena_, declaration);
    } else if (kind == DeclarationKind::Function && declaration->kind == DeclarationKind::Var) {
        declaration->kind = kind;
    }
    if (!isBound) {
        *link = arena_.make<Binding>(Binding{body, declaration, *link, false});
        body->bound.append(arena_, name);
    }
    if (current_ != body && top(name)->scope != current_)
        push(name, current_, declaration, true);
    if (!caught)
        return declaration;
    caught->isUsed = caught->isAssigned = true; // catch (e) { var e = 1; } declares the one and assigns to the other
    return caught;
}

Declaration* ScopeTable::make(Name* name, Span span, DeclarationKind kind, u32 initializedAt, FunctionNode* owner) {
    auto* declaration = arena_.make<Declaration>();
    declaration->name = name;
    declaration->span = span;
    declaration->kind = kind;
    declaration->owner = owner;
    declaration->scratch = initializedAt;
    return declaration;
}

void ScopeTable::push(Name* name, OpenScope* scope, Declaration* declaration, bool isPassing) {
    name->cache = arena_.make<Binding>(Binding{scope, declaration, top(name), isPassing});
    scope->bound.append(arena_, name);
}

void ScopeTable::clash(const Declaration& first, Span span, DeclarationKind kind) {
    std::string name = "'" + toUtf8(*first.name) + "'";
    if (kind == DeclarationKind::Default || first.kind == DeclarationKind::Default || name == "'*default*'")
        return errors_.report(span, "Duplicate export of 'default'", false, {{"the first one:", first.span}});
    bool isGiven = first.span == Span{0, 0}; // exports, require, ... of a CommonJS file
    Note note = isGiven ? Note(name + " is what every CommonJS file is given: choose another name")
                        : Note(name + " was first declared here:", first.span);
    bool isParameter = kind == DeclarationKind::Parameter;
    errors_.report(span,
        isParameter ? "Duplicate parameter name not allowed in this context"
                    : "Identifier " + name + " has already been declared",
        false, {std::move(note)});
}

Declaration* ScopeTable::find(Name* name) const {
    Binding* binding = top(name);
    return binding && binding->scope == current_ && !binding->isPassing ? binding->declaration : nullptr;
}

/// Takes the current scope's bindings away; vars on their way to the body move to the scope around.
void ScopeTable::unbind() {
    for (Name* name : current_->bound) {
        Binding* binding = top(name);
        if (!binding || binding->scope != current_)
            continue; // bound twice after a clash
        name->cache = binding->outer;
        OpenScope* parent = current_->parent;
        if (binding->isPassing && !(top(name) && top(name)->scope == parent) && parent->kind != ScopeKind::Body)
            push(name, parent, binding->declaration, true);
    }
}

Scope* ScopeTable::finish(List<Declaration*> declarations) {
    if (declarations.isEmpty())
        return nullptr;
    auto* scope = arena_.make<Scope>();
    scope->declarations = declarations;
    for (Declaration* declaration : declarations) {
        declaration->scope = scope;
        declaration->scratch = 0;
        if (current_->hasEval) {
            declaration->isUsed = declaration->isAssigned = declaration->isCaptured = true;
            declaration->isEarly = true;
        } else if (current_->kind == ScopeKind::Switch) {
            declaration->isEarly = declaration->isUsed; // a case may jump over the declaration
        }
        bool hasDeadZone = declaration->isLexical() || declaration->kind == DeclarationKind::Parameter
            || declaration->kind == DeclarationKind::Catch;
        declaration->isEarly = declaration->isEarly && hasDeadZone;
        scope->hasCaptured = scope->hasCaptured || declaration->isCaptured;
        scope->hasAwaitUsing = scope->hasAwaitUsing || declaration->kind == DeclarationKind::AwaitUsing;
        scope->hasUsing = scope->hasUsing || scope->hasAwaitUsing || declaration->kind == DeclarationKind::Using;
    }
    return scope;
}

Scope* ScopeTable::single(Declaration* declaration) {
    auto* scope = arena_.make<Scope>();
    scope->declarations.append(arena_, declaration);
    scope->hasCaptured = declaration->isCaptured;
    declaration->scope = scope;
    declaration->scratch = 0;
    return scope;
}

// ---- Referring ----------------------------------------------------------------------------------------------------

void ScopeTable::noteEval() {
    for (OpenScope* scope = current_; scope && !scope->hasEval; scope = scope->parent)
        scope->hasEval = true;
}

void ScopeTable::attach(const Reference& reference, Declaration* declaration) {
    reference.identifier->declaration = declaration;
    declaration->isUsed = true;
    if (reference.identifier->marks & isWrittenMark)
        declaration->isAssigned = true;
    if (reference.isCrossing)
        declaration->isCaptured = true;
    if (reference.place < declaration->scratch)
        declaration->isEarly = true;
}

/// Attaches what the current scope binds and drops binding identifiers; keeps the rest for the scopes around.
void ScopeTable::resolveInside() {
    if (current_->bound.isEmpty())
        return;
    size_t kept = current_->firstReference;
    for (size_t i = kept; i < references_.size(); i++) {
        const Reference& reference = references_[i];
        Identifier* identifier = reference.identifier;
        if (identifier->marks & isBindingMark)
            continue;
        Binding* binding = top(identifier->name);
        if (binding && binding->scope == current_ && !binding->isPassing)
            attach(reference, binding->declaration);
        else
            references_[kept++] = reference;
    }
    references_.resize(kept);
}

Declaration* ScopeTable::claim(u32 firstReference, Name* name, Span span, DeclarationKind kind, FunctionNode* owner,
    u32 initializedAt, bool hasEval) {
    Declaration* declaration = hasEval ? make(name, span, kind, initializedAt, owner) : nullptr;
    size_t kept = firstReference;
    for (size_t i = kept; i < references_.size(); i++) {
        const Reference& reference = references_[i];
        if (reference.identifier->name != name || reference.identifier->marks & isBindingMark) {
            references_[kept++] = reference;
            continue;
        }
        if (!declaration)
            declaration = make(name, span, kind, initializedAt, owner);
        attach(reference, declaration);
    }
    references_.resize(kept);
    if (hasEval)
        declaration->isUsed = declaration->isAssigned = declaration->isCaptured = declaration->isEarly = true;
    return declaration;
}

void ScopeTable::declareArguments(Name* arguments, bool hasEval) {
    FunctionNode* function = current_->function;
    Declaration* declaration =
        claim(current_->firstReference, arguments, function->span, DeclarationKind::Arguments, function, 0, hasEval);
    if (declaration)
        current_->declarations.append(arena_, declaration);
}

Declaration* ScopeTable::declareClassName(
    u32 firstReference, Identifier* name, FunctionNode* owner, u32 initializedAt, bool hasEval) {
    return claim(firstReference, name->name, name->span, DeclarationKind::ClassName, owner, initializedAt, hasEval);
}

Declaration* ScopeTable::leaveFunction(
    u32 firstReference, FunctionNode* function, Identifier* ownName, u32 place, bool hasEval) {
    Declaration* own = nullptr;
    if (ownName)
        own = claim(firstReference, ownName->name, ownName->span, DeclarationKind::OwnName, function, 0, hasEval);
    for (size_t i = firstReference; i < references_.size(); i++) {
        references_[i].isCrossing = true;
        references_[i].place = place;
    }
    return own;
}

std::vector<Identifier*> ScopeTable::unresolved() const {
    std::vector<Identifier*> result;
    for (const Reference& reference : references_)
        if (!(reference.identifier->marks & isBindingMark))
            result.push_back(reference.identifier);
    return result;
}

std::string toUtf8(const Name& name) {
    std::string result;
    if (name.isLatin1)
        appendLatin1AsUtf8(result, name.latin1, name.length);
    else
        appendUtf16AsUtf8(result, name.utf16, name.length);
    return result;
}

}
