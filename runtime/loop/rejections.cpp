// Which rejections the process hears of, and what it does then.
#include "runtime/loop/rejections.h"
#include "runtime/core/error.h"
#include "runtime/core/stack_frames.h"
#include "runtime/loop/event_loop.h"

namespace scr {

void Rejections::track(bool handled, const Pending& rejected) {
    Promise* promise = rejected.promise;
    if (!handled) {
        promise->promiseFlags |= PromiseTracked;
        promise->turn = ++lastId_;
        pending_.push_back(rejected);
        return;
    }
    promise->promiseFlags &= u8(~PromiseTracked);
    if (promise->promiseFlags & PromiseReported)
        late_.push_back(promise);
}

Rejections::Pending Rejections::takePending() {
    if (pending_.empty())
        return {};
    Pending next = pending_.front();
    pending_.pop_front();
    if (!(next.promise->promiseFlags & PromiseTracked))
        next.promise = nullptr;
    return next;
}

Promise* Rejections::takeLate() {
    if (late_.empty())
        return nullptr;
    Promise* promise = late_.front();
    late_.pop_front();
    return promise;
}

void Rejections::trace(Marker& marker) const {
    for (const Pending& pending : pending_) {
        marker.mark(pending.promise);
        marker.markConservative(u64(pending.armed.pc));
        marker.markConservative(u64(pending.at));
        marker.mark(pending.code);
        marker.mark(pending.context);
    }
    for (Promise* promise : late_)
        marker.mark(promise);
}

// ---- what the loop does with them

ThrowPlace placeOfError(Value value) {
    if (!value.isObject() || kindOf(value.asCell()) != Kind::Error)
        return {};
    auto* error = static_cast<ErrorObject*>(value.asObject());
    for (u32 i = 0; i < frameCountOf(error); i++) {
        StackFrame frame = frameOf(error, i);
        if (!frame.isNative())
            return {static_cast<Function*>(frame.callee)->info.get(), frame.word, {}};
    }
    return {};
}

/// What is thrown for a reason that is no error.
static Value unhandledError(Vm& vm, Value reason) {
    std::string message = "This error originated either by throwing inside of an async function without a catch block, "
                          "or by rejecting a promise which was not handled with .catch(). The promise rejected with "
                          "the reason \""
        + describeForMessage(vm, reason) + "\".";
    Object* error = newErrorWithPrototype(vm, vm.realm->intrinsic(vm, Intrinsic::ErrorPrototype), newUtf8(vm, message));
    auto define = [&](PropertyKey key, const char* text, u8 attributes) {
        defineDirect(vm, error, key, Value::string(internAscii(vm, text)), attributes);
    };
    define(PropertyKey::atom(vm.names.code), "ERR_UNHANDLED_REJECTION", AllAttributes);
    define(PropertyKey::atom(vm.names.name), "UnhandledPromiseRejection", AllAttributes);
    return Value::object(error);
}

/// An object with a `stack` of its own is taken for an error.
static Completion<bool> isErrorLike(Vm& vm, Value reason) {
    if (!reason.isObject() || reason.asObject()->isCallable())
        return false;
    return TRY(ownProperty(vm, reason.asObject(), PropertyKey::atom(vm.names.stack))).found();
}

/// As an uncaught exception. False: the run is over.
bool EventLoop::throwRejection(Value reason, const Rejections::Pending& pending) {
    Completion<bool> like = isErrorLike(vm_, reason);
    if (like.threw())
        return recover();
    Value error = like.value() || takeUncaught ? reason : unhandledError(vm_, reason);
    ThrowPlace place = placeOfError(reason);
    if (!place.code) {
        place.code = pending.code;
        place.word = pending.word;
    }
    place.armed = pending.armed;
    place.at = pending.at;
    return handleUncaught(error, place, "unhandledRejection");
}

/// The event, and what the mode says. False: the run is over.
Completion<bool> EventLoop::reportRejection(const Rejections::Pending& pending) {
    Promise* promise = pending.promise;
    promise->promiseFlags |= PromiseReported;
    u32 number = promise->turn;
    if (rejectionMode == RejectionMode::Strict && !throwRejection(promise->result, pending))
        return false;
    Value args[] = {promise->result, Value::object(promise)};
    PropertyKey event = PropertyKey::atom(internAscii(vm_, "unhandledRejection"));
    bool heard = TRY(events.emit(vm_, event, Value::object(process()), args, 2));
    switch (rejectionMode) {
    case RejectionMode::Throw: return heard || throwRejection(promise->result, pending);
    case RejectionMode::None: return true;
    case RejectionMode::Warn: heard = false; break;
    case RejectionMode::WarnWithErrorCode:
        if (!heard)
            exitCode = Value::int32(1);
        break;
    case RejectionMode::Strict: break;
    }
    if (!heard && warnUnhandledRejection)
        warnUnhandledRejection(vm_, promise->result, number);
    return true;
}

Completion<void> EventLoop::failModule(Value reason) {
    ThrowPlace place = placeOfError(reason);
    if (!place.code && reason.bits() == vm_.thrownValue.bits())
        place = {vm_.thrownCode, vm_.thrownWord, {}};
    return handleUncaught(reason, place, "unhandledRejection") ? Completion<void>() : Threw{};
}

/// True: there may be ticks, microtasks or rejections to look at again.
Completion<bool> EventLoop::processRejections() {
    bool any = false;
    while (Promise* promise = rejections_.takeLate()) {
        any = true;
        Value argument = Value::object(promise);
        PropertyKey event = PropertyKey::atom(internAscii(vm_, "rejectionHandled"));
        bool heard = TRY(events.emit(vm_, event, Value::object(process()), &argument, 1));
        if (!heard && warnHandledRejection)
            warnHandledRejection(vm_, promise->turn);
    }
    for (size_t count = rejections_.pending(); count; count--) {
        Rejections::Pending pending = rejections_.takePending();
        if (!pending.promise)
            continue;
        TRY(vm_.work(1));
        any = true;
        Cell* outer = vm_.asyncContext;
        vm_.asyncContext = thrownContext = pending.context;
        Completion<bool> going = reportRejection(pending);
        vm_.asyncContext = outer;
        thrownContext = nullptr;
        if (!TRY(going))
            return Threw{};
    }
    return any || rejections_.pending();
}

}
