// Interning: the table, making atoms, and the names and symbols that every Vm has.
#include "runtime/core/atom.h"
#include "runtime/core/string_units.h"
#include "runtime/heap/allocator.h"

namespace scr {

static constexpr u64 Deleted = 1;
static constexpr size_t FirstSize = 256;

static u64 entryOf(const String* atom) { return u64(atom) | u64(atom->hash >> 16) << 48; }
static String* atomOf(u64 entry) { return reinterpret_cast<String*>(entry & 0xFFFFFFFFFFFFull); }

// ---- the table

AtomTable::AtomTable(Vm& vm) {
    resize(FirstSize);
    vm.heap.addWeak([](void* table, Heap& heap) { static_cast<AtomTable*>(table)->sweep(heap); }, this);
}

AtomTable::~AtomTable() { freeMemory(entries_); }

template <class Unit> String* AtomTable::findUnits(u32 hash, const Unit* units, u32 length) const {
    u64 tag = u64(hash >> 16);
    for (size_t i = hash & mask_;; i = (i + 1) & mask_) {
        u64 entry = entries_[i];
        if (!entry)
            return nullptr;
        if (entry >> 48 != tag || entry == Deleted)
            continue;
        String* atom = atomOf(entry);
        if (atom->hash == hash && equalUnits(atom, units, length))
            return atom;
    }
}

String* AtomTable::find(u32 hash, const u8* units, u32 length) const { return findUnits(hash, units, length); }
String* AtomTable::find(u32 hash, const char16_t* units, u32 length) const { return findUnits(hash, units, length); }

void AtomTable::place(String* atom) {
    size_t i = atom->hash & mask_;
    while (entries_[i] > Deleted)
        i = (i + 1) & mask_;
    used_ += entries_[i] == 0;
    live_++;
    entries_[i] = entryOf(atom);
}

void AtomTable::insert(String* atom) {
    if ((used_ + 1) * 4 > (mask_ + 1) * 3)
        resize(live_ * 2 > mask_ ? (mask_ + 1) * 2 : mask_ + 1);
    place(atom);
}

void AtomTable::resize(size_t size) {
    auto* entries = static_cast<u64*>(requireMemory(size * sizeof(u64)));
    memset(entries, 0, size * sizeof(u64));
    u64* old = entries_;
    size_t oldSize = old ? mask_ + 1 : 0;
    entries_ = entries;
    mask_ = size - 1;
    used_ = live_ = 0;
    for (size_t i = 0; i < oldSize; i++)
        if (old[i] > Deleted)
            place(atomOf(old[i]));
    freeMemory(old);
}

void AtomTable::sweep(Heap& heap) {
    for (size_t i = 0; i <= mask_; i++) {
        if (entries_[i] > Deleted && !heap.isMarked(atomOf(entries_[i]))) {
            entries_[i] = Deleted;
            live_--;
        }
    }
    if (mask_ + 1 > FirstSize && live_ * 8 < mask_)
        resize((mask_ + 1) / 2);
}

// ---- interning

/// Known: flat, its hash is computed, no atom is equal to it. Makes it one.
static String* adopt(Vm& vm, String* flat) {
    u32 index;
    flat->flags |= StringAtom | (isArrayIndex(flat, index) ? StringIndex : StringNotIndex);
    vm.atoms->insert(flat);
    return flat;
}

String* internLatin1(Vm& vm, const u8* units, u32 length) {
    u32 hash = hashUnits(vm, units, length);
    if (String* atom = vm.atoms->find(hash, units, length))
        return atom;
    String* string = newFlat(vm, length, false);
    memcpy(writableUnits(string), units, length);
    string->hash = hash;
    return adopt(vm, string);
}

String* internAscii(Vm& vm, std::string_view text) {
    return internLatin1(vm, reinterpret_cast<const u8*>(text.data()), u32(text.size()));
}

String* internUtf16(Vm& vm, const char16_t* units, u32 length) {
    u32 hash = hashUnits(vm, units, length);
    if (String* atom = vm.atoms->find(hash, units, length))
        return atom;
    String* string = newUtf16(vm, units, length);
    string->hash = hash;
    return adopt(vm, string);
}

/// True if the string keeps little more alive than its own units.
static bool ownsItsUnits(const String* flat) {
    if (flat->isInline())
        return true;
    if (kindOf(flat->owner) != Kind::Bytes)
        return false;
    u64 bytes = unitBytes(flat->length, flat->isWide());
    return static_cast<const UnitBuffer*>(flat->owner)->capacity <= bytes + bytes / 4;
}

Completion<String*> internString(Vm& vm, String* string) {
    if (string->isAtom())
        return string;
    TRY(flatten(vm, string));
    u32 hash = hashOf(vm, string);
    String* atom = string->isWide() ? vm.atoms->find(hash, string->wide(), string->length)
                                    : vm.atoms->find(hash, string->latin1(), string->length);
    if (atom)
        return atom;
    if (!ownsItsUnits(string)) {
        String* copy = TRY(newUninitialized(vm, string->length, string->isWide()));
        copyUnits(writableUnits(copy), copy->isWide(), string, 0, string->length);
        copy->hash = hash;
        string = copy;
    }
    return adopt(vm, string);
}

// ---- the Vm's own

static void markAtoms(void* context, Marker& marker) {
    auto& vm = *static_cast<Vm*>(context);
    marker.mark(vm.emptyStringCell);
    for (String* string : vm.unitStrings)
        marker.mark(string);
#define NAME(id) marker.mark(vm.names.id);
#define NAMED(id, text) marker.mark(vm.names.id);
#include "runtime/core/names.def"
#undef NAME
#undef NAMED
#define WELL_KNOWN(id, description) marker.mark(vm.symbols.id);
#include "runtime/core/symbols.def"
#undef WELL_KNOWN
}

void setUpAtoms(Vm& vm) {
    static constexpr std::string_view Texts[] = {
#define NAME(id) #id,
#define NAMED(id, text) text,
#include "runtime/core/names.def"
#undef NAME
#undef NAMED
    };
    static String* Names::*const Members[] = {
#define NAME(id) &Names::id,
#define NAMED(id, text) &Names::id,
#include "runtime/core/names.def"
#undef NAME
#undef NAMED
    };
    static constexpr std::string_view Descriptions[] = {
#define WELL_KNOWN(id, description) description,
#include "runtime/core/symbols.def"
#undef WELL_KNOWN
    };
    static Symbol* WellKnownSymbols::*const Symbols[] = {
#define WELL_KNOWN(id, description) &WellKnownSymbols::id,
#include "runtime/core/symbols.def"
#undef WELL_KNOWN
    };
    vm.atoms = new AtomTable(vm);
    vm.heap.addRoots(markAtoms, &vm);
    vm.emptyStringCell = internAscii(vm, "");
    for (size_t i = 0; i < std::size(Texts); i++)
        vm.names.*Members[i] = internAscii(vm, Texts[i]);
    for (size_t i = 0; i < std::size(Descriptions); i++) {
        // Node makes its own with Symbol.for.
        u8 flags = Descriptions[i] == "nodejs.util.inspect.custom" ? SymbolRegistered : 0;
        vm.symbols.*Symbols[i] = newSymbol(vm, Value::string(newAscii(vm, Descriptions[i])), flags);
    }
}

void tearDownAtoms(Vm& vm) {
    delete vm.atoms;
    vm.atoms = nullptr;
}

}
