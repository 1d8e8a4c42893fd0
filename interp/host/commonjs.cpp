// CommonJS: module objects, loading their files, require.cache (Node's "Modules: CommonJS modules").
#include "interp/host/module_loader.h"
#include "runtime/builtins/inspect.h"
#include "runtime/builtins/process_support.h"
#include "runtime/core/elements.h"
#include <algorithm>

namespace scr {

Array* arrayOfTexts(Vm& vm, const std::vector<std::string>& texts) {
    Array* array = newArray(vm, u32(texts.size()));
    for (u32 i = 0; i < texts.size(); i++)
        if (createDataProperty(vm, array, PropertyKey::index(i), utf8Value(vm, texts[i])).threw())
            break; // for want of memory: the run ends
    return array;
}

namespace {

Completion<std::vector<std::string>> textsOf(Vm& vm, Value list) {
    std::vector<std::string> texts;
    if (!isArrayObject(list))
        return texts;
    Array* array = static_cast<Array*>(list.asObject());
    for (u32 i = 0; i < array->length(); i++) {
        TRY(vm.work(1));
        Value text = TRY(get(vm, array, PropertyKey::index(i)));
        if (text.isString())
            texts.push_back(toUtf8(vm, text.asString()));
    }
    return texts;
}

/// A file name as a key of require.cache.
Completion<PropertyKey> fileKey(Vm& vm, const std::string& filename) {
    return toPropertyKey(vm, utf8Value(vm, filename));
}

/// A property of a module object, which scripts may have changed.
Completion<Value> field(Vm& vm, Object* module, std::string_view name) { return get(vm, module, asciiKey(vm, name)); }

/// Tells the parent of its child; `known`: it may know it already.
Completion<void> addChild(Vm& vm, Object* parent, Object* child, bool known) {
    Value list = TRY(field(vm, parent, "children"));
    if (!isArrayObject(list))
        return {};
    Array* children = static_cast<Array*>(list.asObject());
    u32 length = children->length();
    for (u32 i = 0; known && i < length; i++) {
        TRY(vm.work(1));
        Value each = TRY(get(vm, children, PropertyKey::index(i)));
        if (each.isObject() && each.asObject() == child)
            return {};
    }
    TRY(createDataProperty(vm, children, PropertyKey::index(length), Value::object(child)));
    return {};
}

/// The file could not be loaded: nobody has such a child.
Completion<void> removeChild(Vm& vm, Object* parent, Object* child) {
    Value list = TRY(field(vm, parent, "children"));
    if (!isArrayObject(list))
        return {};
    Array* children = static_cast<Array*>(list.asObject());
    u32 length = children->length();
    if (!length)
        return {};
    Value last = TRY(get(vm, children, PropertyKey::index(length - 1)));
    if (last.isObject() && last.asObject() == child)
        TRY(set(vm, children, KEY(vm, length), Value::number(length - 1)));
    return {};
}

}

// ---- module objects

Object* ModuleLoader::newModuleObject(const std::string& id, const std::string& filename, Object* parent) {
    Object* module = newObject(vm_, modulePrototype(), 8);
    std::string folder = folderOf(filename);
    setField(vm_, module, "id", utf8Value(vm_, id));
    setField(vm_, module, "path", utf8Value(vm_, folder));
    setField(vm_, module, "exports", Value::object(newPlainObject(vm_)));
    setField(vm_, module, "filename", utf8Value(vm_, filename));
    setField(vm_, module, "loaded", Value::boolean(false));
    setField(vm_, module, "children", Value::object(newArray(vm_)));
    setField(vm_, module, "paths", Value::object(arrayOfTexts(vm_, Resolver::nodeModulePaths(folder))));
    if (parent)
        defineDirect(vm_, module, keyOf(parent_), Value::object(parent), HiddenAttributes);
    return module;
}

Value ModuleLoader::parentOf(Object* module) {
    Lookup found = getOwnProperty(vm_, module, keyOf(parent_));
    return found.found() ? found.dataValue() : module == main_ ? Value::null() : Value::undefined();
}

std::string ModuleLoader::textField(Object* module, std::string_view name) {
    Value value = lookup(vm_, module, asciiKey(vm_, name)).dataValue();
    return value.isString() ? toUtf8(vm_, value.asString()) : "";
}

CommonJsScope ModuleLoader::scopeOf(Object* module, Value filename, Value folder) {
    Value exports = lookup(vm_, module, asciiKey(vm_, "exports")).dataValue();
    return {exports, {exports, Value::object(newRequire(module)), Value::object(module), filename, folder}};
}

void ModuleLoader::cacheMain() {
    if (cache_ && !mainName_.starts_with('['))
        if (auto key = fileKey(vm_, mainPath_); !key.threw())
            defineDirect(vm_, cache_, key.value(), Value::object(main_), AllAttributes);
}

/// The module object of the main program. Most scripts do without.
Object* ModuleLoader::mainObject() {
    if (!main_ && !mainName_.empty()) {
        bool isFile = !mainName_.starts_with('[');
        main_ = newModuleObject(isFile ? "." : mainName_, mainPath_, nullptr);
        setField(vm_, main_, "loaded", Value::boolean(mainLoaded_));
        cacheMain();
    }
    return main_;
}

Object* ModuleLoader::cache() {
    if (cache_)
        return cache_;
    cache_ = newObject(vm_, nullptr);
    if (main_)
        cacheMain();
    else
        mainObject();
    return cache_;
}

bool ModuleLoader::isBeingLoaded(const std::string& filename) {
    auto key = fileKey(vm_, filename);
    if (!cache_ || key.threw())
        return false;
    Value module = getOwnProperty(vm_, cache_, key.value()).dataValue();
    if (!module.isObject())
        return false;
    Value loaded = lookup(vm_, module.asObject(), asciiKey(vm_, "loaded")).dataValue();
    return loaded.isBoolean() && !loaded.asBoolean();
}

// ---- finding

Threw ModuleLoader::throwRequired(const std::string& request, Object* parent) {
    std::vector<std::string> stack;
    for (Object* at = parent; at;) {
        std::string name = textField(at, "filename");
        stack.push_back(name.empty() ? textField(at, "id") : name);
        Value next = parentOf(at);
        at = next.isObject() ? next.asObject() : nullptr;
    }
    std::string text = "Cannot find module '" + request + "'";
    for (size_t i = 0; i < stack.size(); i++)
        text += (i ? "\n- " : "\nRequire stack:\n- ") + stack[i];
    Object* error = newError(vm_, Intrinsic::ErrorPrototype, newUtf8(vm_, text));
    setField(vm_, error, "code", asciiValue(vm_, "MODULE_NOT_FOUND"));
    setField(vm_, error, "requireStack", Value::object(arrayOfTexts(vm_, stack)));
    return vm_.throwValue(Value::object(error));
}

/// The folders that the option `paths` means for a request.
static Completion<std::vector<std::string>> foldersOf(Vm& vm, const std::string& request, Value paths) {
    std::vector<std::string> given = TRY(textsOf(vm, paths)), folders;
    if (isRelative(request)) {
        for (std::string& each : given)
            folders.push_back(joinPath(currentFolder(), each));
        return folders;
    }
    for (const std::string& each : given)
        for (std::string& folder : Resolver::nodeModulePaths(joinPath(currentFolder(), each)))
            if (std::find(folders.begin(), folders.end(), folder) == folders.end())
                folders.push_back(std::move(folder));
    return folders;
}

Completion<std::string> ModuleLoader::resolveFor(const std::string& request, Object* parent, Value options) {
    if ((request.starts_with("node:") || request.starts_with("scr:")) && !isBuiltin(request))
        return throwCoded(
            vm_, Intrinsic::ErrorPrototype, "ERR_UNKNOWN_BUILTIN_MODULE", "No such built-in module: " + request);
    if (isBuiltin(request))
        return request;
    Value paths = options.isObject() ? TRY(field(vm_, options.asObject(), "paths")) : Value::undefined();
    std::string found;
    if (!paths.isUndefined()) {
        if (!isArrayObject(paths))
            return throwCoded(vm_, Intrinsic::TypeErrorPrototype, "ERR_INVALID_ARG_VALUE",
                "The property 'options.paths' is invalid. Received " + inspect(vm_, paths));
        found = TRY(resolver_.findIn(request, TRY(foldersOf(vm_, request, paths))));
    } else {
        Value list = TRY(field(vm_, parent, "paths"));
        found = TRY(resolver_.require(request, {textField(parent, "filename"), TRY(textsOf(vm_, list))}));
    }
    if (found.empty())
        return throwRequired(request, parent);
    return found;
}

// ---- loading

Completion<Value> ModuleLoader::require(const std::string& request, Object* parent) {
    // What the same folder asked for before is found without a look at the disk, while the file is in the cache.
    std::string place = textField(parent, "path") + '\0' + request;
    if (auto known = resolved_.find(place); known != resolved_.end()) {
        Value module = TRY(get(vm_, cache(), TRY(fileKey(vm_, known->second))));
        if (module.isObject()) {
            TRY(addChild(vm_, parent, module.asObject(), true));
            return field(vm_, module.asObject(), "exports");
        }
        resolved_.erase(place);
    }
    std::string filename = TRY(resolveFor(request, parent, Value::undefined()));
    if (isBuiltin(filename))
        return Value::object(TRY(builtin(filename)));
    resolved_[place] = filename;
    Object* module = TRY(requireFile(filename, parent));
    return field(vm_, module, "exports");
}

Completion<Object*> ModuleLoader::requireFile(const std::string& filename, Object* parent) {
    if (vm_.cStackLow())
        return vm_.throwStackOverflow();
    PropertyKey key = TRY(fileKey(vm_, filename));
    Value known = TRY(get(vm_, cache(), key));
    if (known.isObject()) {
        if (parent)
            TRY(addChild(vm_, parent, known.asObject(), true));
        return known.asObject();
    }
    Object* module = newModuleObject(filename, filename, parent);
    if (parent)
        TRY(addChild(vm_, parent, module, false));
    TRY(createDataProperty(vm_, cache(), key, Value::object(module)));
    if (loadObject(module, filename).threw()) {
        if (vm_.terminating())
            return Threw{};
        Value error = TRY(catchException(vm_));
        TRY(deleteProperty(vm_, cache(), key));
        if (parent)
            TRY(removeChild(vm_, parent, module));
        return vm_.throwValue(error);
    }
    return module;
}

Completion<void> ModuleLoader::loadObject(Object* module, const std::string& filename) {
    std::string extension = extensionOf(filename);
    Value loader = Value::undefined();
    if (extensions_ && !extension.empty())
        loader = TRY(get(vm_, extensions_, TRY(fileKey(vm_, extension))));
    if (isCallable(loader))
        TRY(call(vm_, loader, Value::object(extensions_), Value::object(module), utf8Value(vm_, filename)));
    else if (extension == ".json")
        TRY(loadJson(module, filename));
    else
        TRY(loadScript(module, filename));
    TRY(set(vm_, module, asciiKey(vm_, "loaded"), Value::boolean(true)));
    return {};
}

Completion<void> ModuleLoader::loadScript(Object* module, const std::string& filename) {
    Format format = TRY(formatOf(filename));
    if (auto known = modules_.find(urlOfPath(filename).href()); known != modules_.end() && !known->second->isCommonJs) {
        Value exports = TRY(requireModule(filename, nullptr, module));
        TRY(set(vm_, module, asciiKey(vm_, "exports"), exports));
        return {};
    }
    TRY(runText(module, filename, TRY(readSource(vm_, filename)), format));
    return {};
}

Completion<void> ModuleLoader::loadJson(Object* module, const std::string& filename) {
    Value value = TRY(valueOfJson(filename, TRY(readSource(vm_, filename))));
    TRY(set(vm_, module, asciiKey(vm_, "exports"), value));
    return {};
}

Completion<Value> ModuleLoader::runText(Object* module, const std::string& filename, std::string text, Format format) {
    CompiledFile compiled = TRY(compile(filename, std::move(text), format));
    if (compiled.module) {
        Value exports = TRY(requireModule(filename, compiled.module, module));
        TRY(set(vm_, module, asciiKey(vm_, "exports"), exports));
        return Value::undefined();
    }
    CommonJsScope scope = scopeOf(module, utf8Value(vm_, filename), utf8Value(vm_, folderOf(filename)));
    return call(vm_, Value::object(compiled.function), scope.self, scope.arguments, 5);
}

}
