// Session: what is entered at the prompt, one text or dot command after the other, and what the loop does meanwhile. It
// knows nothing of keys or lines: whoever has the input hands over texts (prompt.h).
//
// Invariant: however a text ends - value, error, limit, ^C - the Vm can run the next one when enter() returns, unless
// the process is to end.
#pragma once
#include "interp/host/cli.h"
#include "interp/host/engine.h"
#include "interp/repl/evaluator.h"
#include "interp/repl/globals.h"
#include "interp/repl/signals.h"
#include "runtime/loop/event_loop.h"
#include <span>

namespace scr {

/// What the prompt does after a text.
enum class Next : u8 {
    Prompt,
    More, ///< the text is not done: more lines are to follow it
    Editor, ///< a block, evaluated when it ends
    Exit,
};

class Session {
public:
    /// `terminal`: somebody edits lines there.
    Session(Engine& engine, const CommandLine& line, bool terminal);
    ~Session();
    Session(const Session&) = delete;

    /// Is a text whole, as far as the prompt is concerned?
    bool isComplete(std::string_view text) const;
    /// Takes a text that is whole. After More it is the text without its dot command, text().
    Next enter(std::string text);
    const std::string& text() const { return text_; }
    /// The same for a block of the editor mode, which has no dot commands.
    Next enterBlock(std::string text);
    /// Evaluates a text of several statements, whole or not, and prints what it comes to. False: the process ends.
    bool evaluate(std::string_view text);

    /// Evaluates a file, as .load does.
    void load(std::string_view file);

    /// Runs what is due in the loop: milliseconds until something is, -1: nothing. The process may have to end then.
    i64 turn();
    /// Sleeps until there is input or something to do for the loop.
    Woken wait(int input, i64 milliseconds);
    bool ends() const;
    /// The exit event; the status. Only once.
    int finish();

    void print(std::string_view text) { loop_.out.write(text); }
    /// Everything printed is handed to the system; on a terminal the cursor stands at the beginning of a line.
    void settle();
    Vm& vm() { return vm_; }
    bool colors() const { return colors_; }
    ReplSignals& signals() { return signals_; }

private:
    friend struct DotCommand;
    Next command(std::string_view name, std::string_view argument);
    void help();
    void save(std::string_view file);

    Evaluation run(std::string_view text);
    Evaluation await();
    void conclude(Evaluation& result);
    void showWrong(const std::string& report);
    void takeTermination();
    void setLimits();
    static void takeUncaught(Vm& vm, Value error, const ThrowPlace& place);

    Vm& vm_;
    Engine& engine_;
    EventLoop& loop_;
    const CommandLine& line_;
    bool terminal_, colors_, exits_ = false;
    ReplSignals signals_;
    ReplGlobals globals_;
    Evaluator evaluator_;
    std::string text_;
    std::vector<std::string> entered_; ///< for .save
};

/// The dot commands, each with its dot, for completion.
std::span<const std::string_view> commandNames();

}
