// One parse or, with Goal::Detect, up to three: as a script that stops at the first thing only a module has; as a
// module; and, when only an await spoke for a module and that went wrong, as a script where await is a name.
#include "grammar/parse.h"

#include "grammar/builder.h"
#include "parser.h"

namespace scr {

namespace {

constexpr size_t largestText = 0xfffffff0; // places have 32 bits

struct Attempt {
    ParseResult result;
    bool isModuleAfterAll = false;
    bool isModuleByAwait = false;
    bool sawAwait = false;
};

Attempt attempt(const Source& source, Arena& arena, const ParseOptions& options, bool isModule) {
    Errors errors;
    NameTable names(arena);
    Builder builder(source, arena, names, errors, options, isModule);
    builder.begin();
    int failed = scr_parse(builder);
    Attempt outcome;
    outcome.isModuleAfterAll = builder.isModuleAfterAll;
    outcome.isModuleByAwait = builder.isModuleByAwait;
    outcome.sawAwait = builder.lexer.sawAwait;
    if (errors.any) {
        outcome.result.diagnostic = std::move(errors.first);
        outcome.result.isIncomplete = errors.isIncomplete;
    } else {
        CHECK(!failed && builder.program);
        outcome.result.program = builder.program;
        if (options.wantsFreeNames)
            outcome.result.freeNames = builder.scopes.unresolved();
    }
    return outcome;
}

} // namespace

ParseResult parse(const Source& source, Arena& arena, const ParseOptions& options) {
    if (source.text().size() >= largestText) {
        ParseResult tooLarge;
        tooLarge.diagnostic.message = "The text is too large";
        return tooLarge;
    }
    Attempt first = attempt(source, arena, options, options.goal == Goal::Module);
    if (options.goal != Goal::Detect || (!first.isModuleAfterAll && (first.result || !first.sawAwait)))
        return std::move(first.result);
    ParseOptions plain = options;
    plain.goal = Goal::Script;
    if (!first.isModuleAfterAll) {
        Attempt script = attempt(source, arena, plain, false);
        return std::move(script.result ? script.result : first.result);
    }
    Attempt module = attempt(source, arena, options, true);
    module.result.outsideModule = std::move(first.result.diagnostic);
    if (module.result || !first.isModuleByAwait)
        return std::move(module.result);
    Attempt script = attempt(source, arena, plain, false);
    return std::move(script.result ? script.result : module.result);
}

}
