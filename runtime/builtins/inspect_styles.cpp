// Colours: util.inspect.colors and util.inspect.styles, and the text of a value in its style. The two objects are made
// when a script looks at them; until then the tables here say what they hold.
#include "runtime/builtins/inspect_state.h"

namespace scr {

struct Color {
    std::string_view name;
    i16 on, off;
};
static constexpr Color colors[] = {{"reset", 0, 0}, {"bold", 1, 22}, {"dim", 2, 22}, {"italic", 3, 23},
    {"underline", 4, 24}, {"blink", 5, 25}, {"inverse", 7, 27}, {"hidden", 8, 28}, {"strikethrough", 9, 29},
    {"doubleunderline", 21, 24}, {"black", 30, 39}, {"red", 31, 39}, {"green", 32, 39}, {"yellow", 33, 39},
    {"blue", 34, 39}, {"magenta", 35, 39}, {"cyan", 36, 39}, {"white", 37, 39}, {"bgBlack", 40, 49}, {"bgRed", 41, 49},
    {"bgGreen", 42, 49}, {"bgYellow", 43, 49}, {"bgBlue", 44, 49}, {"bgMagenta", 45, 49}, {"bgCyan", 46, 49},
    {"bgWhite", 47, 49}, {"framed", 51, 54}, {"overlined", 53, 55}, {"gray", 90, 39}, {"redBright", 91, 39},
    {"greenBright", 92, 39}, {"yellowBright", 93, 39}, {"blueBright", 94, 39}, {"magentaBright", 95, 39},
    {"cyanBright", 96, 39}, {"whiteBright", 97, 39}, {"bgGray", 100, 49}, {"bgRedBright", 101, 49},
    {"bgGreenBright", 102, 49}, {"bgYellowBright", 103, 49}, {"bgBlueBright", 104, 49}, {"bgMagentaBright", 105, 49},
    {"bgCyanBright", 106, 49}, {"bgWhiteBright", 107, 49}};

struct ColorAlias {
    std::string_view name, target;
};
static constexpr ColorAlias aliases[] = {{"grey", "gray"}, {"blackBright", "gray"}, {"bgGrey", "bgGray"},
    {"bgBlackBright", "bgGray"}, {"faint", "dim"}, {"crossedout", "strikethrough"}, {"strikeThrough", "strikethrough"},
    {"crossedOut", "strikethrough"}, {"conceal", "hidden"}, {"swapColors", "inverse"}, {"swapcolors", "inverse"},
    {"doubleUnderline", "doubleunderline"}};

struct Style {
    std::string_view name, color;
};
/// By TextStyle; the last one is for keys and has no colour.
static constexpr Style styles[] = {{"special", "cyan"}, {"number", "yellow"}, {"bigint", "yellow"},
    {"boolean", "yellow"}, {"undefined", "grey"}, {"null", "bold"}, {"string", "green"}, {"symbol", "green"},
    {"date", "magenta"}, {"regexp", "red"}, {"module", "underline"}, {"name", ""}};
static_assert(std::size(styles) == size_t(TextStyle::Name) + 1);

static std::string_view withoutAlias(std::string_view name) {
    for (const ColorAlias& alias : aliases)
        if (alias.name == name)
            return alias.target;
    return name;
}

bool terminalColor(std::string_view name, int& on, int& off) {
    name = withoutAlias(name);
    for (const Color& color : colors)
        if (color.name == name) {
            on = color.on;
            off = color.off;
            return true;
        }
    return false;
}

// ---- the objects of scripts

static PropertyKey keyOfText(Vm& vm, std::string_view text) { return PropertyKey::atom(internAscii(vm, text)); }

static Result aliasGetter(Vm& vm, Args args) {
    return getOf(vm, args.self(), TRY(toPropertyKey(vm, args.callee()->data[0])));
}
static Result aliasSetter(Vm& vm, Args args) {
    TRY(put(vm, args.self(), TRY(toPropertyKey(vm, args.callee()->data[0])), args[0]));
    return Value::undefined();
}

/// A script has seen colors or styles, and may have changed them: from now on they are asked.
static void markSeen(Vm& vm) { vm.realm->intrinsic(vm, Intrinsic::InspectState); }

Value inspect_makeColors(Vm& vm) {
    markSeen(vm);
    Object* object = newObject(vm, nullptr, 8);
    for (const Color& color : colors) {
        Value pair[] = {Value::int32(color.on), Value::int32(color.off)};
        defineDirect(vm, object, keyOfText(vm, color.name), Value::object(newArrayFrom(vm, pair, 2)), AllAttributes);
    }
    for (const ColorAlias& alias : aliases) {
        Value target = Value::string(internAscii(vm, alias.target));
        NativeFunction* get = newNative(vm, aliasGetter, "get", 0);
        get->data[0] = target;
        NativeFunction* set = newNative(vm, aliasSetter, "set", 1);
        set->data[0] = target;
        defineAccessorDirect(
            vm, object, keyOfText(vm, alias.name), Value::object(get), Value::object(set), Configurable);
    }
    return Value::object(object);
}

Value inspect_makeStyles(Vm& vm) {
    markSeen(vm);
    Object* object = newObject(vm, nullptr, 8);
    for (const Style& style : styles)
        if (!style.color.empty())
            defineDirect(vm, object, keyOfText(vm, style.name), asciiValue(vm, style.color), AllAttributes);
    return Value::object(object);
}

// ---- styling

static std::string paint(std::string_view on, std::string_view text, std::string_view off) {
    std::string painted = "\x1b[";
    ((painted += on) += 'm') += text;
    ((painted += "\x1b[") += off) += 'm';
    return painted;
}

/// As the objects say now. Runs script.
static Completion<std::string> paintByObjects(Vm& vm, std::string_view text, PropertyKey style) {
    Value inspectFunction = Value::object(vm.realm->intrinsic(vm, Intrinsic::Inspect));
    Value styleTable = TRY(getOf(vm, inspectFunction, keyOfText(vm, "styles")));
    Value color = TRY(getOf(vm, styleTable, style));
    if (color.isUndefined())
        return std::string(text);
    Value colorTable = TRY(getOf(vm, inspectFunction, keyOfText(vm, "colors")));
    Value codes = TRY(getOf(vm, colorTable, TRY(toPropertyKey(vm, color))));
    if (codes.isUndefined())
        return std::string(text);
    String* on = TRY(toString(vm, TRY(getOf(vm, codes, PropertyKey::index(0)))));
    String* off = TRY(toString(vm, TRY(getOf(vm, codes, PropertyKey::index(1)))));
    return paint(textWithSurrogates(vm, on), text, textWithSurrogates(vm, off));
}

static Completion<std::string> paintByName(Vm& vm, std::string_view text, Value style) {
    PropertyKey key = TRY(toPropertyKey(vm, style));
    if (vm.realm->intrinsics[size_t(Intrinsic::InspectState)])
        return paintByObjects(vm, text, key);
    int on, off;
    for (const Style& known : styles)
        if (keyOfText(vm, known.name) == key && terminalColor(known.color, on, off))
            return paint(std::to_string(on), text, std::to_string(off));
    return std::string(text);
}

static Result stylizeNoColor(Vm&, Args args) { return args[0]; }

static Result stylizeWithColor(Vm& vm, Args args) {
    std::string text = textWithSurrogates(vm, TRY(toString(vm, args[0])));
    return utf8Value(vm, TRY(paintByName(vm, text, args[1])));
}

/// The function that custom inspection gets.
Value Inspector::stylizer(bool withPrototype) {
    NativeCode code = options_.colors ? stylizeWithColor : stylizeNoColor;
    std::string_view name = options_.colors ? "stylizeWithColor" : "stylizeNoColor";
    NativeFunction* function =
        newNative(vm_, code, withPrototype ? name : "", !withPrototype || options_.colors ? 2 : 1);
    if (!withPrototype)
        MUST(setPrototypeOf(vm_, function, nullptr));
    return Value::object(function);
}

static bool isPlainStylizer(Value function) {
    if (!function.isObject() || kindOf(function.asObject()) != Kind::NativeFunction)
        return false;
    NativeCode code = static_cast<NativeFunction*>(function.asObject())->code;
    return code == stylizeNoColor || code == stylizeWithColor;
}

Completion<std::string> Inspector::styledByScript(std::string_view text, TextStyle style) {
    Value name = asciiValue(vm_, styles[size_t(style)].name);
    if (options_.colors)
        return paintByName(vm_, text, name);
    Value result = TRY(call(vm_, options_.stylize, Value::undefined(), utf8Value(vm_, text), name));
    return textWithSurrogates(vm_, TRY(toString(vm_, result)));
}

void Inspector::style(std::string_view text, TextStyle style, std::string& out) {
    bool own = !options_.colors && !options_.stylize.isUndefined() && !isPlainStylizer(options_.stylize);
    if (LIKELY(!own && !options_.colors)) {
        out += text;
        return;
    }
    if (own || vm_.realm->intrinsics[size_t(Intrinsic::InspectState)]) {
        if (styleFailed_)
            return;
        auto styled = styledByScript(text, style);
        if (styled.threw())
            styleFailed_ = true;
        else
            out += styled.value();
        return;
    }
    int on, off;
    if (terminalColor(styles[size_t(style)].color, on, off))
        out += paint(std::to_string(on), text, std::to_string(off));
    else
        out += text;
}

}
