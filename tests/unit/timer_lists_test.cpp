// Timer lists without an engine: the order in which timers run, and that nothing costs more than it may.
#include "runtime/loop/timer_lists.h"
#undef CHECK // doctest's from here on
#include <algorithm>
#include <ctime>
#include <doctest/doctest.h>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>

using namespace scr;

namespace {

// Lists with a clock of their own, and timers that note their name when they run.
struct Fixture {
    TimerLists lists;
    i64 now = 0;
    std::vector<std::unique_ptr<Timeout>> timers;
    std::unordered_map<Timeout*, std::string> names;
    std::unordered_map<std::string, std::function<void()>> actions;
    std::string ran;

    Timeout* arm(const std::string& name, u32 duration, bool referenced = true) {
        timers.push_back(std::make_unique<Timeout>());
        Timeout* timer = timers.back().get();
        timer->start = now;
        timer->duration = duration;
        timer->timerFlags = referenced ? u32(TimerReferenced) : 0u;
        names[timer] = name;
        lists.arm(timer);
        return timer;
    }
    void refresh(Timeout* timer) {
        timer->start = now;
        lists.rearm(timer);
    }
    // One pass, as the loop makes it.
    void pass() {
        i64 begin = now;
        while (TimerList* list = lists.earliest()) {
            if (list->expiry > begin)
                break;
            lists.begin(list);
            runList(list, list->generation, begin);
        }
        lists.end();
    }
    void runList(TimerList* list, u32 generation, i64 begin) {
        while (list->generation == generation && !list->empty()) {
            Timeout* timer = list->first();
            if (begin < timer->due()) {
                lists.postpone(list, std::max(timer->due(), begin + 1));
                return;
            }
            lists.take(timer);
            ran += names[timer];
            if (auto action = actions.find(names[timer]); action != actions.end())
                action->second();
        }
        if (list->generation == generation && !list->retired)
            lists.drained(list);
    }
};

/// Of this thread's own processor time: what else the machine does must not decide a test.
double secondsFor(const std::function<void()>& work) {
    auto now = [] {
        timespec t;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
    };
    double begin = now();
    work();
    return now() - begin;
}

enum class Order { First, Last, Random };

void cancelUnique(u32 count, Order order) {
    TimerLists lists(7);
    std::vector<Timeout> timers(count);
    std::vector<u32> sequence(count);
    for (u32 i = 0; i < count; i++)
        sequence[i] = i;
    if (order == Order::Last)
        std::reverse(sequence.begin(), sequence.end());
    if (order == Order::Random)
        std::shuffle(sequence.begin(), sequence.end(), std::mt19937(1));
    for (u32 i = 0; i < count; i++) {
        timers[i].start = 0;
        timers[i].duration = 1000 + i * 7;
        timers[i].timerFlags = TimerReferenced;
        lists.arm(&timers[i]);
    }
    CHECK(lists.fullCount() == count);
    for (u32 i : sequence)
        lists.cancel(&timers[i]);
    CHECK(lists.fullCount() == 0);
    CHECK(lists.emptyCount() <= 64);
    CHECK((lists.earliest() == nullptr || lists.earliest()->empty()));
}

}

TEST_CASE("timer lists: one duration runs in the order of arming, nothing before its time") {
    Fixture f;
    f.arm("a", 5);
    f.now = 2;
    f.arm("b", 5);
    f.now = 4;
    f.pass();
    CHECK(f.ran == "");
    f.now = 5;
    f.pass();
    CHECK(f.ran == "a");
    f.now = 6;
    f.pass();
    CHECK(f.ran == "a");
    f.now = 7;
    f.pass();
    CHECK(f.ran == "ab");
    CHECK(f.lists.fullCount() == 0);
}

TEST_CASE("timer lists: an overdue list is drained before the next one is looked at") {
    Fixture f;
    f.arm("a", 30);
    f.arm("b", 36);
    f.now = 3;
    f.arm("c", 30);
    f.now = 60;
    f.pass();
    CHECK(f.ran == "acb");
}

TEST_CASE("timer lists: a list that a referenced timer left empty counts as new") {
    Fixture f;
    Timeout* a = f.arm("a", 30);
    f.arm("b", 50);
    f.lists.cancel(a);
    f.now = 40;
    f.arm("c", 30);
    f.now = 100;
    f.pass();
    CHECK(f.ran == "bc");
}

TEST_CASE("timer lists: one that an unreferenced timer left empty keeps its place") {
    Fixture f;
    Timeout* a = f.arm("a", 30, false);
    f.arm("b", 50);
    f.lists.cancel(a);
    f.now = 40;
    f.arm("c", 30);
    f.now = 100;
    f.pass();
    CHECK(f.ran == "cb");
}

TEST_CASE("timer lists: a list that never was empty keeps its key") {
    Fixture f;
    Timeout* a = f.arm("a", 30);
    f.arm("b", 50);
    f.now = 40;
    f.arm("c", 30);
    f.lists.cancel(a);
    f.now = 100;
    f.pass();
    CHECK(f.ran == "cb");
}

TEST_CASE("timer lists: a stale key is looked at and moved, and runs nothing early") {
    Fixture f;
    Timeout* a = f.arm("a", 30);
    f.now = 20;
    f.arm("b", 30);
    f.lists.cancel(a);
    f.now = 30;
    f.pass();
    CHECK(f.ran == "");
    REQUIRE(f.lists.earliest() != nullptr);
    CHECK(f.lists.earliest()->expiry == 50);
    f.now = 50;
    f.pass();
    CHECK(f.ran == "b");
}

TEST_CASE("timer lists: refreshing moves to the end, and the only member keeps its list") {
    Fixture f;
    Timeout* a = f.arm("a", 10);
    Timeout* b = f.arm("b", 10);
    f.arm("c", 10);
    f.refresh(a);
    f.refresh(b);
    f.refresh(a);
    f.now = 10;
    f.pass();
    CHECK(f.ran == "cba");
    Timeout* d = f.arm("d", 10);
    f.now = 15;
    f.refresh(d);
    CHECK(f.lists.fullCount() == 1);
    f.now = 20;
    f.pass();
    CHECK(f.ran == "cba");
    f.now = 25;
    f.pass();
    CHECK(f.ran == "cbad");
}

TEST_CASE("timer lists: what a callback arms waits for a later pass, also if it empties the list first") {
    Fixture f;
    f.arm("a", 10);
    Timeout* b = f.arm("b", 10);
    f.actions["a"] = [&] {
        f.lists.cancel(b);
        f.now += 20;
        f.arm("c", 10);
    };
    f.now = 10;
    f.pass();
    CHECK(f.ran == "a");
    f.now = 39;
    f.pass();
    CHECK(f.ran == "a");
    f.now = 40;
    f.pass();
    CHECK(f.ran == "ac");
}

TEST_CASE("timer lists: a callback may cancel members of the running list and of others") {
    Fixture f;
    Timeout* b = nullptr;
    Timeout* d = nullptr;
    f.arm("a", 10);
    b = f.arm("b", 10);
    f.arm("c", 10);
    d = f.arm("d", 20);
    f.actions["a"] = [&] {
        f.lists.cancel(b);
        f.lists.cancel(d);
    };
    f.now = 100;
    f.pass();
    CHECK(f.ran == "ac");
}

TEST_CASE("timer lists: lists of one expiry run in the order in which they were made") {
    Fixture f;
    f.arm("a", 40);
    f.now = 10;
    f.arm("b", 30);
    f.now = 20;
    f.arm("c", 20);
    f.now = 40;
    f.pass();
    CHECK(f.ran == "abc");
}

TEST_CASE("timer lists: against a model, random arming, cancelling and passing") {
    std::mt19937 random(5);
    for (int round = 0; round < 200; round++) {
        Fixture f;
        std::vector<Timeout*> live;
        size_t expected = 0, due = 0;
        for (int step = 0; step < 300; step++) {
            unsigned what = random() % 10;
            if (what < 5) {
                live.push_back(f.arm("x", 1 + random() % 40, random() % 2));
            } else if (what < 8 && !live.empty()) {
                size_t i = random() % live.size();
                f.lists.cancel(live[i]);
                live.erase(live.begin() + ptrdiff_t(i));
            } else {
                f.now += i64(random() % 20);
                f.pass();
                // Whatever was due has run; whatever was not stands.
                due = 0;
                for (size_t i = 0; i < live.size();) {
                    if (live[i]->due() <= f.now) {
                        CHECK(!(live[i]->timerFlags & TimerArmed));
                        live.erase(live.begin() + ptrdiff_t(i));
                        due++;
                    } else {
                        CHECK((live[i]->timerFlags & TimerArmed));
                        i++;
                    }
                }
                expected += due;
                CHECK(f.ran.size() == expected);
            }
        }
    }
}

TEST_CASE(
    "timer lists: 100,000 unique durations, cancelled from the first, the last and at random, are not quadratic") {
    for (Order order : {Order::First, Order::Last, Order::Random}) {
        double small = secondsFor([&] { cancelUnique(12500, order); });
        double large = secondsFor([&] { cancelUnique(100000, order); });
        // Eight times as many; sixty-four times as long would be quadratic.
        CHECK(large < 40 * small + 0.05);
    }
}

TEST_CASE("timer lists: ten million timers of random durations leave few lists") {
    TimerLists lists(3);
    std::mt19937 random(9);
    Timeout timer{};
    size_t most = 0;
    for (int i = 0; i < 10000000; i++) {
        timer.start = i / 1000;
        timer.duration = 1 + random() % 2000000000;
        timer.timerFlags = TimerReferenced * (i & 1);
        lists.arm(&timer);
        lists.cancel(&timer);
        most = std::max(most, lists.emptyCount());
    }
    CHECK(most <= 65);
}

TEST_CASE("timer lists: as many lists are kept empty as twice those that are not, at most") {
    TimerLists lists(3);
    std::vector<Timeout> stay(500), go(5000);
    for (size_t i = 0; i < stay.size(); i++) {
        stay[i].duration = u32(1 + i);
        lists.arm(&stay[i]);
    }
    for (size_t i = 0; i < go.size(); i++) {
        go[i].duration = u32(100000 + i);
        lists.arm(&go[i]);
        lists.cancel(&go[i]);
        CHECK(lists.emptyCount() <= 1001);
    }
    CHECK(lists.fullCount() == 500);
    size_t seen = 0;
    lists.forEach([&](Timeout*) { seen++; });
    CHECK(seen == 500);
}
