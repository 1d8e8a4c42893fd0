// Arrays as text (ECMA-262 23.1.3.18, 23.1.3.32, 23.1.3.36). An array that contains itself shows as nothing where it
// comes again: Vm::joining links the joins in progress, innermost first.
#include "runtime/builtins/array_support.h"

namespace scr {

struct JoinFrame {
    Vm& vm;
    Object* object;
    JoinFrame* outer;

    JoinFrame(Vm& vm, Object* object)
        : vm(vm)
        , object(object)
        , outer(vm.joining) {
        vm.joining = this;
    }
    ~JoinFrame() { vm.joining = outer; }
};

namespace {

bool isJoining(Vm& vm, Object* object) {
    for (JoinFrame* frame = vm.joining; frame; frame = frame->outer)
        if (frame->object == object)
            return true;
    return false;
}

/// From `index` on nothing is left but holes that no prototype fills.
bool onlyHolesFrom(Vm& vm, Object* object, double index) {
    if (!isPlainArray(object) || vm.indexedPrototypes)
        return false;
    Elements& elements = asArray(object)->elements_;
    return index >= elements.denseLength && !elements.isSparse();
}

/// The separators of `count` more elements that are all holes.
Completion<void> appendSeparators(Vm& vm, StringBuilder& text, String* separator, double count) {
    if (text.length() + count * separator->length > String::MaxLength)
        return throwError(vm, Error::StringLength);
    for (double i = 0; separator->length && i < count; i++) {
        TRY(vm.work(1));
        text.append(separator);
    }
    return {};
}

/// Calls `append(text, element)` for each element that is neither undefined nor null, with separators in between.
template <class Append> Result joinWith(Vm& vm, Object* object, double length, String* separator, Append append) {
    if (vm.cStackLow())
        return vm.throwStackOverflow();
    JoinFrame frame(vm, object);
    StringBuilder text(vm);
    for (double index = 0; index < length; index++) {
        TRY(vm.work(1));
        if (onlyHolesFrom(vm, object, index)) {
            TRY(appendSeparators(vm, text, separator, index ? length - index : length - 1));
            break;
        }
        if (index > 0)
            text.append(separator);
        Value element = TRY(getAt(vm, object, index));
        if (!element.isNullish())
            TRY(append(text, element));
        if (text.length() > String::MaxLength)
            break;
    }
    return Value::string(TRY(text.finish()));
}

}

// 23.1.3.18 Array.prototype.join ( separator )
Result array_join(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    if (length > MaxArrayLength)
        return throwError(vm, Error::ArrayLengthType);
    String* separator = args[0].isUndefined() ? unitString(vm, ',') : TRY(flatten(vm, TRY(toString(vm, args[0]))));
    if (length == 0 || isJoining(vm, object))
        return Value::string(emptyString(vm));
    return joinWith(vm, object, length, separator, [&](StringBuilder& text, Value element) -> Completion<void> {
        text.append(TRY(toString(vm, element)));
        return {};
    });
}

// 23.1.3.32 Array.prototype.toLocaleString ( [ locales [ , options ] ] ), with the arguments handed on
// (ECMA-402 20.5.1)
Result array_toLocaleString(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    if (length > MaxArrayLength)
        return throwError(vm, Error::ArrayLengthType);
    if (length == 0 || isJoining(vm, object))
        return Value::string(emptyString(vm));
    PropertyKey key = keyOf(internAscii(vm, "toLocaleString"));
    Value handedOn[] = {args[0], args[1]};
    return joinWith(
        vm, object, length, unitString(vm, ','), [&](StringBuilder& text, Value element) -> Completion<void> {
            Value method = TRY(getOf(vm, element, key));
            TRY(requireCallable(vm, method));
            text.append(TRY(toString(vm, TRY(call(vm, method, element, handedOn, std::min(args.count, 2u))))));
            return {};
        });
}

Result object_prototype_toString(Vm& vm, Args args);

// 23.1.3.36 Array.prototype.toString ( )
Result array_toString(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    Value join = TRY(get(vm, object, KEY(vm, join)));
    if (isCallable(join))
        return call(vm, join, Value::object(object));
    return object_prototype_toString(vm, args);
}

}
