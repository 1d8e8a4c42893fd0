// The terminal itself: its modes, its size, and bytes to it.
//
// Invariant: whatever ends the process - a return, exit(), a signal's default action - leaves the terminal in the modes
// that it had before the first raw(). A process has one terminal, so the modes to restore are static.
#pragma once
#include "runtime/base/platform.h"
#include <string_view>

namespace scr {

class Terminal {
public:
    Terminal(int in, int out)
        : in_(in)
        , out_(out) { }

    /// Bytes come as they are typed, ^C included; pastes are bracketed. False: it is no terminal.
    bool raw();
    /// As raw(), but ^C, ^\ and ^Z are signals: while something runs.
    bool busy();
    /// The modes as they were.
    void restore();
    /// False: it does not say.
    bool size(size_t& columns, size_t& rows) const;
    /// All of it. False: it was closed.
    bool write(std::string_view bytes) const;

private:
    bool change(bool signals);

    int in_, out_;
};

/// The modes as they were, from any place, a signal handler included.
void restoreTerminal();

}
