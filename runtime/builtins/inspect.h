// Values as text for people: util.inspect and util.format, with the layout of Node 20. Text is UTF-8 in which a lone
// surrogate stands as three bytes.
#pragma once
#include "runtime/builtins/native.h"
#include <cmath>
#include <vector>

namespace scr {

/// The options by their names, in the order in which custom inspection gets them.
enum class InspectOption : u8 {
    ShowHidden,
    Depth,
    Colors,
    CustomInspect,
    ShowProxy,
    MaxArrayLength,
    MaxStringLength,
    BreakLength,
    Compact,
    Sorted,
    Getters,
    NumericSeparator,
    Count
};

/// The options of util.inspect, with their defaults. A script may give values of any type: `given` keeps them for
/// custom inspection, the other members say what they mean.
struct InspectOptions {
    static constexpr double CompactAll = -1; ///< compact: true
    enum class Getters : u8 { Hidden, All, WithoutSetter, WithSetter };

    double depth = 2; ///< infinite: no limit; NaN: no limit either, but showHidden shows nothing of prototypes
    double maxArrayLength = 100;
    double maxStringLength = 10000;
    double breakLength = 80; ///< UTF-16 units
    double compact = 3; ///< 0 is false
    bool showHidden = false;
    bool colors = false;
    bool customInspect = true;
    bool showProxy = false;
    bool numericSeparator = false;
    bool sorted = false;
    Getters getters = Getters::Hidden;
    Value given[size_t(InspectOption::Count)]; ///< undefined, unless its bit of `isGiven` says so: the default
    u32 isGiven = 0;
    Value stylize; ///< the script's own; undefined: none
    Value userOptions; ///< what was given, if it has other keys too: custom inspection sees them

    bool depthIsNull() const {
        return !(isGiven >> u32(InspectOption::Depth) & 1) || given[size_t(InspectOption::Depth)].isNull();
    }
    /// As a script sets it.
    void set(InspectOption option, Value value);
};

/// The options that util.inspect begins with: inspect.defaultOptions.
InspectOptions defaultInspectOptions(Vm& vm);
/// Appends the text of `value`. Runs script (custom inspection, Symbol.toStringTag, an error's name) and passes on what
/// it throws; getters of properties run only if options.getters says so.
Completion<void> inspect(Vm& vm, Value value, const InspectOptions& options, std::string& out);
/// For the host: whatever is thrown on the way is dropped, and something shorter is said instead.
std::string inspect(Vm& vm, Value value, const InspectOptions& options = {});
/// `base`, changed by the own properties of what a script gave as options. Runs script (getters).
Completion<InspectOptions> inspectOptionsFrom(Vm& vm, Value given, InspectOptions base);

// ---- stacks as lines

std::vector<std::string> stackLines(std::string_view text);
struct SharedRun {
    size_t length = 0, offset = 0;
};
/// The first run of more than three lines of `a` that `b` has too; length 0: there is none.
SharedRun findSharedRun(const std::vector<std::string>& a, const std::vector<std::string>& b);
/// Puts `note` in the place of what lies between the first and the last line of a run.
void cutSharedRun(std::vector<std::string>& frames, SharedRun run, std::string note);

/// util.format: what console.log prints of its arguments, without the line's end.
Completion<void> formatArguments(
    Vm& vm, const Value* values, u32 count, const InspectOptions& options, std::string& out);

/// The text of a string; unlike toUtf8 it keeps lone surrogates.
std::string textWithSurrogates(Vm& vm, String* string);
/// Whether inspection takes a constructor of this name for one of the language's own.
bool isBuiltinName(const String* name);
/// Whether a Map or Set iterates as its builtin does, so that its table can be read. TypeError if it does not iterate.
Completion<bool> iteratesPlainly(Vm& vm, Object* collection, std::string_view name);
/// How util.inspect.colors has a colour: before and behind the text; false: it has none of this name.
bool terminalColor(std::string_view name, int& on, int& off);

}
