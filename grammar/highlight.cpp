// The lexer is asked for token after token, without a parser: what that would tell it is guessed from the token before.
// After an error it starts again behind what was wrong. Comments are what it skips.
#include "grammar/highlight.h"

#include "grammar/lexer.h"
#include "parser.h"

#include <algorithm>

namespace scr {

namespace {

constexpr int maximumRestarts = 100;

class Highlighter {
public:
    explicit Highlighter(std::string_view text)
        : text_(text) { }

    std::vector<Highlight> run() {
        Arena arena;
        NameTable names(arena);
        for (int i = 0; at_ < text_.size() && i < maximumRestarts; i++)
            scan(arena, names);
        return std::move(found_);
    }

private:
    // From at_ to the end or to behind the first error.
    void scan(Arena& arena, NameTable& names) {
        start_ = at_;
        Source source("", std::string(text_.substr(at_)));
        Errors errors;
        Lexer lexer(source, arena, names, errors, true);
        lexer.setAwait(true);
        TokenValue value;
        Span span;
        for (;;) {
            int kind = lexer.next(value, span);
            if (!errors.any && (kind == T_SLASH || kind == T_DIVIDE_ASSIGN)
                && wantsOperand(lexer.hasLineBreakBefore())) {
                lexer.expectRegExp(span.begin);
                kind = lexer.next(value, span);
            }
            if (errors.any)
                return recover();
            u32 begin = start_ + span.begin, end = start_ + span.end;
            gap(begin);
            if (kind == T_YYEOF)
                return;
            token(kind, begin, end);
            previous_ = kind;
            at_ = end;
        }
    }

    void add(size_t begin, size_t end, TokenKind kind) {
        if (begin < end)
            found_.push_back({u32(begin), u32(end), kind});
    }

    // What lies between two tokens is blanks and comments.
    void gap(size_t end) {
        while (at_ < end) {
            std::string_view rest = text_.substr(at_, end - at_);
            size_t length = 1;
            if (rest.starts_with("/*"))
                length = std::min(rest.find("*/", 2), rest.size() - 2) + 2;
            else if (rest.starts_with("//") || rest.starts_with("#!"))
                length = std::min(rest.find('\n'), rest.size());
            if (length > 1)
                add(at_, at_ + length, TokenKind::Comment);
            at_ += length;
        }
    }

    // Whether a slash begins a regular expression.
    bool wantsOperand(bool lineBreak) const {
        switch (previous_) {
        case T_IDENTIFIER:
        case T_PRIVATE_NAME:
        case T_NUMBER:
        case T_STRING:
        case T_BIGINT:
        case T_TEMPLATE:
        case T_TEMPLATE_TAIL:
        case T_REGEXP:
        case T_RIGHT_PAREN:
        case T_RIGHT_BRACKET:
        case T_THIS:
        case T_SUPER:
        case T_TRUE:
        case T_FALSE:
        case T_NULL_:
        case T_AS:
        case T_FROM:
        case T_GET:
        case T_OF:
        case T_SET:
        case T_INCREMENT:
        case T_DECREMENT:
        case T_ASYNC: return false;
        case T_RIGHT_BRACE: return lineBreak;
        default: return true;
        }
    }

    void token(int kind, u32 begin, u32 end) {
        bool isProperty = previous_ == T_DOT || previous_ == T_QUESTION_DOT;
        switch (kind) {
        case T_NUMBER:
        case T_BIGINT: return add(begin, end, TokenKind::Number);
        case T_REGEXP: return add(begin, end, TokenKind::RegExp);
        case T_STRING:
        case T_TEMPLATE:
        case T_TEMPLATE_HEAD:
        case T_TEMPLATE_MIDDLE:
        case T_TEMPLATE_TAIL: return add(begin, end, TokenKind::String);
        case T_TRUE:
        case T_FALSE:
        case T_NULL_:
            if (!isProperty)
                add(begin, end, TokenKind::Constant);
            return;
        case T_OF:
            // Behind what a for head declares.
            if (previous_ == T_IDENTIFIER || previous_ == T_RIGHT_BRACKET || previous_ == T_RIGHT_BRACE)
                add(begin, end, TokenKind::Keyword);
            return;
        case T_ASYNC:
            // A method, or the head of an arrow function as people write it; async(x) calls something.
            if (!isProperty && end < text_.size() && text_[end] == ' ')
                add(begin, end, TokenKind::Keyword);
            return;
        case T_IDENTIFIER: {
            std::string_view word = text_.substr(begin, end - begin);
            if (!isProperty && (word == "undefined" || word == "NaN" || word == "Infinity"))
                add(begin, end, TokenKind::Constant);
            return;
        }
        default:
            if (!isProperty && isKeyword(kind))
                add(begin, end, TokenKind::Keyword);
        }
    }

    static bool isKeyword(int kind) {
        switch (kind) {
        case T_BREAK:
        case T_CASE:
        case T_CATCH:
        case T_CLASS:
        case T_CONST:
        case T_CONTINUE:
        case T_DEBUGGER:
        case T_DEFAULT:
        case T_DELETE:
        case T_DO:
        case T_ELSE:
        case T_ENUM:
        case T_EXPORT:
        case T_EXTENDS:
        case T_FINALLY:
        case T_FOR:
        case T_FUNCTION:
        case T_IF:
        case T_IMPORT:
        case T_IN:
        case T_FOR_IN:
        case T_INSTANCEOF:
        case T_LET:
        case T_NEW:
        case T_RETURN:
        case T_STATIC:
        case T_SUPER:
        case T_SWITCH:
        case T_THIS:
        case T_THROW:
        case T_TRY:
        case T_TYPEOF:
        case T_VAR:
        case T_VOID:
        case T_WHILE:
        case T_WITH:
        case T_YIELD:
        case T_AWAIT:
        case T_AWAIT_USING:
        case T_USING:
        case T_ASYNC_FUNCTION:
        case T_ASYNC_ARROW: return true;
        default: return false;
        }
    }

    // At the token that the lexer refused: at_, and blanks and comments behind it.
    void recover() {
        while (at_ < text_.size()) {
            std::string_view rest = text_.substr(at_);
            bool isComment = rest.starts_with("//") || (rest.starts_with("/*") && rest.find("*/", 2) != rest.npos);
            if (isComment)
                gap(at_ + (rest[1] == '/' ? std::min(rest.find('\n'), rest.size()) : rest.find("*/", 2) + 2));
            else if (rest[0] == ' ' || rest[0] == '\n' || rest[0] == '\t')
                at_++;
            else
                break;
        }
        if (at_ >= text_.size())
            return;
        std::string_view rest = text_.substr(at_);
        size_t line = std::min(rest.find('\n'), rest.size());
        if (rest.starts_with("/*"))
            skip(rest.size(), TokenKind::Comment);
        else if (rest[0] == '`' || rest[0] == '}')
            skip(rest.size(), TokenKind::String);
        else if (rest[0] == '"' || rest[0] == '\'')
            skip(closed(rest.substr(0, line)), TokenKind::String);
        else if (rest[0] == '/')
            skip(line, TokenKind::RegExp);
        else
            skipCharacter(rest);
    }

    // A string with a wrong escape may be closed all the same.
    static size_t closed(std::string_view line) {
        for (size_t i = 1; i < line.size(); i++) {
            if (line[i] == line[0])
                return i + 1;
            i += line[i] == '\\';
        }
        return line.size();
    }

    void skip(size_t length, TokenKind kind) {
        add(at_, at_ + length, kind);
        at_ += length;
        previous_ = T_STRING;
    }

    void skipCharacter(std::string_view rest) {
        bool isNumber = rest[0] >= '0' && rest[0] <= '9';
        size_t length = 1;
        while (length < rest.size() && ((u8(rest[length]) & 0xC0) == 0x80 || (isNumber && isalnum(u8(rest[length])))))
            length++;
        at_ += length;
        previous_ = T_IDENTIFIER;
    }

    std::string_view text_;
    std::vector<Highlight> found_;
    size_t at_ = 0, start_ = 0;
    int previous_ = T_SEMICOLON;
};

}

std::vector<Highlight> highlight(std::string_view text) {
    return text.size() < 0xffffff00 ? Highlighter(text).run() : std::vector<Highlight>();
}

}
