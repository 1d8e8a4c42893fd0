// Code from text at run time: eval and the Function constructors.
#include "grammar/parse.h"
#include "interp/compiler/compiler.h"
#include "interp/compiler/eval_scope.h"
#include "interp/compiler/function_compiler.h"
#include "interp/compiler/text_cost.h"
#include "runtime/base/utf.h"
#include "runtime/core/compile.h"
#include "runtime/core/error.h"
#include "runtime/core/operations.h"

namespace scr {

/// What errors and stacks call the text.
static constexpr std::string_view TextName = "<anonymous>";

static Function* newClosureOf(Vm& vm, Code* code, Environment* environment) {
    auto* function =
        static_cast<Function*>(allocateObject(vm, Kind::Function, sizeof(Function), vm.realm->functionShape));
    function->flags |= u8(HasLazyProperties | (code->infoFlags & InfoConstructor ? IsConstructor : 0));
    function->info = static_cast<FunctionInfo*>(code);
    function->environment = environment;
    return function;
}

static Threw throwSyntaxError(Vm& vm, std::string_view message) {
    constexpr std::string_view heading = "SyntaxError: ";
    if (message.starts_with(heading))
        message.remove_prefix(heading.size());
    return throwText(vm, Intrinsic::SyntaxErrorPrototype, message);
}

/// The error stands where the text was given; what the text has to say of it goes along.
/// bodyEnd: of a function's body, behind which nothing is of the script's making.
static Threw throwParseError(
    Vm& vm, Script* script, const Source& source, const Diagnostic& found, TextKind kind, u32 bodyEnd) {
    bool isFunction = kind >= TextKind::Function;
    Span span = isFunction && found.span.begin > bodyEnd ? Span{bodyEnd, bodyEnd} : found.span;
    Object* error = newError(vm, Intrinsic::SyntaxErrorPrototype, newUtf8(vm, found.message));
    script->source->notes = std::string(isFunction ? "in the text of the new function:" : "in the text given to eval:")
        + "\n" + excerpt(source, span) + renderNotes(source, found.notes);
    static_cast<ErrorObject*>(error)->unparsed = script;
    return vm.throwValue(Value::object(error));
}

/// A flat string as the front end reads it: lone surrogates stand in it like other characters.
static std::string sourceText(const String* flat) {
    std::string text;
    if (flat->isWide())
        appendUtf16AsUtf8(text, flat->wide(), flat->length, LoneSurrogates::Keep);
    else
        appendLatin1AsUtf8(text, flat->latin1(), flat->length);
    return text;
}

// ---- function constructors (20.2.1.1.1)

static std::string_view headOf(TextKind kind) {
    switch (kind) {
    case TextKind::Generator: return "function* anonymous(";
    case TextKind::AsyncFunction: return "async function anonymous(";
    case TextKind::AsyncGenerator: return "async function* anonymous(";
    default: return "function anonymous(";
    }
}

/// Text that is one function and nothing else, with its body where it was put: then the parameters are parameters and
/// the body is a body, each on its own. Null, with why, if not.
static FunctionNode* soleFunction(Program& program, u32 bodyBegin, const char*& why) {
    const List<Stmt*>& body = program.function->body;
    FunctionDeclaration* declaration = body.isEmpty() ? nullptr : body[0]->asIf<FunctionDeclaration>();
    if (declaration && declaration->function->bodySpan.begin > bodyBegin)
        why = "Unexpected end of arg string";
    else if (!declaration || declaration->function->bodySpan.begin < bodyBegin)
        why = "Arg string terminates parameters early";
    else if (body.size() > 1 || declaration->function->span.end != program.span.end)
        why = "Unexpected token '}'";
    else
        return declaration->function;
    return nullptr;
}

/// The function's own name is no binding: in its text it is a global name.
static void unbindName(FunctionNode& function) {
    if (function.name && function.name->declaration)
        function.name->declaration->scratch |= Global;
}

static Code* compileDynamicFunction(Unit& unit, Program& program, u32 bodyBegin) {
    const char* why = nullptr;
    FunctionNode* function = soleFunction(program, bodyBegin, why);
    if (!function) {
        unit.fail({0, 0}, why);
        return nullptr;
    }
    unbindName(*function);
    return compileInNoScope(unit, *function);
}

// ---- both

/// What imports for the code that runs imports for the text, too (9.4.1 GetActiveScriptOrModule).
static Cell* runningImporter(Vm& vm) {
    return vm.base ? static_cast<Function*>(vm.base[-2].asObject())->code()->script->importer() : nullptr;
}

static ParseOptions optionsFor(
    const CompileRequest& request, std::vector<std::string_view>& privateNames, std::vector<std::string>& nameTexts) {
    ParseOptions options;
    options.goal = Goal::Script;
    if (request.kind == TextKind::DirectEval) {
        options.wantsFreeNames = true;
        readSite(request.scopes, options, nameTexts);
        for (const std::string& text : nameTexts)
            privateNames.push_back(text);
        options.privateNames = privateNames;
    }
    return options;
}

Completion<Function*> compileText(Vm& vm, const CompileRequest& request) {
    if (UNLIKELY(vm.cStackLow()))
        return vm.throwStackOverflow();
    std::string text = sourceText(request.text);
    u32 bodyBegin = 0;
    if (request.kind >= TextKind::Function) {
        std::string head = std::string(headOf(request.kind)) + sourceText(request.parameters) + "\n) ";
        bodyBegin = u32(head.size());
        text = head + "{\n" + text + "\n}";
    }
    Script* script = newScript(vm, std::string(TextName), std::move(text));
    script->referrer = runningImporter(vm);
    std::vector<std::string_view> privateNames;
    std::vector<std::string> nameTexts;
    Arena arena;
    TextCost cost(vm, arena);
    TRY(cost.beforeParsing(script->source->text.size()));
    Source source(script->source->name, script->source->text);
    ParseResult parsed = parse(source, arena, optionsFor(request, privateNames, nameTexts));
    if (!parsed)
        return throwParseError(vm, script, source, parsed.diagnostic, request.kind, source.size() - 2);
    TRY(cost.afterParsing());
    CompileError error;
    Unit unit(vm, script, arena, error);
    Code* code = nullptr;
    if (request.kind == TextKind::DirectEval)
        code = compileDirectEval(unit, parsed, request.scopes);
    else if (request.kind == TextKind::Eval)
        code = compileIndirectEval(unit, *parsed.program);
    else
        code = compileDynamicFunction(unit, *parsed.program, bodyBegin);
    if (code)
        return newClosureOf(vm, code, request.environment);
    if (unit.isStackLow())
        return vm.throwStackOverflow();
    return throwSyntaxError(vm, error.message);
}

Completion<Function*> compileBuiltin(Vm& vm, std::string_view name, std::string_view text) {
    if (UNLIKELY(vm.cStackLow()))
        return vm.throwStackOverflow();
    CompileError error;
    Script* script = newScript(vm, std::string(name), std::string(text));
    script->source->isHidden = name.starts_with("node:internal/test_runner/");
    Function* function = compileScript(vm, script, CompileGoal::Builtin, error);
    if (function)
        return function;
    if (vm.terminating())
        return Threw();
    return throwSyntaxError(vm, error.message);
}

}
