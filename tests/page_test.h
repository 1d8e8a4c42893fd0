// The code blocks of the README and of docs/: each is run, and what stands below it is what it prints.
// tests/README.md says how a page is written.
#pragma once
#include "tests/script_test.h"

namespace scr::test {

/// The pages that have code, from the root of the project.
std::vector<std::string> findPages();

/// Runs the blocks of a page, in order, in an empty folder. What is wrong, for people; empty when all is as written.
std::string checkPage(const std::string& path, const Settings& settings);

}
