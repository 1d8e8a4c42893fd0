// What differs between an expected and an actual text, line by line, for people to read.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace scr::test {

/// The lines of a text. A last line without its line feed counts; an empty text has none.
std::vector<std::string> splitLines(std::string_view text);

/// Lines of `expected` that are missing start with "-", unexpected ones with "+", two lines of context with a space.
/// Empty when the texts are equal.
std::string diff(std::string_view expected, std::string_view actual);

}
