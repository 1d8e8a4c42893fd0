// For debugging: a walk over everything live. (That every traced reference names a live cell, Marker::checkLive tests
// in debug builds at each collection.)
#include "runtime/heap/heap_state.h"
#include <cstdio>

namespace scr {

/// visit(cell, bytes) for every cell handed out and not swept.
template <class Visit> void Heap::forEachCell(Visit visit) {
    for (Chunk* chunk : state_->chunks) {
        for (u64 rest = chunk->carved; rest; rest &= rest - 1) {
            Block* block = chunk->block(unsigned(__builtin_ctzll(rest)));
            const Run& run = runs_[block->sizeClass];
            for (unsigned i = 0; i < block->cellCount; i++) {
                char* cell = block->cell(i);
                if (block->isLive(i) && !(cell >= run.cursor && cell < run.end))
                    visit(reinterpret_cast<Cell*>(cell), size_t(block->cellSize));
            }
        }
    }
    for (const LargeEntry& entry : state_->large)
        visit(entry.header->cell(), size_t(entry.bytes));
}

void Heap::visitCells(void (*visit)(void* context, Cell* cell), void* context) {
    forEachCell([&](Cell* cell, size_t) { visit(context, cell); });
}

const char* Heap::verify() {
    for (Chunk* chunk : state_->chunks) {
        if (!state_->chunkSet.contains(chunk))
            return "a chunk is not in the set";
        for (u64 rest = chunk->carved; rest; rest &= rest - 1) {
            Block* block = chunk->block(unsigned(__builtin_ctzll(rest)));
            if (block->sizeClass >= SizeClassCount || block->cellSize != cellSize(block->sizeClass))
                return "a block's cell size is not that of its class";
            for (unsigned i = block->cellCount; i < Block::BitWords * 64; i++)
                if (block->isLive(i))
                    return "a live bit stands behind a block's last cell";
        }
    }
    for (unsigned i = 0; i < SizeClassCount; i++)
        if (runs_[i].cursor != runs_[i].end && Block::of(runs_[i].cursor) != state_->current[i])
            return "a run is not in its class's current block";
    for (size_t i = 0; i < state_->large.size(); i++)
        if (state_->large[i].header->index != i || state_->large[i].header->bytes != state_->large[i].bytes)
            return "a large cell does not know its entry";
    const char* wrong = nullptr;
    forEachCell([&](Cell* cell, size_t) {
        if (!cell->kind)
            wrong = "a live cell has no kind";
    });
    return wrong;
}

void Heap::dump() {
    u64 counts[256] = {}, bytes[256] = {};
    forEachCell([&](Cell* cell, size_t size) {
        counts[cell->kind]++;
        bytes[cell->kind] += size;
    });
    for (unsigned kind = 0; kind < 256; kind++)
        if (counts[kind])
            fprintf(stderr, "kind %3u: %10llu cells %12llu bytes\n", kind,
                static_cast<unsigned long long>(counts[kind]), static_cast<unsigned long long>(bytes[kind]));
}

}
