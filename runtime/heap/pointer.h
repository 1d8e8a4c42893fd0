// Ref<T> (never null) and Ptr<T> (may be null): the members that cells hold other cells by. Every store into a cell
// goes through them, so that a write barrier has one place to stand; there is none while the collector is not
// generational.
#pragma once
#include "runtime/base/assert.h"

namespace scr {

template <class T> class Ptr {
public:
    Ptr() = default;
    Ptr(T* cell)
        : cell_(cell) { }
    operator T*() const { return cell_; }
    T* operator->() const { return cell_; }
    T* get() const { return cell_; }

private:
    T* cell_ = nullptr;
};

template <class T> class Ref {
public:
    Ref(T* cell)
        : cell_(cell) {
        ASSERT(cell);
    }
    operator T*() const { return cell_; }
    T* operator->() const { return cell_; }
    T* get() const { return cell_; }

private:
    T* cell_;
};

}
