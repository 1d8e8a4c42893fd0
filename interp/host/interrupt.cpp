// The handler of SIGINT, and the report of where an interrupt found the script.
#include "interp/host/interrupt.h"
#include "interp/host/json_report.h"
#include "runtime/core/object.h"
#include "runtime/core/promise.h"
#include "runtime/core/stack_frames.h"
#include "runtime/core/suspension.h"
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <unistd.h>

namespace scr {

static std::atomic<Vm*> interrupted;

static void onInterrupt(int) {
    if (Vm* vm = interrupted.load())
        vm->requestInterrupt();
}

void installInterrupt(Vm& vm) {
    struct sigaction action {
    }, before{};
    if (sigaction(SIGINT, nullptr, &before) || before.sa_handler == SIG_IGN)
        return;
    interrupted.store(&vm);
    // The reader may be slow, and is interrupted by the same key.
    vm.loop->out.givesUp = [] { return interrupted.load()->interruptRequested(); };
    action.sa_handler = onInterrupt;
    action.sa_flags = int(SA_RESETHAND); // the second one kills
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
}

void dieBySignal(int number) {
    std::signal(number, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, nullptr);
    raise(number);
    _exit(128 + number);
}

bool isIdle(const Vm& vm) { return vm.loop->sleptAtInterrupt(); }

/// "  setTimeout of 500 ms, due in 312 ms, armed at f (file:3:5)"
static std::string describePending(Vm& vm, const EventLoop::Pending& pending) {
    std::string text = "  ";
    if (pending.armed.kind == ArmPlace::Immediate) {
        text += "setImmediate";
    } else {
        text += pending.armed.kind == ArmPlace::Interval ? "setInterval" : "setTimeout";
        text += " of " + std::to_string(pending.duration) + " ms, ";
        text += pending.dueIn > 0 ? "due in " + std::to_string(pending.dueIn) + " ms"
                                  : "due since " + std::to_string(-pending.dueIn) + " ms";
    }
    if (!pending.referenced)
        text += ", unref'd";
    std::string where = describeInstruction(vm, pending.armed.pc);
    return text + (where.empty() ? "" : ", armed at " + where) + "\n";
}

/// "  a microtask: f (file:3:5)": the job, or the callback, before whose first instruction the interrupt came.
static std::string describeNext(Vm& vm) {
    Value job = vm.loop->interruptedJob();
    ArmPlace armed = vm.loop->interruptedFrom();
    if (vm.thrownCode || (job.isUndefined() && armed.kind != ArmPlace::Immediate))
        return "";
    if (job.isUndefined())
        return describePending(vm, {armed, 0, 0, true});
    Value handler = job;
    Kind kind = kindOf(job.asCell());
    if (kind == Kind::Promise) {
        auto* promise = static_cast<Promise*>(job.asCell());
        handler = promise->handler.isUndefined() ? promise->derived : promise->handler;
    } else if (!isCallableKind(kind) && kind != Kind::SuspendedFrame) {
        auto* reaction = static_cast<PromiseReaction*>(job.asCell());
        bool rejected = reaction->flags & ReactionRejected;
        handler = rejected && !(reaction->flags & ReactionThenable) ? reaction->onRejected : reaction->onFulfilled;
        if (handler.isUndefined())
            handler = reaction->derived;
    }
    std::string where;
    if (handler.isCell() && kindOf(handler.asCell()) == Kind::Function)
        where = describeInstruction(vm, static_cast<Function*>(handler.asCell())->code()->words);
    else if (handler.isCell() && kindOf(handler.asCell()) == Kind::SuspendedFrame)
        where = describeInstruction(vm, static_cast<SuspendedFrame*>(handler.asCell())->pc);
    return where.empty() ? "  a microtask\n" : "  a microtask: " + where + "\n";
}

/// What would have run, or waits: empty if there is nothing.
static std::string describeAllPending(Vm& vm) {
    EventLoop& loop = *vm.loop;
    constexpr size_t Most = 10;
    std::vector<EventLoop::Pending> all = loop.pending();
    std::string text = describeNext(vm);
    for (size_t i = 0; i < all.size() && i < Most; i++)
        text += describePending(vm, all[i]);
    if (all.size() > Most)
        text += "  and " + std::to_string(all.size() - Most) + " more\n";
    bool waits = isPromise(loop.mainPromise)
        && static_cast<Promise*>(loop.mainPromise.asObject())->state == PromiseState::Pending;
    std::string where = waits ? mainWaitsAt(vm, static_cast<Promise*>(loop.mainPromise.asObject())) : "";
    if (!where.empty())
        text += "  the main module waits at " + where + "\n";
    return text;
}

std::string reportInterrupt(Vm& vm) {
    std::string pending = describeAllPending(vm);
    if (reportsJson(vm))
        return jsonInterrupt(vm, pending);
    std::string text = reportPlace({vm.thrownCode, vm.thrownWord, {}, false});
    Value stack = vm.thrownValue;
    if (!text.empty())
        text += "\n";
    text += isIdle(vm)  ? "Interrupted while it waited"
        : vm.thrownCode ? "Interrupted"
                        : "Interrupted between callbacks";
    if (stack.isObject() && kindOf(stack.asCell()) == Kind::Error)
        text += framesText(vm, static_cast<ErrorObject*>(stack.asObject()));
    text += "\n";
    if (!pending.empty())
        text += "\npending:\n" + pending;
    return text + "\n";
}

}
