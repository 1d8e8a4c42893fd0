// Source text to code. The only header of the compiler that others include.
#pragma once
#include "grammar/diagnostic.h"
#include "interp/bytecode/bytecode.h"
#include "runtime/core/global_scope.h"
#include "runtime/core/module.h"

namespace scr {

enum class CompileGoal : u8 {
    CommonJs, ///< a file: function (exports, require, module, __filename, __dirname); `return` is allowed
    Eval, ///< evaluates to the completion value of its last expression statement (-p, embedding)
    Builtin, ///< as CommonJs, for a text of the program's own (stdlib/README.md)
    Module, ///< by compileModule
    Global, ///< a script (16.1): its var, function, let, const and class declarations are global; same completion value
    /// As Global, but names may be declared again (redeclareGlobals) and the text may await: then the function is async
    /// and its promise is fulfilled with an object without prototype whose `value` is the completion value.
    Repl,
};
/// Names declared at the top are global.
constexpr bool declaresGlobals(CompileGoal goal) { return goal == CompileGoal::Global || goal == CompileGoal::Repl; }
struct CompileError {
    std::string message; ///< "SyntaxError: ..." without the place
    u32 begin = 0, end = 0; ///< bytes of the source
    bool incomplete = false; ///< at the end of the input: more text might mend it
    bool isStackLow = false; ///< too little of the C++ stack was left
    bool isModule = false; ///< of compileScript: the text is a module; begin and end are where it says so
    Notes notes{}; ///< what helps to mend it
};
/// The function of the whole text, or null with `error` filled. The function takes (exports, require, module,
/// __filename, __dirname) for CommonJs, nothing otherwise. Its environment is null. `globals` (for Global and Repl):
/// what it declares; declareGlobals has to do that before it is called. `usesScope` (for CommonJs): whether it may look
/// at its parameters or `this`.
Function* compileScript(Vm& vm, Script* script, CompileGoal goal, CompileError& error,
    std::vector<GlobalName>* globals = nullptr, bool* usesScope = nullptr);
/// The module of a text, unlinked (runtime/core/module.h), or null with `error` filled; its name is
/// script->source->path, or ->name if that is empty. 16.2.1.6.1 ParseModule.
Module* compileModule(Vm& vm, Script* script, CompileError& error);

}
