// Making the module object, and `require` for the modules that are global objects anyway.
#include "interp/host/commonjs.h"
#include "runtime/builtins/argument_error.h"
#include "runtime/builtins/process_support.h"
#include "stdlib/builtin_modules.h"
#include <cstdlib>
#include <unistd.h>

namespace scr {

namespace {

std::string currentFolder() {
    char* path = getcwd(nullptr, 0);
    std::string result = path ? path : "/";
    std::free(path);
    return result;
}

std::string absolutePath(const std::string& name) {
    char* path = realpath(name.c_str(), nullptr);
    std::string result = path ? path : name.starts_with('/') ? name : currentFolder() + "/" + name;
    std::free(path);
    return result;
}

std::string folderOf(const std::string& path) {
    size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

Result require(Vm& vm, Args args) {
    if (!args[0].isString())
        return throwArgumentType(vm, "id", "of type string", args[0]);
    std::string name = toUtf8(vm, args[0].asString());
    if (isBuiltinModule(name))
        return Value::object(TRY(loadBuiltinModule(vm, name)));
    Object* error = newError(vm, Intrinsic::ErrorPrototype, newUtf8(vm, "Cannot find module '" + name + "'"));
    setField(vm, error, "code", asciiValue(vm, "MODULE_NOT_FOUND"));
    return vm.throwValue(Value::object(error));
}

}

CommonJsScope newCommonJsScope(Vm& vm, std::string_view name) {
    bool isFile = !name.starts_with('[');
    std::string path = isFile ? absolutePath(std::string(name)) : std::string(name);
    std::string folder = isFile ? folderOf(path) : ".";
    Object* exports = newPlainObject(vm);
    Object* module = newPlainObject(vm);
    Value filename = Value::string(newUtf8(vm, path)), dirname = Value::string(newUtf8(vm, folder));
    setField(vm, module, "id", asciiValue(vm, "."));
    setField(vm, module, "path", dirname);
    setField(vm, module, "exports", Value::object(exports));
    setField(vm, module, "filename", filename);
    setField(vm, module, "loaded", Value::boolean(false));
    Object* function = newNative(vm, require, "require", 1);
    setField(vm, function, "main", Value::object(module));
    return {Value::object(exports),
        {Value::object(exports), Value::object(function), Value::object(module), filename, dirname}};
}

}
