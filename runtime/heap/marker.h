// Marker: what a trace function reports a cell's references to. Marking uses an explicit stack, never recursion.
//
// Invariant: a cell is pushed when its mark bit is set, and never otherwise; what was pushed is traced once.
#pragma once
#include "runtime/base/platform.h"
#include "runtime/heap/block.h"

namespace scr {

class Heap;

class Marker {
public:
    explicit Marker(Heap& heap)
        : heap_(heap) { }
    ~Marker();
    Marker(const Marker&) = delete;
    /// Null is allowed.
    void mark(const Cell* cell) {
        u64 address = u64(cell);
        if (UNLIKELY(address & 8))
            return markLarge(cell);
        if (!address)
            return;
#ifdef SCR_DEBUG
        checkLive(cell);
#endif
        Block* block = Block::of(cell);
        unsigned index = block->indexOf(cell);
        u64& word = block->marks[index >> 6];
        u64 bit = 1ull << (index & 63);
        if (word & bit)
            return;
        word |= bit;
        push(address);
    }
    /// A NaN-boxed word: marks the cell if its tag (0xFFFC..0xFFFE) says that it holds one. Precise.
    void markWord(u64 word) {
        if ((word >> 48) - 0xFFFC <= 2)
            mark(reinterpret_cast<const Cell*>(word & 0xFFFFFFFFFFFFull));
    }
    template <class V> void markValues(const V* values, size_t count) {
        static_assert(sizeof(V) == 8);
        auto* words = reinterpret_cast<const u64*>(values);
        if (count > RangePart)
            return pushRange(words, count);
        for (size_t i = 0; i < count; i++)
            markWord(words[i]);
    }
    /// A word that may be anything: marks the live cell it points to or into, if any.
    void markConservative(u64 word);
    /// Every aligned word in [begin, end).
    NO_SANITIZE_ADDRESS void markConservativeRange(const void* begin, const void* end);
    /// Traces what is pending until nothing is.
    void drain();
    /// The same, and each traced cell releases what waits for it.
    void drain(class Ephemerons& waiting);
    Heap& heap() { return heap_; }

private:
    static constexpr size_t RangePart = 128; ///< values of a long run that are looked at before their cells are traced

    void push(u64 entry) {
        if (UNLIKELY(top_ == limit_))
            grow();
        __builtin_prefetch(reinterpret_cast<const void*>(entry));
        *top_++ = entry;
    }
    /// A long run waits on the stack as {address, count * 2 + 1}: the stack stays small however long the run.
    void pushRange(const u64* words, size_t count);
    void drainRange();
    COLD void markLarge(const Cell* cell);
    COLD void grow();
    void checkLive(const Cell* cell);

    Heap& heap_;
    u64* stack_ = nullptr;
    u64* top_ = nullptr;
    u64* limit_ = nullptr;
};

}
