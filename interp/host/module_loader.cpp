// ES modules: by URL, of every kind that import can name; and require() of them.
#include "interp/host/module_loader.h"
#include "grammar/source.h"
#include "interp/host/data_url.h"
#include "interp/host/export_names.h"
#include "interp/host/host.h"
#include "runtime/builtins/json.h"
#include "runtime/builtins/process_support.h"
#include "runtime/loop/event_loop.h"
#include "stdlib/builtin_modules.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <unordered_set>

namespace scr {

static Completion<Module*> loadModule(Vm& vm, Cell* referrer, String* specifier, String* type) {
    return ModuleLoader::of(vm).load(referrer, specifier, type);
}

static Completion<void> describeModule(Vm& vm, Module* module, Object* meta) {
    return ModuleLoader::of(vm).describe(module, meta);
}

ModuleLoader::ModuleLoader(Vm& vm)
    : vm_(vm)
    , resolver_(vm) {
    vm.heap.addRoots(trace, this);
    parent_ = newSymbol(vm, asciiValue(vm, "parent"), SymbolPrivate);
}

ModuleLoader::~ModuleLoader() { vm_.heap.removeRoots(this); }

void ModuleLoader::installHooks(Vm& vm) {
    vm.loadModuleHook = loadModule;
    vm.importMetaHook = describeModule;
}

ModuleLoader& ModuleLoader::of(Vm& vm) {
    auto& loader = static_cast<Host*>(vm.host)->loader;
    if (!loader)
        loader.reset(new ModuleLoader(vm));
    return *loader;
}

void ModuleLoader::trace(void* context, Marker& marker) {
    auto& loader = *static_cast<ModuleLoader*>(context);
    for (auto& entry : loader.modules_)
        marker.mark(entry.second);
    for (auto& entry : loader.facades_)
        marker.mark(entry.second);
    for (Cell* each : {static_cast<Cell*>(loader.main_), static_cast<Cell*>(loader.cache_),
             static_cast<Cell*>(loader.extensions_), static_cast<Cell*>(loader.prototype_),
             static_cast<Cell*>(loader.constructor_), static_cast<Cell*>(loader.parent_)})
        marker.mark(each);
}

// ---- texts

Completion<std::string> readSource(Vm& vm, const std::string& path) {
    std::string bytes;
    size_t limit = vm.heap.memoryLimit(), most = limit ? std::min<size_t>(limit, String::MaxLength) : String::MaxLength;
    if (!readWholeFile(path, bytes, most))
        return errno == EFBIG && most == limit ? vm.terminateMemory() : throwSystemError(vm, errno, "open", path);
    TRY(vm.work(bytes.size() / 64));
    return std::string(Source::fromBytes("", std::move(bytes)).text());
}

Threw throwSystemError(Vm& vm, int number, std::string_view call, const std::string& path) {
    struct Known {
        int number;
        const char *code, *text;
    };
    constexpr Known known[] = {{EACCES, "EACCES", "permission denied"}, {ENOENT, "ENOENT", "no such file or directory"},
        {EISDIR, "EISDIR", "illegal operation on a directory"}, {EMFILE, "EMFILE", "too many open files"},
        {EFBIG, "EFBIG", "file too large"}, {ELOOP, "ELOOP", "too many symbolic links encountered"},
        {ENAMETOOLONG, "ENAMETOOLONG", "name too long"}};
    std::string code = "EIO", text = std::strerror(number);
    for (const Known& each : known)
        if (each.number == number) {
            code = each.code;
            text = each.text;
        }
    std::string message = code + ": " + text + ", " + std::string(call) + " '" + path + "'";
    Object* error = newError(vm, Intrinsic::ErrorPrototype, newUtf8(vm, message));
    setField(vm, error, "errno", Value::int32(-number));
    setField(vm, error, "syscall", utf8Value(vm, call));
    setField(vm, error, "code", utf8Value(vm, code));
    setField(vm, error, "path", utf8Value(vm, path));
    return vm.throwValue(Value::object(error));
}

Threw throwCompileError(Vm& vm, Script* script, const CompileError& compileError) {
    if (vm.terminating())
        return {};
    if (compileError.isStackLow)
        return vm.throwStackOverflow();
    std::string_view text = compileError.message, head = "SyntaxError: ";
    if (text.starts_with(head))
        text.remove_prefix(head.size());
    Object* error = newError(vm, Intrinsic::SyntaxErrorPrototype, newUtf8(vm, text));
    placeError(vm, error, script, compileError.begin, compileError.end);
    ScriptSource& source = *script->source;
    source.notes = renderNotes(Source(source.name, source.text), compileError.notes);
    static_cast<ErrorObject*>(error)->unparsed = script;
    return vm.throwValue(Value::object(error));
}

CompiledFile ModuleLoader::tryCompile(const std::string& path, const std::string& name, std::string text, Format format,
    CompileError& error, Script*& script) {
    CompiledFile compiled;
    if (format != Format::Module) {
        script = newScript(vm_, name.empty() ? path : name, text);
        script->source->path = path;
        compiled.function = compileScript(vm_, script, CompileGoal::CommonJs, error, nullptr, &compiled.usesScope);
        if (compiled.function || !error.isModule || format == Format::CommonJs)
            return compiled;
    }
    error = {};
    std::string url = urlOfPath(path).href();
    script = newScript(vm_, name.empty() ? url : name, std::move(text));
    script->source->path = url;
    compiled.module = compileModule(vm_, script, error);
    return compiled;
}

Completion<CompiledFile> ModuleLoader::compile(const std::string& path, std::string text, Format format) {
    CompileError error;
    Script* script = nullptr;
    CompiledFile compiled = tryCompile(path, "", std::move(text), format, error, script);
    if (!compiled.function && !compiled.module)
        return throwCompileError(vm_, script, error);
    return compiled;
}

Completion<Value> ModuleLoader::valueOfJson(const std::string& path, std::string text) {
    u32 unit = 0;
    String* source = newUtf8(vm_, text);
    Result parsed = parseJson(vm_, source, nullptr, &unit);
    if (!parsed.threw())
        return parsed;
    std::string why = messageOf(vm_, TRY(catchException(vm_)));
    size_t begin = 0;
    for (u32 units = 0; begin < text.size() && units < unit; begin++)
        units += (text[begin] & 0xC0) != 0x80 && (text[begin] & 0xF8) != 0xF0 ? 1
            : (text[begin] & 0xF8) == 0xF0                                    ? 2
                                                                              : 0;
    while (begin < text.size() && (text[begin] & 0xC0) == 0x80)
        begin++;
    Object* error = newError(vm_, Intrinsic::SyntaxErrorPrototype, newUtf8(vm_, path + ": " + why));
    placeError(vm_, error, newScript(vm_, path, std::move(text)), u32(begin), u32(begin));
    return vm_.throwValue(Value::object(error));
}

// ---- what a file is

Completion<Format> ModuleLoader::formatOf(const std::string& path, Asks asks) {
    std::string extension = extensionOf(path);
    if (extension == ".mjs")
        return Format::Module;
    if (extension == ".cjs")
        return Format::CommonJs;
    if (extension == ".json")
        return Format::Json;
    if (extension == ".scr")
        return Format::Detect;
    if (extension != ".js" && !extension.empty())
        return Format::Unknown;
    PackageConfigs::Reader reader;
    if (asks == Asks::Import)
        reader = {true, "", path};
    const PackageConfig* package = TRY(resolver_.packages().scopeOf(vm_, path, reader));
    return package->type == PackageType::Module                        ? Format::Module
        : package->type == PackageType::CommonJs && !extension.empty() ? Format::CommonJs
                                                                       : Format::Detect;
}

// ---- builtins

bool ModuleLoader::isBuiltinScheme(std::string_view scheme) { return scheme == "node:" || scheme == "scr:"; }

bool ModuleLoader::isBuiltin(std::string_view name) {
    return name == "module" || name == "node:module" || isBuiltinModule(name);
}

std::vector<std::string> ModuleLoader::builtinNames() {
    std::vector<std::string_view> listed = builtinModuleNames();
    std::vector<std::string> names(listed.begin(), listed.end());
    names.emplace_back("module");
    std::sort(names.begin(), names.end());
    return names;
}

Completion<Object*> ModuleLoader::builtin(std::string_view name) {
    if (name == "module" || name == "node:module")
        return moduleConstructor();
    return loadBuiltinModule(vm_, name);
}

/// A synthetic module whose export names come as texts.
static Completion<Module*> newModuleWithExports(
    Vm& vm, const std::string& href, const std::vector<std::string>& names, SyntheticSteps steps, Value hostData) {
    Root<Array*> keep(vm.roots, newArray(vm, u32(names.size()))); // the list is no root
    std::vector<String*> atoms;
    for (const std::string& name : names) {
        String* atom = TRY(internString(vm, newUtf8(vm, name)));
        TRY(createDataProperty(vm, keep.get(), PropertyKey::index(u32(atoms.size())), Value::string(atom)));
        atoms.push_back(atom);
    }
    return newSyntheticModule(vm, newUtf8(vm, href), atoms, steps, hostData);
}

/// The export names that the own properties of an object give, the default one first.
static Completion<std::vector<std::string>> namesOf(Vm& vm, Object* exports) {
    std::vector<std::string> names{"default"};
    Array* keys = TRY(ownPropertyKeys(vm, exports, StringKeys | OnlyEnumerable));
    for (u32 i = 0; i < keys->length(); i++) {
        std::string name = toUtf8(vm, TRY(get(vm, keys, PropertyKey::index(i))).asString());
        if (name != "default")
            names.push_back(std::move(name));
    }
    return names;
}

/// Gives a builtin's exports the values of its object's properties.
static Completion<void> takeBuiltin(Vm& vm, Module* module) {
    Object* exports = module->hostData.asObject();
    for (const ModuleExport& each : module->record->exports) {
        String* name = each.name;
        bool isDefault = name == vm.names.default_;
        Value value = isDefault ? Value::object(exports) : TRY(get(vm, exports, keyFromAtom(name)));
        setSyntheticExport(vm, module, name, value);
    }
    return {};
}

Completion<Module*> ModuleLoader::loadBuiltin(const Url& url) {
    std::string name = url.href();
    if (auto known = modules_.find(name); known != modules_.end())
        return known->second;
    if (!isBuiltin(name))
        return throwCoded(
            vm_, Intrinsic::ErrorPrototype, "ERR_UNKNOWN_BUILTIN_MODULE", "No such built-in module: " + name);
    Object* exports = TRY(builtin(name));
    Module* module =
        TRY(newModuleWithExports(vm_, name, TRY(namesOf(vm_, exports)), takeBuiltin, Value::object(exports)));
    modules_[name] = module;
    return module;
}

Completion<void> ModuleLoader::syncBuiltins() {
    std::vector<std::string> names;
    for (auto& entry : modules_)
        if (entry.first.starts_with("node:") && entry.second->status == ModuleStatus::Evaluated)
            names.push_back(entry.first);
    for (const std::string& name : names)
        TRY(takeBuiltin(vm_, modules_[name]));
    return {};
}

// ---- CommonJS for import

/// The names that a CommonJS file exports, with those of the files that it hands on.
static void collectNames(Vm& vm, Resolver& resolver, const std::string& path, ExportNames found,
    std::unordered_set<std::string>& seen, std::vector<std::string>& names) {
    if (!seen.insert("/" + path).second || seen.size() > 10000)
        return;
    for (std::string& name : found.names)
        if (seen.insert("." + name).second)
            names.push_back(std::move(name));
    for (const std::string& request : found.reexports) {
        if (ModuleLoader::isBuiltin(request) || vm.cStackLow())
            continue;
        auto file = resolver.require(request, {path, Resolver::nodeModulePaths(folderOf(path))});
        if (file.threw()) {
            if (catchException(vm).threw())
                return;
            continue;
        }
        std::string other;
        std::string name = file.value();
        bool isScript = name.ends_with(".js") || name.ends_with(".cjs") || name.ends_with(".scr");
        if (isScript && readWholeFile(name, other))
            collectNames(vm, resolver, name, findExportNames(Source::fromBytes("", other).text()), seen, names);
    }
}

/// Runs the file, unless it has been, and takes what it exports.
static Completion<void> runCommonJs(Vm& vm, Module* module) {
    std::string path = toUtf8(vm, module->hostData.asString());
    Object* object = TRY(ModuleLoader::of(vm).requireFile(path, nullptr));
    Value exports = TRY(get(vm, object, asciiKey(vm, "exports")));
    for (const ModuleExport& each : module->record->exports) {
        String* name = each.name;
        if (name == vm.names.default_) {
            setSyntheticExport(vm, module, name, exports);
            continue;
        }
        PropertyKey key = keyFromAtom(name);
        if (!exports.isObject() || !TRY(hasOwnProperty(vm, exports.asObject(), key)))
            continue;
        auto value = get(vm, exports.asObject(), key);
        if (value.threw())
            TRY(catchException(vm));
        else
            setSyntheticExport(vm, module, name, value.value());
    }
    return {};
}

Completion<Module*> ModuleLoader::loadCommonJs(const Url& url, const std::string& path, ExportNames found) {
    std::vector<std::string> names{"default"};
    std::unordered_set<std::string> seen{".default"};
    collectNames(vm_, resolver_, path, std::move(found), seen, names);
    Module* module = TRY(newModuleWithExports(vm_, url.href(), names, runCommonJs, utf8Value(vm_, path)));
    module->isCommonJs = true;
    return module;
}

// ---- import

Url ModuleLoader::baseOf(Cell* referrer) {
    std::string path;
    if (referrer && kindOf(referrer) == Kind::Module)
        path = toUtf8(vm_, static_cast<Module*>(referrer)->name);
    else if (referrer)
        path = static_cast<Script*>(referrer)->source->path;
    Url url;
    if (parseUrl(path, url))
        return url;
    return urlOfPath(path.starts_with('/') ? path : currentFolder() + "/");
}

Completion<void> ModuleLoader::checkType(const Url& url, Format format, String* type) {
    std::string given = type ? toUtf8(vm_, type) : "";
    if (type && given != "json")
        return throwCoded(vm_, Intrinsic::TypeErrorPrototype, "ERR_IMPORT_ASSERTION_TYPE_UNSUPPORTED",
            "Import attribute type \"" + given + "\" is unsupported");
    if (!type && format == Format::Json)
        return throwCoded(vm_, Intrinsic::TypeErrorPrototype, "ERR_IMPORT_ASSERTION_TYPE_MISSING",
            "Module \"" + url.href() + "\" needs an import attribute of type \"json\"");
    if (type && format != Format::Json)
        return throwCoded(vm_, Intrinsic::TypeErrorPrototype, "ERR_IMPORT_ASSERTION_TYPE_FAILED",
            "Module \"" + url.href() + "\" is not of type \"json\"");
    return {};
}

static std::string keyOf(Vm& vm, const Url& url, String* type) {
    return url.href() + (type ? " " + toUtf8(vm, type) : "");
}

/// Also a module that came from no file.
Module* ModuleLoader::findKnown(const Url& url, String* type) const {
    auto known = modules_.find(keyOf(vm_, url, type));
    return known == modules_.end() ? nullptr : known->second;
}

Completion<Module*> ModuleLoader::load(Cell* referrer, String* specifier, String* type) {
    Url base = baseOf(referrer);
    std::string text = toUtf8(vm_, specifier);
    Module* module = isRelative(text) ? findKnown(joinUrl(text, base), type) : nullptr;
    if (!module)
        module = TRY(loadUrl(TRY(resolver_.import(text, base)), type));
    if (!loadingForRequire_)
        return module;
    // What require() runs cannot go round to what is being evaluated.
    bool isEvaluating = module->status == ModuleStatus::Evaluating;
    if (isEvaluating || (module->isCommonJs && isBeingLoaded(toUtf8(vm_, module->hostData.asString()))))
        return throwCoded(vm_, Intrinsic::ErrorPrototype, "ERR_REQUIRE_CYCLE_MODULE",
            std::string("Cannot import ") + (isEvaluating ? "Module " : "CommonJS Module ") + text
                + " in a cycle. (from " + decodePath(base.path) + ")");
    return module;
}

Completion<Module*> ModuleLoader::loadUrl(const Url& url, String* type) {
    if (isBuiltinScheme(url.scheme)) {
        TRY(checkType(url, Format::Module, type));
        return loadBuiltin(url);
    }
    if (Module* known = findKnown(url, type))
        return known;
    if (!url.isFile())
        return loadData(url, type);
    std::string path = decodePath(url.path);
    Format format = TRY(formatOf(path, Asks::Import));
    if (format == Format::Unknown)
        return throwCoded(vm_, Intrinsic::TypeErrorPrototype, "ERR_UNKNOWN_FILE_EXTENSION",
            "Unknown file extension \"" + extensionOf(path) + "\" for " + path);
    TRY(checkType(url, format, type));
    Module* module = TRY(loadFile(url, path, format));
    modules_[keyOf(vm_, url, type)] = module;
    return module;
}

Completion<Module*> ModuleLoader::loadFile(const Url& url, const std::string& path, Format format) {
    std::string text = TRY(readSource(vm_, path)), href = url.href();
    if (format == Format::Json)
        return newDefaultModule(vm_, newUtf8(vm_, href), TRY(valueOfJson(path, std::move(text))));
    if (format != Format::Module)
        if (ExportNames found = findExportNames(text); !found.isModule || format == Format::CommonJs)
            return loadCommonJs(url, path, std::move(found));
    return loadText(href, std::move(text));
}

Completion<Module*> ModuleLoader::loadText(const std::string& href, std::string text) {
    Script* script = newScript(vm_, href, std::move(text));
    script->source->path = href;
    CompileError error;
    Module* module = compileModule(vm_, script, error);
    if (!module)
        return throwCompileError(vm_, script, error);
    return module;
}

Completion<Module*> ModuleLoader::loadData(const Url& url, String* type) {
    DataUrl data;
    std::string href = url.href();
    TRY(vm_.work(href.size() / 64));
    if (!parseDataUrl(url.path, data))
        return throwCoded(vm_, Intrinsic::TypeErrorPrototype, "ERR_INVALID_URL", "Invalid URL");
    bool isJson = data.type == "application/json";
    if (!isJson && data.type != "text/javascript" && data.type != "application/javascript")
        return throwCoded(vm_, Intrinsic::RangeErrorPrototype, "ERR_UNKNOWN_MODULE_FORMAT",
            "Unknown module format: " + data.type + " for URL " + href);
    TRY(checkType(url, isJson ? Format::Json : Format::Module, type));
    std::string text(Source::fromBytes("", std::move(data.body)).text());
    Module* module = isJson ? newDefaultModule(vm_, newUtf8(vm_, href), TRY(valueOfJson(href, std::move(text))))
                            : TRY(loadText(href, std::move(text)));
    modules_[keyOf(vm_, url, type)] = module;
    return module;
}

// ---- import.meta

static Result resolveMeta(Vm& vm, Args args) {
    Url base;
    parseUrl(toUtf8(vm, args.callee()->data[0].asString()), base);
    std::string specifier = toUtf8(vm, TRY(toString(vm, args[0])));
    auto found = ModuleLoader::of(vm).resolver().import(specifier, base);
    if (!found.threw())
        return utf8Value(vm, found.value().href());
    std::string code = pendingCode(vm);
    if (code != "ERR_MODULE_NOT_FOUND" && code != "ERR_UNSUPPORTED_DIR_IMPORT")
        return Threw{};
    // There is nothing at that URL, but that is what it would be.
    Value error = TRY(catchException(vm));
    Value url = lookup(vm, error.asObject(), asciiKey(vm, "url")).dataValue();
    return url.isString() ? Result(url) : Result(vm.throwValue(error));
}

Completion<void> ModuleLoader::describe(Module* module, Object* meta) {
    std::string href = toUtf8(vm_, module->name);
    Url url;
    if (parseUrl(href, url) && url.isFile()) {
        std::string path = decodePath(url.path);
        setField(vm_, meta, "dirname", utf8Value(vm_, folderOf(path)));
        setField(vm_, meta, "filename", utf8Value(vm_, path));
    }
    setField(vm_, meta, "main", Value::boolean(href == mainUrl_));
    NativeFunction* resolve = newNative(vm_, resolveMeta, "resolve", 1);
    resolve->data[0] = utf8Value(vm_, href);
    setField(vm_, meta, "resolve", Value::object(resolve));
    setField(vm_, meta, "url", utf8Value(vm_, href));
    return {};
}

// ---- require() of an ES module

/// Some module of the graph waits at its top level. Known: it is loaded.
static bool graphHasAwait(Module* root) {
    std::vector<Module*> open{root}; // the root keeps them alive
    std::unordered_set<Module*> seen{root};
    while (!open.empty()) {
        Module* module = open.back();
        open.pop_back();
        if (module->hasAwait)
            return true;
        for (const ModuleRequest& request : module->record->requests)
            if (Module* next = request.module; next && seen.insert(next).second)
                open.push_back(next);
    }
    return false;
}

/// A module that exports all that another one does, and __esModule beside its default export.
Completion<Module*> ModuleLoader::facadeOf(const std::string& href) {
    if (auto known = facades_.find(href); known != facades_.end())
        return known->second;
    std::string quoted = Json::string(href).write();
    Module* module = TRY(loadText(
        href, "export * from " + quoted + "; export { default } from " + quoted + "; export const __esModule = true;"));
    facades_[href] = module;
    return module;
}

/// Evaluates a module that waits nowhere.
static Completion<Object*> runAtOnce(Vm& vm, Module* module) {
    Promise* promise = TRY(runModule(vm, module));
    if (promise->state == PromiseState::Rejected) {
        performThen(vm, promise, Value::undefined(), Value::undefined(), Value::undefined());
        return vm.throwValue(promise->result);
    }
    return moduleNamespace(vm, module);
}

Completion<Value> ModuleLoader::requireModule(const std::string& filename, Module* module, Object* object) {
    std::string href = urlOfPath(filename).href();
    if (auto known = modules_.find(href); known != modules_.end() && !known->second->isCommonJs)
        module = known->second;
    else
        modules_[href] = module;
    Value parent = parentOf(object);
    std::string from = parent.isObject() ? textField(parent.asObject(), "filename") : "";
    if (module->status == ModuleStatus::Evaluating || module->status == ModuleStatus::Linking)
        return throwCoded(vm_, Intrinsic::ErrorPrototype, "ERR_REQUIRE_CYCLE_MODULE",
            "Cannot require() ES Module " + filename + " in a cycle. (from " + from
                + ") A cycle involving require(esm) is not allowed to maintain invariants mandated by the ECMAScript "
                  "specification. Try making at least part of the dependency in the graph lazily loaded.");
    loadingForRequire_++;
    bool threw = loadRequestedModules(vm_, module).threw();
    loadingForRequire_--;
    if (threw)
        return Threw{};
    if (graphHasAwait(module))
        return throwCoded(vm_, Intrinsic::ErrorPrototype, "ERR_REQUIRE_ASYNC_MODULE",
            "require() cannot be used on an ESM graph with top-level await. Use import() instead. To see where the "
            "top-level await comes from, use --experimental-print-required-tla.\n  From "
                + from + " \n  Requiring " + filename + " ");
    Object* exports = TRY(runAtOnce(vm_, module));
    PropertyKey own = asciiKey(vm_, "module.exports"), default_ = KEY(vm_, default_);
    if (TRY(hasOwnProperty(vm_, exports, own)))
        return get(vm_, exports, own);
    if (!TRY(hasOwnProperty(vm_, exports, default_)) || TRY(hasOwnProperty(vm_, exports, asciiKey(vm_, "__esModule"))))
        return Value::object(exports);
    return Value::object(TRY(runAtOnce(vm_, TRY(facadeOf(href)))));
}

// ---- the main program

std::string ModuleLoader::pathOf(std::string_view name) {
    if (name.starts_with('['))
        return currentFolder() + "/[eval1]";
    std::string path = joinPath(currentFolder(), name);
    return realPath(path);
}

Completion<CompiledFile> ModuleLoader::compileMain(
    const std::string& name, std::string text, bool isModule, CompileError& error, Script*& script) {
    std::string path = pathOf(name);
    Format format = isModule ? Format::Module : name.starts_with('[') ? Format::Detect : TRY(formatOf(path));
    if (format == Format::Json) {
        TRY(valueOfJson(path, std::move(text)));
        return CompiledFile{};
    }
    CompiledFile compiled = tryCompile(path, name, std::move(text), format, error, script);
    if (!compiled.function && !compiled.module)
        return vm_.terminating() ? Completion<CompiledFile>(Threw{}) : compiled;
    main_ = nullptr;
    mainLoaded_ = false;
    bool isFile = !name.starts_with('[');
    mainPath_ = isFile ? path : currentFolder() + "/" + name;
    mainName_ = compiled.function ? name : "";
    if (compiled.module)
        mainUrl_ = toUtf8(vm_, compiled.module->name);
    return compiled;
}

void ModuleLoader::defineGlobals() {
    mainName_ = "[eval]";
    mainPath_ = currentFolder() + "/" + mainName_;
    CommonJsScope scope = scopeOf(mainObject(), utf8Value(vm_, mainName_), asciiValue(vm_, "."));
    const char* names[] = {"exports", "require", "module", "__filename", "__dirname"};
    for (size_t i = 0; i < std::size(names); i++)
        setField(vm_, vm_.realm->global, names[i], scope.arguments[i]);
}

void ModuleLoader::defineReplGlobals() {
    Object* module = newModuleObject("<repl>", currentFolder() + "/repl/<repl>", nullptr);
    setField(vm_, module, "path", asciiValue(vm_, "."));
    setField(vm_, module, "filename", Value::null());
    CommonJsScope scope = scopeOf(module, Value::undefined(), Value::undefined());
    for (int i : {1, 2})
        defineDirect(
            vm_, vm_.realm->global, asciiKey(vm_, i == 1 ? "require" : "module"), scope.arguments[i], HiddenAttributes);
}

Completion<void> ModuleLoader::runMain(const CompiledFile& compiled) {
    if (compiled.module)
        return runMainModule(compiled.module);
    Value function = Value::object(compiled.function);
    CommonJsScope scope{Value::undefined(), {}};
    if (compiled.usesScope) {
        bool isFile = !mainName_.starts_with('[');
        Value filename = utf8Value(vm_, isFile ? mainPath_ : mainName_);
        Value folder = utf8Value(vm_, isFile ? folderOf(mainPath_) : ".");
        scope = scopeOf(mainObject(), filename, folder);
    }
    TRY(call(vm_, function, scope.self, scope.arguments, 5));
    mainLoaded_ = true;
    if (main_)
        TRY(set(vm_, main_, asciiKey(vm_, "loaded"), Value::boolean(true)));
    return {};
}

/// The process hears of it as of an uncaught exception.
static Result failMain(Vm& vm, Args args) {
    TRY(vm.loop->failModule(args[0]));
    return Value::undefined();
}

static Result mainRejected(Vm& vm, Args args) {
    vm.loop->queueMicrotask(Value::object(newNative(vm, failMain, "", 1)), storeArguments(vm, args, 0));
    return Value::undefined();
}

Completion<void> ModuleLoader::runMainModule(Module* module) {
    modules_[toUtf8(vm_, module->name)] = module;
    Promise* promise = TRY(runModule(vm_, module));
    vm_.loop->mainPromise = Value::object(promise);
    Value rejected = Value::object(newNative(vm_, mainRejected, "", 1));
    performThen(vm_, promise, Value::undefined(), rejected, Value::undefined());
    return {};
}

}
