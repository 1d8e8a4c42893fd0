// The handler of SIGINT, and the report of where an interrupt found the script.
#include "interp/host/interrupt.h"
#include "interp/host/report.h"
#include "runtime/core/stack_frames.h"
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

bool isIdle(const Vm& vm) { return !vm.thrownCode; }

std::string reportInterrupt(Vm& vm) {
    std::string text = reportPlace({vm.thrownCode, vm.thrownWord});
    Value stack = vm.thrownValue;
    if (!text.empty())
        text += "\n";
    text += "Interrupted";
    if (stack.isObject() && kindOf(stack.asCell()) == Kind::Error)
        text += framesText(vm, static_cast<ErrorObject*>(stack.asObject()));
    return text + "\n\n";
}

}
