// Declaring global names, with the clashes that the specification names.
#include "runtime/core/global_scope.h"
#include "runtime/core/error.h"
#include "runtime/core/vm.h"

namespace scr {

Lookup globalLexical(Vm& vm, Realm* realm, PropertyKey key) {
    return realm->lexical ? getOwnProperty(vm, realm->lexical, key) : Lookup();
}

static bool isLexical(const GlobalName& name) { return name.kind == GlobalName::Let || name.kind == GlobalName::Const; }

static Threw throwClash(Vm& vm, Intrinsic prototype, String* name) {
    return throwText(vm, prototype, "Identifier '" + toUtf8(vm, name) + "' has already been declared");
}

/// 9.1.1.4.13 HasRestrictedGlobalProperty
static Completion<void> checkRestricted(Vm& vm, Realm* realm, const GlobalName& name) {
    Lookup own = getOwnProperty(vm, realm->global, keyFromAtom(name.name));
    if (own.found() && !(own.attributes & Configurable))
        return throwClash(vm, Intrinsic::SyntaxErrorPrototype, name.name);
    return {};
}

static Completion<void> checkLexical(Vm& vm, Realm* realm, const GlobalName& name) {
    if (globalLexical(vm, realm, keyFromAtom(name.name)).found())
        return throwClash(vm, Intrinsic::SyntaxErrorPrototype, name.name);
    return checkRestricted(vm, realm, name);
}

/// 9.1.1.4.14 CanDeclareGlobalVar, 9.1.1.4.15 CanDeclareGlobalFunction.
static Completion<void> checkVariable(Vm& vm, Realm* realm, const GlobalName& name) {
    PropertyKey key = keyFromAtom(name.name);
    Lookup own = getOwnProperty(vm, realm->global, key);
    if (!own.found())
        return realm->global->isExtensible() ? Completion<void>() : throwError(vm, Error::DefineNotExtensible, key);
    bool plain = own.type == Lookup::Data && (own.attributes & Writable) && (own.attributes & Enumerable);
    if (name.kind == GlobalName::Function && !(own.attributes & Configurable) && !plain)
        return throwClash(vm, Intrinsic::TypeErrorPrototype, name.name);
    return {};
}

/// `more`: attributes beside the usual ones.
static void createLexical(Vm& vm, Realm* realm, const GlobalName& name, u8 more = 0) {
    if (!realm->lexical) {
        realm->lexical = newObject(vm, nullptr);
        becomePrototype(vm, realm->lexical);
    }
    u8 attributes = u8((name.kind == GlobalName::Const ? 0 : Writable) | more);
    defineDirect(vm, realm->lexical, keyFromAtom(name.name), Value::uninitialized(), attributes);
}

/// 9.1.1.4.16 CreateGlobalVarBinding, 9.1.1.4.17 CreateGlobalFunctionBinding.
static Completion<void> createVariable(Vm& vm, Realm* realm, const GlobalName& name, u8 more = 0) {
    PropertyKey key = keyFromAtom(name.name);
    Lookup own = getOwnProperty(vm, realm->global, key);
    if (own.found() && name.kind == GlobalName::Var)
        return {};
    PropertyDescriptor descriptor = PropertyDescriptor::data(Value::undefined(), u8(Writable | Enumerable | more));
    if (own.found() && !(own.attributes & Configurable))
        descriptor.has = PropertyDescriptor::HasValue;
    return defineOrThrow(vm, realm->global, key, descriptor);
}

Completion<void> declareGlobals(Vm& vm, Realm* realm, const std::vector<GlobalName>& names) {
    for (const GlobalName& name : names)
        if (isLexical(name))
            TRY(checkLexical(vm, realm, name));
    for (const GlobalName& name : names)
        if (!isLexical(name) && globalLexical(vm, realm, keyFromAtom(name.name)).found())
            return throwClash(vm, Intrinsic::SyntaxErrorPrototype, name.name);
    for (GlobalName::Kind kind : {GlobalName::Function, GlobalName::Var})
        for (const GlobalName& name : names)
            if (name.kind == kind)
                TRY(checkVariable(vm, realm, name));
    for (const GlobalName& name : names)
        if (isLexical(name))
            createLexical(vm, realm, name);
    for (GlobalName::Kind kind : {GlobalName::Function, GlobalName::Var})
        for (const GlobalName& name : names)
            if (name.kind == kind)
                TRY(createVariable(vm, realm, name));
    return {};
}

Completion<void> redeclareGlobals(Vm& vm, Realm* realm, const std::vector<GlobalName>& names) {
    for (const GlobalName& name : names)
        if (isLexical(name))
            TRY(checkRestricted(vm, realm, name));
        else
            TRY(checkVariable(vm, realm, name));
    for (const GlobalName& name : names)
        if (globalLexical(vm, realm, keyFromAtom(name.name)).found())
            MUST(deleteProperty(vm, realm->lexical, keyFromAtom(name.name)));
    for (const GlobalName& name : names)
        if (isLexical(name))
            createLexical(vm, realm, name, Configurable);
        else
            TRY(createVariable(vm, realm, name, Configurable));
    return {};
}

GlobalBinding saveGlobal(Vm& vm, Realm* realm, String* name) {
    Lookup found = globalLexical(vm, realm, keyFromAtom(name));
    bool hasValue = found.type == Lookup::Data && !found.value.isUninitialized();
    return hasValue ? GlobalBinding{found.value, found.attributes} : GlobalBinding{};
}

void restoreGlobal(Vm& vm, Realm* realm, String* name, const GlobalBinding& saved) {
    PropertyKey key = keyFromAtom(name);
    Lookup found = globalLexical(vm, realm, key);
    if (found.type != Lookup::Data || !found.value.isUninitialized())
        return;
    MUST(deleteProperty(vm, realm->lexical, key));
    if (!saved.value.isHole())
        defineDirect(vm, realm->lexical, key, saved.value, saved.attributes & AllAttributes);
}

}
