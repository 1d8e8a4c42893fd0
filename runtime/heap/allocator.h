// Memory for chunks, large cells and plain buffers. allocator.cpp is the only file that names mimalloc; built with
// -DSCR_ALLOC_SYSTEM it uses the C library instead (sanitizers).
#pragma once
#include "runtime/base/platform.h"

namespace scr {

/// Null when the machine has no more memory.
void* allocateMemory(size_t bytes);
/// All zeros, without touching the pages of large ones.
void* allocateZeroed(size_t bytes);
void* reallocateMemory(void* memory, size_t bytes);
void freeMemory(void* memory);
/// `alignment` is a power of two. Freed with freeMemory.
void* allocateAligned(size_t bytes, size_t alignment);
/// What is left when the machine has no more memory: "scr: out of memory" on stderr, exit status 1. Also what operator
/// new does then, once installed.
[[noreturn]] COLD void outOfMemory();
void installOutOfMemory();
/// allocateMemory that ends the run instead of giving null: for small tables that nothing can do without.
void* requireMemory(size_t bytes);
/// What tells more about it: `describe` writes at most `size` bytes (" (file:1:2)") without allocating anything.
void setOutOfMemoryPlace(size_t (*describe)(void* context, char* text, size_t size), void* context);

#ifdef SCR_DEBUG
/// The Nth allocation from now on fails (0: none): one of the functions above, operator new, or a cell.
void failAllocation(u64 number);
/// Counts one; true for the one that has to fail.
bool mustFailAllocation();
u64 allocationsCounted();
#endif

/// Tells the machine that the pages wholly inside are not needed; their contents become zero or stay.
void discardPages(void* memory, size_t bytes);

}
