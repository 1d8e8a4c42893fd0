// Fuzzes JSON: our parser accepts exactly what a plain parser written from RFC 8259 accepts, and gives the same tree
// (by its text); what is written reads back as what it was, indented or not.
#include "runtime/base/utf.h"
#include "runtime/core/number.h"
#include "tests/fuzz/engine_values.h"
#include "tests/fuzz/libfuzzer.h"
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

using namespace scr;
using namespace scr::fuzz;

namespace {

/// Reads and writes at once: the text of what was read, as JSON.stringify must write it.
class Reference {
public:
    explicit Reference(const std::u16string& text)
        : text_(text) { }
    bool parse(std::u16string& out) {
        bool ok = value(out, 0);
        space();
        return ok && at_ == text_.size();
    }

private:
    const std::u16string& text_;
    size_t at_ = 0;

    bool ends() const { return at_ == text_.size(); }
    bool take(char16_t unit) {
        if (ends() || text_[at_] != unit)
            return false;
        at_++;
        return true;
    }
    void space() {
        while (!ends() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
            at_++;
    }
    bool word(const char16_t* word, std::u16string& out) {
        size_t length = std::char_traits<char16_t>::length(word);
        if (text_.compare(at_, length, word) != 0)
            return false;
        at_ += length;
        out += word;
        return true;
    }

    bool value(std::u16string& out, unsigned depth) {
        space();
        if (ends() || depth > 2000)
            return false;
        switch (text_[at_]) {
        case '{': return object(out, depth);
        case '[': return array(out, depth);
        case '"': {
            std::u16string content;
            if (!string(content))
                return false;
            quote(content, out);
            return true;
        }
        case 't': return word(u"true", out);
        case 'f': return word(u"false", out);
        case 'n': return word(u"null", out);
        default: return number(out);
        }
    }

    bool digits(std::string& ascii) {
        size_t begin = at_;
        while (!ends() && text_[at_] >= '0' && text_[at_] <= '9')
            ascii += char(text_[at_++]);
        return at_ > begin;
    }

    bool number(std::u16string& out) {
        std::string ascii;
        if (take('-'))
            ascii += '-';
        if (take('0'))
            ascii += '0';
        else if (!digits(ascii))
            return false;
        if (take('.')) {
            ascii += '.';
            if (!digits(ascii))
                return false;
        }
        if (take('e') || take('E')) {
            ascii += 'e';
            if (take('-'))
                ascii += '-';
            else
                (void)take('+');
            if (!digits(ascii))
                return false;
        }
        double number = strtod(ascii.c_str(), nullptr);
        NumberBuffer buffer;
        std::string_view shown = number - number != 0 ? "null" : number == 0 ? "0" : numberText(number, buffer);
        out.append(shown.begin(), shown.end());
        return true;
    }

    bool string(std::u16string& content) {
        if (!take('"'))
            return false;
        while (!ends()) {
            char16_t unit = text_[at_++];
            if (unit == '"')
                return true;
            if (unit < 0x20)
                return false;
            if (unit == '\\' && !escape(unit))
                return false;
            content += unit;
        }
        return false;
    }

    bool escape(char16_t& unit) {
        if (ends())
            return false;
        static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
        char16_t name = text_[at_++];
        if (name == 'u') {
            unsigned code = 0;
            for (int i = 0; i < 4; i++, at_++) {
                if (ends() || text_[at_] > 'f' || !isxdigit(int(text_[at_])))
                    return false;
                code = code * 16 + unsigned(text_[at_] <= '9' ? text_[at_] - '0' : (text_[at_] | 32) - 'a' + 10);
            }
            unit = char16_t(code);
            return true;
        }
        const char* found = name && name < 0x80 ? strchr(names, int(name)) : nullptr;
        if (found)
            unit = char16_t(values[found - names]);
        return found;
    }

    bool array(std::u16string& out, unsigned depth) {
        at_++;
        out += '[';
        space();
        if (take(']')) {
            out += ']';
            return true;
        }
        for (;;) {
            if (!value(out, depth + 1))
                return false;
            space();
            if (take(']'))
                break;
            if (!take(','))
                return false;
            out += ',';
        }
        out += ']';
        return true;
    }

    static bool isIndex(const std::u16string& key, u64& index) {
        index = 0;
        if (key.empty() || key.size() > 10 || (key[0] == '0' && key.size() > 1))
            return false;
        for (char16_t unit : key) {
            if (unit < '0' || unit > '9')
                return false;
            index = index * 10 + unit - '0';
        }
        return index < 4294967295;
    }

    bool object(std::u16string& out, unsigned depth) {
        at_++;
        std::map<u64, std::pair<std::u16string, std::u16string>> indices; // first, ascending
        std::vector<std::pair<std::u16string, std::u16string>> names; // in the order of their first place
        space();
        if (!take('}')) {
            for (;;) {
                std::u16string key, content;
                space();
                if (!string(key))
                    return false;
                space();
                if (!take(':') || !value(content, depth + 1))
                    return false;
                u64 index;
                if (isIndex(key, index)) {
                    indices[index] = {key, content};
                } else {
                    bool known = false;
                    for (auto& [name, old] : names) {
                        if (name == key)
                            old = content, known = true;
                    }
                    if (!known)
                        names.emplace_back(key, content);
                }
                space();
                if (take('}'))
                    break;
                if (!take(','))
                    return false;
            }
        }
        out += '{';
        bool first = true;
        auto add = [&](const std::u16string& key, const std::u16string& content) {
            if (!first)
                out += ',';
            first = false;
            quote(key, out);
            out += ':';
            out += content;
        };
        for (const auto& [index, member] : indices)
            add(member.first, member.second);
        for (const auto& [key, content] : names)
            add(key, content);
        out += '}';
        return true;
    }

    /// 25.5.2.3 QuoteJSONString.
    static void quote(const std::u16string& content, std::u16string& out) {
        static const char names[] = "\"\\bfnrt", values[] = "\"\\\b\f\n\r\t";
        out += '"';
        for (size_t i = 0; i < content.size(); i++) {
            char16_t unit = content[i];
            const char* found = unit && unit < 0x80 ? strchr(values, int(unit)) : nullptr;
            bool isPair = unit >= 0xd800 && unit < 0xdc00 && i + 1 < content.size() && content[i + 1] >= 0xdc00
                && content[i + 1] < 0xe000;
            if (found) {
                out += '\\';
                out += char16_t(names[found - values]);
            } else if (isPair) {
                out += unit;
                out += content[++i];
            } else if (unit < 0x20 || (unit >= 0xd800 && unit < 0xe000)) {
                char escaped[8];
                snprintf(escaped, sizeof escaped, "\\u%04x", unsigned(unit));
                for (const char* c = escaped; *c; c++)
                    out += char16_t(*c);
            } else {
                out += unit;
            }
        }
        out += '"';
    }
};

std::u16string unitsOf(Vm& vm, Value string) {
    String* flat = MUST(flatten(vm, string.asString()));
    std::u16string units;
    for (u32 i = 0; i < flat->length; i++)
        units += flat->unit(i);
    return units;
}

}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 1)
        return 0;
    u8 mode = data[0];
    std::u16string source;
    // Either UTF-16 as it comes, or bytes as units, or the signs that JSON is made of.
    static const char set[] = "{}[]:,\"\"\\u0123456789-+.eE tfn\ntruefalsenull abc";
    for (size_t i = 1; i < size; i++) {
        if (mode % 4 == 1 && i + 1 < size)
            source += char16_t(data[i] | (data[i + 1] << 8)), i++;
        else
            source += mode % 4 == 2 ? char16_t(u8(set[data[i] % (sizeof set - 1)])) : char16_t(data[i]);
    }
    Vm& vm = sharedEngine().vm();
    Value json = global(vm, "JSON"), parse = property(vm, json, "parse"), stringify = property(vm, json, "stringify");
    std::u16string expected;
    bool valid = Reference(source).parse(expected);
    Completion<Value> read = call(vm, parse, json, Value::string(newUtf16(vm, source.data(), u32(source.size()))));
    if (read.threw()) {
        std::string error = takeError(vm);
        CHECK(!valid && error == "SyntaxError");
        return 0;
    }
    CHECK(valid);
    Value written = MUST(call(vm, stringify, json, read.value()));
    CHECK(unitsOf(vm, written) == expected);
    // Once more, by another way: indented.
    Value indented = MUST(call(vm, stringify, json, read.value(), Value::null(), Value::int32(mode % 11)));
    Value again = MUST(call(vm, parse, json, indented));
    CHECK(unitsOf(vm, MUST(call(vm, stringify, json, again))) == expected);
    // And cut anywhere, it is nothing or still something: no crash.
    if (size > 2) {
        u32 length = data[size / 2] % u32(source.size() + 1);
        std::u16string part = source.substr(0, length), ignored;
        bool partIsValid = Reference(part).parse(ignored);
        bool threw = call(vm, parse, json, Value::string(newUtf16(vm, part.data(), length))).threw();
        CHECK(threw != partIsValid);
    }
    return 0;
}
