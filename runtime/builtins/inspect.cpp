// Inspection of any value: what comes first, which kind of text an object gets, cycles, depth. The steps and their
// order are those of Node's util.inspect, because scripts can see them (custom inspection, tags, names).
#include "runtime/builtins/inspect.h"
#include "runtime/base/text_width.h"
#include "runtime/builtins/array_support.h"
#include "runtime/builtins/class_name.h"
#include "runtime/builtins/collection_iterator.h"
#include "runtime/builtins/date.h"
#include "runtime/builtins/date_math.h"
#include "runtime/builtins/inspect_state.h"
#include "runtime/core/module_namespace.h"
#include "runtime/core/proxy.h"
#include <algorithm>

namespace scr {

// ---- any value

Completion<void> Inspector::formatValue(Value value, int depth, std::string& out) {
    if (UNLIKELY(styleFailed_))
        return Threw{};
    if (!value.isObject())
        return formatPrimitive(value, true, out);
    Object* object = value.asObject();
    // Every level is copied and measured again by the levels above: Node's stack ends about here too.
    constexpr int mostLevels = 1000;
    if (vm_.cStackLow() || depth > mostLevels) {
        overflowed_ = true;
        return vm_.throwStackOverflow();
    }
    TRY(vm_.work(4));
    // A proxy is shown as the object behind it: no trap is called. If that is a proxy too, its traps are.
    if (UNLIKELY(isProxy(object))) {
        auto* proxy = static_cast<ProxyObject*>(object);
        if (!proxy->target) {
            style("<Revoked Proxy>", TextStyle::Special, out);
            return {};
        }
        if (options_.showProxy)
            return formatProxy(proxy, depth, out);
        // So Node says of any proxy of something with a null in front.
        if (TRY(get(vm_, proxy->target, PropertyKey::index(0))).isNull()) {
            style("<Revoked Proxy>", TextStyle::Special, out);
            return {};
        }
        object = proxy->target;
    }
    if (options_.customInspect && TRY(formatCustom(object, value, depth, out)))
        return {};
    if (options_.customInspect && kindOf(object) == Kind::Timeout)
        return formatTimeout(object, out);
    if (formatCircular(object, out))
        return {};
    return formatObject(object, depth, out);
}

/// showProxy: both of its parts.
Completion<void> Inspector::formatProxy(ProxyObject* proxy, int depth, std::string& out) {
    if (tooDeep(depth)) {
        style("Proxy [Array]", TextStyle::Special, out);
        return {};
    }
    Value target = Value::object(proxy->target), handler = Value::object(proxy->handler);
    std::vector<std::string> parts(2);
    indentation_ += 2;
    TRY(formatValue(target, depth + 1, parts[0]));
    TRY(formatValue(handler, depth + 1, parts[1]));
    indentation_ -= 2;
    out += reduce(parts, "", "Proxy [", "]", EntryLayout::Array, depth + 1, nullptr);
    return {};
}

/// An object's own idea of its text, [nodejs.util.inspect.custom](depth, options, inspect). False: it has none.
/// `context` is the object, or the proxy of which it is the target: what the method is called on.
Completion<bool> Inspector::formatCustom(Object* object, Value context, int depth, std::string& out) {
    Value self = Value::object(object);
    Value method = TRY(get(vm_, object, SYMBOL(vm_, inspectCustom)));
    if (LIKELY(!isCallable(method)))
        return false;
    Value inspectFunction = Value::object(vm_.realm->intrinsic(vm_, Intrinsic::Inspect));
    if (method == inspectFunction)
        return false;
    // A prototype has the method for its instances.
    Value constructor = TRY(get(vm_, object, KEY(vm_, constructor)));
    if (toBoolean(constructor) && TRY(getOf(vm_, constructor, KEY(vm_, prototype))) == self)
        return false;
    Value objectConstructor = Value::object(vm_.realm->intrinsic(vm_, Intrinsic::Object));
    bool isOurs = context == self && TRY(ordinaryHasInstance(vm_, objectConstructor, self));
    Object* options = TRY(optionsForScript(isOurs));
    Value remaining =
        options_.depth == HUGE_VAL && options_.depthIsNull() ? Value::null() : Value::number(options_.depth - depth);
    Value result = TRY(call(vm_, method, context, remaining, Value::object(options), inspectFunction));
    if (result == context)
        return false;
    if (!result.isString()) {
        TRY(formatValue(result, depth, out));
        return true;
    }
    for (char c : textWithSurrogates(vm_, result.asString())) {
        out += c;
        if (c == '\n')
            appendIndentation(out);
    }
    return true;
}

/// The number of an object that refers to itself, from 1; 0 if it does not. Known by then: every reference inside it.
u32 Inspector::referenceOf(Object* object) {
    for (u32 i = 0; circular_ && i < circular_->length(); i++)
        if (circular_->elements_.dense()[i] == Value::object(object))
            return i + 1;
    return 0;
}

bool Inspector::formatCircular(Object* object, std::string& out) {
    if (std::find(seen_.begin(), seen_.end(), object) == seen_.end())
        return false;
    u32 number = referenceOf(object);
    if (!number) {
        if (!circular_)
            circular_ = newArray(vm_);
        // Only the memory limit refuses; the run is terminating then.
        (void)pushDense(vm_, circular_->elements_, Value::object(object));
        number = circular_->length();
    }
    style("[Circular *" + std::to_string(number) + "]", TextStyle::Special, out);
    return true;
}

// ---- objects

void Inspector::formatTooDeep(Object* object, const ObjectForm& form, std::string& out) {
    std::string name = classPrefix(object, form);
    name.pop_back();
    style(form.constructor ? "[" + name + "]" : name, TextStyle::Special, out);
}

Completion<void> Inspector::formatObject(Object* object, int depth, std::string& out) {
    constexpr u64 endless = 1u << 27;
    ObjectForm form;
    TRY(describe(object, depth, form));
    if (form.complete) {
        out += form.base;
        return {};
    }
    if (tooDeep(depth)) {
        formatTooDeep(object, form, out);
        return {};
    }
    depth++;
    seen_.push_back(object);
    currentDepth_ = depth;
    u32 indentation = indentation_;
    std::vector<std::string> output;
    if (writeEntries(object, form, depth, output).threw()) {
        if (!overflowed_)
            return Threw{};
        overflowed_ = false;
        seen_.pop_back();
        indentation_ = indentation;
        std::string name = classPrefix(object, form);
        name.pop_back();
        style("[" + name + ": Inspection interrupted prematurely. Maximum call stack size exceeded.]",
            TextStyle::Special, out);
        return {};
    }
    if (u32 number = referenceOf(object)) {
        std::string reference;
        style("<ref *" + std::to_string(number) + ">", TextStyle::Special, reference);
        if (options_.compact == InspectOptions::CompactAll)
            form.open = reference + " " + form.open;
        else
            form.base = form.base.empty() ? reference : reference + " " + form.base;
    }
    seen_.pop_back();
    if (options_.sorted)
        TRY(sortEntries(form, output));
    Object* columnsOf = form.layout == EntryLayout::Array ? object : nullptr;
    std::string text = reduce(output, form.base, form.open, form.close, form.layout, depth, columnsOf);
    if (written_.size() <= indentation_)
        written_.resize(indentation_ + 1);
    if ((written_[indentation_] += unitCount(text)) > endless)
        options_.depth = -1;
    out += text;
    return {};
}

Completion<void> Inspector::writeEntries(
    Object* object, ObjectForm& form, int depth, std::vector<std::string>& output) {
    using Entries = ObjectForm::Entries;
    bool hasConstructor = form.constructor.has_value();
    switch (form.entries) {
    case Entries::None: break;
    case Entries::Array: TRY(formatArray(object, depth, output)); break;
    case Entries::ArrayProxy: TRY(formatArrayProxy(object, depth, output)); break;
    case Entries::TypedArray: TRY(formatTypedArray(object, depth, hasConstructor, output)); break;
    case Entries::Bytes: TRY(formatBytes(object, output)); break;
    case Entries::Collection: TRY(formatCollection(object, depth, hasConstructor, output)); break;
    case Entries::Iterator: TRY(formatIterator(object, depth, output)); break;
    case Entries::Weak: TRY(formatWeak(object, depth, output)); break;
    case Entries::Promise: TRY(formatPromise(object, depth, output)); break;
    }
    EntryLayout extras = form.layout == EntryLayout::Array ? EntryLayout::ArrayExtras : EntryLayout::Object;
    for (u32 i = form.firstKey; i < form.keys->length(); i++) {
        PropertyKey key = TRY(toPropertyKey(vm_, form.keys->elements_.dense()[i]));
        std::string text;
        TRY(formatProperty(form.standIn ? form.standIn : object, depth, key, extras, text));
        output.push_back(std::move(text));
    }
    for (std::string& text : form.prototypeProperties)
        output.push_back(std::move(text));
    return {};
}

/// Everything, or behind the elements of an array the properties alone.
Completion<void> Inspector::sortEntries(const ObjectForm& form, std::vector<std::string>& output) {
    size_t keys = form.keyCount();
    if (form.layout == EntryLayout::Array && keys <= 1)
        return {};
    size_t begin = form.layout == EntryLayout::Array ? output.size() - keys : 0;
    Value comparator = options_.given[size_t(InspectOption::Sorted)];
    if (comparator.isTrue())
        comparator = Value::undefined();
    else if (!isCallable(comparator))
        return throwError(vm_, Error::SortComparator);
    Array* texts = newArray(vm_);
    for (size_t i = begin; i < output.size(); i++)
        TRY(pushDense(vm_, texts->elements_, utf8Value(vm_, output[i])));
    TRY(sortValues(vm_, texts, comparator));
    for (size_t i = begin; i < output.size(); i++)
        output[i] = textWithSurrogates(vm_, texts->elements_.dense()[i - begin].asString());
    return {};
}

// ---- what an object is

/// Symbol.toStringTag, unless it is among the properties shown anyway.
Completion<void> Inspector::readTag(Object* object, ObjectForm& form) {
    PropertyKey key = SYMBOL(vm_, toStringTag);
    Value tag = TRY(get(vm_, object, key));
    if (!tag.isString() || tag.asString()->length == 0)
        return {};
    Lookup own = TRY(ownProperty(vm_, object, key));
    if (!own.found() || !(options_.showHidden || (own.attributes & Enumerable)))
        form.tag = textWithSurrogates(vm_, tag.asString());
    return {};
}

Completion<void> Inspector::describe(Object* object, int depth, ObjectForm& form) {
    bool hidden = options_.showHidden && depth <= options_.depth;
    form.constructor = TRY(constructorName(object, depth, hidden ? &form.prototypeProperties : nullptr));
    TRY(readTag(object, form));
    bool iterable = !form.constructor || TRY(hasProperty(vm_, object, SYMBOL(vm_, iterator)));
    if (iterable && TRY(describeIterable(object, form)))
        return {};
    form.keys = TRY(ownKeysToShow(object));
    return describePlain(object, form);
}

/// A proxy behind a proxy that stands for an array; false: for something else.
Completion<bool> Inspector::describeArrayProxy(Object* proxy, ObjectForm& form) {
    if (!TRY(isArray(vm_, Value::object(proxy))))
        return false;
    std::string size = "(" + TRY(textOf(TRY(get(vm_, proxy, KEY(vm_, length))))) + ")";
    if (form.constructor != "Array" || !form.tag.empty())
        form.open = prefix(form.constructor, form.tag, "Array", size) + "[";
    else
        form.open = "[";
    form.close = "]";
    form.keys = TRY(ownPropertyKeys(vm_, proxy, u8(keyFilter() | NoIndices)));
    form.entries = ObjectForm::Entries::ArrayProxy;
    form.layout = EntryLayout::Array;
    if (size == "(0)" && form.hasNoKeys())
        form.finish(form.open + "]");
    return true;
}

static std::string iteratorBrace(std::string_view type, const std::string& tag, bool entries) {
    std::string plain = std::string(type) + " Iterator";
    std::string shown = std::string(type) + (entries ? " Entries" : " Iterator");
    if (!tag.empty() && tag != plain)
        return "[" + tag + "] [" + shown + "] {";
    return "[" + shown + "] {";
}

/// False: it is none of the collections, whatever it iterates over.
Completion<bool> Inspector::describeIterable(Object* object, ObjectForm& form) {
    using Entries = ObjectForm::Entries;
    auto sized = [&](u32 size) { return "(" + std::to_string(size) + ")"; };
    switch (kindOf(object)) {
    case Kind::Array: {
        u32 length = static_cast<Array*>(object)->length();
        if (form.constructor != "Array" || !form.tag.empty())
            form.open = prefix(form.constructor, form.tag, "Array", sized(length)) + "[";
        else
            form.open = "[";
        form.close = "]";
        form.keys = namesToShow(object);
        form.entries = Entries::Array;
        form.layout = EntryLayout::Array;
        if (length == 0 && form.hasNoKeys())
            form.finish(form.open + "]");
        return true;
    }
    case Kind::Proxy: return describeArrayProxy(object, form);
    case Kind::Set:
    case Kind::Map: {
        bool isMap = kindOf(object) == Kind::Map;
        u32 size = static_cast<Collection*>(object)->table->live();
        std::string name = prefix(form.constructor, form.tag, isMap ? "Map" : "Set", sized(size));
        form.open = name + "{";
        form.keys = TRY(ownKeysToShow(object));
        form.entries = Entries::Collection;
        if (size == 0 && form.hasNoKeys())
            form.finish(form.open + "}");
        return true;
    }
    case Kind::TypedArray: TRY(describeTypedArray(object, form)); return true;
    case Kind::CollectionIterator: {
        auto* iterator = static_cast<CollectionIterator*>(object);
        form.open =
            iteratorBrace(iterator->ofMap ? "Map" : "Set", form.tag, iterator->yields == CollectionIterator::Entries);
        form.keys = TRY(ownKeysToShow(object));
        form.entries = Entries::Iterator;
        return true;
    }
    default: return false;
    }
}

static Completion<bool> isError(Vm& vm, Object* object) {
    if (kindOf(object) == Kind::Error)
        return true;
    Object* errorPrototype = vm.realm->intrinsic(vm, Intrinsic::ErrorPrototype);
    u32 proxiesMet = 0;
    while ((object = TRY(nextPrototype(vm, object, proxiesMet))))
        if (object == errorPrototype)
            return true;
    return false;
}

Completion<void> Inspector::describePlain(Object* object, ObjectForm& form) {
    if (kindOf(object) == Kind::Timeout || kindOf(object) == Kind::Immediate)
        return describeHandle(object, form);
    if (object->isCallable()) {
        TRY(describeFunction(object, form));
        if (form.hasNoKeys()) {
            std::string text;
            style(form.base, TextStyle::Special, text);
            form.finish(text);
        }
    } else if (form.constructor == "Object") {
        if (kindOf(object) == Kind::Arguments)
            form.open = "[Arguments] {";
        else if (!form.tag.empty())
            form.open = prefix(form.constructor, form.tag, "Object") + "{";
        if (form.hasNoKeys())
            form.finish(form.open + "}");
    } else if (kindOf(object) == Kind::Date) {
        double time = static_cast<DateObject*>(object)->time;
        std::string shown = std::isnan(time) ? "Invalid Date" : isoText(time);
        std::string before = prefix(form.constructor, form.tag, "Date");
        form.base = before == "Date " ? shown : before + shown;
        if (form.hasNoKeys()) {
            std::string text;
            style(form.base, TextStyle::Date, text);
            form.finish(text);
        }
    } else if (TRY(isError(vm_, object))) {
        TRY(describeError(object, form));
        if (form.hasNoKeys())
            form.complete = true;
    } else if (kindOf(object) == Kind::ArrayBuffer || kindOf(object) == Kind::SharedArrayBuffer) {
        TRY(describeBuffer(object, form));
    } else if (kindOf(object) == Kind::DataView) {
        TRY(describeDataView(form));
    } else if (isNamespace(object)) {
        form.open = prefix(form.constructor, form.tag, "Module") + "{";
    } else if (kindOf(object) == Kind::Promise) {
        form.open = prefix(form.constructor, form.tag, "Promise") + "{";
        form.entries = ObjectForm::Entries::Promise;
    } else if (kindOf(object) == Kind::WeakMap || kindOf(object) == Kind::WeakSet) {
        std::string_view name = kindOf(object) == Kind::WeakMap ? "WeakMap" : "WeakSet";
        form.open = prefix(form.constructor, form.tag, name) + "{";
        form.entries = ObjectForm::Entries::Weak;
    } else if (kindOf(object) == Kind::PrimitiveWrapper) {
        TRY(describeWrapper(static_cast<PrimitiveWrapper*>(object), form));
        if (form.hasNoKeys())
            form.complete = true;
    } else {
        form.open = classPrefix(object, form) + "{";
        if (form.hasNoKeys())
            form.finish(form.open + "}");
    }
    return {};
}

/// A getter threw, and what it threw is part of the text: as in Node, the objects around the place stay among those
/// that later references are compared with. No C++ frame keeps them alive any more.
void Inspector::abandonSeen(size_t from) {
    for (size_t i = from; i < seen_.size(); i++) {
        if (!abandoned_)
            abandoned_ = newArray(vm_);
        (void)pushDense(vm_, abandoned_->elements_, Value::object(seen_[i])); // only the memory limit refuses
    }
}

// ---- entry points

Completion<void> Inspector::formatAll(Value value, std::string& out) {
    TRY(formatValue(value, 0, out));
    if (styleFailed_)
        return Threw{};
    return {};
}

Completion<void> inspect(Vm& vm, Value value, const InspectOptions& options, std::string& out) {
    Inspector inspector(vm, options);
    return inspector.formatAll(value, out);
}

std::string inspect(Vm& vm, Value value, const InspectOptions& options) {
    std::string text;
    if (!inspect(vm, value, options, text).threw())
        return text;
    return vm.terminating() ? "" : describeForMessage(vm, value);
}

}
