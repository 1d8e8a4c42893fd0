// Helpers of natives that are no templates.
#include "runtime/builtins/native.h"

namespace scr {

static std::string describeOperand(Vm& vm, Value value) {
    std::string text = toUtf8(vm, typeOf(vm, value));
    if (value.isString())
        return text.append(" \"").append(toUtf8(vm, value.asString())).append("\"");
    if (value.isNull() || value.isBoolean() || value.isNumber())
        return text.append(" ").append(toUtf8(vm, MUST(toString(vm, value))));
    return text;
}

Threw throwOperand(Vm& vm, Error error, Value value) {
    std::string text = describeOperand(vm, value);
    return throwError(vm, error, std::string_view(text));
}

}
