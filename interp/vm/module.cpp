// What the code of modules asks for, and how their evaluation begins (runtime/core/module.h).
#include "runtime/core/module.h"
#include "interp/vm/slow_paths.h"
#include "runtime/core/call.h"
#include "runtime/core/error.h"

namespace scr {

// ---- linking

Completion<Value> slowStartModule(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::StartModule>(pc);
    publish(vm, pc, base);
    SuspendedFrame* frame = newSuspendedFrame(vm, calleeOf(base), codeOf(base)->frameCapacity, nullptr);
    base[insn.frame.n] = Value::cell(frame);
    suspend(frame, pc, base, insn.live.n);
    return Value::cell(frame);
}

Completion<void> beginModule(Vm& vm, Module* module) {
    Value frame = TRY(call(vm, Value::object(module->function), Value::undefined()));
    module->frame = frame.as<SuspendedFrame>();
    const auto& start = at<ops::StartModule>(module->frame->pc);
    if (!(start.env == NoReg))
        module->environment = module->frame->registers[start.env.n].as<Environment>();
    return {};
}

// ---- names and meta properties

bool slowGetImport(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::GetImport>(pc);
    publish(vm, pc, base);
    Code* code = codeOf(base);
    auto* binding = code->constant(insn.binding.n).as<ImportBinding>();
    if (!binding->environment && binding->module)
        binding->environment = binding->module->environment;
    Value* slot = binding->environment ? &binding->environment->slots[binding->slot] : nullptr;
    if (!slot || slot->isUninitialized()) {
        (void)throwError(vm, Error::BeforeInitialization, binding->name.get());
        return false;
    }
    base[insn.dst.n] = *slot;
    code->words[pc + 1 - code->words] = u64(slot); // the binding keeps it alive
    return true;
}

bool slowImportCall(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::ImportCall>(pc);
    publish(vm, pc, base);
    Cell* importer = codeOf(base)->script->importer();
    Completion<Value> promise = dynamicImport(vm, importer, base[insn.specifier.n], base[insn.options.n]);
    if (promise.threw())
        return false;
    base[insn.dst.n] = promise.value();
    return true;
}

bool slowImportMeta(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    Completion<Value> meta = importMeta(vm, static_cast<Module*>(codeOf(base)->script->importer()));
    if (meta.threw())
        return false;
    base[at<ops::ImportMeta>(pc).dst.n] = meta.value();
    return true;
}

}
