// Filling and clearing of inline caches. The hits are in the interpreter's handlers.
#include "interp/bytecode/inline_cache.h"
#include "runtime/core/module_namespace.h"
#include "runtime/core/typed_array.h"
#include "runtime/heap/allocator.h"
#include <cstring>

namespace scr {

const SiteForms getFieldForms = {Op::GetField, Op::GetFieldPolymorphic, Op::GetFieldMegamorphic,
    {Op::Halt, Op::GetFieldInline, Op::GetFieldOverflow, Op::GetFieldHolder, Op::GetFieldGetter, Op::GetFieldAbsent,
        Op::Halt, Op::Halt, Op::Halt}};
const SiteForms putFieldForms = {Op::PutField, Op::PutFieldPolymorphic, Op::PutFieldMegamorphic,
    {Op::Halt, Op::PutFieldInline, Op::PutFieldOverflow, Op::Halt, Op::Halt, Op::Halt, Op::PutFieldAddInline,
        Op::PutFieldAddOverflow, Op::PutFieldSetter}};
const SiteForms callMethodForms = {Op::CallMethod, Op::CallMethodPolymorphic, Op::CallMethodMegamorphic,
    {Op::Halt, Op::CallMethodOwn, Op::CallMethodPolymorphic, Op::CallMethodPolymorphic, Op::Halt, Op::Halt, Op::Halt,
        Op::Halt, Op::Halt}};
const SiteForms defineFieldForms = {Op::DefineField, Op::DefineField, Op::DefineField,
    {Op::Halt, Op::Halt, Op::Halt, Op::Halt, Op::Halt, Op::Halt, Op::DefineFieldAddInline, Op::Halt, Op::Halt}};

CacheForm slotPlace(const Object* object, u32 slot, u32& offset) {
    if (slot < object->aux) {
        offset = u32(sizeof(Object) + slot * sizeof(Value));
        return CacheForm::Inline;
    }
    offset = u32(sizeof(Overflow) + (slot - object->aux) * sizeof(Value));
    return CacheForm::Overflow;
}

static bool isCacheable(Vm& vm, Object* object) { return !(shapeOf(vm, object)->flags & ShapeUncacheable); }

CacheEntry readEntry(Vm& vm, Object* receiver, const Lookup& found) {
    CacheEntry entry{};
    if (!isCacheable(vm, receiver))
        return entry;
    entry.key = receiver->shape;
    if (found.type == Lookup::Absent) {
        entry.form = CacheForm::Absent;
        entry.dependsOnPrototypes = true;
        return entry;
    }
    if (found.type == Lookup::Exotic && found.holder == receiver && isNamespace(receiver)) {
        if (Value* slot = namespaceSlot(found)) {
            entry.form = CacheForm::Holder;
            entry.pointer = u64(slot);
        }
        return entry;
    }
    if ((found.type != Lookup::Data && found.type != Lookup::Accessor) || (found.attributes & LazyBuiltin))
        return entry;
    if (found.holder == receiver) {
        if (found.type == Lookup::Data)
            entry.form = slotPlace(receiver, found.slot, entry.offset);
        return entry;
    }
    entry.dependsOnPrototypes = true;
    entry.pointer = found.type == Lookup::Data ? u64(&found.holder->slot(found.slot)) : u64(found.value.asCell());
    entry.form = found.type == Lookup::Data ? CacheForm::Holder : CacheForm::Getter;
    return entry;
}

static void writeOpcode(u64* pc, Op op) { *reinterpret_cast<u16*>(pc) = u16(op); }

static void writeWords(Vm& vm, Code* code, CacheWords& words, const CacheEntry& entry) {
    // A site that misses for another reason fills in again what it knows: it is listed already.
    bool known = words.key == entry.key && words.offset == entry.offset && words.pointer == entry.pointer;
    words = entry;
    if (entry.dependsOnPrototypes && !known)
        vm.dependOnPrototypes(code, &words.key);
}

static SideTable* newSideTable(Code* code) {
    auto* table = static_cast<SideTable*>(requireMemory(sizeof(SideTable)));
    memset(static_cast<void*>(table), 0, sizeof *table);
    table->next = code->sideTables;
    code->sideTables = table;
    return table;
}

static void fillShared(Vm& vm, const CacheEntry& entry, PropertyKey name) {
    if (!vm.sharedCache) {
        vm.sharedCache = static_cast<SharedCache*>(requireMemory(sizeof(SharedCache)));
        memset(static_cast<void*>(vm.sharedCache), 0, sizeof(SharedCache));
    }
    SharedCache& cache = *vm.sharedCache;
    SharedCache::Entry& place = cache.at(entry.key, name);
    place = {entry.key, entry.form, entry.offset, name.bits(), entry.pointer};
    if (cache.filled < SharedCache::Listed)
        cache.list[cache.filled] = u16(&place - cache.entries);
    cache.filled += cache.filled <= SharedCache::Listed;
}

void fillSharedTable(Vm& vm, const CacheEntry& entry, PropertyKey name) {
    if (entry.form == CacheForm::None)
        return;
    vm.shapes[entry.key]->flags |= ShapeCached;
    fillShared(vm, entry, name);
}

void fillSite(Vm& vm, Code* code, u64* pc, const SiteForms& forms, const CacheEntry& entry, PropertyKey name) {
    if (entry.form == CacheForm::None || UNLIKELY(isNumericName(name)))
        return;
    if (entry.key >= FirstShape)
        vm.shapes[entry.key]->flags |= ShapeCached;
    Op op = Op(*reinterpret_cast<u16*>(pc));
    CacheWords& words = cacheOf(pc);
    Op target = forms.byForm[size_t(entry.form)];
    if (op == forms.megamorphic && op != forms.first)
        return fillShared(vm, entry, name);
    if (op != forms.polymorphic || op == forms.first) {
        bool vacant = op == forms.first || words.key == KeyNone || words.key == entry.key;
        if (target == Op::Halt && forms.polymorphic == forms.first)
            return;
        if (vacant && target != forms.polymorphic && target != Op::Halt) {
            writeWords(vm, code, words, entry);
            return writeOpcode(pc, target);
        }
        if (forms.polymorphic == forms.first)
            return;
        words = {KeyNone, 0, u64(newSideTable(code))};
        writeOpcode(pc, forms.polymorphic);
    }
    auto* table = reinterpret_cast<SideTable*>(words.pointer);
    int at = findEntry(*table, entry.key);
    if (at < 0)
        at = findEntry(*table, KeyNone);
    if (at < 0) {
        writeOpcode(pc, forms.megamorphic);
        return fillShared(vm, entry, name);
    }
    table->forms[at] = entry.form;
    writeWords(vm, code, table->entries[at], entry);
}

static void clearShared(Vm& vm) {
    if (!vm.sharedCache)
        return;
    SharedCache& cache = *vm.sharedCache;
    if (cache.filled > SharedCache::Listed)
        memset(static_cast<void*>(&cache), 0, sizeof(SharedCache));
    for (u32 i = 0; i < cache.filled; i++)
        cache.entries[cache.list[i]] = {};
    cache.filled = 0;
}

// ---- sweeping: after marking, before any id or address can be used again

static bool isDeadShape(Vm& vm, u32 key) {
    return key >= FirstShape && (!vm.shapes[key] || !vm.heap.isMarked(vm.shapes[key]));
}

static bool addsProperty(CacheForm form) { return form == CacheForm::AddInline || form == CacheForm::AddOverflow; }

static void sweepTable(Vm& vm, SideTable& table) {
    for (int i = 0; i < 4; i++) {
        CacheWords& words = table.entries[i];
        if (isDeadShape(vm, words.key) || (addsProperty(table.forms[i]) && isDeadShape(vm, u32(words.pointer))))
            words.key = KeyNone;
    }
}

/// A cache word that holds a shape cell itself: of literals and constructors.
static void sweepShapePointer(Vm& vm, u64& word) {
    if (word && !vm.heap.isMarked(reinterpret_cast<Cell*>(word)))
        word = 0;
}

static void sweepInstruction(Vm& vm, u64* pc, Op op) {
    CacheWords& words = cacheOf(pc);
    switch (op) {
    case Op::NewObjectLiteral: return sweepShapePointer(vm, pc[1]);
    case Op::Construct:
    case Op::SuperCall:
        sweepShapePointer(vm, words.pointer);
        if (!words.pointer || isDeadShape(vm, words.key))
            words.key = KeyNone;
        return;
    case Op::PutFieldAddInline:
    case Op::PutFieldAddOverflow:
    case Op::DefineFieldAddInline:
        if (isDeadShape(vm, words.key) || isDeadShape(vm, u32(words.pointer)))
            words.key = KeyNone;
        return;
    case Op::GetGlobal:
    case Op::GetGlobalOrUndefined:
    case Op::SetGlobal:
    case Op::GetTemplateObject: return;
    default:
        if (infoOf(op).words == 3 && isDeadShape(vm, words.key))
            words.key = KeyNone;
    }
}

static void sweepCode(Vm& vm, Code* code) {
    for (u32 i = 0; i < code->wordCount;) {
        Op op = Op(*reinterpret_cast<u16*>(code->words + i));
        if (infoOf(op).words > 1)
            sweepInstruction(vm, code->words + i, op);
        i += infoOf(op).words;
    }
    for (SideTable* table = code->sideTables; table; table = table->next)
        sweepTable(vm, *table);
}

static void sweepCaches(void* context, Heap& heap) {
    Vm& vm = *static_cast<Vm*>(context);
    std::erase_if(vm.codes, [&](Code* code) { return !heap.isMarked(code); });
    clearShared(vm);
    for (Code* code : vm.codes)
        sweepCode(vm, code);
}

void installCaches(Vm& vm) {
    vm.clearSharedCache = clearShared;
    vm.heap.addWeak(sweepCaches, &vm);
}

}
