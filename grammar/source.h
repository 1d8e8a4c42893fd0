// One text and its name. The invariant: text() is UTF-8 (plus lone surrogates, if they came from a string of the
// engine), ends with a NUL behind its last byte, and never changes; so an offset into it is a place for good.
#pragma once

#include "runtime/base/platform.h"

#include <string>
#include <string_view>

namespace scr {

/// Half-open range of byte offsets into the text of a Source.
struct Span {
    u32 begin;
    u32 end;

    u32 length() const { return end - begin; }
    bool operator==(const Span&) const = default;
};

/// From the beginning of first to the end of last.
constexpr Span join(Span first, Span last) { return {first.begin, last.end}; }

/// Both count from 1; the column counts UTF-16 units, as stacks of Node do.
struct Position {
    u32 line;
    u32 column;
};

class Source {
public:
    /// text must be UTF-8, lone surrogates allowed as three bytes each (what a string of the engine turns into).
    Source(std::string name, std::string text)
        : name_(std::move(name))
        , text_(std::move(text)) { }

    /// From the bytes of a file: a byte order mark is dropped and, as in Node, each malformed sequence is U+FFFD.
    static Source fromBytes(std::string name, std::string bytes);

    const std::string& name() const { return name_; }
    std::string_view text() const { return text_; }
    u32 size() const { return static_cast<u32>(text_.size()); }
    std::string_view text(Span span) const { return std::string_view(text_).substr(span.begin, span.length()); }

    /// Line and column of an offset; linear in the offset, meant for errors.
    Position position(u32 offset) const;
    /// The line around an offset, without its terminator.
    std::string_view line(u32 offset) const;

private:
    std::string name_;
    std::string text_;
};

}
