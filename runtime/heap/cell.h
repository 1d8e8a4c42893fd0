// The header every collected cell begins with. The heap knows cells by kind; what a kind holds is told by its trace
// function.
#pragma once
#include "runtime/base/assert.h"

namespace scr {

/// 8 bytes. `shape` is the type key of objects (a shape id) and of primitive cells (core/value.h); other kinds use it
/// as a count (storage capacity, slots of an environment).
struct Cell {
    u32 shape;
    u8 kind; ///< core/kind.h; 0 is a free cell
    u8 flags; ///< by kind; for objects core/object.h ObjectFlag
    u8 aux; ///< by kind; for objects the number of inline slots
    u8 age; ///< kept for a sticky generation; 0 today
};
static_assert(sizeof(Cell) == 8);

}
