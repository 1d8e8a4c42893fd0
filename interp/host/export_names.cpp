// Looking through the tree of a CommonJS file for what it does to its exports. The walk keeps what is still to be seen
// on a list of its own, so no nesting is too deep.
#include "interp/host/export_names.h"
#include "grammar/names.h"
#include "grammar/parse.h"
#include "grammar/scopes.h"
#include <algorithm>
#include <type_traits>

namespace scr {

namespace {

bool isNamed(Expr* expr, std::string_view name) {
    auto* identifier = expr ? expr->asIf<Identifier>() : nullptr;
    return identifier && identifier->name->equals(name);
}

class ExportFinder {
public:
    explicit ExportFinder(std::string_view text)
        : text_(text) { }
    ExportNames found;

    void look(Node* root) {
        push(root);
        while (!open_.empty()) {
            Node* node = open_.back();
            open_.pop_back();
            if (!visitSpecial(node))
                pushChildren(*node);
        }
        for (Name* name : names_)
            if (std::find(unsafe_.begin(), unsafe_.end(), name) == unsafe_.end())
                found.names.push_back(toUtf8(*name));
    }

private:
    // ---- the walk

    void push(Node* node) {
        if (node)
            open_.push_back(node);
    }
    /// A field of a node: a node or a list of nodes is walked, but not the target of a jump, which is no part of it.
    template <class T> void child(const T& field) {
        if constexpr (std::is_pointer_v<T>) {
            if constexpr (std::is_base_of_v<Node, std::remove_pointer_t<T>> && !std::is_same_v<T, Labeled*>)
                push(field);
        }
    }
    template <class T> void child(const List<T*>& list) {
        if constexpr (std::is_base_of_v<Node, T>)
            for (T* each : list)
                push(each);
    }

    void pushChildren(Node& node) {
        size_t first = open_.size();
        visit(node, [this](auto& typed) { children(typed); });
        std::reverse(open_.begin() + i64(first), open_.end());
    }
#define F(type, name) child(node.name);
#define NODE(name, base, fields)                                                                                       \
    void children([[maybe_unused]] name& node) { fields }
#include "grammar/ast.def"
#undef NODE
#undef F

    // ---- the patterns

    /// exports, module.exports
    static bool isExports(Expr* expr) {
        if (isNamed(expr, "exports"))
            return true;
        auto* member = expr ? expr->asIf<Member>() : nullptr;
        return member && isNamed(member->object, "module") && member->property->equals("exports");
    }
    static bool isModuleExports(Expr* expr) { return isExports(expr) && expr->is<Member>(); }

    /// require("x"): x, or null.
    static Name* required(Expr* expr) {
        auto* call = expr ? expr->asIf<Call>() : nullptr;
        if (!call || !isNamed(call->callee, "require") || call->arguments.size() != 1)
            return nullptr;
        auto* text = call->arguments[0]->asIf<StringLiteral>();
        return text ? text->value : nullptr;
    }

    /// Deals with the nodes that do something to exports. True: nothing inside is of interest.
    bool visitSpecial(Node* node) {
        if (auto* assign = node->asIf<Assign>())
            seeAssign(*assign);
        else if (auto* call = node->asIf<Call>())
            return seeCall(*call);
        else if (auto* declarator = node->asIf<Declarator>())
            seeDeclarator(*declarator);
        return false;
    }

    void seeAssign(Assign& assign) {
        if (auto* member = assign.target->asIf<Member>(); member && isExports(member->object))
            return addName(member->property);
        if (auto* index = assign.target->asIf<Index>(); index && isExports(index->object)) {
            if (auto* text = index->index->asIf<StringLiteral>())
                addName(text->value);
            return;
        }
        if (!isModuleExports(assign.target))
            return;
        found.reexports.clear();
        if (Name* file = required(assign.value))
            found.reexports.push_back(toUtf8(*file));
        else if (auto* literal = assign.value->asIf<ObjectLiteral>())
            seeLiteral(*literal);
    }

    bool beginsWithWord(const Expr& value) const {
        char first = value.isParenthesized ? '(' : text_[value.span.begin];
        return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_' || first == '$'
            || (first & 0x80);
    }
    static bool isWord(const Expr& value) {
        return !value.isParenthesized
            && (value.is<Identifier>() || value.is<This>() || value.is<BooleanLiteral>() || value.is<NullLiteral>());
    }

    /// module.exports = { a, b: c, ...require("x") }: up to the first value that is more than a word; its name counts
    /// if it begins with one.
    void seeLiteral(ObjectLiteral& literal) {
        for (Property* property : literal.properties) {
            if (property->kind == PropertyKind::Spread) {
                if (Name* file = required(property->value))
                    found.reexports.push_back(toUtf8(*file));
                continue;
            }
            bool isPlain = property->kind <= PropertyKind::Shorthand || property->kind == PropertyKind::Method;
            auto* key = property->computed || !property->key ? nullptr : property->key->asIf<StringLiteral>();
            if (!isPlain || !key)
                return;
            if (property->kind == PropertyKind::Value && !beginsWithWord(*property->value))
                return;
            addName(key->value);
            if (property->kind != PropertyKind::Shorthand && !isWord(*property->value))
                return;
        }
    }

    bool seeCall(Call& call) {
        auto* callee = call.callee->asIf<Member>();
        if (callee && isNamed(callee->object, "Object") && callee->property->equals("defineProperty")) {
            seeDefineProperty(call);
            return false;
        }
        bool isStar = isNamed(call.callee, "__export") || isNamed(call.callee, "__exportStar")
            || (callee && (callee->property->equals("__exportStar") || callee->property->equals("__export")));
        if (isStar && !call.arguments.isEmpty()) {
            if (Name* file = required(call.arguments[0]))
                found.reexports.push_back(toUtf8(*file));
            return false;
        }
        if (callee && callee->property->equals("forEach"))
            seeForEach(*callee, call);
        return false;
    }

    /// Object.defineProperty(exports, "a", { enumerable: true, get: function () { return x.y; } }) or { value: ... }.
    void seeDefineProperty(Call& call) {
        if (call.arguments.size() != 3 || !isExports(call.arguments[0]))
            return;
        auto* name = call.arguments[1]->asIf<StringLiteral>();
        auto* descriptor = call.arguments[2]->asIf<ObjectLiteral>();
        if (!name || !descriptor)
            return;
        bool enumerable = true, hasValue = false, hasGetter = false;
        for (Property* property : descriptor->properties) {
            auto* key = property->key && !property->computed ? property->key->asIf<StringLiteral>() : nullptr;
            if (!key)
                continue;
            if (key->value->equals("value"))
                hasValue = true;
            if (key->value->equals("enumerable"))
                enumerable = property->value && property->value->is<BooleanLiteral>()
                    && property->value->as<BooleanLiteral>()->value;
            if (key->value->equals("get"))
                hasGetter = returnsMember(property->value);
        }
        if (enumerable && (hasValue || hasGetter))
            addName(name->value);
        else
            unsafe_.push_back(name->value);
    }

    /// function () { return a; }, or a.b, or a["b"].
    static bool returnsMember(Expr* expr) {
        auto* function = expr ? expr->asIf<FunctionExpression>() : nullptr;
        if (!function || function->function->body.size() != 1)
            return false;
        auto* statement = function->function->body[0]->asIf<Return>();
        Expr* value = statement ? statement->argument : nullptr;
        if (!value)
            return false;
        if (auto* member = value->asIf<Member>())
            return member->object->is<Identifier>();
        if (auto* index = value->asIf<Index>())
            return index->object->is<Identifier>() && index->index->is<StringLiteral>();
        return value->is<Identifier>();
    }

    /// var _x = require("x"), also through a call of Babel's helpers.
    void seeDeclarator(Declarator& declarator) {
        auto* name = declarator.target->asIf<Identifier>();
        Expr* value = declarator.initializer;
        if (auto* call = value ? value->asIf<Call>() : nullptr;
            call && !required(value) && call->callee->is<Identifier>() && call->arguments.size() == 1)
            value = call->arguments[0];
        Name* file = required(value);
        if (name && file)
            required_.push_back({name->name, file});
    }

    /// Object.keys(_x).forEach(function (k) { ... exports[k] = ... }): Babel's export * from "x".
    void seeForEach(Member& callee, Call& call) {
        auto* keys = callee.object->asIf<Call>();
        auto* member = keys ? keys->callee->asIf<Member>() : nullptr;
        if (!member || !isNamed(member->object, "Object") || !member->property->equals("keys")
            || keys->arguments.size() != 1 || call.arguments.size() != 1)
            return;
        auto* source = keys->arguments[0]->asIf<Identifier>();
        auto* function = call.arguments[0]->asIf<FunctionExpression>();
        if (!source || !function || function->function->parameters.size() != 1)
            return;
        auto* parameter = function->function->parameters[0]->target->asIf<Identifier>();
        if (!parameter || !copiesKey(*function->function, parameter->name))
            return;
        for (const Required& each : required_)
            if (each.name == source->name)
                found.reexports.push_back(toUtf8(*each.file));
    }

    /// Some statement is exports[k] = ..., or Object.defineProperty(exports, k, ...).
    static bool copiesKey(FunctionNode& function, Name* key) {
        for (Stmt* each : function.body) {
            auto* statement = each->asIf<ExpressionStatement>();
            if (!statement)
                continue;
            if (auto* assign = statement->expression->asIf<Assign>()) {
                auto* index = assign->target->asIf<Index>();
                auto* name = index && isExports(index->object) ? index->index->asIf<Identifier>() : nullptr;
                if (name && name->name == key)
                    return true;
            }
            auto* call = statement->expression->asIf<Call>();
            auto* name = call && call->arguments.size() == 3 && isExports(call->arguments[0])
                ? call->arguments[1]->asIf<Identifier>()
                : nullptr;
            if (name && name->name == key)
                return true;
        }
        return false;
    }

    void addName(Name* name) { names_.push_back(name); }

    struct Required {
        Name *name, *file;
    };
    std::string_view text_;
    std::vector<Name*> names_;
    std::vector<Name*> unsafe_; ///< with getters that may do anything
    std::vector<Required> required_;
    std::vector<Node*> open_;
};

}

ExportNames findExportNames(std::string_view text) {
    Arena arena;
    Source source("", std::string(text));
    ParseOptions options;
    options.goal = Goal::Detect;
    options.isCommonJs = true;
    ParseResult parsed = parse(source, arena, options);
    if (!parsed || parsed.program->isModule) {
        ExportNames none;
        none.isModule = parsed && parsed.program->isModule;
        return none;
    }
    ExportFinder finder(source.text());
    finder.look(parsed.program->function);
    return std::move(finder.found);
}

}
