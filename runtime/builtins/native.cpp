// Helpers of natives that are no templates.
#include "runtime/builtins/native.h"

namespace scr {

Threw throwOperand(Vm& vm, Error error, Value value) {
    std::string text = describeWithType(vm, value);
    return throwError(vm, error, std::string_view(text));
}

}
