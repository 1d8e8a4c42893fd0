// print, $262 and the running of global scripts.
#include "interp/host/test262.h"
#include "interp/compiler/compiler.h"
#include "interp/host/test262_modules.h"
#include "runtime/builtins/native.h"
#include "runtime/core/array_buffer.h"
#include "runtime/loop/event_loop.h"

namespace scr {

namespace {

/// vm.realm is another one meanwhile.
class InRealm {
public:
    InRealm(Vm& vm, Realm* realm)
        : vm_(vm)
        , previous_(vm.realm) {
        vm.realm = realm;
    }
    ~InRealm() { vm_.realm = previous_; }
    InRealm(const InRealm&) = delete;

private:
    Vm& vm_;
    Realm* previous_;
};

/// 16.1.6 ScriptEvaluation in the current realm. A text that does not compile leaves `error` with a message.
Completion<Value> runGlobalScript(Vm& vm, std::string_view name, std::string_view text, CompileError& error) {
    Script* script = newScript(vm, std::string(name), std::string(text));
    script->source->path = script->source->name;
    std::vector<GlobalName> globals;
    Function* function = compileScript(vm, script, CompileGoal::Global, error, &globals);
    if (!function)
        return Threw{};
    TRY(declareGlobals(vm, vm.realm, globals));
    return call(vm, Value::object(function), Value::object(vm.realm->global.get()));
}

Object* newHostObject(Vm& vm);

Result print(Vm& vm, Args args) {
    std::string line = toUtf8(vm, TRY(toString(vm, args[0])));
    vm.loop->out.write(line + "\n");
    return Value::undefined();
}

Result createRealm(Vm& vm, Args) {
    InRealm inside(vm, newRealm(vm));
    return Value::object(newHostObject(vm));
}

Result evalScript(Vm& vm, Args args) {
    std::string text = toUtf8(vm, TRY(toString(vm, args[0])));
    CompileError error;
    Result result = runGlobalScript(vm, "evalScript", text, error);
    if (error.message.empty())
        return result;
    std::string_view message = error.message;
    message.remove_prefix(std::string_view("SyntaxError: ").size());
    return throwText(vm, Intrinsic::SyntaxErrorPrototype, message);
}

Result detachArrayBuffer(Vm& vm, Args args) {
    if (!args[0].isObject() || kindOf(args[0].asCell()) != Kind::ArrayBuffer)
        return throwError(vm, Error::Incompatible, "detachArrayBuffer", args[0]);
    detachBuffer(static_cast<ArrayBuffer*>(args[0].asObject()));
    return Value::null();
}

Result collect(Vm& vm, Args) {
    vm.heap.collect();
    return Value::undefined();
}

/// The object $262 of the current realm.
Object* newHostObject(Vm& vm) {
    Object* host = newObject(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype));
    auto add = [&](std::string_view name, Value value) {
        defineDirect(vm, host, keyFromAtom(internAscii(vm, name)), value, HiddenAttributes);
    };
    add("createRealm", Value::object(newNative(vm, createRealm, "createRealm", 0)));
    add("detachArrayBuffer", Value::object(newNative(vm, detachArrayBuffer, "detachArrayBuffer", 1)));
    add("evalScript", Value::object(newNative(vm, evalScript, "evalScript", 1)));
    add("gc", Value::object(newNative(vm, collect, "gc", 0)));
    add("global", Value::object(vm.realm->global.get()));
    Object* global = vm.realm->global;
    defineDirect(vm, global, keyFromAtom(internAscii(vm, "$262")), Value::object(host), HiddenAttributes);
    Value printer = Value::object(newNative(vm, print, "print", 1));
    defineDirect(vm, global, keyFromAtom(internAscii(vm, "print")), printer, HiddenAttributes);
    return host;
}

/// "Name: message" of anything thrown: the name of an error, else that of its constructor.
std::string describe(Vm& vm, Value error) {
    auto textOf = [&](Value object, const char* name) -> std::string {
        Result value = getOf(vm, object, keyFromAtom(internAscii(vm, name)));
        return !value.threw() && value.value().isString() ? toUtf8(vm, value.value().asString()) : std::string();
    };
    if (!error.isObject())
        return "Thrown: " + describeForMessage(vm, error);
    std::string name = textOf(error, "name");
    Result constructor = getOf(vm, error, KEY(vm, constructor));
    if (name.empty() && !constructor.threw() && constructor.value().isObject())
        name = textOf(constructor.value(), "name");
    return (name.empty() ? "Thrown" : name) + ": " + textOf(error, "message");
}

Outcome early(const NamedText& file, const CompileError& error) {
    ScriptSource source{file.name, file.text, {}};
    LineColumn place = lineColumn(source, error.begin);
    Outcome outcome;
    outcome.status = RunStatus::SyntaxError;
    outcome.exitCode = 1;
    outcome.message = error.message + "\n    early error at " + file.name + ":" + std::to_string(place.line) + ":"
        + std::to_string(place.column) + "\n";
    return outcome;
}

/// False, with `outcome` filled, if the file failed.
bool runFile(Engine& engine, const NamedText& file, Outcome& outcome) {
    Vm& vm = engine.vm();
    CompileError error;
    Result result = runGlobalScript(vm, file.name, file.text, error);
    if (!error.message.empty()) {
        outcome = early(file, error);
        return false;
    }
    if (!result.threw())
        return true;
    if (vm.terminating()) {
        outcome = engine.runLoop();
        return false;
    }
    outcome.status = RunStatus::Threw;
    outcome.exitCode = 1;
    outcome.message = describe(vm, vm.pendingException) + "\n";
    return false;
}

Outcome thrown(Engine& engine, std::string more = "") {
    Vm& vm = engine.vm();
    if (vm.terminating())
        return engine.runLoop();
    Outcome outcome;
    outcome.status = RunStatus::Threw;
    outcome.exitCode = 1;
    outcome.message = describe(vm, vm.pendingException) + "\n" + more;
    return outcome;
}

/// 16.2.1.6: parsed, linked, evaluated, and the loop run. What goes wrong before it is evaluated is an early error.
Outcome runModuleTest(Engine& engine, const NamedText& test, TestModules& modules) {
    Vm& vm = engine.vm();
    Script* script = newScript(vm, test.name, test.text);
    script->source->path = test.name;
    CompileError error;
    Module* module = compileModule(vm, script, error);
    if (!module)
        return vm.terminating() ? engine.runLoop() : early(test, error);
    modules.add(test.name, module);
    TestModules::allowAttributes(module);
    std::string place = "    early error at " + test.name + ":1:1\n";
    if (loadRequestedModules(vm, module).threw() || linkModule(vm, module).threw())
        return thrown(engine, place);
    Completion<Promise*> evaluated = evaluateModule(vm, module);
    if (evaluated.threw())
        return thrown(engine);
    Root<Promise*> promise(vm.roots, evaluated.value());
    vm.loop->afterScript(false);
    Outcome outcome = engine.runLoop();
    if (outcome.status == RunStatus::Ok && promise.get()->state == PromiseState::Rejected) {
        (void)vm.throwValue(promise.get()->result);
        return thrown(engine);
    }
    return outcome;
}

}

Outcome runTest262(Engine& engine, const std::vector<NamedText>& includes, const NamedText& test, bool isModule) {
    Vm& vm = engine.vm();
    newHostObject(vm);
    vm.rejectionHook = nullptr; // 27.2.1.9: the default does nothing, and tests leave rejections alone
    TestModules modules(vm);
    Outcome outcome;
    for (const NamedText& file : includes)
        if (!runFile(engine, file, outcome))
            return outcome;
    if (isModule)
        return runModuleTest(engine, test, modules);
    if (!runFile(engine, test, outcome))
        return outcome;
    vm.loop->afterScript(false);
    return engine.runLoop();
}

}
