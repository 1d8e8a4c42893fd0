// Doubles as decimal text and back, for those who know no strings of the engine. The invariant: reading is rounded
// correctly, printing gives the shortest digits that read back as the same double.
#pragma once
#include "runtime/base/platform.h"
#include <string_view>

namespace scr {

struct NumberBuffer {
    char text[40];
};
/// ECMA-262 6.1.6.1.20, Number::toString radix 10. The text stands in the buffer.
std::string_view shortestDecimal(double number, NumberBuffer& buffer);
/// Of ASCII text that is a StrUnsignedDecimalLiteral (digits, point, exponent) without "Infinity"; numeric separators
/// are skipped.
double readDecimal(const char* text, size_t length);

}
