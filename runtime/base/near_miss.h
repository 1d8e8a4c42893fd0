// "Did you mean": how alike two words are.
#pragma once
#include "runtime/base/platform.h"
#include <string_view>

namespace scr {

/// How many letters have to be added, left out, changed or swapped with their neighbour to make b of a; limit + 1 if
/// more than limit, or if either is longer than 64 bytes.
unsigned editDistance(std::string_view a, std::string_view b, unsigned limit);

/// Whether `word` is a near miss of `meant`: never if they are equal or so short that anything would do.
bool isNearMiss(std::string_view word, std::string_view meant);

}
