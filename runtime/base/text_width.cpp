// Widths of text in UTF-8, with a table of the characters that take no column or two.
#include "runtime/base/text_width.h"
#include "runtime/base/text_width_table.h"
#include "runtime/base/utf.h"
#include <algorithm>
#include <iterator>

namespace scr {

size_t unitCount(std::string_view utf8) {
    if (isAscii(utf8.data(), utf8.size()))
        return utf8.size();
    size_t count = 0;
    for (char c : utf8) {
        // Continuation bytes are the middle of something; a lead of four bytes stands for a surrogate pair.
        count += (u8(c) & 0xC0) != 0x80;
        count += u8(c) >= 0xF0;
    }
    return count;
}

unsigned columnsOf(u32 codePoint) {
    const WidthRange* range = std::upper_bound(std::begin(widthRanges), std::end(widthRanges), codePoint,
        [](u32 value, const WidthRange& r) { return value < r.first; });
    return range != std::begin(widthRanges) && codePoint <= range[-1].last ? range[-1].width : 1;
}

size_t columnCount(std::string_view utf8) {
    size_t count = 0;
    auto *p = reinterpret_cast<const u8*>(utf8.data()), *end = p + utf8.size();
    while (p != end) {
        if (LIKELY(*p < 0x7F))
            count += *p++ >= 0x20;
        else
            count += columnsOf(decodeUtf8(p, end));
    }
    return count;
}

static bool isOneOf(char c, std::string_view set) { return c && set.find(c) != set.npos; }

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetterOrDigit(char c) { return isDigit(c) || (unsigned(c | 32) - 'a' < 26); }

/// Finds the end of a terminal control sequence, as the pattern does that Node looks for: an introducer, then either a
/// text behind semicolons that a terminator ends (titles, links), or parameters and a final character.
class ControlSequence {
public:
    explicit ControlSequence(std::string_view text)
        : text_(text) { }
    /// Behind the sequence that begins at `begin`; `begin` itself if there is none.
    size_t endAt(size_t begin) const {
        size_t after = afterIntroducer(begin);
        if (after == begin)
            return begin;
        size_t lead = after, semicolon = text_.npos;
        for (; isOneOf(at(lead), "[]()#;?"); lead++)
            if (at(lead) == ';')
                semicolon = lead;
        size_t end;
        if (endsString(afterGroups(lead, 1), end) || endsString(afterName(lead), end) || endsParameters(lead, end))
            return end;
        // The run in front may have taken what belongs to the text.
        if (semicolon != text_.npos && endsString(afterGroups(semicolon, 1), end))
            return end;
        return begin;
    }

private:
    char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
    /// Escape, or the control character U+009B.
    size_t afterIntroducer(size_t i) const {
        if (at(i) == '\x1b')
            return i + 1;
        return at(i) == '\xc2' && at(i + 1) == '\x9b' ? i + 2 : i;
    }
    bool isTextCharacter(char c) const { return isLetterOrDigit(c) || isOneOf(c, "-/#&.:=?%@~_"); }
    /// Behind as many of ";text" as there are, each with at least so many characters.
    size_t afterGroups(size_t i, size_t least) const {
        while (at(i) == ';') {
            size_t end = i + 1;
            while (end < text_.size() && isTextCharacter(at(end)))
                end++;
            if (end - i - 1 < least)
                break;
            i = end;
        }
        return i;
    }
    size_t afterName(size_t i) const {
        if (!isLetterOrDigit(at(i)))
            return text_.size();
        while (isLetterOrDigit(at(i)))
            i++;
        return afterGroups(i, 0);
    }
    /// Bell, escape and backslash, or U+009C.
    bool endsString(size_t i, size_t& end) const {
        bool two = (at(i) == '\x1b' && at(i + 1) == '\\') || (at(i) == '\xc2' && at(i + 1) == '\x9c');
        end = i + (two ? 2 : 1);
        return two || at(i) == '\a';
    }
    bool isFinal(size_t i) const {
        char c = at(i);
        return isDigit(c) || (c >= 'A' && c <= 'P') || (c >= 'R' && c <= 'T') || isOneOf(c, "Zcfghijklmnqrstuy=><~");
    }
    size_t afterDigits(size_t i) const {
        size_t end = i;
        while (end - i < 4 && isDigit(at(end)))
            end++;
        return end;
    }
    /// Up to four digits, more of them behind semicolons, a final character. A digit may be the final character.
    bool endsParameters(size_t i, size_t& end) const {
        bool found = isFinal(i);
        end = i + 1;
        for (size_t place = afterDigits(i); place > i;) {
            if (isFinal(place)) {
                found = true;
                end = place + 1;
            } else if (isDigit(at(place - 1))) {
                found = true;
                end = place;
            }
            if (at(place) != ';')
                break;
            place = afterDigits(place + 1);
        }
        return found;
    }

    std::string_view text_;
};

}

std::string withoutControls(std::string_view utf8) {
    ControlSequence sequences(utf8);
    std::string text;
    for (size_t i = 0; i < utf8.size();) {
        bool mayBegin = utf8[i] == '\x1b' || utf8[i] == '\xc2';
        size_t end = mayBegin ? sequences.endAt(i) : i;
        if (end == i)
            text += utf8[i++];
        else
            i = end;
    }
    return text;
}

}
