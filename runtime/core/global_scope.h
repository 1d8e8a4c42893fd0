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
/// The same where names may be declared again (CompileGoal::Repl): a declaration replaces what had the name, and every
/// binding can be deleted. SyntaxError for names that are not configurable (undefined).
Completion<void> redeclareGlobals(Vm& vm, Realm* realm, const std::vector<GlobalName>& names);
/// What `name` is bound to, if a lexical binding with a value; else nothing (a hole).
struct GlobalBinding {
    Value value = Value::hole();
    u8 attributes = 0;
};
GlobalBinding saveGlobal(Vm& vm, Realm* realm, String* name);
/// If the declaration of `name` did not run: it is bound as it was before, or not at all.
void restoreGlobal(Vm& vm, Realm* realm, String* name, const GlobalBinding& saved);
/// A lexical binding; not found if there is none. Its value may be uninitialized.
Lookup globalLexical(Vm& vm, Realm* realm, PropertyKey key);

}
