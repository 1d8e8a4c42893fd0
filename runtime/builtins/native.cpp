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

bool isSpace(char16_t unit) {
    if (unit < 0x80)
        return unit == ' ' || (unit >= 9 && unit <= 13);
    return unit == 0xA0 || unit == 0x1680 || (unit >= 0x2000 && unit <= 0x200A) || unit == 0x2028 || unit == 0x2029
        || unit == 0x202F || unit == 0x205F || unit == 0x3000 || unit == 0xFEFF;
}

}
