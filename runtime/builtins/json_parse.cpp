// JSON.parse (ECMA-262 25.5.1). The parser does not recurse: what is open stands on a stack of Values that the
// collector sees. The invariant: above the header of the innermost open container lie its finished elements, or pairs
// of key and value.
//
//   header = Value::int32(outer header's place << 2 | is an object << 1 | its keys followed the template so far)
//
// A template is the shape of the last object that was finished at this depth. Objects in a list mostly look alike: as
// long as the keys follow the template they are compared in place, not interned, and the object is made in one step.
#include "runtime/builtins/json.h"
#include "runtime/core/number.h"

namespace scr {

// ---- characters

static bool equalText(const u8* units, const u8* text, u32 length) { return !memcmp(units, text, length); }
static bool equalText(const char16_t* units, const u8* text, u32 length) {
    for (u32 i = 0; i < length; i++)
        if (units[i] != text[i])
            return false;
    return true;
}

static String* newString(Vm& vm, const u8* units, u32 length) {
    return length == 1 ? unitString(vm, *units) : newLatin1(vm, units, length);
}
static String* newString(Vm& vm, const char16_t* units, u32 length) {
    return length == 1 ? unitString(vm, *units) : newUtf16(vm, units, length);
}
static String* intern(Vm& vm, const u8* units, u32 length) { return internLatin1(vm, units, length); }
static String* intern(Vm& vm, const char16_t* units, u32 length) { return internUtf16(vm, units, length); }

static String* finished(Vm& vm, StringBuilder& text) {
    auto string = text.finish();
    return string.threw() ? emptyString(vm) : string.value();
}

static int digitValue(u32 unit) { return unit - '0' < 10 ? int(unit - '0') : -1; }
static int hexValue(u32 unit) {
    u32 letter = (unit | 32) - 'a';
    return unit - '0' < 10 ? int(unit - '0') : letter < 6 ? int(letter) + 10 : -1;
}

// ---- templates

/// Every key can be recognised by comparing its text with the source.
static bool isTemplate(const Shape* shape) {
    if (shape->isUnique() || shape->count == 0)
        return false;
    for (u32 i = 0; i < shape->count; i++) {
        PropertyKey key = PropertyKey::fromBits(entryAt(shape, i).key);
        if (!key.isAtom() || entryAt(shape, i).attributes != AllAttributes || key.asAtom()->isWide())
            return false;
        const u8* text = key.asAtom()->latin1();
        if (skipJsonPlain(text, text + key.asAtom()->length) != text + key.asAtom()->length)
            return false;
    }
    return true;
}

// ---- the parser

namespace {

template <class Unit> class JsonParser {
public:
    JsonParser(Vm& vm, String* source, const Unit* units, bool recording)
        : vm_(vm)
        , source_(source)
        , begin_(units)
        , at_(units)
        , end_(units + source->length)
        , recording_(recording) { }
    Result parse();
    /// Of the value that parse() returned.
    Value record() const { return record_; }
    /// The unit that it stands at.
    u32 place() const { return u32(at_ - begin_); }

private:
    static constexpr u32 TemplateDepth = 8, NoFrame = 0x1FFFFFFF;

    i32 peek() const { return at_ != end_ ? i32(*at_) : -1; }
    void skipWhite() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t'))
            at_++;
    }

    // Values. One that opens a container and stays open is the hole.
    Result parseValue();
    Result parseString();
    Result parseEscaped(const Unit* start, const Unit* special);
    Completion<void> parseEscape(StringBuilder& text);
    Result parseNumber();
    Completion<void> skipDigits(std::string_view missing);
    Result parseLiteral(std::string_view text, Value value);
    Result parseRest(Value value);

    // Containers.
    Completion<void> open(bool object);
    Result closeArray();
    Result closeObject();
    Object* makeFromTemplate(const Value* pairs, u32 count);
    Object* makeFromPairs(const Value* pairs, u32 count);
    void leave();
    Completion<bool> next(Value value, Value& closed);
    Completion<void> parseKey(bool first);
    Completion<PropertyKey> parseNewKey();
    bool followsTemplate();
    Shape*& templateHere() { return templates_[depth_]; }

    // Records.
    Completion<void> recordPrimitive(Value value, const Unit* begin);
    Completion<void> recordArray(Object* array);
    Completion<void> recordObject(Object* object);

    // Errors, in V8's words.
    Threw expected(std::string_view text);
    Threw unexpected();
    String* unexpectedMessage();

    u32 top() const { return stack_.denseLength; }
    Completion<void> push(Value value) {
        if (UNLIKELY(recording_))
            TRY(pushDense(vm_, records_, record_));
        if (LIKELY(stack_.denseLength < room_)) {
            stack_.dense()[stack_.denseLength++] = value;
            return {};
        }
        TRY(pushDense(vm_, stack_, value));
        room_ = stack_.capacity();
        return {};
    }

    Vm& vm_;
    String* source_; // keeps the units alive
    const Unit *begin_, *at_, *end_;
    Elements stack_{nullptr, 0, 0};
    u32 room_ = 0; ///< the capacity of stack_
    u32 frame_ = NoFrame; ///< place of the innermost header
    u32 depth_ = 0;
    bool inObject_ = false;
    bool following_ = false; ///< the keys of the innermost object have followed the template
    const bool recording_;
    Value record_; ///< of the value read last
    Elements records_{nullptr, 0, 0}; ///< beside stack_: the records of what stands there
    Shape* templates_[TemplateDepth] = {}; // here so that the stack scan finds them
};

template <class Unit> Result JsonParser<Unit>::parse() {
    for (;;) {
        skipWhite();
        const Unit* begin = at_;
        Value value = TRY(parseValue());
        if (value.isHole())
            continue;
        if (UNLIKELY(recording_) && !value.isObject())
            TRY(recordPrimitive(value, begin));
        Value closed;
        while (frame_ != NoFrame && TRY(next(value, closed)))
            value = closed;
        if (frame_ == NoFrame)
            return parseRest(value);
    }
}

template <class Unit> Result JsonParser<Unit>::parseRest(Value value) {
    skipWhite();
    if (at_ != end_)
        return expected("Unexpected non-whitespace character after JSON");
    return value;
}

template <class Unit> Result JsonParser<Unit>::parseValue() {
    switch (peek()) {
    case '"': return parseString();
    case '{':
        TRY(open(true));
        skipWhite();
        if (peek() == '}')
            return closeObject();
        TRY(parseKey(true));
        return Value::hole();
    case '[':
        TRY(open(false));
        skipWhite();
        return peek() == ']' ? closeArray() : Result(Value::hole());
    case 't': return parseLiteral("true", Value::boolean(true));
    case 'f': return parseLiteral("false", Value::boolean(false));
    case 'n': return parseLiteral("null", Value::null());
    default: return parseNumber();
    }
}

template <class Unit> Result JsonParser<Unit>::parseLiteral(std::string_view text, Value value) {
    for (char c : text) {
        if (peek() != c)
            return unexpected();
        at_++;
    }
    return value;
}

// ---- numbers

/// At least one digit.
template <class Unit> Completion<void> JsonParser<Unit>::skipDigits(std::string_view missing) {
    if (at_ == end_ || digitValue(*at_) < 0)
        return expected(missing);
    while (at_ != end_ && digitValue(*at_) >= 0)
        at_++;
    return {};
}

template <class Unit> static double parseDouble(const Unit* begin, const Unit* end) {
    char small[64];
    std::string large;
    char* text = small;
    size_t length = size_t(end - begin);
    if (length > sizeof small) {
        large.resize(length);
        text = large.data();
    }
    for (size_t i = 0; i < length; i++)
        text[i] = char(begin[i]);
    return readDecimal(text, length);
}

template <class Unit> Result JsonParser<Unit>::parseNumber() {
    bool negative = peek() == '-';
    if (negative)
        at_++;
    if (at_ == end_ || digitValue(*at_) < 0)
        return negative ? expected("No number after minus sign") : unexpected();
    const Unit* digits = at_;
    i64 number = 0;
    if (*at_ == '0') {
        if (++at_ != end_ && digitValue(*at_) >= 0)
            return expected("Unexpected number");
    } else {
        while (at_ != end_ && digitValue(*at_) >= 0)
            number = i64(u64(number) * 10) + digitValue(*at_++);
    }
    bool integer = at_ == end_ || (*at_ != '.' && (*at_ | 32) != 'e');
    // Up to 15 digits are exact; -0 is no integer.
    if (LIKELY(integer && at_ - digits <= 15 && (number || !negative)))
        return Value::number(negative ? -number : number);
    if (at_ != end_ && *at_ == '.') {
        at_++;
        TRY(skipDigits("Unterminated fractional number"));
    }
    if (at_ != end_ && (*at_ | 32) == 'e') {
        if (++at_ != end_ && (*at_ == '+' || *at_ == '-'))
            at_++;
        TRY(skipDigits("Exponent part is missing a number"));
    }
    double value = parseDouble(digits, at_);
    return Value::number(negative ? -value : value);
}

// ---- strings

template <class Unit> Result JsonParser<Unit>::parseString() {
    const Unit* start = ++at_;
    const Unit* special = skipJsonPlain(start, end_);
    if (LIKELY(special != end_ && *special == '"')) {
        at_ = special + 1;
        TRY(vm_.work(u32(special - start) >> 6));
        return Value::string(newString(vm_, start, u32(special - start)));
    }
    return parseEscaped(start, special);
}

/// Known: the string begins at `start`, and `special` is the first unit that is not copied as it is, no quote.
template <class Unit> Result JsonParser<Unit>::parseEscaped(const Unit* start, const Unit* special) {
    StringBuilder text(vm_);
    for (;;) {
        text.appendUnits(source_, u32(start - begin_), u32(special - begin_));
        at_ = special;
        if (at_ == end_)
            return expected("Unterminated string");
        if (*at_ == '"') {
            at_++;
            return Value::string(TRY(text.finish()));
        }
        if (*at_ != '\\')
            return expected("Bad control character in string literal");
        at_++;
        TRY(vm_.work(1));
        TRY(parseEscape(text));
        start = at_;
        special = skipJsonPlain(start, end_);
    }
}

template <class Unit> Completion<void> JsonParser<Unit>::parseEscape(StringBuilder& text) {
    i32 letter = peek();
    static constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    if (letter < 0 || letter > 255)
        return unexpected();
    if (letter == 'u') {
        u32 unit = 0;
        for (int i = 0; i < 4; i++) {
            at_++;
            int digit = at_ != end_ ? hexValue(*at_) : -1;
            if (digit < 0)
                return expected("Bad Unicode escape");
            unit = unit * 16 + u32(digit);
        }
        at_++;
        text.append(char16_t(unit));
        return {};
    }
    size_t which = letter < 128 ? letters.find(char(letter)) : std::string_view::npos;
    if (which == std::string_view::npos)
        return expected("Bad escaped character");
    at_++;
    text.append(char16_t(meanings[which]));
    return {};
}

// ---- containers

template <class Unit> Completion<void> JsonParser<Unit>::open(bool object) {
    at_++;
    TRY(vm_.work(1));
    u32 place = top();
    TRY(push(Value::int32(i32(frame_ << 2 | u32(inObject_) << 1 | u32(following_)))));
    frame_ = place;
    depth_++;
    inObject_ = object;
    following_ = object && depth_ < TemplateDepth && templateHere();
    return {};
}

/// Takes the innermost container off the stack.
template <class Unit> void JsonParser<Unit>::leave() {
    u32 header = u32(stack_.dense()[frame_].asInt());
    stack_.denseLength = frame_;
    if (UNLIKELY(recording_))
        records_.denseLength = records_.length = frame_;
    frame_ = header >> 2;
    inObject_ = header & 2;
    following_ = header & 1;
    depth_--;
    at_++;
}

template <class Unit> Result JsonParser<Unit>::closeArray() {
    u32 count = top() - frame_ - 1;
    Array* array = newArrayFrom(vm_, stack_.dense() + frame_ + 1, count);
    if (UNLIKELY(recording_))
        TRY(recordArray(array));
    leave();
    return Value::object(array);
}

template <class Unit> Result JsonParser<Unit>::closeObject() {
    u32 count = (top() - frame_ - 1) / 2;
    const Value* pairs = stack_.dense() + frame_ + 1;
    bool follows = following_ && templateHere()->count == count;
    Object* object = follows ? makeFromTemplate(pairs, count) : makeFromPairs(pairs, count);
    if (UNLIKELY(recording_))
        TRY(recordObject(object));
    leave();
    return Value::object(object);
}

template <class Unit> Object* JsonParser<Unit>::makeFromTemplate(const Value* pairs, u32 count) {
    Object* object = newObjectWithShape(vm_, templateHere());
    for (u32 i = 0; i < count; i++)
        object->slot(i) = pairs[2 * i + 1];
    return object;
}

/// Of equal keys the first gives the place and the last the value.
template <class Unit> Object* JsonParser<Unit>::makeFromPairs(const Value* pairs, u32 count) {
    Object* prototype = vm_.realm->intrinsic(vm_, Intrinsic::ObjectPrototype);
    Object* object = newObject(vm_, prototype, u8(count < 8 ? count : 8));
    for (u32 i = 0; i < count; i++)
        defineDirect(vm_, object, PropertyKey::fromBits(pairs[2 * i].bits()), pairs[2 * i + 1], AllAttributes);
    Shape* shape = shapeOf(vm_, object);
    if (depth_ < TemplateDepth && shape->count == count && isTemplate(shape))
        templateHere() = shape;
    return object;
}

/// Gives `value` to the innermost container and reads what follows: true if that ends the container, which is then in
/// `closed`; false if a value follows.
template <class Unit> Completion<bool> JsonParser<Unit>::next(Value value, Value& closed) {
    TRY(vm_.work(1));
    TRY(push(value));
    skipWhite();
    i32 unit = peek();
    if (!inObject_) {
        if (unit == ']') {
            closed = TRY(closeArray());
            return true;
        }
        if (unit != ',')
            return expected("Expected ',' or ']' after array element");
        at_++;
        return false;
    }
    if (unit == '}') {
        closed = TRY(closeObject());
        return true;
    }
    if (unit != ',')
        return expected("Expected ',' or '}' after property value");
    at_++;
    skipWhite();
    TRY(parseKey(false));
    return false;
}

/// The key and its colon.
template <class Unit> Completion<void> JsonParser<Unit>::parseKey(bool first) {
    if (UNLIKELY(peek() != '"'))
        return expected(first ? "Expected property name or '}'" : "Expected double-quoted property name");
    if (!following_ || !followsTemplate()) {
        following_ = false;
        PropertyKey key = TRY(parseNewKey());
        TRY(push(Value::fromBits(key.bits())));
    } else {
        u32 slot = (top() - frame_ - 1) / 2;
        TRY(push(Value::fromBits(entryAt(templateHere(), slot).key)));
    }
    skipWhite();
    if (UNLIKELY(peek() != ':'))
        return first ? expected("Expected ':' after property name") : unexpected();
    at_++;
    return {};
}

/// Reads the key if it is the one that the template says comes now.
template <class Unit> bool JsonParser<Unit>::followsTemplate() {
    Shape* shape = templateHere();
    u32 slot = (top() - frame_ - 1) / 2;
    if (slot >= shape->count)
        return false;
    const String* key = PropertyKey::fromBits(entryAt(shape, slot).key).asAtom();
    if (size_t(end_ - at_) < size_t(key->length) + 2 || at_[key->length + 1] != '"'
        || !equalText(at_ + 1, key->latin1(), key->length))
        return false;
    at_ += key->length + 2;
    return true;
}

template <class Unit> Completion<PropertyKey> JsonParser<Unit>::parseNewKey() {
    const Unit* start = at_ + 1;
    const Unit* special = skipJsonPlain(start, end_);
    if (LIKELY(special != end_ && *special == '"')) {
        at_ = special + 1;
        return keyFromAtom(intern(vm_, start, u32(special - start)));
    }
    String* text = TRY(parseEscaped(start, special)).asString();
    return keyFromAtom(TRY(internString(vm_, text)));
}

// ---- records

template <class Unit> Completion<void> JsonParser<Unit>::recordPrimitive(Value value, const Unit* begin) {
    String* text = TRY(substring(vm_, source_, u32(begin - begin_), u32(at_ - begin_)));
    Value parts[] = {value, Value::string(text)};
    record_ = Value::object(newArrayFrom(vm_, parts, 2));
    return {};
}

template <class Unit> Completion<void> JsonParser<Unit>::recordArray(Object* array) {
    u32 first = frame_ + 1, count = top() - first;
    Array* record = newArray(vm_, count + 1);
    TRY(pushDense(vm_, record->elements_, Value::object(array)));
    for (u32 i = 0; i < count; i++)
        TRY(pushDense(vm_, record->elements_, records_.dense()[first + i]));
    record_ = Value::object(record);
    return {};
}

/// Of equal keys the last counts.
template <class Unit> Completion<void> JsonParser<Unit>::recordObject(Object* object) {
    Object* entries = newObject(vm_, nullptr);
    for (u32 i = frame_ + 1; i < top(); i += 2)
        defineDirect(
            vm_, entries, PropertyKey::fromBits(stack_.dense()[i].bits()), records_.dense()[i + 1], AllAttributes);
    Value parts[] = {Value::object(object), Value::object(entries)};
    record_ = Value::object(newArrayFrom(vm_, parts, 2));
    return {};
}

// ---- errors

template <class Unit> Threw JsonParser<Unit>::expected(std::string_view text) {
    std::string message = std::string(text) + " in JSON at position " + std::to_string(at_ - begin_);
    if (text.ends_with("JSON"))
        message.erase(text.size(), sizeof " in JSON" - 1);
    return throwText(vm_, Intrinsic::SyntaxErrorPrototype, message);
}

template <class Unit> Threw JsonParser<Unit>::unexpected() {
    if (at_ == end_)
        return throwText(vm_, Intrinsic::SyntaxErrorPrototype, "Unexpected end of JSON input");
    if (*at_ == '-' || digitValue(*at_) >= 0)
        return expected("Unexpected number");
    if (*at_ == '"')
        return expected("Unexpected string");
    return vm_.throwValue(Value::object(newError(vm_, Intrinsic::SyntaxErrorPrototype, unexpectedMessage())));
}

/// The unit that may not stand here, with up to ten units around it.
template <class Unit> String* JsonParser<Unit>::unexpectedMessage() {
    constexpr u32 context = 10;
    u32 position = u32(at_ - begin_), length = source_->length;
    StringBuilder text(vm_);
    for (std::string_view value : {"[object Object]", "NaN", "Infinity", "undefined"}) {
        if (value.size() == length && equalText(begin_, reinterpret_cast<const u8*>(value.data()), length)) {
            text.append(u'"');
            text.append(source_);
            text.appendAscii("\" is not valid JSON");
            return finished(vm_, text);
        }
    }
    bool isShort = length <= 2 * context;
    bool cutBefore = !isShort && position >= context, cutAfter = !isShort && position + context < length;
    text.appendAscii("Unexpected token '");
    text.append(char16_t(*at_));
    text.appendAscii(cutBefore ? "', ...\"" : "', \"");
    text.appendUnits(source_, cutBefore ? position - context : 0, cutAfter ? position + context : length);
    text.appendAscii(cutAfter ? "\"... is not valid JSON" : "\" is not valid JSON");
    return finished(vm_, text);
}

}

template <class Unit> static Result parseWith(JsonParser<Unit> parser, Value* record, u32* errorAt) {
    Result value = parser.parse();
    if (value.threw()) {
        if (errorAt)
            *errorAt = parser.place();
        return value;
    }
    if (record)
        *record = parser.record();
    return value;
}

Result parseJson(Vm& vm, String* source, Value* record, u32* errorAt) {
    if (source->isWide())
        return parseWith(JsonParser<char16_t>(vm, source, source->wide(), record), record, errorAt);
    return parseWith(JsonParser<u8>(vm, source, source->latin1(), record), record, errorAt);
}

}
