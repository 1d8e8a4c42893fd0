// From a text to its value: object literal or block, compiling, names, top-level await.
#include "interp/repl/evaluator.h"
#include "grammar/parse.h"
#include "interp/host/file_url.h"
#include "interp/host/report.h"
#include "interp/repl/imports.h"
#include "runtime/builtins/native.h"

namespace scr {

// ---- the text

namespace {

constexpr std::string_view Blanks = " \t\r\n\v\f";

ParseResult parseText(std::string text, Arena& arena) {
    ParseOptions options;
    options.allowTopLevelAwait = true;
    return parse(Source("REPL", std::move(text)), arena, options);
}

bool beginsWithBrace(std::string_view text) {
    size_t begin = text.find_first_not_of(Blanks);
    return begin != text.npos && text[begin] == '{';
}

std::string_view withoutEnd(std::string_view text, std::string_view characters) {
    size_t last = text.find_last_not_of(characters);
    return text.substr(0, last == text.npos ? 0 : last + 1);
}

}

std::string Evaluator::asEntered(std::string_view text) {
    std::string whole(text);
    bool incomplete = false;
    if (std::string imports = withDynamicImports(text, incomplete); !imports.empty())
        return imports;
    if (!beginsWithBrace(text))
        return whole;
    bool ends = withoutEnd(text, Blanks).ends_with(';');
    Arena arena;
    if (ends && parseText(whole, arena))
        return whole;
    std::string_view inside = withoutEnd(text, ends ? " \t\r\n\v\f;" : Blanks);
    std::string object = "(" + std::string(inside) + "\n)";
    return parseText(object, arena) ? object : whole;
}

namespace {

/// A string goes on in the next line if the last character is a backslash.
bool continuesString(std::string_view text, const ParseResult& parsed) {
    std::string_view line = withoutEnd(text, "\r\n");
    size_t slashes = line.size() - withoutEnd(line, "\\").size();
    return slashes % 2 == 1 && parsed.diagnostic.span.end >= line.size() - 1;
}

}

bool Evaluator::isIncomplete(std::string_view text) {
    Arena arena;
    ParseResult parsed = parseText(std::string(text), arena);
    if (parsed)
        return false;
    if (beginsWithBrace(text)) {
        if (asEntered(text).front() == '(')
            return false;
        if (parseText("(" + std::string(text), arena).isIncomplete)
            return true;
    }
    if (parsed.isIncomplete || continuesString(text, parsed))
        return true;
    bool incomplete = false; // of an import declaration
    return withDynamicImports(text, incomplete).empty() && incomplete;
}

// ---- names

Evaluator::Evaluator(Vm& vm)
    : vm_(vm) {
    vm.heap.addRoots(trace, this);
}

Evaluator::~Evaluator() { vm_.heap.removeRoots(this); }

void Evaluator::trace(void* context, Marker& marker) {
    auto* evaluator = static_cast<Evaluator*>(context);
    marker.mark(evaluator->promise_);
    for (const GlobalName& name : evaluator->names_)
        marker.mark(name.name);
    for (Saved& saved : evaluator->saved_) {
        marker.mark(saved.name);
        marker.markValues(&saved.binding.value, 1);
    }
}

void Evaluator::save() {
    saved_.clear();
    for (const GlobalName& name : names_)
        if (name.kind == GlobalName::Let || name.kind == GlobalName::Const)
            saved_.push_back({name.name, saveGlobal(vm_, vm_.realm, name.name)});
}

void Evaluator::restore() {
    for (const Saved& saved : saved_)
        restoreGlobal(vm_, vm_.realm, saved.name, saved.binding);
    saved_.clear();
}

// ---- running

/// As standard error shows it, without the name of the text and with "Uncaught" before the message.
static std::string reportWrong(const ScriptSource& source, const CompileError& error) {
    std::string report = reportSyntaxError(source, error);
    report.erase(0, report.find('\n') + 1);
    std::string_view name = "\nSyntaxError: ";
    if (size_t at = report.find(name); at != report.npos)
        report.insert(at + 1, "Uncaught ");
    while (report.ends_with("\n\n"))
        report.pop_back();
    return report;
}

Evaluation Evaluator::evaluate(std::string_view text) {
    Evaluation result;
    auto failed = [&] {
        result.status = vm_.terminating() ? Evaluation::Ended : Evaluation::Threw;
        restore();
        return result;
    };
    Script* script = newScript(vm_, "REPL" + std::to_string(++number_), asEntered(text));
    script->source->path = currentFolder() + "/repl";
    CompileError error;
    std::vector<GlobalName> names;
    Function* function = compileScript(vm_, script, CompileGoal::Repl, error, &names);
    if (!function && vm_.terminating())
        return failed();
    if (!function) {
        result.status = Evaluation::Wrong;
        result.report = reportWrong(*script->source, error);
        return result;
    }
    names_ = std::move(names);
    save();
    if (redeclareGlobals(vm_, vm_.realm, names_).threw())
        return failed();
    Completion<Value> value = call(vm_, Value::object(function), Value::object(vm_.realm->global.get()));
    if (value.threw())
        return failed();
    if (function->code()->infoFlags & InfoAsync) {
        promise_ = static_cast<Promise*>(value.value().asObject());
        takeRejection();
        return step();
    }
    saved_.clear();
    result.value = value.value();
    return result;
}

/// The process does not hear of it as of a rejection that nobody handles.
void Evaluator::takeRejection() {
    promise_->promiseFlags |= PromiseHandled;
    if (promise_->state == PromiseState::Rejected && vm_.rejectionHook)
        vm_.rejectionHook(vm_, promise_, true);
}

Evaluation Evaluator::step() {
    Evaluation result;
    if (promise_->state == PromiseState::Pending) {
        result.status = Evaluation::Waits;
        return result;
    }
    Promise* promise = promise_;
    promise_ = nullptr;
    if (promise->state == PromiseState::Rejected) {
        result.status = Evaluation::Threw;
        (void)vm_.throwValue(promise->result);
        restore();
        return result;
    }
    saved_.clear();
    result.value = getOwnProperty(vm_, promise->result.asObject(), KEY(vm_, value)).dataValue();
    return result;
}

void Evaluator::abandon() {
    promise_ = nullptr;
    restore();
}

}
