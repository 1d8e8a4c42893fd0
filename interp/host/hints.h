// What an uncaught error's report says beyond the error's text, which scripts compare with Node's: which part of the
// expression was undefined, what the thing was that is no function, and which name was probably meant.
#pragma once
#include "interp/compiler/compiler.h"
#include "runtime/loop/event_loop.h"

namespace scr {

struct Hints {
    Span caret{0, 0}; ///< what to mark in the source; empty: the place of the error as it is
    std::string value; ///< "order.item is undefined"; or empty
    std::string meant; ///< "did you mean order.items?"; or empty
    std::string text() const { return (value.empty() ? "" : value + "\n") + (meant.empty() ? "" : meant + "\n"); }
};

/// Runs no script. `where` is the entry for `place`.
Hints hintsOf(Vm& vm, Object* error, const ThrowPlace& place, const Place& where);

}
