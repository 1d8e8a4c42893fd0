// Which characters make identifiers (ECMA-262 12.7), with the tables of Unicode 17.0.
#pragma once

#include "runtime/base/platform.h"

namespace scr {

/// Whether a code point may begin an identifier: ID_Start, $ and _.
bool isIdentifierStart(u32 codePoint);
/// Whether a code point may stand inside one: ID_Continue, $, U+200C and U+200D.
bool isIdentifierPart(u32 codePoint);

}
