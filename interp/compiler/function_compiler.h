// FunctionCompiler: the tree of one function to its code. The methods are spread over the files of this folder by
// subject; this header lists them by file.
//
// Rules every method keeps. expression() leaves its value in `want`, or, for Any, either in a local's register in place
// or in the register that was next when it was called; everything above is free again. A local that is named as an
// operand in place is copied only if something evaluated later may write it. A register that a script can see (a
// variable) is written by the last instruction of an expression only, unless nobody can tell.
#pragma once
#include "interp/compiler/class_scope.h"
#include "interp/compiler/emitter.h"
#include "interp/compiler/resolver.h"
#include "runtime/core/error.h"

namespace scr {

class FunctionCompiler;
struct ParseResult;

/// A scope with captured bindings: an Environment cell at run time.
struct EnvironmentScope {
    EnvironmentScope* parent; ///< the next cell up the chain
    FunctionCompiler* owner; ///< whose code made the cell and holds it in `reg`
    Reg reg;
    u32 word; ///< of NewEnvironment, whose count is patched when the scope ends
    u32 slots;
    List<Scope*> scopes; ///< whose names stand in it, the innermost last
    Array* description; ///< of the first `described` scopes, for direct evals (eval_scope.h)
    u32 described;
    bool existsOnce; ///< at the top level of a file, outside of loops
    // Hidden bindings: slot + 1, or 0.
    u32 thisSlot, newTargetSlot, calleeSlot, homeSlot, staticHomeSlot, fieldsSlot;
};

/// What surrounds a function and is not in its node.
struct FunctionSurroundings {
    String* name = nullptr; ///< as stacks and `name` show it; null: the node's own or ""
    EnvironmentScope* home = nullptr; ///< where super finds the home object
    bool isStatic = false; ///< the home object is the constructor
    Class* definition = nullptr; ///< of a constructor or a field initializer
    EnvironmentScope* classScope = nullptr;
    ClassScope* privates = nullptr; ///< of `definition`
    bool restArguments = false; ///< the default constructor of a derived class: hands all arguments on
    bool inlineFields = false; ///< the constructor defines the fields itself
    bool isFieldInitializer = false; ///< the synthetic function that runs the fields of `definition`
    const std::vector<u32>* fieldKeys =
        nullptr; ///< of a field initializer: slot + 1 of each member's computed key, or 0
    u32 siteFlags = 0; ///< of the stand-in for the function around a direct eval (eval_scope.h SiteFlag)
    CompileGoal goal = CompileGoal::CommonJs; ///< of the outermost function
};

/// Where break, continue, return and exceptions have to do something on their way.
struct Control {
    enum Kind : u8 {
        Loop,
        Switch,
        Block, ///< a labelled statement
        Region, ///< a try block with a catch clause
        Finally, ///< a try statement with a finally block; a scope that disposes
        Finalizer, ///< that block
        Iterator, ///< an iterator to be closed
    };
    struct Gap {
        u32 begin, end;
    };
    struct Exit {
        enum Type : u8 { Return, Break, Continue } type;
        Control* target; ///< null: out of the function
        bool operator==(const Exit&) const = default;
    };
    Kind kind;
    Control* outer;
    Stmt* statement = nullptr; ///< what a label or a loop's break names
    JumpTarget* onBreak = nullptr;
    JumpTarget* onContinue = nullptr;
    u32 begin = 0; ///< first word that is protected
    std::vector<Gap> gaps{}; ///< code of exits: not protected any more
    Reg state{}; ///< Finally: kind; Iterator: the first of its registers
    bool awaits = false; ///< Iterator: that of a for await loop, whose return() is awaited
    Reg value{}; ///< Finally: what is returned or thrown; Finalizer: the completion value around it
    JumpTarget* entry = nullptr; ///< Finally: where the block begins
    std::vector<Exit> exits{}; ///< Finally: kind = 2 + index
};

/// Something that can be assigned to, with its parts evaluated.
struct Reference {
    enum Kind : u8 { Name, Field, Element, Super, Private } kind = Name;
    Identifier* identifier = nullptr;
    Reg object, key; ///< Super: object is the first of three
    ::scr::Name* name = nullptr; ///< Field, Private
    Span span{}; ///< of the expression that was read for the object
    u32 point = 0;
};

/// What an instruction came from: the expression that an error names, and where the caret goes.
struct At {
    Span span;
    u32 point;
};

/// A property key that is known.
struct StaticKey {
    bool isIndex = false;
    u32 index = 0;
    String* atom = nullptr;
};

class FunctionCompiler {
public:
    FunctionCompiler(Unit& unit, FunctionCompiler* outer, EnvironmentScope* environment, FunctionNode& node,
        const FunctionSurroundings& info, bool far);
    /// The code of a direct eval's text (eval_scope.h).
    static Code* compileEval(Unit& unit, ParseResult& parsed, Array* site);
    /// Null after a failure, or if jumps did not reach (then it is to be done again with far = true).
    Code* compile();

private:
    friend Code* compileFunction(
        Unit&, FunctionCompiler*, EnvironmentScope*, FunctionNode&, const FunctionSurroundings&);

    // ---- function.cpp: entry, parameters, exits, closures
    void declareGlobals();
    static constexpr u32 MostNames = 30000; ///< of one scope in registers or in one environment
    void spreadNames();
    void spread(Scope& scope);
    const std::vector<Scope*>& moreScopes() const;
    void prologue();
    void allocateParameters();
    void makeFunctionEnvironment();
    void captureSurroundings();
    void placeParameter(Declaration* declaration);
    Declaration* parameterNamed(Name* name);
    void bindParameters();
    void bindParameter(PatternElement* parameter, Reg from);
    void initializeVariables();
    void placeNames(Scope* scope);
    void beginVariables(Scope* scope);
    void body();
    void epilogue();
    void endOfBody();
    Reg wrapCompletion();
    Code* makeCode();
    u16 flags() const;
    Reg closure(FunctionNode& function, const FunctionSurroundings& info, Reg want);
    Reg functionExpression(FunctionExpression* e, String* name, Reg want);
    FunctionCompiler* provider() { return node_.kind == FunctionKind::Arrow && outer_ ? outer_->provider() : this; }

    // ---- scope.cpp: bindings
    struct OpenScope {
        EnvironmentScope* environment;
        u16 mark;
    };
    OpenScope enterScope(Scope* scope, bool placeAll = false);
    void leaveScope(const OpenScope& open);
    EnvironmentScope* openEnvironment(bool existsOnce);
    void closeEnvironment(EnvironmentScope* environment);
    void hoistFunctions(Scope* scope);
    void placeDeclaration(Declaration* declaration, EnvironmentScope* environment, bool placeAll);
    void placeNow(Declaration* declaration);
    bool isUnplaced(Declaration* declaration) const { return declaration->scratch & Unplaced; }
    static Reg registerOf(Declaration* declaration) { return {u16(declaration->slot)}; }
    /// The binding lives in a register of this function.
    static bool isLocal(Declaration* d) { return d && !d->isCaptured && d->kind != DeclarationKind::OwnName; }
    /// It may be in the dead zone here.
    static bool needsCheck(Declaration* d);
    Reg environmentRegister() const;
    Reg loadSlot(EnvironmentScope* environment, u32 slot, Reg want);
    void storeSlot(EnvironmentScope* environment, u32 slot, Reg value);
    bool isStored(EnvironmentScope* environment, u32 slot, Reg value) const;
    u32 hopsTo(EnvironmentScope* environment) const;
    u32 hiddenSlot(EnvironmentScope* environment, u32& slot);
    static EnvironmentScope* environmentOf(Declaration* d) { return static_cast<EnvironmentScope*>(d->scope->cache); }
    Reg identifier(Identifier* e, Reg want);
    Reg global(Identifier* e, Reg want, bool orUndefined);
    Reg loadBinding(Identifier* e, Reg want);
    void checkInitialized(Declaration* declaration, Reg value, Span span, u32 point);
    void storeIdentifier(Identifier* e, Reg value, u32 point);
    void checkBeforeStore(Identifier* e, u32 point);
    void initialize(Declaration* declaration, Reg value);
    void initializeWith(Declaration* declaration, Expr* value);
    bool refuseConstant(Identifier* e, u32 point);
    void assignRegister(Reg local, Expr* value, String* name);
    bool writesLast(Expr* e, Reg local);

    // ---- expression.cpp: values
    Reg expression(Expr* e, Reg want = Any);
    Reg dispatch(Expr* e, Reg want);
    Reg refuse(Expr* e, Reg want);
    void throwUnsupported(Span span, const char* what);
    Reg longChain(Expr* e, Reg want);
    Reg named(Expr* e, String* name, Reg want);
    Reg operand(Expr* e, Node* later, Node* last = nullptr);
    Reg toNext(Expr* e);
    void effect(Expr* e);
    Reg target(Reg want) { return want == Any ? emit_.allocate() : want; }
    Reg settle(Reg want, Reg value);
    void move(Reg dst, Reg src);
    bool isTemporary(Reg reg, u16 mark) const { return reg.n >= mark; }
    Reg literal(Expr* e, Reg want);
    Reg thisValue(Span span, Reg want);
    Reg newTarget(Reg want);
    Reg unary(Unary* e, Reg want);
    Reg deleteExpression(Unary* e, Reg want);
    Reg typeOf(Unary* e, Reg want);
    Reg binary(Binary* e, Reg want);
    Reg operate(BinaryOperator op, Reg left, Expr* right, Span span, u32 point, u16 mark, Reg want);
    Reg logical(Logical* e, Reg want);
    Reg conditional(Conditional* e, Reg want);
    Reg sequence(Sequence* e, Reg want);
    Reg templateLiteral(TemplateLiteral* e, Reg want);

    // ---- literal.cpp: arrays and objects
    Reg arrayLiteral(ArrayLiteral* e, Reg want);
    /// Where a spread stands, which shows in the message about one that cannot be iterated over.
    enum class SpreadKind { Element, Argument, LastArgument };
    void appendElement(Reg array, Expr* element, SpreadKind kind = SpreadKind::Element);
    Reg objectLiteral(ObjectLiteral* e, Reg want);
    bool isPlainLiteral(ObjectLiteral* e);
    Reg plainLiteral(ObjectLiteral* e, Reg want);
    void defineProperty(Reg object, Property* property, EnvironmentScope* home);
    void defineAccessor(Reg object, Property* property, EnvironmentScope* home);
    void defineMember(Reg object, const StaticKey& key, Reg value, Span span);
    Reg propertyValue(Property* property, String* name, EnvironmentScope* home);
    bool staticKey(Expr* key, bool computed, StaticKey& result);
    StaticKey keyOfName(Name* name);
    void loadKey(Reg dst, const StaticKey& key);
    String* joinName(std::string_view prefix, String* name);
    Reg propertyKey(Expr* key);
    void appendRest(Reg iterator, Reg array, JumpTarget& end);
    Array* newConstantArray(const std::vector<Value>& values);

    // ---- condition.cpp: jumps
    void jumpIf(Expr* e, bool sense, JumpTarget& to);
    void jumpLogical(Logical* e, bool sense, JumpTarget& to);
    bool jumpNullish(Binary* e, bool sense, JumpTarget& to);
    void jumpCompare(Binary* e, bool sense, JumpTarget& to);
    void loopIf(Expr* e, const JumpTarget& top);
    void loopLogical(Logical* e, const JumpTarget& top);
    void loopCompare(Binary* e, const JumpTarget& top);
    struct Comparison {
        BinaryOperator op;
        Reg a;
        u16 b; ///< register or immediate
        bool isInt;
    };
    Comparison compared(Binary* e);

    // ---- call.cpp: members and calls
    Reg member(Member* e, Reg want);
    Reg index(Index* e, Reg want);
    void getField(Reg dst, Reg object, Name* name, Span span, u32 point);
    void getElement(Reg dst, Reg object, Reg key, Span span, u32 point);
    void shortCircuit(Reg value);
    Reg superReference(Expr* key, Name* name, Span span);
    Reg superMember(Expr* e, Reg want);
    Reg optionalChain(OptionalChain* e, Reg want);
    bool isArgumentCount(Member* e) const;
    bool isFunctionCall(Call* e) const;
    Reg functionCall(Call* e, Reg want);
    Reg call(Call* e, Reg want);
    bool callee(Expr* e, Reg first);
    Reg callWindow(Call* e, Reg first, bool hasThis, Reg want);
    Reg parenthesizedChainCall(Call* e, OptionalChain* chain, Reg want);
    Reg finishCall(Reg first, Reg want);
    void bindThis(Reg first, Span span);
    u16 arguments(const List<Expr*>& arguments);
    Reg spreadArguments(const List<Expr*>& arguments);
    static bool hasSpread(const List<Expr*>& arguments);
    Reg newExpression(New* e, Reg want);
    Reg superCall(SuperCall* e, Reg want);
    Reg taggedTemplate(TaggedTemplate* e, Reg want);
    u32 callPoint(Call* e) const;
    u32 pointOf(Expr* e) const;
    u32 eachPoint(Node* left) const;
    u32 readPoint(Expr* target);
    u32 bracketPoint(Index* e) const { return unit_.find('[', e->object->span.end); }

    // ---- assignment.cpp
    Reg assign(Assign* e, Reg want, bool isEffect);
    Reg assignName(Assign* e, Reg want);
    Reg compoundAssign(CompoundAssign* e, Reg want);
    Reg logicalAssign(LogicalAssign* e, Reg want, bool isEffect);
    Reg update(Update* e, Reg want, bool isEffect);
    Reg updateLocal(Update* e, Reg local, Reg want, bool isEffect);
    Reference reference(Expr* target, Node* later);
    Reg load(const Reference& reference, Reg want);
    void store(const Reference& reference, Reg value, u32 point);
    Reference indexReference(Index* target, Node* later);
    void step(Update* e, Reg value);
    u32 equalsPoint(Expr* target) const { return unit_.find('=', target->span.end); }
    String* nameOf(Expr* target);

    // ---- pattern.cpp
    void destructure(Expr* pattern, Reg value, bool isBinding, Span source);
    void arrayPattern(ArrayPattern* pattern, Reg value, bool isBinding, Span source);
    void arrayElement(Expr* target, Expr* initializer, Reg iterator, bool isRest, bool isBinding);
    void objectPattern(ObjectPattern* pattern, Reg value, bool isBinding, Span source);
    void patternProperty(PatternProperty* property, Reg value, Reg excluded, bool isBinding, Span source);
    void withDefault(Reg value, Expr* initializer, Expr* target);
    void bindTarget(Expr* target, Reg value, bool isBinding, Expr* initializer = nullptr);
    void placePattern(Expr* pattern);
    void closeSilently(Control& control, u32 end);
    bool directLocal(Expr* target, Expr* initializer, bool isBinding, Reg& local);

    // ---- statement.cpp
    void statements(const List<Stmt*>& list);
    void statement(Stmt* s);
    void dispatchStatement(Stmt* s);
    void variables(VariableDeclaration* s);
    void block(BlockStatement* s);
    void ifStatement(If* s);
    void returnStatement(Return* s);
    void returnValue(Expr* e);
    void emitReturn(Reg value);
    void labeled(Labeled* s);
    void breakStatement(Labeled* label, bool isContinue);
    Control* exitTarget(Labeled* label, bool isContinue);
    JumpTarget* directExit(Stmt* s);
    void enterFinally(Control& control, const Control::Exit& exit, Reg value);
    void catchClause(CatchClause* clause, Reg exception);
    void expressionStatement(ExpressionStatement* s);
    void classDeclaration(ClassDeclaration* s);
    void throwStatement(Throw* s);
    void leave(const Control::Exit& exit, Reg value);
    void switchStatement(Switch* s);
    Reg discriminant(Switch* s);
    bool switchByTable(Switch* s, Reg value, std::vector<JumpTarget>& bodies, JumpTarget& otherwise);
    void switchByTests(Switch* s, Reg value, std::vector<JumpTarget>& bodies, JumpTarget& otherwise);
    void tryStatement(Try* s);
    void tryCatch(Try* s);
    void tryFinally(Try* s);
    void dispatchExits(Control& control, JumpTarget& end);
    void protect(Control& control, u32 end, const JumpTarget& target, Reg exception);
    void startCompletion();
    /// What comes now begins a statement (or the initializer of a declaration) at this place in the text.
    void beginStatement(u32 point) { statementWord_ = emit_.here(), statementPoint_ = point; }
    /// V8 puts errors about the first name that a statement reads at the statement's beginning. `words`: already
    /// emitted.
    u32 namePoint(Span name, u32 words) const {
        return emit_.here() == statementWord_ + words ? statementPoint_ : name.begin;
    }

    /// Something has been read, if without an instruction: no name that follows is the first.
    void endStatementPoint() {
        if (emit_.here() == statementWord_)
            statementWord_ = ~0u;
    }

    // ---- disposal.cpp: using
    struct UsingScope {
        Scope* scope = nullptr; ///< null: it declares nothing of the kind
        Reg list{}, outerList{};
        JumpTarget entry{};
        Control control{Control::Finally, nullptr};
    };
    void beginUsing(UsingScope& disposal, Scope* scope);
    void endUsing(UsingScope& disposal, u32 end);
    void disposeAwaiting(Reg list, Span brace);
    void addDisposable(DeclarationKind kind, Reg value, Span span);
    void usingDeclarator(DeclarationKind kind, Declaration* declaration, Expr* value);

    // ---- loop.cpp
    /// A literal that a register holds for the length of a loop.
    struct LoopConstant {
        Value value;
        Reg reg;
    };
    void holdConstants(Stmt* loop);
    void dropConstants();
    bool heldConstant(Expr* e, Reg& reg);
    Value constantValue(Expr* e);
    void whileStatement(While* s);
    void doWhile(DoWhile* s);
    void forStatement(For* s);
    bool incrementLoop(For* s, const JumpTarget& top);
    void forIn(ForIn* s);
    void forOf(ForOf* s);
    void forAwait(ForOf* s);
    void eachRound(Node* left, Scope* scope, Reg value, Stmt* body, Span head);
    void guard(Expr* test, JumpTarget& end, JumpTarget& bottom);
    Reg iterable(Expr* e, Scope* scope);

    // ---- suspend.cpp: generators and async functions
    bool suspends() const { return node_.isGenerator || node_.isAsync || isModule(); }
    void beginSuspendable();
    void beginRejecting();
    void startGenerator();
    bool isAsyncGenerator() const { return node_.isGenerator && node_.isAsync; }
    void endSuspendable();
    void returnSuspendable(Reg value);
    u16 liveRegisters(u16 count);
    void emitAwait(Reg first);
    void emitAwait(Reg first, Span span) { emit_.place(span), emitAwait(first); }
    Reg await(Await* e, Reg want);
    void returnFrom(Span span, Reg value);
    void emitYield(Reg first, Span span);
    Reg yield(Yield* e, Reg want);
    u32 delegated(Expr* e, Reg value);
    Reg delegate(Yield* e, Reg want);
    Reg delegateAsync(Yield* e, Reg want);
    void closeAsync(Reg iterator);
    void closeAsyncSilently(Reg iterator);

    // ---- module.cpp
    bool isModule() const { return node_.kind == FunctionKind::Module; }
    String* defaultName(const Declaration* d);
    void exportDefault(ExportDefault* s);
    Reg importedName(Identifier* e, Reg want);
    Reg importCall(ImportCall* e, Reg want);
    Reg importMeta(ImportMeta* e, Reg want);

    // ---- class.cpp
    Reg classExpression(Class* definition, String* name, Reg want);
    void makeClass(Class* definition, String* name, Reg pair, EnvironmentScope* environment, bool inlineFields);
    static bool hasComputedFields(Class* definition);
    void defaultDerivedBody();
    void classMethod(ClassMember* member, Reg pair, EnvironmentScope* environment, Declaration* inner);
    u32 fieldKey(ClassMember* member, EnvironmentScope* environment);
    Code* constructorCode(Class* definition, String* name, EnvironmentScope* environment, bool inlineFields);
    FunctionNode* syntheticFunction(FunctionKind kind, Span span);
    void runStaticElements(Class* definition, Reg pair, EnvironmentScope* environment, const std::vector<u32>& keys);
    void makeFields(Class* definition, EnvironmentScope* environment, const std::vector<u32>& keys);
    void defineFields();
    void defineFieldMember(ClassMember* member, Reg self, u32 keySlot, const ClassScope& privates);
    static void defineSimpleFields(
        Class* definition, bool isStatic, FunctionCompiler& at, Reg self, const ClassScope& privates);
    void runFields(FunctionCompiler& at, Reg self);
    static bool hasSimpleFields(Class* definition, bool isStatic);

    // ---- eval_scope.cpp
    Array* describeEnvironment(EnvironmentScope* environment);
    Array* describeClass(ClassScope* scope);
    u32 siteFlags() const;
    Array* describeSite();
    Reg directEval(Call* e, Reg want);
    bool evaluates() const;

    // ---- private.cpp
    static bool needsPrivateSlots(Class* definition, bool existsOnce);
    PrivateKey newPrivateKey(const ClassScope& scope, bool existsOnce, String* description, u8 flags);
    void makePrivateNames(ClassScope& scope, Class* definition, bool existsOnce);
    void privateMethod(ClassMember* member, EnvironmentScope* environment);
    void addBrand(const ClassScope& scope, bool isStatic, Reg self, Span span);
    Reg privateKey(const ClassScope& scope, const PrivateKey& key);
    bool isFieldName(const PrivateKey& key) const;
    void addPrivate(const ClassScope& scope, const PrivateKey& key, Reg self, Reg value, Span span);
    void getPrivate(const ClassScope& scope, const PrivateKey& key, Reg dst, Reg object, const At& at);
    void putPrivate(const ClassScope& scope, const PrivateKey& key, Reg object, Reg value, const At& at);
    const PrivateElement& privateElement(Name* name, ClassScope*& scope);
    void refusePrivate(Error error, Name* name, const At& at);
    void checkBrand(const ClassScope& scope, const PrivateElement& element, Reg object, const At& at);
    Reg callAccessor(const ClassScope& scope, u32 slot, Reg object, Reg value, const At& at);
    void readPrivate(Name* name, Reg dst, Reg object, const At& at);
    void writePrivate(Name* name, Reg object, Reg value, const At& at);
    Reg privateMember(PrivateMember* e, Reg want);
    Reg privateIn(PrivateIn* e, Reg want);

    Unit& unit_;
    FunctionCompiler* outer_;
    FunctionNode& node_;
    FunctionSurroundings info_;
    Emitter emit_;
    FunctionFacts facts_;
    EnvironmentScope* outerEnvironment_; ///< the callee's own environment
    EnvironmentScope* environment_; ///< the innermost one at this point
    Control* control_ = nullptr;
    JumpTarget* chainEnd_ = nullptr; ///< where the innermost optional chain goes when it meets nothing
    Expr* given_ = nullptr; ///< already evaluated, into givenRegister_ (see longChain)
    Reg givenRegister_{};
    u32 statementWord_ = ~0u, statementPoint_ = 0; ///< where the code and the text of the current statement begin
    Span leaving_{}; ///< the statement or yield that leaves what is around it; empty: the end of a finally block
    u32 nesting_ = 0; ///< of expression()
    u32 loops_ = 0, tries_ = 0;
    std::vector<LoopConstant> loopConstants_;
    bool thisIsInitialized_ = false; ///< derived constructors: super() has returned on every way to here
    bool atTopLevel_ = false; ///< the statement is one of the body's own
    EnvironmentScope* functionEnvironment_ = nullptr;
    Reg completion_ = Any; ///< of CompileGoal::Eval
    Reg rest_{}, arguments_{}, newTarget_{};
    Reg usingList_{}; ///< of the innermost scope that disposes
    Reg frame_{}; ///< of a function that may wait: its SuspendedFrame
    u16 frameCapacity_ = 0;
    Control rejecting_{Control::Region, nullptr}; ///< the body of an async function or generator
    Reg cachedThis_ = Any; ///< arrow functions that use it often
};

/// The code of a function, or null after a failure.
Code* compileFunction(Unit& unit, FunctionCompiler* outer, EnvironmentScope* environment, FunctionNode& node,
    const FunctionSurroundings& info);

/// The same for a module, whose lists and slots it fills in.
Code* compileModuleCode(Unit& unit, Module* module, FunctionNode& function);

}
