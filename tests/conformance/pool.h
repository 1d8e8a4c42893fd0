// Child processes, a few at a time, each with limits of processor time, memory and real time.
#pragma once
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

struct ChildResult {
    int exitCode = -1; ///< -1: ended by `signal`
    int signal = 0;
    bool timedOut = false;
    std::string out, err;
};

class Pool {
public:
    Pool(unsigned jobs, unsigned cpuSeconds);
    ~Pool();
    Pool(const Pool&) = delete;
    /// Starts the program when a place is free; `done` gets the result, in this thread, from a later run() or finish().
    void run(const std::vector<std::string>& command, std::function<void(const ChildResult&)> done);
    void finish();

private:
    struct Place {
        pid_t pid = 0;
        int out = -1, err = -1;
        double deadline = 0;
        bool killed = false;
        std::function<void(const ChildResult&)> done;
    };
    Place& freePlace();
    void wait();
    void reap(Place& place, int status);

    std::vector<Place> places_;
    unsigned cpuSeconds_;
};
