// TaskQueue: first in, first out; what process.nextTick and the microtasks wait in. A ring that doubles when it is full
// and shrinks when a burst is over. Every job in it is a root.
#pragma once
#include "runtime/core/value.h"
#include "runtime/heap/heap.h"

namespace scr {

/// One call to be made: `callback` with no `this`. Arguments: none (undefined), or those in a Storage cell. `context`
/// is the async context in which it was queued (null: none).
struct Job {
    Value callback;
    Value arguments;
    Cell* context;
};

class TaskQueue {
public:
    explicit TaskQueue(Heap& heap)
        : heap_(heap) { }
    ~TaskQueue();
    TaskQueue(const TaskQueue&) = delete;

    bool empty() const { return head_ == tail_; }
    size_t size() const { return tail_ - head_; }
    void push(const Job& job) {
        if (UNLIKELY(tail_ - head_ == capacity_))
            grow();
        jobs_[tail_++ & (capacity_ - 1)] = job;
    }
    Job pop() {
        Job job = jobs_[head_++ & (capacity_ - 1)];
        if (UNLIKELY(head_ == tail_ && capacity_ > LargeCapacity))
            release();
        return job;
    }
    void trace(Marker& marker) const;

private:
    static constexpr size_t FirstCapacity = 16, LargeCapacity = 4096;
    COLD void grow();
    COLD void release();
    Heap& heap_; // learns of the memory of a long queue
    Job* jobs_ = nullptr;
    size_t capacity_ = 0; // a power of two, or 0
    size_t head_ = 0, tail_ = 0; // count up; masked when used
};

}
