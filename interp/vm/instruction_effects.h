// Which instructions may run under a SideEffectGuard.
#pragma once
#include "runtime/core/side_effects.h"

namespace scr {

/// Whether the guard lets the instruction run: it writes nothing but what is fresh, and does not wait. Calls of native
/// functions ask for themselves. A refusal is pending if not.
bool mayRun(SideEffectGuard& guard, const u64* pc, Value* base);

}
