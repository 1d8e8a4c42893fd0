// An error as people see it: Node's head with the line and a caret. The invariant: whatever the text holds, an excerpt
// is three short lines of printable characters.
#include "grammar/diagnostic.h"

#include "runtime/base/text_width.h"
#include "runtime/base/utf.h"

#include <algorithm>

namespace scr {

namespace {

constexpr size_t longestLine = 240; // code points; of a longer line a window is shown
constexpr size_t shownBefore = 100;
constexpr size_t shownBehind = 100;
constexpr std::string_view cut = "...";

/// A line as code points, with the span's place among them.
struct Line {
    std::vector<u32> points;
    size_t begin = 0; // of the span
    size_t marked = 0; // how many points it covers
};

Line read(std::string_view text, size_t spanBegin, size_t spanEnd) {
    Line line;
    line.points.reserve(text.size());
    auto* first = reinterpret_cast<const u8*>(text.data());
    auto* end = first + text.size();
    for (const u8* at = first; at < end;) {
        size_t offset = size_t(at - first);
        line.begin += offset < spanBegin;
        line.marked += offset >= spanBegin && offset < spanEnd;
        line.points.push_back(decodeUtf8(at, end));
    }
    return line;
}

/// What a terminal would obey or not show stands as one replacement character.
u32 printable(u32 point) {
    bool isControl = (point < 0x20 && point != '\t') || (point >= 0x7f && point < 0xa0);
    return isControl || isSurrogate(point) ? ReplacementCharacter : point;
}

}

std::string excerpt(const Source& source, Span span) {
    Position place = source.position(span.begin);
    std::string_view text = source.line(span.begin);
    size_t start = static_cast<size_t>(text.data() - source.text().data());
    Line line = read(text, span.begin - start, span.end - start);
    size_t from = 0, to = line.points.size();
    bool isCut = to > longestLine;
    if (isCut) {
        from = line.begin > shownBefore ? line.begin - shownBefore : 0;
        to = std::min(to, line.begin + shownBehind);
    }
    std::string result = source.name() + ":" + std::to_string(place.line);
    if (isCut)
        result += ":" + std::to_string(place.column);
    result += "\n";
    if (from > 0)
        result += cut;
    for (size_t i = from; i < to; i++)
        appendUtf8(result, printable(line.points[i]));
    if (to < line.points.size())
        result += cut;
    result += "\n";
    if (from > 0)
        result.append(cut.size(), ' ');
    // Tabs stay tabs, so that the carets stand below the text.
    for (size_t i = from; i < line.begin; i++)
        line.points[i] == '\t' ? result += '\t' : result.append(columnsOf(printable(line.points[i])), ' ');
    size_t marked = 0;
    for (size_t i = line.begin; i < std::min(line.begin + line.marked, to); i++)
        marked += columnsOf(printable(line.points[i]));
    result.append(marked ? marked : 1, '^');
    return result + "\n";
}

void Errors::report(Span span, std::string message, bool incomplete, Notes notes) {
    if (any)
        return;
    first = {span, std::move(message), std::move(notes)};
    any = true;
    isIncomplete = incomplete;
}

std::string renderNotes(const Source& source, const Notes& notes) {
    std::string result;
    for (const Note& note : notes) {
        result += note.text + "\n";
        if (note.hasPlace)
            result += excerpt(source, note.span);
    }
    return result;
}

std::string render(const Source& source, const Diagnostic& diagnostic) {
    return excerpt(source, diagnostic.span) + renderNotes(source, diagnostic.notes)
        + "\nSyntaxError: " + diagnostic.message + "\n";
}

}
