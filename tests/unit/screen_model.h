// A terminal for tests: it takes the bytes that a program writes and has the screen that a person would see.
// Invariant: whatever it does not know is counted in `unknown`, so a test cannot pass by luck.
#pragma once
#include "runtime/base/text_width.h"
#include "runtime/base/utf.h"

#include <string>
#include <vector>

namespace scr::test {

class ScreenModel {
public:
    ScreenModel(size_t columns, size_t rows)
        : columns_(columns)
        , grid_(rows, Line(columns)) { }

    void write(std::string_view bytes) {
        pending_ += bytes;
        size_t at = 0;
        while (at < pending_.size()) {
            size_t next = step(at);
            if (next == at)
                break;
            at = next;
        }
        pending_.erase(0, at);
    }

    /// A row without blanks at its end.
    std::string row(size_t r) const {
        std::string text;
        for (const std::string& cell : grid_[r].cells)
            text += cell;
        text.erase(text.find_last_not_of(' ') + 1);
        return text;
    }

    /// All rows, each with a line break, without blank ones at the end.
    std::string text() const {
        std::string all;
        for (size_t r = 0; r < grid_.size(); r++)
            all += row(r) + "\n";
        while (all.size() > 1 && all.ends_with("\n\n"))
            all.pop_back();
        return all == "\n" ? "" : all;
    }

    size_t cursorRow() const { return row_; }
    size_t cursorColumn() const { return column_; }
    bool isWrapped(size_t r) const { return grid_[r].isWrapped; }
    /// Rows that have left at the top.
    const std::vector<std::string>& gone() const { return gone_; }

    std::string unknown; ///< sequences that a VT100 does not know
    std::string style; ///< of the last SGR
    size_t written = 0; ///< printable characters

private:
    struct Line {
        explicit Line(size_t columns)
            : cells(columns, " ") { }
        std::vector<std::string> cells; // the second half of a wide character is ""
        bool isWrapped = false;
    };

    size_t step(size_t at) {
        char c = pending_[at];
        if (c == '\x1b')
            return control(at);
        if (c == '\r' || c == '\n' || c == '\b') {
            isFull_ = isFull_ && c == '\n';
            if (c == '\r')
                column_ = 0;
            else if (c == '\b')
                column_ -= column_ > 0;
            else
                lineFeed();
            return at + 1;
        }
        if (u8(c) < 0x20 || c == 0x7f) {
            unknown += c;
            return at + 1;
        }
        auto *begin = reinterpret_cast<const u8*>(pending_.data()) + at, *p = begin;
        u32 code = decodeUtf8(p, reinterpret_cast<const u8*>(pending_.data()) + pending_.size());
        put(pending_.substr(at, size_t(p - begin)), columnsOf(code));
        return at + size_t(p - begin);
    }

    void lineFeed() {
        if (row_ + 1 < grid_.size()) {
            row_++;
            return;
        }
        gone_.push_back(row(0));
        grid_.erase(grid_.begin());
        grid_.push_back(Line(columns_));
    }

    void put(const std::string& text, size_t width) {
        written++;
        if (width == 0) {
            size_t c = isFull_ ? columns_ - 1 : column_ > 0 ? column_ - 1 : 0;
            while (c > 0 && grid_[row_].cells[c].empty())
                c--;
            grid_[row_].cells[c] += text;
            return;
        }
        if (isFull_ || column_ + width > columns_) {
            grid_[row_].isWrapped = true;
            column_ = 0;
            isFull_ = false;
            lineFeed();
        }
        std::vector<std::string>& cells = grid_[row_].cells;
        blankWide(column_);
        if (width == 2)
            blankWide(column_ + 1);
        cells[column_] = text;
        if (width == 2 && columns_ > 1)
            cells[column_ + 1] = "";
        column_ += width;
        if (column_ >= columns_) {
            column_ = columns_ - 1;
            isFull_ = true;
        }
    }

    // Half of a wide character that is written over leaves a blank.
    void blankWide(size_t c) {
        std::vector<std::string>& cells = grid_[row_].cells;
        if (c >= columns_)
            return;
        if (cells[c].empty() && c > 0)
            cells[c - 1] = " ";
        if (c + 1 < columns_ && cells[c + 1].empty())
            cells[c + 1] = " ";
    }

    size_t control(size_t at) {
        if (at + 1 == pending_.size())
            return at;
        if (pending_[at + 1] != '[') {
            unknown += pending_.substr(at, 2);
            return at + 2;
        }
        size_t end = at + 2;
        while (end < pending_.size() && pending_[end] < 0x40)
            end++;
        if (end == pending_.size())
            return at;
        std::string parameters = pending_.substr(at + 2, end - at - 2);
        size_t count = parameters.empty() ? 1 : strtoul(parameters.c_str(), nullptr, 10);
        if (pending_[end] != 'm' && pending_[end] != 'h' && pending_[end] != 'l')
            isFull_ = false;
        switch (pending_[end]) {
        case 'A': row_ -= std::min(count, row_); break;
        case 'B': row_ = std::min(row_ + count, grid_.size() - 1); break;
        case 'G': column_ = std::min(count, columns_) - 1; break;
        case 'H': row_ = column_ = 0; break;
        case 'K': eraseFrom(row_, column_); break;
        case 'J':
            if (parameters == "2") {
                for (size_t r = 0; r < grid_.size(); r++)
                    eraseFrom(r, 0);
                break;
            }
            eraseFrom(row_, column_);
            for (size_t r = row_ + 1; r < grid_.size(); r++)
                eraseFrom(r, 0);
            break;
        case 'm': style = parameters; break;
        case 'h':
        case 'l':
            if (parameters == "?2004")
                break;
            [[fallthrough]];
        default: unknown += pending_.substr(at, end + 1 - at);
        }
        return end + 1;
    }

    void eraseFrom(size_t r, size_t c) {
        for (; c < columns_; c++)
            grid_[r].cells[c] = " ";
        grid_[r].isWrapped = false;
    }

    size_t columns_;
    std::vector<Line> grid_;
    std::vector<std::string> gone_;
    std::string pending_;
    size_t row_ = 0, column_ = 0;
    bool isFull_ = false;
};

}
