// Graphemes, and the text that is edited.
#include "interp/terminal/edit_buffer.h"
#include "interp/terminal/grapheme.h"
#include "interp/terminal/open_brackets.h"

#include <doctest/doctest.h>

using namespace scr;

namespace {

std::string pieces(std::string_view text) {
    std::string result;
    for (size_t at = 0; at < text.size();) {
        Grapheme grapheme = graphemeAt(text, at);
        result += std::string(text.substr(at, grapheme.bytes)) + std::to_string(grapheme.columns) + "|";
        at += grapheme.bytes;
    }
    return result;
}

}

TEST_CASE("graphemes: what a person sees as one") {
    CHECK(pieces("ab") == "a1|b1|");
    CHECK(pieces("日é") == "日2|é1|");
    CHECK(pieces("e\u0301x") == "e\u03011|x1|");
    CHECK(pieces("👍🏽!") == "👍🏽4|!1|");
    CHECK(pieces("👨‍👩‍👧a") == "👨‍👩‍👧6|a1|");
    CHECK(pieces("🇩🇪🇫🇷") == "🇩🇪2|🇫🇷2|");
    CHECK(pieces("❤\uFE0F.") == "❤\uFE0F2|.1|");
    CHECK(pieces("한") == "한2|");
    CHECK(pieces("\u0301a") == "\u03010|a1|");
    CHECK(pieces("\x01\n")
        == "\x01"
           "2|\n2|");
    CHECK(graphemeAt("👍🏽", 0).isUncertain);
    CHECK(!graphemeAt("日", 0).isUncertain);
}

TEST_CASE("graphemes: back is the reverse of forth") {
    std::string tower = "e";
    for (int i = 0; i < 3000; i++)
        tower += "\u0301";
    const std::string texts[] = {
        "abc", "日本é", "a👨‍👩‍👧b👍🏽🇩🇪🇫🇷c", "\u0301\u0301", tower, "a\n\te\u0301"};
    for (const std::string& text : texts) {
        std::vector<size_t> places{0};
        while (places.back() < text.size())
            places.push_back(nextGrapheme(text, places.back()));
        if (text.size() > 5000) // beyond the bound both only must move
            continue;
        for (size_t i = places.size() - 1; i > 0; i--)
            CHECK(previousGrapheme(text, places[i]) == places[i - 1]);
    }
    for (size_t at = tower.size(), before; at > 0; at = before) {
        before = previousGrapheme(tower, at);
        REQUIRE(before < at);
    }
}

TEST_CASE("words") {
    std::string text = "  foo.bar(x) + 日本";
    std::string forth, back;
    for (size_t at = 0; at < text.size();)
        forth += std::to_string(at = nextWord(text, at)) + " ";
    for (size_t at = text.size(); at > 0;)
        back += std::to_string(at = previousWord(text, at)) + " ";
    CHECK(forth == "5 6 9 10 11 12 14 21 ");
    CHECK(back == "15 13 11 10 9 6 5 2 0 ");
}

TEST_CASE("buffer: undo and redo") {
    EditBuffer buffer;
    buffer.reset("");
    for (char c : std::string("one two"))
        buffer.insert(std::string(1, c));
    CHECK(buffer.undo());
    CHECK(buffer.text() == "one ");
    CHECK(buffer.undo());
    CHECK(buffer.text() == "");
    CHECK(!buffer.undo());
    CHECK(buffer.redo());
    CHECK(buffer.redo());
    CHECK(buffer.text() == "one two");
    CHECK(!buffer.redo());
    buffer.erase(3, 4);
    buffer.erase(2, 3);
    CHECK(buffer.text() == "ontwo");
    CHECK(buffer.undo());
    CHECK(buffer.text() == "one two");
    CHECK(buffer.undo());
    buffer.insert("x");
    CHECK(!buffer.redo());
    buffer.replaceAll("all new", 3);
    CHECK(buffer.cursor() == 3);
    CHECK(buffer.undo());
    CHECK(buffer.text() == "one x");
}

TEST_CASE("buffer: undo is bounded, and every state comes back") {
    EditBuffer buffer;
    buffer.reset("");
    std::string large(1 << 20, 'y');
    for (int i = 0; i < 100; i++) {
        buffer.replaceAll(large + std::to_string(i), 0);
    }
    int steps = 0;
    while (buffer.undo())
        steps++;
    CHECK(steps >= 4);
    CHECK(steps < 100);

    buffer.reset("");
    std::vector<std::string> states{""};
    unsigned seed = 7;
    auto random = [&](size_t n) { return (seed = seed * 1103515245 + 12345) / 65536 % n; };
    for (int i = 0; i < 300; i++) {
        size_t a = random(buffer.text().size() + 1), b = random(buffer.text().size() + 1);
        buffer.endStep();
        buffer.replace(std::min(a, b), std::max(a, b), random(3) ? std::string(random(5), char('a' + random(26))) : "");
        if (buffer.text() != states.back())
            states.push_back(buffer.text());
    }
    for (size_t i = states.size(); i-- > 0;) {
        CHECK(buffer.text() == states[i]);
        std::string now = buffer.text();
        while (buffer.text() == now && buffer.undo()) { }
    }
}

TEST_CASE("buffer: kill ring") {
    EditBuffer buffer;
    buffer.reset("one two three");
    buffer.kill(8, 13);
    buffer.kill(4, 8);
    CHECK(buffer.text() == "one ");
    buffer.endKill();
    buffer.kill(0, 4);
    buffer.endKill();
    CHECK(buffer.text() == "");
    CHECK(buffer.yank());
    CHECK(buffer.text() == "one ");
    buffer.yankPop();
    CHECK(buffer.text() == "two three");
    buffer.yankPop();
    CHECK(buffer.text() == "one ");
    // Forwards, the parts follow each other.
    buffer.reset("abc");
    buffer.setCursor(0);
    buffer.kill(0, 1);
    buffer.kill(0, 2);
    buffer.endKill();
    CHECK(buffer.yank());
    CHECK(buffer.text() == "abc");
}

TEST_CASE("buffer: lines, columns, cases, exchange") {
    EditBuffer buffer;
    buffer.reset("ab\n日本x\n\nlast");
    CHECK(buffer.onLastLine());
    CHECK(!buffer.onFirstLine());
    CHECK(buffer.column() == 4);
    CHECK(buffer.lineBegin(5) == 3);
    CHECK(buffer.lineEnd(3) == 10);
    CHECK(buffer.placeAt(3, 3) == 6);
    CHECK(buffer.placeAt(3, 4) == 9);
    CHECK(buffer.placeAt(11, 9) == 11);

    buffer.reset("hello éa wörld");
    buffer.setCursor(0);
    buffer.changeCase(EditBuffer::Case::Upper);
    buffer.changeCase(EditBuffer::Case::Capital);
    buffer.changeCase(EditBuffer::Case::Upper);
    CHECK(buffer.text() == "HELLO Éa WÖRLD");
    CHECK(buffer.atEnd());
    buffer.changeCase(EditBuffer::Case::Lower);
    buffer.reset("a日");
    buffer.transpose();
    CHECK(buffer.text() == "日a");
    buffer.reset("x");
    buffer.transpose();
    CHECK(buffer.text() == "x");
    buffer.reset("");
    buffer.transpose();
    buffer.reset("a\nb");
    buffer.setCursor(1);
    buffer.transpose();
    CHECK(buffer.text() == "a\nb");
}

TEST_CASE("open brackets") {
    struct Case {
        const char* text;
        bool isOpen;
    };
    const Case cases[] = {{"", false}, {"f(", true}, {"f(1)", false}, {"`a", true}, {"`a${", true}, {"`a${b}`", false},
        {"`a${`b${c}`}` + '('", false}, {"'it\\'s ('", false}, {"// (", false}, {"/* (", true}, {"/* ( */", false},
        {"x = /[/(]\\/(/", false}, {"a / (b / c", true}, {"a / b)", false}, {"'(\n", false}, {"{ [ ( ] } )", false},
        {"`\\`${1}`", false}};
    for (const Case& c : cases) {
        OpenBrackets whole, piecewise;
        CHECK_MESSAGE(whole.isOpen(c.text) == c.isOpen, std::string(c.text));
        bool last = false;
        std::string_view text = c.text;
        for (size_t n = 1; n <= text.size(); n++) {
            // A character that says what the one before it means comes with it, as whole lines do.
            if (n < text.size() && (text[n - 1] == '/' || text[n - 1] == '*' || text[n - 1] == '$'))
                continue;
            last = piecewise.isOpen(text.substr(0, n));
        }
        CHECK(last == c.isOpen);
    }
}
