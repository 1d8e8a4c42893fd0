// The embedding API, from outside: evaluating, native functions, the loop, limits, several engines in one process.
#include "interp/host/engine.h"

#include <chrono>
#include <doctest/doctest.h>
#include <thread>

using namespace scr;

namespace {

struct Record {
    std::vector<std::string> lines;
};

HostValue note(void* context, const HostValue* args, size_t count, std::string& error) {
    auto& record = *static_cast<Record*>(context);
    if (count == 0) {
        error = "note needs something to note";
        return {};
    }
    std::string line;
    for (size_t i = 0; i < count; i++) {
        if (i)
            line += " ";
        switch (args[i].type) {
        case HostValue::Undefined: line += "undefined"; break;
        case HostValue::Null: line += "null"; break;
        case HostValue::Boolean: line += args[i].boolean ? "true" : "false"; break;
        case HostValue::Number: line += std::to_string(int(args[i].number)); break;
        case HostValue::String: line += args[i].string; break;
        }
    }
    record.lines.push_back(line);
    HostValue result;
    result.type = HostValue::Number;
    result.number = double(record.lines.size());
    return result;
}

}

TEST_CASE("engine: evaluates, and tells the value of the last expression") {
    Engine engine;
    CHECK(engine.evaluateValue("1 + 2", "sum").value == "3");
    CHECK(engine.evaluateValue("({ a: [1, 'x'] })", "object").value == "{ a: [ 1, 'x' ] }");
    Outcome outcome = engine.evaluate("globalThis.kept = 41; return 5;", "file");
    CHECK(outcome.status == RunStatus::Ok);
    CHECK(engine.evaluateValue("kept + 1", "again").value == "42");
}

TEST_CASE("engine: native functions get and give values, and throw") {
    Engine engine;
    Record record;
    engine.define("note", 1, note, &record);
    Outcome outcome = engine.evaluate("note(1, 'two', true, null, undefined); globalThis.n = note('x');", "natives");
    CHECK(outcome.status == RunStatus::Ok);
    REQUIRE(record.lines.size() == 2);
    CHECK(record.lines[0] == "1 two true null undefined");
    CHECK(engine.evaluateValue("n", "n").value == "2");
    CHECK(engine.evaluateValue("let t; try { note(); } catch (e) { t = e.name + ': ' + e.message; } t", "t").value
        == "'TypeError: note needs something to note'");
    CHECK(engine.evaluateValue("note.name + note.length", "l").value == "'note1'");
}

TEST_CASE("engine: syntax errors and uncaught errors are told with their place") {
    Engine engine;
    Outcome outcome = engine.check("let a = ;\n", "bad.scr");
    CHECK(outcome.status == RunStatus::SyntaxError);
    CHECK(outcome.exitCode == 1);
    CHECK(outcome.message.rfind("bad.scr:1\nlet a = ;\n        ^\nexpected an expression\n\nSyntaxError: ", 0) == 0);
    CHECK(engine.check("let a = 1;\n", "good.scr").status == RunStatus::Ok);
    outcome = engine.evaluate("\nfunction f() { throw new RangeError('far'); }\nf();\n", "throws.scr");
    CHECK(outcome.status == RunStatus::Threw);
    CHECK(outcome.exitCode == 1);
    CHECK(outcome.message
        == "throws.scr:2\nfunction f() { throw new RangeError('far'); }\n               ^\n\n"
           "RangeError: far\n    at f (throws.scr:2:22)\n    at throws.scr:3:1\n\n");
}

TEST_CASE("engine: the loop runs whole, or turn by turn") {
    Record record;
    {
        Engine engine;
        engine.define("note", 1, note, &record);
        engine.evaluate(
            "setTimeout(note, 2, 'timer'); setImmediate(note, 'immediate'); queueMicrotask(() => note('job'));"
            "process.on('exit', code => note('exit', code));",
            "loop");
        Outcome outcome = engine.runLoop();
        CHECK(outcome.status == RunStatus::Ok);
        CHECK(record.lines == std::vector<std::string>{"job", "immediate", "timer", "exit 0"});
    }
    record.lines.clear();
    Engine engine;
    engine.define("note", 1, note, &record);
    engine.evaluate(
        "setTimeout(note, 60000, 'late').unref(); setImmediate(() => { note('one'); setImmediate(note, 'two'); });",
        "turns");
    CHECK(engine.turnLoop() == 0);
    CHECK(record.lines.size() == 1);
    CHECK(engine.turnLoop() == -1);
    CHECK(record.lines.size() == 2);
    engine.evaluate("globalThis.t = setTimeout(note, 60000, 'later');", "more");
    int64_t wait = engine.turnLoop();
    CHECK((wait > 59000 && wait <= 60000));
    engine.evaluate("clearTimeout(t);", "less");
    CHECK(engine.turnLoop() == -1);
}

TEST_CASE("engine: process.exit ends a run with its status") {
    Engine engine;
    Outcome outcome = engine.evaluate("try { process.exit(7); } finally { globalThis.reached = 1; }", "exits");
    CHECK(outcome.status == RunStatus::Exited);
    CHECK(outcome.exitCode == 7);
}

TEST_CASE("engine: the memory limit ends a run, and nothing catches it") {
    EngineLimits limits;
    limits.memoryBytes = 24 << 20;
    Engine engine(limits);
    Outcome outcome = engine.evaluate(
        "const all = [];\ntry { for (;;) all.push({ n: all.length }); } catch { all.length = 0; }", "eats.scr");
    CHECK(outcome.status == RunStatus::LimitReached);
    CHECK(outcome.exitCode == 1);
    CHECK(outcome.message.find("eats.scr:2\n") == 0);
    CHECK(outcome.message.find("24 MiB") != std::string::npos);
}

static const char stubborn[] =
    "process.on('uncaughtException', () => console.log('no'));\n"
    "const it = { next: () => ({ value: 1 }), return() { for (;;); },\n"
    "    [Symbol.iterator]() { return this; } };\n"
    "try { for (const x of it) for (;;); } catch { console.log('no'); } finally { for (;;); }";

TEST_CASE("engine: the time limit ends a run, and nothing catches it") {
    EngineLimits limits;
    limits.timeMilliseconds = 60;
    Engine engine(limits);
    Outcome outcome = engine.evaluate(stubborn, "stubborn.scr");
    CHECK(outcome.status == RunStatus::LimitReached);
    CHECK(outcome.limit == Limit::Time);
    CHECK(outcome.exitCode == 1);
    CHECK(outcome.message.find("stubborn.scr:4\n") == 0);
    CHECK(outcome.message.find("its time limit of 60 ms (stubborn.scr:4:") != std::string::npos);
    CHECK(engine.evaluate("1", "later").status == RunStatus::LimitReached);
    Engine waits(limits);
    CHECK(waits.evaluate("setTimeout(() => { }, 100000)", "waits").status == RunStatus::Ok);
    CHECK(waits.runLoop().limit == Limit::Time);
    Engine again;
    again.setTimeLimit(60);
    CHECK(again.evaluate("setInterval(() => { }, 1)", "again").status == RunStatus::Ok);
    CHECK(again.runLoop().limit == Limit::Time);
}

TEST_CASE("engine: fuel ends a run at the same place, and is counted the same whatever the collector does") {
    EngineLimits limits;
    limits.fuel = 5000;
    Engine engine(limits);
    Outcome outcome = engine.evaluate(stubborn, "stubborn.scr");
    CHECK(outcome.status == RunStatus::LimitReached);
    CHECK(outcome.limit == Limit::Fuel);
    CHECK(outcome.message.find("its fuel limit of 5000 units (stubborn.scr:4:") != std::string::npos);
    CHECK(engine.fuelUsed() > 5000);
    auto used = [](uint32_t stress, const char* text) {
        Engine one;
        one.setGcStress(stress);
        CHECK(one.evaluate(text, "counted").status == RunStatus::Ok);
        CHECK(one.runLoop().status == RunStatus::Ok);
        return one.fuelUsed();
    };
    const char* text = "const a = Array.from({ length: 300 }, (_, i) => (i * 7919) % 300).sort((x, y) => x - y);\n"
                       "const m = new Map(a.map(n => [String(n), { n }])), w = new WeakMap();\n"
                       "for (const [k, v] of m) w.set(v, JSON.stringify(v) + k.padStart(600));\n"
                       "JSON.parse(JSON.stringify([...m.values()])); setTimeout(() => a.reverse(), 1);";
    uint64_t once = used(0, text);
    CHECK(once > 1000);
    CHECK(once == used(0, text));
    CHECK(once == used(50, text));
    CHECK(used(0, "for (let i = 0; i < 1000; i++);") - used(0, "for (let i = 0; i < 500; i++);") == 500);
    Engine more;
    more.setFuel(100);
    CHECK(more.evaluate("for (let i = 0; i < 50; i++);", "more").status == RunStatus::Ok);
    more.setFuel(100);
    CHECK(more.evaluate("for (let i = 0; i < 80; i++);", "more").status == RunStatus::Ok);
    CHECK(more.evaluate("for (let i = 0; i < 80; i++);", "more").limit == Limit::Fuel);
}

TEST_CASE("engine: the stack limit decides how deep calls go") {
    auto depth = [](size_t bytes) {
        EngineLimits limits;
        limits.stackBytes = bytes;
        Engine engine(limits);
        return std::stoul(
            engine.evaluateValue("let n = 0; const f = () => { n++; f(); }; try { f(); } catch { } n", "deep").value);
    };
    size_t few = depth(64 << 10), many = depth(1 << 20);
    CHECK(few > 100);
    CHECK(many > 8 * few);
}

TEST_CASE("engine: two work in one process without knowing of each other") {
    Engine first, second;
    Record one, two;
    first.define("note", 1, note, &one);
    second.define("note", 1, note, &two);
    first.evaluate("globalThis.x = 1; Array.prototype.extra = 1; setTimeout(() => note('first', x), 1);", "first");
    second.evaluate("globalThis.x = 2; setTimeout(() => note('second', x, typeof [].extra), 1);", "second");
    second.runLoop();
    first.runLoop();
    CHECK(one.lines == std::vector<std::string>{"first 1"});
    CHECK(two.lines == std::vector<std::string>{"second 2 undefined"});
}

TEST_CASE("engine: arguments, listings, collection at every allocation") {
    Engine engine;
    engine.setGcStress(1);
    engine.setArguments("/bin/scr", {"script", "a b"});
    CHECK(engine.evaluateValue("process.argv", "argv").value == "[ '/bin/scr', 'script', 'a b' ]");
    engine.setGcStress(0);
    CHECK(engine.dumpAst("a;", "tree").value.size() > 5);
    CHECK(engine.dumpBytecode("let a = 1;", "code").value.size() > 5);
    CHECK(engine.dumpAst("a b", "tree").status == RunStatus::SyntaxError);
}

TEST_CASE("engine: limits end the long loops of builtins") {
    // Each alone would run for years, or until the memory is full.
    const char* endless[] = {
        "A.fill.call(o, 1)",
        "Array(2 ** 32 - 1).fill(1)",
        "Array(2 ** 31).fill(1)",
        "A.indexOf.call(o, 1)",
        "A.lastIndexOf.call(o, 1)",
        "A.includes.call(o, 1)",
        "A.reverse.call(o)",
        "A.reverse.call(Array(2 ** 32 - 1))",
        "A.copyWithin.call(o, 0, 1)",
        "A.copyWithin.call(o, 1, 0)",
        "A.shift.call(o)",
        "A.unshift.call({ length: 2 ** 53 - 2 }, 1)",
        "A.splice.call(o, 0, 1)",
        "A.splice.call(o, 5, 2 ** 32 - 1)",
        "A.splice.call({ length: 2 ** 53 - 2 }, 0, 0, 1)",
        "A.concat.call([], new Proxy(o, { get: (t, k) => k === Symbol.isConcatSpreadable || t[k] }))",
        "A.slice.call(o, 0, 2 ** 32 - 1)",
        "A.join.call({ length: 2 ** 32 - 1 }, '')",
        "A.toLocaleString.call(h)",
        "A.sort.call(o)",
        "A.toSorted.call(h)",
        "A.toReversed.call(h)",
        "A.toSpliced.call(h, 0, 1)",
        "A.with.call(h, 0, 1)",
        "A.flat.call(o)",
        "A.flat.call([Array(2 ** 32 - 1)])",
        "A.flatMap.call(o, Boolean)",
        "A.reduce.call(o, Boolean, 0)",
        "A.reduceRight.call(o, Boolean, 0)",
        "A.forEach.call(o, Boolean)",
        "A.map.call(h, Boolean)",
        "A.filter.call(o, Boolean)",
        "A.some.call(o, Boolean)",
        "A.every.call(o, x => !x)",
        "A.find.call(o, Boolean)",
        "A.findIndex.call(o, Boolean)",
        "A.findLast.call(o, Boolean)",
        "A.findLastIndex.call(o, Boolean)",
        "Array.from(h)",
        "[...A.values.call(o)]",
        "new Set(A.keys.call(o))",
        "Math.max(...A.values.call(o))",
        "JSON.stringify(new Proxy([], { get: (t, k) => k === 'length' ? o.length : null }))",
        "JSON.stringify(Array(2 ** 32 - 1))",
        "JSON.stringify({}, new Proxy([], { get: (t, k) => k === 'length' ? o.length : null }))",
        "Uint8Array.from({ length: 2 ** 24 })",
        "Object.keys(new Uint8Array(2 ** 24))",
        "Reflect.ownKeys(new Uint8Array(2 ** 25))",
        "for (const k in new Uint8Array(2 ** 24)) ;",
    };
    for (const char* source : endless) {
        CAPTURE(source);
        EngineLimits limits;
        limits.fuel = 400'000;
        Engine engine(limits);
        std::string text = "const o = { length: 2 ** 53 - 1 }, h = { length: 2 ** 32 - 1 }, A = Array.prototype;\n";
        Outcome outcome = engine.evaluate(text + "try { " + source + " } catch { } finally { o.done(); }", "endless");
        CHECK(outcome.status == RunStatus::LimitReached);
        CHECK(outcome.limit == Limit::Fuel);
        CHECK(engine.fuelUsed() < 1'000'000);
    }
}

TEST_CASE("engine: evaluates modules, which import relative to their names") {
    Engine engine;
    Outcome outcome = engine.evaluate("import { setTimeout as later } from 'node:timers'; import data from "
                                      "'./tests/modules/support/esm/data.json' with { type: 'json' };\n"
                                      "globalThis.seen = [typeof later, data.list.length, import.meta.main];\n"
                                      "await null; globalThis.waited = true; export { data };",
        "main.mjs");
    CHECK(outcome.status == RunStatus::Ok);
    CHECK(engine.evaluateValue("seen.concat(waited)", "value").value == "[ 'function', 2, true, true ]");
    outcome = engine.evaluate("import { data } from './main.mjs'; globalThis.again = data.list[1];", "second.mjs");
    CHECK(engine.evaluateValue("again", "value").value == "2");
    outcome =
        engine.evaluate("import('./tests/modules/support/esm/data.mjs').then(m => { globalThis.x = m.x; });", "script");
    CHECK(engine.evaluateValue("x", "value").value == "1");
}

TEST_CASE("engine: tells what is wrong with a module") {
    Outcome outcome = Engine().evaluate("import { none } from 'node:timers';", "/nowhere/main.mjs");
    CHECK(outcome.status == RunStatus::Threw);
    CHECK(outcome.message.find("/nowhere/main.mjs:1\nimport { none } from 'node:timers';\n         ^") == 0);
    outcome = Engine().evaluate("export let a = ;", "main.mjs");
    CHECK(outcome.status == RunStatus::SyntaxError);
    outcome = Engine().evaluate("import './none.mjs';", "main.mjs");
    CHECK(outcome.status == RunStatus::Threw);
    CHECK(outcome.exitCode == 1);
    Engine waits;
    CHECK(waits.evaluate("await new Promise(() => { });", "main.mjs").status == RunStatus::Ok);
    Engine limited({.memoryBytes = 0, .stackBytes = 0, .timeMilliseconds = 0, .fuel = 100000});
    outcome = limited.evaluate("export let n = 0; for (;;) n++;", "main.mjs");
    CHECK(outcome.status == RunStatus::LimitReached);
    CHECK(outcome.limit == Limit::Fuel);
}

TEST_CASE("engine: an interrupt ends what runs, and the engine goes on when it is told to") {
    Engine engine;
    engine.evaluate("globalThis.n = 0; setTimeout(() => { n += 1000; }, 1);", "first");
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        engine.interrupt();
    });
    Outcome outcome =
        engine.evaluate("function spin() { for (;;) n = 1; }\ntry { spin(); } finally { n = 2; }", "spin");
    other.join();
    CHECK(outcome.status == RunStatus::Interrupted);
    CHECK(outcome.message.find("spin:1\nfunction spin() {") == 0);
    CHECK(outcome.message.find("    at spin (spin:1:19)\n    at spin:2:7\n") != std::string::npos);
    CHECK(engine.evaluate("n = 3", "nothing runs").status == RunStatus::Interrupted);
    engine.clearInterrupt();
    CHECK(engine.evaluateValue("n", "value").value == "1");
    CHECK(engine.runLoop().status == RunStatus::Ok); // the timer is still there
    CHECK(engine.evaluateValue("n", "value").value == "1001");
}

TEST_CASE("engine: an interrupt wakes a loop that sleeps, and natives that work long") {
    for (const char* text : {"setTimeout(() => {}, 60000)", "const s = 'a'.repeat(5e6); for (;;) s.indexOf('b');",
             "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
             "const f = () => Promise.resolve().then(f); f();", "for (;;) [3, 2, 1].map((x) => x).sort();",
             "await null; for (;;);"}) {
        Engine engine;
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            engine.interrupt();
        });
        Outcome outcome = engine.evaluate(text, "text");
        if (outcome.status == RunStatus::Ok)
            outcome = engine.runLoop();
        other.join();
        CHECK_MESSAGE(outcome.status == RunStatus::Interrupted, text);
        engine.clearInterrupt();
        CHECK(engine.evaluateValue("1 + 1", "value").value == "2");
    }
}
