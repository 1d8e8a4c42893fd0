// Marker: what a trace function reports a cell's references to. Marking uses an explicit stack, never recursion.
#pragma once
#include "runtime/base/platform.h"
#include "runtime/heap/cell.h"

namespace scr {

class Heap;

class Marker {
public:
    explicit Marker(Heap& heap)
        : heap_(heap) {
    }
    /// Null is allowed.
    void mark(const Cell* cell);
    /// A NaN-boxed word: marks the cell if its tag (0xFFFC..0xFFFE) says that it holds one. Precise.
    void markWord(u64 word) {
        if ((word >> 48) - 0xFFFC <= 2)
            mark(reinterpret_cast<const Cell*>(word & 0xFFFFFFFFFFFFull));
    }
    template<class V> void markValues(const V* values, size_t count) {
        static_assert(sizeof(V) == 8);
        for (size_t i = 0; i < count; i++)
            markWord(reinterpret_cast<const u64*>(values)[i]);
    }
    /// A word that may be anything: marks the live cell it points to or into, if any.
    void markConservative(u64 word);
    /// Every aligned word in [begin, end).
    NO_SANITIZE_ADDRESS void markConservativeRange(const void* begin, const void* end);
    /// Traces what is pending until nothing is.
    void drain();
    Heap& heap() { return heap_; }

private:
    Heap& heap_;
};

}
