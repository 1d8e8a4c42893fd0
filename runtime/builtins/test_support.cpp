// The natives behind node:test: where a test was written, in whose name code runs, where reports go.
#include "runtime/builtins/console.h"
#include "runtime/builtins/process_support.h"
#include "runtime/core/stack_frames.h"
#include "runtime/loop/event_loop.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace scr {

/// A file by its whole path.
static std::string wholePath(const std::string& name) {
    if (name.starts_with('/'))
        return name;
    char* path = realpath(name.c_str(), nullptr);
    std::string result = path ? path : name;
    std::free(path);
    return result;
}

/// The place of the innermost call in a script that is no module of the program: { file, line, column };
/// undefined if that is no file.
Result test_callerPlace(Vm& vm, Args) {
    ErrorObject* error = newError(vm, Intrinsic::ErrorPrototype, newAscii(vm, ""));
    for (u32 i = 0; i < frameCountOf(error); i++) {
        StackFrame frame = frameOf(error, i);
        FramePlace place;
        if (frame.isNative() || !vm.framePlaceHook)
            continue;
        vm.framePlaceHook(vm, frame.callee, frame.word, place);
        if (place.file.starts_with("node:"))
            continue;
        if (place.file.starts_with('['))
            break; // of no file
        constexpr std::string_view scheme = "file://";
        std::string file = place.file.substr(place.file.starts_with(scheme) ? scheme.size() : 0);
        Object* result = newPlainObject(vm);
        setField(vm, result, "file", utf8Value(vm, wholePath(file)));
        setField(vm, result, "line", Value::number(place.line));
        setField(vm, result, "column", Value::number(place.column));
        return Value::object(result);
    }
    return Value::undefined();
}

/// Of the loop's clock.
Result test_nanoseconds(Vm& vm, Args) { return Value::number(double(vm.loop->nanoseconds())); }

/// (context, function, self, ...arguments): a call whose jobs and timers, and what they start, run in that context.
Result test_callInContext(Vm& vm, Args args) {
    Cell* outer = vm.asyncContext;
    vm.asyncContext = args[0].isObject() ? args[0].asCell() : nullptr;
    Result result = call(vm, args[1], args[2], args.values + 3, args.count > 3 ? args.count - 3 : 0);
    vm.asyncContext = outer;
    return result;
}

/// The context that the running job has; undefined: none.
Result test_context(Vm& vm, Args) {
    return vm.asyncContext ? Value::object(static_cast<Object*>(vm.asyncContext)) : Value::undefined();
}

static Value arrayOfTexts(Vm& vm, const std::vector<std::string>& texts) {
    Array* array = newArray(vm);
    for (const std::string& text : texts)
        if (pushDense(vm, array->elements_, utf8Value(vm, text)).threw())
            break;
    return Value::object(array);
}

/// What the command line says about tests.
Result test_settings(Vm& vm, Args) {
    const TestSettings& tests = vm.loop->tests;
    Object* result = newPlainObject(vm);
    setField(vm, result, "reporters", arrayOfTexts(vm, tests.reporters));
    setField(vm, result, "destinations", arrayOfTexts(vm, tests.destinations));
    setField(vm, result, "patterns", arrayOfTexts(vm, tests.patterns));
    setField(vm, result, "only", Value::boolean(tests.only));
    setField(vm, result, "timeout", Value::number(double(tests.timeLimit)));
    setField(vm, result, "channel", Value::int32(tests.channel));
    bool colors = tests.channel >= 0 ? tests.colors : wantsColors(vm.loop->out);
    setField(vm, result, "colors", Value::boolean(colors));
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    setField(vm, result, "hostname", utf8Value(vm, host));
    setField(vm, result, "isTerminal", Value::boolean(vm.loop->out.isTerminal()));
    return Value::object(result);
}

static void writeAll(int descriptor, std::string_view text) {
    while (!text.empty()) {
        ssize_t length = ::write(descriptor, text.data(), text.size());
        pollfd writable{descriptor, POLLOUT, 0};
        if (length > 0)
            text.remove_prefix(size_t(length));
        else if (errno == EAGAIN)
            poll(&writable, 1, -1);
        else if (errno != EINTR)
            return;
    }
}

/// (descriptor, text)
Result test_write(Vm& vm, Args args) {
    std::string text = toUtf8(vm, TRY(toString(vm, args[1])));
    int descriptor = args[0].isNumber() ? int(args[0].asNumber()) : 1;
    if (descriptor == 1)
        vm.loop->out.write(text);
    else if (descriptor == 2)
        vm.loop->err.write(text);
    else
        writeAll(descriptor, text);
    return Value::undefined();
}

/// (descriptor, text): one line to whoever runs this test file, behind how much has been printed before it.
Result test_send(Vm& vm, Args args) {
    std::string text = toUtf8(vm, TRY(toString(vm, args[1])));
    vm.loop->out.flush();
    vm.loop->err.flush();
    std::string line = std::to_string(vm.loop->out.sent()) + " " + std::to_string(vm.loop->err.sent()) + " ";
    writeAll(int(TRY(toNumber(vm, args[0]))), line + text + "\n");
    return Value::undefined();
}

/// The descriptor of a file, emptied or made.
Result test_open(Vm& vm, Args args) {
    std::string name = toUtf8(vm, TRY(toString(vm, args[0])));
    int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor >= 0)
        return Value::int32(descriptor);
    return throwText(vm, Intrinsic::ErrorPrototype, "cannot write to '" + name + "': " + std::strerror(errno));
}

}
