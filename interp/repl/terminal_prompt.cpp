// Editing on a terminal while the loop goes on.
#include "interp/repl/completion.h"
#include "interp/repl/preview.h"
#include "interp/repl/prompt.h"
#include "interp/terminal/history.h"
#include <algorithm>
#include <cerrno>
#include <termios.h>
#include <unistd.h>
#include <utility>

namespace scr {

static TerminalPrompt* current = nullptr;

static i64 nowMilliseconds() { return i64(monotonicNanoseconds() / 1000000); }

TerminalPrompt::TerminalPrompt(Session& session, History& history, const EditorOptions& options)
    : session_(session)
    , history_(history)
    , isDumb_(options.dumb)
    , editor_(options, history, *this) {
    current = this;
    EventLoop& loop = *session.vm().loop;
    loop.out.onSend = makeRoom;
    if (loop.err.isTerminal())
        loop.err.onSend = makeRoom;
}

TerminalPrompt::~TerminalPrompt() {
    EventLoop& loop = *session_.vm().loop;
    loop.out.onSend = loop.err.onSend = nullptr;
    current = nullptr;
}

Completions TerminalPrompt::complete(std::string_view text, size_t cursor) {
    return scr::complete(session_.vm(), text, cursor, commandNames());
}

std::string TerminalPrompt::preview(std::string_view text, size_t columns) {
    return scr::preview(session_.vm(), text, columns);
}

// ---- the loop meanwhile

/// Something is about to be printed.
void TerminalPrompt::makeRoom() {
    if (current && current->editing_ && !std::exchange(current->hidden_, true))
        current->editor_.hide();
}

namespace {

/// While one lives, ^C on a terminal in raw mode is a signal: callbacks of the loop may run without end.
class InterruptKey {
public:
    explicit InterruptKey(int terminal)
        : terminal_(terminal)
        , known_(tcgetattr(terminal, &before_) == 0) {
        termios with = before_;
        with.c_lflag |= ISIG | NOFLSH;
        with.c_cc[VQUIT] = with.c_cc[VSUSP] = _POSIX_VDISABLE;
        if (known_)
            tcsetattr(terminal, TCSANOW, &with);
    }
    ~InterruptKey() {
        if (known_)
            tcsetattr(terminal_, TCSANOW, &before_);
    }
    InterruptKey(const InterruptKey&) = delete;

private:
    int terminal_;
    termios before_{};
    bool known_;
};

}

void TerminalPrompt::turn() {
    i64 milliseconds = 0;
    {
        InterruptKey key(0);
        milliseconds = session_.turn();
    }
    due_ = milliseconds < 0 ? -1 : nowMilliseconds() + milliseconds;
    if (std::exchange(hidden_, false) && !session_.ends())
        editor_.show();
}

i64 TerminalPrompt::untilDue() const { return due_ < 0 ? -1 : std::max<i64>(0, due_ - nowMilliseconds()); }

// ---- keys

/// Takes what the terminal has. A ^C behind Enter stays: it is meant for what runs then.
EditEvent TerminalPrompt::read() {
    if (ahead_.empty())
        readAhead();
    size_t enter = ahead_.find("\r\x03");
    std::string bytes = ahead_.substr(0, enter == ahead_.npos ? enter : enter + 1);
    ahead_.erase(0, bytes.size());
    return bytes.empty() && !isClosed_ ? EditEvent::None : editor_.feed(bytes);
}

void TerminalPrompt::readAhead() {
    char buffer[64 * 1024];
    ssize_t count = ::read(0, buffer, sizeof buffer);
    if (count > 0)
        ahead_.append(buffer, size_t(count));
    else
        isClosed_ = count == 0 || (errno != EINTR && errno != EAGAIN);
}

/// What was typed behind Enter before ^C was a signal.
void TerminalPrompt::takeTypedInterrupt() {
    if (!isDumb_ && session_.wait(0, 0) == Woken::Input)
        readAhead();
    if (size_t at = ahead_.find('\x03'); at != ahead_.npos) {
        ahead_.erase(0, at + 1);
        ReplSignals::noteInterrupt();
    }
}

EditEvent TerminalPrompt::nextEvent() {
    for (;;) {
        if (session_.ends())
            return EditEvent::EndOfInput;
        if (EditEvent event = editor_.pending(); event != EditEvent::None)
            return event;
        if (ReplSignals::takeResize())
            editor_.resized();
        if (ReplSignals::takeContinue())
            editor_.resume();
        if (ReplSignals::takeInterrupt())
            if (EditEvent event = editor_.interrupt(); event != EditEvent::None)
                return event;
        if (!ahead_.empty()) {
            if (EditEvent event = read(); event != EditEvent::None)
                return event;
            continue;
        }
        i64 milliseconds = editor_.tick(), due = untilDue();
        bool isDue = due >= 0 && (milliseconds < 0 || due <= milliseconds);
        Woken woken = session_.wait(0, isDue ? due : milliseconds);
        if (woken == Woken::Input)
            if (EditEvent event = read(); event != EditEvent::None)
                return event;
        if (woken == Woken::Loop || untilDue() == 0)
            turn();
    }
}

void TerminalPrompt::begin(std::string_view text) {
    bool isBlock = mode_ == EditMode::Block;
    editor_.begin(isBlock ? "" : PromptText, isBlock ? "" : ContinuationText, text, mode_);
    editing_ = true;
}

/// ^C: the text is gone. False: the session ends.
bool TerminalPrompt::takeInterrupt() {
    bool empty = editor_.text().empty() && mode_ == EditMode::Statement;
    mode_ = EditMode::Statement;
    if (empty && interrupted_)
        return false;
    interrupted_ = empty;
    editing_ = false;
    if (empty)
        session_.print("(To exit, press Ctrl+C again or Ctrl+D or type .exit)\n");
    session_.settle();
    begin();
    return true;
}

/// Once, and the session goes on without.
void TerminalPrompt::tellOfHistory() {
    if (history_.error().empty() || std::exchange(toldOfHistory_, true))
        return;
    session_.print("scr: " + history_.error() + "\n");
}

bool TerminalPrompt::takeLine() {
    std::string text = editor_.text();
    interrupted_ = editing_ = false;
    editor_.busy();
    takeTypedInterrupt();
    bool wasBlock = mode_ == EditMode::Block;
    Next next = wasBlock ? session_.enterBlock(std::move(text)) : session_.enter(std::move(text));
    if (next == Next::Exit || !editor_.open())
        return false;
    mode_ = next == Next::Editor ? EditMode::Block : EditMode::Statement;
    turn();
    if (session_.ends())
        return false;
    tellOfHistory();
    begin(next == Next::More || next == Next::Editor ? session_.text() : "");
    return true;
}

bool TerminalPrompt::take(EditEvent event) {
    switch (event) {
    case EditEvent::Line: return takeLine();
    case EditEvent::Interrupt: return takeInterrupt();
    case EditEvent::EndOfInput:
        editing_ = false;
        session_.print("\n");
        return false;
    case EditEvent::Suspend:
        session_.signals().stop();
        editor_.resume();
        return true;
    default: return true;
    }
}

void TerminalPrompt::run() {
    session_.settle();
    turn();
    if (!session_.ends())
        begin();
    while (take(nextEvent())) { }
    editing_ = false;
    editor_.close();
}

}
