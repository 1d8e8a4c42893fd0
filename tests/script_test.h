// One script of the test tree: what it expects, how it is run, and what is wrong with the outcome.
// README.md of this folder is the description of the comments that are read here.
#pragma once
#include "tests/process.h"

#include <optional>
#include <string>
#include <vector>

namespace scr::test {

/// How the whole run goes: which program, and what is added to each command.
struct Settings {
    std::string program; // absolute path of scr, or of node
    bool node = false;
    bool asan = false;
    bool gcStress = false;
    std::vector<std::string> flags; // before each script
    double patience = 1; // factor on every time limit
    std::string scratch; // a folder for the copies that node runs
};

struct ExpectedError {
    int line = 0;
    int column = 0;
    std::string message;
};

struct ScriptTest {
    enum class Kind { Run, DumpAst, DumpBytecode };

    std::string path; // from the root of the project
    std::string folder;
    std::string file; // name within the folder
    Kind kind = Kind::Run;
    bool golden = false; // X.expected may be written anew
    std::string source;

    std::vector<std::string> lines; // of standard output, from comments
    std::vector<std::string> errorLines; // of standard error, in this order, others may stand between
    std::optional<std::string> expected; // standard output, from X.expected
    std::optional<ExpectedError> error;
    std::optional<int> exit;
    std::vector<std::string> flags;
    std::vector<std::string> arguments;
    std::optional<std::vector<std::string>> command; // the whole command line instead of the script and its flags
    std::string input;
    double seconds = 20;
    bool isModule = false; // node must be told by the name
    bool withFolder = false; // node needs the files beside it too
    bool skipAsan = false, skipNode = false, skipGcStress = false;
    std::string complaint; // the comments themselves are wrong

    std::string expectedPath() const;
    bool expectsSomething() const;
};

/// Reads the script at `path` and the X.expected beside it.
ScriptTest readScriptTest(const std::string& path);

/// False for what this kind of run leaves out: dumps under node, tests marked with skip-...
bool takesPart(const ScriptTest& test, const Settings& settings);

/// Runs it as `settings` say.
ProcessResult runScript(const ScriptTest& test, const Settings& settings);

/// What is wrong with the outcome, for people; empty when all is as expected.
std::string judge(const ScriptTest& test, const Settings& settings, const ProcessResult& result);

/// The whole content of a file; nothing when it cannot be read.
std::optional<std::string> readFile(const std::string& path);

}
