// What process.stdout and process.stderr have on a terminal only: their size, and how many colours it shows.
#include "runtime/builtins/argument_error.h"
#include "runtime/builtins/process_support.h"
#include "runtime/loop/event_loop.h"
#include <algorithm>

namespace scr {

namespace {

/// The stream is told apart by the descriptor that the method carries.
OutputStream& streamOf(Vm& vm, Args args) {
    return args.callee()->data[0].asInt() == vm.loop->out.fd() ? vm.loop->out : vm.loop->err;
}

Result columns(Vm& vm, Args args) { return Value::number(streamOf(vm, args).columns()); }
Result rows(Vm& vm, Args args) { return Value::number(streamOf(vm, args).rows()); }

Result getWindowSize(Vm& vm, Args args) {
    OutputStream& stream = streamOf(vm, args);
    Value size[] = {Value::number(stream.columns()), Value::number(stream.rows())};
    return Value::object(newArrayFrom(vm, size, 2));
}

/// The variables of an environment object, as far as they are strings; `isSet` if there is the property at all.
class Environment {
public:
    Environment(Vm& vm, Object* object)
        : vm_(vm)
        , object_(object) { }
    Completion<std::string> get(std::string_view name) {
        Value value = TRY(scr::get(vm_, object_, asciiKey(vm_, name)));
        return value.isUndefined() ? std::string() : toUtf8(vm_, TRY(toString(vm_, value)));
    }
    Completion<bool> has(std::string_view name) {
        return !TRY(scr::get(vm_, object_, asciiKey(vm_, name))).isUndefined();
    }

private:
    Vm& vm_;
    Object* object_;
};

constexpr int NoColors = 1, Colors16 = 4, Colors256 = 8, Colors16m = 24;

int depthOfForced(const std::string& forced) {
    if (forced.empty() || forced == "1" || forced == "true")
        return Colors16;
    return forced == "2" ? Colors256 : forced == "3" ? Colors16m : NoColors;
}

/// By the terminal's name.
int depthOfTerminal(std::string term) {
    std::transform(
        term.begin(), term.end(), term.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 32) : c; });
    if (term.starts_with("xterm-256"))
        return Colors256;
    if (term == "mosh" || term == "rxvt-unicode-24bit" || term == "terminator")
        return Colors16m;
    for (std::string_view known : {"cons25", "console", "cygwin", "dtterm", "eterm", "gnome", "hurd", "jfbterm",
             "konsole", "kterm", "mlterm", "putty", "st"})
        if (term == known)
            return Colors16;
    for (std::string_view part : {"ansi", "color", "linux"})
        if (term.find(part) != term.npos)
            return Colors16;
    for (std::string_view start : {"con", "rxvt", "screen", "xterm", "vt100", "vt220"})
        if (term.starts_with(start))
            return Colors16;
    return NoColors;
}

/// Bits for a colour, by what is known of environments: 1, 4, 8 or 24.
Completion<int> colorDepth(Vm& vm, Object* object) {
    Environment environment(vm, object);
    if (TRY(environment.has("FORCE_COLOR")))
        return depthOfForced(TRY(environment.get("FORCE_COLOR")));
    std::string term = TRY(environment.get("TERM"));
    if (term == "dumb" || TRY(environment.has("NODE_DISABLE_COLORS")) || TRY(environment.has("NO_COLOR")))
        return NoColors;
    if (TRY(environment.has("TMUX")))
        return Colors256;
    std::string program = TRY(environment.get("TERM_PROGRAM"));
    if (program == "iTerm.app") {
        std::string version = TRY(environment.get("TERM_PROGRAM_VERSION"));
        return version.empty() || version[0] <= '2' ? Colors256 : Colors16m;
    }
    if (program == "HyperTerm" || program == "MacTerm")
        return Colors16m;
    if (program == "Apple_Terminal")
        return Colors256;
    std::string colors = TRY(environment.get("COLORTERM"));
    if (colors == "truecolor" || colors == "24bit")
        return Colors16m;
    int depth = depthOfTerminal(term);
    return depth == NoColors && !colors.empty() ? Colors16 : depth;
}

Completion<Object*> environmentOf(Vm& vm, Value given) {
    if (given.isNullish() && !given.isUndefined())
        return throwError(vm, Error::ReadOfNullish, given, "FORCE_COLOR");
    Value environment = given;
    if (given.isUndefined())
        environment = TRY(get(vm, vm.loop->process(), asciiKey(vm, "env")));
    return toObject(vm, environment);
}

Result getColorDepth(Vm& vm, Args args) { return Value::int32(TRY(colorDepth(vm, TRY(environmentOf(vm, args[0]))))); }

/// hasColors([count][, env])
Result hasColors(Vm& vm, Args args) {
    Value count = args[0], environment = args[1];
    if (environment.isUndefined() && count.isObject()) {
        environment = count;
        count = Value::undefined();
    }
    constexpr double fewest = 2, most = 9007199254740991.0;
    if (!count.isUndefined() && !count.isNumber())
        return throwArgumentType(vm, "count", "of type number", count);
    double wanted = count.isUndefined() ? 16 : count.asNumber();
    if (!(wanted >= fewest && wanted <= most))
        return throwOutOfRange(vm, "count", ">= 2 && <= 9007199254740991", count);
    return Value::boolean(wanted <= double(u64(1) << TRY(colorDepth(vm, TRY(environmentOf(vm, environment))))));
}

NativeFunction* methodOf(Vm& vm, OutputStream& stream, std::string_view name, NativeCode code, u16 length) {
    NativeFunction* method = newNative(vm, code, name, length);
    method->data[0] = Value::int32(stream.fd());
    return method;
}

}

void addTerminalProperties(Vm& vm, Object* object, OutputStream& stream) {
    setField(vm, object, "isTTY", Value::boolean(true));
    // The window may change its size at any time.
    struct Method {
        const char* name;
        NativeCode code;
        u16 length;
    };
    for (const Method& size : {Method{"columns", columns, 0}, Method{"rows", rows, 0}}) {
        Value read = Value::object(methodOf(vm, stream, size.name, size.code, size.length));
        Accessor* accessor = newAccessor(vm, read, Value::undefined());
        defineDirect(
            vm, object, asciiKey(vm, size.name), Value::cell(accessor), AccessorProperty | Enumerable | Configurable);
    }
    for (const Method& method : {Method{"getWindowSize", getWindowSize, 0}, Method{"getColorDepth", getColorDepth, 0},
             Method{"hasColors", hasColors, 2}})
        setField(vm, object, method.name, Value::object(methodOf(vm, stream, method.name, method.code, method.length)));
}

}
