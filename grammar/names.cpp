// Open addressing over pointers to Name; the hash is FNV-1a over the UTF-16 units, whatever the form.
#include "grammar/names.h"

#include "runtime/base/utf.h"

#include <cstring>

namespace scr {

namespace {

constexpr size_t initialSlots = 256;

template <typename Unit> u32 hashOf(const Unit* text, u32 length) {
    u32 hash = 2166136261u;
    for (u32 i = 0; i < length; i++)
        hash = (hash ^ text[i]) * 16777619u;
    return hash;
}

bool sameText(const Name& name, const u8* text) { return name.isLatin1 && !memcmp(name.latin1, text, name.length); }

bool sameText(const Name& name, const char16_t* text) {
    return !name.isLatin1 && !memcmp(name.utf16, text, name.length * sizeof(char16_t));
}

void setText(Name& name, const u8* text) {
    name.latin1 = text;
    name.isLatin1 = true;
}

void setText(Name& name, const char16_t* text) { name.utf16 = text; }

}

NameTable::NameTable(Arena& arena)
    : arena_(arena)
    , slots_(arena.allocateArray<Name*>(initialSlots))
    , mask_(initialSlots - 1) {
    memset(slots_, 0, initialSlots * sizeof(Name*));
    arguments = intern("arguments");
    async = intern("async");
    await = intern("await");
    constructor = intern("constructor");
    default_ = intern("default");
    defaultBinding = intern("*default*");
    eval = intern("eval");
    proto = intern("__proto__");
    prototype = intern("prototype");
    useStrict = intern("use strict");
}

Name* NameTable::intern(const u8* text, u32 length) { return lookUp(text, length); }

Name* NameTable::intern(const char16_t* text, u32 length) {
    if (!fitsLatin1(text, length))
        return lookUp(text, length);
    auto* units = arena_.allocateArray<u8>(length);
    narrow(text, length, units);
    return lookUp(units, length);
}

template <typename Unit> Name* NameTable::lookUp(const Unit* text, u32 length) {
    u32 hash = hashOf(text, length);
    size_t slot = hash & mask_;
    for (; Name* name = slots_[slot]; slot = (slot + 1) & mask_) {
        if (name->hash == hash && name->length == length && sameText(*name, text))
            return name;
    }
    return add(text, length, hash, slot);
}

template <typename Unit> Name* NameTable::add(const Unit* text, u32 length, u32 hash, size_t slot) {
    auto* name = arena_.make<Name>();
    auto* copy = arena_.allocateArray<Unit>(length);
    if (length)
        memcpy(copy, text, length * sizeof(Unit));
    setText(*name, copy);
    name->length = length;
    name->hash = hash;
    slots_[slot] = name;
    if (++count_ * 2 > mask_)
        grow();
    return name;
}

void NameTable::grow() {
    size_t oldSize = mask_ + 1;
    Name** old = slots_;
    mask_ = oldSize * 2 - 1;
    slots_ = arena_.allocateArray<Name*>(oldSize * 2);
    memset(slots_, 0, oldSize * 2 * sizeof(Name*));
    for (size_t i = 0; i < oldSize; i++) {
        if (!old[i])
            continue;
        size_t slot = old[i]->hash & mask_;
        while (slots_[slot])
            slot = (slot + 1) & mask_;
        slots_[slot] = old[i];
    }
}

}
