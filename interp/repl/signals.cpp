// Handlers, masks and the one system call in which the prompt waits.
#include "interp/repl/signals.h"
#include <cerrno>
#include <poll.h>
#include <time.h>
#include <utility>

namespace scr {

namespace {

volatile sig_atomic_t interrupted, resized, continued, endedBy;
volatile sig_atomic_t running;
Vm* interruptible;

void note(int signal) {
    int saved = errno;
    switch (signal) {
    case SIGINT: interrupted = 1; break;
    case SIGWINCH: resized = 1; break;
    case SIGCONT: continued = 1; break;
    default: endedBy = signal; break;
    }
    if (running && (signal == SIGINT || endedBy))
        interruptible->requestInterrupt();
    errno = saved;
}

bool take(volatile sig_atomic_t& flag) {
    bool was = flag;
    flag = 0;
    return was;
}

}

ReplSignals::ReplSignals(Vm& vm)
    : vm_(vm) {
    interruptible = &vm;
    sigemptyset(&caught_);
    struct sigaction action { };
    action.sa_handler = note;
    for (int signal : {SIGINT, SIGWINCH, SIGCONT, SIGTERM, SIGHUP}) {
        sigaddset(&caught_, signal);
        sigaction(signal, &action, nullptr);
    }
    sigprocmask(SIG_BLOCK, &caught_, &before_);
}

ReplSignals::~ReplSignals() {
    for (int signal : {SIGINT, SIGWINCH, SIGCONT, SIGTERM, SIGHUP})
        ::signal(signal, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
    interruptible = nullptr;
}

Woken ReplSignals::wait(int input, int wake, i64 milliseconds) {
    timespec limit{time_t(milliseconds / 1000), long(milliseconds % 1000 * 1000000)};
    pollfd descriptors[] = {{input, POLLIN, 0}, {wake, POLLIN, 0}}; // negative ones are passed over
    int count = ppoll(descriptors, 2, milliseconds < 0 ? nullptr : &limit, &before_);
    if (count <= 0)
        return Woken::Other;
    return descriptors[0].revents ? Woken::Input : Woken::Loop;
}

bool ReplSignals::takeInterrupt() { return take(interrupted); }
void ReplSignals::noteInterrupt() { interrupted = 1; }
bool ReplSignals::takeResize() { return take(resized); }
bool ReplSignals::takeContinue() { return take(continued); }
int ReplSignals::ending() { return endedBy; }

void ReplSignals::stop() {
    raise(SIGTSTP);
    // Whoever asked for the stop knows that it is over; the signal itself still waits, for it is blocked.
    sigset_t waking;
    sigemptyset(&waking);
    sigaddset(&waking, SIGCONT);
    timespec none{};
    sigtimedwait(&waking, nullptr, &none);
    continued = 0;
}

ReplSignals::Running::Running(ReplSignals& signals)
    : signals_(signals) {
    running = 1;
    sigprocmask(SIG_UNBLOCK, &signals_.caught_, nullptr);
}

ReplSignals::Running::~Running() {
    sigprocmask(SIG_BLOCK, &signals_.caught_, nullptr);
    running = 0;
}

}
