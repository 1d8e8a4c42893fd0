// DataView (ECMA-262 25.3).
#include "runtime/builtins/binary_support.h"

namespace scr {

namespace {

Completion<DataView*> thisView(Vm& vm, Args args, std::string_view method) {
    return thisAs<DataView>(vm, args.self(), Kind::DataView, method);
}

/// The receiver of a getter or setter of elements. V8's message does not show it.
Completion<DataView*> thisAccessed(Vm& vm, Args args, std::string_view method) {
    if (LIKELY(args.self().isObject() && kindOf(args.self().asCell()) == Kind::DataView))
        return static_cast<DataView*>(args.self().asObject());
    return throwError(vm, Error::Incompatible, method, Value::undefined());
}

/// For byteLength and byteOffset: a view that is not out of bounds.
Completion<DataView*> thisLiveView(Vm& vm, Args args, std::string_view method) {
    DataView* view = TRY(thisView(vm, args, "get " + std::string(method)));
    if (view->isOutOfBounds())
        return throwDetached(vm, method);
    return view;
}

/// The place of an access that fits; `index` was converted before whatever else ran.
Completion<u8*> placeOf(Vm& vm, DataView* view, double index, u32 bytes, std::string_view method) {
    if (view->isOutOfBounds())
        return throwDetached(vm, method);
    if (index + bytes > double(view->currentLength()))
        return throwError(vm, Error::DataViewOffset);
    return view->bytes() + u64(index);
}

void reverse(u8* bytes, u32 count) {
    for (u32 i = 0; i < count / 2; i++)
        std::swap(bytes[i], bytes[count - 1 - i]);
}

// 25.3.1.5 GetViewValue ( view, requestIndex, isLittleEndian, type )
Result getValue(Vm& vm, Args args, ElementType type, std::string_view method) {
    DataView* view = TRY(thisAccessed(vm, args, method));
    double index = TRY(toIndex(vm, args[0]));
    if (index < 0)
        return throwError(vm, Error::DataViewOffset);
    u32 bytes = elementInfos[size_t(type)].bytes;
    const u8* from = TRY(placeOf(vm, view, index, bytes, method));
    alignas(8) u8 raw[8];
    memcpy(raw, from, bytes);
    if (!toBoolean(args[1]))
        reverse(raw, bytes);
    return loadElement(type, raw);
}

// 25.3.1.6 SetViewValue ( view, requestIndex, isLittleEndian, type, value )
Result setValue(Vm& vm, Args args, ElementType type, std::string_view method) {
    DataView* view = TRY(thisAccessed(vm, args, method));
    double index = TRY(toIndex(vm, args[0]));
    if (index < 0)
        return throwError(vm, Error::DataViewOffset);
    Value number = TRY(convertElement(vm, type, args[1]));
    u32 bytes = elementInfos[size_t(type)].bytes;
    alignas(8) u8 raw[8];
    storeElement(type, raw, number);
    if (!toBoolean(args[2]))
        reverse(raw, bytes);
    memcpy(TRY(placeOf(vm, view, index, bytes, method)), raw, bytes);
    return Value::undefined();
}

}

// 25.3.2.1 DataView ( buffer [ , byteOffset [ , byteLength ] ] )
Result dataView_constructor(Vm& vm, Args args) {
    Value newTarget = vm.takeNewTarget();
    if (newTarget.isUndefined())
        return throwError(vm, Error::ConstructorNeedsNew, "DataView");
    if (!isBuffer(args[0]))
        return throwError(vm, Error::DataViewBuffer);
    auto* buffer = static_cast<ArrayBuffer*>(args[0].asObject());
    double offset = TRY(toIndex(vm, args[1]));
    if (offset < 0)
        return throwError(vm, Error::ViewOffset, args[1]);
    if (buffer->isDetached())
        return throwDetached(vm, "DataView constructor");
    if (offset > double(buffer->byteLength))
        return throwError(vm, Error::ViewOffset, Value::number(offset));
    bool tracks = args[2].isUndefined() && buffer->isResizable();
    double length = double(buffer->byteLength) - offset;
    if (!args[2].isUndefined()) {
        length = TRY(toIndex(vm, args[2]));
        if (length < 0 || offset + length > double(buffer->byteLength))
            return throwError(vm, Error::DataViewLength, args[2]);
    }
    Object* prototype = TRY(prototypeFor(vm, args, newTarget, Intrinsic::DataViewPrototype));
    // Reading the prototype may have run script.
    if (buffer->isDetached())
        return throwDetached(vm, "DataView constructor");
    if (offset > double(buffer->byteLength))
        return throwError(vm, Error::ViewOffset, Value::number(offset));
    if (!args[2].isUndefined() && offset + length > double(buffer->byteLength))
        return throwError(vm, Error::DataViewLength, Value::number(length));
    return Value::object(
        newBufferView(vm, Kind::DataView, ElementType::Uint8, prototype, buffer, u64(offset), u64(length), tracks));
}

// 25.3.4.1 get DataView.prototype.buffer
Result dataView_buffer(Vm& vm, Args args) {
    return Value::object(TRY(thisView(vm, args, "get DataView.prototype.buffer"))->buffer);
}

// 25.3.4.2 get DataView.prototype.byteLength
Result dataView_byteLength(Vm& vm, Args args) {
    return Value::number(TRY(thisLiveView(vm, args, "DataView.prototype.byteLength"))->currentLength());
}

// 25.3.4.3 get DataView.prototype.byteOffset
Result dataView_byteOffset(Vm& vm, Args args) {
    return Value::number(TRY(thisLiveView(vm, args, "DataView.prototype.byteOffset"))->byteOffset);
}

#define VIEW_METHODS(Name)                                                                                             \
    Result dataView_get##Name(Vm& vm, Args args) {                                                                     \
        return getValue(vm, args, ElementType::Name, "DataView.prototype.get" #Name);                                  \
    }                                                                                                                  \
    Result dataView_set##Name(Vm& vm, Args args) {                                                                     \
        return setValue(vm, args, ElementType::Name, "DataView.prototype.set" #Name);                                  \
    }
VIEW_METHODS(Int8)
VIEW_METHODS(Uint8)
VIEW_METHODS(Int16)
VIEW_METHODS(Uint16)
VIEW_METHODS(Int32)
VIEW_METHODS(Uint32)
VIEW_METHODS(Float16)
VIEW_METHODS(Float32)
VIEW_METHODS(Float64)
#undef VIEW_METHODS

}
