// Unit: what the functions of one text share while they are compiled: the Vm, the script, the first error, and the
// roots that keep every atom, code block and key list alive until the outermost function is made.
#pragma once
#include "grammar/ast.h"
#include "interp/compiler/compiler.h"
#include "runtime/core/property.h"
#include <unordered_map>
#include <unordered_set>

namespace scr {

struct ClassScope;

class Unit {
public:
    Unit(Vm& vm, Script* script, Arena& arena, CompileError& error);
    ~Unit();
    Unit(const Unit&) = delete;

    Vm& vm;
    Script* script;
    Realm* realm;
    Arena& arena;
    std::string_view text; ///< of the script
    /// Functions whose jumps do not reach with 16 bits.
    std::unordered_set<const FunctionNode*> farFunctions;
    /// Of functions with more names than registers and one environment have room for: the scopes of the rest.
    std::unordered_map<const FunctionNode*, std::vector<Scope*>> moreScopes;
    /// What the text declares globally is added here; null unless its goal is Global.
    std::vector<GlobalName>* globals = nullptr;

    bool isBuiltin = false; ///< a text of the program's own
    ClassScope* classes = nullptr; ///< the innermost class around what is being compiled

    bool failed() const { return failed_; }
    /// That is why it failed.
    bool isStackLow() const { return isStackLow_; }
    /// A SyntaxError at a place; only the first counts.
    COLD void fail(Span span, std::string message);
    /// "async functions are not supported yet".
    COLD void unsupported(Span span, const char* what) { fail(span, std::string(what) + " are not supported yet"); }
    /// False (and failed) when the C++ stack is nearly used up.
    bool hasStack(Span span) {
        if (UNLIKELY(vm.cStackLow())) {
            isStackLow_ = true;
            fail(span, "the text is nested too deeply");
        }
        return !failed_;
    }

    /// The string of a name: an atom (of any length).
    String* atom(Name* name);
    /// Keeps a cell alive as long as the unit.
    Value keep(Value value) {
        roots_.push_back(value);
        return value;
    }
    /// What imported names stand for, by number.
    u32 addImport(ImportBinding* binding) {
        keep(Value::cell(binding));
        imports_.push_back(binding);
        return u32(imports_.size() - 1);
    }
    ImportBinding* import(u32 number) const { return imports_[number]; }
    /// The first place of `character` from `offset` on.
    u32 find(char character, u32 offset) const;

private:
    static void trace(void* unit, Marker& marker);
    CompileError& error_;
    bool failed_ = false, isStackLow_ = false;
    std::vector<Value> roots_;
    std::vector<ImportBinding*> imports_;
};

}
