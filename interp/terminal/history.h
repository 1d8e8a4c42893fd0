// History: what was entered, oldest first, and the file that keeps it.
//
// Invariants: an entry comes back exactly as it was entered, however many lines it has; the file is replaced as a whole
// or not at all, and what another process added meanwhile stays in it. Nothing that is wrong with the file stops
// anybody: error() says it, and the entries of this process go on in memory.
#pragma once
#include "runtime/base/platform.h"
#include <string>
#include <string_view>
#include <vector>

namespace scr {

class History {
public:
    static constexpr size_t MaximumEntries = 1000;
    static constexpr size_t MaximumBytes = 4 << 20; ///< of the file; an entry longer than a quarter of it is not kept

    /// An empty path: memory only. Reads nothing yet.
    explicit History(std::string path = "");
    ~History(); ///< flushes
    History(const History&) = delete;

    /// Reads the file; missing folders are made when it is first written.
    void load();
    /// Adds an entry unless it is blank or equal to the last. flush() writes it.
    void add(std::string_view entry);
    /// Writes what was added since the last time.
    void flush();

    size_t size() const { return entries_.size(); }
    /// 0 is the oldest.
    const std::string& at(size_t i) const { return entries_[i]; }
    /// Why the file could not be read or written, for people; empty = nothing is wrong.
    const std::string& error() const { return error_; }

private:
    std::string path_, error_;
    std::vector<std::string> entries_; // as this process sees them: the file when it was read, and its own
    std::vector<std::string> unsaved_;
    bool isDirty_ = false; // something was added since the last try to write
};

}
