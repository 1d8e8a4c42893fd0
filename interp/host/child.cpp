// Children are forked, not spawned: between fork and exec they ask to die with this process.
#include "interp/host/child.h"
#include "runtime/loop/clock.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace scr {

namespace {

constexpr int handledSignals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
volatile sig_atomic_t interruptedBy = 0;
struct sigaction formerActions[std::size(handledSignals)], formerPipe;
sigset_t formerMask;

void onSignal(int signal) {
    if (signal != SIGCHLD)
        interruptedBy = signal;
}

/// Both ends of a pipe, closed at the end and in children.
struct Pipe {
    int ends[2] = {-1, -1};
    Pipe() = default;
    Pipe(const Pipe&) = delete;
    ~Pipe() {
        close(0);
        close(1);
    }
    bool open() { return pipe2(ends, O_CLOEXEC) == 0; }
    void close(int end) {
        if (ends[end] >= 0)
            ::close(ends[end]);
        ends[end] = -1;
    }
    int take(int end) {
        int taken = ends[end];
        ends[end] = -1;
        return taken;
    }
};

std::vector<std::string> environmentOf(const ChildRequest& request) {
    std::vector<std::string> result = request.environment;
    for (char** entry = environ; *entry; entry++) {
        const char* equals = std::strchr(*entry, '=');
        std::string_view name(*entry, equals ? size_t(equals - *entry) + 1 : std::strlen(*entry));
        bool replaced = false;
        for (const std::string& addition : request.environment)
            replaced = replaced || addition.starts_with(name);
        if (!replaced)
            result.emplace_back(*entry);
    }
    return result;
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
    std::vector<char*> result;
    for (const std::string& string : strings)
        result.push_back(const_cast<char*>(string.c_str()));
    result.push_back(nullptr);
    return result;
}

/// What a child needs between fork and exec; nothing is allocated there.
struct Launch {
    std::vector<char*> arguments, environment;
    const char* folder;
    std::vector<int> descriptors; ///< which become its 0, 1, 2...; -1: /dev/null, -2: stays
    int errors; ///< a pipe for the errno of a failure
    pid_t parent;
};
constexpr int Nothing = -1, Stays = -2;

[[noreturn]] void failLaunch(const Launch& launch) {
    int number = errno;
    (void)!::write(launch.errors, &number, sizeof number);
    _exit(127);
}

/// First out of the way of each other, then to their places.
bool placeDescriptors(Launch& launch) {
    constexpr int OutOfTheWay = 64;
    for (int& descriptor : launch.descriptors) {
        if (descriptor == Stays)
            continue;
        int from = descriptor == Nothing ? open("/dev/null", O_RDWR | O_CLOEXEC) : descriptor;
        descriptor = fcntl(from, F_DUPFD_CLOEXEC, OutOfTheWay);
        if (descriptor < 0)
            return false;
    }
    launch.errors = fcntl(launch.errors, F_DUPFD_CLOEXEC, OutOfTheWay);
    for (size_t i = 0; i < launch.descriptors.size(); i++)
        if (launch.descriptors[i] != Stays && dup2(launch.descriptors[i], int(i)) < 0)
            return false;
    return true;
}

[[noreturn]] void becomeChild(Launch& launch) {
    setpgid(0, 0);
#ifdef PR_SET_PDEATHSIG
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launch.parent)
        _exit(127);
#endif
    for (int signal : handledSignals)
        std::signal(signal, SIG_DFL);
    std::signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &formerMask, nullptr);
    if (!placeDescriptors(launch) || (launch.folder && chdir(launch.folder) != 0))
        failLaunch(launch);
    environ = launch.environment.data();
    execvp(launch.arguments[0], launch.arguments.data());
    failLaunch(launch);
}

}

struct Children::Child {
    u32 number;
    pid_t pid;
    u64 started, deadline; ///< nanoseconds; deadline 0: none
    int input = -1; ///< where its standard input is written
    std::string queued; ///< not yet written there
    bool closesInput = false;
    std::vector<int> outputs; ///< what is read, by its descriptor - 1; -1: closed
    bool dead = false;
    int status = 0;
    bool timedOut = false;

    ~Child() {
        if (input >= 0)
            close(input);
        for (int output : outputs)
            if (output >= 0)
                close(output);
    }
};

Children::Children(ChildWatcher& watcher)
    : watcher_(watcher) {
    interruptedBy = 0;
    sigset_t blocked;
    sigemptyset(&blocked);
    for (int signal : handledSignals)
        sigaddset(&blocked, signal);
    // Signals come while poll waits, and at no other time.
    sigprocmask(SIG_BLOCK, &blocked, &formerMask);
    struct sigaction action = {};
    action.sa_handler = onSignal;
    for (size_t i = 0; i < std::size(handledSignals); i++)
        sigaction(handledSignals[i], &action, &formerActions[i]);
    action.sa_handler = SIG_IGN; // a child that does not read is no reason to die
    sigaction(SIGPIPE, &action, &formerPipe);
}

Children::~Children() {
    for (auto& child : children_) {
        ::kill(-child->pid, SIGKILL);
        if (!child->dead)
            while (waitpid(child->pid, nullptr, 0) < 0 && errno == EINTR) { }
    }
    for (size_t i = 0; i < std::size(handledSignals); i++)
        sigaction(handledSignals[i], &formerActions[i], nullptr);
    sigaction(SIGPIPE, &formerPipe, nullptr);
    sigprocmask(SIG_SETMASK, &formerMask, nullptr);
}

Children::Child* Children::find(u32 number) {
    for (auto& child : children_)
        if (child->number == number)
            return child.get();
    return nullptr;
}

static bool fail(std::string& error, const std::string& what) {
    error = what + ": " + std::strerror(errno);
    return false;
}

bool Children::start(u32 number, const ChildRequest& request, std::string& error) {
    size_t count = 3 + request.extra;
    std::vector<Pipe> pipes(count);
    Pipe errors;
    Launch launch;
    ChildStream streams[] = {request.in, request.out, request.err};
    bool opened = errors.open();
    for (size_t i = 0; i < count; i++) {
        ChildStream stream = i < 3 ? streams[i] : ChildStream::Pipe;
        opened = opened && (stream != ChildStream::Pipe || pipes[i].open());
        launch.descriptors.push_back(stream == ChildStream::Pipe ? pipes[i].ends[i == 0 ? 0 : 1]
                : stream == ChildStream::Null                    ? Nothing
                                                                 : Stays);
    }
    if (!opened)
        return fail(error, "cannot make a pipe");
    std::vector<std::string> environment = environmentOf(request);
    launch.arguments = pointers(request.arguments);
    launch.environment = pointers(environment);
    launch.folder = request.folder.empty() ? nullptr : request.folder.c_str();
    launch.errors = errors.ends[1];
    launch.parent = getpid();
    u64 started = monotonicNanoseconds();
    pid_t pid = fork();
    if (pid < 0)
        return fail(error, "cannot make a process");
    if (pid == 0)
        becomeChild(launch);
    setpgid(pid, pid); // as the child does: whoever comes first
    errors.close(1);
    int failure = 0;
    ssize_t length;
    while ((length = read(errors.ends[0], &failure, sizeof failure)) < 0 && errno == EINTR) { }
    if (length > 0) {
        while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) { }
        errno = failure;
        return fail(error, "cannot start '" + request.arguments[0] + "'");
    }
    auto child = std::make_unique<Child>();
    child->number = number;
    child->pid = pid;
    child->started = started;
    child->deadline = request.timeLimit ? started + request.timeLimit * 1000000 : 0;
    child->input = pipes[0].take(1);
    for (size_t i = 1; i < count; i++)
        child->outputs.push_back(pipes[i].take(0));
    for (int descriptor : child->outputs)
        if (descriptor >= 0)
            fcntl(descriptor, F_SETFL, O_NONBLOCK);
    if (child->input >= 0)
        fcntl(child->input, F_SETFL, O_NONBLOCK);
    children_.push_back(std::move(child));
    return true;
}

void Children::write(u32 number, std::string_view text) {
    if (Child* child = find(number); child && child->input >= 0)
        child->queued += text;
}

void Children::closeInput(u32 number) {
    if (Child* child = find(number))
        child->closesInput = true;
}

void Children::kill(u32 number, int signal) {
    if (Child* child = find(number))
        ::kill(-child->pid, signal);
}

int Children::interruption() const { return interruptedBy; }

void Children::dieInterrupted() {
    int signal = interruptedBy ? interruptedBy : SIGTERM;
    this->~Children();
    std::signal(signal, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    sigprocmask(SIG_UNBLOCK, &one, nullptr);
    raise(signal);
    _exit(128 + signal);
}

// ---- what happens

void Children::reap() {
    for (auto& child : children_) {
        if (!child->dead && waitpid(child->pid, &child->status, WNOHANG) == child->pid) {
            child->dead = true;
            // Its own children must not keep its pipes open.
            ::kill(-child->pid, SIGKILL);
        }
    }
}

/// Reads what is there in `descriptor` 1, 2..., or writes (0) what goes in.
void Children::transfer(Child& child, int descriptor) {
    if (descriptor == 0) {
        ssize_t length = child.queued.empty() ? 0 : ::write(child.input, child.queued.data(), child.queued.size());
        bool failed = length < 0 && errno != EINTR && errno != EAGAIN;
        child.queued.erase(0, length > 0 ? size_t(length) : 0);
        if (failed || (child.queued.empty() && child.closesInput)) {
            child.queued.clear();
            close(child.input);
            child.input = -1;
        }
        return;
    }
    static char buffer[65536];
    int& from = child.outputs[size_t(descriptor) - 1];
    ssize_t length = read(from, buffer, sizeof buffer);
    if (length > 0) {
        watcher_.childWrote(child.number, descriptor, {buffer, size_t(length)});
    } else if (length == 0 || (errno != EINTR && errno != EAGAIN)) {
        close(from);
        from = -1;
    }
}

/// A dead child with nothing left to read: takes it out and tells the watcher.
void Children::finish(Child& child) {
    ChildEnd end;
    end.timedOut = child.timedOut;
    end.nanoseconds = monotonicNanoseconds() - child.started;
    if (WIFEXITED(child.status))
        end.status = WEXITSTATUS(child.status);
    else
        end.signal = WTERMSIG(child.status);
    u32 number = child.number;
    for (size_t i = 0; i < children_.size(); i++)
        if (children_[i].get() == &child)
            children_.erase(children_.begin() + long(i));
    watcher_.childEnded(number, end);
}

void Children::killLate() {
    u64 now = monotonicNanoseconds();
    for (auto& child : children_) {
        if (child->deadline && !child->dead && !child->timedOut && now >= child->deadline) {
            child->timedOut = true;
            ::kill(-child->pid, SIGKILL);
        }
    }
}

/// Milliseconds until the next deadline; -1: there is none.
int Children::sleepTime() const {
    u64 now = monotonicNanoseconds(), next = ~u64(0);
    for (auto& child : children_)
        if (child->deadline && !child->timedOut)
            next = std::min(next, child->deadline > now ? child->deadline - now : 0);
    return next == ~u64(0) ? -1 : int(std::min<u64>(next / 1000000 + 1, 1000000));
}

bool Children::turn() {
    struct Watched {
        Child* child;
        int descriptor;
    };
    std::vector<pollfd> polled;
    std::vector<Watched> watched;
    bool anyDead = false;
    for (auto& child : children_) {
        anyDead = anyDead || child->dead;
        if (child->input >= 0 && (!child->queued.empty() || child->closesInput)) {
            polled.push_back({child->input, POLLOUT, 0});
            watched.push_back({child.get(), 0});
        }
        for (size_t i = 0; i < child->outputs.size(); i++) {
            if (child->outputs[i] < 0)
                continue;
            polled.push_back({child->outputs[i], POLLIN, 0});
            watched.push_back({child.get(), int(i) + 1});
        }
    }
    int wait = anyDead ? 0 : sleepTime();
    timespec limit = {wait / 1000, wait % 1000 * 1000000L};
    int ready = ppoll(polled.data(), nfds_t(polled.size()), wait < 0 ? nullptr : &limit, &formerMask);
    for (size_t i = 0; ready > 0 && i < polled.size(); i++)
        if (polled[i].revents)
            transfer(*watched[i].child, watched[i].descriptor);
    if (interruptedBy)
        return false;
    // What a dead child had written has been read once a poll finds nothing more.
    std::vector<Child*> done;
    for (auto& child : children_) {
        bool more = false;
        for (size_t i = 0; i < polled.size(); i++)
            more = more || (ready > 0 && watched[i].child == child.get() && (polled[i].revents & (POLLIN | POLLHUP)));
        if (child->dead && !more)
            done.push_back(child.get());
    }
    killLate();
    reap();
    for (Child* child : done)
        finish(*child);
    return true;
}

u32 processorCount() {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > 0 ? u32(count) : 1;
}

}
