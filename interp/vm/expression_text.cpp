// The expression that failed, as V8 shows it in messages: the source without its arguments, literals and line breaks.
// "o.list[0].find(...).name", "(intermediate value)(...)".
#include "interp/vm/slow_paths.h"
#include "runtime/core/call_site.h"

namespace scr {

namespace {

constexpr std::string_view Unnamed = "(intermediate value)";

bool isWordCharacter(char c) { return isalnum(u8(c)) || c == '_' || c == '$' || c == '#' || u8(c) >= 0x80; }

/// Reads one expression of calls and members from text; whatever else it meets is an intermediate value.
class ExpressionText {
public:
    explicit ExpressionText(std::string_view text)
        : text_(text) { }

    std::string render() {
        skipSpace();
        if (!primary())
            return std::string(Unnamed);
        while (skipSpace(), at_ < text_.size())
            if (!suffix())
                return std::string(Unnamed);
        return std::move(out_);
    }

private:
    char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void skipSpace() {
        while (at_ < text_.size()) {
            if (isspace(u8(peek())))
                at_++;
            else if (peek() == '/' && peek(1) == '*')
                at_ = std::min(text_.size(),
                    text_.find("*/", at_ + 2) == text_.npos ? text_.size() : text_.find("*/", at_ + 2) + 2);
            else if (peek() == '/' && peek(1) == '/')
                at_ = std::min(text_.size(), text_.find('\n', at_));
            else
                return;
        }
    }

    std::string_view word() {
        size_t begin = at_;
        while (isWordCharacter(peek()))
            at_++;
        return text_.substr(begin, at_ - begin);
    }

    /// Past a string or template in quotes.
    void skipString() {
        char quote = text_[at_++];
        while (at_ < text_.size() && peek() != quote)
            at_ += peek() == '\\' ? 2 : 1;
        at_ = std::min(text_.size(), at_ + 1);
    }

    /// From an opening bracket to behind its partner; what stands between.
    std::string_view brackets() {
        size_t begin = at_ + 1;
        int depth = 0;
        while (at_ < text_.size()) {
            char c = peek();
            if (c == '"' || c == '\'' || c == '`') {
                skipString();
                continue;
            }
            at_++;
            if (c == '(' || c == '[' || c == '{')
                depth++;
            else if ((c == ')' || c == ']' || c == '}') && --depth == 0)
                break;
        }
        size_t end = at_ > begin ? at_ - 1 : begin;
        return text_.substr(begin, end - begin);
    }

    bool primary() {
        char c = peek();
        if (c == '(')
            return group(brackets());
        if (c == '"' || c == '\'' || c == '`') {
            size_t begin = at_;
            skipString();
            ((out_ += '"') += text_.substr(begin + 1, at_ - begin - 2)) += '"';
            return true;
        }
        if (c == '[' || c == '{') {
            std::string_view inside = brackets();
            bool isEmpty = inside.find_first_not_of(" \t\r\n") == inside.npos;
            if (c == '{')
                out_ += isEmpty ? "{}" : "{(intermediate value)}";
            else
                ((out_ += '[') += isEmpty ? std::string_view() : inside) += ']';
            return true;
        }
        std::string_view name = word();
        if (name == "function" || name == "class" || name == "async" || name == "new")
            return false;
        out_ += name == "super" ? Unnamed : name;
        return !name.empty();
    }

    /// What is in parentheses shows without them if it is such an expression itself.
    bool group(std::string_view inside) {
        std::string inner = ExpressionText(inside).render();
        bool isFunction =
            inside.find("=>") != inside.npos || inside.starts_with("function") || inside.starts_with("class");
        out_ += isFunction ? Unnamed : std::string_view(inner);
        return true;
    }

    bool suffix() {
        char c = peek();
        if (c == '(') {
            brackets();
            out_ += "(...)";
            return true;
        }
        if (c == '`') {
            skipString();
            out_ += "(...)";
            return true;
        }
        if (c == '[')
            return index(brackets());
        if (c != '.' && !(c == '?' && peek(1) == '.'))
            return false;
        at_ += c == '.' ? 1 : 2;
        skipSpace();
        if (peek() == '#') {
            (((out_ += c == '.' ? "" : "?.") += '[') += word()) += ']';
            return true;
        }
        if (c == '.' || peek() != '(')
            out_ += c == '.' ? "." : "?.";
        if (peek() == '(' || peek() == '[')
            return true;
        std::string_view name = word();
        out_ += name;
        return !name.empty();
    }

    bool index(std::string_view inside) {
        bool isString = inside.size() > 1 && (inside[0] == '"' || inside[0] == '\'')
            && inside.find(inside[0], 1) == inside.size() - 1;
        if (isString)
            (out_ += '.') += inside.substr(1, inside.size() - 2);
        else
            ((out_ += '[') += ExpressionText(inside).render()) += ']';
        return true;
    }

    std::string_view text_;
    size_t at_ = 0;
    std::string out_;

public:
    /// The parameter `{ a } = value`: V8 names the three parts of the choice between argument and default.
    static bool isDefaultedPattern(std::string_view text) {
        if (!text.starts_with('{'))
            return false;
        ExpressionText scan(text);
        scan.brackets();
        while (scan.at_ < text.size() && isspace(u8(scan.peek())))
            scan.at_++;
        return scan.at_ < text.size() && scan.peek() == '=';
    }

    /// "(a + b)", "(a , b , c)", "(!a)": one operator, in parentheses. Anything more is an intermediate value.
    static std::string operation(std::string_view text) {
        while (!text.empty() && isspace(u8(text.front())))
            text.remove_prefix(1);
        for (std::string_view op : {"!", "typeof ", "void ", "~"})
            if (text.starts_with(op))
                return ((std::string("(") += op) += ExpressionText(text.substr(op.size())).render()) += ')';
        ExpressionText scan(text);
        std::string result = "(";
        std::string_view found;
        size_t begin = 0;
        while (scan.at_ < text.size()) {
            char c = scan.peek();
            if (c == '(' || c == '[' || c == '{') {
                scan.brackets();
                continue;
            }
            if (c == '"' || c == '\'' || c == '`') {
                scan.skipString();
                continue;
            }
            std::string_view here;
            for (std::string_view op : {"||", "&&", "??", ",", "+"})
                if (here.empty() && text.substr(scan.at_).starts_with(op))
                    here = op;
            if (here.empty()) {
                if (c == '=' || c == '?' || c == ':')
                    return std::string(Unnamed);
                scan.at_++;
                continue;
            }
            if (!found.empty() && here != found)
                return std::string(Unnamed);
            found = here;
            (((result += ExpressionText(text.substr(begin, scan.at_ - begin)).render()) += ' ') += here) += ' ';
            begin = scan.at_ += here.size();
        }
        if (found.empty())
            return std::string(Unnamed);
        return (result += ExpressionText(text.substr(begin)).render()) += ')';
    }
};

}

/// The points of a spread argument.
constexpr std::string_view Points = "...";

bool isSpreadArgument(const Code* code, const u64* pc) {
    const Place* place = findPlace(code, u32(pc - code->words));
    return place && std::string_view(code->script->source->text).substr(place->begin).starts_with(Points);
}

std::string expressionText(Vm&, Code* code, const u64* pc) {
    const Place* place = findPlace(code, u32(pc - code->words));
    if (!place || place->end <= place->begin)
        return "";
    constexpr u32 Longest = 4000;
    if (place->end - place->begin > Longest)
        return std::string(Unnamed);
    std::string_view text = code->script->source->text;
    text = text.substr(place->begin, place->end - place->begin);
    if (text.starts_with(Points))
        text.remove_prefix(Points.size());
    if (ExpressionText::isDefaultedPattern(text))
        return std::string(Unnamed) + std::string(Unnamed) + std::string(Unnamed);
    std::string shown = ExpressionText(text).render();
    if (shown == Unnamed)
        shown = ExpressionText::operation(text);
    return shown == "for" ? ".for" : shown; // the value of a loop's head has no other name
}

std::string callSiteText(Vm& vm) {
    return vm.base && vm.pc && vm.pc >= codeOf(vm.base)->words ? expressionText(vm, codeOf(vm.base), vm.pc) : "";
}

}
