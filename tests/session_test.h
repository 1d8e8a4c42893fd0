// One session of a person with scr on a real terminal: a file of steps, played in tmux.
// The invariants: nothing waits for a fixed time, every expectation looks at the screen until it is as it should be or
// the time is over; each session has its own tmux server, home and folder, which are gone when it ends.
// README.md of tests/repl is the description of the steps.
#pragma once
#include "tests/script_test.h"

#include <string>
#include <vector>

namespace scr::test {

/// The sessions under tests/repl, from the root of the project.
std::vector<std::string> findSessions();

/// Plays it: what went wrong, for people, with the screen as it was; empty when all is as expected.
std::string checkSession(const std::string& path, const Settings& settings);

}
