// Import declarations at the prompt, which is no module: what they declare is imported by import() and declared again.
#pragma once
#include <string>
#include <string_view>

namespace scr {

/// The text with each import declaration replaced by a declaration that awaits import(), line for line. Empty: it has
/// none, or cannot be a module. `incomplete`: more lines could make a module of it.
std::string withDynamicImports(std::string_view text, bool& incomplete);

}
