// Output goes to files in memory, so nobody has to read while the child runs.
#include "tests/conformance/pool.h"
#include <csignal>
#include <ctime>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// A child that does not use its processor time (it sleeps) is ended after this many times the limit.
constexpr unsigned WallFactor = 6;

double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

std::string takeAll(int fd) {
    off_t size = lseek(fd, 0, SEEK_END);
    // Nobody wants the whole of what an endless loop printed.
    std::string text(size_t(size > 65536 ? 65536 : size), '\0');
    ssize_t count = pread(fd, text.data(), text.size(), 0);
    text.resize(size_t(count > 0 ? count : 0));
    if (ftruncate(fd, 0) == 0)
        lseek(fd, 0, SEEK_SET);
    return text;
}

void setLimit(int which, rlim_t soft, rlim_t hard) {
    rlimit limit{soft, hard};
    setrlimit(__rlimit_resource_t(which), &limit);
}

[[noreturn]] void become(char* const* arguments, int out, int err, unsigned cpuSeconds) {
    dup2(out, 1);
    dup2(err, 2);
    setLimit(RLIMIT_CPU, cpuSeconds, cpuSeconds + 1);
    setLimit(RLIMIT_CORE, 0, 0);
    setLimit(RLIMIT_FSIZE, 64 << 20, 64 << 20);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execv(arguments[0], arguments);
    _exit(127);
}

}

Pool::Pool(unsigned jobs, unsigned cpuSeconds)
    : places_(jobs)
    , cpuSeconds_(cpuSeconds) {
    for (Place& place : places_) {
        place.out = memfd_create("out", MFD_CLOEXEC);
        place.err = memfd_create("err", MFD_CLOEXEC);
    }
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, nullptr);
}

Pool::~Pool() {
    for (Place& place : places_) {
        close(place.out);
        close(place.err);
    }
}

void Pool::run(const std::vector<std::string>& command, std::function<void(const ChildResult&)> done) {
    Place& place = freePlace();
    std::vector<char*> arguments;
    for (const std::string& argument : command)
        arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    place.done = std::move(done);
    place.killed = false;
    place.deadline = now() + cpuSeconds_ * WallFactor;
    // The child only makes system calls until it becomes another program.
    place.pid = vfork();
    if (place.pid == 0)
        become(arguments.data(), place.out, place.err, cpuSeconds_);
}

Pool::Place& Pool::freePlace() {
    for (;;) {
        for (Place& place : places_)
            if (!place.pid)
                return place;
        wait();
    }
}

void Pool::finish() {
    for (Place& place : places_)
        while (place.pid)
            wait();
}

void Pool::wait() {
    bool any = false;
    for (Place& place : places_) {
        int status = 0;
        if (place.pid && waitpid(place.pid, &status, WNOHANG) == place.pid) {
            reap(place, status);
            any = true;
        } else if (place.pid && now() > place.deadline) {
            place.killed = true;
            kill(place.pid, SIGKILL);
        }
    }
    if (any)
        return;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    timespec second{1, 0};
    sigtimedwait(&set, nullptr, &second);
}

void Pool::reap(Place& place, int status) {
    ChildResult result;
    if (WIFEXITED(status))
        result.exitCode = WEXITSTATUS(status);
    else
        result.signal = WTERMSIG(status);
    result.timedOut = place.killed || result.signal == SIGXCPU;
    result.out = takeAll(place.out);
    result.err = takeAll(place.err);
    place.pid = 0;
    auto done = std::move(place.done);
    done(result);
}
