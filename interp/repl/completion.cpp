// The words that fit: from shapes and slots, the table of modules, and folders.
#include "interp/repl/completion.h"
#include "interp/host/file_url.h"
#include "interp/repl/completion_context.h"
#include "interp/repl/globals.h"
#include "runtime/builtins/native.h"
#include "runtime/core/global_scope.h"
#include "runtime/core/proxy.h"
#include "stdlib/builtin_modules.h"
#include <algorithm>
#include <dirent.h>
#include <set>
#include <sys/stat.h>

namespace scr {

/// Not all reserved words: those with which something begins or goes on.
static constexpr std::string_view Keywords[] = {"async", "await", "break", "case", "catch", "class", "const",
    "continue", "debugger", "default", "delete", "do", "else", "export", "extends", "false", "finally", "for",
    "function", "if", "import", "in", "instanceof", "let", "new", "null", "of", "return", "static", "super", "switch",
    "this", "throw", "true", "try", "typeof", "using", "var", "void", "while", "yield"};
/// A chain of prototypes may be as long as a script likes.
static constexpr int MostPrototypes = 50;

namespace {

class Offers {
public:
    explicit Offers(const CompletionContext& context)
        : word_(context.word) {
        result_.from = context.from;
    }

    void add(std::string_view word) {
        if (word.starts_with(word_) && seen_.emplace(word).second)
            group_.emplace_back(word);
    }
    /// The names of one object: no indices, no symbols, nothing that a dot could not be followed by.
    void addKeys(Vm& vm, Object* object) {
        std::vector<PropertyKey> keys;
        ownKeys(vm, object, StringKeys | NoIndices, keys);
        for (PropertyKey key : keys) {
            std::string name = key.isAtom() ? toUtf8(vm, key.asAtom()) : std::string();
            if (isIdentifierName(name))
                add(name);
        }
    }
    /// The object's own names and those of its prototypes, up to a proxy, which would have to be asked.
    void addChain(Vm& vm, Object* object) {
        for (int i = 0; object && !isProxy(object) && i < MostPrototypes; i++) {
            addKeys(vm, object);
            endGroup();
            object = prototypeOf(vm, object);
        }
    }
    void endGroup() {
        if (group_.empty())
            return;
        std::sort(group_.begin(), group_.end());
        if (!result_.words.empty())
            result_.words.emplace_back();
        result_.words.insert(result_.words.end(), group_.begin(), group_.end());
        group_.clear();
    }
    Completions take() {
        endGroup();
        return std::move(result_);
    }

private:
    std::string_view word_;
    Completions result_;
    std::vector<std::string> group_;
    std::set<std::string, std::less<>> seen_;
};

/// What a lookup has without asking anybody; a hole if somebody would have to be.
Value valueAt(const Lookup& found) {
    bool isKnown = found.found() && !found.isAccessor() && !found.isIntercepted() && !found.value.isUninitialized();
    return isKnown ? found.value : Value::hole();
}

PropertyKey keyOfText(Vm& vm, std::string_view text) { return MUST(toPropertyKey(vm, utf8Value(vm, text))); }

Value valueOfName(Vm& vm, std::string_view name) {
    PropertyKey key = keyOfText(vm, name);
    if (Lookup found = globalLexical(vm, vm.realm, key); found.found())
        return valueAt(found);
    Lookup found = lookup(vm, vm.realm->global, key);
    return found.isAccessor() ? ReplGlobals::peek(vm, found) : valueAt(found);
}

/// Without running anything: members are followed through data properties alone. A hole if that does not go.
Value valueOfPlain(Vm& vm, const PlainExpression& expression) {
    Value value = Value::hole();
    switch (expression.root) {
    case PlainExpression::None: break;
    case PlainExpression::Name: value = valueOfName(vm, expression.name); break;
    case PlainExpression::This: value = Value::object(vm.realm->global.get()); break;
    case PlainExpression::String: value = Value::string(emptyString(vm)); break;
    case PlainExpression::Number: value = Value::int32(0); break;
    case PlainExpression::Boolean: value = Value::boolean(false); break;
    case PlainExpression::Array: value = Value::object(newArray(vm)); break;
    }
    for (const std::string& member : expression.members) {
        if (value.isHole() || value.isNullish())
            return Value::hole();
        PropertyKey key = keyOfText(vm, member);
        if (value.isString() && (key.isIndex() || key == KEY(vm, length))) {
            value = key.isIndex() ? Value::string(emptyString(vm)) : Value::int32(0);
            continue;
        }
        Object* object = propertiesOf(vm, value);
        Lookup found = lookup(vm, object, key);
        value = found.isAccessor() && object == vm.realm->global.get() ? ReplGlobals::peek(vm, found) : valueAt(found);
    }
    return value;
}

Completions completeMembers(Vm& vm, const CompletionContext& context) {
    Offers offers(context);
    Value value = valueOfPlain(vm, context.object);
    if (!value.isHole() && !value.isNullish())
        offers.addChain(vm, propertiesOf(vm, value));
    return offers.take();
}

Completions completeNames(Vm& vm, const CompletionContext& context) {
    Offers offers(context);
    if (Object* lexical = vm.realm->lexical)
        offers.addKeys(vm, lexical);
    offers.endGroup();
    offers.addChain(vm, vm.realm->global);
    for (std::string_view keyword : Keywords)
        offers.add(keyword);
    return offers.take();
}

// ---- files and modules

/// The entries of the folder that `word` names up to its last slash. `wants` leaves out files.
Completions completePath(CompletionContext context, bool (*wants)(std::string_view name)) {
    size_t slash = context.word.rfind('/');
    std::string folder(slash == context.word.npos ? "" : context.word.substr(0, slash + 1));
    context.from += folder.size();
    context.word.remove_prefix(folder.size());
    Offers offers(context);
    if (!folder.starts_with('/'))
        folder = currentFolder() + "/" + folder;
    DIR* directory = opendir(folder.c_str());
    if (!directory)
        return offers.take();
    while (const dirent* entry = readdir(directory)) {
        std::string name = entry->d_name;
        if (name[0] == '.' && (!context.word.starts_with('.') || name == "." || name == ".."))
            continue;
        struct stat status { };
        if (stat((folder + name).c_str(), &status) == 0 && S_ISDIR(status.st_mode))
            offers.add(name + "/");
        else if (wants(name))
            offers.add(name);
    }
    closedir(directory);
    return offers.take();
}

bool isScriptFile(std::string_view name) {
    constexpr std::string_view ends[] = {".js", ".mjs", ".cjs", ".json", ".scr"};
    return std::any_of(std::begin(ends), std::end(ends), [&](std::string_view end) { return name.ends_with(end); });
}

/// The packages in the node_modules folders from the current folder up.
void addPackages(Offers& offers) {
    std::string folder = currentFolder();
    for (;;) {
        if (DIR* directory = opendir((folder + "/node_modules").c_str())) {
            while (const dirent* entry = readdir(directory))
                if (entry->d_name[0] != '.')
                    offers.add(entry->d_name);
            closedir(directory);
        }
        size_t slash = folder.rfind('/');
        if (slash == folder.npos || folder.size() == 1)
            return;
        folder.resize(slash);
    }
}

Completions completeModule(const CompletionContext& context) {
    if (context.word.starts_with("./") || context.word.starts_with("../") || context.word.starts_with('/'))
        return completePath(context, isScriptFile);
    Offers offers(context);
    std::string_view word = context.word, scheme = "node:";
    bool hasScheme = word.starts_with(scheme) || (!word.empty() && scheme.starts_with(word));
    for (const std::string& specifier : builtinModuleSpecifiers(hasScheme))
        offers.add(specifier);
    offers.add(hasScheme ? "node:module" : "module"); // the loader itself, which is not in that table
    offers.endGroup();
    addPackages(offers);
    return offers.take();
}

}

Completions complete(Vm& vm, std::string_view text, size_t cursor, std::span<const std::string_view> commands) {
    CompletionContext context = completionContext(text, cursor);
    switch (context.wanted) {
    case CompletionContext::Nothing: break;
    case CompletionContext::Names: return completeNames(vm, context);
    case CompletionContext::Members: return completeMembers(vm, context);
    case CompletionContext::Module: return completeModule(context);
    case CompletionContext::Path: return completePath(context, [](std::string_view) { return true; });
    case CompletionContext::Command: {
        Offers offers(context);
        for (std::string_view command : commands)
            offers.add(command);
        return offers.take();
    }
    }
    return {cursor, {}};
}

}
