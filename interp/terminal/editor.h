// What is behind LineEditor: its state, and what keys do. line_editor.cpp: coming and going; editor_keys.cpp: keys to
// commands; editor_history.cpp: history and search; editor_complete.cpp: Tab; editor_view.cpp: what is shown.
//
// Invariants: commands change the state only; the screen is brought up to it once, when all bytes at hand are taken.
// What is dimmed (suggestion, preview) belongs to the text as it is and goes with any change of it.
#pragma once
#include "interp/terminal/edit_buffer.h"
#include "interp/terminal/frame.h"
#include "interp/terminal/history.h"
#include "interp/terminal/keys.h"
#include "interp/terminal/line_editor.h"
#include "interp/terminal/open_brackets.h"
#include "interp/terminal/screen.h"
#include "interp/terminal/terminal.h"

namespace scr {

struct LineEditor::Impl {
    Impl(const EditorOptions& options, History& history, EditorClient& client);

    // ---- Coming and going
    EditEvent takeBytes();
    EditEvent takeDumb();
    EditEvent finish(EditEvent event);
    void leaveScreen();
    void readSize();
    bool put(std::string& out);
    i64 now() const;

    // ---- Keys
    EditEvent handle(KeyEvent& event);
    EditEvent control(const KeyEvent& event);
    void alt(const KeyEvent& event);
    EditEvent enter(bool isPlain);
    void insertText(std::string_view text);
    void tabKey(const KeyEvent& event);
    void moveTo(size_t place);
    void moveVertically(bool up);
    void goRight(bool byWord);
    void goToEnd();
    void erase(size_t begin, size_t end);
    bool isWhole();

    // ---- History and search
    void browse(bool older);
    bool isBrowsing() const;
    void beginSearch(bool older);
    bool searchKey(KeyEvent& event); ///< false: it ended the search and has its usual meaning
    void findMatch(bool older, bool again);
    void endSearch(bool accept);

    // ---- Completion
    void complete();
    void listCompletions(const Completions& found);
    std::string commonCompletion(); ///< what Tab would insert

    // ---- View
    void draw();
    void updateHints();
    void clearHints();
    const std::string& shownText() const;
    Frame makeFrame();
    void highlightText(const std::string& text);

    EditorOptions options;
    History& history;
    EditorClient& client;
    Terminal terminal;
    KeyDecoder keys;
    std::string dumbBytes; ///< of a line that has no end yet
    EditBuffer buffer;
    Layout layout;
    Screen screen;

    std::string prompt, continuation, result;
    EditMode mode = EditMode::Statement;
    size_t columns = 80, rows = 24;
    bool isActive = false, isHidden = false, isClosed = false;
    bool isStale = false; ///< something happened that the screen does not show
    bool isBurst = false; ///< the bytes at hand are more than a person types at once
    i64 escapeDue = -1;

    // What the last key was, where the next one asks.
    enum class Last : u8 { Other, Vertical, Yank, Tab } last = Last::Other, current = Last::Other;
    bool killed = false; ///< the current key is a kill
    size_t goalColumn = 0;

    size_t historyAt = 0; ///< the entry shown; history.size() = none
    std::string browsePrefix, draft; ///< what entries must begin with; the text before the first of them

    struct Search {
        bool isActive = false, isFailed = false, older = true;
        std::string query, text; ///< text: the entry that matches, or what was there
        size_t entry = 0, place = 0;
    } search;

    std::string suggestion, preview;
    std::vector<std::string> list; ///< rows of completions

    std::vector<StyleSpan> spans;
    std::string highlighted; ///< the text that `spans` are of
    size_t checkedBytes = 0; ///< given to isComplete() since begin()
    OpenBrackets openBrackets; ///< of the text, as long as it grows at its end
};

}
