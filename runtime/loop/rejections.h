// Rejections: promises that were rejected while nobody waited for them, and those handled after the process had been
// told. Both lists are roots, so such a promise lives until the next look at them.
#pragma once
#include "runtime/core/promise.h"
#include "runtime/loop/timer_lists.h"
#include <deque>

namespace scr {

/// Where an error was made; unknown for everything else.
struct ThrowPlace placeOfError(Value value);

class Rejections {
public:
    struct Pending {
        Promise* promise;
        ArmPlace armed; ///< of the timer whose callback ran
        const u64* at; ///< the instruction that rejected it; null: nobody knows
        Cell* code; ///< and if that was by throwing, the place of that; or null
        u32 word;
        Cell* context; ///< Vm::asyncContext of whoever rejected it
    };
    /// 27.2.1.9 HostPromiseRejectionTracker.
    void track(bool handled, const Pending& rejected);
    /// There is something to look at.
    bool waiting() const { return !pending_.empty() || !late_.empty(); }
    size_t pending() const { return pending_.size(); }
    /// Takes the next promise that nobody handled at the time; null: none is left, or it has been handled since.
    Pending takePending();
    /// Takes the next that was handled too late; null: none.
    Promise* takeLate();
    void trace(Marker& marker) const;

private:
    std::deque<Pending> pending_;
    std::deque<Promise*> late_;
    u32 lastId_ = 0;
};

}
