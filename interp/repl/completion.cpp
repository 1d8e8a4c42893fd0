// Completion at the prompt.
#include "interp/repl/completion.h"

namespace scr {

static Completions completeCommand(std::string_view text, size_t cursor, std::span<const std::string_view> commands) {
    Completions result;
    for (std::string_view command : commands)
        if (command.starts_with(text.substr(0, cursor)))
            result.words.emplace_back(command);
    return result;
}

Completions complete(Vm&, std::string_view text, size_t cursor, std::span<const std::string_view> commands) {
    if (text.starts_with('.'))
        return completeCommand(text, cursor, commands);
    return {cursor, {}};
}

}
