// The editor as a whole: bytes in, a screen out.
#include "tests/unit/editor_fixture.h"

#include <doctest/doctest.h>
#include <time.h>

using namespace scr;
using namespace scr::test;

namespace {

const char up[] = "\x1b[A", left[] = "\x1b[D", right[] = "\x1b[C", home[] = "\x1b[H", end[] = "\x1b[F";
const std::string pasteBegin = "\x1b[200~", pasteEnd = "\x1b[201~";

/// Every row, behind a full redraw: nothing may change by it.
void checkRedraw(EditorFixture& fixture) {
    std::string before = fixture.screen();
    size_t row = fixture.model.cursorRow(), column = fixture.model.cursorColumn();
    fixture.editor.hide();
    fixture.editor.show();
    REQUIRE(fixture.screen() == before);
    REQUIRE(fixture.model.cursorRow() == row);
    REQUIRE(fixture.model.cursorColumn() == column);
    REQUIRE(fixture.model.unknown == "");
}

std::string repeated(std::string_view text, size_t times) {
    std::string result;
    while (times--)
        result += text;
    return result;
}

double cpuMilliseconds() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1000 + double(time.tv_nsec) / 1e6;
}

}

TEST_CASE("editor: a line, its events, and what stays on the screen") {
    EditorFixture fixture;
    CHECK(fixture.screen() == ">\n");
    CHECK(fixture.model.cursorColumn() == 2);
    CHECK(fixture.feed("1 + 1") == EditEvent::None);
    CHECK(fixture.screen() == "> 1 + 1\n= 1 + 1\n");
    CHECK(fixture.model.cursorColumn() == 7);
    CHECK(fixture.feed("\r") == EditEvent::Line);
    CHECK(fixture.editor.text() == "1 + 1");
    CHECK(fixture.screen() == "> 1 + 1\n");
    CHECK(fixture.model.cursorRow() == 1);
    CHECK(fixture.model.cursorColumn() == 0);
    fixture.again();
    CHECK(fixture.feed("abc\x03") == EditEvent::Interrupt);
    CHECK(fixture.editor.text() == "abc");
    fixture.again();
    CHECK(fixture.screen() == "> 1 + 1\n> abc\n>\n");
    CHECK(fixture.feed("x\x04") == EditEvent::None);
    CHECK(fixture.feed("\x15\x04") == EditEvent::EndOfInput);
    fixture.again();
    CHECK(fixture.feed("") == EditEvent::EndOfInput);
}

TEST_CASE("editor: several lines are one text, and one entry") {
    EditorFixture fixture;
    CHECK(fixture.feed("f(\r1,\r") == EditEvent::None);
    CHECK(fixture.screen() == "> f(\n| 1,\n|\n");
    CHECK(fixture.feed("2)\r") == EditEvent::Line);
    CHECK(fixture.editor.text() == "f(\n1,\n2)");
    fixture.again();
    CHECK(fixture.feed(up) == EditEvent::None);
    CHECK(fixture.screen() == "> f(\n| 1,\n| 2)\n> f(\n| 1,\n| 2)\n");
    // Within it, and Enter anywhere ends it when it is whole.
    fixture.feed(std::string(up)
        + "\x01"
          "0");
    CHECK(fixture.screen() == "> f(\n| 1,\n| 2)\n> f(\n| 01,\n| 2)\n");
    CHECK(fixture.feed("\r") == EditEvent::Line);
    CHECK(fixture.editor.text() == "f(\n01,\n2)");
    CHECK(fixture.model.cursorRow() == 6);
    CHECK(fixture.history.size() == 2);
    fixture.again();
    // Alt with Enter begins a line in any case.
    fixture.feed("7\x1b\r8");
    CHECK(fixture.editor.text() == "7\n8");
}

TEST_CASE("editor: bytes that come in pieces, and what comes early") {
    EditorFixture fixture;
    for (char c : std::string("'日本'\x1b[D語"))
        fixture.feed(std::string_view(&c, 1));
    CHECK(fixture.editor.text() == "'日本語'");
    CHECK(fixture.model.cursorColumn() == 9);
    CHECK(fixture.feed("\x03") == EditEvent::Interrupt);
    fixture.again();
    CHECK(fixture.feed("a\rb\rc") == EditEvent::Line);
    CHECK(fixture.editor.text() == "a");
    fixture.editor.begin("> ", "| ");
    CHECK(fixture.editor.pending() == EditEvent::Line);
    CHECK(fixture.editor.text() == "b");
    fixture.editor.begin("> ", "| ");
    CHECK(fixture.editor.pending() == EditEvent::None);
    CHECK(fixture.editor.text() == "c");
    CHECK(fixture.screen() == "> '日本語'\n> a\n> b\n> c\n");
}

TEST_CASE("editor: an ESC alone is decided by time") {
    EditorFixture fixture;
    CHECK(fixture.editor.tick() == -1);
    fixture.editor.feed("\x1b");
    CHECK(fixture.editor.tick() == 100);
    EditorFixture::milliseconds() = 60;
    CHECK(fixture.editor.tick() == 40);
    EditorFixture::milliseconds() = 100;
    CHECK(fixture.editor.tick() == -1);
    fixture.feed("b");
    CHECK(fixture.editor.text() == "b");
}

TEST_CASE("editor: Emacs keys") {
    EditorFixture fixture;
    struct Case {
        const char *keys, *text;
    };
    const Case cases[] = {
        {"foo bar\x17"
         "x",
            "foo x"},
        {"foo bar\x15"
         "x",
            "x"},
        {"foo bar\x01\x0b"
         "x",
            "x"},
        {"foo bar\x01"
         "a\x05z",
            "afoo barz"},
        {"abc\x02\x02X\x06Y", "aXbYc"},
        {"foo.bar\x1b"
         "bX",
            "foo.Xbar"},
        {"foo bar\x01\x1b"
         "fX",
            "fooX bar"},
        {"foo bar\x01\x1b"
         "dX",
            "X bar"},
        {"foo bar\x1b\x7fX", "foo X"},
        {"foo bar\x1b[1;5DX", "foo Xbar"},
        {"foo bar\x01\x1b[1;5CX", "fooX bar"},
        {"ab\x14", "ba"},
        {"foo bar\x17\x17\x19\x19", "foo barfoo bar"},
        {"a b\x17x\x17y\x19\x1b"
         "y",
            "a yb"},
        {"one two\x1f", "one "},
        {"one two\x1f\x1e", "one two"},
        {"one two\x1f\x1f\x1b_", "one "},
        {"foo\x1b"
         "b\x1b"
         "u",
            "FOO"},
        {"abc\x08\x7f", "a"},
        {"abc\x1b[D\x1b[3~", "ab"},
        {"abc\x1b[Dx\x1b[Fy", "abxcy"},
        {"abc\x1b[Hx", "xabc"},
        {"(a\rb\x1b<x\x1b>y", "x(a\nby"},
        {"(a\rb\x01\x15", "(ab"},
        {"(a\rb\x1b[A\x05\x0b", "(ab"},
        {"(abc\rd\x10X", "(Xabc\nd"},
        {"(ab\rcdef\x10\x0eX", "(ab\ncdefX"},
        {"e\u0301\x7f", ""},
        {"👨‍👩‍👧x\x1b[D\x1b[D!", "!👨‍👩‍👧x"},
        {"a\x1b[99~\x1bq\x1c", "a"},
    };
    for (const Case& c : cases) {
        for (const char* key = c.keys; *key; key++)
            fixture.feed(std::string_view(key, 1));
        CHECK_MESSAGE(fixture.editor.text() == std::string(c.text), std::string(c.keys));
        checkRedraw(fixture);
        CHECK(fixture.feed("\x03") == EditEvent::Interrupt);
        fixture.again();
    }
}

TEST_CASE("editor: wrapping at exactly the last column") {
    for (size_t columns : {1, 2, 3, 5, 8, 20}) {
        EditorFixture fixture(columns, 12);
        for (char c : std::string("abcdefghijklmnopqrst")) {
            fixture.feed(std::string_view(&c, 1));
            if (columns >= 3)
                checkRedraw(fixture);
        }
        fixture.feed(std::string("\x01") + "xy" + right + right + "\x7f");
        CHECK(fixture.editor.text() == "xyacdefghijklmnopqrst");
        if (columns >= 3)
            checkRedraw(fixture);
        CHECK(fixture.feed("\r") == EditEvent::Line);
        CHECK(fixture.model.cursorColumn() == 0);
        CHECK(fixture.model.unknown == "");
    }
    EditorFixture fixture(10, 5);
    fixture.feed("12345678");
    CHECK(fixture.screen() == "> 12345678\n\n= 1234567\n");
    CHECK(fixture.model.cursorRow() == 1);
    CHECK(fixture.model.cursorColumn() == 0);
    // The terminal knows that it is one line, so it is copied as one.
    CHECK(fixture.model.isWrapped(0));
    fixture.feed("9\x7f");
    CHECK(fixture.feed("\r") == EditEvent::Line);
    // No empty row behind it.
    CHECK(fixture.model.cursorRow() == 1);
    fixture.again();
    fixture.feed("(234567\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[Dx\ry");
    CHECK(fixture.screen() == "> 12345678\n> x\n| y(234567\n");
}

TEST_CASE("editor: wide characters at the edge") {
    EditorFixture fixture(7, 6);
    fixture.feed("日本語日本語");
    CHECK(fixture.screen() == "> 日本\n語日本\n語\n");
    checkRedraw(fixture);
    fixture.feed(std::string("\x01") + "a");
    CHECK(fixture.screen() == "> a日本\n語日本\n語\n");
    checkRedraw(fixture);
    fixture.feed("\x7f" + repeated(right, 2));
    CHECK(fixture.model.cursorRow() == 1);
    CHECK(fixture.model.cursorColumn() == 0);
    EditorFixture narrow(1, 6);
    narrow.feed("日本");
    CHECK(narrow.editor.text() == "日本");
    CHECK(narrow.screen().starts_with(">\n\n?\n?\n"));
}

TEST_CASE("editor: control characters and tabs are shown so that they take room") {
    EditorFixture fixture;
    fixture.feed(pasteBegin + "a\tb\n\tc" + pasteEnd);
    CHECK(fixture.editor.text() == "a\tb\n\tc");
    CHECK(fixture.screen() == "> a b\n|   c\n");
    checkRedraw(fixture);
    fixture.editor.begin("> ", "| ", "x\x1b[2Jy\u0085z");
    CHECK(fixture.screen().find("> x^[[2Jy?z") != std::string::npos);
    CHECK(fixture.model.unknown == "");
}

TEST_CASE("editor: a text taller than the window") {
    EditorFixture fixture(20, 5);
    fixture.feed("(");
    for (int i = 1; i < 12; i++)
        fixture.feed("\r" + std::to_string(i));
    CHECK(fixture.screen() == "| 7\n| 8\n| 9\n| 10\n| 11\n");
    // It has scrolled out line by line, as any output.
    REQUIRE(fixture.model.gone().size() == 7);
    CHECK(fixture.model.gone()[0] == "> (");
    checkRedraw(fixture);
    fixture.feed(repeated(up, 6));
    CHECK(fixture.screen() == "| 5\n| 6\n| 7\n| 8\n| 9\n");
    CHECK(fixture.model.cursorRow() == 0);
    checkRedraw(fixture);
    fixture.feed("\x1b<");
    CHECK(fixture.screen() == "> (\n| 1\n| 2\n| 3\n| 4\n");
    fixture.feed("\x1b>");
    CHECK(fixture.screen() == "| 7\n| 8\n| 9\n| 10\n| 11\n");
    CHECK(fixture.feed(")\r") == EditEvent::Line);
    CHECK(fixture.screen() == "| 8\n| 9\n| 10\n| 11)\n");
    fixture.again();
    // A window of one row.
    fixture.editor.resized(20, 1);
    fixture.feed("1(\r2");
    CHECK(fixture.editor.text() == "1(\n2");
    CHECK(fixture.model.unknown == "");
}

TEST_CASE("editor: output of others goes above the text") {
    EditorFixture fixture;
    fixture.feed("12 + ");
    fixture.editor.hide();
    CHECK(fixture.screen() == "");
    fixture.model.write("TICK\r\n");
    fixture.editor.show();
    CHECK(fixture.screen() == "TICK\n> 12 +\n= 12 +\n");
    fixture.feed("30");
    CHECK(fixture.feed("\r") == EditEvent::Line);
    CHECK(fixture.editor.text() == "12 + 30");
    // Hidden or not, nothing happens twice, and without a text nothing happens.
    fixture.editor.hide();
    fixture.editor.show();
    CHECK(fixture.screen() == "TICK\n> 12 + 30\n");
}

TEST_CASE("editor: history by Up and Down, with what was typed first") {
    EditorFixture fixture;
    for (const char* line : {"let a = 1", "foo(1)", "let b = 2", "foo(2)"})
        fixture.enter(line);
    fixture.feed(repeated(up, 4));
    CHECK(fixture.editor.text() == "let a = 1");
    fixture.feed(up);
    CHECK(fixture.editor.text() == "let a = 1");
    fixture.feed(repeated("\x1b[B", 3));
    CHECK(fixture.editor.text() == "foo(2)");
    fixture.feed("\x1b[B");
    CHECK(fixture.editor.text() == "");
    fixture.feed(std::string("let") + up);
    CHECK(fixture.editor.text() == "let b = 2");
    fixture.feed(up);
    CHECK(fixture.editor.text() == "let a = 1");
    fixture.feed("\x1b[B\x1b[B");
    CHECK(fixture.editor.text() == "let");
    // A changed entry is a new text.
    fixture.feed("\x15" + std::string(up) + "x");
    CHECK(fixture.editor.text() == "foo(2)x");
    fixture.feed("\x1f");
    CHECK(fixture.editor.text() == "foo(2)");
    fixture.feed("\x1f");
    CHECK(fixture.editor.text() == "");
    checkRedraw(fixture);
}

TEST_CASE("editor: search") {
    EditorFixture fixture;
    for (const char* line : {"alpha one", "beta", "alpha two", "(\n gamma one)"})
        fixture.history.add(line);
    fixture.again();
    fixture.feed("xyz\x12");
    CHECK(fixture.screen().ends_with("> xyz\nbck-i-search: _\n"));
    fixture.feed("one");
    CHECK(fixture.screen().ends_with("> (\n|  gamma one)\nbck-i-search: one_\n"));
    fixture.feed("\x12");
    CHECK(fixture.screen().ends_with("> alpha one\nbck-i-search: one_\n"));
    CHECK(fixture.model.cursorColumn() == 8);
    fixture.feed("\x12");
    CHECK(fixture.screen().ends_with("> alpha one\nfailed-bck-i-search: one_\n"));
    fixture.feed("\x13");
    CHECK(fixture.screen().ends_with("|  gamma one)\nfwd-i-search: one_\n"));
    fixture.feed("\x7f\x7f\x7f"
                 "bet");
    fixture.feed("\x07");
    CHECK(fixture.editor.text() == "xyz");
    CHECK(fixture.screen().ends_with("> xyz\n"));
    // Any other key takes what is shown and has its meaning.
    fixture.feed("\x12two\x05!");
    CHECK(fixture.editor.text() == "alpha two!");
    fixture.feed("\x15\x12"
                 "beta");
    CHECK(fixture.feed("\r") == EditEvent::Line);
    CHECK(fixture.editor.text() == "beta");
    fixture.again();
    fixture.feed("\x12none such");
    CHECK(fixture.screen().ends_with("failed-bck-i-search: none such_\n"));
    CHECK(fixture.feed("\x03") == EditEvent::Interrupt);
    fixture.again();
    // An empty history.
    EditorFixture empty;
    empty.feed("\x12\x12"
               "a\x12\x13\x7f\x12\x1b");
    EditorFixture::milliseconds() += 200;
    empty.editor.tick();
    CHECK(empty.screen() == ">\n");
}

TEST_CASE("editor: suggestions from the history") {
    EditorFixture fixture;
    fixture.enter("const answer = 42");
    fixture.feed("con");
    CHECK(fixture.screen().ends_with("> const answer = 42\n"));
    CHECK(fixture.model.cursorColumn() == 5);
    CHECK(fixture.editor.text() == "con");
    fixture.feed("\x1b"
                 "f");
    CHECK(fixture.editor.text() == "const");
    fixture.feed(right);
    CHECK(fixture.editor.text() == "const answer = 42");
    fixture.feed("\x15"
                 "co");
    fixture.feed(end);
    CHECK(fixture.editor.text() == "const answer = 42");
    // Gone when the line is entered, or the cursor elsewhere.
    fixture.feed("\x15"
                 "cons"
        + std::string(left));
    CHECK(fixture.screen().ends_with("> cons\n"));
    fixture.feed(end);
    CHECK(fixture.feed("\r") == EditEvent::Line);
    CHECK(fixture.screen().ends_with("> cons\n"));
    CHECK(fixture.editor.text() == "cons");
    fixture.again();
    fixture.feed(std::string("zz") + home + right);
    CHECK(fixture.editor.text() == "zz");
    // Without an entry: what completion would add.
    fixture.client.words = {"longName", "longNames"};
    fixture.feed("\x05\x15lon");
    CHECK(fixture.screen().ends_with("> longName\n"));
    fixture.feed(right);
    CHECK(fixture.editor.text() == "longName");
    CHECK(fixture.screen().ends_with("> longName\n"));
}

TEST_CASE("editor: completion") {
    EditorFixture fixture(30, 12);
    fixture.client.words = {"alphaKey", "alphaOther", "", "beta", "日本", "日曜"};
    fixture.feed("be\t");
    CHECK(fixture.editor.text() == "beta");
    fixture.feed(".al\t");
    CHECK(fixture.editor.text() == "beta.alpha");
    CHECK(fixture.screen() == "> beta.alpha\n");
    fixture.feed("\t");
    CHECK(fixture.screen() == "> beta.alpha\nalphaKey    alphaOther\n");
    checkRedraw(fixture);
    fixture.feed("K");
    CHECK(fixture.screen() == "> beta.alphaKey\n"); // dimmed behind the K
    fixture.feed("\t;");
    CHECK(fixture.editor.text() == "beta.alphaKey;");
    // Only what is common in whole characters.
    fixture.feed("\x15\t\t");
    CHECK(fixture.editor.text() == "");
    CHECK(fixture.screen() == ">\nalphaKey    alphaOther\nbeta  日本  日曜\n");
    CHECK(fixture.feed("\x03") == EditEvent::Interrupt);
    CHECK(fixture.screen() == ">\n");
    fixture.again();
    fixture.client.words.clear();
    for (int i = 0; i < 1000; i++)
        fixture.client.words.push_back("word" + std::to_string(i));
    fixture.feed("w\t\t\t");
    CHECK(fixture.screen().find("more\n") != std::string::npos);
    CHECK(fixture.model.row(0).starts_with("> word"));
    fixture.client.words = {std::string(200, 'x'), std::string(200, 'x') + "y"};
    fixture.feed("\x15\t\t\t");
    checkRedraw(fixture);
    fixture.client.words = {"ü", "ä"};
    fixture.feed("\x15\t\t");
    CHECK(fixture.editor.text() == "");
}

TEST_CASE("editor: Tab in a block indents, in a paste it is a tab") {
    EditorFixture fixture;
    fixture.client.words = {"word"};
    fixture.feed("f(\r\t");
    CHECK(fixture.editor.text() == "f(\n  ");
    fixture.feed("\x1b[Z");
    CHECK(fixture.editor.text() == "f(\n");
    fixture.feed("\x03");
    fixture.again();
    CHECK(fixture.feed("function f() {\r\tif (a) {\r\t\treturn\t1\r\t}\r}\r") == EditEvent::Line);
    CHECK(fixture.editor.text().find("{\n\tif (a) {\n\t\t") != std::string::npos);
}

TEST_CASE("editor: pastes") {
    EditorFixture fixture;
    CHECK(fixture.feed(pasteBegin + "1\n2\n3\n") == EditEvent::None);
    CHECK(fixture.feed("4" + pasteEnd.substr(0, 3)) == EditEvent::None);
    CHECK(fixture.feed(pasteEnd.substr(3)) == EditEvent::None);
    CHECK(fixture.editor.text() == "1\n2\n3\n4");
    CHECK(fixture.client.asked == 0);
    CHECK(fixture.feed("\r") == EditEvent::Line);
    fixture.again();
    // One whose end never comes.
    fixture.feed(pasteBegin + "half");
    CHECK(fixture.feed("\x03") == EditEvent::Interrupt);
    CHECK(fixture.editor.text() == "half");
    fixture.again();
    fixture.feed("x" + pasteBegin + "a\r\nb" + pasteEnd + "\x1f");
    CHECK(fixture.editor.text() == "x");
}

TEST_CASE("editor: blocks end with ^D") {
    EditorFixture fixture;
    fixture.editor.begin("", "", "", EditMode::Block);
    CHECK(fixture.feed("const a = 1\r\rb\r") == EditEvent::None);
    CHECK(fixture.feed("\x04") == EditEvent::Line);
    CHECK(fixture.editor.text() == "const a = 1\n\nb\n");
    fixture.editor.begin("", "", "", EditMode::Block);
    CHECK(fixture.feed("\x04") == EditEvent::EndOfInput);
}

TEST_CASE("editor: stopped and continued, cleared, interrupted from outside") {
    EditorFixture fixture;
    CHECK(fixture.feed("1 +\x1a") == EditEvent::Suspend);
    CHECK(fixture.screen() == "> 1 +\n");
    fixture.model.write("Stopped\r\n");
    fixture.editor.resume();
    CHECK(fixture.screen() == "> 1 +\nStopped\n> 1 +\n");
    fixture.feed(" 2");
    fixture.feed("\x0c");
    CHECK(fixture.screen() == "> 1 + 2\n= 1 + 2\n");
    CHECK(fixture.editor.interrupt() == EditEvent::Interrupt);
    CHECK(fixture.editor.interrupt() == EditEvent::None);
    CHECK(fixture.screen() == "> 1 + 2\n");
}

TEST_CASE("editor: colours, and none") {
    EditorFixture fixture;
    fixture.feed("return 'x");
    CHECK(fixture.screen() == "> return 'x\n");
    EditorFixture plain(40, 10, false);
    plain.enter("1 + 1 + 1");
    plain.feed("1 + 1");
    CHECK(plain.screen().ends_with("> 1 + 1\n// = 1 + 1\n"));
    CHECK(plain.model.style == "");
}

TEST_CASE("editor: a key in a long block, and a large paste") {
    EditorFixture fixture(80, 40);
    std::string block;
    for (int i = 0; i < 200; i++)
        block += "  const value" + std::to_string(i) + " = compute(`a${i}`, /re/g, \"text\"); // comment\n";
    fixture.feed(pasteBegin + "function f() {\n" + block + pasteEnd);
    double begin = cpuMilliseconds();
    for (int i = 0; i < 100; i++)
        fixture.feed("x");
    double each = (cpuMilliseconds() - begin) / 100;
    MESSAGE("a key in a block of 200 lines: " << each << " ms");
    CHECK(each < 20); // far from what is promised, for slow machines and sanitizers
    fixture.feed("\x03");
    fixture.again();
    begin = cpuMilliseconds();
    std::string large = repeated(block, (1 << 20) / block.size());
    fixture.feed(pasteBegin);
    for (size_t at = 0; at < large.size(); at += 4096)
        fixture.feed(std::string_view(large).substr(at, 4096));
    fixture.feed(pasteEnd);
    MESSAGE("a paste of 1 MB: " << cpuMilliseconds() - begin << " ms");
    CHECK(cpuMilliseconds() - begin < 10000);
    CHECK(fixture.editor.text() == large);
    begin = cpuMilliseconds();
    for (int i = 0; i < 20; i++)
        fixture.feed("x");
    MESSAGE("a key behind it: " << (cpuMilliseconds() - begin) / 20 << " ms");
    fixture.feed("\x03");
    fixture.again();
    begin = cpuMilliseconds();
    std::string raw = "f(\r" + large;
    for (char& c : raw)
        c = c == '\n' ? '\r' : c;
    for (size_t at = 0; at < raw.size(); at += 4096)
        fixture.feed(std::string_view(raw).substr(at, 4096));
    MESSAGE("1 MB without brackets: " << cpuMilliseconds() - begin << " ms");
    CHECK(cpuMilliseconds() - begin < 10000);
}

TEST_CASE("editor: random bytes, chunks and sizes") {
    const std::string pieces[] = {"a", "foo", "(", ")", "`", "'", " ", "\r", "\t", "\x7f", "\x1b[A", "\x1b[B", "\x1b[C",
        "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[3~", "\x1b", "\x01", "\x05", "\x02", "\x06", "\x0b", "\x15", "\x17", "\x19",
        "\x1by", "\x14", "\x12", "\x13", "\x07", "\x1f", "\x1e", "\x0c", "\x10", "\x0e",
        "\x1b"
        "b",
        "\x1b"
        "f",
        "\x1b"
        "d",
        "\x1b\x7f", "\x1bu", "\x1b\r", "日", "e\u0301", "👨‍👩‍👧", "🇩🇪", "❤\uFE0F", "\u0301", "\x1b[200~",
        "\x1b[201~", "x\ny", "\xff", "\xe6\x97", "\x03", "\x04", "\x1a", "const x = 1", "/re[/", "/* c", "1 + 1",
        "\x1b[1;5C", "\u200D", "\u202E", "\x1b[5~"};
    unsigned seed = 1;
    auto random = [&](size_t n) { return size_t((seed = seed * 1664525 + 1013904223) >> 8) % n; };
    for (int round = 0; round < 60; round++) {
        seed = unsigned(round) * 7919 + 17;
        size_t columns = round % 4 == 0 ? 1 + random(4) : 1 + random(60), rows = 1 + random(20);
        EditorFixture fixture(columns, rows, round % 3 != 0);
        fixture.client.words = {"foo", "foobar", "", "日本"};
        for (int step = 0; step < 250; step++) {
            std::string bytes;
            for (size_t n = random(4) + 1; n; n--)
                bytes += random(12) == 0 ? std::string(1, char(random(256))) : pieces[random(std::size(pieces))];
            for (size_t at = 0; at < bytes.size();) {
                size_t length = random(3) ? bytes.size() - at : 1 + random(bytes.size() - at);
                EditEvent event = fixture.feed(std::string_view(bytes).substr(at, length));
                at += length;
                while (event != EditEvent::None) {
                    if (event == EditEvent::Suspend) {
                        fixture.editor.resume();
                    } else {
                        fixture.editor.begin("> ", "| ", "", random(9) ? EditMode::Statement : EditMode::Block);
                    }
                    event = fixture.editor.pending();
                    fixture.drain();
                }
            }
            if (random(5) == 0) {
                EditorFixture::milliseconds() += 200;
                fixture.editor.tick();
            }
            // A text of one column and a mark on the first has no exact picture.
            if (columns > 8)
                checkRedraw(fixture);
        }
        CHECK(fixture.model.unknown == "");
    }
}

TEST_CASE("editor: random sizes while editing never crash") {
    unsigned seed = 5;
    auto random = [&](size_t n) { return size_t((seed = seed * 1664525 + 1013904223) >> 8) % n; };
    EditorFixture fixture(40, 10);
    for (int step = 0; step < 1500; step++) {
        switch (random(5)) {
        case 0: fixture.editor.resized(1 + random(50), 1 + random(15)); break;
        case 1: fixture.editor.hide(); break;
        case 2: fixture.editor.show(); break;
        default:
            if (fixture.feed(random(4) ? "(日本 a\u0301 b\r" : "\x1b[A\x1b[A\x17") != EditEvent::None)
                fixture.again();
        }
        if (random(100) == 0) {
            fixture.feed("\x03");
            fixture.again();
        }
    }
}
