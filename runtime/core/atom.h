// Atoms: interned strings. The table is weak: an atom that nothing else refers to dies with the next collection.
//
// Invariants: of two atoms with equal units there is one cell; an atom is flat, its hash is computed, and exactly one
// of StringIndex and StringNotIndex is set.
#pragma once
#include "runtime/core/vm.h"

namespace scr {

/// Open addressing, linear probing. An entry is 0 (never used), 1 (deleted), or a cell's address with 16 bits of the
/// hash above it, so that a probe seldom looks at a string that is not the one.
struct AtomTable {
    explicit AtomTable(Vm& vm);
    ~AtomTable();
    AtomTable(const AtomTable&) = delete;

    /// The atom whose units are these, or null.
    String* find(u32 hash, const u8* units, u32 length) const;
    String* find(u32 hash, const char16_t* units, u32 length) const;
    /// Known: no atom is equal to it; its hash is computed and its flags are set.
    void insert(String* atom);
    size_t count() const { return live_; }

private:
    template <class Unit> String* findUnits(u32 hash, const Unit* units, u32 length) const;
    void place(String* atom);
    void resize(size_t size);
    void sweep(Heap& heap);
    u64* entries_ = nullptr;
    size_t mask_ = 0;
    size_t used_ = 0; ///< live and deleted entries
    size_t live_ = 0;
};

/// Makes vm.atoms, vm.emptyStringCell, vm.names and vm.symbols, and registers what keeps them alive. Known: vm.hashSeed
/// is set and registerStringKinds was called.
void setUpAtoms(Vm& vm);
/// After the last use of any atom, before the heap goes.
void tearDownAtoms(Vm& vm);

/// Trace functions of strings, symbols and Storage.
void registerStringKinds(Heap& heap);

}
