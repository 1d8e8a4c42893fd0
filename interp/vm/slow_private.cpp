// Slow paths of private elements whose keys are made at run time: classes that are evaluated more than once, and names
// that eval reaches. A filled cache says: objects of this shape have this key in that slot.
#include "interp/vm/slow_paths.h"
#include "runtime/core/private_names.h"

namespace scr {

static void remember(Vm& vm, const u64* pc, const Lookup& found, Value name) {
    Shape* shape = shapeOf(vm, found.holder);
    if (shape->flags & ShapeUncacheable)
        return;
    shape->flags |= ShapeCached;
    u32 offset;
    bool isInline = slotPlace(found.holder, found.slot, offset) == CacheForm::Inline;
    cacheOf(pc) = {shape->id, offset | !isInline, name.bits()};
}

/// What the value has under the name, remembered if it has it.
static Lookup find(Vm& vm, const u64* pc, Value object, Value name) {
    Lookup found;
    if (object.isObject())
        found = findPrivate(vm, object.asObject(), PropertyKey::fromBits(name.bits()));
    if (found.found())
        remember(vm, pc, found, name);
    return found;
}

bool slowGetPrivate(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::GetPrivate>(pc);
    publish(vm, pc, base);
    Value object = base[insn.object.n], name = base[insn.name.n];
    Lookup found = find(vm, pc, object, name);
    if (!found.found())
        return !privateGet(vm, object, PropertyKey::fromBits(name.bits())).threw();
    base[insn.dst.n] = found.value;
    return true;
}

bool slowPutPrivate(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::PutPrivate>(pc);
    publish(vm, pc, base);
    Value object = base[insn.object.n], name = base[insn.name.n];
    find(vm, pc, object, name);
    return !privateSet(vm, object, PropertyKey::fromBits(name.bits()), base[insn.src.n]).threw();
}

bool slowHasPrivate(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::HasPrivate>(pc);
    publish(vm, pc, base);
    Value object = base[insn.object.n], name = base[insn.name.n];
    Lookup found = find(vm, pc, object, name);
    if (!object.isObject())
        return !privateHas(vm, object, PropertyKey::fromBits(name.bits())).threw();
    base[insn.dst.n] = Value::boolean(found.found());
    return true;
}

bool slowAddPrivate(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::AddPrivate>(pc);
    publish(vm, pc, base);
    PropertyKey name = PropertyKey::fromBits(base[insn.name.n].bits());
    return !privateAdd(vm, base[insn.object.n].asObject(), name, base[insn.src.n]).threw();
}

bool slowNewPrivateName(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::NewPrivateName>(pc);
    publish(vm, pc, base);
    String* description = codeOf(base)->constant(insn.description.n).asString();
    base[insn.dst.n] = Value::symbol(newPrivateName(vm, description, u8(insn.flags.value)));
    return true;
}

}
