// The text being edited: cursor, undo and redo, kill ring.
//
// Invariants: the text is valid UTF-8 and the cursor stands between two characters of it; undo() brings back every
// earlier state in turn, until there is more of them than maximumUndoBytes.
#pragma once
#include "runtime/base/platform.h"
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace scr {

class EditBuffer {
public:
    const std::string& text() const { return text_; }
    size_t cursor() const { return cursor_; }
    bool atEnd() const { return cursor_ == text_.size(); }
    void setCursor(size_t cursor) { cursor_ = cursor; }

    /// A new text; nothing to undo. The kill ring stays.
    void reset(std::string_view text);
    /// All of the text, as one step.
    void replaceAll(std::string_view text, size_t cursor);
    void insert(std::string_view text);
    void replace(size_t begin, size_t end, std::string_view with);
    /// [begin, end) goes, the cursor stands at begin.
    void erase(size_t begin, size_t end) { replace(begin, end, {}); }
    /// The next change is a step of its own.
    void endStep() { isStepOpen_ = false; }
    bool undo();
    bool redo();

    /// As erase(), into the kill ring; one after the other they make one entry, kills to the left in front.
    void kill(size_t begin, size_t end);
    /// The next kill is an entry of its own.
    void endKill() { isKilling_ = false; }
    bool yank();
    /// Known: the last command was yank() or this. The entry before in place of the one just yanked.
    void yankPop();

    // ---- Places. Lines are those of the text, whatever the window makes of them.
    size_t lineBegin(size_t at) const;
    size_t lineEnd(size_t at) const;
    bool onFirstLine() const { return lineBegin(cursor_) == 0; }
    bool onLastLine() const { return lineEnd(cursor_) == text_.size(); }
    /// The columns between the beginning of its line and the cursor.
    size_t column() const;
    /// The place nearest to `column` in the line that begins at `begin`.
    size_t placeAt(size_t begin, size_t column) const;

    /// Exchanges the grapheme before the cursor and the one at it (at the end: the two before).
    void transpose();
    enum class Case { Upper, Lower, Capital };
    /// The rest of the word, or the next one; the cursor stands behind it.
    void changeCase(Case to);

private:
    struct Change {
        size_t at;
        std::string removed, inserted;
        size_t cursorBefore;
    };
    void apply(size_t at, size_t length, std::string_view with);
    bool extendsLast(size_t begin, size_t end, std::string_view with) const;
    void remember(Change change);

    static constexpr size_t maximumUndoBytes = 16 << 20, maximumKills = 60;

    std::string text_;
    size_t cursor_ = 0;
    std::deque<Change> undo_;
    std::vector<Change> redo_;
    size_t undoBytes_ = 0;
    bool isStepOpen_ = false;

    std::deque<std::string> kills_; // the newest last
    bool isKilling_ = false;
    size_t yankedAt_ = 0, yankedKill_ = 0;
};

}
