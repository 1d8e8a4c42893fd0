// What stands between the braces: elements, entries of collections, properties.
#include "runtime/base/text_width.h"
#include "runtime/builtins/collection_iterator.h"
#include "runtime/builtins/inspect_state.h"
#include "runtime/builtins/iteration.h"
#include "runtime/core/module_namespace.h"
#include "runtime/core/number.h"
#include "runtime/core/promise.h"
#include "runtime/core/weak.h"
#include <algorithm>

namespace scr {

Result map_entries(Vm& vm, Args args);
Result set_values(Vm& vm, Args args);

// ---- keys

/// A proxy behind a proxy is asked as Node does: for symbols, then for strings.
Completion<Array*> Inspector::ownKeysToShow(Object* object) {
    u8 filter = keyFilter();
    if (LIKELY(!isProxy(object)))
        return ownKeys(vm_, object, filter);
    Array* symbols = TRY(ownPropertyKeys(vm_, object, SymbolKeys));
    Array* keys = TRY(ownPropertyKeys(vm_, object, u8(filter & ~SymbolKeys)));
    for (u32 i = 0; i < symbols->length(); i++) {
        Value symbol = symbols->elements_.dense()[i];
        Lookup own = TRY(ownProperty(vm_, object, PropertyKey::symbol(symbol.asSymbol())));
        if (options_.showHidden || (own.found() && (own.attributes & Enumerable)))
            TRY(pushDense(vm_, keys->elements_, symbol));
    }
    return keys;
}

/// Those of an array that are no indices.
Array* Inspector::namesToShow(Object* array) { return ownKeys(vm_, array, u8(keyFilter() | NoIndices)); }

/// How many entries are shown, as JavaScript's Math.min works it out: NaN for what is no number.
double Inspector::arrayLimit(double length) const {
    double most = options_.maxArrayLength;
    return most != most || length != length ? std::nan("") : std::min(std::max(0.0, most), length);
}

void Inspector::appendMore(double remaining, std::vector<std::string>& output) {
    if (!(remaining > 0))
        return;
    NumberBuffer buffer;
    output.push_back(
        "... " + std::string(numberText(remaining, buffer)) + (remaining > 1 ? " more items" : " more item"));
}

// ---- arrays

Completion<void> Inspector::formatElement(Object* array, int depth, PropertyKey key, std::string& out) {
    return formatProperty(array, depth, key, EntryLayout::Array, out);
}

Completion<void> Inspector::formatArray(Object* array, int depth, std::vector<std::string>& output) {
    u32 length = static_cast<Array*>(array)->length();
    double limit = arrayLimit(length);
    for (u32 i = 0; i < limit; i++) {
        if (!getOwnProperty(vm_, array, PropertyKey::index(i)).found())
            return formatHoles(array, i, limit, depth, output);
        std::string text;
        TRY(formatElement(array, depth, PropertyKey::index(i), text));
        output.push_back(std::move(text));
    }
    appendMore(length - limit, output);
    return {};
}

/// As Node goes through an array whose traps it calls.
Completion<void> Inspector::formatArrayProxy(Object* proxy, int depth, std::vector<std::string>& output) {
    double length = TRY(toNumber(vm_, TRY(get(vm_, proxy, KEY(vm_, length))))), limit = arrayLimit(length);
    u32 i = 0;
    for (; i < limit; i++) {
        PropertyKey key = PropertyKey::index(i);
        if (!TRY(hasOwnProperty(vm_, proxy, key)))
            break;
        std::string text;
        TRY(formatElement(proxy, depth, key, text));
        output.push_back(std::move(text));
    }
    if (i >= limit) {
        appendMore(length - i, output);
        return {};
    }
    // Behind the first hole the keys tell where there is something.
    Array* keys = TRY(ownPropertyKeys(vm_, proxy, StringKeys | OnlyEnumerable));
    double index = i;
    for (; i < keys->length() && double(output.size()) < limit; i++) {
        PropertyKey key = TRY(toPropertyKey(vm_, keys->elements_.dense()[i]));
        if (!key.isIndex())
            break;
        if (index != key.asIndex()) {
            output.push_back(holesText(key.asIndex() - index));
            index = key.asIndex();
            if (double(output.size()) == limit)
                break;
        }
        std::string text;
        TRY(formatElement(proxy, depth, key, text));
        output.push_back(std::move(text));
        index++;
    }
    if (double(output.size()) == limit)
        appendMore(length - index, output);
    else if (length > index)
        output.push_back(holesText(length - index));
    return {};
}

std::string Inspector::holesText(double count) {
    NumberBuffer buffer;
    std::string text;
    std::string holes = "<" + std::string(numberText(count, buffer)) + (count > 1 ? " empty items>" : " empty item>");
    style(holes, TextStyle::Undefined, text);
    return text;
}

/// The first `limit` enumerable indices from `from` on.
static std::vector<u32> presentIndices(Array* array, u32 from, double limit) {
    std::vector<u32> indices;
    Elements& elements = array->elements_;
    if (elements.isSparse()) {
        for (u32 index : sparseIndices(elements))
            if (index >= from && double(indices.size()) < limit
                && (findSparse(elements, index)->attributes & Enumerable))
                indices.push_back(index);
        return indices;
    }
    for (u32 i = from; i < elements.denseLength && double(indices.size()) < limit; i++)
        if (!elements.dense()[i].isHole())
            indices.push_back(i);
    return indices;
}

/// The rest of an array from its first hole on: runs of holes are one entry.
Completion<void> Inspector::formatHoles(
    Object* array, u32 from, double limit, int depth, std::vector<std::string>& output) {
    auto addHoles = [&](u32 count) { output.push_back(holesText(count)); };
    u32 index = from;
    for (u32 present : presentIndices(static_cast<Array*>(array), from, limit)) {
        if (double(output.size()) >= limit)
            break;
        if (present != index) {
            addHoles(present - index);
            index = present;
            if (double(output.size()) == limit)
                break;
        }
        std::string text;
        TRY(formatElement(array, depth, PropertyKey::index(present), text));
        output.push_back(std::move(text));
        index++;
    }
    u32 length = static_cast<Array*>(array)->length();
    if (index >= length)
        return {};
    if (double(output.size()) != limit)
        addHoles(length - index);
    else
        appendMore(length - index, output);
    return {};
}

// ---- collections

Completion<double> Inspector::sizeOf(Object* collection) {
    Value size = TRY(get(vm_, collection, KEY(vm_, size)));
    return size.isUndefined() ? std::nan("") : TRY(toNumber(vm_, size));
}

Completion<std::string> Inspector::entryText(Value key, Value value, bool pair, int depth) {
    std::string text;
    TRY(formatValue(key, depth, text));
    if (pair) {
        text += " => ";
        TRY(formatValue(value, depth, text));
    }
    return text;
}

Completion<bool> iteratesPlainly(Vm& vm, Object* collection, std::string_view name) {
    Value method = TRY(get(vm, collection, SYMBOL(vm, iterator)));
    if (!isCallable(method))
        return throwText(vm, Intrinsic::TypeErrorPrototype, std::string(name) + " is not iterable");
    if (kindOf(method.asObject()) != Kind::NativeFunction)
        return false;
    NativeCode code = static_cast<NativeFunction*>(method.asObject())->code;
    return code == (kindOf(collection) == Kind::Map ? map_entries : set_values);
}

/// A class may iterate over something else, and may say that its size is another: Node believes both. Without a
/// prototype there is no size, and no limit.
Completion<void> Inspector::formatCollection(
    Object* collection, int depth, bool hasConstructor, std::vector<std::string>& output) {
    bool pairs = kindOf(collection) == Kind::Map;
    double size = hasConstructor ? TRY(sizeOf(collection)) : std::nan("");
    double limit = arrayLimit(size);
    indentation_ += 2;
    if (hasConstructor && !TRY(iteratesPlainly(vm_, collection, "value"))) {
        TRY(formatIterated(collection, pairs, limit, depth, output));
    } else {
        TablePosition position{static_cast<Collection*>(collection)->table, 0};
        for (u32 i = 0; !(i >= limit); i++) {
            HashTable::Entry* entry = position.next();
            if (!entry)
                break;
            output.push_back(TRY(entryText(entry->key, pairs ? entry->value : Value::undefined(), pairs, depth)));
        }
    }
    appendMore(size - limit, output);
    indentation_ -= 2;
    return {};
}

Completion<void> Inspector::formatIterated(
    Object* collection, bool pairs, double limit, int depth, std::vector<std::string>& output) {
    IteratorRecord record = TRY(iteratorOf(vm_, Value::object(collection)));
    TRY(requireNext(vm_, record));
    Value item;
    for (u32 i = 0; TRY(iteratorStep(vm_, record, item)); i++) {
        TRY(vm_.work(1));
        if (i >= limit)
            return iteratorClose(vm_, record.iterator);
        auto text = iteratedText(item, pairs, depth);
        if (text.threw())
            return iteratorCloseThrow(vm_, record.iterator);
        output.push_back(std::move(text.value()));
    }
    return {};
}

Completion<std::string> Inspector::iteratedText(Value item, bool pair, int depth) {
    if (!pair)
        return entryText(item, Value::undefined(), false, depth);
    if (item.isNullish()) // in Node's words
        return throwText(vm_, Intrinsic::TypeErrorPrototype,
            std::string("Cannot destructure property '0' of '.for' as it is ")
                + (item.isNull() ? "null." : "undefined."));
    Value key = TRY(getOf(vm_, item, PropertyKey::index(0)));
    return entryText(key, TRY(getOf(vm_, item, PropertyKey::index(1))), true, depth);
}

Completion<void> Inspector::formatPromise(Object* object, int depth, std::vector<std::string>& output) {
    auto* promise = static_cast<Promise*>(object);
    std::string text;
    if (promise->state == PromiseState::Pending) {
        style("<pending>", TextStyle::Special, text);
    } else {
        if (promise->state == PromiseState::Rejected) {
            style("<rejected>", TextStyle::Special, text);
            text += " ";
        }
        indentation_ += 2;
        TRY(formatValue(promise->result, depth, text));
        indentation_ -= 2;
    }
    output.push_back(std::move(text));
    return {};
}

Completion<void> Inspector::formatWeak(Object* object, int depth, std::vector<std::string>& output) {
    if (!options_.showHidden) {
        std::string text;
        style("<items unknown>", TextStyle::Special, text);
        output.push_back(std::move(text));
        return {};
    }
    bool isMap = kindOf(object) == Kind::WeakMap;
    WeakTable* table = static_cast<WeakCollection*>(object)->table;
    Array* entries = newArray(vm_);
    for (u32 i = 0; table && i < table->capacity; i++) {
        const WeakEntry& entry = table->entries[i];
        if (entry.key <= WeakTable::Deleted)
            continue;
        TRY(pushDense(vm_, entries->elements_, Value::fromBits(entry.key)));
        TRY(pushDense(vm_, entries->elements_, Value::fromBits(entry.value)));
    }
    u32 size = entries->length() / 2;
    double limit = arrayLimit(size);
    indentation_ += 2;
    for (u32 i = 0; i < limit; i++) {
        std::string text;
        TRY(formatValue(entries->elements_.dense()[i * 2], depth, text));
        if (isMap) {
            text += " => ";
            TRY(formatValue(entries->elements_.dense()[i * 2 + 1], depth, text));
        }
        output.push_back(std::move(text));
    }
    std::sort(output.begin(), output.end());
    indentation_ -= 2;
    appendMore(size - limit, output);
    return {};
}

/// What the iterator has not yielded yet; it does not move.
Completion<void> Inspector::formatIterator(Object* object, int depth, std::vector<std::string>& output) {
    auto* iterator = static_cast<CollectionIterator*>(object);
    auto yields = iterator->yields;
    bool ofMap = iterator->ofMap;
    TablePosition position = iterator->position;
    double remaining = 0;
    double limit = arrayLimit(HUGE_VAL);
    indentation_ += 2;
    while (HashTable::Entry* entry = position.table ? position.next() : nullptr) {
        if (double(output.size()) >= limit) {
            remaining++;
            continue;
        }
        Value key = entry->key, second = ofMap ? entry->value : key;
        std::string text;
        if (yields == CollectionIterator::Entries) {
            std::vector<std::string> pair(2);
            TRY(formatValue(key, depth, pair[0]));
            TRY(formatValue(second, depth, pair[1]));
            text = reduce(pair, "", "[", "]", EntryLayout::Array, depth, nullptr);
        } else {
            TRY(formatValue(yields == CollectionIterator::Keys ? key : second, depth, text));
        }
        output.push_back(std::move(text));
    }
    indentation_ -= 2;
    appendMore(remaining, output);
    return {};
}

// ---- properties

static bool isPlainName(const String* name) {
    auto isStart = [](u32 unit) { return (unit | 32) - 'a' < 26 || unit == '_'; };
    if (name->length == 0 || !isStart(name->unit(0)))
        return false;
    for (u32 i = 1; i < name->length; i++)
        if (!isStart(name->unit(i)) && u32(name->unit(i)) - '0' >= 10)
            return false;
    return true;
}

void Inspector::appendKey(PropertyKey key, bool enumerable, std::string& out) {
    std::string text;
    if (key.isSymbol()) {
        Value description = key.asSymbol()->description;
        text = "Symbol(";
        if (description.isString() && description.asString()->data)
            appendEscapedText(description.asString(), text);
        text += ')';
        out += '[';
        style(text, TextStyle::Symbol, out);
        out += ']';
        return;
    }
    String* name = keyToValue(vm_, key).asString();
    if (key == KEY(vm_, proto_)) {
        out += "['__proto__']";
    } else if (!enumerable) {
        out += '[';
        appendEscapedText(name, out);
        out += ']';
    } else if (isPlainName(name)) {
        style(textWithSurrogates(vm_, name), TextStyle::Name, out);
    } else {
        appendQuotedText(name, 0, name->length, text);
        style(text, TextStyle::String, out);
    }
}

/// `receiver` (or the object) is what a getter sees as this.
Completion<void> Inspector::formatProperty(
    Object* object, int depth, PropertyKey key, EntryLayout layout, std::string& out, Object* receiver) {
    if (isNamespace(object) && getOwnProperty(vm_, object, key).isIntercepted()) {
        appendKey(key, true, out);
        out += ": ";
        style("<uninitialized>", TextStyle::Special, out);
        return {};
    }
    Lookup own = TRY(ownProperty(vm_, object, key));
    std::string text;
    TRY(formatPropertyValue(object, own, depth, key, layout, receiver ? receiver : object, text));
    if (layout == EntryLayout::Array) {
        out += text;
        return {};
    }
    appendKey(key, !own.found() || (own.attributes & Enumerable), out);
    // With compact: true a long value begins on a line of its own.
    bool breaks = options_.compact == InspectOptions::CompactAll && layout == EntryLayout::Object && !own.isAccessor()
        && !(own.found() && own.value.isUndefined()) && options_.breakLength < double(visibleColumns(text));
    out += ':';
    out += breaks ? "\n" + std::string(indentation_ + 3, ' ') : " ";
    out += text;
    return {};
}

Completion<void> Inspector::formatPropertyValue(Object* object, const Lookup& own, int depth, PropertyKey key,
    EntryLayout layout, Object* receiver, std::string& out) {
    if (own.isAccessor())
        return formatAccessor(own.value.as<Accessor>(), depth, receiver, out);
    Value value = own.found() ? own.value : TRY(get(vm_, object, key));
    u32 more = options_.compact == InspectOptions::CompactAll && layout == EntryLayout::Object ? 3 : 2;
    indentation_ += more;
    TRY(formatValue(value, depth, out));
    indentation_ -= more;
    return {};
}

Completion<void> Inspector::formatAccessor(const Accessor* accessor, int depth, Object* receiver, std::string& out) {
    using Getters = InspectOptions::Getters;
    bool readable = !accessor->getter.isUndefined(), writable = !accessor->setter.isUndefined();
    if (!readable && !writable)
        style("undefined", TextStyle::Undefined, out);
    else if (!readable)
        style("[Setter]", TextStyle::Special, out);
    else {
        std::string_view label = writable ? "Getter/Setter" : "Getter";
        Getters which = options_.getters;
        if (which == Getters::All || which == (writable ? Getters::WithSetter : Getters::WithoutSetter))
            return formatGetterResult(accessor->getter, label, depth, receiver, out);
        style("[" + std::string(label) + "]", TextStyle::Special, out);
    }
    return {};
}

/// Option getters: what the getter yields, or what it throws.
Completion<void> Inspector::formatGetterResult(
    Value getter, std::string_view label, int depth, Object* receiver, std::string& out) {
    std::string begin = "[" + std::string(label), text;
    size_t seen = seen_.size();
    if (!showGetterResult(getter, begin, depth, receiver, text).threw()) {
        out += text;
        return {};
    }
    if (vm_.terminating())
        return Threw{};
    // As in Node, what the attempt left of indentation and of objects under inspection stays.
    abandonSeen(seen);
    styleFailed_ = overflowed_ = false;
    Value message = TRY(getOf(vm_, vm_.pendingException, KEY(vm_, message)));
    std::string shown = TRY(textOf(message));
    style(begin + ":", TextStyle::Special, out);
    out += " <Inspection threw (" + shown + ")>";
    style("]", TextStyle::Special, out);
    return {};
}

Completion<void> Inspector::showGetterResult(
    Value getter, const std::string& begin, int depth, Object* receiver, std::string& out) {
    Value result = TRY(call(vm_, getter, Value::object(receiver)));
    indentation_ += 2;
    if (isCallable(result)) // Node takes it for a primitive
        return throwText(
            vm_, Intrinsic::TypeErrorPrototype, "Symbol.prototype.toString requires that 'this' be a Symbol");
    bool isObject = result.isObject();
    style(begin + (isObject ? "]" : ":"), TextStyle::Special, out);
    out += ' ';
    TRY(formatValue(result, depth, out));
    if (!isObject)
        style("]", TextStyle::Special, out);
    indentation_ -= 2;
    if (styleFailed_)
        return Threw{};
    return {};
}

}
