// Which files `scr test` runs.
#pragma once
#include <string>
#include <vector>

namespace scr {

/// Whole paths: of the files named, of every *.test.scr in and below the folders named, or of those below the current
/// folder if nothing is named; hidden folders and node_modules are left out. Each once, those of a folder by name.
/// False: `missing` is not there, or a folder without such files.
bool findTestFiles(const std::vector<std::string>& named, std::vector<std::string>& files, std::string& missing);

}
