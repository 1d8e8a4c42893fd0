// Handing out cells, and deciding when to collect.
#include "runtime/heap/heap.h"
#include "runtime/heap/allocator.h"
#include "runtime/heap/heap_state.h"
#include <cstdio>
#include <cstring>
#include <unistd.h>
#if SCR_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace scr {

// Beyond every machine that runs scripts; some systems would promise even that much.
static constexpr u64 MaxCellBytes = 1ull << 38;

Heap::Heap()
    : state_(new State) { }

Heap::~Heap() {
    for (Cell* cell : finalizable_)
        finalize_[cell->kind](cell);
    for (const LargeEntry& entry : state_->large)
        freeMemory(entry.header);
    for (Chunk* chunk : state_->chunks) {
#if SCR_ASAN
        ASAN_UNPOISON_MEMORY_REGION(chunk, Chunk::Bytes);
#endif
        freeMemory(chunk);
    }
    freeMemory(state_->reserve);
    delete state_;
}

void Heap::removeRoots(void* context) {
    std::erase_if(roots_, [=](const Callback& callback) { return callback.context == context; });
}

// ---- small cells

bool Heap::State::addChunk() {
    auto* chunk = static_cast<Chunk*>(allocateAligned(Chunk::Bytes, Chunk::Bytes));
    if (!chunk || !adopt(chunk))
        return false;
    // Small scripts do not need one: theirs is the first chunk.
    if (!reserve && chunks.size() > 1)
        reserve = static_cast<Chunk*>(allocateAligned(Chunk::Bytes, Chunk::Bytes));
    return true;
}

bool Heap::State::useReserve() {
    Chunk* chunk = reserve;
    reserve = nullptr;
    return chunk && adopt(chunk);
}

bool Heap::State::adopt(Chunk* chunk) {
    if (!chunkSet.insert(chunk)) {
        freeMemory(chunk);
        return false;
    }
    chunk->carved = 0;
    chunk->discarded = Chunk::AllBlocks;
    chunks.push_back(chunk);
    freeBlocks += Chunk::Blocks - Chunk::FirstBlock;
    include(chunk, Chunk::Bytes);
    return true;
}

Block* Heap::State::takeBlock(unsigned sizeClass) {
    if (!freeBlocks && !addChunk())
        return nullptr;
    while ((chunks[freeChunk]->carved & Chunk::AllBlocks) == Chunk::AllBlocks)
        freeChunk++;
    Chunk* chunk = chunks[freeChunk];
    unsigned number = unsigned(__builtin_ctzll(~chunk->carved & Chunk::AllBlocks));
    chunk->carved |= 1ull << number;
    chunk->discarded &= ~(1ull << number);
    freeBlocks--;
    Block* block = chunk->block(number);
    block->format(sizeClass, cellSize(sizeClass), number);
    return block;
}

/// Known: the class's run is used up. Gives it the next free run.
void Heap::takeRun(unsigned sizeClass) {
    if (LIKELY(tryTakeRun(sizeClass)))
        return;
    collect();
    if (tryTakeRun(sizeClass))
        return;
    passLimit(Shortage::Machine);
    if (!state_->useReserve() || !tryTakeRun(sizeClass))
        outOfMemory();
}

bool Heap::tryTakeRun(unsigned sizeClass) {
    State& s = *state_;
    Block* block = s.current[sizeClass];
    unsigned begin, end;
    while (!block || !block->nextFreeRun(begin, end)) {
        block = s.available[sizeClass];
        if (block)
            s.available[sizeClass] = block->next;
        else if (!(block = s.takeBlock(sizeClass)))
            return false;
        s.current[sizeClass] = block;
    }
    if (stress_ || oneByOne_ || observer_) { // one cell at a time, so that every allocation comes here
        end = begin + 1;
        block->scan = u16(end);
    }
    block->setLive(begin, end, true);
    runs_[sizeClass] = {block->cell(begin), block->cell(end)};
    s.handedOut += size_t(end - begin) * block->cellSize;
#if SCR_ASAN
    ASAN_UNPOISON_MEMORY_REGION(block->cell(begin), size_t(end - begin) * block->cellSize);
#endif
    return true;
}

/// What is left of the runs becomes free again.
void Heap::retireRuns() {
    for (unsigned i = 0; i < SizeClassCount; i++) {
        Run& run = runs_[i];
        if (run.cursor != run.end) {
            Block* block = state_->current[i];
            unsigned begin = block->indexOf(run.cursor), end = begin + unsigned(run.end - run.cursor) / block->cellSize;
            block->setLive(begin, end, false);
            block->scan = u16(begin);
            state_->handedOut -= size_t(run.end - run.cursor);
#if SCR_ASAN
            ASAN_POISON_MEMORY_REGION(run.cursor, run.end - run.cursor);
#endif
        }
        run = {};
    }
}

/// Writes the header of a cell that did not come from a run.
Cell* Heap::handOut(Cell* cell, u8 kind, u32 shape) {
    *cell = Cell{shape, kind, 0, 0, 0};
    if (UNLIKELY(observer_ != nullptr))
        observer_(observerContext_, cell);
    return cell;
}

Cell* Heap::allocateSlow(size_t bytes, u8 kind, u32 shape) {
    ASSERT(!collecting_);
    collectIfDue(bytes);
#ifdef SCR_DEBUG
    if (mustFailAllocation())
        passLimit(Shortage::Machine);
#endif
    Cell* cell;
    if (bytes <= LargestSmall) {
        unsigned sizeClass = sizeClassOf(bytes);
        Run& run = runs_[sizeClass];
        if (run.cursor == run.end)
            takeRun(sizeClass);
        cell = reinterpret_cast<Cell*>(run.cursor);
        run.cursor += cellSize(sizeClass);
    } else {
        cell = takeLargeOrCollect(bytes);
        if (!cell)
            outOfMemory();
    }
    return handOut(cell, kind, shape);
}

Cell* Heap::tryAllocate(size_t bytes, u8 kind, u32 shape) {
#ifdef SCR_DEBUG
    if (mustFailAllocation())
        return passLimit(Shortage::Machine), nullptr;
#endif
    if (bytes <= LargestSmall)
        return allocate(bytes, kind, shape);
    if (!withinLimit(bytes))
        return nullptr;
    collectIfDue(bytes);
    Cell* cell = takeLargeOrCollect(bytes);
    if (!cell)
        return passLimit(Shortage::Machine), nullptr;
    return handOut(cell, kind, shape);
}

Cell* Heap::tryAllocateZeroed(size_t bytes, u8 kind, u32 shape) {
    Cell* cell;
    if (bytes <= LargestSmall) {
        cell = allocate(bytes, kind, shape);
        memset(static_cast<void*>(cell + 1), 0, bytes - sizeof(Cell));
        return cell;
    }
    if (!hasRoom(bytes))
        return nullptr;
    collectIfDue(bytes);
    cell = takeLarge(bytes, true);
    return cell ? handOut(cell, kind, shape) : nullptr;
}

Cell* Heap::tryResize(Cell* cell, size_t oldBytes, size_t newBytes) {
    bool wasLarge = oldBytes > LargestSmall, isLarge = newBytes > LargestSmall;
    if (!wasLarge && !isLarge && sizeClassOf(oldBytes) == sizeClassOf(newBytes))
        return cell;
    if (!wasLarge || !isLarge) {
        Cell* copy = tryAllocate(newBytes, cell->kind, cell->shape);
        if (copy)
            memcpy(copy, cell, oldBytes < newBytes ? oldBytes : newBytes);
        return copy;
    }
    if (newBytes > MaxCellBytes)
        return passLimit(Shortage::Machine), nullptr;
    size_t growth = newBytes > oldBytes ? newBytes - oldBytes : 0;
    if (growth) {
#ifdef SCR_DEBUG
        if (mustFailAllocation())
            return passLimit(Shortage::Machine), nullptr;
#endif
        if (!withinLimit(growth))
            return nullptr;
        collectIfDue(growth);
    }
    State& s = *state_;
    LargeHeader* header = LargeHeader::of(cell);
    size_t index = header->index;
    auto* moved = static_cast<LargeHeader*>(reallocateMemory(header, sizeof(LargeHeader) + newBytes));
    if (!moved)
        return passLimit(Shortage::Machine), nullptr;
    moved->bytes = newBytes;
    s.large[index] = {moved, newBytes};
    // The entry's address changed: what stands from here on is no longer known to be in order.
    if (moved != header && index < s.largeSorted)
        s.largeSorted = index;
    s.largeBytes += newBytes - oldBytes;
    s.handedOut += growth;
    s.include(moved, sizeof(LargeHeader) + newBytes);
    return moved->cell();
}

// ---- large cells

/// Null without memory.
Cell* Heap::takeLarge(size_t bytes, bool zeroed) {
    if (bytes > MaxCellBytes)
        return nullptr;
    State& s = *state_;
    auto* header = static_cast<LargeHeader*>(
        zeroed ? allocateZeroed(sizeof(LargeHeader) + bytes) : allocateMemory(sizeof(LargeHeader) + bytes));
    if (!header)
        return nullptr;
    *header = {bytes, s.large.size(), 0};
    s.large.push_back({header, bytes});
    s.largeBytes += bytes;
    s.handedOut += bytes;
    s.include(header, sizeof(LargeHeader) + bytes);
    return header->cell();
}

/// May collect.
Cell* Heap::takeLargeOrCollect(size_t bytes) {
    Cell* cell = takeLarge(bytes);
    if (LIKELY(cell != nullptr) || bytes > MaxCellBytes)
        return cell;
    collect();
    return takeLarge(bytes);
}

// ---- when to collect

void Heap::collectIfDue(size_t bytes) {
    if (UNLIKELY(stress_)) {
        stressCount_++;
        if (stressCount_ <= 20000 || stressCount_ % stress_ == 0)
            return collect();
    }
    size_t large = bytes > LargestSmall ? bytes : 0;
    if (UNLIKELY(state_->pending() + large >= state_->budget) && state_->pending())
        collect();
}

void Heap::setOneByOne() {
    retireRuns();
    oneByOne_ = true;
}

void Heap::setObserver(Observer observer, void* context) {
    retireRuns();
    observer_ = observer;
    observerContext_ = context;
}

void Heap::setStress(u32 interval) {
    retireRuns();
    stress_ = interval;
    stressCount_ = 0;
}

/// Makes room below the memory limit if it can; false if `bytes` more would pass it.
bool Heap::hasRoom(size_t bytes) {
    if (!memoryLimit_)
        return true;
    if (bytes <= memoryLimit_ && usedBytes() + external_ + bytes <= memoryLimit_)
        return true;
    if (bytes <= memoryLimit_) {
        collect();
        return usedBytes() + external_ + bytes <= memoryLimit_;
    }
    return false;
}

/// The same, and over the limit if there is no room.
bool Heap::withinLimit(size_t bytes) {
    if (hasRoom(bytes))
        return true;
    passLimit(Shortage::Limit);
    return false;
}

void Heap::setMemoryLimit(u64 bytes) {
    memoryLimit_ = bytes;
    setBudget();
}

void Heap::passLimit(Shortage why) {
    if (overLimit())
        return;
    shortage_ = why;
    if (limitCallback_)
        limitCallback_(limitContext_);
}

void Heap::adjustExternal(i64 bytes) {
    external_ += u64(bytes);
    u64& since = state_->externalSince;
    if (bytes > 0)
        since += u64(bytes);
    else
        since -= since < u64(-bytes) ? since : u64(-bytes);
    if (bytes > 0 && memoryLimit_ && external_ > memoryLimit_)
        passLimit(Shortage::Limit);
    // Without runs the next allocation comes to allocateSlow, which collects.
    if (bytes > 0 && state_->pending() >= state_->budget && !collecting_)
        retireRuns();
}

// The trigger matters more than the algorithm: 1 MB while almost nothing lives (it stays in the cache), at least 16 MB
// from 4 MB on, then twice what lives.
void Heap::setBudget() {
    constexpr u64 MB = 1 << 20;
    u64 live = state_->liveBytes + external_, budget;
    if (live <= MB / 2)
        budget = MB;
    else if (live < 4 * MB)
        budget = MB + (live - MB / 2) * 22 / 7; // reaches 12 MB at 4 MB
    else
        budget = live < 8 * MB ? 16 * MB - live : live;
    if (memoryLimit_) {
        // Near the limit collections come more often, but never so often that nothing else is done.
        u64 room = live < memoryLimit_ ? memoryLimit_ - live : 0, least = memoryLimit_ / 32;
        if (budget > room)
            budget = room > least ? room : least;
        if (live > memoryLimit_)
            passLimit(Shortage::Limit);
    }
    state_->budget = budget > 65536 ? budget : 65536;
}

void Heap::collect() {
    ASSERT(!collecting_);
    collecting_ = true;
    collections_++;
    retireRuns();
    state_->sortLarge();
    {
        Marker marker(*this);
        markRoots(marker);
        marker.drain();
        markEphemerons(marker);
    }
    for (const WeakCallback& weak : weak_)
        weak.function(weak.context, *this);
    sweepWeak();
    sweep();
    collecting_ = false;
    setBudget();
    trim();
}

// ---- questions

u64 Heap::usedBytes() const {
    u64 used = state_->liveBytes + state_->handedOut;
    for (const Run& run : runs_)
        used -= u64(run.end - run.cursor);
    return used;
}

u64 Heap::reservedBytes() const { return state_->chunks.size() * Chunk::Bytes + state_->largeBytes; }

size_t Heap::bytesOf(const Cell* cell) const {
    return u64(cell) & 8 ? LargeHeader::of(cell)->bytes : Block::of(cell)->cellSize;
}

Cell* Heap::findCell(u64 word) const {
    u64 top = word >> 48;
    if (top && top - 0xFFFC > 2)
        return nullptr;
    u64 address = word & 0xFFFFFFFFFFFFull;
    State& s = *state_;
    if (address - s.lowest >= s.highest - s.lowest)
        return nullptr;
    auto* inside = reinterpret_cast<const void*>(address);
    Chunk* chunk = Chunk::of(inside);
    if (!s.chunkSet.contains(chunk)) {
        LargeHeader* header = s.findLarge(address);
        return header ? header->cell() : nullptr;
    }
    unsigned number = Chunk::numberOf(inside);
    if (!chunk->isCarved(number))
        return nullptr;
    Block* block = chunk->block(number);
    unsigned index = block->indexOf(inside);
    if (index >= block->cellCount || !block->isLive(index))
        return nullptr;
    char* cell = block->cell(index);
    const Run& run = runs_[block->sizeClass];
    return cell >= run.cursor && cell < run.end ? nullptr : reinterpret_cast<Cell*>(cell);
}

bool Heap::isMarked(const Cell* cell) const {
    if (u64(cell) & 8)
        return LargeHeader::of(cell)->marked;
    Block* block = Block::of(cell);
    return block->isMarked(block->indexOf(cell));
}

}
