// ModuleLoader: the modules of one engine, of all kinds: CommonJS by file name, ES modules, JSON and builtins by URL.
//
// Invariants. A URL (with the type that its import names) has one Module for good, unless it could not be made: then
// the next import tries again. A file has one CommonJS module object while require.cache holds it. The members that
// begin with `main` tell of the text that compileMain has compiled last.
#pragma once
#include "interp/compiler/compiler.h"
#include "interp/host/resolve.h"
#include "runtime/core/module.h"

namespace scr {

/// What a file is, by its name and package.
enum class Format : u8 {
    Detect, ///< its syntax tells: a module or CommonJS
    CommonJs,
    Module,
    Json,
    Unknown, ///< by an extension that import does not know
};

/// The surroundings of a CommonJS file: its function's `this` and arguments.
struct CommonJsScope {
    Value self; ///< module.exports
    Value arguments[5]; ///< exports, require, module, __filename, __dirname
};

/// A text that compiled: one of the two.
struct CompiledFile {
    Function* function = nullptr; ///< CommonJS
    bool usesScope = true; ///< the function may look at its surroundings
    Module* module = nullptr; ///< unlinked
};

class ModuleLoader {
public:
    explicit ModuleLoader(Vm& vm);
    ~ModuleLoader();
    ModuleLoader(const ModuleLoader&) = delete;
    /// Sets the hooks through which modules are found; no loader is made yet.
    static void installHooks(Vm& vm);
    static ModuleLoader& of(Vm& vm);

    Resolver& resolver() { return resolver_; }
    Completion<Format> formatOf(const std::string& path, Asks asks = Asks::Require);

    // ---- builtins: those of stdlib/modules.def, and node:module
    static bool isBuiltin(std::string_view name);
    /// "node:", "scr:": what follows is the name of a builtin, or nothing.
    static bool isBuiltinScheme(std::string_view scheme);
    static std::vector<std::string> builtinNames();
    /// Its exports. Known: isBuiltin(name).
    Completion<Object*> builtin(std::string_view name);
    /// The exports of node:module, which are the constructor of module objects.
    Object* moduleConstructor();
    /// Takes over what has changed in the exports of builtins (module.syncBuiltinESMExports). [script]
    Completion<void> syncBuiltins();

    // ---- CommonJS (commonjs.cpp)
    /// A module object for a file. `parent`, the module object that required it, may be null.
    Object* newModuleObject(const std::string& id, const std::string& filename, Object* parent);
    /// What the function of the file takes.
    CommonJsScope scopeOf(Object* module, Value filename, Value folder);
    /// require(request) in `parent`. [script]
    Completion<Value> require(const std::string& request, Object* parent);
    /// The module object of a file, loaded unless it is already; null parent: imported. [script]
    Completion<Object*> requireFile(const std::string& filename, Object* parent);
    /// The file, or the name of a builtin, that `request` means in `parent`; MODULE_NOT_FOUND with its require stack.
    Completion<std::string> resolveFor(const std::string& request, Object* parent, Value options);
    /// Compiles and runs a text as the file of `module`. [script]
    Completion<Value> runText(Object* module, const std::string& filename, std::string text, Format format);
    /// Loads the file by what require.extensions says for its name. [script]
    Completion<void> loadObject(Object* module, const std::string& filename);
    Completion<void> loadScript(Object* module, const std::string& filename);
    Completion<void> loadJson(Object* module, const std::string& filename);
    /// The function `require` of a module object.
    Object* newRequire(Object* module);
    Object* cache();
    Object* extensions();
    /// That required it; undefined: nobody, it was imported.
    Value parentOf(Object* module);
    std::string textField(Object* module, std::string_view name);

    // ---- ES modules (module_loader.cpp)
    /// Vm::loadModuleHook.
    Completion<Module*> load(Cell* referrer, String* specifier, String* type);
    /// Vm::importMetaHook.
    Completion<void> describe(Module* module, Object* meta);
    /// What imports in a Script or Module are relative to.
    Url baseOf(Cell* referrer);
    /// require() of an ES module: links and evaluates it, and what it exports. `module`: newly compiled, or null if one
    /// is known. `object` is its module object. [script]
    Completion<Value> requireModule(const std::string& filename, Module* module, Object* object);

    // ---- the main program
    /// Compiles a text for running as the main program, or by itself. `name` is what errors call it. Nothing for
    /// JSON, and with `error` filled and its script if it does not compile.
    Completion<CompiledFile> compileMain(
        const std::string& name, std::string text, bool isModule, CompileError& error, Script*& script);
    /// Makes the surroundings of a script that is no file global.
    void defineGlobals();
    /// The same for the REPL: require and module, as a module without a file in the current folder has them.
    void defineReplGlobals();
    /// Runs what compileMain gave; the promise of a module tells more. [script]
    Completion<void> runMain(const CompiledFile& compiled);
    /// The file, or folder/[eval1] for texts that come from none.
    static std::string pathOf(std::string_view name);

private:
    static void trace(void* loader, Marker& marker);
    /// `name` is what errors call it; empty: its path, or the URL of a module.
    CompiledFile tryCompile(const std::string& path, const std::string& name, std::string text, Format format,
        CompileError& error, Script*& script);
    Completion<CompiledFile> compile(const std::string& path, std::string text, Format format);
    Module* findKnown(const Url& url, String* type) const;
    Completion<Module*> loadUrl(const Url& url, String* type);
    Completion<Module*> loadFile(const Url& url, const std::string& path, Format format);
    Completion<Module*> loadText(const std::string& href, std::string text);
    Completion<Module*> loadData(const Url& url, String* type);
    Completion<Module*> loadCommonJs(const Url& url, const std::string& path, struct ExportNames found);
    Completion<Module*> loadBuiltin(const Url& url);
    Completion<void> checkType(const Url& url, Format format, String* type);
    Completion<Value> valueOfJson(const std::string& path, std::string text);
    Completion<Module*> facadeOf(const std::string& href);
    Object* mainObject();
    void cacheMain();
    Completion<void> runMainModule(Module* module);
    bool isBeingLoaded(const std::string& filename);
    Threw throwRequired(const std::string& request, Object* parent);
    Object* modulePrototype();

    Vm& vm_;
    Resolver resolver_;
    std::unordered_map<std::string, Module*> modules_; ///< by URL, with the type behind a blank
    std::unordered_map<std::string, std::string> resolved_; ///< by folder, NUL, request: the files of earlier requires
    std::unordered_map<std::string, Module*> facades_; ///< by URL: what require() of a module gives
    std::string mainUrl_;
    u32 loadingForRequire_ = 0; ///< requireModule calls that load
    std::string mainName_; ///< of the main program, if it is CommonJS; [in brackets] if it is no file
    std::string mainPath_; ///< where it lies
    bool mainLoaded_ = false;
    Object* main_ = nullptr; ///< its module object, made when first needed
    Object* cache_ = nullptr;
    Object* extensions_ = nullptr;
    Object* prototype_ = nullptr;
    Object* constructor_ = nullptr;
    Symbol* parent_ = nullptr; ///< the private name under which a module object keeps its parent
};

/// The error of a text that did not compile, with its place; thrown.
Threw throwCompileError(Vm& vm, Script* script, const CompileError& error);
/// A script's array of strings.
Array* arrayOfTexts(Vm& vm, const std::vector<std::string>& texts);
/// Node's error of a system call: "EACCES: permission denied, open '/x'".
Threw throwSystemError(Vm& vm, int error, std::string_view call, const std::string& path);
/// The text of a file as the front end reads it: no byte order mark, U+FFFD for what is no UTF-8. Throws if it cannot
/// be read.
Completion<std::string> readSource(Vm& vm, const std::string& path);

}
