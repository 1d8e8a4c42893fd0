// The only file that names mimalloc. Chunks and large cells come from here, never from operator new.
#include "runtime/heap/allocator.h"
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#ifndef SCR_ALLOC_SYSTEM
#include <mimalloc.h>
#endif

namespace scr {

#ifdef SCR_DEBUG
static u64 failing = 0, counted = 0;
void failAllocation(u64 number) {
    failing = number;
    counted = 0;
}
bool mustFailAllocation() { return ++counted == failing; }
u64 allocationsCounted() { return counted; }
#define MAY_FAIL()                                                                                                     \
    if (UNLIKELY(mustFailAllocation()))                                                                                \
    return nullptr
#else
#define MAY_FAIL() (void)0
#endif

#ifdef SCR_ALLOC_SYSTEM
#define PLATFORM(systemCall, mimallocCall) systemCall
#else
#define PLATFORM(systemCall, mimallocCall) mimallocCall
#endif

void* allocateMemory(size_t bytes) {
    MAY_FAIL();
    return PLATFORM(malloc(bytes), mi_malloc(bytes));
}
#ifdef SCR_ALLOC_SYSTEM
void* allocateZeroed(size_t bytes) {
    MAY_FAIL();
    return calloc(1, bytes);
}
#else
/// mimalloc writes all the zeros itself. From this size on the system is asked for empty pages instead, which cost
/// nothing until they are used.
static constexpr size_t EmptyPagesFrom = 16 << 20;
void* allocateZeroed(size_t bytes) {
    MAY_FAIL();
    if (bytes < EmptyPagesFrom)
        return mi_zalloc(bytes);
    void* memory = mi_malloc(bytes);
    if (!memory)
        return nullptr;
    size_t page = size_t(sysconf(_SC_PAGESIZE));
    u64 begin = u64(memory), end = begin + bytes, first = (begin + page - 1) & ~u64(page - 1),
        last = end & ~u64(page - 1);
    // The pages are private and belong to no file: given back they are read as zeros.
    if (madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED))
        memset(reinterpret_cast<void*>(first), 0, last - first);
    memset(memory, 0, first - begin);
    memset(reinterpret_cast<void*>(last), 0, end - last);
    return memory;
}
#endif
void* reallocateMemory(void* memory, size_t bytes) {
    MAY_FAIL();
    return PLATFORM(realloc(memory, bytes), mi_realloc(memory, bytes));
}
void freeMemory(void* memory) { PLATFORM(free(memory), mi_free(memory)); }
void* allocateAligned(size_t bytes, size_t alignment) {
    MAY_FAIL();
    return PLATFORM(aligned_alloc(alignment, bytes), mi_malloc_aligned(bytes, alignment));
}

// ---- no more of it

static size_t (*describePlace)(void*, char*, size_t) = nullptr;
static void* placeContext = nullptr;

void setOutOfMemoryPlace(size_t (*describe)(void* context, char* text, size_t size), void* context) {
    describePlace = describe;
    placeContext = context;
}

void outOfMemory() {
    char text[512] = "scr: out of memory";
    size_t length = sizeof "scr: out of memory" - 1;
    if (auto describe = describePlace) {
        describePlace = nullptr; // should it fail as well
        length += describe(placeContext, text + length, sizeof text - length - 1);
    }
    text[length++] = '\n';
    [[maybe_unused]] ssize_t written = write(2, text, length);
    _exit(1);
}

void installOutOfMemory() { std::set_new_handler(outOfMemory); }

void* requireMemory(size_t bytes) {
    void* memory = allocateMemory(bytes);
    if (UNLIKELY(!memory))
        outOfMemory();
    return memory;
}

void discardPages(void* memory, size_t bytes) {
    size_t page = size_t(sysconf(_SC_PAGESIZE));
    u64 begin = (u64(memory) + page - 1) & ~u64(page - 1), end = (u64(memory) + bytes) & ~u64(page - 1);
    if (begin < end)
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}

#if defined(SCR_DEBUG) && !SCR_ASAN
// So that --fail-alloc reaches the containers of the C++ library too.
void* operator new(size_t bytes) {
    void* memory = scr::mustFailAllocation() ? nullptr : malloc(bytes ? bytes : 1);
    if (!memory)
        scr::outOfMemory();
    return memory;
}
void* operator new[](size_t bytes) { return operator new(bytes); }
void operator delete(void* memory) noexcept { free(memory); }
void operator delete[](void* memory) noexcept { free(memory); }
void operator delete(void* memory, size_t) noexcept { free(memory); }
void operator delete[](void* memory, size_t) noexcept { free(memory); }
#endif
