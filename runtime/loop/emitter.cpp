// Listeners by event name: few events, few listeners, so everything is a search.
#include "runtime/loop/emitter.h"
#include "runtime/core/call.h"
#include "runtime/core/vm.h"

namespace scr {

Emitter::Event* Emitter::find(PropertyKey event) {
    for (Event& candidate : events_)
        if (candidate.key == event)
            return &candidate;
    return nullptr;
}

const std::vector<Emitter::Listener>* Emitter::listeners(PropertyKey event) const {
    Event* found = const_cast<Emitter*>(this)->find(event);
    return found ? &found->listeners : nullptr;
}

size_t Emitter::count(PropertyKey event) const {
    const auto* list = listeners(event);
    return list ? list->size() : 0;
}

std::vector<PropertyKey> Emitter::events() const {
    std::vector<PropertyKey> keys;
    for (const Event& event : events_)
        keys.push_back(event.key);
    return keys;
}

void Emitter::add(PropertyKey event, Value function, bool once, bool inFront) {
    Event* found = find(event);
    if (!found) {
        events_.push_back({event, {}});
        found = &events_.back();
    }
    found->listeners.insert(inFront ? found->listeners.begin() : found->listeners.end(), {function, nextId_++, once});
}

void Emitter::erase(Event* event) {
    PropertyKey key = event->key;
    events_.erase(events_.begin() + (event - events_.data()));
    if (onEmptied)
        onEmptied(context, key);
}

void Emitter::drop(Event* event, size_t index) {
    event->listeners.erase(event->listeners.begin() + ptrdiff_t(index));
    if (event->listeners.empty())
        erase(event);
}

bool Emitter::remove(PropertyKey event, Value function) {
    Event* found = find(event);
    for (size_t i = found ? found->listeners.size() : 0; i-- > 0;)
        if (found->listeners[i].function == function) {
            drop(found, i);
            return true;
        }
    return false;
}

bool Emitter::removeById(PropertyKey event, u64 id) {
    Event* found = find(event);
    for (size_t i = 0; found && i < found->listeners.size(); i++)
        if (found->listeners[i].id == id) {
            drop(found, i);
            return true;
        }
    return false;
}

void Emitter::removeAll(PropertyKey event) {
    if (Event* found = find(event))
        erase(found);
}

Completion<bool> Emitter::emit(Vm& vm, PropertyKey event, Value self, const Value* args, u32 argc) {
    Event* found = find(event);
    if (!found)
        return false;
    // The copy lies in a cell that this frame keeps alive: a listener may remove others.
    std::vector<Listener> copy = found->listeners;
    u32 count = u32(copy.size());
    auto* functions =
        static_cast<Storage*>(vm.heap.allocate(sizeof(Storage) + count * sizeof(Value), u8(Kind::Storage), count));
    for (u32 i = 0; i < count; i++)
        functions->values[i] = copy[i].function;
    Value keep = Value::cell(functions);
    for (u32 i = 0; i < count; i++) {
        if (copy[i].once && !removeById(event, copy[i].id))
            continue;
        TRY(call(vm, keep.as<Storage>()->values[i], self, args, argc));
    }
    return true;
}

void Emitter::trace(Marker& marker) const {
    for (const Event& event : events_) {
        marker.markWord(event.key.bits());
        for (const Listener& listener : event.listeners)
            marker.markValues(&listener.function, 1);
    }
}

}
