// Finding and reading the modules of a conformance test.
#include "interp/host/test262_modules.h"
#include "interp/compiler/compiler.h"
#include "interp/host/host.h"
#include "runtime/builtins/json.h"
#include "runtime/core/error.h"
#include "runtime/core/string.h"
#include <filesystem>

namespace scr {

TestModules::TestModules(Vm& vm)
    : vm_(vm)
    , loadHook_(vm.loadModuleHook)
    , metaHook_(vm.importMetaHook) {
    static_cast<Host*>(vm.host)->tests = this;
    vm.loadModuleHook = load;
    vm.importMetaHook = nullptr;
}

TestModules::~TestModules() {
    static_cast<Host*>(vm_.host)->tests = nullptr;
    vm_.loadModuleHook = loadHook_;
    vm_.importMetaHook = metaHook_;
}

void TestModules::keep(const std::string& path, const std::string& type, Module* module) {
    modules_[{path, type}] = std::make_unique<Root<Module*>>(vm_.roots, module);
}

static std::string pathOf(Vm& vm, Cell* referrer) {
    if (!referrer)
        return "";
    if (kindOf(referrer) == Kind::Module)
        return toUtf8(vm, static_cast<Module*>(referrer)->name);
    const ScriptSource& source = *static_cast<Script*>(referrer)->source;
    return source.path.empty() ? source.name : source.path;
}

Completion<Module*> TestModules::load(Vm& vm, Cell* referrer, String* specifier, String* type) {
    std::filesystem::path folder = std::filesystem::path(pathOf(vm, referrer)).parent_path();
    std::string path = (folder / toUtf8(vm, specifier)).lexically_normal().string();
    return static_cast<Host*>(vm.host)->tests->find(path, type ? toUtf8(vm, type) : "");
}

void TestModules::allowAttributes(Module* module) {
    for (ModuleRequest& request : module->record->requests)
        request.badAttribute = nullptr;
}

static Completion<Module*> readModule(Vm& vm, const std::string& path, std::string text) {
    Script* script = newScript(vm, path, std::move(text));
    script->source->path = path;
    CompileError error;
    Module* module = compileModule(vm, script, error);
    if (module) {
        TestModules::allowAttributes(module);
        return module;
    }
    if (vm.terminating())
        return Threw{};
    std::string_view message = error.message;
    message.remove_prefix(std::string_view("SyntaxError: ").size());
    return throwText(vm, Intrinsic::SyntaxErrorPrototype, message);
}

Completion<Module*> TestModules::find(const std::string& path, const std::string& type) {
    if (auto found = modules_.find({path, type}); found != modules_.end())
        return found->second->get();
    std::string text;
    if (!std::filesystem::is_regular_file(path) || !readWholeFile(path, text))
        return throwText(vm_, Intrinsic::TypeErrorPrototype, "there is no module " + path);
    Module* module = nullptr;
    if (type == "json")
        module = newDefaultModule(vm_, newUtf8(vm_, path), TRY(parseJson(vm_, newUtf8(vm_, text))));
    else if (type.empty())
        module = TRY(readModule(vm_, path, std::move(text)));
    else
        return throwText(vm_, Intrinsic::TypeErrorPrototype, "there are no modules of type " + type);
    keep(path, type, module);
    return module;
}

}
