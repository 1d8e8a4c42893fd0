// What scripts see of modules: the function require, and node:module, which is the constructor of module objects.
#include "interp/host/module_loader.h"
#include "runtime/builtins/argument_error.h"
#include "runtime/builtins/inspect.h"
#include "runtime/builtins/process_support.h"

namespace scr {

namespace {

ModuleLoader& loaderOf(Vm& vm) { return ModuleLoader::of(vm); }

/// The module object that a function made for one works for.
Object* ownModule(Args args) { return args.callee()->data[0].asObject(); }

Completion<std::string> textArgument(Vm& vm, std::string_view name, Value value) {
    if (!value.isString())
        return throwArgumentType(vm, name, "of type string", value);
    return toUtf8(vm, value.asString());
}

Completion<Value> requireIn(Vm& vm, Value id, Object* module) {
    std::string request = TRY(textArgument(vm, "id", id));
    if (request.empty())
        return throwCoded(vm, Intrinsic::TypeErrorPrototype, "ERR_INVALID_ARG_VALUE",
            "The argument 'id' must be a non-empty string. Received ''");
    return loaderOf(vm).require(request, module);
}

Result require(Vm& vm, Args args) { return requireIn(vm, args[0], ownModule(args)); }

Result requireResolve(Vm& vm, Args args) {
    std::string request = TRY(textArgument(vm, "request", args[0]));
    return utf8Value(vm, TRY(loaderOf(vm).resolveFor(request, ownModule(args), args[1])));
}

Result requireResolvePaths(Vm& vm, Args args) {
    std::string request = TRY(textArgument(vm, "request", args[0]));
    if (ModuleLoader::isBuiltin(request))
        return Value::null();
    Object* module = ownModule(args);
    if (!isRelative(request))
        return get(vm, module, asciiKey(vm, "paths"));
    Value path = utf8Value(vm, folderOf(loaderOf(vm).textField(module, "filename")));
    return Value::object(newArrayFrom(vm, &path, 1));
}

// ---- Module.prototype

Completion<Object*> thisModule(Vm& vm, Value self) {
    if (!self.isObject())
        return throwArgumentType(vm, "this", "an instance of Module", self);
    return self.asObject();
}

Result moduleRequire(Vm& vm, Args args) { return requireIn(vm, args[0], TRY(thisModule(vm, args.self()))); }

Result moduleCompile(Vm& vm, Args args) {
    Object* module = TRY(thisModule(vm, args.self()));
    std::string text = TRY(textArgument(vm, "content", args[0]));
    std::string filename = TRY(textArgument(vm, "filename", args[1]));
    return loaderOf(vm).runText(module, filename, text, TRY(loaderOf(vm).formatOf(filename)));
}

Result moduleLoad(Vm& vm, Args args) {
    Object* module = TRY(thisModule(vm, args.self()));
    TRY(loaderOf(vm).loadObject(module, TRY(textArgument(vm, "filename", args[0]))));
    return Value::undefined();
}

Result moduleParent(Vm& vm, Args args) {
    return args.self().isObject() ? loaderOf(vm).parentOf(args.self().asObject()) : Value::undefined();
}

Result moduleConstructorGetter(Vm& vm, Args) { return Value::object(loaderOf(vm).moduleConstructor()); }

// ---- Module and its functions

/// new Module(id, parent)
Result moduleNew(Vm& vm, Args args) {
    vm.takeNewTarget();
    std::string id = args[0].isUndefined() ? "" : toUtf8(vm, TRY(toString(vm, args[0])));
    Object* parent = args[1].isObject() ? args[1].asObject() : nullptr;
    Object* module = loaderOf(vm).newModuleObject(id, id, parent);
    setField(vm, module, "filename", Value::null());
    return Value::object(module);
}

Result createRequire(Vm& vm, Args args) {
    Value given = args[0];
    if (given.isObject())
        given = TRY(get(vm, given.asObject(), asciiKey(vm, "href")));
    std::string text = given.isString() ? toUtf8(vm, given.asString()) : "";
    Url url;
    bool isUrl = parseUrl(text, url) && url.isFile();
    if (!isUrl && !text.starts_with('/'))
        return throwCoded(vm, Intrinsic::TypeErrorPrototype, "ERR_INVALID_ARG_VALUE",
            "The argument 'filename' must be a file URL object, file URL string, or absolute path string. Received "
                + inspect(vm, args[0]));
    std::string filename = isUrl ? decodePath(url.path) : text;
    if (filename.ends_with('/'))
        filename += "noop.js";
    return Value::object(loaderOf(vm).newRequire(loaderOf(vm).newModuleObject(filename, filename, nullptr)));
}

Result isBuiltinNative(Vm& vm, Args args) {
    return Value::boolean(args[0].isString() && ModuleLoader::isBuiltin(toUtf8(vm, args[0].asString())));
}

Result syncBuiltinESMExports(Vm& vm, Args) {
    TRY(loaderOf(vm).syncBuiltins());
    return Value::undefined();
}

Result moduleNodeModulePaths(Vm& vm, Args args) {
    std::string from = TRY(textArgument(vm, "from", args[0]));
    return Value::object(arrayOfTexts(vm, Resolver::nodeModulePaths(joinPath(currentFolder(), from))));
}

/// The module object that is said to ask; one without a file in the current folder, if it is none.
Object* asker(Vm& vm, Value parent) {
    if (parent.isObject())
        return parent.asObject();
    return loaderOf(vm).newModuleObject("", currentFolder() + "/noop.js", nullptr);
}

Result moduleStaticLoad(Vm& vm, Args args) {
    return loaderOf(vm).require(TRY(textArgument(vm, "request", args[0])), asker(vm, args[1]));
}

Result moduleResolveFilename(Vm& vm, Args args) {
    std::string request = TRY(textArgument(vm, "request", args[0]));
    return utf8Value(vm, TRY(loaderOf(vm).resolveFor(request, asker(vm, args[1]), args[3])));
}

// ---- require.extensions

Result extensionScript(Vm& vm, Args args) {
    Object* module = TRY(thisModule(vm, args[0]));
    TRY(loaderOf(vm).loadScript(module, TRY(textArgument(vm, "filename", args[1]))));
    return Value::undefined();
}

Result extensionJson(Vm& vm, Args args) {
    Object* module = TRY(thisModule(vm, args[0]));
    TRY(loaderOf(vm).loadJson(module, TRY(textArgument(vm, "filename", args[1]))));
    return Value::undefined();
}

}

Object* ModuleLoader::newRequire(Object* module) {
    auto bound = [&](NativeCode code, std::string_view name, u16 length) {
        NativeFunction* native = newNative(vm_, code, name, length);
        native->data[0] = Value::object(module);
        return native;
    };
    NativeFunction* function = bound(scr::require, "require", 1);
    NativeFunction* resolve = bound(requireResolve, "resolve", 2);
    setField(vm_, resolve, "paths", Value::object(bound(requireResolvePaths, "paths", 1)));
    setField(vm_, function, "resolve", Value::object(resolve));
    Object* main = mainName_.starts_with('[') ? nullptr : mainObject();
    setField(vm_, function, "main", main ? Value::object(main) : Value::undefined());
    setField(vm_, function, "extensions", Value::object(extensions()));
    setField(vm_, function, "cache", Value::object(cache()));
    return function;
}

Object* ModuleLoader::extensions() {
    if (extensions_)
        return extensions_;
    extensions_ = newObject(vm_, nullptr);
    setField(vm_, extensions_, ".js", Value::object(newNative(vm_, extensionScript, "", 2)));
    setField(vm_, extensions_, ".json", Value::object(newNative(vm_, extensionJson, "", 2)));
    return extensions_;
}

Object* ModuleLoader::modulePrototype() {
    if (prototype_)
        return prototype_;
    prototype_ = newPlainObject(vm_);
    NativeFunction* constructor = newNative(vm_, moduleConstructorGetter, "get constructor", 0);
    NativeFunction* parent = newNative(vm_, moduleParent, "get parent", 0);
    defineAccessorDirect(vm_, prototype_, KEY(vm_, constructor), Value::object(constructor), Value::undefined(),
        Configurable | AccessorProperty);
    defineAccessorDirect(vm_, prototype_, asciiKey(vm_, "parent"), Value::object(parent), Value::undefined(),
        Configurable | AccessorProperty);
    setMethod(vm_, prototype_, "load", moduleLoad, 1);
    setMethod(vm_, prototype_, "require", moduleRequire, 1);
    setMethod(vm_, prototype_, "_compile", moduleCompile, 2);
    becomePrototype(vm_, prototype_);
    return prototype_;
}

Object* ModuleLoader::moduleConstructor() {
    if (constructor_)
        return constructor_;
    constructor_ = newNative(vm_, moduleNew, "Module", 0, true);
    defineDirect(vm_, constructor_, KEY(vm_, prototype), Value::object(modulePrototype()), Writable);
    Array* names = arrayOfTexts(vm_, builtinNames());
    setField(vm_, constructor_, "_cache", Value::object(cache()));
    setField(vm_, constructor_, "_extensions", Value::object(extensions()));
    setMethod(vm_, constructor_, "isBuiltin", isBuiltinNative, 1);
    setMethod(vm_, constructor_, "_nodeModulePaths", moduleNodeModulePaths, 1);
    setMethod(vm_, constructor_, "_load", moduleStaticLoad, 3);
    setMethod(vm_, constructor_, "_resolveFilename", moduleResolveFilename, 4);
    setMethod(vm_, constructor_, "createRequire", createRequire, 1);
    setMethod(vm_, constructor_, "syncBuiltinESMExports", syncBuiltinESMExports, 0);
    setField(vm_, constructor_, "Module", Value::object(constructor_));
    setField(vm_, constructor_, "builtinModules", Value::object(names));
    return constructor_;
}

}
