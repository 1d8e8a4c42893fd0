// Layout: each line of the text is cut into rows by one function, LineMaker::run, whether they are only counted or
// kept.
#include "interp/terminal/frame.h"
#include "interp/terminal/grapheme.h"
#include <algorithm>
#include <cstring>

namespace scr {

std::string_view styleSequence(Style style) {
    switch (style) {
    case Style::Plain:
    case Style::Prompt: return "\x1b[0m";
    case Style::Keyword: return "\x1b[0;36m";
    case Style::Constant: return "\x1b[0;33m";
    case Style::Number: return "\x1b[0;33m";
    case Style::String: return "\x1b[0;32m";
    case Style::RegExp: return "\x1b[0;31m";
    case Style::Comment: return "\x1b[0;90m";
    case Style::Control: return "\x1b[0;7m";
    case Style::Match: return "\x1b[0;4m";
    case Style::Dim: return "\x1b[0;90m";
    }
    return "";
}

void Row::add(std::string_view bytes, size_t width, Style style, bool isUncertain) {
    cells.push_back({u32(text.size()), u16(bytes.size()), u8(width), style, isUncertain});
    text += bytes;
    columns += width;
    if (width > 0)
        endsUncertain = isUncertain;
}

bool Row::sameCell(size_t i, const Row& other, size_t j) const {
    const Cell &a = cells[i], &b = other.cells[j];
    return a.bytes == b.bytes && a.style == b.style && a.columns == b.columns
        && memcmp(text.data() + a.offset, other.text.data() + b.offset, a.bytes) == 0;
}

namespace {

constexpr size_t tabStop = 4;

/// Cuts a line into rows. Those from `first` on, below `end`, are kept.
class LineMaker {
public:
    LineMaker(size_t columns, size_t first, size_t end, std::vector<Row>* kept)
        : columns_(columns)
        , first_(first)
        , end_(end)
        , kept_(kept) {
        if (isKept())
            kept_->emplace_back();
    }

    void run(std::string_view text, size_t begin, size_t end, size_t cursor, const std::vector<StyleSpan>* spans,
        Style plain) {
        size_t span = 0;
        if (kept_ && spans && !spans->empty()) {
            auto after =
                std::partition_point(spans->begin(), spans->end(), [&](const StyleSpan& s) { return s.end <= begin; });
            span = size_t(after - spans->begin());
        }
        for (size_t at = begin; at < end;) {
            if (size_t count = skippable(text, at, end, cursor)) {
                skip(count);
                at += count;
                continue;
            }
            if (kept_ && row_ >= end_)
                return;
            Style style = plain;
            if (kept_ && spans) {
                while (span < spans->size() && (*spans)[span].end <= at)
                    span++;
                if (span < spans->size() && (*spans)[span].begin <= at)
                    style = (*spans)[span].style;
            }
            Grapheme grapheme = graphemeAt(text, at);
            if (at == cursor)
                markCursor(std::min<size_t>(grapheme.columns, 2));
            put(text.substr(at, grapheme.bytes), grapheme, style);
            // A cursor inside of a grapheme would be nowhere.
            if (cursor > at && cursor < at + grapheme.bytes)
                markCursor(0);
            at += grapheme.bytes;
        }
        if (cursor == end) {
            if (column_ >= columns_)
                newRow(true);
            markCursor(0);
        }
    }

    /// As much as the row has room for.
    void suggest(std::string_view text) {
        for (size_t at = 0; at < text.size() && text[at] != '\n';) {
            Grapheme grapheme = graphemeAt(text, at);
            if (column_ + grapheme.columns > columns_ - 1 || u8(text[at]) < 0x20)
                return;
            put(text.substr(at, grapheme.bytes), grapheme, Style::Dim);
            at += grapheme.bytes;
        }
    }

    size_t row() const { return row_; }
    size_t cursorRow = 0, cursorColumn = 0;

private:
    /// How many characters from `at` on are ASCII, before the cursor and in rows that are not kept: they need no look
    /// each.
    size_t skippable(std::string_view text, size_t at, size_t end, size_t cursor) const {
        size_t most = end - at;
        if (kept_)
            most = first_ > row_ + 2 ? std::min(most, (first_ - row_ - 2) * columns_) : 0;
        if (cursor >= at)
            most = std::min(most, cursor - at);
        size_t count = 0;
        while (count < most && u8(text[at + count]) >= 0x20 && u8(text[at + count]) < 0x7f)
            count++;
        // The last one may have a mark on it.
        return count > 16 ? count - 1 : 0;
    }

    void skip(size_t count) {
        size_t rows = (column_ + count - 1) / columns_;
        row_ += rows;
        column_ += count - rows * columns_;
    }

    bool isKept() const { return kept_ && row_ >= first_ && row_ < end_; }

    /// Where the next character, so wide, will stand.
    void markCursor(size_t width) {
        cursorRow = row_, cursorColumn = column_;
        if (column_ >= columns_ || (width <= columns_ && column_ + width > columns_))
            cursorRow++, cursorColumn = 0;
    }

    void newRow(bool isFull) {
        if (isKept())
            kept_->back().wraps = isFull && !kept_->back().endsUncertain;
        row_++;
        column_ = 0;
        if (isKept())
            kept_->emplace_back();
    }

    void put(std::string_view bytes, const Grapheme& grapheme, Style style) {
        u8 byte = u8(bytes[0]);
        char shown[2] = {'^', char(byte ^ 0x40)};
        size_t width = grapheme.columns;
        if (byte == '\t') {
            for (size_t n = tabStop - column_ % tabStop; n; n--)
                place(" ", 1, style, false);
            return;
        }
        if (byte < 0x20 || byte == 0x7f) {
            place(std::string_view(shown, 1), 1, Style::Control, false);
            place(std::string_view(shown + 1, 1), 1, Style::Control, false);
            return;
        }
        // What cannot be shown as it is: too wide for the window, or a control character of two bytes.
        if (width > columns_ || (byte == 0xC2 && u8(bytes[1]) < 0xA0))
            place("?", 1, Style::Control, false);
        else
            place(bytes, width, style, grapheme.isUncertain);
    }

    void place(std::string_view bytes, size_t width, Style style, bool isUncertain) {
        if (column_ + width > columns_) {
            newRow(column_ == columns_);
        }
        if (isKept())
            kept_->back().add(bytes, width, style, isUncertain);
        column_ += width;
    }

    size_t columns_, first_, end_;
    std::vector<Row>* kept_;
    size_t row_ = 0, column_ = 0;
};

constexpr size_t nowhere = ~size_t(0);

/// A line with what stands before it.
void runLine(LineMaker& maker, const LayoutInput& input, const std::vector<size_t>& lines, size_t line) {
    std::string_view prefix = line ? input.continuation : input.prompt;
    size_t begin = lines[line], end = line + 1 < lines.size() ? lines[line + 1] - 1 : input.text.size();
    bool hasCursor = input.cursor >= begin && input.cursor <= end;
    maker.run(prefix, 0, prefix.size(), nowhere, nullptr, Style::Prompt);
    maker.run(input.text, begin, end, hasCursor ? input.cursor : nowhere, input.spans, Style::Plain);
    if (line + 1 == lines.size() && input.cursor == input.text.size())
        maker.suggest(input.suggestion);
}

}

void Layout::findLines() {
    lines_.assign(1, 0);
    std::string_view text = input_->text;
    for (size_t at = 0; (at = text.find('\n', at)) != text.npos;)
        lines_.push_back(++at);
}

size_t Layout::rowsOf(size_t line) {
    if (line == countedLine_)
        return countedRows_;
    LineMaker maker(input_->columns, 0, 0, nullptr);
    runLine(maker, *input_, lines_, line);
    countedLine_ = line;
    return countedRows_ = maker.row() + 1;
}

/// Rows from one place to a later one, or something >= limit.
size_t Layout::distance(Place from, Place to, size_t limit) {
    if (from.line == to.line)
        return to.row - from.row;
    size_t rows = rowsOf(from.line);
    rows -= std::min(rows, from.row);
    for (size_t line = from.line + 1; line < to.line && rows < limit; line++)
        rows += rowsOf(line);
    return rows + to.row;
}

Layout::Place Layout::back(Place from, size_t rows) {
    while (rows > from.row && from.line > 0) {
        rows -= from.row + 1;
        from.line--;
        from.row = rowsOf(from.line) - 1;
    }
    return {from.line, from.row - std::min(rows, from.row)};
}

/// Where the window begins: where it did, if the cursor is inside and it is full.
void Layout::placeWindow(Frame& frame) {
    if (top_.line < lines_.size())
        top_.row = std::min(top_.row, rowsOf(top_.line) - 1);
    Place old = top_;
    bool isAbove =
        top_.line >= lines_.size() || cursor_.line < top_.line || (cursor_.line == top_.line && cursor_.row < top_.row);
    if (isAbove)
        top_ = cursor_;
    else if (distance(top_, cursor_, input_->rows) >= input_->rows)
        top_ = back(cursor_, input_->rows - 1);
    // No empty rows below while there is something above.
    if (!(top_ == Place{})) {
        Place last{lines_.size() - 1, rowsOf(lines_.size() - 1) - 1};
        size_t shown = distance(top_, last, input_->rows) + 1;
        if (shown < input_->rows)
            top_ = back(top_, input_->rows - shown);
    }
    bool isLater = top_.line > old.line || (top_.line == old.line && top_.row > old.row);
    frame.scrolled = isLater ? distance(old, top_, input_->rows) : 0;
}

Frame Layout::make(const LayoutInput& input) {
    input_ = &input;
    findLines();
    size_t line = size_t(std::upper_bound(lines_.begin(), lines_.end(), input.cursor) - lines_.begin()) - 1;
    LineMaker maker(input.columns, 0, 0, nullptr);
    runLine(maker, input, lines_, line);
    cursor_ = {line, maker.cursorRow};
    countedLine_ = line;
    countedRows_ = maker.row() + 1;
    cursorColumn_ = maker.cursorColumn;
    Frame frame;
    placeWindow(frame);
    for (size_t i = top_.line; i < lines_.size() && frame.rows.size() < input.rows; i++) {
        size_t first = i == top_.line ? top_.row : 0;
        LineMaker keeper(input.columns, first, first + input.rows - frame.rows.size(), &frame.rows);
        runLine(keeper, input, lines_, i);
    }
    frame.cursorRow = distance(top_, cursor_, input.rows);
    frame.cursorColumn = cursorColumn_;
    if (frame.rows.size() <= frame.cursorRow) // behind a full row stands nothing but a mark
        frame.rows.resize(frame.cursorRow + 1);
    return frame;
}

Row lineRow(std::string_view text, size_t columns, Style style) {
    Row row;
    for (size_t at = 0; at < text.size();) {
        Grapheme grapheme = graphemeAt(text, at);
        bool isControl = u8(text[at]) < 0x20 || text[at] == 0x7f || (u8(text[at]) == 0xC2 && u8(text[at + 1]) < 0xA0);
        if (row.columns + grapheme.columns > columns)
            break;
        if (!isControl)
            row.add(text.substr(at, grapheme.bytes), grapheme.columns, style, grapheme.isUncertain);
        at += grapheme.bytes;
    }
    return row;
}

}
