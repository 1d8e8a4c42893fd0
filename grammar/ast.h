// The syntax tree, expanded from ast.def. Nodes live in an arena and hold no value of the engine: a Name is text, to be
// turned into an atom once. The invariant: a finished tree has no early error, and no pass over it nests deeper than
// maximumNesting levels if it iterates left chains (Binary, Logical, Member, Index, Call, TaggedTemplate) and If.
#pragma once

#include "grammar/source.h"
#include "runtime/base/arena.h"

#include <string_view>

namespace scr {

/// An interned identifier or string: within one parse, equal text is the same Name. Lone surrogates survive.
struct Name {
    union {
        const u8* latin1; // if isLatin1
        const char16_t* utf16;
    };
    u32 length; // in code units
    u32 hash;
    bool isLatin1; // every unit is below 256
    void* cache; // for the compiler: its atom; null after parsing

    bool equals(std::string_view ascii) const {
        return isLatin1 && ascii == std::string_view(reinterpret_cast<const char*>(latin1), length);
    }
};

/// A growing array in the arena; trivially copied, the copy shares the items.
template <typename T> struct List {
    T* items;
    u32 count;
    u32 capacity;

    u32 size() const { return count; }
    bool isEmpty() const { return count == 0; }
    T& operator[](u32 index) const {
        ASSERT(index < count);
        return items[index];
    }
    T& last() const { return (*this)[count - 1]; }
    T* begin() const { return items; }
    T* end() const { return items + count; }

    void append(Arena& arena, T item) {
        if (UNLIKELY(count == capacity))
            grow(arena);
        items[count++] = item;
    }

private:
    NOINLINE void grow(Arena& arena) {
        u32 bigger = capacity ? capacity * 2 : 4;
        if (!capacity || !arena.extend(items, capacity * sizeof(T), bigger * sizeof(T))) {
            T* moved = arena.allocateArray<T>(bigger);
            if (count)
                memcpy(static_cast<void*>(moved), items, count * sizeof(T));
            items = moved;
        }
        capacity = bigger;
    }
};

// ---- Operators ----------------------------------------------------------------------------------------------------

// clang-format off
#define SCR_UNARY_OPERATORS(OP) \
    OP(Minus, "-") OP(Plus, "+") OP(Not, "!") OP(BitNot, "~") OP(Typeof, "typeof") OP(Void, "void") OP(Delete, "delete")
#define SCR_BINARY_OPERATORS(OP) \
    OP(Add, "+") OP(Subtract, "-") OP(Multiply, "*") OP(Divide, "/") OP(Remainder, "%") OP(Power, "**") \
    OP(BitAnd, "&") OP(BitOr, "|") OP(BitXor, "^") OP(ShiftLeft, "<<") OP(ShiftRight, ">>") \
    OP(ShiftRightUnsigned, ">>>") OP(Equal, "==") OP(NotEqual, "!=") OP(StrictEqual, "===") \
    OP(StrictNotEqual, "!==") OP(Less, "<") OP(LessEqual, "<=") OP(Greater, ">") OP(GreaterEqual, ">=") \
    OP(In, "in") OP(Instanceof, "instanceof")
#define SCR_LOGICAL_OPERATORS(OP) OP(And, "&&") OP(Or, "||") OP(Coalesce, "??")
// clang-format on

#define OP(name, text) name,
enum class UnaryOperator : u8 { SCR_UNARY_OPERATORS(OP) };
enum class BinaryOperator : u8 { SCR_BINARY_OPERATORS(OP) };
enum class LogicalOperator : u8 { SCR_LOGICAL_OPERATORS(OP) };
#undef OP

/// As written in the source: "+", "typeof".
const char* text(UnaryOperator);
const char* text(BinaryOperator);
const char* text(LogicalOperator);

// ---- Kinds --------------------------------------------------------------------------------------------------------

enum class PropertyKind : u8 { Value, Shorthand, Prototype, Method, Getter, Setter, Spread }; // Prototype: __proto__: v
enum class MemberKind : u8 { Method, Getter, Setter, Accessor, Field, StaticBlock };
enum class FunctionKind : u8 {
    Normal,
    Arrow,
    Method,
    Getter,
    Setter,
    ClassConstructor,
    FieldInitializer,
    StaticBlock,
    Script,
    Module
};
enum class DeclarationKind : u8 {
    Var,
    Let,
    Const,
    Using,
    AwaitUsing,
    Class,
    Function,
    Parameter,
    Catch,
    Import,
    Arguments,
    OwnName,
    ClassName,
    Default
};

// NodeKind and BlockStatement, not Kind and Block: the compiler sees the cells of the engine beside the tree.
enum class NodeKind : u8 {
#define NODE(name, base, fields) name,
#include "grammar/ast.def"
#undef NODE
};

// ---- Scopes -------------------------------------------------------------------------------------------------------

struct FunctionNode;
struct Scope;

/// One name bound in one scope. Every Identifier that resolves to it points here.
struct Declaration {
    Name* name;
    Span span; // of the binding identifier
    DeclarationKind kind;
    bool isUsed; // some identifier refers to it
    bool isAssigned; // by something else than its own initialisation
    bool isCaptured; // from a function inside, or visible to a direct eval
    bool isEarly; // may be reached before it is initialised: needs the check of the dead zone
    bool isExported;
    Scope* scope;
    FunctionNode* owner; // the function whose scope it is in
    FunctionNode* function; // kind Function: the value that it has from the start (the last one of that name)
    u32 slot; // for the compiler; 0 after parsing
    u32 scratch; // likewise

    /// Whether assigning throws a TypeError (ECMA-262 9.1.1.1.5); an OwnName throws too: code is strict.
    bool isConstant() const {
        switch (kind) {
        case DeclarationKind::Const:
        case DeclarationKind::Using:
        case DeclarationKind::AwaitUsing:
        case DeclarationKind::Import:
        case DeclarationKind::OwnName:
        case DeclarationKind::ClassName: return true;
        default: return false;
        }
    }
    /// Whether it is in the dead zone before its declaration runs (class names inside a class too).
    bool isLexical() const {
        switch (kind) {
        case DeclarationKind::Let:
        case DeclarationKind::Const:
        case DeclarationKind::Using:
        case DeclarationKind::AwaitUsing:
        case DeclarationKind::Class:
        case DeclarationKind::ClassName:
        case DeclarationKind::Default: return true;
        default: return false;
        }
    }
};

/// The names of one block, function part, loop head, switch, catch clause or class. Never empty: absent ones are null.
struct Scope {
    List<Declaration*> declarations;
    bool hasCaptured; // some declaration is captured
    bool hasUsing; // some is Using or AwaitUsing
    bool hasAwaitUsing;
    void* cache; // for the compiler; null after parsing
};

// ---- Nodes --------------------------------------------------------------------------------------------------------

struct Node {
    NodeKind kind;
    bool isParenthesized; // ( node ); the span is without the parentheses
    u8 marks; // for the parser
    Span span;

    template <typename T> bool is() const { return kind == T::kindOfNode; }
    template <typename T> T* as() {
        ASSERT(is<T>());
        return static_cast<T*>(this);
    }
    template <typename T> const T* as() const {
        ASSERT(is<T>());
        return static_cast<const T*>(this);
    }
    /// This node as a T, or null if it is another kind.
    template <typename T> T* asIf() { return is<T>() ? static_cast<T*>(this) : nullptr; }
};
struct Expr : Node { };
struct Stmt : Node { };

#define NODE(name, base, fields) struct name;
#include "grammar/ast.def"
#undef NODE

#define F(type, name) type name{};
#define NODE(name, base, fields)                                                                                       \
    struct name : base {                                                                                               \
        static constexpr NodeKind kindOfNode = NodeKind::name;                                                         \
        using Base = base;                                                                                             \
        fields                                                                                                         \
    };
#include "grammar/ast.def"
#undef NODE
#undef F

/// A node in the arena; args are its fields in the order of ast.def, the rest is empty.
template <typename T, typename... Args> T* makeNode(Arena& arena, Span span, Args... args) {
    using Base = typename T::Base;
    if constexpr (std::is_same_v<Base, Node>)
        return arena.make<T>(Node{T::kindOfNode, false, 0, span}, args...);
    else
        return arena.make<T>(Base{Node{T::kindOfNode, false, 0, span}}, args...);
}

/// visitor(T&) for the kind T that node really is: a generic lambda or an overload set.
template <typename Visitor> decltype(auto) visit(Node& node, Visitor&& visitor) {
    switch (node.kind) {
#define NODE(name, base, fields)                                                                                       \
    case NodeKind::name:                                                                                               \
        return visitor(static_cast<name&>(node));
#include "grammar/ast.def"
#undef NODE
    }
    UNREACHABLE();
}

/// "Binary": the name in ast.def.
const char* nameOf(NodeKind);

/// Nesting that the parser accepts, in symbols of its stack: every level of a finished tree costs one at least, so
/// this bounds the recursion of any pass. Deeper text is a SyntaxError.
constexpr u32 maximumNesting = 3000;

/// The tree as text, one node a line, for --dump-ast. withSpans: add [begin,end) to each node.
std::string dump(Program& program, bool withSpans);

} // namespace scr
