// What the prompt shows while a text is typed: what it would come to, if finding out changes nothing.
//
// Invariant: nothing that a script, a timer or a job could notice is different afterwards, and nothing was printed.
#pragma once
#include "runtime/core/vm.h"
#include <string>
#include <string_view>

namespace scr {

/// The value of `text` (an expression, or statements whose last one is an expression) as the REPL would show it, in one
/// line of at most `columns` columns and without colours. Empty: the text is not whole, evaluating it would change or
/// wait for something, it throws, takes too long, or its value is undefined or is what was typed.
std::string preview(Vm& vm, std::string_view text, size_t columns);

}
