// The text of a call as it stands in its script, for the message of an assertion that failed.
#include "interp/vm/frame_walk.h"
#include "runtime/core/call_site.h"
#include <cctype>

namespace scr {

namespace {

bool isNameCharacter(char c) { return isalnum(u8(c)) || c == '_' || c == '$' || u8(c) >= 0x80; }

/// Walks over source text by what counts: strings, comments and regular expressions as a whole. The text is that of a
/// script that has been compiled, so brackets pair up; it ends where it ends if they do not.
class SourceScan {
public:
    SourceScan(std::string_view text, size_t at)
        : text_(text)
        , at_(at) { }

    size_t at() const { return at_; }
    char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    void skip(size_t count) { at_ = std::min(text_.size(), at_ + count); }

    void skipSpace() {
        while (at_ < text_.size()) {
            if (isspace(u8(peek())))
                at_++;
            else if (!skipComment())
                return;
        }
    }

    /// From an opening bracket to behind its partner.
    void skipBrackets() {
        u32 depth = 0;
        char before = '('; // the last character that is no space
        while (at_ < text_.size()) {
            char c = peek();
            if (skipComment())
                continue;
            if (c == '"' || c == '\'' || c == '`')
                skipQuoted();
            else if (c == '/' && startsExpression(before))
                skipRegularExpression();
            else
                at_++;
            if (c == '(' || c == '[' || c == '{')
                depth++;
            else if ((c == ')' || c == ']' || c == '}') && --depth == 0)
                return;
            if (!isspace(u8(c)))
                before = c;
        }
    }

    /// Past a string or template; what stands in the holes of a template may hold others.
    void skipQuoted() {
        char quote = text_[at_++];
        while (at_ < text_.size() && peek() != quote) {
            if (quote == '`' && peek() == '$' && peek(1) == '{') {
                at_++;
                skipBrackets();
            } else {
                skip(peek() == '\\' ? 2 : 1);
            }
        }
        skip(1);
    }

private:
    bool skipComment() {
        if (peek() != '/' || (peek(1) != '*' && peek(1) != '/'))
            return false;
        bool isBlock = peek(1) == '*';
        size_t end = text_.find(isBlock ? "*/" : "\n", at_ + 2);
        at_ = end == text_.npos ? text_.size() : end + (isBlock ? 2 : 1);
        return true;
    }

    /// Whether a slash behind this character begins a regular expression. A word may be one of return, typeof..., but
    /// a division is far more common there.
    static bool startsExpression(char before) {
        return !isNameCharacter(before) && before != ')' && before != ']' && before != '}' && before != '"'
            && before != '\'' && before != '`';
    }

    void skipRegularExpression() {
        bool inClass = false;
        for (at_++; at_ < text_.size() && (peek() != '/' || inClass) && peek() != '\n'; at_++) {
            if (peek() == '\\')
                at_++;
            else if (peek() == '[' || peek() == ']')
                inClass = peek() == '[';
        }
        skip(1);
    }

    std::string_view text_;
    size_t at_;
};

/// Behind the arguments of a call whose callee ends at `end`; `begin` takes in parentheses around the callee.
size_t endOfCall(std::string_view text, size_t& begin, size_t end) {
    SourceScan scan(text, end);
    for (scan.skipSpace(); scan.peek() == ')'; scan.skipSpace()) {
        size_t open = text.substr(0, begin).find_last_not_of(" \t\r\n");
        if (open == text.npos || text[open] != '(')
            break;
        begin = open;
        scan.skip(1);
    }
    if (scan.peek() == '?' && scan.peek(1) == '.')
        scan.skip(2), scan.skipSpace();
    if (scan.peek() == '`')
        scan.skipQuoted();
    else if (scan.peek() == '(')
        scan.skipBrackets();
    else
        return end;
    return scan.at();
}

/// Control characters that stand in the source as they are.
void appendPrintable(std::string_view line, std::string& out) {
    for (char c : line) {
        constexpr char digits[] = "0123456789abcdef";
        if (u8(c) >= ' ' || c == '\t' || c == '\r')
            out += c;
        else if (c == '\b' || c == '\f')
            (out += '\\') += c == '\b' ? 'b' : 'f';
        else
            ((out += "\\u00") += digits[u8(c) >> 4]) += digits[c & 15];
    }
}

/// Lines behind the first lose the indentation that the first has, and get two spaces.
std::string indented(std::string_view call, size_t column) {
    std::string out;
    for (size_t at = 0; at < call.size();) {
        size_t end = std::min(call.find('\n', at), call.size());
        std::string_view line = call.substr(at, end - at);
        if (at > 0) {
            size_t spaces = 0;
            while (spaces < column && spaces < line.size() && (line[spaces] == ' ' || line[spaces] == '\t'))
                spaces++;
            line.remove_prefix(spaces);
            out += "\n  ";
        }
        appendPrintable(line, out);
        at = end + 1;
    }
    return out;
}

size_t lineStart(std::string_view text, size_t at) {
    size_t before = at == 0 ? text.npos : text.rfind('\n', at - 1);
    return before == text.npos ? 0 : before + 1;
}

}

std::string callText(Vm& vm, Object* callee) {
    FrameWalk frame{vm.base, vm.pc};
    while (frame.valid() && frame.callee().asObject() != callee)
        frame.next();
    if (!frame.valid())
        return "";
    frame.next();
    const Place* place = frame.valid() ? findPlace(frame.code(), frame.word()) : nullptr;
    if (!place)
        return "";
    std::string_view text = frame.code()->script->source->text;
    // As in Node, the lines above the one where the call is made do not show.
    size_t line = lineStart(text, place->point), begin = place->begin < line ? place->point : place->begin;
    size_t end = endOfCall(text, begin, std::max(size_t(place->end), begin));
    return indented(text.substr(begin, end - begin), begin - lineStart(text, begin));
}

}
