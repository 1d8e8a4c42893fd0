// Reading the front matter (a small part of YAML: key: value, key: [a, b], key: with a list or keys below) and the
// rules of scope and need.
#include "tests/conformance/test_file.h"
#include <algorithm>

namespace {

using Strings = std::vector<std::string>;

bool contains(const Strings& list, std::string_view what) {
    return std::find(list.begin(), list.end(), what) != list.end();
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\r'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

/// The items of "[a, b]", or of "a, b".
void addItems(std::string_view text, Strings& list) {
    std::string item;
    auto finish = [&] {
        if (!item.empty())
            list.push_back(item);
        item.clear();
    };
    for (char c : text) {
        if (c == ',' || c == ']')
            finish();
        else if (c != '[' && c != ' ' && c != '\r')
            item += c;
    }
    finish();
}

class FrontMatter {
public:
    explicit FrontMatter(TestFile& test)
        : test_(test) { }

    void read(std::string_view text) {
        size_t begin = text.find("/*---"), end = text.find("---*/");
        if (begin == text.npos || end == text.npos || end < begin)
            return;
        text = text.substr(begin + 5, end - begin - 5);
        while (!text.empty()) {
            size_t length = text.find_first_of("\n\r"); // a few tests end their lines with CR alone
            line(text.substr(0, length));
            text.remove_prefix(length == text.npos ? text.size() : length + 1);
        }
    }

private:
    Strings* listOf(std::string_view key) {
        return key == "flags"   ? &test_.flags
            : key == "features" ? &test_.features
            : key == "includes" ? &test_.includes
                                : nullptr;
    }

    void line(std::string_view raw) {
        bool isIndented = raw.starts_with(' ');
        std::string_view text = trim(raw);
        size_t colon = text.find(':');
        if (text.starts_with("- ") && list_) {
            addItems(text.substr(2), *list_);
        } else if (list_ && isOpen_) { // a list that goes on over several lines
            addItems(text, *list_);
            isOpen_ = text.find(']') == text.npos;
        } else if (!isIndented && colon != text.npos) {
            key_ = text.substr(0, colon);
            std::string_view value = trim(text.substr(colon + 1));
            list_ = listOf(key_);
            isOpen_ = list_ && value.starts_with('[') && value.find(']') == value.npos;
            if (list_)
                addItems(value, *list_);
        } else if (key_ == "negative" && colon != text.npos) {
            std::string value(trim(text.substr(colon + 1)));
            (text.starts_with("phase") ? test_.negativePhase : test_.negativeType) = value;
        }
    }

    TestFile& test_;
    std::string key_;
    Strings* list_ = nullptr;
    bool isOpen_ = false;
};

// ---- tokens

bool isNamePart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$'
        || c == '\\' || (c & 0x80);
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Goes through a source by tokens, roughly: enough to tell words from what stands in strings and comments, and regular
/// expressions from divisions.
class Scanner {
public:
    Scanner(std::string_view text, bool names)
        : text_(text)
        , names_(names) { }

    uint32_t scan() {
        while (at_ < text_.size())
            token();
        return needs_;
    }

private:
    char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void token() {
        char c = peek();
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            at_++;
        else if (c == '/' && peek(1) == '/')
            at_ = std::min(text_.find('\n', at_), text_.size());
        else if (c == '/' && peek(1) == '*')
            at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
        else if (c == '"' || c == '\'')
            string(c);
        else if (c == '`')
            templateText();
        else if (isNamePart(c))
            word();
        else
            punctuator(c);
    }

    void string(char quote) {
        for (at_++; at_ < text_.size() && peek() != quote && peek() != '\n'; at_++)
            at_ += peek() == '\\';
        at_++;
        last_ = "\"";
    }

    void templateText() {
        for (at_++; at_ < text_.size() && peek() != '`'; at_++) {
            if (peek() == '\\') {
                at_++;
            } else if (peek() == '$' && peek(1) == '{') {
                at_ += 2;
                last_ = "{";
                unsigned depth = depth_;
                while (at_ < text_.size() && !(peek() == '}' && depth_ == depth))
                    token();
            }
        }
        at_++;
        last_ = "\"";
    }

    void word() {
        size_t begin = at_;
        while (isNamePart(peek()))
            at_++;
        std::string_view word = text_.substr(begin, at_ - begin);
        if (isDigit(word[0])) {
            // 1n, 0xFn; not 0b1 followed by a name.
            if (word.back() == 'n')
                needs_ |= NeedsBigInt;
            last_ = "0";
            return;
        }
        bool isProperty = last_ == ".";
        last_ = word;
        if (word == "await" || word == "async")
            needs_ |= NeedsAsync;
        else if (word == "yield" && !isProperty)
            needs_ |= NeedsGenerator;
        else if (word == "import" && !isProperty)
            needs_ |= NeedsModule;
        else if (names_)
            name(word);
    }

    void name(std::string_view word) {
        if (word == "RegExp")
            needs_ |= NeedsRegExp;
        else if (word.find("BigInt") != word.npos || word.find("BigUint") != word.npos)
            needs_ |= NeedsBigInt;
        else if (word == "Date")
            needs_ |= NeedsDate;
    }

    /// Whether an operand stands before this place, so that `/` divides and `*` multiplies.
    bool followsOperand() const {
        if (last_.empty())
            return false;
        if (last_ == "\"" || last_ == "0" || last_ == ")" || last_ == "]" || last_ == "}")
            return true;
        static constexpr std::string_view words[] = {"return", "typeof", "case", "do", "else", "in", "of", "instanceof",
            "new", "delete", "void", "throw", "yield", "await"};
        return isNamePart(last_[0]) && std::find(std::begin(words), std::end(words), last_) == std::end(words);
    }

    void punctuator(char c) {
        if (c == '/' && !followsOperand())
            return regularExpression();
        // function*, and *name() in a class or an object literal
        if (c == '*' && peek(1) != '*' && peek(1) != '='
            && (last_ == "function" || last_ == "{" || last_ == "," || last_ == ";" || last_ == "}" || last_ == "static"
                || last_ == "async"))
            needs_ |= NeedsGenerator;
        depth_ += c == '{';
        depth_ -= c == '}';
        last_ = text_.substr(at_++, 1);
    }

    void regularExpression() {
        bool inClass = false;
        size_t begin = at_++;
        while (at_ < text_.size() && peek() != '\n' && (inClass || peek() != '/')) {
            inClass = peek() == '[' || (inClass && peek() != ']');
            at_ += peek() == '\\';
            at_++;
        }
        if (peek() != '/') { // none after all
            at_ = begin + 1;
            last_ = "/";
            return;
        }
        at_++;
        while (isNamePart(peek()))
            at_++;
        needs_ |= NeedsRegExp;
        last_ = "\"";
    }

    std::string_view text_;
    size_t at_ = 0;
    std::string_view last_; ///< the token before: text, or " for a string, 0 for a number
    unsigned depth_ = 0;
    uint32_t needs_ = 0;
    bool names_;
};

// ---- rules

struct Rule {
    Need need;
    std::string_view text;
};
constexpr Rule featureRules[] = {{NeedsGenerator, "generators"}, {NeedsAsync, "async-functions"},
    {NeedsAsync, "async-iteration"}, {NeedsAsync, "Symbol.asyncIterator"}, {NeedsAsync, "Array.fromAsync"},
    {NeedsModule, "top-level-await"}, {NeedsModule, "dynamic-import"}, {NeedsModule, "import.meta"},
    {NeedsModule, "import-attributes"}, {NeedsModule, "json-modules"}, {NeedsBigInt, "BigInt"}};
constexpr Rule folderRules[] = {{NeedsGenerator, "built-ins/GeneratorFunction/"},
    {NeedsGenerator, "built-ins/GeneratorPrototype/"}, {NeedsAsync, "built-ins/AsyncFunction/"},
    {NeedsAsync, "built-ins/AsyncGeneratorFunction/"}, {NeedsAsync, "built-ins/AsyncGeneratorPrototype/"},
    {NeedsAsync, "built-ins/AsyncIteratorPrototype/"}, {NeedsAsync, "built-ins/AsyncFromSyncIteratorPrototype/"},
    {NeedsModule, "language/module-code/"}, {NeedsModule, "language/import/"}, {NeedsModule, "language/export/"},
    {NeedsRegExp, "built-ins/RegExp/"}, {NeedsRegExp, "built-ins/RegExpStringIteratorPrototype/"},
    // These make a regular expression of what they are given.
    {NeedsRegExp, "built-ins/String/prototype/match/"}, {NeedsRegExp, "built-ins/String/prototype/matchAll/"},
    {NeedsRegExp, "built-ins/String/prototype/search/"}, {NeedsRegExp, "language/literals/regexp/"},
    {NeedsBigInt, "built-ins/BigInt/"}, {NeedsDate, "built-ins/Date/"}};
constexpr std::string_view outsideFeatures[] = {"Temporal", "ShadowRealm", "tail-call-optimization",
    "source-phase-imports", "source-phase-imports-module-source", "import-defer", "decorators", "Atomics.waitAsync"};

uint32_t needsOfFeatures(const Strings& features) {
    uint32_t needs = 0;
    for (const Rule& rule : featureRules)
        if (contains(features, rule.text))
            needs |= rule.need;
    return needs;
}

uint32_t findNeeds(const TestFile& test, std::string_view text) {
    uint32_t needs = Scanner(text, true).scan() | needsOfFeatures(test.features);
    for (const Rule& rule : folderRules)
        if (test.path.starts_with(rule.text))
            needs |= rule.need;
    for (const std::string& feature : test.features)
        if (feature.starts_with("regexp-"))
            needs |= NeedsRegExp;
    // At the beginning of a statement, behind a block: no token before it tells.
    if (test.path.starts_with("language/statementList/") && test.path.find("regexp-literal") != std::string::npos)
        needs |= NeedsRegExp;
    if (contains(test.flags, "module"))
        needs |= NeedsModule;
    if (contains(test.flags, "async"))
        needs |= NeedsAsync;
    return needs;
}

bool isInScope(const TestFile& test, std::string_view text) {
    if (contains(test.flags, "noStrict"))
        return false;
    for (std::string_view feature : outsideFeatures)
        if (contains(test.features, feature))
            return false;
    for (const std::string& feature : test.features)
        if (feature.starts_with("Intl"))
            return false;
    // Atomics across threads.
    return !contains(test.includes, "atomicsHelper.js") && !contains(test.flags, "CanBlockIsTrue")
        && !contains(test.flags, "CanBlockIsFalse") && text.find("$262.agent") == text.npos;
}

}

bool TestFile::hasFlag(std::string_view flag) const { return contains(flags, flag); }
bool TestFile::hasFeature(std::string_view feature) const { return contains(features, feature); }

std::string TestFile::folder() const {
    size_t slash = path.find('/', path.find('/') + 1);
    return path.substr(0, slash == path.npos ? path.find('/') : slash);
}

uint32_t needsOfInclude(std::string_view text) {
    TestFile file;
    FrontMatter(file).read(text);
    return Scanner(text, false).scan() | needsOfFeatures(file.features);
}

TestFile readTest(std::string path, std::string_view text) {
    TestFile test;
    test.path = std::move(path);
    FrontMatter(test).read(text);
    test.isInScope = isInScope(test, text);
    test.needs = findNeeds(test, text);
    return test;
}
