// Accessors of the global object that stand for what the prompt adds.
#include "interp/repl/globals.h"
#include "interp/host/module_loader.h"
#include "runtime/builtins/process_support.h"
#include "runtime/loop/event_loop.h"
#include <utility>

namespace scr {

static ReplGlobals* current = nullptr;

ReplGlobals::ReplGlobals(Vm& vm)
    : vm_(vm) {
    current = this;
    vm.heap.addRoots(trace, this);
}

ReplGlobals::~ReplGlobals() {
    vm_.heap.removeRoots(this);
    current = nullptr;
}

void ReplGlobals::trace(void* context, Marker& marker) {
    for (auto& each : static_cast<ReplGlobals*>(context)->values_)
        marker.markValues(&each.value, 1);
}

void ReplGlobals::set(Which which, Value value) {
    if (!values_[which].assigned)
        values_[which].value = value;
}

// ---- _ and _error

Result ReplGlobals::read(Vm&, Args args) { return current->values_[args.callee()->data[0].asInt()].value; }

Result ReplGlobals::assign(Vm& vm, Args args) {
    Which which = Which(args.callee()->data[0].asInt());
    current->values_[which].value = args[0];
    if (!std::exchange(current->values_[which].assigned, true))
        vm.loop->out.write(
            std::string("Expression assignment to _") + (which == Last ? "" : "error") + " now disabled.\n");
    return Value::undefined();
}

void ReplGlobals::defineValue(Which which, std::string_view name) {
    NativeFunction* getter = newNative(vm_, read, "get", 0);
    NativeFunction* setter = newNative(vm_, assign, "set", 1);
    getter->data[0] = setter->data[0] = Value::int32(which);
    defineAccessorDirect(
        vm_, vm_.realm->global, asciiKey(vm_, name), Value::object(getter), Value::object(setter), Configurable);
}

// ---- builtin modules

static std::string moduleName(Vm& vm, Args args) { return toUtf8(vm, args.callee()->data[0].asString()); }

static void replace(Vm& vm, std::string_view name, Value value, u8 attributes) {
    Object* global = vm.realm->global;
    MUST(deleteProperty(vm, global, asciiKey(vm, name)));
    defineDirect(vm, global, asciiKey(vm, name), value, attributes);
}

/// The first look at it: a plain property from now on.
Result ReplGlobals::readModule(Vm& vm, Args args) {
    std::string name = moduleName(vm, args);
    Object* exports = TRY(ModuleLoader::of(vm).builtin(name));
    if (getOwnProperty(vm, vm.realm->global, asciiKey(vm, name)).isAccessor())
        replace(vm, name, Value::object(exports), HiddenAttributes);
    return Value::object(exports);
}

Result ReplGlobals::assignModule(Vm& vm, Args args) {
    if (getOwnProperty(vm, vm.realm->global, asciiKey(vm, moduleName(vm, args))).isAccessor())
        replace(vm, moduleName(vm, args), args[0], AllAttributes);
    return Value::undefined();
}

Value ReplGlobals::peek(Vm& vm, const Lookup& found) {
    Value getter =
        found.isAccessor() && found.value.isCell() ? static_cast<Accessor*>(found.value.asCell())->getter : Value();
    if (!getter.isObject() || kindOf(getter.asCell()) != Kind::NativeFunction)
        return Value::hole();
    NativeCode code = getter.as<NativeFunction>()->code;
    if (code != read && code != readModule)
        return Value::hole();
    Completion<Value> value = call(vm, getter, Value::object(vm.realm->global.get()));
    return value.threw() ? Value::hole() : value.value();
}

void ReplGlobals::defineModule(std::string_view name) {
    NativeFunction* getter = newNative(vm_, readModule, "get", 0);
    NativeFunction* setter = newNative(vm_, assignModule, "set", 1);
    getter->data[0] = setter->data[0] = asciiValue(vm_, name);
    defineAccessorDirect(
        vm_, vm_.realm->global, asciiKey(vm_, name), Value::object(getter), Value::object(setter), Configurable);
}

void ReplGlobals::define() {
    for (const std::string& name : ModuleLoader::builtinNames())
        if (name.find('/') == name.npos && !getOwnProperty(vm_, vm_.realm->global, asciiKey(vm_, name)).found())
            defineModule(name);
    ModuleLoader::of(vm_).defineReplGlobals();
    defineValue(Last, "_");
    defineValue(LastError, "_error");
}

}
