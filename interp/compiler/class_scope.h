// What the private names of a class that is being compiled stand for, and where that is at run time. Keys of fields and
// brands are constants of the code if the class is evaluated once at most; else, and methods always, they stand in
// slots of the environment of the class.
#pragma once
#include "grammar/ast.h"
#include "runtime/core/string.h"
#include <unordered_map>

namespace scr {

struct Array;
struct EnvironmentScope;

/// A private key.
struct PrivateKey {
    Value known = Value::hole(); ///< the symbol, if it exists already
    u32 slot = 0; ///< else: in the environment, + 1; 0: there is no such key
    bool exists() const { return slot || !known.isHole(); }
};

struct PrivateElement {
    MemberKind kind; ///< Field, Method, Getter, Setter, Accessor
    bool isStatic;
    PrivateKey key; ///< of a field
    u32 method = 0; ///< slot + 1 of the method or getter
    u32 setter = 0; ///< slot + 1
};

struct ClassScope {
    ClassScope* outer;
    EnvironmentScope* environment; ///< null if no slot is used
    String* className; ///< as messages show it
    PrivateKey brand, staticBrand; ///< of private methods, instances' and static ones
    std::unordered_map<const String*, PrivateElement> elements; ///< by atom, # included
    Array* description = nullptr; ///< for direct evals (eval_scope.h)
    const PrivateKey& brandOf(const PrivateElement& element) const { return element.isStatic ? staticBrand : brand; }
};

}
