// Errors in a person's words: message, place and notes of three hundred faulty texts.
#include "grammar/near_words.h"
#include "grammar/parse.h"
#include "runtime/base/near_miss.h"
// Last, for doctest's own CHECK to be the one that tests see.
#undef CHECK
#include <doctest/doctest.h>
#include <ostream> // doctest prints strings through it

using namespace scr;

namespace {

struct FaultyText {
    const char* text;
    const char* message; // behind its LINE:COLUMN
    const char* notes; // a line each; behind it the place, if it has one
};

#define CASE(text, message, notes) {text, message, notes},
constexpr FaultyText states[] = {
#include "tests/unit/explain_states.inc"
};
constexpr FaultyText slips[] = {
#include "tests/unit/explain_slips.inc"
};
#undef CASE

std::string placeOf(const Source& source, Span span) {
    Position at = source.position(span.begin);
    return std::to_string(at.line) + ":" + std::to_string(at.column);
}

template <size_t count> void check(const FaultyText (&list)[count]) {
    for (const FaultyText& each : list) {
        Source source("test", each.text);
        Arena arena;
        ParseOptions options;
        options.goal = Goal::Detect;
        options.isCommonJs = true;
        ParseResult parsed = parse(source, arena, options);
        const Diagnostic& found = parsed.diagnostic;
        CHECK_MESSAGE(placeOf(source, found.span) + " " + found.message == each.message, std::string(each.text));
        std::string notes;
        for (const Note& note : found.notes)
            notes += (notes.empty() ? "" : "\n") + note.text
                + (note.hasPlace ? " " + placeOf(source, note.span) : std::string());
        CHECK_MESSAGE(notes == each.notes, std::string(each.text));
    }
}

} // namespace

TEST_SUITE("explain") {
    TEST_CASE("Faulty texts by the state of the parser") { check(states); }
    TEST_CASE("Faulty texts by what was meant") { check(slips); }

    TEST_CASE("Near misses") {
        CHECK(editDistance("kitten", "sitting", 3) == 3);
        CHECK(editDistance("kitten", "sitting", 2) == 3);
        CHECK(editDistance("fucntion", "function", 2) == 1);
        CHECK(editDistance("", "abc", 5) == 3);
        CHECK(editDistance(std::string(100, 'a'), std::string(100, 'a'), 2) == 3);
        CHECK(isNearMiss("fro", "for"));
        CHECK(isNearMiss("fi", "if"));
        CHECK(isNearMiss("lenght", "length"));
        CHECK_FALSE(isNearMiss("foo", "for"));
        CHECK_FALSE(isNearMiss("for", "for"));
        CHECK_FALSE(isNearMiss("a", "b"));
        CHECK(nearestKeyword("retrun") == "return");
        CHECK(nearestKeyword("banana").empty());
    }

    TEST_CASE("Excerpts are short and printable") {
        Source long_("long", std::string(5000, 'a') + " b " + std::string(5000, 'c'));
        std::string shown = excerpt(long_, {5001, 5002});
        CHECK(shown.size() < 600);
        CHECK(shown.starts_with("long:1:5002\n..."));
        CHECK(shown.ends_with(" ^\n"));
        CHECK(excerpt(Source("wide", "let \u65e5 = \tx;"), {11, 12}) == "wide:1\nlet \u65e5 = \tx;\n         \t^\n");
        CHECK(excerpt(Source("control", "a\x1b[31m b"), {7, 8}) == "control:1\na\uFFFD[31m b\n       ^\n");
        CHECK(excerpt(Source("empty", ""), {0, 0}) == "empty:1\n\n^\n");
    }
}
