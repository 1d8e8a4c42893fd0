// The memory of ArrayBuffers.
#include "runtime/core/array_buffer.h"
#include "runtime/core/error.h"
#include "runtime/core/vm.h"
#include <algorithm>
#include <cstring>

namespace scr {

/// A store of `capacity` zero bytes; null when there is no room.
static Cell* newStore(Vm& vm, u64 capacity) {
    return vm.heap.tryAllocateZeroed(sizeof(Cell) + capacity, u8(Kind::Bytes), 0);
}

static void useStore(ArrayBuffer* buffer, Cell* store, u64 capacity) {
    buffer->store = store;
    buffer->data = store ? reinterpret_cast<u8*>(store + 1) : nullptr;
    buffer->capacity = capacity;
}

Completion<ArrayBuffer*> newArrayBuffer(Vm& vm, Kind kind, Object* prototype, double byteLength, double maxByteLength) {
    if (byteLength > MaxBufferBytes)
        return throwError(vm, Error::BufferAllocation);
    Cell* store = nullptr;
    if (byteLength > 0 && !(store = newStore(vm, u64(byteLength))))
        return throwError(vm, Error::BufferAllocation);
    vm.charge(u32(byteLength / 256));
    auto* buffer =
        static_cast<ArrayBuffer*>(allocateObject(vm, kind, sizeof(ArrayBuffer), rootShape(vm, prototype, 0)));
    useStore(buffer, store, u64(byteLength));
    buffer->byteLength = u64(byteLength);
    buffer->maxByteLength = maxByteLength < 0 ? u64(byteLength) : u64(maxByteLength);
    buffer->bufferFlags = maxByteLength < 0 ? 0 : BufferResizable;
    return buffer;
}

Completion<ArrayBuffer*> newArrayBuffer(Vm& vm, double byteLength) {
    return newArrayBuffer(vm, Kind::ArrayBuffer, vm.realm->intrinsic(vm, Intrinsic::ArrayBufferPrototype), byteLength);
}

Completion<void> resizeBuffer(Vm& vm, ArrayBuffer* buffer, u64 byteLength) {
    u64 old = buffer->byteLength;
    vm.charge(u32(std::min<u64>(std::max(old, byteLength) / 256, 1000000)));
    bool wasteful = byteLength < buffer->capacity / 4 && buffer->capacity > 65536;
    if (byteLength > buffer->capacity || wasteful) {
        // Growing step by step costs no more than the bytes it ends with.
        u64 capacity = byteLength > old ? std::min(buffer->maxByteLength, std::max(byteLength, old * 2)) : byteLength;
        Cell* store = capacity ? newStore(vm, capacity) : nullptr;
        if (capacity && !store && !(store = newStore(vm, capacity = byteLength)))
            return throwError(vm, Error::BufferAllocation);
        const u8* bytes = buffer->data;
        useStore(buffer, store, capacity);
        if (u64 kept = std::min(old, byteLength))
            memcpy(buffer->data, bytes, kept);
    } else if (byteLength < old) {
        memset(buffer->data + byteLength, 0, old - byteLength);
    }
    buffer->byteLength = byteLength;
    return {};
}

void detachBuffer(ArrayBuffer* buffer) {
    useStore(buffer, nullptr, 0);
    buffer->byteLength = buffer->maxByteLength = 0;
    buffer->bufferFlags |= BufferDetached;
}

void moveBuffer(ArrayBuffer* from, ArrayBuffer* to) {
    to->store = from->store;
    to->data = from->data;
    to->capacity = from->capacity;
    to->byteLength = from->byteLength;
    detachBuffer(from);
}

}
