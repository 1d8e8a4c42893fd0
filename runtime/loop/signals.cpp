// The handler does no more than write a byte.
#include "runtime/loop/signals.h"
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace scr {

namespace {

struct NamedSignal {
    const char* name;
    int number;
};
constexpr NamedSignal signals[] = {
#define SIGNAL(name) {#name, name},
    // clang-format off
    SIGNAL(SIGHUP) SIGNAL(SIGINT) SIGNAL(SIGQUIT) SIGNAL(SIGILL) SIGNAL(SIGTRAP) SIGNAL(SIGABRT) SIGNAL(SIGIOT)
    SIGNAL(SIGBUS) SIGNAL(SIGFPE) SIGNAL(SIGKILL) SIGNAL(SIGUSR1) SIGNAL(SIGSEGV) SIGNAL(SIGUSR2) SIGNAL(SIGPIPE)
    SIGNAL(SIGALRM) SIGNAL(SIGTERM) SIGNAL(SIGCHLD) SIGNAL(SIGSTKFLT) SIGNAL(SIGCONT) SIGNAL(SIGSTOP) SIGNAL(SIGTSTP)
    SIGNAL(SIGTTIN) SIGNAL(SIGTTOU) SIGNAL(SIGURG) SIGNAL(SIGXCPU) SIGNAL(SIGXFSZ) SIGNAL(SIGVTALRM) SIGNAL(SIGPROF)
    SIGNAL(SIGWINCH) SIGNAL(SIGIO) SIGNAL(SIGPOLL) SIGNAL(SIGPWR) SIGNAL(SIGSYS)
// clang-format on
#undef SIGNAL
};

constexpr int MostSignals = 64;
/// Where the handler writes: the pipe of the inbox that listens to a signal.
std::atomic<int> receivers[MostSignals]; // one more, so that 0 is nobody
/// Counted by the handler, so that looking for signals costs no system call while there are none.
std::atomic<u32> arrivals;

void receive(int number) {
    int saved = errno, descriptor = receivers[number].load() - 1;
    u8 byte = u8(number);
    // A full pipe holds so many events already that one more makes no difference.
    if (descriptor >= 0 && write(descriptor, &byte, 1) < 0)
        errno = saved;
    arrivals.fetch_add(1); // behind the byte: whoever sees it finds that
    errno = saved;
}

}

int signalNumber(std::string_view name) {
    if (!name.starts_with("SIG"))
        return 0;
    for (const NamedSignal& signal : signals)
        if (name == signal.name)
            return signal.number;
    return 0;
}

const char* signalName(int number, unsigned index) {
    for (const NamedSignal& signal : signals)
        if (signal.number == number && index-- == 0)
            return signal.name;
    return nullptr;
}

SignalInbox::~SignalInbox() {
    while (!saved_.empty())
        ignore(saved_.back().number);
    if (read_ >= 0) {
        close(read_);
        close(write_);
    }
}

bool SignalInbox::open() {
    if (read_ >= 0)
        return true;
    int ends[2];
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC))
        return false;
    read_ = ends[0];
    write_ = ends[1];
    return true;
}

bool SignalInbox::listen(int number) {
    if (listensTo(number))
        return true;
    if (number <= 0 || number >= MostSignals || number == SIGKILL || number == SIGSTOP) {
        errno = EINVAL;
        return false;
    }
    if (!open())
        return false;
    receivers[number].store(write_ + 1);
    struct sigaction action { };
    Saved saved{number, {}};
    action.sa_handler = receive;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask);
    if (sigaction(number, &action, &saved.action)) {
        receivers[number].store(0);
        return false;
    }
    saved_.push_back(saved);
    listened_ |= u64(1) << number;
    return true;
}

void SignalInbox::ignore(int number) {
    auto saved = std::find_if(saved_.begin(), saved_.end(), [&](const Saved& each) { return each.number == number; });
    if (saved == saved_.end())
        return;
    // Another loop may have listened since: then it is the one to put things back.
    if (receivers[number].load() == write_ + 1) {
        sigaction(number, &saved->action, nullptr);
        receivers[number].store(0);
    }
    saved_.erase(saved);
    listened_ &= ~(u64(1) << number);
}

void SignalInbox::drain() {
    u8 bytes[256];
    ssize_t count;
    while (read_ >= 0 && ((count = read(read_, bytes, sizeof bytes)) > 0 || (count < 0 && errno == EINTR)))
        for (ssize_t i = 0; i < count; i++)
            if (bytes[i])
                arrived_.push_back(bytes[i]);
}

int SignalInbox::next() {
    if (u32 now = arrivals.load(); now != seen_) {
        seen_ = now;
        drain();
    }
    while (taken_ < arrived_.size()) {
        int number = arrived_[taken_++];
        if (listensTo(number))
            return number;
    }
    arrived_.clear();
    taken_ = 0;
    return 0;
}

}
