// %TypedArray%, its eleven classes (ECMA-262 23.2.1 to 23.2.2, 23.2.5 to 23.2.7), and the steps that the files of their
// methods share.
#include "runtime/builtins/binary_support.h"
#include "runtime/builtins/iteration.h"

namespace scr {

static constexpr double MaxTypedArrayLength = 4294967296.0; // as V8

Threw throwDetached(Vm& vm, std::string_view method) { return throwError(vm, Error::BufferDetached, method); }

static Threw throwLength(Vm& vm, double length) {
    return throwError(vm, Error::TypedArrayLength, Value::number(length));
}

// ---- validating and making (23.2.4)

/// In V8 some of the methods name themselves and the receiver.
COLD static Threw throwNotTypedArray(Vm& vm, Value self, std::string_view method) {
    std::string name = "%TypedArray%.prototype." + std::string(method);
    for (std::string_view named : {"join", "at", "sort", "toLocaleString", "slice"})
        if (method == named)
            return throwError(vm, Error::Incompatible, std::string_view(name), self);
    return throwError(vm, Error::NotTypedArray);
}

Completion<TypedMethod> thisTypedArray(Vm& vm, Args args, std::string_view method) {
    if (UNLIKELY(!isTypedArray(args.self())))
        return throwNotTypedArray(vm, args.self(), method);
    TypedArray* array = asTypedArray(args.self().asObject());
    if (UNLIKELY(array->isOutOfBounds()))
        return throwDetached(vm, "%TypedArray%.prototype." + std::string(method));
    return TypedMethod{array, array->currentLength()};
}

Completion<TypedArray*> validateTypedArray(Vm& vm, Value value, std::string_view method) {
    if (!isTypedArray(value))
        return throwError(vm, Error::Incompatible, method, value);
    TypedArray* array = asTypedArray(value.asObject());
    if (array->isOutOfBounds())
        return throwDetached(vm, method);
    return array;
}

/// 23.2.5.1.1 AllocateTypedArray with a length.
static Completion<TypedArray*> allocate(Vm& vm, ElementType type, Object* prototype, double length) {
    if (length > MaxTypedArrayLength)
        return throwLength(vm, length);
    ArrayBuffer* buffer = TRY(newArrayBuffer(vm, length * elementInfos[size_t(type)].bytes));
    return static_cast<TypedArray*>(
        newBufferView(vm, Kind::TypedArray, type, prototype, buffer, 0, u64(length), false));
}

Completion<TypedArray*> typedArrayOfType(Vm& vm, ElementType type, u64 length) {
    Object* prototype = vm.realm->intrinsic(vm, elementInfos[size_t(type)].prototype);
    return allocate(vm, type, prototype, double(length));
}

Completion<TypedArray*> typedArrayFrom(Vm& vm, Object* constructor, double length, std::string_view method) {
    Value size = Value::number(length);
    TypedArray* made = TRY(validateTypedArray(vm, TRY(construct(vm, constructor, &size, 1, constructor)), method));
    if (double(made->currentLength()) < length)
        return throwError(vm, Error::TypedArrayTooShort);
    return made;
}

Completion<TypedArray*> typedArraySpecies(Vm& vm, TypedArray* exemplar, u64 length, std::string_view method) {
    Object* species = TRY(speciesConstructor(vm, exemplar, exemplar->info().constructor));
    if (!species)
        return typedArrayOfType(vm, exemplar->type, length);
    return typedArrayFrom(vm, species, double(length), "%TypedArray%.prototype." + std::string(method));
}

Completion<TypedArray*> typedArraySpeciesOver(
    Vm& vm, TypedArray* exemplar, double byteOffset, Value length, std::string_view method) {
    Value args[] = {Value::object(exemplar->buffer), Value::number(byteOffset), length};
    Object* species = TRY(speciesConstructor(vm, exemplar, exemplar->info().constructor));
    if (!species)
        species = vm.realm->intrinsic(vm, exemplar->info().constructor);
    Value made = TRY(construct(vm, species, args, length.isUndefined() ? 2 : 3, species));
    return validateTypedArray(vm, made, "%TypedArray%.prototype." + std::string(method));
}

// ---- the constructors (23.2.5.1)

/// Converts and stores the values of a list that nobody else sees.
static Completion<void> fillFrom(Vm& vm, TypedArray* array, Array* list) {
    for (u32 i = 0; i < list->length(); i++) {
        TRY(countStep(vm));
        Value number = TRY(convertElement(vm, array->type, list->elements_.dense()[i]));
        putElementOf(array, i, number);
    }
    return {};
}

/// What iterating yields, by a method that has been read already.
static Completion<Array*> valuesOf(Vm& vm, Value iterable, Value method) {
    if (iteratesAsArray(vm, iterable))
        return listFromIterable(vm, iterable);
    Array* list = newArray(vm);
    IteratorRecord record = TRY(iteratorFromMethod(vm, iterable, method));
    TRY(requireNext(vm, record));
    Value value;
    while (TRY(iteratorStep(vm, record, value))) {
        TRY(countStep(vm));
        TRY(pushDense(vm, list->elements_, value));
    }
    return list;
}

/// Symbol.iterator of something that may be array-like instead: undefined, or a function.
static Result iteratorMethodOf(Vm& vm, Value items, std::string_view who) {
    Value method = TRY(getOf(vm, items, SYMBOL(vm, iterator)));
    if (method.isNullish())
        return Value::undefined();
    if (!isCallable(method))
        return throwError(vm, Error::TypedArrayIterable, who);
    return method;
}

/// 23.2.5.1.2 InitializeTypedArrayFromTypedArray
static Completion<TypedArray*> copyOf(Vm& vm, ElementType type, Object* prototype, TypedArray* source) {
    if (source->isOutOfBounds())
        return throwDetached(vm, "Construct");
    u64 length = source->currentLength();
    TypedArray* copy = TRY(allocate(vm, type, prototype, double(length)));
    TRY(countBytes(vm, length << copy->shift));
    if (source->type == type) {
        if (length)
            memcpy(copy->bytes(), source->bytes(), length << copy->shift);
        return copy;
    }
    for (u64 i = 0; i < length; i++)
        putElementOf(copy, i, elementOf(source, i));
    return copy;
}

/// 23.2.5.1.3 InitializeTypedArrayFromArrayBuffer
static Completion<TypedArray*> viewOf(
    Vm& vm, ElementType type, Object* prototype, ArrayBuffer* buffer, Value byteOffset, Value length) {
    const ElementInfo& info = elementInfos[size_t(type)];
    std::string size = std::to_string(info.bytes);
    double offset = TRY(toIndex(vm, byteOffset));
    if (offset < 0)
        return throwError(vm, Error::ViewOffset, byteOffset);
    if (u64(offset) & (info.bytes - 1))
        return throwError(vm, Error::TypedArrayAlignment, "start offset", info.name, std::string_view(size));
    double count = 0;
    if (!length.isUndefined() && (count = TRY(toIndex(vm, length))) < 0)
        return throwError(vm, Error::TypedArrayLength, length);
    if (buffer->isDetached())
        return throwDetached(vm, "Construct");
    double available = double(buffer->byteLength);
    bool tracks = length.isUndefined() && buffer->isResizable();
    if (length.isUndefined()) {
        if (!tracks && (buffer->byteLength & (info.bytes - 1)))
            return throwError(vm, Error::TypedArrayAlignment, "byte length", info.name, std::string_view(size));
        if (offset > available)
            return throwError(vm, Error::ViewOffset, byteOffset);
        count = (available - offset) / info.bytes;
    } else if (offset + count * info.bytes > available) {
        return throwError(vm, Error::TypedArrayLength, length);
    }
    if (!tracks && count > MaxTypedArrayLength)
        return throwLength(vm, count);
    return static_cast<TypedArray*>(
        newBufferView(vm, Kind::TypedArray, type, prototype, buffer, u64(offset), u64(count), tracks));
}

static Completion<TypedArray*> fromObject(Vm& vm, Args args, ElementType type, Object* prototype) {
    Object* first = args[0].asObject();
    if (isTypedArray(first))
        return copyOf(vm, type, prototype, asTypedArray(first));
    if (isBuffer(args[0]))
        return viewOf(vm, type, prototype, static_cast<ArrayBuffer*>(first), args[1], args[2]);
    Value method = TRY(iteratorMethodOf(vm, args[0], "TypedArray's constructor"));
    if (!method.isUndefined()) {
        Array* list = TRY(valuesOf(vm, args[0], method));
        TypedArray* array = TRY(allocate(vm, type, prototype, list->length()));
        TRY(fillFrom(vm, array, list));
        return array;
    }
    double length = TRY(lengthOf(vm, first));
    TypedArray* array = TRY(allocate(vm, type, prototype, length));
    for (u64 i = 0; i < u64(length); i++) {
        TRY(countStep(vm));
        Value value = TRY(get(vm, first, keyFromInteger(vm, double(i))));
        putElementOf(array, i, TRY(convertElement(vm, type, value)));
    }
    return array;
}

static Result constructTypedArray(Vm& vm, Args args, ElementType type) {
    const ElementInfo& info = elementInfos[size_t(type)];
    Value newTarget = vm.takeNewTarget();
    if (newTarget.isUndefined())
        return throwError(vm, Error::ConstructorNeedsNew, info.name);
    if (args[0].isObject()) {
        Object* prototype = TRY(prototypeFor(vm, args, newTarget, info.prototype));
        return Value::object(TRY(fromObject(vm, args, type, prototype)));
    }
    double length = TRY(toIndex(vm, args[0]));
    if (length < 0)
        return throwError(vm, Error::TypedArrayLength, args[0]);
    Object* prototype = TRY(prototypeFor(vm, args, newTarget, info.prototype));
    return Value::object(TRY(allocate(vm, type, prototype, length)));
}

#define ELEMENT(Name, type)                                                                                            \
    Result typedArray_construct##Name(Vm& vm, Args args) { return constructTypedArray(vm, args, ElementType::Name); }
#include "runtime/core/element_types.def"
#undef ELEMENT

// ---- %TypedArray% (23.2.1, 23.2.2)

// 23.2.1.1 %TypedArray% ( )
Result typedArray_constructor(Vm& vm, Args) { return throwError(vm, Error::TypedArrayAbstract); }

// 23.2.2.1 %TypedArray%.from ( source [ , mapper [ , thisArg ] ] )
Result typedArray_from(Vm& vm, Args args) {
    if (!isConstructor(args.self()))
        return throwError(vm, Error::NotConstructor, args.self());
    bool maps = !args[1].isUndefined();
    if (maps && !isCallable(args[1]))
        return throwError(vm, Error::NotCallable, args[1]);
    if (args[0].isNullish())
        return throwOperand(vm, Error::NotIterableRead, args[0]);
    Value method = TRY(iteratorMethodOf(vm, args[0], "%TypedArray%.from"));
    Array* list = method.isUndefined() ? nullptr : TRY(valuesOf(vm, args[0], method));
    Object* source = list ? list : TRY(toObject(vm, args[0]));
    double length = TRY(lengthOf(vm, source));
    TypedArray* target = TRY(typedArrayFrom(vm, args.self().asObject(), length, "%TypedArray%.from"));
    RepeatedCall mapper(vm, args[1], args[2]);
    for (u64 i = 0; i < u64(length); i++) {
        TRY(countStep(vm));
        Value value = list ? list->elements_.dense()[i] : TRY(get(vm, source, keyFromInteger(vm, double(i))));
        if (maps) {
            Value mapperArgs[] = {value, Value::number(i)};
            value = TRY(mapper(mapperArgs, 2));
        }
        putElementOf(target, i, TRY(convertElement(vm, target->type, value)));
    }
    return Value::object(target);
}

// 23.2.2.2 %TypedArray%.of ( ...items )
Result typedArray_of(Vm& vm, Args args) {
    if (!isConstructor(args.self()))
        return throwError(vm, Error::NotConstructor, args.self());
    TypedArray* target = TRY(typedArrayFrom(vm, args.self().asObject(), args.count, "%TypedArray%.of"));
    for (u32 i = 0; i < args.count; i++)
        putElementOf(target, i, TRY(convertElement(vm, target->type, args[i])));
    return Value::object(target);
}

// ---- what an array is (23.2.3.2 to 23.2.3.4, 23.2.3.21, 23.2.3.38)

static Completion<TypedArray*> thisArray(Vm& vm, Args args, std::string_view getter) {
    return thisAs<TypedArray>(vm, args.self(), Kind::TypedArray, getter);
}

Result typedArray_buffer(Vm& vm, Args args) {
    return Value::object(TRY(thisArray(vm, args, "get %TypedArray%.prototype.buffer"))->buffer);
}

Result typedArray_byteLength(Vm& vm, Args args) {
    TypedArray* array = TRY(thisArray(vm, args, "get TypedArray.prototype.byteLength"));
    return Value::number(array->currentLength() << array->shift);
}

Result typedArray_byteOffset(Vm& vm, Args args) {
    TypedArray* array = TRY(thisArray(vm, args, "get TypedArray.prototype.byteOffset"));
    return Value::number(array->isOutOfBounds() ? 0 : array->byteOffset);
}

Result typedArray_length(Vm& vm, Args args) {
    return Value::number(TRY(thisArray(vm, args, "get TypedArray.prototype.length"))->currentLength());
}

Result typedArray_toStringTag(Vm& vm, Args args) {
    if (!isTypedArray(args.self()))
        return Value::undefined();
    return asciiValue(vm, asTypedArray(args.self().asObject())->info().name);
}

}
