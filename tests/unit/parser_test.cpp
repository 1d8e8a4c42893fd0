// The front end alone: characters, tokens, semicolons, early errors, scopes.
#include "grammar/parse.h"
// Last, for doctest's own CHECK to be the one that tests see.
#undef CHECK
#include <doctest/doctest.h>
#include <ostream> // doctest prints strings through it

using namespace scr;

namespace {

/// "ok", or "line:column message".
std::string outcome(std::string text, ParseOptions options = {}) {
    Source source("test", std::move(text));
    Arena arena;
    ParseResult result = parse(source, arena, options);
    if (result)
        return "ok";
    Position place = source.position(result.diagnostic.span.begin);
    return std::to_string(place.line) + ":" + std::to_string(place.column) + " " + result.diagnostic.message;
}

std::string place(std::string text, ParseOptions options = {}) {
    std::string all = outcome(std::move(text), options);
    return all.substr(0, all.find(' '));
}

ParseOptions with(Goal goal) {
    ParseOptions options;
    options.goal = goal;
    return options;
}

/// Script or module, as detected.
std::string detected(std::string text) {
    Source source("test", std::move(text));
    Arena arena;
    ParseResult result = parse(source, arena, with(Goal::Detect));
    return !result ? "error" : result.program->isModule ? "module" : "script";
}

bool isIncomplete(std::string text) {
    Source source("test", std::move(text));
    Arena arena;
    ParseResult result = parse(source, arena);
    return !result && result.isIncomplete;
}

/// The tree of a script without its first two lines (program and function).
std::string tree(std::string text) {
    Source source("test", std::move(text));
    Arena arena;
    ParseResult result = parse(source, arena);
    if (!result)
        return "error: " + result.diagnostic.message;
    std::string all = dump(*result.program, false);
    return all.substr(all.find('\n', all.find('\n') + 1) + 1);
}

/// The value of the string that text, one expression, is.
std::u16string stringValue(std::string text) {
    Source source = Source::fromBytes("test", std::move(text));
    Arena arena;
    ParseResult result = parse(source, arena);
    REQUIRE(bool(result));
    auto* statement = result.program->function->body[0]->as<ExpressionStatement>();
    Name* name = statement->expression->as<StringLiteral>()->value;
    std::u16string units;
    for (u32 i = 0; i < name->length; i++)
        units += name->isLatin1 ? char16_t(name->latin1[i]) : name->utf16[i];
    return units;
}

double numberValue(std::string text) {
    Source source("test", std::move(text));
    Arena arena;
    ParseResult result = parse(source, arena);
    REQUIRE(bool(result));
    auto* statement = result.program->function->body[0]->as<ExpressionStatement>();
    return statement->expression->as<NumericLiteral>()->value;
}

std::string repeat(std::string_view part, int count) {
    std::string all;
    for (int i = 0; i < count; i++)
        all += part;
    return all;
}

}

TEST_SUITE("parser") {

    TEST_CASE("Positions count lines and UTF-16 columns from one") {
        Source source("test",
            "a\r\nb\xf0\x9f\x98\x80"
            "c\u2028d");
        auto at = [&](u32 offset) {
            return std::to_string(source.position(offset).line) + ":" + std::to_string(source.position(offset).column);
        };
        CHECK(at(0) == "1:1");
        CHECK(at(3) == "2:1");
        CHECK(at(8) == "2:4"); // the emoji is two units
        CHECK(at(12) == "3:1");
        CHECK(source.line(4)
            == "b\xf0\x9f\x98\x80"
               "c");
    }

    TEST_CASE("Malformed UTF-8 in a file is U+FFFD, a byte order mark is nothing") {
        CHECK(stringValue("'x\xff\xe2\x82y\xed\xa0\x80'") == u"x\xfffd\xfffdy\xfffd\xfffd\xfffd");
        CHECK(stringValue("\xef\xbb\xbf'a'") == u"a");
    }

    TEST_CASE("Lone surrogates of a string of the engine survive") {
        Source source("eval", "'\xed\xa0\x80'");
        Arena arena;
        ParseResult result = parse(source, arena);
        REQUIRE(bool(result));
        auto* literal = result.program->function->body[0]->as<ExpressionStatement>()->expression->as<StringLiteral>();
        CHECK(literal->value->length == 1);
        CHECK(literal->value->utf16[0] == 0xd800);
    }

    TEST_CASE("Escapes") {
        CHECK(stringValue(R"('\n\t\x41\u0042\u{43}\0\
d')") == std::u16string(u"\n\tABC\0d", 7));
        CHECK(stringValue(R"('\ud83d\ude00')") == u"\xd83d\xde00");
        CHECK(outcome(R"(l\u0065t)") == "1:1 Keyword must not contain escaped characters");
        CHECK(outcome(R"(var \u{61}b = ab; x.\u0069f)") == "ok");
        CHECK(place(R"("\08")") == "1:2");
        CHECK(place("'a\nb'") == "1:1");
        CHECK(outcome("'\u2028'") == "ok");
    }

    TEST_CASE("Numbers") {
        CHECK(numberValue("0.1") == 0.1);
        CHECK(numberValue("9007199254740993") == 9007199254740992.0);
        CHECK(numberValue("0x20000000000001") == 9007199254740992.0); // a tie goes to even
        CHECK(numberValue("0x200000000000011") == 144115188075855904.0);
        CHECK(numberValue("1e400") == __builtin_inf());
        CHECK(numberValue("5e-324") == 5e-324);
        CHECK(numberValue("1_000_000") == 1000000);
        CHECK(numberValue("0b1_1") == 3);
        for (const char* wrong : {"01", "09", "0x", "0b2", "3px", "1n2", "1.5n", "01n", "1e", "1._5", "3in []"})
            CHECK_MESSAGE(place(wrong) == "1:1", std::string(wrong));
        CHECK(place("1_") == "1:3");
        CHECK(place("1__0") == "1:3");
        CHECK(place("0_1") == "1:2");
    }

    TEST_CASE("Names of any script, and nothing else") {
        CHECK(outcome("let \xc3\xa9 = 1, \xf0\xa0\xae\xb7 = 2, $_ = 3, a\xe2\x80\x8d"
                      "b = 4")
            == "ok");
        CHECK(place("let \xf0\x9f\x98\x80") == "1:5");
        CHECK(place("a\xe1\xa0\x8e"
                    "b")
            == "1:2"); // U+180E is no space any more
        CHECK(outcome("a\xc2\xa0=\xe3\x80\x80"
                      "b\xef\xbb\xbf;")
            == "ok"); // but these are
        CHECK(outcome("typeof\xc2\xa0x") == "ok");
    }

    TEST_CASE("Semicolons are inserted where the text may leave them out") {
        for (const char* right : {"a\nb", "a\n++b", "{ a }", "let a\nlet b", "do ; while (0) a", "return_\n1",
                 "if (a) b\nelse c", "var a\n=\n1", "x\n/y/g", "for (;;) break\na", "a => {}\nb", "throw a\nb",
                 "a = b\n(c)", "class A { a\nb\n'c'\n1\n[d]\n}", "a\n?.5:1", "continue_\n", "async\nfunction f() { }",
                 "let x = async\n(y)"})
            CHECK_MESSAGE(outcome(right) == "ok", std::string(right));
        for (const char* wrong : {"a b", "for (a\nb;c) ;", "if (a)\nelse b", "a\n)", "throw\na", "a\n=> b",
                 "class A { a b }", "a, b +\nif (x) { }", "do x while (0)", "async x\n=> x", "var a\n.", "{ 1 2 }"})
            CHECK_MESSAGE(outcome(wrong) != "ok", std::string(wrong));
        CHECK(tree("a\n++b") == tree("a; ++b;"));
        CHECK(tree("{ a }") == tree("{ a; }"));
        CHECK(tree("while (0) { if (a) break\n; else b }") == tree("while (0) { if (a) break; else b; }"));
    }

    TEST_CASE("A slash is what the grammar says") {
        CHECK(outcome("a = b / c / d; e = /f/g; g++ / 1; if (h) /i/.test(j); k = {} / 1; (l) / m; [n] / o") == "ok");
        CHECK(outcome("a = x ? /b/ : /c/; () => /d/; function f() { return /e/ } /g/.h") == "ok");
        CHECK(outcome("`${ /}/ }`; a = /=b/; /[/]/") == "ok");
        CHECK(place("a = /b") == "1:5");
        CHECK(outcome("/(/") == "1:1 Invalid regular expression: /(/: Unterminated group");
        CHECK(outcome("/a/gg") == "1:1 Invalid regular expression flags");
        CHECK(outcome("/\\u{110000}/u") == "1:1 Invalid regular expression: /\\u{110000}/u: Invalid Unicode escape");
    }

    TEST_CASE("Braces are blocks or objects") {
        CHECK(outcome("{ a: 1 } ({ a: 1 }); x = { a: 1 }; () => { a: 1 }; () => ({ a: 1 }); if (a) { } else { }")
            == "ok");
        CHECK(outcome("switch (a) { case b: { } default: { } } label: { }") == "ok");
        CHECK(outcome("a => { }\n{ b }\n") == "ok");
        CHECK(place("x = { a = 1 }") == "1:7");
        CHECK(outcome("({ a = 1 }) => a; ({ a = 1 } = b); [{ a = 1 }] = c; for ({ a = 1 } of d) ;") == "ok");
    }

    TEST_CASE("in belongs to the head of a for") {
        CHECK(
            outcome("for (a in b) ; for (var a in b) ; for (a = (b in c);;) ; for (a.in in b) ; for (a = [b in c];;) ;")
            == "ok");
        CHECK(outcome("for (a = b ? c in d : e;;) ; for (var f = function () { g in h; };;) ; for (let i in j, k) ;")
            == "ok");
        CHECK(outcome("for (let [a = b in c] of d) ; for (;a in b;) ;") == "ok");
        CHECK(place("for (a = b in c;;) ;") == "1:16");
        CHECK(place("for (let a = 1 in b) ;") == "1:10");
        CHECK(place("for (a of b, c) ;") == "1:12");
        CHECK(place("for (async of a) ;") == "1:6");
        CHECK(outcome("for (async of => { };;) ; for (async in a) ;") == "ok");
    }

    TEST_CASE("await is an operator, or a name") {
        CHECK(outcome("let await = 1; await; (await) => await; function await_() { var await; }") == "ok");
        CHECK(place("async function f() { let await; }") == "1:26");
        CHECK(outcome("async function f() { await x; await /r/; for await (const y of z) ; }") == "ok");
        CHECK(outcome("function f() { await x; }")
            == "1:16 await is only valid in async functions and the top level bodies of modules");
        CHECK(place("async (a = await b) => a") != "ok");
        CHECK(place("async function f(a = await b) { }") == "1:22");
        CHECK(outcome("const f = x => x\nawait 1", with(Goal::Module)) == "ok");
        CHECK(outcome("const f = x => x\nawait 1", with(Goal::Detect)) == "ok");
        CHECK(outcome("const f = async x => 1\nawait(1)") == "ok");
        CHECK(place("await: 1", with(Goal::Module)) == "1:6");
    }

    TEST_CASE("What makes a text a module") {
        CHECK(detected("a") == "script");
        CHECK(detected("import 'a'") == "module");
        CHECK(detected("var a; export { a }") == "module");
        CHECK(detected("import.meta") == "module");
        CHECK(detected("import('a')") == "script");
        CHECK(detected("await a") == "module");
        CHECK(detected("for await (a of b) ;") == "module");
        CHECK(detected("async function f() { await a }") == "script");
        CHECK(detected("var await = 1") == "script");
        CHECK(detected("// import\n'export'") == "script");
        CHECK(detected("import a from 'a'; <!-- not here") == "error");
        CHECK(detected("<!-- here") == "script");
        CHECK(detected("x => x\nawait y") == "module");
    }

    TEST_CASE("The text ends too early") {
        for (const char* open : {"(", "{", "a +", "function f() {", "`a", "`${", "/* a", "x = [1,", "if (a)",
                 "class A {", "a.", "let", "try { }"})
            CHECK_MESSAGE(isIncomplete(open), std::string(open));
        for (const char* wrong : {")", "'a", "a b", "let let", "/a", "1 = 2", "}"})
            CHECK_MESSAGE(!isIncomplete(wrong), std::string(wrong));
    }

    TEST_CASE("Declarations that clash") {
        for (const char* wrong :
            {"let a; let a", "let a; var a", "var a; let a", "let a; { var a }", "{ { var a } let a }",
                "function f(a) { let a }", "try { } catch (a) { let a }", "try { } catch ([a]) { var a }",
                "for (let a;;) { var a }", "for (let a of b) { var a }", "let a; function a() { }",
                "{ function a() { } function a() { } }", "switch (1) { case 1: let a; case 2: let a }", "(a, a) => a",
                "function f(a, [a]) { }", "class A { #a; #a }", "class A { #a; get #a() { } }", "let [a, a] = b",
                "class a { } var a", "a => { let a }"})
            CHECK_MESSAGE(outcome(wrong) != "ok", std::string(wrong));
        for (const char* right : {"var a; var a", "function a() { } function a() { } var a", "let a; { let a }",
                 "try { } catch (a) { var a }", "function f(a) { var a; function a() { } }", "for (let a;;) { let a }",
                 "let a; (function () { var a })", "{ let a } let a", "switch (1) { case 1: let a } let a",
                 "class A { get #a() { } set #a(v) { } }", "try { } catch (a) { { let a } }",
                 "(function a() { let a })", "{ var a } { var a } var a"})
            CHECK_MESSAGE(outcome(right) == "ok", std::string(right));
        CHECK(outcome("function f() { } function f() { }", with(Goal::Module)) != "ok");
    }

    TEST_CASE("Things out of place") {
        for (const char* wrong : {"break", "continue", "return", "a: continue a", "for (;;) { (() => { break })() }",
                 "a: a: ;", "a: { continue a }", "super.x", "super()", "({ m() { super() } })",
                 "class A { constructor() { super() } }", "class A extends B { m() { super() } }", "new.target",
                 "yield", "function* g() { function h() { yield } }", "import 'a'", "export var a", "delete a",
                 "delete (a)", "class A { #p; m() { delete this.#p } }", "this.#p", "with (a) b",
                 "if (a) function f() { }", "while (a) let b", "if (a) class B { }", "label: function f() { }",
                 "a ?? b || c", "a && b ?? c", "-a ** b", "a?.b = 1", "a?.b`c`", "new a?.b", "f() = 1", "1++", "++a++",
                 "({ a }) = 1", "[...a, b] = c", "({ ...{ a } } = b)", "let eval", "arguments = 1", "(eval) => 1",
                 "function f(...a, b) { }", "function f(a) { 'use strict' } function g(a = 1) { 'use strict' }",
                 "({ __proto__: 1, __proto__: 2 })", "({ get a(b) { } })", "({ set a() { } })", "1 + #p in a",
                 "class A { constructor() { } constructor() { } }", "class A { get constructor() { } }",
                 "class A { static prototype() { } }", "class A { constructor = 1 }", "class A { x = arguments }",
                 "class A { static { await } }", "class A { static { return } }", "let let", "var enum", "var static",
                 "`\\u{`", "for (const a;;) ;", "const a", "let { a }", "using a = b", "{ using { a } = b }",
                 "{ using a }", "async () => { for await (a in b) ; }", "let [a]", "() + 1", "(a, )", "(...a)",
                 "((a)) => 1", "(a, (b)) => 1", "async (a, ...b,) => 1", "async\n(a) => 1",
                 "function* g() { (a = yield) => 1 }", "({ a(yield) { } })", "try { }",
                 "switch (a) { default: default: }", "import.meta", "a = b => c || d => e",
                 "class A { async constructor() { } }", "x = { if }"})
            CHECK_MESSAGE(outcome(wrong) != "ok", std::string(wrong));
        for (const char* right :
            {"class A { m() { return super.x } static { super.y; new.target } f = () => super.z; g = new.target }",
                "class A extends B { constructor() { (() => super())() } }", "function f() { () => new.target }",
                "(a ?? b) || c", "(-a) ** b", "a ** -b", "({ a } = b)",
                "({ __proto__: 1, ['__proto__']: 2, __proto__() { } })", "({ __proto__: a, __proto__: b } = c)",
                "a: for (;;) { continue a }", "a: b: for (;;) { continue a }", "(a, b,) => 1", "async (a,) => 1",
                "new new a.b()()", "new (a?.b)", "(a) = 1", "[(a)] = b", "[(a.b)] = c", "({ a: (b) } = c)",
                "a = b => c => d"})
            CHECK_MESSAGE(outcome(right) == "ok", std::string(right));
    }

    TEST_CASE("What the surroundings permit") {
        ParseOptions commonJs;
        commonJs.isCommonJs = true;
        CHECK(outcome("return new.target", commonJs) == "ok");
        CHECK(outcome("let module = 1", commonJs) != "ok");
        CHECK(outcome("var module = 1; { let exports; }", commonJs) == "ok");
        ParseOptions repl;
        repl.allowTopLevelAwait = true;
        CHECK(outcome("await a; let b = await c", repl) == "ok");
        ParseOptions eval;
        std::string_view names[] = {"p"};
        eval.privateNames = names;
        eval.allowSuperProperty = eval.allowNewTarget = true;
        CHECK(outcome("this.#p; super.x; new.target", eval) == "ok");
        CHECK(place("this.#q", eval) == "1:5");
        eval.forbidArguments = true;
        CHECK(place("arguments", eval) == "1:1");
    }

    TEST_CASE("Modules") {
        auto module = with(Goal::Module);
        for (const char* right :
            {"export { a }; let a", "export { a as 'b c' }; var a", "export * from 'a'; export * as b from 'c'",
                "export default function () { }", "export default class { }\nexport let a", "export default (1)",
                "import a, { b as c, default as d } from 'e' with { type: 'json' }", "import * as using from 'a'",
                "import { using as b } from 'c'", "import async from 'a'; export { async as b }",
                "export { default } from 'a'; export { if as else } from 'b'", "export default async function () { }",
                "export default async () => { }", "await using a = b"})
            CHECK_MESSAGE(outcome(right, module) == "ok", std::string(right));
        for (const char* wrong : {"export { a }", "export { a, a }; let a", "export default 1; export default 2",
                 "import a from 'a'; let a", "import { if } from 'a'", "export { if }; ", "{ import 'a' }",
                 "export { 'a' }", "import a from 'b' with { c: 'd', c: 'e' }", "export let a; export { a }",
                 "export { a as '\\ud800' }; let a", "await: 1", "a\n--> b", "import { a, a } from 'b'",
                 "export using a = b", "import eval from 'a'"})
            CHECK_MESSAGE(outcome(wrong, module) != "ok", std::string(wrong));
    }

    TEST_CASE("Errors say what was found and what was expected") {
        // Behind the whole text, where no function is left to speak of.
        CHECK_EQ(outcome("await }1"), "1:1 await is only valid in async functions and the top level bodies of modules");
        CHECK(outcome("a = (1 +;") == "1:9 Unexpected token ';'");
        CHECK(outcome("f(1") == "1:3 missing ) after argument list");
        CHECK(outcome("let a = 1 b") == "1:11 Unexpected identifier 'b'");
        CHECK(outcome("a b") == "1:3 Unexpected identifier 'b'");
        CHECK(outcome("let 1") == "1:5 Unexpected number");
        CHECK(outcome("const a = 1; const a = 2") == "1:20 Identifier 'a' has already been declared");
    }

    TEST_CASE("Deep nests are refused, long chains are not") {
        for (const char* open : {"(", "[", "{", "- ", "a = ", "a => ", "f(", "`${", "{ a: ", "if (a) ",
                 "function f() { ", "a ? b : ", "new ", "class A extends "})
            CHECK_MESSAGE(outcome("x = 1;" + repeat(open, 50000) + "1") != "ok", std::string(open));
        CHECK(outcome("x = " + repeat("(", 1000) + "1" + repeat(")", 1000)) == "ok");
        CHECK(outcome("x = " + repeat("[", 500) + "1" + repeat("]", 500)) == "ok");
        CHECK(outcome(repeat("function f() { ", 100) + repeat("}", 100)) == "ok");
        for (const char* link : {"a + ", "a && ", "a, ", "if (a) b; else ", "a ?? "})
            CHECK_MESSAGE(outcome(repeat(link, 100000) + "a") == "ok", std::string(link));
        for (const char* link : {".b", "(1)", "[0]", "?.c"})
            CHECK_MESSAGE(outcome("a" + repeat(link, 100000)) == "ok", std::string(link));
    }
}
