// ArrayBuffer and SharedArrayBuffer (ECMA-262 25.1, 25.2).
#include "runtime/builtins/binary_support.h"

namespace scr {

namespace {

/// The receiver of a method that only one of the two classes has.
Completion<ArrayBuffer*> thisBuffer(Vm& vm, Args args, Kind kind, std::string_view method) {
    return thisAs<ArrayBuffer>(vm, args.self(), kind, method);
}

/// 25.1.4.1, 25.2.3.1: `maxByteLength` of the options, or -1.
Completion<double> maxLengthOption(Vm& vm, Value options) {
    if (!options.isObject())
        return -1.0;
    Value value = TRY(get(vm, options.asObject(), keyOf(internAscii(vm, "maxByteLength"))));
    if (value.isUndefined())
        return -1.0;
    double length = TRY(toIndex(vm, value));
    if (length < 0)
        return throwError(vm, Error::BufferMaxLength);
    return length;
}

Result constructBuffer(Vm& vm, Args args, Kind kind, Intrinsic fallback, std::string_view name) {
    Value newTarget = vm.takeNewTarget();
    if (newTarget.isUndefined())
        return throwError(vm, Error::ConstructorNeedsNew, name);
    double length = TRY(toIndex(vm, args[0]));
    if (length < 0)
        return throwError(vm, Error::BufferLength);
    double most = TRY(maxLengthOption(vm, args[1]));
    if (most >= 0 && length > most)
        return throwError(vm, Error::BufferMaxLength);
    Object* prototype = TRY(prototypeFor(vm, args, newTarget, fallback));
    if (most > MaxBufferBytes)
        return throwError(vm, Error::BufferMaxLength);
    return Value::object(TRY(newArrayBuffer(vm, kind, prototype, length, most)));
}

/// 25.1.6.7, 25.2.5.6: slice of either class.
Result sliceBuffer(Vm& vm, Args args, Kind kind, Intrinsic constructor, std::string_view method) {
    ArrayBuffer* buffer = TRY(thisBuffer(vm, args, kind, method));
    if (buffer->isDetached())
        return throwDetached(vm, method);
    u64 length = buffer->byteLength;
    u64 first = TRY(relativeTo(vm, args[0], length, 0));
    u64 final = TRY(relativeTo(vm, args[1], length, length));
    u64 count = final > first ? final - first : 0;
    Object* species = TRY(speciesConstructor(vm, buffer, constructor));
    Value size = Value::number(count);
    Object* target = species ? species : vm.realm->intrinsic(vm, constructor);
    Value made = TRY(construct(vm, target, &size, 1, target));
    if (!made.isObject() || kindOf(made.asCell()) != kind)
        return throwError(vm, Error::Incompatible, method, made);
    auto* copy = static_cast<ArrayBuffer*>(made.asObject());
    if (copy->isDetached())
        return throwDetached(vm, method);
    if (copy == buffer)
        return throwError(vm, Error::BufferSpeciesSame);
    if (copy->byteLength < count)
        return throwError(vm, Error::BufferSpeciesShort);
    if (buffer->isDetached())
        return throwDetached(vm, method);
    // Everything above may have resized either.
    if (count && first < buffer->byteLength)
        memcpy(copy->data, buffer->data + first, std::min(count, buffer->byteLength - first));
    TRY(countBytes(vm, count));
    return made;
}

/// 25.1.3.4 ArrayBufferCopyAndDetach.
Result transferBuffer(Vm& vm, Args args, bool keepsResizable, std::string_view method) {
    ArrayBuffer* buffer = TRY(thisBuffer(vm, args, Kind::ArrayBuffer, method));
    double length = double(buffer->byteLength);
    if (!args[0].isUndefined() && (length = TRY(toIndex(vm, args[0]))) < 0)
        return throwError(vm, Error::BufferLength);
    if (buffer->isDetached())
        return throwDetached(vm, method);
    double most = keepsResizable && buffer->isResizable() ? double(buffer->maxByteLength) : -1;
    if (most >= 0 && length > most)
        return throwError(vm, Error::BufferMaxLength);
    Object* prototype = vm.realm->intrinsic(vm, Intrinsic::ArrayBufferPrototype);
    bool moves = length == double(buffer->byteLength);
    ArrayBuffer* result = TRY(newArrayBuffer(vm, Kind::ArrayBuffer, prototype, moves ? 0 : length, most));
    if (moves) {
        moveBuffer(buffer, result);
        if (most < 0)
            result->maxByteLength = result->byteLength;
        return Value::object(result);
    }
    if (u64 kept = std::min(buffer->byteLength, result->byteLength))
        memcpy(result->data, buffer->data, kept);
    detachBuffer(buffer);
    return Value::object(result);
}

}

// 25.1.4.1 ArrayBuffer ( length [ , options ] )
Result arrayBuffer_constructor(Vm& vm, Args args) {
    return constructBuffer(vm, args, Kind::ArrayBuffer, Intrinsic::ArrayBufferPrototype, "ArrayBuffer");
}

// 25.1.5.1 ArrayBuffer.isView ( arg )
Result arrayBuffer_isView(Vm&, Args args) {
    if (!args[0].isObject())
        return Value::boolean(false);
    Kind kind = kindOf(args[0].asCell());
    return Value::boolean(kind == Kind::TypedArray || kind == Kind::DataView);
}

// 25.1.6.1 get ArrayBuffer.prototype.byteLength
Result arrayBuffer_byteLength(Vm& vm, Args args) {
    return Value::number(
        TRY(thisBuffer(vm, args, Kind::ArrayBuffer, "get ArrayBuffer.prototype.byteLength"))->byteLength);
}

// 25.1.6.3 get ArrayBuffer.prototype.detached
Result arrayBuffer_detached(Vm& vm, Args args) {
    return Value::boolean(
        TRY(thisBuffer(vm, args, Kind::ArrayBuffer, "get ArrayBuffer.prototype.detached"))->isDetached());
}

// 25.1.6.4 get ArrayBuffer.prototype.maxByteLength
Result arrayBuffer_maxByteLength(Vm& vm, Args args) {
    return Value::number(
        TRY(thisBuffer(vm, args, Kind::ArrayBuffer, "get ArrayBuffer.prototype.maxByteLength"))->maxByteLength);
}

// 25.1.6.5 get ArrayBuffer.prototype.resizable
Result arrayBuffer_resizable(Vm& vm, Args args) {
    return Value::boolean(
        TRY(thisBuffer(vm, args, Kind::ArrayBuffer, "get ArrayBuffer.prototype.resizable"))->isResizable());
}

// 25.1.6.6 ArrayBuffer.prototype.resize ( newLength )
Result arrayBuffer_resize(Vm& vm, Args args) {
    constexpr const char* method = "ArrayBuffer.prototype.resize";
    ArrayBuffer* buffer = TRY(thisBuffer(vm, args, Kind::ArrayBuffer, method));
    if (!buffer->isResizable())
        return throwError(vm, Error::Incompatible, method, args.self());
    double length = TRY(toIndex(vm, args[0]));
    if (length < 0)
        return throwError(vm, Error::BufferResizeLength, method);
    if (buffer->isDetached())
        return throwDetached(vm, method);
    if (length > double(buffer->maxByteLength))
        return throwError(vm, Error::BufferResizeLength, method);
    TRY(resizeBuffer(vm, buffer, u64(length)));
    return Value::undefined();
}

Result arrayBuffer_slice(Vm& vm, Args args) {
    return sliceBuffer(vm, args, Kind::ArrayBuffer, Intrinsic::ArrayBuffer, "ArrayBuffer.prototype.slice");
}

// 25.1.6.8 ArrayBuffer.prototype.transfer ( [ newLength ] )
Result arrayBuffer_transfer(Vm& vm, Args args) {
    return transferBuffer(vm, args, true, "ArrayBuffer.prototype.transfer");
}

// 25.1.6.9 ArrayBuffer.prototype.transferToFixedLength ( [ newLength ] )
Result arrayBuffer_transferToFixedLength(Vm& vm, Args args) {
    return transferBuffer(vm, args, false, "ArrayBuffer.prototype.transferToFixedLength");
}

// ---- SharedArrayBuffer: one agent, so the memory is shared with nobody

// 25.2.3.1 SharedArrayBuffer ( length [ , options ] )
Result sharedArrayBuffer_constructor(Vm& vm, Args args) {
    return constructBuffer(
        vm, args, Kind::SharedArrayBuffer, Intrinsic::SharedArrayBufferPrototype, "SharedArrayBuffer");
}

// 25.2.5.1 get SharedArrayBuffer.prototype.byteLength
Result sharedArrayBuffer_byteLength(Vm& vm, Args args) {
    constexpr const char* method = "get SharedArrayBuffer.prototype.byteLength";
    return Value::number(TRY(thisBuffer(vm, args, Kind::SharedArrayBuffer, method))->byteLength);
}

// 25.2.5.3 SharedArrayBuffer.prototype.grow ( newLength )
Result sharedArrayBuffer_grow(Vm& vm, Args args) {
    constexpr const char* method = "SharedArrayBuffer.prototype.grow";
    ArrayBuffer* buffer = TRY(thisBuffer(vm, args, Kind::SharedArrayBuffer, method));
    if (!buffer->isResizable())
        return throwError(vm, Error::Incompatible, method, args.self());
    double length = TRY(toIndex(vm, args[0]));
    if (length < double(buffer->byteLength) || length > double(buffer->maxByteLength))
        return throwError(vm, Error::BufferResizeLength, method);
    TRY(resizeBuffer(vm, buffer, u64(length)));
    return Value::undefined();
}

// 25.2.5.4 get SharedArrayBuffer.prototype.growable
Result sharedArrayBuffer_growable(Vm& vm, Args args) {
    constexpr const char* method = "get SharedArrayBuffer.prototype.growable";
    return Value::boolean(TRY(thisBuffer(vm, args, Kind::SharedArrayBuffer, method))->isResizable());
}

// 25.2.5.5 get SharedArrayBuffer.prototype.maxByteLength
Result sharedArrayBuffer_maxByteLength(Vm& vm, Args args) {
    constexpr const char* method = "get SharedArrayBuffer.prototype.maxByteLength";
    return Value::number(TRY(thisBuffer(vm, args, Kind::SharedArrayBuffer, method))->maxByteLength);
}

Result sharedArrayBuffer_slice(Vm& vm, Args args) {
    return sliceBuffer(
        vm, args, Kind::SharedArrayBuffer, Intrinsic::SharedArrayBuffer, "SharedArrayBuffer.prototype.slice");
}

}
