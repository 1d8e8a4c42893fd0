// From the cursor back, over the spans that the highlighter gives: words, dots and brackets.
#include "interp/repl/completion_context.h"
#include "grammar/highlight.h"
#include "grammar/identifier.h"
#include "runtime/base/utf.h"
#include <algorithm>

namespace scr {

static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
/// Of an identifier; every character that is no ASCII counts, since a name is looked up anyway.
static bool isWordByte(char c) {
    return u8(c) >= 0x80 || c == '_' || c == '$' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

bool isIdentifierName(std::string_view utf8) {
    const u8* at = reinterpret_cast<const u8*>(utf8.data());
    const u8* end = at + utf8.size();
    for (bool isFirst = true; at < end; isFirst = false) {
        u32 character = decodeUtf8(at, end);
        if (!(isFirst ? isIdentifierStart(character) : isIdentifierPart(character)))
            return false;
    }
    return !utf8.empty();
}

namespace {

class Reader {
public:
    Reader(std::string_view text, size_t cursor)
        : text_(text.substr(0, cursor))
        , spans_(highlight(text)) { }

    CompletionContext read();

private:
    /// The span that the byte before `at` belongs to; null: none with a kind of interest.
    const Highlight* spanBefore(size_t at) const {
        for (const Highlight& span : spans_)
            if (span.begin < at && at <= span.end)
                return &span;
        return nullptr;
    }
    bool isIn(const Highlight* span, TokenKind kind) const { return span && span->kind == kind; }
    std::string_view textOf(const Highlight& span) const {
        return text_.substr(span.begin, std::min<size_t>(span.end, text_.size()) - span.begin);
    }
    /// The cursor stands inside a literal or comment, not behind it.
    bool isOpen(const Highlight& span) const;
    bool endsOperand(size_t at) const;
    size_t skipBack(size_t at) const;
    std::string_view wordBefore(size_t at) const;
    /// Behind a dot that asks for a member: where the object ends. npos: there is no such dot.
    size_t objectEnd(size_t at) const;
    PlainExpression expressionBefore(size_t end) const;
    bool readOperand(size_t& end, PlainExpression& result, bool& goesOn) const;
    bool readBracket(size_t& end, PlainExpression& result, bool& goesOn) const;
    bool readLiteral(const Highlight& span, PlainExpression& result) const;
    bool asksForModule(size_t quote) const;
    CompletionContext insideString(const Highlight& span) const;

    std::string_view text_; ///< up to the cursor
    std::vector<Highlight> spans_;
};

bool Reader::isOpen(const Highlight& span) const {
    if (span.end > text_.size())
        return true;
    std::string_view shown = textOf(span);
    switch (span.kind) {
    case TokenKind::Comment: return !(shown.starts_with("/*") && shown.size() >= 4 && shown.ends_with("*/"));
    case TokenKind::RegExp: return shown.size() < 2 || shown.back() == '\\';
    case TokenKind::String: {
        if (shown.ends_with("${"))
            return false;
        char quote = shown[0] == '}' ? '`' : shown[0];
        if (shown.size() < 2 || shown.back() != quote)
            return true;
        size_t slashes = 0;
        while (slashes + 2 < shown.size() && shown[shown.size() - 2 - slashes] == '\\')
            slashes++;
        return slashes % 2 == 1;
    }
    default: return false;
    }
}

/// Whether what ends there is an operand, to all appearances: what follows is no literal of its own then.
bool Reader::endsOperand(size_t at) const {
    if (at == 0)
        return false;
    const Highlight* span = spanBefore(at);
    if (span)
        return span->kind != TokenKind::Keyword || wordBefore(at) == "this" || wordBefore(at) == "super";
    return text_[at - 1] == ']' || text_[at - 1] == ')' || isWordByte(text_[at - 1]);
}

size_t Reader::skipBack(size_t at) const {
    for (;;) {
        while (at > 0 && isBlank(text_[at - 1]))
            at--;
        const Highlight* span = at ? spanBefore(at) : nullptr;
        if (!isIn(span, TokenKind::Comment))
            return at;
        at = span->begin;
    }
}

std::string_view Reader::wordBefore(size_t at) const {
    size_t begin = at;
    while (begin > 0 && isWordByte(text_[begin - 1]))
        begin--;
    return text_.substr(begin, at - begin);
}

size_t Reader::objectEnd(size_t at) const {
    at = skipBack(at);
    if (at == 0 || text_[at - 1] != '.' || spanBefore(at))
        return text_.npos;
    at--;
    if (at > 0 && text_[at - 1] == '.' && !spanBefore(at))
        return text_.npos; // spread
    if (at > 0 && text_[at - 1] == '?')
        at--;
    return skipBack(at);
}

bool Reader::readLiteral(const Highlight& span, PlainExpression& result) const {
    std::string_view shown = textOf(span);
    if (span.kind == TokenKind::String && shown[0] != '}' && !endsOperand(skipBack(span.begin))) {
        result.root = PlainExpression::String;
        return true;
    }
    if (span.kind == TokenKind::Number && !shown.ends_with('n')) {
        result.root = PlainExpression::Number;
        return true;
    }
    return false;
}

/// A literal that is a key as it stands: a string without escapes, or an index.
static bool plainKey(TokenKind kind, std::string_view literal, std::string& key) {
    bool isIndex = literal.find_first_not_of("0123456789") == literal.npos && (literal == "0" || literal[0] != '0');
    if (kind == TokenKind::Number && isIndex)
        key = literal;
    else if (kind == TokenKind::String && literal.size() >= 2 && literal.find('\\') == literal.npos)
        key = literal.substr(1, literal.size() - 2);
    else
        return false;
    return true;
}

/// Known: a "]" ends there. A member by a literal key, or an array literal.
bool Reader::readBracket(size_t& end, PlainExpression& result, bool& goesOn) const {
    size_t depth = 0, at = end;
    while (at > 0) {
        if (const Highlight* span = spanBefore(at)) {
            at = span->begin;
            continue;
        }
        char c = text_[--at];
        depth += c == ']' || c == ')' || c == '}';
        if ((c == '[' || c == '(' || c == '{') && --depth == 0)
            break;
    }
    if (depth > 0 || text_[at] != '[')
        return false;
    size_t before = skipBack(at);
    if (before >= 2 && text_.substr(before - 2, 2) == "?.")
        before = skipBack(before - 2);
    const Highlight* outside = before ? spanBefore(before) : nullptr;
    bool isMember = endsOperand(before);
    if (!isMember && !isIn(outside, TokenKind::Keyword)) {
        result.root = PlainExpression::Array;
        return true;
    }
    size_t inside = skipBack(end - 1);
    const Highlight* key = spanBefore(inside);
    std::string name;
    if (!isMember || !key || skipBack(key->begin) != at + 1 || !plainKey(key->kind, textOf(*key), name))
        return false;
    result.members.push_back(name);
    end = before;
    goesOn = true;
    return true;
}

/// The operand that ends at `end`; `goesOn`: it was a member, and its object ends at the new `end`.
bool Reader::readOperand(size_t& end, PlainExpression& result, bool& goesOn) const {
    goesOn = false;
    if (end == 0)
        return false;
    std::string_view word = wordBefore(end);
    const Highlight* span = spanBefore(end);
    size_t dot = word.empty() ? text_.npos : objectEnd(end - word.size());
    if (dot != text_.npos && (!span || span->kind == TokenKind::Keyword || span->kind == TokenKind::Constant)) {
        result.members.emplace_back(word);
        end = dot;
        goesOn = true;
        return true;
    }
    if (span && (span->kind == TokenKind::String || span->kind == TokenKind::Number))
        return readLiteral(*span, result);
    if (text_[end - 1] == ']')
        return readBracket(end, result, goesOn);
    if (word == "this")
        result.root = PlainExpression::This;
    else if (word == "true" || word == "false")
        result.root = PlainExpression::Boolean;
    else if (isIdentifierName(word) && !isIn(span, TokenKind::Keyword)) {
        result.root = PlainExpression::Name;
        result.name = word;
    }
    return result.root != PlainExpression::None;
}

PlainExpression Reader::expressionBefore(size_t end) const {
    PlainExpression result;
    for (bool goesOn = true; goesOn;)
        if (!readOperand(end, result, goesOn))
            return {};
    std::reverse(result.members.begin(), result.members.end());
    return result;
}

/// Whether the string that begins there names a module: require(, import(, import, from.
bool Reader::asksForModule(size_t quote) const {
    size_t at = skipBack(quote);
    if (at > 0 && text_[at - 1] == '(') {
        std::string_view word = wordBefore(skipBack(at - 1));
        return word == "require" || word == "import";
    }
    std::string_view word = wordBefore(at);
    return word == "from" || word == "import";
}

CompletionContext Reader::insideString(const Highlight& span) const {
    CompletionContext result;
    if (!asksForModule(span.begin))
        return result;
    result.wanted = CompletionContext::Module;
    result.from = span.begin + 1;
    result.word = text_.substr(result.from);
    return result;
}

CompletionContext Reader::read() {
    CompletionContext result;
    size_t cursor = text_.size();
    const Highlight* span = cursor ? spanBefore(cursor) : nullptr;
    if (span && (isOpen(*span) || span->kind == TokenKind::Number))
        return span->kind == TokenKind::String ? insideString(*span) : result;
    result.word = wordBefore(cursor);
    result.from = cursor - result.word.size();
    if (!result.word.empty() && !isIdentifierName(result.word))
        return result;
    size_t end = objectEnd(result.from);
    if (end != text_.npos) {
        result.object = expressionBefore(end);
        if (result.object.root != PlainExpression::None)
            result.wanted = CompletionContext::Members;
        return result;
    }
    bool isPrivate = result.from > 0 && text_[result.from - 1] == '#';
    result.wanted = isPrivate || isIn(span, TokenKind::String) || isIn(span, TokenKind::RegExp)
        ? CompletionContext::Nothing
        : CompletionContext::Names;
    return result;
}

/// A dot command, alone or with the path of a file behind it.
bool readCommand(std::string_view text, size_t cursor, CompletionContext& result) {
    size_t begin = text.find_first_not_of(" \t");
    if (begin == text.npos || begin >= cursor || text[begin] != '.' || text.find('\n') != text.npos)
        return false;
    std::string_view typed = text.substr(begin, cursor - begin);
    size_t blank = typed.find(' ');
    if (blank == typed.npos) {
        if (std::any_of(typed.begin() + 1, typed.end(), [](char c) { return (c | 32) < 'a' || (c | 32) > 'z'; }))
            return false;
        result.wanted = CompletionContext::Command;
        result.from = begin;
    } else {
        std::string_view command = typed.substr(0, blank);
        if (command != ".load" && command != ".save")
            return false;
        result.wanted = CompletionContext::Path;
        result.from = begin + std::min(typed.find_first_not_of(' ', blank), typed.size());
    }
    result.word = text.substr(result.from, cursor - result.from);
    return true;
}

}

CompletionContext completionContext(std::string_view text, size_t cursor) {
    CompletionContext result;
    if (cursor > text.size() || readCommand(text, cursor, result))
        return result;
    return Reader(text, cursor).read();
}

}
