// Key lists and plain objects. See descriptor.h.
#include "runtime/builtins/descriptor.h"

namespace scr {

Shape* plainShape(Vm& vm, Object* object) {
    if (kindOf(object) != Kind::Object || object->elements())
        return nullptr;
    Shape* shape = shapeOf(vm, object);
    for (u32 i = 0; i < shape->count; i++) {
        PropertyEntry& entry = entryAt(shape, i);
        if (!PropertyKey::fromBits(entry.key).isAtom() || (entry.attributes & (AccessorProperty | LazyBuiltin)))
            return nullptr;
    }
    return shape;
}

Completion<KeyList> KeyList::of(Vm& vm, Object* object, u8 filter) {
    KeyList keys;
    keys.list_ = TRY(ownKeyList(vm, object, filter));
    return keys;
}

}
