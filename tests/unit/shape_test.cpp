// Shapes: who shares one, when ids change, what caches are told.
#include "tests/unit/engine_fixture.h"
#include <memory>

using namespace scr;
using scr::test::Engine;

namespace {

/// A place that depends on prototypes, owned by a cell that lives as long as the test.
struct Dependent {
    Engine& e;
    u32 key = 99;
    Root<Value> owner{e.vm.roots, Value::object(e.plain())};
    void watch() {
        key = 99;
        e.vm.dependOnPrototypes(owner.get().asCell(), &key);
    }
    bool cleared() const { return key == KeyNone; }
};

}

TEST_SUITE("shape") {

    TEST_CASE("The same properties in the same order are the same shape") {
        Engine e;
        Object *a = e.plain(), *b = e.plain(), *c = e.plain();
        for (Object* object : {a, b}) {
            e.write(object, "x", Value::int32(1));
            e.write(object, "y", Value::int32(2));
        }
        e.write(c, "y", Value::int32(2));
        e.write(c, "x", Value::int32(1));
        CHECK(a->shape == b->shape);
        CHECK(a->shape != c->shape);
        CHECK(shapeOf(e.vm, a)->table.get() == shapeOf(e.vm, b)->table.get());
    }

    TEST_CASE("A lineage shares one table until it branches") {
        Engine e;
        Object *a = e.plain(), *b = e.plain();
        e.write(a, "x", Value::int32(1));
        e.write(b, "x", Value::int32(1));
        PropertyTable* table = shapeOf(e.vm, a)->table;
        e.write(a, "y", Value::int32(2));
        CHECK(shapeOf(e.vm, a)->table.get() == table);
        e.write(b, "z", Value::int32(3));
        CHECK(shapeOf(e.vm, b)->table.get() != table);
        // The longer table answers for the shorter shape, and only with what that has.
        CHECK(findSlot(shapeOf(e.vm, a)->parent, e.key("y")) == NotFound);
        CHECK(findSlot(shapeOf(e.vm, a), e.key("y")) == 1);
    }

    TEST_CASE("More than eight properties are found by hash, more than 128 make a dictionary") {
        Engine e;
        Object* object = e.plain();
        for (int i = 0; i < 300; i++) {
            e.write(object, "p" + std::to_string(i), Value::int32(i));
            CHECK(shapeOf(e.vm, object)->isUnique() == (i >= int(MaxSharedProperties)));
        }
        for (int i = 0; i < 300; i++)
            CHECK(e.read(object, "p" + std::to_string(i)) == Value::int32(i));
        CHECK(e.read(object, "p300").isUndefined());
    }

    TEST_CASE("Deleting the newest property steps back, any other makes a dictionary") {
        Engine e;
        Object* object = e.plain();
        e.write(object, "x", Value::int32(1));
        u32 before = object->shape;
        e.write(object, "y", Value::int32(2));
        CHECK(e.must(deleteProperty(e.vm, object, e.key("y"))));
        CHECK(object->shape == before);
        e.write(object, "y", Value::int32(3));
        CHECK(e.must(deleteProperty(e.vm, object, e.key("x"))));
        CHECK(shapeOf(e.vm, object)->isUnique());
        CHECK(e.read(object, "y") == Value::int32(3));
        CHECK(e.show(Value::object(object)) == "y");
    }

    TEST_CASE("A dictionary used as a queue does not grow") {
        Engine e;
        Object* object = e.plain();
        for (int i = 0; i < 2000; i++) {
            e.write(object, "k" + std::to_string(i), Value::int32(i));
            if (i >= 10)
                CHECK(e.must(deleteProperty(e.vm, object, e.key("k" + std::to_string(i - 10)))));
        }
        CHECK(shapeOf(e.vm, object)->count < 100);
        for (int i = 1990; i < 2000; i++)
            CHECK(e.read(object, "k" + std::to_string(i)) == Value::int32(i));
        CHECK(e.show(Value::object(object)) == "k1990 k1991 k1992 k1993 k1994 k1995 k1996 k1997 k1998 k1999");
    }

    TEST_CASE("Freezing and reconfiguring keep shapes shared") {
        Engine e;
        Object *a = e.plain(), *b = e.plain();
        for (Object* object : {a, b}) {
            e.write(object, "x", Value::int32(1));
            e.must(setIntegrity(e.vm, object, Integrity::Frozen));
        }
        CHECK(a->shape == b->shape);
        CHECK(!shapeOf(e.vm, a)->isUnique());
        u32 frozen = a->shape;
        e.must(setIntegrity(e.vm, a, Integrity::Frozen));
        CHECK(a->shape == frozen);
        Object *c = e.plain(), *d = e.plain();
        for (Object* object : {c, d}) {
            e.write(object, "x", Value::int32(1));
            CHECK(e.must(
                defineOwnProperty(e.vm, object, e.key("x"), PropertyDescriptor::data(Value::int32(2), Writable))));
        }
        CHECK(c->shape == d->shape);
        CHECK(c->shape != a->shape);
    }

    TEST_CASE("setPrototypeOf gives the shape that objects made under that prototype have") {
        Engine e;
        Object *prototype = e.plain(), *a = e.plain(), *b = newObject(e.vm, prototype);
        e.write(a, "x", Value::int32(1));
        e.write(b, "x", Value::int32(1));
        CHECK(e.must(setPrototypeOf(e.vm, a, prototype)));
        CHECK(a->shape == b->shape);
        CHECK((prototype->flags & IsPrototype) != 0);
    }

    TEST_CASE("A cached unique shape gets a new id when its properties change, an uncached one keeps it") {
        Engine e;
        Object* object = e.plain();
        makeUnique(e.vm, object);
        u32 id = object->shape;
        e.write(object, "x", Value::int32(1));
        CHECK(object->shape == id);
        shapeOf(e.vm, object)->flags |= ShapeCached;
        e.write(object, "x", Value::int32(2));
        CHECK(object->shape == id);
        e.write(object, "y", Value::int32(1));
        CHECK(object->shape != id);
        CHECK(!(shapeOf(e.vm, object)->flags & ShapeCached));
        CHECK(shapeFromId(e.vm, id) == nullptr);
    }

    TEST_CASE("A dictionary whose id is renewed all the time is no longer cached") {
        Engine e;
        Object* object = e.plain();
        makeUnique(e.vm, object);
        for (int i = 0; i < 100; i++) {
            if (!(shapeOf(e.vm, object)->flags & ShapeUncacheable))
                shapeOf(e.vm, object)->flags |= ShapeCached;
            e.write(object, "p" + std::to_string(i), Value::int32(i));
        }
        CHECK((shapeOf(e.vm, object)->flags & ShapeUncacheable));
    }

    TEST_CASE("Structural changes of prototypes clear what depends on prototypes; others do not") {
        Engine e;
        Object* prototype = e.plain();
        e.write(prototype, "m", Value::int32(1));
        Object* object = newObject(e.vm, prototype);
        Dependent dependent{e};
        dependent.watch();
        e.write(object, "x", Value::int32(1));
        e.write(prototype, "m", Value::int32(2));
        CHECK(!dependent.cleared());
        e.write(prototype, "n", Value::int32(2));
        CHECK(dependent.cleared());
        dependent.watch();
        CHECK(e.must(deleteProperty(e.vm, prototype, e.key("n"))));
        CHECK(dependent.cleared());
        dependent.watch();
        CHECK(e.must(
            defineOwnProperty(e.vm, prototype, e.key("m"), PropertyDescriptor::data(Value::int32(2), Writable))));
        CHECK(dependent.cleared());
        dependent.watch();
        CHECK(e.must(setPrototypeOf(e.vm, prototype, nullptr)));
        CHECK(dependent.cleared());
        dependent.watch();
        e.must(setIntegrity(e.vm, prototype, Integrity::Frozen));
        CHECK(dependent.cleared());
    }

    TEST_CASE("A plain write tells only those who depend on the slot's value, and once") {
        Engine e;
        Object* prototype = e.plain();
        e.write(prototype, "m", Value::int32(1));
        newObject(e.vm, prototype);
        u32 slot = findSlot(shapeOf(e.vm, prototype), e.key("m"));
        shapeOf(e.vm, prototype)->flags |= ShapeCached;
        u32 id = prototype->shape;
        CHECK(e.vm.dependOnSlotValue(prototype, slot));
        CHECK(prototype->shape != id);
        Dependent dependent{e};
        dependent.watch();
        e.write(prototype, "m", Value::int32(2));
        CHECK(dependent.cleared());
        CHECK(!e.vm.dependOnSlotValue(prototype, slot));
        dependent.watch();
        e.write(prototype, "m", Value::int32(3));
        CHECK(!dependent.cleared());
        // A slot of a shared shape is never cached by value.
        CHECK(!e.vm.dependOnSlotValue(newObject(e.vm, prototype), 0));
    }

    TEST_CASE("Dead shapes give their ids back; live lineages survive a collection") {
        Engine e;
        Root<Value> kept(e.vm.roots, Value::object(e.plain()));
        e.write(kept.get().asObject(), "a", Value::int32(1));
        e.write(kept.get().asObject(), "b", Value::int32(2));
        u32 id = kept.get().asObject()->shape;
        [](Engine & e) __attribute__((noinline)) {
            for (int i = 0; i < 500; i++)
                e.write(e.plain(), "garbage" + std::to_string(i), Value::int32(i));
        }
        (e);
        size_t ids = e.vm.shapes.size();
        e.vm.heap.collect();
        CHECK(e.vm.freeShapeIds.size() > 400);
        Object* again = e.plain();
        e.write(again, "a", Value::int32(1));
        e.write(again, "b", Value::int32(2));
        CHECK(again->shape == id);
        for (int i = 0; i < 300; i++)
            e.write(e.plain(), "more" + std::to_string(i), Value::int32(i));
        CHECK(e.vm.shapes.size() == ids);
    }

    TEST_CASE("Many children of one shape, some dead") {
        Engine e;
        std::vector<std::unique_ptr<Root<Value>>> kept;
        for (int i = 0; i < 200; i++) {
            Object* object = e.plain();
            e.write(object, "c" + std::to_string(i), Value::int32(i));
            if (i % 2)
                kept.push_back(std::make_unique<Root<Value>>(e.vm.roots, Value::object(object)));
        }
        e.vm.heap.collect();
        for (int i = 0; i < 200; i++) {
            Object* object = e.plain();
            e.write(object, "c" + std::to_string(i), Value::int32(i));
            if (i % 2)
                CHECK(object->shape == kept[size_t(i / 2)]->get().asCell()->shape);
        }
    }

    TEST_CASE("The collector at every allocation finds every shape and slot") {
        Engine e;
        e.vm.heap.setStress(1);
        Root<Value> kept(e.vm.roots, Value::object(e.plain()));
        Object* object = kept.get().asObject();
        for (int i = 0; i < 150; i++)
            e.write(object, "p" + std::to_string(i), e.text("value " + std::to_string(i)));
        for (int i = 0; i < 150; i += 3)
            CHECK(e.must(deleteProperty(e.vm, object, e.key("p" + std::to_string(i)))));
        for (int i = 0; i < 150; i++)
            CHECK(e.show(e.read(object, "p" + std::to_string(i)))
                == (i % 3 ? "value " + std::to_string(i) : "undefined"));
    }
}
