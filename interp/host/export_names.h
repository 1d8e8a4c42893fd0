// The names that a CommonJS file exports, as far as its text tells: what an import of it may name.
#pragma once
#include "runtime/base/platform.h"
#include <string>
#include <string_view>
#include <vector>

namespace scr {

struct ExportNames {
    std::vector<std::string> names; ///< may repeat
    bool isModule = false; ///< the text is a module: there are no names
    std::vector<std::string> reexports; ///< files whose names it exports too, as it requires them
};

/// Recognises the patterns that cjs-module-lexer documents. Nothing if the text does not parse.
ExportNames findExportNames(std::string_view text);

}
