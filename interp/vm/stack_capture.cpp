// The frames that errors capture: those that run, and behind them the functions that wait for what runs.
#include "interp/vm/frame_walk.h"
#include "runtime/core/async_generator.h"
#include "runtime/core/call.h"
#include "runtime/core/stack_frames.h"
#include "runtime/core/suspension.h"

namespace scr {

// ---- walking

/// No number: errors have no stack at all.
constexpr u32 NoTrace = 0xFFFFFFFF;

/// How many frames errors capture.
static u32 stackTraceLimit(Vm& vm) {
    Object* error = vm.realm ? vm.realm->intrinsics[size_t(Intrinsic::Error)].get() : nullptr;
    if (!error)
        return 10;
    Lookup own = getOwnProperty(vm, error, PropertyKey::atom(internAscii(vm, "stackTraceLimit")));
    if (own.type != Lookup::Data || !own.value.isNumber())
        return NoTrace;
    double limit = own.value.asNumber();
    constexpr u32 most = 1 << 20;
    return limit >= 1 ? u32(limit < most ? limit : most) : 0;
}

bool isCallInstruction(Op op) {
    switch (op) {
    case Op::Call:
    case Op::CallWithThis:
    case Op::CallMethod:
    case Op::CallMethodNative:
    case Op::CallMethodPrimitive:
    case Op::CallMethodCharCodeAt:
    case Op::CallMethodPush:
    case Op::CallMethodMath:
    case Op::CallMethodGenerator:
    case Op::CallMethodOwn:
    case Op::CallMethodPolymorphic:
    case Op::CallMethodMegamorphic:
    case Op::CallSpread:
    case Op::Construct: return true;
    default: return false;
    }
}

/// Natives that leave no frame: what makes errors (their constructors, captureStackTrace), as in V8.
static bool isHidden(Vm& vm, NativeFunction* function) {
    if (function->isHidden)
        return true;
    Object* error = vm.realm->intrinsics[size_t(Intrinsic::Error)];
    for (Object* maker = function; maker; maker = prototypeOf(vm, maker))
        if (maker == error)
            return true;
    if (function == vm.realm->intrinsics[size_t(Intrinsic::Array)]
        || function == vm.realm->intrinsics[size_t(Intrinsic::Proxy)])
        return true;
    Value name = function->name;
    return name.isString() && name.asString() == internAscii(vm, "captureStackTrace");
}

/// Natives that V8 calls a function through without a frame of their own: Function.prototype.call and apply,
/// Reflect.apply and construct.
static bool isPassage(Vm& vm, Value function) {
    Value name = static_cast<NativeFunction*>(function.asObject())->name;
    if (!name.isString())
        return false;
    for (const char* passage : {"call", "apply", "construct"})
        if (name.asString() == internAscii(vm, passage))
            return true;
    return false;
}

/// The native function that the instruction at a frame's pc is calling, as a window; null if it calls none.
static Value* nativeWindow(Vm& vm, const FrameWalk& frame) {
    Op op = Op(*reinterpret_cast<const u16*>(frame.pc));
    if (!isCallInstruction(op))
        return nullptr;
    Value* window = &frame.base[reinterpret_cast<const ops::Call*>(frame.pc)->first.n];
    // While the method is still being looked up the register holds whatever was there before.
    Cell* cell = window[0].isObject() ? vm.heap.findCell(window[0].bits()) : nullptr;
    if (!cell || cell != window[0].asCell() || kindOf(cell) != Kind::NativeFunction)
        return nullptr;
    return isHidden(vm, static_cast<NativeFunction*>(cell)) ? nullptr : window;
}

namespace {

bool isHiddenScript(Value callee) {
    if (kindOf(callee.asCell()) != Kind::Function)
        return false;
    return static_cast<Function*>(callee.asObject())->code()->script->source->isHidden;
}

/// The frames of one error.
class StackCapture {
public:
    StackCapture(Vm& vm, Object* above, u32 limit)
        : vm_(vm)
        , above_(above)
        , limit_(limit)
        , skipping_(above != nullptr) { }
    void running();
    void waiting();
    void storeIn(ErrorObject* error);

private:
    bool full() const { return frames_.size() >= limit_; }
    void add(Value callee, i32 word, Value self) {
        if (skipping_)
            skipping_ = callee.asObject() != above_;
        else if (!full() && !isHiddenScript(callee))
            frames_.push_back({callee, word, self});
    }
    Value behind(Value derived);
    Value behindHandlers(Value onFulfilled, Value onRejected, Value derived);
    struct Captured {
        Value callee;
        i32 word;
        Value self;
    };
    Vm& vm_;
    Object* above_;
    u32 limit_;
    bool skipping_; ///< until `above` has been seen
    std::vector<Captured> frames_;
};

void StackCapture::running() {
    bool fromNative = true;
    for (FrameWalk frame{vm_.base, vm_.pc}; frame.valid() && !full(); frame.next()) {
        Value* window = fromNative ? nativeWindow(vm_, frame) : nullptr;
        if (window && (skipping_ || frames_.empty() || !isPassage(vm_, window[0]))) {
            bool constructs = Op(*reinterpret_cast<const u16*>(frame.pc)) == Op::Construct;
            add(window[0], 0, constructs ? Value::hole() : window[2]);
        }
        u64 info = returnInfoOf(frame.base);
        fromNative = (info & ReturnInfo::FlagEntry) || ReturnInfo::resumesByCall(info);
        add(frame.callee(), i32(frame.word()), frame.isConstruct() ? Value::hole() : frame.base[0]);
    }
}

// ---- who waits

/// The promise that a function settles when it ends, or an async generator at its next yield.
Value promiseOfFrame(const SuspendedFrame* frame) {
    Cell* owner = frame->owner;
    if (owner && kindOf(owner) == Kind::Promise)
        return Value::object(static_cast<Promise*>(owner));
    if (!owner || kindOf(owner) != Kind::AsyncGenerator)
        return Value::undefined();
    Waiter* request = static_cast<AsyncGenerator*>(owner)->first;
    return request && request->promise ? Value::object(request->promise.get()) : Value::undefined();
}

/// Adds the function that waits, and gives the promise that it settles itself; what depends on a reaction otherwise, if
/// that is a promise.
Value StackCapture::behind(Value derived) {
    if (!derived.isCell() || derived.isObject())
        return derived;
    if (kindOf(derived.asCell()) == Kind::PromiseCapability)
        return static_cast<PromiseCapability*>(derived.asCell())->promise;
    if (kindOf(derived.asCell()) == Kind::Waiter) {
        Promise* promised = derived.as<Waiter>()->promise;
        return promised ? Value::object(promised) : Value::undefined();
    }
    if (kindOf(derived.asCell()) != Kind::SuspendedFrame)
        return Value::undefined();
    auto* frame = derived.as<SuspendedFrame>();
    Function* callee = frame->callee;
    Value self = frame->live ? frame->registers[0] : Value::undefined();
    add(Value::object(callee), StackFrame::asyncWord(u32(frame->pc - callee->code()->words)), self);
    return promiseOfFrame(frame);
}

/// The same for a reaction that calls functions.
Value StackCapture::behindHandlers(Value onFulfilled, Value onRejected, Value derived) {
    for (Value handler : {onFulfilled, onRejected}) {
        PromiseElement element;
        if (!vm_.promiseElementHook || !vm_.promiseElementHook(handler, element))
            continue;
        add(element.combinator, StackFrame::asyncWord(element.index), element.constructor);
        return element.promise;
    }
    if (Promise* resolved = promiseOfResolver(onFulfilled))
        return Value::object(resolved);
    return behind(derived);
}

/// From the reaction whose job runs on along the promises that nobody but one waits for.
void StackCapture::waiting() {
    Value next = vm_.runningDerived;
    if (next.isCell() && !next.isObject()) {
        // A capability hides who waits, as in V8.
        bool runs =
            kindOf(next.asCell()) == Kind::SuspendedFrame && next.as<SuspendedFrame>()->state() == FrameState::Running;
        next = runs ? promiseOfFrame(next.as<SuspendedFrame>()) : Value::undefined();
    }
    // Resolve functions can make a circle.
    constexpr int MostSteps = 4096;
    for (int steps = 0; steps < MostSteps && !full() && isPromise(next); steps++) {
        auto* promise = static_cast<Promise*>(next.asObject());
        if (promise->state != PromiseState::Pending)
            return;
        if (promise->promiseFlags & PromiseInline) {
            next = behindHandlers(promise->result, promise->handler, promise->derived);
        } else if (promise->promiseFlags & PromiseListed) {
            auto* reaction = static_cast<PromiseReaction*>(promise->result.asCell());
            if (reaction->next)
                return;
            next = behindHandlers(reaction->onFulfilled, reaction->onRejected, reaction->derived);
        } else {
            return;
        }
        vm_.charge(1);
    }
}

void StackCapture::storeIn(ErrorObject* error) {
    if (frames_.empty())
        return;
    u32 count = u32(frames_.size()) * StackFrame::Words;
    auto* storage =
        static_cast<Storage*>(vm_.heap.allocate(sizeof(Storage) + count * sizeof(Value), u8(Kind::Storage), count));
    for (size_t i = 0; i < frames_.size(); i++) {
        storage->values[i * StackFrame::Words] = frames_[i].callee;
        storage->values[i * StackFrame::Words + 1] = Value::int32(frames_[i].word);
        storage->values[i * StackFrame::Words + 2] = frames_[i].self;
    }
    error->frames = storage;
    error->frameCount = count;
}

}

/// Vm::captureStackHook
void captureStack(Vm& vm, Object* object, Object* above) {
    auto* error = static_cast<ErrorObject*>(object);
    u32 limit = stackTraceLimit(vm);
    error->frames = nullptr;
    error->frameCount = 0;
    error->slot(0) = limit == NoTrace ? Value::undefined() : Value::hole();
    if (limit == NoTrace)
        return;
    StackCapture capture(vm, above, limit);
    capture.running();
    capture.waiting();
    capture.storeIn(error);
}

}
