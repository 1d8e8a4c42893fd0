// Cells of suspended functions: making and tracing them.
#include "runtime/core/suspension.h"
#include "runtime/core/async_generator.h"
#include "runtime/core/error.h"
#include "runtime/core/vm.h"

namespace scr {

/// The saved words are those of a stack frame: registers that nothing was written to hold whatever stood there before.
static void traceFrame(Cell* cell, Marker& marker) {
    auto* frame = static_cast<SuspendedFrame*>(cell);
    marker.mark(frame->callee);
    marker.mark(frame->owner);
    marker.mark(frame->awaited);
    marker.markConservativeRange(frame->registers, frame->registers + frame->live);
}

static void traceGenerator(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    marker.mark(static_cast<Generator*>(cell)->frame);
}

static void traceAsyncGenerator(Cell* cell, Marker& marker) {
    traceGenerator(cell, marker);
    marker.mark(static_cast<AsyncGenerator*>(cell)->first);
    marker.mark(static_cast<AsyncGenerator*>(cell)->last);
}

void registerSuspensionKinds(Heap& heap) {
    heap.setTrace(u8(Kind::SuspendedFrame), traceFrame);
    heap.setTrace(u8(Kind::Generator), traceGenerator);
    heap.setTrace(u8(Kind::AsyncGenerator), traceAsyncGenerator);
    registerAsyncIterationKinds(heap);
}

SuspendedFrame* newSuspendedFrame(Vm& vm, Function* callee, u32 capacity, Cell* owner) {
    auto* frame = static_cast<SuspendedFrame*>(
        vm.heap.allocate(sizeof(SuspendedFrame) + capacity * sizeof(Value), u8(Kind::SuspendedFrame), capacity));
    frame->setState(FrameState::Running);
    frame->callee = callee;
    frame->pc = nullptr;
    frame->owner = owner;
    frame->awaited = nullptr;
    frame->live = 0;
    frame->handsResult = false;
    return frame;
}

Completion<Generator*> newGenerator(Vm& vm, Function* function, u32 capacity, bool isAsync) {
    Value prototype = TRY(get(vm, function, PropertyKey::atom(vm.names.prototype)));
    Realm* realm = function->info->realm;
    Object* parent = prototype.isObject()
        ? prototype.asObject()
        : realm->intrinsic(vm, isAsync ? Intrinsic::AsyncGeneratorPrototype : Intrinsic::GeneratorPrototype);
    Kind kind = isAsync ? Kind::AsyncGenerator : Kind::Generator;
    size_t size = isAsync ? sizeof(AsyncGenerator) : sizeof(Generator);
    auto* generator = static_cast<Generator*>(allocateObject(vm, kind, size, rootShape(vm, parent, 0)));
    generator->frame = nullptr;
    generator->started = false;
    if (isAsync) {
        auto* async = static_cast<AsyncGenerator*>(generator);
        async->state = AsyncGeneratorState::SuspendedStart;
        async->first = async->last = nullptr;
    }
    generator->frame = newSuspendedFrame(vm, function, capacity, generator);
    return generator;
}

}
