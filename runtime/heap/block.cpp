// Bitmaps of blocks, and the set of chunks.
#include "runtime/heap/block.h"
#include "runtime/heap/allocator.h"
#include <cstring>

namespace scr {

void Block::format(unsigned newClass, size_t newSize, unsigned newNumber) {
    memset(this, 0, sizeof *this);
    reciprocal = u32(((1ull << 32) + newSize - 1) / newSize);
    cellSize = u16(newSize);
    cellCount = u16(Bytes / newSize);
    sizeClass = u8(newClass);
    number = u8(newNumber);
}

void Block::setLive(unsigned begin, unsigned end, bool on) {
    while (begin < end) {
        unsigned word = begin >> 6, first = begin & 63;
        unsigned count = end - begin < 64 - first ? end - begin : 64 - first;
        u64 bits = (count == 64 ? ~0ull : (1ull << count) - 1) << first;
        live[word] = on ? live[word] | bits : live[word] & ~bits;
        begin += count;
    }
}

bool Block::nextFreeRun(unsigned& begin, unsigned& end) {
    unsigned at = scan;
    while (at < cellCount) {
        unsigned word = at >> 6;
        u64 free = ~live[word] & (~0ull << (at & 63));
        if (!free) {
            at = (word + 1) << 6;
            continue;
        }
        begin = (word << 6) + unsigned(__builtin_ctzll(free));
        if (begin >= cellCount)
            break;
        u64 used = live[word] & (~0ull << (begin & 63));
        unsigned limit = (cellCount + 63u) >> 6;
        while (!used && ++word < limit)
            used = live[word];
        end = used ? (word << 6) + unsigned(__builtin_ctzll(used)) : cellCount;
        scan = u16(end);
        return true;
    }
    scan = cellCount;
    return false;
}

unsigned Block::adoptMarks() {
    unsigned count = 0;
    for (unsigned i = 0, words = (cellCount + 63u) >> 6; i < words; i++) {
        live[i] = marks[i];
        marks[i] = 0;
        count += unsigned(__builtin_popcountll(live[i]));
    }
    scan = 0;
    return count;
}

ChunkSet::~ChunkSet() { freeMemory(table_); }

bool ChunkSet::grow() {
    size_t size = table_ ? (mask_ + 1) * 2 : 64;
    auto** table = static_cast<Chunk**>(allocateMemory(size * sizeof(Chunk*)));
    if (!table)
        return false;
    memset(table, 0, size * sizeof(Chunk*));
    Chunk** old = table_;
    size_t oldSize = old ? mask_ + 1 : 0;
    table_ = table;
    mask_ = size - 1;
    count_ = 0;
    for (size_t i = 0; i < oldSize; i++)
        if (old[i])
            insert(old[i]);
    freeMemory(old);
    return true;
}

bool ChunkSet::insert(Chunk* chunk) {
    if ((count_ + 1) * 2 > (table_ ? mask_ + 1 : 0) && !grow())
        return false;
    size_t i = slotOf(chunk);
    while (table_[i])
        i = (i + 1) & mask_;
    table_[i] = chunk;
    count_++;
    return true;
}

// Open addressing without tombstones: whatever stands behind the hole and may stand in it moves up.
void ChunkSet::remove(Chunk* chunk) {
    size_t hole = slotOf(chunk);
    while (table_[hole] != chunk)
        hole = (hole + 1) & mask_;
    table_[hole] = nullptr;
    count_--;
    for (size_t i = (hole + 1) & mask_; table_[i]; i = (i + 1) & mask_) {
        size_t home = slotOf(table_[i]);
        if (((i - home) & mask_) >= ((i - hole) & mask_)) {
            table_[hole] = table_[i];
            table_[i] = nullptr;
            hole = i;
        }
    }
}

}
