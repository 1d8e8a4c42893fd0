// Hints from an error's message, its place in the source, and the values that are known of it. See hints.h.
#include "interp/host/hints.h"
#include "interp/host/scope_names.h"
#include "interp/vm/missing.h"
#include "runtime/base/near_miss.h"
#include "runtime/builtins/native.h"
#include "runtime/core/proxy.h"
#include <algorithm>
#include <unistd.h>

namespace scr {

namespace {

constexpr size_t MostKeys = 20000;

/// The nearest of the names that were offered, the first of those as near.
class Nearest {
public:
    explicit Nearest(std::string word)
        : word_(std::move(word)) { }
    void offer(const std::string& name) {
        if (!isNearMiss(word_, name))
            return;
        constexpr unsigned Far = 8;
        unsigned distance = editDistance(word_, name, Far);
        if (distance < best_) {
            best_ = distance;
            found_ = name;
        }
    }
    const std::string& found() const { return found_; }

private:
    std::string word_, found_;
    unsigned best_ = ~0u;
};

void offerKeys(Vm& vm, Object* object, bool callable, Nearest& nearest) {
    size_t seen = 0;
    for (Object* holder = object; holder && !isProxy(holder); holder = prototypeOf(vm, holder)) {
        std::vector<PropertyKey> keys;
        ownKeys(vm, holder, StringKeys, keys);
        for (PropertyKey key : keys) {
            if (++seen > MostKeys)
                return;
            if (!key.isAtom())
                continue;
            Lookup found = callable ? getOwnProperty(vm, holder, key) : Lookup{};
            if (callable && !isCallable(found.dataValue()))
                continue;
            nearest.offer(toUtf8(vm, key.asAtom()));
        }
    }
}

bool isNamePart(char c) { return isalnum(u8(c)) || c == '_' || c == '$' || u8(c) >= 0x80; }

/// The last link of "a.b[0].c": c; of "f(x)": f(x); of "a[0]": [0].
size_t lastLink(std::string_view text) {
    size_t at = text.size();
    auto overBrackets = [&](char open, char close) {
        int depth = 0;
        while (at > 0) {
            char c = text[--at];
            depth += c == close ? 1 : c == open ? -1 : 0;
            if (depth == 0)
                return;
        }
    };
    if (text.ends_with(']')) {
        overBrackets('[', ']');
        return at;
    }
    if (text.ends_with(')'))
        overBrackets('(', ')');
    while (at > 0 && (isNamePart(text[at - 1]) || text[at - 1] == '#'))
        at--;
    return at;
}

std::string messageOf(Vm& vm, Object* error) {
    Lookup message = lookup(vm, error, KEY(vm, message));
    bool isText = message.type == Lookup::Data && message.value.isString();
    return isText ? toUtf8(vm, message.value.asString()) : "";
}

/// "a number, 5", "an instance of Map"...
std::string describeKind(Vm& vm, Value value) {
    if (value.isNullish())
        return value.isNull() ? "null" : "undefined";
    if (value.isString()) {
        std::string text = toUtf8(vm, value.asString());
        constexpr size_t Longest = 40;
        return text.size() > Longest ? "a string" : "the string '" + text + "'";
    }
    if (value.isNumber())
        return "the number " + describeForMessage(vm, value);
    if (value.isBoolean())
        return describeForMessage(vm, value);
    if (!value.isObject())
        return value.isSymbol() ? "a symbol" : "no object";
    if (value.asObject()->isCallable())
        return "a function";
    if (kindOf(value.asCell()) == Kind::Array)
        return "an array";
    std::string shown = describeForMessage(vm, value); // #<Name>
    bool isPlain = shown == "#<Object>" || !shown.starts_with("#<");
    return isPlain ? "an object" : "an instance of " + shown.substr(2, shown.size() - 3);
}

class HintMaker {
public:
    HintMaker(Vm& vm, Object* error, const ThrowPlace& place, const Place& where)
        : vm_(vm)
        , error_(static_cast<ErrorObject*>(error))
        , source_(static_cast<Code*>(place.code)->script->source->text)
        , script_(*static_cast<Code*>(place.code)->script->source)
        , code_(static_cast<Code*>(place.code))
        , where_(where)
        , message_(messageOf(vm, error)) { }
    Hints make();

private:
    bool brokenLink(Hints& hints);
    bool noFunction(Hints& hints);
    bool noName(Hints& hints);
    bool noModule(Hints& hints);
    std::string meantProperty(const Missing& missing, const std::string& expression, bool callable);

    Vm& vm_;
    ErrorObject* error_;
    std::string_view source_;
    const ScriptSource& script_;
    Code* code_;
    const Place& where_;
    std::string message_;
};

/// "did you mean a.push?", where the expression is a.psuh.
std::string HintMaker::meantProperty(const Missing& missing, const std::string& expression, bool callable) {
    if (missing.holder.isHole() || missing.holder.isNullish() || !missing.key.isAtom() || missing.key.isPrivate())
        return "";
    Object* holder = propertiesOf(vm_, missing.holder);
    // It is there by now, or was: then it is not the name that is wrong.
    if (lookup(vm_, holder, missing.key).found())
        return "";
    std::string name = toUtf8(vm_, missing.key.asAtom());
    Nearest nearest(name);
    offerKeys(vm_, holder, callable, nearest);
    if (nearest.found().empty())
        return "";
    bool ends = expression.size() > name.size() && expression.ends_with("." + name);
    std::string whole =
        ends ? expression.substr(0, expression.size() - name.size()) + nearest.found() : nearest.found();
    return "did you mean " + whole + "?";
}

/// A property was looked for in undefined or null.
bool HintMaker::brokenLink(Hints& hints) {
    for (const char* nothing : {"undefined", "null"}) {
        if (!message_.starts_with("Cannot read properties of " + std::string(nothing) + " ")
            && !message_.starts_with("Cannot set properties of " + std::string(nothing) + " "))
            continue;
        if (where_.point < where_.begin || where_.point > source_.size())
            return true;
        std::string_view link = source_.substr(where_.begin, where_.point - where_.begin);
        auto trim = [&] {
            while (!link.empty() && std::string_view(".[ ?\n\r\t").find(link.back()) != std::string_view::npos)
                link.remove_suffix(1);
        };
        trim();
        if (message_.starts_with("Cannot set")) { // the target is all that stands before the point
            link = link.substr(0, lastLink(link));
            trim();
        }
        size_t last = lastLink(link);
        bool sameLine = source_.substr(where_.begin + last, where_.point - where_.begin - last).find('\n')
            == std::string_view::npos;
        if (!link.empty() && sameLine && last < link.size())
            hints.caret = {where_.begin + u32(last), where_.begin + u32(link.size())};
        bool plain = !link.empty() && link != nothing && link.find_first_of("\n\r;{}") == std::string::npos;
        if (plain)
            hints.value = std::string(link) + " is " + nothing;
        hints.meant = meantProperty(findMissing(vm_, error_), std::string(link), false);
        return true;
    }
    return false;
}

/// Something was called, constructed or iterated that cannot be.
bool HintMaker::noFunction(Hints& hints) {
    for (std::string_view end : {" is not a function", " is not a constructor", " is not iterable",
             " is not a function or its return value is not iterable"}) {
        if (!message_.ends_with(end))
            continue;
        std::string expression = message_.substr(0, message_.size() - end.size());
        Missing missing = findMissing(vm_, error_);
        bool isNamed = !expression.empty() && isNamePart(expression[0]) && !isdigit(u8(expression[0]))
            && expression.find("(intermediate value)") == std::string::npos && expression != "undefined"
            && expression != "null";
        bool known =
            !missing.value.isHole() && !missing.value.isUninitialized() && expression.find('"') == std::string::npos;
        bool isCall = end.find("iterable") == std::string_view::npos;
        if (isNamed && known
            && !(isCall && isCallable(missing.value) && end.find("constructor") == std::string_view::npos))
            hints.value = expression + " is " + describeKind(vm_, missing.value);
        hints.meant = meantProperty(missing, expression, isCall);
        return true;
    }
    return false;
}

/// A variable that is not there.
bool HintMaker::noName(Hints& hints) {
    constexpr std::string_view End = " is not defined";
    if (!message_.ends_with(End))
        return false;
    std::string name = message_.substr(0, message_.size() - End.size());
    Nearest nearest(name);
    std::vector<std::string> names = namesInScope(Source(script_.name, script_.text), where_.point);
    for (auto each = names.rbegin(); each != names.rend(); ++each) // the inner ones first
        nearest.offer(*each);
    std::vector<PropertyKey> lexical;
    if (Object* declared = code_->realm->lexical)
        ownKeys(vm_, declared, StringKeys, lexical);
    for (PropertyKey key : lexical)
        if (key.isAtom())
            nearest.offer(toUtf8(vm_, key.asAtom()));
    offerKeys(vm_, code_->realm->global, false, nearest);
    if (!nearest.found().empty())
        hints.meant = "did you mean " + nearest.found() + "?";
    return true;
}

/// A file that is not there, but would be with an ending.
bool HintMaker::noModule(Hints& hints) {
    constexpr std::string_view Begin = "Cannot find module '";
    if (!message_.starts_with(Begin))
        return false;
    std::string path = message_.substr(Begin.size(), message_.find('\'', Begin.size()) - Begin.size());
    constexpr std::string_view Endings[] = {
        ".scr", ".js", ".mjs", ".cjs", ".json", "/index.scr", "/index.js", "/index.mjs"};
    for (std::string_view ending : Endings)
        if (path.starts_with('/') && access((path + std::string(ending)).c_str(), F_OK) == 0) {
            std::string name = path.substr(path.rfind('/') + 1) + std::string(ending);
            hints.meant = "there is " + name + ": an import names the whole file";
            return true;
        }
    return true;
}

Hints HintMaker::make() {
    Hints hints;
    if (!message_.empty())
        (void)(brokenLink(hints) || noFunction(hints) || noModule(hints) || noName(hints));
    return hints;
}

}

Hints hintsOf(Vm& vm, Object* error, const ThrowPlace& place, const Place& where) {
    if (kindOf(error) != Kind::Error)
        return {};
    return HintMaker(vm, error, place, where).make();
}

}
