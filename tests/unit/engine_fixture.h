// A Vm with a realm, for tests of the object model: nothing is compiled, nothing runs but natives.
#pragma once
#include "runtime/builtins/native.h"
// Last, for doctest's own CHECK to be the one that tests see.
#undef CHECK
#include <doctest/doctest.h>
#include <ostream> // doctest prints strings through it

namespace scr::test {

struct Engine {
    Vm vm;
    Realm* realm = newRealm(vm);

    PropertyKey key(std::string_view name) {
        auto made = toPropertyKey(vm, Value::string(newUtf8(vm, name)));
        REQUIRE(!made.threw());
        return made.value();
    }
    Value text(std::string_view utf8) { return Value::string(newUtf8(vm, utf8)); }
    Object* plain() { return newObject(vm, realm->intrinsic(vm, Intrinsic::ObjectPrototype)); }
    Value read(Object* object, std::string_view name) {
        auto value = get(vm, object, key(name));
        REQUIRE(!value.threw());
        return value.value();
    }
    void write(Object* object, std::string_view name, Value value) {
        REQUIRE(!put(vm, Value::object(object), key(name), value).threw());
    }
    /// "Name: message" of the pending exception.
    std::string thrown() { return describeForMessage(vm, vm.pendingException); }
    /// A value as text; own keys of objects, separated by spaces.
    std::string show(Value value) {
        if (!value.isObject())
            return describeForMessage(vm, value);
        std::vector<PropertyKey> keys;
        ownKeys(vm, value.asObject(), StringKeys | SymbolKeys, keys);
        std::string shown;
        for (PropertyKey each : keys)
            shown += (shown.empty() ? "" : " ") + describeForMessage(vm, keyToValue(vm, each));
        return shown;
    }
    template <class T> T must(Completion<T> completion) {
        REQUIRE(!completion.threw());
        return completion.value();
    }
};

}
