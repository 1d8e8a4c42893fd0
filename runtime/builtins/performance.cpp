// performance: the loop's clock in milliseconds with fractions.
#include "runtime/builtins/process_support.h"
#include "runtime/loop/event_loop.h"

namespace scr {

Result performance_now(Vm& vm, Args) { return Value::number(double(vm.loop->nanoseconds()) / 1e6); }

Value performance_makeTimeOrigin(Vm& vm) {
    return Value::number((double(wallNanoseconds()) - double(vm.loop->nanoseconds())) / 1e6);
}

Result performance_toJSON(Vm& vm, Args) {
    Object* result = newPlainObject(vm);
    setField(vm, result, "timeOrigin", performance_makeTimeOrigin(vm));
    return Value::object(result);
}

}
