// Symbols (ECMA-262 6.1.5): compared by identity, so their hash is that of their address (cells never move).
#include "runtime/base/hash.h"
#include "runtime/core/vm.h"

namespace scr {

Symbol* newSymbol(Vm& vm, Value description, u8 flags) {
    auto* symbol = static_cast<Symbol*>(vm.heap.allocate(sizeof(Symbol), u8(Kind::Symbol), KeySymbol));
    symbol->flags = flags;
    symbol->hash = u32(hashWord(u64(symbol), vm.hashSeed)) | 1;
    symbol->reserved = 0;
    symbol->description = description;
    return symbol;
}

}
