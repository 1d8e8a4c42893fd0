// The message and the place of an unexpected token, and the brackets around it.
#include "grammar/explain.h"

#include "grammar/advice.h"
#include "grammar/outline.h"
#include "parser.h"

namespace scr {

namespace {

std::string quote(std::string_view text) { return "'" + std::string(text) + "'"; }

/// A word that can be no name: all of them stand together in the grammar.
bool isReservedWord(int kind) {
    return (kind >= T_ESCAPED_KEYWORD && kind <= T_ENUM) || (kind >= T_BREAK && kind <= T_YIELD && kind != T_FOR_IN);
}

bool isName(int kind) {
    switch (kind) {
    case T_IDENTIFIER:
    case T_AS:
    case T_ASYNC:
    case T_FROM:
    case T_GET:
    case T_OF:
    case T_SET:
    case T_USING:
    case T_ASYNC_ARROW:
    case T_PRIVATE_NAME: return true;
    default: return false;
    }
}

class Explainer {
public:
    Explainer(const Source& source, const Unexpected& what)
        : outline_(source, what.span.begin)
        , what_(what) { }

    Diagnostic run() {
        say(found(), what_.span);
        isTold_ = false;
        if (outline_.isReliable())
            takeRules();
        else if (std::string list = htmlComment() ? "" : wanted(); !list.empty())
            note(std::move(list));
        return std::move(result_);
    }

private:
    static constexpr int end = T_YYEOF;

    void takeRules() {
        for (auto rule : rules)
            if ((this->*rule)())
                break;
        takeNotes();
    }

    void say(std::string message, Span span) {
        isTold_ = true;
        result_.message = std::move(message);
        result_.span = span;
    }
    void note(std::string text) { result_.notes.emplace_back(std::move(text)); }
    void note(std::string text, Span span) { result_.notes.emplace_back(std::move(text), span); }
    bool expects(int kind) const { return what_.expected[kind]; }
    int kind(int distance) const { return outline_.at(distance).kind; }
    Span span(int distance) const { return outline_.at(distance).span; }
    std::string text(int distance) const { return std::string(outline_.text(distance)); }

    /// What stands there, in the words of V8.
    std::string found() const {
        std::string text(outline_.source().text(what_.span));
        if (isName(what_.kind))
            return "Unexpected identifier " + quote(text);
        switch (what_.kind) {
        case T_YYEOF: return "Unexpected end of input";
        case T_NUMBER:
        case T_BIGINT: return "Unexpected number";
        case T_STRING: return "Unexpected string";
        case T_TEMPLATE:
        case T_TEMPLATE_HEAD: return "Unexpected template string";
        case T_TEMPLATE_MIDDLE:
        case T_TEMPLATE_TAIL: return "Unexpected token '}'";
        case T_LET:
        case T_STATIC:
        case T_RESERVED:
        case T_YIELD: return "Unexpected strict mode reserved word";
        case T_ENUM:
        case T_AWAIT: return "Unexpected reserved word";
        case T_ESCAPED_KEYWORD: return "Keyword must not contain escaped characters";
        case T_LINE_END: return "Unexpected end of the line";
        default: return "Unexpected token " + quote(text);
        }
    }

    // ---- messages of their own; the first that fits is it

    bool missingCatch() {
        if (!expects(T_CATCH) || !expects(T_FINALLY) || expects(T_ENUM)) // any word would do, as a name
            return false;
        say("Missing catch or finally after try", span(-1));
        note("a try block is followed by 'catch (error) { ... }', 'finally { ... }' or both");
        return true;
    }

    bool missingParenthesis() {
        if (what_.inside != Inside::Arguments || !expects(T_RIGHT_PAREN) || !expects(T_COMMA) || kind(-1) == 0)
            return false;
        say("missing ) after argument list", span(-1));
        isTold_ = false;
        return true;
    }

    bool endOfText() {
        if (what_.kind != end)
            return false;
        u32 last = span(-1).end;
        if (kind(-1))
            result_.span = {last, last};
        return true;
    }

    bool templateHole() {
        if (what_.kind == T_TEMPLATE_MIDDLE || what_.kind == T_TEMPLATE_TAIL) {
            result_.span = {what_.span.begin, what_.span.begin + 1};
            if (kind(-1) == T_TEMPLATE_HEAD || kind(-1) == T_TEMPLATE_MIDDLE)
                note("an expression must stand between '${' and '}'");
            return true;
        }
        if (what_.inside != Inside::Template || !expects(T_TEMPLATE_TAIL))
            return false;
        int hole = -1;
        while (kind(hole) && kind(hole) != T_TEMPLATE_HEAD && kind(hole) != T_TEMPLATE_MIDDLE)
            hole = isClosing(kind(hole)) ? outline_.partner(hole) - 1 : hole - 1;
        if (!kind(hole) || hole == -1)
            return false;
        say("Missing } in template expression", {span(hole + 1).begin, span(-1).end});
        note("'${' was opened here:", {span(hole).end - 2, span(hole).end});
        return true;
    }

    /// Back to the "..." of the element that ends here; 0: it has none.
    int ellipsis() const {
        for (int at = -1; kind(at) && kind(at) != T_COMMA && !isOpening(kind(at)); at--) {
            if (kind(at) == T_ELLIPSIS)
                return at;
            if (isClosing(kind(at)))
                at = outline_.partner(at);
            if (at >= 0)
                return 0;
        }
        return 0;
    }

    bool restNotLast() {
        bool isComma = what_.kind == T_COMMA;
        int rest = (isComma || what_.kind == T_ASSIGN) && !expects(what_.kind) ? ellipsis() : 0;
        if (!rest)
            return false;
        switch (what_.inside) {
        case Inside::Parameters:
        case Inside::Parentheses:
            if (isComma)
                say("Rest parameter must be last formal parameter",
                    what_.inside == Inside::Parameters ? what_.span : span(-1));
            else
                say("Rest parameter may not have a default initializer", what_.span);
            return true;
        case Inside::ArrayPattern:
        case Inside::ObjectPattern:
            if (isComma)
                say("Rest element must be last element",
                    {span(what_.inside == Inside::ArrayPattern ? rest : -1).begin, span(-1).end});
            return true;
        default: return false;
        }
    }

    /// "()", "(a,)", "(...a)": the head of an arrow function or nothing.
    bool headWithoutArrow() {
        bool isHead = expects(T_ARROW) && !expects(T_PLUS) && !expects(T_SEMICOLON);
        if (!isHead || kind(-1) != T_RIGHT_PAREN || what_.kind == T_COLON)
            return false;
        for (int at = outline_.partner(-1); at < 0; at++)
            if (kind(at) == T_ELLIPSIS) {
                say("Unexpected token '...'", span(at));
                return true;
            }
        say("Unexpected token ')'", span(-1));
        note("expected an expression in these parentheses, or '=>' behind them");
        return true;
    }

    bool withoutValue() {
        int word = what_.isDeclaration ? outline_.bareDeclaration() : 0;
        bool isPattern = isClosing(kind(-1));
        if (!word || (kind(word) != T_CONST && (!isPattern || what_.kind == T_COLON)))
            return false;
        if (isPattern)
            say("Missing initializer in destructuring declaration", {span(outline_.partner(-1)).begin, span(-1).end});
        else
            say("Missing initializer in const declaration", span(-1));
        return true;
    }

    bool unnamedFunction() {
        bool isStar = kind(-1) == T_STAR;
        if (what_.kind != T_LEFT_PAREN || expects(T_LEFT_PAREN) || kind(isStar ? -2 : -1) != T_FUNCTION)
            return false;
        say("Function statements require a function name", span(-1));
        return true;
    }

    /// A reserved word that would do as a key, but not as the name that it is here.
    bool keywordAsName() {
        bool isKey = (what_.inside == Inside::ObjectPattern || what_.inside == Inside::Object) && expects(T_COLON);
        bool isImport = what_.inside == Inside::Imports && expects(T_AS);
        bool isOver = what_.kind == T_COMMA || what_.kind == T_RIGHT_BRACE || what_.kind == T_ASSIGN;
        if (!(isKey || isImport) || !isOver || !isReservedWord(kind(-1)))
            return false;
        say(isImport ? "Unexpected reserved word" : "Unexpected token " + quote(text(-1)), span(-1));
        note(quote(text(-1)) + " is a reserved word: give it another name, '" + text(-1)
            + (isImport ? " as name'" : ": name'"));
        return true;
    }

    bool optionalNew() {
        if (what_.kind != T_QUESTION_DOT)
            return false;
        int at = -1;
        while (isName(kind(at)) || kind(at) == T_DOT || kind(at) == T_THIS)
            at--;
        if (kind(at) != T_NEW)
            return false;
        say("Invalid optional chain from new expression", what_.span);
        return true;
    }

    bool importWithout() {
        if (what_.kind != T_RIGHT_PAREN || kind(-1) != T_LEFT_PAREN || kind(-2) != T_IMPORT)
            return false;
        say("import() requires a specifier", span(-1));
        return true;
    }

    bool htmlComment() {
        if (what_.kind != T_LESS || outline_.source().text().substr(what_.span.begin, 4) != "<!--")
            return false;
        say("HTML comments are not allowed in modules", {what_.span.begin, what_.span.begin + 4});
        return true;
    }

    bool singleStatement() {
        if (!expects(T_VAR))
            return false;
        switch (what_.kind) {
        case T_LET:
            say("Lexical declaration cannot appear in a single-statement context", what_.span);
            note("put it in a block, between '{' and '}'");
            return true;
        case T_CONST:
        case T_CLASS_DECLARATION:
            note("put it in a block, between '{' and '}'");
            return false; // V8 names the word alone
        case T_ASYNC_FUNCTION_DECLARATION:
            say("Async functions can only be declared at the top level or inside a block.", what_.span);
            note("put it in a block, between '{' and '}'");
            return true;
        case T_FUNCTION_DECLARATION:
            say("In strict mode code, functions can only be declared at top level or inside a block.", what_.span);
            note("put it in a block, between '{' and '}'");
            return true;
        default: return false;
        }
    }

    using Rule = bool (Explainer::*)();
    static constexpr Rule rules[] = {&Explainer::singleStatement, &Explainer::missingCatch,
        &Explainer::missingParenthesis, &Explainer::endOfText, &Explainer::templateHole, &Explainer::restNotLast,
        &Explainer::headWithoutArrow, &Explainer::withoutValue, &Explainer::unnamedFunction, &Explainer::keywordAsName,
        &Explainer::optionalNew, &Explainer::importWithout, &Explainer::htmlComment};

    // ---- notes

    void takeNotes() {
        bool isOver = what_.kind == end;
        if (std::string advised = isOver ? "" : advice(outline_, what_); !advised.empty())
            return note(std::move(advised));
        if (isTold_ || (!result_.notes.empty() && !isOver))
            return;
        if (!bracketNotes() && result_.notes.empty())
            if (std::string list = wanted(); !list.empty())
                note(std::move(list));
    }

    const char* nameOfElements() const {
        switch (what_.inside) {
        case Inside::Arguments: return "arguments";
        case Inside::Parameters: return "parameters";
        case Inside::Array: return "elements";
        case Inside::ArrayPattern: return "names";
        case Inside::Object: return "properties";
        case Inside::ObjectPattern:
        case Inside::Imports: return "names";
        default: return nullptr;
        }
    }

    /// What is wrong with the brackets around the error.
    bool bracketNotes() {
        int open = outline_.opener();
        if (!open) {
            if (isClosing(what_.kind))
                note("nothing is open that this " + quote(text(0)) + " could close");
            return isClosing(what_.kind);
        }
        std::string name = quote(kind(open) == T_TEMPLATE_HEAD ? "${" : text(open));
        Span place = kind(open) == T_TEMPLATE_HEAD ? Span{span(open).end - 2, span(open).end} : span(open);
        std::string closer = closerOf(kind(open));
        if (what_.kind == end) {
            note(name + " was opened here and is not closed:", place);
            if (outline_.hasSuspect() && outline_.suspectOpen() != place) {
                note("perhaps the '}' of this one is missing:", outline_.suspectOpen());
                note("since this '}' stands further left than its '{':", outline_.suspectClose());
            }
            return true;
        }
        if (isClosing(what_.kind) && text(0).substr(0, 1) != closer) {
            note(name + " is still open and needs its '" + closer + "' before this:", place);
            return true;
        }
        if (const char* elements = nameOfElements(); elements && !isClosing(what_.kind))
            return listNotes(elements, name, place);
        bool needsCloser = expects(T_RIGHT_PAREN) || expects(T_RIGHT_BRACKET);
        bool isGroup =
            what_.inside == Inside::Head || what_.inside == Inside::Parentheses || what_.inside == Inside::Index;
        if (!isGroup || !needsCloser)
            return false;
        note("expected '" + closer + "': " + name + " was opened here:", place);
        return true;
    }

    bool listNotes(const char* elements, const std::string& name, Span place) {
        bool isSeparated = !expects(T_NUMBER) || what_.inside == Inside::Imports; // something is complete before this
        if (!isSeparated && !(what_.kind == T_SEMICOLON))
            return false;
        bool isSeparator = what_.kind == T_SEMICOLON && what_.inside == Inside::Object && !outline_.at(0).startsLine;
        if (isSeparator && (isName(kind(1)) || kind(1) == T_RIGHT_BRACE)) {
            note("properties are separated by ',', not by ';'");
            return true;
        }
        bool canBeElement = expects(T_COMMA) || what_.inside == Inside::Parameters;
        if (canBeElement && outline_.closesLater() && startsElement()) {
            bool isBehind = what_.inside == Inside::Arguments; // the caret is at the token before
            note(std::string("a ',' is missing between two ") + elements
                + (isBehind ? ", before " + quote(text(0)) : ""));
            return true;
        }
        if (what_.kind != T_SEMICOLON && !outline_.at(0).startsLine && outline_.closesLater())
            return false;
        note(name + " was opened here and is not closed before this:", place);
        return true;
    }

    bool startsElement() const {
        switch (what_.kind) {
        case T_NUMBER:
        case T_BIGINT:
        case T_STRING:
        case T_TEMPLATE:
        case T_TEMPLATE_HEAD:
        case T_LEFT_BRACE:
        case T_LEFT_BRACKET:
        case T_ELLIPSIS:
        case T_TRUE:
        case T_FALSE:
        case T_NULL_:
        case T_THIS:
        case T_NEW:
        case T_FUNCTION:
        case T_CLASS:
        case T_NOT:
        case T_TYPEOF:
        case T_ASYNC_FUNCTION: return true;
        default: return isName(what_.kind);
        }
    }

    /// "expected ..." from the tokens that could have stood there; empty if there are too many to be of help.
    std::string wanted() const {
        bool isAnyWord = expects(T_ENUM); // as a name
        if (expects(T_VAR) && !isAnyWord)
            return "";
        if (expects(T_NUMBER) && expects(T_STRING) && expects(T_LEFT_PAREN))
            return std::string("expected an expression")
                + (expects(T_RIGHT_PAREN)          ? " or ')'"
                        : expects(T_RIGHT_BRACKET) ? " or ']'"
                                                   : "");
        std::string result;
        int listed = 0;
        auto list = [&](const std::string& item) { result += (listed++ ? " or " : "expected ") + item; };
        if (expects(T_IDENTIFIER))
            list(expects(T_LEFT_BRACKET) && expects(T_LEFT_BRACE)     ? "a name or a pattern"
                    : !isAnyWord                                      ? "a name"
                    : expects(T_STRING)                               ? "a property"
                    : kind(-1) == T_DOT || kind(-1) == T_QUESTION_DOT ? "a property name"
                                                                      : "a name");
        for (int each : {T_LEFT_PAREN, T_RIGHT_PAREN, T_LEFT_BRACE, T_RIGHT_BRACE, T_RIGHT_BRACKET, T_COLON,
                 T_SEMICOLON, T_COMMA, T_ARROW, T_FROM, T_AS, T_WHILE, T_CATCH, T_FINALLY, T_FUNCTION, T_ASSIGN}) {
            bool isOperator = expects(T_PLUS) && (each == T_LEFT_PAREN || each == T_ARROW || each == T_ASSIGN);
            bool isWord = each == T_FROM || each == T_AS || each == T_WHILE || each == T_CATCH || each == T_FINALLY
                || each == T_FUNCTION;
            bool isPattern = expects(T_IDENTIFIER) && each == T_LEFT_BRACE;
            if (expects(each) && !isOperator && !(isWord && isAnyWord) && !isPattern)
                list(quote(what_.textOf(each)));
        }
        return listed <= 3 ? result : "";
    }

    Outline outline_;
    const Unexpected& what_;
    Diagnostic result_;
    bool isTold_ = false; // the message says it all
};

}

Diagnostic explain(const Source& source, const Unexpected& what) { return Explainer(source, what).run(); }

Note functionNote(const Source& source, u32 begin, bool isArrow, std::string_view lacks, std::string_view what) {
    Outline outline(source, begin);
    int name = !isArrow && outline.at(-1).kind == T_LEFT_PAREN ? -2 : 0;
    std::string heading = "the function around it is not " + std::string(lacks) + ", so " + std::string(what) + ":";
    if (name && isName(outline.at(name).kind))
        heading = quote(outline.text(name)) + " is not " + std::string(lacks) + ", so " + std::string(what) + ":";
    return Note(heading, outline.at(name).span);
}

}
