// What the String.prototype files share.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

/// The receiver as a flat string: RequireObjectCoercible, then ToString (22.1.3). `method` is named in the TypeError.
Completion<String*> thisString(Vm& vm, Args args, std::string_view method);
/// WhiteSpace and LineTerminator of 12.2, 12.3.
bool isTrimmable(char16_t unit);
/// The first index >= from at which `needle` stands in `text` (both flat), or NotFound. Charges the Vm.
u32 findUnits(Vm& vm, const String* text, const String* needle, u32 from);
/// The code point at i < length of a flat string; i moves behind it. A lone surrogate comes back as it is.
u32 nextCodePoint(const String* flat, u32& i);
void appendCodePoint(StringBuilder& text, u32 codePoint);

}
