// The slow paths of `using`. The list of resources (runtime/core/disposal.h) stands in a register of its scope; the two
// behind it say how the scope is left, as those of a finally block do.
#include "runtime/core/disposal.h"
#include "interp/vm/slow_paths.h"

namespace scr {

/// The way on which a finally block is entered by an exception.
constexpr i32 WayThrow = 1;

bool slowAddDisposable(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::AddDisposable>(pc);
    publish(vm, pc, base);
    Value& list = base[insn.list.n];
    if (list.isUndefined())
        list = Value::cell(newDisposeCapability(vm));
    return !addDisposable(vm, list.as<DisposeCapability>(), base[insn.value.n], insn.isAsync.value).threw();
}

static DisposeCompletion completionOf(const Value* first) {
    if (first[1] == Value::int32(WayThrow))
        return {true, first[2]};
    return {};
}

static void setCompletion(Value* first, const DisposeCompletion& completion) {
    if (!completion.threw)
        return;
    first[1] = Value::int32(WayThrow);
    first[2] = completion.error;
}

static Completion<bool> dispose(Vm& vm, Value* first, Value& awaited) {
    if (first[0].isUndefined())
        return false;
    DisposeCompletion completion = completionOf(first);
    bool waits = TRY(disposeUntilWait(vm, first[0].as<DisposeCapability>(), completion, awaited));
    setCompletion(first, completion);
    return waits;
}

bool slowDispose(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    Value awaited;
    return !dispose(vm, &base[at<ops::Dispose>(pc).first.n], awaited).threw();
}

int slowDisposeNext(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::DisposeNext>(pc);
    publish(vm, pc, base);
    Completion<bool> waits = dispose(vm, &base[insn.first.n], base[insn.dst.n]);
    return waits.threw() ? -1 : !waits.value();
}

bool slowSuppress(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::Suppress>(pc);
    publish(vm, pc, base);
    Value* first = &base[insn.first.n];
    DisposeCompletion completion = completionOf(first);
    suppress(vm, completion, base[insn.src.n]);
    setCompletion(first, completion);
    return true;
}

}
