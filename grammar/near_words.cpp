// Tables of mistakes, and how alike two words are.
#include "grammar/near_words.h"

#include "runtime/base/near_miss.h"
#include "runtime/base/utf.h"

#include <cstdio>
#include <iterator>

namespace scr {

namespace {

constexpr std::string_view keywords[] = {"async", "await", "break", "case", "catch", "class", "const", "continue",
    "debugger", "default", "delete", "else", "export", "extends", "finally", "for", "from", "function", "if", "import",
    "instanceof", "let", "new", "return", "static", "super", "switch", "this", "throw", "try", "typeof", "using", "var",
    "void", "while", "yield"};

struct Foreign {
    std::string_view word;
    std::string_view advice;
};

constexpr std::string_view meansFunction = "did you mean 'function'?";
constexpr std::string_view meansElseIf = "did you mean 'else if'?";
constexpr std::string_view meansVariable = "variables are declared by 'let' or 'const', without a type";
constexpr std::string_view meansPrint = "to print, write console.log(...)";
constexpr std::string_view meansThrow = "did you mean 'throw'?";
constexpr std::string_view meansBlock = "blocks begin with '{' and end with '}'";
constexpr std::string_view meansTypes = "types are not part of the language";
constexpr std::string_view meansImport = "did you mean 'import'?";

constexpr Foreign foreigners[] = {{"def", meansFunction}, {"defun", meansFunction}, {"fn", meansFunction},
    {"fun", meansFunction}, {"func", meansFunction}, {"proc", meansFunction}, {"procedure", meansFunction},
    {"sub", meansFunction}, {"elif", meansElseIf}, {"elseif", meansElseIf}, {"elsif", meansElseIf},
    {"auto", meansVariable}, {"bool", meansVariable}, {"boolean", meansVariable}, {"Boolean", meansVariable},
    {"byte", meansVariable}, {"char", meansVariable}, {"dim", meansVariable}, {"double", meansVariable},
    {"final", meansVariable}, {"float", meansVariable}, {"int", meansVariable}, {"local", meansVariable},
    {"long", meansVariable}, {"my", meansVariable}, {"mut", meansVariable}, {"number", meansVariable},
    {"short", meansVariable}, {"string", meansVariable}, {"String", meansVariable}, {"Number", meansVariable},
    {"unsigned", meansVariable}, {"val", meansVariable}, {"echo", meansPrint}, {"print", meansPrint},
    {"printf", meansPrint}, {"println", meansPrint}, {"puts", meansPrint}, {"raise", meansThrow}, {"die", meansThrow},
    {"begin", meansBlock}, {"then", meansBlock}, {"end", meansBlock}, {"endif", meansBlock}, {"fi", meansBlock},
    {"done", meansBlock}, {"foreach", "did you mean 'for (const item of list)'?"},
    {"unless", "did you mean 'if (!condition)'?"}, {"until", "did you mean 'while (!condition)'?"},
    {"lambda", "did you mean an arrow function, (x) => ...?"}, {"except", "did you mean 'catch'?"},
    {"rescue", "did you mean 'catch'?"}, {"include", meansImport}, {"use", meansImport},
    {"struct", "did you mean 'class'?"}, {"record", "did you mean 'class'?"}, {"abstract", meansTypes},
    {"declare", meansTypes}, {"enum", meansTypes}, {"implements", meansTypes}, {"interface", meansTypes},
    {"namespace", meansTypes}, {"override", meansTypes}, {"private", meansTypes}, {"protected", meansTypes},
    {"public", meansTypes}, {"readonly", meansTypes}, {"satisfies", meansTypes}, {"type", meansTypes}};

constexpr Foreign operators[] = {{"and", "&&"}, {"div", "/"}, {"eq", "==="}, {"equals", "==="}, {"is", "==="},
    {"isnt", "!=="}, {"mod", "%"}, {"ne", "!=="}, {"or", "||"}, {"plus", "+"}, {"xor", "^"}};

struct LookAlike {
    u32 codePoint;
    const char* name;
    const char* meant;
};

constexpr LookAlike lookAlikes[] = {{0xA6, "BROKEN BAR", "|"}, {0xA8, "DIAERESIS", "\""}, {0xAC, "NOT SIGN", "!"},
    {0xB4, "ACUTE ACCENT", "'"}, {0xAB, "LEFT-POINTING DOUBLE ANGLE QUOTATION MARK", "\""},
    {0xBB, "RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK", "\""}, {0xB7, "MIDDLE DOT", "."},
    {0xD7, "MULTIPLICATION SIGN", "*"}, {0xF7, "DIVISION SIGN", "/"}, {0x37E, "GREEK QUESTION MARK", ";"},
    {0x2010, "HYPHEN", "-"}, {0x2011, "NON-BREAKING HYPHEN", "-"}, {0x2012, "FIGURE DASH", "-"},
    {0x2013, "EN DASH", "-"}, {0x2014, "EM DASH", "-"}, {0x2015, "HORIZONTAL BAR", "-"},
    {0x2018, "LEFT SINGLE QUOTATION MARK", "'"}, {0x2019, "RIGHT SINGLE QUOTATION MARK", "'"},
    {0x201A, "SINGLE LOW-9 QUOTATION MARK", "'"}, {0x201B, "SINGLE HIGH-REVERSED-9 QUOTATION MARK", "'"},
    {0x201C, "LEFT DOUBLE QUOTATION MARK", "\""}, {0x201D, "RIGHT DOUBLE QUOTATION MARK", "\""},
    {0x201E, "DOUBLE LOW-9 QUOTATION MARK", "\""}, {0x201F, "DOUBLE HIGH-REVERSED-9 QUOTATION MARK", "\""},
    {0x2024, "ONE DOT LEADER", "."}, {0x2026, "HORIZONTAL ELLIPSIS", "..."}, {0x2032, "PRIME", "'"},
    {0x2033, "DOUBLE PRIME", "\""}, {0x2039, "SINGLE LEFT-POINTING ANGLE QUOTATION MARK", "'"},
    {0x203A, "SINGLE RIGHT-POINTING ANGLE QUOTATION MARK", "'"}, {0x2044, "FRACTION SLASH", "/"},
    {0x2190, "LEFTWARDS ARROW", "<-"}, {0x2192, "RIGHTWARDS ARROW", "=>"}, {0x21D2, "RIGHTWARDS DOUBLE ARROW", "=>"},
    {0x2212, "MINUS SIGN", "-"}, {0x2215, "DIVISION SLASH", "/"}, {0x2216, "SET MINUS", "\\"},
    {0x2217, "ASTERISK OPERATOR", "*"}, {0x2219, "BULLET OPERATOR", "*"}, {0x2223, "DIVIDES", "|"},
    {0x2225, "PARALLEL TO", "||"}, {0x2227, "LOGICAL AND", "&&"}, {0x2228, "LOGICAL OR", "||"}, {0x2236, "RATIO", ":"},
    {0x223C, "TILDE OPERATOR", "~"}, {0x2260, "NOT EQUAL TO", "!=="}, {0x2261, "IDENTICAL TO", "==="},
    {0x2264, "LESS-THAN OR EQUAL TO", "<="}, {0x2265, "GREATER-THAN OR EQUAL TO", ">="}, {0x22C5, "DOT OPERATOR", "*"},
    {0x3001, "IDEOGRAPHIC COMMA", ","}, {0x3002, "IDEOGRAPHIC FULL STOP", "."},
    {0x300A, "LEFT DOUBLE ANGLE BRACKET", "<"}, {0x300B, "RIGHT DOUBLE ANGLE BRACKET", ">"},
    {0x3010, "LEFT BLACK LENTICULAR BRACKET", "["}, {0x3011, "RIGHT BLACK LENTICULAR BRACKET", "]"},
    {0xFFE5, "FULLWIDTH YEN SIGN", "$"}};

struct Invisible {
    u32 first, last;
    const char* name;
};

constexpr Invisible invisibles[] = {{0xAD, 0xAD, "SOFT HYPHEN"}, {0x180E, 0x180E, "MONGOLIAN VOWEL SEPARATOR"},
    {0x200B, 0x200B, "ZERO WIDTH SPACE"}, {0x200C, 0x200C, "ZERO WIDTH NON-JOINER"},
    {0x200D, 0x200D, "ZERO WIDTH JOINER"}, {0x200E, 0x200F, "a mark of the direction of text"},
    {0x202A, 0x202E, "a mark of the direction of text"}, {0x2060, 0x2064, "WORD JOINER or its like"},
    {0x2066, 0x2069, "a mark of the direction of text"}, {0xFE00, 0xFE0F, "a VARIATION SELECTOR"}};

std::string nameOf(u32 codePoint, const char* name) {
    char number[16];
    std::snprintf(number, sizeof number, "U+%04X", codePoint);
    return std::string(number) + (name ? std::string(" ") + name : std::string());
}

/// In quotes that it is none of.
std::string quoteMeant(const std::string& text) { return text == "'" ? "\"'\"" : "'" + text + "'"; }

std::string quoted(u32 codePoint) {
    std::string result = "'";
    appendUtf8(result, codePoint);
    return result + "'";
}

std::string_view find(const Foreign* first, const Foreign* last, std::string_view word) {
    for (; first != last; first++)
        if (first->word == word)
            return first->advice;
    return {};
}

}

std::string_view nearestKeyword(std::string_view word) {
    std::string_view best;
    unsigned least = ~0u;
    for (std::string_view keyword : keywords) {
        if (!isNearMiss(word, keyword))
            continue;
        unsigned distance = editDistance(word, keyword, 2);
        if (distance < least) {
            least = distance;
            best = keyword;
        }
    }
    return best;
}

std::string foreignWord(std::string_view word) {
    std::string_view advice = find(std::begin(foreigners), std::end(foreigners), word);
    if (advice.empty())
        return "";
    const char* origin = advice == meansTypes ? "' is TypeScript's: " : "' is not a word of the language: ";
    return "'" + std::string(word) + origin + std::string(advice);
}

std::string_view operatorOfWord(std::string_view word) {
    return find(std::begin(operators), std::end(operators), word);
}

std::string describeCharacter(u32 codePoint) {
    for (const Invisible& range : invisibles)
        if (codePoint >= range.first && codePoint <= range.last)
            return "an invisible character stands here: " + nameOf(codePoint, range.name);
    for (const LookAlike& each : lookAlikes)
        if (each.codePoint == codePoint)
            return quoted(codePoint) + " is " + nameOf(codePoint, each.name) + ": did you mean "
                + quoteMeant(each.meant) + "?";
    if (codePoint > 0xFF00 && codePoint < 0xFF5F) // the fullwidth forms of ASCII
        return quoted(codePoint) + " is " + nameOf(codePoint, "FULLWIDTH FORM") + ": did you mean "
            + quoteMeant(std::string(1, char(codePoint - 0xFEE0))) + "?";
    if (codePoint < 0x20 || (codePoint >= 0x7F && codePoint < 0xA0))
        return "a control character stands here: " + nameOf(codePoint, nullptr);
    if (codePoint == '@')
        return "'@' has no meaning: decorators are not part of the language";
    if (codePoint == '#')
        return "'#' begins private names only: comments begin with //";
    return quoted(codePoint) + (codePoint < 0x80 ? std::string() : " (" + nameOf(codePoint, nullptr) + ")")
        + " can only stand in strings, templates, regular expressions and comments";
}

}
