// The command: what the command line asks for.
#include "interp/host/bench_command.h"
#include "interp/host/run_script.h"
#include "interp/host/script_file.h"
#include "interp/host/test_command.h"
#include "interp/repl/repl.h"
#include "runtime/base/output.h"
#include "runtime/base/version.h"
#include "runtime/heap/allocator.h"
#include <csignal>
#include <unistd.h>

static void print(const std::string& text) { scr::OutputStream(1).write(text); }

int main(int argc, char** argv) {
    using namespace scr;
    std::signal(SIGPIPE, SIG_IGN);
    installOutOfMemory();
    CommandLine line = parseCommandLine(argc, argv, isatty(0));
    const char* invokedAs = argc > 0 ? argv[0] : "scr";
    if (!line.error.empty()) {
        complain(line.error + "\n(scr --help lists the options)");
        return StatusUsage;
    }
    if (line.reportsJson)
        complainAsJson();
    switch (line.action) {
    case Action::Help: print(helpText()); return 0;
    case Action::Version: print("scr " + std::string(Version) + "\n"); return 0;
    case Action::Interactive: return runRepl(line, invokedAs);
    case Action::Test: return runTestCommand(line, invokedAs);
    case Action::Bench: return runBenchCommand(line, invokedAs);
    default: return runScript(line, invokedAs);
    }
}
