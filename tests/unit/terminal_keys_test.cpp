// Bytes to keys, cut at every place.
#include "interp/terminal/keys.h"

#include <doctest/doctest.h>

using namespace scr;

namespace {

std::string nameOf(const KeyEvent& event) {
    static const char* const names[] = {"Unknown", "Text", "Paste", "Control", "Enter", "Tab", "Backspace", "Delete",
        "Insert", "Escape", "Up", "Down", "Left", "Right", "Home", "End", "PageUp", "PageDown"};
    std::string name;
    if (event.modifiers & KeyEvent::Ctrl)
        name += "C-";
    if (event.modifiers & KeyEvent::Alt)
        name += "M-";
    if (event.modifiers & KeyEvent::Shift)
        name += "S-";
    name += names[int(event.key)];
    if (event.key == Key::Control)
        name += std::string(":") + event.code;
    if (!event.text.empty())
        name += ":" + event.text;
    return name + " ";
}

std::string decodeAll(KeyDecoder& decoder) {
    std::string names;
    for (KeyEvent event; decoder.next(event);)
        names += nameOf(event);
    return names;
}

std::string decoded(std::string_view bytes) {
    KeyDecoder decoder;
    decoder.add(bytes);
    std::string names = decodeAll(decoder);
    return decoder.isEmpty() && !decoder.isPasting() ? names : names + "...";
}

}

TEST_CASE("keys: text and control characters") {
    CHECK(decoded("abc") == "Text:abc ");
    CHECK(decoded("a\rb") == "Text:a Enter Text:b ");
    CHECK(decoded("\n\t\x7f\x08") == "Enter Tab Backspace Backspace ");
    CHECK(decoded("\x01\x1a\x1f") == "Control:a Control:z Control:_ ");
    CHECK(decoded(std::string_view("\0", 1)) == "Control:  ");
    CHECK(decoded("日本\x03") == "Text:日本 Control:c ");
    CHECK(decoded("a\xff\xfe"
                  "b")
        == "Text:a\uFFFD\uFFFDb ");
    CHECK(decoded("\xed\xa0\x80x") == "Text:\uFFFDx ");
}

TEST_CASE("keys: sequences of many terminals") {
    CHECK(decoded("\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F") == "Up Down Right Left Home End ");
    CHECK(decoded("\x1bOA\x1bOB\x1bOC\x1bOD\x1bOH\x1bOF") == "Up Down Right Left Home End ");
    CHECK(decoded("\x1b[1~\x1b[7~\x1b[4~\x1b[8~\x1b[2~\x1b[3~\x1b[5~\x1b[6~")
        == "Home Home End End Insert Delete PageUp PageDown ");
    CHECK(decoded("\x1b[1;5C\x1b[1;3D\x1b[1;2A\x1b[3;5~\x1b[5D") == "C-Right M-Left S-Up C-Delete C-Left ");
    CHECK(decoded("\x1bOc\x1b[c\x1b[3^\x1b[3$\x1b[3@") == "C-Right S-Right C-Delete S-Delete C-S-Delete ");
    CHECK(decoded("\x1b\x1b[C\x1b"
                  "b\x1b\x7f\x1b\r\x1bé")
        == "M-Right M-Text:b M-Backspace M-Enter M-Text:é ");
    CHECK(
        decoded("\x1b[Z\x1b[13;2u\x1b[97;5u\x1b[27;5;97~\x1b[233u") == "S-Tab S-Enter C-Control:a C-Control:a Text:é ");
    CHECK(decoded("\x1bOM\x1bOp\x1bOk") == "Enter Text:0 Text:+ ");
    // What is not known is skipped whole.
    CHECK(decoded("\x1b[[A\x1b[?1;2c\x1b[38;5;1mx\x1b[99~y") == "Unknown Unknown C-Unknown Text:x Unknown Text:y ");
    CHECK(decoded("\x1b[12\rx") == "Unknown Enter Text:x ");
    CHECK(decoded("\x1b[1\x1b[A") == "Unknown Up ");
    CHECK(decoded("\x1b[" + std::string(500, '1') + "A").starts_with("Unknown "));
}

TEST_CASE("keys: whatever comes in pieces") {
    const std::string_view texts[] = {"日本é😀x", "\x1b[1;5C\x1b[3~a",
        "\x1bOA\x1b"
        "fz",
        "\x1b\x1b[D!", "\x1b[200~one\r\ntwo\rthree\x1b[31m\x1b[201~x", "é\x1b日x"};
    for (std::string_view text : texts) {
        std::string whole = decoded(text);
        for (size_t cut = 1; cut < text.size(); cut++) {
            KeyDecoder decoder;
            std::string names;
            decoder.add(text.substr(0, cut));
            names += decodeAll(decoder);
            decoder.add(text.substr(cut));
            names += decodeAll(decoder);
            // A run of text may come in two.
            std::string joined = names, wanted = whole;
            for (std::string* s : {&joined, &wanted})
                for (size_t at; (at = s->find(" Text:")) != s->npos && at > 0 && s->rfind("Text:", at - 1) != s->npos
                     && s->find(' ', s->rfind("Text:", at - 1)) == at
                     && (s->rfind("Text:", at - 1) == 0 || (*s)[s->rfind("Text:", at - 1) - 1] == ' ');)
                    s->erase(at, 6);
            CHECK(joined == wanted);
        }
        KeyDecoder bytewise;
        std::string names;
        for (char c : text) {
            bytewise.add(std::string_view(&c, 1));
            names += decodeAll(bytewise);
        }
        CHECK(bytewise.isEmpty());
    }
}

TEST_CASE("keys: an ESC alone") {
    KeyDecoder decoder;
    decoder.add("\x1b");
    CHECK(decodeAll(decoder) == "");
    CHECK(decoder.isUndecided());
    decoder.decide();
    CHECK(decodeAll(decoder) == "Escape ");
    CHECK(!decoder.isUndecided());
    decoder.add("\x1b");
    CHECK(decodeAll(decoder) == "");
    decoder.add("b");
    CHECK(decodeAll(decoder) == "M-Text:b ");
    // The beginning of a sequence, and nothing more.
    decoder.add("\x1b[1;");
    CHECK(decodeAll(decoder) == "");
    decoder.decide();
    CHECK(decodeAll(decoder) == "Unknown ");
    CHECK(decoder.isEmpty());
    decoder.add("\x1b[");
    decoder.decide();
    CHECK(decodeAll(decoder) == "M-Text:[ ");
    decoder.add("\x1b\x1b");
    decoder.decide();
    CHECK(decodeAll(decoder) == "Escape Escape ");
}

TEST_CASE("keys: pastes") {
    CHECK(decoded("\x1b[200~a\tb\x1b[201~c") == "Paste:a\tb Text:c ");
    CHECK(decoded("\x1b[200~a\r\nb\rc\nd\x1b[201~") == "Paste:a\nb\nc\nd ");
    // What would control a terminal is not taken over; nor is what is no UTF-8.
    CHECK(decoded("\x1b[200~a\x1b[2Jb\x03\xff\x1b[201~") == "Paste:a[2Jb\uFFFD ");
    CHECK(decoded("\x1b[201~x") == "Unknown Text:x ");
    KeyDecoder decoder;
    decoder.add("\x1b[200~half");
    CHECK(decodeAll(decoder) == "");
    CHECK(decoder.isPasting());
    CHECK(!decoder.isUndecided());
    decoder.add("\x1b[20");
    CHECK(decodeAll(decoder) == "");
    decoder.add("2~\x1b[201");
    CHECK(decodeAll(decoder) == "");
    decoder.add("~");
    CHECK(decodeAll(decoder) == "Paste:half[202~ ");
    std::string large(3 << 20, 'x');
    decoder.add("\x1b[200~" + large);
    CHECK(decodeAll(decoder) == "");
    decoder.add("\x1b[201~");
    CHECK(decodeAll(decoder).size() == large.size() + 7);
}
