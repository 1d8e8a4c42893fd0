// Seam: what the running script calls, for the messages of builtins. Defined in interp/vm/expression_text.cpp.
#pragma once
#include "runtime/base/platform.h"
#include <string>

namespace scr {

class Vm;

/// The callee of the call that is running, as messages show it ("o.f.call"); "" if no script is.
std::string callSiteText(Vm& vm);

}
