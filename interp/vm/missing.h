// What an error is about, beyond its message: the value that was no function, and the property that was not there,
// found by reading the instructions before the one that threw. The invariant: no script runs, and nothing is looked at
// that throws could have changed since; what cannot be told that way stays unknown (a hole).
#pragma once
#include "interp/bytecode/bytecode.h"
#include "runtime/core/error.h"

namespace scr {

/// Vm::keepRegistersHook: the registers of the frame that runs are kept with the error.
void keepRegisters(Vm& vm, ErrorObject* error);

struct Missing {
    Value value = Value::hole(); ///< what was called, constructed or looked into
    Value holder = Value::hole(); ///< what it was a property of
    PropertyKey key{}; ///< under this name; null: it was none
};
/// Nothing of it is known of errors that kept no registers.
Missing findMissing(Vm& vm, ErrorObject* error);

}
