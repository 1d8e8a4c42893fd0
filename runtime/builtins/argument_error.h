// Node's errors about arguments: ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE and ERR_INVALID_ARG_VALUE with their texts.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

/// What stands behind "Received " when a value has the wrong type: `undefined`, `type number (5)`, `an instance of
/// Foo`. May run script (`constructor` may be a getter).
Completion<std::string> describeReceived(Vm& vm, Value value);
/// A primitive as util.inspect shows it; objects by their kind.
std::string inspectShort(Vm& vm, Value value);

/// The "callback" argument must be of type function. Received ...
COLD Threw throwArgumentType(Vm& vm, std::string_view name, std::string_view expected, Value value);
/// The value of "code" is out of range. It must be an integer. Received 1.5
COLD Threw throwOutOfRange(Vm& vm, std::string_view name, std::string_view range, Value value);

}
