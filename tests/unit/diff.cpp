// The runner's own comparison of texts.
#include "tests/diff.h"

#include <doctest/doctest.h>
#include <ostream> // doctest prints strings through it

using scr::test::diff;
using scr::test::splitLines;

TEST_SUITE("runner") {

    TEST_CASE("Lines end at line feeds, and the last one may lack its own") {
        CHECK(splitLines("").empty());
        CHECK(splitLines("a\n\nb\n") == std::vector<std::string>{"a", "", "b"});
        CHECK(splitLines("a\nb") == std::vector<std::string>{"a", "b"});
    }

    TEST_CASE("Equal texts do not differ") {
        CHECK(diff("", "").empty());
        CHECK(diff("a\nb\n", "a\nb\n").empty());
    }

    TEST_CASE("Missing, unexpected and changed lines are shown with their surroundings") {
        CHECK(diff("a\nb\nc\n", "a\nc\n") == "  a\n- b\n  c\n");
        CHECK(diff("a\nc\n", "a\nb\nc\n") == "  a\n+ b\n  c\n");
        CHECK(diff("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nfive\n6\n") == "  3\n  4\n- 5\n+ five\n  6\n");
        CHECK(diff("", "x\n") == "+ x\n");
        CHECK(diff("x\n", "x") == "(only the line feed at the end differs)\n");
    }
}
