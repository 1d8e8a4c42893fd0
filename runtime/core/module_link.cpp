// Loading the graph of a module, resolving names across it, and linking (ECMA-262 16.2.1.5, 16.2.1.6).
#include "runtime/core/error.h"
#include "runtime/core/module.h"
#include "runtime/core/vm.h"
#include <set>
#include <unordered_set>

namespace scr {

// ---- loading

Threw throwBadAttribute(Vm& vm, String* key, String* value) {
    return throwCoded(vm, Intrinsic::TypeErrorPrototype, "ERR_IMPORT_ATTRIBUTE_UNSUPPORTED",
        "Import attribute \"" + toUtf8(vm, key) + "\" with value \"" + toUtf8(vm, value) + "\" is not supported");
}

Completion<Module*> loadImportedModule(Vm& vm, Cell* referrer, String* specifier, String* type) {
    if (UNLIKELY(!vm.loadModuleHook))
        return throwCoded(vm, Intrinsic::TypeErrorPrototype, "ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING",
            "A dynamic import callback was not specified.");
    return vm.loadModuleHook(vm, referrer, specifier, type);
}

/// An error about a request points to it, unless it already knows where it came from.
static void placeRequestError(Vm& vm, Module* module, const ModuleRequest& request) {
    Value error = vm.pendingException;
    if (vm.terminating() || !error.isObject() || kindOf(error.asCell()) != Kind::Error)
        return;
    if (!static_cast<ErrorObject*>(error.asObject())->frameCount)
        placeError(vm, error.asObject(), module->script, request.begin, request.end);
}

static Completion<Module*> loadRequest(Vm& vm, Module* module, u32 number) {
    ModuleRequest& request = module->record->requests[number];
    if (request.module)
        return request.module.get();
    Completion<Module*> loaded = Threw{};
    if (request.badAttribute)
        loaded = throwBadAttribute(vm, request.badAttribute, request.badValue);
    else
        loaded = loadImportedModule(vm, module, request.specifier, request.type);
    if (loaded.threw())
        placeRequestError(vm, module, request);
    else
        request.module = loaded.value();
    return loaded;
}

// 16.2.1.6.1.1 LoadRequestedModules ( [ hostDefined ] ): from the root down, each module's requests in their order.
Completion<void> loadRequestedModules(Vm& vm, Module* root) {
    struct Step {
        Module* module;
        u32 next;
    };
    // Every module on the list is reachable from the root.
    std::vector<Step> steps;
    std::vector<Module*> seen;
    std::unordered_set<Module*> isSeen;
    auto enter = [&](Module* module) {
        if (module->loaded || !isSeen.insert(module).second)
            return;
        seen.push_back(module);
        steps.push_back({module, 0});
    };
    enter(root);
    while (!steps.empty()) {
        TRY(vm.work(1));
        Step& step = steps.back();
        if (step.next == step.module->record->requests.size())
            steps.pop_back();
        else
            enter(TRY(loadRequest(vm, step.module, step.next++)));
    }
    for (Module* module : seen)
        module->loaded = true;
    return {};
}

// ---- names

namespace {

/// One search for a name: 16.2.1.6.1.3 ResolveExport with its resolveSet.
class Resolution {
public:
    explicit Resolution(Vm& vm)
        : vm_(vm) { }

    Completion<ResolvedExport> resolve(Module* module, String* name) {
        if (vm_.cStackLow())
            return vm_.throwStackOverflow();
        TRY(vm_.work(1));
        ModuleRecord& record = *module->record;
        auto own = record.exportNumbers.find(name);
        if (own != record.exportNumbers.end() && record.exports[own->second].type == ModuleExport::Local)
            return slotOf(module, record.exports[own->second].slot);
        if (!seen_.insert({module, name}).second)
            return ResolvedExport{ResolvedExport::Circular};
        if (own != record.exportNumbers.end())
            return elsewhere(module, record.exports[own->second]);
        if (name == vm_.names.default_)
            return ResolvedExport{};
        return throughStars(module, name);
    }

private:
    static ResolvedExport slotOf(Module* module, u32 slot) { return {ResolvedExport::Found, module, false, slot}; }

    Completion<ResolvedExport> elsewhere(Module* module, const ModuleExport& item) {
        if (item.foundModule)
            return ResolvedExport{ResolvedExport::Found, item.foundModule, item.foundNamespace, item.foundSlot};
        Module* from = module->record->requests[item.request].module;
        if (item.type == ModuleExport::Namespace)
            return ResolvedExport{ResolvedExport::Found, from, true, 0};
        return resolve(from, item.importName);
    }

    static bool isSame(const ResolvedExport& a, const ResolvedExport& b) {
        return a.module == b.module && a.isNamespace == b.isNamespace && a.slot == b.slot;
    }

    Completion<ResolvedExport> throughStars(Module* module, String* name) {
        ResolvedExport result;
        for (u32 request : module->record->stars) {
            ResolvedExport found = TRY(resolve(module->record->requests[request].module, name));
            if (found.type == ResolvedExport::Ambiguous)
                return found;
            if (found.type != ResolvedExport::Found)
                continue;
            if (result.type == ResolvedExport::Found && !isSame(result, found))
                return ResolvedExport{ResolvedExport::Ambiguous};
            result = found;
        }
        return result;
    }

    Vm& vm_;
    std::set<std::pair<Module*, String*>> seen_;
};

}

Completion<ResolvedExport> resolveExport(Vm& vm, Module* module, String* exportName) {
    return Resolution(vm).resolve(module, exportName);
}

// ---- linking one module

/// What Node says of a name that a CommonJS module seems not to export.
static std::string commonJsText(Vm& vm, Module* module, const ModuleRequest& request, String* name) {
    std::string from = toUtf8(vm, request.specifier), names;
    for (const ModuleImport& item : module->record->imports) {
        if (&module->record->requests[item.request] != &request || !item.importName || !item.binding
            || item.importName == vm.names.default_)
            continue;
        std::string imported = toUtf8(vm, item.importName), local = toUtf8(vm, item.binding->name);
        names += (names.empty() ? "" : ", ") + imported + (local == imported ? "" : ": " + local);
    }
    std::string text = "Named export '" + toUtf8(vm, name) + "' not found. The requested module '" + from
        + "' is a CommonJS module, which may not support all module.exports as named exports.\nCommonJS modules can "
          "always be imported via the default export, for example using:\n\nimport pkg from '"
        + from + "';\n";
    return text + (names.empty() ? "" : "const { " + names + " } = pkg;\n");
}

/// SyntaxError about source bytes of the module.
static Threw throwUnresolved(
    Vm& vm, Module* module, const ModuleRequest& request, String* name, ResolvedExport::Type why, u32 begin, u32 end) {
    Error error = why == ResolvedExport::Ambiguous ? Error::AmbiguousExport
        : why == ResolvedExport::Circular          ? Error::CircularExport
                                                   : Error::UnresolvableExport;
    Threw threw = error == Error::CircularExport ? throwError(vm, error, name, request.specifier.get())
                                                 : throwError(vm, error, request.specifier.get(), name);
    if (error == Error::UnresolvableExport && request.module->isCommonJs && !vm.terminating())
        threw = throwText(vm, Intrinsic::SyntaxErrorPrototype, commonJsText(vm, module, request, name));
    if (!vm.terminating())
        placeError(vm, vm.pendingException.asObject(), module->script, begin, end);
    return threw;
}

/// An environment of one slot, for a namespace that is imported under a name.
static Environment* boxed(Vm& vm, Object* value) {
    auto* environment =
        static_cast<Environment*>(vm.heap.allocate(sizeof(Environment) + sizeof(Value), u8(Kind::Environment), 1));
    environment->parent = nullptr;
    environment->slots[0] = Value::object(value);
    return environment;
}

static Completion<void> linkImport(Vm& vm, Module* module, ModuleImport& item) {
    const ModuleRequest& request = module->record->requests[item.request];
    ResolvedExport found = TRY(resolveExport(vm, request.module, item.importName));
    if (found.type != ResolvedExport::Found)
        return throwUnresolved(vm, module, request, item.importName, found.type, item.begin, item.end);
    ImportBinding* binding = item.binding;
    if (found.isNamespace) {
        binding->environment = boxed(vm, TRY(moduleNamespace(vm, found.module)));
        binding->slot = 0;
    } else {
        binding->module = found.module;
        binding->slot = found.slot;
    }
    return {};
}

// 16.2.1.7.3.1 InitializeEnvironment ( )
static Completion<void> initializeEnvironment(Vm& vm, Module* module) {
    ModuleRecord& record = *module->record;
    for (ModuleExport& item : record.exports) {
        if (item.type != ModuleExport::Indirect)
            continue;
        ResolvedExport found = TRY(resolveExport(vm, module, item.name));
        if (found.type != ResolvedExport::Found)
            return throwUnresolved(
                vm, module, record.requests[item.request], item.importName, found.type, item.begin, item.end);
        // What is asked again of the same graph has the same answer: a chain of re-exports is walked once.
        item.foundModule = found.module;
        item.foundSlot = found.slot;
        item.foundNamespace = found.isNamespace;
    }
    for (ModuleImport& item : record.imports)
        if (item.importName)
            TRY(linkImport(vm, module, item));
    TRY(beginModule(vm, module));
    for (const ModuleImport& item : record.imports)
        if (!item.importName) {
            Object* value = TRY(moduleNamespace(vm, record.requests[item.request].module));
            module->environment->slots[item.slot] = Value::object(value);
        }
    return {};
}

// ---- linking the graph

namespace {

class Linker {
public:
    explicit Linker(Vm& vm)
        : vm_(vm) { }

    // 16.2.1.6.1.2.1 InnerModuleLinking ( module, stack, index )
    Completion<void> link(Module* module) {
        if (vm_.cStackLow())
            return vm_.throwStackOverflow();
        if (module->status != ModuleStatus::Unlinked)
            return {};
        if (!module->script) {
            module->status = ModuleStatus::Linked;
            return {};
        }
        module->status = ModuleStatus::Linking;
        module->dfsIndex = module->dfsAncestor = index_++;
        stack_.push_back(module);
        for (const ModuleRequest& request : module->record->requests) {
            TRY(link(request.module));
            if (request.module->status == ModuleStatus::Linking)
                module->dfsAncestor = std::min(module->dfsAncestor, request.module->dfsAncestor);
        }
        TRY(initializeEnvironment(vm_, module));
        if (module->dfsAncestor == module->dfsIndex)
            popTo(module);
        return {};
    }

    void giveUp() {
        for (Module* module : stack_)
            module->status = ModuleStatus::Unlinked;
    }

private:
    void popTo(Module* module) {
        Module* last;
        do {
            last = stack_.back();
            stack_.pop_back();
            last->status = ModuleStatus::Linked;
        } while (last != module);
    }

    Vm& vm_;
    u32 index_ = 0;
    std::vector<Module*> stack_; // reachable from the root
};

}

// 16.2.1.6.1.2 Link ( )
Completion<void> linkModule(Vm& vm, Module* module) {
    if (!module->linkError.isHole())
        return vm.throwValue(module->linkError);
    Linker linker(vm);
    Completion<void> result = linker.link(module);
    if (result.threw()) {
        linker.giveUp();
        if (!vm.terminating())
            module->linkError = vm.pendingException;
    }
    return result;
}

}
