// One character after the other, with one to look ahead.
#include "interp/terminal/open_brackets.h"

namespace scr {

bool OpenBrackets::isOpen(std::string_view text) {
    for (; seen_ < text.size(); seen_++) {
        char next = seen_ + 1 < text.size() ? text[seen_ + 1] : '\n';
        if (skip_)
            skip_ = false;
        else
            step(text[seen_], next);
    }
    return !open_.empty() || in_ == In::Template || in_ == In::Block;
}

void OpenBrackets::step(char c, char next) {
    switch (in_) {
    case In::Code: return code(c, next);
    case In::String:
        skip_ = c == '\\';
        if (c == quote_ || c == '\n')
            in_ = In::Code;
        return;
    case In::Template:
        skip_ = c == '\\' || (c == '$' && next == '{');
        if (c == '$' && next == '{') {
            open_ += '$';
            in_ = In::Code;
            last_ = '(';
        } else if (c == '`') {
            in_ = In::Code;
        }
        return;
    case In::Line:
        if (c == '\n')
            in_ = In::Code;
        return;
    case In::Block:
        skip_ = c == '*' && next == '/';
        if (skip_)
            in_ = In::Code;
        return;
    case In::RegExp:
    case In::RegExpClass:
        skip_ = c == '\\';
        if (c == '\n' || (c == '/' && in_ == In::RegExp))
            in_ = In::Code;
        else if (c == '[' || c == ']')
            in_ = c == '[' ? In::RegExpClass : In::RegExp;
        return;
    }
}

bool OpenBrackets::wantsOperand() const {
    return std::string_view("(,=:[!&|?{};+-*%<>~^").find(last_) != std::string_view::npos;
}

void OpenBrackets::code(char c, char next) {
    if (c == ' ' || c == '\t' || c == '\n')
        return;
    if (c == '/' && (next == '/' || next == '*')) {
        in_ = next == '/' ? In::Line : In::Block;
        skip_ = true;
        return;
    }
    if (c == '/' && wantsOperand()) {
        in_ = In::RegExp;
    } else if (c == '"' || c == '\'') {
        in_ = In::String;
        quote_ = c;
    } else if (c == '`') {
        in_ = In::Template;
    } else if (c == '(' || c == '[' || c == '{') {
        open_ += c;
    } else if ((c == ')' || c == ']' || c == '}') && !open_.empty()) {
        if (open_.back() == '$')
            in_ = In::Template;
        open_.pop_back();
    }
    last_ = c;
}

}
