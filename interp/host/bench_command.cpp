// The command `scr bench`.
#include "interp/host/bench_command.h"
#include "interp/host/run_script.h"
#include "interp/host/script_file.h"

namespace scr {

int runBenchCommand(const CommandLine&, const char*) {
    complain("bench: in the making");
    return StatusUsage;
}

}
