// UTF-8, WTF-8, UTF-16 and Latin-1.
#include "runtime/base/utf.h"
#include <doctest/doctest.h>
#include <ostream> // doctest prints strings through it
#include <vector>

using namespace scr;

namespace {

std::u16string toUtf16(std::string_view text) {
    Utf8Measure measure = measureUtf8(text);
    std::u16string units(measure.units, u'\0');
    utf8ToUtf16(text, units.data());
    return units;
}

std::string toUtf8(std::u16string_view units, LoneSurrogates lone = LoneSurrogates::Replace) {
    std::string text;
    appendUtf16AsUtf8(text, units.data(), units.size(), lone);
    return text;
}

}

TEST_SUITE("utf") {

    TEST_CASE("Every code point goes to UTF-8 and back") {
        for (u32 codePoint = 0; codePoint <= 0x10FFFF; codePoint++) {
            char bytes[4];
            unsigned count = encodeUtf8(codePoint, bytes);
            auto* p = reinterpret_cast<const u8*>(bytes);
            const u8* end = p + count;
            if (decodeUtf8(p, end) != codePoint || p != end)
                FAIL("code point " << codePoint);
        }
    }

    TEST_CASE("Every code point goes to UTF-16 and back") {
        for (u32 codePoint = 0; codePoint <= 0x10FFFF; codePoint += 7) {
            if (isSurrogate(codePoint))
                continue;
            std::string text = "some ascii text ";
            appendUtf8(text, codePoint);
            text += "and more of it";
            if (toUtf8(toUtf16(text)) != text)
                FAIL("code point " << codePoint);
        }
    }

    TEST_CASE("What is not valid becomes one U+FFFD for each maximal part") {
        CHECK(toUtf16("a\x80z") == u"a\uFFFDz");
        CHECK(toUtf16("\xC0\xAF") == u"\uFFFD\uFFFD"); // overlong: two bytes, neither can begin a sequence
        CHECK(toUtf16("\xE0\x80\xAF") == u"\uFFFD\uFFFD\uFFFD");
        CHECK(toUtf16("\xE2\x82") == u"\uFFFD"); // a good beginning, cut off
        CHECK(toUtf16("\xE2\x82x") == u"\uFFFDx");
        CHECK(toUtf16("\xF0\x9F\x98") == u"\uFFFD");
        CHECK(toUtf16("\xF4\x90\x80\x80") == u"\uFFFD\uFFFD\uFFFD\uFFFD"); // above U+10FFFF
        CHECK(toUtf16("\xFF") == u"\uFFFD");
    }

    TEST_CASE("Lone surrogates survive in WTF-8 and only there") {
        std::u16string lone(1, char16_t(0xD83D));
        CHECK(toUtf8(lone) == "\xEF\xBF\xBD");
        CHECK(toUtf8(lone, LoneSurrogates::Keep) == "\xED\xA0\xBD");
        CHECK(toUtf16("\xED\xA0\xBD") == lone);
        CHECK(toUtf8(u"\xD83D\xDE00") == "\xF0\x9F\x98\x80");
        CHECK(toUtf8(u"\xDE00\xD83D") == "\xEF\xBF\xBD\xEF\xBF\xBD");
    }

    TEST_CASE("A text is measured as it will be") {
        CHECK(measureUtf8("").ascii);
        CHECK(measureUtf8("plain, and longer than eight bytes").ascii);
        Utf8Measure latin = measureUtf8("caf\xC3\xA9 and more");
        CHECK((latin.units == 13 && !latin.ascii && latin.latin1));
        Utf8Measure wide = measureUtf8("\xF0\x9F\x98\x80");
        CHECK((wide.units == 2 && !wide.latin1));
    }

    TEST_CASE("Latin-1 goes to UTF-8 and back") {
        std::vector<u8> all(256);
        for (unsigned i = 0; i < 256; i++)
            all[i] = u8(i);
        std::string text;
        appendLatin1AsUtf8(text, all.data(), all.size());
        Utf8Measure measure = measureUtf8(text);
        CHECK((measure.units == 256 && measure.latin1));
        std::vector<u8> back(256);
        utf8ToLatin1(text, back.data());
        CHECK(back == all);
    }

    TEST_CASE("Whether units fit in Latin-1 is seen at every position") {
        for (size_t length = 1; length < 40; length++) {
            std::u16string units(length, u'\xFF');
            CHECK(fitsLatin1(units.data(), length));
            for (size_t at = 0; at < length; at++) {
                std::u16string other = units;
                other[at] = 0x100;
                CHECK(!fitsLatin1(other.data(), length));
            }
        }
    }

    TEST_CASE("Whether bytes are ASCII is seen at every position") {
        for (size_t length = 0; length < 20; length++) {
            std::string text(length, 'x');
            CHECK(isAscii(text.data(), length));
            for (size_t at = 0; at < length; at++) {
                std::string other = text;
                other[at] = '\x80';
                CHECK(!isAscii(other.data(), length));
            }
        }
    }
}
