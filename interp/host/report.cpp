// Reports on standard error, in the form that Node made known.
#include "interp/host/report.h"
#include "grammar/diagnostic.h"
#include "runtime/builtins/argument_error.h"

namespace scr {

namespace {

/// The excerpt, or nothing if nobody knows the place.
std::string head(const ThrowPlace& place) {
    auto* code = static_cast<Code*>(place.code);
    const Place* where = code ? findPlace(code, place.word) : nullptr;
    if (!where)
        return "";
    const ScriptSource& script = *code->script->source;
    return excerpt(Source(script.name, script.text), Span {where->point, where->point}) + "\n";
}

std::string stackOf(Vm& vm, Object* error) {
    Lookup stack = lookup(vm, error, KEY(vm, stack));
    return stack.type == Lookup::Data && stack.value.isString() ? toUtf8(vm, stack.value.asString()) : "";
}

}

std::string reportUncaught(Vm& vm, Value error, const ThrowPlace& place) {
    std::string text = head(place);
    bool isError = error.isObject() && kindOf(error.asCell()) == Kind::Error;
    std::string stack = isError ? stackOf(vm, error.asObject()) : "";
    return text + (stack.empty() ? "Uncaught " + inspectShort(vm, error) : stack) + "\n\n";
}

std::string reportSyntaxError(const ScriptSource& source, const CompileError& error) {
    std::string text = excerpt(Source(source.name, source.text), Span {error.begin, error.end});
    return text + "\n" + error.message + "\n\n";
}

std::string reportMemoryLimit(Vm& vm, const ThrowPlace& place) {
    u64 limit = vm.heap.memoryLimit();
    std::string size = limit % (1 << 20) == 0 ? std::to_string(limit >> 20) + " MiB" : std::to_string(limit) + " bytes";
    return head(place) + "scr: the script reached its memory limit of " + size + "\n\n";
}

}
