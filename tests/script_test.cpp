// Reading expectations, running, judging. The rules are those of README.md in this folder.
#include "tests/script_test.h"
#include "tests/diff.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

namespace scr::test {

namespace {

constexpr std::string_view strictPrologue = "\"use strict\";";

std::string_view trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

bool takePrefix(std::string_view& text, std::string_view prefix) {
    if (text.substr(0, prefix.size()) != prefix)
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

// Blanks separate words; single quotes keep them together.
std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> result;
    std::string word;
    bool quoted = false, any = false;
    for (char c : trim(text)) {
        if (c == '\'') {
            quoted = !quoted, any = true;
        } else if (c == ' ' && !quoted) {
            if (any)
                result.push_back(word);
            word.clear(), any = false;
        } else {
            word += c, any = true;
        }
    }
    if (any)
        result.push_back(word);
    return result;
}

// "L:C: Message" or "L:C".
std::optional<ExpectedError> parseError(std::string_view text) {
    ExpectedError error;
    int consumed = 0;
    std::string copy(trim(text));
    if (sscanf(copy.c_str(), "%d:%d%n", &error.line, &error.column, &consumed) != 2)
        return std::nullopt;
    std::string_view rest = std::string_view(copy).substr(size_t(consumed));
    if (!rest.empty() && !takePrefix(rest, ":"))
        return std::nullopt;
    error.message = trim(rest);
    return error;
}

// The expectation at the end of a line, if there is one.
void readExpectation(ScriptTest& test, std::string_view line) {
    size_t at = line.rfind("// expect");
    if (at == std::string_view::npos)
        return;
    std::string_view text = line.substr(at + strlen("// expect"));
    if (takePrefix(text, ":")) {
        takePrefix(text, " ");
        test.lines.emplace_back(text);
    } else if (takePrefix(text, " stderr: ")) {
        test.errorLines.emplace_back(text);
    } else if (takePrefix(text, " error ")) {
        if (test.error)
            test.complaint = "two expected errors: a script ends at its first";
        test.error = parseError(text);
        if (!test.error)
            test.complaint = "write '// expect error LINE:COLUMN: Message'";
    }
}

// A comment that stands alone on its line and says how to run.
void readDirective(ScriptTest& test, std::string_view line) {
    line = trim(line);
    if (takePrefix(line, "// exit: "))
        test.exit = atoi(std::string(line).c_str());
    else if (takePrefix(line, "// flags: "))
        test.flags = words(line);
    else if (takePrefix(line, "// args: "))
        test.arguments = words(line);
    else if (takePrefix(line, "// run: "))
        test.command = words(line);
    else if (takePrefix(line, "// stdin-file: "))
        test.input = readFile(test.folder + "/" + std::string(line)).value_or("");
    else if (takePrefix(line, "// stdin: "))
        (test.input += line) += '\n';
    else if (line == "// module")
        test.isModule = true;
    else if (takePrefix(line, "// timeout: "))
        test.seconds = atof(std::string(line).c_str());
    else if (takePrefix(line, "// skip-asan"))
        test.skipAsan = true;
    else if (takePrefix(line, "// skip-node"))
        test.skipNode = true;
    else if (takePrefix(line, "// skip-gcstress"))
        test.skipGcStress = true;
}

ScriptTest::Kind kindOf(std::string_view path) {
    if (path.starts_with("tests/golden/ast/"))
        return ScriptTest::Kind::DumpAst;
    if (path.starts_with("tests/golden/bytecode/"))
        return ScriptTest::Kind::DumpBytecode;
    return ScriptTest::Kind::Run;
}

std::string stem(const std::string& file) { return file.substr(0, file.rfind('.')); }

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

// A module is one by its name there.
std::string nameForNode(const ScriptTest& test) { return stem(test.file) + (test.isModule ? ".mjs" : ".js"); }

// Node must see a strict script: the directive goes in front of the text of the first line, so that lines keep their
// numbers. Returns the path of the copy.
std::string copyForNode(const ScriptTest& test, const Settings& settings) {
    static std::atomic<int> next{0};
    std::string folder = settings.scratch + "/" + std::to_string(next++);
    std::filesystem::create_directories(folder);
    if (test.withFolder)
        std::filesystem::copy(test.folder, folder,
            std::filesystem::copy_options::recursive | std::filesystem::copy_options::copy_symlinks);
    std::string path = folder + "/" + nameForNode(test);
    if (FILE* file = fopen(path.c_str(), "wb")) {
        fwrite(strictPrologue.data(), 1, strictPrologue.size(), file);
        if (std::string_view(test.source).starts_with("#!"))
            fputs("//", file);
        fwrite(test.source.data(), 1, test.source.size(), file);
        fclose(file);
    }
    return path;
}

struct Place {
    int line = 0;
    int column = 0;
};

// "NAME:LINE" or "NAME:LINE:COLUMN" at the end of `text`, where NAME ends with `file`.
bool parsePlace(std::string_view text, std::string_view file, Place& place) {
    size_t at = text.rfind(file);
    if (at == std::string_view::npos)
        return false;
    text.remove_prefix(at + file.size());
    if (!takePrefix(text, ":"))
        return false;
    std::string numbers(text);
    int consumed = 0;
    place.column = 0;
    if (sscanf(numbers.c_str(), "%d%n", &place.line, &consumed) != 1)
        return false;
    if (size_t(consumed) < numbers.size() && numbers[size_t(consumed)] == ':')
        sscanf(numbers.c_str() + consumed, ":%d", &place.column);
    return true;
}

// The places that an error report names: that of the caret, and that of the innermost frame of its stack.
std::vector<Place> reportedPlaces(std::string_view text, std::string_view file) {
    std::vector<Place> places;
    std::vector<std::string> lines = splitLines(text);
    bool frameSeen = false;
    for (size_t i = 0; i < lines.size(); i++) {
        Place place;
        std::string_view line = lines[i];
        if (line.starts_with("    at ")) {
            if (!frameSeen && parsePlace(line, file, place))
                places.push_back(place), frameSeen = true;
        } else if (i + 2 < lines.size() && parsePlace(line, file, place) && place.column == 0) {
            size_t caret = lines[i + 2].find('^');
            if (caret != std::string::npos)
                place.column = int(caret) + 1;
            places.push_back(place);
        }
    }
    return places;
}

std::string judgeError(const ScriptTest& test, const Settings& settings, const ProcessResult& result) {
    const ExpectedError& error = *test.error;
    std::string message = error.message;
    bool lineOnly = false;
    if (settings.node) {
        // The wording of syntax errors, and the token at fault within a line, are each engine's own.
        lineOnly = message.starts_with("SyntaxError");
        message = message.substr(0, message.find(':'));
    }
    std::string wrong;
    if (result.err.find(message) == std::string::npos)
        wrong += "the message does not contain: " + message + "\n";
    std::string file = settings.node ? nameForNode(test) : test.file;
    std::string seen;
    bool found = false;
    for (Place place : reportedPlaces(result.err, file)) {
        if (settings.node && place.line == 1 && place.column > int(strictPrologue.size()))
            place.column -= int(strictPrologue.size());
        found = found || (place.line == error.line && (lineOnly || place.column == error.column));
        seen += " " + std::to_string(place.line) + ":" + std::to_string(place.column);
    }
    if (!found)
        wrong += "expected at " + std::to_string(error.line) + ":" + std::to_string(error.column) + ", reported at"
            + (seen.empty() ? " no place" : seen) + "\n";
    return wrong;
}

std::string judgeErrorLines(const ScriptTest& test, std::string_view err) {
    size_t next = 0;
    for (const std::string& line : splitLines(err)) {
        if (next < test.errorLines.size() && line == test.errorLines[next])
            next++;
    }
    if (next == test.errorLines.size())
        return {};
    return "standard error lacks, in this place: " + test.errorLines[next] + "\n";
}

// How the process ended, against how it should have.
std::string judgeEnd(const ScriptTest& test, const Settings& settings, const ProcessResult& result) {
    if (result.timedOut)
        return "still running after " + std::to_string(int(result.seconds)) + " s\n";
    int expected = test.exit.value_or(test.error ? 1 : 0);
    // As a shell tells it: 128 and the signal.
    int status = result.signal ? 128 + result.signal : result.status;
    if (result.signal && status != expected)
        return "ended by signal " + std::to_string(result.signal) + " (" + strsignal(result.signal) + ")\n";
    if (result.err.find("ERROR: AddressSanitizer") != std::string::npos
        || result.err.find(": runtime error: ") != std::string::npos)
        return "a sanitizer found an error\n";
    if (status != expected)
        return "exit status " + std::to_string(status) + ", expected " + std::to_string(expected) + "\n";
    bool quiet = expected == 0 && test.errorLines.empty() && !settings.node;
    if (quiet && !result.err.empty())
        return "unexpected text on standard error\n";
    return {};
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        (text += line) += '\n';
    return text;
}

}

std::string ScriptTest::expectedPath() const { return stem(path) + ".expected"; }

bool ScriptTest::expectsSomething() const {
    return golden || expected || exit || error || !lines.empty() || !errorLines.empty();
}

std::optional<std::string> readFile(const std::string& path) {
    FILE* file = fopen(path.c_str(), "rb");
    if (!file)
        return std::nullopt;
    std::string text;
    char buffer[65536];
    while (size_t n = fread(buffer, 1, sizeof buffer, file))
        text.append(buffer, n);
    fclose(file);
    return text;
}

ScriptTest readScriptTest(const std::string& path) {
    ScriptTest test;
    test.path = path;
    size_t slash = path.rfind('/');
    test.folder = slash == std::string::npos ? "." : path.substr(0, slash);
    test.file = slash == std::string::npos ? path : path.substr(slash + 1);
    test.kind = kindOf(path);
    test.golden = path.starts_with("tests/golden/");
    test.withFolder = path.starts_with("tests/modules/") || path.starts_with("tests/lang/modules/");
    test.source = readFile(path).value_or("");
    test.expected = readFile(test.expectedPath());
    for (const std::string& line : splitLines(test.source)) {
        // A dump shows the comments' own line numbers; what it expects stands in its file alone.
        if (test.kind == ScriptTest::Kind::Run)
            readExpectation(test, line);
        readDirective(test, line);
    }
    if (test.expected && !test.lines.empty())
        test.complaint = "both '// expect:' comments and a .expected file";
    else if (!test.expectsSomething())
        test.complaint = "nothing is expected: add '// expect: text' at the ends of lines";
    return test;
}

bool takesPart(const ScriptTest& test, const Settings& settings) {
    if (settings.node)
        return test.kind == ScriptTest::Kind::Run && test.flags.empty() && !test.command && !test.skipNode;
    if (settings.gcStress)
        return test.kind == ScriptTest::Kind::Run && !test.skipGcStress;
    return !(settings.asan && test.skipAsan);
}

ProcessResult runScript(const ScriptTest& test, const Settings& settings) {
    ProcessRequest request;
    request.argv.push_back(settings.program);
    for (const std::string& flag : settings.flags)
        request.argv.push_back(flag);
    for (const std::string& flag : test.flags)
        request.argv.push_back(flag);
    if (test.kind == ScriptTest::Kind::DumpAst)
        request.argv.emplace_back("--dump-ast");
    else if (test.kind == ScriptTest::Kind::DumpBytecode)
        request.argv.emplace_back("--dump-bytecode");
    if (test.command)
        request.argv.insert(request.argv.end(), test.command->begin(), test.command->end());
    else
        request.argv.push_back(settings.node ? copyForNode(test, settings) : test.file);
    for (const std::string& argument : test.arguments)
        request.argv.push_back(argument);
    request.folder = test.folder;
    request.input = test.input;
    request.seconds = test.seconds * settings.patience;
    ProcessResult result = runProcess(request);
    if (settings.node) {
        std::string copy = request.argv[1 + settings.flags.size()];
        replaceAll(result.out, copy, test.file);
        replaceAll(result.out, nameForNode(test), test.file);
    }
    return result;
}

std::string judge(const ScriptTest& test, const Settings& settings, const ProcessResult& result) {
    if (!test.complaint.empty())
        return test.complaint + "\n";
    if (test.golden && !test.expected)
        return "there is no " + test.expectedPath() + ": 'make regold' writes it\n";
    std::string wrong = judgeEnd(test, settings, result);
    std::string expected = test.expected.value_or(joined(test.lines));
    if (std::string difference = diff(expected, result.out); !difference.empty())
        wrong += "standard output differs (- expected, + got):\n" + difference;
    if (test.error)
        wrong += judgeError(test, settings, result);
    // What stands below the excerpt of a syntax error is ours alone.
    bool hasOwnNotes = test.error && test.error->message.starts_with("SyntaxError");
    if (!settings.node || !hasOwnNotes)
        wrong += judgeErrorLines(test, result.err);
    if (!wrong.empty() && !result.err.empty())
        wrong += "standard error was:\n" + result.err.substr(0, 4000);
    return wrong;
}

}
