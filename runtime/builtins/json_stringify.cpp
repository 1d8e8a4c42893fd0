// JSON.stringify (ECMA-262 25.5.2). Recursive, guarded by the C++ stack's limit. The invariant: path_ holds the
// containers that are being written, outermost first, each with the key under which the next one was found.
#include "runtime/base/utf.h"
#include "runtime/builtins/class_name.h"
#include "runtime/builtins/json.h"
#include "runtime/core/number.h"
#include <algorithm>

namespace scr {

// ---- strings

static void appendHex(StringBuilder& out, u32 unit) {
    static constexpr char digits[] = "0123456789abcdef";
    char text[] = {'\\', 'u', digits[unit >> 12], digits[unit >> 8 & 15], digits[unit >> 4 & 15], digits[unit & 15]};
    out.appendAscii({text, 6});
}

static void appendEscape(StringBuilder& out, u32 unit) {
    switch (unit) {
    case '"': return out.appendAscii("\\\"");
    case '\\': return out.appendAscii("\\\\");
    case '\b': return out.appendAscii("\\b");
    case '\f': return out.appendAscii("\\f");
    case '\n': return out.appendAscii("\\n");
    case '\r': return out.appendAscii("\\r");
    case '\t': return out.appendAscii("\\t");
    default: appendHex(out, unit);
    }
}

/// The first unit in [p, end) that must be escaped, or end.
static const u8* skipUnescaped(const u8* p, const u8* end) { return skipJsonPlain(p, end); }
static const char16_t* skipUnescaped(const char16_t* p, const char16_t* end) {
    for (; p != end && !isJsonSpecial(*p); p++) {
        if (LIKELY(!isSurrogate(*p)))
            continue;
        if (!isHighSurrogate(*p) || p + 1 == end || !isLowSurrogate(p[1]))
            break;
        p++;
    }
    return p;
}

template <class Unit> static void appendQuoted(StringBuilder& out, const String* flat, const Unit* units) {
    const Unit *p = units, *end = units + flat->length;
    out.append(u'"');
    for (;;) {
        const Unit* special = skipUnescaped(p, end);
        if (special != p)
            out.appendUnits(flat, u32(p - units), u32(special - units));
        if (special == end)
            break;
        appendEscape(out, *special);
        p = special + 1;
    }
    out.append(u'"');
}

/// 25.5.2.3 QuoteJSONString
static Completion<void> quote(Vm& vm, StringBuilder& out, String* string) {
    String* flat = TRY(flatten(vm, string));
    TRY(vm.work(flat->length >> 6));
    if (flat->isWide())
        appendQuoted(out, flat, flat->wide());
    else
        appendQuoted(out, flat, flat->latin1());
    return {};
}

// ---- the writer

namespace {

class JsonWriter {
public:
    explicit JsonWriter(Vm& vm)
        : vm_(vm)
        , out_(vm) { }
    Completion<void> setReplacer(Value replacer);
    Completion<void> setSpace(Value space);
    Result write(Value value);

private:
    struct Level {
        Object* object;
        PropertyKey key; ///< of the value being written
    };

    Completion<void> setPropertyList(Object* list);
    Result toJsonMethod(Value value);
    Result prepare(Object* holder, PropertyKey key, Value value);
    static bool isRawJson(Value value) { return value.isObject() && kindOf(value.asCell()) == Kind::RawJson; }
    static bool isWritable(Value value) { return !value.isUndefined() && !value.isSymbol() && !isCallable(value); }

    Completion<void> writeValue(Value value);
    void writeNumber(Value value);
    Completion<void> writeRaw(Object* raw);
    Completion<void> writeArray(Object* array);
    Completion<void> writeObject(Object* object);
    Completion<void> writeProperties(Object* object, bool& any);
    Completion<void> writeByShape(Object* object, Shape* shape, bool& any);
    Completion<void> writeByKeys(Object* object, Array* keys, bool& any);
    Completion<void> writeProperty(Object* object, PropertyKey key, Value value, bool& any);
    Completion<void> enter(Object* object);
    Completion<void> leave();
    void breakLine();

    Threw throwCircular(Object* object);
    std::string describeStep(const Level& level);

    Vm& vm_;
    StringBuilder out_;
    Value replacer_; ///< function or undefined
    Array* propertyList_ = nullptr; ///< keys as strings
    String* gap_ = nullptr;
    std::vector<Level> path_;
    // Shared shapes whose objects are known to have no toJSON, while no prototype changes.
    u32 plainShapes_[16] = {};
    u32 plainEpoch_ = 0;
};

// 25.5.2 step 4; as V8, which asks whether it is an array first: a revoked proxy is refused here.
Completion<void> JsonWriter::setReplacer(Value replacer) {
    if (TRY(isArray(vm_, replacer)))
        TRY(setPropertyList(replacer.asObject()));
    else if (isCallable(replacer))
        replacer_ = replacer;
    return {};
}

Completion<void> JsonWriter::setPropertyList(Object* list) {
    propertyList_ = newArray(vm_);
    std::vector<u64> seen; // sorted
    double length = TRY(lengthOf(vm_, list));
    for (double i = 0; i < length; i++) {
        Value item = TRY(get(vm_, list, keyFromInteger(vm_, i)));
        TRY(vm_.work(1));
        if (item.isObject() && kindOf(item.asObject()) == Kind::PrimitiveWrapper) {
            Value inner = static_cast<PrimitiveWrapper*>(item.asObject())->value;
            if (inner.isString() || inner.isNumber())
                item = Value::string(TRY(toString(vm_, item)));
        }
        if (!item.isString() && !item.isNumber())
            continue;
        String* name = TRY(internString(vm_, TRY(toString(vm_, item))));
        u64 bits = keyFromAtom(name).bits();
        auto place = std::lower_bound(seen.begin(), seen.end(), bits);
        if (place != seen.end() && *place == bits)
            continue;
        seen.insert(place, bits);
        TRY(pushDense(vm_, propertyList_->elements_, Value::string(name)));
    }
    return {};
}

// 25.5.2 steps 5 to 8
Completion<void> JsonWriter::setSpace(Value space) {
    if (space.isObject() && kindOf(space.asObject()) == Kind::PrimitiveWrapper) {
        Value inner = static_cast<PrimitiveWrapper*>(space.asObject())->value;
        if (inner.isNumber())
            space = Value::number(TRY(toNumber(vm_, space)));
        else if (inner.isString())
            space = Value::string(TRY(toString(vm_, space)));
    }
    String* gap = nullptr;
    if (space.isNumber()) {
        double count = std::min(10.0, TRY(toIntegerOrInfinity(vm_, space)));
        if (count >= 1)
            gap = newAscii(vm_, std::string_view("          ", size_t(count)));
    } else if (space.isString()) {
        gap = TRY(substring(vm_, space.asString(), 0, std::min(10u, space.asString()->length)));
    }
    if (gap && gap->length)
        gap_ = TRY(flatten(vm_, gap));
    return {};
}

Result JsonWriter::write(Value value) {
    PropertyKey empty = keyOf(TRY(internString(vm_, emptyString(vm_))));
    Object* wrapper = nullptr;
    if (!replacer_.isUndefined()) {
        wrapper = newObject(vm_, vm_.realm->intrinsic(vm_, Intrinsic::ObjectPrototype));
        TRY(createDataPropertyOrThrow(vm_, wrapper, empty, value));
    }
    value = TRY(prepare(wrapper, empty, value));
    if (!isWritable(value))
        return Value::undefined();
    TRY(writeValue(value));
    return Value::string(TRY(out_.finish()));
}

// ---- values

/// The toJSON property of an object or BigInt.
Result JsonWriter::toJsonMethod(Value value) {
    if (!value.isObject())
        return getOf(vm_, value, KEY(vm_, toJSON));
    Object* object = value.asObject();
    if (plainEpoch_ != vm_.prototypeEpoch) {
        plainEpoch_ = vm_.prototypeEpoch;
        std::fill(std::begin(plainShapes_), std::end(plainShapes_), 0);
    }
    u32& plain = plainShapes_[object->shape % 16];
    if (LIKELY(plain == object->shape))
        return Value::undefined();
    Lookup found = lookup(vm_, object, KEY(vm_, toJSON));
    if (!found.found()) {
        // A unique shape may change without a word to us.
        if (!shapeOf(vm_, object)->isUnique())
            plain = object->shape;
        return Value::undefined();
    }
    return valueOf(vm_, found, value);
}

/// 25.5.2.2 SerializeJSONProperty, steps 2 to 4: the value that is written for this one. `holder` is needed by a
/// replacer function only.
Result JsonWriter::prepare(Object* holder, PropertyKey key, Value value) {
    if (value.isObject() || value.isBigInt()) {
        Value toJson = TRY(toJsonMethod(value));
        if (isCallable(toJson))
            value = TRY(call(vm_, toJson, value, keyToValue(vm_, key)));
    }
    if (UNLIKELY(!replacer_.isUndefined()))
        value = TRY(call(vm_, replacer_, Value::object(holder), keyToValue(vm_, key), value));
    if (LIKELY(!value.isObject() || kindOf(value.asObject()) != Kind::PrimitiveWrapper))
        return value;
    Value inner = static_cast<PrimitiveWrapper*>(value.asObject())->value;
    if (inner.isNumber())
        return Value::number(TRY(toNumber(vm_, value)));
    if (inner.isString())
        return Value::string(TRY(toString(vm_, value)));
    return inner.isBoolean() || inner.isBigInt() ? inner : value;
}

/// Known: isWritable(value).
Completion<void> JsonWriter::writeValue(Value value) {
    if (value.isString())
        return quote(vm_, out_, value.asString());
    if (UNLIKELY(isRawJson(value)))
        return writeRaw(value.asObject());
    if (value.isNumber())
        writeNumber(value);
    else if (value.isNull())
        out_.appendAscii("null");
    else if (value.isBoolean())
        out_.appendAscii(value.asBoolean() ? "true" : "false");
    else if (value.isObject())
        return TRY(isArray(vm_, value)) ? writeArray(value.asObject()) : writeObject(value.asObject());
    else
        return throwError(vm_, Error::BigIntJson);
    return {};
}

/// Its text is frozen in its only property.
Completion<void> JsonWriter::writeRaw(Object* raw) {
    String* text = getOwnProperty(vm_, raw, KEY(vm_, rawJSON)).value.asString();
    TRY(vm_.work(text->length >> 6));
    out_.append(text);
    return {};
}

void JsonWriter::writeNumber(Value value) {
    double number = value.asNumber();
    NumberBuffer buffer;
    out_.appendAscii(number - number == 0 ? numberText(number, buffer) : "null"); // infinities and NaN are null
}

// ---- containers

Completion<void> JsonWriter::enter(Object* object) {
    if (vm_.cStackLow())
        return vm_.throwStackOverflow();
    for (const Level& level : path_)
        if (level.object == object)
            return throwCircular(object);
    path_.push_back({object, {}});
    return {};
}

Completion<void> JsonWriter::leave() {
    path_.pop_back();
    if (UNLIKELY(out_.failed()))
        TRY(out_.finish());
    TRY(vm_.work(1));
    return {};
}

/// Does nothing without a gap.
void JsonWriter::breakLine() {
    if (LIKELY(!gap_))
        return;
    out_.append(u'\n');
    for (size_t i = 0; i < path_.size(); i++)
        out_.append(gap_);
}

/// 25.5.2.5 SerializeJSONArray
Completion<void> JsonWriter::writeArray(Object* array) {
    TRY(enter(array));
    out_.append(u'[');
    double length = TRY(lengthOf(vm_, array));
    for (double i = 0; i < length; i++) {
        if (i > 0)
            out_.append(u',');
        breakLine();
        PropertyKey key = keyFromInteger(vm_, i);
        path_.back().key = key;
        Elements* elements = kindOf(array) == Kind::Array ? array->elements() : nullptr;
        Value value = elements && i < elements->denseLength ? elements->dense()[u32(i)] : Value::hole();
        if (UNLIKELY(value.isHole()))
            value = TRY(get(vm_, array, key));
        value = TRY(prepare(array, key, value));
        if (isWritable(value))
            TRY(writeValue(value));
        else
            out_.appendAscii("null");
        TRY(vm_.work(1));
        if (UNLIKELY(out_.failed()))
            break;
    }
    TRY(leave());
    if (length > 0)
        breakLine();
    out_.append(u']');
    return {};
}

/// 25.5.2.4 SerializeJSONObject
Completion<void> JsonWriter::writeObject(Object* object) {
    TRY(enter(object));
    out_.append(u'{');
    bool any = false;
    TRY(writeProperties(object, any));
    TRY(leave());
    if (any)
        breakLine();
    out_.append(u'}');
    return {};
}

Completion<void> JsonWriter::writeProperties(Object* object, bool& any) {
    if (propertyList_)
        return writeByKeys(object, propertyList_, any);
    Shape* shape = shapeOf(vm_, object);
    if (LIKELY(kindOf(object) == Kind::Object && !shape->isUnique() && !object->elements()))
        return writeByShape(object, shape, any);
    return writeByKeys(object, TRY(ownPropertyKeys(vm_, object, StringKeys | OnlyEnumerable)), any);
}

/// Known: the object has no elements, and its shape, being shared, keeps its entries whatever script does to the
/// object.
Completion<void> JsonWriter::writeByShape(Object* object, Shape* shape, bool& any) {
    for (u32 i = 0; i < shape->count; i++) {
        PropertyEntry entry = entryAt(shape, i);
        PropertyKey key = PropertyKey::fromBits(entry.key);
        if (!(entry.attributes & Enumerable) || key.isSymbol())
            continue;
        bool plain = object->shape == shape->id && !(entry.attributes & (AccessorProperty | LazyBuiltin));
        Value value = LIKELY(plain) ? object->slot(i) : TRY(get(vm_, object, key));
        TRY(writeProperty(object, key, value, any));
    }
    return {};
}

Completion<void> JsonWriter::writeByKeys(Object* object, Array* keys, bool& any) {
    for (u32 i = 0; i < keys->length(); i++) {
        PropertyKey key = TRY(toPropertyKey(vm_, keys->elements_.dense()[i]));
        TRY(writeProperty(object, key, TRY(get(vm_, object, key)), any));
    }
    return {};
}

Completion<void> JsonWriter::writeProperty(Object* object, PropertyKey key, Value value, bool& any) {
    TRY(vm_.work(1));
    path_.back().key = key;
    value = TRY(prepare(object, key, value));
    if (!isWritable(value))
        return {};
    if (any)
        out_.append(u',');
    any = true;
    breakLine();
    TRY(quote(vm_, out_, key.isIndex() ? keyToValue(vm_, key).asString() : key.asAtom()));
    out_.append(u':');
    if (gap_)
        out_.append(u' ');
    TRY(writeValue(value));
    return {};
}

// ---- cycles

/// How the next level was reached.
std::string JsonWriter::describeStep(const Level& level) {
    if (level.key.isIndex() && isArrayObject(Value::object(level.object)))
        return "index " + std::to_string(level.key.asIndex());
    std::string key = toUtf8(vm_, keyToValue(vm_, level.key).asString());
    return key.empty() ? "<anonymous>" : "property '" + key + "'";
}

/// V8's picture of the way round: the first steps, the last one, and how the circle closes.
Threw JsonWriter::throwCircular(Object* object) {
    size_t first = 0;
    while (path_[first].object != object)
        first++;
    auto constructorOf = [&](Object* of) {
        return "object with constructor '" + toUtf8(vm_, classNameOf(vm_, of)) + "'";
    };
    std::string text = "\n    --> starting at " + constructorOf(object);
    size_t last = path_.size() - 1;
    for (size_t i = first; i < last; i++) {
        if (i >= first + 2 && i + 1 < last) {
            if (i == first + 2)
                text += "\n    |     ...";
            continue;
        }
        text += "\n    |     " + describeStep(path_[i]) + " -> " + constructorOf(path_[i + 1].object);
    }
    text += "\n    --- " + describeStep(path_[last]) + " closes the circle";
    return throwError(vm_, Error::CircularJson, std::string_view(text));
}

}

Result stringifyJson(Vm& vm, Value value) { return JsonWriter(vm).write(value); }

bool isCircularJsonError(Vm& vm, Value error) {
    if (!error.isObject() || kindOf(error.asObject()) != Kind::Error)
        return false;
    Lookup message = getOwnProperty(vm, error.asObject(), KEY(vm, message));
    std::string text =
        message.type == Lookup::Data && message.value.isString() ? toUtf8(vm, message.value.asString()) : "";
    return text.substr(0, text.find('\n')) == "Converting circular structure to JSON";
}

Result json_stringify(Vm& vm, Args args) {
    JsonWriter writer(vm);
    TRY(writer.setReplacer(args[1]));
    TRY(writer.setSpace(args[2]));
    return writer.write(args[0]);
}

}
