// process: what the program is, its exit, its clocks and memory, its streams. Events stand in process_events.cpp.
#include "runtime/base/version.h"
#include "runtime/builtins/argument_error.h"
#include "runtime/builtins/inspect.h"
#include "runtime/builtins/process_support.h"
#include "runtime/loop/event_loop.h"
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <unistd.h>

extern char** environ;

namespace scr {

static constexpr std::string_view NodeVersion = "20.20.2"; // whose behaviour `process.version` promises

// ---- data

static Value utf8(Vm& vm, std::string_view text) { return Value::string(newUtf8(vm, text)); }

static Value stringArray(Vm& vm, const std::vector<std::string>& strings) {
    Array* array = newArray(vm, u32(strings.size()));
    for (const std::string& string : strings)
        MUST(pushDense(vm, array->elements_, utf8(vm, string)));
    return Value::object(array);
}

Value process_makeArgv(Vm& vm) {
    std::vector<std::string> all{vm.loop->program.executable};
    all.insert(all.end(), vm.loop->program.arguments.begin(), vm.loop->program.arguments.end());
    return stringArray(vm, all);
}
Value process_makeExecArgv(Vm& vm) { return stringArray(vm, vm.loop->program.options); }
Value process_makeArgv0(Vm& vm) { return utf8(vm, vm.loop->program.invokedAs); }
Value process_makeExecPath(Vm& vm) { return utf8(vm, vm.loop->program.executable); }

Value process_makeEnv(Vm& vm) {
    // No cache may write into it past set(), which makes strings.
    Shape* shape = newUniqueShape(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype), 0);
    shape->flags |= ShapeUncacheable;
    Object* env = allocateObject(vm, Kind::StringRecord, sizeof(Object), shape);
    for (char** entry = environ; entry && *entry; entry++) {
        const char* equals = std::strchr(*entry, '=');
        if (!equals || equals == *entry)
            continue;
        String* name = newUtf8(vm, std::string_view(*entry, size_t(equals - *entry)));
        PropertyKey key = keyFromAtom(MUST(internString(vm, name)));
        MUST(createDataProperty(vm, env, key, utf8(vm, equals + 1)));
    }
    return Value::object(env);
}

Value process_makeVersion(Vm& vm) { return asciiValue(vm, "v" + std::string(NodeVersion)); }

Value process_makeVersions(Vm& vm) {
    Object* versions = newPlainObject(vm);
    setField(vm, versions, "node", asciiValue(vm, NodeVersion));
    setField(vm, versions, "scr", asciiValue(vm, Version));
    return Value::object(versions);
}

Value process_makeRelease(Vm& vm) {
    Object* release = newPlainObject(vm);
    setField(vm, release, "name", asciiValue(vm, "node"));
    return Value::object(release);
}

Value process_makePid(Vm&) { return Value::int32(getpid()); }
Value process_makePpid(Vm&) { return Value::int32(getppid()); }

Value process_makePlatform(Vm& vm) { return asciiValue(vm, "linux"); }

Value process_makeArch(Vm& vm) {
#if defined(__x86_64__)
    return asciiValue(vm, "x64");
#elif defined(__aarch64__)
    return asciiValue(vm, "arm64");
#else
    return asciiValue(vm, "unknown");
#endif
}

/// `function process() {}`: what the prototype of `process` calls its constructor.
static Result process_constructor(Vm& vm, Args) {
    vm.takeNewTarget();
    return Value::undefined();
}
Value process_makeConstructor(Vm& vm) { return Value::object(newNative(vm, process_constructor, "process", 0, true)); }

Result process_cwd(Vm& vm, Args) {
    char* path = getcwd(nullptr, 0);
    if (!path)
        return throwText(
            vm, Intrinsic::ErrorPrototype, std::string("ENOENT: process.cwd failed: ") + std::strerror(errno));
    Value value = utf8(vm, path);
    std::free(path);
    return value;
}

// ---- the end

/// Node accepts null, undefined, integers, and strings that are integers.
static Completion<void> checkExitCode(Vm& vm, Value code) {
    if (code.isNullish())
        return {};
    Value number = code;
    if (code.isString() && code.asString()->length) {
        double parsed = TRY(toNumber(vm, code));
        if (parsed == std::trunc(parsed) && std::isfinite(parsed))
            number = Value::number(parsed);
    }
    if (!number.isNumber())
        return throwArgumentType(vm, "code", "of type number", code);
    if (number.asNumber() != std::trunc(number.asNumber()) || std::isnan(number.asNumber()))
        return throwOutOfRange(vm, "code", "an integer", number);
    if (std::fabs(number.asNumber()) > 9007199254740991.0)
        return throwOutOfRange(vm, "code", ">= -9007199254740991 && <= 9007199254740991", number);
    return {};
}

Result process_getExitCode(Vm& vm, Args) { return vm.loop->exitCode; }

Result process_setExitCode(Vm& vm, Args args) {
    TRY(checkExitCode(vm, args[0]));
    vm.loop->exitCode = args[0].isString() ? Value::string(TRY(flatten(vm, args[0].asString()))) : args[0];
    return Value::undefined();
}

Result process_exit(Vm& vm, Args args) {
    if (args.count)
        TRY(process_setExitCode(vm, args));
    TRY(vm.loop->emitExit(false));
    return vm.terminate(Termination::Exit);
}

// ---- signals

/// An error of the system, as libuv's errors are: "kill ESRCH" with errno, code and syscall.
static Threw throwErrno(Vm& vm, int number, std::string_view call) {
    const char* code = number == ESRCH ? "ESRCH"
        : number == EPERM              ? "EPERM"
        : number == EMFILE             ? "EMFILE"
        : number == ENFILE             ? "ENFILE"
                                       : "EINVAL";
    std::string message = std::string(call) + " " + code;
    Object* error = newError(vm, Intrinsic::ErrorPrototype, newAscii(vm, message));
    setField(vm, error, "errno", Value::int32(-number));
    setField(vm, error, "code", asciiValue(vm, code));
    setField(vm, error, "syscall", asciiValue(vm, call));
    return vm.throwValue(Value::object(error));
}

Completion<void> listenToSignal(Vm& vm, PropertyKey event) {
    if (!vm.loop->listenTo(event))
        return throwErrno(vm, errno, "uv_signal_start");
    return {};
}

/// A whole number is taken as it is; what is falsy means SIGTERM.
static Completion<int> signalArgument(Vm& vm, Value signal) {
    double number = TRY(toNumber(vm, signal));
    if (signal.isNumber() && number == doubleToInt32(number))
        return doubleToInt32(number);
    if (!toBoolean(signal))
        return SIGTERM;
    int known = signal.isString() ? signalNumber(toUtf8(vm, signal.asString())) : 0;
    if (!known) {
        std::string shown = signal.isString() ? toUtf8(vm, signal.asString()) : inspect(vm, signal);
        return throwCoded(vm, Intrinsic::TypeErrorPrototype, "ERR_UNKNOWN_SIGNAL", "Unknown signal: " + shown);
    }
    return known;
}

Result process_kill(Vm& vm, Args args) {
    double pid = TRY(toNumber(vm, args[0]));
    if (args[0].isNullish() || pid != doubleToInt32(pid))
        return throwArgumentType(vm, "pid", "of type number", args[0]);
    int signal = TRY(signalArgument(vm, args[1]));
    // It may be the end of this process.
    vm.loop->out.flush();
    vm.loop->err.flush();
    if (kill(doubleToInt32(pid), signal))
        return throwErrno(vm, errno, "kill");
    return Value::boolean(true);
}

// ---- ticks

Value storeArguments(Vm& vm, Args args, u32 first) {
    if (args.count <= first)
        return Value::undefined();
    u32 count = args.count - first;
    auto* storage =
        static_cast<Storage*>(vm.heap.allocate(sizeof(Storage) + count * sizeof(Value), u8(Kind::Storage), count));
    for (u32 i = 0; i < count; i++)
        storage->values[i] = args.values[first + i];
    return Value::cell(storage);
}

Result process_nextTick(Vm& vm, Args args) {
    if (!isCallable(args[0]))
        return throwArgumentType(vm, "callback", "of type function", args[0]);
    if (!vm.loop->exiting)
        vm.loop->queueTick(args[0], storeArguments(vm, args, 1));
    return Value::undefined();
}

// ---- clocks

Result process_hrtime(Vm& vm, Args args) {
    const Clock& clock = vm.loop->clock();
    u64 now = clock.read(clock.context);
    double seconds = double(now / 1000000000), nanoseconds = double(now % 1000000000);
    if (!args[0].isUndefined()) {
        if (!TRY(isArray(vm, args[0])))
            return throwArgumentType(vm, "time", "an instance of Array", args[0]);
        Object* previous = args[0].asObject();
        double length = TRY(lengthOf(vm, previous));
        if (length != 2)
            return throwOutOfRange(vm, "time", "2", Value::number(length));
        seconds -= TRY(toNumber(vm, TRY(get(vm, previous, PropertyKey::index(0)))));
        nanoseconds -= TRY(toNumber(vm, TRY(get(vm, previous, PropertyKey::index(1)))));
        if (nanoseconds < 0) {
            seconds--;
            nanoseconds += 1e9;
        }
    }
    Value pair[] = {Value::number(seconds), Value::number(nanoseconds)};
    return Value::object(newArrayFrom(vm, pair, 2));
}

Result process_uptime(Vm& vm, Args) { return Value::number(double(vm.loop->nanoseconds()) / 1e9); }

static double microseconds(const timeval& time) { return double(time.tv_sec) * 1e6 + double(time.tv_usec); }

/// A field of the earlier result that cpuUsage is to measure from.
static Completion<double> previousUsage(Vm& vm, Value previous, std::string_view field) {
    Value value = TRY(get(vm, previous.asObject(), asciiKey(vm, field)));
    std::string name = "prevValue." + std::string(field);
    if (!value.isNumber())
        return throwArgumentType(vm, name, "of type number", value);
    if (!(value.asNumber() >= 0 && value.asNumber() <= 9007199254740991.0))
        return throwCoded(vm, Intrinsic::RangeErrorPrototype, "ERR_INVALID_ARG_VALUE",
            "The property '" + name + "' is invalid. Received " + inspectShort(vm, value));
    return value.asNumber();
}

Result process_cpuUsage(Vm& vm, Args args) {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    double user = microseconds(usage.ru_utime), system = microseconds(usage.ru_stime);
    if (toBoolean(args[0])) {
        if (!args[0].isObject())
            return throwArgumentType(vm, "prevValue", "of type object", args[0]);
        user -= TRY(previousUsage(vm, args[0], "user"));
        system -= TRY(previousUsage(vm, args[0], "system"));
    }
    Object* result = newPlainObject(vm);
    setField(vm, result, "user", Value::number(user));
    setField(vm, result, "system", Value::number(system));
    return Value::object(result);
}

// ---- memory

static double residentBytes() {
    unsigned long size = 0, resident = 0;
    if (FILE* file = std::fopen("/proc/self/statm", "re")) {
        if (std::fscanf(file, "%lu %lu", &size, &resident) != 2)
            resident = 0;
        std::fclose(file);
    }
    return double(resident) * double(sysconf(_SC_PAGESIZE));
}

static Result process_memoryUsage(Vm& vm, Args) {
    Object* result = newPlainObject(vm);
    setField(vm, result, "rss", Value::number(residentBytes()));
    setField(vm, result, "heapTotal", Value::number(vm.heap.reservedBytes()));
    setField(vm, result, "heapUsed", Value::number(vm.heap.usedBytes()));
    setField(vm, result, "external", Value::number(vm.heap.externalBytes()));
    setField(vm, result, "arrayBuffers", Value::int32(0));
    return Value::object(result);
}
static Result process_rss(Vm&, Args) { return Value::number(residentBytes()); }

Value process_makeMemoryUsage(Vm& vm) {
    NativeFunction* function = newNative(vm, process_memoryUsage, "memoryUsage", 0);
    materializeFunction(vm, function);
    setMethod(vm, function, "rss", process_rss, 0);
    return Value::object(function);
}

Result process_getActiveResourcesInfo(Vm& vm, Args) {
    Array* array = newArray(vm);
    for (const char* name : vm.loop->activeResources())
        TRY(pushDense(vm, array->elements_, Value::string(internAscii(vm, name))));
    return Value::object(array);
}

// ---- streams

static Result writeTo(Vm& vm, OutputStream& stream, Args args) {
    if (!args[0].isString())
        return throwArgumentType(
            vm, "chunk", "of type string or an instance of Buffer, TypedArray, or DataView", args[0]);
    stream.write(toUtf8(vm, args[0].asString()));
    Value callback = isCallable(args[1]) ? args[1] : args[2];
    if (isCallable(callback))
        vm.loop->queueTick(callback, Value::undefined());
    return Value::boolean(true);
}
Result process_writeOut(Vm& vm, Args args) { return writeTo(vm, vm.loop->out, args); }
Result process_writeError(Vm& vm, Args args) { return writeTo(vm, vm.loop->err, args); }

static Value makeStream(Vm& vm, OutputStream& stream, NativeCode write) {
    Object* object = newPlainObject(vm);
    setMethod(vm, object, "write", write, 3);
    setField(vm, object, "writable", Value::boolean(true));
    setField(vm, object, "fd", Value::int32(stream.fd()));
    if (stream.isTerminal())
        addTerminalProperties(vm, object, stream);
    return Value::object(object);
}
Value process_makeStdout(Vm& vm) { return makeStream(vm, vm.loop->out, process_writeOut); }
Value process_makeStderr(Vm& vm) { return makeStream(vm, vm.loop->err, process_writeError); }

}
