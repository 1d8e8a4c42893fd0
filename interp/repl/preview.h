// What the prompt shows while a text is typed: what it would come to, if finding out changes nothing.
//
// Two walls. The text runs under a SideEffectGuard, which ends it where it would write, print or wait; and it runs in a
// child process, so whatever it takes of memory and time, and whatever it leaves in caches, ends with that child.
#pragma once
#include "runtime/core/vm.h"
#include <string>
#include <string_view>

namespace scr {

/// The value of `text` (an expression, or statements whose last one is an expression) as the REPL would show it, in one
/// line of at most `columns` columns and without colours. Empty: the text is not whole, evaluating it would change or
/// wait for something, it throws, takes too long, or its value is undefined or is what was typed.
std::string preview(Vm& vm, std::string_view text, size_t columns);

/// The same in this process. Nothing that a script, a timer or a job could notice is different afterwards.
std::string previewHere(Vm& vm, std::string_view text, size_t columns);

}
