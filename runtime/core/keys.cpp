// Property keys from values and back, and the order in which an object's own keys stand (ECMA-262 10.1.11).
#include "runtime/core/error.h"
#include "runtime/core/module_namespace.h"
#include "runtime/core/object_internal.h"
#include "runtime/core/operations.h"
#include "runtime/core/proxy.h"
#include "runtime/core/typed_array.h"
#include "runtime/core/vm.h"
#include <algorithm>

namespace scr {

// ---- keys and values

PropertyKey keyFromAtom(String* atom) {
    ASSERT(atom->isAtom());
    u32 index;
    if (!(atom->flags & StringNotIndex) && isArrayIndex(atom, index))
        return PropertyKey::index(index);
    return PropertyKey::atom(atom);
}

static Completion<PropertyKey> keyFromString(Vm& vm, String* string) {
    return keyFromAtom(TRY(internString(vm, string)));
}

PropertyKey keyFromInteger(Vm& vm, double integer) {
    if (integer < 4294967295.0)
        return PropertyKey::index(u32(integer));
    // At most twenty digits: only the memory of the machine could refuse.
    return PropertyKey::atom(MUST(internString(vm, numberToString(vm, integer))));
}

// 7.1.19 ToPropertyKey ( argument )
Completion<PropertyKey> toPropertyKey(Vm& vm, Value value) {
    if (value.isInt() && value.asInt() >= 0)
        return PropertyKey::index(u32(value.asInt()));
    if (value.isString())
        return keyFromString(vm, value.asString());
    if (value.isSymbol())
        return PropertyKey::symbol(value.asSymbol());
    if (value.isObject())
        return toPropertyKey(vm, TRY(toPrimitive(vm, value, Hint::String)));
    if (value.isDouble() && value.asDouble() >= 0 && value.asDouble() < 4294967295.0)
        if (u32 index = u32(value.asDouble()); double(index) == value.asDouble())
            return PropertyKey::index(index);
    return keyFromString(vm, TRY(toString(vm, value)));
}

Value keyToValue(Vm& vm, PropertyKey key) {
    if (key.isIndex())
        return Value::string(numberToString(vm, key.asIndex()));
    return Value::fromBits(key.bits());
}

// ---- own keys

namespace {

/// Receives keys in order.
struct KeySink {
    Vm& vm;
    u8 filter;
    std::vector<PropertyKey>* keys;
    Array* array;

    void add(PropertyKey key, u8 attributes) {
        if ((filter & OnlyEnumerable) && !(attributes & Enumerable))
            return;
        if (keys)
            keys->push_back(key);
        else if (pushDense(vm, array->elements_, keyToValue(vm, key)).threw())
            filter = 0; // the memory limit: the run ends at the next safe point
    }
};

void addElementKeys(KeySink& sink, Object* object) {
    Elements* elements = object->elements();
    if (!elements)
        return;
    if (elements->isSparse()) {
        for (u32 index : sparseIndices(*elements))
            sink.add(PropertyKey::index(index), findSparse(*elements, index)->attributes);
        return;
    }
    for (u32 i = 0; i < elements->denseLength; i++)
        if (!elements->dense()[i].isHole())
            sink.add(PropertyKey::index(i), denseAttributes(object));
}

/// Of a typed array; whoever may throw does so when there are more.
constexpr u64 MostElementKeys = 1 << 26;

/// Many, and for most callers as many strings: a run that reaches a limit meanwhile ends at the next safe point.
void addViewIndices(KeySink& sink, TypedArray* array) {
    constexpr u64 Part = 1024;
    for (u64 i = 0, end = std::min(array->currentLength(), MostElementKeys); i < end; i++) {
        if (i % Part == Part - 1 && sink.vm.work(Part / 4).threw())
            break;
        sink.add(keyFromInteger(sink.vm, double(i)), Enumerable);
    }
}

void addIndices(KeySink& sink, Object* object) {
    if (isStringWrapper(object))
        for (u32 i = 0; i < static_cast<PrimitiveWrapper*>(object)->value.asString()->length; i++)
            sink.add(PropertyKey::index(i), Enumerable);
    if (isTypedArray(object))
        addViewIndices(sink, asTypedArray(object));
    addElementKeys(sink, object);
}

void addExports(KeySink& sink, Object* object) {
    std::vector<PropertyKey> keys;
    namespaceKeys(object, keys);
    for (PropertyKey key : keys)
        if (!key.isIndex() || !(sink.filter & NoIndices))
            sink.add(key, Enumerable);
}

/// `length` of arrays and strings is their first named property.
void addExoticKeys(KeySink& sink, Object* object) {
    if (UNLIKELY(isNamespace(object)))
        return addExports(sink, object);
    if (kindOf(object) == Kind::Array || isStringWrapper(object))
        sink.add(PropertyKey::atom(sink.vm.names.length), 0);
}

template <class Wanted> void addNamedKeys(KeySink& sink, Shape* shape, Wanted wanted) {
    for (u32 i = 0; i < shape->count; i++) {
        PropertyEntry entry = entryAt(shape, i);
        if (PropertyKey key = PropertyKey::fromBits(entry.key); !key.isNull() && wanted(key))
            sink.add(key, entry.attributes);
    }
}

void collectKeys(KeySink& sink, Object* object) {
    Vm& vm = sink.vm;
    u8 filter = sink.filter;
    if (object->isCallable() && (object->flags & HasLazyProperties))
        materializeFunction(vm, object);
    Shape* shape = shapeOf(vm, object);
    if (filter & StringKeys) {
        if (!(filter & NoIndices))
            addIndices(sink, object);
        addExoticKeys(sink, object);
        addNamedKeys(sink, shape, [](PropertyKey key) { return key.isAtom(); });
    }
    if (filter & SymbolKeys)
        addNamedKeys(sink, shape, [](PropertyKey key) { return key.isSymbol() && !key.isPrivate(); });
    if (filter & PrivateKeys)
        addNamedKeys(sink, shape, [](PropertyKey key) { return key.isPrivate(); });
}

}

Array* ownKeys(Vm& vm, Object* object, u8 filter) {
    KeySink sink{vm, filter, nullptr, newArray(vm, std::min(shapeOf(vm, object)->count, 1024u))};
    collectKeys(sink, object);
    vm.charge(sink.array->length() / 4);
    return sink.array;
}

void ownKeys(Vm& vm, Object* object, u8 filter, std::vector<PropertyKey>& keys) {
    KeySink sink{vm, filter, &keys, nullptr};
    collectKeys(sink, object);
    vm.charge(keys.size() / 4);
}

/// A list of all the keys would not fit anywhere.
static bool hasTooManyKeys(const Object* object, u8 filter) {
    return isTypedArray(object) && (filter & (StringKeys | NoIndices)) == StringKeys
        && static_cast<const TypedArray*>(object)->currentLength() > MostElementKeys;
}

Completion<Array*> ownKeyList(Vm& vm, Object* object, u8 filter) {
    if (UNLIKELY(hasTooManyKeys(object, filter)))
        return throwError(vm, Error::ArrayLength);
    std::vector<PropertyKey> keys;
    if (LIKELY(!isProxy(object))) {
        ownKeys(vm, object, filter, keys);
        if (UNLIKELY(vm.terminating()))
            return Threw{};
    } else {
        Array* all = TRY(proxyOwnKeys(vm, object));
        for (u32 i = 0; i < all->length(); i++)
            if (auto key = PropertyKey::fromBits(all->elements_.dense()[i].bits());
                filter & (key.isSymbol() ? SymbolKeys : StringKeys))
                keys.push_back(key);
        if (keys.size() == all->length())
            return all;
    }
    // A key's bits are those of its string or symbol, or of an int32: a value that the collector understands.
    static_assert(sizeof(PropertyKey) == sizeof(Value));
    return newArrayFrom(vm, reinterpret_cast<const Value*>(keys.data()), u32(keys.size()));
}

Completion<Array*> ownPropertyKeys(Vm& vm, Object* object, u8 filter) {
    if (UNLIKELY(hasTooManyKeys(object, filter)))
        return throwError(vm, Error::ArrayLength);
    if (UNLIKELY(isNamespace(object)) && (filter & OnlyEnumerable))
        TRY(requireInitialized(vm, object));
    if (LIKELY(!isProxy(object))) {
        Array* keys = ownKeys(vm, object, filter);
        if (UNLIKELY(vm.terminating()))
            return Threw{};
        return keys;
    }
    Array* keys = TRY(ownKeyList(vm, object, filter & (StringKeys | SymbolKeys)));
    Array* shown = newArray(vm, keys->length());
    for (u32 i = 0; i < keys->length(); i++) {
        auto key = PropertyKey::fromBits(keys->elements_.dense()[i].bits());
        if (key.isIndex() && (filter & NoIndices))
            continue;
        if (filter & OnlyEnumerable) {
            Lookup found = TRY(ownProperty(vm, object, key));
            if (!found.found() || !(found.attributes & Enumerable))
                continue;
        }
        TRY(pushDense(vm, shown->elements_, keyToValue(vm, key)));
    }
    return shown;
}

}
