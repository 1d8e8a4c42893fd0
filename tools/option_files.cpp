// What the shell and the manual know of the command line, made from the table of options: prints one of them.
//
//   option_files man|bash|zsh|fish
#include "interp/host/option_table.h"
#include "runtime/base/version.h"
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using namespace scr;

namespace {

void put(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

std::string replaced(std::string_view text, char what, std::string_view by) {
    std::string result;
    for (char c : text)
        c == what ? result.append(by) : result.append(1, c);
    return result;
}

std::vector<std::string> choicesOf(const OptionInfo& info) {
    std::vector<std::string> words;
    if (info.argumentName.find('|') == std::string_view::npos)
        return words;
    std::string_view rest = info.argumentName;
    for (size_t end; (end = rest.find('|')) != rest.npos; rest.remove_prefix(end + 1))
        words.emplace_back(rest.substr(0, end));
    words.emplace_back(rest);
    return words;
}

bool takesPath(const OptionInfo& info) {
    return info.argumentName.find("FILE") != std::string_view::npos || info.argumentName == "FOLDER";
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
    std::string result;
    for (const std::string& word : words)
        result += (result.empty() ? "" : std::string(between)) + word;
    return result;
}

// ---- the manual

// roff reads a dot or a quote at the beginning of a line, and backslashes.
std::string roff(std::string_view text) {
    std::string result = replaced(replaced(text, '\\', "\\e"), '-', "\\-");
    return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

void manualOption(const OptionInfo& info) {
    std::string line = ".TP\n";
    if (!info.shortName.empty())
        line += "\\fB" + roff(info.shortName) + "\\fR" + (info.longName.empty() ? "" : ", ");
    line += "\\fB" + roff(info.longName) + "\\fR";
    std::string name = "\\fI" + roff(info.argumentName) + "\\fR";
    if (info.argument == Argument::Required)
        line += (info.shortName.empty() ? "=" : " ") + name;
    if (info.argument == Argument::Optional)
        line += "[=" + name + "]";
    put(line + "\n" + roff(info.help) + "\n");
}

void manualEntry(std::string_view name, std::string_view text) {
    put(".TP\n\\fB" + roff(name) + "\\fR\n" + roff(text) + "\n");
}

void manual() {
    put(".TH SCR 1 \"\" \"scr " + std::string(Version)
        + "\" \"User Commands\"\n"
          ".SH NAME\nscr \\- a small, fast interpreter of event\\-driven scripts\n"
          ".SH SYNOPSIS\n.B scr\n[\\fIoptions\\fR] \\fIFILE\\fR [\\fIargument\\fR...]\n");
    for (const CommandInfo& info : commands)
        put(".br\n.B scr " + std::string(info.word) + "\n[\\fIoptions\\fR] \\fI" + roff(info.arguments) + "\\fR\n");
    put(".br\n.B scr\n"
        ".SH DESCRIPTION\n"
        "Runs a script in modern ECMAScript, always strict, with the timers of Node and the API around them.\n"
        "A file is a module if it uses import, export, import.meta or a top\\-level await, else a script with\n"
        "\\fBrequire\\fR, \\fBmodule\\fR and \\fBexports\\fR.\n"
        "Everything behind \\fIFILE\\fR belongs to the script (\\fBprocess.argv\\fR).\n"
        "Without \\fIFILE\\fR, or with \\fB\\-\\fR, the script is read from standard input; if that is a terminal, "
        "the\n"
        "interactive mode starts.\n"
        ".SH OPTIONS\n");
    for (const OptionInfo& info : options)
        if (info.command == Action::Run)
            manualOption(info);
    manualEntry("--", "the options end here");
    put(".SH COMMANDS\nA word in the place of \\fIFILE\\fR; \\fB./test\\fR is a file of that name.\n");
    for (const CommandInfo& info : commands) {
        put(".SS scr " + std::string(info.word) + " " + roff(info.arguments) + "\n" + roff(info.help) + "\n");
        for (const OptionInfo& option : options)
            if (option.command == info.action)
                manualOption(option);
    }
    put(".SH EXIT STATUS\n");
    manualEntry("0", "a normal end");
    manualEntry(
        "1", "an uncaught error, a syntax error, a limit reached, a script that cannot be read; a test that failed");
    manualEntry("7", "an error in a handler of uncaught errors");
    manualEntry("9", "a wrong command line");
    manualEntry("13", "a main module that waits for ever");
    put(".PP\nThe script may choose another by \\fBprocess.exitCode\\fR and \\fBprocess.exit\\fR. SIGINT and SIGTERM end "
        "the\n"
        "process by that signal, unless the script listens to it.\n"
        ".SH ENVIRONMENT\n");
#define VARIABLE(name, help) manualEntry(name, help);
#include "interp/host/environment.def"
#undef VARIABLE
    put(".SH EXAMPLES\n.nf\nscr hello.scr one two\nscr \\-p '[1, 2, 3].map(n => n * n)'\necho 'console.log(1 + 1)' | "
        "scr\n.fi\n");
}

/// Whether a completion names it behind this command. --test-only and its like are options of every run, for tests.
bool isOffered(const OptionInfo& info, Action command) {
    return info.command == command || (command == Action::Test && info.longName.starts_with("--test-"));
}

// ---- bash

std::string wordsFor(Action command) {
    std::vector<std::string> words;
    for (const OptionInfo& info : options) {
        if (!isOffered(info, command))
            continue;
        for (std::string_view name : {info.shortName, info.longName})
            if (!name.empty())
                words.push_back(
                    std::string(name) + (info.argument == Argument::Required && name == info.longName ? "=" : ""));
    }
    return joined(words, " ");
}

void bash() {
    put("# Completion of scr for bash, made from its table of options.\n"
        "_scr() {\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} word options command= i\n"
        "    # Readline has taken --name=value apart at the equals sign.\n"
        "    if [[ $current == \"=\" ]]; then current=; elif [[ $previous == \"=\" ]]; then "
        "previous=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
        "    COMPREPLY=()\n"
        "    case $previous in\n");
    for (const OptionInfo& info : options) {
        std::string names = joined(info.shortName.empty()
                ? std::vector<std::string>{std::string(info.longName)}
                : std::vector<std::string>{std::string(info.shortName), std::string(info.longName)},
            " | ");
        if (std::vector<std::string> words = choicesOf(info); !words.empty())
            put("    " + names + ") COMPREPLY=($(compgen -W \"" + joined(words, " ")
                + "\" -- \"$current\")); return ;;\n");
        else if (takesPath(info) && info.argument == Argument::Required)
            put("    " + names + ") compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n");
        else if (info.argument == Argument::Required)
            put("    " + names + ") return ;;\n");
    }
    put("    esac\n"
        "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "        word=${COMP_WORDS[i]}\n"
        "        case $word in\n");
    for (const CommandInfo& info : commands)
        put("        " + std::string(info.word) + ") command=$word ;;\n");
    put("        -* | =) continue ;;\n"
        "        *) command=${command:-script} ;;\n"
        "        esac\n"
        "        break\n"
        "    done\n"
        "    case $command in\n");
    for (const CommandInfo& info : commands)
        put("    " + std::string(info.word) + ") options=\"" + wordsFor(info.action) + "\" ;;\n");
    put("    script) options= ;;\n"
        "    *) options=\""
        + wordsFor(Action::Run)
        + "\" ;;\n"
          "    esac\n"
          "    if [[ $current == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
          "        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
          "        return\n"
          "    fi\n"
          "    compopt -o filenames # they get their quotes; the = of an option must not\n"
          "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
          "    [[ -z $command ]] && COMPREPLY+=($(compgen -W \"");
    std::vector<std::string> words;
    for (const CommandInfo& info : commands)
        words.emplace_back(info.word);
    put(joined(words, " ")
        + "\" -- \"$current\"))\n"
          "    return 0\n"
          "}\n"
          "complete -F _scr scr\n");
}

// ---- zsh

std::string zshQuoted(std::string_view text) {
    std::string result;
    for (char c : text) {
        if (c == '\'')
            result += "'\\''";
        else if (c == '[' || c == ']' || c == ':')
            result += std::string("\\") + c;
        else
            result += c;
    }
    return result;
}

void zshOptions(Action command, const std::string& indent) {
    for (const OptionInfo& info : options) {
        if (!isOffered(info, command))
            continue;
        std::string help = "[" + zshQuoted(info.help) + "]";
        std::string action;
        if (info.argument != Argument::None) {
            std::vector<std::string> words = choicesOf(info);
            action = (info.argument == Argument::Optional ? "::" : ":")
                + std::string(words.empty() ? info.argumentName : "choice") + ":"
                + (!words.empty()         ? "(" + joined(words, " ") + ")"
                        : takesPath(info) ? "_files"
                                          : "");
        }
        std::string equals = info.argument == Argument::None ? "" : info.argument == Argument::Optional ? "=-" : "=";
        if (!info.shortName.empty())
            put(indent + "'" + std::string(info.shortName) + help + action + "' \\\n");
        put(indent + "'" + (info.longName == "--include" ? "*" : "") + std::string(info.longName) + equals + help
            + action + "' \\\n");
    }
}

void zsh() {
    put("#compdef scr\n# Completion of scr for zsh, made from its table of options.\n"
        "_scr() {\n"
        "    local context state state_descr line\n"
        "    typeset -A opt_args\n"
        "    _arguments -C -A '-*' \\\n");
    zshOptions(Action::Run, "        ");
    put("        '1: :->first' \\\n"
        "        '*:: :->rest'\n"
        "    case $state in\n"
        "    first)\n"
        "        local -a words_of_scr=(");
    for (const CommandInfo& info : commands)
        put("'" + std::string(info.word) + ":" + zshQuoted(info.help) + "' ");
    put(")\n"
        "        _describe command words_of_scr\n"
        "        _files\n"
        "        ;;\n"
        "    rest)\n"
        "        case $words[1] in\n");
    for (const CommandInfo& info : commands) {
        put("        " + std::string(info.word) + ")\n            _arguments -A '-*' \\\n");
        zshOptions(info.action, "                ");
        put("                '*:file:_files'\n            ;;\n");
    }
    put("        *) _files ;;\n"
        "        esac\n"
        "        ;;\n"
        "    esac\n"
        "}\n"
        "_scr \"$@\"\n");
}

// ---- fish

void fish() {
    put("# Completion of scr for fish, made from its table of options.\n");
    std::vector<std::string> words;
    for (const CommandInfo& info : commands) {
        words.emplace_back(info.word);
        put("complete -c scr -n __fish_is_first_token -a " + std::string(info.word) + " -d '"
            + replaced(info.help, '\'', "\\'") + "'\n");
    }
    for (const OptionInfo& info : options) {
        std::string others = isOffered(info, Action::Test) ? "bench" : joined(words, " ");
        std::string condition = "not __fish_seen_subcommand_from " + others;
        for (const CommandInfo& command : commands)
            if (command.action == info.command)
                condition = "__fish_seen_subcommand_from " + std::string(command.word);
        std::string line = "complete -c scr -n '" + condition + "'";
        if (!info.shortName.empty())
            line += " -s " + std::string(info.shortName.substr(1));
        line += " -l " + std::string(info.longName.substr(2));
        if (info.argument == Argument::Required)
            line += takesPath(info) ? " -r" : " -x";
        if (std::vector<std::string> choices = choicesOf(info); !choices.empty())
            line += " -a '" + joined(choices, " ") + "'";
        put(line + " -d '" + replaced(info.help, '\'', "\\'") + "'\n");
    }
}

}

int main(int argc, char** argv) {
    std::string what = argc == 2 ? argv[1] : "";
    if (what == "man")
        manual();
    else if (what == "bash")
        bash();
    else if (what == "zsh")
        zsh();
    else if (what == "fish")
        fish();
    else
        return std::fputs("usage: option_files man|bash|zsh|fish\n", stderr), 2;
    return std::fflush(stdout) == 0 ? 0 : 1;
}
