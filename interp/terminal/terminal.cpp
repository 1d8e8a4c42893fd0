// Modes by termios; the static part is what a signal handler may touch.
#include "interp/terminal/terminal.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace scr {

namespace {

constexpr std::string_view pasteBracketsOn = "\x1b[?2004h";
constexpr std::string_view pasteBracketsOff = "\x1b[?2004l";

// Written while `isChanged` is 0, so the handler sees either nothing to do or all of it.
volatile sig_atomic_t isChanged = 0;
volatile sig_atomic_t hasBrackets = 0;
termios original;
int changedIn = -1, changedOut = -1;

/// The default action of a signal, behind the restored terminal.
void restoreAndDie(int signal) {
    restoreTerminal();
    // SA_RESETHAND made the action the default one again.
    raise(signal);
}

/// Handlers for what would end the process without a word; whoever has one of his own keeps it.
void guardOnce() {
    static bool isGuarded = false;
    if (isGuarded)
        return;
    isGuarded = true;
    std::atexit(restoreTerminal);
    for (int signal : {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGTERM, SIGALRM, SIGXCPU}) {
        struct sigaction now, guard = {};
        if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL || (now.sa_flags & SA_SIGINFO))
            continue;
        guard.sa_handler = restoreAndDie;
        guard.sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK;
        sigaction(signal, &guard, nullptr);
    }
}

bool setModes(int in, const termios& modes) {
    int result;
    while ((result = tcsetattr(in, TCSANOW, &modes)) != 0 && errno == EINTR) { }
    return result == 0;
}

}

void restoreTerminal() {
    int saved = errno;
    if (hasBrackets) {
        hasBrackets = 0;
        ssize_t ignored = ::write(changedOut, pasteBracketsOff.data(), pasteBracketsOff.size());
        (void)ignored;
    }
    if (isChanged) {
        isChanged = 0;
        // A process in the background would be stopped for this; it is not the owner of the terminal any more.
        if (tcgetpgrp(changedIn) == getpgrp())
            tcsetattr(changedIn, TCSANOW, &original);
    }
    errno = saved;
}

bool Terminal::change(bool signals) {
    termios modes;
    if (!isChanged) {
        if (tcgetattr(in_, &modes) != 0)
            return false;
        original = modes;
        changedIn = in_, changedOut = out_;
        guardOnce();
        isChanged = 1;
    }
    modes = original;
    modes.c_iflag &= tcflag_t(~(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON));
    modes.c_lflag &= tcflag_t(~(ECHO | ECHONL | ICANON | IEXTEN | ISIG));
    if (signals)
        modes.c_lflag |= ISIG;
    modes.c_oflag |= OPOST | ONLCR;
    modes.c_cflag = (modes.c_cflag & tcflag_t(~CSIZE)) | CS8;
    modes.c_cc[VMIN] = 1;
    modes.c_cc[VTIME] = 0;
    return setModes(in_, modes);
}

bool Terminal::raw() {
    if (!change(false))
        return false;
    if (!hasBrackets) {
        hasBrackets = 1;
        return write(pasteBracketsOn);
    }
    return true;
}

bool Terminal::busy() { return change(true); }

void Terminal::restore() { restoreTerminal(); }

bool Terminal::size(size_t& columns, size_t& rows) const {
    winsize size;
    if (ioctl(out_, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return false;
    columns = size.ws_col, rows = size.ws_row;
    return true;
}

bool Terminal::write(std::string_view bytes) const {
    while (!bytes.empty()) {
        ssize_t count = ::write(out_, bytes.data(), bytes.size());
        if (count > 0) {
            bytes.remove_prefix(size_t(count));
        } else if (count < 0 && errno == EAGAIN) {
            pollfd wait{out_, POLLOUT, 0};
            if (poll(&wait, 1, -1) < 0 && errno != EINTR)
                return false;
            if (wait.revents & (POLLERR | POLLHUP))
                return false;
        } else if (count < 0 && errno != EINTR) {
            return false;
        }
    }
    return true;
}

}
