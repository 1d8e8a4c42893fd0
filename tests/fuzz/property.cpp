// Fuzzes properties: a sequence of operations on a few objects, done by script (so that the inline caches of its sites
// see every order of things) and by a model of maps, which must agree after each one.
#include "tests/fuzz/engine_values.h"
#include "tests/fuzz/libfuzzer.h"
#include "tests/fuzz/property_model.h"

using namespace scr;
using namespace scr::fuzz;

namespace {

// One site for each name and each of some indices: those are the ones that caches learn. `step` is reached by C++.
const char* const setUp = R"(
const symbols = [Symbol("s"), Symbol("t")];
const names = ["a", "b", "c", "d", "e", "f", "g", "h", "4294967295", "-1", "longer name"];
let told = "";
const getters = [0, 1, 2, 3].map(n => () => 1000 + n);
const setters = [0, 1, 2, 3].map(n => v => { told = n + ":" + v; });
const own = [
    [o => o.a, (o, v) => { o.a = v; }], [o => o.b, (o, v) => { o.b = v; }], [o => o.c, (o, v) => { o.c = v; }],
    [o => o.d, (o, v) => { o.d = v; }], [o => o.e, (o, v) => { o.e = v; }], [o => o.f, (o, v) => { o.f = v; }],
    [o => o.g, (o, v) => { o.g = v; }], [o => o.h, (o, v) => { o.h = v; }],
];
const read = (o, k) => o[k], write = (o, k, v) => { o[k] = v; };
const keyOf = n => n < 0 ? symbols[-n - 1] : n < 100 ? names[n] : n < 300 ? "p" + (n - 100) : n - 300;
const caught = f => { try { return f(); } catch (e) { return e instanceof TypeError || e instanceof RangeError ? "refused" : String(e); } };
class Fields { a = 1; b = 2; c = 3; }
globalThis.fuzz = {
    make: () => {
        const base = {}, array = [];
        return [base, Object.create(base), { a: 1, b: 2 }, array, [1, 2, 3], new Fields()];
    },
    get: (o, n) => n >= 0 && n < own.length ? own[n][0](o) : read(o, keyOf(n)),
    set: (o, n, v) => caught(() => n >= 0 && n < own.length ? own[n][1](o, v) : write(o, keyOf(n), v)),
    has: (o, n) => keyOf(n) in o,
    hasOwn: (o, n) => Object.hasOwn(o, keyOf(n)),
    remove: (o, n) => Reflect.deleteProperty(o, keyOf(n)),
    define: (o, n, bits, v) => {
        const d = {};
        if (bits & 1) d.value = v;
        if (bits & 2) d.writable = (bits & 4) !== 0;
        if (bits & 8) d.enumerable = (bits & 16) !== 0;
        if (bits & 32) d.configurable = (bits & 64) !== 0;
        if (bits & 128) d.get = bits & 256 ? getters[v & 3] : undefined;
        if (bits & 512) d.set = bits & 1024 ? setters[v & 3] : undefined;
        return Reflect.defineProperty(o, keyOf(n), d);
    },
    prevent: o => Reflect.preventExtensions(o),
    seal: o => caught(() => (Object.seal(o), true)),
    freeze: o => caught(() => (Object.freeze(o), true)),
    prototype: (o, p) => Reflect.setPrototypeOf(o, p),
    length: (o, n) => caught(() => { o.length = n; }),
    push: (o, v) => caught(() => Array.prototype.push.call(o, v)),
    pop: o => caught(() => Array.prototype.pop.call(o)),
    keys: o => Reflect.ownKeys(o).map(k => typeof k === "symbol" ? "@" + k.description : k).join("|"),
    describe: (o, n) => {
        const d = Object.getOwnPropertyDescriptor(o, keyOf(n));
        if (!d) return "none";
        const flags = (d.writable ? "w" : "") + (d.enumerable ? "e" : "") + (d.configurable ? "c" : "");
        return "value" in d ? String(d.value) + flags
            : "get " + getters.indexOf(d.get) + " set " + setters.indexOf(d.set) + flags;
    },
    state: o => [Object.isExtensible(o), Object.isFrozen(o), Object.isSealed(o)].join(),
    told: () => { const t = told; told = ""; return t; },
};
)";

class Session {
public:
    Session(Vm& vm, const uint8_t* data, size_t size)
        : vm_(vm)
        , data_(data)
        , end_(data + size)
        , fuzz_(global(vm, "fuzz"))
        , objects_(Value::undefined()) {
        objects_ = ask("make");
    }

    void run() {
        while (data_ < end_)
            step();
        for (u32 i = 0; i < Model::Count; i++)
            compare(i);
    }

private:
    u8 byte() { return data_ < end_ ? *data_++ : 0; }

    Value object(u32 i) { return MUST(scr::get(vm_, objects_.asObject(), PropertyKey::index(i))); }
    template <class... Rest> Value ask(const char* name, Rest... arguments) {
        Value values[] = {arguments..., Value::undefined()};
        return MUST(call(vm_, property(vm_, fuzz_, name), Value::undefined(), values, sizeof...(arguments)));
    }
    std::string shown(Value value) {
        if (value.isString())
            return toUtf8(vm_, value.asString());
        return value.isUndefined() ? "undefined"
            : value.isBoolean()    ? (value.asBoolean() ? "true" : "false")
                                   : std::to_string(i64(value.asNumber()));
    }
    void expect(Value value, const std::string& expected) {
        std::string got = shown(value);
        if (got != expected)
            fprintf(stderr, "the engine says %s, the model %s\n", got.c_str(), expected.c_str());
        CHECK(got == expected);
    }

    static i64 keyFor(u8 byte) {
        static const u32 indices[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 20, 100, 1000, 5000000, 4294967294u};
        if (byte < 140)
            return byte % 11;
        if (byte < 160)
            return -1 - byte % 2;
        if (byte < 166)
            return 100 + byte;
        return 300 + i64(indices[byte % (sizeof indices / sizeof *indices)]);
    }
    static Value number(i64 n) { return Value::number(double(n)); }

    void step() {
        u8 what = byte();
        u32 i = byte() % Model::Count;
        i64 key = keyFor(byte());
        i64 value = ++counter_;
        Value target = object(i);
        switch (what % 20) {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4:
            expect(ask("set", target, number(key), number(value)), model_.set(i, key, value) ? "undefined" : "refused");
            expect(ask("told"), model_.takeTold());
            break;
        case 5:
        case 6: expect(ask("remove", target, number(key)), model_.remove(i, key) ? "true" : "false"); break;
        case 7:
        case 8:
        case 9: {
            u32 bits = byte() | (byte() & 7) << 8;
            // Not both kinds at once: that is an error of its own.
            bits &= bits & 0x280 && bits & 3 ? 0x7f : 0x7ff;
            expect(ask("define", target, number(key), number(bits), number(value)),
                model_.define(i, key, bits, value) ? "true" : "false");
            break;
        }
        case 10:
            if (byte() < 40)
                expect(ask("prevent", target), (model_.prevent(i), "true"));
            break;
        case 11:
            if (byte() < 40)
                expect(ask("seal", target), (model_.seal(i), "true"));
            break;
        case 12:
            if (byte() < 40)
                expect(ask("freeze", target), (model_.freeze(i), "true"));
            break;
        case 13: {
            u32 p = byte() % (Model::Count + 1);
            bool ok = model_.setPrototype(i, p == Model::Count ? Model::None : int(p));
            expect(ask("prototype", target, p == Model::Count ? Value::null() : object(p)), ok ? "true" : "false");
            break;
        }
        case 14: many(i, byte()); break;
        case 15:
        case 16:
            if (model_.isArray(i)) {
                u32 length = u32(key >= 300 ? key - 300 : key < 0 ? 0 : key);
                expect(ask("length", target, number(length)), model_.setLength(i, length) ? "undefined" : "refused");
            }
            break;
        case 17:
            if (model_.isArray(i))
                expect(ask("push", target, number(value)), model_.push(i, value));
            expect(ask("told"), model_.takeTold());
            break;
        case 18:
            if (model_.isArray(i))
                expect(ask("pop", target), model_.pop(i));
            expect(ask("told"), model_.takeTold());
            break;
        default: vm_.heap.collect();
        }
        expect(ask("get", target, number(key)), model_.get(i, key));
        compare(i);
    }

    /// Enough names to make a dictionary, added or removed.
    void many(u32 i, u8 how) {
        for (i64 key = 100; key < 240; key += 1 + how % 3) {
            if (how & 128)
                expect(ask("remove", object(i), number(key)), model_.remove(i, key) ? "true" : "false");
            else
                expect(
                    ask("set", object(i), number(key), number(key)), model_.set(i, key, key) ? "undefined" : "refused");
        }
        expect(ask("told"), model_.takeTold());
    }

    void compare(u32 i) {
        Value target = object(i);
        expect(ask("keys", target), model_.keys(i));
        expect(ask("state", target), model_.state(i));
        for (u32 b = 0; b < 256; b += b < 11 ? 1 : 7) {
            i64 key = keyFor(u8(b));
            expect(ask("describe", target, number(key)), model_.describe(i, key));
            expect(ask("get", target, number(key)), model_.get(i, key));
            expect(ask("has", target, number(key)), model_.has(i, key) ? "true" : "false");
        }
    }

    Vm& vm_;
    const uint8_t* data_;
    const uint8_t* end_;
    Value fuzz_, objects_;
    Model model_;
    i64 counter_ = 0;
};

}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Vm& vm = sharedEngine(setUp).vm();
    Session(vm, data, size).run();
    return 0;
}
