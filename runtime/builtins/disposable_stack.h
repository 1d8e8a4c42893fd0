// Stacks of resources as objects.
#pragma once
#include "runtime/core/disposal.h"

namespace scr {

/// A DisposableStack or AsyncDisposableStack.
struct DisposableStack : Object {
    Ptr<DisposeCapability> capability; ///< null: disposed
};

void registerDisposableStacks(Heap& heap);

}
