// Emitter: listeners by event name, as `process` has them. The invariant: an emit calls the listeners that were there
// when it began, in order, whatever they add or remove.
#pragma once
#include "runtime/core/function.h"
#include "runtime/heap/marker.h"
#include <vector>

namespace scr {

class Emitter {
public:
    struct Listener {
        Value function;
        u64 id; ///< tells two registrations of one function apart
        bool once;
    };

    void add(PropertyKey event, Value function, bool once, bool inFront);
    /// Removes the listener added last that is this function; false if there is none.
    bool remove(PropertyKey event, Value function);
    void removeAll(PropertyKey event);
    size_t count(PropertyKey event) const;
    /// In the order in which their first listener was added.
    std::vector<PropertyKey> events() const;
    /// Valid until something is added or removed.
    const std::vector<Listener>* listeners(PropertyKey event) const;
    /// Calls them with `self`. False if there was none. Runs script.
    Completion<bool> emit(Vm& vm, PropertyKey event, Value self, const Value* args, u32 argc);
    void trace(Marker& marker) const;
    /// Called when the last listener of an event has gone.
    void (*onEmptied)(void* context, PropertyKey event) = nullptr;
    void* context = nullptr;

private:
    struct Event {
        PropertyKey key;
        std::vector<Listener> listeners; // never empty
    };
    Event* find(PropertyKey event);
    void erase(Event* event);
    bool removeById(PropertyKey event, u64 id);
    void drop(Event* event, size_t index);
    std::vector<Event> events_;
    u64 nextId_ = 1;
};

}
