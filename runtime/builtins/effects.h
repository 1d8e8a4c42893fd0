// Which builtins change something.
#pragma once
#include "runtime/core/side_effects.h"

namespace scr {

/// From effects.def; Refused for every function that is not in it.
NativeEffect effectOfNative(NativeCode code);

}
