// Wrapped primitives, and the prototypes that are such wrappers themselves.
#include "runtime/builtins/primitive.h"

namespace scr {

PrimitiveWrapper* newWrapperWith(Vm& vm, Object* prototype, Value value) {
    Shape* shape = rootShape(vm, prototype, 0);
    auto* wrapper =
        static_cast<PrimitiveWrapper*>(allocateObject(vm, Kind::PrimitiveWrapper, sizeof(PrimitiveWrapper), shape));
    wrapper->value = value;
    return wrapper;
}

// 20.3.3, 21.1.3, 22.1.3: each is an object of its own class that holds false, 0 or the empty string.
Object* makeBooleanPrototype(Vm& vm, Object* prototype) { return newWrapperWith(vm, prototype, Value::boolean(false)); }
Object* makeNumberPrototype(Vm& vm, Object* prototype) { return newWrapperWith(vm, prototype, Value::int32(0)); }
Object* makeStringPrototype(Vm& vm, Object* prototype) {
    return newWrapperWith(vm, prototype, Value::string(emptyString(vm)));
}

}
