// Rules that recognise a mistake by the tokens around it. Each looks at one kind; the first that knows something wins.
#include "grammar/advice.h"

#include "grammar/explain.h"
#include "grammar/near_words.h"
#include "grammar/outline.h"
#include "parser.h"
#include "runtime/base/near_miss.h"

namespace scr {

namespace {

using Rule = std::string (*)(const Outline&, const Unexpected&);

constexpr auto typesSentence = "types are not part of the language: leave out ";

std::string quote(std::string_view text) { return "'" + std::string(text) + "'"; }

bool isWord(std::string_view text) { return !text.empty() && ((text[0] | 0x20) >= 'a' && (text[0] | 0x20) <= 'z'); }

bool isAdjacent(const Outline& o, int distance) { return o.at(distance).span.end == o.at(distance + 1).span.begin; }

std::string didYouMean(std::string_view meant, std::string_view written) {
    return "did you mean " + quote(meant) + " in place of " + quote(written) + "?";
}

// ---- words

/// Where a word at the start of a statement stands that makes no sense before the error; 0: nowhere.
int oddWord(const Outline& o, const Unexpected& u) {
    auto isOdd = [&](int at) { return o.at(at).kind == T_IDENTIFIER && o.startsStatement(at); };
    if (isOdd(-1) && !o.at(0).startsLine)
        return -1;
    if (u.kind == T_LEFT_BRACE && o.at(-1).kind == T_RIGHT_PAREN && isOdd(o.partner(-1) - 1))
        return o.partner(-1) - 1;
    bool isHead = u.kind == T_CONST || u.kind == T_LET || u.kind == T_VAR || u.kind == T_OF || u.kind == T_SEMICOLON
        || o.at(-1).kind == T_CONST || o.at(-1).kind == T_LET || o.at(-1).kind == T_VAR;
    if (u.inside == Inside::Arguments && isHead && o.opener() && isOdd(o.opener() - 1))
        return o.opener() - 1;
    return 0;
}

std::string misspelt(const Outline& o, const Unexpected& u) {
    int at = oddWord(o, u);
    if (!at)
        return "";
    std::string_view word = o.text(at);
    if (u.kind == T_COLON || u.kind == T_DOT)
        return "";
    if (std::string known = foreignWord(word); !known.empty())
        return known;
    if (std::string_view near = nearestKeyword(word); !near.empty())
        return didYouMean(near, word);
    return "";
}

/// f "x"
std::string callWithoutParentheses(const Outline& o, const Unexpected& u) {
    bool isCall = u.kind == T_STRING && o.at(-1).kind == T_IDENTIFIER && u.inside == Inside::Statements;
    return isCall ? "the arguments of a call stand in parentheses: " + std::string(o.text(-1)) + "(...)" : "";
}

std::string quoteInString(const Outline& o, const Unexpected& u) {
    bool isSplit = u.kind == T_IDENTIFIER && o.at(-1).kind == T_STRING && isAdjacent(o, -1);
    return isSplit ? "the string ends before this: a quote inside one is written with a backslash" : "";
}

std::string decimalComma(const Outline& o, const Unexpected& u) {
    bool isFraction = u.kind == T_NUMBER && o.at(-1).kind == T_COMMA && o.at(-2).kind == T_NUMBER && isAdjacent(o, -1)
        && isAdjacent(o, -2);
    return isFraction
        ? "a decimal fraction is written with a point: " + std::string(o.text(-2)) + "." + std::string(o.text(0))
        : "";
}

std::string hashWord(const Outline& o, const Unexpected&) {
    for (int at : {-1, 0})
        if (o.at(at).kind == T_PRIVATE_NAME && o.at(at).startsLine && !o.opener())
            return "'#' begins private names only: comments begin with //";
    return "";
}

/// A word where only certain ones may stand: of, from, while, catch.
std::string misspeltHere(const Unexpected& u, std::string_view word) {
    if (u.expected[T_ENUM]) // any word may be a name there
        return "";
    for (int meant : {T_OF, T_FROM, T_WHILE, T_CATCH, T_FINALLY, T_AS, T_FUNCTION, T_FOR_IN})
        if (u.expected[meant] && (isNearMiss(word, u.textOf(meant)) || (meant == T_WHILE && word == "until")))
            return didYouMean(u.textOf(meant), word);
    return "";
}

std::string wordInPlace(const Outline& o, const Unexpected& u) {
    if (u.kind != T_IDENTIFIER)
        return "";
    if (std::string near = misspeltHere(u, o.text(0)); !near.empty())
        return near;
    if (o.at(-1).kind == T_RIGHT_BRACE || o.at(0).startsLine)
        return "";
    if (std::string_view meant = operatorOfWord(o.text(0)); !meant.empty() && u.expected[T_PLUS])
        return didYouMean(meant, o.text(0));
    if (std::string_view meant = operatorOfWord(o.text(0)); !meant.empty() && u.inside != Inside::Statements)
        return didYouMean(meant, o.text(0));
    if (o.at(-1).kind == T_ASYNC)
        return didYouMean("async function", "async");
    if (o.text(-1) == "not")
        return didYouMean("!", "not");
    if (o.text(-1) == "lambda")
        return "'lambda' is not a word of the language: did you mean an arrow function, (x) => ...?";
    return "";
}

/// Reserved words that other languages have a use for.
std::string reservedStatement(const Outline& o, const Unexpected& u) {
    if ((u.kind != T_RESERVED && u.kind != T_ENUM) || !isWord(o.text(1)))
        return "";
    return foreignWord(o.text(0));
}

// ---- types

std::string typeAnnotation(const Outline& o, const Unexpected& u) {
    if (u.kind != T_COLON || !(isWord(o.text(1)) || o.at(1).kind == T_LEFT_BRACE) || o.at(1).startsLine)
        return "";
    bool isBound = (u.isDeclaration && o.bareDeclaration()) || u.inside == Inside::Parameters;
    bool isResult =
        o.at(-1).kind == T_RIGHT_PAREN && (u.expected[T_LEFT_BRACE] || u.expected[T_ARROW] || o.at(2).kind == T_ARROW);
    bool isArgument = u.inside == Inside::Parentheses && u.expected[T_COMMA];
    if (!isBound && !isResult && !isArgument)
        return "";
    return typesSentence + quote(": " + std::string(o.text(1)));
}

std::string otherTypes(const Outline& o, const Unexpected& u) {
    int next = o.at(1).kind;
    std::string_view word = o.text(0);
    if ((word == "as" || word == "satisfies") && isWord(o.text(1)) && !o.at(0).startsLine
        && u.inside != Inside::Imports)
        return typesSentence + quote(std::string(word) + " " + std::string(o.text(1)));
    bool isName = o.at(-1).kind == T_IDENTIFIER;
    if (u.kind == T_LESS && isName && u.expected[T_LEFT_PAREN])
        return typesSentence + quote("<" + std::string(o.text(1)) + ">");
    if (u.kind == T_QUESTION && (next == T_COLON || next == T_COMMA || next == T_RIGHT_PAREN)
        && (u.inside == Inside::Parameters || u.inside == Inside::Class))
        return "optional parameters are not marked: leave out '?'";
    if (u.kind == T_NOT && (next == T_DOT || next == T_SEMICOLON || next == T_RIGHT_PAREN || next == T_LEFT_BRACKET))
        return "'!' behind a value is TypeScript's: leave it out";
    if (u.inside == Inside::Class && isWord(o.text(0)) && o.at(-1).kind == T_RESERVED)
        return quote(o.text(-1)) + " is TypeScript's: private members are written #name";
    if (u.inside == Inside::Class && isWord(o.text(0)) && !foreignWord(o.text(-1)).empty())
        return foreignWord(o.text(-1));
    if (u.kind == T_RESERVED && word == "implements")
        return "interfaces are TypeScript's: leave out 'implements'";
    return "";
}

std::string jsx(const Outline& o, const Unexpected& u) {
    std::string_view rest = o.source().text().substr(u.span.end);
    bool isTag = !rest.empty() && (isWord(rest.substr(0, 1)) || rest[0] == '>');
    return u.kind == T_LESS && u.expected[T_NUMBER] && isTag ? "JSX is not part of the language" : "";
}

// ---- blocks and statements

std::string colonBlock(const Outline& o, const Unexpected& u) {
    int before = o.at(-1).kind;
    bool isHead = before == T_ELSE || before == T_TRY || before == T_FINALLY || before == T_DO
        || (before == T_RIGHT_PAREN && (o.at(1).startsLine || u.expected[T_LEFT_BRACE]));
    return u.kind == T_COLON && isHead ? "a block stands between '{' and '}': there is no ':' before it" : "";
}

std::string catchName(const Outline& o, const Unexpected& u) {
    bool isName = o.at(-1).kind == T_CATCH && u.kind == T_IDENTIFIER;
    return isName ? "the name of the error stands in parentheses: catch (" + std::string(o.text(0)) + ")" : "";
}

std::string literalAsBody(const Outline& o, const Unexpected& u) {
    int open = o.opener();
    bool isBody = u.kind == T_COLON && u.inside == Inside::Statements && open && o.at(open - 1).kind == T_ARROW;
    return isBody ? "to return an object, put it in parentheses: => ({ ... })" : "";
}

std::string conditionWithoutParentheses(const Outline& o, const Unexpected& u) {
    int before = o.at(-1).kind;
    bool isHead = before == T_IF || before == T_WHILE || before == T_SWITCH || before == T_FOR || before == T_WITH;
    if (!isHead || !u.expected[T_LEFT_PAREN])
        return "";
    const char* what = before == T_FOR ? "what 'for' goes through" : before == T_SWITCH ? "the value of 'switch'" : "";
    std::string subject = *what ? what : "the condition of " + quote(o.text(-1));
    return subject + " stands in parentheses: " + std::string(o.text(-1)) + " (...)";
}

std::string forHead(const Outline& o, const Unexpected& u) {
    int open = o.opener();
    bool isFor = u.inside == Inside::Head && open && o.at(open - 1).kind == T_FOR && u.expected[T_SEMICOLON];
    return isFor ? "a for loop is written 'for (let i = 0; i < n; i++)' or 'for (const item of list)'" : "";
}

std::string strayClause(const Outline& o, const Unexpected& u) {
    bool isStatement = u.expected[T_VAR] || (u.inside == Inside::Statements && o.startsStatement(0));
    if (!isStatement)
        return "";
    switch (u.kind) {
    case T_ELSE:
        return o.at(-1).kind == T_SEMICOLON
            ? "'else' follows the one statement of its 'if': braces make one of several, and a lone ';' is one too"
            : "there is no 'if' that this 'else' could belong to";
    case T_CATCH:
    case T_FINALLY: return quote(o.text(0)) + " follows the block of a 'try'";
    case T_CASE:
    case T_DEFAULT: return quote(o.text(0)) + " belongs in the braces of a 'switch'";
    case T_EXTENDS: return "'extends' follows the name of a class";
    default: return "";
    }
}

std::string inSwitch(const Outline&, const Unexpected& u) {
    return u.inside == Inside::Cases && u.expected[T_RIGHT_BRACE] && u.expected[T_CASE] && !isClosing(u.kind)
            && !u.expected[T_VAR]
        ? "a statement in a switch stands behind 'case value:' or 'default:'"
        : "";
}

std::string importAndExport(const Outline& o, const Unexpected& u) {
    if (o.at(-1).kind == T_FROM && u.expected[T_STRING])
        return "the name of a module is a string: from '...'";
    if (o.at(-1).kind == T_STAR && o.at(-2).kind == T_IMPORT)
        return "the module as a whole needs a name: import * as name from '...'";
    if (o.at(-1).kind == T_DEFAULT && (u.kind == T_CONST || u.kind == T_LET || u.kind == T_VAR))
        return "a default export is a value: export default value";
    if (o.at(-1).kind == T_EXPORT)
        return "'export' stands before a declaration, '{ names }', '*' or 'default'";
    return "";
}

// ---- classes and objects

std::string inClass(const Outline& o, const Unexpected& u) {
    if (u.inside != Inside::Class)
        return "";
    int before = o.at(-1).kind;
    if (before == T_LET || before == T_CONST || before == T_VAR)
        return "a field is written without " + quote(o.text(-1));
    if (before == T_FUNCTION)
        return "a method is written without 'function'";
    if (u.kind == T_COMMA)
        return "the members of a class are not separated by ','";
    bool isType = o.at(1).kind == T_IDENTIFIER || o.at(1).kind == T_VOID || o.at(1).kind == T_NULL_;
    if (u.kind == T_COLON)
        return isType ? typesSentence + quote(": " + std::string(o.text(1))) : "a field is written 'name = value;'";
    if (u.kind == T_DOT)
        return "only methods, fields and static blocks stand in the braces of a class";
    return "";
}

std::string inObject(const Outline& o, const Unexpected& u) {
    if (u.inside != Inside::Object && u.inside != Inside::ObjectPattern)
        return "";
    if (u.kind == T_ASSIGN && u.expected[T_COLON])
        return "a property is written 'name: value'";
    bool isKey = o.at(-1).kind == T_IDENTIFIER && (o.at(-2).kind == T_COMMA || o.at(-2).kind == T_LEFT_BRACE);
    bool isPart = u.kind == T_DOT || u.kind == T_MINUS;
    return isKey && isPart ? "a name with " + quote(o.text(0)) + " in it stands in quotes" : "";
}

std::string spread(const Outline&, const Unexpected& u) {
    return u.kind == T_ELLIPSIS && u.expected[T_NUMBER]
        ? "'...' stands in the arguments of a call, in array and object literals and in patterns only"
        : "";
}

std::string withoutBody(const Outline& o, const Unexpected& u) {
    if (!u.expected[T_LEFT_BRACE] || o.at(-1).kind != T_RIGHT_PAREN || u.kind == T_COLON)
        return "";
    if (u.expected[T_SEMICOLON]) { // the statement of an if or a loop
        int word = o.partner(-1) - 1;
        word -= o.text(word) == "await";
        return u.kind == T_RIGHT_BRACE ? "the statement that belongs to this " + quote(o.text(word)) + " is missing"
                                       : "";
    }
    return u.kind == T_ARROW ? "an arrow function is written without 'function'"
                             : "the body of a function stands between '{' and '}'";
}

std::string unnamed(const Outline& o, const Unexpected& u) {
    if (o.at(-1).kind == T_CLASS && u.kind == T_LEFT_BRACE)
        return "a class declaration needs a name";
    return "";
}

// ---- operators

struct Slip {
    std::string_view written; // the token before and the token at fault, without a space between them
    std::string_view meant;
};

constexpr Slip slips[] = {{"==>", "=>"}, {"->", "=>"}, {"-->", "=>"}, {"<>", "!=="}, {":=", "="}, {"====", "==="},
    {"!====", "!=="}, {"=<", "<="}, {"===>", "=>"}, {"&&&", "&&"}, {"|||", "||"}};

std::string operatorSlip(const Outline& o, const Unexpected& u) {
    if (!isAdjacent(o, -1) && u.kind != T_STRING)
        return "";
    std::string written = std::string(o.text(-1)) + std::string(o.text(0));
    for (const Slip& slip : slips)
        if (slip.written == written)
            return didYouMean(slip.meant, written);
    if (u.kind == T_STRING && o.at(-1).kind == T_DOT)
        return "strings are joined by '+'";
    if (u.kind == T_LEFT_BRACE && o.text(-1) == "$")
        return "'${' stands in templates only, between backticks";
    return "";
}

std::string arrowHeads(const Outline& o, const Unexpected& u) {
    if (u.kind == T_ARROW_AFTER_LINE_BREAK)
        return "a line break is not allowed before '=>'";
    if (u.kind == T_ARROW && o.at(-1).kind == T_IDENTIFIER && o.at(-2).kind == T_COMMA)
        return "several parameters of an arrow function stand in parentheses: (a, b) => ...";
    return "";
}

constexpr Rule rules[] = {hashWord, quoteInString, decimalComma, catchName, operatorSlip, arrowHeads, importAndExport,
    typeAnnotation, otherTypes, jsx, inClass, inObject, misspelt, callWithoutParentheses, wordInPlace,
    reservedStatement, colonBlock, literalAsBody, conditionWithoutParentheses, forHead, strayClause, inSwitch, spread,
    withoutBody, unnamed};

}

std::string advice(const Outline& outline, const Unexpected& what) {
    for (Rule rule : rules)
        if (std::string text = rule(outline, what); !text.empty())
            return text;
    return "";
}

}
