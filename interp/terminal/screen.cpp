// Rows are compared from the left; what differs is written anew, and nothing else.
#include "interp/terminal/screen.h"
#include <algorithm>

namespace scr {

namespace {

void appendMove(std::string& out, size_t count, char final) {
    out += "\x1b[";
    if (count != 1 || final == 'G')
        out += std::to_string(count);
    out += final;
}

}

void Screen::forget() {
    shown_ = {};
    joined_.clear();
    row_ = column_ = reach_ = 0;
    isPending_ = false;
}

void Screen::moveToRow(size_t row, std::string& out) {
    if (row < row_) {
        appendMove(out, row_ - row, 'A');
    } else if (row > row_) {
        size_t known = std::min(row, reach_);
        if (known > row_)
            appendMove(out, known - row_, 'B');
        for (size_t i = std::max(known, row_); i < row; i++) {
            out += "\r\n"; // makes a row, at the bottom of the window too
            column_ = 0;
            isPending_ = false;
        }
        reach_ = std::max(reach_, row);
    }
    row_ = row;
}

void Screen::moveTo(size_t row, size_t column, std::string& out) {
    moveToRow(row, out);
    if (column == column_ && !isPending_)
        return;
    if (column == 0)
        out += '\r';
    else
        appendMove(out, column + 1, 'G');
    column_ = column;
    isPending_ = false;
}

void Screen::setStyle(Style style, std::string& out) {
    if (!colors_ || style == style_ || styleSequence(style) == styleSequence(style_))
        return;
    out += styleSequence(style);
    style_ = style;
}

void Screen::write(const Row& row, size_t from, size_t to, std::string& out) {
    for (size_t i = from; i < to; i++) {
        const Cell& cell = row.cells[i];
        setStyle(cell.style, out);
        if (cell.isUncertain) {
            // Blanks below it, for terminals that give it less room; then on where we think it ends.
            out.append(cell.columns, ' ');
            appendMove(out, column_ + 1, 'G');
        }
        out += row.at(cell);
        column_ += cell.columns;
        if (cell.isUncertain && column_ < columns_)
            appendMove(out, column_ + 1, 'G');
    }
    isPending_ = column_ >= columns_;
}

/// The last column of the row above was written just now, and this row is the rest of its line.
bool Screen::goesOn(const Frame& next, size_t r) const {
    return r > 0 && isPending_ && row_ == r - 1 && next.rows[r - 1].wraps;
}

void Screen::drawRow(const Frame& next, size_t r, std::string& out) {
    static const Row none;
    const Row& row = next.rows[r];
    const Row& old = r < shown_.rows.size() ? shown_.rows[r] : none;
    size_t i = 0, column = 0, common = std::min(row.cells.size(), old.cells.size());
    while (i < common && row.sameCell(i, old, i))
        column += row.cells[i++].columns;
    // An empty row behind a full one is written into, so that the terminal knows that they are one line.
    if (row.cells.empty() && goesOn(next, r)) {
        out += " \r";
        joined_[r - 1] = true;
        row_ = r;
        reach_ = std::max(reach_, r);
        column_ = 0;
        isPending_ = false;
    }
    if (i == row.cells.size() && i == old.cells.size())
        return;
    // A mark that is alone in its cell stands on the cell before it.
    auto isMark = [&](const Row& r) { return i < r.cells.size() && r.cells[i].columns == 0; };
    while (i > 0 && (isMark(row) || isMark(old)))
        column -= row.cells[--i].columns;
    size_t end = row.cells.size();
    if (row.columns == old.columns) {
        for (size_t o = old.cells.size(); end > i && o > i && row.sameCell(end - 1, old, o - 1); end--, o--) { }
        while (end < row.cells.size() && row.cells[end].columns == 0)
            end++;
    }
    if (goesOn(next, r) && column == 0 && end > i) {
        joined_[r - 1] = true;
        row_ = r;
        reach_ = std::max(reach_, r);
        column_ = 0;
        isPending_ = false;
    } else {
        moveTo(r, column, out);
    }
    write(row, i, end, out);
    if (row.columns < old.columns) {
        setStyle(Style::Plain, out);
        out += "\x1b[K";
        joined_[r] = false;
    }
}

/// So many rows at the top are gone; the window moves over what follows.
void Screen::scroll(size_t count, std::string& out) {
    if (count == 0 || shown_.rows.size() < rows_ || count >= rows_)
        return;
    moveToRow(rows_ - 1, out);
    setStyle(Style::Plain, out);
    out += '\r';
    out.append(count, '\n');
    column_ = 0;
    isPending_ = false;
    shown_.rows.erase(shown_.rows.begin(), shown_.rows.begin() + ptrdiff_t(count));
    shown_.rows.resize(rows_);
    joined_.erase(joined_.begin(), joined_.begin() + ptrdiff_t(std::min(count, joined_.size())));
}

void Screen::update(Frame next, std::string& out) {
    scroll(next.scrolled, out);
    joined_.resize(std::max(next.rows.size(), shown_.rows.size()));
    for (size_t r = 0; r < next.rows.size(); r++)
        drawRow(next, r, out);
    bool isLess = false;
    for (size_t r = next.rows.size(); r < shown_.rows.size(); r++)
        isLess = isLess || !shown_.rows[r].cells.empty();
    setStyle(Style::Plain, out);
    if (isLess) {
        moveTo(next.rows.size(), 0, out);
        out += "\x1b[J";
    }
    moveTo(next.cursorRow, next.cursorColumn, out);
    shown_ = std::move(next);
}

void Screen::leave(std::string& out) {
    size_t last = shown_.rows.empty() ? 0 : shown_.rows.size() - 1;
    bool isBelow = last > 0 && shown_.rows[last].cells.empty() && shown_.rows[last - 1].wraps;
    moveTo(isBelow ? last - 1 : last, 0, out);
    if (isBelow) {
        // The terminal believes that the empty row goes on with the full one, but what comes now is another line: the
        // row is written anew, and left by a line feed.
        out += "\x1b[K";
        write(shown_.rows[last - 1], 0, shown_.rows[last - 1].cells.size(), out);
        setStyle(Style::Plain, out);
    }
    if (!shown_.rows.empty())
        out += "\r\n";
    forget();
}

void Screen::erase(std::string& out) {
    moveTo(0, 0, out);
    out += "\x1b[J";
    forget();
}

void Screen::clear(std::string& out) {
    out += "\x1b[H\x1b[2J";
    forget();
}

/// How far below our first row the cursor is in a window of so many columns. Where the terminal wrapped a line itself,
/// it wraps it anew; a row that it did not fill is cut when it does not fit.
size_t Screen::rowsAboveCursor(size_t columns) const {
    size_t above = 0;
    for (size_t r = 0; r <= row_ && r < shown_.rows.size(); r++) {
        size_t width = 0, first = r;
        while (r < row_ && r < joined_.size() && joined_[r])
            width += shown_.rows[r++].columns;
        if (r == row_) {
            size_t place = (r - first) * columns_ + column_;
            return above + place / columns;
        }
        width += shown_.rows[r].columns;
        above += std::max<size_t>(1, (width + columns - 1) / columns);
    }
    return above;
}

void Screen::resize(size_t columns, size_t rows, std::string& out) {
    size_t above = std::min(rowsAboveCursor(columns), rows - 1);
    if (above)
        appendMove(out, above, 'A');
    out += "\r\x1b[J";
    columns_ = columns, rows_ = rows;
    forget();
}

}
