// Names and text of captured frames. See stack_frames.h.
#include "runtime/core/stack_frames.h"
#include "runtime/core/operations.h"
#include "runtime/core/proxy.h"
#include "runtime/core/vm.h"
#include <algorithm>

namespace scr {

StackFrame frameOf(const ErrorObject* error, u32 index) {
    const Value* words = error->frames->values + index * StackFrame::Words;
    i32 word = words[1].asInt();
    return {words[0].asObject(), u32(word < 0 ? ~word : word), words[2], word < 0};
}

static FramePlace placeOf(Vm& vm, const StackFrame& frame) {
    FramePlace place;
    if (vm.framePlaceHook && kindOf(frame.callee) == Kind::Function)
        vm.framePlaceHook(vm, frame.callee, frame.word, place);
    return place;
}

bool isTopLevel(Vm& vm, const StackFrame& frame) {
    return frame.self.isNullish() || (frame.self.isObject() && frame.self.asObject() == vm.realm->global);
}

// ---- function names

/// The name that a function was written with.
static std::string writtenName(Vm& vm, Object* function) {
    if (kindOf(function) == Kind::Function) {
        String* name = static_cast<Function*>(function)->info->name;
        return name ? toUtf8(vm, name) : "";
    }
    Value name = kindOf(function) == Kind::NativeFunction ? static_cast<NativeFunction*>(function)->name : Value();
    return name.isString() ? toUtf8(vm, name.asString()) : "";
}

/// The name it has today, if its `name` is a plain string, else the one it was written with.
static std::string debugName(Vm& vm, Object* function) {
    if (function->flags & HasLazyProperties)
        return writtenName(vm, function);
    Lookup own = getOwnProperty(vm, function, PropertyKey::atom(vm.names.name));
    std::string name = own.type == Lookup::Data && own.value.isString() ? toUtf8(vm, own.value.asString()) : "";
    return name.empty() ? writtenName(vm, function) : name;
}

static std::string functionName(Vm& vm, const StackFrame& frame, const FramePlace& place) {
    std::string name = debugName(vm, frame.callee);
    return name.empty() ? place.inferredName : name;
}

std::string functionNameOf(Vm& vm, const StackFrame& frame) {
    FramePlace place = placeOf(vm, frame);
    return place.isScript ? "" : functionName(vm, frame, place);
}

// ---- type names

static bool isClass(const Object* function) {
    return kindOf(function) == Kind::Function && (function->flags & ClassConstructor);
}

/// The name of the constructor behind an object: that of its prototype, else its tag.
static std::string constructorName(Vm& vm, Object* object) {
    std::string name;
    if (Object* prototype = prototypeOf(vm, object)) {
        Lookup found = lookup(vm, prototype, PropertyKey::atom(vm.names.constructor));
        if (found.type == Lookup::Data && found.value.isObject() && found.value.asObject()->isCallable())
            name = writtenName(vm, found.value.asObject());
    }
    if (!name.empty() && name != "Object")
        return name;
    Lookup tag = lookup(vm, object, PropertyKey::symbol(vm.symbols.toStringTag));
    bool tagged = tag.type == Lookup::Data && tag.value.isString() && tag.value.asString()->length;
    return tagged ? toUtf8(vm, tag.value.asString()) : "Object";
}

std::string typeNameOf(Vm& vm, const StackFrame& frame) {
    Value self = frame.self;
    if (frame.constructs() || self.isNullish())
        return "";
    Object* object = propertiesOf(vm, self);
    if (!self.isObject())
        return constructorName(vm, newObject(vm, object, 0));
    if (isProxy(object))
        return "Proxy";
    return object->isCallable() ? "Function" : constructorName(vm, object);
}

// ---- method names

static bool holds(const Lookup& found, const Object* function) {
    if (!found.found() || !found.value.isObject())
        return false;
    return found.value.asObject() == function;
}

/// A property of the holder, data or accessor, is this function.
static bool leadsTo(const Lookup& found, const Object* function) {
    if (!found.isAccessor())
        return holds(found, function);
    Accessor* accessor = found.value.as<Accessor>();
    return accessor->getter == Value::object(function) || accessor->setter == Value::object(function);
}

/// The only property of the nearest object in the chain that has one with this function; else empty.
static std::string searchMethod(Vm& vm, Object* receiver, const Object* function) {
    for (Object* holder = receiver; holder && !isProxy(holder); holder = prototypeOf(vm, holder)) {
        std::vector<PropertyKey> keys;
        ownKeys(vm, holder, StringKeys, keys);
        PropertyKey match;
        for (PropertyKey key : keys) {
            if (key.isIndex() || !leadsTo(getOwnProperty(vm, holder, key), function))
                continue;
            if (!match.isNull())
                return "";
            match = key;
        }
        if (!match.isNull())
            return toUtf8(vm, match.asAtom());
    }
    return "";
}

std::string methodNameOf(Vm& vm, const StackFrame& frame) {
    if (frame.constructs() || frame.self.isNullish())
        return "";
    if (frame.self.isObject() && vm.timerMethodHook)
        if (const char* method = vm.timerMethodHook(frame.self.asObject(), frame.callee))
            return method;
    Object* receiver = propertiesOf(vm, frame.self);
    std::string name = writtenName(vm, frame.callee);
    if (name.starts_with("get ") || name.starts_with("set "))
        name.erase(0, 4);
    if (!name.empty()) {
        auto atom = internString(vm, newUtf8(vm, name));
        if (!atom.threw() && leadsTo(lookup(vm, receiver, keyFromAtom(atom.value())), frame.callee))
            return name;
    }
    return searchMethod(vm, receiver, frame.callee);
}

// ---- text

static bool isIdentifier(const std::string& name) {
    auto isPart = [](char c) { return isalnum(u8(c)) || c == '_' || c == '$' || u8(c) >= 0x80; };
    return !name.empty() && !isdigit(u8(name[0])) && std::all_of(name.begin(), name.end(), isPart);
}

/// The name ends with the method's, as a whole or behind a point.
static bool endsWithMethod(const std::string& name, const std::string& method) {
    return name == method || name.ends_with("." + method);
}

static std::string methodCallText(Vm& vm, const StackFrame& frame, const std::string& name) {
    if (frame.self.isObject() && isClass(frame.self.asObject()) && !name.empty())
        if (std::string className = debugName(vm, frame.self.asObject()); !className.empty() && isIdentifier(name))
            return className + "." + name;
    std::string type = typeNameOf(vm, frame), method = methodNameOf(vm, frame);
    std::string dotted = type.empty() ? "" : type + ".";
    if (name.empty())
        return dotted + (method.empty() ? "<anonymous>" : method);
    std::string text = !name.starts_with(type) && isIdentifier(name) ? dotted + name : name;
    return !method.empty() && !endsWithMethod(name, method) ? text + " [as " + method + "]" : text;
}

std::string frameText(Vm& vm, const StackFrame& frame) {
    FramePlace place = placeOf(vm, frame);
    std::string location = frame.isNative()
        ? "<anonymous>"
        : place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
    if (frame.isCombinator())
        return "async Promise." + writtenName(vm, frame.callee) + " (index " + std::to_string(frame.word) + ")";
    std::string async = frame.isAsync ? "async " : "";
    if (place.isScript)
        return async + location;
    std::string name = functionName(vm, frame, place);
    if (frame.constructs())
        name = "new " + (name.empty() ? "<anonymous>" : name);
    else if (!isTopLevel(vm, frame))
        name = methodCallText(vm, frame, name);
    return async + (name.empty() ? location : name + " (" + location + ")");
}

std::string framesText(Vm& vm, const ErrorObject* error) {
    std::string text;
    for (u32 i = 0; i < frameCountOf(error); i++)
        text += "\n    at " + frameText(vm, frameOf(error, i));
    return text;
}

/// "Name: message" of an error.
static std::string errorHeading(Vm& vm, Object* error) {
    if (DomException* exception = asDomException(Value::object(error))) {
        std::string name = toUtf8(vm, exception->name.asString()), message = toUtf8(vm, exception->message.asString());
        return message.empty() ? name : name + ": " + message;
    }
    auto text = [&](String* name, const char* fallback) {
        Lookup found = lookup(vm, error, PropertyKey::atom(name));
        return found.type == Lookup::Data && found.value.isString() ? toUtf8(vm, found.value.asString())
                                                                    : std::string(fallback);
    };
    std::string name = text(vm.names.name, "Error"), message = text(vm.names.message, "");
    if (static_cast<ErrorObject*>(error)->errorFlags & ErrorCoded)
        name += " [" + text(vm.names.code, "") + "]";
    return message.empty() ? name : name.empty() ? message : name + ": " + message;
}

Value stackText(Vm& vm, Object* object) {
    auto* error = static_cast<ErrorObject*>(object);
    return Value::string(newUtf8(vm, errorHeading(vm, error) + framesText(vm, error)));
}

}
