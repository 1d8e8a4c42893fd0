// ArrayBuffer and SharedArrayBuffer (ECMA-262 25.1, 25.2): memory that typed arrays and DataViews look at.
//
// The bytes stand in a Bytes cell of their own (`store`), so they count against the memory limit and the collector
// frees them. Invariants: `data` is the store's first byte, or null; bytes from byteLength up to `capacity` are zero,
// so a buffer that grows within its store shows zeros; a detached buffer has byteLength 0 and no store. Resizing may
// move the bytes: nobody keeps `data` over anything that may run script.
#pragma once
#include "runtime/core/object.h"

namespace scr {

enum BufferFlag : u8 { BufferDetached = 1, BufferResizable = 2 };

struct ArrayBuffer : Object {
    u8* data;
    Ptr<Cell> store;
    u64 byteLength;
    u64 maxByteLength; ///< byteLength unless resizable
    u64 capacity; ///< bytes of the store
    u8 bufferFlags;

    bool isDetached() const { return bufferFlags & BufferDetached; }
    bool isResizable() const { return bufferFlags & BufferResizable; } ///< of a shared one: growable
    bool isShared() const { return kindOf(this) == Kind::SharedArrayBuffer; }
};

constexpr double MaxBufferBytes = 8589934592.0;

inline bool isBuffer(Value value) {
    return value.isObject()
        && (kindOf(value.asCell()) == Kind::ArrayBuffer || kindOf(value.asCell()) == Kind::SharedArrayBuffer);
}

/// All zeros. RangeError "Array buffer allocation failed" when there is no room. `maxByteLength` < 0: not resizable.
Completion<ArrayBuffer*> newArrayBuffer(
    Vm& vm, Kind kind, Object* prototype, double byteLength, double maxByteLength = -1);
/// An ordinary one of the current realm.
Completion<ArrayBuffer*> newArrayBuffer(Vm& vm, double byteLength);
/// A new length up to maxByteLength of a resizable buffer. RangeError when there is no room.
Completion<void> resizeBuffer(Vm& vm, ArrayBuffer* buffer, u64 byteLength);
/// 25.1.3.5 DetachArrayBuffer: of one that is not shared.
void detachBuffer(ArrayBuffer* buffer);
/// Gives `to` (which has no bytes) the bytes of `from`, which is detached.
void moveBuffer(ArrayBuffer* from, ArrayBuffer* to);

}
