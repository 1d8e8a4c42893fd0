// What Vm::host points to: the state of an engine's host.
#pragma once
#include "interp/host/engine.h"
#include "interp/host/module_loader.h"

namespace scr {

struct HostBinding {
    HostFunction function;
    void* context;
};

struct Host {
    std::vector<HostBinding> bindings; ///< of Engine::define
    std::unique_ptr<ModuleLoader> loader; ///< made by the first file
    class TestModules* tests = nullptr; ///< of a conformance test (test262_modules.h)
};

}
