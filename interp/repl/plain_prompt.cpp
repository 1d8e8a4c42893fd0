// Lines as they come, without an editor.
#include "interp/repl/prompt.h"
#include <cerrno>
#include <unistd.h>
#include <utility>

namespace scr {

/// The next line; what the loop has to do goes on while it is waited for. False: the end.
bool PlainPrompt::nextLine(std::string& line) {
    for (;;) {
        size_t end = read_.find('\n');
        if (end != read_.npos || (ended_ && !read_.empty())) {
            line = read_.substr(0, end);
            read_.erase(0, end == read_.npos ? end : end + 1);
            return true;
        }
        if (ended_ || session_.ends())
            return false;
        i64 milliseconds = session_.turn();
        bool readable = !session_.ends() && session_.wait(0, milliseconds) == Woken::Input;
        if (ReplSignals::takeInterrupt())
            return interrupted_ = true;
        if (readable)
            read();
    }
}

void PlainPrompt::read() {
    char buffer[64 * 1024];
    ssize_t count = ::read(0, buffer, sizeof buffer);
    ended_ = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
    if (count > 0)
        read_.append(buffer, size_t(count));
}

void PlainPrompt::run() {
    std::string line, text;
    for (Next next = Next::Prompt; next != Next::Exit;) {
        session_.print(text.empty() ? PromptText : ContinuationText);
        session_.settle();
        if (!nextLine(line))
            return;
        if (std::exchange(interrupted_, false)) { // ^C at a terminal whose output goes elsewhere
            text.clear();
            continue;
        }
        text += line;
        if (!session_.isComplete(text)) {
            text += '\n';
            continue;
        }
        next = session_.enter(std::move(text));
        text = next == Next::More ? session_.text() : "";
    }
}

}
