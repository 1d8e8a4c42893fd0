// The frames of bytecode functions that run, from the innermost on.
#pragma once
#include "interp/bytecode/bytecode.h"
#include "interp/vm/slow_paths.h"

namespace scr {

/// One bytecode frame after the other, across activations.
struct FrameWalk {
    Value* base;
    const u64* pc;
    bool valid() const { return base != nullptr; }
    Code* code() const { return codeOf(base); }
    u32 word() const { return u32(pc - code()->words); }
    bool isConstruct() const { return returnInfoOf(base) & ReturnInfo::FlagConstruct; }
    Value callee() const { return base[-2]; }
    void next() {
        u64 info = returnInfoOf(base);
        if (info & ReturnInfo::FlagEntry) {
            pc = savedPcOf(base);
            base = savedBaseOf(base);
        } else {
            pc = ReturnInfo::callerPc(info);
            base -= ReturnInfo::delta(info);
        }
    }
};

}
