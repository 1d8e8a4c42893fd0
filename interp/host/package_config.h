// package.json files: what of them matters to who looks for a module, each read once. The invariant: what stands in a
// PackageConfig is no cell, so nobody has to keep it alive; an entry never changes or moves.
#pragma once
#include "interp/host/file_url.h"
#include "runtime/builtins/native.h"
#include <memory>
#include <unordered_map>

namespace scr {

/// A value of JSON.
struct Json {
    enum Type : u8 { Missing, Null, Other, String, Array, Object } type = Missing;
    std::string text; ///< of a String; of Other as JSON writes it
    std::vector<std::string> keys; ///< of an Object, in the order of the language; values in `items`
    std::vector<Json> items; ///< of an Array or Object

    static Json string(std::string text) {
        Json json;
        json.type = String;
        json.text = std::move(text);
        return json;
    }
    bool isNullish() const { return type <= Null; }
    /// Null if there is none.
    const Json* find(std::string_view key) const;
    /// As JSON.stringify would write it.
    std::string write() const;
};

enum class PackageType : u8 { None, CommonJs, Module };

struct PackageConfig {
    std::string path; ///< of the package.json
    bool exists = false;
    PackageType type = PackageType::None;
    bool hasName = false;
    std::string name, main; ///< empty: none, or no string
    Json exports, imports; ///< imports: an Object or Missing
};

class PackageConfigs {
public:
    /// On whose behalf a file is read: decides what the error says about a file that is no JSON.
    struct Reader {
        bool isModule = false;
        std::string specifier, base; ///< of an import: base is a path
    };
    /// The package.json at `path`; throws if it is none.
    Completion<const PackageConfig*> read(Vm& vm, const std::string& path, const Reader& reader);
    /// That of the package in which a file lies: the nearest one above, up to node_modules. `exists` is false, and
    /// `path` the topmost looked for, if there is none.
    Completion<const PackageConfig*> scopeOf(Vm& vm, const std::string& file, const Reader& reader);

private:
    std::unordered_map<std::string, std::unique_ptr<PackageConfig>> known_;
};

/// The content of a file, or false with errno; EFBIG: it has more than `most` bytes (the default: as a string can
/// hold).
bool readWholeFile(const std::string& path, std::string& text, size_t most = String::MaxLength);
/// The message of an exception, if it is an error that has one as a string; empty otherwise.
std::string messageOf(Vm& vm, Value exception);
/// The key is a canonical array index.
bool isArrayIndexText(std::string_view key);

}
