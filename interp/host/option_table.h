// The table of options.def as data: for reading command lines, for the help, the man page and what shells complete.
#pragma once
#include "interp/host/cli.h"
#include <string_view>

namespace scr {

enum class Argument : u8 { None, Required, Optional };
enum class Option : u8 {
#define OPTION(Name, ...) Name,
#define COMMAND(...)
#define COMMAND_OPTION(Name, ...) Name,
#include "interp/host/options.def"
#undef COMMAND_OPTION
#undef COMMAND
#undef OPTION
};
struct OptionInfo {
    Option option;
    Action command; ///< behind whose word it stands; Run: before the script
    std::string_view shortName, longName;
    Argument argument;
    std::string_view argumentName, help;
};
inline constexpr OptionInfo options[] = {
#define OPTION(Name, shortName, longName, argument, argumentName, help)                                                \
    {Option::Name, Action::Run, shortName, longName, Argument::argument, argumentName, help},
#define COMMAND(...)
#define COMMAND_OPTION(Name, command, shortName, longName, argument, argumentName, help)                               \
    {Option::Name, Action::command, shortName, longName, Argument::argument, argumentName, help},
#include "interp/host/options.def"
#undef COMMAND_OPTION
#undef COMMAND
#undef OPTION
};
struct CommandInfo {
    Action action;
    std::string_view word, arguments, help;
};
inline constexpr CommandInfo commands[] = {
#define OPTION(...)
#define COMMAND(Name, word, arguments, help) {Action::Name, word, arguments, help},
#define COMMAND_OPTION(...)
#include "interp/host/options.def"
#undef COMMAND_OPTION
#undef COMMAND
#undef OPTION
};

inline const OptionInfo* findOption(std::string_view name, Action command) {
    for (const OptionInfo& info : options)
        if (info.command == command && (name == info.shortName || name == info.longName))
            return &info;
    return nullptr;
}

inline const CommandInfo* findCommand(std::string_view word) {
    for (const CommandInfo& info : commands)
        if (word == info.word)
            return &info;
    return nullptr;
}

/// Whether `value` is one of the words of an argument's name "one|two|three".
inline bool isChoice(std::string_view choices, std::string_view value) {
    for (;;) {
        size_t end = choices.find('|');
        if (choices.substr(0, end) == value)
            return true;
        if (end == choices.npos)
            return false;
        choices.remove_prefix(end + 1);
    }
}

}
