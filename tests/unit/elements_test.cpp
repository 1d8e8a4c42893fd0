// Indexed properties: dense runs, holes, sparse tables, the length of arrays.
#include "tests/unit/engine_fixture.h"

using namespace scr;
using scr::test::Engine;

namespace {

struct ArrayEngine : Engine {
    Root<Value> root{vm.roots, Value::object(newArray(vm))};
    Array* array = static_cast<Array*>(root.get().asObject());
    void put(u32 index, i32 value) { must(set(vm, array, PropertyKey::index(index), Value::int32(value))); }
    Value at(u32 index) { return must(get(vm, array, PropertyKey::index(index))); }
    bool setLength(Value length) { return must(set(vm, array, PropertyKey::atom(vm.names.length), length)); }
};

}

TEST_SUITE("elements") {

    TEST_CASE("Appending stays dense and moves the length") {
        ArrayEngine e;
        for (i32 i = 0; i < 5000; i++)
            e.put(u32(i), i);
        CHECK(e.array->length() == 5000);
        CHECK(e.array->elements_.denseLength == 5000);
        CHECK(!e.array->elements_.isSparse());
        CHECK(e.at(4999) == Value::int32(4999));
    }

    TEST_CASE("A gap is holes, which are absent") {
        ArrayEngine e;
        e.put(0, 1);
        e.put(3, 4);
        CHECK(e.array->length() == 4);
        CHECK(!MUST(hasOwnProperty(e.vm, e.array, PropertyKey::index(1))));
        CHECK(e.at(1).isUndefined());
        CHECK(e.show(Value::object(e.array)) == "0 3 length");
    }

    TEST_CASE("A write far away makes the array sparse; the greatest index is 2^32 - 2") {
        ArrayEngine e;
        e.put(1, 10);
        e.put(4294967294u, 20);
        CHECK(e.array->elements_.isSparse());
        CHECK(e.array->length() == 4294967295u);
        CHECK(e.at(1) == Value::int32(10));
        CHECK(e.at(4294967294u) == Value::int32(20));
        e.write(e.array, "4294967295", Value::int32(30));
        CHECK(e.array->length() == 4294967295u);
        CHECK(e.show(Value::object(e.array)) == "1 4294967294 length 4294967295");
        CHECK(e.setLength(Value::int32(2)));
        CHECK(e.show(Value::object(e.array)) == "1 length 4294967295");
    }

    TEST_CASE("Filled from the end, an array becomes dense again") {
        ArrayEngine e;
        for (i32 i = 20000; i-- > 0;)
            e.put(u32(i), i);
        CHECK(!e.array->elements_.isSparse());
        CHECK(e.array->elements_.denseLength == 20000);
        for (i32 i = 0; i < 20000; i += 777)
            CHECK(e.at(u32(i)) == Value::int32(i));
    }

    TEST_CASE("Scattered writes do not take memory for their gaps") {
        ArrayEngine e;
        for (u32 i = 0; i < 1000; i++)
            e.put(i * 1000, i32(i));
        CHECK(e.array->elements_.isSparse());
        for (u32 i = 0; i < 1000; i++)
            CHECK(e.at(i * 1000) == Value::int32(i32(i)));
    }

    TEST_CASE("Length: shorter drops elements, longer adds nothing, wrong ones throw") {
        ArrayEngine e;
        for (i32 i = 0; i < 10; i++)
            e.put(u32(i), i);
        CHECK(e.setLength(Value::int32(3)));
        CHECK(e.setLength(Value::int32(10)));
        CHECK(e.at(5).isUndefined());
        CHECK(e.array->elements_.denseLength == 3);
        CHECK(e.setLength(e.text("4")));
        CHECK(e.array->length() == 4);
        for (Value wrong : {Value::int32(-1), Value::number(1.5), Value::number(4294967296.0), e.text("x")}) {
            CHECK(set(e.vm, e.array, PropertyKey::atom(e.vm.names.length), wrong).threw());
            CHECK(e.thrown() == "RangeError: Invalid array length");
        }
    }

    TEST_CASE("An element that cannot be deleted stops the length") {
        for (bool sparse : {false, true}) {
            ArrayEngine e;
            for (i32 i = 0; i < 6; i++)
                e.put(u32(i), i);
            if (sparse)
                e.put(1000000, 1);
            CHECK(e.must(defineOwnProperty(
                e.vm, e.array, PropertyKey::index(2), PropertyDescriptor::data(Value::int32(2), Writable))));
            CHECK(!e.setLength(Value::int32(0)));
            CHECK(e.array->length() == 3);
            CHECK(e.show(Value::object(e.array)) == "0 1 2 length");
            CHECK(put(e.vm, Value::object(e.array), e.key("length"), Value::int32(1)).threw());
            CHECK(e.thrown() == "TypeError: Cannot delete property '2' of [object Array]");
        }
    }

    TEST_CASE("A read-only length admits no new index") {
        ArrayEngine e;
        e.put(0, 1);
        PropertyDescriptor readOnly;
        readOnly.has = PropertyDescriptor::HasWritable;
        CHECK(e.must(defineOwnProperty(e.vm, e.array, e.key("length"), readOnly)));
        CHECK(put(e.vm, Value::object(e.array), e.key("1"), Value::int32(1)).threw());
        CHECK(e.thrown() == "TypeError: Cannot assign to read only property 'length' of object '[object Array]'");
        CHECK(!e.must(createDataProperty(e.vm, e.array, PropertyKey::index(1), Value::int32(1))));
        e.put(0, 2);
        CHECK(e.at(0) == Value::int32(2));
        CHECK(!e.setLength(Value::int32(0)));
    }

    TEST_CASE("Frozen and sealed arrays stay dense") {
        ArrayEngine e;
        e.put(0, 1);
        e.must(setIntegrity(e.vm, e.array, Integrity::Sealed));
        CHECK(MUST(testIntegrity(e.vm, e.array, Integrity::Sealed)));
        CHECK(!MUST(testIntegrity(e.vm, e.array, Integrity::Frozen)));
        e.put(0, 5);
        CHECK(e.at(0) == Value::int32(5));
        CHECK(!e.must(deleteProperty(e.vm, e.array, PropertyKey::index(0))));
        e.must(setIntegrity(e.vm, e.array, Integrity::Frozen));
        CHECK(MUST(testIntegrity(e.vm, e.array, Integrity::Frozen)));
        CHECK(!e.array->elements_.isSparse());
        CHECK(put(e.vm, Value::object(e.array), e.key("0"), Value::int32(6)).threw());
        CHECK(e.thrown() == "TypeError: Cannot assign to read only property '0' of object '[object Array]'");
        CHECK(put(e.vm, Value::object(e.array), e.key("1"), Value::int32(6)).threw());
        CHECK(e.thrown() == "TypeError: Cannot add property 1, object is not extensible");
    }

    TEST_CASE("Ordinary objects have elements too, in ascending order") {
        Engine e;
        Object* object = e.plain();
        for (const char* name : {"b", "2", "a", "0", "1", "-1", "4294967295"})
            e.write(object, name, Value::int32(1));
        CHECK(e.show(Value::object(object)) == "0 1 2 b a -1 4294967295");
        CHECK(e.must(deleteProperty(e.vm, object, PropertyKey::index(1))));
        CHECK(e.show(Value::object(object)) == "0 2 b a -1 4294967295");
    }

    TEST_CASE("Accessors among elements") {
        ArrayEngine e;
        e.put(0, 1);
        defineAccessorDirect(
            e.vm, e.array, PropertyKey::index(1), Value::undefined(), Value::undefined(), AllAttributes);
        CHECK(e.array->length() == 2);
        CHECK(e.at(0) == Value::int32(1));
        CHECK(e.at(1).isUndefined());
        CHECK(put(e.vm, Value::object(e.array), e.key("1"), Value::int32(1)).threw());
        CHECK(e.thrown() == "TypeError: Cannot set property 1 of [object Array] which has only a getter");
    }

    TEST_CASE("A prototype with elements is noticed") {
        Engine e;
        CHECK(!e.vm.indexedPrototypes);
        Object* prototype = e.plain();
        newObject(e.vm, prototype);
        CHECK(!e.vm.indexedPrototypes);
        e.write(prototype, "3", Value::int32(1));
        CHECK(e.vm.indexedPrototypes);
    }

    TEST_CASE("The collector at every allocation keeps elements") {
        ArrayEngine e;
        e.vm.heap.setStress(1);
        for (u32 i = 0; i < 200; i++)
            CHECK(e.must(set(e.vm, e.array, PropertyKey::index(i * 7), e.text("v" + std::to_string(i)))));
        CHECK(e.must(set(e.vm, e.array, PropertyKey::index(1u << 30), e.text("far"))));
        for (u32 i = 0; i < 200; i++)
            CHECK(e.show(e.at(i * 7)) == "v" + std::to_string(i));
    }
}
