// The names that a place in a text sees, for "did you mean": the text is parsed again, which reports can afford.
#pragma once
#include "grammar/source.h"
#include <string>
#include <vector>

namespace scr {

/// Names declared in the scopes around `position` (a byte of the text), outermost first, in UTF-8. Empty if the text
/// does not parse.
std::vector<std::string> namesInScope(const Source& source, u32 position);

}
