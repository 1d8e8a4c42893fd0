// EventLoop: timers, immediates, ticks and microtasks of one Vm, in Node's order: due timers, then sleep, then
// immediates, round and round while something referenced is left; after each callback all ticks, then all microtasks.
//
// Invariants. `referenced_` counts the live timers (armed, or being run) with TimerReferenced, `referencedImmediates_`
// the queued immediates with ImmediateReferenced: the loop is alive while one of them is not 0, and nothing else has to
// be looked at. Every armed timer, queued immediate and job is a root. A callback that throws leaves the phase at once;
// after the process's handler took the exception, the phase starts again with the same time, without running the ticks
// in between (that is what Node does).
#pragma once
#include "runtime/base/output.h"
#include "runtime/core/vm.h"
#include "runtime/loop/clock.h"
#include "runtime/loop/emitter.h"
#include "runtime/loop/rejections.h"
#include "runtime/loop/signals.h"
#include "runtime/loop/task_queue.h"
#include "runtime/loop/timer_lists.h"
#include <unordered_map>

namespace scr {

enum ImmediateFlag : u16 {
    ImmediateQueued = 1,
    ImmediateReferenced = 2, ///< only while it is queued
    ImmediatePacked = 4, ///< `callback` is a Storage cell, see TimerPack
    ImmediateRuns = 8, ///< its callback is being called
};

/// Kind Immediate: the handle of setImmediate, linked in the queue.
struct Immediate : Object {
    TimerLink link;
    Value callback; ///< a function, or an internal Storage cell; undefined once run or cleared
    u16 immediateFlags;
    u16 armedHigh; ///< the instruction that called setImmediate, without the three bits that are 0
    u32 armedLow;
    const u64* armedAt() const { return reinterpret_cast<const u64*>((u64(armedHigh) << 32 | armedLow) << 3); }
    void setArmedAt(const u64* pc) {
        armedHigh = u16(u64(pc) >> 35);
        armedLow = u32(u64(pc) >> 3);
    }
    static Immediate* of(TimerLink* link) {
        return reinterpret_cast<Immediate*>(reinterpret_cast<char*>(link) - sizeof(Object));
    }
};
static_assert(sizeof(Immediate) == 48);

/// What `process` tells about the program that runs.
struct ProgramInfo {
    std::string executable; ///< absolute path
    std::string invokedAs; ///< argv[0] as it was given
    std::vector<std::string> arguments; ///< process.argv from the second element on
    std::vector<std::string> options; ///< process.execArgv
};

/// What the command line says about node:test.
struct TestSettings {
    std::vector<std::string> reporters, destinations, patterns;
    bool only = false;
    u64 timeLimit = 0; ///< milliseconds for each test; 0: none
    int channel = -1; ///< the descriptor on which `scr test` hears of the tests of this process; -1: none
    bool colors = false; ///< for what is told there
};

/// --unhandled-rejections: what happens to a rejection that no listener of unhandledRejection has taken.
enum class RejectionMode : u8 {
    Throw, ///< it is an uncaught exception
    Strict, ///< that first, whether or not there are listeners
    Warn, ///< a warning, whether or not there are listeners
    None, ///< nothing
    WarnWithErrorCode, ///< a warning, and exit status 1
};

/// Where an exception was thrown: a code block (null: unknown) and the word in it; and in whose callback.
struct ThrowPlace {
    Cell* code = nullptr;
    u32 word = 0;
    ArmPlace armed{};
    bool isRejection = false; ///< of a promise that nobody handled
    const u64* at = nullptr; ///< without `code`: the instruction that rejected it, if known
};

class EventLoop {
public:
    EventLoop(Vm& vm, const Clock& clock);
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;

    // ---- time
    /// Milliseconds since the loop was made; the value of about the last thousand calls and back-edges.
    ALWAYS_INLINE i64 now() { return LIKELY(vm_.clockValid) ? now_ : readClock(); }
    NOINLINE i64 readClock();
    /// Nanoseconds of the loop's clock since the loop was made.
    u64 nanoseconds() const { return clock_.read(clock_.context) - origin_; }
    const Clock& clock() const { return clock_; }

    // ---- timers. The handle's callback and duration are set by its maker.
    ALWAYS_INLINE void start(Timeout* timer, u32 flags) {
        timer->start = now();
        timer->armedAt = vm_.pc;
        timer->timerFlags = flags | TimerLive | TimerReferenced;
        referenced_++;
        timers_.arm(timer);
    }
    ALWAYS_INLINE void clear(Timeout* timer) {
        u32 flags = timer->timerFlags;
        timer->callback = Value::undefined();
        if (LIKELY(flags & TimerArmed))
            timers_.cancel(timer);
        if (LIKELY(flags & TimerLive)) {
            if (UNLIKELY((flags & (TimerArmed | TimerReferenced)) == TimerReferenced))
                timers_.retireIfEmpty(timer->duration);
            referenced_ -= (flags & TimerReferenced) != 0;
            if (UNLIKELY(flags & TimerNumbered))
                forgetNumber(timer);
        }
        timer->timerFlags = (flags & (TimerReferenced | TimerInterval | TimerNumbered)) | TimerCleared;
    }
    ALWAYS_INLINE void setReferenced(Timeout* timer, bool referenced) {
        u32 flags = timer->timerFlags;
        if (bool(flags & TimerReferenced) == referenced)
            return;
        timer->timerFlags = flags ^ TimerReferenced;
        if (flags & TimerLive)
            referenced_ += referenced ? 1 : -1;
    }
    /// Starts its duration anew, also after it fired; not after it was cleared.
    void refresh(Timeout* timer);
    /// The id; from now on the timer is found by it while it lives.
    double numberOf(Timeout* timer);
    ArmPlace armedAt(const Object* handle) const;
    /// Of the callback that runs.
    ArmPlace runningArmedAt() const { return runningHandle_ ? armedAt(runningHandle_) : ArmPlace{}; }
    /// Null if there is none.
    Timeout* findNumbered(double number) const;

    /// Whether a link is the head of a list of timers or immediates, not a handle.
    bool isHead(const TimerLink* link) const { return link == &queue_ || link == &batch_ || timers_.isHead(link); }

    // ---- immediates
    void queue(Immediate* immediate);
    void clear(Immediate* immediate);
    void setReferenced(Immediate* immediate, bool referenced);

    // ---- jobs
    void queueTick(Value callback, Value arguments) { ticks_.push({callback, arguments, vm_.asyncContext}); }
    void queueMicrotask(Value callback, Value arguments) { microtasks_.push({callback, arguments, vm_.asyncContext}); }

    // ---- running
    /// After a script's body: takes its exception if it threw, then runs ticks and microtasks. False: the run is over.
    bool afterScript(bool threw);
    /// The same after the evaluation of a main module has begun: as Node evaluates modules in a job, microtasks run
    /// before the ticks.
    bool afterModule(bool threw);
    /// A main module failed: an uncaught exception, whoever listens to rejections. Threw: the run is over. [script]
    Completion<void> failModule(Value reason);
    /// Until nothing referenced is left and the exit event has been emitted, or the run is over for another reason.
    void run();
    /// One turn without sleeping: milliseconds until something is due, 0: at once, -1: nothing referenced is left.
    /// `idle`: the host waits for something else, so timers that are not referenced count too.
    i64 turn(bool idle = false);
    /// Before the first listener of an event is added: if that is a signal, it is an event from now on. False, with
    /// errno: it cannot be caught.
    bool listenTo(PropertyKey event);
    /// After an interrupt has ended what ran: the loop may go on.
    void clearInterrupt();
    /// The interrupt ended a wait for the clock.
    bool sleptAtInterrupt() const { return sleptAtInterrupt_; }
    /// The interrupt came before the first instruction of this: a function or a job of a promise. Else undefined.
    Value interruptedJob() const { return interruptedJob_; }
    /// Of the timer or immediate whose callback the interrupt kept from its first instruction, or ended.
    ArmPlace interruptedFrom() const { return thrownFrom_; }
    /// Can be read when a signal that somebody listens to has come, or an interrupt: for hosts that wait between turns
    /// themselves. -1: there is no such descriptor.
    int wakeDescriptor();
    /// Timers are armed that do not keep the loop alive. Known: it is not alive.
    bool idleTimers() const;
    bool alive() const { return referenced_ > 0 || referencedImmediates_ > 0; }
    /// A referenced immediate that does nothing: makes the loop go round once more.
    void queueNothing();

    // ---- the end of the process
    /// The exit event, once. Threw: a listener threw, or the process ends.
    Completion<void> emitExit(bool natural);
    /// What the process would end with now.
    int exitStatus() const;
    /// An exception that nobody took, or its like, has ended the run; `report` tells it.
    bool failed() const { return failed_; }
    const std::string& report() const { return report_; }
    bool over() const { return failed_ || vm_.terminating(); }

    Value exitCode; ///< process.exitCode as the script set it
    bool warned = false; ///< the hint that follows the first warning has been printed
    bool exiting = false; ///< the exit event is being or has been emitted
    Emitter events; ///< of process
    SignalInbox signals; ///< those that `events` has listeners for
    Object* process(); ///< the process object, made when first needed
    /// The text for standard error about an exception that ends the run. Runs script only if that cannot throw.
    std::string (*describeUncaught)(Vm& vm, Value error, const ThrowPlace& place) = nullptr;
    /// Takes what would end the run; null: it ends. For hosts where it goes on (the interactive mode).
    void (*takeUncaught)(Vm& vm, Value error, const ThrowPlace& place) = nullptr;
    /// Warns that a rejection with this number was handled after the process had been told of it, or not at all.
    void (*warnHandledRejection)(Vm& vm, u32 number) = nullptr;
    void (*warnUnhandledRejection)(Vm& vm, Value reason, u32 number) = nullptr;
    RejectionMode rejectionMode = RejectionMode::Throw;
    Value captureException; ///< process.setUncaughtExceptionCaptureCallback: a function, or undefined
    struct {
        bool silent, trace; ///< nothing is printed; with the stack
        bool noDeprecation, throwDeprecation, traceDeprecation; ///< what process has under these names
    } warnings{};
    /// The promise of the main module: when the loop ends before it is settled, the exit status is 13 unless the script
    /// set another, and the report what describeUnsettled gives. Undefined: there is none.
    Value mainPromise;
    std::string (*describeUnsettled)(Vm& vm, Promise* promise) = nullptr;
    /// What is printed of a warning, for reports in another form; null: the usual line.
    std::string (*describeWarning)(Vm& vm, Object* warning) = nullptr;

    ProgramInfo program;
    TestSettings tests;
    /// The error of the last 'error' event that nobody listened to: a report of it tells where it was emitted.
    struct Emission {
        Value error, head; ///< head: the line above the stack
        Value capture; ///< an object whose `stack` begins where emit() was called
    } emission;
    /// Vm::asyncContext of what threw, or rejected, while the process hears of it.
    Cell* thrownContext = nullptr;

    // ---- streams
    OutputStream out{1};
    OutputStream err{2, &out};

    /// What the loop would still run: armed timers by the time at which they are due, then queued immediates.
    struct Pending {
        ArmPlace armed;
        i64 dueIn; ///< milliseconds, negative: it is late; of a timer
        u32 duration;
        bool referenced;
    };
    std::vector<Pending> pending();
    /// One entry "Timeout" or "Immediate" for each referenced timer and queued immediate.
    std::vector<const char*> activeResources() const;

private:
    bool spin();
    bool timersPhase();
    bool immediatesPhase();
    Completion<void> processTimers(i64 now);
    Completion<void> runList(TimerList* list, u32 generation, i64 now);
    Completion<void> runTimer(Timeout* timer);
    Completion<void> processImmediates();
    Completion<void> runPacked(Value callback, Value self, bool packed);
    Completion<void> runJob(const Job& job);
    Completion<void> processTicks();
    Completion<bool> processRejections();
    Completion<bool> reportRejection(const Rejections::Pending& pending);
    Completion<void> runMicrotasks();
    Completion<void> runNextTicks() {
        if (LIKELY(ticks_.empty() && microtasks_.empty() && !rejections_.waiting()))
            return {};
        return processTicks();
    }
    bool drain();
    bool finalizersPhase();
    bool recover(bool bySelf = false);
    bool waitsForMain() const;
    bool throwRejection(Value reason, const Rejections::Pending& pending);
    /// takeUncaught gets it: whether the loop goes on.
    bool handToHost(Value error, const ThrowPlace& place);
    bool handleUncaught(Value error, const ThrowPlace& place, std::string_view origin);
    bool fail(Value error, const ThrowPlace& place, int status);
    void sleep();
    void interruptSleep();
    bool signalsPhase();
    int signalOf(PropertyKey event);
    void stopListening(PropertyKey event);
    COLD void forgetNumber(Timeout* timer);
    static void trace(void* loop, Marker& marker);
    static void traceTimeout(Cell* cell, Marker& marker);
    static void traceImmediate(Cell* cell, Marker& marker);
    void markPc(const u64* pc, Marker& marker);

    Vm& vm_;
    i64 now_ = 0;
    i64 referenced_ = 0;
    u64 lastTimerId_ = 0;
    TimerLists timers_;
    i64 referencedImmediates_ = 0;
    TimerLink queue_; // immediates to be run in the next check phase
    TimerLink batch_; // those of the running phase
    TaskQueue ticks_, microtasks_;
    Rejections rejections_;
    Clock clock_;
    u64 origin_;
    bool running_ = false, failed_ = false, unsettled_ = false;
    bool sleptAtInterrupt_ = false;
    Value interruptedJob_; // no root: nothing of the script runs on
    int failedStatus_ = -1; // overrides exitCode
    std::string report_;
    struct Numbered {
        Timeout* timer;
        const u64* armedAt;
    };
    std::unordered_map<u64, Numbered> numbered_; // live timers whose id was shown
    const u64* markedPc_ = nullptr; // during a collection: the last that was marked
    const Object* runningHandle_ = nullptr; // the timer or immediate whose callback runs
    ArmPlace thrownFrom_{}; // that of the callback that threw what is pending
};

}
