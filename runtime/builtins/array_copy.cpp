// The methods of Array.prototype that copy (ECMA-262 23.1.3): concat, slice, and those that change a copy.
#include "runtime/builtins/array_support.h"
#include "runtime/core/proxy.h"
#include "runtime/core/typed_array.h"

namespace scr {

namespace {

/// A source whose elements from `from` to `to` may be copied as they stand: dense so far, and its holes show nothing.
bool isCopyable(Vm& vm, Object* source, double to) {
    if (!isPlainArray(source) || vm.indexedPrototypes)
        return false;
    Elements& elements = asArray(source)->elements_;
    return !elements.isSparse() && to <= elements.length;
}

/// Known: the source is copyable. Appends [from, to) with its holes; the target's length is its dense length.
Completion<void> appendRange(Vm& vm, Array* target, Array* source, u32 from, u32 to) {
    u32 end = std::min(to, source->elements_.denseLength), count = end > from ? end - from : 0;
    Elements& elements = target->elements_;
    TRY(vm.work(count / 8));
    TRY(reserveDense(vm, elements, elements.denseLength + count));
    if (count)
        std::copy_n(source->elements_.dense() + from, count, elements.dense() + elements.denseLength);
    elements.denseLength += count;
    elements.length = elements.denseLength;
    return {};
}

/// 23.1.3.2.1 IsConcatSpreadable.
Completion<bool> isConcatSpreadable(Vm& vm, Value value) {
    if (!value.isObject())
        return false;
    Value spreadable = TRY(get(vm, value.asObject(), SYMBOL(vm, isConcatSpreadable)));
    return spreadable.isUndefined() ? isArray(vm, value) : toBoolean(spreadable);
}

/// The result of concat, growing.
struct Concatenation {
    Object* result;
    bool ordinary; ///< an array of ours: it may be short of trailing holes until the end
    double length = 0;

    bool mayAppend(double count) const {
        if (!ordinary || length + count > MaxArrayLength)
            return false;
        Elements& elements = asArray(result)->elements_;
        return !elements.isSparse() && elements.denseLength == length;
    }
};

/// Longer sources that are not dense are walked by the indices that are there.
constexpr double LongestWalk = 1 << 24;

/// Which indices are there can be told from lists that are not too long: no proxy, no view, no string is on the chain.
bool mayListIndices(Vm& vm, Object* object) {
    for (; object; object = prototypeOf(vm, object)) {
        Elements* elements = object->elements();
        if (isProxy(object) || isTypedArray(object) || kindOf(object) == Kind::PrimitiveWrapper
            || (elements && elements->denseLength > LongestWalk))
            return false;
    }
    return true;
}

/// The integer keys from `from` up to `length` of the object and its prototypes, ascending, each once.
std::vector<double> presentIndices(Vm& vm, Object* object, double from, double length) {
    std::vector<double> indices;
    for (; object; object = prototypeOf(vm, object)) {
        std::vector<PropertyKey> keys;
        ownKeys(vm, object, StringKeys, keys);
        for (PropertyKey key : keys) {
            double index = key.isIndex() ? key.asIndex() : stringToNumber(key.asAtom());
            if (index >= from && index < length && keyAt(vm, index) == key)
                indices.push_back(index);
        }
    }
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    return indices;
}

/// Copies the elements that are there until one of them may have changed which are; where to go on from.
Completion<double> concatListed(Vm& vm, Concatenation& all, Object* source, double from, double length) {
    for (double index : presentIndices(vm, source, from, length)) {
        TRY(vm.work(1));
        bool runsScript = lookup(vm, source, keyAt(vm, index)).type != Lookup::Data || !all.ordinary;
        Value value;
        if (TRY(readAt(vm, source, index, value)))
            TRY(defineAt(vm, all.result, all.length + index, value));
        if (runsScript)
            return index + 1;
    }
    return length;
}

Completion<void> concatElements(Vm& vm, Concatenation& all, Object* source, double length) {
    for (double index = 0; index < length; index++) {
        while (length - index > LongestWalk && mayListIndices(vm, source))
            index = TRY(concatListed(vm, all, source, index, length));
        if (index >= length)
            break;
        TRY(vm.work(1));
        Value value;
        if (TRY(readAt(vm, source, index, value)))
            TRY(defineAt(vm, all.result, all.length + index, value));
    }
    all.length += length;
    return {};
}

Completion<void> concatSpread(Vm& vm, Concatenation& all, Object* source) {
    double length = TRY(lengthAt(vm, source));
    if (all.length + length > MaxSafeLength)
        return throwError(vm, Error::ArrayLengthType);
    if (all.mayAppend(length) && isCopyable(vm, source, length)) {
        TRY(appendRange(vm, asArray(all.result), asArray(source), 0, u32(length)));
        all.length += length;
        return {};
    }
    return concatElements(vm, all, source, length);
}

Completion<void> concatItem(Vm& vm, Concatenation& all, Value item) {
    if (TRY(isConcatSpreadable(vm, item)))
        return concatSpread(vm, all, item.asObject());
    if (all.length >= MaxSafeLength)
        return throwError(vm, Error::ArrayLengthType);
    return defineAt(vm, all.result, all.length++, item);
}

}

// 23.1.3.2 Array.prototype.concat ( ...items )
Result array_concat(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self(), "Array.prototype.concat"));
    Object* result = TRY(speciesOf(vm, object, 0));
    Concatenation all{result ? result : newArray(vm), !result};
    TRY(concatItem(vm, all, Value::object(object)));
    for (u32 i = 0; i < args.count; i++)
        TRY(concatItem(vm, all, args[i]));
    TRY(putLength(vm, all.result, all.length));
    return Value::object(all.result);
}

// 23.1.3.28 Array.prototype.slice ( start, end )
Result array_slice(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    double start = TRY(relativeIndex(vm, args[0], length, 0));
    double end = TRY(relativeIndex(vm, args[1], length, length));
    double count = std::max(end - start, 0.0);
    Object* result = TRY(speciesOf(vm, object, count));
    if (!result) {
        result = TRY(emptyArray(vm, count));
        if (count && isCopyable(vm, object, end)) {
            TRY(appendRange(vm, asArray(result), asArray(object), u32(start), u32(end)));
            asArray(result)->elements_.length = u32(count);
            return Value::object(result);
        }
    }
    for (double index = 0; index < count; index++) {
        TRY(vm.work(1));
        Value value;
        if (TRY(readAt(vm, object, start + index, value)))
            TRY(defineAt(vm, result, index, value));
    }
    TRY(putLength(vm, result, count));
    return Value::object(result);
}

// 23.1.3.33 Array.prototype.toReversed ( )
Result array_toReversed(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    Array* result = TRY(emptyArray(vm, length));
    for (double index = length; index > 0; index--) {
        TRY(vm.work(1));
        TRY(pushDense(vm, result->elements_, TRY(getAt(vm, object, index - 1))));
    }
    return Value::object(result);
}

// 23.1.3.35 Array.prototype.toSpliced ( start, skipCount, ...items )
Result array_toSpliced(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    SpliceRange range = TRY(spliceRange(vm, args, length));
    Array* result = TRY(emptyArray(vm, length + range.inserted - range.removed));
    Elements& elements = result->elements_;
    for (double index = 0; index < range.start; index++) {
        TRY(vm.work(1));
        TRY(pushDense(vm, elements, TRY(getAt(vm, object, index))));
    }
    for (u32 i = 0; i < range.inserted; i++)
        TRY(pushDense(vm, elements, args[i + 2]));
    for (double index = range.start + range.removed; index < length; index++) {
        TRY(vm.work(1));
        TRY(pushDense(vm, elements, TRY(getAt(vm, object, index))));
    }
    return Value::object(result);
}

// 23.1.3.39 Array.prototype.with ( index, value )
Result array_with(Vm& vm, Args args) {
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    double relative = TRY(toIntegerOrInfinity(vm, args[0]));
    double actual = relative < 0 ? length + relative : relative;
    if (actual < 0 || actual >= length)
        return throwError(vm, Error::WithIndex, args[0]);
    Array* result = TRY(emptyArray(vm, length));
    for (double index = 0; index < length; index++) {
        TRY(vm.work(1));
        Value value = index == actual ? args[1] : TRY(getAt(vm, object, index));
        TRY(pushDense(vm, result->elements_, value));
    }
    return Value::object(result);
}

Value arrayUnscopables(Vm& vm) {
    constexpr std::string_view names[] = {"at", "copyWithin", "entries", "fill", "find", "findIndex", "findLast",
        "findLastIndex", "flat", "flatMap", "includes", "keys", "values", "toReversed", "toSorted", "toSpliced"};
    Object* object = newObject(vm, nullptr);
    for (std::string_view name : names)
        defineDirect(vm, object, keyOf(internAscii(vm, name)), Value::boolean(true), AllAttributes);
    return Value::object(object);
}

}
