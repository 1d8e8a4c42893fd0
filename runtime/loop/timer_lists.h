// Timers by duration. All armed timers of one duration stand in one list in the order in which they were armed, so
// arming and cancelling are a link and an unlink; a heap orders the lists by the time at which each is looked at next.
// The handle that a script holds is the list's node itself: a collected cell of 64 bytes.
//
// Invariants. An armed timer is linked in exactly one list, that of its duration. A list's `expiry` is never later than
// its first member's due time, but may be earlier (it is stale after that member left): then the pass that finds
// nothing due moves it. An empty list is kept for a while, in two states. Stale: its last member left unref'd, or it is
// being run; refilled it stands where it stood. Retired: for the order of things it is gone; refilled it counts as new,
// with a new expiry and a new place among lists of the same expiry. That is what Node does, which forgets a list that a
// ref'd timer left empty. Nothing here touches the heap of cells, a clock or I/O.
#pragma once
#include "runtime/core/object.h"

namespace scr {

struct TimerLink {
    TimerLink* previous;
    TimerLink* next;
};

enum TimerFlag : u32 {
    TimerArmed = 1, ///< linked in a list
    TimerReferenced = 2, ///< keeps the loop alive while it lives; can be toggled when it no longer does
    TimerLive = 4, ///< armed or being run: counted by the loop if referenced
    TimerInterval = 8,
    TimerCleared = 16, ///< for good: refresh does nothing
    TimerNumbered = 32, ///< its id was shown to the script: while it lives the loop finds it by number
    TimerPacked = 64, ///< `callback` is a Storage cell, see TimerPack
};

/// Kind Timeout: the handle of setTimeout and setInterval.
struct Timeout : Object {
    TimerLink link;
    Value callback; ///< a function, or an internal Storage cell; undefined once cleared
    i64 start; ///< the loop's millisecond from which `duration` counts
    union {
        const u64* armedAt; ///< the instruction that called setTimeout, for reports; null: nobody knows
        u64 id; ///< TimerNumbered: increasing over all timers of a loop that were asked for it, from 1
    };
    u32 duration; ///< milliseconds, 1 to 2^31 - 1
    u32 timerFlags;

    static Timeout* of(TimerLink* link) {
        return reinterpret_cast<Timeout*>(reinterpret_cast<char*>(link) - sizeof(Object));
    }
    i64 due() const { return start + i64(duration); }
};
static_assert(sizeof(Timeout) == 64);

/// Where a timer or immediate was armed: by what, and at which instruction (null: nobody knows).
struct ArmPlace {
    enum Kind : u8 { None, Timeout, Interval, Immediate } kind = None;
    const u64* pc = nullptr;
};

/// What stands in the Storage cell of a packed callback: the function, the async context, the arguments.
enum TimerPack : u32 { PackedFunction, PackedContext, PackedArguments };

/// All timers of one duration. Lives outside the heap of cells.
struct TimerList {
    static constexpr u32 NotInHeap = ~0u;
    TimerLink head;
    i64 expiry; ///< not later than the first member's due time
    u64 order; ///< among lists of the same expiry: that of creation or of the last change of expiry
    u32 duration;
    u32 heapIndex;
    u32 generation; ///< changes when the list is refilled after it had been retired
    bool retired;
    TimerList* hashNext;

    bool empty() const { return head.next == &head; }
    Timeout* first() const { return Timeout::of(head.next); }
};

class TimerLists {
public:
    explicit TimerLists(u64 seed = 0);
    ~TimerLists();
    TimerLists(const TimerLists&) = delete;

    /// Links a timer whose start and duration are set, behind the others of its duration.
    ALWAYS_INLINE void arm(Timeout* timer) {
        TimerList* list = last_;
        if (UNLIKELY(list->duration != timer->duration))
            list = find(timer->duration, timer->start);
        if (list->empty()) {
            emptyCount_--;
            if (list->retired)
                renew(list, timer->due());
        }
        append(list, timer);
        timer->timerFlags |= TimerArmed;
    }

    /// Unlinks an armed timer: cancelled, not run.
    ALWAYS_INLINE void cancel(Timeout* timer) {
        timer->timerFlags &= ~u32(TimerArmed);
        TimerLink* previous = timer->link.previous;
        TimerLink* next = timer->link.next;
        previous->next = next;
        next->previous = previous;
        if (previous == next) {
            // The only neighbour is the head: the list is empty now.
            auto* list = reinterpret_cast<TimerList*>(next);
            if (timer->timerFlags & TimerReferenced)
                list->retired = true;
            if (UNLIKELY(++emptyCount_ > MaxEmpty))
                sweep();
        }
    }

    /// Moves an armed timer, its start being new, to the end of its list. The list stays as it is even if this is the
    /// only member.
    void rearm(Timeout* timer) {
        timer->link.previous->next = timer->link.next;
        timer->link.next->previous = timer->link.previous;
        TimerList* list = last_->duration == timer->duration ? last_ : find(timer->duration, timer->start);
        append(list, timer);
    }

    /// A timer that is no longer armed is cancelled (in its own callback): its empty list counts as gone, as if it had
    /// still been linked.
    void retireIfEmpty(u32 duration);

    // ---- a pass over what is due. Between two calls timers may be armed, cancelled and moved.
    /// The list to look at next, which may be empty; null if there is none. Drops retired ones on the way.
    TimerList* earliest();
    /// Protects `list` from being freed until the next begin() or end().
    void begin(TimerList* list) { running_ = list; }
    void end() { running_ = nullptr; }
    /// Unlinks the first timer of a list to run it.
    void take(Timeout* timer);
    /// The first member is due at `expiry`: the list is looked at again then.
    void postpone(TimerList* list, i64 expiry);
    /// Nothing is left in the list: out of the order, until it is refilled.
    void drained(TimerList* list);

    /// Lists with members, and empty ones that are kept.
    size_t fullCount() const { return total_ - emptyCount_; }
    size_t emptyCount() const { return emptyCount_; }
    /// Every armed timer, by duration.
    template <class F> void forEach(F&& visit) const {
        for (size_t i = 0; i < buckets_; i++)
            for (TimerList* list = table_[i]; list; list = list->hashNext)
                for (TimerLink* link = list->head.next; link != &list->head; link = link->next)
                    visit(Timeout::of(link));
    }

    /// Whether this is the head of a list, not a timer.
    bool isHead(const TimerLink* link) const {
        for (size_t i = 0; i < buckets_; i++)
            for (TimerList* list = table_[i]; list; list = list->hashNext)
                if (link == &list->head)
                    return true;
        return false;
    }

private:
    static constexpr size_t MaxEmpty = 64;

    static void append(TimerList* list, Timeout* timer) {
        TimerLink* tail = list->head.previous;
        timer->link = {tail, &list->head};
        tail->next = &timer->link;
        list->head.previous = &timer->link;
    }
    TimerList* find(u32 duration, i64 start);
    void renew(TimerList* list, i64 expiry);
    void sweep();
    void release(TimerList* list);
    TimerList** bucket(u32 duration) const;
    void resizeTable(size_t buckets);

    static bool before(const TimerList* a, const TimerList* b) {
        return a->expiry != b->expiry ? a->expiry < b->expiry : a->order < b->order;
    }
    void siftUp(u32 index, TimerList* list);
    void siftDown(u32 index, TimerList* list);
    void reposition(TimerList* list);
    void push(TimerList* list);
    void removeFromHeap(TimerList* list);

    TimerList* last_; // the list used last; never null
    size_t emptyCount_ = 0, total_ = 0;
    u64 nextOrder_ = 0;
    std::vector<TimerList*> heap_; // 4-ary
    TimerList** table_;
    size_t buckets_; // a power of two
    u64 multiplier_;
    TimerList* running_ = nullptr;
    TimerList none_; // what last_ is while it is nothing: its duration is no timer's
};

}
