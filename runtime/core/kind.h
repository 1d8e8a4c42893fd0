// Kind: what a cell is. Expanded from kinds.def.
#pragma once
#include "runtime/heap/cell.h"

namespace scr {

enum class Kind : u8 {
#define KIND(Name) Name,
#include "runtime/core/kinds.def"
#undef KIND
    Count
};

inline Kind kindOf(const Cell* cell) { return Kind(cell->kind); }
inline bool isObjectKind(Kind kind) { return kind >= Kind::Object; }
inline bool isCallableKind(Kind kind) { return kind >= Kind::Function && kind <= Kind::BoundFunction; }

}
