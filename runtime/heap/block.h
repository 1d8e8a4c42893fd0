// Blocks of small cells. A chunk is 1 MiB of memory aligned to its size; it is cut into 64 blocks of 16 KiB, each of
// one cell size. The headers of all blocks stand together at the chunk's start (its first two blocks hold nothing
// else), so that they do not compete for the same cache sets and blocks are cells from their first byte to their last.
//
// Invariants: a block's header is meaningful iff its bit in Chunk::carved is set; bits at and beyond cellCount are
// clear. Small cells are multiples of 16; large cells are 8 modulo 16, so that a pointer tells which of the two it is.
#pragma once
#include "runtime/heap/cell.h"

namespace scr {

struct Chunk;

struct alignas(64) Block {
    static constexpr size_t Bytes = 16 * 1024;
    static constexpr unsigned BitWords = Bytes / 16 / 64;

    u32 reciprocal; ///< 2^32 / cellSize rounded up: offset * reciprocal >> 32 is the cell's index
    u16 cellSize;
    u16 cellCount;
    u16 scan; ///< the first cell that was not yet looked at for a free run
    u8 sizeClass;
    u8 number; ///< of the block in its chunk
    Block* next; ///< of the same size class, with free cells
    u64 marks[BitWords];
    u64 live[BitWords];

    /// Of a small cell (or anything inside a block).
    static Block* of(const void* inside);
    char* cells();
    char* cell(unsigned index) { return cells() + size_t(index) * cellSize; }
    unsigned indexOf(const void* inside) const { return unsigned((u64(inside) & (Bytes - 1)) * reciprocal >> 32); }
    bool isLive(unsigned index) const { return live[index >> 6] >> (index & 63) & 1; }
    bool isMarked(unsigned index) const { return marks[index >> 6] >> (index & 63) & 1; }
    /// Sets or clears the live bits of [begin, end).
    void setLive(unsigned begin, unsigned end, bool live);
    /// The next run [begin, end) of free cells at or after `scan`; false if there is none. Moves scan behind it.
    bool nextFreeRun(unsigned& begin, unsigned& end);
    /// Makes the header of an empty block of this size class.
    void format(unsigned sizeClass, size_t cellSize, unsigned number);
    /// live = marked, marks cleared, scan at the start. The number of live cells.
    unsigned adoptMarks();
};

struct Chunk {
    static constexpr size_t Bytes = 1024 * 1024;
    static constexpr unsigned Blocks = Bytes / Block::Bytes;
    static constexpr unsigned FirstBlock = 2;
    static constexpr u64 AllBlocks = ~0ull << FirstBlock;
    static_assert(sizeof(Block) == 320 && sizeof(Block) * Blocks <= FirstBlock * Block::Bytes);

    // In the place of the headers that the first two blocks do not need.
    u64 carved; ///< blocks in use
    u64 discarded; ///< free blocks whose pages were given back (or never touched)

    static Chunk* of(const void* inside) { return reinterpret_cast<Chunk*>(u64(inside) & ~u64(Bytes - 1)); }
    Block* block(unsigned number) { return reinterpret_cast<Block*>(this) + number; }
    char* memory(unsigned number) { return reinterpret_cast<char*>(this) + number * Block::Bytes; }
    static unsigned numberOf(const void* inside) { return unsigned(u64(inside) / Block::Bytes) % Blocks; }
    bool isCarved(unsigned number) const { return carved >> number & 1; }
};

inline Block* Block::of(const void* inside) { return Chunk::of(inside)->block(Chunk::numberOf(inside)); }
inline char* Block::cells() { return Chunk::of(this)->memory(number); }

/// The chunks there are, by address: answers whether an arbitrary word points into one.
class ChunkSet {
public:
    ChunkSet() = default;
    ChunkSet(const ChunkSet&) = delete;
    ~ChunkSet();
    bool contains(const Chunk* chunk) const {
        if (!count_)
            return false;
        for (size_t i = slotOf(chunk);; i = (i + 1) & mask_)
            if (table_[i] == chunk || !table_[i])
                return table_[i] != nullptr;
    }
    /// False if there is no memory.
    bool insert(Chunk* chunk);
    void remove(Chunk* chunk);

private:
    size_t slotOf(const Chunk* chunk) const { return (u64(chunk) >> 20) * 0x9E3779B97F4A7C15ull >> 32 & mask_; }
    bool grow();
    Chunk** table_ = nullptr;
    size_t mask_ = 0, count_ = 0;
};

}
