// Counting for --explain-shapes. Nothing here changes what the script does: before an instruction with an inline cache
// runs, its cache is asked whether it would answer. Invariants: while counting, code is kept alive and no shape id is
// used twice, so addresses of instructions and ids mean the same all the time.
#include "interp/vm/site_watch.h"
#include "interp/vm/slow_paths.h"
#include <algorithm>

namespace scr {

void watchSites(Vm& vm) {
    if (vm.siteWatch)
        return;
    auto* watch = new SiteWatch;
    watch->births.assign(vm.shapes.size(), Birth{nullptr, 0});
    vm.siteWatch = watch;
    vm.interpretHook = interpretWatched;
    vm.heap.addRoots(
        [](void* context, Marker& marker) {
            for (Code* code : static_cast<Vm*>(context)->codes)
                marker.mark(code);
        },
        &vm);
    vm.heap.addWeak([](void* context, Heap&) { static_cast<Vm*>(context)->freeShapeIds.clear(); }, &vm);
}

// ---- which instructions, and what they look at

static bool isBetween(Op op, Op first, Op last) { return op >= first && op <= last; }

/// The instruction as the compiler emitted it; Halt if it is no property or call site.
static Op firstForm(Op op) {
    if (isBetween(op, Op::GetField, Op::GetFieldMegamorphic))
        return Op::GetField;
    if (isBetween(op, Op::PutField, Op::PutFieldMegamorphic))
        return Op::PutField;
    if (isBetween(op, Op::CallMethod, Op::CallMethodMegamorphic))
        return Op::CallMethod;
    if (isBetween(op, Op::DefineField, Op::DefineFieldAddInline))
        return Op::DefineField;
    return Op::Halt;
}

static Value receiverOf(Op first, const u64* pc, const Value* base) {
    switch (first) {
    case Op::GetField: return base[reinterpret_cast<const ops::GetField*>(pc)->object.n];
    case Op::CallMethod: return base[reinterpret_cast<const ops::CallMethod*>(pc)->first.n + 2];
    default: return base[reinterpret_cast<const ops::PutField*>(pc)->object.n];
    }
}

Value siteName(Op first, const u64* pc, Code* code) {
    switch (first) {
    case Op::GetField: return code->constant(reinterpret_cast<const ops::GetField*>(pc)->name.n);
    case Op::CallMethod: return code->constant(reinterpret_cast<const ops::CallMethod*>(pc)->name.n);
    default: return code->constant(reinterpret_cast<const ops::PutField*>(pc)->name.n);
    }
}

/// Will the cache of the instruction answer for this receiver?
static bool answers(Vm& vm, Op op, Op first, const u64* pc, Code* code, Value receiver) {
    const CacheWords& cache = cacheOf(pc);
    switch (op) {
    case Op::GetField:
    case Op::PutField:
    case Op::CallMethod:
    case Op::DefineField: return false;
    case Op::GetFieldArrayLength: return receiver.isObject() && kindOf(receiver.asCell()) == Kind::Array;
    case Op::GetFieldStringLength: return receiver.isString();
    case Op::CallMethodPrimitive:
    case Op::CallMethodCharCodeAt: return primitiveKey(receiver) == cache.key;
    case Op::GetFieldPolymorphic:
    case Op::PutFieldPolymorphic:
    case Op::CallMethodPolymorphic:
        return receiver.isObject()
            && findEntry(*reinterpret_cast<SideTable*>(cache.pointer), receiver.asObject()->shape) >= 0;
    case Op::GetFieldMegamorphic:
    case Op::PutFieldMegamorphic:
    case Op::CallMethodMegamorphic:
        return receiver.isObject()
            && sharedSlot(vm, receiver.asObject(), receiver.asObject()->shape, siteName(first, pc, code));
    default: return receiver.isObject() && receiver.asObject()->shape == cache.key;
    }
}

// ---- shapes

static std::string classNameOf(Vm& vm, Object* prototype) {
    if (!prototype)
        return "null-prototype object";
    Lookup found = getOwnProperty(vm, prototype, PropertyKey::atom(vm.names.constructor));
    if (found.type != Lookup::Data || !found.value.isObject())
        return "";
    Object* constructor = found.value.asObject();
    Value name;
    if (kindOf(constructor) == Kind::Function)
        name = Value::string(static_cast<Function*>(constructor)->info->name);
    else if (kindOf(constructor) == Kind::NativeFunction)
        name = static_cast<NativeFunction*>(constructor)->name;
    return name.isString() ? toUtf8(vm, name.asString()) : "";
}

/// Where the shape, or the one of its lineage that has its first `count` properties, came into being.
static Birth birthOf(const SiteWatch& watch, const Shape* shape, u32 count) {
    while (shape->parent && shape->parent->count >= count)
        shape = shape->parent;
    return shape->id < watch.births.size() ? watch.births[shape->id] : Birth{nullptr, 0};
}

static void look(SiteWatch& watch, Vm& vm, Object* object) {
    if (watch.seen.contains(object->shape))
        return;
    Shape* shape = shapeOf(vm, object);
    SeenShape seen{};
    seen.className = classNameOf(vm, shape->prototype);
    seen.prototype = shape->prototype;
    seen.birth = birthOf(watch, shape, shape->count);
    seen.capacity = shape->aux;
    seen.kind = kindOf(object);
    seen.isUnique = shape->isUnique();
    seen.isPrototype = object->flags & IsPrototype;
    for (u32 i = 0; i < shape->count; i++) {
        PropertyEntry entry = entryAt(shape, i);
        if (!entry.key)
            continue;
        seen.keys.push_back(entry.key);
        seen.attributes.push_back(entry.attributes & (AllAttributes | AccessorProperty));
        seen.births.push_back(seen.isUnique ? seen.birth : birthOf(watch, shape, i + 1));
    }
    watch.seen.emplace(object->shape, std::move(seen));
}

/// The shapes made since the last look belong to the instruction that ran then.
static void learnBirths(SiteWatch& watch, Vm& vm) {
    Birth birth{watch.lastCode, watch.lastCode ? u32(watch.lastPc - watch.lastCode->words) : 0};
    watch.births.resize(vm.shapes.size(), birth);
}

// ---- counting

static Site& siteAt(SiteWatch& watch, const u64* pc, Code* code, Op first) {
    auto [found, isNew] = watch.siteOfPc.try_emplace(pc, u32(watch.sites.size()));
    if (isNew)
        watch.sites.push_back({pc, code, first, {}});
    return watch.sites[found->second];
}

static void count(Site& site, u32 key, bool hit) {
    site.times++;
    site.misses += !hit;
    for (SiteShape& shape : site.shapes)
        if (shape.key == key) {
            shape.times++;
            shape.misses += !hit;
            return;
        }
    if (site.shapes.size() < MostShapes)
        site.shapes.push_back({key, 1, u64(!hit)});
    else
        site.otherTimes++;
}

void watchSite(SiteWatch& watch, Vm& vm, const u64* pc, Value* base) {
    if (UNLIKELY(vm.shapes.size() != watch.births.size()))
        learnBirths(watch, vm);
    Code* code = codeOf(base);
    watch.lastCode = code;
    watch.lastPc = pc;
    Op op = Op(*reinterpret_cast<const u16*>(pc));
    Op first = firstForm(op);
    if (first == Op::Halt)
        return;
    Value receiver = receiverOf(first, pc, base);
    if (receiver.isNullish())
        return;
    if (receiver.isObject())
        look(watch, vm, receiver.asObject());
    count(siteAt(watch, pc, code, first), receiver.typeKey(), answers(vm, op, first, pc, code, receiver));
}

}
