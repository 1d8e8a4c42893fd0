// Module namespace objects (ECMA-262 10.4.6). The invariant: what they export never changes, so each has a shape of its
// own, whose only properties are symbols; an export is a slot of some environment, which a cache may know once it has a
// value.
#include "runtime/core/module_namespace.h"
#include "runtime/core/error.h"
#include "runtime/core/object_internal.h"
#include "runtime/core/operations.h"
#include "runtime/core/proxy.h"
#include "runtime/core/vm.h"
#include <algorithm>
#include <unordered_set>

namespace scr {

// ---- making

static void traceNamespace(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    auto* object = static_cast<NamespaceObject*>(cell);
    marker.mark(object->module);
    for (const NamespaceExport& each : object->table->exports) {
        marker.mark(each.name);
        marker.mark(each.module);
    }
}

static void finalizeNamespace(Cell* cell) { delete static_cast<NamespaceObject*>(cell)->table; }

void registerNamespaceKind(Heap& heap) {
    heap.setTrace(u8(Kind::ModuleNamespace), traceNamespace);
    heap.setFinalizer(u8(Kind::ModuleNamespace), finalizeNamespace);
}

namespace {

/// 16.2.1.7.2.1 GetExportedNames, each once.
class ExportedNames {
public:
    void add(Module* module, bool isStar) {
        // Each module once; a list instead of a recursion.
        std::vector<std::pair<Module*, bool>> pending{{module, isStar}};
        std::unordered_set<Module*> seen;
        while (!pending.empty()) {
            auto [at, throughStar] = pending.back();
            pending.pop_back();
            if (!seen.insert(at).second)
                continue;
            for (const ModuleExport& item : at->record->exports)
                if ((!throughStar || !isDefault(item.name)) && isNew_.insert(item.name).second)
                    names.push_back(item.name);
            for (u32 request : at->record->stars)
                pending.push_back({at->record->requests[request].module, true});
        }
    }
    explicit ExportedNames(String* defaultName)
        : default_(defaultName) { }
    std::vector<String*> names; // kept alive by their modules

private:
    bool isDefault(String* name) const { return name == default_; }
    String* default_;
    std::unordered_set<String*> isNew_;
};

}

static Completion<void> fillTable(Vm& vm, Module* module, NamespaceTable& table) {
    ExportedNames exported(vm.names.default_);
    exported.add(module, false);
    std::sort(exported.names.begin(), exported.names.end(),
        [&](String* a, String* b) { return MUST(compareStrings(vm, a, b)) < 0; });
    for (String* name : exported.names) {
        ResolvedExport found = TRY(resolveExport(vm, module, name));
        if (found.type != ResolvedExport::Found)
            continue;
        table.numbers.emplace(keyFromAtom(name).bits(), u32(table.exports.size()));
        table.exports.push_back({name, found.module, found.slot, found.isNamespace});
    }
    return {};
}

// 10.4.6.12 ModuleNamespaceCreate ( module, exports ), 16.2.1.10 GetModuleNamespace ( module )
Completion<Object*> moduleNamespace(Vm& vm, Module* module) {
    if (module->namespaceObject)
        return module->namespaceObject.get();
    Shape* shape = newUniqueShape(vm, nullptr, 0);
    auto* object =
        static_cast<NamespaceObject*>(allocateObject(vm, Kind::ModuleNamespace, sizeof(NamespaceObject), shape));
    object->module = module;
    object->table = new NamespaceTable;
    vm.heap.trackFinalizer(object);
    TRY(fillTable(vm, module, *object->table));
    defineDirect(vm, object, PropertyKey::symbol(vm.symbols.toStringTag), Value::string(internAscii(vm, "Module")), 0);
    object->flags |= NotExtensible;
    module->namespaceObject = object;
    return static_cast<Object*>(object);
}

// ---- looking

/// The slot behind an export; null before its module has an environment.
static Value* slotOf(const NamespaceExport& item) {
    if (item.isNamespace)
        return nullptr;
    Environment* environment = item.module->environment;
    return environment ? &environment->slots[item.slot] : nullptr;
}

static const NamespaceExport* findExport(const NamespaceObject* object, PropertyKey key, u32& number) {
    auto found = object->table->numbers.find(key.bits());
    if (found == object->table->numbers.end())
        return nullptr;
    number = found->second;
    return &object->table->exports[number];
}

Lookup findNamespaceExport(Object* holder, PropertyKey key) {
    Lookup found;
    found.holder = holder;
    if (key.isPrivate())
        return {};
    u32 number = 0;
    const NamespaceExport* item = findExport(static_cast<NamespaceObject*>(holder), key, number);
    if (!item)
        return found;
    found.attributes = Writable | Enumerable;
    found.slot = number;
    Value* slot = slotOf(*item);
    Object* inner = item->isNamespace ? item->module->namespaceObject.get() : nullptr;
    if (inner || (slot && !slot->isUninitialized())) {
        found.type = Lookup::Exotic;
        found.value = inner ? Value::object(inner) : *slot;
    } else {
        found.type = Lookup::Intercepted;
        found.value = Value::fromBits(key.bits());
    }
    return found;
}

Value* namespaceSlot(const Lookup& found) {
    return slotOf(static_cast<NamespaceObject*>(found.holder)->table->exports[found.slot]);
}

Completion<Value> namespaceGet(Vm& vm, Object* object, PropertyKey key) {
    u32 number = 0;
    const NamespaceExport* item = findExport(static_cast<NamespaceObject*>(object), key, number);
    if (!item)
        return Value::undefined();
    if (item->isNamespace)
        return Value::object(TRY(moduleNamespace(vm, item->module)));
    Value* slot = slotOf(*item);
    if (!slot || slot->isUninitialized())
        return throwError(vm, Error::BeforeInitialization, item->name.get());
    return *slot;
}

Completion<Lookup> namespaceGetOwnProperty(Vm& vm, Object* object, PropertyKey key) {
    Lookup found = getOwnProperty(vm, object, key);
    if (found.isIntercepted()) {
        found.value = TRY(namespaceGet(vm, object, key));
        found.type = Lookup::Exotic;
    }
    return found;
}

// 10.4.6.7 [[DefineOwnProperty]] ( P, Desc ): what is there already.
Completion<bool> namespaceDefine(Vm& vm, Object* object, PropertyKey key, const PropertyDescriptor& descriptor) {
    Lookup current = TRY(namespaceGetOwnProperty(vm, object, key));
    if (!current.found() || descriptor.isAccessor())
        return false;
    auto says = [&](PropertyDescriptor::Has field, u8 attribute, bool what) {
        return (descriptor.has & field) && bool(descriptor.attributes & attribute) == what;
    };
    if (says(PropertyDescriptor::HasConfigurable, Configurable, true)
        || says(PropertyDescriptor::HasEnumerable, Enumerable, false)
        || says(PropertyDescriptor::HasWritable, Writable, false))
        return false;
    return descriptor.has & PropertyDescriptor::HasValue ? sameValue(vm, descriptor.value, current.value)
                                                         : Completion<bool>(true);
}

Completion<void> requireInitialized(Vm& vm, Object* object) {
    for (const NamespaceExport& each : static_cast<NamespaceObject*>(object)->table->exports)
        TRY(namespaceGet(vm, object, keyFromAtom(each.name)));
    return {};
}

void namespaceKeys(Object* object, std::vector<PropertyKey>& keys) {
    for (const NamespaceExport& each : static_cast<NamespaceObject*>(object)->table->exports)
        keys.push_back(keyFromAtom(each.name));
}

}
