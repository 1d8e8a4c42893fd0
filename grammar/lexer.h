// Bytes to tokens. The invariant: the lexer never guesses from tokens past. What it must know of the syntax the parser
// tells it, by the calls under "The seam", always at a point where no token was read ahead.
#pragma once

#include "grammar/diagnostic.h"
#include "grammar/names.h"
#include "runtime/base/utf.h"

namespace scr {

/// The value of a hexadecimal digit, or -1.
inline int hexValue(u8 digit) {
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    u8 lower = digit | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// Whether a line terminator stands at `at` (12.3): U+2028 and U+2029, three bytes each, are some too. Ends with a NUL.
inline bool isLineBreak(const u8* at) {
    bool isUnicode = at[0] == 0xe2 && at[1] == 0x80 && (at[2] == 0xa8 || at[2] == 0xa9);
    return *at == '\n' || *at == '\r' || isUnicode;
}

union TokenValue {
    Name* name;
    double number;
    TemplateChunk* chunk;
};

class Lexer {
public:
    Lexer(const Source& source, Arena& arena, NameTable& names, Errors& errors, bool isModule);

    /// The next token; its kind is a bison token. After an error, of whomever, it is YYUNDEF.
    int next(TokenValue& value, Span& span);

    /// Whether a line break stands between the last token and the one before it.
    /// Place + 1 of the token before the last one if that was the plain name await, else 0.
    u32 previousAwaitAt() const { return previousAwait_; }
    /// Where the token before the last one ended.
    u32 previousEnd() const { return previousEnd_; }
    /// The characters of a span as a Name, escapes left alone.
    Name* decoded(Span span);
    bool hasLineBreakBefore() const { return lineBreakBefore_; }

    // ---- The seam ----
    /// The next token starts a statement: "{" opens a block; function, class and async function declare.
    void startStatement() { start_ = Start::Statement; }
    /// The same after else, where "if" continues the chain: CHAINED_IF.
    void startElse() { start_ = Start::Else; }
    /// The next token starts a declaration, perhaps (after export): as above, but "{" is left alone.
    void startDeclaration() { start_ = Start::Declaration; }
    /// The next token starts the body of an arrow function: "{" opens a block.
    void startArrowBody() { start_ = Start::ArrowBody; }
    /// The same decision about a token that was read already; bison symbols and tokens have the same numbers.
    static int restate(int kind, bool braces, bool declarations);
    /// A line break before the next token gives the token LINE_END first (ECMA-262 12.10.1, restricted productions).
    void restrict() { isRestricted_ = true; }
    /// The last "(" opens the head of a for: its "in", unless inside brackets or a conditional, is FOR_IN.
    void openForHead();
    void closeForHead();
    /// "/" or "/=" at begin stands where an operand must: the next token is a regular expression.
    void expectRegExp(u32 begin) { regExpAt_ = begin; }
    /// Whether await is a keyword from here on.
    void setAwait(bool isKeyword) { awaitIsKeyword_ = isKeyword; }
    bool awaitIsKeyword() const { return awaitIsKeyword_; }

    /// Where a malformed escape stands in a template chunk, and why: for templates without a tag.
    Diagnostic badEscape(Span chunk);
    /// Whether a line break, perhaps in a comment, is inside span.
    bool hasLineBreakIn(Span span) const;
    /// Whether span is exactly this text: no escapes.
    bool isExactly(Span span, std::string_view text) const;

    /// Some await was a keyword, so far.
    bool sawAwait = false;

private:
    enum class Start : u8 { Operand, Statement, Else, Declaration, ArrowBody };
    enum class Bracket : u8 { Plain, ForHead, Template };
    struct OpenBracket {
        Bracket kind;
        u32 questions; // of conditionals that wait for ":", in a for head
    };

    int scan(TokenValue& value);
    bool continuesWord(const u8* at) const;
    int scanSlowWord(TokenValue& value);
    int scanNumber(TokenValue& value, const u8* end);
    int scanInteger(TokenValue& value, const u8* end, int bitsPerDigit);
    int scanBigInt(TokenValue& value, const u8* end);
    int scanString(TokenValue& value, u8 quote);
    int scanTemplate(TokenValue& value, bool isHead);
    void scanTemplateText(const u8*& at, bool& hasBadEscape);
    int scanRegExp(TokenValue& value);
    int classifyAsync();
    int classifyUsing();
    int classifyAwait();
    bool skipBlockComment();
    void skipLine();
    const u8* peekToken(const u8* from, bool& lineBreak) const;
    const u8* peekWord(const u8* from) const;
    bool isWord(const u8* begin, const u8* end, std::string_view text) const;
    bool checkNumberEnd();

    void open(Bracket kind) { brackets_.push_back({kind, 0}); }
    void close() {
        if (!brackets_.empty())
            brackets_.pop_back();
    }

    const char* scanEscape(const u8*& at, bool inTemplate);
    const char* scanUnicodeEscape(const u8*& at, u32& codePoint);
    bool appendWordPart(const u8*& at, bool isFirst, bool& failed);
    u32 decode(const u8*& at) const { return decodeUtf8(at, limit_); }
    static void append(std::vector<char16_t>& buffer, u32 codePoint);
    void append(u32 codePoint) { append(buffer_, codePoint); }
    Name* internBuffer() { return names_.intern(buffer_.data(), static_cast<u32>(buffer_.size())); }
    Name* internSpan(const u8* begin, const u8* end) { return names_.intern(begin, static_cast<u32>(end - begin)); }

    u32 offset(const u8* at) const { return static_cast<u32>(at - begin_); }
    int fail(const u8* from, const u8* to, std::string message, Notes notes = {}, bool incomplete = false);
    int failUnexpected(const u8* from, const u8* to);
    int failEscape(const u8* at);
    Notes escapeNotes(const u8* at) const;
    u32 lastTextOffset() const;

    const u8* begin_;
    const u8* limit_;
    const u8* token_;
    const u8* cursor_;
    Arena& arena_;
    NameTable& names_;
    Errors& errors_;
    std::vector<OpenBracket> brackets_;
    std::vector<char16_t> buffer_;
    std::vector<char16_t> raw_;
    u32 regExpAt_ = none;
    int lastKind_ = 0;
    u32 lastEnd_ = 0;
    u32 previousEnd_ = 0;
    Start start_ = Start::Operand;
    u32 previousAwait_ = 0;
    u32 lastAwait_ = 0;
    bool isModule_;
    bool isRestricted_ = false;
    bool awaitIsKeyword_ = false;
    bool lineBreakBefore_ = true; // also at the start of the text

    static constexpr u32 none = ~0u;
};

}
