// The only file that names mimalloc. Chunks and large cells come from here, never from operator new.
#include "runtime/heap/allocator.h"
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>
#ifndef SCR_ALLOC_SYSTEM
#include <mimalloc.h>
#endif

namespace scr {

#ifdef SCR_ALLOC_SYSTEM
void* allocateMemory(size_t bytes) { return malloc(bytes); }
void* allocateZeroed(size_t bytes) { return calloc(1, bytes); }
void* reallocateMemory(void* memory, size_t bytes) { return realloc(memory, bytes); }
void freeMemory(void* memory) { free(memory); }
void* allocateAligned(size_t bytes, size_t alignment) { return aligned_alloc(alignment, bytes); }
#else
void* allocateMemory(size_t bytes) { return mi_malloc(bytes); }
void* allocateZeroed(size_t bytes) { return mi_zalloc(bytes); }
void* reallocateMemory(void* memory, size_t bytes) { return mi_realloc(memory, bytes); }
void freeMemory(void* memory) { mi_free(memory); }
void* allocateAligned(size_t bytes, size_t alignment) { return mi_malloc_aligned(bytes, alignment); }
#endif

void discardPages(void* memory, size_t bytes) {
    size_t page = size_t(sysconf(_SC_PAGESIZE));
    u64 begin = (u64(memory) + page - 1) & ~u64(page - 1), end = (u64(memory) + bytes) & ~u64(page - 1);
    if (begin < end)
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}
