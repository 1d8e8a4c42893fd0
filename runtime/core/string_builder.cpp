// StringBuilder: a buffer outside the heap that doubles. Its bytes count for the collector's trigger and the memory
// limit once they are many.
#include "runtime/core/error.h"
#include "runtime/core/string_units.h"
#include "runtime/core/vm.h"
#include "runtime/heap/allocator.h"

namespace scr {

static constexpr u64 CountedBytes = 65536; ///< smaller buffers are not told to the heap

StringBuilder::~StringBuilder() {
    if (bytes_ >= CountedBytes)
        vm_.heap.adjustExternal(-i64(bytes_));
    freeMemory(buffer_);
}

bool StringBuilder::withinLimit(u64 extraBytes) {
    Heap& heap = vm_.heap;
    auto fits = [&] { return heap.usedBytes() + heap.externalBytes() + extraBytes <= heap.memoryLimit(); };
    if (!heap.memoryLimit() || extraBytes < CountedBytes || fits())
        return true;
    heap.collect();
    if (fits())
        return true;
    heap.passLimit(Heap::Shortage::Limit);
    return false;
}

/// Room for `length` units in all.
bool StringBuilder::grow(u64 length, bool wide) {
    if (tooLong_ || noMemory_)
        return false;
    latin1Capacity_ = 0;
    if (length > String::MaxLength) {
        tooLong_ = true;
        return false;
    }
    bool widens = wide && !wide_;
    u64 least = length << unsigned(wide || wide_), bytes = bytes_ * 2 < 256 ? 256 : bytes_ * 2;
    if (bytes < least)
        bytes = least;
    u8* buffer = nullptr;
    if (withinLimit(bytes))
        buffer = static_cast<u8*>(widens ? allocateMemory(bytes) : reallocateMemory(buffer_, bytes));
    if (!buffer) {
        vm_.heap.passLimit(Heap::Shortage::Machine);
        noMemory_ = true;
        return false;
    }
    if (widens) {
        widen(buffer_, length_, reinterpret_cast<char16_t*>(buffer));
        freeMemory(buffer_);
        wide_ = true;
    }
    u64 before = bytes_ >= CountedBytes ? bytes_ : 0, after = bytes >= CountedBytes ? bytes : 0;
    buffer_ = buffer;
    bytes_ = bytes;
    if (after != before)
        vm_.heap.adjustExternal(i64(after) - i64(before));
    latin1Capacity_ = wide_ ? 0 : u32(bytes < ~0u ? bytes : ~0u);
    return true;
}

u8* StringBuilder::reserve(u32 extra, bool wide) {
    u64 length = u64(length_) + extra;
    if ((wide && !wide_) || length << unsigned(wide_) > bytes_ || length > String::MaxLength) {
        if (!grow(length, wide))
            return nullptr;
    } else if (tooLong_ || noMemory_) {
        return nullptr;
    }
    return buffer_ + (size_t(length_) << unsigned(wide_));
}

void StringBuilder::appendSlow(char16_t unit) {
    u8* to = reserve(1, unit > 255);
    if (!to)
        return;
    if (wide_)
        *reinterpret_cast<char16_t*>(to) = unit;
    else
        *to = u8(unit);
    length_++;
}

void StringBuilder::appendAscii(std::string_view text) {
    u8* to = reserve(u32(text.size()), false);
    if (!to)
        return;
    auto* units = reinterpret_cast<const u8*>(text.data());
    if (wide_)
        widen(units, text.size(), reinterpret_cast<char16_t*>(to));
    else
        memcpy(to, units, text.size());
    length_ += u32(text.size());
}

void StringBuilder::append(const String* string) {
    if (u8* to = reserve(string->length, string->isWide())) {
        copyString(to, wide_, string);
        length_ += string->length;
    }
}

void StringBuilder::appendUnits(const String* flat, u32 begin, u32 end) {
    bool wide = flat->isWide() && !fitsLatin1(flat->wide() + begin, end - begin);
    if (u8* to = reserve(end - begin, wide)) {
        copyUnits(to, wide_, flat, begin, end - begin);
        length_ += end - begin;
    }
}

Completion<String*> StringBuilder::finish() {
    if (tooLong_)
        return throwError(vm_, Error::StringLength);
    if (noMemory_)
        return vm_.terminateMemory();
    if (length_ == 0)
        return emptyString(vm_);
    if (length_ == 1)
        return unitString(vm_, wide_ ? *reinterpret_cast<char16_t*>(buffer_) : char16_t(*buffer_));
    vm_.charge(length_ >> 6);
    String* string = TRY(newUninitialized(vm_, length_, wide_));
    memcpy(writableUnits(string), buffer_, unitBytes(length_, wide_));
    return string;
}

}
