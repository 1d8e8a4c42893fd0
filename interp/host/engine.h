// The embedding API: the only header a program that uses scr includes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scr {

class Vm;

/// What an Engine may use; 0 = the default or no limit.
struct EngineLimits {
    size_t memoryBytes = 0; ///< cells and buffers together
    size_t stackBytes = 0; ///< depth of script recursion before RangeError; default 984 KiB
    /// Real time in calls of the Engine, waiting for timers included.
    uint64_t timeMilliseconds = 0;
    /// Work units: backward jumps, calls of script functions, and what builtins charge for work that grows with its
    /// input. The same in every run and on every machine.
    uint64_t fuel = 0;
};

/// Which limit ended it.
enum class Limit { None, Memory, MachineMemory, Time, Fuel };

/// How a run ended.
enum class RunStatus {
    Ok,
    Threw, ///< an uncaught error; Outcome::message tells it as on stderr
    SyntaxError,
    LimitReached, ///< memory, time or fuel: cannot be caught by the script; nothing runs in this Engine any more
    Exited, ///< process.exit
    Interrupted, ///< by Engine::interrupt(): nothing runs until clearInterrupt()
};
struct Outcome {
    RunStatus status = RunStatus::Ok;
    int exitCode = 0;
    Limit limit = Limit::None;
    std::string
        value; ///< what the last expression came to, as util.inspect shows it (evaluateValue); a listing (dump...)
    std::string message; ///< the whole report, with place, excerpt and stack
};

/// A value handed to or from a native function.
struct HostValue {
    enum Type { Undefined, Null, Boolean, Number, String } type = Undefined;
    bool boolean = false;
    double number = 0;
    std::string string; ///< UTF-8
};
/// Returns the result; to throw, sets `error` to the message of a TypeError.
using HostFunction = HostValue (*)(void* context, const HostValue* args, size_t count, std::string& error);

/// One isolated engine. Several work side by side in one process, each used only by the thread that made it.
class Engine {
public:
    explicit Engine(const EngineLimits& limits = {});
    ~Engine();
    Engine(const Engine&) = delete;

    /// Compiles and runs a file's text without running the loop: a module if `isModule`, its name or its syntax says
    /// so, else a script with CommonJS surroundings. `name` is its path, to which its imports are relative, and is
    /// shown in errors; a name in [brackets] lies in the current folder. An error of a module that waits is told by
    /// runLoop().
    Outcome evaluate(std::string_view source, std::string_view name, bool isModule = false);
    /// Compiles and runs a text for the value of its last expression (Outcome::value), without running the loop.
    Outcome evaluateValue(std::string_view source, std::string_view name);
    /// The same with the surroundings of defineSurroundings(), and prints the value, strings as they are: what -p does.
    /// If the text awaits, that happens in runLoop().
    Outcome print(std::string_view source, std::string_view name);
    /// Makes require, module, exports, __filename and __dirname globals, as Node does for -p. Files are found from the
    /// current folder.
    void defineSurroundings();
    /// Syntax and early errors only, of a module if `isModule`, its name or its syntax says so, or of a script.
    Outcome check(std::string_view source, std::string_view name, bool isModule = false);
    /// Runs timers, immediates, ticks and jobs until nothing ref'd is left, then beforeExit and exit events.
    Outcome runLoop();
    /// One turn of the loop: milliseconds until the next one is due, 0 = at once, -1 = nothing ref'd is left.
    int64_t turnLoop();
    /// Ends what runs, from a signal handler or another thread: no handler of the script sees it.
    void interrupt();
    /// Afterwards, or before something else is run: the script may go on with what it has.
    void clearInterrupt();
    /// A global function.
    void define(std::string_view name, unsigned length, HostFunction function, void* context);

    /// From now on, counted anew; 0 = none. For engines that live long: so much for each thing they do.
    void setTimeLimit(uint64_t milliseconds);
    void setFuel(uint64_t units);
    /// Work units since the Engine was made.
    uint64_t fuelUsed() const;

    /// process.argv from the second element on; the first is `executable`.
    void setArguments(std::string_view executable, const std::vector<std::string>& arguments);
    /// 0 = off; 1 = a collection at every allocation for the first 20,000, then at every Nth.
    void setGcStress(uint32_t interval);
    /// Listing of the source's tree or of its code.
    Outcome dumpAst(std::string_view source, std::string_view name);
    Outcome dumpBytecode(std::string_view source, std::string_view name);

    Vm& vm();

private:
    struct Impl;
    class Running;
    std::unique_ptr<Impl> impl_;
};

}
