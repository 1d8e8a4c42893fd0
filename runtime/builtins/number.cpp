// Number and its prototype (ECMA-262 21.1). Conversions to text are in runtime/core/number.h.
#include "runtime/builtins/native.h"
#include <cmath>
#include <double-conversion/double-conversion.h>

namespace scr {

Result number_constructor(Vm& vm, Args args) {
    Value newTarget = vm.takeNewTarget();
    Value number = Value::int32(0);
    if (args.count) {
        number = TRY(toNumeric(vm, args[0]));
    }
    if (newTarget.isUndefined())
        return number;
    Object* prototype = TRY(prototypeFromConstructor(vm, newTarget.asObject(), Intrinsic::NumberPrototype));
    return Value::object(TRY(newWrapper(vm, prototype, number)));
}

static bool isIntegral(Value value) {
    return value.isInt()
        || (value.isDouble() && std::isfinite(value.asDouble()) && std::trunc(value.asDouble()) == value.asDouble());
}
Result number_isFinite(Vm&, Args args) {
    return Value::boolean(args[0].isNumber() && std::isfinite(args[0].asNumber()));
}
Result number_isInteger(Vm&, Args args) { return Value::boolean(isIntegral(args[0])); }
Result number_isNaN(Vm&, Args args) { return Value::boolean(args[0].isDouble() && std::isnan(args[0].asDouble())); }
Result number_isSafeInteger(Vm&, Args args) {
    return Value::boolean(isIntegral(args[0]) && std::fabs(args[0].asNumber()) <= 9007199254740991.0);
}

/// 21.1.3 ThisNumberValue
static Completion<double> thisNumber(Vm& vm, Args args, std::string_view method) {
    Value self = args.self();
    if (self.isNumber())
        return self.asNumber();
    if (self.isObject() && kindOf(self.asCell()) == Kind::PrimitiveWrapper) {
        Value inner = static_cast<PrimitiveWrapper*>(self.asObject())->value;
        if (inner.isNumber())
            return inner.asNumber();
    }
    std::string text = std::string(method) + " requires that 'this' be a Number";
    return throwText(vm, Intrinsic::TypeErrorPrototype, text);
}

Result number_valueOf(Vm& vm, Args args) {
    return Value::number(TRY(thisNumber(vm, args, "Number.prototype.valueOf")));
}

Result number_toString(Vm& vm, Args args) {
    double number = TRY(thisNumber(vm, args, "Number.prototype.toString"));
    double radix = args[0].isUndefined() ? 10 : TRY(toIntegerOrInfinity(vm, args[0]));
    if (radix < 2 || radix > 36)
        return throwError(vm, Error::RadixRange);
    if (radix == 10)
        return Value::string(numberToString(vm, number));
    return Value::string(TRY(numberToRadix(vm, number, int(radix))));
}

static Threw throwDigits(Vm& vm, std::string_view method, std::string_view low, std::string_view high) {
    std::string name(method);
    return throwError(vm, Error::DigitsRange, std::string_view(name), low, high);
}

using double_conversion::DoubleToStringConverter;
/// Room for the longest text of each format: 22 digits before the point, 100 behind it.
constexpr int TextRoom = 160;

Result number_toFixed(Vm& vm, Args args) {
    double number = TRY(thisNumber(vm, args, "Number.prototype.toFixed"));
    double digits = TRY(toIntegerOrInfinity(vm, args[0]));
    if (!(digits >= 0 && digits <= 100))
        return throwDigits(vm, "toFixed() digits", "0", "100");
    if (!std::isfinite(number) || std::fabs(number) >= 1e21)
        return Value::string(numberToString(vm, number));
    char buffer[TextRoom];
    double_conversion::StringBuilder builder(buffer, TextRoom);
    DoubleToStringConverter::EcmaScriptConverter().ToFixed(number, int(digits), &builder);
    return asciiValue(vm, builder.Finalize());
}

Result number_toExponential(Vm& vm, Args args) {
    double number = TRY(thisNumber(vm, args, "Number.prototype.toExponential"));
    double digits = TRY(toIntegerOrInfinity(vm, args[0]));
    if (!std::isfinite(number))
        return Value::string(numberToString(vm, number));
    if (!(digits >= 0 && digits <= 100))
        return throwDigits(vm, "toExponential()", "0", "100");
    char buffer[TextRoom];
    double_conversion::StringBuilder builder(buffer, TextRoom);
    DoubleToStringConverter::EcmaScriptConverter().ToExponential(
        number, args[0].isUndefined() ? -1 : int(digits), &builder);
    return asciiValue(vm, builder.Finalize());
}

Result number_toPrecision(Vm& vm, Args args) {
    double number = TRY(thisNumber(vm, args, "Number.prototype.toPrecision"));
    if (args[0].isUndefined())
        return Value::string(numberToString(vm, number));
    double digits = TRY(toIntegerOrInfinity(vm, args[0]));
    if (!std::isfinite(number))
        return Value::string(numberToString(vm, number));
    if (!(digits >= 1 && digits <= 100))
        return throwDigits(vm, "toPrecision()", "1", "100");
    char buffer[TextRoom];
    double_conversion::StringBuilder builder(buffer, TextRoom);
    DoubleToStringConverter::EcmaScriptConverter().ToPrecision(number, int(digits), &builder);
    return asciiValue(vm, builder.Finalize());
}

// ---- toLocaleString: the en-US form that Node gives without a locale argument (ECMA-262 21.1.3.4, ECMA-402 15.5)

/// The decimal digits of a finite number rounded to three places, without sign: "1234.568".
static std::string plainDecimal(double number) {
    char buffer[TextRoom];
    double_conversion::StringBuilder builder(buffer, TextRoom);
    if (number < 1e21) {
        DoubleToStringConverter::EcmaScriptConverter().ToFixed(number, 3, &builder);
        std::string text = builder.Finalize();
        while (text.back() == '0')
            text.pop_back();
        if (text.back() == '.')
            text.pop_back();
        return text;
    }
    bool sign;
    int length, point;
    DoubleToStringConverter::DoubleToAscii(
        number, DoubleToStringConverter::SHORTEST, 0, buffer, TextRoom, &sign, &length, &point);
    return std::string(buffer, size_t(length)) + std::string(size_t(point - length), '0');
}

Result number_toLocaleString(Vm& vm, Args args) {
    double number = TRY(thisNumber(vm, args, "Number.prototype.toLocaleString"));
    if (std::isnan(number))
        return asciiValue(vm, "NaN");
    std::string text = std::signbit(number) ? "-" : "";
    if (std::isinf(number))
        return utf8Value(vm, text + "\xE2\x88\x9E");
    std::string digits = plainDecimal(std::fabs(number));
    size_t whole = digits.find('.') == std::string::npos ? digits.size() : digits.find('.');
    for (size_t i = 0; i < whole; i++) {
        if (i && (whole - i) % 3 == 0)
            text += ',';
        text += digits[i];
    }
    return asciiValue(vm, text + digits.substr(whole));
}

}
