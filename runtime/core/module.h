// Modules (ECMA-262 16.2.1): records of every kind, linking, evaluation, namespace objects, import().
//
// A source text module is a function that may wait. Linking runs its beginning, which makes the module's environment
// and its functions (InitializeEnvironment) and then stops in a SuspendedFrame; evaluating goes on from there. An
// exported binding is a slot of that environment. An imported name is a constant ImportBinding of the code that uses
// it.
//
// A synthetic module (JSON, CommonJS, builtin) has a list of names, an environment with a slot for each, and a step
// that fills them when it is evaluated.
//
// The host finds modules: Vm::loadModuleHook gives the module that a specifier means for a referrer, the same one each
// time, without evaluating it; a text that does not parse is a SyntaxError thrown by the hook. Loading is synchronous.
//
// Invariants. Names are atoms. Statuses go up only (but back to Unlinked when linking fails). A module that failed
// keeps its error. Nothing here recurses along the graph deeper than the C++ stack allows: a RangeError says so.
#pragma once
#include "runtime/core/promise.h"
#include "runtime/core/suspension.h"
#include <span>
#include <unordered_map>
#include <vector>

namespace scr {

struct Module;

/// 16.2.1.6 ModuleRequest Record: one `from "..."` of a module.
struct ModuleRequest {
    Ptr<String> specifier;
    Ptr<String> type; ///< of `with { type: "..." }`, or null
    Ptr<String> badAttribute, badValue; ///< key and value of another attribute, which no host supports; or null
    Ptr<Module> module; ///< null until loaded
    u32 begin, end; ///< bytes of the source: the specifier
};

/// What a name of an environment elsewhere is known by in the code that imports it. Filled when the importing module is
/// linked; `environment` is set once the module that has the slot has made it.
struct ImportBinding : Cell {
    Ptr<Module> module; ///< null: the environment is the binding's own, with a namespace in its only slot
    Ptr<Environment> environment;
    Ptr<String> name; ///< of the binding that imports it, for messages
    u32 slot;
    u32 reserved;
};
ImportBinding* newImportBinding(Vm& vm, String* name);

/// import { importName as ... } from request
struct ModuleImport {
    Ptr<String> importName; ///< null: the namespace, which goes to `slot` of the environment
    Ptr<ImportBinding> binding; ///< null for a namespace
    u32 request, slot;
    u32 begin, end; ///< bytes of the source: the name
};

struct ModuleExport {
    enum Type : u8 {
        Local, ///< a slot of the module's own environment
        Indirect, ///< export { importName } from request
        Namespace, ///< export * as name from request
    } type;
    Ptr<String> name;
    Ptr<String> importName; ///< Indirect
    u32 request, slot;
    u32 begin, end; ///< Indirect: bytes of the source
    Module* foundModule = nullptr; ///< Indirect, once linked: where it leads. Reachable through the requests.
    u32 foundSlot = 0;
    bool foundNamespace = false;
};

/// What stands in the text of a module; freed with it.
struct ModuleRecord {
    std::vector<ModuleRequest> requests; ///< each specifier with its attributes once, in the order of the text
    std::vector<ModuleImport> imports;
    std::vector<ModuleExport> exports;
    std::vector<u32> stars; ///< requests of export * from
    std::unordered_map<const String*, u32> exportNumbers; ///< name to index in `exports`
    std::vector<Module*> asyncParents;
    void addExport(const ModuleExport& item) {
        exportNumbers.emplace(item.name.get(), u32(exports.size()));
        exports.push_back(item);
    }
};

enum class ModuleStatus : u8 { Unlinked, Linking, Linked, Evaluating, EvaluatingAsync, Evaluated };

/// What evaluating a synthetic module does: setSyntheticExport for each name. Called once, with `module->hostData` as
/// the host left it. [script]
using SyntheticSteps = Completion<void> (*)(Vm& vm, Module* module);

struct Module : Cell {
    Ptr<Realm> realm;
    Ptr<String> name; ///< as the host calls it: a path or URL, flat; shown in messages
    Ptr<Cell> script; ///< the Script of a source text module, whose referrer it is; null: synthetic
    Ptr<Function> function; ///< of a source text module
    Ptr<Environment> environment; ///< null until linked, or if nothing is exported or captured
    Ptr<SuspendedFrame> frame; ///< where evaluation begins; then where a top-level await waits
    Ptr<Object> namespaceObject; ///< null until somebody wants it
    Ptr<Object> meta; ///< import.meta, likewise
    Ptr<Promise> promise; ///< 16.2.1.6 [[TopLevelCapability]]
    Ptr<Module> cycleRoot;
    Value error; ///< a hole, or what it failed with
    Value linkError; ///< a hole, or why linking from here failed
    Value hostData; ///< what the host likes to keep with it
    SyntheticSteps steps; ///< of a synthetic module
    ModuleRecord* record; ///< owned
    u64 asyncOrder; ///< 0: [[AsyncEvaluationOrder]] unset
    u32 dfsIndex, dfsAncestor;
    u32 pendingAsync; ///< dependencies that it waits for
    ModuleStatus status;
    bool hasAwait; ///< [[HasTLA]]
    bool asyncDone;
    bool isCommonJs; ///< a synthetic module for a CommonJS file: errors say so
    bool loaded; ///< the modules it asks for, and those that they ask for, are there
};

// ---- making
/// A source text module of the current realm, whose lists the compiler fills in.
Module* newModule(Vm& vm, String* name, Cell* script);
/// A synthetic module with these exports (atoms, each once), undefined until `steps` sets them (16.2.1.8.1).
Module* newSyntheticModule(
    Vm& vm, String* name, std::span<String* const> exportNames, SyntheticSteps steps, Value hostData);
/// 16.2.1.8.2 SetSyntheticModuleExport. Known: one of its names. Also later, when the value changes.
void setSyntheticExport(Vm& vm, Module* module, String* exportName, Value value);
/// A module whose only export is the default one, with this value: JSON.
Module* newDefaultModule(Vm& vm, String* name, Value value);

// ---- loading, linking, evaluating
/// LoadRequestedModules: asks loadModuleHook for everything that the module needs. [script]
Completion<void> loadRequestedModules(Vm& vm, Module* module);
/// Link. SyntaxError if a name cannot be resolved, the same each time. Known: it is loaded.
Completion<void> linkModule(Vm& vm, Module* module);
/// Evaluate: the promise of undefined that tells how it went; the same one each time. Known: it is linked. [script]
Completion<Promise*> evaluateModule(Vm& vm, Module* module);
/// What the host gives for a specifier; TypeError if there is no host.
Completion<Module*> loadImportedModule(Vm& vm, Cell* referrer, String* specifier, String* type);
/// TypeError, as Node has it, for an attribute that is none of ours.
COLD Threw throwBadAttribute(Vm& vm, String* key, String* value);
/// GetModuleNamespace. Known: it is loaded.
Completion<Object*> moduleNamespace(Vm& vm, Module* module);
/// Loads, links and evaluates, for a main module or a `require` of one: the promise of evaluateModule. Threw: it could
/// not be loaded or linked. [script]
Completion<Promise*> runModule(Vm& vm, Module* module);

/// Where a name leads. (16.2.1.6.3 ResolveExport)
struct ResolvedExport {
    enum Type : u8 { Missing, Circular, Ambiguous, Found } type = Missing;
    Module* module = nullptr;
    bool isNamespace = false; ///< the namespace of `module`; else the slot of its environment
    u32 slot = 0;
};
Completion<ResolvedExport> resolveExport(Vm& vm, Module* module, String* exportName);

// ---- what code asks for
/// 13.3.10 import(): `referrer` is the Module or Script that the call stands in, or null. Throws only if the run
/// ends. [script]
Completion<Value> dynamicImport(Vm& vm, Cell* referrer, Value specifier, Value options);
/// 13.3.12 import.meta, made on first use through Vm::importMetaHook. [script]
Completion<Value> importMeta(Vm& vm, Module* module);

// ---- Seams
/// Runs the function of a source text module up to where its evaluation begins, and sets `frame` and `environment`.
/// Defined in interp/vm/module.cpp.
Completion<void> beginModule(Vm& vm, Module* module);
/// The error is about source bytes of a text (a Script cell), not about running code: that is its only frame, and where
/// a report of it points when nobody catches it. To be thrown next. Defined in interp/vm/stack.cpp.
void placeError(Vm& vm, Object* error, Cell* script, u32 begin, u32 end);

void registerModuleKinds(Heap& heap);

}
