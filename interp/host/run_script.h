// Running what the command line asks for in an Engine of its own.
#pragma once
#include "interp/host/cli.h"
#include "interp/host/engine.h"
#include "runtime/loop/event_loop.h"

namespace scr {

/// The command's exit statuses, beside those that a run ends with (Outcome::exitCode).
constexpr int StatusFailed = 1, StatusUsage = 9;

/// How `scr test` tells a process that it runs a test file for it: the variable says the descriptor, and c for colours.
constexpr const char* TestChannelVariable = "SCR_TEST_CHANNEL";
constexpr int TestChannel = 3;

/// The path of this program.
std::string executablePath(const char* invokedAs);
/// A path from the root, with links followed; as it is if there is no such file.
std::string absolutePath(const std::string& name);
/// Gives a new engine what the command line says: arguments, modes, limits that are not in EngineLimits.
void setUp(Engine& engine, const CommandLine& line, const char* invokedAs);
/// What node:test goes by. A test file that `scr test` runs tells on the channel what becomes of its tests.
TestSettings testSettings(const CommandLine& line);
/// Reads the script, runs it to its end, tells what went wrong: the exit status. In most builds it does not return.
int runScript(const CommandLine& line, const char* invokedAs);

}
