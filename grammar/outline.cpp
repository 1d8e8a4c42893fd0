// Tokens and brackets of a faulty text.
#include "grammar/outline.h"

#include "grammar/lexer.h"
#include "parser.h"

namespace scr {

bool isOpening(int kind) {
    return kind == T_LEFT_PAREN || kind == T_LEFT_BRACKET || kind == T_LEFT_BRACE || kind == T_TEMPLATE_HEAD;
}

bool isClosing(int kind) {
    return kind == T_RIGHT_PAREN || kind == T_RIGHT_BRACKET || kind == T_RIGHT_BRACE || kind == T_TEMPLATE_TAIL;
}

const char* closerOf(int opening) { return opening == T_LEFT_PAREN ? ")" : opening == T_LEFT_BRACKET ? "]" : "}"; }

namespace {

int closingKind(int opening) {
    switch (opening) {
    case T_LEFT_PAREN: return T_RIGHT_PAREN;
    case T_LEFT_BRACKET: return T_RIGHT_BRACKET;
    case T_LEFT_BRACE: return T_RIGHT_BRACE;
    default: return T_TEMPLATE_TAIL;
    }
}

/// Whether a "/" behind this token divides.
bool endsOperand(int kind) {
    switch (kind) {
    case T_IDENTIFIER:
    case T_PRIVATE_NAME:
    case T_STRING:
    case T_NUMBER:
    case T_BIGINT:
    case T_REGEXP:
    case T_TEMPLATE:
    case T_TEMPLATE_TAIL:
    case T_RIGHT_PAREN:
    case T_RIGHT_BRACKET:
    case T_RIGHT_BRACE:
    case T_THIS:
    case T_SUPER:
    case T_NULL_:
    case T_TRUE:
    case T_FALSE:
    case T_AS:
    case T_ASYNC:
    case T_FROM:
    case T_GET:
    case T_OF:
    case T_SET:
    case T_USING: return true;
    default: return false;
    }
}

}

Outline::Outline(const Source& source, u32 error)
    : source_(source) {
    Arena arena;
    NameTable names(arena);
    Errors errors;
    Lexer lexer(source, arena, names, errors, false);
    read(lexer, error);
}

void Outline::read(Lexer& lexer, u32 error) {
    int behind = 0;
    here_ = -1;
    for (int last = 0; behind < tokensBehind; behind += here_ >= 0) {
        TokenValue value;
        Span span;
        int kind = lexer.next(value, span);
        if ((kind == T_SLASH || kind == T_DIVIDE_ASSIGN) && !endsOperand(last)) {
            lexer.expectRegExp(span.begin);
            kind = lexer.next(value, span);
        }
        bool isOver = kind == T_YYEOF || kind == T_SCR_UNDEF;
        if (here_ < 0 && (isOver || span.begin >= error)) {
            here_ = int(tokens_.size());
            isReliable_ = kind != T_SCR_UNDEF && span.begin == error;
        }
        if (isOver)
            break;
        tokens_.push_back({kind, span, lexer.hasLineBreakBefore()});
        if (here_ < 0)
            enter(int(tokens_.size()) - 1);
        last = kind;
    }
}

/// A token before the error.
void Outline::enter(int index) {
    int kind = tokens_[size_t(index)].kind;
    if (isOpening(kind)) {
        open_.push_back(index);
    } else if (isClosing(kind) && !open_.empty()) {
        suspect(open_.back(), index);
        open_.pop_back();
    }
}

u32 Outline::indent(int index) const {
    std::string_view text = source_.text();
    size_t begin = text.rfind('\n', tokenAt(index).span.begin) + 1; // npos + 1: the first line
    return u32(text.find_first_not_of(" \t", begin) - begin);
}

void Outline::suspect(int opening, int closing) {
    const Token& close = tokenAt(closing);
    // Only the first: what follows it is wrong in consequence.
    if (suspectOpen_ >= 0 || close.kind != T_RIGHT_BRACE || !close.startsLine || closing - opening < 2)
        return;
    if (indent(opening) > indent(closing)) {
        suspectOpen_ = opening;
        suspectClose_ = closing;
    }
}

bool Outline::closesLater() const {
    if (open_.empty())
        return false;
    int wanted = closingKind(tokenAt(open_.back()).kind);
    int depth = 0;
    for (int i = here_; size_t(i) < tokens_.size(); i++) {
        int kind = tokens_[size_t(i)].kind;
        if (isOpening(kind))
            depth++;
        else if (isClosing(kind) && depth-- == 0)
            return kind == wanted;
        else if (kind == T_SEMICOLON && depth == 0)
            return false;
    }
    return false;
}

int Outline::partner(int closing) const {
    int depth = 0;
    for (int i = here_ + closing; i >= 0; i--) {
        int kind = tokenAt(i).kind;
        if (isClosing(kind))
            depth++;
        else if (isOpening(kind) && --depth == 0)
            return distance(i);
    }
    return 0;
}

int Outline::bareDeclaration() const {
    bool isLast = true; // in the last declarator
    for (int i = -1; at(i).kind; i--) {
        if (isClosing(at(i).kind))
            i = partner(i);
        switch (at(i).kind) {
        case T_CONST:
        case T_LET:
        case T_VAR: return i;
        case T_ASSIGN:
            if (isLast)
                return 0;
            break;
        case T_COMMA: isLast = false; break;
        case T_SEMICOLON: return 0;
        default: break;
        }
        if (i >= 0)
            return 0;
    }
    return 0;
}

bool Outline::startsStatement(int distance) const {
    const Token& token = at(distance);
    int before = at(distance - 1).kind;
    return token.startsLine || before == 0 || before == T_SEMICOLON || before == T_LEFT_BRACE || before == T_RIGHT_BRACE
        || before == T_RIGHT_PAREN || before == T_EXPORT || before == T_DEFAULT || before == T_ELSE || before == T_COLON
        || before == T_ARROW;
}

}
