// What a text costs while it is parsed and compiled: work units by its length, and the tree's memory, which counts for
// the memory limit as long as it lives. The parser itself asks nobody, so what it will need is estimated before.
#pragma once
#include "interp/bytecode/bytecode.h"
#include "runtime/base/arena.h"

namespace scr {

class TextCost {
public:
    TextCost(Vm& vm, const Arena& arena)
        : vm_(vm)
        , arena_(arena) { }
    ~TextCost() { count(0); }
    TextCost(const TextCost&) = delete;

    /// Threw: the run ends instead.
    Completion<void> beforeParsing(size_t bytes) {
        TRY(vm_.work(bytes / UnitBytes));
        return demand(bytes * TreeFactor);
    }
    Completion<void> afterParsing() { return demand(arena_.footprint()); }

private:
    static constexpr size_t UnitBytes = 8; ///< of text, for one work unit
    static constexpr size_t TreeFactor = 8; ///< a tree is at least so much larger than its text
    static constexpr size_t Small = 256 * 1024; ///< not counted

    void count(size_t bytes) {
        if (bytes != counted_)
            vm_.heap.adjustExternal(i64(bytes) - i64(counted_));
        counted_ = bytes;
    }
    Completion<void> demand(size_t bytes) {
        if (bytes < Small)
            return {};
        count(bytes);
        Heap& heap = vm_.heap;
        auto fits = [&] {
            return !heap.memoryLimit() || heap.usedBytes() + heap.externalBytes() <= heap.memoryLimit();
        };
        if (fits())
            return {};
        heap.collect();
        if (fits())
            return {};
        heap.passLimit(Heap::Shortage::Limit);
        return vm_.terminateMemory();
    }

    Vm& vm_;
    const Arena& arena_;
    size_t counted_ = 0;
};

}
