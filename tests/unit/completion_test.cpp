// Completion at the prompt: which words fit where the cursor stands, and that nothing runs to find out.
#include "interp/host/engine.h"
#include "interp/repl/completion.h"
#include "interp/repl/completion_context.h"
#include "interp/repl/evaluator.h"
#include "runtime/builtins/native.h"
// Last, for doctest's own CHECK to be the one that tests see.
#undef CHECK
#include <doctest/doctest.h>
#include <ostream> // doctest prints strings through it

using namespace scr;

namespace {

constexpr std::string_view World = R"(
let ran = 0, longLexical = { alpha: 1, beta: { gamma: 'x' }, 'no-name': 1, 7: 1, get hidden() { ran++; return {}; } };
const below = Object.create({ fromProto: 1 }, { own: { value: { deep: 1 }, enumerable: false } });
class Point { constructor() { this.x = 1; } move() {} static make() {} }
const point = new Point(), list = [{ inside: 1 }];
var asVar = 5; function asFunction() {}
const proxy = new Proxy({}, { get() { ran++; return {}; }, ownKeys() { ran++; return ['trap']; }, getPrototypeOf() { ran++; return null; } });
const overProxy = Object.create(proxy); overProxy.mine = 1;
const grüße = 1;
)";

struct Prompt {
    Engine engine;
    Evaluator evaluator{engine.vm()};

    Prompt() { REQUIRE(evaluator.evaluate(World).status == Evaluation::Done); }
    Completions complete(std::string_view text, size_t cursor) {
        static constexpr std::string_view commands[] = {".break", ".help", ".load", ".save"};
        return scr::complete(engine.vm(), text, cursor, commands);
    }
    /// The words for a text whose cursor is at the "|" in it; "-" begins another group.
    std::string operator()(std::string text) {
        size_t cursor = text.find('|');
        text.erase(cursor, 1);
        std::string shown;
        for (const std::string& word : complete(text, cursor).words)
            shown += (shown.empty() ? "" : " ") + (word.empty() ? "-" : word);
        return shown;
    }
    /// Whether `word` is among them.
    bool offers(std::string text, std::string_view word) {
        return (" " + (*this)(text) + " ").find(" " + std::string(word) + " ") != std::string::npos;
    }
};

}

TEST_CASE("completion: names in scope, globals and keywords") {
    Prompt prompt;
    CHECK(prompt("longL|") == "longLexical");
    CHECK(prompt("asV|") == "asVar");
    CHECK(prompt("1 + asFun|") == "asFunction");
    CHECK(prompt("par|") == "parseFloat parseInt");
    CHECK(prompt("gr\u00fc|") == "gr\u00fc\u00dfe");
    CHECK(prompt("typeo|") == "typeof");
    CHECK(prompt("f(longL|, 1)") == "longLexical");
    CHECK(prompt("const a = 1;\nlongL|") == "longLexical");
    CHECK(prompt("[...longL|]") == "longLexical");
    CHECK(prompt("`a${longL|}`") == "longLexical");
    CHECK(prompt("a /* c */ + longL|") == "longLexical");
    CHECK(prompt.offers("|", "point"));
    CHECK(prompt.offers("|", "Math"));
    CHECK(prompt.offers("|", "while"));
    CHECK(prompt("zzz|") == "");
    CHECK(prompt.complete("1 + longL", 9).from == 4);
}

TEST_CASE("completion: members, the object's own first") {
    Prompt prompt;
    CHECK(prompt("longLexical.a|") == "alpha");
    CHECK(prompt("longLexical.beta.g|") == "gamma");
    CHECK(prompt("longLexical['beta'].g|") == "gamma");
    CHECK(prompt("longLexical?.beta?.g|") == "gamma");
    CHECK(prompt("longLexical?.['beta']?.g|") == "gamma");
    CHECK(prompt("longLexical\n  .beta\n  .g|") == "gamma");
    CHECK(prompt("longLexical /* x */ . beta . g|") == "gamma");
    CHECK(prompt("list[0].ins|") == "inside");
    CHECK(prompt("point.|").starts_with("x - constructor move - "));
    CHECK(prompt("below.|").starts_with("own - fromProto - "));
    CHECK(prompt("below.own.d|") == "deep");
    CHECK(prompt("Point.ma|") == "make");
    CHECK(prompt("Math.asi|") == "asin asinh");
    CHECK(prompt("'abc'.toUpp|") == "toUpperCase");
    CHECK(prompt("\"a\\\"b\".toUpp|") == "toUpperCase");
    CHECK(prompt("`abc`.toUpp|") == "toUpperCase");
    CHECK(prompt("longLexical.beta.gamma.toUpp|") == "toUpperCase");
    CHECK(prompt("5..toFi|") == "toFixed");
    CHECK(prompt("[1, [2]].findLastI|") == "findLastIndex");
    CHECK(prompt("f([1].fla|)") == "flat flatMap");
    CHECK(prompt("true.valu|") == "valueOf");
    CHECK(prompt("this.asV|") == "asVar");
    CHECK(prompt("globalThis.parseF|") == "parseFloat");
    CHECK(prompt("if (x) longLexical.al|pha") == "alpha");
    CHECK(prompt("asFunction.na|") == "name");
    CHECK(!prompt.offers("longLexical.|", "no-name"));
    CHECK(!prompt.offers("longLexical.|", "7"));
    CHECK(prompt.offers("longLexical.|", "hidden"));
    CHECK(prompt.complete("longLexical.be", 14).from == 12);
}

TEST_CASE("completion: nothing runs") {
    Prompt prompt;
    for (std::string_view text :
        {"longLexical.hidden.|", "proxy.|", "proxy.a.|", "asFunction().|", "new Point().|", "(longLexical).|",
            "longLexical[asVar].|", "longLexical[ran++].|", "nothing.here.|", "undefined.|", "null.|", "asVar++.|",
            "f`x`.|", "(() => 1).|", "longLexical.nope.deep.|", "'a' + 'b'.length.nope.|", "1.|"}) {
        INFO("text: ", std::string(text));
        CHECK(prompt(std::string(text)) == "");
    }
    CHECK(prompt("overProxy.|") == "mine");
    Evaluation after = prompt.evaluator.evaluate("ran");
    CHECK((after.value == Value::int32(0)));
}

TEST_CASE("completion: not inside strings, comments and numbers") {
    Prompt prompt;
    for (std::string_view text : {"'longL|", "'longL|'", "\"x longL|", "`longL|", "`a${1} longL|`", "// longL|",
             "/* longL|", "/longL|/", "12|", "0xa|", "1e|", "this.#longL|", "'a\\'longL|"}) {
        INFO("text: ", std::string(text));
        CHECK(prompt(std::string(text)) == "");
    }
}

TEST_CASE("completion: modules and commands") {
    Prompt prompt;
    CHECK(prompt("require('timers/p|')") == "timers/promises");
    CHECK(prompt("require('timers/p|") == "timers/promises");
    CHECK(prompt("require(\"node:timers/p|") == "node:timers/promises");
    CHECK(prompt("require(\"node:te|") == "node:test node:test/reporters");
    CHECK(prompt("require(\"node:mo|") == "node:module");
    CHECK(prompt("require(\"node:s|") == "");
    CHECK(prompt("require(\"scr|") == "scr:bench");
    CHECK(prompt("import('timers/p|") == "timers/promises");
    CHECK(prompt("import { x } from 'timers/p|") == "timers/promises");
    CHECK(prompt("import 'timers/p|") == "timers/promises");
    CHECK(prompt("require('./gramm|") == "grammar/");
    CHECK(prompt("require('./tests/../gramm|") == "grammar/");
    CHECK(prompt("load('timers/p|") == "");
    CHECK(prompt(".|") == ".break .help .load .save");
    CHECK(prompt(".he|") == ".help");
    CHECK(prompt(".load gramm|") == "grammar/");
    CHECK(prompt("x\n.he|") == "");
    CHECK(prompt(".5.toF|") == "toFixed");
}

TEST_CASE("completion: any text and any place in it") {
    Prompt prompt;
    for (std::string_view text : {"a.b['c']?.d[0](`x${'y'}`, /r/, 1.5) // e", "]]]}}).", ")(.[{.", "'\\", "`${`${",
             "\xc3.\xff\xe2.a", "...", "a?.", "?.", "[", "[].[].", "{}.", "this.this.", "import('", "from '",
             "require(", ".load ", ". ", "a[']'].b", "a[/* ] */0].b", "/* . */.", "((((((((((.", "\n.\n.\n"})
        for (size_t cursor = 0; cursor <= text.size(); cursor++)
            CHECK(prompt.complete(text, cursor).from <= cursor);
    CHECK(prompt.complete("a", 5).words.empty());
}
