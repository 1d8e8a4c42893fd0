// The options of util.inspect as a script's object, both ways, and util.inspect itself.
#include "runtime/builtins/inspect_state.h"
#include "runtime/core/proxy.h"

namespace scr {

static constexpr std::string_view optionNames[] = {"showHidden", "depth", "colors", "customInspect", "showProxy",
    "maxArrayLength", "maxStringLength", "breakLength", "compact", "sorted", "getters", "numericSeparator"};
static constexpr size_t OptionCount = size_t(InspectOption::Count);
static_assert(std::size(optionNames) == OptionCount);

// ---- from a script

/// What arithmetic makes of an option that should be a number.
static double numberOption(Value value) {
    if (value.isNumber())
        return value.asNumber();
    if (value.isBoolean() || value.isNull())
        return value.isTrue();
    if (value.isString() && !value.asString()->isRope())
        return stringToNumber(value.asString());
    return std::nan("");
}
/// null means no limit.
static double limitOption(Value value) { return value.isNull() ? HUGE_VAL : numberOption(value); }

static InspectOptions::Getters gettersOption(Value value) {
    using Getters = InspectOptions::Getters;
    if (value.isString() && !value.asString()->isRope() && value.asString()->length == 3) {
        const String* text = value.asString();
        bool ends = text->unit(1) == 'e' && text->unit(2) == 't';
        if (ends && (text->unit(0) == 'g' || text->unit(0) == 's'))
            return text->unit(0) == 'g' ? Getters::WithoutSetter : Getters::WithSetter;
    }
    return value.isTrue() ? Getters::All : Getters::Hidden;
}

void InspectOptions::set(InspectOption option, Value value) {
    given[size_t(option)] = value;
    isGiven |= 1u << u32(option);
    switch (option) {
    case InspectOption::ShowHidden: showHidden = toBoolean(value); break;
    case InspectOption::Depth: depth = limitOption(value); break;
    case InspectOption::Colors: colors = toBoolean(value); break;
    case InspectOption::CustomInspect: customInspect = toBoolean(value); break;
    case InspectOption::ShowProxy: showProxy = toBoolean(value); break;
    case InspectOption::MaxArrayLength: maxArrayLength = limitOption(value); break;
    case InspectOption::MaxStringLength: maxStringLength = limitOption(value); break;
    case InspectOption::BreakLength: breakLength = numberOption(value); break;
    case InspectOption::Compact:
        // Only a number from 1 on has a meaning of its own.
        compact = value.isTrue() ? CompactAll : value.isNumber() && value.asNumber() >= 1 ? value.asNumber() : 0;
        break;
    case InspectOption::Sorted: sorted = toBoolean(value); break;
    case InspectOption::Getters: getters = gettersOption(value); break;
    case InspectOption::NumericSeparator: numericSeparator = toBoolean(value); break;
    case InspectOption::Count: UNREACHABLE();
    }
}

Completion<InspectOptions> inspectOptionsFrom(Vm& vm, Value given, InspectOptions base) {
    if (!toBoolean(given))
        return base;
    if (!given.isObject()) {
        if (given.isString())
            base.userOptions = given;
        return base;
    }
    Array* keys = TRY(ownPropertyKeys(vm, given.asObject(), StringKeys | OnlyEnumerable));
    for (u32 i = 0; i < keys->length(); i++) {
        PropertyKey key = TRY(toPropertyKey(vm, keys->elements_.dense()[i]));
        std::string name = toUtf8(vm, keyToValue(vm, key).asString());
        size_t option = size_t(std::find(std::begin(optionNames), std::end(optionNames), name) - optionNames);
        if (option == OptionCount && name != "stylize") {
            base.userOptions = given;
            continue;
        }
        Value value = TRY(get(vm, given.asObject(), key));
        if (value.isString())
            value = Value::string(TRY(flatten(vm, value.asString())));
        if (option < OptionCount)
            base.set(InspectOption(option), value);
        else
            base.stylize = value;
    }
    return base;
}

// ---- to a script

static Value defaultOf(InspectOption option) {
    switch (option) {
    case InspectOption::Depth: return Value::int32(2);
    case InspectOption::MaxArrayLength: return Value::int32(100);
    case InspectOption::MaxStringLength: return Value::int32(10000);
    case InspectOption::BreakLength: return Value::int32(80);
    case InspectOption::Compact: return Value::int32(3);
    default: return Value::boolean(option == InspectOption::CustomInspect);
    }
}

static Value limitValue(double limit) { return limit == HUGE_VAL ? Value::null() : Value::number(limit); }

/// An option as custom inspection sees it.
static Value shownOption(const InspectOptions& o, InspectOption option) {
    bool given = o.isGiven >> u32(option) & 1;
    Value value = given ? o.given[size_t(option)] : defaultOf(option);
    switch (option) {
    case InspectOption::MaxArrayLength: return value.isNull() ? Value::number(HUGE_VAL) : value;
    case InspectOption::MaxStringLength: return value.isNull() ? Value::number(HUGE_VAL) : value;
    // Set from C++, some are given by their meaning alone.
    case InspectOption::Depth: return given ? value : limitValue(o.depth);
    case InspectOption::Colors: return given ? value : Value::boolean(o.colors);
    case InspectOption::CustomInspect: return given ? value : Value::boolean(o.customInspect);
    case InspectOption::BreakLength: return given ? value : Value::number(o.breakLength);
    default: return value;
    }
}

/// The second argument of custom inspection.
Completion<Object*> Inspector::optionsForScript(bool withPrototype) {
    Object* prototype = vm_.realm->intrinsic(vm_, Intrinsic::ObjectPrototype);
    Object* object = newObject(vm_, withPrototype ? prototype : nullptr, 8);
    PropertyKey stylize = PropertyKey::atom(internAscii(vm_, "stylize"));
    Value styler = options_.stylize;
    if (options_.colors || styler.isUndefined())
        styler = stylizer(withPrototype);
    if (withPrototype)
        defineDirect(vm_, object, stylize, styler, AllAttributes);
    for (size_t i = 0; i < OptionCount; i++)
        defineDirect(vm_, object, PropertyKey::atom(internAscii(vm_, optionNames[i])),
            shownOption(options_, InspectOption(i)), AllAttributes);
    TRY(addUserOptions(object, withPrototype));
    if (!withPrototype)
        TRY(createDataProperty(vm_, object, stylize, styler));
    return object;
}

/// Over the others. For an object of another realm (or a proxy) what is an object itself is left out.
Completion<void> Inspector::addUserOptions(Object* object, bool withObjects) {
    auto leaveOut = [&](PropertyKey key) -> Completion<void> {
        Lookup own = getOwnProperty(vm_, object, key);
        if (!withObjects && own.dataValue().isObject())
            TRY(deleteProperty(vm_, object, key));
        return {};
    };
    for (std::string_view name : optionNames)
        TRY(leaveOut(PropertyKey::atom(internAscii(vm_, name))));
    if (options_.userOptions.isNullish())
        return {};
    Object* user = TRY(toObject(vm_, options_.userOptions));
    Array* keys = TRY(ownPropertyKeys(vm_, user, StringKeys | SymbolKeys | OnlyEnumerable));
    for (u32 i = 0; i < keys->length(); i++) {
        PropertyKey key = TRY(toPropertyKey(vm_, keys->elements_.dense()[i]));
        TRY(createDataProperty(vm_, object, key, TRY(get(vm_, user, key))));
        TRY(leaveOut(key));
    }
    return {};
}

// ---- inspect.defaultOptions

/// What inspection remembers in a realm: an array that no script sees.
enum InspectSlot : u32 { DefaultOptions, SlotCount };

Object* makeInspectState(Vm& vm, Object*) {
    Object* options = newObject(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype), OptionCount);
    for (size_t i = 0; i < OptionCount; i++)
        defineDirect(vm, options, PropertyKey::atom(internAscii(vm, optionNames[i])), defaultOf(InspectOption(i)),
            u8(Writable | Enumerable));
    MUST(preventExtensions(vm, options));
    Value slots[SlotCount] = {Value::object(options)};
    return newArrayFrom(vm, slots, SlotCount);
}

static Object* defaultOptionsObject(Vm& vm) {
    return vm.realm->intrinsic(vm, Intrinsic::InspectState)->elements()->dense()[DefaultOptions].asObject();
}

InspectOptions defaultInspectOptions(Vm& vm) {
    InspectOptions options;
    if (LIKELY(!vm.realm->intrinsics[size_t(Intrinsic::InspectState)]))
        return options;
    Object* defaults = defaultOptionsObject(vm);
    for (size_t i = 0; i < OptionCount; i++) {
        Value value = getOwnProperty(vm, defaults, PropertyKey::atom(internAscii(vm, optionNames[i]))).dataValue();
        if (value.isString() && value.asString()->isRope()) {
            auto flat = flatten(vm, value.asString());
            value = flat.threw() ? Value::undefined() : Value::string(flat.value());
        }
        options.set(InspectOption(i), value);
    }
    return options;
}

Result inspect_getDefaultOptions(Vm& vm, Args) { return Value::object(defaultOptionsObject(vm)); }

Result inspect_setDefaultOptions(Vm& vm, Args args) {
    if (!args[0].isObject() || args[0].asObject()->isCallable() || TRY(isArray(vm, args[0])))
        return throwArgumentType(vm, "options", "of type object", args[0]);
    Object* from = args[0].asObject();
    Array* keys = TRY(ownPropertyKeys(vm, from, StringKeys | SymbolKeys | OnlyEnumerable));
    for (u32 i = 0; i < keys->length(); i++) {
        PropertyKey key = TRY(toPropertyKey(vm, keys->elements_.dense()[i]));
        TRY(put(vm, Value::object(defaultOptionsObject(vm)), key, TRY(get(vm, from, key))));
    }
    return Value::undefined();
}

// ---- the function

/// util.inspect(value, options), or the old form (value, showHidden, depth, colors).
Result util_inspect(Vm& vm, Args args) {
    InspectOptions options = defaultInspectOptions(vm);
    if (args.count > 2 && !args[2].isUndefined())
        options.set(InspectOption::Depth, args[2]);
    if (args.count > 3 && !args[3].isUndefined())
        options.set(InspectOption::Colors, args[3]);
    if (args[1].isBoolean())
        options.set(InspectOption::ShowHidden, args[1]);
    else
        options = TRY(inspectOptionsFrom(vm, args[1], options));
    std::string text;
    TRY(inspect(vm, args[0], options, text));
    return utf8Value(vm, text);
}

Object* makeInspect(Vm& vm, Object*) { return newNative(vm, util_inspect, "inspect", 2); }

}
