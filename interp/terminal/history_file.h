// The file of a History. One entry a line, oldest first; in an entry a line break is \n and a backslash \\.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace scr {

/// The entries of a text of that form. Nothing is malformed: an unknown escape stands for itself.
std::vector<std::string> parseHistory(std::string_view text);
std::string formatHistory(const std::vector<std::string>& entries);

/// Reads at most `limit` bytes from the end of a regular file. 0, or the error of the system; a file that is not there
/// or is no regular file has no entries.
int readHistoryFile(const std::string& path, size_t limit, std::vector<std::string>& entries);

/// Adds entries to the file under a lock: what stands in it, then `added`, at most `entryLimit` entries and `byteLimit`
/// bytes of them. 0, or the error of the system: then the file is as it was.
int addToHistoryFile(
    const std::string& path, const std::vector<std::string>& added, size_t entryLimit, size_t byteLimit);

}
