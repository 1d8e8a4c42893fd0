// What stands on the screen, and the fewest bytes that make another frame of it.
//
// Invariants: only sequences that every terminal since the VT100 knows; the cursor is never moved above the first row
// that is ours. A row that was filled to its last column is left by going on writing or by an absolute move, because
// what a terminal does with the cursor there differs.
#pragma once
#include "interp/terminal/frame.h"

namespace scr {

class Screen {
public:
    void setSize(size_t columns, size_t rows) { columns_ = columns, rows_ = rows; }
    void setColors(bool colors) { colors_ = colors; }

    /// From what is there to `next`, whose rows fit into the window.
    void update(Frame next, std::string& out);
    /// To the beginning of the line below all of it; it stays there and is ours no more.
    void leave(std::string& out);
    /// Off the screen; the cursor stands where its first row began.
    void erase(std::string& out);
    /// The whole window is blank.
    void clear(std::string& out);
    /// Nothing is ours; the cursor stands at the beginning of a line.
    void forget();
    /// The window has another size, and the terminal has wrapped our rows anew. Takes them off the screen.
    void resize(size_t columns, size_t rows, std::string& out);

private:
    void moveTo(size_t row, size_t column, std::string& out);
    void moveToRow(size_t row, std::string& out);
    void drawRow(const Frame& next, size_t row, std::string& out);
    bool goesOn(const Frame& next, size_t row) const;
    void write(const Row& row, size_t from, size_t to, std::string& out);
    void setStyle(Style style, std::string& out);
    void scroll(size_t count, std::string& out);
    size_t rowsAboveCursor(size_t columns) const;

    size_t columns_ = 80, rows_ = 24;
    bool colors_ = true;
    Frame shown_;
    std::vector<bool> joined_; ///< the terminal wrapped this row into the next itself
    size_t row_ = 0, column_ = 0; ///< of the cursor, from our first row
    size_t reach_ = 0; ///< the lowest row that was ever made
    bool isPending_ = false; ///< the last column was written: where the cursor is, only the terminal knows
    Style style_ = Style::Plain;
};

}
