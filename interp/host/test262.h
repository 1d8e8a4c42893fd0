// The host that test262 asks for (its INTERPRETING.md): scripts in the global scope, `print` and `$262`. They exist in
// no other kind of run.
#pragma once
#include "interp/host/engine.h"

namespace scr {

struct NamedText {
    std::string name, text;
};

/// Runs `includes`, then `test`, as scripts in the global scope of the engine's realm, then the loop. The message of a
/// failure is "Name: message"; that of a text that does not compile has the place in a second line, which begins with
/// "    early error at ". `isModule`: the test is a module (its requests and names are resolved early, too).
Outcome runTest262(
    Engine& engine, const std::vector<NamedText>& includes, const NamedText& test, bool isModule = false);

}
