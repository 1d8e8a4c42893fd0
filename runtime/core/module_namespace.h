// Module namespace objects (ECMA-262 10.4.6): their internal methods, as far as they differ. object.h's functions come
// here when they meet one. A lookup of an export that has no value yet is Intercepted, as with a proxy: reading it
// throws.
#pragma once
#include "runtime/core/module.h"

namespace scr {

struct NamespaceExport {
    Ptr<String> name;
    Ptr<Module> module; ///< whose environment has the slot, or whose namespace it is
    u32 slot;
    bool isNamespace;
};

struct NamespaceTable {
    std::vector<NamespaceExport> exports; ///< by name
    std::unordered_map<u64, u32> numbers; ///< from the bits of keys
};

struct NamespaceObject : Object {
    Ptr<Module> module;
    NamespaceTable* table; ///< owned
};

inline bool isNamespace(const Object* object) { return kindOf(object) == Kind::ModuleNamespace; }

/// What lookups find for a key that no slot of the object has. Ends every walk.
Lookup findNamespaceExport(Object* holder, PropertyKey key);
/// Where the value of such a find (Exotic) stands, for good; null if nowhere.
Value* namespaceSlot(const Lookup& found);
/// ReferenceError if it has no value yet.
Completion<Value> namespaceGet(Vm& vm, Object* object, PropertyKey key);
Completion<Lookup> namespaceGetOwnProperty(Vm& vm, Object* object, PropertyKey key);
Completion<bool> namespaceDefine(Vm& vm, Object* object, PropertyKey key, const PropertyDescriptor& descriptor);
/// ReferenceError if some export has no value yet: whoever asks for the attributes of all must.
Completion<void> requireInitialized(Vm& vm, Object* object);
/// The names in order.
void namespaceKeys(Object* object, std::vector<PropertyKey>& keys);

void registerNamespaceKind(Heap& heap);

}
