// The child gets its own process group, a file as standard input (so that nothing can block on it) and two pipes.
#include "tests/process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace scr::test {

namespace {

using Clock = std::chrono::steady_clock;

// More than any expectation; a script that prints for ever must not fill the memory of the runner.
constexpr size_t outputLimit = 16 << 20;

struct Pipe {
    int read = -1;
    int write = -1;
    bool open() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            return false;
        read = ends[0];
        write = ends[1];
        return true;
    }
    ~Pipe() {
        closeEnd(read);
        closeEnd(write);
    }
    static void closeEnd(int& end) {
        if (end >= 0)
            close(end);
        end = -1;
    }
};

// Colour, locale and zone must not depend on who runs the tests.
std::vector<std::string> childEnvironment() {
    static const char* const dropped[] = {
        "FORCE_COLOR=", "NO_COLOR=", "NODE_OPTIONS=", "LC_ALL=", "LANG=", "TZ=", "ASAN_OPTIONS=", "UBSAN_OPTIONS="};
    std::vector<std::string> result;
    for (char** entry = environ; *entry; entry++) {
        bool keep = true;
        for (const char* name : dropped)
            keep = keep && strncmp(*entry, name, strlen(name)) != 0;
        if (keep)
            result.emplace_back(*entry);
    }
    result.emplace_back("LC_ALL=C.UTF-8");
    result.emplace_back("TZ=UTC");
    // The heap is given back by the end of the process, so there is nothing for a leak check to say.
    result.emplace_back("ASAN_OPTIONS=detect_leaks=0:exitcode=99");
    result.emplace_back("UBSAN_OPTIONS=print_stacktrace=1");
    return result;
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
    std::vector<char*> result;
    for (const std::string& string : strings)
        result.push_back(const_cast<char*>(string.c_str()));
    result.push_back(nullptr);
    return result;
}

int inputFile(const std::string& text) {
    int file = memfd_create("stdin", MFD_CLOEXEC);
    size_t done = 0;
    while (file >= 0 && done < text.size()) {
        ssize_t n = write(file, text.data() + done, text.size() - done);
        if (n <= 0)
            break;
        done += size_t(n);
    }
    if (file >= 0)
        lseek(file, 0, SEEK_SET);
    return file;
}

int start(const ProcessRequest& request, int in, int out, int err, pid_t& pid) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, err, 2);
    if (!request.folder.empty())
        posix_spawn_file_actions_addchdir_np(&actions, request.folder.c_str());
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    // A shell that runs the tests in the background has these ignored.
    sigset_t toDefault;
    sigemptyset(&toDefault);
    sigaddset(&toDefault, SIGINT);
    sigaddset(&toDefault, SIGQUIT);
    posix_spawnattr_setsigdefault(&attributes, &toDefault);
    posix_spawnattr_setpgroup(&attributes, 0);
    std::vector<std::string> environment = childEnvironment();
    int error = posix_spawnp(&pid, request.argv[0].c_str(), &actions, &attributes, pointers(request.argv).data(),
        pointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

// False at the end of the stream.
bool drain(int from, std::string& to) {
    char buffer[65536];
    ssize_t n = read(from, buffer, sizeof buffer);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    if (to.size() < outputLimit)
        to.append(buffer, size_t(n));
    return n > 0;
}

int millisecondsUntil(Clock::time_point deadline) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return left < 0 ? 0 : int(left) + 1;
}

// Reads both streams to their ends. False when the deadline came first.
bool collect(Pipe& out, Pipe& err, Clock::time_point deadline, ProcessResult& result) {
    pollfd watched[2] = {{out.read, POLLIN, 0}, {err.read, POLLIN, 0}};
    std::string* texts[2] = {&result.out, &result.err};
    while (watched[0].fd >= 0 || watched[1].fd >= 0) {
        int timeout = millisecondsUntil(deadline);
        if (timeout == 0)
            return false;
        if (poll(watched, 2, timeout) < 0 && errno != EINTR)
            return false;
        for (int i = 0; i < 2; i++) {
            if (watched[i].fd >= 0 && watched[i].revents && !drain(watched[i].fd, *texts[i]))
                watched[i].fd = -1;
        }
    }
    return true;
}

// A child may close its streams and live on, so its end has its own wait.
bool reap(pid_t pid, Clock::time_point deadline, int& status) {
    for (;;) {
        pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid)
            return true;
        if (ended < 0 && errno != EINTR)
            return true;
        if (millisecondsUntil(deadline) == 0)
            return false;
        usleep(500);
    }
}

}

ProcessResult runProcess(const ProcessRequest& request) {
    ProcessResult result;
    Pipe out, err;
    int in = inputFile(request.input);
    if (in < 0 || !out.open() || !err.open()) {
        result.err = std::string("cannot prepare a child process: ") + strerror(errno);
        return result;
    }
    auto begin = Clock::now();
    auto deadline = begin + std::chrono::milliseconds(int64_t(request.seconds * 1000));
    pid_t pid = -1;
    int error = start(request, in, out.write, err.write, pid);
    close(in);
    Pipe::closeEnd(out.write);
    Pipe::closeEnd(err.write);
    if (error != 0) {
        result.err = "cannot start " + request.argv[0] + ": " + strerror(error);
        return result;
    }
    int status = 0;
    if (!collect(out, err, deadline, result) || !reap(pid, deadline, status)) {
        result.timedOut = true;
        kill(-pid, SIGKILL);
        waitpid(pid, &status, 0);
    }
    result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (WIFEXITED(status))
        result.status = WEXITSTATUS(status);
    else if (WIFSIGNALED(status))
        result.signal = WTERMSIG(status);
    return result;
}

}
