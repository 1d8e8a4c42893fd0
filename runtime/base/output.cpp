// Writing: at once on a terminal at each line's end and when the last bytes left more than a millisecond ago, else in
// blocks.
#include "runtime/base/output.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

namespace scr {

namespace {

u64 coarseMilliseconds() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return u64(now.tv_sec) * 1000 + u64(now.tv_nsec) / 1000000;
}

}

OutputStream::~OutputStream() {
    flush();
    std::free(buffer_);
}

bool OutputStream::isTerminal() {
    if (terminal_ < 0)
        terminal_ = isatty(fd_) ? 1 : 0;
    return terminal_;
}

static winsize sizeOf(int descriptor) {
    winsize size{};
    if (ioctl(descriptor, TIOCGWINSZ, &size))
        size = {};
    return size;
}
unsigned OutputStream::columns() { return isTerminal() ? sizeOf(fd_).ws_col : 0; }
unsigned OutputStream::rows() { return isTerminal() ? sizeOf(fd_).ws_row : 0; }

void OutputStream::send(const char* bytes, size_t length) {
    if (onSend)
        onSend();
    if (length)
        last_ = bytes[length - 1];
    while (length && !error_) {
        ssize_t sent = ::write(fd_, bytes, length);
        if (sent >= 0) {
            bytes += sent;
            sent_ += u64(sent);
            length -= size_t(sent);
            if (length && givesUp && givesUp()) // a signal came while it waited with the rest
                error_ = EINTR;
        } else if (errno == EAGAIN) {
            pollfd wait{fd_, POLLOUT, 0};
            if (poll(&wait, 1, -1) < 0 && errno == EINTR && givesUp && givesUp())
                error_ = EINTR;
        } else if (errno == EINTR) {
            if (givesUp && givesUp())
                error_ = EINTR;
        } else {
            error_ = errno;
            if (error_ == EPIPE && onClosed)
                onClosed();
        }
    }
}

void OutputStream::flush() {
    if (!length_)
        return;
    unsigned length = length_;
    length_ = 0;
    send(buffer_, length);
    lastSent_ = coarseMilliseconds();
}

bool OutputStream::stale() { return coarseMilliseconds() != lastSent_; }

void OutputStream::write(std::string_view bytes) {
    if (before_)
        before_->flush();
    if (error_ || bytes.empty())
        return;
    if (length_ + bytes.size() > capacity)
        flush();
    if (!buffer_ && bytes.size() <= capacity)
        buffer_ = static_cast<char*>(std::malloc(capacity));
    if (bytes.size() > capacity || !buffer_) {
        send(bytes.data(), bytes.size());
        return;
    }
    std::memcpy(buffer_ + length_, bytes.data(), bytes.size());
    length_ += unsigned(bytes.size());
    if (before_ || (isTerminal() && std::memchr(bytes.data(), '\n', bytes.size())) || stale())
        flush();
}

}
