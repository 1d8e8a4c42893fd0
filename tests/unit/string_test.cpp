// Strings, ropes, atoms and the builder, each compared with std::u16string.
#include "runtime/builtins/native.h"
#include "runtime/core/atom.h"
#include "runtime/core/string_units.h"
#undef CHECK // doctest's from here on
#include <algorithm>
#include <doctest/doctest.h>
#include <ostream> // doctest prints strings through it
#include <random>

using namespace scr;

namespace {

/// Scans the stack from the frame that it stands in.
struct TestVm : Vm {
    ALWAYS_INLINE TestVm() { heap.setStackBase(__builtin_frame_address(0)); }
};

std::u16string unitsOf(const String* string) {
    std::u16string units(string->length, u'\0');
    if (string->length)
        copyString(units.data(), true, string);
    return units;
}

String* make(Vm& vm, std::u16string_view units) { return newUtf16(vm, units.data(), u32(units.size())); }
String* join(Vm& vm, String* left, String* right) { return concatenate(vm, left, right).value(); }

std::u16string randomUnits(std::mt19937& random, size_t length, bool wide) {
    std::u16string units;
    for (size_t i = 0; i < length; i++)
        units += char16_t(wide && random() % 4 == 0 ? 0x3B1 + random() % 20 : 'a' + random() % 26);
    return units;
}

}

TEST_SUITE("string") {

    TEST_CASE("A string is stored as Latin-1 if its units fit") {
        TestVm vm;
        CHECK(!make(vm, u"caf\u00E9")->isWide());
        CHECK(make(vm, u"\u03B1")->isWide());
        CHECK(unitsOf(make(vm, u"a\u03B1")) == u"a\u03B1");
        CHECK(newUtf8(vm, "caf\xC3\xA9")->length == 4);
        CHECK(unitsOf(newUtf8(vm, "x\xF0\x9F\x98\x80")) == u"x\xD83D\xDE00");
        CHECK(make(vm, u"") == emptyString(vm));
    }

    TEST_CASE("Short and long strings keep their units") {
        TestVm vm;
        std::mt19937 random(1);
        for (size_t length : {1, 2, 8, 9, 40, 500, 1011, 1012, 1013, 2024, 2025, 5000, 100000}) {
            for (bool wide : {false, true}) {
                std::u16string units = randomUnits(random, length, wide);
                String* string = make(vm, units);
                vm.heap.collect();
                REQUIRE(unitsOf(string) == units);
            }
        }
    }

    TEST_CASE("Equal units are equal and hash equally, whatever the representation") {
        TestVm vm;
        std::u16string text = u"neither short nor very long";
        String* narrow = make(vm, text);
        String* wide = MUST(newUninitialized(vm, u32(text.size()), true));
        memcpy(writableUnits(wide), text.data(), text.size() * 2);
        CHECK(MUST(equalStrings(vm, narrow, wide)));
        CHECK(MUST(equalStrings(vm, wide, narrow)));
        CHECK(hashOf(vm, narrow) == hashOf(vm, wide));
        CHECK(MUST(internString(vm, wide)) == MUST(internString(vm, narrow)));
        CHECK(!MUST(equalStrings(vm, narrow, make(vm, u"neither short nor very lonG"))));
        CHECK(!MUST(equalStrings(vm, narrow, make(vm, u"neither"))));
    }

    TEST_CASE("Hashes of many lengths differ and depend on the seed") {
        TestVm vm;
        std::vector<u32> hashes;
        std::u16string text;
        for (int i = 0; i < 300; i++) {
            hashes.push_back(hashOf(vm, make(vm, text)));
            text += u'a';
        }
        CHECK(std::find(hashes.begin(), hashes.end(), 0u) == hashes.end());
        std::sort(hashes.begin(), hashes.end());
        CHECK(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
        u8 units[] = "seeded";
        u32 before = hashUnits(vm, units, 6);
        vm.hashSeed += 2;
        CHECK(hashUnits(vm, units, 6) != before);
        vm.hashSeed -= 2;
    }

    TEST_CASE("Order is by code units") {
        TestVm vm;
        std::u16string texts[] = {u"", u"a", u"ab", u"b", u"\u00E9", u"\u03B1", u"\xD83D\xDE00", u"\uFFFD"};
        for (size_t i = 0; i < std::size(texts); i++) {
            for (size_t j = 0; j < std::size(texts); j++) {
                i32 order = MUST(compareStrings(vm, make(vm, texts[i]), make(vm, texts[j])));
                CHECK((order < 0) == (i < j));
                CHECK((order == 0) == (i == j));
            }
        }
    }

    TEST_CASE("Random concatenations and substrings") {
        std::mt19937 random(3);
        for (bool stress : {false, true}) {
            TestVm vm;
            if (stress)
                vm.heap.setStress(50);
            std::vector<std::u16string> expected(40, u"seed");
            std::vector<String*> strings;
            for (auto& text : expected)
                strings.push_back(make(vm, text));
            struct Kept {
                std::vector<String*>& strings;
            } kept{strings};
            vm.heap.addRoots(
                [](void* context, Marker& marker) {
                    for (String* string : static_cast<Kept*>(context)->strings)
                        marker.mark(string);
                },
                &kept);
            for (int step = 0; step < (stress ? 3000 : 40000); step++) {
                size_t a = random() % strings.size(), b = random() % strings.size(), to = random() % strings.size();
                switch (random() % 6) {
                case 0:
                case 1:
                    if (expected[a].size() + expected[b].size() > 20000)
                        break;
                    strings[to] = join(vm, strings[a], strings[b]);
                    expected[to] = expected[a] + expected[b];
                    break;
                case 2: { // append something short, often to the same string
                    std::u16string tail = randomUnits(random, random() % 30, random() % 8 == 0);
                    strings[a % 4] = join(vm, strings[a % 4], make(vm, tail));
                    expected[a % 4] += tail;
                    if (expected[a % 4].size() > 20000) {
                        strings[a % 4] = emptyString(vm);
                        expected[a % 4].clear();
                    }
                    break;
                }
                case 3: {
                    u32 begin = u32(random() % (expected[a].size() + 1));
                    u32 end = begin + u32(random() % (expected[a].size() - begin + 1));
                    strings[to] = MUST(substring(vm, strings[a], begin, end));
                    expected[to] = expected[a].substr(begin, end - begin);
                    break;
                }
                case 4:
                    MUST(flatten(vm, strings[a]));
                    REQUIRE(unitsOf(strings[a]) == expected[a]);
                    break;
                case 5: strings[a] = MUST(internString(vm, strings[a])); break;
                }
            }
            for (size_t i = 0; i < strings.size(); i++) {
                REQUIRE(strings[i]->length == expected[i].size());
                REQUIRE(unitsOf(strings[i]) == expected[i]);
                MUST(flatten(vm, strings[i]));
                REQUIRE(unitsOf(strings[i]) == expected[i]);
                REQUIRE(MUST(equalStrings(vm, strings[i], make(vm, expected[i]))));
            }
            vm.heap.removeRoots(&kept);
        }
    }

    TEST_CASE("Appending in a loop takes linear time and memory") {
        TestVm vm;
        String* text = emptyString(vm);
        for (int i = 0; i < 1000000; i++)
            text = join(vm, text, unitString(vm, char16_t('a' + i % 26)));
        CHECK(text->length == 1000000);
        vm.heap.collect();
        CHECK(vm.heap.usedBytes() < 5000000);
        MUST(flatten(vm, text));
        bool right = true;
        for (u32 i = 0; i < 1000000; i++)
            right &= text->unit(i) == 'a' + i % 26;
        CHECK(right);
    }

    TEST_CASE("Appending and reading in turns takes linear time") {
        TestVm vm;
        String* text = make(vm, std::u16string(100000, u'x'));
        for (int i = 0; i < 100000; i++) {
            text = join(vm, text, unitString(vm, u'y'));
            (void)flatten(vm, text);
        }
        CHECK(text->length == 200000);
        CHECK(text->unit(99999) == 'x');
        CHECK(text->unit(199999) == 'y');
    }

    TEST_CASE("Many strings with one long beginning share it") {
        TestVm vm;
        std::vector<String*> strings;
        vm.heap.addRoots(
            [](void* context, Marker& marker) {
                for (String* string : *static_cast<std::vector<String*>*>(context))
                    marker.mark(string);
            },
            &strings);
        String* beginning = make(vm, std::u16string(1000000, u'x'));
        strings.push_back(beginning);
        for (int i = 0; i < 1000; i++) {
            String* text = beginning;
            for (int j = 0; j < 5; j++)
                text = join(vm, text, unitString(vm, char16_t('a' + (i + j) % 26)));
            strings.push_back(text);
        }
        vm.heap.collect();
        CHECK(vm.heap.usedBytes() < 6000000);
        String* last = strings.back();
        MUST(flatten(vm, last));
        CHECK(last->unit(1000000) == 'a' + 999 % 26);
        CHECK(last->unit(1000004) == 'a' + 1003 % 26);
        vm.heap.removeRoots(&strings);
    }

    TEST_CASE("Two continuations of one string do not disturb each other") {
        TestVm vm;
        String* base = make(vm, std::u16string(100, u'b'));
        for (int i = 0; i < 20; i++)
            base = join(vm, base, unitString(vm, u'.'));
        String* one = join(vm, base, make(vm, u"one"));
        String* two = join(vm, base, make(vm, u"two"));
        String* three = join(vm, one, make(vm, u"three"));
        std::u16string expected = std::u16string(100, u'b') + std::u16string(20, u'.');
        CHECK(unitsOf(base) == expected);
        CHECK(unitsOf(one) == expected + u"one");
        CHECK(unitsOf(two) == expected + u"two");
        CHECK(unitsOf(three) == expected + u"onethree");
    }

    TEST_CASE("A rope a million deep on either side flattens and is traced without recursion") {
        for (bool leftDeep : {true, false}) {
            TestVm vm;
            String* part = make(vm, std::u16string(70, u'p'));
            String* rope = part;
            for (int i = 0; i < 1000000; i++) {
                auto* cell = static_cast<String*>(vm.heap.allocate(sizeof(String), u8(Kind::String), KeyString));
                cell->length = rope->length + 70;
                cell->hash = 0;
                cell->data = nullptr;
                cell->rope.left = leftDeep ? rope : part;
                cell->rope.right = leftDeep ? part : rope;
                rope = cell;
            }
            vm.heap.collect();
            CHECK(toUtf8(vm, rope).size() == 70000070);
            MUST(flatten(vm, rope));
            CHECK(rope->unit(70000069) == 'p');
            vm.heap.collect();
            CHECK(vm.heap.usedBytes() < 80000000);
        }
    }

    TEST_CASE("Too long a string is refused") {
        TestVm vm;
        newRealm(vm); // makes the error
        String* text = make(vm, std::u16string(1000, u'x'));
        for (int i = 0; i < 19; i++)
            text = join(vm, text, text);
        CHECK(text->length == 1000u << 19);
        CHECK(concatenate(vm, text, text).threw());
        CHECK(newUninitialized(vm, String::MaxLength + 1, false).threw());
        StringBuilder builder(vm);
        CHECK(builder.finish().value() == emptyString(vm));
    }

    TEST_CASE("The memory limit ends a flattening that does not fit") {
        TestVm vm;
        String* text = make(vm, std::u16string(1000, u'x'));
        for (int i = 0; i < 16; i++)
            text = join(vm, text, text);
        vm.heap.setMemoryLimit(16 << 20);
        CHECK(flatten(vm, text).threw());
        CHECK(vm.termination == Termination::MemoryLimit);
        StringBuilder builder(vm);
        builder.append(text);
        builder.append(u'x');
        CHECK(builder.finish().threw());
    }

    TEST_CASE("Equal atoms are one cell, and know whether they are array indices") {
        TestVm vm;
        String* atom = internAscii(vm, "length");
        CHECK(atom == vm.names.length);
        CHECK(internUtf16(vm, u"length", 6) == atom);
        CHECK(MUST(internString(vm, make(vm, u"length"))) == atom);
        CHECK((atom->flags & StringNotIndex) != 0);
        struct {
            const char* text;
            bool isIndex;
            u32 index;
        } cases[] = {{"0", true, 0}, {"7", true, 7}, {"42", true, 42}, {"4294967294", true, 4294967294u},
            {"4294967295", false, 0}, {"4294967296", false, 0}, {"99999999999", false, 0}, {"01", false, 0},
            {"00", false, 0}, {"", false, 0}, {"-1", false, 0}, {"1.5", false, 0}, {"1e3", false, 0}, {" 1", false, 0}};
        for (auto& example : cases) {
            String* string = internAscii(vm, example.text);
            u32 index = 0;
            CHECK(isArrayIndex(string, index) == example.isIndex);
            CHECK(index == example.index * example.isIndex);
            CHECK(bool(string->flags & StringIndex) == example.isIndex);
            CHECK(bool(string->flags & StringNotIndex) == !example.isIndex);
        }
    }

    TEST_CASE("Atoms that nobody holds die, and come again") {
        TestVm vm;
        vm.heap.collect();
        size_t before = vm.atoms->count();
        u64 used = vm.heap.usedBytes();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 100000; i++) {
                std::string name = "name" + std::to_string(i);
                String* atom = internAscii(vm, name);
                REQUIRE(internAscii(vm, name) == atom);
            }
            vm.heap.collect();
            CHECK(vm.atoms->count() < before + 100); // a few may be held by stale words of the stack
            CHECK(vm.heap.usedBytes() < used + 10000);
        }
        CHECK(internAscii(vm, "prototype") == vm.names.prototype);
    }

    TEST_CASE("An atom made of a slice does not keep the whole alive") {
        TestVm vm;
        String* text = make(vm, std::u16string(1000000, u'x') + u"the end of it, which is a little longer than forty");
        String* slice = MUST(substring(vm, text, 1000000, text->length));
        CHECK(!slice->isInline());
        String* atom = MUST(internString(vm, slice));
        CHECK(atom->isInline());
        CHECK(unitsOf(atom) == u"the end of it, which is a little longer than forty");
    }

    TEST_CASE("Strings of one unit below 256 are shared") {
        TestVm vm;
        String* a = unitString(vm, u'a');
        CHECK(unitString(vm, u'a') == a);
        CHECK(MUST(substring(vm, make(vm, u"bab"), 1, 2)) == a);
        CHECK(internAscii(vm, "a") == a);
        CHECK(unitString(vm, 0x3B1)->isWide());
    }

    TEST_CASE("The builder widens when a wide unit comes") {
        TestVm vm;
        std::mt19937 random(9);
        for (int round = 0; round < 200; round++) {
            StringBuilder builder(vm);
            std::u16string expected;
            for (int i = 0; i < 50; i++) {
                bool wide = round % 2 && random() % 20 == 0;
                switch (random() % 4) {
                case 0:
                    builder.append(wide ? u'\u03B1' : u'a');
                    expected += wide ? u'\u03B1' : u'a';
                    break;
                case 1:
                    builder.appendAscii("some text");
                    expected += u"some text";
                    break;
                case 2: {
                    std::u16string units = randomUnits(random, random() % 200, wide);
                    builder.append(make(vm, units));
                    expected += units;
                    break;
                }
                case 3: {
                    std::u16string units = randomUnits(random, 10, wide);
                    builder.appendUnits(make(vm, units), 3, 8);
                    expected += units.substr(3, 5);
                    break;
                }
                }
            }
            CHECK(builder.length() == expected.size());
            REQUIRE(unitsOf(MUST(builder.finish())) == expected);
        }
    }

    TEST_CASE("Text as UTF-8 replaces lone surrogates") {
        TestVm vm;
        CHECK(toUtf8(vm, make(vm, u"caf\u00E9")) == "caf\xC3\xA9");
        CHECK(toUtf8(vm, make(vm, u"\xD83D\xDE00")) == "\xF0\x9F\x98\x80");
        CHECK(toUtf8(vm, make(vm, u"\xD83D")) == "\xEF\xBF\xBD");
        String* rope = join(vm, make(vm, std::u16string(60, u'\u00E9')), make(vm, std::u16string(60, u'\u03B1')));
        CHECK(rope->isRope());
        CHECK(toUtf8(vm, rope).size() == 240);
        CHECK(rope->isRope());
    }

    TEST_CASE("Symbols differ, even with one description") {
        TestVm vm;
        Value description = Value::string(newAscii(vm, "same"));
        Symbol* a = newSymbol(vm, description);
        Symbol* b = newSymbol(vm, description, SymbolPrivate);
        CHECK(a != b);
        CHECK(b->flags == SymbolPrivate);
        CHECK(Value::symbol(a).isSymbol());
        CHECK(a->hash != 0);
    }
}
