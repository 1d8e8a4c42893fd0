// From what an import or a require asks for to the file that it means: Node 20's two algorithms. Nothing here loads
// anything; what cannot be found throws Node's error.
#pragma once
#include "interp/host/package_config.h"

namespace scr {

/// Which condition of `exports` and `imports` holds beside node, node-addons, module-sync and default.
enum class Asks : u8 { Import, Require };

class Resolver {
public:
    explicit Resolver(Vm& vm)
        : vm_(vm) { }

    // ---- ES modules
    /// The URL that a module at `base` means by `specifier`. A builtin's is "node:name".
    Completion<Url> import(const std::string& specifier, const Url& base);

    // ---- require
    /// Who requires: the file (empty: none), and the node_modules folders to search.
    struct Requirer {
        std::string filename;
        std::vector<std::string> paths;
    };
    /// The file that `request` means; empty if there is none. Throws what is wrong on the way. Known: no builtin.
    Completion<std::string> require(const std::string& request, const Requirer& requirer);
    /// The same with folders to search given (the option `paths` of require.resolve).
    Completion<std::string> findIn(const std::string& request, const std::vector<std::string>& folders);
    /// The node_modules folders from `folder` up.
    static std::vector<std::string> nodeModulePaths(const std::string& folder);

    PackageConfigs& packages() { return packages_; }

private:
    /// What is being resolved, and for whom.
    struct Request {
        Asks asks;
        const Url* base; ///< null: the errors do not say who asks
        std::string specifier;
    };
    struct Target {
        enum Type : u8 { Undefined, Null, Found } type = Undefined;
        Url url;
    };
    /// One entry of `exports` or `imports` on its way to a URL.
    struct Match {
        const PackageConfig* package;
        std::string key; ///< of the entry
        std::string subpath; ///< what the * of a pattern stands for
        bool isPattern;
        bool isImports;
    };

    PackageConfigs::Reader readerFor(const Request& request) const;
    Completion<const PackageConfig*> scopeOfBase(const Request& request);
    Completion<Url> importPackage(const Request& request);
    Completion<Url> mainOf(const PackageConfig& package, const Request& request);
    Completion<Url> finishImport(const Url& found, const Request& request);
    Completion<Url> exportsOf(const PackageConfig& package, const std::string& subpath, const Request& request);
    Completion<Url> importsOf(const Request& request);
    Completion<bool> isSugar(const PackageConfig& package, const Request& request);
    Completion<Target> matchIn(const Json& entries, const std::string& subpath, Match match, const Request& request);
    Completion<Target> target(const Json& json, const Match& match, const Request& request);
    Completion<Target> targetOfText(const std::string& text, const Match& match, const Request& request);
    Completion<Target> targetOfList(const Json& json, const Match& match, const Request& request);
    Completion<Target> targetOfConditions(const Json& json, const Match& match, const Request& request);

    Completion<std::string> finishRequire(const Url& found, const PackageConfig& package, const std::string& filename);
    Completion<std::string> exportsIn(const std::string& folder, const std::string& request);
    Completion<std::string> ownPackage(const std::string& request, const Requirer& requirer);
    Completion<std::string> importsFor(const std::string& request, const Requirer& requirer);
    Completion<std::string> mainOfFolder(const std::string& folder, const std::string& request);
    std::string tryExtensions(const std::string& path);

    // Node's errors.
    Threw failNotFound(std::string_view what, const std::string& name, const Request& request, const Url* exact);
    Threw failSpecifier(const std::string& specifier, const std::string& why, const Request& request);
    Threw failConfig(const PackageConfig& package, const std::string& why, const Request& request);
    Threw failTarget(const Json& target, const Match& match, const Request& request);
    Threw failNotExported(const PackageConfig& package, const std::string& subpath, const Request& request);
    Threw failRequired(const std::string& request, const std::string& packagePath);

    Vm& vm_;
    PackageConfigs packages_;
};

/// "%2f" or "%5c": a separator that the path of a URL hides.
bool hidesSeparator(std::string_view path);
/// "./x", "../x", ".", "..".
bool isRelative(std::string_view specifier);
/// The code of the pending exception, if it is an error that has one as a string; empty otherwise.
std::string pendingCode(Vm& vm);

}
