// Why a main module waits for ever. The loop has ended, so that nothing will run any more: what is left of the heap is
// searched for whoever could have settled a promise, link by link.
#include "interp/host/report.h"
#include "interp/vm/interpreter.h"
#include "runtime/base/utf.h"
#include "runtime/core/async_generator.h"
#include "runtime/core/module.h"
#include "runtime/core/stack_frames.h"
#include "runtime/core/suspension.h"

namespace scr {

namespace {

/// Whoever settles a promise, as far as the heap tells.
struct Settler {
    SuspendedFrame* frame = nullptr; ///< the function that it is the result of
    Promise* source = nullptr; ///< a promise with a reaction that settles it
    PromiseElement element; ///< of what combinator; only with `source`
    bool isElement = false, resolvers = false; ///< its resolve or reject function is still there
};

Promise* promiseOrNull(Value value) { return isPromise(value) ? static_cast<Promise*>(value.asObject()) : nullptr; }

class Search {
public:
    Search(Vm& vm, Promise* wanted)
        : vm_(vm)
        , wanted_(wanted) {
        vm.heap.visitCells([](void* self, Cell* cell) { static_cast<Search*>(self)->visit(cell); }, this);
    }
    Settler found;

private:
    void visit(Cell* cell);
    void reaction(Promise* source, Value onFulfilled, Value onRejected, Value derived);
    Vm& vm_;
    Promise* wanted_;
};

void Search::reaction(Promise* source, Value onFulfilled, Value onRejected, Value derived) {
    PromiseElement element;
    for (Value handler : {onFulfilled, onRejected})
        if (vm_.promiseElementHook && vm_.promiseElementHook(handler, element)
            && element.promise == Value::object(wanted_)) {
            found.source = source;
            found.element = element;
            found.isElement = true;
            return;
        }
    Promise* settled = promiseOrNull(derived);
    if (derived.isCell() && !derived.isObject()) {
        if (kindOf(derived.asCell()) == Kind::PromiseCapability)
            settled = promiseOrNull(derived.as<PromiseCapability>()->promise);
        else if (kindOf(derived.asCell()) == Kind::Waiter)
            settled = derived.as<Waiter>()->promise;
    }
    if (Promise* resolved = promiseOfResolver(onFulfilled); resolved == wanted_)
        settled = resolved;
    if (settled == wanted_ && !found.source)
        found.source = source;
}

void Search::visit(Cell* cell) {
    if (kindOf(cell) == Kind::SuspendedFrame) {
        auto* frame = static_cast<SuspendedFrame*>(cell);
        Cell* owner = frame->owner;
        if (frame->state() != FrameState::Suspended || !owner)
            return;
        if (kindOf(owner) == Kind::AsyncGenerator) {
            Waiter* request = static_cast<AsyncGenerator*>(owner)->first;
            owner = request ? request->promise.get() : nullptr;
        }
        if (owner == wanted_)
            found.frame = frame;
    } else if (kindOf(cell) == Kind::NativeFunction) {
        auto* function = static_cast<NativeFunction*>(cell);
        found.resolvers |= promiseOfResolver(Value::object(function)) == wanted_;
    } else if (kindOf(cell) == Kind::Promise) {
        auto* promise = static_cast<Promise*>(cell);
        if (promise->state != PromiseState::Pending)
            return;
        if (promise->promiseFlags & PromiseInline)
            reaction(promise, promise->result, promise->handler, promise->derived);
        if (promise->promiseFlags & PromiseListed)
            for (auto* next = static_cast<PromiseReaction*>(promise->result.asCell()); next; next = next->next)
                reaction(promise, next->onFulfilled, next->onRejected, next->derived);
    }
}

ThrowPlace placeOf(const SuspendedFrame* frame) {
    Code* code = frame->callee->code();
    return {code, u32(frame->pc - code->words)};
}

std::string nameOf(Vm& vm, const ThrowPlace& place) {
    auto* code = static_cast<Code*>(place.code);
    std::string name = code->name ? toUtf8(vm, code->name) : "";
    return name.empty() ? "an async function" : name;
}

std::string lineOf(const ThrowPlace& place) {
    auto* code = static_cast<Code*>(place.code);
    const Place* found = findPlace(code, place.word);
    ScriptSource& source = *code->script->source;
    LineColumn where = lineColumn(source, found ? found->point : code->sourceBegin);
    return source.name + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
}

/// What the promise is, and what that waits for in turn.
std::string explain(Vm& vm, Promise* promise) {
    std::string text;
    constexpr int MostLinks = 20;
    for (int i = 0; i < MostLinks; i++) {
        Settler settler = Search(vm, promise).found;
        const std::string begins = i == 0 ? "  it waits for a promise" : "  for a promise";
        if (settler.frame) {
            ThrowPlace place = placeOf(settler.frame);
            text += "  it waits for " + nameOf(vm, place) + ", which waits at " + lineOf(place) + "\n";
            Cell* awaited = settler.frame->awaited;
            if (!awaited || kindOf(awaited) != Kind::Promise)
                return text + "  for nobody asks it to go on\n";
            promise = static_cast<Promise*>(awaited);
        } else if (settler.source) {
            if (settler.isElement) {
                Value name = settler.element.combinator.as<NativeFunction>()->name;
                text += "  it waits for Promise." + (name.isString() ? toUtf8(vm, name.asString()) : "all")
                    + ", whose element " + std::to_string(settler.element.index) + " is pending\n";
            } else {
                text += "  it waits for what follows another promise (then, catch, finally, resolve)\n";
            }
            promise = settler.source;
        } else if (settler.resolvers && vm.loop->idleTimers()) {
            return text + begins
                + " whose resolve functions are still there, but only timers that are unref'd are "
                  "left\n";
        } else if (settler.resolvers) {
            return text + begins
                + " whose resolve functions are still there, but nothing is left that could call "
                  "them\n";
        } else {
            return text + begins + " that nothing else refers to: its resolve functions are gone\n";
        }
    }
    return text + "  and so on\n";
}

/// The module that waits itself: the first in order of the text among those that `module` depends on.
Module* waitingModule(Module* module, std::vector<Module*>& seen) {
    for (Module* other : seen)
        if (other == module)
            return nullptr;
    seen.push_back(module);
    if (!module->record)
        return nullptr;
    for (const ModuleRequest& request : module->record->requests)
        if (request.module)
            if (Module* found = waitingModule(request.module, seen))
                return found;
    SuspendedFrame* frame = module->frame;
    bool waits = module->status == ModuleStatus::EvaluatingAsync && frame && frame->state() == FrameState::Suspended
        && frame->awaited;
    return waits ? module : nullptr;
}

struct ModuleSearch {
    Promise* promise;
    Module* found;
};

Module* moduleOf(Vm& vm, Promise* promise) {
    ModuleSearch search{promise, nullptr};
    vm.heap.visitCells(
        [](void* context, Cell* cell) {
            auto* search = static_cast<ModuleSearch*>(context);
            if (kindOf(cell) == Kind::Module && static_cast<Module*>(cell)->promise.get() == search->promise)
                search->found = static_cast<Module*>(cell);
        },
        &search);
    return search.found;
}

}

namespace {

/// What waits, of a module or a text: the frame whose promise it is; null if nobody knows.
SuspendedFrame* waitingFrame(Vm& vm, Promise* promise) {
    Module* module = moduleOf(vm, promise);
    if (!module)
        return Search(vm, promise).found.frame;
    std::vector<Module*> seen;
    Module* waiting = waitingModule(module, seen);
    return waiting ? waiting->frame.get() : nullptr;
}

Promise* awaitedBy(const SuspendedFrame* frame) {
    Cell* awaited = frame->awaited;
    return awaited && kindOf(awaited) == Kind::Promise ? static_cast<Promise*>(awaited) : nullptr;
}

}

std::string mainWaitsAt(Vm& vm, Promise* promise) {
    Module* module = moduleOf(vm, promise);
    std::vector<Module*> seen;
    Module* waiting = module ? waitingModule(module, seen) : nullptr;
    SuspendedFrame* frame = waiting ? waiting->frame.get() : Search(vm, promise).found.frame;
    return frame && frame->awaited ? lineOf(placeOf(frame)) : "";
}

std::string reportUnsettled(Vm& vm, Promise* promise) {
    SuspendedFrame* frame = waitingFrame(vm, promise); // of a text: nothing else holds it
    vm.heap.collect();
    Promise* awaited = frame ? awaitedBy(frame) : nullptr;
    if (!awaited)
        return "Warning: Detected unsettled top-level await\n\n\n";
    return "Warning: Detected unsettled top-level await at\n" + reportPlace(placeOf(frame)) + "\n\n"
        + explain(vm, awaited);
}

std::string waitingFrames(Vm& vm, Promise* promise) {
    constexpr int MostFrames = 20;
    std::string text;
    SuspendedFrame* frame = waitingFrame(vm, promise);
    for (int i = 0; frame && i < MostFrames; i++) {
        ThrowPlace place = placeOf(frame);
        auto* code = static_cast<Code*>(place.code);
        std::string name = code->name ? toUtf8(vm, code->name) : "";
        text.insert(0, "    at async " + (name.empty() ? lineOf(place) : name + " (" + lineOf(place) + ")") + "\n");
        promise = awaitedBy(frame);
        frame = promise ? Search(vm, promise).found.frame : nullptr;
    }
    return text;
}

}
