// Reading and playing sessions. tmux is the terminal: what is typed goes to it as bytes (paste-buffer), the screen
// comes back as text (capture-pane).
#include "tests/session_test.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace fs = std::filesystem;

namespace scr::test {

namespace {

using Clock = std::chrono::steady_clock;

struct Step {
    int line = 0;
    std::string verb;
    std::string text;
    std::vector<std::string> rows; // of the screen, below `screen`
};

struct SessionTest {
    std::string path;
    std::vector<Step> steps;
    std::string complaint; // the file itself is wrong
};

// What a verb may have behind it, for the reader.
enum class Takes { Nothing, Text, Anything };
struct Verb {
    const char* name;
    Takes takes;
};
constexpr Verb verbs[] = {{"size", Takes::Text}, {"env", Takes::Text}, {"flags", Takes::Text}, {"run", Takes::Text},
    {"file", Takes::Text}, {"ready", Takes::Text}, {"patience", Takes::Text}, {"start", Takes::Nothing},
    {"type", Takes::Text}, {"line", Takes::Anything}, {"bytes", Takes::Text}, {"key", Takes::Text},
    {"paste", Takes::Text}, {"rawpaste", Takes::Text}, {"resize", Takes::Text}, {"expect", Takes::Text},
    {"row", Takes::Anything}, {"last", Takes::Anything}, {"gone", Takes::Text}, {"never", Takes::Text},
    {"styled", Takes::Text}, {"unstyled", Takes::Text}, {"cursor", Takes::Text}, {"screen", Takes::Nothing},
    {"filehas", Takes::Text}, {"exit", Takes::Text}, {"again", Takes::Nothing}};

std::string trimmedRight(std::string text) {
    text.erase(text.find_last_not_of(" \t\r\n") + 1);
    return text;
}

std::vector<std::string> splitLines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::vector<std::string> splitWords(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

// \n \r \t \e \\ \xHH.
std::string unescaped(const std::string& text) {
    std::string result;
    for (size_t i = 0; i < text.size(); i++) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            result += text[i];
            continue;
        }
        switch (char c = text[++i]) {
        case 'n': result += '\n'; break;
        case 'r': result += '\r'; break;
        case 't': result += '\t'; break;
        case 'e': result += '\x1b'; break;
        case 'x':
            result += char(strtol(text.substr(i + 1, 2).c_str(), nullptr, 16));
            i += 2;
            break;
        default: result += c;
        }
    }
    return result;
}

// For the shell that starts the program.
std::string quoted(const std::string& text) {
    std::string result = "'";
    for (char c : text)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

class Session {
public:
    Session(const SessionTest& test, const Settings& settings)
        : test_(test)
        , settings_(settings) { }

    std::string play() {
        char folder[] = "/tmp/scr-session-XXXXXX";
        if (!mkdtemp(folder))
            return "cannot make a folder for the session";
        folder_ = folder;
        fs::create_directory(folder_ + "/home");
        for (const Step& step : test_.steps) {
            std::string wrong = take(step);
            if (!wrong.empty()) {
                wrong = "line " + std::to_string(step.line) + ": " + step.verb + " " + step.text + "\n  " + wrong
                    + "\nthe screen:\n" + framed();
                stop();
                return wrong;
            }
        }
        stop();
        return "";
    }

private:
    void stop() {
        if (started_)
            tmux({"kill-server"});
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    ProcessResult tmux(std::vector<std::string> arguments, const std::string& input = "") {
        ProcessRequest request;
        request.argv = {"env", "-u", "TMUX", "TMUX_TMPDIR=" + folder_, "tmux", "-f", "/dev/null"};
        request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
        request.input = input;
        request.seconds = (seconds_ + 5) * settings_.patience;
        return runProcess(request);
    }

    std::string capture(bool styles = false) {
        std::vector<std::string> arguments{"capture-pane", "-p", "-t", "s"};
        if (styles)
            arguments.push_back("-e");
        return tmux(arguments).out;
    }

    // Rows without spaces at their ends, down to the last that is not blank.
    std::vector<std::string> rows() {
        std::vector<std::string> result = splitLines(capture());
        for (std::string& row : result)
            row = trimmedRight(row);
        while (!result.empty() && result.back().empty())
            result.pop_back();
        return result;
    }

    std::string framed() {
        std::string text;
        if (!started_)
            return "(not started)\n";
        for (const std::string& row : rows())
            text += "| " + row + "\n";
        return text;
    }

    // Looks again and again, a little less often each time.
    template <typename Condition> bool wait(Condition holds) {
        auto deadline = Clock::now() + std::chrono::milliseconds(int64_t(seconds_ * 1000 * settings_.patience));
        auto pause = std::chrono::milliseconds(5);
        while (!holds()) {
            if (Clock::now() > deadline)
                return false;
            std::this_thread::sleep_for(pause);
            pause = std::min(pause * 2, std::chrono::milliseconds(80));
        }
        return true;
    }

    std::string start() {
        started_ = true;
        std::string program = quoted(settings_.program);
        for (const std::string& flag : settings_.flags)
            program += " " + quoted(flag);
        program += flags_.empty() ? "" : " " + flags_;
        std::string command = command_.empty() ? "{scr}" : command_;
        for (size_t at; (at = command.find("{scr}")) != command.npos;)
            command.replace(at, 5, program);
        std::string environment = "HOME=" + quoted(folder_ + "/home")
            + " PATH=\"$PATH\" TERM=screen-256color LC_ALL=C.UTF-8 TZ=UTC PS1='$ ' "
              "ASAN_OPTIONS=detect_leaks=0:exitcode=99";
        for (const std::string& variable : environment_)
            environment += " " + quoted(variable);
        // A server that ended just now may still be there to refuse it.
        ProcessResult result;
        bool started = wait([&] {
            result = tmux({"new-session", "-d", "-s", "s", "-x", width_, "-y", height_, "-c", folder_,
                "exec env -i " + environment + " sh -c " + quoted("exec " + command), ";", "set", "-g",
                "remain-on-exit", "on", ";", "set", "-g", "status", "off", ";", "set", "-s", "escape-time", "0"});
            return result.status == 0 || result.err.find("server exited") == result.err.npos;
        });
        if (!started || result.status != 0)
            return "tmux does not start (is it installed?): " + result.err;
        std::string prompt = ready_.empty() ? ">" : ready_;
        return wait([&] { return hasRow(prompt); }) ? "" : "it is not ready: no row is \"" + prompt + "\"";
    }

    bool hasRow(const std::string& text) {
        for (const std::string& row : rows()) {
            if (row == trimmedRight(text))
                return true;
        }
        return false;
    }

    bool shows(const std::string& text) {
        for (const std::string& row : rows()) {
            if (row.find(text) != row.npos)
                return true;
        }
        return false;
    }

    // All at once, as they are: as typed on a keyboard, Enter is \r.
    std::string send(const std::string& bytes) {
        if (bytes.empty())
            return "";
        ProcessResult result = tmux({"load-buffer", "-", ";", "paste-buffer", "-r", "-d", "-t", "s"}, bytes);
        return result.status == 0 ? "" : "tmux does not take it: " + result.err;
    }

    std::string paste(std::string text, bool bracketed) {
        // tmux turns \n into \r, as terminals do; with -p it adds the brackets if the program asked for them.
        std::vector<std::string> arguments{"load-buffer", "-", ";", "paste-buffer", "-d", "-t", "s"};
        if (bracketed)
            arguments.push_back("-p");
        ProcessResult result = tmux(arguments, text);
        return result.status == 0 ? "" : "tmux does not take it: " + result.err;
    }

    std::string sendKeys(const std::string& names) {
        std::vector<std::string> arguments{"send-keys", "-t", "s"};
        for (const std::string& name : splitWords(names))
            arguments.push_back(name);
        ProcessResult result = tmux(arguments);
        return result.status == 0 ? "" : "tmux does not take it: " + result.err;
    }

    std::string resize(const std::string& size) {
        std::vector<std::string> words = splitWords(size);
        if (words.size() != 2)
            return "wants COLUMNS ROWS";
        ProcessResult result = tmux({"resize-window", "-t", "s", "-x", words[0], "-y", words[1]});
        return result.status == 0 ? "" : "tmux: " + result.err;
    }

    std::string setUp(const Step& step) {
        if (step.verb == "size") {
            std::vector<std::string> words = splitWords(step.text);
            if (words.size() != 2)
                return "wants COLUMNS ROWS";
            width_ = words[0], height_ = words[1];
        } else if (step.verb == "env") {
            environment_.push_back(step.text);
        } else if (step.verb == "flags") {
            flags_ = step.text;
        } else if (step.verb == "run") {
            command_ = step.text;
        } else if (step.verb == "ready") {
            ready_ = step.text;
        } else if (step.verb == "patience") {
            seconds_ = atof(step.text.c_str());
        } else { // file NAME TEXT
            size_t space = step.text.find(' ');
            std::ofstream(folder_ + "/" + step.text.substr(0, space), std::ios::binary)
                << (space == step.text.npos ? "" : unescaped(step.text.substr(space + 1)));
        }
        return "";
    }

    std::string expectScreen(const Step& step) {
        if (wait([&] { return rows() == step.rows; }))
            return "";
        std::string wanted;
        for (const std::string& row : step.rows)
            wanted += "| " + row + "\n";
        return "this was expected:\n" + wanted;
    }

    std::string expectCursor(const std::string& place) {
        std::string seen;
        bool found = wait([&] {
            seen = trimmedRight(tmux({"display-message", "-p", "-t", "s", "#{cursor_y} #{cursor_x}"}).out);
            return seen == trimmedRight(place);
        });
        return found ? "" : "it is at " + seen;
    }

    std::string expectFile(const std::string& text) {
        size_t space = text.find(' ');
        std::string name = folder_ + "/" + text.substr(0, space);
        std::string part = space == text.npos ? "" : unescaped(text.substr(space + 1));
        std::string content;
        bool found = wait([&] {
            content = readFile(name).value_or("");
            return content.find(part) != content.npos;
        });
        return found ? "" : "the file holds:\n" + content;
    }

    // `exit 3`, `exit signal 15`.
    std::string expectExit(const std::string& status) {
        std::string seen;
        bool dead = wait([&] {
            seen = tmux({"display-message", "-p", "-t", "s",
                            "#{pane_dead}#{?pane_dead_signal, signal #{pane_dead_signal}, #{pane_dead_status}}"})
                       .out;
            if (seen[0] != '1' || trimmedRight(seen).size() > 2)
                return seen[0] == '1';
            tmux({"run-shell", "true"}); // now and then tmux misses that a child has ended, until the next one does
            return false;
        });
        if (!dead)
            return "it runs on";
        seen = trimmedRight(seen.substr(2));
        return seen == status ? "" : "it ended with " + seen;
    }

    // Ends the program if it still runs and starts it anew in the same folder and home, on an empty screen.
    std::string again() {
        tmux({"kill-server"});
        return start();
    }

    std::string take(const Step& step) {
        const std::string &verb = step.verb, &text = step.text;
        for (const char* name : {"size", "env", "flags", "run", "ready", "patience", "file"}) {
            if (verb == name)
                return setUp(step);
        }
        if (verb == "again")
            return again();
        if (!started_) {
            std::string wrong = start();
            if (!wrong.empty() || verb == "start")
                return wrong;
        }
        if (verb == "type")
            return send(text);
        if (verb == "line")
            return send(text + "\r");
        if (verb == "bytes")
            return send(unescaped(text));
        if (verb == "key")
            return sendKeys(text);
        if (verb == "paste" || verb == "rawpaste")
            return paste(unescaped(text), verb == "paste");
        if (verb == "resize")
            return resize(text);
        if (verb == "expect")
            return wait([&] { return shows(text); }) ? "" : "it never showed";
        if (verb == "row")
            return wait([&] { return hasRow(text); }) ? "" : "no row is that";
        if (verb == "last")
            return wait([&] {
                auto all = rows();
                return !all.empty() && all.back() == trimmedRight(text);
            })
                ? ""
                : "the last row is another";
        if (verb == "gone")
            return wait([&] { return !shows(text); }) ? "" : "it stays";
        if (verb == "never")
            return shows(text) ? "it shows" : "";
        if (verb == "styled")
            return wait([&] { return capture(true).find(unescaped(text)) != std::string::npos; })
                ? ""
                : "it never showed; with its styles the screen is\n" + capture(true);
        if (verb == "unstyled")
            return capture(true).find(unescaped(text)) == std::string::npos ? "" : "it shows";
        if (verb == "cursor")
            return expectCursor(text);
        if (verb == "screen")
            return expectScreen(step);
        if (verb == "filehas")
            return expectFile(text);
        return expectExit(text);
    }

    const SessionTest& test_;
    const Settings& settings_;
    std::string folder_, width_ = "80", height_ = "24", flags_, command_, ready_;
    std::vector<std::string> environment_;
    double seconds_ = 20; // that an expectation has
    bool started_ = false;
};

const Verb* findVerb(const std::string& name) {
    for (const Verb& verb : verbs) {
        if (name == verb.name)
            return &verb;
    }
    return nullptr;
}

SessionTest readSessionTest(const std::string& path) {
    SessionTest test;
    test.path = path;
    int number = 0;
    for (const std::string& line : splitLines(readFile(path).value_or(""))) {
        number++;
        std::string where = "line " + std::to_string(number) + ": ";
        if (number == 1 && line[0] != '#')
            test.complaint = where + "the first line tells the story: # ...";
        if (line.empty() || line[0] == '#')
            continue;
        if (line[0] == '|') {
            if (test.steps.empty() || test.steps.back().verb != "screen")
                test.complaint = where + "rows stand below `screen`";
            else
                test.steps.back().rows.push_back(trimmedRight(line.substr(line.size() > 1 && line[1] == ' ' ? 2 : 1)));
            continue;
        }
        size_t space = line.find(' ');
        Step step{number, line.substr(0, space), space == line.npos ? "" : line.substr(space + 1), {}};
        const Verb* verb = findVerb(step.verb);
        if (!verb)
            test.complaint = where + "no such step: " + step.verb;
        else if ((verb->takes == Takes::Nothing && !step.text.empty())
            || (verb->takes == Takes::Text && step.text.empty()))
            test.complaint = where + step.verb + (step.text.empty() ? " wants something" : " takes nothing");
        test.steps.push_back(std::move(step));
    }
    if (test.steps.empty())
        test.complaint = "no steps";
    return test;
}

}

std::vector<std::string> findSessions() {
    std::vector<std::string> paths;
    for (const auto& entry : fs::recursive_directory_iterator("tests/repl")) {
        if (entry.path().extension() == ".session")
            paths.push_back(entry.path().string());
    }
    return paths;
}

std::string checkSession(const std::string& path, const Settings& settings) {
    SessionTest test = readSessionTest(path);
    std::string wrong = test.complaint.empty() ? Session(test, settings).play() : test.complaint;
    return wrong.empty() ? wrong : path + ", " + wrong;
}

}
