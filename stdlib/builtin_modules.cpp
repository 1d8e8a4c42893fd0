// Loading the modules of the program. A script module is compiled as a file is, with a require of its own that knows
// the internal modules too, and "internal": the natives that such scripts need.
// Invariant: what has been loaded stands in Intrinsic::ScriptModules under its name, also while it is still being
// loaded, so that modules may require each other in a circle.
#include "stdlib/builtin_modules.h"
#include <iterator>

namespace scr {

namespace {

struct Source {
    std::string_view file, text;
};
constexpr Source sources[] = {
#include "gen/stdlib_sources.inc"
};

constexpr std::string_view sourceOf(std::string_view file) {
    for (const Source& source : sources)
        if (source.file == file)
            return source.text;
    return {};
}

/// Who may ask for it, and how.
enum class Access : u8 { Everybody, ByScheme, Internal };
struct BuiltinModule {
    std::string_view name, shown, text;
    Intrinsic object;
    Access access;
};
constexpr BuiltinModule modules[] = {
#define SCRIPT(name, file) {name, name, sourceOf(#file), Intrinsic::Count, Access::Everybody},
#define SCHEME_ONLY(name, file)                                                                                        \
    {name, "internal/test_runner/" #file, sourceOf(#file), Intrinsic::Count, Access::ByScheme},
#define OBJECT(name, intrinsic) {name, name, {}, Intrinsic::intrinsic, Access::Everybody},
#define INTERNAL(name, file, shown) {name, shown, sourceOf(#file), Intrinsic::Count, Access::Internal},
#include "stdlib/modules.def"
#undef SCRIPT
#undef SCHEME_ONLY
#undef OBJECT
#undef INTERNAL
};

constexpr bool everyScriptExists() {
    for (const BuiltinModule& module : modules)
        if (module.object == Intrinsic::Count && module.text.empty())
            return false;
    return true;
}
static_assert(everyScriptExists());

constexpr std::string_view Scheme = "node:";

/// "scr:bench" is no module of Node's.
constexpr bool hasScheme(std::string_view name) { return name.find(':') != name.npos; }

const BuiltinModule* find(std::string_view name) {
    bool withScheme = name.starts_with(Scheme);
    if (withScheme)
        name.remove_prefix(Scheme.size());
    for (const BuiltinModule& module : modules)
        if (module.name == name && !(withScheme && hasScheme(name)))
            return &module;
    return nullptr;
}

PropertyKey keyOfText(Vm& vm, std::string_view text) { return keyOf(internAscii(vm, text)); }

void setField(Vm& vm, Object* object, std::string_view name, Object* value) {
    defineDirect(vm, object, keyOfText(vm, name), Value::object(value), AllAttributes);
}

/// `require` inside script modules. They require nothing that does not exist.
Result requireInternal(Vm& vm, Args args) {
    std::string name = toUtf8(vm, TRY(toString(vm, args[0])));
    if (name == "internal")
        return Value::object(vm.realm->intrinsic(vm, Intrinsic::Internal));
    CHECK(find(name));
    return Value::object(TRY(loadBuiltinModule(vm, name)));
}

Object* exportsOf(Vm& vm, Object* module) {
    Value exports = lookup(vm, module, keyOfText(vm, "exports")).value;
    return exports.asObject();
}

Completion<Object*> runModule(Vm& vm, Object* loaded, const BuiltinModule& module) {
    std::string shown = std::string(hasScheme(module.shown) ? "" : Scheme).append(module.shown);
    Function* function = TRY(compileBuiltin(vm, shown, module.text));
    Object* prototype = vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype);
    Object* object = newObject(vm, prototype);
    Object* exports = newObject(vm, prototype);
    setField(vm, object, "exports", exports);
    PropertyKey key = keyOfText(vm, module.name);
    defineDirect(vm, loaded, key, Value::object(object), AllAttributes);
    Value arguments[] = {Value::object(exports), Value::object(newNative(vm, requireInternal, "require", 1)),
        Value::object(object), Value::undefined(), Value::undefined()};
    if (call(vm, Value::object(function), Value::undefined(), arguments, 5).threw()) {
        // Half a module is none.
        MUST(deleteProperty(vm, loaded, key));
        return Threw();
    }
    return exportsOf(vm, object);
}

}

bool isBuiltinModule(std::string_view name) {
    const BuiltinModule* module = find(name);
    if (!module || module->access == Access::Internal)
        return false;
    return module->access == Access::Everybody || name.starts_with(Scheme);
}

std::vector<std::string_view> builtinModuleNames() {
    std::vector<std::string_view> names;
    for (const BuiltinModule& module : modules)
        if (module.access == Access::Everybody)
            names.push_back(module.name);
    return names;
}

std::vector<std::string> builtinModuleSpecifiers(bool withScheme) {
    std::vector<std::string> specifiers;
    for (const BuiltinModule& module : modules) {
        bool needsScheme = withScheme || module.access == Access::ByScheme;
        std::string specifier = std::string(needsScheme ? Scheme : "").append(module.name);
        if (isBuiltinModule(specifier))
            specifiers.push_back(std::move(specifier));
    }
    return specifiers;
}

Completion<Object*> loadBuiltinModule(Vm& vm, std::string_view name) {
    const BuiltinModule* module = find(name);
    CHECK(module);
    if (module->object != Intrinsic::Count)
        return vm.realm->intrinsic(vm, module->object);
    Object* loaded = vm.realm->intrinsic(vm, Intrinsic::ScriptModules);
    Lookup found = getOwnProperty(vm, loaded, keyOfText(vm, module->name));
    if (found.type == Lookup::Data)
        return exportsOf(vm, found.value.asObject());
    return runModule(vm, loaded, *module);
}

void installBuiltinModules(Vm& vm) { vm.builtinModuleHook = loadBuiltinModule; }

}
