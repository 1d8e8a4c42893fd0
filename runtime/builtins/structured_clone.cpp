// structuredClone (HTML 2.7.10): copies of values, object graphs with their cycles, and buffers moved instead of
// copied. Getters of the originals may run script, so everything about an object is asked when its turn comes.
#include "runtime/builtins/array_support.h"
#include "runtime/builtins/binary_support.h"
#include "runtime/builtins/date.h"
#include "runtime/core/hash_table.h"

namespace scr {

namespace {

Collection* newCollectionOf(Vm& vm, Kind kind, Intrinsic prototype) {
    Shape* shape = rootShape(vm, vm.realm->intrinsic(vm, prototype), 0);
    HashTable* table = newHashTable(vm, 0);
    auto* collection = static_cast<Collection*>(allocateObject(vm, kind, sizeof(Collection), shape));
    collection->table = table;
    return collection;
}

class Cloner {
public:
    explicit Cloner(Vm& vm)
        : vm_(vm)
        , clones_(newCollectionOf(vm, Kind::Map, Intrinsic::MapPrototype)) { }

    Completion<void> addTransfers(Value list);
    Result clone(Value value);
    void finishTransfers();

private:
    Threw refuse(Value value) {
        return throwDomException(vm_, "DataCloneError", describeForMessage(vm_, value) + " could not be cloned.");
    }
    /// From here on the original is the clone, also inside itself.
    Completion<void> remember(Object* original, Object* clone) {
        return setEntry(vm_, clones_, Value::object(original), Value::object(clone));
    }
    Result cloneObject(Object* object);
    Result cloneRemembered(Object* object, Object* clone) {
        TRY(remember(object, clone));
        return Value::object(clone);
    }
    Result cloneWrapper(PrimitiveWrapper* wrapper);
    Result cloneDate(DateObject* date);
    Result cloneBuffer(ArrayBuffer* buffer);
    Result cloneView(BufferView* view);
    Result cloneCollection(Collection* collection);
    Result cloneError(Object* error);
    Result cloneArray(Array* array);
    Completion<void> cloneProperty(Object* object, PropertyKey key, Object* clone);
    Completion<void> cloneProperties(Object* object, Object* clone, u32 indices);
    Result cloneProperties(Object* object) {
        Object* clone = newObject(vm_, vm_.realm->intrinsic(vm_, Intrinsic::ObjectPrototype));
        TRY(remember(object, clone));
        TRY(cloneProperties(object, clone, AllIndices));
        return Value::object(clone);
    }

    static constexpr u32 AllIndices = 0xFFFFFFFF;

    Vm& vm_;
    Collection* clones_; ///< original object -> clone
    Array* transfers_ = nullptr; ///< pairs: original buffer, the buffer that will have its bytes
};

// ---- transferring

Completion<void> Cloner::addTransfers(Value list) {
    if (list.isUndefined())
        return {};
    if (!list.isObject() || !isCallable(TRY(getOf(vm_, list, SYMBOL(vm_, iterator)))))
        return throwCoded(vm_, Intrinsic::TypeErrorPrototype, "ERR_INVALID_ARG_TYPE",
            "Optional transferList argument must be an iterable");
    Array* objects = TRY(listFromIterable(vm_, list));
    transfers_ = newArray(vm_);
    for (u32 i = 0; i < objects->length(); i++) {
        Value value = objects->elements_.dense()[i];
        if (!value.isObject() || kindOf(value.asCell()) != Kind::ArrayBuffer)
            return throwCoded(vm_, Intrinsic::TypeErrorPrototype, "ERR_INVALID_TRANSFER_OBJECT",
                "Found invalid object in transferList");
        auto* buffer = static_cast<ArrayBuffer*>(value.asObject());
        if (TRY(findEntry(vm_, clones_->table, value)))
            return throwDomException(vm_, "DataCloneError", "Transfer list contains duplicate ArrayBuffer");
        double most = buffer->isResizable() ? double(buffer->maxByteLength) : -1;
        Object* prototype = vm_.realm->intrinsic(vm_, Intrinsic::ArrayBufferPrototype);
        ArrayBuffer* clone = TRY(newArrayBuffer(vm_, Kind::ArrayBuffer, prototype, 0, most));
        TRY(remember(buffer, clone));
        TRY(pushDense(vm_, transfers_->elements_, value));
        TRY(pushDense(vm_, transfers_->elements_, Value::object(clone)));
    }
    return {};
}

void Cloner::finishTransfers() {
    for (u32 i = 0; transfers_ && i < transfers_->length(); i += 2) {
        auto* from = static_cast<ArrayBuffer*>(transfers_->elements_.dense()[i].asObject());
        auto* to = static_cast<ArrayBuffer*>(transfers_->elements_.dense()[i + 1].asObject());
        if (from->isDetached()) // nothing to move: the clone is a detached buffer, too
            continue;
        u64 most = from->isResizable() ? from->maxByteLength : from->byteLength;
        moveBuffer(from, to);
        to->maxByteLength = most;
    }
}

// ---- cloning

Result Cloner::clone(Value value) {
    if (value.isSymbol())
        return refuse(value);
    if (!value.isObject())
        return value;
    if (vm_.cStackLow())
        return vm_.throwStackOverflow();
    TRY(countStep(vm_));
    if (HashTable::Entry* entry = TRY(findEntry(vm_, clones_->table, value)))
        return entry->value;
    return cloneObject(value.asObject());
}

Result Cloner::cloneObject(Object* object) {
    switch (kindOf(object)) {
    case Kind::Array: return cloneArray(static_cast<Array*>(object));
    case Kind::PrimitiveWrapper: return cloneWrapper(static_cast<PrimitiveWrapper*>(object));
    case Kind::Date: return cloneDate(static_cast<DateObject*>(object));
    case Kind::ArrayBuffer:
    case Kind::SharedArrayBuffer: return cloneBuffer(static_cast<ArrayBuffer*>(object));
    case Kind::TypedArray:
    case Kind::DataView: return cloneView(static_cast<BufferView*>(object));
    case Kind::Map:
    case Kind::Set: return cloneCollection(static_cast<Collection*>(object));
    case Kind::Error: return asDomException(Value::object(object)) ? cloneProperties(object) : cloneError(object);
    case Kind::Object:
        if (object != vm_.realm->global)
            return cloneProperties(object);
        break;
    default: break;
    }
    return refuse(Value::object(object));
}

Result Cloner::cloneWrapper(PrimitiveWrapper* wrapper) {
    if (wrapper->value.isSymbol())
        return refuse(Value::object(wrapper));
    return cloneRemembered(wrapper, TRY(newWrapper(vm_, wrapper->value)));
}

Result Cloner::cloneDate(DateObject* date) {
    Shape* shape = rootShape(vm_, vm_.realm->intrinsic(vm_, Intrinsic::DatePrototype), 0);
    auto* clone = static_cast<DateObject*>(allocateObject(vm_, Kind::Date, sizeof(DateObject), shape));
    clone->time = date->time;
    return cloneRemembered(date, clone);
}

Result Cloner::cloneBuffer(ArrayBuffer* buffer) {
    if (buffer->isDetached())
        return throwDomException(vm_, "DataCloneError", "An ArrayBuffer is detached and could not be cloned.");
    Intrinsic prototypeName =
        buffer->isShared() ? Intrinsic::SharedArrayBufferPrototype : Intrinsic::ArrayBufferPrototype;
    Object* prototype = vm_.realm->intrinsic(vm_, prototypeName);
    double most = buffer->isResizable() ? double(buffer->maxByteLength) : -1;
    ArrayBuffer* clone = TRY(newArrayBuffer(vm_, kindOf(buffer), prototype, double(buffer->byteLength), most));
    TRY(countBytes(vm_, buffer->byteLength));
    if (buffer->byteLength)
        memcpy(clone->data, buffer->data, buffer->byteLength);
    return cloneRemembered(buffer, clone);
}

Result Cloner::cloneView(BufferView* view) {
    if (view->isOutOfBounds() && !view->buffer->isDetached())
        return refuse(Value::object(view));
    Value buffer = TRY(clone(Value::object(view->buffer)));
    Intrinsic prototype =
        kindOf(view) == Kind::DataView ? Intrinsic::DataViewPrototype : elementInfos[size_t(view->type)].prototype;
    return cloneRemembered(view,
        newBufferView(vm_, kindOf(view), view->type, vm_.realm->intrinsic(vm_, prototype),
            static_cast<ArrayBuffer*>(buffer.asObject()), view->byteOffset, view->length, view->tracksLength));
}

Result Cloner::cloneCollection(Collection* collection) {
    bool isMap = kindOf(collection) == Kind::Map;
    Collection* result =
        newCollectionOf(vm_, kindOf(collection), isMap ? Intrinsic::MapPrototype : Intrinsic::SetPrototype);
    TRY(remember(collection, result));
    // Cloning an entry may change the collection: the entries are those of this moment.
    Array* entries = newArray(vm_);
    TablePosition position{collection->table, 0};
    while (HashTable::Entry* entry = position.next()) {
        Value value = entry->value;
        TRY(pushDense(vm_, entries->elements_, entry->key));
        TRY(pushDense(vm_, entries->elements_, value));
    }
    for (u32 i = 0; i < entries->length(); i += 2) {
        Value key = TRY(clone(entries->elements_.dense()[i]));
        Value value = isMap ? TRY(clone(entries->elements_.dense()[i + 1])) : key;
        TRY(setEntry(vm_, result, key, isMap ? value : key));
    }
    return Value::object(result);
}

/// Of the builtin class that the error's name says: message, cause, and the stack as text.
Result Cloner::cloneError(Object* error) {
    static constexpr struct {
        std::string_view name;
        Intrinsic prototype;
    } classes[] = {{"EvalError", Intrinsic::EvalErrorPrototype}, {"RangeError", Intrinsic::RangeErrorPrototype},
        {"ReferenceError", Intrinsic::ReferenceErrorPrototype}, {"SyntaxError", Intrinsic::SyntaxErrorPrototype},
        {"TypeError", Intrinsic::TypeErrorPrototype}, {"URIError", Intrinsic::URIErrorPrototype}};
    Value nameValue = TRY(get(vm_, error, KEY(vm_, name)));
    Lookup message = getOwnProperty(vm_, error, KEY(vm_, message));
    String* text = message.type == Lookup::Data ? TRY(toString(vm_, message.value)) : nullptr;
    Value stack = TRY(get(vm_, error, KEY(vm_, stack)));
    Intrinsic prototype = Intrinsic::ErrorPrototype;
    std::string name = toUtf8(vm_, nameValue.isUndefined() ? emptyString(vm_) : TRY(toString(vm_, nameValue)));
    for (const auto& entry : classes)
        if (entry.name == name)
            prototype = entry.prototype;
    ErrorObject* result = newError(vm_, prototype, text);
    if (stack.isString())
        defineDirect(vm_, result, KEY(vm_, stack), stack, HiddenAttributes);
    TRY(remember(error, result));
    Lookup cause = getOwnProperty(vm_, error, KEY(vm_, cause));
    if (cause.type == Lookup::Data)
        defineDirect(vm_, result, KEY(vm_, cause), TRY(clone(cause.value)), HiddenAttributes);
    return Value::object(result);
}

Completion<void> Cloner::cloneProperty(Object* object, PropertyKey key, Object* clone) {
    // A getter that ran before may have deleted it.
    if (!TRY(hasOwnProperty(vm_, object, key)))
        return {};
    Value value = TRY(this->clone(TRY(get(vm_, object, key))));
    return createDataPropertyOrThrow(vm_, clone, key, value);
}

/// Of the indexed ones those below `indices`.
Completion<void> Cloner::cloneProperties(Object* object, Object* clone, u32 indices) {
    Array* keys = ownKeys(vm_, object, StringKeys | OnlyEnumerable);
    for (u32 i = 0; i < keys->length(); i++) {
        PropertyKey key = TRY(toPropertyKey(vm_, keys->elements_.dense()[i]));
        if (!key.isIndex() || key.asIndex() < indices)
            TRY(cloneProperty(object, key, clone));
    }
    return {};
}

Result Cloner::cloneArray(Array* array) {
    u32 length = array->length();
    Array* result = TRY(arrayCreate(vm_, length));
    TRY(remember(array, result));
    bool sparse = array->elements_.isSparse();
    for (u32 i = 0; i < length && !sparse && !array->elements_.isSparse(); i++) {
        TRY(countStep(vm_));
        Value value = denseAt(array, i);
        if (!value.isHole())
            TRY(defineAt(vm_, result, i, TRY(clone(value))));
        else if (i >= array->elements_.denseLength)
            break;
    }
    // Numbers of a sparse array are among its keys; a dense one rarely has other keys at all.
    bool becameSparse = array->elements_.isSparse();
    if (becameSparse || shapeOf(vm_, array)->count)
        TRY(cloneProperties(array, result, becameSparse ? length : 0));
    return Value::object(result);
}

}

Result global_structuredClone(Vm& vm, Args args) {
    if (args.count == 0)
        return throwCoded(
            vm, Intrinsic::TypeErrorPrototype, "ERR_MISSING_ARGS", "The value argument must be specified");
    if (!args[1].isNullish() && !args[1].isObject())
        return throwCoded(vm, Intrinsic::TypeErrorPrototype, "ERR_INVALID_ARG_TYPE",
            "The options argument must be either an object or undefined");
    Cloner cloner(vm);
    if (args[1].isObject())
        TRY(cloner.addTransfers(TRY(get(vm, args[1].asObject(), keyOf(internAscii(vm, "transfer"))))));
    Value result = TRY(cloner.clone(args[0]));
    cloner.finishTransfers();
    return result;
}

}
