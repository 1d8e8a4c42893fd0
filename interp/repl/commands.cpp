// The dot commands, with Node's names, texts and behaviour.
#include "grammar/source.h"
#include "interp/host/script_file.h"
#include "interp/repl/session.h"
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scr {

namespace {

struct CommandInfo {
    std::string_view name, help;
    bool forTerminals = false;
};
constexpr CommandInfo commands[] = {
    {".break", "Sometimes you get stuck, this gets you out"},
    {".clear", "Alias for .break"},
    {".editor", "Enter editor mode", true},
    {".exit", "Exit the REPL"},
    {".help", "Print this help message"},
    {".load", "Load JS from a file into the REPL session"},
    {".save", "Save all evaluated commands in this REPL session to a file"},
};
constexpr std::string_view names[] = {".break", ".clear", ".editor", ".exit", ".help", ".load", ".save"};
constexpr std::string_view Blanks = " \t\r\n\v\f";

std::string_view trimmed(std::string_view text) {
    size_t begin = text.find_first_not_of(Blanks), end = text.find_last_not_of(Blanks);
    return begin == text.npos ? "" : text.substr(begin, end + 1 - begin);
}

/// A line that begins with a dot which begins no number: its word and the rest.
bool looksLikeCommand(std::string_view line, std::string_view& name, std::string_view& argument) {
    line = trimmed(line);
    bool isNumber = line.size() > 1 && line[1] >= '0' && line[1] <= '9';
    if (!line.starts_with('.') || line.starts_with("..") || isNumber)
        return false;
    name = line.substr(0, line.find_first_of(Blanks));
    argument = trimmed(line.substr(name.size()));
    return true;
}

bool isCommand(std::string_view name) {
    for (std::string_view each : names)
        if (name == each)
            return true;
    return false;
}

/// Where the last line of a text begins.
size_t lastLine(std::string_view text) {
    while (text.ends_with('\n'))
        text.remove_suffix(1);
    size_t at = text.rfind('\n');
    return at == text.npos ? 0 : at + 1;
}

/// Empty, or why not.
bool writeFile(const std::string& name, const std::string& text) {
    FILE* file = fopen(name.c_str(), "we");
    if (!file)
        return false;
    bool written = fwrite(text.data(), 1, text.size(), file) == text.size();
    return (fclose(file) == 0) && written;
}

}

std::span<const std::string_view> commandNames() { return names; }

bool Session::isComplete(std::string_view text) const {
    std::string_view name, argument;
    size_t last = lastLine(text);
    if (looksLikeCommand(text.substr(last), name, argument) && (last == 0 || isCommand(name)))
        return true;
    return !Evaluator::isIncomplete(text);
}

Next Session::enter(std::string text) {
    text_.clear();
    std::string_view name, argument;
    size_t last = lastLine(text);
    if (looksLikeCommand(std::string_view(text).substr(last), name, argument) && (last == 0 || isCommand(name))) {
        text_ = text.substr(0, last);
        Next next = command(name, argument);
        settle();
        return ends() ? Next::Exit : next;
    }
    return enterBlock(std::move(text));
}

Next Session::enterBlock(std::string text) {
    if (trimmed(text).empty())
        return Next::Prompt;
    entered_.push_back(text);
    return evaluate(text) ? Next::Prompt : Next::Exit;
}

Next Session::command(std::string_view name, std::string_view argument) {
    Next next = text_.empty() ? Next::Prompt : Next::More;
    if (name == ".break" || name == ".clear") {
        text_.clear();
        return Next::Prompt;
    }
    if (name == ".exit")
        return Next::Exit;
    if (name == ".editor" && terminal_) {
        print("// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n");
        return Next::Editor;
    }
    if (name == ".help")
        help();
    else if (name == ".save")
        save(argument);
    else if (name == ".load")
        load(argument);
    else
        print("Invalid REPL keyword\n");
    return next;
}

void Session::help() {
    size_t width = terminal_ ? 10 : 9;
    std::string text;
    for (const CommandInfo& info : commands) {
        if (info.forTerminals && !terminal_)
            continue;
        text += info.name;
        text.append(width - info.name.size(), ' ');
        text += info.help;
        text += '\n';
    }
    print(text + "\nPress Ctrl+C to abort current expression, Ctrl+D to exit the REPL\n");
}

void Session::save(std::string_view file) {
    if (file.empty())
        return print("The \"file\" argument must be specified\n");
    std::string text, name(file);
    for (const std::string& entry : entered_) {
        text += entry;
        text += entry.ends_with('\n') ? "" : "\n";
    }
    print((writeFile(name, text) ? "Session saved to: " : "Failed to save: ") + name + "\n");
}

void Session::load(std::string_view file) {
    if (file.empty())
        return print("The \"file\" argument must be specified\n");
    std::string name(file), text;
    struct stat info;
    if (stat(name.c_str(), &info) != 0)
        return print("Failed to load: " + name + "\n");
    if (!S_ISREG(info.st_mode))
        return print("Failed to load: " + name + " is not a valid file\n");
    int descriptor = open(name.c_str(), O_RDONLY | O_CLOEXEC);
    bool isRead = descriptor >= 0 && readAll(descriptor, text);
    if (descriptor >= 0)
        close(descriptor);
    if (!isRead)
        return print("Failed to load: " + name + "\n");
    text = Source::fromBytes(name, std::move(text)).text();
    text_.clear();
    if (trimmed(text).empty())
        return;
    entered_.push_back(text);
    evaluate(text);
}

}
