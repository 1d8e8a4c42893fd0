// Objects and functions: defining, writing, deleting, inheriting, and the messages of refusals (Node's).
#include "tests/unit/engine_fixture.h"

using namespace scr;
using scr::test::Engine;

namespace {

std::string refusal(Engine& e, Value base, std::string_view name) {
    auto written = put(e.vm, base, e.key(name), Value::int32(1));
    REQUIRE(written.threw());
    return e.thrown();
}

}

TEST_SUITE("object") {

    TEST_CASE("Slots inline and beyond") {
        Engine e;
        for (u8 capacity : {0, 1, 4, 8}) {
            Object* object = newObject(e.vm, nullptr, capacity);
            for (int i = 0; i < 20; i++)
                e.write(object, "p" + std::to_string(i), Value::int32(i));
            for (int i = 0; i < 20; i++)
                CHECK(e.read(object, "p" + std::to_string(i)) == Value::int32(i));
        }
    }

    TEST_CASE("Own keys: indices ascending, strings by insertion, symbols last") {
        Engine e;
        Object* object = e.plain();
        defineDirect(e.vm, object, PropertyKey::symbol(e.vm.symbols.iterator), Value::int32(1), AllAttributes);
        for (const char* name : {"z", "10", "a", "9"})
            e.write(object, name, Value::int32(1));
        CHECK(e.show(Value::object(object)) == "9 10 z a Symbol(Symbol.iterator)");
        CHECK(e.must(deleteProperty(e.vm, object, e.key("z"))));
        e.write(object, "z", Value::int32(1));
        CHECK(e.show(Value::object(object)) == "9 10 a z Symbol(Symbol.iterator)");
    }

    TEST_CASE("Private names are seen by nobody and survive freezing") {
        Engine e;
        Object* object = e.plain();
        PropertyKey key = PropertyKey::symbol(newSymbol(e.vm, e.text("#x"), SymbolPrivate));
        defineDirect(e.vm, object, key, Value::int32(1), Writable);
        CHECK(e.show(Value::object(object)) == "");
        e.must(setIntegrity(e.vm, object, Integrity::Frozen));
        CHECK(e.must(set(e.vm, object, key, Value::int32(2))));
        CHECK(e.must(get(e.vm, object, key)) == Value::int32(2));
        CHECK(MUST(testIntegrity(e.vm, object, Integrity::Frozen)));
    }

    TEST_CASE("Refused writes say why") {
        Engine e;
        Object* frozen = e.plain();
        e.write(frozen, "x", Value::int32(1));
        e.must(setIntegrity(e.vm, frozen, Integrity::Frozen));
        CHECK(refusal(e, Value::object(frozen), "x")
            == "TypeError: Cannot assign to read only property 'x' of object '#<Object>'");
        CHECK(refusal(e, Value::object(frozen), "y") == "TypeError: Cannot add property y, object is not extensible");
        Object* heir = newObject(e.vm, frozen);
        CHECK(refusal(e, Value::object(heir), "x")
            == "TypeError: Cannot assign to read only property 'x' of object '#<Object>'");
        Object* getter = e.plain();
        defineAccessorDirect(e.vm, getter, e.key("g"), Value::undefined(), Value::undefined(), AllAttributes);
        CHECK(refusal(e, Value::object(getter), "g")
            == "TypeError: Cannot set property g of #<Object> which has only a getter");
        CHECK(refusal(e, e.text("abc"), "x") == "TypeError: Cannot create property 'x' on string 'abc'");
        CHECK(refusal(e, e.text("abc"), "length")
            == "TypeError: Cannot assign to read only property 'length' of string 'abc'");
        CHECK(refusal(e, e.text("abc"), "0") == "TypeError: Cannot assign to read only property '0' of string 'abc'");
        CHECK(refusal(e, e.text("abc"), "3") == "TypeError: Cannot create property '3' on string 'abc'");
        CHECK(refusal(e, Value::int32(5), "x") == "TypeError: Cannot create property 'x' on number '5'");
        CHECK(refusal(e, Value::boolean(true), "x") == "TypeError: Cannot create property 'x' on boolean 'true'");
        CHECK(refusal(e, Value::undefined(), "x") == "TypeError: Cannot set properties of undefined (setting 'x')");
        CHECK(refusal(e, Value::null(), "5") == "TypeError: Cannot set properties of null (setting '5')");
        CHECK(getOf(e.vm, Value::undefined(), e.key("x")).threw());
        CHECK(e.thrown() == "TypeError: Cannot read properties of undefined (reading 'x')");
    }

    TEST_CASE("Defining: absent fields default to false when new, and are kept when not") {
        Engine e;
        Object* object = e.plain();
        PropertyDescriptor value;
        value.has = PropertyDescriptor::HasValue;
        value.value = Value::int32(1);
        CHECK(e.must(defineOwnProperty(e.vm, object, e.key("x"), value)));
        CHECK((getOwnProperty(e.vm, object, e.key("x")).attributes & AllAttributes) == 0);
        CHECK(e.must(defineOwnProperty(e.vm, object, e.key("x"), value)));
        value.value = Value::int32(2);
        CHECK(!e.must(defineOwnProperty(e.vm, object, e.key("x"), value)));
        CHECK(defineOrThrow(e.vm, object, e.key("x"), value).threw());
        CHECK(e.thrown() == "TypeError: Cannot redefine property: x");
        e.write(object, "y", Value::int32(1));
        CHECK(e.must(defineOwnProperty(e.vm, object, e.key("y"), value)));
        CHECK((getOwnProperty(e.vm, object, e.key("y")).attributes & AllAttributes) == AllAttributes);
        CHECK(e.read(object, "y") == Value::int32(2));
    }

    TEST_CASE("Data becomes accessor and back") {
        Engine e;
        Object* object = e.plain();
        e.write(object, "x", Value::int32(1));
        PropertyDescriptor accessor;
        accessor.has = PropertyDescriptor::HasGet;
        CHECK(e.must(defineOwnProperty(e.vm, object, e.key("x"), accessor)));
        Lookup found = getOwnProperty(e.vm, object, e.key("x"));
        CHECK(found.isAccessor());
        CHECK((found.attributes & AllAttributes) == (Enumerable | Configurable));
        PropertyDescriptor data;
        data.has = PropertyDescriptor::HasValue;
        data.value = Value::int32(7);
        CHECK(e.must(defineOwnProperty(e.vm, object, e.key("x"), data)));
        found = getOwnProperty(e.vm, object, e.key("x"));
        CHECK(found.type == Lookup::Data);
        CHECK((found.attributes & AllAttributes) == (Enumerable | Configurable));
        CHECK(found.value == Value::int32(7));
    }

    TEST_CASE("Set with another receiver defines there") {
        Engine e;
        Object *holder = e.plain(), *receiver = e.plain();
        e.write(holder, "x", Value::int32(1));
        CHECK(e.must(set(e.vm, holder, e.key("x"), Value::int32(2), Value::object(receiver))));
        CHECK(e.read(holder, "x") == Value::int32(1));
        CHECK(e.read(receiver, "x") == Value::int32(2));
        CHECK(!e.must(set(e.vm, holder, e.key("x"), Value::int32(2), Value::int32(3))));
        defineAccessorDirect(e.vm, receiver, e.key("y"), Value::undefined(), Value::undefined(), AllAttributes);
        CHECK(!e.must(set(e.vm, holder, e.key("y"), Value::int32(2), Value::object(receiver))));
    }

    TEST_CASE("Prototype chains admit no cycle, and objects that cannot be extended no new prototype") {
        Engine e;
        Object *a = e.plain(), *b = newObject(e.vm, a), *c = newObject(e.vm, b);
        CHECK(!e.must(setPrototypeOf(e.vm, a, c)));
        CHECK(!e.must(setPrototypeOf(e.vm, a, a)));
        CHECK(e.must(preventExtensions(e.vm, c)));
        CHECK(!e.must(setPrototypeOf(e.vm, c, a)));
        CHECK(e.must(setPrototypeOf(e.vm, c, b)));
    }

    TEST_CASE("Functions have length and name when somebody looks, in that order before all else") {
        Engine e;
        NativeFunction* function = newNative(
            e.vm, [](Vm&, Args) -> Completion<Value> { return Value(); }, "f", 2);
        u32 fresh = function->shape;
        CHECK(e.must(get(e.vm, function, e.key("foo"))).isUndefined());
        CHECK(function->shape == fresh);
        CHECK(e.read(function, "length") == Value::int32(2));
        CHECK(function->shape != fresh);
        NativeFunction* other = newNative(
            e.vm, [](Vm&, Args) -> Completion<Value> { return Value(); }, "g", 0);
        e.write(other, "foo", Value::int32(1));
        CHECK(e.show(e.text(e.show(Value::object(other)))) == "length name foo");
        CHECK(e.must(deleteProperty(e.vm, other, e.key("name"))));
        CHECK(e.show(Value::object(other)) == "length foo");
        setFunctionName(e.vm, function, Value::symbol(e.vm.symbols.iterator), "get");
        CHECK(e.show(e.read(function, "name")) == "get [Symbol.iterator]");
        CHECK(getOwnProperty(e.vm, function, e.key("name")).attributes == Configurable);
    }

    TEST_CASE("Builtin methods are made when they are looked up, once") {
        Engine e;
        Object* prototype = e.realm->intrinsic(e.vm, Intrinsic::ArrayPrototype);
        Value first = e.read(prototype, "map");
        CHECK(isCallable(first));
        CHECK(e.read(prototype, "map") == first);
        e.write(prototype, "filter", Value::int32(1));
        CHECK(e.read(prototype, "filter") == Value::int32(1));
        CHECK(e.must(deleteProperty(e.vm, prototype, e.key("some"))));
        CHECK(!MUST(hasProperty(e.vm, prototype, e.key("some"))));
    }

    TEST_CASE("Wrapped strings have their characters and length") {
        Engine e;
        Object* wrapper = e.must(toObject(e.vm, e.text("ab")));
        e.write(wrapper, "5", Value::int32(1));
        e.write(wrapper, "x", Value::int32(1));
        CHECK(e.show(Value::object(wrapper)) == "0 1 5 length x");
        CHECK(e.show(e.read(wrapper, "1")) == "b");
        CHECK(e.read(wrapper, "length") == Value::int32(2));
        CHECK(!e.must(deleteProperty(e.vm, wrapper, e.key("0"))));
        CHECK(!e.must(createDataProperty(e.vm, wrapper, e.key("0"), e.text("z"))));
        CHECK(refusal(e, Value::object(wrapper), "0")
            == "TypeError: Cannot assign to read only property '0' of object '[object String]'");
    }

    TEST_CASE("Errors have stack, then message") {
        Engine e;
        Object* error = newError(e.vm, Intrinsic::TypeErrorPrototype, newAscii(e.vm, "m"));
        CHECK(e.show(Value::object(error)) == "stack message");
        CHECK((getOwnProperty(e.vm, error, e.key("message")).attributes & AllAttributes) == HiddenAttributes);
        e.write(error, "stack", Value::int32(3));
        CHECK(e.read(error, "stack") == Value::int32(3));
    }

    TEST_CASE("A chain of ten thousand prototypes is walked without recursion") {
        Engine e;
        Object* object = e.plain();
        e.write(object, "deep", Value::int32(1));
        for (int i = 0; i < 10000; i++)
            object = newObject(e.vm, object);
        CHECK(e.read(object, "deep") == Value::int32(1));
    }
}
