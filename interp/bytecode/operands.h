// Operand types of instructions, so that a register cannot be passed for a constant.
#pragma once
#include "runtime/base/platform.h"

namespace scr {

struct Reg {
    u16 n = 0;
    bool operator==(const Reg&) const = default;
};
/// In an `env` operand: the callee's own environment.
constexpr Reg NoReg{0xFFFF};
struct Const {
    u16 n = 0; ///< number of the constant (Code::constant)
};
struct Imm16 {
    i16 value = 0;
};
struct Imm32 {
    i32 value = 0;
};
struct Count {
    u16 n = 0;
};
struct Slot {
    u16 n = 0;
};
/// In words, from this instruction's own word.
struct Rel16 {
    i16 words = 0;
};
struct Rel32 {
    i32 words = 0;
};
/// In words, from the word after the instruction and its cache.
struct Jump16 {
    i16 words = 0;
};
struct Jump32 {
    i32 words = 0;
};

}
