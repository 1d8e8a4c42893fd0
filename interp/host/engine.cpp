// The embedding API: a Vm, its realm and its loop put together.
#include "interp/host/engine.h"
#include "grammar/parse.h"
#include "interp/compiler/compiler.h"
#include "interp/host/host.h"
#include "interp/host/interrupt.h"
#include "interp/host/json_report.h"
#include "interp/host/report.h"
#include "interp/vm/interpreter.h"
#include "runtime/builtins/console.h"
#include "runtime/builtins/timer_support.h"
#include "stdlib/builtin_modules.h"

namespace scr {

static constexpr size_t DefaultStack = 984 * 1024;

struct Engine::Impl {
    Vm vm;
    EventLoop loop;
    Host host;

    explicit Impl(const EngineLimits& limits)
        : vm(limits.stackBytes ? limits.stackBytes : DefaultStack)
        , loop(vm, systemClock()) {
        vm.loop = &loop;
        vm.host = &host;
        ModuleLoader::installHooks(vm);
        vm.heap.setMemoryLimit(limits.memoryBytes);
        timeLimit = timeLeft = limits.timeMilliseconds * 1000000;
        fuelGiven = limits.fuel;
        registerCodeKinds(vm);
        installInterpreter(vm);
        newRealm(vm);
        installBuiltinModules(vm);
        loop.describeUncaught = reportUncaught;
        loop.warnHandledRejection = warnHandledRejection;
        loop.warnUnhandledRejection = warnUnhandledRejection;
        loop.describeUnsettled = reportUnsettled;
        // What it took to set everything up is not the script's.
        fuelBefore = vm.fuelUsed();
        setFuelLimit();
    }

    u64 timeLimit = 0, timeLeft = 0; ///< nanoseconds; limit 0: none
    u64 fuelGiven = 0, fuelBefore = 0; ///< units; what had been used when they were given

    void setFuelLimit() { vm.setFuelLimit(fuelGiven ? vm.fuelUsed() + fuelGiven : ~u64(0)); }
    Outcome outcome();
    bool printLater(std::string_view source, std::string_view name);
    Function* compile(std::string_view source, std::string_view name, CompileGoal goal, Outcome& outcome);
};

/// While one lives, the script's time runs.
class Engine::Running {
public:
    explicit Running(Impl& impl)
        : impl_(impl) {
        if (impl.timeLimit)
            impl.vm.deadline = monotonicNanoseconds() + impl.timeLeft;
    }
    ~Running() {
        if (impl_.timeLimit)
            impl_.timeLeft = impl_.vm.timeLeft();
        impl_.vm.deadline = 0;
    }
    Running(const Running&) = delete;

private:
    Impl& impl_;
};

static Limit limitOf(Termination termination) {
    switch (termination) {
    case Termination::MemoryLimit: return Limit::Memory;
    case Termination::OutOfMemory: return Limit::MachineMemory;
    case Termination::TimeLimit: return Limit::Time;
    case Termination::Fuel: return Limit::Fuel;
    default: return Limit::None;
    }
}

/// How things stand after script ran.
Outcome Engine::Impl::outcome() {
    Outcome result;
    result.exitCode = loop.exitStatus();
    if (loop.failed()) {
        result.status = RunStatus::Threw;
        result.message = loop.report();
    } else if (vm.termination == Termination::Exit) {
        result.status = RunStatus::Exited;
    } else if (vm.termination == Termination::Interrupt) {
        result.status = RunStatus::Interrupted;
        result.exitCode = 130;
        result.message = reportInterrupt(vm);
    } else if (vm.terminating()) {
        result.status = RunStatus::LimitReached;
        result.exitCode = 1;
        result.limit = limitOf(vm.termination);
        result.message = reportLimit(vm, {vm.thrownCode, vm.thrownWord}, {timeLimit, fuelGiven});
    } else {
        result.message = loop.report(); // of a main module that waits for ever
    }
    return result;
}

static Outcome syntaxError(const ScriptSource& source, const CompileError& error, bool json) {
    Outcome outcome;
    outcome.status = RunStatus::SyntaxError;
    outcome.exitCode = 1;
    outcome.message = json ? jsonSyntaxError(source, error) : reportSyntaxError(source, error);
    return outcome;
}

Function* Engine::Impl::compile(std::string_view source, std::string_view name, CompileGoal goal, Outcome& outcome) {
    Script* script = newScript(vm, std::string(name), std::string(source));
    CompileError error;
    Function* function = compileScript(vm, script, goal, error);
    if (!function && error.isModule && goal == CompileGoal::CommonJs)
        if (Module* module = compileModule(vm, script, error))
            return module->function;
    if (!function)
        outcome = vm.terminating() ? this->outcome() : syntaxError(*script->source, error, reportsJson(vm));
    return function;
}

/// Parses only; show(program) is what a text without errors comes to.
template <class Show>
static Outcome parsedOutcome(
    std::string_view text, std::string_view name, const ParseOptions& options, bool json, Show show) {
    Source source{std::string(name), std::string(text)};
    Arena arena;
    ParseResult parsed = parse(source, arena, options);
    Outcome outcome;
    if (parsed) {
        outcome.value = show(*parsed.program);
    } else {
        outcome.status = RunStatus::SyntaxError;
        outcome.exitCode = 1;
        ScriptSource script{std::string(name), std::string(source.text()), {}};
        CompileError error{
            "SyntaxError: " + parsed.diagnostic.message, parsed.diagnostic.span.begin, parsed.diagnostic.span.end};
        error.notes = parsed.diagnostic.notes;
        outcome.message = json ? jsonSyntaxError(script, error) : render(source, parsed.diagnostic) + "\n";
    }
    return outcome;
}

Engine::Engine(const EngineLimits& limits)
    : impl_(new Impl(limits)) { }
Engine::~Engine() = default;

Vm& Engine::vm() { return impl_->vm; }

Outcome Engine::evaluate(std::string_view source, std::string_view name, bool isModule) {
    Running running(*impl_);
    Vm& vm = impl_->vm;
    if (impl_->loop.over())
        return impl_->outcome();
    ModuleLoader& loader = ModuleLoader::of(vm);
    CompileError error;
    Script* script = nullptr;
    auto compiled = loader.compileMain(std::string(name), std::string(source), isModule, error, script);
    if (!error.message.empty())
        return syntaxError(*script->source, error, reportsJson(vm));
    if (compiled.threw())
        impl_->loop.afterScript(true);
    else if (compiled.value().module)
        impl_->loop.afterModule(loader.runMain(compiled.value()).threw());
    else if (compiled.value().function)
        impl_->loop.afterScript(loader.runMain(compiled.value()).threw());
    return impl_->outcome();
}

Outcome Engine::evaluateValue(std::string_view source, std::string_view name) {
    Running running(*impl_);
    Outcome outcome;
    Vm& vm = impl_->vm;
    if (impl_->loop.over())
        return impl_->outcome();
    Function* function = impl_->compile(source, name, CompileGoal::Eval, outcome);
    if (!function)
        return outcome;
    Completion<Value> value = call(vm, Value::object(function), Value::undefined());
    std::string shown = value.threw() ? std::string() : inspect(vm, value.value());
    impl_->loop.afterScript(value.threw());
    outcome = impl_->outcome();
    outcome.value = shown;
    return outcome;
}

void Engine::interrupt() { impl_->vm.requestInterrupt(); }
void Engine::clearInterrupt() { impl_->loop.clearInterrupt(); }

/// What -p prints: a string as it is, all else as console.log shows it.
static std::string printedText(Vm& vm, Value value) {
    if (value.isString())
        return toUtf8(vm, value.asString());
    return inspect(vm, value, consoleOptions(vm, ConsoleStream::Out));
}

static Result printSettled(Vm& vm, Args args) {
    Value value = lookup(vm, args[0].asObject(), PropertyKey::atom(vm.names.value)).dataValue();
    vm.loop->out.write(printedText(vm, value) + "\n");
    return Value::undefined();
}

/// The text awaits: its value comes later. False: it is no such text either.
bool Engine::Impl::printLater(std::string_view source, std::string_view name) {
    Script* script = newScript(vm, std::string(name), std::string(source));
    CompileError error;
    std::vector<GlobalName> globals;
    Function* function = compileScript(vm, script, CompileGoal::Repl, error, &globals);
    if (!function)
        return false;
    bool threw = redeclareGlobals(vm, vm.realm, globals).threw();
    Completion<Value> promise =
        threw ? Completion<Value>(Threw{}) : call(vm, Value::object(function), Value::undefined());
    if (!promise.threw() && isPromise(promise.value())) {
        loop.mainPromise = promise.value();
        auto* waits = static_cast<Promise*>(promise.value().asObject());
        Value print = Value::object(newNative(vm, printSettled, "", 1));
        performThen(vm, waits, print, Value::undefined(), Value::object(newPromise(vm)));
    }
    loop.afterScript(promise.threw());
    return true;
}

Outcome Engine::print(std::string_view source, std::string_view name) {
    Running running(*impl_);
    Outcome outcome;
    Vm& vm = impl_->vm;
    if (impl_->loop.over())
        return impl_->outcome();
    defineSurroundings();
    Function* function = impl_->compile(source, name, CompileGoal::Eval, outcome);
    if (!function)
        return impl_->printLater(source, name) ? impl_->outcome() : outcome;
    Completion<Value> value = call(vm, Value::object(function), Value::undefined());
    if (!value.threw())
        impl_->loop.out.write(printedText(vm, value.value()) + "\n");
    impl_->loop.afterScript(value.threw());
    return impl_->outcome();
}

void Engine::defineSurroundings() { ModuleLoader::of(impl_->vm).defineGlobals(); }

Outcome Engine::check(std::string_view text, std::string_view name, bool isModule) {
    ParseOptions options;
    isModule = isModule || name.ends_with(".mjs");
    options.goal = isModule ? Goal::Module : name.ends_with(".cjs") ? Goal::Script : Goal::Detect;
    options.isCommonJs = !isModule;
    return parsedOutcome(text, name, options, reportsJson(impl_->vm), [](Program&) { return std::string(); });
}

Outcome Engine::runLoop() {
    Running running(*impl_);
    impl_->loop.run();
    return impl_->outcome();
}

int64_t Engine::turnLoop() {
    Running running(*impl_);
    return impl_->loop.turn();
}

// ---- host functions

static HostValue toHost(Vm& vm, Value value) {
    HostValue result;
    if (value.isNull()) {
        result.type = HostValue::Null;
    } else if (value.isBoolean()) {
        result.type = HostValue::Boolean;
        result.boolean = value.asBoolean();
    } else if (value.isNumber()) {
        result.type = HostValue::Number;
        result.number = value.asNumber();
    } else if (value.isString()) {
        result.type = HostValue::String;
        result.string = toUtf8(vm, value.asString());
    } else if (!value.isUndefined()) {
        result.type = HostValue::String;
        result.string = describeForMessage(vm, value);
    }
    return result;
}

static Value fromHost(Vm& vm, const HostValue& value) {
    switch (value.type) {
    case HostValue::Undefined: return Value::undefined();
    case HostValue::Null: return Value::null();
    case HostValue::Boolean: return Value::boolean(value.boolean);
    case HostValue::Number: return Value::number(value.number);
    case HostValue::String: return Value::string(newUtf8(vm, value.string));
    }
    return Value::undefined();
}

/// The native function behind every function that the host defined: data[0] is the binding's number.
static Result callHost(Vm& vm, Args args) {
    HostBinding binding = static_cast<Host*>(vm.host)->bindings[size_t(args.callee()->data[0].asInt())];
    std::vector<HostValue> values;
    for (u32 i = 0; i < args.count; i++)
        values.push_back(toHost(vm, args[i]));
    std::string error;
    HostValue result = binding.function(binding.context, values.data(), values.size(), error);
    if (!error.empty())
        return throwText(vm, Intrinsic::TypeErrorPrototype, error);
    return fromHost(vm, result);
}

void Engine::define(std::string_view name, unsigned length, HostFunction function, void* context) {
    Vm& vm = impl_->vm;
    impl_->host.bindings.push_back({function, context});
    NativeFunction* native = newNative(vm, callHost, name, u16(length));
    native->data[0] = Value::int32(i32(impl_->host.bindings.size() - 1));
    PropertyKey key = keyFromAtom(internAscii(vm, name));
    defineDirect(vm, vm.realm->global, key, Value::object(native), HiddenAttributes);
}

// ---- settings

void Engine::setTimeLimit(uint64_t milliseconds) { impl_->timeLimit = impl_->timeLeft = milliseconds * 1000000; }

void Engine::setFuel(uint64_t units) {
    impl_->fuelGiven = units;
    impl_->setFuelLimit();
}

uint64_t Engine::fuelUsed() const { return impl_->vm.fuelUsed() - impl_->fuelBefore; }

void Engine::setArguments(std::string_view executable, const std::vector<std::string>& arguments) {
    impl_->loop.program.executable = executable;
    if (impl_->loop.program.invokedAs.empty())
        impl_->loop.program.invokedAs = executable;
    impl_->loop.program.arguments = arguments;
}

void Engine::setGcStress(uint32_t interval) { impl_->vm.heap.setStress(interval); }

// ---- listings

Outcome Engine::dumpAst(std::string_view text, std::string_view name) {
    ParseOptions options;
    options.goal = Goal::Detect;
    options.isCommonJs = true;
    return parsedOutcome(
        text, name, options, reportsJson(impl_->vm), [](Program& program) { return dump(program, false); });
}

Outcome Engine::dumpBytecode(std::string_view source, std::string_view name) {
    Outcome outcome;
    if (Function* function = impl_->compile(source, name, CompileGoal::CommonJs, outcome))
        outcome.value = disassemble(impl_->vm, function->code());
    return outcome;
}

}
