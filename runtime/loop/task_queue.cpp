// Growing and shrinking the ring, and its roots.
#include "runtime/loop/task_queue.h"
#include "runtime/heap/allocator.h"

namespace scr {

TaskQueue::~TaskQueue() { release(); }

void TaskQueue::grow() {
    size_t capacity = capacity_ ? capacity_ * 2 : FirstCapacity;
    auto* jobs = static_cast<Job*>(requireMemory(capacity * sizeof(Job)));
    if (capacity > LargeCapacity)
        heap_.adjustExternal(i64((capacity - (capacity_ > LargeCapacity ? capacity_ : 0)) * sizeof(Job)));
    size_t count = tail_ - head_;
    for (size_t i = 0; i < count; i++)
        jobs[i] = jobs_[(head_ + i) & (capacity_ - 1)];
    freeMemory(jobs_);
    jobs_ = jobs;
    capacity_ = capacity;
    head_ = 0;
    tail_ = count;
}

void TaskQueue::release() {
    if (capacity_ > LargeCapacity)
        heap_.adjustExternal(-i64(capacity_ * sizeof(Job)));
    freeMemory(jobs_);
    jobs_ = nullptr;
    capacity_ = head_ = tail_ = 0;
}

void TaskQueue::trace(Marker& marker) const {
    for (size_t i = head_; i != tail_; i++) {
        const Job& job = jobs_[i & (capacity_ - 1)];
        marker.markValues(&job.callback, 2);
        marker.mark(job.context);
    }
}

}
