// The early errors of regular expression literals (ECMA-262 22.2.1, B.1.2): is the pattern well-formed? Names of
// Unicode properties are not looked up here; the engine's compiler of patterns knows them.
#pragma once

#include "grammar/ast.h"

#include <string>

namespace scr {

/// What is wrong with the pattern or the flags, as Node says it ("Invalid regular expression: /(/: Unterminated
/// group"); empty if nothing is.
std::string regExpError(const Name& pattern, const Name& flags);

}
