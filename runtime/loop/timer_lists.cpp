// The slow side of timer_lists.h: finding a list by its duration, the 4-ary heap, forgetting empty lists.
#include "runtime/loop/timer_lists.h"
#include "runtime/heap/allocator.h"
#include <cstring>

namespace scr {

namespace {

constexpr size_t FirstBuckets = 16;

TimerList** newTable(size_t buckets) {
    auto** table = static_cast<TimerList**>(requireMemory(buckets * sizeof(TimerList*)));
    std::memset(table, 0, buckets * sizeof(TimerList*));
    return table;
}

}

TimerLists::TimerLists(u64 seed)
    : last_(&none_)
    , table_(newTable(FirstBuckets))
    , buckets_(FirstBuckets)
    , multiplier_((seed ^ 0x9E3779B97F4A7C15u) | 1)
    , none_{} {
    none_.head = {&none_.head, &none_.head};
    none_.heapIndex = TimerList::NotInHeap;
}

TimerLists::~TimerLists() {
    for (size_t i = 0; i < buckets_; i++)
        for (TimerList* list = table_[i]; list;) {
            TimerList* next = list->hashNext;
            freeMemory(list);
            list = next;
        }
    freeMemory(table_);
}

// ---- the table

// Durations are the script's choice: the multiplier is seeded, so that nobody can choose many for one chain.
TimerList** TimerLists::bucket(u32 duration) const { return &table_[(duration * multiplier_ >> 32) & (buckets_ - 1)]; }

void TimerLists::resizeTable(size_t buckets) {
    TimerList** old = table_;
    size_t oldBuckets = buckets_;
    buckets_ = buckets;
    table_ = newTable(buckets_);
    for (size_t i = 0; i < oldBuckets; i++)
        for (TimerList* list = old[i]; list;) {
            TimerList* next = list->hashNext;
            TimerList** head = bucket(list->duration);
            list->hashNext = *head;
            *head = list;
            list = next;
        }
    freeMemory(old);
}

NOINLINE TimerList* TimerLists::find(u32 duration, i64 start) {
    for (TimerList* list = *bucket(duration); list; list = list->hashNext)
        if (list->duration == duration)
            return last_ = list;
    if (total_ >= buckets_)
        resizeTable(buckets_ * 2);
    auto* list = static_cast<TimerList*>(requireMemory(sizeof(TimerList)));
    TimerList** head = bucket(duration);
    *list = {{&list->head, &list->head}, start + i64(duration), nextOrder_++, duration, 0, 0, false, *head};
    *head = list;
    total_++;
    emptyCount_++;
    push(list);
    return last_ = list;
}

// ---- states of a list

void TimerLists::renew(TimerList* list, i64 expiry) {
    list->retired = false;
    list->generation++;
    list->expiry = expiry;
    list->order = nextOrder_++;
    if (list->heapIndex == TimerList::NotInHeap)
        push(list);
    else
        reposition(list);
}

void TimerLists::retireIfEmpty(u32 duration) {
    for (TimerList* list = *bucket(duration); list; list = list->hashNext)
        if (list->duration == duration && list->empty())
            list->retired = true;
}

void TimerLists::release(TimerList* list) {
    TimerList** place = bucket(list->duration);
    while (*place != list)
        place = &(*place)->hashNext;
    *place = list->hashNext;
    if (last_ == list)
        last_ = &none_;
    total_--;
    emptyCount_--;
    freeMemory(list);
}

// Empty lists may be twice as many as full ones. Freeing them all at once costs as much as the steps that emptied them.
COLD void TimerLists::sweep() {
    if (emptyCount_ <= 2 * fullCount())
        return;
    size_t kept = 0;
    for (TimerList* list : heap_) {
        if (list->empty() && list != running_)
            list->heapIndex = TimerList::NotInHeap;
        else
            heap_[kept++] = list;
    }
    heap_.resize(kept);
    // Whatever order siftDown leaves, `before` is total: the lists come out in the same order.
    for (size_t i = kept; i-- > 0;)
        siftDown(u32(i), heap_[i]);
    for (size_t i = 0; i < buckets_; i++)
        for (TimerList* list = table_[i]; list;) {
            TimerList* next = list->hashNext;
            if (list->heapIndex == TimerList::NotInHeap && list != running_)
                release(list);
            list = next;
        }
    size_t buckets = buckets_;
    while (buckets > FirstBuckets && buckets > 8 * total_)
        buckets /= 2;
    if (buckets != buckets_)
        resizeTable(buckets);
}

// ---- a pass

TimerList* TimerLists::earliest() {
    while (!heap_.empty()) {
        TimerList* list = heap_[0];
        if (!list->retired)
            return list;
        removeFromHeap(list);
    }
    return nullptr;
}

void TimerLists::take(Timeout* timer) {
    timer->timerFlags &= ~u32(TimerArmed);
    TimerLink* previous = timer->link.previous;
    TimerLink* next = timer->link.next;
    previous->next = next;
    next->previous = previous;
    if (previous == next)
        emptyCount_++;
}

void TimerLists::postpone(TimerList* list, i64 expiry) {
    list->expiry = expiry;
    list->order = nextOrder_++;
    reposition(list);
}

void TimerLists::drained(TimerList* list) {
    list->retired = true;
    removeFromHeap(list);
}

// ---- the heap

void TimerLists::siftUp(u32 index, TimerList* list) {
    while (index) {
        u32 parent = (index - 1) / 4;
        if (!before(list, heap_[parent]))
            break;
        heap_[index] = heap_[parent];
        heap_[index]->heapIndex = index;
        index = parent;
    }
    heap_[index] = list;
    list->heapIndex = index;
}

void TimerLists::siftDown(u32 index, TimerList* list) {
    u32 count = u32(heap_.size());
    for (;;) {
        u32 child = index * 4 + 1;
        if (child >= count)
            break;
        u32 end = child + 4 < count ? child + 4 : count;
        u32 least = child;
        for (u32 i = child + 1; i < end; i++)
            if (before(heap_[i], heap_[least]))
                least = i;
        if (!before(heap_[least], list))
            break;
        heap_[index] = heap_[least];
        heap_[index]->heapIndex = index;
        index = least;
    }
    heap_[index] = list;
    list->heapIndex = index;
}

void TimerLists::reposition(TimerList* list) {
    u32 index = list->heapIndex;
    if (index && before(list, heap_[(index - 1) / 4]))
        siftUp(index, list);
    else
        siftDown(index, list);
}

void TimerLists::push(TimerList* list) {
    heap_.push_back(list);
    siftUp(u32(heap_.size() - 1), list);
}

void TimerLists::removeFromHeap(TimerList* list) {
    u32 index = list->heapIndex;
    if (index == TimerList::NotInHeap)
        return;
    list->heapIndex = TimerList::NotInHeap;
    TimerList* moved = heap_.back();
    heap_.pop_back();
    if (moved != list) {
        heap_[index] = moved;
        moved->heapIndex = index;
        reposition(moved);
    }
}

}
