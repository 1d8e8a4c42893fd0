// The modules of stdlib/modules.def: which there are, and their exports. Each is loaded once in a realm, when somebody
// first asks for it; until then it costs nothing.
#pragma once
#include "runtime/builtins/native.h"
#include <string>
#include <string_view>
#include <vector>

namespace scr {

/// Whether scripts can import `name`, with or without "node:".
bool isBuiltinModule(std::string_view name);
/// What module.builtinModules lists: their names without "node:", in the order of the table.
std::vector<std::string_view> builtinModuleNames();
/// What scripts can write to get one, in the order of the table: all with "node:", or as short as may be.
std::vector<std::string> builtinModuleSpecifiers(bool withScheme);
/// The exports of a module of the table, of an internal one too, in the current realm. The name must be known. Threw:
/// for want of stack or memory. Runs only scripts of the table.
Completion<Object*> loadBuiltinModule(Vm& vm, std::string_view name);
/// Sets the hook through which global objects are found in modules.
void installBuiltinModules(Vm& vm);

}
