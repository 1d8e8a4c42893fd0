// Root<T>: keeps a cell alive from outside the heap and the stacks (host objects, tests). What lives in a C++ frame or
// a cell needs none. A Root belongs to one Heap's RootList and unlinks itself.
#pragma once
#include "runtime/heap/heap.h"

namespace scr {

struct RootNode {
    RootNode* previous = this;
    RootNode* next = this;
    u64 word = 0; ///< a Value's bits or a bare cell pointer
};

/// One for each Heap; its owner adds it to the heap's roots with RootList::trace.
struct RootList {
    RootNode head;
    static void trace(void* list, Marker& marker) {
        RootNode& head = static_cast<RootList*>(list)->head;
        for (RootNode* node = head.next; node != &head; node = node->next)
            marker.markConservative(node->word);
    }
};

/// T is a Value or a pointer to a cell.
template <class T> class Root {
    static_assert(sizeof(T) == 8);

public:
    Root(RootList& list, T value) {
        node_.previous = &list.head;
        node_.next = list.head.next;
        list.head.next->previous = &node_;
        list.head.next = &node_;
        set(value);
    }
    ~Root() {
        node_.previous->next = node_.next;
        node_.next->previous = node_.previous;
    }
    Root(const Root&) = delete;
    Root& operator=(const Root&) = delete;
    T get() const { return __builtin_bit_cast(T, node_.word); }
    void set(T value) { node_.word = __builtin_bit_cast(u64, value); }

private:
    RootNode node_;
};

}
