// Resolution for imports, and `exports` and `imports` of packages for both kinds (Node's "Modules: ECMAScript modules",
// Resolution Algorithm Specification).
#include "interp/host/resolve.h"
#include "interp/host/module_loader.h"
#include "runtime/builtins/process_support.h"
#include "runtime/core/promise.h"
#include <algorithm>
#include <cctype>

namespace scr {

namespace {

/// A '%' that no two hexadecimal digits follow.
bool hasBareEscape(std::string_view path) {
    for (size_t i = path.find('%'); i != path.npos; i = path.find('%', i + 1))
        if (i + 2 >= path.size() || !isxdigit(u8(path[i + 1])) || !isxdigit(u8(path[i + 2])))
            return true;
    return false;
}

/// A segment (between slashes of either kind) that is ".", ".." or node_modules, encoded or not.
bool hasForbiddenSegment(std::string_view path) {
    for (size_t at = 0; at <= path.size();) {
        size_t end = std::min(path.find_first_of("/\\", at), path.size());
        std::string segment = decodePath(path.substr(at, end - at));
        for (char& c : segment)
            c = lowerAscii(c);
        if (segment == "." || segment == ".." || segment == "node_modules")
            return true;
        at = end + 1;
    }
    return false;
}

std::string replaceStars(std::string_view pattern, std::string_view with) {
    std::string out;
    for (char c : pattern) {
        if (c == '*')
            out += with;
        else
            out += c;
    }
    return out;
}

struct PackageName {
    std::string name, subpath; ///< subpath: ".", "./x"
    bool valid;
};
PackageName splitPackageName(const std::string& specifier) {
    bool scoped = specifier.starts_with('@');
    size_t slash = specifier.find('/');
    bool valid = !scoped || slash != specifier.npos;
    if (scoped && slash != specifier.npos)
        slash = specifier.find('/', slash + 1);
    PackageName result{specifier.substr(0, slash), ".", valid};
    if (slash != specifier.npos)
        result.subpath += specifier.substr(slash);
    if (result.name.starts_with('.') || result.name.find_first_of("%\\") != result.name.npos)
        result.valid = false;
    return result;
}

/// Whether pattern key `a` is more specific than `b` (PATTERN_KEY_COMPARE).
bool isBetterKey(const std::string& a, const std::string& b) {
    size_t starA = a.find('*'), starB = b.find('*');
    size_t baseA = starA == a.npos ? a.size() : starA + 1, baseB = starB == b.npos ? b.size() : starB + 1;
    if (baseA != baseB)
        return baseA > baseB;
    if ((starA == a.npos) != (starB == b.npos))
        return starB == b.npos;
    return a.size() > b.size();
}

std::string folderWithSlash(const std::string& path) {
    std::string folder = folderOf(path);
    return folder == "/" ? folder : folder + "/";
}

}

bool hidesSeparator(std::string_view path) {
    for (size_t i = 0; i + 2 < path.size(); i++) {
        char last = lowerAscii(path[i + 2]);
        if (path[i] == '%' && ((path[i + 1] == '2' && last == 'f') || (path[i + 1] == '5' && last == 'c')))
            return true;
    }
    return false;
}

bool isRelative(std::string_view text) {
    return text == "." || text == ".." || text.starts_with("./") || text.starts_with("../");
}

std::string pendingCode(Vm& vm) {
    if (vm.terminating() || !vm.pendingException.isObject())
        return "";
    Value code = lookup(vm, vm.pendingException.asObject(), asciiKey(vm, "code")).dataValue();
    return code.isString() ? toUtf8(vm, code.asString()) : "";
}

// ---- errors

static std::string baseText(const Url* base, std::string_view before) {
    if (!base)
        return "";
    return std::string(before) + (base->isFile() ? decodePath(base->path) : base->href());
}

Threw Resolver::failNotFound(std::string_view what, const std::string& name, const Request& request, const Url* exact) {
    std::string text =
        "Cannot find " + std::string(what) + " '" + name + "'" + baseText(request.base, " imported from ");
    throwCoded(vm_, Intrinsic::ErrorPrototype, "ERR_MODULE_NOT_FOUND", text);
    if (exact && !vm_.terminating())
        setField(vm_, vm_.pendingException.asObject(), "url", utf8Value(vm_, exact->href()));
    return {};
}

Threw Resolver::failSpecifier(const std::string& specifier, const std::string& why, const Request& request) {
    return throwCoded(vm_, Intrinsic::TypeErrorPrototype, "ERR_INVALID_MODULE_SPECIFIER",
        "Invalid module \"" + specifier + "\" " + why + baseText(request.base, " imported from "));
}

Threw Resolver::failConfig(const PackageConfig& package, const std::string& why, const Request& request) {
    std::string importer = request.base ? " while importing " + request.base->href() : "";
    return throwCoded(vm_, Intrinsic::ErrorPrototype, "ERR_INVALID_PACKAGE_CONFIG",
        "Invalid package config " + package.path + importer + ". " + why);
}

Threw Resolver::failTarget(const Json& target, const Match& match, const Request& request) {
    bool isText = target.isNullish() || target.type == Json::String;
    Json shown = isText ? target : Json::string(target.write());
    bool needsDot = !match.isImports && !shown.text.empty() && !shown.text.starts_with("./");
    std::string text = std::string("Invalid \"") + (match.isImports ? "imports" : "exports") + "\" ";
    text += match.key == "." ? "main target " + shown.write() + " defined in"
                             : "target " + shown.write() + " defined for '" + match.key + "' in";
    text += " the package config " + match.package->path + baseText(request.base, " imported from ");
    return throwCoded(vm_, Intrinsic::ErrorPrototype, "ERR_INVALID_PACKAGE_TARGET",
        text + (needsDot ? "; targets must start with \"./\"" : ""));
}

Threw Resolver::failNotExported(const PackageConfig& package, const std::string& subpath, const Request& request) {
    std::string text = subpath == "." ? "No \"exports\" main defined in "
                                      : "Package subpath '" + subpath + "' is not defined by \"exports\" in ";
    return throwCoded(vm_, Intrinsic::ErrorPrototype, "ERR_PACKAGE_PATH_NOT_EXPORTED",
        text + package.path + baseText(request.base, " imported from "));
}

PackageConfigs::Reader Resolver::readerFor(const Request& request) const {
    if (request.asks == Asks::Require)
        return {};
    return {true, request.specifier, baseText(request.base, "")};
}

/// The package of who asks.
Completion<const PackageConfig*> Resolver::scopeOfBase(const Request& request) {
    std::string file = decodePath(request.base->path);
    bool isImport = request.asks == Asks::Import;
    return packages_.scopeOf(vm_, file, {isImport, "", isImport ? file : ""});
}

// ---- targets of exports and imports

Completion<Resolver::Target> Resolver::targetOfText(
    const std::string& text, const Match& match, const Request& request) {
    Json shown = Json::string(text);
    if (!match.subpath.empty() && !match.isPattern && !text.ends_with('/'))
        return failTarget(shown, match, request);
    if (!text.starts_with("./")) {
        bool isName = match.isImports && !text.starts_with("../") && !text.starts_with('/') && schemeOf(text).empty();
        if (!isName)
            return failTarget(shown, match, request);
        Url base = urlOfPath(match.package->path);
        std::string name = match.isPattern ? replaceStars(text, match.subpath) : text + match.subpath;
        return Target{Target::Found, TRY(importPackage({request.asks, &base, name}))};
    }
    if (hasForbiddenSegment(std::string_view(text).substr(2)))
        return failTarget(shown, match, request);
    Url base = urlOfPath(match.package->path);
    Url found = joinUrl(text, base);
    if (!found.path.starts_with(base.path.substr(0, base.path.rfind('/') + 1)))
        return failTarget(shown, match, request);
    if (match.subpath.empty())
        return Target{Target::Found, found};
    if (hasForbiddenSegment(match.subpath)) {
        std::string asked = match.key;
        if (size_t star = asked.find('*'); star != asked.npos)
            asked.replace(star, 1, match.subpath);
        return failSpecifier(asked,
            "request is not a valid match in pattern \"" + match.key + "\" for the \""
                + (match.isImports ? "imports" : "exports") + "\" resolution of " + match.package->path,
            request);
    }
    Url result;
    parseUrl(replaceStars(found.href(), match.subpath), result);
    return Target{Target::Found, result};
}

Completion<Resolver::Target> Resolver::targetOfList(const Json& json, const Match& match, const Request& request) {
    Target last{json.items.empty() ? Target::Null : Target::Undefined, {}};
    Value lastError = Value::undefined();
    bool failed = false;
    for (const Json& item : json.items) {
        auto tried = target(item, match, request);
        if (tried.threw()) {
            if (pendingCode(vm_) != "ERR_INVALID_PACKAGE_TARGET")
                return Threw{};
            lastError = TRY(catchException(vm_));
            failed = true;
            continue;
        }
        if (tried.value().type == Target::Found)
            return tried.value();
        if (tried.value().type == Target::Null) {
            last.type = Target::Null;
            failed = false;
        }
    }
    if (failed)
        return vm_.throwValue(lastError);
    return last;
}

Completion<Resolver::Target> Resolver::targetOfConditions(
    const Json& json, const Match& match, const Request& request) {
    for (const std::string& key : json.keys)
        if (isArrayIndexText(key))
            return failConfig(*match.package, "\"exports\" cannot contain numeric property keys.", request);
    std::string_view mine = request.asks == Asks::Import ? "import" : "require";
    for (size_t i = 0; i < json.keys.size(); i++) {
        std::string_view key = json.keys[i];
        if (key != "default" && key != "node" && key != "module-sync" && key != "node-addons" && key != mine)
            continue;
        Target found = TRY(target(json.items[i], match, request));
        if (found.type != Target::Undefined)
            return found;
    }
    return Target{};
}

Completion<Resolver::Target> Resolver::target(const Json& json, const Match& match, const Request& request) {
    if (vm_.cStackLow())
        return vm_.throwStackOverflow();
    switch (json.type) {
    case Json::String: return targetOfText(json.text, match, request);
    case Json::Array: return targetOfList(json, match, request);
    case Json::Object: return targetOfConditions(json, match, request);
    case Json::Null: return Target{Target::Null, {}};
    default: return failTarget(json, match, request);
    }
}

/// The entry for `subpath`: that of the same name, or the most specific pattern.
Completion<Resolver::Target> Resolver::matchIn(
    const Json& entries, const std::string& subpath, Match match, const Request& request) {
    if (const Json* exact = entries.find(subpath);
        exact && subpath.find('*') == subpath.npos && !subpath.ends_with('/')) {
        match.key = subpath;
        return target(*exact, match, request);
    }
    const Json* best = nullptr;
    for (size_t i = 0; i < entries.keys.size(); i++) {
        const std::string& key = entries.keys[i];
        size_t star = key.find('*');
        if (star == key.npos || !subpath.starts_with(key.substr(0, star)) || subpath.size() < key.size()
            || key.rfind('*') != star || !subpath.ends_with(key.substr(star + 1)))
            continue;
        if (best && !isBetterKey(key, match.key))
            continue;
        best = &entries.items[i];
        match.key = key;
        match.subpath = subpath.substr(star, subpath.size() - (key.size() - 1));
    }
    if (!best)
        return Target{};
    match.isPattern = true;
    return target(*best, match, request);
}

/// `exports` is the target of the package itself: no key begins with a dot.
Completion<bool> Resolver::isSugar(const PackageConfig& package, const Request& request) {
    const Json& exports = package.exports;
    if (exports.type == Json::String || exports.type == Json::Array)
        return true;
    bool sugar = false;
    for (size_t i = 0; i < exports.keys.size(); i++) {
        bool isCondition = !exports.keys[i].starts_with('.');
        if (i && isCondition != sugar)
            return failConfig(package,
                "\"exports\" cannot contain some keys starting with '.' and some not. The exports object must either "
                "be "
                "an object of package subpath keys or an object of main entry condition name keys only.",
                request);
        sugar = isCondition;
    }
    return sugar;
}

Completion<Url> Resolver::exportsOf(const PackageConfig& package, const std::string& subpath, const Request& request) {
    Match match{&package, ".", "", false, false};
    Target found;
    if (TRY(isSugar(package, request))) {
        if (subpath == ".")
            found = TRY(target(package.exports, match, request));
    } else {
        found = TRY(matchIn(package.exports, subpath, match, request));
    }
    if (found.type != Target::Found)
        return failNotExported(package, subpath, request);
    return found.url;
}

Completion<Url> Resolver::importsOf(const Request& request) {
    const std::string& name = request.specifier;
    if (name == "#" || name.starts_with("#/") || name.ends_with('/'))
        return failSpecifier(name, "is not a valid internal imports specifier name", request);
    const PackageConfig* package = TRY(scopeOfBase(request));
    if (package->exists && package->imports.type == Json::Object) {
        Match match{package, "", "", false, true};
        Target found = TRY(matchIn(package->imports, name, match, request));
        if (found.type == Target::Found)
            return found.url;
    }
    std::string where = package->exists ? " in package " + package->path : "";
    return throwCoded(vm_, Intrinsic::TypeErrorPrototype, "ERR_PACKAGE_IMPORT_NOT_DEFINED",
        "Package import specifier \"" + name + "\" is not defined" + where + baseText(request.base, " imported from "));
}

// ---- packages

Completion<Url> Resolver::mainOf(const PackageConfig& package, const Request& request) {
    std::string folder = folderWithSlash(package.path);
    std::vector<std::string> guesses;
    if (!package.main.empty())
        for (const char* end : {"", ".js", ".json", ".node", "/index.js", "/index.json", "/index.node"})
            guesses.push_back(package.main + end);
    for (const char* name : {"index.js", "index.json", "index.node"})
        guesses.emplace_back(name);
    for (const std::string& guess : guesses) {
        std::string path = joinPath(folder, "./" + guess);
        if (fileType(path) == FileType::File)
            return urlOfPath(path);
    }
    return failNotFound("package", package.main.empty() ? folder + "index.js" : joinPath(folder, "./" + package.main),
        request, nullptr);
}

Completion<Url> Resolver::importPackage(const Request& request) {
    if (ModuleLoader::isBuiltin(request.specifier)) {
        Url url;
        url.scheme = "node:";
        url.path = request.specifier;
        return url;
    }
    PackageName asked = splitPackageName(request.specifier);
    if (!asked.valid)
        return failSpecifier(request.specifier, "is not a valid package name", request);
    std::string from = decodePath(request.base->path);
    PackageConfigs::Reader reader = readerFor(request);
    const PackageConfig* own = TRY(scopeOfBase(request));
    if (own->exists && own->hasName && own->name == asked.name && !own->exports.isNullish())
        return exportsOf(*own, asked.subpath, request);
    std::string folder = from;
    do {
        folder = folderOf(folder);
        TRY(vm_.work(1));
        std::string place = (folder == "/" ? "" : folder) + "/node_modules/" + asked.name;
        if (fileType(place) != FileType::Folder)
            continue;
        const PackageConfig* package = TRY(packages_.read(vm_, place + "/package.json", reader));
        if (!package->exports.isNullish())
            return exportsOf(*package, asked.subpath, request);
        if (asked.subpath == ".")
            return mainOf(*package, request);
        return joinUrl(asked.subpath, urlOfPath(package->path));
    } while (folder != "/" && folder != ".");
    return failNotFound("package", asked.name, request, nullptr);
}

// ---- the whole

Completion<Url> Resolver::finishImport(const Url& found, const Request& request) {
    if (!found.isFile())
        return found;
    if (hidesSeparator(found.path))
        return failSpecifier(found.path, "must not include encoded \"/\" or \"\\\" characters", request);
    if (!found.host.empty())
        return throwCoded(vm_, Intrinsic::TypeErrorPrototype, "ERR_INVALID_FILE_URL_HOST",
            "File URL host must be \"localhost\" or empty on linux");
    std::string path = decodePath(found.path);
    if (hasBareEscape(found.path))
        return throwError(vm_, Error::UriMalformed);
    FileType type = path.ends_with('/') ? FileType::Folder : fileType(path);
    if (type == FileType::Folder) {
        throwCoded(vm_, Intrinsic::ErrorPrototype, "ERR_UNSUPPORTED_DIR_IMPORT",
            "Directory import '" + path + "' is not supported resolving ES modules"
                + baseText(request.base, " imported from "));
        if (!vm_.terminating())
            setField(vm_, vm_.pendingException.asObject(), "url", utf8Value(vm_, found.href()));
        return Threw{};
    }
    if (type == FileType::None)
        return failNotFound("module", path, request, &found);
    Url real = urlOfPath(realPath(path));
    real.search = found.search;
    real.hash = found.hash;
    return real;
}

Completion<Url> Resolver::import(const std::string& specifier, const Url& base) {
    Request request{Asks::Import, &base, specifier};
    TRY(vm_.work(specifier.size() / 64));
    Url url;
    bool isUrl = parseUrl(specifier, url);
    if (!base.isFile() && !isUrl && !ModuleLoader::isBuiltin(specifier))
        return throwCoded(vm_, Intrinsic::TypeErrorPrototype, "ERR_UNSUPPORTED_RESOLVE_REQUEST",
            "Failed to resolve module specifier \"" + specifier + "\" from \"" + base.href()
                + "\": Invalid relative URL or base scheme is not hierarchical.");
    if (isRelative(specifier) || specifier.starts_with('/'))
        return finishImport(joinUrl(specifier, base), request);
    if (specifier.starts_with('#'))
        return finishImport(TRY(importsOf(request)), request);
    if (!isUrl)
        return finishImport(TRY(importPackage(request)), request);
    if (ModuleLoader::isBuiltinScheme(url.scheme) && !ModuleLoader::isBuiltin(specifier))
        return throwCoded(
            vm_, Intrinsic::ErrorPrototype, "ERR_UNKNOWN_BUILTIN_MODULE", "No such built-in module: " + specifier);
    if (!url.isFile() && !ModuleLoader::isBuiltinScheme(url.scheme) && url.scheme != "data:")
        return throwCoded(vm_, Intrinsic::ErrorPrototype, "ERR_UNSUPPORTED_ESM_URL_SCHEME",
            "Only URLs with a scheme in: file, data, and node are supported by the default ESM loader. Received "
            "protocol '"
                + url.scheme + "'");
    return finishImport(url, request);
}

}
