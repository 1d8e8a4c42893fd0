// Kinds of words, in texts that are whole and in texts that are not.
#include "grammar/highlight.h"

#include <doctest/doctest.h>
#include <string>

using namespace scr;

namespace {

/// The parts that have a kind: "k:let n:1".
std::string kinds(std::string_view text) {
    std::string result;
    for (const Highlight& part : highlight(text)) {
        result += result.empty() ? "" : " ";
        result += std::string(1, "kcnsr/"[int(part.kind)]) + ":"
            + std::string(text.substr(part.begin, part.end - part.begin));
    }
    return result;
}

}

TEST_CASE("highlight: whole texts") {
    CHECK(kinds("let x = 10n + 0xff") == "k:let n:10n n:0xff");
    CHECK(kinds("if (true) return null // end") == "k:if c:true k:return c:null /:// end");
    CHECK(kinds("a.default.if?.true = undefined") == "c:undefined");
    CHECK(kinds("'x' + \"y\" /* c */ + `z`") == "s:'x' s:\"y\" /:/* c */ s:`z`");
    CHECK(kinds("`a${b + 1}c${'d'}e`") == "s:`a${ n:1 s:}c${ s:'d' s:}e`");
    CHECK(kinds("x = /a[/]b/g") == "r:/a[/]b/g");
    CHECK(kinds("a / b / c") == "");
    CHECK(kinds("f(/x/) / 2") == "r:/x/ n:2");
    CHECK(kinds("}\n/x/.test(a)") == "r:/x/");
    CHECK(kinds("`a` / 2 / `${b}` / 3") == "s:`a` n:2 s:`${ s:}` n:3");
    CHECK(kinds("for (const x of xs) await f(async (y) => y)") == "k:for k:const k:of k:await k:async");
    CHECK(kinds("async function* f() { yield of }") == "k:async k:function k:yield");
    CHECK(kinds("#!/usr/bin/scr\nx") == "/:#!/usr/bin/scr");
    CHECK(kinds("") == "");
}

TEST_CASE("highlight: texts that are being typed") {
    CHECK(kinds("const a = 'x") == "k:const s:'x");
    CHECK(kinds("'x\nlet y") == "s:'x k:let");
    CHECK(kinds("'\\u{zz}' + 1") == "s:'\\u{zz}' n:1");
    CHECK(kinds("`a${b}c\nd") == "s:`a${ s:}c\nd");
    CHECK(kinds("`a\nlet b") == "s:`a\nlet b");
    CHECK(kinds("1 /* c\nlet") == "n:1 /:/* c\nlet");
    CHECK(kinds("x = /ab[c") == "r:/ab[c");
    CHECK(kinds("let \xC2\xA7 = 012 + 1") == "k:let n:1");
    CHECK(kinds("1 // c\n'x") == "n:1 /:// c s:'x");
    CHECK(kinds("let x = 1n2 + @ let") == "k:let k:let");
    CHECK(kinds(")]}}} let") == "k:let");
}

TEST_CASE("highlight: random texts") {
    const char* const pieces[] = {"`", "${", "}", "'", "\"", "/", "*", "\\", "\n", " ", "let ", "/*", "*/", "//", "1",
        "0x", "a", ".", "(", ")", "[", "]", "{", "#", "@", "\xC2\xA7", "\xE2\x80\xA8", "\xFF", "async ", "await ",
        "<!--", "-->", "\\u{", "using "};
    unsigned seed = 11;
    auto random = [&](size_t n) { return size_t((seed = seed * 1664525 + 1013904223) >> 8) % n; };
    for (int round = 0; round < 3000; round++) {
        std::string text;
        for (size_t n = random(30); n; n--)
            text += random(20) ? pieces[random(std::size(pieces))] : std::string(1, char(random(256)));
        size_t at = 0;
        bool isOrdered = true;
        for (const Highlight& part : highlight(text)) {
            isOrdered = isOrdered && part.begin >= at && part.end > part.begin && part.end <= text.size();
            at = part.end;
        }
        CHECK_MESSAGE(isOrdered, text);
    }
}
