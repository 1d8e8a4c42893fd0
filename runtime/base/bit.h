// Small questions about bits that <bit> does not answer.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace scr {

/// value rounded up to a multiple of alignment, which is a power of two.
constexpr size_t roundUp(size_t value, size_t alignment) { return (value + alignment - 1) & ~(alignment - 1); }

/// Whether alignment, a power of two, divides value.
constexpr bool isAligned(size_t value, size_t alignment) { return (value & (alignment - 1)) == 0; }

} // namespace scr
