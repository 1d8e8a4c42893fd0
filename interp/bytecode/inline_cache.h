// Inline caches: what an instruction remembers of the receivers it has seen, in the two words behind it (one shape), in
// a side table (up to four), or in the Vm's shared table (more).
//
// An entry is keyed by a type key. It is valid without any further check:
//  - an own slot: the shape says it all;
//  - what was found (or not found) across prototypes, and a transition: any change of a prototype clears the entry
//    (Vm::dependOnPrototypes), so does a write to a slot whose value was cached (Vm::dependOnSlotValue);
//  - shape ids are weak: sweepCaches clears entries of shapes that died, before an id can be used again.
#pragma once
#include "interp/bytecode/bytecode.h"

namespace scr {

/// How an entry answers.
enum class CacheForm : u8 {
    None,
    Inline, ///< slot at byte `offset` of the receiver
    Overflow, ///< slot at byte `offset` of the receiver's overflow cell
    Holder, ///< the slot at address `pointer` (of an object up the chain)
    Getter, ///< the Accessor cell `pointer` of a holder up the chain
    Absent, ///< undefined
    AddInline, ///< a new property: write at byte `offset`, take the shape id `pointer`
    AddOverflow,
    Setter, ///< as Getter, of a put
};
constexpr size_t CacheFormCount = 9;

/// The two words behind a property or call instruction.
struct CacheWords {
    u32 key;
    u32 offset;
    u64 pointer;
};
static_assert(sizeof(CacheWords) == 16);
inline CacheWords& cacheOf(const u64* pc) { return *reinterpret_cast<CacheWords*>(const_cast<u64*>(pc) + 1); }

struct CacheEntry : CacheWords {
    CacheForm form = CacheForm::None;
    bool dependsOnPrototypes = false;
};

/// Up to four entries of one site.
struct SideTable {
    SideTable* next; ///< of the same Code, which owns it
    CacheWords entries[4];
    CacheForm forms[4];
};

struct SharedCache {
    static constexpr u32 Size = 1024;
    struct Entry {
        u32 key;
        CacheForm form;
        u32 offset;
        u64 name; ///< PropertyKey bits
        u64 pointer;
    };
    static constexpr u32 Listed = 15;
    Entry entries[Size];
    u32 filled; ///< entries written since all were empty
    u16 list[Listed]; ///< where the first of them stand: clearing a few is cheaper than clearing all
    Entry& at(u32 key, PropertyKey name) { return entries[(key * 0x9E3779B1u ^ name.hash()) & (Size - 1)]; }
};

/// The value an own or holder entry names; Getter and Absent are the caller's.
ALWAYS_INLINE Value* cachedSlot(CacheForm form, Object* object, u32 offset, u64 pointer) {
    if (form == CacheForm::Inline)
        return reinterpret_cast<Value*>(reinterpret_cast<char*>(object) + offset);
    if (form == CacheForm::Overflow)
        return reinterpret_cast<Value*>(reinterpret_cast<char*>(object->overflow.get()) + offset);
    return reinterpret_cast<Value*>(pointer);
}
/// The entry of a side table for this key, or -1.
ALWAYS_INLINE int findEntry(const SideTable& table, u32 key) {
    for (int i = 0; i < 4; i++)
        if (table.entries[i].key == key)
            return i;
    return -1;
}

/// What a read of `found` (looked up from an object with the receiver's key) can be cached as; form None if it cannot.
CacheEntry readEntry(Vm& vm, Object* receiver, const Lookup& found);
/// Byte offset of a slot, and whether it is in the overflow cell.
CacheForm slotPlace(const Object* object, u32 slot, u32& offset);

/// Puts an entry into a site: first into its own words with `monomorphic[form]` as the new opcode, then into a side
/// table (`polymorphic`), then gives up for the shared table (`megamorphic`).
struct SiteForms {
    Op first, polymorphic, megamorphic;
    Op byForm[CacheFormCount]; ///< by CacheForm; Op::Halt where the site has no such form
};
extern const SiteForms getFieldForms, putFieldForms, callMethodForms, defineFieldForms;
void fillSite(Vm& vm, Code* code, u64* pc, const SiteForms& forms, const CacheEntry& entry, PropertyKey name);
/// Puts an entry into the shared table alone.
void fillSharedTable(Vm& vm, const CacheEntry& entry, PropertyKey name);

/// Sets up the Vm's cache hooks (clearing on prototype changes, sweeping after marking).
void installCaches(Vm& vm);

}
