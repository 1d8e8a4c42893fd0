// The collector: non-moving mark and sweep over 16 KiB blocks of one cell size, carved from aligned 1 MiB chunks;
// larger cells are allocations of their own. Cells are traced precisely, the C++ and VM stacks are scanned
// conservatively.
//
// Invariants. A block's `live` bit is set for every cell handed out since its last sweep, and for nothing else but the
// free run being bump-allocated (which [cursor, end) of its size class excludes). After marking, live = marked:
// sweeping is nothing but reading those bits again when the next free run is taken. A cell's header is valid from the
// moment allocate() returns; its other words are garbage until its maker writes them, and nothing may allocate in
// between.
#pragma once
#include "runtime/heap/cell.h"
#include "runtime/heap/marker.h"
#include "runtime/heap/weak.h"
#include <vector>

namespace scr {

class Heap {
public:
    static constexpr size_t LargestSmall = 2048; ///< bytes; larger cells are allocated alone
    static constexpr unsigned SizeClassCount = 24;

    Heap();
    ~Heap();
    Heap(const Heap&) = delete;

    /// A cell of `bytes` bytes (rounded up to its size class) with its header written: shape, kind, flags 0, aux 0, age
    /// 0. May collect before it allocates. Never fails: beyond the memory limit, and when the machine has no more, the
    /// cell comes all the same, the latter from a reserve, and shortage() says that the run must end. Only when the
    /// reserve is used up too does the process end, with a message (setOutOfMemory).
    ALWAYS_INLINE Cell* allocate(size_t bytes, u8 kind, u32 shape);

    /// As allocate(), but null (with overLimit() set) when `bytes` would pass the memory limit even after a collection:
    /// for sizes a script chooses.
    Cell* tryAllocate(size_t bytes, u8 kind, u32 shape);

    /// As tryAllocate(), with every byte behind the header zero; null without a word to anybody when there is no room:
    /// for sizes that a script may be wrong about and be told so.
    Cell* tryAllocateZeroed(size_t bytes, u8 kind, u32 shape);

    /// Gives a large cell a new size; it may move. `cell` must be the only reference. Small cells: a new cell and a
    /// copy. Null as in tryAllocate (then the old cell stays valid).
    Cell* tryResize(Cell* cell, size_t oldBytes, size_t newBytes);

    /// The bytes a live cell has (its size class, or what a large cell was made with): at least what was asked for.
    size_t bytesOf(const Cell* cell) const;

    /// Marks from all roots, clears weak tables, makes everything unmarked free.
    void collect();

    /// The live cell this word points to (its start or its inside; tagged or bare), or null. The conservative test.
    Cell* findCell(u64 word) const;
    /// Only inside a weak callback: was this cell reached?
    bool isMarked(const Cell* cell) const;

    using TraceFunction = void (*)(Cell*, Marker&);
    using RootFunction = void (*)(void* context, Marker&);
    using WeakFunction = void (*)(void* context, Heap&);
    using FinalizeFunction = void (*)(Cell*);
    /// How cells of a kind are traced; null = no references.
    void setTrace(u8 kind, TraceFunction trace) { trace_[kind] = trace; }
    /// Called for each dead cell of this kind that was registered with trackFinalizer(). Must not touch other cells.
    void setFinalizer(u8 kind, FinalizeFunction finalize) { finalize_[kind] = finalize; }
    void trackFinalizer(Cell* cell) { finalizable_.push_back(cell); }
    /// Precise roots: called once a collection.
    void addRoots(RootFunction function, void* context) { roots_.push_back({function, context}); }
    void removeRoots(void* context);
    /// Called after marking, before anything is freed: drop references to unmarked cells.
    void addWeak(WeakFunction function, void* context) { weak_.push_back({function, context}); }
    /// The same for one cell that its trace function reported by addWeakCell: forget what is unmarked.
    using WeakSweepFunction = void (*)(Cell*, Heap&);
    void setWeakSweep(u8 kind, WeakSweepFunction sweep) { weakSweep_[kind] = sweep; }
    /// Only while tracing.
    void addWeakCell(Cell* cell) { weakCells_.push_back(cell); }

    /// Bytes outside the heap that a cell owns (positive) or gave back (negative): they count for the trigger and
    /// limit.
    void adjustExternal(i64 bytes);

    /// Highest address of the C++ stack that may hold references; set once at start.
    void setStackBase(const void* base) { stackBase_ = base; }
    /// 0 = none. Bytes of cells and external memory together.
    void setMemoryLimit(u64 bytes);
    u64 memoryLimit() const { return memoryLimit_; }
    /// Set when live data passed the limit, or the machine gave no more; the Vm turns it into a termination at its next
    /// safe point.
    enum class Shortage : u8 { None, Limit, Machine };
    Shortage shortage() const { return shortage_; }
    bool overLimit() const { return shortage_ != Shortage::None; }
    void clearOverLimit() { shortage_ = Shortage::None; }
    /// Memory outside the heap could not be had, or would have passed the limit.
    COLD void passLimit(Shortage why);
    /// Called (once) when overLimit becomes true.
    void setLimitCallback(void (*callback)(void*), void* context) {
        limitCallback_ = callback;
        limitContext_ = context;
    }

    /// A collection at every allocation for the first 20,000, then at every Nth; 0 = off.
    void setStress(u32 interval);
    /// Told of every cell handed out, each of which takes the slow way; null: nobody.
    using Observer = void (*)(void* context, Cell* cell);
    void setObserver(Observer observer, void* context);
    /// Every allocation takes the slow way, which counts them for failAllocation() in debug builds.
    void setOneByOne();
    bool collecting() const { return collecting_; }
    /// Bytes of live cells at the end of the last collection plus all handed out since.
    u64 usedBytes() const;
    u64 externalBytes() const { return external_; }
    u64 collections() const { return collections_; }
    /// Null, or what is wrong with the heap (debugging; verify.cpp).
    const char* verify();
    /// Every cell handed out and not swept, for reports: the dead among them go with a collection.
    void visitCells(void (*visit)(void* context, Cell* cell), void* context);
    /// Live cells and bytes of every kind on stderr.
    void dump();
    /// Address space taken for chunks and large cells, in bytes.
    u64 reservedBytes() const;

    static constexpr unsigned sizeClassOf(size_t bytes);
    static constexpr size_t cellSize(unsigned sizeClass);

private:
    friend class Marker;
    friend struct WeakTable;
    struct Run {
        char* cursor = nullptr;
        char* end = nullptr;
    };
    struct Callback {
        RootFunction function;
        void* context;
    };
    struct WeakCallback {
        WeakFunction function;
        void* context;
    };
    COLD Cell* allocateSlow(size_t bytes, u8 kind, u32 shape);
    Cell* handOut(Cell* cell, u8 kind, u32 shape);
    NOINLINE void takeRun(unsigned sizeClass);
    bool tryTakeRun(unsigned sizeClass);
    Cell* takeLarge(size_t bytes, bool zeroed = false);
    void collectIfDue(size_t bytes);
    bool hasRoom(size_t bytes);
    bool withinLimit(size_t bytes);
    void retireRuns();
    void markRoots(Marker& marker);
    NOINLINE void markStack(Marker& marker);
    void markEphemerons(Marker& marker);
    void sweepWeak();
    void sweep();
    void sweepFinalizable();
    void sweepBlocks();
    void sweepLarge();
    void trim();
    template <class Visit> void forEachCell(Visit visit);
    void setBudget();
    Cell* takeLargeOrCollect(size_t bytes);

    Run runs_[SizeClassCount];
    struct State; ///< blocks by size class, chunk set, large cells (heap.cpp)
    State* state_;
    TraceFunction trace_[256] = {};
    FinalizeFunction finalize_[256] = {};
    WeakSweepFunction weakSweep_[256] = {};
    std::vector<WeakTable*> weakTables_; ///< reached by the running collection
    std::vector<Cell*> weakCells_;
    std::vector<Cell*> finalizable_;
    std::vector<Callback> roots_;
    std::vector<WeakCallback> weak_;
    const void* stackBase_ = nullptr;
    u64 memoryLimit_ = 0, external_ = 0, collections_ = 0;
    Observer observer_ = nullptr;
    void* observerContext_ = nullptr;
    u32 stress_ = 0, stressCount_ = 0;
    bool collecting_ = false, oneByOne_ = false;
    Shortage shortage_ = Shortage::None;
    void (*limitCallback_)(void*) = nullptr;
    void* limitContext_ = nullptr;
};

// Size classes: multiples of 16 up to 128, then four steps to each doubling up to 2,048; bytes are rounded up.
// 16 32 48 64 80 96 112 128 | 160 192 224 256 | 320 384 448 512 | 640 768 896 1024 | 1280 1536 1792 2048
constexpr unsigned Heap::sizeClassOf(size_t bytes) {
    if (bytes <= 128)
        return unsigned((bytes + 15) / 16) - (bytes ? 1 : 0);
    unsigned log = 63 - unsigned(__builtin_clzll(bytes - 1)); // 2^log <= bytes-1 < 2^(log+1)
    unsigned step = unsigned((bytes - 1) >> (log - 2)) & 3;
    return 8 + (log - 7) * 4 + step;
}
constexpr size_t Heap::cellSize(unsigned sizeClass) {
    if (sizeClass < 8)
        return (sizeClass + 1) * 16;
    unsigned log = 7 + (sizeClass - 8) / 4, step = (sizeClass - 8) % 4;
    return (size_t(5 + step) << log) >> 2;
}
static_assert(Heap::sizeClassOf(32) == 1 && Heap::cellSize(Heap::sizeClassOf(129)) == 160
    && Heap::cellSize(Heap::sizeClassOf(2048)) == 2048);

ALWAYS_INLINE Cell* Heap::allocate(size_t bytes, u8 kind, u32 shape) {
    if (LIKELY(bytes <= LargestSmall)) {
        unsigned sizeClass = sizeClassOf(bytes);
        Run& run = runs_[sizeClass];
        char* p = run.cursor;
        if (LIKELY(p != run.end)) {
            run.cursor = p + cellSize(sizeClass);
            Cell* cell = reinterpret_cast<Cell*>(p);
            *cell = Cell{shape, kind, 0, 0, 0};
            return cell;
        }
    }
    return allocateSlow(bytes, kind, shape);
}

}
