// Random expressions for the generator of programs, by the kind of value wanted.
#pragma once
#include "tests/fuzz/generator.h"

namespace scr::fuzz {

enum Kind { Number, String, Bool, Array, Object, Function, Map, Class, Any, Call };

struct Variable {
    std::string name;
    Kind kind;
    bool isMutable;
};

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

class ExpressionMaker {
public:
    ExpressionMaker(u64 seed, const Features& features)
        : features_(features)
        , random_(seed) { }

protected:
    /// At most `depth` levels of operators; in parentheses where it needs them.
    std::string expr(Kind kind, u32 depth);
    std::string smallNumber();
    const char* propertyName();
    /// Of a function: their text; the names bound are appended.
    std::string parameterList(std::vector<std::string>& names);
    Kind anyKind();

    // Names in scope, innermost last.
    void push() { scopes_.emplace_back(); }
    void pop() { scopes_.pop_back(); }
    void declare(const std::string& name, Kind kind, bool isMutable) {
        scopes_.back().push_back({name, kind, isMutable});
    }
    std::string fresh() { return "v" + number(); }
    std::string number() { return format("%u", counter_++); }
    /// A random one of this kind, or null.
    const Variable* variable(Kind kind, bool needMutable);

    u32 below(u32 n) { return random_.below(n); }
    bool oneIn(u32 n) { return random_.oneIn(n); }

    Features features_;
    std::vector<std::vector<Variable>> scopes_;

private:
    std::string leaf(Kind kind);
    std::string numberExpr(u32 depth);
    std::string stringExpr(u32 depth);
    std::string boolExpr(u32 depth);
    std::string arrayExpr(u32 depth);
    std::string objectExpr(u32 depth);
    std::string functionExpr(u32 depth);
    std::string mapExpr(u32 depth);
    std::string anyExpr(u32 depth);
    std::string callExpr(u32 depth);
    std::string callback(u32 depth, Kind result, u32 parameters);
    std::string typedArray(u32 depth);
    std::string method(u32 depth);

    Random random_;
    u32 counter_ = 0;
};

}
