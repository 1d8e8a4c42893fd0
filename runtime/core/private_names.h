// Private elements (ECMA-262 7.3.26 to 7.3.31): own slots under keys that are symbols with SymbolPrivate. Nothing else
// sees them: no enumeration, no proxy trap, no integrity level, no prototype. A *brand* is such a key too: it says that
// an object has the private methods of a class, which themselves stand in the environment of the class.
#pragma once
#include "runtime/core/object.h"

namespace scr {

/// The private key of a field "#x", or, with SymbolBrand or SymbolStaticBrand, of the class with this name.
Symbol* newPrivateName(Vm& vm, String* description, u8 flags);
/// The own slot with this private key.
Lookup findPrivate(Vm& vm, Object* object, PropertyKey name);
/// 7.3.29 PrivateGet: TypeError unless the value is an object that has it.
Completion<Value> privateGet(Vm& vm, Value base, PropertyKey name);
/// 7.3.30 PrivateSet, of fields.
Completion<void> privateSet(Vm& vm, Value base, PropertyKey name, Value value);
/// 7.3.27 PrivateFieldAdd, 7.3.28 PrivateMethodOrAccessorAdd: TypeError if the object has it. Also adds to objects that
/// are not extensible.
Completion<void> privateAdd(Vm& vm, Object* object, PropertyKey name, Value value);
/// 13.10.1 `#name in value`: TypeError unless the value is an object.
Completion<bool> privateHas(Vm& vm, Value base, PropertyKey name);

}
