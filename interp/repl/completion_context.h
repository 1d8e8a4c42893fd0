// What stands in front of the cursor: what kind of word is asked for there, and of which object. By the text alone.
#pragma once
#include "runtime/base/platform.h"
#include <string>
#include <string_view>
#include <vector>

namespace scr {

/// An expression that can be read without evaluating anything: a name or a literal, and members of it.
struct PlainExpression {
    enum Root : u8 { None, Name, This, String, Number, Boolean, Array } root = None;
    std::string name; ///< of a Name
    std::vector<std::string> members; ///< from the root on; indices too
};

struct CompletionContext {
    enum Wanted : u8 {
        Nothing, ///< inside a comment or string, or behind what is no plain expression
        Names, ///< in scope, and keywords
        Members, ///< of `object`
        Command, ///< a dot command
        Module, ///< what a module is asked for by
        Path, ///< of a file, for a command
    } wanted = Nothing;
    size_t from = 0; ///< where the word begins
    std::string_view word; ///< what of it stands in front of the cursor
    PlainExpression object;
};

CompletionContext completionContext(std::string_view text, size_t cursor);

/// May stand behind a dot.
bool isIdentifierName(std::string_view utf8);

}
