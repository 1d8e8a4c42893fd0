// Words that people write in place of those of the language: misspelt ones, those of other languages, and characters
// that only look like the ones meant.
#pragma once

#include "runtime/base/platform.h"

#include <string>
#include <string_view>

namespace scr {

/// The word of the language that `word` is a near miss of, or nothing.
std::string_view nearestKeyword(std::string_view word);

/// What a word of another language is and what to write in its place, as a sentence; or nothing.
std::string foreignWord(std::string_view word);

/// The operator that is meant by a word between operands ("and"), or nothing.
std::string_view operatorOfWord(std::string_view word);

/// What a character is and what was meant, as a sentence; for any character that no token begins with.
std::string describeCharacter(u32 codePoint);

}
