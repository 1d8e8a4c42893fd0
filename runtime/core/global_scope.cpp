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

/// 9.1.1.4.13 HasRestrictedGlobalProperty is the last condition.
static Completion<void> checkLexical(Vm& vm, Realm* realm, const GlobalName& name) {
    PropertyKey key = keyFromAtom(name.name);
    if (globalLexical(vm, realm, key).found())
        return throwClash(vm, Intrinsic::SyntaxErrorPrototype, name.name);
    Lookup own = getOwnProperty(vm, realm->global, key);
    if (own.found() && !(own.attributes & Configurable))
        return throwClash(vm, Intrinsic::SyntaxErrorPrototype, name.name);
    return {};
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

static void createLexical(Vm& vm, Realm* realm, const GlobalName& name) {
    if (!realm->lexical) {
        realm->lexical = newObject(vm, nullptr);
        becomePrototype(vm, realm->lexical);
    }
    u8 attributes = name.kind == GlobalName::Const ? 0 : u8(Writable);
    defineDirect(vm, realm->lexical, keyFromAtom(name.name), Value::uninitialized(), attributes);
}

/// 9.1.1.4.16 CreateGlobalVarBinding, 9.1.1.4.17 CreateGlobalFunctionBinding.
static Completion<void> createVariable(Vm& vm, Realm* realm, const GlobalName& name) {
    PropertyKey key = keyFromAtom(name.name);
    Lookup own = getOwnProperty(vm, realm->global, key);
    if (own.found() && name.kind == GlobalName::Var)
        return {};
    PropertyDescriptor descriptor = PropertyDescriptor::data(Value::undefined(), Writable | Enumerable);
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

}
