// The signals that the interactive mode lives with: ^C, the size of the terminal, a stop, an end.
//
// Invariant: handlers note what came and no more. Signals reach the process only while script runs or wait() sleeps, so
// none gets lost between a look at a flag and sleeping.
#pragma once
#include "runtime/core/vm.h"
#include <csignal>

namespace scr {

/// What ended a wait.
enum class Woken : u8 {
    Input, ///< it can be read, or was closed
    Loop, ///< the loop has something to do: a signal that a script listens to
    Other, ///< the time is over, or a signal of the prompt came
};

class ReplSignals {
public:
    explicit ReplSignals(Vm& vm);
    ~ReplSignals();
    ReplSignals(const ReplSignals&) = delete;

    /// Sleeps until a descriptor (-1: none) can be read, a signal came, or the time (milliseconds, -1: for ever) is
    /// over.
    Woken wait(int input, int wake, i64 milliseconds);

    /// Whether it came since the last time.
    static bool takeInterrupt();
    /// As if it had come.
    static void noteInterrupt();
    static bool takeResize();
    static bool takeContinue();
    /// SIGTERM or SIGHUP, or 0.
    static int ending();
    /// Stops the process as ^Z does; returns when it goes on.
    void stop();

    /// While one lives, signals are delivered, and ^C ends what runs in the Vm.
    class Running {
    public:
        explicit Running(ReplSignals& signals);
        ~Running();
        Running(const Running&) = delete;

    private:
        ReplSignals& signals_;
    };

private:
    Vm& vm_;
    sigset_t caught_, before_;
};

}
