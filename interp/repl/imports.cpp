// Import declarations rewritten.
#include "interp/repl/imports.h"
#include "grammar/parse.h"
#include "grammar/scopes.h"
#include <algorithm>

namespace scr {

namespace {

/// A name as a string literal: names of exports may be any text.
std::string quoted(const Name& name) {
    std::string text = "\"";
    for (char c : toUtf8(name)) {
        if (c == '"' || c == '\\')
            text += '\\';
        text += c;
    }
    return text + "\"";
}

std::string attributesOf(const ImportDeclaration& declaration) {
    std::string text;
    for (ImportAttribute* each : declaration.attributes)
        text += (text.empty() ? "" : ", ") + quoted(*each->key) + ": " + quoted(*each->value);
    return text.empty() ? "" : ", { with: { " + text + " } }";
}

/// const { "default": a, "b": c } = await import("m");
std::string dynamicImport(const ImportDeclaration& declaration, const Source& source) {
    std::string names, whole;
    for (ImportSpecifier* each : declaration.specifiers) {
        std::string local = toUtf8(*each->local->name);
        if (each->imported)
            names += (names.empty() ? "" : ", ") + quoted(*each->imported) + ": " + local;
        else
            whole = local;
    }
    std::string call =
        "await import(" + std::string(source.text(declaration.sourceSpan)) + attributesOf(declaration) + ")";
    if (names.empty() && whole.empty())
        return "void " + call + ";";
    std::string text = "const ";
    if (!whole.empty())
        text += whole + " = " + call;
    if (!names.empty())
        text += (whole.empty() ? "" : ", ") + ("{ " + names + " } = ") + (whole.empty() ? call : whole);
    return text + ";";
}

}

std::string withDynamicImports(std::string_view text, bool& incomplete) {
    incomplete = false;
    if (text.find("import") == text.npos)
        return "";
    Arena arena;
    ParseOptions options;
    options.goal = Goal::Module;
    Source source("REPL", std::string(text));
    ParseResult parsed = parse(source, arena, options);
    incomplete = parsed.isIncomplete;
    if (!parsed)
        return "";
    std::string result;
    u32 taken = 0;
    for (Stmt* each : parsed.program->function->body) {
        auto* declaration = each->asIf<ImportDeclaration>();
        if (!declaration)
            continue;
        Span span = declaration->span;
        result += source.text({taken, span.begin});
        result += dynamicImport(*declaration, source);
        std::string_view old = source.text(span);
        result.append(size_t(std::count(old.begin(), old.end(), '\n')), '\n');
        taken = span.end;
    }
    return taken ? result + std::string(source.text({taken, source.size()})) : "";
}

}
