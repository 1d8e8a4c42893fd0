// What a guard puts in the place of the Vm's hooks, and back; what counts as fresh.
#include "runtime/core/side_effects.h"
#include "runtime/core/typed_array.h"

namespace scr {

/// Everything of the Vm that a guarded run changes or needs to be otherwise.
struct SideEffectGuard::Saved {
    decltype(Vm::interpretHook) interpret;
    decltype(Vm::intrinsicHook) intrinsic;
    decltype(Vm::lazyBuiltinHook) lazyBuiltin;
    decltype(Vm::prepareStackHook) prepareStack;
    decltype(Vm::builtinModuleHook) builtinModule;
    decltype(Vm::loadModuleHook) loadModule;
    decltype(Vm::importMetaHook) importMeta;
    decltype(Vm::budgetHook) budgetHook;
    decltype(Vm::enqueueJobHook) enqueueJob;
    decltype(Vm::rejectionHook) rejection;
    Vm::IteratorStep steps[Vm::MaxIteratorSteps];
    NativeCode inlineNatives[size_t(InlineNative::Count)];
    Value* base;
    const u64* pc;
    Value* nativeTop;
    Realm* realm;
    Value pendingException, thrownValue, newTarget;
    Cell* thrownCode;
    u32 thrownWord;
    u64 fuelLimit, deadline, memoryLimit;

    // The values are roots, though nobody scans this cell: a guard lives in a local variable, but `saved_` does not.
    static void mark(void* saved, Marker& marker) {
        auto* self = static_cast<Saved*>(saved);
        marker.markValues(&self->pendingException, 3); // the three in a row
        marker.mark(self->thrownCode);
        marker.mark(self->realm);
    }
    void take(Vm& vm);
    void giveBack(Vm& vm) const;
};

void SideEffectGuard::Saved::take(Vm& vm) {
    interpret = vm.interpretHook;
    intrinsic = vm.intrinsicHook;
    lazyBuiltin = vm.lazyBuiltinHook;
    prepareStack = vm.prepareStackHook;
    builtinModule = vm.builtinModuleHook;
    loadModule = vm.loadModuleHook;
    importMeta = vm.importMetaHook;
    budgetHook = vm.budgetHook;
    enqueueJob = vm.enqueueJobHook;
    rejection = vm.rejectionHook;
    std::copy(std::begin(vm.iteratorSteps), std::end(vm.iteratorSteps), steps);
    std::copy(std::begin(vm.inlineNatives), std::end(vm.inlineNatives), inlineNatives);
    base = vm.base;
    pc = vm.pc;
    nativeTop = vm.nativeTop;
    realm = vm.realm;
    pendingException = vm.pendingException;
    thrownValue = vm.thrownValue;
    newTarget = vm.newTarget;
    thrownCode = vm.thrownCode;
    thrownWord = vm.thrownWord;
    fuelLimit = vm.fuelLimit();
    deadline = vm.deadline;
    memoryLimit = vm.heap.memoryLimit();
}

void SideEffectGuard::Saved::giveBack(Vm& vm) const {
    vm.interpretHook = interpret;
    vm.intrinsicHook = intrinsic;
    vm.lazyBuiltinHook = lazyBuiltin;
    vm.prepareStackHook = prepareStack;
    vm.builtinModuleHook = builtinModule;
    vm.loadModuleHook = loadModule;
    vm.importMetaHook = importMeta;
    vm.budgetHook = budgetHook;
    vm.enqueueJobHook = enqueueJob;
    vm.rejectionHook = rejection;
    std::copy(std::begin(steps), std::end(steps), vm.iteratorSteps);
    std::copy(std::begin(inlineNatives), std::end(inlineNatives), vm.inlineNatives);
    vm.base = base;
    vm.pc = pc;
    vm.nativeTop = nativeTop;
    vm.realm = realm;
    vm.pendingException = pendingException;
    vm.thrownValue = thrownValue;
    vm.newTarget = newTarget;
    vm.thrownCode = thrownCode;
    vm.thrownWord = thrownWord;
    vm.termination = Termination::None;
    vm.deadline = deadline;
    vm.setFuelLimit(fuelLimit);
    vm.heap.setMemoryLimit(memoryLimit);
    vm.heap.clearOverLimit();
}

SideEffectGuard::SideEffectGuard(Vm& vm, Interpret interpret, EffectOf effectOf)
    : vm_(vm)
    , effectOf_(effectOf)
    , saved_(new Saved) {
    ASSERT(!vm.guard && !vm.terminating());
    saved_->take(vm);
    vm.heap.addRoots(Saved::mark, saved_);
    vm.guard = this;
    vm.interpretHook = interpret;
    vm.intrinsicHook = [](Vm& running, Realm* realm, Intrinsic which) {
        Pause pause(running);
        return running.guard->saved_->intrinsic(running, realm, which);
    };
    vm.lazyBuiltinHook = [](Vm& running, Realm* realm, u32 builtin, Object* holder, PropertyKey key) {
        Pause pause(running);
        return running.guard->saved_->lazyBuiltin(running, realm, builtin, holder, key);
    };
    vm.prepareStackHook = [](Vm& running, Object* error) {
        Pause pause(running, error);
        return running.guard->saved_->prepareStack(running, error);
    };
    vm.builtinModuleHook = [](Vm& running, std::string_view) -> Completion<Object*> {
        running.guard->refuse();
        return Threw{};
    };
    vm.loadModuleHook = [](Vm& running, Cell*, String*, String*) -> Completion<Module*> {
        running.guard->refuse();
        return Threw{};
    };
    vm.importMetaHook = [](Vm& running, Module*, Object*) -> Completion<void> {
        running.guard->refuse();
        return Threw{};
    };
    vm.budgetHook = nullptr;
    vm.enqueueJobHook = [](Vm& running, Value, Value, Cell*) { running.guard->refuse(); };
    vm.rejectionHook = [](Vm& running, Promise*, bool) { running.guard->refuse(); };
    // Short cuts that call no native function where the script says that it calls one.
    std::fill(std::begin(vm.iteratorSteps), std::end(vm.iteratorSteps), Vm::IteratorStep{});
    std::fill(std::begin(vm.inlineNatives), std::end(vm.inlineNatives), nullptr);
    vm.heap.setObserver(noteCell, this);
}

SideEffectGuard::~SideEffectGuard() {
    vm_.heap.setObserver(nullptr, nullptr);
    vm_.heap.removeRoots(saved_);
    saved_->giveBack(vm_);
    vm_.guard = nullptr;
    delete saved_;
}

void SideEffectGuard::limit(u64 fuel, u64 milliseconds, u64 bytes) {
    Heap& heap = vm_.heap;
    u64 memory = heap.usedBytes() + heap.externalBytes() + bytes;
    heap.setMemoryLimit(saved_->memoryLimit && saved_->memoryLimit < memory ? saved_->memoryLimit : memory);
    vm_.setTimeLeft(milliseconds * 1000000);
    u64 most = vm_.fuelUsed() + fuel;
    vm_.setFuelLimit(saved_->fuelLimit < most ? saved_->fuelLimit : most);
}

bool SideEffectGuard::refuse() {
    refused_ = true;
    (void)vm_.terminate(Termination::SideEffect);
    return false;
}

void SideEffectGuard::noteCell(void* guard, Cell* cell) {
    auto* self = static_cast<SideEffectGuard*>(guard);
    if (kindOf(cell) < Kind::Object && kindOf(cell) != Kind::Environment)
        return;
    if (self->paused_)
        self->fresh_.erase(cell); // of one that died
    else
        self->fresh_.insert(cell);
}

bool SideEffectGuard::isFresh(const Cell* cell) const {
    if (!fresh_.contains(cell))
        return false;
    switch (kindOf(cell)) {
    case Kind::TypedArray:
    case Kind::DataView: return fresh_.contains(static_cast<const BufferView*>(cell)->buffer.get());
    // What is written to them is written elsewhere.
    case Kind::Proxy:
    case Kind::CallableProxy:
    case Kind::StringRecord:
    case Kind::ModuleNamespace: return false;
    default: return true;
    }
}

bool SideEffectGuard::mayCall(const NativeFunction* native, Args args) {
    if (refused_)
        return false;
    bool allowed = false;
    switch (effectOf_(native->code)) {
    case NativeEffect::Refused: break;
    case NativeEffect::None: allowed = true; break;
    case NativeEffect::ChangesThis: allowed = isFresh(args.self()); break;
    case NativeEffect::ChangesFirst: allowed = isFresh(args[0]); break;
    case NativeEffect::ChangesReceiver: allowed = isFresh(args[0]) && isFresh(args[3]); break;
    case NativeEffect::NoneIfSingle: allowed = args[1].isUndefined(); break;
    }
    return allowed || refuse();
}

}
