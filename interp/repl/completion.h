// What Tab offers at the prompt: names in scope, properties, keywords, modules, paths, dot commands.
//
// No script runs to find out: own slots and shapes are read as they are, and where a getter, a proxy or anything else
// would have to be asked there are no offers.
#pragma once
#include "interp/terminal/line_editor.h"
#include "runtime/core/vm.h"
#include <span>

namespace scr {

/// What could stand instead of text[from, cursor), in Node's order: own properties first, then those of each prototype,
/// with an empty word between two groups. `commands` are the dot commands, each with its dot; they are offered at the
/// beginning of the text.
Completions complete(Vm& vm, std::string_view text, size_t cursor, std::span<const std::string_view> commands);

}
