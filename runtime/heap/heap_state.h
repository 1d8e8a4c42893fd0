// What only the heap's own files see: chunks, blocks by size class, large cells.
#pragma once
#include "runtime/heap/block.h"
#include "runtime/heap/heap.h"

namespace scr {

/// Stands before a large cell: 24 bytes, so that the cell is 8 modulo 16.
struct LargeHeader {
    u64 bytes; ///< of the cell
    u64 index; ///< of its entry in Heap::State::large
    u64 marked;

    static LargeHeader* of(const Cell* cell) { return reinterpret_cast<LargeHeader*>(u64(cell)) - 1; }
    Cell* cell() { return reinterpret_cast<Cell*>(this + 1); }
};
static_assert(sizeof(LargeHeader) == 24);

struct LargeEntry {
    LargeHeader* header;
    u64 bytes;
};

struct Heap::State {
    std::vector<Chunk*> chunks;
    Chunk* reserve = nullptr; ///< for the time between the machine's last memory and the end of the run
    ChunkSet chunkSet;
    size_t freeChunk = 0; ///< no chunk before this one has a free block
    size_t freeBlocks = 0;
    Block* current[SizeClassCount] = {}; ///< the block that the class's run is in
    Block* available[SizeClassCount] = {}; ///< further blocks with free cells

    std::vector<LargeEntry> large; ///< entries below largeSorted are in order of address
    size_t largeSorted = 0;
    u64 largeBytes = 0;

    u64 lowest = ~0ull, highest = 0; ///< every cell lies in [lowest, highest)
    u64 liveBytes = 0; ///< of cells, at the end of the last collection
    u64 handedOut = 0; ///< bytes of cells since then, unused rests of runs included
    u64 externalSince = 0; ///< external bytes since then
    u64 budget = 1 << 20; ///< bytes until the next collection

    u64 pending() const { return handedOut + externalSince; }
    void include(const void* begin, size_t bytes) {
        lowest = u64(begin) < lowest ? u64(begin) : lowest;
        highest = u64(begin) + bytes > highest ? u64(begin) + bytes : highest;
    }
    /// A free block made ready for this class; null without memory.
    Block* takeBlock(unsigned sizeClass);
    bool addChunk();
    bool adopt(Chunk* chunk);
    bool useReserve();
    void sortLarge();
    LargeHeader* findLarge(u64 address);
};

}
