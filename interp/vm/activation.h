// What C++ that calls into a script must put back when it gets control again.
#pragma once
#include "runtime/core/vm.h"

namespace scr {

class Activation {
public:
    explicit Activation(Vm& vm)
        : vm_(vm)
        , base_(vm.base)
        , pc_(vm.pc)
        , nativeTop_(vm.nativeTop)
        , realm_(vm.realm) { }
    ~Activation() {
        vm_.base = base_;
        vm_.pc = pc_;
        vm_.nativeTop = nativeTop_;
        vm_.realm = realm_;
    }
    Activation(const Activation&) = delete;

private:
    Vm& vm_;
    Value* base_;
    const u64* pc_;
    Value* nativeTop_;
    Realm* realm_;
};

}
