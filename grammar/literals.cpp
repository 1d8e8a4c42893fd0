// The literals that one rule of re2c cannot finish: numbers, strings with escapes, templates, regular expressions
// (ECMA-262 12.9). The invariant: as in lexer.re, nothing reads beyond limit_, where a NUL stands.
#include "grammar/identifier.h"
#include "grammar/lexer.h"
#include "parser.h"
#include "runtime/base/decimal.h"

#include <cmath>

namespace scr {

// ---- Numbers (12.9.3) -------------------------------------------------------------------------------------------

/// A digit or letter directly behind a number is an error. Known: cursor_ stands behind it.
bool Lexer::checkNumberEnd() {
    const u8* at = cursor_;
    const u8* next = at;
    bool isDigit = *at >= '0' && *at <= '9';
    if (!isDigit && *at != '\\' && !isIdentifierStart(decode(next)))
        return true;
    bool isPrefix =
        at - token_ == 1 && *token_ == '0' && ((*at | 0x20) == 'x' || (*at | 0x20) == 'o' || (*at | 0x20) == 'b');
    const char* unexpected = "Invalid or unexpected token";
    if (*at == '_' && at - token_ == 1 && *token_ == '0')
        fail(at, at + 1, "Numeric separator can not be used after leading 0.");
    else if (*at == '_' && at[1] == '_')
        fail(at + 1, at + 2, "Only one underscore is allowed as numeric separator");
    else if (*at == '_' && hexValue(at[-1]) >= 0)
        fail(at + 1, at + 1, "Numeric separators are not allowed at the end of numeric literals",
            {"'_' stands between two digits"});
    else if (isPrefix)
        fail(token_, at + 1, unexpected, {"a digit is missing behind '" + std::string(token_, at + 1) + "'"});
    else if (isDigit)
        fail(token_, at + 1, unexpected, {std::string("'") + char(*at) + "' is no digit of such a number"});
    else if (*at == 'n')
        fail(token_, at + 1, unexpected, {"a BigInt is a whole number"});
    else
        fail(token_, at + 1, unexpected,
            {at[-1] == '.'                ? "a property of a number: write (1).name, or 1..name"
                    : (*at | 0x20) == 'e' ? "the digits of the exponent are missing"
                                          : "a name cannot begin with a digit"});
    return false;
}

int Lexer::scanNumber(TokenValue& value, const u8* end) {
    cursor_ = end;
    if (UNLIKELY(!checkNumberEnd()))
        return T_SCR_UNDEF;
    u64 integer = 0;
    const u8* at = token_;
    while (at < end && *at >= '0' && *at <= '9' && at - token_ < 15)
        integer = integer * 10 + (*at++ - '0');
    if (at == end) {
        value.number = static_cast<double>(integer);
        return T_NUMBER;
    }
    value.number = readDecimal(reinterpret_cast<const char*>(token_), size_t(end - token_));
    return T_NUMBER;
}

/// 0x, 0o, 0b: rounded to nearest, ties to even, however many digits there are.
int Lexer::scanInteger(TokenValue& value, const u8* end, int bitsPerDigit) {
    cursor_ = end;
    if (UNLIKELY(!checkNumberEnd()))
        return T_SCR_UNDEF;
    u64 significant = 0;
    int dropped = 0;
    bool sticky = false;
    for (const u8* at = token_ + 2; at < end; at++) {
        if (*at == '_')
            continue;
        u64 digit = static_cast<u64>(hexValue(*at));
        if (significant >> (63 - bitsPerDigit)) {
            dropped += bitsPerDigit;
            sticky = sticky || digit;
        } else {
            significant = significant << bitsPerDigit | digit;
        }
    }
    value.number = std::ldexp(static_cast<double>(significant | (sticky ? 1 : 0)), dropped);
    return T_NUMBER;
}

int Lexer::scanBigInt(TokenValue& value, const u8* end) {
    cursor_ = end;
    if (UNLIKELY(!checkNumberEnd()))
        return T_SCR_UNDEF;
    buffer_.clear();
    for (const u8* at = token_; at < end - 1; at++) {
        if (*at != '_')
            buffer_.push_back(*at);
    }
    value.name = internBuffer();
    return T_BIGINT;
}

// ---- Strings, templates, regular expressions ----------------------------------------------------------------------

/// How the malformed escape at `at` is written rightly.
Notes Lexer::escapeNotes(const u8* at) const {
    const char* slash = "; a backslash itself is written \\\\";
    switch (at[1]) {
    case 'u': return {std::string("\\u is followed by four hexadecimal digits, or by some in braces") + slash};
    case 'x': return {std::string("\\x is followed by two hexadecimal digits") + slash};
    default: return {};
    }
}

/// A string with escapes or characters beyond ASCII. Known: cursor_ stands behind the opening quote.
int Lexer::scanString(TokenValue& value, u8 quote) {
    buffer_.clear();
    const u8* at = cursor_;
    while (*at != quote) {
        if (*at == '\\') {
            const u8* escape = at;
            if (const char* message = scanEscape(at, false))
                return fail(escape, at, message, escapeNotes(escape), at >= limit_);
        } else if (*at == '\n' || *at == '\r' || (*at == 0 && at >= limit_)) {
            return fail(token_, at, "Invalid or unexpected token",
                {std::string("the string is not closed before its line ends: expected ") + char(quote)});
        } else if (*at < 0x80) {
            buffer_.push_back(*at++);
        } else {
            append(decode(at));
        }
    }
    cursor_ = at + 1;
    value.name = internBuffer();
    return T_STRING;
}

/// The text of a template up to "${" or the closing "`". Known: cursor_ stands behind the opening "`" or "}".
int Lexer::scanTemplate(TokenValue& value, bool isHead) {
    buffer_.clear();
    raw_.clear();
    bool hasBadEscape = false;
    const u8* at = cursor_;
    while (*at != '`' && !(at[0] == '$' && at[1] == '{')) {
        if (*at == 0 && at >= limit_)
            return fail(token_, limit_, "Unterminated template literal",
                {"the template that begins here is not closed: expected `",
                    {"before the text ends here:", {lastTextOffset(), lastTextOffset()}}},
                true);
        scanTemplateText(at, hasBadEscape);
    }
    bool isLast = *at == '`';
    cursor_ = at + (isLast ? 1 : 2);
    Span span{offset(token_), offset(cursor_)};
    Name* raw = names_.intern(raw_.data(), static_cast<u32>(raw_.size()));
    value.chunk = makeNode<TemplateChunk>(arena_, span, hasBadEscape ? nullptr : internBuffer(), raw);
    if (isHead && !isLast)
        open(Bracket::Template);
    if (!isHead && isLast)
        close();
    return isHead ? (isLast ? T_TEMPLATE : T_TEMPLATE_HEAD) : (isLast ? T_TEMPLATE_TAIL : T_TEMPLATE_MIDDLE);
}

/// One character or escape of a template, into both the cooked and the raw text.
void Lexer::scanTemplateText(const u8*& at, bool& hasBadEscape) {
    if (*at == '\\') {
        const u8* raw = at;
        hasBadEscape = scanEscape(at, true) || hasBadEscape;
        while (raw < at) {
            u32 unit = decode(raw);
            if (unit == '\r' && *raw == '\n' && raw < at)
                continue;
            append(raw_, unit == '\r' ? '\n' : unit);
        }
        return;
    }
    u32 unit = decode(at);
    if (unit == '\r') { // a line break is "\n", however the file writes it (12.9.6)
        at += *at == '\n';
        unit = '\n';
    }
    append(buffer_, unit);
    append(raw_, unit);
}

Diagnostic Lexer::badEscape(Span chunk) {
    const u8* at = begin_ + chunk.begin + 1;
    for (const u8* end = begin_ + chunk.end; at < end;) {
        const u8* escape = at;
        if (*at++ != '\\')
            continue;
        at = escape;
        if (const char* message = scanEscape(at, true))
            return {{offset(escape), offset(at)}, message};
    }
    return {chunk, "Invalid escape sequence in template"};
}

/// Appends the meaning of the escape at `at` and passes it; or returns what is wrong with it (at is behind the
/// culprit).
const char* Lexer::scanEscape(const u8*& at, bool inTemplate) {
    u8 selector = at[1];
    if (selector == 0 && at + 1 >= limit_) {
        at = limit_;
        return "Invalid or unexpected token";
    }
    at += 2;
    switch (selector) {
    case 'n': buffer_.push_back('\n'); return nullptr;
    case 't': buffer_.push_back('\t'); return nullptr;
    case 'r': buffer_.push_back('\r'); return nullptr;
    case 'b': buffer_.push_back('\b'); return nullptr;
    case 'f': buffer_.push_back('\f'); return nullptr;
    case 'v': buffer_.push_back('\v'); return nullptr;
    case '\r': at += *at == '\n'; return nullptr;
    case '\n': return nullptr;
    case 'x': {
        int high = hexValue(at[0]);
        int low = high < 0 ? -1 : hexValue(at[1]);
        if (low < 0)
            return "Invalid hexadecimal escape sequence";
        buffer_.push_back(static_cast<char16_t>(high * 16 + low));
        at += 2;
        return nullptr;
    }
    case 'u': {
        u32 codePoint;
        if (const char* message = scanUnicodeEscape(at, codePoint))
            return message;
        append(codePoint);
        return nullptr;
    }
    default: break;
    }
    if (selector >= '0' && selector <= '9') {
        bool isNul = selector == '0' && !(*at >= '0' && *at <= '9');
        if (!isNul) {
            if (inTemplate)
                return "Octal escape sequences are not allowed in template strings";
            return selector >= '8' ? "\\8 and \\9 are not allowed in strict mode."
                                   : "Octal escape sequences are not allowed in strict mode.";
        }
        buffer_.push_back(0);
        return nullptr;
    }
    at--;
    u32 codePoint = decode(at);
    if (codePoint != 0x2028 && codePoint != 0x2029)
        append(codePoint);
    return nullptr;
}

/// Known: at stands behind "\u".
const char* Lexer::scanUnicodeEscape(const u8*& at, u32& codePoint) {
    codePoint = 0;
    if (*at != '{') {
        for (int i = 0; i < 4; i++, at++) {
            int digit = hexValue(*at);
            if (digit < 0)
                return "Invalid Unicode escape sequence";
            codePoint = codePoint * 16 + static_cast<u32>(digit);
        }
        return nullptr;
    }
    const u8* first = ++at;
    for (int digit; (digit = hexValue(*at)) >= 0; at++) {
        codePoint = codePoint * 16 + static_cast<u32>(digit);
        if (codePoint > 0x10ffff)
            return "Undefined Unicode code-point";
    }
    if (at == first || *at != '}')
        return "Invalid Unicode escape sequence";
    at++;
    return nullptr;
}

/// From regExpAt_: the parser says that an operand must stand there.
int Lexer::scanRegExp(TokenValue&) {
    token_ = begin_ + regExpAt_;
    regExpAt_ = none;
    const u8* at = token_ + 1;
    for (bool inClass = false; inClass || *at != '/'; at++) {
        if (*at == '\\')
            at++;
        else if (*at == '[')
            inClass = true;
        else if (*at == ']')
            inClass = false;
        if (isLineBreak(at) || (*at == 0 && at >= limit_))
            return fail(token_, at, "Invalid regular expression: missing /",
                {inClass ? "the class that '[' opened is not closed: expected ']' and then '/'"
                         : "the regular expression is not closed before its line ends"});
    }
    cursor_ = at + 1;
    bool failed = false;
    const u8* flags = cursor_;
    buffer_.clear();
    while (*cursor_ != '\\' && appendWordPart(cursor_, false, failed)) { }
    if (*cursor_ == '\\')
        return fail(flags, cursor_ + 1, "Invalid regular expression flags");
    return T_REGEXP;
}

}
