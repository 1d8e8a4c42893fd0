// JSON.parse with its reviver, JSON.rawJSON and JSON.isRawJSON (ECMA-262 25.5.1, and the proposal "JSON.parse source
// text access", stage 4).
#include "runtime/builtins/json.h"

namespace scr {

namespace {

/// A JSON Parse Record (json_parse.cpp says what it looks like), or none.
class ParseRecord {
public:
    explicit ParseRecord(Value record)
        : record_(record) { }
    /// It is about `value`, which nobody has replaced since it was parsed.
    Completion<bool> describes(Vm& vm, Value value) const {
        if (!record_.isObject())
            return false;
        return sameValue(vm, parts()[0], value);
    }
    Value source() const { return parts()[1]; }
    ParseRecord element(double index) const {
        if (!record_.isObject())
            return *this;
        return ParseRecord(index + 1 < list().denseLength ? parts()[u32(index) + 1] : Value::undefined());
    }
    ParseRecord property(Vm& vm, PropertyKey key) const {
        if (!record_.isObject())
            return *this;
        return ParseRecord(getOwnProperty(vm, parts()[1].asObject(), key).value);
    }

private:
    Elements& list() const { return static_cast<Array*>(record_.asObject())->elements_; }
    Value* parts() const { return list().dense(); }
    Value record_;
};

Result internalize(Vm& vm, Object* holder, PropertyKey key, Value reviver, ParseRecord record);

Completion<void> reviveProperty(Vm& vm, Object* object, PropertyKey key, Value reviver, ParseRecord record) {
    TRY(vm.work(1));
    Value revived = TRY(internalize(vm, object, key, reviver, record));
    if (revived.isUndefined())
        TRY(deleteProperty(vm, object, key));
    else
        TRY(createDataProperty(vm, object, key, revived));
    return {};
}

Completion<void> reviveProperties(Vm& vm, Object* object, Value reviver, ParseRecord record) {
    if (TRY(isArray(vm, Value::object(object)))) {
        double length = TRY(lengthOf(vm, object));
        for (double i = 0; i < length; i++)
            TRY(reviveProperty(vm, object, keyFromInteger(vm, i), reviver, record.element(i)));
        return {};
    }
    Array* keys = TRY(ownPropertyKeys(vm, object, StringKeys | OnlyEnumerable));
    for (u32 i = 0; i < keys->length(); i++) {
        PropertyKey key = TRY(toPropertyKey(vm, keys->elements_.dense()[i]));
        TRY(reviveProperty(vm, object, key, reviver, record.property(vm, key)));
    }
    return {};
}

/// 25.5.1.1 InternalizeJSONProperty
Result internalize(Vm& vm, Object* holder, PropertyKey key, Value reviver, ParseRecord record) {
    if (vm.cStackLow())
        return vm.throwStackOverflow();
    if (UNLIKELY(vm.budget < 0))
        TRY(vm.serviceBudget());
    Value value = TRY(get(vm, holder, key));
    Object* context = newObject(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype), 1);
    if (!TRY(record.describes(vm, value)))
        record = ParseRecord({});
    else if (!value.isObject())
        TRY(createDataProperty(vm, context, KEY(vm, source), record.source()));
    if (value.isObject())
        TRY(reviveProperties(vm, value.asObject(), reviver, record));
    return call(vm, reviver, Value::object(holder), keyToValue(vm, key), value, Value::object(context));
}

}

// 25.5.1 JSON.parse ( text [ , reviver ] )
Result json_parse(Vm& vm, Args args) {
    String* source = TRY(flatten(vm, TRY(toString(vm, args[0]))));
    Value reviver = args[1];
    if (LIKELY(!isCallable(reviver)))
        return parseJson(vm, source);
    Value record;
    Value value = TRY(parseJson(vm, source, &record));
    Object* root = newObject(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype));
    PropertyKey key = keyOf(TRY(internString(vm, emptyString(vm))));
    TRY(createDataPropertyOrThrow(vm, root, key, value));
    return internalize(vm, root, key, reviver, ParseRecord(record));
}

// 25.5.3 JSON.rawJSON ( text )
Result json_rawJSON(Vm& vm, Args args) {
    String* text = TRY(flatten(vm, TRY(toString(vm, args[0]))));
    auto mayStandOutside = [](char16_t unit) { return unit != '\t' && unit != '\n' && unit != '\r' && unit != ' '; };
    bool bounded = text->length && mayStandOutside(text->unit(0)) && mayStandOutside(text->unit(text->length - 1));
    if (!bounded || text->unit(0) == '{' || text->unit(0) == '[')
        return throwError(vm, Error::RawJsonValue);
    TRY(parseJson(vm, text));
    Object* raw = allocateObject(vm, Kind::RawJson, sizeof(Object), rootShape(vm, nullptr, 0));
    defineDirect(vm, raw, KEY(vm, rawJSON), Value::string(text), Enumerable);
    raw->flags |= NotExtensible;
    return Value::object(raw);
}

// 25.5.4 JSON.isRawJSON ( O )
Result json_isRawJSON(Vm&, Args args) {
    return Value::boolean(args[0].isObject() && kindOf(args[0].asCell()) == Kind::RawJson);
}

}
