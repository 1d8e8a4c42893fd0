// The names of scripts in the global scope (ECMA-262 9.1.1.4, 16.1.7): var and function are properties of the global
// object; let, const and class are slots of one object without a prototype, Realm::lexical, uninitialized until their
// declaration runs, constants not Writable. That object is marked as a prototype, so that a new binding clears the
// caches that knew the name as a global property.
#pragma once
#include "runtime/core/realm.h"

namespace scr {

/// A name that a script declares at its top.
struct GlobalName {
    enum Kind : u8 { Var, Function, Let, Const } kind; ///< Let: class too
    String* name; ///< whoever has the list keeps it alive
};

/// 16.1.7 GlobalDeclarationInstantiation: SyntaxError if a name clashes, TypeError if the global object refuses one;
/// else every name is there, functions as undefined.
Completion<void> declareGlobals(Vm& vm, Realm* realm, const std::vector<GlobalName>& names);
/// A lexical binding; not found if there is none. Its value may be uninitialized.
Lookup globalLexical(Vm& vm, Realm* realm, PropertyKey key);

}
