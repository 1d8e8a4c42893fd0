// From a pending exception to its handler, frame by frame, inside one activation.
#include "interp/vm/slow_paths.h"
#include "runtime/core/error.h"

namespace scr {

static const Handler* findHandler(const Code* code, u32 word) {
    const Handler* handlers = code->handlers();
    for (u32 i = 0; i < code->handlerCount; i++)
        if (word >= handlers[i].begin && word < handlers[i].end)
            return &handlers[i];
    return nullptr;
}

bool unwind(Vm& vm) {
    if (!vm.thrownCode) {
        vm.thrownCode = codeOf(vm.base);
        vm.thrownWord = u32(vm.pc - codeOf(vm.base)->words);
        if (UNLIKELY(vm.termination == Termination::Interrupt)) // for its stack
            vm.thrownValue = Value::object(newError(vm, Intrinsic::ErrorPrototype, nullptr));
    }
    for (;;) {
        Code* code = codeOf(vm.base);
        const Handler* handler = vm.terminating() ? nullptr : findHandler(code, u32(vm.pc - code->words));
        if (handler) {
            vm.base[handler->exception] = vm.pendingException;
            vm.pendingException = Value::undefined();
            vm.pc = code->words + handler->target;
            return true;
        }
        u64 info = returnInfoOf(vm.base);
        if (info & ReturnInfo::FlagEntry)
            return false;
        vm.pc = ReturnInfo::callerPc(info);
        vm.base -= ReturnInfo::delta(info);
        if (UNLIKELY(info & ReturnInfo::FlagResume))
            abandonResumed(vm.pc, vm.base, info);
    }
}

}
