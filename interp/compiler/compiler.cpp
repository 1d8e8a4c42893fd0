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

/// A module where a script was asked for.
static CompileError moduleError(const Diagnostic& found) {
    CompileError error;
    error.message = "SyntaxError: " + found.message;
    error.begin = found.span.begin;
    error.end = found.span.end;
    error.isModule = true;
    error.notes = found.notes;
    return error;
}

static String* nameOf(Vm& vm, const ScriptSource& source) {
    return newUtf8(vm, source.path.empty() ? source.name : source.path);
}

static Module* moduleOf(Vm& vm, Unit& unit, Program& program) {
    Module* module = newModule(vm, nameOf(vm, *unit.script->source), unit.script);
    unit.keep(Value::cell(module));
    Code* code = compileModuleCode(unit, module, *program.function);
    if (!code)
        return nullptr;
    module->function = newFunction(vm, code);
    unit.script->referrer = module;
    return module;
}

/// Whether the function may look at its parameters or `this`.
static bool looksAround(const FunctionNode& function) {
    for (PatternElement* each : function.parameters)
        if (Declaration* declaration = each->target->as<Identifier>()->declaration; declaration && declaration->isUsed)
            return true;
    return function.usesThis || function.usesArguments || function.hasInnerDirectEval;
}

struct Compiled {
    Function* function = nullptr;
    Module* module = nullptr;
};

/// A module if that is the goal, else a function; neither after a failure.
static Compiled compileProgram(Vm& vm, Script* script, const ParseOptions& options, CompileGoal goal,
    CompileError& error, std::vector<GlobalName>* globals = nullptr, bool* usesScope = nullptr) {
    Arena arena;
    TextCost cost(vm, arena);
    if (cost.beforeParsing(script->source->text.size()).threw())
        return {};
    Source source(script->source->name, script->source->text);
    ParseResult parsed = parse(source, arena, options);
    if (!parsed) {
        error = {"SyntaxError: " + parsed.diagnostic.message, parsed.diagnostic.span.begin, parsed.diagnostic.span.end,
            parsed.isIncomplete};
        error.notes = std::move(parsed.diagnostic.notes);
        return {};
    }
    if (cost.afterParsing().threw())
        return {};
    if (parsed.program->isModule && goal != CompileGoal::Module) {
        error = moduleError(parsed.outsideModule);
        return {};
    }
    Unit unit(vm, script, arena, error);
    unit.globals = globals;
    unit.isBuiltin = goal == CompileGoal::Builtin;
    if (parsed.program->isModule) {
        Module* module = moduleOf(vm, unit, *parsed.program);
        error.isStackLow = unit.isStackLow();
        return {nullptr, module};
    }
    if (goal == CompileGoal::Repl)
        parsed.program->function->isAsync = parsed.program->function->hasAwait;
    if (usesScope)
        *usesScope = looksAround(*parsed.program->function);
    FunctionSurroundings surroundings;
    surroundings.goal = unit.isBuiltin ? CompileGoal::CommonJs : goal;
    Code* code = compileFunction(unit, nullptr, nullptr, *parsed.program->function, surroundings);
    error.isStackLow = unit.isStackLow();
    return {code ? newFunction(vm, code) : nullptr, nullptr};
}

Function* compileScript(
    Vm& vm, Script* script, CompileGoal goal, CompileError& error, std::vector<GlobalName>* globals, bool* usesScope) {
    ParseOptions options;
    options.goal = declaresGlobals(goal) ? Goal::Script : Goal::Detect;
    options.allowTopLevelAwait = goal == CompileGoal::Repl;
    options.isCommonJs = goal == CompileGoal::CommonJs || goal == CompileGoal::Builtin;
    return compileProgram(vm, script, options, goal, error, globals, usesScope).function;
}

Module* compileModule(Vm& vm, Script* script, CompileError& error) {
    ParseOptions options;
    options.goal = Goal::Module;
    return compileProgram(vm, script, options, CompileGoal::Module, error).module;
}

}
