// How much room text takes: in UTF-16 units, as scripts count, and in columns of a terminal.
#pragma once
#include "runtime/base/platform.h"
#include <string>
#include <string_view>

namespace scr {

/// UTF-16 units of a text in UTF-8.
size_t unitCount(std::string_view utf8);
/// Columns of one code point; see columnCount().
unsigned columnsOf(u32 codePoint);
/// Columns in a terminal: control characters and marks take none, East Asian wide characters (most emoji are) two.
size_t columnCount(std::string_view utf8);
/// The text without terminal control sequences (colours).
std::string withoutControls(std::string_view utf8);

}
