// Seam: what the running script calls, for the messages of builtins. Defined in interp/vm/expression_text.cpp.
#pragma once
#include "runtime/base/platform.h"
#include <string>

namespace scr {

class Vm;
struct Object;

/// The callee of the call that is running, as messages show it ("o.f.call"); "" if no script is.
std::string callSiteText(Vm& vm);
/// The call of `callee` that is running, as it stands in the script: "assert(x > 1)"; "" if no script called it.
/// Defined in interp/vm/call_text.cpp.
std::string callText(Vm& vm, Object* callee);

}
