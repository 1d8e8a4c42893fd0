// What objects are called: constructors, tags, functions and classes, wrapped primitives.
#include "runtime/builtins/class_name.h"
#include "runtime/builtins/inspect_state.h"
#include <algorithm>

namespace scr {

Completion<std::string> Inspector::textOf(Value value) { return textWithSurrogates(vm_, TRY(toString(vm_, value))); }

// ---- constructors

bool isBuiltinName(const String* name) {
    static constexpr std::string_view names[] = {"AggregateError", "Array", "ArrayBuffer", "BigInt", "BigInt64Array",
        "BigUint64Array", "Boolean", "DataView", "Date", "Error", "EvalError", "FinalizationRegistry", "Float32Array",
        "Float64Array", "Function", "Infinity", "Int16Array", "Int32Array", "Int8Array", "Intl", "JSON", "Map", "Math",
        "NaN", "Number", "Object", "Promise", "Proxy", "RangeError", "ReferenceError", "Reflect", "RegExp", "Set",
        "String", "Symbol", "SyntaxError", "TypeError", "URIError", "Uint16Array", "Uint32Array", "Uint8Array",
        "Uint8ClampedArray", "WeakMap", "WeakRef", "WeakSet"};
    return !name->isWide()
        && std::binary_search(std::begin(names), std::end(names),
            std::string_view(reinterpret_cast<const char*>(name->latin1()), name->length));
}

static Completion<bool> isInChain(Vm& vm, Object* object, Object* prototype) {
    u32 proxiesMet = 0;
    while ((object = TRY(nextPrototype(vm, object, proxiesMet))))
        if (object == prototype)
            return true;
    return false;
}

/// Holder's own `constructor`, if it is a function with a name that `instance` is an instance of.
Completion<bool> Inspector::ownConstructorName(Object* holder, Object* instance, std::string& name) {
    Lookup own = TRY(ownProperty(vm_, holder, KEY(vm_, constructor)));
    if (!own.found() || own.isAccessor() || !isCallable(own.value))
        return false;
    Value text = TRY(get(vm_, own.value.asObject(), KEY(vm_, name)));
    if (text.isString() && text.asString()->length == 0)
        return false;
    auto isInstance = instanceOf(vm_, Value::object(instance), own.value);
    if (isInstance.threw() && vm_.terminating())
        return Threw{};
    if (isInstance.threw() || !isInstance.value())
        return false;
    name = TRY(textOf(text));
    return true;
}

Completion<bool> Inspector::isBuiltinPrototype(Object* object) {
    Value constructor = TRY(ownProperty(vm_, object, KEY(vm_, constructor))).dataValue();
    if (!isCallable(constructor))
        return false;
    Value name = TRY(get(vm_, constructor.asObject(), KEY(vm_, name)));
    return name.isString() && isBuiltinName(TRY(flatten(vm_, name.asString())));
}

/// `properties`, if given, gets those of the prototypes (showHidden).
Completion<ClassLabel> Inspector::constructorName(Object* object, int depth, std::vector<std::string>* properties) {
    Object* objectPrototype = vm_.realm->intrinsic(vm_, Intrinsic::ObjectPrototype);
    Object* functionPrototype = vm_.realm->intrinsic(vm_, Intrinsic::FunctionPrototype);
    Object* first = nullptr;
    u32 proxiesMet = 0;
    for (Object* holder = object; holder;) {
        bool wellKnown =
            (holder == objectPrototype || holder == functionPrototype) && TRY(isInChain(vm_, object, holder));
        std::string name = wellKnown ? holder == objectPrototype ? "Object" : "Function" : "";
        if (!wellKnown && !TRY(ownConstructorName(holder, object, name))) {
            bool isFirst = holder == object;
            holder = TRY(nextPrototype(vm_, holder, proxiesMet));
            if (isFirst)
                first = holder;
            continue;
        }
        if (properties && (holder != first || !(wellKnown || TRY(isBuiltinPrototype(holder)))))
            TRY(addPrototypeProperties(object, holder == object || !first ? object : first, depth, *properties));
        return ClassLabel(name);
    }
    if (!first)
        return ClassLabel();
    std::string name = textWithSurrogates(vm_, classNameOf(vm_, object));
    if (tooDeep(depth))
        return ClassLabel(name + " <Complex prototype>");
    ClassLabel inherited = TRY(constructorName(first, depth + 1, properties));
    if (inherited)
        return ClassLabel(name + " <" + *inherited + ">");
    InspectOptions plain = options_;
    plain.set(InspectOption::CustomInspect, Value::boolean(false));
    plain.set(InspectOption::Depth, Value::int32(-1));
    std::string text;
    TRY(inspect(vm_, Value::object(first), plain, text));
    return ClassLabel(name + " <" + text + ">");
}

/// Data properties of up to three prototypes that the object does not hide and that belong to no builtin.
Completion<void> Inspector::addPrototypeProperties(
    Object* main, Object* first, int depth, std::vector<std::string>& output) {
    std::vector<u64> above; // keys of the layers before
    Object* holder = first;
    for (int layer = 0; layer < 3; layer++) {
        if (layer || holder == main) {
            holder = TRY(getPrototypeOf(vm_, holder));
            if (!holder || TRY(isBuiltinPrototype(holder)))
                return {};
        }
        Array* keys = TRY(ownPropertyKeys(vm_, holder, StringKeys | SymbolKeys));
        seen_.push_back(main);
        for (u32 i = 0; i < keys->length(); i++) {
            PropertyKey key = TRY(toPropertyKey(vm_, keys->elements_.dense()[i]));
            bool hidden = std::find(above.begin(), above.end(), key.bits()) != above.end();
            if (key == KEY(vm_, constructor) || hidden || TRY(hasOwnProperty(vm_, main, key)))
                continue;
            Lookup own = TRY(ownProperty(vm_, holder, key));
            if (!own.isAccessor() && isCallable(own.value))
                continue;
            std::string text;
            TRY(formatProperty(holder, depth, key, EntryLayout::Object, text, main));
            output.push_back(options_.colors ? "\x1b[2m" + text + "\x1b[22m" : text);
        }
        seen_.pop_back();
        for (u32 i = 0; i < keys->length(); i++)
            above.push_back(TRY(toPropertyKey(vm_, keys->elements_.dense()[i])).bits());
    }
    return {};
}

// ---- prefixes

/// "Foo(2) [Tag] ": in front of the brace.
std::string Inspector::prefix(
    const ClassLabel& constructor, std::string_view tag, std::string_view fallback, std::string_view size) {
    std::string text;
    if (!constructor) {
        (((text = "[") += fallback) += size) += ": null prototype] ";
        if (!tag.empty() && tag != fallback)
            ((text += "[") += tag) += "] ";
        return text;
    }
    ((text = *constructor) += size) += ' ';
    if (!tag.empty() && tag != *constructor)
        ((text += "[") += tag) += "] ";
    return text;
}

std::string Inspector::classPrefix(Object* object, const ObjectForm& form) {
    std::string fallback;
    if (!form.constructor) {
        fallback = textWithSurrogates(vm_, classNameOf(vm_, object));
        if (fallback == form.tag)
            fallback = "Object";
    }
    return prefix(form.constructor, form.tag, fallback);
}

// ---- functions

Completion<std::string> Inspector::classBase(Object* function, const ObjectForm& form) {
    std::string text = "[class ";
    Value name = TRY(hasOwnProperty(vm_, function, KEY(vm_, name))) ? TRY(get(vm_, function, KEY(vm_, name)))
                                                                    : Value::undefined();
    text += toBoolean(name) ? TRY(textOf(name)) : "(anonymous)";
    if (form.constructor && form.constructor != "Function")
        text += " [" + *form.constructor + "]";
    if (!form.tag.empty() && form.constructor != form.tag)
        text += " [" + form.tag + "]";
    if (!form.constructor)
        return text + " extends [null prototype]]";
    if (Object* parent = TRY(getPrototypeOf(vm_, function))) {
        Value parentName = TRY(get(vm_, parent, KEY(vm_, name)));
        if (toBoolean(parentName))
            text += " extends " + TRY(textOf(parentName));
    }
    return text + "]";
}

Completion<void> Inspector::describeFunction(Object* function, ObjectForm& form) {
    u16 flags = kindOf(function) == Kind::Function ? static_cast<Function*>(function)->info->infoFlags : 0;
    // DOMException is a class in Node, though made of C++ here.
    bool isClass = function == vm_.realm->intrinsics[size_t(Intrinsic::DOMException)];
    if (isClass || (flags & InfoClassConstructor)) {
        form.base = TRY(classBase(function, form));
        return {};
    }
    std::string type = flags & InfoAsync ? "Async" : "";
    type += flags & InfoGenerator ? "GeneratorFunction" : "Function";
    std::string text = "[" + type;
    if (!form.constructor)
        text += " (null prototype)";
    Value name = TRY(get(vm_, function, KEY(vm_, name)));
    if (name.isString() && name.asString()->length == 0)
        text += " (anonymous)";
    else
        text += ": " + TRY(textOf(name));
    text += "]";
    if (form.constructor && form.constructor != type)
        text += " " + *form.constructor;
    if (!form.tag.empty() && form.constructor != form.tag)
        text += " [" + form.tag + "]";
    form.base = text;
    return {};
}

// ---- wrapped primitives

Completion<void> Inspector::describeWrapper(PrimitiveWrapper* wrapper, ObjectForm& form) {
    Value value = wrapper->value;
    std::string type = value.isNumber() ? "Number"
        : value.isString()              ? "String"
        : value.isBoolean()             ? "Boolean"
        : value.isBigInt()              ? "BigInt"
                                        : "Symbol";
    // The units of a string are keys too; they are shown already.
    if (value.isString())
        form.firstKey = std::min(value.asString()->length, form.keys->length());
    std::string text = "[" + type;
    if (!form.constructor)
        text += " (null prototype)";
    else if (*form.constructor != type)
        text += " (" + *form.constructor + ")";
    text += ": ";
    TRY(formatPrimitive(value, false, text));
    text += "]";
    if (!form.tag.empty() && form.constructor != form.tag)
        text += " [" + form.tag + "]";
    if (form.keyCount() != 0) {
        form.base = text;
        return {};
    }
    TextStyle kind = value.isNumber() ? TextStyle::Number
        : value.isString()            ? TextStyle::String
        : value.isBoolean()           ? TextStyle::Boolean
        : value.isBigInt()            ? TextStyle::BigInt
                                      : TextStyle::Symbol;
    style(text, kind, form.base);
    return {};
}

}
