// LineEditor: a person types and edits a text of one or more lines on a terminal.
//
// It never reads or waits: whoever owns the loop hands it the bytes that came and calls tick() when a wait is over, so
// timers go on while a line is edited. It knows no engine; what it cannot know it asks its EditorClient. All texts are
// UTF-8, offsets are bytes. Invariant: between two calls the screen shows the text as it is, unless it is hidden.
#pragma once
#include "runtime/base/platform.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scr {

class History;

/// Words that could stand instead of text[from, cursor).
struct Completions {
    size_t from = 0;
    std::vector<std::string> words; ///< in the order to list them; an empty one begins a new group in the listing
};

/// What the editor asks. None of these may print; each answers at once.
class EditorClient {
public:
    virtual ~EditorClient() = default;
    /// Enter was pressed: is `text` whole? If not the editor begins another line.
    virtual bool isComplete(std::string_view text) = 0;
    virtual Completions complete(std::string_view text, size_t cursor) = 0;
    /// What evaluating `text` would show, if that has no side effects: one line, "" = nothing to show. `columns`: the
    /// room for it. May hold colours (SGR sequences), nothing else that controls a terminal.
    virtual std::string preview(std::string_view text, size_t columns) = 0;
};

enum class EditEvent : u8 {
    None, ///< wants more
    Line, ///< text() is whole; it stays on the screen, the cursor stands at the beginning of the line below
    Interrupt, ///< ^C; text() is what was dropped, the cursor stands on a new line
    EndOfInput, ///< ^D on an empty text, or the terminal was closed
    Suspend, ///< ^Z: the terminal is restored; whoever owns the process stops it and then calls resume()
};

enum class EditMode : u8 {
    Statement, ///< Enter asks isComplete()
    Block, ///< as .editor: Enter always begins another line, ^D at the end of the text makes it a Line
};

struct EditorOptions {
    int in = 0, out = 1;
    bool colors = true; ///< highlighting, dimmed previews, dimmed suggestions
    bool dumb = false; ///< TERM=dumb: the terminal's driver edits the line; only prompts are written
    size_t columns = 0, rows = 0; ///< 0 = asks the terminal
    i64 (*clock)() = nullptr; ///< milliseconds; null = the monotonic clock
};

class LineEditor {
public:
    LineEditor(const EditorOptions& options, History& history, EditorClient& client);
    ~LineEditor(); ///< restores the terminal, writes the history
    LineEditor(const LineEditor&) = delete;

    /// Raw mode, bracketed paste; and back. False: it is no terminal any more.
    bool open();
    void close();
    /// In place of close() while a line is evaluated: ^C is a signal again; what is typed meanwhile is neither shown
    /// nor lost (the driver leaves it alone). open() ends it.
    void busy();

    /// Shows the prompt with an empty text, or with `text` to be edited further.
    void begin(std::string_view prompt, std::string_view continuation, std::string_view text = "",
        EditMode mode = EditMode::Statement);
    /// Bytes from the terminal, none = it was closed; what is behind the end of a line is kept for the next begin().
    EditEvent feed(std::string_view bytes);
    /// What feed() left over, taken further: call after begin() until None.
    EditEvent pending();
    /// SIGINT came while a line was edited (a dumb terminal, or `kill`): as ^C.
    EditEvent interrupt();
    /// A wait is over: an ESC stands alone. Milliseconds until the next call; -1 = no need. Call it after each feed().
    i64 tick();
    const std::string& text() const;

    /// Around output of others: takes the text off the screen, and puts it there again below that output, which must
    /// have ended its line.
    void hide();
    void show();
    /// SIGWINCH came; with sizes where there is no terminal to ask.
    void resized(size_t columns = 0, size_t rows = 0);
    /// After the process was stopped and goes on: raw mode and the text again.
    void resume();
    size_t columns() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}
