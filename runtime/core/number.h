// Numbers as text without strings: for whoever prints or reads many.
#pragma once
#include "runtime/base/platform.h"
#include <string_view>

namespace scr {

struct NumberBuffer {
    char text[40];
};
/// 6.1.6.1.20 Number::toString radix 10. The text stands in the buffer.
std::string_view numberText(double number, NumberBuffer& buffer);
/// Of ASCII text that is a StrUnsignedDecimalLiteral (digits, point, exponent) without "Infinity".
double decimalToNumber(const char* text, size_t length);

}
