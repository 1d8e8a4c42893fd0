// Boolean (ECMA-262 20.3).
#include "runtime/builtins/primitive.h"

namespace scr {

// 20.3.1.1 Boolean ( value )
Result boolean_constructor(Vm& vm, Args args) {
    Value newTarget = vm.takeNewTarget();
    Value value = Value::boolean(toBoolean(args[0]));
    if (newTarget.isUndefined())
        return value;
    return Value::object(
        newWrapperWith(vm, TRY(prototypeFor(vm, args, newTarget, Intrinsic::BooleanPrototype)), value));
}

namespace {

Result thisBoolean(Vm& vm, Value self, std::string_view method) {
    return thisPrimitive(
        vm, self, [](Value value) { return value.isBoolean(); }, method, "Boolean");
}

}

// 20.3.3.2 Boolean.prototype.toString ( )
Result boolean_prototype_toString(Vm& vm, Args args) {
    Value value = TRY(thisBoolean(vm, args.self(), "Boolean.prototype.toString"));
    return Value::string(value.asBoolean() ? vm.names.true_ : vm.names.false_);
}

// 20.3.3.3 Boolean.prototype.valueOf ( )
Result boolean_prototype_valueOf(Vm& vm, Args args) {
    return thisBoolean(vm, args.self(), "Boolean.prototype.valueOf");
}

}
