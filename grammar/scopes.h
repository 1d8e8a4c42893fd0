// The names of the text while it is parsed: who declares what, which declarations clash, and what every identifier
// refers to. The invariant: scopes open and close like brackets, except that the scope of an arrow function's
// parameters is opened behind them and takes over the references since their first byte.
#pragma once

#include "grammar/diagnostic.h"
#include "grammar/names.h"

#include <vector>

namespace scr {

enum class ScopeKind : u8 { Block, Switch, Catch, ForHead, Class, Parameters, Body };

struct Binding;

/// A scope that is not closed yet.
struct OpenScope {
    ScopeKind kind;
    bool hasEval = false; // a direct eval may see its names
    bool isSimpleCatch = false; // catch (name): a var of that name is allowed inside (ECMA-262 B.3.4)
    bool sharesParameters = false; // Body: a var named like a parameter is that parameter
    u32 begin; // place in the text
    u32 firstReference; // index: the references from there on are inside
    OpenScope* parent;
    FunctionNode* function;
    List<Declaration*> declarations{};
    List<Declaration*> variables{}; // Body: var names and top-level functions
    List<Name*> bound{}; // every name with a Binding here
};

/// What a name means in an open scope. The ones of a name are chained from the inside out; Name::cache holds the first.
struct Binding {
    OpenScope* scope;
    Declaration* declaration;
    Binding* outer;
    bool isPassing; // a var declared inside, on its way to the body: clashes, but is not bound here
};

class ScopeTable {
public:
    ScopeTable(Arena& arena, Errors& errors)
        : arena_(arena)
        , errors_(errors) { }

    OpenScope* open(ScopeKind kind, FunctionNode* function, u32 begin);
    /// The innermost scope's declarations, or null if there are none. Resolves the references to them.
    Scope* close();
    /// The same for a Body, which has two kinds.
    void closeBody(Scope*& variables, Scope*& lexical);
    OpenScope* current() const { return current_; }
    /// Moves the references since a place (those of an arrow function's head) into the current scope.
    void takeReferencesSince(u32 place);

    /// Declares name in the current scope (Var and, at the top of a script or function, Function: in the function's).
    /// Reports a clash. initializedAt: the place from which on it has its value.
    Declaration* declare(Name* name, Span span, DeclarationKind kind, u32 initializedAt);
    void refer(Identifier* identifier) { references_.push_back({identifier, identifier->span.begin, false}); }
    /// An eval(...) at this point sees all names of all open scopes.
    void noteEval();

    /// A function ends: what is still unresolved inside since firstReference crosses its border. place: from where on
    /// it may be called. ownName: the name of a function expression or null; the result is its declaration, if used.
    Declaration* leaveFunction(
        u32 firstReference, FunctionNode* function, Identifier* ownName, u32 place, bool hasEval);
    /// Declares the arguments object in the current scope, if something unresolved inside refers to it (or an eval
    /// may).
    void declareArguments(Name* arguments, bool hasEval);
    /// The constant inner name of a class, likewise.
    Declaration* declareClassName(
        u32 firstReference, Identifier* name, FunctionNode* owner, u32 initializedAt, bool hasEval);
    /// What name is bound to in the current scope itself, or null.
    Declaration* find(Name* name) const;
    /// The references that no scope has answered.
    std::vector<Identifier*> unresolved() const;
    /// A Scope of one declaration.
    Scope* single(Declaration* declaration);

private:
    struct Reference {
        Identifier* identifier;
        u32 place; // where it takes effect: its own, or that of the function around it
        bool isCrossing; // from a function inside
    };

    static Binding* top(Name* name) { return static_cast<Binding*>(name->cache); }
    void push(Name* name, OpenScope* scope, Declaration* declaration, bool isPassing);
    Declaration* make(Name* name, Span span, DeclarationKind kind, u32 initializedAt, FunctionNode* owner);
    Declaration* declareLexical(Name* name, Span span, DeclarationKind kind, u32 initializedAt);
    Declaration* declareVariable(Name* name, Span span, DeclarationKind kind, u32 initializedAt);
    void clash(const Declaration& first, Span span, DeclarationKind kind);
    void resolveInside();
    void attach(const Reference& reference, Declaration* declaration);
    Declaration* claim(u32 firstReference, Name* name, Span span, DeclarationKind kind, FunctionNode* owner,
        u32 initializedAt, bool hasEval);
    void unbind();
    Scope* finish(List<Declaration*> declarations);

    Arena& arena_;
    Errors& errors_;
    OpenScope* current_ = nullptr;
    std::vector<Reference> references_;
};

/// A name as UTF-8, for messages.
std::string toUtf8(const Name& name);

}
