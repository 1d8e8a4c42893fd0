// The options of util.inspect as a script's object, both ways, and util.inspect itself.
#include "runtime/builtins/inspect_state.h"
#include "runtime/core/proxy.h"
#include <algorithm>
#include <cstring>

namespace scr {

// ---- from a script

static double numberOption(Value value, double fallback) { return value.isNumber() ? value.asNumber() : fallback; }
/// null means no limit.
static double limitOption(Value value, double fallback) {
    return value.isNull() ? HUGE_VAL : numberOption(value, fallback);
}

static InspectOptions::Getters gettersOption(Vm& vm, Value value) {
    using Getters = InspectOptions::Getters;
    if (value.isString()) {
        std::string text = toUtf8(vm, value.asString());
        return text == "get" ? Getters::WithoutSetter : text == "set" ? Getters::WithSetter : Getters::Hidden;
    }
    return value.isTrue() ? Getters::All : Getters::Hidden;
}

/// False: there is no such option.
static bool setOption(Vm& vm, std::string_view name, Value value, InspectOptions& options) {
    if (name == "showHidden")
        options.showHidden = toBoolean(value);
    else if (name == "depth")
        options.depth = value.isNullish() ? std::nan("") : numberOption(value, options.depth);
    else if (name == "colors")
        options.colors = toBoolean(value);
    else if (name == "customInspect")
        options.customInspect = toBoolean(value);
    else if (name == "showProxy")
        options.showProxy = toBoolean(value);
    else if (name == "maxArrayLength")
        options.maxArrayLength = limitOption(value, options.maxArrayLength);
    else if (name == "maxStringLength")
        options.maxStringLength = limitOption(value, options.maxStringLength);
    else if (name == "breakLength")
        options.breakLength = numberOption(value, options.breakLength);
    else if (name == "compact")
        options.compact =
            value.isTrue() ? InspectOptions::CompactAll : int(std::clamp(numberOption(value, 0), 0.0, 1e6));
    else if (name == "sorted") {
        options.sorted = toBoolean(value);
        options.comparator = value;
    } else if (name == "getters")
        options.getters = gettersOption(vm, value);
    else if (name == "numericSeparator")
        options.numericSeparator = toBoolean(value);
    else
        return name == "stylize";
    return true;
}

Completion<InspectOptions> inspectOptionsFrom(Vm& vm, Value object, InspectOptions base) {
    if (!object.isObject())
        return base;
    Array* keys = TRY(ownPropertyKeys(vm, object.asObject(), StringKeys | OnlyEnumerable));
    for (u32 i = 0; i < keys->length(); i++) {
        PropertyKey key = TRY(toPropertyKey(vm, keys->elements_.dense()[i]));
        Value value = TRY(get(vm, object.asObject(), key));
        if (!setOption(vm, toUtf8(vm, keyToValue(vm, key).asString()), value, base))
            base.userOptions = object;
    }
    return base;
}

// ---- to a script

static Result stylize(Vm&, Args args) { return args[0]; }

static Result stylizeWithColor(Vm& vm, Args args) {
    struct Style {
        std::string_view name, on, off;
    };
    static constexpr Style styles[] = {{"special", "36", "39"}, {"number", "33", "39"}, {"bigint", "33", "39"},
        {"boolean", "33", "39"}, {"undefined", "90", "39"}, {"null", "1", "22"}, {"string", "32", "39"},
        {"symbol", "32", "39"}, {"date", "35", "39"}, {"regexp", "31", "39"}, {"module", "4", "24"}};
    std::string name = toUtf8(vm, TRY(toString(vm, args[1])));
    for (const Style& style : styles) {
        if (style.name != name)
            continue;
        StringBuilder text(vm);
        text.appendAscii("\x1b[");
        text.appendAscii(style.on);
        text.append(u'm');
        text.append(TRY(toString(vm, args[0])));
        text.appendAscii("\x1b[");
        text.appendAscii(style.off);
        text.append(u'm');
        return Value::string(TRY(text.finish()));
    }
    return args[0];
}

static Value limitValue(double limit) { return Value::number(limit); }

static Value gettersValue(Vm& vm, InspectOptions::Getters getters) {
    using Getters = InspectOptions::Getters;
    if (getters == Getters::WithoutSetter || getters == Getters::WithSetter)
        return asciiValue(vm, getters == Getters::WithSetter ? "set" : "get");
    return Value::boolean(getters == Getters::All);
}

/// The second argument of custom inspection.
Object* Inspector::optionsForScript(int, bool withPrototype) {
    Object* prototype = vm_.realm->intrinsic(vm_, Intrinsic::ObjectPrototype);
    Object* object = newObject(vm_, withPrototype ? prototype : nullptr, 8);
    auto define = [&](std::string_view name, Value value) {
        defineDirect(vm_, object, PropertyKey::atom(internAscii(vm_, name)), value, AllAttributes);
    };
    const InspectOptions& o = options_;
    NativeFunction* styler = o.colors ? newNative(vm_, stylizeWithColor, "stylizeWithColor", 2)
                                      : newNative(vm_, stylize, "stylizeNoColor", 1);
    define("stylize", Value::object(styler));
    define("showHidden", Value::boolean(o.showHidden));
    define("depth", o.depth == o.depth ? Value::number(o.depth) : Value::null());
    define("colors", Value::boolean(o.colors));
    define("customInspect", Value::boolean(o.customInspect));
    define("showProxy", Value::boolean(o.showProxy));
    define("maxArrayLength", limitValue(o.maxArrayLength));
    define("maxStringLength", limitValue(o.maxStringLength));
    define("breakLength", limitValue(o.breakLength));
    bool flag = o.compact <= 0;
    define("compact", flag ? Value::boolean(o.compact == InspectOptions::CompactAll) : Value::int32(o.compact));
    define("sorted", isCallable(o.comparator) ? o.comparator : Value::boolean(o.sorted));
    define("getters", gettersValue(vm_, o.getters));
    define("numericSeparator", Value::boolean(o.numericSeparator));
    if (!o.userOptions.isObject() || isProxy(o.userOptions.asObject()))
        return object;
    Array* keys = ownKeys(vm_, o.userOptions.asObject(), StringKeys | SymbolKeys | OnlyEnumerable);
    for (u32 i = 0; i < keys->length(); i++) {
        auto key = toPropertyKey(vm_, keys->elements_.dense()[i]);
        Lookup own = key.threw() ? Lookup{} : getOwnProperty(vm_, o.userOptions.asObject(), key.value());
        if (own.found() && !own.isAccessor())
            defineDirect(vm_, object, key.value(), own.value, AllAttributes);
    }
    return object;
}

/// util.inspect(value, options), or the old form (value, showHidden, depth, colors).
Result util_inspect(Vm& vm, Args args) {
    InspectOptions options;
    if (args.count > 2 && !args[2].isUndefined())
        setOption(vm, "depth", args[2], options);
    if (args.count > 3 && !args[3].isUndefined())
        setOption(vm, "colors", args[3], options);
    if (args[1].isBoolean())
        options.showHidden = args[1].asBoolean();
    else
        options = TRY(inspectOptionsFrom(vm, args[1], options));
    std::string text;
    TRY(inspect(vm, args[0], options, text));
    return utf8Value(vm, text);
}

Object* makeInspect(Vm& vm, Object*) { return newNative(vm, util_inspect, "inspect", 2); }

}
