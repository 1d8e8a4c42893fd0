// Running one child process with a time limit; what it wrote and how it ended.
// The invariant: when runProcess returns, the child is dead and reaped, whatever it did.
#pragma once
#include <string>
#include <vector>

namespace scr::test {

struct ProcessRequest {
    std::vector<std::string> argv;
    std::string folder; // where it runs
    std::string input; // what its standard input holds
    double seconds = 20; // wall-clock time before it is killed
};

struct ProcessResult {
    int status = -1; // exit status; -1 if a signal ended it or it could not be started
    int signal = 0;
    bool timedOut = false;
    std::string out;
    std::string err;
    double seconds = 0;
};

/// Runs argv[0] (looked up in PATH) and waits for its end. Safe to call from several threads.
ProcessResult runProcess(const ProcessRequest& request);

}
