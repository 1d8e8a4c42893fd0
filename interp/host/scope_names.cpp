// A walk along the nodes that contain the place; ast.def says which fields are nodes and scopes.
#include "interp/host/scope_names.h"
#include "grammar/parse.h"
#include "grammar/scopes.h"
#include <type_traits>

namespace scr {

namespace {

class NameWalk {
public:
    explicit NameWalk(u32 position)
        : position_(position) { }
    void walk(Node& node) {
        if (position_ < node.span.begin || position_ > node.span.end)
            return;
        visit(node, [this](auto& real) { fields(real); });
    }
    std::vector<std::string> names;

private:
#define F(type, name) field(node.name);
#define NODE(name, base, list)                                                                                         \
    void fields([[maybe_unused]] name& node) { list }
#include "grammar/ast.def"
#undef NODE
#undef F
    template <class T> void field(T& value) {
        if constexpr (std::is_pointer_v<T>) {
            using Target = std::remove_pointer_t<T>;
            if constexpr (std::is_same_v<Target, Scope>)
                add(value);
            else if constexpr (std::is_base_of_v<Node, Target>) {
                if (value)
                    walk(*value);
            }
        }
    }
    template <class T> void field(List<T>& list) {
        for (T& item : list)
            field(item);
    }
    void add(Scope* scope) {
        for (u32 i = 0; scope && i < scope->declarations.size(); i++)
            if (Declaration* declaration = scope->declarations[i]; declaration->name)
                names.push_back(toUtf8(*declaration->name));
    }

    u32 position_;
};

}

std::vector<std::string> namesInScope(const Source& source, u32 position) {
    for (bool isCommonJs : {true, false}) {
        Arena arena;
        ParseOptions options;
        options.goal = isCommonJs ? Goal::Detect : Goal::Script;
        options.isCommonJs = isCommonJs;
        options.allowTopLevelAwait = !isCommonJs;
        if (ParseResult parsed = parse(source, arena, options)) {
            NameWalk walk(position);
            walk.walk(*parsed.program);
            return std::move(walk.names);
        }
    }
    return {};
}

}
