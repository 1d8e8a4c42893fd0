// Functions: their lazy properties, names, realms. The invariant: a function that HasLazyProperties has none of its own
// named properties yet, and whoever could notice makes them first, in V8's order: length, name, prototype.
#include "runtime/core/function.h"
#include "runtime/core/error.h"
#include "runtime/core/object_internal.h"
#include "runtime/core/proxy.h"
#include "runtime/core/side_effects.h"
#include "runtime/core/vm.h"

namespace scr {

NativeFunction* newNative(Vm& vm, NativeCode code, std::string_view name, u16 length, bool constructor) {
    String* atom = name.empty() ? vm.emptyStringCell : internAscii(vm, name);
    if (UNLIKELY(!vm.realm->nativeShape)) // a method of %Object.prototype%, which comes first: makes the shape too
        vm.realm->intrinsic(vm, Intrinsic::FunctionPrototype);
    auto* function = static_cast<NativeFunction*>(
        allocateObject(vm, Kind::NativeFunction, sizeof(NativeFunction), vm.realm->nativeShape));
    function->flags = HasLazyProperties | (constructor ? IsConstructor : 0);
    function->code = code;
    function->realm = vm.realm;
    function->name = Value::string(atom);
    function->data[0] = function->data[1] = Value::undefined();
    function->length = length;
    function->quick = QuickNone;
    function->isHidden = false;
    return function;
}

Shape* suspendableShape(Vm& vm, Realm* realm, u16 infoFlags) {
    bool isGenerator = infoFlags & InfoGenerator, isAsync = infoFlags & InfoAsync;
    Ptr<Shape>& shape = realm->suspendableShapes[isGenerator ? (isAsync ? 2 : 0) : 1];
    if (UNLIKELY(!shape)) {
        Intrinsic which = !isGenerator ? Intrinsic::AsyncFunctionPrototype
            : isAsync                  ? Intrinsic::AsyncGeneratorFunctionPrototype
                                       : Intrinsic::GeneratorFunctionPrototype;
        shape = rootShape(vm, realm->intrinsic(vm, which), 0);
    }
    return shape;
}

// ---- names

/// A symbol's description in brackets; empty without one (10.2.9 step 2).
static Value bracketed(Vm& vm, Symbol* symbol) {
    if (symbol->description.isUndefined() || symbol->flags & SymbolPrivate)
        return symbol->description.isUndefined() ? Value::string(emptyString(vm)) : symbol->description;
    StringBuilder builder(vm);
    builder.append(u'[');
    builder.append(symbol->description.asString());
    builder.append(u']');
    auto name = builder.finish();
    return Value::string(name.threw() ? emptyString(vm) : name.value());
}

static Value nameValue(Vm& vm, Value name) {
    if (name.isSymbol())
        return bracketed(vm, name.asSymbol());
    return name.isString() ? name : Value::string(emptyString(vm));
}

void setFunctionName(Vm& vm, Object* function, Value key, std::string_view prefix) {
    Value name = nameValue(vm, key);
    if (!prefix.empty()) {
        StringBuilder builder(vm);
        builder.appendAscii(prefix);
        builder.append(u' ');
        builder.append(name.asString());
        if (auto joined = builder.finish(); !joined.threw())
            name = Value::string(joined.value());
    }
    defineDirect(vm, function, PropertyKey::atom(vm.names.name), name, Configurable);
}

// ---- lazy properties

static void addPrototype(Vm& vm, Object* function, u16 infoFlags) {
    SideEffectGuard::Pause pause(vm, function);
    PropertyKey key = PropertyKey::atom(vm.names.prototype);
    if (infoFlags & InfoClassConstructor)
        return addNamed(vm, function, key, Value::undefined(), 0); // linkClass says which
    Realm* realm = realmOf(vm, function);
    if (infoFlags & InfoGenerator) { // 27.3.4.2, 27.4.4.2: what the objects inherit from, without a constructor
        Intrinsic parent = infoFlags & InfoAsync ? Intrinsic::AsyncGeneratorPrototype : Intrinsic::GeneratorPrototype;
        Object* prototype = newObject(vm, realm->intrinsic(vm, parent), 0);
        return addNamed(vm, function, key, Value::object(prototype), Writable);
    }
    Object* prototype = newObject(vm, realm->intrinsic(vm, Intrinsic::ObjectPrototype), 0);
    defineDirect(vm, prototype, PropertyKey::atom(vm.names.constructor), Value::object(function), HiddenAttributes);
    addNamed(vm, function, key, Value::object(prototype), Writable);
}

void materializeFunction(Vm& vm, Object* object) {
    ASSERT(object->isCallable());
    if (!(object->flags & HasLazyProperties))
        return;
    object->flags &= ~HasLazyProperties;
    u16 length = 0, infoFlags = 0;
    Value name;
    if (kindOf(object) == Kind::Function) {
        FunctionInfo* info = static_cast<Function*>(object)->info;
        length = info->length;
        infoFlags = info->infoFlags;
        name = info->name ? Value::string(info->name.get()) : Value::undefined();
    } else {
        ASSERT(kindOf(object) == Kind::NativeFunction);
        auto* native = static_cast<NativeFunction*>(object);
        length = native->length;
        name = native->name;
    }
    addNamed(vm, object, PropertyKey::atom(vm.names.length), Value::int32(length), Configurable);
    addNamed(vm, object, PropertyKey::atom(vm.names.name), nameValue(vm, name), Configurable);
    if (infoFlags & (InfoConstructor | InfoClassConstructor | InfoGenerator))
        addPrototype(vm, object, infoFlags);
}

void linkClass(Vm& vm, Object* constructor, Object* prototype) {
    materializeFunction(vm, constructor);
    defineDirect(vm, constructor, PropertyKey::atom(vm.names.prototype), Value::object(prototype), 0);
    defineDirect(vm, prototype, PropertyKey::atom(vm.names.constructor), Value::object(constructor), HiddenAttributes);
}

/// What bound functions and proxies stand for in the end: a function, or a revoked proxy.
static Object* innermost(Object* function) {
    for (;;) {
        if (kindOf(function) == Kind::BoundFunction)
            function = static_cast<BoundFunction*>(function)->target;
        else if (isProxy(function) && static_cast<ProxyObject*>(function)->target)
            function = static_cast<ProxyObject*>(function)->target;
        else
            return function;
    }
}

Completion<void> requireRealm(Vm& vm, Object* function) {
    function = innermost(function);
    if (UNLIKELY(isProxy(function)))
        return throwError(vm, Error::ProxyRevoked, "undefined");
    return {};
}

Realm* realmOf(Vm& vm, Object* function) {
    function = innermost(function);
    if (kindOf(function) == Kind::Function)
        return static_cast<Function*>(function)->info->realm;
    if (kindOf(function) == Kind::NativeFunction)
        return static_cast<NativeFunction*>(function)->realm;
    return vm.realm;
}

}
