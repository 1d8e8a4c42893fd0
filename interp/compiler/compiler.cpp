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

/// A module where a script was asked for.
static CompileError moduleError(Program& program) {
    Span where = moduleSyntax(program);
    bool isImport = false, isExport = where.length() > 0;
    for (Stmt* each : program.function->body)
        isImport = isImport || (each->span == where && each->kind == NodeKind::ImportDeclaration);
    CompileError error;
    error.message = isImport ? "SyntaxError: Cannot use import statement outside a module"
        : isExport           ? "SyntaxError: Unexpected token 'export'"
                             : "SyntaxError: import.meta and a top-level await may stand only in a module";
    error.begin = where.begin;
    error.end = isExport ? where.begin + 6 : where.end;
    error.isModule = true;
    return error;
}

Function* compileScript(
    Vm& vm, Script* script, CompileGoal goal, CompileError& error, std::vector<GlobalName>* globals) {
    Arena arena;
    ParseOptions options;
    options.goal = goal == CompileGoal::Global ? Goal::Script : Goal::Detect;
    options.isCommonJs = goal == CompileGoal::CommonJs || goal == CompileGoal::Builtin;
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
    if (parsed.program->isModule) {
        error = moduleError(*parsed.program);
        return nullptr;
    }
    Unit unit(vm, script, arena, error);
    unit.globals = globals;
    unit.isBuiltin = goal == CompileGoal::Builtin;
    FunctionSurroundings surroundings;
    surroundings.goal = unit.isBuiltin ? CompileGoal::CommonJs : goal;
    Code* code =
        unit.failed() ? nullptr : compileFunction(unit, nullptr, nullptr, *parsed.program->function, surroundings);
    return code ? newFunction(vm, code) : nullptr;
}

}
