// Seam: code from text at run time. Declared here, compileText defined in interp/compiler/evaluate.cpp; the function
// eval stands among the builtins.
#pragma once
#include "runtime/core/function.h"

namespace scr {

enum class TextKind : u8 { Eval, DirectEval, Function, Generator, AsyncFunction, AsyncGenerator };

struct CompileRequest {
    TextKind kind = TextKind::Eval;
    String* text = nullptr; ///< of eval; the body of a function. Flat, as is `parameters`
    String* parameters = nullptr; ///< of a function
    // Of a direct eval: what the code around it has, and where that is.
    Array* scopes = nullptr;
    Environment* environment = nullptr;
};

/// 19.2.1.1 PerformEval up to step 24, 20.2.1.1.1 CreateDynamicFunction: the function asked for, or one without
/// parameters whose result is that of the text. In the current realm; SyntaxError if the text is none.
Completion<Function*> compileText(Vm& vm, const CompileRequest& request);

/// The function (exports, require, module, __filename, __dirname) of a text that is part of the program; `name` is what
/// stacks call it. Threw: for want of stack or memory.
Completion<Function*> compileBuiltin(Vm& vm, std::string_view name, std::string_view text);

/// 19.2.1 eval ( x ): what a direct eval must call to be one.
Completion<Value> global_eval(Vm& vm, Args args);

}
