// Module records: making, tracing, and the modules that are no source text (ECMA-262 16.2.1.8).
#include "runtime/core/module.h"
#include "runtime/core/error.h"
#include "runtime/core/module_namespace.h"
#include "runtime/core/vm.h"
#include <algorithm>

namespace scr {

// ---- cells

static void traceRecord(const ModuleRecord& record, Marker& marker) {
    for (const ModuleRequest& request : record.requests) {
        marker.mark(request.specifier);
        marker.mark(request.type);
        marker.mark(request.badAttribute);
        marker.mark(request.badValue);
        marker.mark(request.module);
    }
    for (const ModuleImport& item : record.imports) {
        marker.mark(item.importName);
        marker.mark(item.binding);
    }
    for (const ModuleExport& item : record.exports) {
        marker.mark(item.name);
        marker.mark(item.importName);
    }
    for (Module* parent : record.asyncParents)
        marker.mark(parent);
}

static void traceModule(Cell* cell, Marker& marker) {
    auto* module = static_cast<Module*>(cell);
    marker.mark(module->realm);
    marker.mark(module->name);
    marker.mark(module->script);
    marker.mark(module->function);
    marker.mark(module->environment);
    marker.mark(module->frame);
    marker.mark(module->namespaceObject);
    marker.mark(module->meta);
    marker.mark(module->promise);
    marker.mark(module->cycleRoot);
    marker.markValues(&module->error, 1);
    marker.markValues(&module->linkError, 1);
    marker.markValues(&module->hostData, 1);
    traceRecord(*module->record, marker);
}

static void finalizeModule(Cell* cell) { delete static_cast<Module*>(cell)->record; }

static void traceImportBinding(Cell* cell, Marker& marker) {
    auto* binding = static_cast<ImportBinding*>(cell);
    marker.mark(binding->module);
    marker.mark(binding->environment);
    marker.mark(binding->name);
}

void registerModuleKinds(Heap& heap) {
    heap.setTrace(u8(Kind::Module), traceModule);
    heap.setFinalizer(u8(Kind::Module), finalizeModule);
    heap.setTrace(u8(Kind::ImportBinding), traceImportBinding);
    registerNamespaceKind(heap);
}

ImportBinding* newImportBinding(Vm& vm, String* name) {
    auto* binding = static_cast<ImportBinding*>(vm.heap.allocate(sizeof(ImportBinding), u8(Kind::ImportBinding), 0));
    binding->module = nullptr;
    binding->environment = nullptr;
    binding->name = name;
    binding->slot = binding->reserved = 0;
    return binding;
}

Module* newModule(Vm& vm, String* name, Cell* script) {
    auto* module = static_cast<Module*>(vm.heap.allocate(sizeof(Module), u8(Kind::Module), 0));
    module->realm = vm.realm;
    module->name = name;
    module->script = script;
    module->function = nullptr;
    module->environment = nullptr;
    module->frame = nullptr;
    module->namespaceObject = module->meta = nullptr;
    module->promise = nullptr;
    module->cycleRoot = nullptr;
    module->error = module->linkError = Value::hole();
    module->hostData = Value::undefined();
    module->steps = nullptr;
    module->record = new ModuleRecord;
    module->asyncOrder = 0;
    module->dfsIndex = module->dfsAncestor = module->pendingAsync = 0;
    module->status = ModuleStatus::Unlinked;
    module->hasAwait = module->asyncDone = module->isCommonJs = module->loaded = false;
    vm.heap.trackFinalizer(module);
    return module;
}

// ---- synthetic modules

static Environment* newModuleEnvironment(Vm& vm, u32 count) {
    auto* environment = static_cast<Environment*>(
        vm.heap.allocate(sizeof(Environment) + count * sizeof(Value), u8(Kind::Environment), count));
    environment->parent = nullptr;
    std::fill_n(environment->slots, count, Value::undefined());
    return environment;
}

Module* newSyntheticModule(
    Vm& vm, String* name, std::span<String* const> exportNames, SyntheticSteps steps, Value hostData) {
    Module* module = newModule(vm, name, nullptr);
    module->hostData = hostData;
    module->steps = steps;
    for (String* each : exportNames)
        module->record->addExport({ModuleExport::Local, each, nullptr, 0, u32(module->record->exports.size()), 0, 0});
    module->environment = newModuleEnvironment(vm, u32(exportNames.size()));
    module->loaded = true;
    return module;
}

void setSyntheticExport(Vm&, Module* module, String* exportName, Value value) {
    ASSERT(!module->script && module->record->exportNumbers.count(exportName));
    const ModuleExport& item = module->record->exports[module->record->exportNumbers[exportName]];
    module->environment->slots[item.slot] = value;
}

static Completion<void> setDefault(Vm& vm, Module* module) {
    setSyntheticExport(vm, module, vm.names.default_, module->hostData);
    return {};
}

Module* newDefaultModule(Vm& vm, String* name, Value value) {
    String* names[] = {vm.names.default_};
    return newSyntheticModule(vm, name, names, setDefault, value);
}

}
