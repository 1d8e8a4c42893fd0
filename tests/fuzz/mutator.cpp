// The mutations. Each takes a text and its tokens and returns the new text; none needs the text to be a program.
#include "tests/fuzz/mutator.h"
#include "grammar/lexer.h"
#include "grammar/parse.h"
#include "parser.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <sys/stat.h>

namespace scr::fuzz {

namespace {

/// Words and signs of the language and names that scripts know: any of them may replace any token.
const char* const commonTokens[] = {
    "0",
    "1",
    "-1",
    "2",
    "0.5",
    "NaN",
    "Infinity",
    "-0",
    "1e21",
    "4294967295",
    "4294967296",
    "2147483648",
    "''",
    "'a'",
    "'length'",
    "null",
    "undefined",
    "true",
    "false",
    "this",
    "super",
    "new.target",
    "[]",
    "{}",
    "()",
    "=>",
    "...",
    "?.",
    "??",
    "**",
    "&&=",
    "||=",
    "?\?=",
    ">>>",
    "in",
    "instanceof",
    "typeof",
    "void",
    "delete",
    "new",
    "class",
    "extends",
    "static",
    "get",
    "set",
    "async",
    "await",
    "yield",
    "let",
    "const",
    "var",
    "function",
    "return",
    "throw",
    "try",
    "catch",
    "finally",
    "for",
    "of",
    "while",
    "do",
    "if",
    "else",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "#p",
    "eval",
    "arguments",
    "Symbol.iterator",
    "Symbol.toPrimitive",
    "Symbol.species",
    "Symbol.hasInstance",
    "Symbol.isConcatSpreadable",
    "Proxy",
    "Reflect",
    "Object",
    "Array",
    "String",
    "Number",
    "Map",
    "Set",
    "WeakMap",
    "WeakRef",
    "Uint8Array",
    "Float64Array",
    "ArrayBuffer",
    "DataView",
    "JSON",
    "Math",
    "Date",
    "Error",
    "Function",
    "globalThis",
    "__proto__",
    "constructor",
    "prototype",
    "length",
    "name",
    "toString",
    "valueOf",
    "toJSON",
    "`",
    "${",
    "}",
    "(",
    ")",
    "[",
    "]",
    "{",
    ";",
    ",",
    ":",
    "=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "~",
    "<",
    ">=",
    "==",
    "!==",
    "++",
    "--",
    "@",
    "#",
    "\\u0061",
    "//",
    "/*",
    "*/",
    "\n",
    "'\\ud800'",
    "\"\\u{10ffff}\"",
    "0x1f",
    "0b11",
    "1_0",
    "08",
    "1n",
};

bool isOpening(char c) { return c == '(' || c == '[' || c == '{'; }
bool isClosing(char c) { return c == ')' || c == ']' || c == '}'; }
char closingOf(char c) { return c == '(' ? ')' : c == '[' ? ']' : '}'; }
int groupIndex(char c) { return c == '(' ? 0 : c == '[' ? 1 : 2; }

bool isWord(std::string_view token) {
    u8 c = u8(token[0]);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
}
bool isNumber(std::string_view token) { return token[0] >= '0' && token[0] <= '9'; }

std::string replaced(const std::string& text, u32 begin, u32 end, std::string_view by) {
    std::string result = text.substr(0, begin);
    result += by;
    result.append(text, end, std::string::npos);
    return result;
}

/// The token that closes the bracket at `open`, or its own index.
u32 closingToken(const std::string& text, const std::vector<Span>& tokens, u32 open) {
    u32 depth = 0;
    for (u32 i = open; i < tokens.size(); i++) {
        char c = text[tokens[i].begin];
        if (tokens[i].length() != 1)
            continue;
        if (isOpening(c))
            depth++;
        else if (isClosing(c) && --depth == 0)
            return c == closingOf(text[tokens[open].begin]) ? i : open;
    }
    return open;
}

struct Text {
    std::string text;
    std::vector<Span> tokens;
    explicit Text(std::string t)
        : text(std::move(t))
        , tokens(tokensOf(text)) { }
    std::string_view at(u32 i) const { return std::string_view(text).substr(tokens[i].begin, tokens[i].length()); }
    /// A random token that opens a bracket, from a random one onwards; the count of tokens if there is none.
    u32 opening(Random& random) const {
        u32 start = random.below(tokens.size());
        for (u32 n = 0; n < tokens.size(); n++) {
            u32 i = (start + n) % u32(tokens.size());
            if (tokens[i].length() == 1 && isOpening(text[tokens[i].begin]))
                return i;
        }
        return u32(tokens.size());
    }
    /// An offset where a statement may begin: the start, or behind a ; { or }.
    u32 statementStart(Random& random) const {
        u32 start = random.below(tokens.size());
        for (u32 n = 0; n < tokens.size(); n++) {
            u32 i = (start + n) % u32(tokens.size());
            char c = text[tokens[i].begin];
            if (tokens[i].length() == 1 && (c == ';' || c == '{' || c == '}'))
                return tokens[i].end;
        }
        return 0;
    }
};

std::string someToken(const Text& from, Random& random) {
    switch (random.below(4)) {
    case 0: return commonTokens[random.below(sizeof commonTokens / sizeof *commonTokens)];
    case 1:
        if (!bank().isEmpty())
            return bank().token(random);
        [[fallthrough]];
    default: return std::string(from.at(random.below(from.tokens.size())));
    }
}

/// A word by another word of the same text, so that names meet.
std::string renameWord(const Text& from, Random& random) {
    std::vector<u32> words;
    for (u32 i = 0; i < from.tokens.size(); i++) {
        if (isWord(from.at(i)))
            words.push_back(i);
    }
    if (words.empty())
        return from.text;
    Span target = from.tokens[random.pick(words)];
    return replaced(from.text, target.begin, target.end, from.at(random.pick(words)));
}

std::string changeNumber(const Text& from, Random& random) {
    static const char* const numbers[] = {"0", "1", "2", "3", "7", "8", "9", "10", "31", "32", "63", "64", "100", "127",
        "128", "129", "255", "256", "1000", "65535", "65536", "1e5", "1e6", "2147483647", "2147483648", "4294967294",
        "4294967295", "4294967296", "9007199254740991", "9007199254740992", "1e21", "1e300", "5e-324", "0.1", "1.5",
        "(-1)", "(-0)", "NaN", "Infinity", "(-Infinity)", "(2**53)", "(-2147483648)"};
    std::vector<u32> found;
    for (u32 i = 0; i < from.tokens.size(); i++) {
        if (isNumber(from.at(i)))
            found.push_back(i);
    }
    if (found.empty())
        return from.text;
    Span target = from.tokens[random.pick(found)];
    return replaced(from.text, target.begin, target.end, numbers[random.below(sizeof numbers / sizeof *numbers)]);
}

std::string replaceGroup(const Text& from, Random& random) {
    u32 open = from.opening(random);
    if (open == from.tokens.size())
        return from.text;
    u32 close = closingToken(from.text, from.tokens, open);
    if (close == open)
        return from.text;
    u32 begin = from.tokens[open].begin, end = from.tokens[close].end;
    char bracket = from.text[begin];
    if (random.oneIn(2)) {
        u32 other = from.opening(random);
        u32 otherClose = closingToken(from.text, from.tokens, other);
        if (otherClose != other && from.text[from.tokens[other].begin] == bracket)
            return replaced(from.text, begin, end,
                from.text.substr(from.tokens[other].begin, from.tokens[otherClose].end - from.tokens[other].begin));
    }
    if (random.oneIn(4))
        return replaced(from.text, begin + 1, end - 1, "");
    return bank().isEmpty() ? from.text : replaced(from.text, begin, end, bank().group(random, bracket));
}

std::string insertStatement(const Text& from, Random& random) {
    if (bank().isEmpty())
        return from.text;
    u32 at = from.statementStart(random);
    return replaced(from.text, at, at, "\n" + bank().statement(random) + "\n");
}

/// From one statement's start to a later one's: taken out, repeated, or put in a wrapper.
std::string moveStatements(const Text& from, Random& random) {
    u32 a = from.statementStart(random), b = from.statementStart(random);
    if (a > b)
        std::swap(a, b);
    std::string piece = from.text.substr(a, b - a);
    switch (random.below(7)) {
    case 0: return replaced(from.text, a, b, "");
    case 1: return replaced(from.text, b, b, piece);
    case 2: return replaced(from.text, a, b, "try {" + piece + "} catch (e) { console.log(String(e)); }");
    case 3: return replaced(from.text, a, b, "for (let i = 0; i < 40; i++) {" + piece + "}");
    case 4: return replaced(from.text, a, b, "(function f(x, ...r) {" + piece + "})(1, 2);");
    case 5: return replaced(from.text, a, b, "try {" + piece + "} finally { ; }");
    default: return replaced(from.text, a, b, "{" + piece + "}");
    }
}

std::string changeOnce(std::string text, Random& random) {
    Text from(std::move(text));
    if (from.tokens.empty())
        return bank().isEmpty() ? "x" : bank().statement(random);
    u32 i = random.below(from.tokens.size());
    Span token = from.tokens[i];
    Span last = from.tokens[std::min<size_t>(i + random.below(4), from.tokens.size() - 1)];
    switch (random.below(15)) {
    case 0: return replaced(from.text, token.begin, last.end, "");
    case 1: return replaced(from.text, last.end, last.end, from.text.substr(token.begin, last.end - token.begin));
    case 2:
    case 3: return replaced(from.text, token.begin, token.end, someToken(from, random));
    case 4: return replaced(from.text, token.begin, token.begin, someToken(from, random) + " ");
    case 5:
    case 6: return renameWord(from, random);
    case 7:
    case 8: return changeNumber(from, random);
    case 9:
    case 10: return replaceGroup(from, random);
    case 11:
    case 12: return insertStatement(from, random);
    default: return moveStatements(from, random);
    }
}

} // namespace

std::vector<Span> tokensOf(const std::string& text) {
    std::vector<Span> tokens;
    u32 base = 0;
    // A lexer that met an error says no more: the next one starts behind the place.
    for (u32 tries = 0; base < text.size() && tries < 200; tries++) {
        Source source("", text.substr(base));
        Arena arena;
        NameTable names(arena);
        Errors errors;
        Lexer lexer(source, arena, names, errors, false);
        TokenValue value;
        Span span{};
        int kind;
        u32 end = 0;
        while ((kind = lexer.next(value, span)) != 0 && !errors.any) {
            if (span.end > span.begin)
                tokens.push_back({base + span.begin, base + span.end});
            end = span.end;
        }
        if (!errors.any)
            break;
        base += std::max(end, span.begin) + 1;
    }
    return tokens;
}

Bank& bank() {
    static Bank theBank;
    return theBank;
}

const std::string& Bank::group(Random& random, char bracket) const {
    static const std::string empty[] = {"()", "[]", "{}"};
    const auto& list = groups_[groupIndex(bracket)];
    return list.empty() ? empty[groupIndex(bracket)] : random.pick(list);
}

void Bank::addText(const std::string& text) {
    Source source = Source::fromBytes("", text);
    Arena arena;
    ParseOptions options;
    options.isCommonJs = true;
    ParseResult parsed = parse(source, arena, options);
    if (!parsed)
        return;
    for (Stmt* statement : parsed.program->function->body) {
        if (statement->span.length() < 1200)
            statements_.emplace_back(source.text(statement->span));
    }
    Text all(text);
    for (u32 i = 0; i < all.tokens.size(); i++) {
        tokens_.emplace_back(all.at(i));
        if (all.tokens[i].length() != 1 || !isOpening(text[all.tokens[i].begin]))
            continue;
        u32 close = closingToken(text, all.tokens, i);
        u32 begin = all.tokens[i].begin, length = all.tokens[close].end - begin;
        if (close != i && length < 300)
            groups_[groupIndex(text[begin])].push_back(text.substr(begin, length));
    }
}

void Bank::addFolder(const char* path) {
    DIR* folder = opendir(path);
    if (!folder)
        return;
    std::vector<std::string> names;
    while (dirent* entry = readdir(folder))
        names.emplace_back(std::string(path) + "/" + entry->d_name);
    closedir(folder);
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
        struct stat info;
        if (stat(name.c_str(), &info) || !S_ISREG(info.st_mode) || info.st_size > 20000)
            continue;
        FILE* file = fopen(name.c_str(), "rb");
        if (!file)
            continue;
        std::string text(size_t(info.st_size), '\0');
        text.resize(fread(text.data(), 1, text.size(), file));
        fclose(file);
        addText(text);
    }
}

void fillBank(int argc, char** argv) {
    // The last folder is the one of seeds; the corpus that the fuzzer grows stands before it.
    for (int i = argc - 1; i > 0; i--) {
        struct stat info;
        if (argv[i][0] != '-' && !stat(argv[i], &info) && S_ISDIR(info.st_mode))
            return bank().addFolder(argv[i]);
    }
}

std::string mutate(std::string text, size_t limit, u64 seed) {
    Random random(seed);
    for (u32 changes = 1 + random.below(4); changes; changes--) {
        std::string changed = changeOnce(text, random);
        if (changed.size() <= limit)
            text = std::move(changed);
    }
    return text;
}

std::string crossOver(const std::string& first, const std::string& second, size_t limit, u64 seed) {
    Random random(seed);
    Text a(first), b(second);
    u32 at = a.statementStart(random);
    u32 from = b.statementStart(random), to = b.statementStart(random);
    if (from > to)
        std::swap(from, to);
    std::string result = replaced(first, at, at, "\n" + second.substr(from, to - from) + "\n");
    if (result.size() > limit)
        result.resize(limit);
    return result;
}

size_t crossOver(
    const u8* first, size_t firstSize, const u8* second, size_t secondSize, u8* out, size_t limit, u64 seed) {
    auto textOf = [](const u8* bytes, size_t size) { return std::string(reinterpret_cast<const char*>(bytes), size); };
    std::string text = crossOver(textOf(first, firstSize), textOf(second, secondSize), limit, seed);
    memcpy(out, text.data(), text.size());
    return text.size();
}

}
