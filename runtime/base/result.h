// Completion<T>: a value, or the news that an exception is pending in the Vm (ECMA-262 6.2.4). Never both.
#pragma once
#include "runtime/base/assert.h"

namespace scr {

/// "An exception is pending": converts to every Completion<T>. Made by Vm::throwError and by TRY, by nothing else.
struct Threw { };

template <class T> class [[nodiscard]] Completion {
public:
    Completion(T value)
        : value_(value)
        , threw_(false) { }
    Completion(Threw)
        : value_()
        , threw_(true) { }
    bool threw() const { return threw_; }
    T value() const { return value_; }

private:
    T value_;
    bool threw_;
};

template <> class [[nodiscard]] Completion<void> {
public:
    Completion() = default;
    Completion(Threw)
        : threw_(true) { }
    bool threw() const { return threw_; }
    void value() const { }

private:
    bool threw_ = false;
};

}

/// `?` of the specification: the value, or return from this function with the pending exception.
#define TRY(expression)                                                                                                \
    ({                                                                                                                 \
        auto completion_ = (expression);                                                                               \
        if (UNLIKELY(completion_.threw()))                                                                             \
            return ::scr::Threw{};                                                                                     \
        completion_.value();                                                                                           \
    })
/// `!` of the specification: cannot throw.
#define MUST(expression)                                                                                               \
    ({                                                                                                                 \
        auto completion_ = (expression);                                                                               \
        CHECK(!completion_.threw());                                                                                   \
        completion_.value();                                                                                           \
    })
