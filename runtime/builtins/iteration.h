// Iterating from C++ (ECMA-262 7.4): any iterable, with arrays that nobody tampered with read by index.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

/// 7.4.3 GetIteratorFromMethod. TypeError if the method's result is no object.
Completion<IteratorRecord> iteratorFromMethod(Vm& vm, Value iterable, Value method);
/// 7.4.4 GetIterator with the message natives give: "number 1 is not iterable (cannot read property
/// Symbol(Symbol.iterator))".
Completion<IteratorRecord> iteratorOf(Vm& vm, Value iterable);
/// TypeError unless the record's `next` can be called; what the first step would throw.
Completion<void> requireNext(Vm& vm, const IteratorRecord& record);

/// The element, from dense storage if it is there, else by Get. May run script only for holes and odd arrays.
ALWAYS_INLINE Result elementAt(Vm& vm, Object* object, u32 index) {
    if (LIKELY(kindOf(object) == Kind::Array)) {
        Elements& elements = static_cast<Array*>(object)->elements_;
        if (LIKELY(index < elements.denseLength)) {
            Value value = elements.dense()[index];
            if (LIKELY(!value.isHole()))
                return value;
        }
    }
    return get(vm, object, PropertyKey::index(index));
}

/// Calls `use(Value)` -> Completion<void> for each value; closes the iterator when `use` throws.
template <class Use> Completion<void> forEachWith(Vm& vm, const IteratorRecord& record, Use use) {
    TRY(requireNext(vm, record));
    Value value;
    while (TRY(iteratorStep(vm, record, value))) {
        TRY(vm.work(1));
        if (use(value).threw())
            return iteratorCloseThrow(vm, record.iterator);
    }
    return {};
}
template <class Use> Completion<void> forEachOf(Vm& vm, Value iterable, Use use) {
    if (!iteratesAsArray(vm, iterable))
        return forEachWith(vm, TRY(iteratorOf(vm, iterable)), use);
    auto* array = static_cast<Array*>(iterable.asObject());
    for (u32 i = 0; i < array->length(); i++) {
        TRY(vm.work(1));
        TRY(use(TRY(elementAt(vm, array, i))));
    }
    return {};
}

}
