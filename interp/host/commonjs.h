// The surroundings of a script file as CommonJS has them: exports, require, module, __filename, __dirname.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

struct CommonJsScope {
    Value self; ///< module.exports
    Value arguments[5];
};
/// For the file shown as `name`; names in brackets such as [stdin] stand for no file.
CommonJsScope newCommonJsScope(Vm& vm, std::string_view name);

}
