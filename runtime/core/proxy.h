// Proxies (ECMA-262 10.5): objects whose internal methods call a handler's traps. object.h's functions come here when
// they meet one; nobody else needs to.
//
// A proxy's shape is of a lineage of its own and without a prototype, so no cache that was filled for another object
// can ever hit it, and walks along shapes end at it. Its own slots hold private names, which no trap sees.
#pragma once
#include "runtime/core/object.h"

namespace scr {

/// Kind Proxy, or CallableProxy if the target is callable; the flag IsConstructor is the target's.
struct ProxyObject : Object {
    Ptr<Object> target; ///< null once revoked
    Ptr<Object> handler; ///< null once revoked
};

inline bool isProxyKind(Kind kind) { return kind == Kind::Proxy || kind == Kind::CallableProxy; }
inline bool isProxy(const Object* object) { return isProxyKind(kindOf(object)); }

/// 10.5.14 ProxyCreate, the arguments checked.
ProxyObject* newProxy(Vm& vm, Object* target, Object* handler);
void revokeProxy(ProxyObject* proxy);

// ---- the internal methods: all run script; TypeError if an invariant does not hold or the proxy is revoked. Those
// that an Intercepted lookup leads to also take a module namespace (module_namespace.h).
Completion<Object*> proxyGetPrototypeOf(Vm& vm, Object* proxy);
Completion<bool> proxySetPrototypeOf(Vm& vm, Object* proxy, Object* prototype);
Completion<bool> proxyIsExtensible(Vm& vm, Object* proxy);
Completion<bool> proxyPreventExtensions(Vm& vm, Object* proxy);
Completion<Lookup> proxyGetOwnProperty(Vm& vm, Object* proxy, PropertyKey key);
Completion<bool> proxyDefineOwnProperty(Vm& vm, Object* proxy, PropertyKey key, const PropertyDescriptor& descriptor);
Completion<bool> proxyHasProperty(Vm& vm, Object* proxy, PropertyKey key);
Completion<Value> proxyGet(Vm& vm, Object* proxy, PropertyKey key, Value receiver);
Completion<bool> proxySet(Vm& vm, Object* proxy, PropertyKey key, Value value, Value receiver);
Completion<bool> proxyDelete(Vm& vm, Object* proxy, PropertyKey key);
/// Every key, strings and symbols; each element is a key's bits (Value::fromBits), not what a script sees.
Completion<Array*> proxyOwnKeys(Vm& vm, Object* proxy);
Completion<Value> proxyCall(Vm& vm, Object* proxy, Value self, const Value* args, u32 argc);
Completion<Value> proxyConstruct(Vm& vm, Object* proxy, const Value* args, u32 argc, Object* newTarget);

/// The target; TypeError "Cannot perform '...' on a proxy that has been revoked" if there is none.
Completion<Object*> proxyTarget(Vm& vm, Object* proxy, std::string_view operation);
/// [[GetPrototypeOf]] for a walk to the end of a chain. A chain through proxies may come back to where it was: after a
/// hundred thousand of them it is a RangeError, as in V8. `proxiesMet` belongs to the walk and begins with 0.
Completion<Object*> nextPrototype(Vm& vm, Object* object, u32& proxiesMet);
/// Who said no, for a message, found without script: the first proxy of the chain of targets whose handler seems to
/// have this trap, or the object behind them all.
Object* refusing(Vm& vm, Object* object, std::string_view trap);

}
