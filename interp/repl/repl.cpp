// The interactive mode: its loop.
#include "interp/repl/repl.h"
#include "interp/host/run_script.h"
#include "interp/host/script_file.h"

namespace scr {

int runRepl(const CommandLine&, const char*) {
    complain("repl: in the making");
    return StatusUsage;
}

}
