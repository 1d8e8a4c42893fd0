// Values as text for people: util.inspect and util.format, with the layout of Node 20. Text is UTF-8 in which a lone
// surrogate stands as three bytes.
#pragma once
#include "runtime/builtins/native.h"
#include <cmath>

namespace scr {

/// The options of util.inspect, by their names and with their defaults.
struct InspectOptions {
    static constexpr int CompactAll = -1; ///< compact: true
    enum class Getters : u8 { Hidden, All, WithoutSetter, WithSetter };

    double depth = 2; ///< NaN is null: no limit
    double maxArrayLength = 100;
    double maxStringLength = 10000;
    double breakLength = 80; ///< UTF-16 units
    int compact = 3; ///< 0 is false
    bool showHidden = false;
    bool colors = false;
    bool customInspect = true;
    bool showProxy = false;
    bool numericSeparator = false;
    bool sorted = false;
    Getters getters = Getters::Hidden;
    Value comparator; ///< of sorted; undefined: by code units
    Value userOptions; ///< the object given, if it has other keys too: custom inspection sees them
};

/// Appends the text of `value`. Runs script (custom inspection, Symbol.toStringTag, an error's name) and passes on what
/// it throws; getters of properties run only if options.getters says so.
Completion<void> inspect(Vm& vm, Value value, const InspectOptions& options, std::string& out);
/// For the host: whatever is thrown on the way is dropped, and something shorter is said instead.
std::string inspect(Vm& vm, Value value, const InspectOptions& options = {});
/// `base`, changed by the own properties of an options object. Runs script (getters).
Completion<InspectOptions> inspectOptionsFrom(Vm& vm, Value object, InspectOptions base);

/// util.format: what console.log prints of its arguments, without the line's end.
Completion<void> formatArguments(
    Vm& vm, const Value* values, u32 count, const InspectOptions& options, std::string& out);

}
