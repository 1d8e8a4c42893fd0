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
/// Tells the machine that the pages wholly inside are not needed; their contents become zero or stay.
void discardPages(void* memory, size_t bytes);

}
