// Whether a text that grows at its end has an open bracket, template or comment, in time that the new part takes.
//
// Invariant: it is a guess (a regular expression is told from a division by what stands before), so it may only save a
// question whose answer it foretells, never replace the last one.
#pragma once
#include "runtime/base/platform.h"
#include <string>
#include <string_view>

namespace scr {

class OpenBrackets {
public:
    /// Known: since reset() the text only grew.
    bool isOpen(std::string_view text);
    void reset() { *this = OpenBrackets(); }

private:
    enum class In : u8 { Code, String, Template, Line, Block, RegExp, RegExpClass };

    void step(char c, char next);
    void code(char c, char next);
    bool wantsOperand() const;

    size_t seen_ = 0;
    In in_ = In::Code;
    char quote_ = 0;
    bool skip_ = false; ///< the next character means nothing
    char last_ = ';'; ///< the last one that is no blank, outside of comments
    std::string open_; ///< ( [ { and $ for the braces of a template
};

}
