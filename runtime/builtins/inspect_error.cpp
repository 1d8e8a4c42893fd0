// Errors: the stack with its head made to tell the class, frames shared with the cause left out, then the properties.
#include "runtime/builtins/inspect_state.h"
#include <algorithm>

namespace scr {

static constexpr std::string_view FrameStart = "\n    at";

static Completion<bool> isErrorValue(Vm& vm, Value value) {
    if (!value.isObject())
        return false;
    if (kindOf(value.asObject()) == Kind::Error)
        return true;
    return instanceOf(vm, value, Value::object(vm.realm->intrinsic(vm, Intrinsic::Error)));
}

/// error.stack as text, or what Error.prototype.toString makes of an error without one.
Completion<std::string> Inspector::stackOf(Object* error) {
    Value stack = TRY(get(vm_, error, KEY(vm_, stack)));
    if (!toBoolean(stack)) {
        Object* prototype = vm_.realm->intrinsic(vm_, Intrinsic::ErrorPrototype);
        Value method = TRY(get(vm_, prototype, KEY(vm_, toString)));
        stack = TRY(call(vm_, method, Value::object(error)));
    }
    return TRY(textOf(stack));
}

/// Of name, message and stack those that the stack's text tells anyway.
Completion<void> Inspector::removeShownKeys(Object* error, std::string_view stack, ObjectForm& form) {
    if (options_.showHidden || form.keys->length() == 0)
        return {};
    for (String* name : {vm_.names.name, vm_.names.message, vm_.names.stack}) {
        Elements& keys = form.keys->elements_;
        Value* end = keys.dense() + keys.denseLength;
        Value* place = std::find(keys.dense(), end, Value::string(name));
        if (place == end)
            continue;
        std::string text = TRY(textOf(TRY(get(vm_, error, keyOf(name)))));
        if (stack.find(text) == stack.npos)
            continue;
        std::copy(place + 1, end, place);
        keys.length = --keys.denseLength;
    }
    return {};
}

/// Shows a property although it is not enumerable.
Completion<void> Inspector::addHiddenKey(Object*, PropertyKey key, ObjectForm& form) {
    Elements& keys = form.keys->elements_;
    Value name = keyToValue(vm_, key);
    for (u32 i = 0; i < keys.denseLength; i++)
        if (keys.dense()[i] == name)
            return {};
    return pushDense(vm_, keys, name);
}

/// What a SuppressedError joins, in its own names: `error` and `suppressed`.
Completion<void> Inspector::addSuppressed(Object* error, ObjectForm& form) {
    PropertyKey keys[] = {keyOf(internAscii(vm_, "error")), keyOf(internAscii(vm_, "suppressed"))};
    for (PropertyKey key : keys)
        if (!TRY(hasOwnProperty(vm_, error, key)))
            return {};
    for (PropertyKey key : keys)
        TRY(addHiddenKey(error, key, form));
    return {};
}

// ---- the head

/// "TypeError [X-Y]" from a text that begins "TypeError [X-Y]: message" or goes on with frames: a capital, then such
/// characters, then a colon or a line that begins a frame; else the whole text if it is one word ending in Error.
static std::string_view headOf(std::string_view stack) {
    auto isLetter = [](char c) { return unsigned(c | 32) - 'a' < 26; };
    auto isDigit = [](char c) { return unsigned(c) - '0' < 10; };
    auto isHead = [&](char c) {
        return isLetter(c) || isDigit(c) || std::string_view("_ []()-").find(c) != std::string_view::npos;
    };
    if (!stack.empty() && unsigned(stack[0]) - 'A' < 26) {
        size_t end = 1;
        while (end < stack.size() && isHead(stack[end]))
            end++;
        if (end > 1 && end < stack.size() && (stack[end] == ':' || stack.substr(end).starts_with(FrameStart)))
            return stack.substr(0, end);
    }
    bool oneWord = std::all_of(
        stack.begin(), stack.end(), [&](char c) { return isLetter(c) || isDigit(c) || c == '_' || c == '-'; });
    return oneWord && stack.ends_with("Error") ? stack : std::string_view();
}

/// A stack that begins with the error's name is made to begin with its class; others are left alone.
static std::string withClass(
    std::string stack, const ClassLabel& constructor, const std::string& name, std::string prefix) {
    size_t length = name.size();
    if (!constructor) {
        length = headOf(stack).size();
    } else {
        bool regular = name.ends_with("Error") && stack.starts_with(name)
            && (stack.size() == length || stack[length] == ':' || stack[length] == '\n');
        if (!regular)
            return stack;
    }
    prefix.pop_back(); // the space
    if (name == prefix)
        return stack;
    if (prefix.find(name) == prefix.npos)
        return prefix + " [" + name + "]" + stack.substr(std::min(length, stack.size()));
    return length == 0 ? prefix + ": " + stack : prefix + stack.substr(length);
}

/// Where to look for frames from: behind the message, which may contain anything.
Completion<size_t> Inspector::endOfMessage(Object* error, std::string_view stack) {
    Value message = TRY(get(vm_, error, KEY(vm_, message)));
    if (!toBoolean(message))
        return size_t(0);
    std::string text = TRY(textOf(message));
    size_t place = stack.find(text);
    if (place == stack.npos || place == 0)
        return size_t(0);
    if (message.isString())
        return place + text.size();
    Value length = TRY(getOf(vm_, message, KEY(vm_, length)));
    bool counts = length.isNumber() && length.asNumber() >= 0 && length.asNumber() < double(stack.size() - place);
    return counts ? place + size_t(length.asNumber()) : size_t(0);
}

// ---- frames

std::vector<std::string> stackLines(std::string_view text) {
    std::vector<std::string> lines;
    for (;;) {
        size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        if (end == text.npos)
            return lines;
        text.remove_prefix(end + 1);
    }
}

SharedRun findSharedRun(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    for (size_t i = 0; i + 3 < a.size(); i++) {
        size_t place = size_t(std::find(b.begin(), b.end(), a[i]) - b.begin());
        if (b.size() - place <= 3)
            continue;
        size_t length = 1, most = std::min(a.size() - i, b.size() - place);
        while (length < most && a[i + length] == b[place + length])
            length++;
        if (length > 3)
            return {length, i};
    }
    return {};
}

void cutSharedRun(std::vector<std::string>& frames, SharedRun run, std::string note) {
    auto first = frames.begin() + std::ptrdiff_t(run.offset) + 1;
    *first = std::move(note);
    frames.erase(first + 1, first + std::ptrdiff_t(run.length - 2));
}

/// Leaves out the frames that the cause will show.
Completion<void> Inspector::shortenFrames(Object* error, std::vector<std::string>& frames) {
    auto cause = get(vm_, error, KEY(vm_, cause));
    if (cause.threw() && vm_.terminating())
        return Threw{};
    if (cause.threw() || !TRY(isErrorValue(vm_, cause.value())))
        return {};
    std::string stack = TRY(stackOf(cause.value().asObject()));
    size_t start = stack.find(FrameStart);
    if (start == stack.npos)
        return {};
    SharedRun run = findSharedRun(frames, stackLines(std::string_view(stack).substr(start + 1)));
    if (!run.length)
        return {};
    std::string note;
    style("    ... " + std::to_string(run.length - 2) + " lines matching cause stack trace ...", TextStyle::Undefined,
        note);
    cutSharedRun(frames, run, std::move(note));
    return {};
}

// ---- all of it

Completion<void> Inspector::describeError(Object* error, ObjectForm& form) {
    Value nameValue = TRY(get(vm_, error, KEY(vm_, name)));
    std::string name = nameValue.isNullish() ? "Error" : TRY(textOf(nameValue));
    std::string stack = TRY(stackOf(error));
    TRY(removeShownKeys(error, stack, form));
    if (TRY(hasProperty(vm_, error, KEY(vm_, cause))))
        TRY(addHiddenKey(error, KEY(vm_, cause), form));
    if (TRY(isArray(vm_, TRY(get(vm_, error, KEY(vm_, errors))))))
        TRY(addHiddenKey(error, KEY(vm_, errors), form));
    TRY(addSuppressed(error, form));
    std::string fallback(form.constructor ? "Error" : headOf(stack));
    stack = withClass(
        stack, form.constructor, name, prefix(form.constructor, form.tag, fallback.empty() ? "Error" : fallback));
    size_t start = stack.find(FrameStart, TRY(endOfMessage(error, stack)));
    std::string text;
    if (start == stack.npos) {
        text = "[" + stack + "]";
    } else {
        std::vector<std::string> frames = stackLines(std::string_view(stack).substr(start + 1));
        TRY(shortenFrames(error, frames));
        text = stack.substr(0, start);
        for (const std::string& frame : frames)
            (text += '\n') += frame;
    }
    for (char c : text) {
        form.base += c;
        if (c == '\n')
            appendIndentation(form.base);
    }
    return {};
}

}
