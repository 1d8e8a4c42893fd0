// The texts of Node's argument errors.
#include "runtime/builtins/argument_error.h"
#include "runtime/builtins/inspect.h"
#include <cmath>

namespace scr {

static constexpr size_t LongestShown = 28, ShownOfLong = 25;

/// In quotes as util.inspect chooses them: single ones, unless the text holds some and no double ones, and so on.
static std::string quoted(std::string_view text) {
    char quote = '\'';
    if (text.find('\'') != std::string_view::npos) {
        if (text.find('"') == std::string_view::npos)
            quote = '"';
        else if (text.find('`') == std::string_view::npos)
            quote = '`';
    }
    std::string result(1, quote);
    for (char c : text) {
        switch (c) {
        case '\n': result += "\\n"; break;
        case '\t': result += "\\t"; break;
        case '\r': result += "\\r"; break;
        case '\b': result += "\\b"; break;
        case '\f': result += "\\f"; break;
        case '\v': result += "\\v"; break;
        case '\\': result += "\\\\"; break;
        default:
            if (c == quote) {
                result += '\\';
                result += c;
            } else if (u8(c) < 0x20 || c == 0x7F) {
                const char* digits = "0123456789ABCDEF";
                result += "\\x";
                result += digits[u8(c) >> 4];
                result += digits[c & 15];
            } else {
                result += c;
            }
        }
    }
    return result + quote;
}

std::string inspectShort(Vm& vm, Value value) {
    if (value.isString())
        return quoted(toUtf8(vm, value.asString()));
    if (value.isNumber() && value.asNumber() == 0 && std::bit_cast<u64>(value.asNumber()))
        return "-0";
    if (value.isObject())
        return value.asObject()->isCallable() ? "[Function (anonymous)]" : "[Object: null prototype] {}";
    return describeForMessage(vm, value);
}

static std::string_view typeName(Value value) {
    if (value.isBoolean())
        return "boolean";
    if (value.isNumber())
        return "number";
    if (value.isString())
        return "string";
    if (value.isSymbol())
        return "symbol";
    if (value.isBigInt())
        return "bigint";
    return value.isObject() && value.asObject()->isCallable() ? "function" : "object";
}

/// The name of a function-like thing, or an empty string.
static Completion<std::string> nameOf(Vm& vm, Value value) {
    if (!value.isObject())
        return std::string();
    Value name = TRY(get(vm, value.asObject(), KEY(vm, name)));
    return name.isString() ? toUtf8(vm, name.asString()) : std::string();
}

Completion<std::string> describeReceived(Vm& vm, Value value) {
    if (value.isNullish())
        return std::string(value.isUndefined() ? "undefined" : "null");
    if (value.isObject()) {
        bool callable = value.asObject()->isCallable();
        Value named = callable ? value : TRY(get(vm, value.asObject(), KEY(vm, constructor)));
        std::string name = TRY(nameOf(vm, named));
        if (callable || !name.empty())
            return (callable ? "function " : "an instance of ") + name;
        InspectOptions options;
        options.depth = -1;
        std::string shown;
        TRY(inspect(vm, value, options, shown));
        return shown;
    }
    std::string shown = inspectShort(vm, value);
    if (shown.size() > LongestShown)
        shown = shown.substr(0, ShownOfLong) + "...";
    return "type " + std::string(typeName(value)) + " (" + shown + ")";
}

Threw throwArgumentType(Vm& vm, std::string_view name, std::string_view expected, Value value) {
    auto received = describeReceived(vm, value);
    if (received.threw())
        return {};
    bool property = name.find('.') != std::string_view::npos;
    std::string text = name.ends_with(" argument")
        ? "The " + std::string(name) + " must be "
        : "The \"" + std::string(name) + (property ? "\" property must be " : "\" argument must be ");
    text += std::string(expected) + ". Received " + received.value();
    return throwCoded(vm, Intrinsic::TypeErrorPrototype, "ERR_INVALID_ARG_TYPE", text);
}

Threw throwOutOfRange(Vm& vm, std::string_view name, std::string_view range, Value value) {
    std::string text = "The value of \"" + std::string(name) + "\" is out of range. It must be " + std::string(range);
    std::string shown = inspectShort(vm, value);
    // Large integers get a separator for each three digits.
    double number = value.isNumber() ? value.asNumber() : 0;
    if (std::isfinite(number) && number == std::trunc(number) && std::fabs(number) > 4294967296.0)
        for (size_t start = number < 0, i = shown.size(); i >= start + 4;)
            shown.insert(i -= 3, "_");
    text += ". Received " + shown;
    return throwCoded(vm, Intrinsic::RangeErrorPrototype, "ERR_OUT_OF_RANGE", text);
}

}
