// CallSite objects: what Error.prepareStackTrace is given for each frame.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

struct CallSite : Object {
    Ref<Object> callee;
    Value self; ///< a hole if the frame constructs
    u32 word;
    bool isAsync;
};

Result error_prepareStackTrace(Vm& vm, Args args);

}
