// The prompts: where texts come from. One edits on a terminal, one takes lines as they come.
#pragma once
#include "interp/repl/session.h"
#include "interp/terminal/line_editor.h"

namespace scr {

/// What is shown before a text, and before each further line of it.
inline constexpr std::string_view PromptText = "> ", ContinuationText = "... ";

/// Lines from a pipe: prompts are printed, and that is all.
class PlainPrompt {
public:
    explicit PlainPrompt(Session& session)
        : session_(session) { }
    void run();

private:
    bool nextLine(std::string& line);
    void read();

    Session& session_;
    std::string read_; ///< and not taken yet
    bool ended_ = false, interrupted_ = false;
};

/// A person at a terminal. Invariant: what the loop prints while a text is edited stands above that text.
class TerminalPrompt final : public EditorClient {
public:
    TerminalPrompt(Session& session, History& history, const EditorOptions& options);
    ~TerminalPrompt() override;
    TerminalPrompt(const TerminalPrompt&) = delete;

    /// False: it is no terminal.
    bool open() { return editor_.open(); }
    void run();

    bool isComplete(std::string_view text) override { return session_.isComplete(text); }
    Completions complete(std::string_view text, size_t cursor) override;
    std::string preview(std::string_view text, size_t columns) override;

private:
    EditEvent nextEvent();
    EditEvent read();
    void readAhead();
    void takeTypedInterrupt();
    bool take(EditEvent event);
    bool takeLine();
    bool takeInterrupt();
    void begin(std::string_view text = "");
    void tellOfHistory();
    void turn();
    i64 untilDue() const;
    static void makeRoom();

    Session& session_;
    History& history_;
    bool isDumb_;
    LineEditor editor_;
    std::string ahead_; ///< was read and not given to the editor yet
    bool isClosed_ = false; ///< nothing more can be read
    EditMode mode_ = EditMode::Statement;
    bool editing_ = false; ///< a text is on the screen
    bool hidden_ = false; ///< but taken off for output
    bool interrupted_ = false; ///< ^C came on an empty text: the next one ends it
    bool toldOfHistory_ = false; ///< that it cannot be kept
    i64 due_ = -1; ///< when the loop has something to do, in milliseconds of the monotonic clock; -1: not known of
};

}
