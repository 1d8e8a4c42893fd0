// What this process sees of the history; history_file.h is how it is kept.
#include "interp/terminal/history.h"
#include "interp/terminal/history_file.h"
#include <cstring>

namespace scr {

History::History(std::string path)
    : path_(std::move(path)) { }

History::~History() { flush(); }

void History::load() {
    if (path_.empty())
        return;
    std::vector<std::string> read;
    if (int error = readHistoryFile(path_, MaximumBytes * 2, read))
        error_ = "cannot read the history " + path_ + ": " + strerror(error);
    if (read.size() > MaximumEntries)
        read.erase(read.begin(), read.end() - MaximumEntries);
    read.insert(read.end(), entries_.begin(), entries_.end());
    entries_ = std::move(read);
}

void History::add(std::string_view entry) {
    while (!entry.empty() && entry.back() == '\n')
        entry.remove_suffix(1);
    bool isBlank = entry.find_first_not_of(" \t\n") == entry.npos;
    if (isBlank || entry.size() > MaximumBytes / 4 || (!entries_.empty() && entries_.back() == entry))
        return;
    entries_.emplace_back(entry);
    if (entries_.size() > MaximumEntries * 2)
        entries_.erase(entries_.begin(), entries_.end() - MaximumEntries);
    if (path_.empty())
        return;
    unsaved_.emplace_back(entry);
    isDirty_ = true;
    if (unsaved_.size() > MaximumEntries * 2)
        unsaved_.erase(unsaved_.begin(), unsaved_.end() - MaximumEntries);
}

void History::flush() {
    if (!isDirty_)
        return;
    isDirty_ = false;
    int error = addToHistoryFile(path_, unsaved_, MaximumEntries, MaximumBytes);
    if (error)
        error_ = "cannot write the history " + path_ + ": " + strerror(error);
    else
        error_.clear();
    // A full disk may have room again later; a device will never give anything back.
    if (!error || unsaved_.size() > MaximumEntries)
        unsaved_.clear();
}

}
