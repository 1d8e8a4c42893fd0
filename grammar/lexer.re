// The tokens of ECMA-262 12, by re2c. The invariant: cursor_ never passes limit_, where a NUL stands; a NUL before it
// is an ordinary (and mostly illegal) character.
#include "grammar/lexer.h"

#include "grammar/identifier.h"
#include "grammar/near_words.h"
#include "parser.h"

namespace scr {


/*!re2c
    re2c:define:YYCTYPE = "u8";
    re2c:yyfill:enable = 0;
    re2c:encoding:utf8 = 1;
    re2c:indent:top = 1;

    lineBreak = "\r\n" | [\n\r\u2028\u2029];
    space     = [ \t\v\f\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff];
    digits    = [0-9] ("_"? [0-9])*;
    integer   = "0" | [1-9] ("_"? [0-9])*;
    exponent  = [eE] [+-]? digits;
    word      = [a-zA-Z$_] [a-zA-Z0-9$_]*;
*/

namespace {

bool isWordByte(u8 byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '$'
        || byte == '_';
}

} // namespace

Lexer::Lexer(const Source& source, Arena& arena, NameTable& names, Errors& errors, bool isModule)
    : begin_(reinterpret_cast<const u8*>(source.text().data()))
    , limit_(begin_ + source.size())
    , token_(begin_)
    , cursor_(begin_)
    , arena_(arena)
    , names_(names)
    , errors_(errors)
    , isModule_(isModule) {
    if (cursor_[0] == '#' && cursor_[1] == '!')
        skipLine();
}

int Lexer::next(TokenValue& value, Span& span) {
    if (UNLIKELY(errors_.any)) {
        span = errors_.first.span;
        return T_SCR_UNDEF;
    }
    if (UNLIKELY(isRestricted_)) {
        isRestricted_ = false;
        bool lineBreak = false;
        const u8* token = peekToken(cursor_, lineBreak);
        if (lineBreak && *token != ';') {
            span = {offset(cursor_), offset(cursor_)};
            return T_LINE_END;
        }
    }
    previousAwait_ = lastAwait_;
    lastAwait_ = 0;
    int kind;
    if (UNLIKELY(regExpAt_ != none)) {
        kind = scanRegExp(value);
    } else {
        kind = scan(value);
        if (start_ != Start::Operand) {
            kind = start_ == Start::Else && kind == T_IF ? int(T_CHAINED_IF)
                : restate(kind, start_ != Start::Declaration, start_ != Start::ArrowBody);
            start_ = Start::Operand;
        }
    }
    lastKind_ = kind;
    previousEnd_ = lastEnd_;
    lastEnd_ = offset(cursor_);
    span = errors_.any ? errors_.first.span : Span {offset(token_), offset(cursor_)};
    return kind;
}

int Lexer::restate(int kind, bool braces, bool declarations) {
    if (braces && kind == T_LEFT_BRACE)
        return T_BLOCK_BRACE;
    if (!declarations)
        return kind;
    switch (kind) {
    case T_FUNCTION: return T_FUNCTION_DECLARATION;
    case T_ASYNC_FUNCTION: return T_ASYNC_FUNCTION_DECLARATION;
    case T_CLASS: return T_CLASS_DECLARATION;
    default: return kind;
    }
}

void Lexer::openForHead() {
    ASSERT(!brackets_.empty());
    brackets_.back() = {Bracket::ForHead, 0};
}

void Lexer::closeForHead() {
    if (!brackets_.empty() && brackets_.back().kind == Bracket::ForHead)
        brackets_.back().kind = Bracket::Plain;
}

int Lexer::scan(TokenValue& value) {
    const u8* cursor = cursor_;
    const u8* marker;
    int kind;
    lineBreakBefore_ = cursor == begin_;
again:
    token_ = cursor;
    /*!re2c
        re2c:define:YYCURSOR = cursor;
        re2c:define:YYMARKER = marker;

        space+     { goto again; }
        lineBreak  { lineBreakBefore_ = true; goto again; }
        "//"       { cursor_ = cursor; skipLine(); cursor = cursor_; goto again; }
        "/" "*"    { cursor_ = cursor; if (!skipBlockComment()) return T_SCR_UNDEF; cursor = cursor_; goto again; }
        // HTML-like comments (ECMA-262 B.1.1), in scripts only.
        "<!--"     { if (isModule_) { cursor_ = token_ + 1; return T_LESS; }
                     cursor_ = cursor; skipLine(); cursor = cursor_; goto again; }
        "-->"      { if (isModule_ || !lineBreakBefore_) { cursor_ = token_ + 2; goto decrement; }
                     cursor_ = cursor; skipLine(); cursor = cursor_; goto again; }
        [\x00]     { if (token_ >= limit_) { cursor_ = token_ = limit_; return T_YYEOF; }
                     return failUnexpected(token_, cursor); }

        "break"      { kind = T_BREAK; goto keyword; }
        "case"       { kind = T_CASE; goto keyword; }
        "catch"      { kind = T_CATCH; goto keyword; }
        "class"      { kind = T_CLASS; goto keyword; }
        "const"      { kind = T_CONST; goto keyword; }
        "continue"   { kind = T_CONTINUE; goto keyword; }
        "debugger"   { kind = T_DEBUGGER; goto keyword; }
        "default"    { kind = T_DEFAULT; goto keyword; }
        "delete"     { kind = T_DELETE; goto keyword; }
        "do"         { kind = T_DO; goto keyword; }
        "else"       { kind = T_ELSE; goto keyword; }
        "enum"       { kind = T_ENUM; goto keyword; }
        "export"     { kind = T_EXPORT; goto keyword; }
        "extends"    { kind = T_EXTENDS; goto keyword; }
        "false"      { kind = T_FALSE; goto keyword; }
        "finally"    { kind = T_FINALLY; goto keyword; }
        "for"        { kind = T_FOR; goto keyword; }
        "function"   { kind = T_FUNCTION; goto keyword; }
        "if"         { kind = T_IF; goto keyword; }
        "import"     { kind = T_IMPORT; goto keyword; }
        "in"         { kind = T_IN; goto keyword; }
        "instanceof" { kind = T_INSTANCEOF; goto keyword; }
        "let"        { kind = T_LET; goto keyword; }
        "new"        { kind = T_NEW; goto keyword; }
        "null"       { kind = T_NULL_; goto keyword; }
        "return"     { kind = T_RETURN; goto keyword; }
        "static"     { kind = T_STATIC; goto keyword; }
        "super"      { kind = T_SUPER; goto keyword; }
        "switch"     { kind = T_SWITCH; goto keyword; }
        "this"       { kind = T_THIS; goto keyword; }
        "throw"      { kind = T_THROW; goto keyword; }
        "true"       { kind = T_TRUE; goto keyword; }
        "try"        { kind = T_TRY; goto keyword; }
        "typeof"     { kind = T_TYPEOF; goto keyword; }
        "var"        { kind = T_VAR; goto keyword; }
        "void"       { kind = T_VOID; goto keyword; }
        "while"      { kind = T_WHILE; goto keyword; }
        "with"       { kind = T_WITH; goto keyword; }
        "yield"      { kind = T_YIELD; goto keyword; }
        "implements" | "interface" | "package" | "private" | "protected" | "public" { kind = T_RESERVED; goto keyword; }

        "as"         { kind = T_AS; goto name; }
        "async"      { kind = T_ASYNC; goto name; }
        "await"      { kind = T_AWAIT; goto name; }
        "from"       { kind = T_FROM; goto name; }
        "get"        { kind = T_GET; goto name; }
        "of"         { kind = T_OF; goto name; }
        "set"        { kind = T_SET; goto name; }
        "using"      { kind = T_USING; goto name; }
        word         { kind = T_IDENTIFIER; goto name; }

        "{"    { open(Bracket::Plain); kind = T_LEFT_BRACE; goto done; }
        "}"    { if (!brackets_.empty() && brackets_.back().kind == Bracket::Template) {
                     cursor_ = cursor; return scanTemplate(value, false); }
                 close(); kind = T_RIGHT_BRACE; goto done; }
        "("    { open(Bracket::Plain); kind = T_LEFT_PAREN; goto done; }
        ")"    { close(); kind = T_RIGHT_PAREN; goto done; }
        "["    { open(Bracket::Plain); kind = T_LEFT_BRACKET; goto done; }
        "]"    { close(); kind = T_RIGHT_BRACKET; goto done; }
        ";"    { closeForHead(); kind = T_SEMICOLON; goto done; }
        ":"    { if (!brackets_.empty() && brackets_.back().questions) brackets_.back().questions--;
                 kind = T_COLON; goto done; }
        "?"    { if (!brackets_.empty() && brackets_.back().kind == Bracket::ForHead) brackets_.back().questions++;
                 kind = T_QUESTION; goto done; }
        "?." / [0-9] { cursor = token_ + 1; if (!brackets_.empty() && brackets_.back().kind == Bracket::ForHead)
                       brackets_.back().questions++;
                       kind = T_QUESTION; goto done; }
        "?."   { kind = T_QUESTION_DOT; goto done; }
        "."    { kind = T_DOT; goto done; }
        "..."  { kind = T_ELLIPSIS; goto done; }
        ","    { kind = T_COMMA; goto done; }
        "=>"   { kind = lineBreakBefore_ ? T_ARROW_AFTER_LINE_BREAK : T_ARROW; goto done; }
        "++"   { kind = lineBreakBefore_ ? T_INCREMENT_AFTER_LINE_BREAK : T_INCREMENT; goto done; }
        "--"   { cursor_ = cursor; goto decrement; }
        "="    { kind = T_ASSIGN; goto done; }
        "+="   { kind = T_ADD_ASSIGN; goto done; }
        "-="   { kind = T_SUBTRACT_ASSIGN; goto done; }
        "*="   { kind = T_MULTIPLY_ASSIGN; goto done; }
        "/="   { kind = T_DIVIDE_ASSIGN; goto done; }
        "%="   { kind = T_REMAINDER_ASSIGN; goto done; }
        "**="  { kind = T_POWER_ASSIGN; goto done; }
        "<<="  { kind = T_SHIFT_LEFT_ASSIGN; goto done; }
        ">>="  { kind = T_SHIFT_RIGHT_ASSIGN; goto done; }
        ">>>=" { kind = T_SHIFT_RIGHT_UNSIGNED_ASSIGN; goto done; }
        "&="   { kind = T_BIT_AND_ASSIGN; goto done; }
        "|="   { kind = T_BIT_OR_ASSIGN; goto done; }
        "^="   { kind = T_BIT_XOR_ASSIGN; goto done; }
        "&&="  { kind = T_AND_ASSIGN; goto done; }
        "||="  { kind = T_OR_ASSIGN; goto done; }
        "??="  { kind = T_COALESCE_ASSIGN; goto done; }
        "+"    { kind = T_PLUS; goto done; }
        "-"    { kind = T_MINUS; goto done; }
        "*"    { kind = T_STAR; goto done; }
        "/"    { kind = T_SLASH; goto done; }
        "%"    { kind = T_PERCENT; goto done; }
        "**"   { kind = T_POWER; goto done; }
        "<<"   { kind = T_SHIFT_LEFT; goto done; }
        ">>"   { kind = T_SHIFT_RIGHT; goto done; }
        ">>>"  { kind = T_SHIFT_RIGHT_UNSIGNED; goto done; }
        "&"    { kind = T_BIT_AND; goto done; }
        "|"    { kind = T_BIT_OR; goto done; }
        "^"    { kind = T_BIT_XOR; goto done; }
        "~"    { kind = T_TILDE; goto done; }
        "!"    { kind = T_NOT; goto done; }
        "&&"   { kind = T_AND; goto done; }
        "||"   { kind = T_OR; goto done; }
        "??"   { kind = T_COALESCE; goto done; }
        "=="   { kind = T_EQUAL; goto done; }
        "!="   { kind = T_NOT_EQUAL; goto done; }
        "==="  { kind = T_STRICT_EQUAL; goto done; }
        "!=="  { kind = T_STRICT_NOT_EQUAL; goto done; }
        "<"    { kind = T_LESS; goto done; }
        "<="   { kind = T_LESS_EQUAL; goto done; }
        ">"    { kind = T_GREATER; goto done; }
        ">="   { kind = T_GREATER_EQUAL; goto done; }

        (integer ("." digits?)? | "." digits) exponent? { return scanNumber(value, cursor); }
        "0" [xX] [0-9a-fA-F] ("_"? [0-9a-fA-F])*        { return scanInteger(value, cursor, 4); }
        "0" [oO] [0-7] ("_"? [0-7])*                    { return scanInteger(value, cursor, 3); }
        "0" [bB] [01] ("_"? [01])*                      { return scanInteger(value, cursor, 1); }
        (integer | "0" [xX] [0-9a-fA-F] ("_"? [0-9a-fA-F])* | "0" [oO] [0-7] ("_"? [0-7])* | "0" [bB] [01] ("_"? [01])*) "n"
                     { return scanBigInt(value, cursor); }
        "0" [0-7]+   { return fail(token_, cursor, "Octal literals are not allowed in strict mode.",
                                   {"an octal number begins with 0o: 0o" + std::string(token_ + 1, cursor)}); }
        "0" [0-9]+   { return fail(token_, cursor, "Decimals with leading zeros are not allowed in strict mode."); }

        ["] [^"\\\r\n\x00\x80-\U0010ffff]* ["] { value.name = internSpan(token_ + 1, cursor - 1); kind = T_STRING; goto done; }
        ['] [^'\\\r\n\x00\x80-\U0010ffff]* ['] { value.name = internSpan(token_ + 1, cursor - 1); kind = T_STRING; goto done; }
        ["']   { cursor_ = cursor; return scanString(value, *token_); }
        "`"    { cursor_ = cursor; return scanTemplate(value, true); }
        "#"    { cursor_ = cursor; return scanSlowWord(value); }
        "#" word { if ((*cursor >= 0x80 || *cursor == '\\') && continuesWord(cursor)) { cursor_ = token_ + 1; return scanSlowWord(value); }
                   value.name = internSpan(token_, cursor); kind = T_PRIVATE_NAME; goto done; }
        *      { cursor_ = token_; return scanSlowWord(value); }
    */
done:
    cursor_ = cursor;
    return kind;
decrement:
    return lineBreakBefore_ ? T_DECREMENT_AFTER_LINE_BREAK : T_DECREMENT;
keyword:
    if (UNLIKELY(*cursor >= 0x80 || *cursor == '\\') && continuesWord(cursor))
        return cursor_ = token_, scanSlowWord(value);
    cursor_ = cursor;
    if (kind == T_IN && !brackets_.empty() && brackets_.back().kind == Bracket::ForHead && !brackets_.back().questions
        && lastKind_ != T_DOT && lastKind_ != T_QUESTION_DOT) {
        closeForHead();
        return T_FOR_IN;
    }
    return kind;
name:
    if (UNLIKELY(*cursor >= 0x80 || *cursor == '\\') && continuesWord(cursor))
        return cursor_ = token_, scanSlowWord(value);
    cursor_ = cursor;
    value.name = internSpan(token_, cursor);
    if (LIKELY(kind == T_IDENTIFIER))
        return kind;
    switch (kind) {
    case T_ASYNC: return classifyAsync();
    case T_AWAIT: return classifyAwait();
    case T_USING: return classifyUsing();
    default: return kind;
    }
}

// ---- Words ------------------------------------------------------------------------------------------------------

/// Whether an escape or a character beyond ASCII at `at` belongs to the word before it.
bool Lexer::continuesWord(const u8* at) const { return *at == '\\' || isIdentifierPart(decode(at)); }

/// A word with escapes or characters beyond ASCII, from cursor_; with "#" before it a private name.
int Lexer::scanSlowWord(TokenValue& value) {
    const u8* at = cursor_;
    bool isPrivate = at > token_;
    bool hasEscape = false;
    bool failed = false;
    buffer_.clear();
    if (isPrivate)
        buffer_.push_back(u'#');
    for (bool first = true;; first = false) {
        hasEscape = hasEscape || *at == '\\';
        if (!appendWordPart(at, first, failed))
            break;
    }
    if (failed)
        return failEscape(at);
    if (buffer_.size() == isPrivate) {
        const u8* end = at;
        if (end < limit_ && !isPrivate)
            decode(end);
        return failUnexpected(token_, end);
    }
    cursor_ = at;
    value.name = internBuffer();
    if (isPrivate)
        return T_PRIVATE_NAME;
    if (!hasEscape || !value.name->isLatin1)
        return T_IDENTIFIER;
    // Is it a reserved word in disguise? Then it is only good where any name is (ECMA-262 12.7.2).
    Source plain("", std::string(reinterpret_cast<const char*>(value.name->latin1), value.name->length));
    Lexer other(plain, arena_, names_, errors_, isModule_);
    TokenValue ignored;
    switch (other.scan(ignored)) {
    case T_IDENTIFIER: case T_AS: case T_ASYNC: case T_FROM: case T_GET: case T_OF: case T_SET: case T_USING:
        return value.name == names_.await && awaitIsKeyword_ ? T_ESCAPED_KEYWORD : T_IDENTIFIER;
    default: return T_ESCAPED_KEYWORD;
    }
}

/// The escape at `at` in a word is none, or not of a character that words have.
int Lexer::failEscape(const u8* at) {
    const u8* end = at + 2;
    u32 codePoint = 0;
    if (at[1] != 'u')
        return fail(at, at + 1, "Invalid or unexpected token", {"'\\' stands in strings, templates and \\u escapes only"});
    if (scanUnicodeEscape(end, codePoint))
        return fail(at, end, "Invalid Unicode escape sequence");
    return fail(token_, end, "Invalid or unexpected token", {"no name can have the character of this escape there"});
}

/// Appends the character or escape at `at` to the buffer if it belongs to the word.
bool Lexer::appendWordPart(const u8*& at, bool isFirst, bool& failed) {
    if (isWordByte(*at) && !(isFirst && *at <= '9' && *at >= '0')) {
        buffer_.push_back(*at++);
        return true;
    }
    if (*at >= 0x80) {
        const u8* next = at;
        u32 codePoint = decode(next);
        if (!(isFirst ? isIdentifierStart(codePoint) : isIdentifierPart(codePoint)))
            return false;
        append(codePoint);
        at = next;
        return true;
    }
    if (*at != '\\')
        return false;
    const u8* escape = at;
    const u8* end = at + 2;
    u32 codePoint = 0;
    failed = at[1] != 'u' || scanUnicodeEscape(end, codePoint);
    if (failed)
        return false;
    // The character must be one that could stand here unescaped.
    if (!(isFirst ? isIdentifierStart(codePoint) : isIdentifierPart(codePoint))) {
        at = escape;
        failed = true;
        return false;
    }
    append(codePoint);
    at = end;
    return true;
}

/// Behind the spaces and comments after from: what the next token is, without reading it.
const u8* Lexer::peekToken(const u8* from, bool& lineBreak) const {
    const u8* cursor = from;
    const u8* marker;
    (void)marker;
again:
    const u8* start = cursor;
    /*!re2c
        re2c:define:YYCURSOR = cursor;
        re2c:define:YYMARKER = marker;
        space+       { goto again; }
        lineBreak    { lineBreak = true; goto again; }
        "//"         { while (cursor < limit_ && !isLineBreak(cursor)) cursor++; goto again; }
        "/" "*"      { for (; cursor < limit_ && !(cursor[0] == '*' && cursor[1] == '/'); cursor++)
                           lineBreak = lineBreak || isLineBreak(cursor);
                       if (cursor < limit_) cursor += 2;
                       goto again; }
        *            { return start; }
    */
}

/// Behind the word at from, escapes included, or from if there is none.
const u8* Lexer::peekWord(const u8* from) const {
    const u8* at = from;
    while (isWordByte(*at) || *at >= 0x80 || *at == '\\') {
        at += *at == '\\' && at[1] == 'u' && at[2] == '{' ? 3 : 1;
        if (at[-1] == '{') {
            while (hexValue(*at) >= 0)
                at++;
            at += *at == '}';
        }
    }
    return at;
}

bool Lexer::hasLineBreakIn(Span span) const {
    for (const u8* at = begin_ + span.begin; at < begin_ + span.end; at++) {
        if (isLineBreak(at))
            return true;
    }
    return false;
}

bool Lexer::isWord(const u8* begin, const u8* end, std::string_view text) const {
    return std::string_view(reinterpret_cast<const char*>(begin), static_cast<size_t>(end - begin)) == text;
}

bool Lexer::isExactly(Span span, std::string_view text) const { return isWord(begin_ + span.begin, begin_ + span.end, text); }

/// async: plain before a line break; ASYNC_FUNCTION before function; ASYNC_ARROW before "name =>".
int Lexer::classifyAsync() {
    bool lineBreak = false;
    const u8* next = peekToken(cursor_, lineBreak);
    if (lineBreak)
        return T_IDENTIFIER;
    const u8* end = peekWord(next);
    if (end == next)
        return T_ASYNC;
    if (isWord(next, end, "function"))
        return T_ASYNC_FUNCTION;
    const u8* arrow = peekToken(end, lineBreak);
    return arrow[0] == '=' && arrow[1] == '>' ? T_ASYNC_ARROW : T_ASYNC;
}

/// using: a declaration if a name follows on the same line. In a for head "using of" is the name using, then of,
/// unless an initializer follows.
int Lexer::classifyUsing() {
    bool lineBreak = false;
    const u8* next = peekToken(cursor_, lineBreak);
    const u8* end = peekWord(next);
    if (lineBreak || end == next || (*next >= '0' && *next <= '9') || isWord(next, end, "in")
        || isWord(next, end, "instanceof"))
        return T_IDENTIFIER;
    if (isWord(next, end, "of") && !brackets_.empty() && brackets_.back().kind == Bracket::ForHead) {
        const u8* after = peekToken(end, lineBreak);
        return after[0] == '=' && after[1] != '=' && after[1] != '>' ? T_USING : T_IDENTIFIER;
    }
    return T_USING;
}

/// await: a name where it is not a keyword; "await using" before a name, all on one line, is one token.
int Lexer::classifyAwait() {
    if (!awaitIsKeyword_) {
        lastAwait_ = offset(token_) + 1;
        return T_IDENTIFIER;
    }
    sawAwait = true;
    bool lineBreak = false;
    const u8* word = peekToken(cursor_, lineBreak);
    const u8* wordEnd = peekWord(word);
    if (!isWord(word, wordEnd, "using"))
        return T_AWAIT;
    const u8* name = peekToken(wordEnd, lineBreak);
    const u8* nameEnd = peekWord(name);
    if (lineBreak || name == nameEnd || (*name >= '0' && *name <= '9') || isWord(name, nameEnd, "in")
        || isWord(name, nameEnd, "instanceof"))
        return T_AWAIT;
    cursor_ = wordEnd;
    return T_AWAIT_USING;
}

// ---- Comments ---------------------------------------------------------------------------------------------------

void Lexer::skipLine() {
    while (cursor_ < limit_ && !isLineBreak(cursor_))
        cursor_++;
}

bool Lexer::skipBlockComment() {
    for (; cursor_ < limit_; cursor_++) {
        if (cursor_[0] == '*' && cursor_[1] == '/') {
            cursor_ += 2;
            return true;
        }
        lineBreakBefore_ = lineBreakBefore_ || isLineBreak(cursor_);
    }
    fail(token_, token_ + 2, "Invalid or unexpected token",
        {"the comment that begins here is not closed: expected '*/'",
            {"before the text ends here:", {lastTextOffset(), lastTextOffset()}}}, true);
    return false;
}

// ---- Characters ---------------------------------------------------------------------------------------------------

Name* Lexer::decoded(Span span) {
    buffer_.clear();
    for (const u8* at = begin_ + span.begin; at < begin_ + span.end;)
        append(decode(at));
    return internBuffer();
}

void Lexer::append(std::vector<char16_t>& buffer, u32 codePoint) {
    if (codePoint >= 0x10000) {
        buffer.push_back(highSurrogate(codePoint));
        buffer.push_back(lowSurrogate(codePoint));
    } else {
        buffer.push_back(static_cast<char16_t>(codePoint));
    }
}

int Lexer::fail(const u8* from, const u8* to, std::string message, Notes notes, bool incomplete) {
    errors_.report(
        {offset(from), offset(to < limit_ ? to : limit_)}, std::move(message), incomplete, std::move(notes));
    return T_SCR_UNDEF;
}

/// No token begins so.
int Lexer::failUnexpected(const u8* from, const u8* to) {
    const u8* at = from;
    Notes notes;
    if (from < limit_)
        notes.emplace_back(from[0] == '#' && from[1] == '!' ? "'#!' stands at the very beginning of a script only"
                                                           : describeCharacter(decode(at)));
    return fail(from, to, "Invalid or unexpected token", std::move(notes));
}

/// Behind the last character that is no space.
u32 Lexer::lastTextOffset() const {
    const u8* at = limit_;
    while (at > begin_ && (at[-1] <= ' '))
        at--;
    return offset(at);
}

}
