// util.format: specifiers in a first string, then everything else, inspected unless it is a string.
#include "runtime/builtins/inspect_state.h"
#include "runtime/builtins/json.h"
#include "runtime/core/number.h"
#include "runtime/core/proxy.h"

namespace scr {

namespace {

class Formatter {
public:
    Formatter(Vm& vm, const Value* values, u32 count, const InspectOptions& options, std::string& out)
        : vm_(vm)
        , values_(values)
        , count_(count)
        , options_(options)
        , out_(out) { }
    Completion<void> run();

private:
    Completion<void> formatFirst(String* pattern);
    Completion<void> formatSpecifier(char specifier, Value value);
    Completion<void> formatString(Value value);
    Completion<void> formatJson(Value value);
    Completion<void> formatNumber(char specifier, Value value);
    Completion<bool> showsWithToString(Object* object);
    Completion<bool> isFunctionProperty(Object* object, PropertyKey key);
    Completion<void> appendNumber(Value number);

    Vm& vm_;
    const Value* values_;
    u32 count_;
    const InspectOptions& options_;
    std::string& out_;
    u32 used_ = 0; ///< arguments that have been shown
};

Completion<void> Formatter::run() {
    if (count_ > 0 && values_[0].isString()) {
        used_ = 1;
        if (count_ == 1)
            out_ += textWithSurrogates(vm_, values_[0].asString());
        else
            TRY(formatFirst(TRY(flatten(vm_, values_[0].asString()))));
    }
    for (; used_ < count_; used_++) {
        if (used_ > 0)
            out_ += ' ';
        Value value = values_[used_];
        if (value.isString())
            out_ += textWithSurrogates(vm_, value.asString());
        else
            TRY(inspect(vm_, value, options_, out_));
    }
    return {};
}

Completion<void> Formatter::formatFirst(String* pattern) {
    std::string text = textWithSurrogates(vm_, pattern);
    size_t copied = 0;
    for (size_t i = 0; i + 1 < text.size(); i++) {
        if (text[i] != '%')
            continue;
        char specifier = text[++i];
        if (specifier == '%') {
            // The second sign of the pair is left out.
            out_.append(text, copied, i - copied);
            copied = i + 1;
        } else if (used_ < count_ && std::string_view("sjdOoifc").find(specifier) != std::string_view::npos) {
            out_.append(text, copied, i - 1 - copied);
            copied = i + 1;
            TRY(formatSpecifier(specifier, values_[used_++]));
        }
    }
    out_.append(text, copied);
    return {};
}

Completion<void> Formatter::formatSpecifier(char specifier, Value value) {
    InspectOptions options = options_;
    switch (specifier) {
    case 's': return formatString(value);
    case 'j': return formatJson(value);
    case 'O': return inspect(vm_, value, options, out_);
    case 'o':
        options.set(InspectOption::ShowHidden, Value::boolean(true));
        options.set(InspectOption::ShowProxy, Value::boolean(true));
        options.set(InspectOption::Depth, Value::int32(4));
        return inspect(vm_, value, options, out_);
    case 'c': return {};
    default: return formatNumber(specifier, value);
    }
}

/// As inspection shows it, without a colour.
Completion<void> Formatter::appendNumber(Value number) {
    InspectOptions options;
    options.numericSeparator = options_.numericSeparator;
    return inspect(vm_, number, options, out_);
}

/// %d, %i, %f
Completion<void> Formatter::formatNumber(char specifier, Value value) {
    if (value.isBigInt() && specifier != 'f') {
        TRY(appendNumber(value));
    } else if (value.isSymbol()) {
        out_ += "NaN";
    } else if (specifier == 'd') {
        TRY(appendNumber(value.isObject() ? TRY(toNumeric(vm_, value)) : Value::number(TRY(toNumber(vm_, value)))));
    } else {
        Intrinsic parser = specifier == 'i' ? Intrinsic::ParseInt : Intrinsic::ParseFloat;
        Value number = TRY(call(vm_, Value::object(vm_.realm->intrinsic(vm_, parser)), Value::undefined(), value));
        TRY(appendNumber(number));
    }
    return {};
}

Completion<void> Formatter::formatJson(Value value) {
    auto text = stringifyJson(vm_, value);
    if (text.threw()) {
        if (vm_.terminating())
            return Threw{};
        Value error = vm_.pendingException;
        TRY(getOf(vm_, error, KEY(vm_, name))); // as Node, which null and undefined do not survive
        vm_.pendingException = error;
        if (!isCircularJsonError(vm_, error))
            return Threw{};
        out_ += "[Circular]";
        return {};
    }
    out_ += text.value().isString() ? textWithSurrogates(vm_, text.value().asString()) : "undefined";
    return {};
}

Completion<bool> Formatter::isFunctionProperty(Object* object, PropertyKey key) {
    return isCallable(TRY(get(vm_, object, key)));
}

/// The object says itself how it is shown as a string: its toString or Symbol.toPrimitive is its own, or comes from a
/// class that is no builtin.
Completion<bool> Formatter::showsWithToString(Object* object) {
    PropertyKey toStringKey = KEY(vm_, toString), primitiveKey = SYMBOL(vm_, toPrimitive);
    while (isProxy(object)) {
        object = static_cast<ProxyObject*>(object)->target;
        if (!object)
            return false;
    }
    bool hasToString = TRY(isFunctionProperty(object, toStringKey));
    if (hasToString && TRY(hasOwnProperty(vm_, object, toStringKey)))
        return true;
    bool hasPrimitive = TRY(isFunctionProperty(object, primitiveKey));
    if (hasPrimitive && TRY(hasOwnProperty(vm_, object, primitiveKey)))
        return true;
    if (!hasToString && !hasPrimitive)
        return false;
    u32 proxiesMet = 0;
    Object* holder = TRY(nextPrototype(vm_, object, proxiesMet));
    while (holder && !(hasToString && TRY(hasOwnProperty(vm_, holder, toStringKey)))
        && !(hasPrimitive && TRY(hasOwnProperty(vm_, holder, primitiveKey))))
        holder = TRY(nextPrototype(vm_, holder, proxiesMet));
    if (!holder)
        return false;
    Value constructor = TRY(ownProperty(vm_, holder, KEY(vm_, constructor))).dataValue();
    if (!isCallable(constructor))
        return true;
    Value name = TRY(get(vm_, constructor.asObject(), KEY(vm_, name)));
    return !name.isString() || !isBuiltinName(TRY(flatten(vm_, name.asString())));
}

/// %s
Completion<void> Formatter::formatString(Value value) {
    if (value.isNumber() || value.isBigInt()) {
        TRY(appendNumber(value));
    } else if (value.isSymbol()) {
        Value description = value.asSymbol()->description;
        out_ += "Symbol(" + (description.isString() ? textWithSurrogates(vm_, description.asString()) : "") + ")";
    } else if (!value.isObject() || isCallable(value) || TRY(showsWithToString(value.asObject()))) {
        out_ += textWithSurrogates(vm_, TRY(toString(vm_, value)));
    } else {
        InspectOptions options = options_;
        options.set(InspectOption::Depth, Value::int32(0));
        options.set(InspectOption::Colors, Value::boolean(false));
        options.set(InspectOption::Compact, Value::int32(3));
        TRY(inspect(vm_, value, options, out_));
    }
    return {};
}

}

Completion<void> formatArguments(
    Vm& vm, const Value* values, u32 count, const InspectOptions& options, std::string& out) {
    return Formatter(vm, values, count, options, out).run();
}

}
