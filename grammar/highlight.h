// The kinds of words in a text, for colours: by the lexer, for texts that need not be whole or right.
#pragma once

#include "runtime/base/platform.h"

#include <string_view>
#include <vector>

namespace scr {

enum class TokenKind : u8 { Keyword, Constant, Number, String, RegExp, Comment };

struct Highlight {
    u32 begin;
    u32 end;
    TokenKind kind;
};

/// The parts of `text` that have a kind, in order; what has none is left out. A literal that is not closed ends with
/// its line, a template or comment with the text.
std::vector<Highlight> highlight(std::string_view text);

}
