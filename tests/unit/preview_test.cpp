// Previews: what they show, and that they change nothing, whatever the text tries.
#include "interp/host/engine.h"
#include "interp/repl/evaluator.h"
#include "interp/repl/preview.h"
#include "runtime/loop/event_loop.h"
#include "tests/unit/global_snapshot.h"
// Last, for doctest's own CHECK to be the one that tests see.
#undef CHECK
#include <doctest/doctest.h>
#include <ostream> // doctest prints strings through it
#include <random>

using namespace scr;

namespace {

struct Prompt {
    Engine engine;
    Evaluator evaluator{engine.vm()};

    explicit Prompt(std::string_view setup = "") {
        Evaluation done = evaluator.evaluate(setup);
        INFO("setup: ", describe(done));
        REQUIRE(done.status == Evaluation::Done);
    }
    std::string describe(const Evaluation& done) {
        return done.status == Evaluation::Threw ? describeForMessage(engine.vm(), engine.vm().pendingException)
                                                : done.report;
    }
    std::string operator()(std::string_view text, size_t columns = 200) {
        return previewHere(engine.vm(), text, columns);
    }
};

/// What hostile texts work on.
constexpr std::string_view World = R"(
let n = 1; const o = { a: 1, get g() { n++; return 7; }, set s(v) { n = v; }, pure() { return this.a + 1; } };
const list = [3, 1, 2]; const map = new Map([['k', o]]), set = new Set([1]); const date = new Date(0);
const bytes = new Uint8Array([1, 2, 3]), view = new DataView(bytes.buffer);
function count() { return ++n; } function F() {} class C { static x = 1; #p = 1; p() { return this.#p++; } q() { return this.#p; } }
const c = new C();
function* gen() { n++; yield 1; yield 2; } const g = gen(); g.next();
const iterator = list.values(), mapIterator = map.keys(), mapped = list.values().map(x => x);
const promise = Promise.resolve(1), pending = new Promise(() => {});
const proxy = new Proxy(o, { get(t, k) { n++; return t[k]; }, has() { n++; return true; } });
const quiet = new Proxy(o, {});
const prim = { [Symbol.toPrimitive]() { n++; return 1; } }, str = { toString() { n++; return 's'; } };
const inspected = { [Symbol.for('nodejs.util.inspect.custom')]() { n++; return 'x'; } };
const tagged = { get [Symbol.toStringTag]() { n++; return 'x'; } };
class Old extends Array { static get [Symbol.species]() { return function () { return list; }; } }
class Returns { constructor() { return o; } }
class Takes extends Returns { #y = 1; z = 2; }
const old = Old.from([5, 6]);
class Bytes extends Uint8Array { static get [Symbol.species]() { return function (n) { return new Uint8Array(bytes.buffer); }; } }
const oldBytes = new Bytes(3);
const ref = new WeakRef(o), weak = new WeakMap([[o, 1]]);
function tag(strings) { n++; return strings.raw[0]; }
function withDefault(x = n++) { return x; }
const closure = (() => { let hidden = 0; return { up() { return ++hidden; }, see() { return hidden; } }; })();
const disposable = { [Symbol.dispose]() { n++; } };
const iterable = { *[Symbol.iterator]() { n++; yield 1; } };
const closes = { [Symbol.iterator]() { return { next() { return { value: 1, done: false }; }, return() { n++; return {}; } }; } };
async function waits() { n; await 1; } async function ready() { return 4; } async function fails() { throw 1; }
const thenable = { then(f) { n++; f(1); } };
const timer = setTimeout(() => {}, 100000);
)";

/// Texts that would change something, each in a way of its own.
constexpr std::string_view Hostile[] = {"n++", "++n", "n = 5", "n += 1", "count()", "o.g", "o.s = 1", "o.a = 2",
    "o.b = 2", "o['a'] = 2", "delete o.a", "delete o['a']", "list[0] = 9", "list.length = 0", "list.push(4)",
    "[1, 2].concat(list).push(list.push(1))", "list.pop()", "list.sort()", "list.reverse()", "list.shift()",
    "list.splice(0, 1)", "list.fill(0)", "list.copyWithin(0, 1)", "list.unshift(1)", "map.set(1, 2)", "map.delete('k')",
    "map.clear()", "set.add(3)", "set.delete(1)", "map.getOrInsert('q', 1)", "date.setTime(5)", "date.setFullYear(1)",
    "bytes[0] = 7", "bytes.fill(1)", "bytes.set([9])", "view.setInt8(0, 5)", "new Uint8Array(bytes.buffer)[0] = 3",
    "new Uint8Array(bytes.buffer).fill(3)", "new DataView(bytes.buffer).setInt8(0, 1)", "bytes.subarray(1)[0] = 8",
    "bytes.subarray(1).sort()", "bytes.buffer.transfer()", "Atomics.add(bytes, 0, 1)", "Atomics.store(bytes, 0, 4)",
    "Object.assign(o, { a: 3 })", "Object.defineProperty(o, 'a', { value: 3 })", "Object.freeze(o)",
    "Object.seal(list)", "Object.preventExtensions(o)", "Object.setPrototypeOf(o, null)", "o.__proto__ = null",
    "({ __proto__: o }).s = 4", "Object.create(o).s = 4", "Reflect.set(o, 'a', 2)", "Reflect.set({}, 'a', 2, o)",
    "Reflect.defineProperty(o, 'z', {})", "Reflect.deleteProperty(o, 'a')", "Reflect.setPrototypeOf(o, null)",
    "Reflect.apply(count, null, [])", "Reflect.construct(Returns, []).a = 5", "new Returns().a = 5", "new Takes()",
    "count.call()", "count.apply(null, [])", "count.bind()()", "[1].forEach(count)", "[1, 2].map(count)",
    "[2, 1].sort(count)", "Array.from([1], count)", "Array.from.call(Returns, [1])", "Array.of.call(Returns, 1)",
    "old.map(x => 1)", "old.filter(x => true)", "old.slice(0)", "old.concat([1])", "old.splice(0)",
    "oldBytes.map(x => 9)", "oldBytes.slice()", "c.p()", "g.next()", "g.return(1)", "[...g]", "for (const x of g) x",
    "for (const x of g) break", "const [y] = g; y", "g.throw(1)", "[...gen()]", "iterator.next()", "[...iterator]",
    "const [z] = iterator; z", "mapIterator.next()", "[...mapIterator]", "mapped.next()", "mapped.toArray()",
    "iterator.map(x => x).next()", "iterator.toArray()", "iterator.take(1).toArray()", "new Map(g)",
    "new Set(iterator)", "Object.fromEntries(g)", "Array.from(iterator)", "Math.max(...iterator)",
    "Iterator.from(g).next()", "promise.then(count)", "promise.then()", "pending.then(count)",
    "pending.catch(() => {})", "Promise.all([promise])", "Promise.reject(1)", "Promise.resolve(thenable)", "waits()",
    "fails()", "(async () => thenable)()", "await 1", "(async () => { await 1; return 1; })()", "proxy.a",
    "proxy.a = 1", "'a' in proxy", "quiet.a = 9", "quiet.g", "prim + 1", "`${str}`", "str + ''", "[str].join()",
    "String(str)", "+prim", "prim == 1", "o[str]", "inspected", "({ x: inspected })", "tagged", "[tagged]", "tag`x`",
    "withDefault()", "closure.up()", "[...iterable]", "const [q] = closes; q", "{ using d = disposable; 1 }",
    "console.log(1)", "console.table([1])", "setTimeout(count)", "setInterval(count)", "setImmediate(count)",
    "queueMicrotask(count)", "clearTimeout(timer)", "timer.unref()", "+timer", "process.exit(3)",
    "process.stdout.write('x')", "(async function* () { yield 1; })().next()", "process.exitCode = 3",
    "process.nextTick(count)", "process.on('exit', count)", "process.emitWarning('x')", "process.env.X = '1'",
    "delete process.env.HOME", "eval('n++')", "(0, eval)('n++')", "new Function('n++')()", "import('fs')",
    "import.meta", "Math.random()", "globalThis.q = 1", "Array.prototype.q = 1", "WeakMap.prototype.q = 1",
    "F.prototype.q = 1", "new F().q = F.prototype.q = 2", "class D extends C { static { C.x = 2; } }",
    "Object.defineProperty(Object.prototype, 'q', { value: 1 })", "Symbol.prototype.q = 2", "list.at = 5",
    "Error.captureStackTrace(o)", "Error.stackTraceLimit = 1", "weak.set(o, 2)", "weak.delete(o)",
    "JSON.parse('{\"a\":[1]}', function (k, v) { this.a = list; return v; })",
    "structuredClone(bytes, { transfer: [bytes.buffer] })", "JSON.stringify({ toJSON: count })",
    "JSON.stringify([1], () => count())", "'x'.replace('x', count)", "({ valueOf: count }) * 2",
    "new Proxy(o, {}).a = 1", "new Map([[1, 2]]).forEach(count)", "new (class { x = count() })",
    "class E { static x = count(); }", "class G { static { count(); } }", "({ get x() { return n++; } }).x",
    "const { g: v } = o; v", "o?.g", "[o].map(x => x.g)", "list.map((x, i, all) => all[i] = 0)",
    "try { count() } catch {} 1", "try { n++ } finally { 1 } 2",
    "(() => { try { return n++ } finally { return 1 } })()", "n++, 1", "1 && n++", "if (true) n++; 1",
    "for (n of [1]) 1", "for (o.a in { x: 1 }) 1", "[n] = [5]", "({ a: n } = o)", "({ a: o.b } = o)",
    "n ||= 1, n &&= 2", "o.nope ?\?= 1", "label: { n = 2 }", "throw n++", "Object.groupBy([1], count)",
    "Map.groupBy([1], count)", "[3].findLast(count)", "Array.prototype.push.call(list, 1)", "[].push.apply(list, [1])",
    "(f => f())(count)", "new Array(3).fill(list).map(l => l.push(1))", "(function () { 'use strict'; n = 1; })()",
    "Reflect.getOwnPropertyDescriptor(o, 's').set(5)", "o.__lookupGetter__('g')()", "Object.entries(o)",
    "Object.values(o)", "({ ...o })", "structuredClone(o)", "JSON.stringify(o)", "Object.assign({}, o)",
    "list.toSorted(count)", "ref.deref().a = 4", "map.get('k').a = 4", "[...map][0][1].a = 4", "new AggregateError(g)",
    "new Error('x', { get cause() { return n++; } })", "Object.prototype.__defineGetter__.call(o, 'h', count)",
    "String.raw({ raw: { length: 1, get 0() { return n++; } } })", "super_", "while (true) {}", "for (;;) count",
    "'x'.repeat(2 ** 28) + 1", "new Array(1e9).fill(1)", "(function f() { return f() + 1; })()", "[...Array(1e8)]",
    "(() => { const a = []; for (;;) a.push({}); })()", "new ArrayBuffer(1e9)", "new AbortController().abort()",
    "new FinalizationRegistry(count).register(o)", "Object.freeze(Object.getPrototypeOf(function* () {}))"};

/// Texts whose value is shown, and what it is.
struct Shown {
    std::string_view text, shown;
};
constexpr Shown Harmless[] = {{"1 + 1", "2"}, {"n", "2"}, {"n + 1", "3"}, {"o.a", "1"}, {"o.pure()", "2"},
    {"'ab'.toUpperCase()", "'AB'"}, {"[1, 2, 3].map(x => x * 2)", "[ 2, 4, 6 ]"}, {"{ a: 1 }", ""},
    {"{a: 1}", "{ a: 1 }"}, {"({ a: { b: { c: 1 } } })", "{ a: { b: [Object] } }"}, {"list", "[ 3, 1, 2 ]"},
    {"[...list].sort()", "[ 1, 2, 3 ]"}, {"list.toSorted()", "[ 1, 2, 3 ]"}, {"list.slice().reverse()", "[ 2, 1, 3 ]"},
    {"[...list, ...set]", "[ 3, 1, 2, 1 ]"},
    {"map", "Map(1) { 'k' => { a: 1, g: [Getter], s: [Setter], pure: [Function: pure] } }"}, {"map.get('k').a", "1"},
    {"new Map([[1, 2]])", "Map(1) { 1 => 2 }"}, {"new Set(list).size", "3"}, {"[...new Set([1, 1])]", "[ 1 ]"},
    {"[...'ab'].entries().toArray()", "[ [ 0, 'a' ], [ 1, 'b' ] ]"}, {"[...map.keys()]", "[ 'k' ]"},
    {"(function* () { yield 1; yield* [2, 3]; })().toArray()", "[ 1, 2, 3 ]"},
    {"[...(function* () { yield 1; yield 2; })()]", "[ 1, 2 ]"}, {"c", "C {}"}, {"c.q()", "1"}, {"new C().p()", "1"},
    {"new (class P { x = 1; #y = 2; y() { return this.#y; } })().y()", "2"},
    {"new Date(0)", "1970-01-01T00:00:00.000Z"},
    {"(() => { let s = 0; for (const x of list) s += x; return s; })()", "6"},
    {"(() => { const a = []; for (let i = 0; i < 3; i++) a.push(i); return a; })()", "[ 0, 1, 2 ]"},
    {"let s = 0; for (const x of list) s += x; s", "6"}, {"Object.keys(o)", "[ 'a', 'g', 's', 'pure' ]"},
    {"JSON.stringify({ a: [1] })", "'{\"a\":[1]}'"}, {"JSON.parse('[1]')", "[ 1 ]"},
    {"Object.assign({}, { a: 1 }, { b: 2 })", "{ a: 1, b: 2 }"}, {"Object.freeze([1])", "[ 1 ]"},
    {"new Uint8Array(2).fill(7)", "Uint8Array(2) [ 7, 7 ]"}, {"bytes.subarray(1)", "Uint8Array(2) [ 2, 3 ]"},
    {"bytes.map(x => x + 1)", "Uint8Array(3) [ 2, 3, 4 ]"}, {"Promise.resolve(5)", "Promise { 5 }"},
    {"ready()", "Promise { 4 }"}, {"promise", "Promise { 1 }"}, {"typeof nope", "'undefined'"}, {"nope", ""},
    {"nope.x", ""}, {"o.nope.x", ""}, {"throw 1", ""}, {"undefined", ""}, {"void 0", ""}, {"null", ""}, {"1", ""},
    {"'a'", ""}, {"\"a\"", "'a'"}, {"0x10", "16"}, {"let x = 5", ""}, {"function f() {}", ""},
    {"const q = 1; q + 1", "2"}, {"1 +", ""}, {"(", ""}, {"", ""}, {"  ", ""}, {"// x", ""},
    {"Symbol('x')", "Symbol(x)"}, {"new Error('a\\nb')", "Error: a"}, {"closure.see()", "0"},
    {"String(Symbol('q'))", "'Symbol(q)'"}, {"`${list}`", "'3,1,2'"}, {"list.join('-')", "'3-1-2'"},
    {"Math.max(...list)", "3"}, {"(x => x)", "[Function (anonymous)]"}, {"isNaN('x')", "true"},
    {"parseInt('12px')", "12"}, {"quiet.a", "1"}, {"typeof date.getTime()", "'number'"}, {"process.exitCode", ""},
    {"F.name", "'F'"}, {"new F() instanceof F", "true"}, {"weak.has(o)", "true"}, {"ref.deref() === o", "true"},
    {"[1, [2, [3]]].flat(Infinity)", "[ 1, 2, 3 ]"}, {"'a-b'.split('-')", "[ 'a', 'b' ]"},
    {"'x'.padStart(3, '.')", "'..x'"}, {"Object.fromEntries([['a', 1]])", "{ a: 1 }"},
    {"structuredClone({ a: [1] })", "{ a: [ 1 ] }"},
    {"(() => { try { throw new Error('x') } catch (e) { return e.message } })()", "'x'"},
    {"[3, 1].sort((a, b) => a - b)", "[ 1, 3 ]"}, {"Array.from({ length: 3 }, (_, i) => i)", "[ 0, 1, 2 ]"}};

}

TEST_CASE("preview: shows what a text without effects comes to") {
    Prompt prompt(World);
    for (const Shown& each : Harmless) {
        INFO("text: ", std::string(each.text));
        std::string shown = prompt(each.text);
        CHECK((each.shown.empty()
                    && (shown == each.text || each.text == "o.a" || each.text == "JSON.parse('[1]')"
                        || each.text == "Object.freeze([1])")
                ? true
                : shown == each.shown));
    }
}

TEST_CASE("preview: a text with effects shows nothing and changes nothing") {
    Prompt prompt(World);
    test::GlobalSnapshot snapshot(prompt.engine.vm());
    snapshot.take();
    std::string before = snapshot.take();
    REQUIRE(before == snapshot.take());
    size_t number = 0;
    for (std::string_view text : Hostile) {
        INFO("text: ", std::string(text), " or one of the four before it");
        CHECK(prompt(text) == "");
        if (++number % 5 == 0 || number == std::size(Hostile))
            CHECK((before == snapshot.take()));
    }
}

TEST_CASE("preview: nothing is left to run, and the run goes on") {
    Prompt prompt(World);
    Vm& vm = prompt.engine.vm();
    for (std::string_view text : Hostile) {
        INFO("text: ", std::string(text));
        prompt(text);
        REQUIRE(vm.termination == Termination::None);
        REQUIRE(vm.guard == nullptr);
        Evaluation after = prompt.evaluator.evaluate("n + closure.see()");
        REQUIRE(after.status == Evaluation::Done);
        REQUIRE((after.value == Value::int32(2)));
    }
}

TEST_CASE("preview: short cuts that a script has warmed up ask too") {
    Prompt prompt(R"(
let log = [], ticks = 0;
const push = (a, x) => a.push(x), put = (p, x) => { p.x = x; }, add = (p, x) => { p.y = x; }, tick = () => ++ticks;
const step = g => g.next(), each = it => { let n = 0; for (const x of it) n += x; return n; }, set = (a, i, x) => { a[i] = x; };
const read = p => p.got, write = p => { p.got = 1; };
function* numbers() { yield 1; yield 2; yield 3; }
class Counts { #n = 0; up() { return ++this.#n; } get got() { return ++ticks; } set got(v) { ticks += v; } }
const kept = numbers(), counts = new Counts(), point = { x: 0 }, late = {};
for (let i = 0; i < 100; i++) {
    push(log, i); put(point, i); add({}, i); tick(); step(numbers()); each(numbers()); each(log); set(log, 0, i);
    read(counts); write(counts); counts.up();
}
log.length = 3; ticks = 0;
)");
    test::GlobalSnapshot snapshot(prompt.engine.vm());
    snapshot.take();
    std::string before = snapshot.take();
    for (std::string_view text : {"push(log, 1)", "put(point, 1)", "add(late, 1)", "tick()", "step(kept)", "each(kept)",
             "set(log, 0, 7)", "read(counts)", "write(counts)", "counts.up()", "[1].map(tick)", "[...kept]"}) {
        INFO("text: ", std::string(text));
        CHECK(prompt(text) == "");
        CHECK((snapshot.take() == before));
    }
    CHECK(prompt("const a = []; push(a, 5); a") == "[ 5 ]");
    CHECK(prompt("const p = { x: 1 }; put(p, 2); p") == "{ x: 2 }");
    CHECK(prompt("const p = {}; add(p, 2); p") == "{ y: 2 }");
    CHECK(prompt("step(numbers())") == "{ value: 1, done: false }");
    CHECK(prompt("each(numbers())") == "6");
    CHECK(prompt("each(log)") == "102");
    CHECK(prompt("new Counts().up()") == "1");
    CHECK((snapshot.take() == before));
}

TEST_CASE("preview: one line that fits") {
    Prompt prompt("const control = new Error('a\\x1b[31m\\u0085');");
    CHECK(prompt("'x'.repeat(100)", 20) == "'xxxxxxxxxxxxxxxx...");
    CHECK(prompt("'x'.repeat(18)", 20) == "'xxxxxxxxxxxxxxxxxx'");
    CHECK(prompt("'\u6f22'.repeat(10)", 20) == "'\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22...");
    CHECK(prompt("1 + 1", 1) == "2");
    CHECK(prompt("10 + 1", 1) == "");
    CHECK(prompt("1000 + 1", 3) == "");
    CHECK(prompt("new Error('a\\nb')") == "Error: a");
    CHECK(prompt("control") == "Error: a\\x1b[31m\\x85");
    CHECK(prompt("[[1, [2]], 'a\\nb']") == "[ [ 1, [Array] ], 'a\\nb' ]");
}

TEST_CASE("preview: patched builtins are asked as scripts") {
    Prompt prompt(R"(
let ran = 0;
const keep = Array.prototype.map;
Array.prototype.map = function (f) { ran++; return keep.call(this, f); };
Object.defineProperty(Array.prototype, 5, { get() { return ++ran; }, set(v) { ran = v; }, configurable: true });
String.prototype.toUpperCase = function () { return 'patched'; };
Map.prototype.set = function () { ran++; return this; };
Array.prototype[Symbol.iterator] = function* () { ran++; yield 9; };
Error.prepareStackTrace = () => ++ran;
)");
    for (std::string_view text : {"[1].map(x => x)", "[][5]", "const a = []; a[5] = 1", "new Map([[1, 2]])", "[...[1]]",
             "new Error('x').stack", "new Error('x')"}) {
        INFO("text: ", std::string(text));
        CHECK(prompt(text) == "");
    }
    CHECK(prompt("'a'.toUpperCase()") == "'patched'");
    CHECK(prompt("ran + 1") == "1");
}

TEST_CASE("preview: in a child process") {
    Prompt prompt(World);
    Vm& vm = prompt.engine.vm();
    CHECK(preview(vm, "n + 1", 80) == "3");
    CHECK(preview(vm, "n++", 80) == "");
    CHECK(preview(vm, "(() => { for (;;); })()", 80) == "");
    CHECK(preview(vm, "new Array(1e9).fill(1)", 80) == "");
    CHECK(preview(vm, "(", 80) == "");
    CHECK(preview(vm, "n", 80) == "2");
}

TEST_CASE("preview: texts put together at random change nothing") {
    Prompt prompt(World);
    test::GlobalSnapshot snapshot(prompt.engine.vm());
    snapshot.take();
    std::string before = snapshot.take();
    std::minstd_rand random(20240229);
    auto any = [&](auto& list) -> decltype(auto) { return list[random() % std::size(list)]; };
    auto fragment = [&] { return std::string(random() % 2 ? any(Hostile) : any(Harmless).text); };
    constexpr std::string_view frames[] = {"(A, B)", "[A].map(() => B)", "(() => { try { A } catch {} return B })()",
        "(function* () { yield A; yield B })().toArray()", "(A) || (B)", "({ x: A, get y() { return B } }).y",
        "const a = [A]; a.push(B); a", "for (const x of [1, 2]) { A; B }", "new (class { x = A; static y = B; })",
        "const m = new Map([[1, A]]); m.set(2, B); [...m]", "(f => f(() => B))(f => [A, f()])",
        "[[2, A], [1, B]].sort()", "Object.assign({ a: A }, { b: B })", "`${A}${B}`", "(async () => [A, B])()",
        "A?.[B]", "((x = A) => B)()", "[].concat([A], [A]).concat([B])", "switch (1) { case A: 1; default: B }",
        "let w = A; w ?\?= B; w"};
    for (int i = 1; i <= 600; i++) {
        std::string text;
        for (char c : any(frames))
            text += c == 'A' || c == 'B' ? fragment() : std::string(1, c);
        INFO("text: ", text, " or one of the 19 before it");
        prompt(text);
        if (i % 20 == 0)
            REQUIRE((before == snapshot.take()));
    }
}
