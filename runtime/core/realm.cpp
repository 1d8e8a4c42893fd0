// Realms are filled by need: what an intrinsic is, runtime/builtins knows.
#include "runtime/core/realm.h"
#include "runtime/core/vm.h"

namespace scr {

Object* Realm::makeIntrinsic(Vm& vm, Intrinsic which) {
    ASSERT(vm.intrinsicHook);
    Object* object = vm.intrinsicHook(vm, this, which);
    ASSERT(object);
    intrinsics[size_t(which)] = object;
    return object;
}

}
