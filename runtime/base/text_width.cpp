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

static bool isOneOf(char c, std::string_view set) { return set.find(c) != set.npos; }

/// Where the control sequence that begins at `i` (an escape) ends, or `i` if it is none: an introducer, parameters, and
/// a final letter.
static size_t skipControl(std::string_view text, size_t i) {
    size_t end = i + 1;
    while (end < text.size() && isOneOf(text[end], "[]()#;?"))
        end++;
    while (end < text.size() && isOneOf(text[end], "0123456789;"))
        end++;
    bool final =
        end < text.size() && ((text[end] >= 'A' && text[end] <= 'Z') || isOneOf(text[end], "cfghijklmnqrstuy=><~"));
    return final ? end + 1 : i;
}

std::string withoutControls(std::string_view utf8) {
    std::string text;
    for (size_t i = 0; i < utf8.size();) {
        size_t end = utf8[i] == '\x1b' ? skipControl(utf8, i) : i;
        if (end == i)
            text += utf8[i++];
        else
            i = end;
    }
    return text;
}

}
