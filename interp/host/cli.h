// The command line taken apart. The invariant: nothing behind the script's name is looked at.
#pragma once
#include "runtime/base/platform.h"
#include <string>
#include <vector>

namespace scr {

enum class Action : u8 {
    Run,
    Test262,
    Check,
    Print,
    DumpAst,
    DumpBytecode,
    Help,
    Version,
    Interactive, ///< the REPL: asked for, or no script and standard input is a terminal
    Test, ///< scr test: `arguments` are the files
    Bench, ///< scr bench: `arguments` are the files
};

/// Of scr bench.
struct BenchOptions {
    u64 time = 0; ///< milliseconds; 0: the default
    std::string filter, save, compare;
    double assertRatio = 0; ///< 0: none
    bool json = false;
    std::string jsonFile; ///< empty: standard output
};

struct CommandLine {
    Action action = Action::Run;
    enum class From : u8 { File, Stdin, Code } from = From::File;
    std::string file; ///< as given
    std::string code; ///< of -e and -p
    std::vector<std::string> arguments; ///< of the script
    std::vector<std::string> options; ///< those before it, as given
    u64 stackLimit = 0, memoryLimit = 0; ///< bytes; 0 = default, none
    u64 timeLimit = 0, fuel = 0; ///< milliseconds, work units; 0 = none
    u64 failAllocation = 0; ///< which one; 0 = none
    bool reportsFuel = false;
    u32 gcStress = 0;
    std::vector<std::string> includes; ///< of --test262
    bool isModule = false; ///< --module
    bool explainShapes = false;
    std::string rejections; ///< --unhandled-rejections; empty: the default
    bool noWarnings = false, traceWarnings = false;
    bool noDeprecation = false, throwDeprecation = false, traceDeprecation = false;
    std::string profile; ///< the file to write; empty = none
    bool reportsJson = false; ///< --json: uncaught errors and syntax errors as JSON lines
    BenchOptions bench;
    std::vector<std::string> testReporters, testDestinations, testPatterns; ///< --test-...
    bool testOnly = false;
    u64 testTimeout = 0, testConcurrency = 0; ///< milliseconds; how many files; 0: not given
    std::string error; ///< what is wrong with it; then nothing else counts
};

/// `terminal`: standard input is one, so without a script the REPL starts, unless `-` asks for a script from there.
CommandLine parseCommandLine(int argc, char** argv, bool terminal);
std::string helpText();

}
