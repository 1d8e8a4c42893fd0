// Proxy objects (ECMA-262 10.5). The invariant: target and handler are read once, before any script runs, and what a
// trap says is held against the target before anybody believes it.
#include "runtime/core/proxy.h"
#include "runtime/core/call.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/error.h"
#include "runtime/core/module_namespace.h"
#include "runtime/core/object_internal.h"
#include "runtime/core/operations.h"
#include "runtime/core/vm.h"
#include <algorithm>

namespace scr {

using Descriptor = PropertyDescriptor;

// ---- making

/// The shape of every proxy that is no prototype and has no private names: the root of their own lineage.
static Shape* proxyShape(Vm& vm) {
    if (!vm.realm->proxyShape)
        vm.realm->proxyShape = newSharedShape(vm, nullptr, 0);
    return vm.realm->proxyShape;
}

ProxyObject* newProxy(Vm& vm, Object* target, Object* handler) {
    Kind kind = target->isCallable() ? Kind::CallableProxy : Kind::Proxy;
    auto* proxy = static_cast<ProxyObject*>(allocateObject(vm, kind, sizeof(ProxyObject), proxyShape(vm)));
    if (kind == Kind::CallableProxy)
        proxy->flags |= target->flags & IsConstructor;
    proxy->target = target;
    proxy->handler = handler;
    return proxy;
}

void revokeProxy(ProxyObject* proxy) {
    proxy->target = nullptr;
    proxy->handler = nullptr;
}

// ---- traps

namespace {

/// One use of a proxy: its two objects at the start, and the trap.
struct Trap {
    Object* target;
    Object* handler;
    Value function; ///< undefined: the operation goes to the target

    bool absent() const { return function.isUndefined(); }
    template <class... Arguments> Completion<Value> operator()(Vm& vm, Arguments... arguments) const {
        Value values[] = {Value::object(target), arguments...};
        return call(vm, function, Value::object(handler), values, 1 + sizeof...(arguments));
    }
};

/// What a target answered. Keeps the call from being a tail call: a walk through proxies that comes back to its
/// beginning ends by the stack, in every build.
template <class T> ALWAYS_INLINE T deeper(T answer) {
    asm volatile("" : : : "memory");
    return answer;
}

/// The first steps of every internal method. Walks through proxies can be endless and need not run a loop of a script:
/// each step pays, and looks at the limits.
Completion<Trap> trapOf(Vm& vm, Object* object, String* name) {
    if (vm.cStackLow())
        return vm.throwStackOverflow();
    vm.charge(1);
    if (UNLIKELY(vm.budget < 0))
        TRY(vm.serviceBudget());
    auto* proxy = static_cast<ProxyObject*>(object);
    Trap trap{proxy->target, proxy->handler, {}};
    if (UNLIKELY(!trap.handler))
        return throwError(vm, Error::ProxyRevoked, name);
    Value function = TRY(get(vm, trap.handler, PropertyKey::atom(name)));
    if (function.isNullish())
        return trap;
    if (!isCallable(function))
        return throwError(vm, Error::TrapNotFunction, function, name, Value::object(trap.handler));
    trap.function = function;
    return trap;
}

Value prototypeValue(Object* prototype) { return prototype ? Value::object(prototype) : Value::null(); }

bool isConfigurable(const Lookup& found) { return found.attributes & Configurable; }

/// A data property that is neither writable nor configurable.
bool isFixed(const Lookup& found) {
    return found.found() && !found.isAccessor() && !(found.attributes & (Writable | Configurable));
}

bool forbids(const Descriptor& descriptor, Descriptor::Has field, u8 attribute) {
    return (descriptor.has & field) && !(descriptor.attributes & attribute);
}

}

Completion<Object*> proxyTarget(Vm& vm, Object* proxy, std::string_view operation) {
    Object* target = static_cast<ProxyObject*>(proxy)->target;
    if (UNLIKELY(!target))
        return throwError(vm, Error::ProxyRevoked, operation);
    return target;
}

Object* refusing(Vm& vm, Object* object, std::string_view trap) {
    PropertyKey key = PropertyKey::atom(internAscii(vm, trap));
    while (isProxy(object)) {
        auto* proxy = static_cast<ProxyObject*>(object);
        if (!proxy->handler)
            return object;
        Lookup found = lookup(vm, proxy->handler, key);
        if (found.found() && (found.isAccessor() || found.isIntercepted() || !found.value.isNullish()))
            return object;
        object = proxy->target;
    }
    return object;
}

// ---- prototypes, extensibility

Completion<Object*> nextPrototype(Vm& vm, Object* object, u32& proxiesMet) {
    constexpr u32 most = 100 * 1024;
    if (LIKELY(!isProxy(object)))
        return prototypeOf(vm, object);
    if (++proxiesMet > most)
        return vm.throwStackOverflow();
    return proxyGetPrototypeOf(vm, object);
}

// 10.5.1 [[GetPrototypeOf]] ( )
Completion<Object*> proxyGetPrototypeOf(Vm& vm, Object* proxy) {
    Trap trap = TRY(trapOf(vm, proxy, vm.names.getPrototypeOf));
    if (trap.absent())
        return deeper(getPrototypeOf(vm, trap.target));
    Value result = TRY(trap(vm));
    if (!result.isObject() && !result.isNull())
        return throwError(vm, Error::ProxyPrototypeInvalid);
    Object* prototype = result.isObject() ? result.asObject() : nullptr;
    if (TRY(isExtensible(vm, trap.target)))
        return prototype;
    if (TRY(getPrototypeOf(vm, trap.target)) != prototype)
        return throwError(vm, Error::ProxyPrototypeFixed);
    return prototype;
}

// 10.5.2 [[SetPrototypeOf]] ( V )
Completion<bool> proxySetPrototypeOf(Vm& vm, Object* proxy, Object* prototype) {
    Trap trap = TRY(trapOf(vm, proxy, vm.names.setPrototypeOf));
    if (trap.absent())
        return deeper(setPrototypeOf(vm, trap.target, prototype));
    if (!toBoolean(TRY(trap(vm, prototypeValue(prototype)))))
        return false;
    if (TRY(isExtensible(vm, trap.target)))
        return true;
    if (TRY(getPrototypeOf(vm, trap.target)) != prototype)
        return throwError(vm, Error::ProxySetPrototypeFixed);
    return true;
}

// 10.5.3 [[IsExtensible]] ( )
Completion<bool> proxyIsExtensible(Vm& vm, Object* proxy) {
    Trap trap = TRY(trapOf(vm, proxy, vm.names.isExtensible));
    if (trap.absent())
        return deeper(isExtensible(vm, trap.target));
    bool result = toBoolean(TRY(trap(vm)));
    bool actual = TRY(isExtensible(vm, trap.target));
    if (result != actual)
        return throwError(vm, Error::ProxyExtensibleDiffers, actual ? "true" : "false");
    return result;
}

// 10.5.4 [[PreventExtensions]] ( )
Completion<bool> proxyPreventExtensions(Vm& vm, Object* proxy) {
    Trap trap = TRY(trapOf(vm, proxy, vm.names.preventExtensions));
    if (trap.absent())
        return deeper(preventExtensions(vm, trap.target));
    if (!toBoolean(TRY(trap(vm))))
        return false;
    if (TRY(isExtensible(vm, trap.target)))
        return throwError(vm, Error::ProxyStillExtensible);
    return true;
}

// ---- own properties

/// 10.5.5 steps 9: the trap says that there is no such property.
static Completion<Lookup> checkHidden(Vm& vm, Object* target, PropertyKey key, const Lookup& actual) {
    if (!actual.found())
        return Lookup{};
    if (!isConfigurable(actual))
        return throwError(vm, Error::ProxyDescriptorHidden, key);
    if (!TRY(isExtensible(vm, target)))
        return throwError(vm, Error::ProxyDescriptorMissing, key);
    return Lookup{};
}

// 10.5.5 [[GetOwnProperty]] ( P )
Completion<Lookup> proxyGetOwnProperty(Vm& vm, Object* proxy, PropertyKey key) {
    if (isNamespace(proxy))
        return namespaceGetOwnProperty(vm, proxy, key);
    Trap trap = TRY(trapOf(vm, proxy, vm.names.getOwnPropertyDescriptor));
    if (trap.absent())
        return deeper(ownProperty(vm, trap.target, key));
    Value result = TRY(trap(vm, keyToValue(vm, key)));
    if (!result.isObject() && !result.isUndefined())
        return throwError(vm, Error::ProxyDescriptorInvalid, key);
    Lookup actual = TRY(ownProperty(vm, trap.target, key));
    if (result.isUndefined())
        return checkHidden(vm, trap.target, key, actual);
    bool extensible = TRY(isExtensible(vm, trap.target));
    Lookup found = lookupFromDescriptor(vm, proxy, TRY(toPropertyDescriptor(vm, result)));
    Descriptor complete = descriptorOf(found);
    if (!TRY(isCompatible(vm, extensible, actual, complete)))
        return throwError(vm, Error::ProxyDescriptorIncompatible, key);
    if (isConfigurable(found))
        return found;
    if (!actual.found() || isConfigurable(actual))
        return throwError(vm, Error::ProxyDescriptorFixed, key);
    if (forbids(complete, Descriptor::HasWritable, Writable) && (actual.attributes & Writable))
        return throwError(vm, Error::ProxyDescriptorReadOnly, key);
    return found;
}

// 10.5.6 [[DefineOwnProperty]] ( P, Desc )
Completion<bool> proxyDefineOwnProperty(Vm& vm, Object* proxy, PropertyKey key, const Descriptor& descriptor) {
    Trap trap = TRY(trapOf(vm, proxy, vm.names.defineProperty));
    if (trap.absent())
        return deeper(defineOwnProperty(vm, trap.target, key, descriptor));
    Value shown = Value::object(fromPropertyDescriptor(vm, descriptor));
    if (!toBoolean(TRY(trap(vm, keyToValue(vm, key), shown))))
        return false;
    Lookup actual = TRY(ownProperty(vm, trap.target, key));
    bool extensible = TRY(isExtensible(vm, trap.target));
    bool makesFixed = forbids(descriptor, Descriptor::HasConfigurable, Configurable);
    if (!actual.found()) {
        if (!extensible)
            return throwError(vm, Error::ProxyDefineNew, key);
        if (makesFixed)
            return throwError(vm, Error::ProxyDefineFixed, key);
        return true;
    }
    if (!TRY(isCompatible(vm, extensible, actual, descriptor)))
        return throwError(vm, Error::ProxyDefineIncompatible, key);
    if (makesFixed && isConfigurable(actual))
        return throwError(vm, Error::ProxyDefineFixed, key);
    bool writable = !actual.isAccessor() && !isConfigurable(actual) && (actual.attributes & Writable);
    if (writable && forbids(descriptor, Descriptor::HasWritable, Writable))
        return throwError(vm, Error::ProxyDefineReadOnly, key);
    return true;
}

// 10.5.7 [[HasProperty]] ( P )
Completion<bool> proxyHasProperty(Vm& vm, Object* proxy, PropertyKey key) {
    if (isNamespace(proxy)) // an export without a value
        return true;
    Trap trap = TRY(trapOf(vm, proxy, vm.names.has));
    if (trap.absent())
        return deeper(hasProperty(vm, trap.target, key));
    if (toBoolean(TRY(trap(vm, keyToValue(vm, key)))))
        return true;
    Lookup actual = TRY(ownProperty(vm, trap.target, key));
    if (!actual.found())
        return false;
    if (!isConfigurable(actual))
        return throwError(vm, Error::ProxyHasFixed, key);
    if (!TRY(isExtensible(vm, trap.target)))
        return throwError(vm, Error::ProxyHasMissing, key);
    return false;
}

// 10.5.8 [[Get]] ( P, Receiver )
Completion<Value> proxyGet(Vm& vm, Object* proxy, PropertyKey key, Value receiver) {
    if (isNamespace(proxy))
        return namespaceGet(vm, proxy, key);
    Trap trap = TRY(trapOf(vm, proxy, vm.names.get));
    if (trap.absent())
        return deeper(get(vm, trap.target, key, receiver));
    Value result = TRY(trap(vm, keyToValue(vm, key), receiver));
    Lookup actual = TRY(ownProperty(vm, trap.target, key));
    if (!actual.found() || isConfigurable(actual))
        return result;
    if (actual.isAccessor()) {
        if (actual.value.as<Accessor>()->getter.isUndefined() && !result.isUndefined())
            return throwError(vm, Error::ProxyGetAccessor, key, result);
    } else if (isFixed(actual) && !TRY(sameValue(vm, result, actual.value))) {
        return throwError(vm, Error::ProxyGetData, key, actual.value, result);
    }
    return result;
}

// 10.5.9 [[Set]] ( P, V, Receiver )
Completion<bool> proxySet(Vm& vm, Object* proxy, PropertyKey key, Value value, Value receiver) {
    Trap trap = TRY(trapOf(vm, proxy, vm.names.set));
    if (trap.absent())
        return deeper(set(vm, trap.target, key, value, receiver));
    if (!toBoolean(TRY(trap(vm, keyToValue(vm, key), value, receiver))))
        return false;
    Lookup actual = TRY(ownProperty(vm, trap.target, key));
    if (!actual.found() || isConfigurable(actual))
        return true;
    if (actual.isAccessor()) {
        if (actual.value.as<Accessor>()->setter.isUndefined())
            return throwError(vm, Error::ProxySetAccessor, key);
    } else if (isFixed(actual) && !TRY(sameValue(vm, value, actual.value))) {
        return throwError(vm, Error::ProxySetData, key);
    }
    return true;
}

// 10.5.10 [[Delete]] ( P )
Completion<bool> proxyDelete(Vm& vm, Object* proxy, PropertyKey key) {
    Trap trap = TRY(trapOf(vm, proxy, vm.names.deleteProperty));
    if (trap.absent())
        return deeper(deleteProperty(vm, trap.target, key));
    if (!toBoolean(TRY(trap(vm, keyToValue(vm, key)))))
        return false;
    Lookup actual = TRY(ownProperty(vm, trap.target, key));
    if (!actual.found())
        return true;
    if (!isConfigurable(actual))
        return throwError(vm, Error::ProxyDeleteFixed, key);
    if (!TRY(isExtensible(vm, trap.target)))
        return throwError(vm, Error::ProxyDeleteMissing, key);
    return true;
}

// ---- keys

/// 7.3.19 CreateListFromArrayLike of property keys: their bits, in a cell.
static Completion<Array*> keysFrom(Vm& vm, Value value) {
    if (!value.isObject())
        return throwError(vm, Error::ApplyNotObject);
    double length = TRY(lengthOf(vm, value.asObject()));
    Array* keys = newArray(vm);
    for (double i = 0; i < length; i++) {
        vm.charge(1);
        if (UNLIKELY(vm.budget < 0))
            TRY(vm.serviceBudget());
        Value element = TRY(get(vm, value.asObject(), keyFromInteger(vm, i)));
        if (!element.isString() && !element.isSymbol())
            return throwError(vm, Error::NotPropertyName, element);
        TRY(pushDense(vm, keys->elements_, Value::fromBits(TRY(toPropertyKey(vm, element)).bits())));
    }
    return keys;
}

/// The bits of the keys in order, for looking them up.
static std::vector<u64> sortedBits(Array* keys) {
    std::vector<u64> bits;
    bits.reserve(keys->length());
    for (u32 i = 0; i < keys->length(); i++)
        bits.push_back(keys->elements_.dense()[i].bits());
    std::sort(bits.begin(), bits.end());
    return bits;
}

/// 10.5.11 steps 13 to 23: no key that must be there is missing, and, if the target cannot grow, none is invented.
static Completion<void> checkKeys(Vm& vm, Object* target, Array* keys, const std::vector<u64>& sorted) {
    bool extensible = TRY(isExtensible(vm, target));
    Array* actual = TRY(ownKeyList(vm, target, StringKeys | SymbolKeys));
    Array* optional = newArray(vm);
    Array* required = newArray(vm);
    for (u32 i = 0; i < actual->length(); i++) {
        Value bits = actual->elements_.dense()[i];
        Lookup found = TRY(ownProperty(vm, target, PropertyKey::fromBits(bits.bits())));
        bool fixed = found.found() && !isConfigurable(found);
        TRY(pushDense(vm, (fixed ? required : optional)->elements_, bits));
    }
    auto check = [&](Array* list) -> Completion<void> {
        for (u32 i = 0; i < list->length(); i++) {
            u64 bits = list->elements_.dense()[i].bits();
            if (!std::binary_search(sorted.begin(), sorted.end(), bits))
                return throwError(vm, Error::ProxyKeysMissing, PropertyKey::fromBits(bits));
        }
        return {};
    };
    TRY(check(required));
    if (extensible)
        return {};
    TRY(check(optional));
    if (keys->length() != actual->length())
        return throwError(vm, Error::ProxyKeysExtra);
    return {};
}

// 10.5.11 [[OwnPropertyKeys]] ( )
Completion<Array*> proxyOwnKeys(Vm& vm, Object* proxy) {
    Trap trap = TRY(trapOf(vm, proxy, vm.names.ownKeys));
    if (trap.absent())
        return deeper(ownKeyList(vm, trap.target, StringKeys | SymbolKeys));
    Array* keys = TRY(keysFrom(vm, TRY(trap(vm))));
    std::vector<u64> sorted = sortedBits(keys);
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        return throwError(vm, Error::ProxyKeysDuplicate);
    TRY(checkKeys(vm, trap.target, keys, sorted));
    return keys;
}

// ---- functions

// 10.5.12 [[Call]] ( thisArgument, argumentsList )
Completion<Value> proxyCall(Vm& vm, Object* proxy, Value self, const Value* args, u32 argc) {
    Trap trap = TRY(trapOf(vm, proxy, vm.names.apply));
    if (trap.absent())
        return deeper(call(vm, Value::object(trap.target), self, args, argc));
    return trap(vm, self, Value::object(newArrayFrom(vm, args, argc)));
}

// 10.5.13 [[Construct]] ( argumentsList, newTarget )
Completion<Value> proxyConstruct(Vm& vm, Object* proxy, const Value* args, u32 argc, Object* newTarget) {
    Trap trap = TRY(trapOf(vm, proxy, vm.names.construct));
    if (trap.absent())
        return deeper(construct(vm, trap.target, args, argc, newTarget));
    Value result = TRY(trap(vm, Value::object(newArrayFrom(vm, args, argc)), Value::object(newTarget)));
    if (!result.isObject())
        return throwError(vm, Error::ProxyConstructNonObject, result);
    return result;
}

}
