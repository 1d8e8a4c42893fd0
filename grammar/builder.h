// What the grammar's actions call: one method makes one node, checks what the rules alone cannot say, and keeps the
// book of functions, labels, classes and scopes. The invariant: after an error was reported the lexer delivers no more
// tokens, so methods need not care to return something meaningful then; but never null where a node is due.
#pragma once

#include "grammar/lexer.h"
#include "grammar/parse.h"
#include "grammar/scopes.h"

namespace scr {

/// The key of a property or class member, between the rule that reads it and the one that uses it.
struct Key {
    Expr* expression;
    bool isComputed;
};

struct Parameters {
    List<PatternElement*> list;
    Expr* rest;
    Span restSpan; // from "..."
};

/// What stands before "=>" and is no expression: (), (a,), (...a).
struct ArrowHead {
    Expr* expression; // or null; parenthesized
    Expr* rest; // or null
    Span restSpan;
    bool isList; // in parentheses as a whole, not an expression
};

/// A name of an import or export; isBinding: an identifier that could be bound here, neither string nor keyword.
struct ModuleName {
    Name* name;
    bool isBinding;
};

/// An if with its else-ifs so far.
struct IfChain {
    If* first;
    If* last;
};

/// Elements of an array literal; a comma behind the last one.
struct Elements {
    List<Expr*> list;
    bool endsInComma;
};

/// What a function uses of its surroundings, and itself; see the fields of FunctionNode.
enum class Use : u8 { This, Arguments, NewTarget, SuperProperty, SuperCall, Eval, InnerEval, Await, Yield, AwaitName };
constexpr size_t useCount = 10;

/// Bits of Node::marks while parsing.
enum Mark : u8 {
    IsBinding = 1, // an identifier that binds: not a reference
    IsWritten = 2, // an identifier that is assigned to
    IsTwiceParenthesized = 4,
    IsConverted = 8, // an object literal or property that became (part of) a pattern
    EndsInComma = 16, // an array literal, a parameter list in parentheses
};

/// A function that is being parsed.
struct FunctionContext {
    FunctionNode* node;
    FunctionContext* outer;
    OpenScope* parameters = nullptr;
    u32 lastUse[useCount]{}; // place + 1 of the latest; 0: none
    u32 begin;
    size_t firstLabel; // index: labels below belong to functions around
    u32 loops = 0; // around this point
    u32 switches = 0;
    bool awaitIsKeyword = false; // for the lexer
    Span closeSpan{}; // the ")" behind them
};

struct Label {
    Name* name;
    Labeled* statement;
    u32 serial; // of the statement that it stands before
    bool isChained; // stands directly behind the label before it
    bool isOfLoop;
};

struct PrivateReference {
    Name* name; // with #
    Span span;
};

/// One exported name.
struct Export {
    Name* name;
    Span span;
    void* outer; // what was in the cache of the name, while duplicates are sought
};

struct ClassContext {
    Class* node;
    ClassContext* outer;
    OpenScope* scope;
    size_t firstReference; // index into privateReferences_
    u32 bodyBegin;
    bool hasComputedKey;
};

class Builder {
public:
    Builder(const Source& source, Arena& arena, NameTable& names, Errors& errors, const ParseOptions& options,
        bool isModule);

    Arena& arena;
    NameTable& names;
    Errors& errors;
    Lexer lexer;
    Program* program = nullptr;

    /// With Goal::Detect: the parse stopped at something that only a module has.
    bool isModuleAfterAll = false;
    /// That thing is await, which a script could use as a name.
    bool isModuleByAwait = false;

    template <typename T, typename... Args> T* make(Span span, Args... args) {
        return makeNode<T>(arena, span, args...);
    }
    const Source& source() const { return source_; }
    void error(Span span, std::string message, Notes notes = {}) {
        errors.report(span, std::move(message), false, std::move(notes));
    }
    /// await where it is none: names the function.
    void awaitError(Span span, std::string message);
    void checkDepth(size_t depth, Span span) {
        if (UNLIKELY(depth > maximumNesting))
            error(span, "The program is nested too deeply");
    }
    Name* nameOf(Span keyword);

    // ---- build_expression.cpp ----
    Expr* identifier(Name* name, Span span);
    Identifier* bindingIdentifier(Name* name, Span span);
    Expr* string(Name* value, Span span) { return make<StringLiteral>(span, value); }
    Expr* regExp(Span span);
    Expr* thisExpression(Span span);
    Expr* parenthesize(Expr* expression);
    Expr* array(Elements elements, Span span);
    Expr* object(List<Property*> properties, Span span);
    Property* property(Key key, Expr* value, Span span);
    Property* shorthand(Name* name, Span nameSpan, Expr* initializer, Span span);
    Property* methodProperty(ClassMember* method);
    TemplateLiteral* templateBegin(TemplateChunk* chunk, Span span);
    void templatePart(TemplateLiteral* literal, Expr* expression);
    Expr* untagged(TemplateLiteral* literal);
    Expr* tagged(Expr* tag, TemplateLiteral* literal, Span span);
    Expr* member(Expr* object, Name* property, Span propertySpan, Span span, bool isOptional);
    Expr* privateMember(Expr* object, Name* property, Span propertySpan, Span span, bool isOptional);
    Expr* call(Expr* callee, Elements arguments, Span argumentsSpan, Span span, bool isOptional);
    Expr* superMember(Name* property, Span propertySpan, Span span);
    Expr* superIndex(Expr* index, Span span);
    Expr* superCall(List<Expr*> arguments, Span span);
    Expr* newTarget(Name* name, Span nameSpan, Span span);
    Expr* importMeta(Name* name, Span nameSpan, Span span);
    Expr* unary(UnaryOperator op, Expr* operand, Span span);
    Expr* update(bool isIncrement, bool isPrefix, Expr* target, Span span);
    Expr* await(Expr* argument, Span span);
    Expr* yield(Expr* argument, bool isDelegate, Span span);
    Expr* binary(BinaryOperator op, Expr* left, Expr* right, Span opSpan, Span span);
    Expr* logical(LogicalOperator op, Expr* left, Expr* right, Span opSpan, Span span);
    Expr* privateIn(Name* name, Span nameSpan, Expr* right, Span span);
    Expr* sequence(Expr* left, Expr* right, Span span);
    Expr* assign(Expr* target, Expr* value, Span span);
    Expr* compoundAssign(BinaryOperator op, Expr* target, Expr* value, Span opSpan, Span span);
    Expr* logicalAssign(LogicalOperator op, Expr* target, Expr* value, Span span);
    void reservedWord(Span span);
    /// Was the token before the unexpected one an await that is a name here? Then that is the mistake; else null.
    const char* misusedAwait() const;
    u32 misusedAwaitAt() const { return lexer.previousAwaitAt() - 1; }

    // ---- build_pattern.cpp ----
    /// The expression re-read as the target of an assignment or, if isBinding, as names that are bound.
    Expr* toPattern(Expr* expression, bool isBinding);
    Expr* toTarget(Expr* expression, const char* what);
    Expr* arrayPattern(List<PatternElement*> elements, Expr* rest, Span span) {
        return make<ArrayPattern>(span, elements, rest);
    }
    PatternProperty* patternShorthand(Name* name, Span nameSpan, Expr* initializer, Span span);
    void declarePattern(Expr* pattern, DeclarationKind kind, u32 initializedAt);

    // ---- build_function.cpp ----
    void enterFunction(FunctionKind kind, bool isAsync, bool isGenerator, u32 begin);
    void enterArrow(ArrowHead head, Span span);
    void enterAsyncArrow(Name* parameter, Span parameterSpan, Span span);
    void enterBody(Parameters parameters, Span closeSpan, u32 bodyBegin);
    FunctionNode* leaveFunction(List<Stmt*> body, Span bodySpan);
    Expr* leaveArrow(List<Stmt*> body, Expr* expression, Span bodySpan);
    void spanArrow(Expr* arrow, Span span);
    Expr* functionExpression(Identifier* name, FunctionNode* function, Span span);
    Stmt* functionDeclaration(Identifier* name, FunctionNode* function, Span span);
    ClassMember* method(MemberKind kind, Key key, FunctionNode* function, Span span);
    void checkAccessor(FunctionNode* function, bool isGetter);
    /// The kind of a token read ahead of the end of an arrow function, as the function around sees it.
    bool isAwaitKeyword() const { return function_->awaitIsKeyword; }

    void enterClass(Identifier* name, u32 begin);
    void enterClassBody(Expr* heritage, u32 begin);
    ClassMember* staticMember(ClassMember* member, Span span);
    ClassMember* field(Key key, FunctionNode* initializer, bool isStatic, Span span);
    void enterField(u32 begin);
    FunctionNode* leaveField(Expr* value);
    void enterStaticBlock(u32 begin);
    ClassMember* staticBlock(List<Stmt*> body, Span bodySpan, Span span);
    void addMember(List<ClassMember*>& members, ClassMember* member);
    Class* leaveClass(List<ClassMember*> members, Span span);
    Stmt* classDeclaration(Class* definition, Span span);

    // ---- build_statement.cpp ----
    void openScope(ScopeKind kind, u32 begin) { scopes.open(kind, function_->node, begin); }
    Scope* closeScope() { return scopes.close(); }
    Stmt* declarations(DeclarationKind kind, List<Declarator*> list, Span span, bool isComplete);
    void checkUsingPlace(Span span);
    /// The keyword of a loop was read: the labels directly before it are labels of a loop.
    void markLoop();
    void beginLoop() { function_->loops++; }
    void endLoop() { function_->loops--; }
    void beginSwitch() { function_->switches++; }
    void endSwitch() { function_->switches--; }
    void noteStatement() { serial_++; }
    Labeled* beginLabel(Name* name, Span nameSpan);
    Stmt* endLabel(Labeled* labeled, Stmt* body, Span span);
    Stmt* jump(bool isContinue, Name* label, Span labelSpan, Span span);
    Notes jumpNotes(const char* what) const;
    Notes labelNotes(const Name& label) const;
    Stmt* returnStatement(Expr* argument, Span span);
    Node* forTarget(Expr* target, bool isOf, bool isAwait);
    void forDeclaration(Stmt* declaration, const char* loop, u32 headEnd);
    void beginCatch(Expr* parameter, u32 place);
    void addCase(List<SwitchCase*>& cases, SwitchCase* item);
    void useAwait(Span span, const char* what);
    bool isTopLevel() const { return !function_->outer; }

    // ---- build_module.cpp ----
    void moduleItem(Span span, const char* what);
    ImportSpecifier* importSpecifier(Name* imported, Name* local, Span localSpan, Span span);
    Stmt* import(
        List<ImportSpecifier*> specifiers, Name* source, Span sourceSpan, List<ImportAttribute*> attributes, Span span);
    void checkModuleName(Name* name, Span span);
    ExportSpecifier* exportSpecifier(ModuleName local, ModuleName exported, Span span);
    Stmt* exportNamed(
        List<ExportSpecifier*> specifiers, Name* source, Span sourceSpan, List<ImportAttribute*> attributes, Span span);
    Stmt* exportAll(
        Name* exported, Span exportedSpan, Name* source, Span sourceSpan, List<ImportAttribute*> attributes, Span span);
    Stmt* exportDeclaration(Stmt* declaration, Span span);
    Stmt* exportDefault(Node* value, Span defaultSpan, Span span);
    void checkAttribute(List<ImportAttribute*> before, ImportAttribute* attribute);
    void addExport(Name* name, Span span);

    void begin();
    void finish(List<Stmt*> body, Span span);

    ScopeTable scopes;

private:
    FunctionContext* providerOfThis() const;
    void use(Use what, u32 place);
    FunctionContext& push(FunctionNode* node, u32 begin);
    void pop();
    /// Of the function just left, with its parentheses.
    Span leftParameters() const { return {leftBegin_ - 1, leftClose_.end}; }
    void checkDirectives(const FunctionNode& function);
    void checkParameterUse(u32 since, bool isAsync);
    void describeParameters(FunctionNode& node);
    void declareParameters(FunctionNode& node);
    void checkBindingName(Name* name, Span span);
    Expr* checkBinding(Expr* pattern);
    Expr* toArrayPattern(ArrayLiteral* literal, bool isBinding);
    Expr* toObjectPattern(ObjectLiteral* literal, bool isBinding);
    PatternElement* toElement(Expr* expression, bool isBinding);
    void expectConversion(Node* node, Span span, const char* message, const char* note, Span notePlace = {});
    void checkConversions();
    void referPrivate(Name* name, Span span);
    void declarePrivateNames(Class& node);
    void resolvePrivateNames(const Class& node);
    void checkMemberName(const ClassMember& member);
    void addConstructor(const ClassMember& member);
    Notes firstExport(const Export& again) const;
    void resolveExports();
    void leave(FunctionContext& context);
    void crossFunction(FunctionNode& node, Identifier* ownName, u32 place);
    void startArrow(FunctionNode& node, u32 begin);
    void arrowParameters(FunctionNode& node, ArrowHead head);
    void asyncArrowParameters(FunctionNode& node, Call& call, Identifier& callee);
    void checkSuperProperty(Span span);
    void enterInitializer(FunctionKind kind, u32 begin);
    void completeDeclaration(VariableDeclaration& statement);
    void exportPattern(Expr* pattern);
    FunctionNode* leaveInitializer(Expr* value, List<Stmt*> body, Span span);

    /// Things that are right only if they become part of a pattern: { a = 1 } and __proto__ twice.
    struct PendingConversion {
        Node* node;
        Span span;
        const char* message;
        const char* note;
        Span notePlace; // empty: the note has none
    };

    void markModule(Span span, std::string message, bool isAwait, Notes notes = {});

    const Source& source_;
    const ParseOptions& options_;
    bool isModule_;
    FunctionContext* function_ = nullptr;
    ClassContext* class_ = nullptr;
    u32 serial_ = 0;
    u32 superCallAt_ = 0; // place + 1 of super(...) in the method just left
    u32 leftBegin_ = 0; // of the parameters of the function just left
    Span leftClose_{};
    u32 leftReference_ = 0; // first reference inside the function just left
    std::vector<Label> labels_;
    std::vector<PrivateReference> privateReferences_;
    std::vector<PendingConversion> pending_;
    std::vector<ExportSpecifier*> localExports_;
    std::vector<Export> exports_;
};

}
