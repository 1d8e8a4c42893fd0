// What the editor wants on the screen: rows of cells, and the layout that makes them of a text.
//
// Invariants: no row is wider than the window; only the rows of one window are made, however long the text is, so a key
// costs what the window holds and not what the text does.
#pragma once
#include "runtime/base/platform.h"
#include <string>
#include <string_view>
#include <vector>

namespace scr {

enum class Style : u8 { Plain, Prompt, Keyword, Constant, Number, String, RegExp, Comment, Control, Match, Dim };

/// What selects a style; it begins with a reset.
std::string_view styleSequence(Style style);

struct Cell {
    u32 offset; ///< into the text of the row
    u16 bytes;
    u8 columns;
    Style style;
    bool isUncertain; ///< the terminal may think that it has fewer columns
};

struct Row {
    std::string text;
    std::vector<Cell> cells;
    size_t columns = 0;
    bool wraps = false; ///< the next row goes on with the same line
    bool endsUncertain = false; ///< its last cell is

    void add(std::string_view bytes, size_t columns, Style style, bool isUncertain = false);
    std::string_view at(const Cell& cell) const { return std::string_view(text).substr(cell.offset, cell.bytes); }
    bool sameCell(size_t i, const Row& other, size_t j) const;
};

struct Frame {
    std::vector<Row> rows;
    size_t cursorRow = 0, cursorColumn = 0;
    size_t scrolled = 0; ///< the rows are those of the frame before without so many at its top
};

/// [begin, end) of the text has that style; in order.
struct StyleSpan {
    size_t begin, end;
    Style style;
};

/// What is laid out.
struct LayoutInput {
    std::string_view prompt, continuation, text;
    size_t cursor = 0;
    const std::vector<StyleSpan>* spans = nullptr;
    std::string_view suggestion; ///< behind the text, dimmed; only as much as its row has room for
    size_t columns = 80, rows = 24; ///< of the window
};

/// Remembers which row is the first of the window.
class Layout {
public:
    Frame make(const LayoutInput& input);
    /// The next make() shows from the beginning if it can.
    void reset() { top_ = {}; }

private:
    struct Place {
        size_t line = 0, row = 0; ///< row of that line
        bool operator==(const Place&) const = default;
    };

    void findLines();
    size_t rowsOf(size_t line);
    size_t distance(Place from, Place to, size_t limit);
    Place back(Place from, size_t rows);
    void placeWindow(Frame& frame);

    const LayoutInput* input_ = nullptr;
    std::vector<size_t> lines_; ///< where each begins
    Place top_, cursor_;
    size_t cursorColumn_ = 0;
    size_t countedLine_ = 0, countedRows_ = 0; ///< the line that was counted last, in this make()
};

/// Adds one line below, cut to the width of the window.
Row lineRow(std::string_view text, size_t columns, Style style);

}
