// The command `scr test`.
#include "interp/host/test_command.h"
#include "interp/host/run_script.h"
#include "interp/host/script_file.h"

namespace scr {

int runTestCommand(const CommandLine&, const char*) {
    complain("test: in the making");
    return StatusUsage;
}

}
