// Decimal text to doubles and back: rounding, extremes, more digits than matter.
#include "runtime/base/decimal.h"
#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>
#include <string>

using namespace scr;

static double read(const std::string& text) { return readDecimal(text.data(), text.size()); }

TEST_CASE("decimal: reads as strtod does") {
    for (const char* text : {"0", "0.0", "000.5", "5.", ".5", "1e3", "1E+3", "12.5e-1", "0.1", "9007199254740993",
             "9007199254740992.99999999999999999999", "4.9e-324", "2.4e-324", "2.5e-324", "2.2250738585072011e-308",
             "1.7976931348623157e308", "1.7976931348623159e308", "1e400", "1e-400", "0e999999999999999999",
             "1e-99999999999999999999", "123456789012345678901234567890"})
        CHECK(read(text) == std::strtod(text, nullptr));
    std::string middle = "9007199254740993" + std::string(2000, '0');
    CHECK(read(middle + "e-2000") == 9007199254740992.0);
    CHECK(read(middle + "1e-2001") == 9007199254740994.0);
    CHECK(read("9007199254740993." + std::string(2000, '0') + "1") == 9007199254740994.0);
    CHECK(read("0." + std::string(400, '0') + "1e401") == 1.0);
    CHECK(read("1_000.2_5e1_0") == 1000.25e10);
}

TEST_CASE("decimal: prints the shortest digits") {
    NumberBuffer buffer;
    CHECK(shortestDecimal(0.1, buffer) == "0.1");
    CHECK(shortestDecimal(1e21, buffer) == "1e+21");
    CHECK(shortestDecimal(123456789, buffer) == "123456789");
    CHECK(shortestDecimal(5e-324, buffer) == "5e-324");
    CHECK(shortestDecimal(-INFINITY, buffer) == "-Infinity");
}
