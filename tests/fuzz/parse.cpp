// Fuzzes the front end: every text has a tree or a diagnostic, the tree can be printed, the diagnostic rendered, and
// as a script, as a module and for the REPL the parser comes to an end.
#include "grammar/parse.h"
#include "tests/fuzz/libfuzzer.h"
#include "tests/fuzz/mutator.h"
#include <cstring>

using namespace scr;

static void check(const Source& source, const ParseOptions& options) {
    Arena arena;
    ParseResult parsed = parse(source, arena, options);
    if (parsed) {
        std::string tree = dump(*parsed.program, true);
        CHECK(!tree.empty() && parsed.diagnostic.message.empty());
        return;
    }
    const Diagnostic& diagnostic = parsed.diagnostic;
    CHECK(!diagnostic.message.empty());
    CHECK(diagnostic.span.begin <= diagnostic.span.end && diagnostic.span.end <= source.size());
    std::string shown = render(source, diagnostic);
    CHECK(shown.find("SyntaxError: ") != std::string::npos && shown.back() == '\n');
    // What more lines could repair: the error stands at the end, or at something that the end leaves open.
    if (parsed.isIncomplete)
        CHECK(source.position(diagnostic.span.begin).line >= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Source source = Source::fromBytes("fuzz", std::string(reinterpret_cast<const char*>(data), size));
    ParseOptions options;
    options.goal = Goal::Detect;
    options.isCommonJs = true;
    check(source, options);
    options.goal = Goal::Module;
    options.isCommonJs = false;
    check(source, options);
    options = {};
    options.allowTopLevelAwait = true;
    options.allowSuperProperty = options.allowNewTarget = true;
    std::string_view names[] = {"p", "x"};
    options.privateNames = names;
    check(source, options);
    return 0;
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
    scr::fuzz::fillBank(*argc, *argv);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t limit, unsigned seed) {
    if (seed % 8 == 0)
        return LLVMFuzzerMutate(data, size, limit);
    std::string text = scr::fuzz::mutate(std::string(reinterpret_cast<char*>(data), size), limit, seed);
    memcpy(data, text.data(), text.size());
    return text.size();
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t firstSize, const uint8_t* second, size_t secondSize,
    uint8_t* out, size_t limit, unsigned seed) {
    return scr::fuzz::crossOver(first, firstSize, second, secondSize, out, limit, seed);
}
