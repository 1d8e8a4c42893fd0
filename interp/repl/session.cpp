// Entering texts: evaluating, waiting, printing, and going on after whatever happened.
#include "interp/repl/session.h"
#include "interp/repl/display.h"
#include "runtime/builtins/console.h"
#include <algorithm>
#include <unistd.h>

namespace scr {

static Session* current = nullptr;

Session::Session(Engine& engine, const CommandLine& line, bool terminal)
    : vm_(engine.vm())
    , engine_(engine)
    , loop_(*vm_.loop)
    , line_(line)
    , terminal_(terminal)
    , colors_(wantsColors(loop_.out))
    , signals_(vm_)
    , globals_(vm_)
    , evaluator_(vm_) {
    current = this;
    loop_.takeUncaught = takeUncaught;
    globals_.define();
}

Session::~Session() {
    loop_.takeUncaught = nullptr;
    loop_.out.onSend = loop_.err.onSend = nullptr;
    current = nullptr;
}

// ---- what becomes of errors

void Session::takeUncaught(Vm& vm, Value error, const ThrowPlace& place) {
    current->globals_.set(ReplGlobals::LastError, error);
    vm.loop->out.write(showUncaught(vm, error, place, current->colors_));
}

void Session::showWrong(const std::string& report) {
    size_t at = report.rfind("SyntaxError: ");
    std::string_view message = std::string_view(report).substr(at == report.npos ? 0 : at + 13);
    message = message.substr(0, message.find('\n'));
    Object* error = newError(vm_, Intrinsic::SyntaxErrorPrototype, newUtf8(vm_, message));
    globals_.set(ReplGlobals::LastError, Value::object(error));
    print(report);
}

/// Something ended what ran, uncatchably. It is told, and the Vm made fit to go on, unless the process is to end.
void Session::takeTermination() {
    if (vm_.termination == Termination::Exit || ReplSignals::ending())
        return;
    bool isMemory = vm_.termination == Termination::MemoryLimit || vm_.termination == Termination::OutOfMemory;
    Promise* waiting = vm_.thrownCode ? nullptr : evaluator_.promise();
    print(showTermination(vm_, line_.timeLimit * 1000000, line_.fuel, waiting));
    evaluator_.abandon();
    ReplSignals::takeInterrupt();
    loop_.clearInterrupt();
    vm_.termination = Termination::None;
    vm_.pendingException = vm_.newTarget = vm_.runningDerived = Value::undefined();
    vm_.asyncContext = nullptr;
    vm_.joining = nullptr;
    vm_.preparingStack = false;
    vm_.deadline = 0;
    if (isMemory) {
        vm_.heap.clearOverLimit();
        vm_.heap.collect();
        vm_.heap.clearOverLimit(); // what is left may be too much: whoever drops some of it can go on
    }
}

bool Session::ends() const { return exits_ || vm_.terminating() || ReplSignals::ending(); }

// ---- evaluating

/// Each text may use what the command line grants.
void Session::setLimits() {
    vm_.deadline = line_.timeLimit ? monotonicNanoseconds() + line_.timeLimit * 1000000 : 0;
    if (line_.fuel)
        engine_.setFuel(line_.fuel);
}

Evaluation Session::run(std::string_view text) {
    ReplSignals::Running running(signals_);
    Evaluation result = evaluator_.evaluate(text);
    if (result.status == Evaluation::Waits)
        loop_.afterScript(false);
    return result;
}

/// Until the text that waits goes on to its end, or ^C or a limit ends the wait.
Evaluation Session::await() {
    Evaluation ended;
    ended.status = Evaluation::Ended;
    for (;;) {
        if (ends())
            return ended;
        Evaluation result = evaluator_.step();
        if (result.status != Evaluation::Waits)
            return result;
        i64 milliseconds = 0;
        {
            ReplSignals::Running running(signals_);
            milliseconds = loop_.turn(true);
        }
        if (vm_.interruptRequested() && !vm_.terminating())
            (void)vm_.interrupt();
        if (vm_.terminating())
            return ended;
        if (evaluator_.promise()->state != PromiseState::Pending)
            continue;
        settle();
        if (vm_.deadline) {
            i64 left = i64((vm_.timeLeft() + 999999) / 1000000);
            milliseconds = milliseconds < 0 ? left : std::min(milliseconds, left);
            if (!left)
                (void)vm_.terminate(Termination::TimeLimit);
        }
        if (!terminal_ && milliseconds < 0 && !loop_.signals.listening()) {
            // Nobody sits there who could interrupt it.
            print(loop_.describeUnsettled ? loop_.describeUnsettled(vm_, evaluator_.promise()) : "");
            loop_.exitCode = loop_.exitCode.isNullish() ? Value::int32(13) : loop_.exitCode;
            exits_ = true;
        } else if (milliseconds) {
            wait(-1, milliseconds);
        }
        if (ReplSignals::takeInterrupt() && !vm_.terminating())
            (void)vm_.interrupt();
    }
}

void Session::conclude(Evaluation& result) {
    switch (result.status) {
    case Evaluation::Wrong: showWrong(result.report); break;
    case Evaluation::Done: {
        ReplSignals::Running running(signals_);
        globals_.set(ReplGlobals::Last, result.value);
        std::string shown;
        if (showResult(vm_, result.value, colors_, shown).threw()) {
            if (!vm_.terminating())
                loop_.afterScript(true);
            break;
        }
        if (terminal_)
            settle();
        print(shown);
        print("\n");
        break;
    }
    case Evaluation::Threw: {
        ReplSignals::Running running(signals_);
        loop_.afterScript(true);
        break;
    }
    default: break;
    }
    if (!vm_.terminating()) {
        ReplSignals::Running running(signals_);
        loop_.afterScript(false);
    }
}

bool Session::evaluate(std::string_view text) {
    loop_.clearInterrupt();
    if (ReplSignals::takeInterrupt()) // behind the Enter that ended the text
        vm_.requestInterrupt();
    setLimits();
    Evaluation result = run(text);
    if (result.status == Evaluation::Waits)
        result = await();
    if (!ends() || result.status == Evaluation::Wrong)
        conclude(result);
    if (vm_.terminating())
        takeTermination();
    ReplSignals::takeInterrupt(); // too late for the text, and not meant for the next one
    vm_.deadline = 0;
    settle();
    return !ends();
}

// ---- the loop

i64 Session::turn() {
    setLimits();
    i64 milliseconds = 0;
    {
        ReplSignals::Running running(signals_);
        milliseconds = loop_.turn(true);
    }
    if (vm_.terminating()) {
        takeTermination();
        milliseconds = 0;
    }
    vm_.deadline = 0;
    settle();
    return milliseconds;
}

Woken Session::wait(int input, i64 milliseconds) {
    Woken woken = signals_.wait(input, loop_.wakeDescriptor(), milliseconds);
    vm_.clockValid = false;
    loop_.clearInterrupt();
    return woken;
}

void Session::settle() {
    loop_.out.flush();
    loop_.err.flush();
    bool amidLine =
        (!loop_.out.atLineStart() && loop_.out.isTerminal()) || (!loop_.err.atLineStart() && loop_.err.isTerminal());
    if (terminal_ && amidLine) {
        loop_.out.write("\n");
        loop_.out.flush();
    }
}

int Session::finish() {
    if (!vm_.terminating() && !ReplSignals::ending()) {
        ReplSignals::Running running(signals_);
        if (loop_.emitExit(false).threw() && !vm_.terminating())
            loop_.afterScript(true);
    }
    settle();
    if (vm_.terminating() && vm_.termination != Termination::Exit)
        return 1;
    return loop_.exitStatus();
}

}
