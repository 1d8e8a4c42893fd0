// Numbers to text and back. Expectations are Node's.
#include "tests/unit/engine_fixture.h"
#include <cmath>

using namespace scr;
using scr::test::Engine;

TEST_SUITE("number") {

    TEST_CASE("Decimal text is the shortest that reads back") {
        Engine e;
        auto text = [&](double d) { return toUtf8(e.vm, numberToString(e.vm, d)); };
        CHECK(text(0) == "0");
        CHECK(text(-0.0) == "0");
        CHECK(text(7) == "7");
        CHECK(text(-1) == "-1");
        CHECK(text(-2147483648.0) == "-2147483648");
        CHECK(text(4294967295.0) == "4294967295");
        CHECK(text(0.1 + 0.2) == "0.30000000000000004");
        CHECK(text(123456789012345680000.0) == "123456789012345680000");
        CHECK(text(1e21) == "1e+21");
        CHECK(text(1e-6) == "0.000001");
        CHECK(text(1e-7) == "1e-7");
        CHECK(text(5e-324) == "5e-324");
        CHECK(text(1.7976931348623157e308) == "1.7976931348623157e+308");
        CHECK(text(NAN) == "NaN");
        CHECK(text(-INFINITY) == "-Infinity");
        // Twice, through the cache.
        CHECK(text(1e21) == "1e+21");
        CHECK(text(12345) == "12345");
        CHECK(text(12345) == "12345");
    }

    TEST_CASE("Other radixes print V8's digits") {
        Engine e;
        auto text = [&](double d, int radix) { return toUtf8(e.vm, e.must(numberToRadix(e.vm, d, radix))); };
        CHECK(text(255, 16) == "ff");
        CHECK(text(-255.5, 16) == "-ff.8");
        CHECK(text(0.1, 2) == "0.0001100110011001100110011001100110011001100110011001101");
        CHECK(text(0.1, 3) == "0.0022002200220022002200220022002201");
        CHECK(text(1e21, 36) == "5v1j4f4ds7c000");
        CHECK(text(-1e21, 7) == "-5135235413265003022600000");
        CHECK(text(0.5, 36) == "0.i");
        CHECK(text(5e-324, 36).size() == 210);
        CHECK(text(1.7976931348623157e308, 2).size() == 1024);
        CHECK(text(4294967295.75, 8) == "37777777777.6");
        CHECK(text(NAN, 2) == "NaN");
        CHECK(text(-INFINITY, 16) == "-Infinity");
        CHECK(text(0, 2) == "0");
    }

    TEST_CASE("Text to numbers") {
        Engine e;
        auto number = [&](std::string_view text) { return stringToNumber(newUtf8(e.vm, text)); };
        CHECK(number("") == 0);
        CHECK(number(" \t\n\xC2\xA0\xEF\xBB\xBF\xE2\x80\xA8") == 0);
        CHECK(number(" 12 ") == 12);
        CHECK(std::signbit(number("-0")));
        CHECK(number("+.5") == 0.5);
        CHECK(number("5.") == 5);
        CHECK(number("1e3") == 1000);
        CHECK(number("1E-3") == 0.001);
        CHECK(number("0x1F") == 31);
        CHECK(number("0b101") == 5);
        CHECK(number("0o17") == 15);
        CHECK(number("0x20000000000001") == 9007199254740992.0);
        CHECK(number("0x20000000000003") == 9007199254740996.0);
        CHECK(number("0x200000000000010000000001") == 0x1.0000000000001p93);
        CHECK(number("-Infinity") == -INFINITY);
        CHECK(number("123456789012345678901234567890") == 123456789012345678901234567890.0);
        CHECK(number("2.2250738585072011e-308") == 2.2250738585072011e-308);
        for (const char* text : {"1_000", "12px", ".", "+", "-", "e5", "1e", "1e+", "0x", "-0x10", "0xg", "infinity",
                 "Infinityx", "1 2", "--1", "1n", "\xCE\xB1"})
            CHECK(std::isnan(number(text)));
    }

    TEST_CASE("Powers have V8's digits and ECMAScript's special cases") {
        CHECK(numberPower(10, 308) == 1e308);
        CHECK(numberPower(2, 0.5) == 1.4142135623730951);
        CHECK(std::isnan(numberPower(-8, 1.0 / 3)));
        CHECK(std::isnan(numberPower(1, INFINITY)));
        CHECK(std::isnan(numberPower(-1, -INFINITY)));
        CHECK(numberPower(NAN, 0) == 1);
        CHECK(numberPower(10, -5) == 0.000009999999999999999);
        CHECK(numberPower(99, 99) == 3.697296376497268e+197);
        CHECK(numberPower(1.0 / 3, -2) == 9.000000000000002);
        CHECK(numberPower(-0.0, -3) == -INFINITY);
        CHECK(numberPower(-0.0, -2) == INFINITY);
        CHECK(numberPower(-INFINITY, 3) == -INFINITY);
        CHECK(numberPower(-2, 3) == -8);
        CHECK(numberPower(2, -1074) == 5e-324);
        CHECK(numberPower(2, -1075) == 0);
        CHECK(numberPower(2, 1024) == INFINITY);
    }
}
