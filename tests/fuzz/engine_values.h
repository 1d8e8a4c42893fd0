// An engine whose values a fuzzer looks at from C++: used many times, and made anew before it could run full.
#pragma once
#include "interp/host/engine.h"
#include "runtime/builtins/native.h"
#include <memory>
#include <string>

namespace scr::fuzz {

/// The engine of this process, a new one each thousand calls. `setUp` is run in a new one.
inline Engine& sharedEngine(const char* setUp = "") {
    static std::unique_ptr<Engine> engine;
    static unsigned calls;
    if (!engine || ++calls % 1000 == 0) {
        engine.reset();
        engine = std::make_unique<Engine>(EngineLimits{.memoryBytes = size_t(256) << 20, .stackBytes = 0});
        Outcome outcome = engine->evaluate(setUp, "setup");
        CHECK(outcome.status == RunStatus::Ok);
    }
    return *engine;
}

/// A property of an object, which must be there without script.
inline Value property(Vm& vm, Value object, std::string_view name) {
    return MUST(get(vm, object.asObject(), keyFromAtom(internAscii(vm, name))));
}
inline Value global(Vm& vm, std::string_view name) { return property(vm, Value::object(vm.realm->global), name); }
inline Value text(Vm& vm, std::string_view utf8) { return Value::string(newUtf8(vm, utf8)); }

/// The name of the class of the pending exception, which is taken.
inline std::string takeError(Vm& vm) {
    Value error = vm.pendingException;
    CHECK(error.isObject());
    return toUtf8(vm, property(vm, error, "name").asString());
}

}
