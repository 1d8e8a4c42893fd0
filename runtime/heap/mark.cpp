// Marking: roots, the conservative scan of the C++ stack, and the tracing loop.
#include "runtime/heap/allocator.h"
#include "runtime/heap/heap_state.h"
#include <algorithm>
#include <cstring>

namespace scr {

Marker::~Marker() { freeMemory(stack_); }

void Marker::grow() {
    size_t used = size_t(top_ - stack_), capacity = used ? used * 2 : 1024;
    auto* grown = static_cast<u64*>(reallocateMemory(stack_, capacity * sizeof(u64)));
    if (!grown)
        outOfMemory();
    stack_ = grown;
    top_ = grown + used;
    limit_ = grown + capacity;
}

void Marker::markLarge(const Cell* cell) {
#ifdef SCR_DEBUG
    checkLive(cell);
#endif
    LargeHeader* header = LargeHeader::of(cell);
    if (header->marked)
        return;
    header->marked = 1;
    push(u64(cell));
}

void Marker::checkLive(const Cell* cell) { CHECK(heap_.findCell(u64(cell)) == cell && cell->kind != 0); }

void Marker::pushRange(const u64* words, size_t count) {
    push(u64(words));
    push(count * 2 + 1);
}

/// Known: the top of the stack is a range. Its next part is looked at, the rest waits below what that part pushes.
void Marker::drainRange() {
    size_t count = *--top_ >> 1;
    auto* words = reinterpret_cast<const u64*>(*--top_);
    size_t part = count < RangePart ? count : RangePart;
    if (count > part)
        pushRange(words + part, count - part);
    for (size_t i = 0; i < part; i++)
        markWord(words[i]);
}

void Marker::drain() {
    while (top_ != stack_) {
        if (top_[-1] & 1) {
            drainRange();
            continue;
        }
        auto* cell = reinterpret_cast<Cell*>(*--top_);
        if (Heap::TraceFunction trace = heap_.trace_[cell->kind])
            trace(cell, *this);
    }
}

/// Each cell comes here once, after it was marked: whatever waits for it is released then. Ranges hold no cells of
/// their own.
void Marker::drain(Ephemerons& waiting) {
    if (waiting.empty())
        return drain();
    while (top_ != stack_) {
        if (top_[-1] & 1) {
            drainRange();
            continue;
        }
        auto* cell = reinterpret_cast<Cell*>(*--top_);
        waiting.release(cell);
        if (Heap::TraceFunction trace = heap_.trace_[cell->kind])
            trace(cell, *this);
    }
}

void Marker::markConservative(u64 word) {
    if (Cell* cell = heap_.findCell(word))
        mark(cell);
}

void Marker::markConservativeRange(const void* begin, const void* end) {
    auto* word = reinterpret_cast<const u64*>((u64(begin) + 7) & ~7ull);
    for (; word + 1 <= end; word++)
        markConservative(*word);
}

namespace {
// A frame of its own below that of markStack, in which the callee-saved registers lie.
NOINLINE NO_SANITIZE_ADDRESS void scanFrom(Marker& marker, const void* base) {
    marker.markConservativeRange(__builtin_frame_address(0), base);
    asm volatile("" ::: "memory");
}
}

void Heap::markStack(Marker& marker) {
    __builtin_unwind_init(); // every callee-saved register goes to this frame
    scanFrom(marker, stackBase_);
    asm volatile("" ::: "memory");
}

void Heap::markRoots(Marker& marker) {
    for (const Callback& callback : roots_)
        callback.function(callback.context, marker);
    if (stackBase_)
        markStack(marker);
}

// ---- large cells by address

void Heap::State::sortLarge() {
    if (largeSorted == large.size())
        return;
    auto before = [](const LargeEntry& a, const LargeEntry& b) { return a.header < b.header; };
    std::sort(large.begin() + i64(largeSorted), large.end(), before);
    std::inplace_merge(large.begin(), large.begin() + i64(largeSorted), large.end(), before);
    for (size_t i = 0; i < large.size(); i++)
        large[i].header->index = i;
    largeSorted = large.size();
}

LargeHeader* Heap::State::findLarge(u64 address) {
    sortLarge();
    auto after = std::upper_bound(large.begin(), large.end(), address,
        [](u64 wanted, const LargeEntry& entry) { return wanted < u64(entry.header->cell()); });
    if (after == large.begin())
        return nullptr;
    const LargeEntry& entry = after[-1];
    return address - u64(entry.header->cell()) < entry.bytes ? entry.header : nullptr;
}

}
