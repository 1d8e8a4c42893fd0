// OutputStream: bytes on their way to a file descriptor. Invariants: bytes leave in the order in which they were
// written; what is pending is small (below `capacity`) and young (written during the last millisecond, or nobody has
// had the processor since): whoever sleeps, ends or runs for long calls flush().
#pragma once
#include "runtime/base/platform.h"
#include <string_view>

namespace scr {

class OutputStream {
public:
    /// `before` is flushed before this stream writes, so that diagnostics stand behind the output they belong to.
    explicit OutputStream(int fd, OutputStream* before = nullptr)
        : fd_(fd)
        , before_(before) { }
    ~OutputStream();
    OutputStream(const OutputStream&) = delete;
    OutputStream& operator=(const OutputStream&) = delete;

    void write(std::string_view bytes);
    /// Hands everything to the system; waits where a non-blocking reader is slow.
    void flush();
    bool pending() const { return length_ != 0; }
    /// How many bytes have been handed to the system.
    u64 sent() const { return sent_; }
    int fd() const { return fd_; }
    bool isTerminal();
    /// Of the terminal; 0 if it is none.
    unsigned columns();
    unsigned rows();
    /// 0, or the errno of the first write that failed. EPIPE: nobody reads any more. Nothing is written from then on.
    int error() const { return error_; }

    /// Called once, when the reader is found to have gone.
    void (*onClosed)() = nullptr;
    /// Asked when a signal came while the reader was slow: whether to write no more.
    bool (*givesUp)() = nullptr;
    /// Called before bytes are handed to the system: whoever shares the terminal makes room.
    void (*onSend)() = nullptr;
    /// The last byte that was handed over ended a line, or there was none.
    bool atLineStart() const { return last_ == '\n'; }

private:
    static constexpr unsigned capacity = 16 * 1024;
    void send(const char* bytes, size_t length);
    bool stale();

    int fd_;
    OutputStream* before_;
    char* buffer_ = nullptr;
    u64 sent_ = 0;
    unsigned length_ = 0;
    char last_ = '\n';
    int error_ = 0;
    u64 lastSent_ = 0; // coarse milliseconds
    signed char terminal_ = -1; // not asked yet
};

}
