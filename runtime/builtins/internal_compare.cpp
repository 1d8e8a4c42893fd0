// The natives behind require("internal") that look into values for deep comparison: what kind of thing an object is
// whatever its prototypes say, and what it holds. No script runs, but for the traps of proxies that are asked for keys.
#include "runtime/builtins/native.h"
#include "runtime/core/hash_table.h"
#include "runtime/core/proxy.h"
#include "runtime/core/typed_array.h"

namespace scr {

static std::string_view kindName(Value value) {
    static constexpr std::string_view names[] = {
#define KIND(Name) #Name,
#include "runtime/core/kinds.def"
#undef KIND
    };
    return names[size_t(kindOf(value.asCell()))];
}

static bool isKind(Value value, Kind kind) { return value.isObject() && kindOf(value.asCell()) == kind; }

/// What an object is (the names of kinds.def: "Map", "TypedArray", "PrimitiveWrapper", "Proxy"...); "" of a primitive.
Result internal_kindOf(Vm& vm, Args args) {
    return args[0].isObject() ? Value::string(internAscii(vm, kindName(args[0]))) : asciiValue(vm, "");
}

/// (object, withSymbols): the enumerable own properties that are no indices.
Result internal_nonIndexKeys(Vm& vm, Args args) {
    u8 filter = StringKeys | OnlyEnumerable | NoIndices | (args[1].isTrue() ? SymbolKeys : 0);
    return Value::object(TRY(ownPropertyKeys(vm, args[0].asObject(), filter)));
}

/// What a wrapper object (`Object(1)`) wraps; undefined of anything else.
Result internal_unwrap(Vm&, Args args) {
    return isKind(args[0], Kind::PrimitiveWrapper) ? static_cast<PrimitiveWrapper*>(args[0].asObject())->value
                                                   : Value::undefined();
}

/// The name of a typed array's class; undefined of anything else.
Result internal_typedArrayName(Vm& vm, Args args) {
    return isTypedArray(args[0]) ? asciiValue(vm, asTypedArray(args[0].asObject())->info().name) : Value::undefined();
}

/// How many entries a Map or Set has; undefined of anything else.
Result internal_collectionSize(Vm&, Args args) {
    if (!isKind(args[0], Kind::Map) && !isKind(args[0], Kind::Set))
        return Value::undefined();
    return Value::number(static_cast<Collection*>(args[0].asObject())->table->live());
}

/// The entries of a Map (key, value, key, value...) or of a Set as an array.
Result internal_collectionItems(Vm& vm, Args args) {
    auto* collection = static_cast<Collection*>(args[0].asObject());
    bool isMap = kindOf(collection) == Kind::Map;
    Array* items = newArray(vm);
    TablePosition position{collection->table};
    while (HashTable::Entry* entry = position.next()) {
        // Adding to the array may collect, but moves no entry.
        Value key = entry->key, value = entry->value;
        TRY(pushDense(vm, items->elements_, key));
        if (isMap)
            TRY(pushDense(vm, items->elements_, value));
        TRY(vm.work(1));
    }
    return Value::object(items);
}

namespace {

struct ByteRange {
    const u8* bytes;
    u64 count;
};

ByteRange bytesOf(Object* object) {
    if (kindOf(object) == Kind::ArrayBuffer || kindOf(object) == Kind::SharedArrayBuffer) {
        auto* buffer = static_cast<ArrayBuffer*>(object);
        return {buffer->data, buffer->byteLength};
    }
    auto* view = static_cast<BufferView*>(object);
    return {view->bytes(), view->currentLength() << view->shift};
}

}

/// (a, b): whether two buffers or views of buffers hold the same bytes.
Result internal_sameBytes(Vm& vm, Args args) {
    ByteRange a = bytesOf(args[0].asObject()), b = bytesOf(args[1].asObject());
    if (a.count != b.count)
        return Value::boolean(false);
    TRY(vm.work(a.count / 64));
    return Value::boolean(a.count == 0 || std::memcmp(a.bytes, b.bytes, a.count) == 0);
}

/// (a, b): whether two typed arrays of one class have equal elements (`===`).
Result internal_sameElements(Vm& vm, Args args) {
    TypedArray *a = asTypedArray(args[0].asObject()), *b = asTypedArray(args[1].asObject());
    u64 length = a->currentLength();
    if (length != b->currentLength())
        return Value::boolean(false);
    TRY(vm.work(length / 4));
    for (u64 i = 0; i < length; i++)
        if (elementOf(a, i).asNumber() != elementOf(b, i).asNumber())
            return Value::boolean(false);
    return Value::boolean(true);
}

}
