// Graphemes from left to right; those to the left are found from the last place that must be the beginning of one.
#include "interp/terminal/grapheme.h"
#include "runtime/base/text_width.h"
#include "runtime/base/utf.h"
#include <algorithm>

namespace scr {

namespace {

constexpr u32 zeroWidthJoiner = 0x200D, emojiStyle = 0xFE0F;
constexpr size_t longestGrapheme = 128; // bytes: a tower of marks ends there

bool isFlagLetter(u32 c) { return c >= 0x1F1E6 && c <= 0x1F1FF; }
bool isSkinTone(u32 c) { return c >= 0x1F3FB && c <= 0x1F3FF; }
bool isPicture(u32 c) {
    return (c >= 0x1F000 && c <= 0x1FAFF) || (c >= 0x2190 && c <= 0x2BFF) || c == 0x3030 || c == 0x303D || c == 0xA9
        || c == 0xAE;
}
bool isHangulLead(u32 c) { return c >= 0x1100 && c <= 0x115F; }
bool isHangulTail(u32 c) { return c >= 0x1160 && c <= 0x11FF; }
bool isControl(u32 c) { return c < 0x20 || (c >= 0x7f && c < 0xA0); }

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

size_t previousCharacter(std::string_view text, size_t at) {
    do
        at--;
    while (at > 0 && (u8(text[at]) & 0xC0) == 0x80);
    return at;
}

}

Grapheme graphemeAt(std::string_view text, size_t at) {
    auto *p = reinterpret_cast<const u8*>(text.data()) + at, *begin = p;
    auto* end = reinterpret_cast<const u8*>(text.data()) + text.size();
    Grapheme result;
    // Most of all text: ASCII before ASCII.
    if (LIKELY(*p >= 0x20 && *p < 0x7f && (p + 1 == end || p[1] < 0x7f)))
        return {1, 1, false};
    u32 first = decodeUtf8(p, end);
    if (isControl(first))
        return {u32(p - begin), u8(first < 0x80 ? 2 : 1), false};
    unsigned columns = columnsOf(first), letters = isFlagLetter(first);
    u32 last = first;
    while (p != end && *p >= 0x80 && size_t(p - begin) < longestGrapheme) {
        const u8* next = p;
        u32 c = decodeUtf8(next, end);
        unsigned width = columnsOf(c);
        bool joins = width == 0 && !isControl(c);
        if (c == emojiStyle && columns == 1) {
            columns = 2;
            result.isUncertain = true;
        } else if (!joins) {
            bool isFlag = letters == 1 && isFlagLetter(c);
            joins = isFlag || (last == zeroWidthJoiner && isPicture(c)) || (isSkinTone(c) && isPicture(first))
                || (isHangulLead(first) && (isHangulTail(c) || isHangulLead(c)));
            letters += isFlag;
            columns += joins ? width : 0;
            result.isUncertain = result.isUncertain || joins;
        }
        if (!joins)
            break;
        last = c;
        p = next;
    }
    result.bytes = u32(p - begin);
    result.columns = u8(columns);
    return result;
}

size_t nextGrapheme(std::string_view text, size_t at) {
    return at < text.size() ? at + graphemeAt(text, at).bytes : text.size();
}

size_t previousGrapheme(std::string_view text, size_t at) {
    if (at == 0)
        return 0;
    size_t from = previousCharacter(text, at);
    // An ASCII character begins a grapheme, whatever stands before it.
    for (size_t bound = at > 4096 ? at - 4096 : 0; from > bound && u8(text[from]) >= 0x80;)
        from = previousCharacter(text, from);
    for (size_t next; (next = nextGrapheme(text, from)) < at;)
        from = next;
    return from;
}

bool isWordAt(std::string_view text, size_t at) {
    u8 c = u8(text[at]);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$'
        || c >= 0x80;
}

size_t nextWord(std::string_view text, size_t at) {
    while (at < text.size() && isBlank(text[at]))
        at++;
    if (at == text.size())
        return at;
    bool isWord = isWordAt(text, at);
    while (at < text.size() && !isBlank(text[at]) && isWordAt(text, at) == isWord)
        at = nextGrapheme(text, at);
    return at;
}

size_t previousWord(std::string_view text, size_t at) {
    while (at > 0 && isBlank(text[at - 1]))
        at--;
    if (at == 0)
        return 0;
    bool isWord = isWordAt(text, at - 1);
    while (at > 0 && !isBlank(text[at - 1]) && isWordAt(text, at - 1) == isWord)
        at = previousCharacter(text, at);
    return at;
}

}
