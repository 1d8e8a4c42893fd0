// Lists of an object's keys that survive while script runs, and objects that can be listed without running any.
#pragma once
#include "runtime/builtins/native.h"
#include "runtime/core/descriptor.h"

namespace scr {

/// The shape of an object whose own enumerable string-keyed properties can be read straight from its slots in the order
/// of its shape: an ordinary object, no indices, nothing but data under atoms. Null for all others. While the object
/// keeps that shape, slot i belongs to entry i.
Shape* plainShape(Vm& vm, Object* object);

/// The own keys of an object at one moment, held in a cell: script that runs meanwhile may delete them.
class KeyList {
public:
    KeyList() = default;
    /// [[OwnPropertyKeys]], which may run script; filter: StringKeys and SymbolKeys.
    static Completion<KeyList> of(Vm& vm, Object* object, u8 filter);
    u32 count() const { return list_->elements_.denseLength; }
    PropertyKey operator[](u32 i) const { return PropertyKey::fromBits(list_->elements_.dense()[i].bits()); }

private:
    Array* list_ = nullptr;
};

}
