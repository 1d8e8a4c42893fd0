// After marking: the dead are finalized, marks become live bits, and memory that is not needed goes back.
#include "runtime/heap/allocator.h"
#include "runtime/heap/heap_state.h"
#include <cstring>
#if SCR_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace scr {

void Heap::sweep() {
    sweepFinalizable();
    state_->liveBytes = 0;
    sweepBlocks();
    sweepLarge();
    state_->handedOut = state_->externalSince = 0;
}

void Heap::sweepFinalizable() {
    size_t kept = 0;
    for (Cell* cell : finalizable_) {
        if (isMarked(cell))
            finalizable_[kept++] = cell;
        else
            finalize_[cell->kind](cell);
    }
    finalizable_.resize(kept);
}

namespace {

/// Debug builds overwrite what died, sanitizer builds forbid to touch it: a reference that nobody traced shows at once.
[[maybe_unused]] void buryDead(Block* block) {
    for (unsigned i = 0; i < block->cellCount; i++) {
        if (!block->isLive(i) || block->isMarked(i))
            continue;
        memset(block->cell(i), 0xDB, block->cellSize);
        reinterpret_cast<Cell*>(block->cell(i))->kind = 0;
#if SCR_ASAN
        ASAN_POISON_MEMORY_REGION(block->cell(i), block->cellSize);
#endif
    }
}

}

void Heap::sweepBlocks() {
    State& s = *state_;
    Block** tails[SizeClassCount];
    for (unsigned i = 0; i < SizeClassCount; i++) {
        s.current[i] = nullptr;
        tails[i] = &s.available[i];
    }
    for (Chunk* chunk : s.chunks) {
        for (u64 rest = chunk->carved; rest; rest &= rest - 1) {
            Block* block = chunk->block(unsigned(__builtin_ctzll(rest)));
#if defined(SCR_DEBUG) || SCR_ASAN
            buryDead(block);
#endif
            unsigned count = block->adoptMarks();
            s.liveBytes += size_t(count) * block->cellSize;
            if (!count) {
                chunk->carved &= ~(1ull << block->number);
                s.freeBlocks++;
            } else if (count < block->cellCount) {
                *tails[block->sizeClass] = block;
                tails[block->sizeClass] = &block->next;
            }
        }
    }
    for (Block** tail : tails)
        *tail = nullptr;
    s.freeChunk = 0;
}

void Heap::sweepLarge() {
    State& s = *state_;
    size_t kept = 0;
    for (const LargeEntry& entry : s.large) {
        if (!entry.header->marked) {
            s.largeBytes -= entry.bytes;
            freeMemory(entry.header);
            continue;
        }
        entry.header->marked = 0;
        entry.header->index = kept;
        s.large[kept++] = entry;
    }
    s.large.resize(kept);
    s.largeSorted = kept;
    s.liveBytes += s.largeBytes;
}

// What the next cycle can use stays: its budget and a quarter more. Of the rest whole chunks go, then pages of blocks.
void Heap::trim() {
    State& s = *state_;
    size_t needed = size_t((s.budget + s.budget / 4) / Block::Bytes) + Chunk::Blocks;
    constexpr size_t PerChunk = Chunk::Blocks - Chunk::FirstBlock;
    for (size_t i = s.chunks.size(); i-- > 0 && s.freeBlocks >= needed + PerChunk;) {
        Chunk* chunk = s.chunks[i];
        if (chunk->carved)
            continue;
        s.chunkSet.remove(chunk);
        s.chunks.erase(s.chunks.begin() + i64(i));
        s.freeBlocks -= PerChunk;
#if SCR_ASAN
        ASAN_UNPOISON_MEMORY_REGION(chunk, Chunk::Bytes);
#endif
        discardPages(chunk, Chunk::Bytes);
        freeMemory(chunk);
    }
    if (s.freeBlocks <= needed)
        return;
    size_t surplus = s.freeBlocks - needed;
    for (size_t i = s.chunks.size(); i-- > 0 && surplus;) {
        Chunk* chunk = s.chunks[i];
        for (u64 rest = ~chunk->carved & Chunk::AllBlocks; rest && surplus; rest &= rest - 1, surplus--) {
            unsigned number = unsigned(__builtin_ctzll(rest));
            if (!(chunk->discarded >> number & 1))
                discardPages(chunk->memory(number), Block::Bytes);
            chunk->discarded |= 1ull << number;
        }
    }
}

}
