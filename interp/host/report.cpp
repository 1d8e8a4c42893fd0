// Reports on standard error, in the form that Node made known.
#include "interp/host/report.h"
#include "grammar/diagnostic.h"
#include "runtime/builtins/inspect.h"

namespace scr {

namespace {

const Place* find(const ThrowPlace& place) {
    auto* code = static_cast<Code*>(place.code);
    return code ? findPlace(code, place.word) : nullptr;
}

/// The excerpt, or nothing if nobody knows the place.
std::string head(const ThrowPlace& place) {
    const Place* where = find(place);
    if (!where)
        return "";
    const ScriptSource& script = *static_cast<Code*>(place.code)->script->source;
    return excerpt(Source(script.name, script.text), Span{where->point, where->point});
}

/// "a.b.c is undefined", for a property that was looked for in undefined or null, if the source tells what that was.
std::string brokenLink(Vm& vm, Value error, const ThrowPlace& place) {
    const Place* where = find(place);
    Lookup message = lookup(vm, error.asObject(), KEY(vm, message));
    if (!where || message.type != Lookup::Data || !message.value.isString())
        return "";
    std::string text = toUtf8(vm, message.value.asString());
    for (const char* nothing : {"undefined", "null"}) {
        if (!text.starts_with(std::string("Cannot read properties of ") + nothing + " "))
            continue;
        const std::string& source = static_cast<Code*>(place.code)->script->source->text;
        std::string link = source.substr(where->begin, where->point - where->begin);
        while (!link.empty() && (link.back() == '.' || link.back() == '[' || link.back() == ' '))
            link.pop_back();
        bool plain = !link.empty() && link != nothing && link.find_first_of("\n\r;{}") == std::string::npos;
        return plain ? link + " is " + nothing + "\n" : "";
    }
    return "";
}

}

std::string reportUncaught(Vm& vm, Value error, const ThrowPlace& place) {
    bool isError = error.isObject() && kindOf(error.asCell()) == Kind::Error;
    std::string text = head(place);
    if (isError)
        text += brokenLink(vm, error, place);
    if (!text.empty())
        text += "\n";
    return text + (isError ? "" : "Uncaught ") + inspect(vm, error) + "\n\n";
}

std::string reportSyntaxError(const ScriptSource& source, const CompileError& error) {
    std::string text = excerpt(Source(source.name, source.text), Span{error.begin, error.end});
    return text + "\n" + error.message + "\n\n";
}

std::string reportMemoryLimit(Vm& vm, const ThrowPlace& place) {
    u64 limit = vm.heap.memoryLimit();
    std::string size = limit % (1 << 20) == 0 ? std::to_string(limit >> 20) + " MiB" : std::to_string(limit) + " bytes";
    std::string text = head(place);
    return text + (text.empty() ? "" : "\n") + "scr: the script reached its memory limit of " + size + "\n\n";
}

}
