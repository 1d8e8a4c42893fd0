// Places in a text, and the repair of malformed UTF-8.
#include "grammar/source.h"

#include "runtime/base/utf.h"

namespace scr {

namespace {

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
    if (isAscii(bytes.data(), bytes.size()))
        return Source(std::move(name), std::move(bytes));
    std::string repaired;
    repaired.reserve(bytes.size());
    auto* at = reinterpret_cast<const u8*>(bytes.data());
    for (const u8* end = at + bytes.size(); at < end;) {
        u32 codePoint = decodeUtf8(at, end);
        // In a file, the three bytes of a surrogate are three mistakes.
        for (int count = isSurrogate(codePoint) ? 3 : 1; count > 0; count--)
            appendUtf8(repaired, isSurrogate(codePoint) ? ReplacementCharacter : codePoint);
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
