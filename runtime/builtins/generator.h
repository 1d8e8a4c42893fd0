// A generator as an iterator of the engine's own loops.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

Result generator_next(Vm& vm, Args args);
/// One step of a generator (Vm::IteratorStep): its next value, or false at the end. [script]
Completion<bool> stepGenerator(Vm& vm, Value iterator, Value& value);

}
