// What a person probably meant by a text that is no program: misspelt words, other languages, slips of the hand.
#pragma once

#include <string>

namespace scr {

class Outline;
struct Unexpected;

/// One sentence for the note below the excerpt, or nothing.
std::string advice(const Outline& outline, const Unexpected& what);

}
