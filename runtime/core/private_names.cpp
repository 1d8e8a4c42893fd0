// Reading, writing and adding private elements.
#include "runtime/core/private_names.h"
#include "runtime/core/error.h"
#include "runtime/core/object_internal.h"
#include "runtime/core/vm.h"

namespace scr {

Symbol* newPrivateName(Vm& vm, String* description, u8 flags) {
    return newSymbol(vm, Value::string(description), SymbolPrivate | flags);
}

Lookup findPrivate(Vm& vm, Object* object, PropertyKey name) {
    Lookup found;
    u32 slot = findSlot(shapeOf(vm, object), name);
    if (slot == NotFound)
        return found;
    found.type = Lookup::Data;
    found.attributes = entryAt(shapeOf(vm, object), slot).attributes;
    found.slot = slot;
    found.holder = object;
    found.value = object->slot(slot);
    return found;
}

static Threw throwMissing(Vm& vm, Value base, PropertyKey name, bool isWrite) {
    u8 flags = name.asSymbol()->flags;
    if (flags & SymbolStaticBrand)
        return throwError(vm, Error::StaticBrand, name);
    if (base.isNullish())
        return throwError(vm, isWrite ? Error::SetOfNullish : Error::ReadOfNullish, base, name);
    if (flags & SymbolBrand)
        return throwError(vm, Error::InstanceBrand, name);
    return throwError(vm, isWrite ? Error::PrivateMissingWrite : Error::PrivateMissing, name);
}

Completion<Value> privateGet(Vm& vm, Value base, PropertyKey name) {
    Lookup found = base.isObject() ? findPrivate(vm, base.asObject(), name) : Lookup{};
    return found.found() ? Completion<Value>(found.value) : throwMissing(vm, base, name, false);
}

Completion<void> privateSet(Vm& vm, Value base, PropertyKey name, Value value) {
    Lookup found = base.isObject() ? findPrivate(vm, base.asObject(), name) : Lookup{};
    if (!found.found())
        return throwMissing(vm, base, name, true);
    writeSlot(vm, found.holder, found.slot, value);
    return {};
}

Completion<void> privateAdd(Vm& vm, Object* object, PropertyKey name, Value value) {
    if (UNLIKELY(findPrivate(vm, object, name).found())) {
        bool isBrand = name.asSymbol()->flags & (SymbolBrand | SymbolStaticBrand);
        return throwError(vm, isBrand ? Error::BrandTwice : Error::PrivateTwice, name);
    }
    addNamed(vm, object, name, value, Writable);
    return {};
}

Completion<bool> privateHas(Vm& vm, Value base, PropertyKey name) {
    if (!base.isObject())
        return throwError(vm, Error::InNotObject, name, base);
    return findPrivate(vm, base.asObject(), name).found();
}

}
