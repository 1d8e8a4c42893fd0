// One syntax error: what and where.
#pragma once

#include "grammar/source.h"

#include <string>

namespace scr {

struct Diagnostic {
    Span span {};               // the offending token; empty at the end of the text
    std::string message;        // without "SyntaxError: "
};

/// The head that Node prints: "name:line", the source line, carets below the span (each line ends with \n).
std::string excerpt(const Source& source, Span span);

/// excerpt(), an empty line, then "SyntaxError: message" and a newline.
std::string render(const Source& source, const Diagnostic& diagnostic);

} // namespace scr
