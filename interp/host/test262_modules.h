// The modules of a conformance test: the test itself and the files beside it that it imports, by paths relative to the
// file that asks. JSON with the attribute for it.
#pragma once
#include "interp/bytecode/bytecode.h"
#include "runtime/core/module.h"
#include <map>
#include <memory>

namespace scr {

/// Sets the hooks of a Vm for as long as it lives.
class TestModules {
public:
    explicit TestModules(Vm& vm);
    ~TestModules();
    TestModules(const TestModules&) = delete;

    /// The test is known by its path from now on.
    void add(const std::string& path, Module* module) { keep(path, "", module); }
    /// 16.2.1.11 HostGetSupportedImportAttributes: any, so that the tests about their syntax get beyond them.
    static void allowAttributes(Module* module);

private:
    static Completion<Module*> load(Vm& vm, Cell* referrer, String* specifier, String* type);
    Completion<Module*> find(const std::string& path, const std::string& type);
    void keep(const std::string& path, const std::string& type, Module* module);

    Vm& vm_;
    Completion<Module*> (*loadHook_)(Vm&, Cell*, String*, String*);
    Completion<void> (*metaHook_)(Vm&, Module*, Object*);
    std::map<std::pair<std::string, std::string>, std::unique_ptr<Root<Module*>>> modules_; ///< by path and type
};

}
