// Source text to the function that runs it.
#include "interp/compiler/compiler.h"
#include "grammar/parse.h"
#include "interp/compiler/function_compiler.h"
#include "interp/compiler/text_cost.h"

namespace scr {

/// A closure without an environment.
static Function* newFunction(Vm& vm, Code* code) {
    auto* function =
        static_cast<Function*>(allocateObject(vm, Kind::Function, sizeof(Function), vm.realm->functionShape));
    function->flags |= HasLazyProperties;
    function->info = static_cast<FunctionInfo*>(code);
    function->environment = nullptr;
    return function;
}

/// Where the text says that it is a module.
static Span moduleSyntax(Program& program) {
    for (Stmt* each : program.function->body)
        switch (each->kind) {
        case NodeKind::ImportDeclaration:
        case NodeKind::ExportNamed:
        case NodeKind::ExportAll:
        case NodeKind::ExportDeclaration:
        case NodeKind::ExportDefault: return each->span;
        default: break;
        }
    return {program.span.begin, program.span.begin};
}

Function* compileScript(
    Vm& vm, Script* script, CompileGoal goal, CompileError& error, std::vector<GlobalName>* globals) {
    Arena arena;
    ParseOptions options;
    options.goal = goal == CompileGoal::Global ? Goal::Script : Goal::Detect;
    options.isCommonJs = goal == CompileGoal::CommonJs;
    TextCost cost(vm, arena);
    if (cost.beforeParsing(script->source->text.size()).threw())
        return nullptr;
    Source source(script->source->name, script->source->text);
    ParseResult parsed = parse(source, arena, options);
    if (!parsed) {
        error = {"SyntaxError: " + parsed.diagnostic.message, parsed.diagnostic.span.begin, parsed.diagnostic.span.end,
            parsed.isIncomplete};
        return nullptr;
    }
    if (cost.afterParsing().threw())
        return nullptr;
    Unit unit(vm, script, arena, error);
    unit.globals = globals;
    FunctionSurroundings surroundings;
    surroundings.goal = goal;
    if (parsed.program->isModule)
        unit.unsupported(moduleSyntax(*parsed.program), "modules (import, export, import.meta, top-level await)");
    Code* code =
        unit.failed() ? nullptr : compileFunction(unit, nullptr, nullptr, *parsed.program->function, surroundings);
    return code ? newFunction(vm, code) : nullptr;
}

}
