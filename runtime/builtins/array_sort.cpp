// Array.prototype.sort and toSorted (ECMA-262 23.1.3.30, 23.1.3.34): a stable merge sort over a copy of the values,
// which takes runs that are in order already as they come. The comparator may do anything to the array: nothing is
// written back before it has been called for the last time, and nothing at all if it throws.
#include "runtime/builtins/array_support.h"

#include <cmath>

namespace scr {

namespace {

/// Values to be sorted, in a cell, undefined ones only counted: they come last.
struct SortItems {
    Array* values;
    u32 undefinedCount = 0;
};

Completion<void> collect(Vm& vm, SortItems& items, Value value) {
    if (value.isUndefined()) {
        items.undefinedCount++;
        return {};
    }
    return pushDense(vm, items.values->elements_, value);
}

bool isSparseArray(Vm& vm, Object* object) {
    return isPlainArray(object) && asArray(object)->elements_.isSparse() && !vm.indexedPrototypes;
}

/// 23.1.3.30.1 SortIndexedProperties steps 1 to 3; with holes skipped or read through.
Completion<SortItems> collectItems(Vm& vm, Object* object, double length, bool skipHoles) {
    SortItems items{newArray(vm)};
    if (skipHoles && isSparseArray(vm, object)) {
        // OPTIMIZATION: only the indices that are there. A getter that adds others is not waited for.
        for (u32 index : sparseIndices(asArray(object)->elements_)) {
            Value value;
            if (index < length && TRY(readAt(vm, object, index, value)))
                TRY(collect(vm, items, value));
        }
        return items;
    }
    for (double index = 0; index < length; index++) {
        TRY(vm.work(1));
        Value value;
        if (!skipHoles)
            value = TRY(getAt(vm, object, index));
        else if (!TRY(readAt(vm, object, index, value)))
            continue;
        TRY(collect(vm, items, value));
    }
    return items;
}

// ---- comparing: each says whether `b` must come before `a`

struct ScriptOrder {
    Vm& vm;
    RepeatedCall compare;

    Completion<bool> precedes(Value b, Value a) {
        Value args[] = {b, a}; // in V8's order: a comparator that only says true or false shows it
        Value order = TRY(compare(args, 2));
        if (order.isInt())
            return order.asInt() < 0;
        return TRY(toNumber(vm, order)) < 0;
    }
};

struct StringOrder {
    Vm& vm;

    Completion<bool> precedes(Value b, Value a) { return TRY(compareStrings(vm, b.asString(), a.asString())) < 0; }
};

/// Objects among the values: their toString is called for each comparison, as the text says.
struct ConvertingOrder {
    Vm& vm;

    Completion<bool> precedes(Value b, Value a) {
        String* left = TRY(toString(vm, a));
        String* right = TRY(toString(vm, b));
        return TRY(compareStrings(vm, right, left)) < 0;
    }
};

/// Non-negative integers by their decimal digits, without making strings.
struct DigitOrder {
    static u32 digitCount(u32 n) {
        u32 count = 1;
        while (n >= 10) {
            n /= 10;
            count++;
        }
        return count;
    }
    static u64 scaled(u32 n, u32 digits) {
        u64 value = n;
        while (digits-- > 0)
            value *= 10;
        return value;
    }
    Completion<bool> precedes(Value b, Value a) {
        u32 left = u32(a.asInt()), right = u32(b.asInt());
        u32 leftDigits = digitCount(left), rightDigits = digitCount(right);
        u64 leftScaled = scaled(left, rightDigits > leftDigits ? rightDigits - leftDigits : 0);
        u64 rightScaled = scaled(right, leftDigits > rightDigits ? leftDigits - rightDigits : 0);
        return rightScaled < leftScaled || (rightScaled == leftScaled && rightDigits < leftDigits);
    }
};

// ---- the merge sort

template <class Order> class MergeSort {
public:
    MergeSort(Vm& vm, Order& order, Value* values, Value* spare, u32 count)
        : vm_(vm)
        , order_(order)
        , values_(values)
        , spare_(spare)
        , count_(count) { }

    Completion<void> run() {
        for (u32 begin = 0; begin < count_;) {
            u32 end = TRY(makeRun(begin));
            runs_.push_back(begin);
            begin = end;
        }
        while (runs_.size() > 1)
            TRY(mergePairs());
        return {};
    }

private:
    static constexpr u32 ShortRun = 24;

    /// The end of the run that begins here: as long as the values are in order, but not shorter than ShortRun.
    Completion<u32> makeRun(u32 begin) {
        u32 end = begin + 1;
        if (end == count_)
            return end;
        bool descends = TRY(order_.precedes(values_[end], values_[begin]));
        for (end++; end < count_ && TRY(order_.precedes(values_[end], values_[end - 1])) == descends;)
            end++;
        if (descends)
            std::reverse(values_ + begin, values_ + end);
        u32 wanted = std::min(begin + ShortRun, count_);
        for (; end < wanted; end++)
            TRY(insert(begin, end));
        TRY(vm_.work((end - begin) / 4));
        return end;
    }

    /// Binary insertion of values_[at] into the sorted [begin, at), behind its equals.
    Completion<void> insert(u32 begin, u32 at) {
        Value value = values_[at];
        u32 low = begin, high = at;
        while (low < high) {
            u32 middle = low + (high - low) / 2;
            if (TRY(order_.precedes(value, values_[middle])))
                high = middle;
            else
                low = middle + 1;
        }
        std::copy_backward(values_ + low, values_ + at, values_ + at + 1);
        values_[low] = value;
        return {};
    }

    Completion<void> mergePairs() {
        std::vector<u32> merged;
        for (size_t i = 0; i < runs_.size(); i += 2) {
            merged.push_back(runs_[i]);
            if (i + 1 < runs_.size())
                TRY(merge(runs_[i], runs_[i + 1], i + 2 < runs_.size() ? runs_[i + 2] : count_));
        }
        runs_ = std::move(merged);
        return {};
    }

    /// The left run waits in the spare values; both stay visible to the collector. A throw loses only our copies.
    Completion<void> merge(u32 begin, u32 middle, u32 end) {
        TRY(vm_.work(end - begin));
        if (!TRY(order_.precedes(values_[middle], values_[middle - 1])))
            return {};
        u32 leftCount = middle - begin;
        std::copy_n(values_ + begin, leftCount, spare_);
        u32 left = 0, right = middle, to = begin;
        while (left < leftCount && right < end) {
            if (TRY(order_.precedes(values_[right], spare_[left])))
                values_[to++] = values_[right++];
            else
                values_[to++] = spare_[left++];
        }
        std::copy_n(spare_ + left, leftCount - left, values_ + to);
        return {};
    }

    Vm& vm_;
    Order& order_;
    Value* values_;
    Value* spare_;
    u32 count_;
    std::vector<u32> runs_; ///< where each begins
};

template <class Order> Completion<void> sortBy(Vm& vm, Array* values, Order order) {
    u32 count = values->length();
    if (count < 2)
        return {};
    Array* spare = newArray(vm);
    TRY(reserveDense(vm, spare->elements_, count));
    TRY(MergeSort<Order>(vm, order, values->elements_.dense(), spare->elements_.dense(), count).run());
    return {};
}

enum class Mix { Digits, Strings, Primitives, Objects };

Mix mixOf(Array* values) {
    Mix mix = Mix::Digits;
    for (u32 i = 0; i < values->length(); i++) {
        Value value = values->elements_.dense()[i];
        if (value.isInt() && value.asInt() >= 0)
            mix = mix == Mix::Strings ? Mix::Primitives : mix;
        else if (value.isString())
            mix = i == 0 || mix == Mix::Strings ? Mix::Strings : Mix::Primitives;
        else if (value.isObject() || value.isSymbol())
            return Mix::Objects;
        else
            mix = Mix::Primitives;
    }
    return mix;
}

/// Primitives are converted once: nobody can tell. Each text is followed by its value in `pairs`' second half.
struct PairOrder {
    Vm& vm;

    Completion<bool> precedes(Value b, Value a) {
        const Value* left = asArray(a.asObject())->elements_.dense();
        const Value* right = asArray(b.asObject())->elements_.dense();
        return TRY(compareStrings(vm, right->asString(), left->asString())) < 0;
    }
};
Completion<void> sortPrimitives(Vm& vm, Array* values) {
    u32 count = values->length();
    for (u32 i = 0; i < count; i++) {
        Value value = values->elements_.dense()[i];
        Value pair[] = {Value::string(TRY(toString(vm, value))), value};
        values->elements_.dense()[i] = Value::object(newArrayFrom(vm, pair, 2));
    }
    TRY(sortBy(vm, values, PairOrder{vm}));
    for (u32 i = 0; i < count; i++) {
        Value& place = values->elements_.dense()[i];
        place = asArray(place.asObject())->elements_.dense()[1];
    }
    return {};
}

Completion<void> sortItems(Vm& vm, Array* values, Value comparator) {
    if (!comparator.isUndefined())
        return sortBy(vm, values, ScriptOrder{vm, RepeatedCall(vm, comparator, Value::undefined())});
    switch (mixOf(values)) {
    case Mix::Digits: return sortBy(vm, values, DigitOrder{});
    case Mix::Strings: return sortBy(vm, values, StringOrder{vm});
    case Mix::Primitives: return sortPrimitives(vm, values);
    case Mix::Objects: break;
    }
    return sortBy(vm, values, ConvertingOrder{vm});
}

/// Deletes what is left behind the sorted values.
Completion<void> deleteFrom(Vm& vm, Object* object, double index, double length) {
    if (isSparseArray(vm, object)) {
        for (u32 present : sparseIndices(asArray(object)->elements_))
            if (present >= index && present < length)
                TRY(deleteAt(vm, object, present));
        return {};
    }
    for (; index < length; index++) {
        TRY(vm.work(1));
        if (TRY(hasProperty(vm, object, keyAt(vm, index))))
            TRY(deleteAt(vm, object, index));
    }
    return {};
}

}

Completion<void> sortValues(Vm& vm, Array* values, Value comparator) { return sortItems(vm, values, comparator); }

// 23.1.3.30 Array.prototype.sort ( comparator )
Result array_sort(Vm& vm, Args args) {
    if (!args[0].isUndefined() && !isCallable(args[0]))
        return throwError(vm, Error::SortComparator);
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    // As V8: nothing to order, nothing written (the text would write one element to its own place).
    if (length < 2)
        return Value::object(object);
    SortItems items = TRY(collectItems(vm, object, length, true));
    TRY(sortItems(vm, items.values, args[0]));
    double to = 0;
    for (; to < items.values->length(); to++)
        TRY(putAt(vm, object, to, items.values->elements_.dense()[u32(to)]));
    for (u32 i = 0; i < items.undefinedCount; i++)
        TRY(putAt(vm, object, to++, Value::undefined()));
    TRY(deleteFrom(vm, object, to, length));
    return Value::object(object);
}

// 23.1.3.34 Array.prototype.toSorted ( comparator )
Result array_toSorted(Vm& vm, Args args) {
    if (!args[0].isUndefined() && !isCallable(args[0]))
        return throwError(vm, Error::SortComparator);
    Object* object = TRY(thisObject(vm, args.self()));
    double length = TRY(lengthAt(vm, object));
    if (length > MaxArrayLength)
        return throwError(vm, Error::ArrayLength);
    SortItems items = TRY(collectItems(vm, object, length, false));
    TRY(sortItems(vm, items.values, args[0]));
    for (u32 i = 0; i < items.undefinedCount; i++)
        TRY(pushDense(vm, items.values->elements_, Value::undefined()));
    return Value::object(items.values);
}

}
