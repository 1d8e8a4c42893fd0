// Concatenation. Short results are copied. Longer ones become ropes, which flatten in place when somebody needs their
// units. Text that is appended to again and again moves into a buffer with room at its end, so that one append costs a
// small cell and the units appended, however long the text.
//
// Invariants: a rope's parts are not empty; its width is that of its widest part. Nothing here recurses by the depth of
// a rope: whoever walks one takes the shorter part first, so that what waits is never more than one part for each
// halving.
#include "runtime/core/error.h"
#include "runtime/core/string_units.h"
#include "runtime/core/vm.h"

namespace scr {

void copyString(void* to, bool wide, const String* string) {
    struct Pending {
        const String* string;
        u32 offset;
    } pending[32];
    unsigned count = 0;
    u32 offset = 0;
    for (;;) {
        if (!string->isRope()) {
            copyUnits(static_cast<u8*>(to) + unitBytes(offset, wide), wide, string, 0, string->length);
            if (!count)
                return;
            string = pending[--count].string;
            offset = pending[count].offset;
            continue;
        }
        const String *left = string->rope.left, *right = string->rope.right;
        u32 rightOffset = offset + left->length;
        ASSERT(count < 32);
        if (left->length <= right->length) {
            pending[count++] = {right, rightOffset};
            string = left;
        } else {
            pending[count++] = {left, offset};
            string = right;
            offset = rightOffset;
        }
    }
}

/// The rope becomes a flat string over the buffer, which it fills from the start.
static void flattenInto(Vm& vm, String* rope, UnitBuffer* buffer) {
    bool wide = rope->isWide();
    copyString(buffer->bytes(), wide, rope);
    buffer->shape = unitBytes(rope->length, wide);
    rope->owner = buffer;
    rope->rope.right = nullptr;
    rope->data = buffer->bytes();
    vm.charge(rope->length >> 6);
}

/// The buffer at whose used end this flat string ends, or null.
static UnitBuffer* growingBuffer(const String* flat) {
    if (flat->isInline() || kindOf(flat->owner) != Kind::Bytes)
        return nullptr;
    auto* buffer = static_cast<UnitBuffer*>(flat->owner);
    const u8* end = static_cast<const u8*>(flat->data) + unitBytes(flat->length, flat->isWide());
    return end == buffer->bytes() + buffer->shape ? buffer : nullptr;
}

// A rope whose left part was flattened before is being appended to and read in turns: the copy gets room to grow.
static bool isBeingAppendedTo(const String* rope) {
    const String* left = rope->rope.left;
    return !left->isRope() && left->length >= rope->rope.right->length && growingBuffer(left);
}

/// The left part's buffer if the right part's units can be written behind it.
static UnitBuffer* roomBehind(const String* left, const String* right) {
    if (left->isRope() || (right->isWide() && !left->isWide()))
        return nullptr;
    UnitBuffer* buffer = growingBuffer(left);
    return buffer && buffer->capacity - buffer->shape >= unitBytes(right->length, left->isWide()) ? buffer : nullptr;
}

static void writeBehind(UnitBuffer* buffer, const String* left, const String* right) {
    bool wide = left->isWide();
    copyString(buffer->bytes() + buffer->shape, wide, right);
    buffer->shape += unitBytes(right->length, wide);
}

Completion<String*> flattenRope(Vm& vm, String* rope) {
    String *left = rope->rope.left, *right = rope->rope.right;
    if (UnitBuffer* buffer = roomBehind(left, right)) {
        writeBehind(buffer, left, right);
        vm.charge(right->length >> 6);
        rope->data = left->data;
        rope->owner = buffer;
        rope->rope.right = nullptr;
        return rope;
    }
    u64 bytes = unitBytes(rope->length, rope->isWide());
    UnitBuffer* buffer = newUnitBuffer(vm, isBeingAppendedTo(rope) ? bytes * 2 : bytes);
    if (!buffer)
        return vm.terminateMemory();
    flattenInto(vm, rope, buffer);
    return rope;
}

// ---- appending

static constexpr u32 CopiedBytes = 64; ///< a result of up to this many bytes is copied
static constexpr u32 SmallBytes = 1024; ///< copying up to this much again and again is cheap
static constexpr u32 AppendedRope = 1024; ///< a right part that is a rope is copied up to this length

static String* newRope(Vm& vm, String* left, String* right) {
    auto* rope = static_cast<String*>(vm.heap.allocate(sizeof(String), u8(Kind::String), KeyString));
    rope->flags = (left->flags | right->flags) & StringWide;
    rope->length = left->length + right->length;
    rope->hash = 0;
    rope->data = nullptr;
    rope->rope.left = left;
    rope->rope.right = right;
    return rope;
}

static String* appendInPlace(Vm& vm, UnitBuffer* buffer, String* left, String* right) {
    writeBehind(buffer, left, right);
    return newShared(vm, left->data, left->length + right->length, left->isWide(), buffer);
}

/// Known: `left` is a rope, `right` is no longer than it. The second append in a row is taken for the beginning of
/// many: the left part is copied into a buffer with as much room again. Each left part is copied so once only, so that
/// many strings with one long beginning share it. Null: the caller makes a rope.
static String* appendGrowing(Vm& vm, String* left, String* right) {
    String* first = left->rope.left;
    u64 bytes = unitBytes(left->length, left->isWide());
    if ((right->isWide() && !left->isWide()) || (bytes > SmallBytes && (first->isRope() || first->flags & StringGrown)))
        return nullptr;
    UnitBuffer* buffer = newUnitBuffer(vm, bytes * 2);
    if (!buffer) {
        vm.heap.clearOverLimit();
        return nullptr;
    }
    first->flags |= StringGrown;
    flattenInto(vm, left, buffer);
    return appendInPlace(vm, buffer, left, right);
}

/// Up to CopiedBytes, without a call of memcpy.
static ALWAYS_INLINE void copyShort(u8* to, const u8* from, u32 count) {
    if (count >= 8) {
        // The last step may write some bytes a second time.
        for (u32 i = 0; i + 8 < count; i += 8)
            __builtin_memcpy(to + i, from + i, 8);
        __builtin_memcpy(to + count - 8, from + count - 8, 8);
        return;
    }
    for (u32 i = 0; i < count; i++)
        to[i] = from[i];
}

/// Known: neither is empty, the sum of the lengths is allowed.
static String* join(Vm& vm, String* left, String* right) {
    u32 length = left->length + right->length;
    bool wide = (left->flags | right->flags) & StringWide;
    if (unitBytes(length, wide) <= CopiedBytes) {
        String* copy = newFlat(vm, length, wide);
        if (LIKELY(!wide)) {
            u8* units = static_cast<u8*>(writableUnits(copy));
            copyShort(units, left->latin1(), left->length);
            copyShort(units + left->length, right->latin1(), right->length);
            return copy;
        }
        copyUnits(writableUnits(copy), wide, left, 0, left->length);
        copyUnits(writableUnits(copy) + unitBytes(left->length, wide), wide, right, 0, right->length);
        return copy;
    }
    if (right->length > left->length || (right->isRope() && right->length > AppendedRope))
        return newRope(vm, left, right);
    if (!left->isRope()) {
        UnitBuffer* buffer = roomBehind(left, right);
        return buffer ? appendInPlace(vm, buffer, left, right) : newRope(vm, left, right);
    }
    if (String* grown = appendGrowing(vm, left, right))
        return grown;
    // The beginning stays shared and the text grows in the right part. Each such step at least halves the length, so it
    // goes no deeper than 30.
    String *first = left->rope.left, *last = left->rope.right;
    if (last->length + right->length <= first->length)
        return newRope(vm, first, join(vm, last, right));
    return newRope(vm, left, right);
}

Completion<String*> concatenate(Vm& vm, String* left, String* right) {
    if (!left->length)
        return right;
    if (!right->length)
        return left;
    if (left->length + right->length > String::MaxLength)
        return throwError(vm, Error::StringLength);
    return join(vm, left, right);
}

}
