// Values and what ECMA-262 chapter 7 does with them.
#include "tests/unit/engine_fixture.h"
#include <cmath>

using namespace scr;
using scr::test::Engine;

TEST_SUITE("value") {

    TEST_CASE("Each type answers to its own questions only") {
        Engine e;
        Value object = Value::object(e.plain()), string = e.text("a"), symbol = Value::symbol(e.vm.symbols.iterator);
        CHECK(object.isObject());
        CHECK(!object.isString());
        CHECK(!object.isNumber());
        CHECK(string.isString());
        CHECK(string.isCell());
        CHECK(!string.isObject());
        CHECK(symbol.isSymbol());
        CHECK(!symbol.isBigInt());
        for (Value value : {Value::undefined(), Value::null(), Value::boolean(true), Value::int32(-1),
                 Value::number(0.5), Value::nan()}) {
            CHECK(!value.isCell());
            CHECK(!value.isObject());
        }
        CHECK(Value::null().isNullish());
        CHECK(!Value::boolean(false).isNullish());
        CHECK(Value::boolean(false).isBoolean());
        CHECK(!Value::null().isBoolean());
    }

    TEST_CASE("Numbers take the int32 form where they can, but -0 does not") {
        CHECK(Value::number(5.0).isInt());
        CHECK(Value::number(-2147483648.0).isInt());
        CHECK(Value::number(2147483648.0).isDouble());
        CHECK(Value::number(-0.0).isDouble());
        CHECK(Value::number(u32(4294967295u)).asNumber() == 4294967295.0);
        CHECK(Value::bothInt(Value::int32(1), Value::int32(-1)));
        CHECK(!Value::bothInt(Value::int32(1), Value::number(0.5)));
    }

    TEST_CASE("Type keys tell primitives apart without a cell") {
        Engine e;
        CHECK(Value::undefined().typeKey() == KeyNone);
        CHECK(Value::null().typeKey() == KeyNone);
        CHECK(Value::boolean(false).typeKey() == KeyBoolean);
        CHECK(Value::int32(1).typeKey() == KeyNumber);
        CHECK(Value::number(0.5).typeKey() == KeyNumber);
        CHECK(Value::nan().typeKey() == KeyNumber);
        CHECK(e.text("a").typeKey() == KeyString);
        CHECK(Value::symbol(e.vm.symbols.iterator).typeKey() == KeySymbol);
        CHECK(Value::object(e.plain()).typeKey() >= FirstShape);
    }

    TEST_CASE("Equality: strict, loose, SameValue, SameValueZero") {
        Engine e;
        Value one = Value::int32(1), oneDouble = Value::rawDouble(1.0), zero = Value::int32(0),
              minusZero = Value::number(-0.0);
        CHECK(e.must(strictlyEqual(e.vm, one, oneDouble)));
        CHECK(e.must(strictlyEqual(e.vm, zero, minusZero)));
        CHECK(!e.must(strictlyEqual(e.vm, Value::nan(), Value::nan())));
        CHECK(!e.must(strictlyEqual(e.vm, one, e.text("1"))));
        CHECK(e.must(strictlyEqual(e.vm, e.text("abc"), e.text("abc"))));
        CHECK(e.must(sameValue(e.vm, Value::nan(), Value::nan())));
        CHECK(!e.must(sameValue(e.vm, zero, minusZero)));
        CHECK(e.must(sameValueZero(e.vm, zero, minusZero)));
        CHECK(e.must(looselyEqual(e.vm, one, e.text("1"))));
        CHECK(e.must(looselyEqual(e.vm, Value::boolean(true), e.text("1"))));
        CHECK(e.must(looselyEqual(e.vm, Value::null(), Value::undefined())));
        CHECK(!e.must(looselyEqual(e.vm, Value::null(), zero)));
        CHECK(!e.must(looselyEqual(e.vm, Value::symbol(e.vm.symbols.iterator), e.text("x"))));
    }

    TEST_CASE("Comparisons convert, and NaN compares false") {
        Engine e;
        auto holds = [&](Comparison comparison, Value a, Value b) {
            return e.must(compareValues(e.vm, comparison, a, b));
        };
        CHECK(holds(Comparison::Less, e.text("10"), e.text("9")));
        CHECK(!holds(Comparison::Less, e.text("10"), Value::int32(9)));
        CHECK(holds(Comparison::GreaterEqual, Value::null(), Value::int32(0)));
        CHECK(!holds(Comparison::LessEqual, Value::undefined(), Value::undefined()));
        CHECK(!holds(Comparison::GreaterEqual, Value::nan(), Value::nan()));
    }

    TEST_CASE("ToInt32 keeps the low 32 bits") {
        CHECK(doubleToInt32(4294967296.0) == 0);
        CHECK(doubleToInt32(4294967297.5) == 1);
        CHECK(doubleToInt32(2147483648.0) == i32(-2147483647 - 1));
        CHECK(doubleToInt32(-4294967297.0) == -1);
        CHECK(doubleToInt32(1e21) == -559939584);
        CHECK(doubleToInt32(0x1p84) == 0);
        CHECK(doubleToInt32(0x1.8p83) == 0);
        CHECK(doubleToInt32(0x1.00000001p63) == i32(0x80000000));
        CHECK(doubleToInt32(NAN) == 0);
        CHECK(doubleToInt32(INFINITY) == 0);
        CHECK(doubleToInt32(-0.9) == 0);
    }

    TEST_CASE("Arithmetic on anything") {
        Engine e;
        auto apply = [&](Arithmetic operation, Value a, Value b) {
            return e.show(e.must(arithmetic(e.vm, operation, a, b)));
        };
        CHECK(apply(Arithmetic::Add, Value::int32(1), e.text("2")) == "12");
        CHECK(apply(Arithmetic::Sub, Value::int32(1), e.text("2")) == "-1");
        CHECK(apply(Arithmetic::Add, Value::undefined(), Value::int32(1)) == "NaN");
        CHECK(apply(Arithmetic::Add, Value::null(), Value::boolean(true)) == "1");
        CHECK(apply(Arithmetic::ShiftRightUnsigned, Value::int32(-1), Value::int32(0)) == "4294967295");
        CHECK(apply(Arithmetic::ShiftLeft, Value::int32(1), Value::int32(31)) == "-2147483648");
        CHECK(apply(Arithmetic::Mod, Value::int32(-5), Value::int32(3)) == "-2");
        CHECK(apply(Arithmetic::Mod, Value::int32(5), Value::number(INFINITY)) == "5");
        CHECK(apply(Arithmetic::Add, Value::int32(2147483647), Value::int32(1)) == "2147483648");
        CHECK(arithmetic(e.vm, Arithmetic::Mul, Value::symbol(e.vm.symbols.iterator), Value::int32(1)).threw());
        CHECK(e.thrown() == "TypeError: Cannot convert a Symbol value to a number");
    }

    TEST_CASE("Property keys: indices are numbers whatever they came from") {
        Engine e;
        CHECK(e.key("0") == PropertyKey::index(0));
        CHECK(e.key("4294967294") == PropertyKey::index(4294967294u));
        CHECK(e.key("4294967295").isAtom());
        CHECK(e.key("01").isAtom());
        CHECK(e.key("-1").isAtom());
        CHECK(e.must(toPropertyKey(e.vm, Value::number(3.0))) == PropertyKey::index(3));
        CHECK(e.must(toPropertyKey(e.vm, Value::number(-0.0))) == PropertyKey::index(0));
        CHECK(e.must(toPropertyKey(e.vm, Value::number(1.5))) == e.key("1.5"));
        CHECK(e.must(toPropertyKey(e.vm, Value::int32(-1))) == e.key("-1"));
        CHECK(keyFromInteger(e.vm, 4294967295.0) == e.key("4294967295"));
    }

    TEST_CASE("Values in messages look as V8 shows them") {
        Engine e;
        auto error = Value::object(newError(e.vm, Intrinsic::RangeErrorPrototype, newAscii(e.vm, "boo")));
        CHECK(describeForMessage(e.vm, error) == "RangeError: boo");
        CHECK(describeForMessage(e.vm, Value::object(e.plain())) == "#<Object>");
        CHECK(describeForMessage(e.vm, Value::object(newObject(e.vm, nullptr))) == "[object Object]");
        CHECK(describeForMessage(e.vm, Value::object(newArray(e.vm))) == "[object Array]");
        CHECK(describeForMessage(e.vm, Value::symbol(e.vm.symbols.iterator)) == "Symbol(Symbol.iterator)");
        CHECK(describeForMessage(e.vm, Value::number(-0.0)) == "0");
        CHECK(describeWithType(e.vm, e.text("abc")) == "string \"abc\"");
        CHECK(describeWithType(e.vm, Value::null()) == "object null");
        CHECK(describeWithType(e.vm, Value::undefined()) == "undefined");
        CHECK(describeWithType(e.vm, Value::int32(5)) == "number 5");
    }
}
