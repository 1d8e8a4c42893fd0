// The names of one parse: every identifier and string once, so that equal text is the same pointer. The invariant: a
// Name is stored in the narrowest form (Latin-1 if every unit fits), so equal text cannot hide in two forms.
#pragma once

#include "grammar/ast.h"

#include <vector>

namespace scr {

class NameTable {
public:
    explicit NameTable(Arena& arena);

    /// The Name of ASCII text.
    Name* intern(const u8* text, u32 length);
    Name* intern(std::string_view ascii) { return intern(reinterpret_cast<const u8*>(ascii.data()), size32(ascii)); }
    /// The Name of UTF-16 text, which may hold lone surrogates.
    Name* intern(const char16_t* text, u32 length);

    // Names that the rules of the language speak of.
    Name* arguments;
    Name* async;
    Name* await;
    Name* constructor;
    Name* default_;
    Name* defaultBinding; // *default*
    Name* eval;
    Name* proto; // __proto__
    Name* prototype;
    Name* useStrict; // use strict

private:
    static u32 size32(std::string_view text) { return static_cast<u32>(text.size()); }

    template <typename Unit> Name* lookUp(const Unit* text, u32 length);
    template <typename Unit> Name* add(const Unit* text, u32 length, u32 hash, size_t slot);
    void grow();

    Arena& arena_;
    Name** slots_;
    size_t mask_;
    size_t count_ = 0;
};

}
