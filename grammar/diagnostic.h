// One syntax error: what and where.
#pragma once

#include "grammar/source.h"

#include <string>

namespace scr {

struct Diagnostic {
    Span span{}; // the offending token; empty at the end of the text
    std::string message; // without "SyntaxError: "
};

/// The head that Node prints: "name:line", the source line, carets below the span (each line ends with \n).
std::string excerpt(const Source& source, Span span);

/// What a parse has to say in the end: the first error, or nothing.
struct Errors {
    Diagnostic first;
    bool any = false;
    bool isIncomplete = false; // the first error is that the text ends

    void report(Span span, std::string message, bool incomplete = false) {
        if (any)
            return;
        first = {span, std::move(message)};
        any = true;
        isIncomplete = incomplete;
    }
};

/// excerpt(), an empty line, then "SyntaxError: message" and a newline.
std::string render(const Source& source, const Diagnostic& diagnostic);

}
