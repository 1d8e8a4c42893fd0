// Words for an unexpected token: V8's message, the place, and notes that help to mend it. The invariant: nothing here
// runs before the parse has failed for good.
#pragma once

#include "grammar/diagnostic.h"

#include <string_view>

namespace scr {

/// What the unexpected token stands in, as far as the parser had understood.
enum class Inside : u8 {
    Statements,
    Arguments,
    Parameters,
    Parentheses,
    Head, // of an if, a loop, a switch, a catch
    Array,
    ArrayPattern,
    Index,
    Object,
    ObjectPattern,
    Class,
    Cases,
    Template,
    Imports, // braces of an import or export
};

/// Where the parser could not go on. Kinds of tokens are those of the grammar.
struct Unexpected {
    int kind;
    Span span;
    Inside inside;
    bool isDeclaration; // a declaration of variables stands right before it
    const bool* expected; // by kind
    std::string_view (*textOf)(int kind); // of punctuation and words
};

/// The first error of a text that the grammar rejects at `what`.
Diagnostic explain(const Source& source, const Unexpected& what);

/// "'f' is not async, so await is a name in it", with its place. begin: FunctionContext::begin; lacks: "async"; what:
/// the rest.
Note functionNote(const Source& source, u32 begin, bool isArrow, std::string_view lacks, std::string_view what);

}
