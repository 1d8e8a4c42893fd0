// One syntax error: what, where, and what helps to mend it. The one place that cuts an excerpt out of a text, for
// errors at run time too.
#pragma once

#include "grammar/source.h"

#include <string>
#include <vector>

namespace scr {

/// What helps to mend a mistake: a line below the excerpt and, if another place matters, an excerpt of its own.
struct Note {
    std::string text;
    Span span{};
    bool hasPlace = false;

    Note(std::string text)
        : text(std::move(text)) { }
    Note(const char* text)
        : text(text) { }
    Note(std::string text, Span span)
        : text(std::move(text))
        , span(span)
        , hasPlace(true) { }
};
using Notes = std::vector<Note>;

struct Diagnostic {
    Span span{}; // the offending token; empty at the end of the text
    std::string message; // without "SyntaxError: "; as V8 words it, where it has words for it
    Notes notes{};
};

/// The head that Node prints: "name:line", the source line, carets below the span (each line ends with \n). Of a long
/// line only the surroundings of the caret are shown, and the head names the column.
std::string excerpt(const Source& source, Span span);
/// Each on a line of its own, with the excerpt of its place.
std::string renderNotes(const Source& source, const Notes& notes);

/// What a parse has to say in the end: the first error, or nothing.
struct Errors {
    Diagnostic first;
    bool any = false;
    bool isIncomplete = false; // the first error is that the text ends

    COLD void report(Span span, std::string message, bool incomplete = false, Notes notes = {});
};

/// excerpt(), the notes, an empty line, then "SyntaxError: message" and a newline.
std::string render(const Source& source, const Diagnostic& diagnostic);

}
