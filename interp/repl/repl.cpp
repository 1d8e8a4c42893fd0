// The interactive mode: its loop, over lines that come through a pipe.
#include "interp/repl/repl.h"
#include "interp/host/report.h"
#include "interp/host/run_script.h"
#include "interp/repl/session.h"
#include "runtime/base/version.h"
#include "runtime/heap/allocator.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <unistd.h>

namespace scr {

namespace {

constexpr std::string_view Prompt = "> ", Continuation = "... ";

/// Lines as they come, without an editor: prompts are printed, and that is all.
class PlainPrompt {
public:
    explicit PlainPrompt(Session& session)
        : session_(session) { }
    void run();

private:
    bool nextLine(std::string& line);
    Session& session_;
    std::string read_; ///< and not taken yet
    bool ended_ = false;
};

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
        if (session_.ends() || !session_.wait(0, milliseconds))
            continue;
        char buffer[64 * 1024];
        ssize_t count = read(0, buffer, sizeof buffer);
        ended_ = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
        if (count > 0)
            read_.append(buffer, size_t(count));
    }
}

void PlainPrompt::run() {
    std::string line, text;
    for (Next next = Next::Prompt; next != Next::Exit;) {
        session_.print(text.empty() ? Prompt : Continuation);
        session_.settle();
        if (!nextLine(line))
            return;
        if (ReplSignals::takeInterrupt())
            text.clear();
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

int runRepl(const CommandLine& given, const char* invokedAs) {
    CommandLine line = given;
    line.from = CommandLine::From::Code; // process.argv names no script
    Engine engine({line.memoryLimit, line.stackLimit, 0, 0});
    setOutOfMemoryPlace(describePlace, &engine.vm());
    setUp(engine, line, invokedAs);
    int status = 0;
    {
        Session session(engine, line, false);
        session.print("Welcome to scr v" + std::string(Version) + ".\nType \".help\" for more information.\n");
        if (given.from != CommandLine::From::Code || session.evaluate(given.code))
            PlainPrompt(session).run();
        status = session.finish();
    }
    if (int signal = ReplSignals::ending())
        raise(signal);
#if !SCR_ASAN
    _exit(status);
#endif
    return status;
}

}
