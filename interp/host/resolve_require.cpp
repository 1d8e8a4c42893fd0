// Resolution for require (Node's "Modules: CommonJS modules", All together).
#include "interp/host/resolve.h"
#include "runtime/builtins/process_support.h"
#include "runtime/core/promise.h"

namespace scr {

namespace {

/// In the order in which they are tried.
constexpr std::string_view extensions[] = {".js", ".json", ".scr", ".cjs", ".mjs"};

/// The real path, if it is a file.
std::string tryFile(const std::string& path) { return fileType(path) == FileType::File ? realPath(path) : ""; }

/// "name" and "/rest" of a request for a package; an empty name if it cannot be one.
struct PackageRequest {
    std::string name, rest;
};
PackageRequest splitRequest(const std::string& request) {
    size_t at = 0;
    if (request.starts_with('@')) {
        at = request.find('/');
        if (at == request.npos || at == 1 || request.substr(0, at).find_first_of("\\%") != request.npos)
            return {};
        at++;
    }
    size_t end = std::min(request.find('/', at), request.size());
    std::string_view last = std::string_view(request).substr(at, end - at);
    if (last.empty() || last.starts_with('.') || last.find_first_of("\\%") != last.npos)
        return {};
    return {request.substr(0, end), request.substr(end)};
}

bool asksForFolder(std::string_view request) {
    return request.ends_with('/') || request.ends_with("/.") || request.ends_with("/..") || request == "."
        || request == "..";
}

}

std::vector<std::string> Resolver::nodeModulePaths(const std::string& folder) {
    std::vector<std::string> paths;
    for (std::string at = joinPath("/", folder);; at = folderOf(at)) {
        if (at == "/") {
            paths.emplace_back("/node_modules");
            return paths;
        }
        if (!at.ends_with("/node_modules"))
            paths.push_back(at + "/node_modules");
    }
}

Threw Resolver::failRequired(const std::string& request, const std::string& packagePath) {
    Object* error = newError(vm_, Intrinsic::ErrorPrototype, newUtf8(vm_, "Cannot find module '" + request + "'"));
    setField(vm_, error, "code", asciiValue(vm_, "MODULE_NOT_FOUND"));
    if (!packagePath.empty())
        setField(vm_, error, "path", utf8Value(vm_, packagePath));
    return vm_.throwValue(Value::object(error));
}

Completion<std::string> Resolver::finishRequire(
    const Url& found, const PackageConfig& package, const std::string& filename) {
    if (!found.isFile())
        return found.href();
    if (hidesSeparator(found.path)) {
        Url base = urlOfPath(filename);
        return failSpecifier(found.href(), "must not include encoded \"/\" or \"\\\" characters",
            {Asks::Require, filename.empty() ? nullptr : &base, ""});
    }
    std::string path = decodePath(found.path), file = tryFile(path);
    return file.empty() ? failRequired(path, package.path) : Completion<std::string>(file);
}

/// The package `request` names, if it lies in `folder` and has exports; else empty.
Completion<std::string> Resolver::exportsIn(const std::string& folder, const std::string& request) {
    PackageRequest asked = splitRequest(request);
    if (asked.name.empty())
        return std::string();
    const PackageConfig* package = TRY(packages_.read(vm_, joinPath(folder, asked.name) + "/package.json", {}));
    if (!package->exists || package->exports.isNullish())
        return std::string();
    Url found = TRY(exportsOf(*package, "." + asked.rest, {Asks::Require, nullptr, ""}));
    return finishRequire(found, *package, "");
}

/// A package may name itself, if it has exports.
Completion<std::string> Resolver::ownPackage(const std::string& request, const Requirer& requirer) {
    if (requirer.filename.empty())
        return std::string();
    const PackageConfig* package = TRY(packages_.scopeOf(vm_, requirer.filename, {}));
    if (!package->exists || package->exports.isNullish() || !package->hasName)
        return std::string();
    if (request != package->name && !request.starts_with(package->name + "/"))
        return std::string();
    Url base = urlOfPath(requirer.filename);
    std::string subpath = "." + request.substr(package->name.size());
    Url found = TRY(exportsOf(*package, subpath, {Asks::Require, &base, ""}));
    return finishRequire(found, *package, requirer.filename);
}

/// "#name", where the package around has imports; else empty.
Completion<std::string> Resolver::importsFor(const std::string& request, const Requirer& requirer) {
    const PackageConfig* package = TRY(packages_.scopeOf(vm_, requirer.filename, {}));
    if (!package->exists || package->imports.type != Json::Object)
        return std::string();
    Url base = urlOfPath(requirer.filename);
    auto found = importsOf({Asks::Require, &base, request});
    if (found.threw() && pendingCode(vm_) == "ERR_MODULE_NOT_FOUND") {
        TRY(catchException(vm_));
        return failRequired(request, "");
    }
    return finishRequire(TRY(found), *package, requirer.filename);
}

std::string Resolver::tryExtensions(const std::string& path) {
    for (std::string_view extension : extensions)
        if (std::string file = tryFile(path + std::string(extension)); !file.empty())
            return file;
    return "";
}

/// The main file of a folder; empty if it has none.
Completion<std::string> Resolver::mainOfFolder(const std::string& folder, const std::string& request) {
    const PackageConfig* package = TRY(packages_.read(vm_, (folder == "/" ? "" : folder) + "/package.json", {}));
    std::string index = joinPath(folder, "index");
    if (package->main.empty())
        return tryExtensions(index);
    std::string main = joinPath(folder, package->main);
    std::string file = tryFile(main);
    if (file.empty())
        file = tryExtensions(main);
    if (file.empty())
        file = tryExtensions(joinPath(main, "index"));
    if (file.empty())
        file = tryExtensions(index);
    if (!file.empty())
        return file;
    std::string text =
        "Cannot find module '" + main + "'. Please verify that the package.json has a valid \"main\" entry";
    Object* error = newError(vm_, Intrinsic::ErrorPrototype, newUtf8(vm_, text));
    setField(vm_, error, "code", asciiValue(vm_, "MODULE_NOT_FOUND"));
    setField(vm_, error, "path", utf8Value(vm_, package->path));
    setField(vm_, error, "requestPath", utf8Value(vm_, request));
    return vm_.throwValue(Value::object(error));
}

Completion<std::string> Resolver::findIn(const std::string& request, const std::vector<std::string>& folders) {
    bool isAbsolute = request.starts_with('/');
    bool wantsFolder = asksForFolder(request);
    std::vector<std::string> root{""};
    for (const std::string& folder : isAbsolute ? root : folders) {
        TRY(vm_.work(1 + request.size() / 64));
        if (!isAbsolute && fileType(folder) != FileType::Folder)
            continue;
        if (!isAbsolute)
            if (std::string file = TRY(exportsIn(folder, request)); !file.empty())
                return file;
        std::string path = joinPath(folder, request);
        FileType type = fileType(path);
        std::string file;
        if (!wantsFolder) {
            if (type == FileType::File)
                file = realPath(path);
            if (file.empty())
                file = tryExtensions(path);
        }
        if (file.empty() && type == FileType::Folder)
            file = TRY(mainOfFolder(path, request));
        if (!file.empty())
            return file;
    }
    return std::string();
}

Completion<std::string> Resolver::require(const std::string& request, const Requirer& requirer) {
    if (request.starts_with('#') && !requirer.filename.empty())
        if (std::string file = TRY(importsFor(request, requirer)); !file.empty())
            return file;
    if (std::string file = TRY(ownPackage(request, requirer)); !file.empty())
        return file;
    if (isRelative(request))
        return findIn(request, {requirer.filename.empty() ? currentFolder() : folderOf(requirer.filename)});
    return findIn(request, requirer.paths);
}

}
