// Reading package.json: through JSON.parse, so that the errors are the same, into values of our own.
#include "interp/host/package_config.h"
#include "runtime/builtins/json.h"
#include "runtime/core/error.h"
#include "runtime/core/promise.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scr {

namespace {

void appendQuoted(std::string& out, std::string_view text) {
    out += '"';
    for (char c : text) {
        constexpr char digits[] = "0123456789abcdef";
        auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (byte < ' ')
            (((out += "\\u00") += digits[byte >> 4]) += digits[byte & 15]);
        else
            out += c;
    }
    out += '"';
}

/// From a value that JSON.parse made. Deep ones end as Other: nobody looks that far.
Json copyJson(Vm& vm, Value value, u32 depth = 0) {
    Json json;
    if (value.isString())
        return Json::string(toUtf8(vm, value.asString()));
    if (value.isNull()) {
        json.type = Json::Null;
    } else if (!value.isObject() || depth > 100) {
        json.type = Json::Other;
        json.text = describeForMessage(vm, value);
    } else {
        Object* object = value.asObject();
        bool isArray = kindOf(object) == Kind::Array;
        json.type = isArray ? Json::Array : Json::Object;
        std::vector<PropertyKey> keys;
        ownKeys(vm, object, StringKeys | OnlyEnumerable, keys);
        for (PropertyKey key : keys) {
            if (!isArray)
                json.keys.push_back(toUtf8(vm, keyToValue(vm, key).asString()));
            json.items.push_back(copyJson(vm, getOwnProperty(vm, object, key).dataValue(), depth + 1));
        }
    }
    return json;
}

Json copyField(Vm& vm, Object* object, std::string_view name) {
    Lookup found = getOwnProperty(vm, object, keyFromAtom(internAscii(vm, name)));
    return found.found() ? copyJson(vm, found.dataValue()) : Json();
}

void fill(Vm& vm, PackageConfig& config, Object* object) {
    Json name = copyField(vm, object, "name"), main = copyField(vm, object, "main");
    Json type = copyField(vm, object, "type");
    config.hasName = name.type == Json::String;
    config.name = config.hasName ? name.text : "";
    config.main = main.type == Json::String ? main.text : "";
    if (type.type == Json::String)
        config.type = type.text == "module" ? PackageType::Module
            : type.text == "commonjs"       ? PackageType::CommonJs
                                            : PackageType::None;
    config.exports = copyField(vm, object, "exports");
    config.imports = copyField(vm, object, "imports");
    if (config.imports.type != Json::Object)
        config.imports = {};
}

/// Says of the pending SyntaxError in which file it is, in Node's words for an import or a require.
Threw throwBroken(Vm& vm, const std::string& path, const PackageConfigs::Reader& reader) {
    auto caught = catchException(vm);
    if (caught.threw())
        return {};
    std::string why = messageOf(vm, caught.value());
    if (reader.isModule) {
        std::string text = "Invalid package config " + path;
        if (!reader.base.empty())
            text += " while importing " + (reader.specifier.empty() ? "" : "\"" + reader.specifier + "\" from ")
                + reader.base;
        return throwCoded(vm, Intrinsic::ErrorPrototype, "ERR_INVALID_PACKAGE_CONFIG", text + ". " + why);
    }
    std::string text = "Error parsing " + path + ": " + why;
    Object* error = newError(vm, Intrinsic::SyntaxErrorPrototype, newUtf8(vm, text));
    defineDirect(vm, error, keyFromAtom(internAscii(vm, "path")), utf8Value(vm, path), AllAttributes);
    return vm.throwValue(Value::object(error));
}

}

const Json* Json::find(std::string_view key) const {
    if (type == Object)
        for (size_t i = 0; i < keys.size(); i++)
            if (keys[i] == key)
                return &items[i];
    return nullptr;
}

std::string Json::write() const {
    std::string out;
    switch (type) {
    case Missing:
    case Null: return "null";
    case Other: return text;
    case String: appendQuoted(out, text); return out;
    case Array:
    case Object: break;
    }
    out = type == Array ? "[" : "{";
    for (size_t i = 0; i < items.size(); i++) {
        if (i)
            out += ',';
        if (type == Object) {
            appendQuoted(out, keys[i]);
            out += ':';
        }
        out += items[i].write();
    }
    return out + (type == Array ? "]" : "}");
}

std::string messageOf(Vm& vm, Value exception) {
    Value message = exception.isObject() ? lookup(vm, exception.asObject(), KEY(vm, message)).dataValue() : Value();
    return message.isString() ? toUtf8(vm, message.asString()) : "";
}

bool isArrayIndexText(std::string_view key) {
    if (key.empty() || key.size() > 10 || (key[0] == '0' && key.size() > 1))
        return false;
    u64 number = 0;
    for (char c : key) {
        if (c < '0' || c > '9')
            return false;
        number = number * 10 + u64(c - '0');
    }
    return number < 0xFFFFFFFF;
}

bool readWholeFile(const std::string& path, std::string& text, size_t most) {
    text.clear();
    if (path.find('\0') != path.npos) {
        errno = ENOENT;
        return false;
    }
    int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    char buffer[32 * 1024];
    ssize_t count = 0;
    while (text.size() <= most && ((count = ::read(fd, buffer, sizeof buffer)) > 0 || (count < 0 && errno == EINTR)))
        if (count > 0)
            text.append(buffer, size_t(count));
    int error = text.size() > most ? EFBIG : count < 0 ? errno : 0;
    close(fd);
    errno = error;
    return !error;
}

Completion<const PackageConfig*> PackageConfigs::read(Vm& vm, const std::string& path, const Reader& reader) {
    if (auto found = known_.find(path); found != known_.end())
        return found->second.get();
    auto config = std::make_unique<PackageConfig>();
    config->path = path;
    std::string text;
    if (readWholeFile(path, text)) {
        TRY(vm.work(text.size() / 64));
        if (text.starts_with("\xEF\xBB\xBF"))
            text.erase(0, 3);
        auto parsed = parseJson(vm, newUtf8(vm, text));
        if (parsed.threw())
            return throwBroken(vm, path, reader);
        if (parsed.value().isNull())
            return throwText(vm, Intrinsic::TypeErrorPrototype, "Cannot convert undefined or null to object");
        config->exists = true;
        if (parsed.value().isObject())
            fill(vm, *config, parsed.value().asObject());
    }
    const PackageConfig* result = config.get();
    known_.emplace(path, std::move(config));
    return result;
}

Completion<const PackageConfig*> PackageConfigs::scopeOf(Vm& vm, const std::string& file, const Reader& reader) {
    const PackageConfig* config = nullptr;
    std::string folder = file;
    do {
        folder = folderOf(folder);
        if (folder.ends_with("/node_modules"))
            break;
        config = TRY(read(vm, (folder == "/" ? "" : folder) + "/package.json", reader));
    } while (!config->exists && folder != "/" && folder != ".");
    if (!config) {
        static const PackageConfig none;
        return &none;
    }
    return config;
}

}
