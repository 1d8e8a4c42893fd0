// Child processes of the command line: several at once under one poll, each in a process group of its own.
// The invariant: when Children goes, or this process dies, no child of it is left, whatever the children did.
#pragma once
#include "runtime/base/platform.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scr {

enum class ChildStream : u8 {
    Null, ///< /dev/null
    Inherit, ///< this process's own
    Pipe, ///< from or to this process
};

struct ChildRequest {
    std::vector<std::string> arguments; ///< the first is the program, looked for in PATH if it has no slash
    std::vector<std::string> environment; ///< NAME=VALUE, in the place of what this process has under the name
    std::string folder; ///< where it runs; empty: here
    ChildStream in = ChildStream::Null, out = ChildStream::Pipe, err = ChildStream::Pipe;
    u32 extra = 0; ///< so many pipes more that it can write to: its descriptors 3, 4...
    u64 timeLimit = 0; ///< milliseconds until it is killed; 0: none
};

/// How a child ended.
struct ChildEnd {
    int status = -1; ///< exit status; -1: by a signal
    int signal = 0; ///< which; 0: none
    bool timedOut = false; ///< it was killed for its time limit
    u64 nanoseconds = 0; ///< from its start to its end
};

/// Is told what children do, from within Children::turn().
class ChildWatcher {
public:
    /// What `child` wrote to its descriptor 1, 2, 3... Never empty.
    virtual void childWrote(u32 child, int descriptor, std::string_view bytes) = 0;
    /// Nothing comes from it any more, and all of its process group is dead.
    virtual void childEnded(u32 child, const ChildEnd& end) = 0;

protected:
    ~ChildWatcher() = default;
};

/// At most one lives at a time: it handles SIGCHLD, SIGINT, SIGTERM and SIGHUP while it does.
class Children {
public:
    explicit Children(ChildWatcher& watcher);
    ~Children();
    Children(const Children&) = delete;

    /// False, with what is wrong in `error`, if it cannot be started. `child`: a number of the caller's.
    bool start(u32 child, const ChildRequest& request, std::string& error);
    /// Queues text for its standard input (ChildStream::Pipe).
    void write(u32 child, std::string_view text);
    /// No more comes after what is queued.
    void closeInput(u32 child);
    /// To its whole process group.
    void kill(u32 child, int signal);
    size_t running() const { return children_.size(); }
    /// Sleeps until something happens, tells the watcher what. False: a signal wants this process to end.
    bool turn();
    /// That signal; 0: none.
    int interruption() const;
    /// Kills all children, then this process by that signal.
    [[noreturn]] void dieInterrupted();

private:
    struct Child;
    Child* find(u32 child);
    void reap();
    void transfer(Child& child, int what);
    void finish(Child& child);
    void killLate();
    int sleepTime() const;

    ChildWatcher& watcher_;
    std::vector<std::unique_ptr<Child>> children_;
};

/// How many processors this process may use, at least 1.
u32 processorCount();

}
