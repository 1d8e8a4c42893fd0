// What ECMA-262 10.1 and 10.4.2 say of properties, written as plainly as possible: maps and loops, no cleverness.
// A key is a number, as in the script of property.cpp: below 0 a symbol, below 300 a name, from 300 on an array index.
#pragma once
#include "runtime/base/platform.h"
#include <map>
#include <string>
#include <vector>

namespace scr::fuzz {

class Model {
public:
    static constexpr u32 Count = 6;
    static constexpr int None = -1;
    static constexpr u32 FirstIndex = 300;

    Model() {
        objects_.resize(Count);
        objects_[1].prototype = 0;
        objects_[3].array = objects_[4].array = true;
        for (i64 key : {0, 1})
            create(2, key, key + 1);
        for (i64 key : {0, 1, 2})
            create(5, key, key + 1), create(4, key + FirstIndex, key + 1);
        objects_[4].length = 3;
    }

    bool isArray(u32 i) const { return objects_[i].array; }

    bool has(u32 i, i64 key) const { return find(i, key).first; }
    std::string get(u32 i, i64 key) const {
        const Property* found = find(i, key).first;
        if (!found)
            return "undefined";
        if (!found->accessor)
            return text(found->value, found->isUndefined);
        return found->getter < 0 ? "undefined" : std::to_string(1000 + found->getter);
    }

    bool set(u32 i, i64 key, i64 value) {
        auto [found, holder] = find(i, key);
        if (found && found->accessor) {
            if (found->setter < 0)
                return false;
            told_ = std::to_string(found->setter) + ":" + std::to_string(value);
            return true;
        }
        if (found && !found->writable)
            return false;
        if (found && holder == i) {
            Property& own = *ownOf(i, key);
            own.value = value, own.isUndefined = false;
            return true;
        }
        return mayCreate(i, key) && (create(i, key, value), true);
    }

    bool remove(u32 i, i64 key) {
        Property* own = ownOf(i, key);
        if (!own)
            return true;
        if (!own->configurable)
            return false;
        Object& object = objects_[i];
        if (key >= FirstIndex)
            object.indices.erase(u32(key - FirstIndex));
        else
            std::erase_if(object.names, [&](const auto& entry) { return entry.first == key; });
        return true;
    }

    /// 10.1.6.3 ValidateAndApplyPropertyDescriptor; bits as in property.cpp.
    bool define(u32 i, i64 key, u32 bits, i64 value) {
        bool toAccessor = bits & 0x280, toData = bits & 3;
        int getter = bits & 256 ? int(value & 3) : -1, setter = bits & 1024 ? int(value & 3) : -1;
        Property* own = ownOf(i, key);
        if (!own) {
            if (!mayCreate(i, key))
                return false;
            create(i, key, value);
            own = ownOf(i, key);
            *own = {};
            own->isUndefined = true;
            own->accessor = toAccessor;
        } else {
            if (!own->configurable) {
                bool same = own->accessor ? !toData : !toAccessor;
                if ((bits & 32 && bits & 64) || (bits & 8 && bool(bits & 16) != own->enumerable) || !same)
                    return false;
                if (own->accessor) {
                    if ((bits & 128 && getter != own->getter) || (bits & 512 && setter != own->setter))
                        return false;
                } else if (!own->writable) {
                    if ((bits & 2 && bits & 4) || (bits & 1 && (own->isUndefined || own->value != value)))
                        return false;
                }
            }
            if (own->accessor ? toData : toAccessor) {
                own->accessor = toAccessor;
                own->writable = false, own->value = 0, own->isUndefined = true, own->getter = own->setter = -1;
            }
        }
        if (bits & 1)
            own->value = value, own->isUndefined = false;
        if (bits & 2)
            own->writable = bits & 4;
        if (bits & 8)
            own->enumerable = bits & 16;
        if (bits & 32)
            own->configurable = bits & 64;
        if (bits & 128)
            own->getter = getter;
        if (bits & 512)
            own->setter = setter;
        return true;
    }

    void prevent(u32 i) { objects_[i].extensible = false; }
    void seal(u32 i) {
        prevent(i);
        each(i, [](Property& property) { property.configurable = false; });
    }
    void freeze(u32 i) {
        seal(i);
        objects_[i].lengthWritable = false;
        each(i, [](Property& property) { property.writable = false; });
    }

    bool setPrototype(u32 i, int prototype) {
        // What the objects begin with is %Object.prototype% or another of the engine's own: it can only be left.
        if (objects_[i].prototype == prototype)
            return true;
        if (!objects_[i].extensible)
            return false;
        for (int p = prototype; p >= 0; p = objects_[u32(p)].prototype) {
            if (u32(p) == i)
                return false;
        }
        objects_[i].prototype = prototype;
        return true;
    }

    /// 10.4.2.4 ArraySetLength with a value alone.
    bool setLength(u32 i, u32 length) {
        Object& object = objects_[i];
        // Writing a length that may not be written is refused even when it is the same.
        if (!object.lengthWritable)
            return false;
        while (!object.indices.empty()) {
            auto last = std::prev(object.indices.end());
            if (last->first < length)
                break;
            if (!last->second.configurable) {
                object.length = last->first + 1;
                return false;
            }
            object.indices.erase(last);
        }
        object.length = length;
        return true;
    }

    std::string push(u32 i, i64 value) {
        Object& object = objects_[i];
        u64 length = object.length;
        if (length == 4294967295u) {
            // 2^32 - 1 is a name, and the length after it too large.
            (void)set(i, 8, value);
            return "refused";
        }
        if (!set(i, i64(FirstIndex + length), value))
            return "refused";
        if (!setLengthTo(i, u32(length + 1)))
            return "refused";
        return std::to_string(length + 1);
    }

    std::string pop(u32 i) {
        u32 length = objects_[i].length;
        if (length == 0)
            return setLengthTo(i, 0) ? "undefined" : "refused";
        std::string result = get(i, i64(FirstIndex) + length - 1);
        if (!remove(i, i64(FirstIndex) + length - 1) || !setLengthTo(i, length - 1))
            return "refused";
        return result;
    }

    std::string keys(u32 i) const {
        std::string result;
        auto add = [&](const std::string& key) { result += (result.empty() ? "" : "|") + key; };
        const Object& object = objects_[i];
        for (const auto& [index, property] : object.indices)
            add(std::to_string(index));
        if (object.array)
            add("length");
        for (const auto& [key, property] : object.names) {
            if (key >= 0)
                add(nameOf(key));
        }
        for (const auto& [key, property] : object.names) {
            if (key < 0)
                add(key == -1 ? "@s" : "@t");
        }
        return result;
    }

    std::string describe(u32 i, i64 key) const {
        const Property* own = ownOf(i, key);
        if (!own)
            return "none";
        std::string flags = std::string(own->writable && !own->accessor ? "w" : "") + (own->enumerable ? "e" : "")
            + (own->configurable ? "c" : "");
        if (own->accessor)
            return "get " + std::to_string(own->getter) + " set " + std::to_string(own->setter) + flags;
        return text(own->value, own->isUndefined) + flags;
    }

    std::string state(u32 i) const {
        const Object& object = objects_[i];
        bool frozen = !object.extensible && !(object.array && object.lengthWritable), sealed = !object.extensible;
        auto look = [&](const Property& property) {
            sealed &= !property.configurable;
            frozen &= !property.configurable && (property.accessor || !property.writable);
        };
        for (const auto& [index, property] : object.indices)
            look(property);
        for (const auto& [key, property] : object.names)
            look(property);
        auto word = [](bool b) { return b ? "true" : "false"; };
        return std::string(word(object.extensible)) + "," + word(frozen) + "," + word(sealed);
    }

    /// What the setter called last was given.
    std::string takeTold() {
        std::string result = told_;
        told_.clear();
        return result;
    }

private:
    struct Property {
        i64 value = 0;
        bool isUndefined = false;
        bool writable = false, enumerable = false, configurable = false, accessor = false;
        int getter = -1, setter = -1;
    };
    struct Object {
        std::map<u32, Property> indices;
        std::vector<std::pair<i64, Property>> names; // in the order of their making
        bool extensible = true, array = false, lengthWritable = true;
        u32 length = 0;
        int prototype = Initial;
    };
    static constexpr int Initial = -2;

    static std::string text(i64 value, bool isUndefined) { return isUndefined ? "undefined" : std::to_string(value); }
    static std::string nameOf(i64 key) {
        static const char* const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "4294967295", "-1", "longer name"};
        return key < 100 ? names[key] : "p" + std::to_string(key - 100);
    }

    const Property* ownOf(u32 i, i64 key) const { return const_cast<Model*>(this)->ownOf(i, key); }
    Property* ownOf(u32 i, i64 key) {
        Object& object = objects_[i];
        if (key >= FirstIndex) {
            auto found = object.indices.find(u32(key - FirstIndex));
            return found == object.indices.end() ? nullptr : &found->second;
        }
        for (auto& [name, property] : object.names) {
            if (name == key)
                return &property;
        }
        return nullptr;
    }
    std::pair<const Property*, u32> find(u32 i, i64 key) const {
        for (int at = int(i); at >= 0; at = objects_[u32(at)].prototype) {
            if (const Property* own = ownOf(u32(at), key))
                return {own, u32(at)};
        }
        return {nullptr, 0};
    }
    bool mayCreate(u32 i, i64 key) const {
        const Object& object = objects_[i];
        bool grows = object.array && key >= FirstIndex && u32(key - FirstIndex) >= object.length;
        return object.extensible && (!grows || object.lengthWritable);
    }
    void create(u32 i, i64 key, i64 value) {
        Object& object = objects_[i];
        Property property{value, false, true, true, true, false, -1, -1};
        if (key >= FirstIndex) {
            u32 index = u32(key - FirstIndex);
            object.indices[index] = property;
            if (object.array && index >= object.length)
                object.length = index + 1;
        } else {
            object.names.emplace_back(key, property);
        }
    }
    bool setLengthTo(u32 i, u32 length) { return setLength(i, length); }
    void each(u32 i, void (*change)(Property&)) {
        for (auto& [index, property] : objects_[i].indices)
            change(property);
        for (auto& [name, property] : objects_[i].names)
            change(property);
    }

    std::vector<Object> objects_;
    std::string told_;
};

}
