// Signals as events of the loop: a handler writes the number into a pipe, and the loop reads it when it would sleep.
// The invariants: the action that a signal had before somebody listened is in force again when nobody does; a process
// has its signals once, so of several loops the one that listened to a signal last gets it.
#pragma once
#include "runtime/base/platform.h"
#include <atomic>
#include <csignal>
#include <string_view>
#include <vector>

namespace scr {

/// The number of "SIGINT" and its like; 0 if there is no such signal.
int signalNumber(std::string_view name);
/// The names of a number, one after the other; null behind the last. (Some numbers have two.)
const char* signalName(int number, unsigned index);

/// The pipe that wakes a sleeping loop, and the signals that it listens to.
class SignalInbox {
public:
    SignalInbox() = default;
    ~SignalInbox();
    SignalInbox(const SignalInbox&) = delete;

    /// Makes the pipe, if it is not there: false (and errno) if that cannot be.
    bool open();
    /// The ends of the pipe; -1 before open().
    int readDescriptor() const { return read_; }
    int writeDescriptor() const { return write_; }

    /// From now on the signal is an event. False, with errno: it cannot be caught.
    bool listen(int number);
    void ignore(int number);
    bool listening() const { return listened_ != 0; }
    bool listensTo(int number) const { return number > 0 && number < 64 && (listened_ >> number & 1); }

    /// The next signal that came, in the order in which they came; 0: no more.
    int next();
    /// Empties the pipe: signals are kept for next(), what only woke the loop is gone.
    void drain();

private:
    int read_ = -1, write_ = -1;
    u64 listened_ = 0; ///< a bit for each number
    std::vector<u8> arrived_; ///< read from the pipe, not taken yet
    size_t taken_ = 0;
    u32 seen_ = 0; ///< of the arrivals in this process
    struct Saved {
        int number;
        struct sigaction action;
    };
    std::vector<Saved> saved_; ///< what they did before
};

}
