// Numbers as text without strings: for whoever prints or reads many.
#pragma once
#include "runtime/base/decimal.h"
#include <string_view>

namespace scr {

/// 6.1.6.1.20 Number::toString radix 10. The text stands in the buffer.
std::string_view numberText(double number, NumberBuffer& buffer);

}
