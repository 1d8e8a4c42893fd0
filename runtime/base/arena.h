// A region of memory that grows by bumping a pointer and dies as a whole. The invariant: nothing in it is destroyed one
// by one, so only trivially destructible types go in.
#pragma once

#include "runtime/base/assert.h"
#include "runtime/base/bit.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace scr {

class Arena {
public:
    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    ~Arena() {
        while (chunk_) {
            Chunk* previous = chunk_->previous;
            ::operator delete(chunk_);
            chunk_ = previous;
        }
    }

    /// size bytes aligned to 8, not initialised. Never null: running out of memory ends the process.
    ALWAYS_INLINE void* allocate(size_t size) {
        size = roundUp(size, 8);
        if (UNLIKELY(size > static_cast<size_t>(end_ - next_)))
            return allocateSlow(size);
        void* result = next_;
        next_ += size;
        return result;
    }

    /// A T built in place from args, as an aggregate.
    template <typename T, typename... Args> T* make(Args&&... args) {
        static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 8);
        return new (allocate(sizeof(T))) T{std::forward<Args>(args)...};
    }

    template <typename T> T* allocateArray(size_t count) {
        static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 8);
        return static_cast<T*>(allocate(sizeof(T) * count));
    }

    /// Grows the block at old in place if it is the newest one and there is room. Sizes in bytes.
    bool extend(void* old, size_t oldSize, size_t newSize) {
        char* begin = static_cast<char*>(old);
        if (begin + roundUp(oldSize, 8) != next_ || roundUp(newSize, 8) > static_cast<size_t>(end_ - begin))
            return false;
        next_ = begin + roundUp(newSize, 8);
        return true;
    }

    /// Bytes taken from the system so far.
    size_t footprint() const { return footprint_; }

private:
    struct Chunk {
        Chunk* previous;
        size_t padding;
    };

    COLD void* allocateSlow(size_t size) {
        size_t room = footprint_ < firstChunk ? firstChunk : footprint_ < largeChunk ? footprint_ : largeChunk;
        size_t bytes = sizeof(Chunk) + (size > room / 4 ? size + room : room);
        auto* chunk = static_cast<Chunk*>(::operator new(bytes));
        chunk->previous = chunk_;
        chunk_ = chunk;
        footprint_ += bytes;
        char* begin = reinterpret_cast<char*>(chunk + 1);
        end_ = reinterpret_cast<char*>(chunk) + bytes;
        next_ = begin + size;
        return begin;
    }

    static constexpr size_t firstChunk = 16 * 1024;
    static constexpr size_t largeChunk = 1024 * 1024;

    char* next_ = nullptr;
    char* end_ = nullptr;
    Chunk* chunk_ = nullptr;
    size_t footprint_ = 0;
};

} // namespace scr
