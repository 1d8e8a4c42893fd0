// A text read once more as mere tokens, after a syntax error: what stands around the place of the error, and which
// brackets are open there. The invariant: it only helps to word the error, so a wrong guess of it (what a "/" is) costs
// nothing but a note.
#pragma once

#include "grammar/source.h"

#include <string>
#include <string_view>
#include <vector>

namespace scr {

class Lexer;

class Outline {
public:
    struct Token {
        int kind; // of the grammar; 0: the end, or nothing
        Span span;
        bool startsLine;
    };

    /// error: where the token at fault begins. Known: no token before it is malformed.
    Outline(const Source& source, u32 error);

    /// Whether the token at fault was found again: else the text was misread, and nothing here is worth anything.
    bool isReliable() const { return isReliable_; }
    /// 0: the token at fault; 1: the one behind it; -1: the one before it.
    const Token& at(int distance) const { return tokenAt(here_ + distance); }
    std::string_view text(int distance) const { return source_.text(at(distance).span); }
    const Source& source() const { return source_; }

    /// The innermost bracket that is open at the error, as a distance; 0: none is.
    int opener() const { return open_.empty() ? 0 : distance(open_.back()); }
    /// Whether the opener finds its partner behind the error, with nothing in between that only a statement has.
    bool closesLater() const;
    /// The bracket that the closing one at this distance closes, as a distance; 0: none.
    int partner(int closing) const;
    /// Whether a statement may begin with the token there, to all appearances.
    bool startsStatement(int distance) const;

    /// The const, let or var of a declaration that ends at the error with a name or pattern without a value, as a
    /// distance; 0: there is none.
    int bareDeclaration() const;

    /// A block whose "}" stands less far to the right than the line of its "{": its own is probably missing.
    bool hasSuspect() const { return suspectOpen_ >= 0; }
    Span suspectOpen() const { return tokenAt(suspectOpen_).span; }
    Span suspectClose() const { return tokenAt(suspectClose_).span; }

private:
    static constexpr int tokensBehind = 2000;

    void read(Lexer& lexer, u32 error);
    void enter(int index);
    int distance(int index) const { return index - here_; }
    const Token& tokenAt(int index) const {
        return index >= 0 && size_t(index) < tokens_.size() ? tokens_[size_t(index)] : nothing_;
    }
    u32 indent(int index) const;
    void suspect(int opening, int closing);

    const Source& source_;
    std::vector<Token> tokens_;
    std::vector<int> open_; // indices of brackets, at the error
    int here_ = 0;
    bool isReliable_ = false;
    int suspectOpen_ = -1;
    int suspectClose_ = -1;
    Token nothing_{};
};

/// What closes a bracket: its text. "}" also for "${".
const char* closerOf(int opening);
bool isOpening(int kind);
bool isClosing(int kind);

}
