// The front end's only entrance: text in, tree or error out. Throws nothing, runs no script, keeps no state.
#pragma once

#include "grammar/ast.h"
#include "grammar/diagnostic.h"

#include <span>
#include <vector>

namespace scr {

enum class Goal : u8 {
    Script, // always strict
    Module,
    Detect, // a module if import, export, import.meta or a top-level await is used, else a script
};

/// What the surroundings of the text permit. The default is a plain script or module.
struct ParseOptions {
    Goal goal = Goal::Script;
    bool isCommonJs = false; // a script (also if detected) is a function's body: return, new.target,
                             // arguments; exports, require, module, __filename, __dirname are parameters
    bool allowTopLevelAwait = false; // in a script, for the REPL
    // For direct eval: what the code around it has.
    bool allowNewTarget = false;
    bool allowSuperProperty = false;
    bool allowSuperCall = false;
    bool forbidArguments = false; // inside the initializer of a field
    bool wantsFreeNames = false; // fills ParseResult::freeNames
    std::span<const std::string_view> privateNames{}; // declared by classes around it, without #, UTF-8
};

struct ParseResult {
    Program* program = nullptr; // null after an error
    Diagnostic diagnostic; // if program is null
    Diagnostic outsideModule; // with Goal::Detect, of a module: the error that it would be in a script
    std::vector<Identifier*> freeNames; // references that nothing in the text binds, if asked for
    bool isIncomplete = false; // the error is that the text ends: more lines could repair it

    explicit operator bool() const { return program; }
};

/// The tree of source, in arena, or the first error. The tree refers to arena only, not to source.
ParseResult parse(const Source& source, Arena& arena, const ParseOptions& options = {});

}
