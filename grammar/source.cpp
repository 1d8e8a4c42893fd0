// Places in a text, and the repair of malformed UTF-8.
#include "grammar/source.h"

#include <cstring>

namespace scr {

namespace {

/// Bytes of the well-formed UTF-8 sequence at text[at], or 0; then *bad is how many bytes one U+FFFD stands for: the
/// longest beginning of a sequence (what the WHATWG decoder, hence Node, does).
size_t sequenceLength(std::string_view text, size_t at, size_t* bad) {
    auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<u8>(text[at + i]) : 0; };
    u8 first = byte(0);
    *bad = 1;
    if (first < 0x80)
        return 1;
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    u8 low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    u8 high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (byte(1) < low || byte(1) > high)
        return 0;
    for (size_t i = 2; i < length; i++) {
        *bad = i;
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
    }
    return length;
}

/// The first byte beyond ASCII from `at` on, or the end.
size_t skipAscii(std::string_view text, size_t at) {
    for (; at + 8 <= text.size(); at += 8) {
        u64 word;
        memcpy(&word, text.data() + at, 8);
        if (word & 0x8080808080808080u)
            break;
    }
    while (at < text.size() && static_cast<u8>(text[at]) < 0x80)
        at++;
    return at;
}

/// Length of the line terminator at `at`, or 0. ECMA-262 12.3: U+2028 and U+2029 are some too.
size_t terminatorLength(std::string_view text, size_t at) {
    if (text[at] == '\n')
        return 1;
    if (text[at] == '\r')
        return at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
    bool isUnicode =
        text.substr(at, 2) == "\xe2\x80" && at + 2 < text.size() && (text[at + 2] == '\xa8' || text[at + 2] == '\xa9');
    return isUnicode ? 3 : 0;
}

/// Where the line of an offset begins; counts the lines before it.
size_t lineStart(std::string_view text, size_t offset, u32* line) {
    size_t start = 0;
    *line = 1;
    for (size_t at = 0; at < offset;) {
        size_t length = terminatorLength(text, at);
        if (length && at + length <= offset) {
            start = at + length;
            ++*line;
        }
        at += length ? length : 1;
    }
    return start;
}

} // namespace

Source Source::fromBytes(std::string name, std::string bytes) {
    if (bytes.compare(0, 3, "\xef\xbb\xbf") == 0)
        bytes.erase(0, 3);
    size_t at = skipAscii(bytes, 0);
    size_t bad;
    for (size_t length; at < bytes.size() && (length = sequenceLength(bytes, at, &bad));
         at = skipAscii(bytes, at + length)) { }
    if (at == bytes.size())
        return Source(std::move(name), std::move(bytes));
    std::string repaired = bytes.substr(0, at);
    while (at < bytes.size()) {
        size_t length = sequenceLength(bytes, at, &bad);
        if (length)
            repaired.append(bytes, at, length);
        else
            repaired += "\xef\xbf\xbd";
        at += length ? length : bad;
    }
    return Source(std::move(name), std::move(repaired));
}

Position Source::position(u32 offset) const {
    u32 line;
    u32 column = 1;
    for (size_t at = lineStart(text_, offset, &line); at < offset; at++) {
        u8 byte = static_cast<u8>(text_[at]);
        column += (byte & 0xc0) != 0x80; // one for each character,
        column += byte >= 0xf0; // and one more for a surrogate pair
    }
    return {line, column};
}

std::string_view Source::line(u32 offset) const {
    u32 line;
    size_t start = lineStart(text_, offset, &line);
    size_t end = start;
    while (end < text_.size() && !terminatorLength(text_, end))
        end++;
    return std::string_view(text_).substr(start, end - start);
}

}
