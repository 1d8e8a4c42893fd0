// What stands between the braces: elements, entries of collections, properties.
#include "runtime/builtins/collection_iterator.h"
#include "runtime/builtins/inspect_state.h"
#include "runtime/base/text_width.h"
#include "runtime/core/module_namespace.h"
#include "runtime/core/number.h"
#include "runtime/core/promise.h"
#include "runtime/core/weak.h"
#include <algorithm>

namespace scr {

// ---- keys

static u8 filterFor(const InspectOptions& options) {
    return u8(StringKeys | SymbolKeys | (options.showHidden ? 0 : OnlyEnumerable));
}

/// A proxy behind a proxy is asked as Node does: for symbols, then for strings.
Completion<Array*> Inspector::ownKeysToShow(Object* object) {
    u8 filter = filterFor(options_);
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
Array* Inspector::namesToShow(Object* array) { return ownKeys(vm_, array, u8(filterFor(options_) | NoIndices)); }

u32 Inspector::arrayLimit(double length) const { return u32(std::min(std::max(0.0, options_.maxArrayLength), length)); }

void Inspector::appendMore(double remaining, std::vector<std::string>& output) {
    if (remaining <= 0)
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
    u32 length = static_cast<Array*>(array)->length(), limit = arrayLimit(length);
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

/// The first `limit` enumerable indices from `from` on.
static std::vector<u32> presentIndices(Array* array, u32 from, u32 limit) {
    std::vector<u32> indices;
    Elements& elements = array->elements_;
    if (elements.isSparse()) {
        for (u32 index : sparseIndices(elements))
            if (index >= from && indices.size() < limit && (findSparse(elements, index)->attributes & Enumerable))
                indices.push_back(index);
        return indices;
    }
    for (u32 i = from; i < elements.denseLength && indices.size() < limit; i++)
        if (!elements.dense()[i].isHole())
            indices.push_back(i);
    return indices;
}

/// The rest of an array from its first hole on: runs of holes are one entry.
Completion<void> Inspector::formatHoles(
    Object* array, u32 from, u32 limit, int depth, std::vector<std::string>& output) {
    auto addHoles = [&](u32 count) {
        std::string text;
        style("<" + std::to_string(count) + (count > 1 ? " empty items>" : " empty item>"), TextStyle::Undefined, text);
        output.push_back(std::move(text));
    };
    u32 index = from;
    for (u32 present : presentIndices(static_cast<Array*>(array), from, limit)) {
        if (output.size() >= limit)
            break;
        if (present != index) {
            addHoles(present - index);
            index = present;
            if (output.size() == limit)
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
    if (output.size() != limit)
        addHoles(length - index);
    else
        appendMore(length - index, output);
    return {};
}

// ---- collections

Completion<void> Inspector::formatSet(Object* set, int depth, bool limited, std::vector<std::string>& output) {
    HashTable* table = static_cast<Collection*>(set)->table;
    u32 size = table->live(), limit = limited ? arrayLimit(size) : size;
    TablePosition position{table, 0};
    indentation_ += 2;
    for (u32 i = 0; i < limit; i++) {
        HashTable::Entry* entry = position.next();
        if (!entry)
            break;
        std::string text;
        TRY(formatValue(entry->key, depth, text));
        output.push_back(std::move(text));
    }
    appendMore(size - limit, output);
    indentation_ -= 2;
    return {};
}

Completion<void> Inspector::formatMap(Object* map, int depth, bool limited, std::vector<std::string>& output) {
    HashTable* table = static_cast<Collection*>(map)->table;
    u32 size = table->live(), limit = limited ? arrayLimit(size) : size;
    TablePosition position{table, 0};
    indentation_ += 2;
    for (u32 i = 0; i < limit; i++) {
        HashTable::Entry* entry = position.next();
        if (!entry)
            break;
        Value value = entry->value;
        std::string text;
        TRY(formatValue(entry->key, depth, text));
        text += " => ";
        TRY(formatValue(value, depth, text));
        output.push_back(std::move(text));
    }
    appendMore(size - limit, output);
    indentation_ -= 2;
    return {};
}

/// The entries, sorted by their text, only with showHidden: which of them are still there is up to the collector.
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
    u32 size = entries->length() / 2, limit = arrayLimit(size);
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
    u32 limit = arrayLimit(0xFFFFFFFF);
    indentation_ += 2;
    while (HashTable::Entry* entry = position.table ? position.next() : nullptr) {
        if (output.size() == limit) {
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
        style(toUtf8(vm_, name), TextStyle::Name, out);
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
    bool breaks = options_.compact == InspectOptions::CompactAll && !own.isAccessor()
        && options_.breakLength < double(visibleColumns(text));
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
    auto result = call(vm_, getter, Value::object(receiver));
    std::string begin = "[" + std::string(label);
    if (result.threw() && vm_.terminating())
        return Threw{};
    if (!result.threw() && result.value().isObject() && !isCallable(result.value())) {
        style(begin + "]", TextStyle::Special, out);
        out += ' ';
        indentation_ += 2;
        TRY(formatValue(result.value(), depth, out));
        indentation_ -= 2;
        return {};
    }
    style(begin + ":", TextStyle::Special, out);
    out += ' ';
    if (result.threw()) {
        Value error = vm_.pendingException;
        Value message = error.isNullish() ? error : TRY(getOf(vm_, error, KEY(vm_, message)));
        out += "<Inspection threw (" + TRY(textOf(message)) + ")>";
    } else {
        indentation_ += 2;
        if (result.value().isObject())
            out += describeForMessage(vm_, result.value());
        else
            TRY(formatPrimitive(result.value(), true, out));
        indentation_ -= 2;
    }
    style("]", TextStyle::Special, out);
    return {};
}

}
