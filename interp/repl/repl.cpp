// The interactive mode from its start to its exit status.
#include "interp/repl/repl.h"
#include "interp/host/report.h"
#include "interp/host/run_script.h"
#include "interp/host/script_file.h"
#include "interp/repl/prompt.h"
#include "interp/terminal/history.h"
#include "interp/terminal/terminal.h"
#include "runtime/base/version.h"
#include "runtime/heap/allocator.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace scr {

/// The file that keeps the history; empty: none does.
static std::string historyPath() {
    if (const char* chosen = std::getenv("SCR_REPL_HISTORY"))
        return chosen;
    const char* state = std::getenv("XDG_STATE_HOME");
    if (state && *state == '/')
        return std::string(state) + "/scr/history";
    const char* home = std::getenv("HOME");
    return home && *home ? std::string(home) + "/.local/state/scr/history" : "";
}

static bool isDumb() {
    const char* terminal = std::getenv("TERM");
    return !terminal || !*terminal || std::string_view(terminal) == "dumb";
}

/// False: there is no terminal to edit on.
static bool runOnTerminal(Session& session) {
    History history(historyPath());
    history.load();
    EditorOptions options;
    options.colors = session.colors();
    options.dumb = isDumb();
    TerminalPrompt prompt(session, history, options);
    if (!prompt.open())
        return false;
    if (!history.error().empty())
        session.print("scr: " + history.error() + "\n");
    prompt.run();
    return true;
}

/// A standard descriptor that is closed reads as empty and takes everything: no other file may get its number.
static void openStandards() {
    int descriptor;
    while ((descriptor = open("/dev/null", O_RDWR)) >= 0 && descriptor <= 2) { }
    if (descriptor > 2)
        close(descriptor);
}

/// Whether everything that was printed could be written.
static bool isWritten(OutputStream& out) {
    if (!out.error())
        return true;
    complain(std::string("cannot write to standard output: ") + std::strerror(out.error()));
    return false;
}

int runRepl(const CommandLine& given, const char* invokedAs) {
    openStandards();
    CommandLine line = given;
    if (line.from == CommandLine::From::Stdin)
        line.from = CommandLine::From::Code; // process.argv names no script
    Engine engine({line.memoryLimit, line.stackLimit, 0, 0});
    bool terminal = isatty(0) && isatty(1);
    setUp(engine, line, invokedAs);
    setOutOfMemoryPlace(
        [](void* vm, char* text, size_t size) {
            restoreTerminal();
            return describePlace(vm, text, size);
        },
        &engine.vm());
    engine.vm().loop->out.onClosed = engine.vm().loop->err.onClosed = [] {
        restoreTerminal();
        _exit(0);
    };
    int status = 0;
    {
        Session session(engine, line, terminal);
        session.print("Welcome to scr v" + std::string(Version) + ".\nType \".help\" for more information.\n");
        if (given.from == CommandLine::From::Code)
            session.evaluate(given.code);
        else if (given.from == CommandLine::From::File)
            session.load(given.file);
        if (!session.ends() && !(terminal && runOnTerminal(session)))
            PlainPrompt(session).run();
        status = session.finish();
        if (!isWritten(engine.vm().loop->out))
            status = StatusFailed;
    }
    if (int signal = ReplSignals::ending())
        raise(signal);
#if !SCR_ASAN
    _exit(status);
#endif
    return status;
}

}
