// What has not run yet, as reports and `process.getActiveResourcesInfo` tell it. Nothing here changes the loop.
#include "runtime/loop/event_loop.h"
#include <algorithm>

namespace scr {

bool EventLoop::idleTimers() const {
    bool any = false;
    timers_.forEach([&](Timeout*) { any = true; });
    return any;
}

std::vector<EventLoop::Pending> EventLoop::pending() {
    std::vector<Pending> all;
    i64 time = readClock();
    timers_.forEach([&](Timeout* timer) {
        all.push_back(
            {armedAt(timer), timer->due() - time, timer->duration, bool(timer->timerFlags & TimerReferenced)});
    });
    std::stable_sort(all.begin(), all.end(), [](const Pending& a, const Pending& b) { return a.dueIn < b.dueIn; });
    for (const TimerLink* head : {&batch_, &queue_})
        for (TimerLink* link = head->next; link != head; link = link->next) {
            Immediate* immediate = Immediate::of(link);
            all.push_back({armedAt(immediate), 0, 0, bool(immediate->immediateFlags & ImmediateReferenced)});
        }
    return all;
}

std::vector<const char*> EventLoop::activeResources() const {
    std::vector<const char*> names;
    for (i64 i = 0; i < referenced_; i++)
        names.push_back("Timeout");
    for (i64 i = 0; i < referencedImmediates_; i++)
        names.push_back("Immediate");
    return names;
}

}
