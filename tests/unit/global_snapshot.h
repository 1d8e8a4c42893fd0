// Everything a script can reach from the globals as one text, for tests that nothing of it changes: properties with
// their attributes, prototypes, elements, captured variables, entries of collections, bytes, and where iterators,
// generators and promises stand. Taking one makes what builtins make on first use, so take one before the first to
// keep.
#pragma once
#include "runtime/builtins/collection_iterator.h"
#include "runtime/builtins/date.h"
#include "runtime/core/builtin_iterator.h"
#include "runtime/core/hash_table.h"
#include "runtime/core/promise.h"
#include "runtime/core/suspension.h"
#include "runtime/core/typed_array.h"
#include "runtime/core/vm.h"
#include <deque>
#include <unordered_map>

namespace scr::test {

class GlobalSnapshot {
public:
    explicit GlobalSnapshot(Vm& vm)
        : vm_(vm) { }

    std::string take() {
        text_.clear();
        numbers_.clear();
        name(vm_.realm->global.get());
        name(vm_.realm->lexical.get());
        while (!queue_.empty()) {
            const Cell* cell = queue_.front();
            queue_.pop_front();
            text_ += "\n#" + std::to_string(numbers_.at(cell)) + " kind " + std::to_string(cell->kind);
            if (kindOf(cell) == Kind::Environment)
                environment(static_cast<const Environment*>(cell));
            else
                object(const_cast<Object*>(static_cast<const Object*>(cell)));
        }
        return text_;
    }

private:
    void name(const Cell* cell) {
        if (!cell) {
            text_ += " none";
            return;
        }
        auto [found, isNew] = numbers_.try_emplace(cell, numbers_.size());
        if (isNew)
            queue_.push_back(cell);
        text_ += " #" + std::to_string(found->second);
    }
    void value(Value value) {
        if (value.isObject())
            name(value.asObject());
        else if (value.isString())
            text_ += " \"" + toUtf8(vm_, value.asString()) + "\"";
        else
            text_ += " " + std::to_string(value.bits());
    }
    void values(const Value* begin, size_t count) {
        for (size_t i = 0; i < count; i++)
            value(begin[i]);
    }
    void number(u64 number) { text_ += " " + std::to_string(number); }

    void environment(const Environment* environment) {
        name(environment->parent.get());
        for (u32 i = 0; i < environment->count(); i++) {
            Value each = environment->slots[i];
            if (!(each.isCell() && !each.isObject() && !each.isString())) // a class keeps private names there
                value(each);
        }
    }
    void properties(Object* object) {
        std::vector<PropertyKey> keys;
        ownKeys(vm_, object, StringKeys | SymbolKeys | PrivateKeys, keys);
        for (PropertyKey key : keys) {
            Lookup found = getOwnProperty(vm_, object, key);
            text_ += "\n  ";
            value(keyToValue(vm_, key));
            text_ += " " + std::to_string(found.attributes & (AllAttributes | AccessorProperty)) + ":";
            if (found.isAccessor() && found.value.isCell()) {
                value(static_cast<Accessor*>(found.value.asCell())->getter);
                value(static_cast<Accessor*>(found.value.asCell())->setter);
            } else if (!found.isAccessor()) {
                value(found.value);
            }
        }
    }
    void object(Object* object) {
        if (isProxyKind(object))
            return;
        number(object->flags & (NotExtensible | ElementsFrozen | ElementsSealed | LengthReadOnly));
        name(prototypeOf(vm_, object));
        properties(object);
        state(object);
    }
    static bool isProxyKind(Object* object) {
        return kindOf(object) == Kind::Proxy || kindOf(object) == Kind::CallableProxy;
    }
    void state(Object* object) {
        text_ += "\n ";
        switch (kindOf(object)) {
        case Kind::Function: return name(static_cast<Function*>(object)->environment.get());
        case Kind::Map:
        case Kind::Set: {
            HashTable* table = static_cast<Collection*>(object)->table;
            for (u32 i = 0; i < table->used; i++) {
                value(table->entries()[i].key);
                value(table->entries()[i].value);
            }
            return;
        }
        case Kind::Date: return value(Value::number(static_cast<DateObject*>(object)->time));
        case Kind::BuiltinIterator: return number(static_cast<BuiltinIterator*>(object)->position);
        case Kind::CollectionIterator: return number(static_cast<CollectionIterator*>(object)->position.index);
        case Kind::ArrayBuffer: {
            auto* buffer = static_cast<ArrayBuffer*>(object);
            number(buffer->byteLength);
            for (u64 i = 0; i < buffer->byteLength; i++)
                number(buffer->data[i]);
            return;
        }
        case Kind::Promise: {
            auto* promise = static_cast<Promise*>(object);
            number(u64(promise->state));
            number(promise->promiseFlags);
            return value(promise->result);
        }
        case Kind::Generator: {
            auto* generator = static_cast<Generator*>(object);
            number(generator->started);
            if (SuspendedFrame* frame = generator->frame) {
                number(u64(frame->pc));
                number(frame->live);
            }
            return;
        }
        default: return;
        }
    }

    Vm& vm_;
    std::string text_;
    std::unordered_map<const Cell*, size_t> numbers_;
    std::deque<const Cell*> queue_;
};

}
