// What a person sees as one character: where it ends, and its columns. The rules are those of Unicode's UAX 29 that
// matter in a line of code (marks, joiners, flags, skin tones, Hangul).
//
// Invariant: offsets are those of characters (texts are valid UTF-8), and every call moves unless it is at the end.
#pragma once
#include "runtime/base/platform.h"
#include <string_view>

namespace scr {

struct Grapheme {
    u32 bytes = 0;
    u8 columns = 0;
    /// Terminals do not agree on its columns; `columns` is the most that one takes.
    bool isUncertain = false;
};

/// The one that begins at `at` < text.size().
Grapheme graphemeAt(std::string_view text, size_t at);
size_t nextGrapheme(std::string_view text, size_t at);
size_t previousGrapheme(std::string_view text, size_t at);

/// Whether the character at `at` is one that words and numbers are made of; anything beyond ASCII is.
bool isWordAt(std::string_view text, size_t at);
/// As editors move: over blanks, and then over one word or a run of other signs.
size_t nextWord(std::string_view text, size_t at);
size_t previousWord(std::string_view text, size_t at);

}
