// Bytes of a terminal to keys. Invariant: a character, a sequence or a paste that was cut anywhere comes out as if it
// had come at once; what is no known key is skipped as a whole, never taken as text.
#pragma once
#include "runtime/base/platform.h"
#include <string>
#include <string_view>

namespace scr {

enum class Key : u8 {
    Unknown, ///< to be ignored
    Text, ///< `text`: one or more characters, valid UTF-8
    Paste, ///< `text`: line ends are \n
    Control, ///< `code`: the letter, in lower case, or one of space \ ] ^ _
    Enter,
    Tab,
    Backspace,
    Delete,
    Insert,
    Escape,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
};

struct KeyEvent {
    static constexpr u8 Shift = 1, Alt = 2, Ctrl = 4;

    Key key = Key::Unknown;
    u8 modifiers = 0;
    char code = 0;
    std::string text;

    bool alt() const { return modifiers & Alt; }
    bool ctrl() const { return modifiers & Ctrl; }
};

class KeyDecoder {
public:
    void add(std::string_view bytes);
    /// False: what there is, if anything, is the beginning of something.
    bool next(KeyEvent& event);
    /// An ESC was read that may be a key or the beginning of a sequence: time decides.
    bool isUndecided() const { return !inPaste_ && at_ < bytes_.size() && bytes_[at_] == '\x1b'; }
    /// The time is over: it is a key.
    void decide() { isDecided_ = isUndecided(); }
    /// Nothing is left that next() has not seen.
    bool isEmpty() const { return at_ == bytes_.size(); }
    /// A paste began and has not ended.
    bool isPasting() const { return inPaste_; }
    /// Ends it: its end will not come any more.
    void endPaste(KeyEvent& event);
    /// What next() has not taken yet, as it is; the state is as at the beginning.
    std::string rest();

private:
    bool sequence(KeyEvent& event);
    bool escaped(KeyEvent& event, size_t from);
    bool csi(KeyEvent& event, size_t from);
    bool ss3(KeyEvent& event, size_t from);
    bool paste(KeyEvent& event);
    bool textRun(KeyEvent& event);
    void control(KeyEvent& event, u8 byte);
    void take(size_t end) { at_ = end; }

    std::string bytes_;
    size_t at_ = 0;
    std::string paste_;
    bool inPaste_ = false;
    bool isDecided_ = false;
};

}
