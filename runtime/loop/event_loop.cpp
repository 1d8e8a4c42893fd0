// The phases, the order of callbacks, ticks and microtasks, and what happens to exceptions that no script took.
#include "runtime/loop/event_loop.h"
#include "runtime/core/call.h"
#include "runtime/core/operations.h"
#include "runtime/core/weak.h"
#include <algorithm>
#include <cmath>

namespace scr {

namespace {

bool emptyRing(const TimerLink& head) { return head.next == &head; }

void unlink(TimerLink& link) {
    link.previous->next = link.next;
    link.next->previous = link.previous;
}

/// Vm::timerMethodHook. An immediate is taken apart before its callback runs.
const char* timerMethod(const Object* handle, const Object* function) {
    bool isTimeout = kindOf(handle) == Kind::Timeout;
    if (!isTimeout && kindOf(handle) != Kind::Immediate)
        return nullptr;
    if (!isTimeout)
        return static_cast<const Immediate*>(handle)->immediateFlags & ImmediateRuns ? "_onImmediate" : nullptr;
    Value callback = static_cast<const Timeout*>(handle)->callback;
    if (static_cast<const Timeout*>(handle)->timerFlags & TimerPacked && callback.isCell())
        callback = callback.as<Storage>()->values[PackedFunction];
    return callback.isObject() && callback.asObject() == function ? "_onTimeout" : nullptr;
}

/// Of a process that ends while its main module waits.
constexpr int UnsettledStatus = 13;

/// While one lives, what is called runs in that context.
class InContext {
public:
    InContext(Vm& vm, Cell* context)
        : vm_(vm)
        , outer_(vm.asyncContext) {
        vm.asyncContext = context;
    }
    ~InContext() { vm_.asyncContext = outer_; }
    InContext(const InContext&) = delete;

private:
    Vm& vm_;
    Cell* outer_;
};

PropertyKey eventName(Vm& vm, std::string_view name) { return PropertyKey::atom(internAscii(vm, name)); }

}

/// The code of the instruction that armed a timer stays, for reports. Most were armed at the same few places.
void EventLoop::markPc(const u64* pc, Marker& marker) {
    if (pc == markedPc_)
        return;
    markedPc_ = pc;
    marker.markConservative(u64(pc));
}

void EventLoop::traceTimeout(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    auto* timer = static_cast<Timeout*>(cell);
    // The links are not followed: every armed timer is a root of its own.
    marker.markValues(&timer->callback, 1);
    if (!(timer->timerFlags & TimerNumbered))
        Vm::of(marker.heap()).loop->markPc(timer->armedAt, marker);
}

void EventLoop::traceImmediate(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    auto* immediate = static_cast<Immediate*>(cell);
    marker.markValues(&immediate->callback, 1);
    Vm::of(marker.heap()).loop->markPc(immediate->armedAt(), marker);
}

EventLoop::EventLoop(Vm& vm, const Clock& clock)
    : vm_(vm)
    , timers_(vm.hashSeed)
    , queue_{&queue_, &queue_}
    , batch_{&batch_, &batch_}
    , ticks_(vm.heap)
    , microtasks_(vm.heap)
    , clock_(clock)
    , origin_(clock.read(clock.context)) {
    vm.heap.setTrace(u8(Kind::Timeout), traceTimeout);
    vm.heap.setTrace(u8(Kind::Immediate), traceImmediate);
    vm.heap.addRoots(trace, this);
    vm.enqueueJobHook = [](Vm& running, Value job, Value argument, Cell* context) {
        running.loop->microtasks_.push({job, argument, context});
    };
    vm.rejectionHook = [](Vm& running, Promise* promise, bool handled) {
        EventLoop& loop = *running.loop;
        bool threw = promise->result.bits() == running.thrownValue.bits() && running.thrownCode;
        loop.rejections_.track(handled,
            {promise, loop.runningArmedAt(), running.base ? running.pc : nullptr, threw ? running.thrownCode : nullptr,
                running.thrownWord, running.asyncContext});
    };
    vm.timerMethodHook = timerMethod;
    vm.clockValid = false;
    events.context = this;
    events.onEmptied = [](void* loop, PropertyKey event) { static_cast<EventLoop*>(loop)->stopListening(event); };
    // Whoever waits for a script that computes without end has seen what it printed before.
    vm.budgetHook = [](Vm& running) { running.loop->out.flush(); };
}

EventLoop::~EventLoop() {
    vm_.wakeDescriptor.store(-1);
    vm_.heap.removeRoots(this);
}

void EventLoop::trace(void* context, Marker& marker) {
    auto& loop = *static_cast<EventLoop*>(context);
    loop.markedPc_ = nullptr;
    for (const auto& [id, numbered] : loop.numbered_)
        loop.markPc(numbered.armedAt, marker);
    loop.timers_.forEach([&](Timeout* timer) { marker.mark(timer); });
    for (const TimerLink* head : {&loop.queue_, &loop.batch_})
        for (TimerLink* link = head->next; link != head; link = link->next)
            marker.mark(Immediate::of(link));
    loop.ticks_.trace(marker);
    loop.microtasks_.trace(marker);
    loop.rejections_.trace(marker);
    loop.events.trace(marker);
    marker.markValues(&loop.exitCode, 1);
    marker.markValues(&loop.captureException, 1);
    marker.markValues(&loop.mainPromise, 1);
    marker.markValues(&loop.emission.error, 1);
    marker.markValues(&loop.emission.head, 1);
    marker.markValues(&loop.emission.capture, 1);
    marker.mark(loop.thrownContext);
}

i64 EventLoop::readClock() {
    now_ = i64(nanoseconds() / 1000000);
    vm_.clockValid = true;
    return now_;
}

// ---- timers

void EventLoop::refresh(Timeout* timer) {
    u32 flags = timer->timerFlags;
    if (flags & TimerCleared)
        return;
    timer->start = now();
    if (flags & TimerArmed) {
        timers_.rearm(timer);
        return;
    }
    if (!(flags & TimerLive)) {
        if (flags & TimerNumbered)
            timer->id = ++lastTimerId_;
        timer->timerFlags |= TimerLive;
        referenced_ += (flags & TimerReferenced) != 0;
    }
    timers_.arm(timer);
}

double EventLoop::numberOf(Timeout* timer) {
    // A timer that had fired and was armed again has a new id, which nobody can clear by: as in Node.
    if (!(timer->timerFlags & TimerNumbered)) {
        const u64* armedAt = timer->armedAt;
        timer->timerFlags |= TimerNumbered;
        timer->id = ++lastTimerId_;
        if (timer->timerFlags & TimerLive)
            numbered_[timer->id] = {timer, armedAt};
    }
    return double(timer->id);
}

Timeout* EventLoop::findNumbered(double number) const {
    if (numbered_.empty() || !(number >= 1 && number <= 9007199254740991.0) || number != std::floor(number))
        return nullptr;
    auto found = numbered_.find(u64(number));
    return found == numbered_.end() ? nullptr : found->second.timer;
}

ArmPlace EventLoop::armedAt(const Object* handle) const {
    if (kindOf(handle) == Kind::Immediate)
        return {ArmPlace::Immediate, static_cast<const Immediate*>(handle)->armedAt()};
    auto* timer = static_cast<const Timeout*>(handle);
    ArmPlace place{timer->timerFlags & TimerInterval ? ArmPlace::Interval : ArmPlace::Timeout, timer->armedAt};
    if (timer->timerFlags & TimerNumbered) {
        auto found = numbered_.find(timer->id);
        place.pc = found == numbered_.end() ? nullptr : found->second.armedAt;
    }
    return place;
}

void EventLoop::forgetNumber(Timeout* timer) { numbered_.erase(timer->id); }

Completion<void> EventLoop::runPacked(Value callback, Value self, bool packed) {
    Cell* outer = vm_.asyncContext;
    Completion<Value> result = Value::undefined();
    if (LIKELY(!packed)) {
        vm_.asyncContext = nullptr;
        result = call(vm_, callback, self);
    } else {
        auto* pack = callback.as<Storage>();
        Value context = pack->values[PackedContext];
        vm_.asyncContext = context.isCell() ? context.asCell() : nullptr;
        result = call(vm_, pack->values[PackedFunction], self, pack->values + PackedArguments,
            pack->capacity() - PackedArguments);
    }
    if (UNLIKELY(result.threw())) {
        thrownContext = vm_.asyncContext;
        vm_.asyncContext = outer;
        return Threw{};
    }
    vm_.asyncContext = outer;
    return {};
}

/// Runs a timer that has been taken from its list; arms it again if it is an interval.
Completion<void> EventLoop::runTimer(Timeout* timer) {
    u32 flags = timer->timerFlags;
    i64 begin = flags & TimerInterval ? now() : 0;
    runningHandle_ = timer;
    Completion<void> result = runPacked(timer->callback, Value::object(timer), flags & TimerPacked);
    if (UNLIKELY(result.threw()))
        thrownFrom_ = armedAt(timer);
    runningHandle_ = nullptr;
    if (UNLIKELY(vm_.terminating())) {
        clear(timer); // a host that goes on does not meet it again
        return Threw{};
    }
    flags = timer->timerFlags;
    if ((flags & (TimerInterval | TimerCleared)) == TimerInterval) {
        // The period counts from the callback's start, but its place in the list is behind what the callback armed.
        timer->start = begin;
        if (flags & TimerArmed)
            timers_.rearm(timer);
        else
            timers_.arm(timer);
    } else if ((flags & (TimerArmed | TimerLive)) == TimerLive) {
        referenced_ -= (flags & TimerReferenced) != 0;
        if (flags & TimerNumbered)
            forgetNumber(timer);
        // A fired timer keeps its callback, for refresh(), and stays unknown by number then.
        timer->timerFlags &= ~u32(TimerLive);
    }
    return result;
}

Completion<void> EventLoop::runList(TimerList* list, u32 generation, i64 now) {
    bool ranOne = false;
    while (list->generation == generation && !list->empty()) {
        Timeout* timer = list->first();
        if (now < timer->due()) {
            timers_.postpone(list, std::max(timer->due(), now + 1));
            return {};
        }
        if (ranOne)
            TRY(runNextTicks());
        ranOne = true;
        // The ticks may have cleared it. If they refreshed it, it runs all the same.
        if (!(timer->timerFlags & TimerArmed))
            continue;
        timers_.take(timer);
        TRY(runTimer(timer));
    }
    if (list->generation == generation && !list->retired)
        timers_.drained(list);
    return {};
}

Completion<void> EventLoop::processTimers(i64 now) {
    bool ranList = false;
    while (TimerList* list = timers_.earliest()) {
        if (list->expiry > now)
            break;
        timers_.begin(list);
        u32 generation = list->generation;
        if (ranList)
            TRY(runNextTicks());
        ranList = true;
        TRY(runList(list, generation, now));
    }
    return {};
}

bool EventLoop::timersPhase() {
    i64 now = readClock();
    TimerList* list = timers_.earliest();
    if (!list || list->expiry > now)
        return true;
    // What throws starts the pass again, at the same time, without the ticks in between.
    while (processTimers(now).threw())
        if (!recover())
            return false;
    timers_.end();
    return drain();
}

// ---- immediates

void EventLoop::queue(Immediate* immediate) {
    immediate->immediateFlags |= u16(ImmediateQueued | ImmediateReferenced);
    TimerLink* tail = queue_.previous;
    immediate->link = {tail, &queue_};
    tail->next = queue_.previous = &immediate->link;
    referencedImmediates_++;
}

void EventLoop::clear(Immediate* immediate) {
    if (!(immediate->immediateFlags & ImmediateQueued))
        return;
    unlink(immediate->link);
    referencedImmediates_ -= (immediate->immediateFlags & ImmediateReferenced) != 0;
    immediate->immediateFlags = 0;
    immediate->callback = Value::undefined();
}

void EventLoop::setReferenced(Immediate* immediate, bool referenced) {
    u16 flags = immediate->immediateFlags;
    if (!(flags & ImmediateQueued) || bool(flags & ImmediateReferenced) == referenced)
        return;
    immediate->immediateFlags = u16(flags ^ ImmediateReferenced);
    referencedImmediates_ += referenced ? 1 : -1;
}

void EventLoop::queueNothing() {
    Realm* realm = vm_.realm;
    if (!realm->immediateShape)
        realm->immediateShape = rootShape(vm_, realm->intrinsic(vm_, Intrinsic::ImmediatePrototype), 0);
    auto* immediate =
        static_cast<Immediate*>(allocateObject(vm_, Kind::Immediate, sizeof(Immediate), realm->immediateShape));
    immediate->callback = Value::undefined();
    immediate->immediateFlags = 0;
    immediate->setArmedAt(nullptr);
    queue(immediate);
}

Completion<void> EventLoop::processImmediates() {
    if (emptyRing(batch_) && !emptyRing(queue_)) {
        batch_ = queue_;
        batch_.next->previous = batch_.previous->next = &batch_;
        queue_ = {&queue_, &queue_};
    }
    bool ranOne = false;
    while (!emptyRing(batch_)) {
        if (ranOne) {
            TRY(runNextTicks());
            if (emptyRing(batch_))
                break;
        }
        ranOne = true;
        Immediate* immediate = Immediate::of(batch_.next);
        Value callback = immediate->callback;
        bool packed = immediate->immediateFlags & ImmediatePacked;
        clear(immediate);
        if (callback.isUndefined())
            continue;
        immediate->immediateFlags = ImmediateRuns;
        runningHandle_ = immediate;
        Completion<void> result = runPacked(callback, Value::object(immediate), packed);
        if (result.threw())
            thrownFrom_ = armedAt(immediate);
        runningHandle_ = nullptr;
        immediate->immediateFlags = 0;
        TRY(result);
    }
    return {};
}

bool EventLoop::immediatesPhase() {
    if (emptyRing(queue_) && emptyRing(batch_))
        return true;
    // Ticks are left over if one of them threw: what is behind it comes before the immediates.
    if (!drain())
        return false;
    while (processImmediates().threw())
        if (!recover())
            return false;
    return drain();
}

// ---- ticks and microtasks

Completion<void> EventLoop::runJob(const Job& job) {
    Cell* outer = vm_.asyncContext;
    vm_.asyncContext = job.context;
    Completion<Value> result = Value::undefined();
    if (!isCallable(job.callback)) {
        if (runPromiseJob(vm_, job.callback.asCell(), job.arguments).threw())
            result = Threw{};
    } else if (job.arguments.isUndefined()) {
        result = call(vm_, job.callback, Value::undefined());
    } else {
        auto* arguments = job.arguments.as<Storage>();
        result = call(vm_, job.callback, Value::undefined(), arguments->values, arguments->capacity());
    }
    if (UNLIKELY(result.threw())) {
        if (vm_.termination == Termination::Interrupt && !vm_.thrownCode)
            interruptedJob_ = job.callback;
        thrownContext = vm_.asyncContext;
        vm_.asyncContext = outer;
        return Threw{};
    }
    vm_.asyncContext = outer;
    return {};
}

/// An exception in a microtask goes to the process at once; the others run on.
Completion<void> EventLoop::runMicrotasks() {
    while (!microtasks_.empty())
        if (runJob(microtasks_.pop()).threw() && !recover(true))
            return Threw{};
    return {};
}

Completion<void> EventLoop::processTicks() {
    do {
        while (!ticks_.empty())
            TRY(runJob(ticks_.pop()));
        TRY(runMicrotasks());
    } while (!ticks_.empty() || TRY(processRejections()));
    return {};
}

bool EventLoop::drain() {
    bool going = !runNextTicks().threw() || recover();
    vm_.clearKept();
    return going;
}

/// What registries of dead targets have to do: one job each. None keeps the loop alive, so targets that die meanwhile
/// wait for the next turn.
bool EventLoop::finalizersPhase() {
    u32 most = vm_.dueRegistries.empty() ? 0 : dueTargets(vm_);
    while (most && !vm_.dueRegistries.empty())
        if ((cleanUpRegistry(vm_, most).threw() && !recover()) || !drain())
            return false;
    return true;
}

// ---- the loop

bool EventLoop::afterScript(bool threw) {
    if (threw && !recover())
        return false;
    return drain();
}

bool EventLoop::afterModule(bool threw) {
    if ((threw && !recover()) || (runMicrotasks().threw() && !recover()))
        return false;
    return drain();
}

void EventLoop::sleep() {
    TimerList* list = timers_.earliest();
    if (!list || referencedImmediates_ || !vm_.dueRegistries.empty() || !alive())
        return;
    i64 wait = list->expiry - readClock();
    if (wait <= 0)
        return;
    out.flush();
    u64 nanoseconds = u64(wait) * 1000000;
    bool tooLong = vm_.deadline && nanoseconds > vm_.timeLeft();
    int descriptor = wakeDescriptor();
    if (vm_.interruptRequested()) // before there was a descriptor
        return interruptSleep();
    clock_.wait(clock_.context, tooLong ? vm_.timeLeft() : nanoseconds, descriptor);
    vm_.clockValid = false;
    if (vm_.interruptRequested())
        interruptSleep();
    else if (tooLong && !vm_.timeLeft())
        (void)vm_.terminate(Termination::TimeLimit);
}

void EventLoop::interruptSleep() {
    (void)vm_.interrupt();
    sleptAtInterrupt_ = true;
}

int EventLoop::wakeDescriptor() {
    if (!signals.open())
        return -1;
    vm_.wakeDescriptor.store(signals.writeDescriptor());
    return signals.readDescriptor();
}

void EventLoop::clearInterrupt() {
    vm_.clearInterrupt();
    sleptAtInterrupt_ = false;
    interruptedJob_ = Value::undefined();
    signals.drain();
}

int EventLoop::signalOf(PropertyKey event) { return event.isAtom() ? signalNumber(toUtf8(vm_, event.asAtom())) : 0; }

bool EventLoop::listenTo(PropertyKey event) {
    int number = signalOf(event);
    return !number || signals.listen(number);
}

void EventLoop::stopListening(PropertyKey event) {
    int number = signalOf(event);
    for (unsigned i = 0; const char* name = signalName(number, i); i++)
        if (events.count(eventName(vm_, name)))
            return; // under the other name
    signals.ignore(number);
}

/// The listeners of the signals that have come: an event each.
bool EventLoop::signalsPhase() {
    while (int number = signals.next())
        for (unsigned i = 0; const char* name = signalName(number, i); i++) {
            PropertyKey event = eventName(vm_, name);
            Value args[] = {keyToValue(vm_, event), Value::int32(number)};
            if ((events.emit(vm_, event, Value::object(process()), args, 2).threw() && !recover()) || !drain())
                return false;
        }
    return true;
}

/// Whoever is due when the loop is entered runs first, and then one turn is made even if that left nothing alive.
bool EventLoop::spin() {
    bool going = alive();
    if (going && !timersPhase())
        return false;
    while (going) {
        if (!finalizersPhase())
            return false;
        sleep();
        if (over() || !signalsPhase() || !immediatesPhase() || !timersPhase())
            return false;
        going = alive();
    }
    return true;
}

void EventLoop::run() {
    if (running_ || over())
        return;
    running_ = true;
    bool natural = true;
    do {
        natural = spin() && finalizersPhase();
        if (natural && alive())
            continue;
        if (natural && events.count(eventName(vm_, "beforeExit"))) {
            Value code = toBoolean(exitCode) ? exitCode : Value::int32(0);
            bool threw = events.emit(vm_, eventName(vm_, "beforeExit"), Value::object(process()), &code, 1).threw();
            natural = afterScript(threw);
        }
    } while (natural && alive());
    if (natural && emitExit(true).threw())
        recover();
    if (unsettled_ && !over() && exitStatus() == UnsettledStatus && describeUnsettled)
        report_ = describeUnsettled(vm_, static_cast<Promise*>(mainPromise.asObject()));
    running_ = false;
    out.flush();
}

i64 EventLoop::turn(bool idle) {
    if (running_ || over())
        return -1;
    running_ = true;
    bool going = finalizersPhase() && (!idle || drain()) && (idle || alive()) && timersPhase() && signalsPhase()
        && immediatesPhase();
    running_ = false;
    if (!going || !(idle || alive()))
        return -1;
    if (referencedImmediates_ || (idle && !vm_.dueRegistries.empty()))
        return 0;
    TimerList* list = timers_.earliest();
    return list ? std::max<i64>(0, list->expiry - readClock()) : idle ? -1 : 0;
}

// ---- exceptions and the end

Object* EventLoop::process() { return vm_.realm->intrinsic(vm_, Intrinsic::Process); }

bool EventLoop::waitsForMain() const {
    return isPromise(mainPromise) && static_cast<Promise*>(mainPromise.asObject())->state == PromiseState::Pending;
}

Completion<void> EventLoop::emitExit(bool natural) {
    if (exiting)
        return {};
    exiting = true;
    Value code = toBoolean(exitCode) ? exitCode : Value::int32(0);
    if (natural && exitCode.isNullish() && waitsForMain()) { // the event is told 0 all the same
        unsettled_ = true;
        exitCode = Value::int32(UnsettledStatus);
    }
    TRY(events.emit(vm_, eventName(vm_, "exit"), Value::object(process()), &code, 1));
    // Timers, immediates and ticks made there never run; microtasks do, if the process ends by itself.
    if (!natural)
        return {};
    do
        TRY(runMicrotasks());
    while (TRY(processRejections()));
    return {};
}

int EventLoop::exitStatus() const {
    if (failedStatus_ >= 0)
        return failedStatus_;
    if (exitCode.isNumber())
        return doubleToInt32(exitCode.asNumber()) & 0xFF;
    if (exitCode.isString() && exitCode.asString()->data)
        return doubleToInt32(stringToNumber(exitCode.asString())) & 0xFF;
    return failed_ ? 1 : 0;
}

/// Hands the pending exception to the process. `bySelf`: the process threw it again, so that an error is shown where
/// it was made. False: the run is over.
bool EventLoop::recover(bool bySelf) {
    if (over())
        return false;
    ThrowPlace place{vm_.thrownCode, vm_.thrownWord, {}};
    Value error = vm_.pendingException;
    if (ThrowPlace made = bySelf ? placeOfError(error) : place; made.code)
        place = made;
    place.armed = thrownFrom_;
    thrownFrom_ = {};
    vm_.pendingException = Value::undefined();
    return handleUncaught(error, place, "uncaughtException");
}

bool EventLoop::handToHost(Value error, const ThrowPlace& place) {
    takeUncaught(vm_, error, place);
    queueNothing();
    return !over();
}

bool EventLoop::handleUncaught(Value error, const ThrowPlace& place, std::string_view origin) {
    InContext inContext(vm_, thrownContext);
    thrownContext = nullptr;
    Value args[] = {error, Value::string(internAscii(vm_, origin))};
    for (std::string_view name : {"uncaughtExceptionMonitor", "uncaughtException"}) {
        PropertyKey event = eventName(vm_, name);
        bool captured = name == "uncaughtException" && !captureException.isUndefined();
        if (!captured && !events.count(event))
            continue;
        bool threw = captured ? call(vm_, captureException, Value::undefined(), error).threw()
                              : events.emit(vm_, event, Value::object(process()), args, 2).threw();
        if (threw) {
            if (over())
                return false;
            ThrowPlace again{vm_.thrownCode, vm_.thrownWord, {}};
            return fail(vm_.pendingException, again, 7);
        }
        if (name == "uncaughtException") {
            queueNothing();
            return true;
        }
    }
    if (takeUncaught)
        return handToHost(error, place);
    ThrowPlace told = place;
    told.isRejection = origin == "unhandledRejection";
    std::string text = describeUncaught ? describeUncaught(vm_, error, told) : std::string();
    if (!exiting) {
        exitCode = Value::int32(1);
        // Errors of the listeners are lost; process.exit in one of them ends the process in silence.
        if (emitExit(false).threw() && over())
            return false;
    }
    failed_ = true;
    report_ = std::move(text);
    return false;
}

bool EventLoop::fail(Value error, const ThrowPlace& place, int status) {
    if (takeUncaught)
        return handToHost(error, place);
    std::string text = describeUncaught ? describeUncaught(vm_, error, place) : std::string();
    failed_ = true;
    failedStatus_ = status;
    report_ = std::move(text);
    return false;
}

}
