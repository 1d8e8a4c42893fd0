// The tree as text, expanded from ast.def: one node a line, two spaces for each level. Written with a stack of its own,
// so that chains of any length are no problem.
#include "grammar/ast.h"

#include "grammar/scopes.h"
#include "runtime/base/decimal.h"

#include <algorithm>
#include <vector>

namespace scr {

#define OP(name, text) text,
static const char* const unaryTexts[] = {SCR_UNARY_OPERATORS(OP)};
static const char* const binaryTexts[] = {SCR_BINARY_OPERATORS(OP)};
static const char* const logicalTexts[] = {SCR_LOGICAL_OPERATORS(OP)};
#undef OP

const char* text(UnaryOperator op) { return unaryTexts[static_cast<size_t>(op)]; }
const char* text(BinaryOperator op) { return binaryTexts[static_cast<size_t>(op)]; }
const char* text(LogicalOperator op) { return logicalTexts[static_cast<size_t>(op)]; }

const char* nameOf(NodeKind kind) {
    static const char* const names[] = {
#define NODE(name, base, fields) #name,
#include "grammar/ast.def"
#undef NODE
    };
    return names[static_cast<size_t>(kind)];
}

namespace {

const char* nameOf(PropertyKind kind) {
    static const char* const names[] = {"value", "shorthand", "prototype", "method", "getter", "setter", "spread"};
    return names[static_cast<size_t>(kind)];
}

const char* nameOf(MemberKind kind) {
    static const char* const names[] = {"method", "getter", "setter", "accessor", "field", "static-block"};
    return names[static_cast<size_t>(kind)];
}

const char* nameOf(FunctionKind kind) {
    static const char* const names[] = {
        "normal", "arrow", "method", "getter", "setter", "constructor", "field", "static-block", "script", "module"};
    return names[static_cast<size_t>(kind)];
}

const char* nameOf(DeclarationKind kind) {
    static const char* const names[] = {"var", "let", "const", "using", "await-using", "class", "function", "parameter",
        "catch", "import", "arguments", "own-name", "class-name", "default"};
    return names[static_cast<size_t>(kind)];
}

/// Long left chains would else fill the screen, and more, with spaces.
constexpr u32 maximumIndent = 100;

/// Text in quotes, with escapes for what would not show.
std::string quoted(const Name& name) {
    std::string result = "\"";
    for (u32 i = 0; i < name.length; i++) {
        u32 unit = name.isLatin1 ? name.latin1[i] : name.utf16[i];
        if (unit >= 0x20 && unit < 0x7f && unit != '"' && unit != '\\') {
            result += static_cast<char>(unit);
            continue;
        }
        static const char digits[] = "0123456789abcdef";
        result += "\\u";
        for (int shift = 12; shift >= 0; shift -= 4)
            result += digits[unit >> shift & 15];
    }
    return result + "\"";
}

class Dumper {
public:
    explicit Dumper(bool withSpans)
        : withSpans_(withSpans) { }

    std::string run(Program& program) {
        pending_.push_back({&program, nullptr, "", 0});
        while (!pending_.empty()) {
            Item item = pending_.back();
            pending_.pop_back();
            print(item);
        }
        return std::move(out_);
    }

private:
    struct Item {
        Node* node; // or null: just the label
        Scope* scope; // instead of a node
        const char* label;
        u32 depth;
    };

    void print(const Item& item) {
        out_.append(std::min(item.depth, maximumIndent) * 2, ' ');
        if (item.label[0])
            out_.append(item.label).append(": ");
        if (item.scope) {
            print(*item.scope);
        } else if (!item.node) {
            out_ += "-";
        } else {
            depth_ = item.depth + 1;
            isScript_ = item.node->is<FunctionNode>() && item.node->as<FunctionNode>()->kind == FunctionKind::Script;
            children_.clear();
            printNode(*item.node);
            dropSurroundings();
            pending_.insert(pending_.end(), children_.rbegin(), children_.rend());
        }
        out_ += "\n";
    }

    /// The parameters that CommonJS gives every script would only be in the way.
    void dropSurroundings() {
        if (!isScript_)
            return;
        std::erase_if(children_, [](const Item& child) {
            std::string_view label = child.label;
            return label == "parameters" || label == "parameterScope";
        });
    }

    void printNode(Node& node) {
        out_ += scr::nameOf(node.kind);
        if (node.isParenthesized)
            out_ += " ()";
        if (withSpans_)
            out_ += " [" + std::to_string(node.span.begin) + "," + std::to_string(node.span.end) + ")";
        visit(node, [this](auto& real) { fields(real); });
    }

#define F(type, name) field(#name, node.name);
#define NODE(Name, base, list)                                                                                         \
    void fields(Name& node) {                                                                                          \
        (void)node;                                                                                                    \
        list                                                                                                           \
    }
#include "grammar/ast.def"
#undef NODE
#undef F

    void attribute(const char* label, const std::string& value) {
        out_.append(" ").append(label).append("=").append(value);
    }

    void field(const char* label, bool value) {
        if (value)
            out_.append(" ").append(label);
    }
    void field(const char* label, double value) {
        NumberBuffer buffer;
        attribute(label, std::string(shortestDecimal(value, buffer)));
    }
    void field(const char* label, u32 value) {
        if (value && !isScript_)
            attribute(label, std::to_string(value));
    }
    void field(const char*, Span) { }
    void field(const char* label, Name* name) {
        if (name)
            attribute(label, quoted(*name));
    }
    void field(const char*, Declaration* declaration) {
        if (declaration)
            attribute("to", nameOf(declaration->kind));
    }
    void field(const char* label, UnaryOperator op) { attribute(label, text(op)); }
    void field(const char* label, BinaryOperator op) { attribute(label, text(op)); }
    void field(const char* label, LogicalOperator op) { attribute(label, text(op)); }
    void field(const char* label, PropertyKind kind) { attribute(label, nameOf(kind)); }
    void field(const char* label, MemberKind kind) { attribute(label, nameOf(kind)); }
    void field(const char* label, FunctionKind kind) { attribute(label, nameOf(kind)); }
    void field(const char* label, DeclarationKind kind) { attribute(label, nameOf(kind)); }
    void field(const char* label, Labeled* target) { // a place above, not a child
        if (target)
            attribute(label, quoted(*target->label));
    }
    void field(const char* label, Scope* scope) {
        if (scope)
            children_.push_back({nullptr, scope, label, depth_});
    }
    template <typename T> void field(const char* label, T* node) {
        if (node)
            children_.push_back({node, nullptr, label, depth_});
    }
    template <typename T> void field(const char* label, List<T*> nodes) {
        for (T* node : nodes)
            children_.push_back({node, nullptr, label, depth_});
    }

    void print(const Scope& scope) {
        const char* separator = "";
        for (const Declaration* declaration : scope.declarations) {
            out_.append(separator).append(nameOf(declaration->kind)).append(" ").append(toUtf8(*declaration->name));
            separator = ", ";
            if (declaration->isCaptured)
                out_ += " captured";
            if (declaration->isEarly)
                out_ += " early";
            if (declaration->isAssigned)
                out_ += " assigned";
            if (!declaration->isUsed)
                out_ += " unused";
            if (declaration->isExported)
                out_ += " exported";
        }
    }

    std::string out_;
    std::vector<Item> pending_;
    std::vector<Item> children_;
    u32 depth_ = 0;
    bool isScript_ = false;
    bool withSpans_;
};

} // namespace

std::string dump(Program& program, bool withSpans) { return Dumper(withSpans).run(program); }

}
