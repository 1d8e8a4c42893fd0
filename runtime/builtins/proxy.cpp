// Proxy (ECMA-262 28.2). What a proxy does is in core/proxy.cpp; this makes them.
#include "runtime/core/proxy.h"
#include "runtime/builtins/native.h"

namespace scr {

namespace {

/// 10.5.14 ProxyCreate ( target, handler )
Completion<ProxyObject*> createProxy(Vm& vm, Value target, Value handler) {
    if (!target.isObject() || !handler.isObject())
        return throwError(vm, Error::ProxyNonObject);
    return newProxy(vm, target.asObject(), handler.asObject());
}

// 28.2.1.1 Proxy ( target, handler )
Result proxyConstructor(Vm& vm, Args args) {
    if (!vm.takeNewTarget().isObject())
        return throwError(vm, Error::ConstructorNeedsNew, "Proxy");
    return Value::object(TRY(createProxy(vm, args[0], args[1])));
}

/// 28.2.2.1 step 3: revokes once.
Result revoke(Vm&, Args args) {
    Value& proxy = args.callee()->data[0];
    if (proxy.isObject())
        revokeProxy(static_cast<ProxyObject*>(proxy.asObject()));
    proxy = Value::null();
    return Value::undefined();
}

}

/// A constructor without a `prototype`: its instances have that of their target.
Object* makeProxyConstructor(Vm& vm, Object*) { return newNative(vm, proxyConstructor, "Proxy", 2, true); }

// 28.2.2.1 Proxy.revocable ( target, handler )
Result proxy_revocable(Vm& vm, Args args) {
    ProxyObject* proxy = TRY(createProxy(vm, args[0], args[1]));
    NativeFunction* revoker = newNative(vm, revoke, "", 0);
    revoker->data[0] = Value::object(proxy);
    Object* result = newObject(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype));
    defineDirect(vm, result, keyOf(internAscii(vm, "proxy")), Value::object(proxy), AllAttributes);
    defineDirect(vm, result, keyOf(internAscii(vm, "revoke")), Value::object(revoker), AllAttributes);
    return Value::object(result);
}

}
