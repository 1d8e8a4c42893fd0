// Iterator.concat, Iterator.zip and Iterator.zipKeyed: helpers over several iterators.
#include "runtime/builtins/iterator_helper.h"

namespace scr {

Completion<void> closeAll(Vm& vm, Array* records, bool throwing) {
    for (u32 i = records->length(); i >= 2; i -= 2) {
        Value& place = records->elements_.dense()[i - 2];
        Value iterator = place;
        place = Value::undefined();
        if (!iterator.isObject())
            continue;
        if (throwing)
            (void)iteratorCloseThrow(vm, iterator);
        else
            throwing = iteratorClose(vm, iterator).threw();
    }
    return throwing ? Completion<void>(Threw{}) : Completion<void>();
}

namespace {

Value& iteratorAt(IteratorHelper* helper, u32 i) { return helper->list->elements_.dense()[i * 2]; }

/// One step of the i-th iterator. The one that throws is not closed, the others are. At its end it is forgotten.
Completion<bool> stepAt(Vm& vm, IteratorHelper* helper, u32 i, Value& value) {
    IteratorRecord record{iteratorAt(helper, i), helper->list->elements_.dense()[i * 2 + 1]};
    auto step = iteratorStep(vm, record, value);
    if (step.threw()) {
        iteratorAt(helper, i) = Value::undefined();
        TRY(closeAll(vm, helper->list, true));
    }
    if (!step.value())
        iteratorAt(helper, i) = Value::undefined();
    return step;
}

/// Mode Strict, and one iterator has ended: all others must end now. Values are not read.
Completion<bool> endStrictly(Vm& vm, IteratorHelper* helper, u32 ended) {
    u32 count = helper->list->length() / 2;
    for (u32 k = 1; ended == 0 && k < count; k++) {
        IteratorRecord record{iteratorAt(helper, k), helper->list->elements_.dense()[k * 2 + 1]};
        auto step = iteratorAdvance(vm, record);
        if (step.threw() || !step.value())
            iteratorAt(helper, k) = Value::undefined();
        if (step.threw())
            TRY(closeAll(vm, helper->list, true));
        if (step.value())
            ended = k;
    }
    if (!ended)
        return false;
    (void)throwError(vm, Error::ZipLengths);
    TRY(closeAll(vm, helper->list, true));
    return false;
}

bool anyOpen(IteratorHelper* helper) {
    for (u32 i = 0; i < helper->list->length() / 2; i++)
        if (iteratorAt(helper, i).isObject())
            return true;
    return false;
}

Value zipped(Vm& vm, IteratorHelper* helper, Array* values) {
    if (helper->operation == IteratorHelper::Zip)
        return Value::object(values);
    Object* result = newObject(vm, nullptr);
    for (u32 i = 0; i < values->length(); i++) {
        PropertyKey key = MUST(toPropertyKey(vm, helper->keys->elements_.dense()[i]));
        (void)createDataProperty(vm, result, key, values->elements_.dense()[i]); // only the memory limit refuses
    }
    return Value::object(result);
}

}

Completion<bool> zipStep(Vm& vm, IteratorHelper* helper, Value& value) {
    u32 count = helper->list->length() / 2;
    if (!count)
        return false;
    Array* values = newArray(vm, count);
    for (u32 i = 0; i < count; i++) {
        TRY(vm.work(1));
        if (!iteratorAt(helper, i).isObject()) {
            value = helper->padding->elements_.dense()[i];
        } else if (!TRY(stepAt(vm, helper, i, value))) {
            if (helper->mode == IteratorHelper::Strict)
                return endStrictly(vm, helper, i);
            if (helper->mode == IteratorHelper::Shortest) {
                TRY(closeAll(vm, helper->list, false));
                return false;
            }
            if (!anyOpen(helper))
                return false;
            value = helper->padding->elements_.dense()[i];
        }
        TRY(pushDense(vm, values->elements_, value));
    }
    value = zipped(vm, helper, values);
    return true;
}

namespace {

/// mode and padding of zip and zipKeyed.
struct ZipOptions {
    IteratorHelper::ZipMode mode = IteratorHelper::Shortest;
    Value padding;
};

Completion<ZipOptions> zipOptions(Vm& vm, Value value, std::string_view method) {
    ZipOptions options;
    if (value.isUndefined())
        return options;
    if (!value.isObject())
        return throwError(vm, Error::CalledOnNonObject, method);
    Value mode = TRY(get(vm, value.asObject(), keyOf(internAscii(vm, "mode"))));
    if (mode.isUndefined())
        return options;
    std::string text = mode.isString() ? toUtf8(vm, TRY(flatten(vm, mode.asString()))) : std::string();
    if (text == "longest")
        options.mode = IteratorHelper::Longest;
    else if (text == "strict")
        options.mode = IteratorHelper::Strict;
    else if (text != "shortest")
        return throwError(vm, Error::ZipMode);
    if (options.mode != IteratorHelper::Longest)
        return options;
    options.padding = TRY(get(vm, value.asObject(), keyOf(internAscii(vm, "padding"))));
    if (!options.padding.isUndefined() && !options.padding.isObject())
        return throwError(vm, Error::CalledOnNonObject, method);
    return options;
}

Completion<void> addRecord(Vm& vm, Array* records, const IteratorRecord& record) {
    TRY(pushDense(vm, records->elements_, record.iterator));
    return pushDense(vm, records->elements_, record.nextMethod);
}

/// The iterators of zip's first argument. What throws closes all that were made, and then the input.
Completion<void> collectIterators(Vm& vm, Value iterables, Array* records) {
    IteratorRecord input = TRY(iteratorOf(vm, iterables));
    for (;;) {
        TRY(vm.work(1));
        Value item;
        auto step = iteratorStep(vm, input, item);
        if (step.threw())
            return closeAll(vm, records, true);
        if (!step.value())
            return {};
        auto record = iteratorFlattenable(vm, item, Flattenable::ObjectsOnly, "Iterator.zip");
        if (record.threw()) {
            (void)closeAll(vm, records, true);
            return iteratorCloseThrow(vm, input.iterator);
        }
        TRY(addRecord(vm, records, record.value()));
    }
}

/// One value of padding for each iterator; closes its iterator if it has more.
Completion<void> readPadding(Vm& vm, Value padding, Array* values, u32 count) {
    bool open = !padding.isUndefined();
    IteratorRecord record;
    if (open)
        record = TRY(iteratorOf(vm, padding));
    for (u32 i = 0; i < count; i++) {
        Value value;
        open = open && TRY(iteratorStep(vm, record, value));
        TRY(pushDense(vm, values->elements_, open ? value : Value::undefined()));
    }
    return open ? iteratorClose(vm, record.iterator) : Completion<void>();
}

Result newZip(Vm& vm, IteratorHelper::Operation operation, const ZipOptions& options, Array* records, Array* padding,
    Array* keys) {
    IteratorHelper* helper = newIteratorHelper(vm, operation);
    helper->mode = options.mode;
    helper->list = records;
    helper->padding = padding;
    helper->keys = keys;
    return Value::object(helper);
}

/// Keys with values that are there, and their iterators.
Completion<void> collectKeyed(Vm& vm, Object* iterables, Array* keys, Array* records) {
    Array* all = TRY(ownPropertyKeys(vm, iterables, StringKeys | SymbolKeys));
    for (u32 i = 0; i < all->length(); i++) {
        TRY(vm.work(1));
        Value name = all->elements_.dense()[i];
        PropertyKey key = TRY(toPropertyKey(vm, name));
        Lookup own = TRY(ownProperty(vm, iterables, key));
        if (!own.found() || !(own.attributes & Enumerable))
            continue;
        Value value = TRY(get(vm, iterables, key));
        if (value.isUndefined())
            continue;
        TRY(pushDense(vm, keys->elements_, name));
        TRY(addRecord(vm, records, TRY(iteratorFlattenable(vm, value, Flattenable::ObjectsOnly, "Iterator.zipKeyed"))));
    }
    return {};
}

}

// Iterator.zip ( iterables [ , options ] )
Result iterator_zip(Vm& vm, Args args) {
    if (!args[0].isObject())
        return throwError(vm, Error::CalledOnNonObject, "Iterator.zip");
    ZipOptions options = TRY(zipOptions(vm, args[1], "Iterator.zip"));
    Array *records = newArray(vm), *padding = newArray(vm);
    TRY(collectIterators(vm, args[0], records));
    if (options.mode == IteratorHelper::Longest
        && readPadding(vm, options.padding, padding, records->length() / 2).threw())
        TRY(closeAll(vm, records, true));
    return newZip(vm, IteratorHelper::Zip, options, records, padding, nullptr);
}

// Iterator.zipKeyed ( iterables [ , options ] )
Result iterator_zipKeyed(Vm& vm, Args args) {
    if (!args[0].isObject())
        return throwError(vm, Error::CalledOnNonObject, "Iterator.zipKeyed");
    ZipOptions options = TRY(zipOptions(vm, args[1], "Iterator.zipKeyed"));
    Array *records = newArray(vm), *padding = newArray(vm), *keys = newArray(vm);
    if (collectKeyed(vm, args[0].asObject(), keys, records).threw())
        TRY(closeAll(vm, records, true));
    for (u32 i = 0; options.mode == IteratorHelper::Longest && i < keys->length(); i++) {
        Result value = Value::undefined();
        if (options.padding.isObject())
            value = get(vm, options.padding.asObject(), MUST(toPropertyKey(vm, keys->elements_.dense()[i])));
        if (value.threw())
            TRY(closeAll(vm, records, true));
        TRY(pushDense(vm, padding->elements_, value.value()));
    }
    return newZip(vm, IteratorHelper::ZipKeyed, options, records, padding, keys);
}

// Iterator.concat ( ...items )
Result iterator_concat(Vm& vm, Args args) {
    Array* list = newArray(vm);
    for (u32 i = 0; i < args.count; i++) {
        if (!args[i].isObject())
            return throwError(vm, Error::CalledOnNonObject, "Iterator.concat");
        Value method = TRY(getMethod(vm, args[i], SYMBOL(vm, iterator)));
        if (method.isUndefined())
            return throwOperand(vm, Error::NotIterable, args[i]);
        TRY(pushDense(vm, list->elements_, method));
        TRY(pushDense(vm, list->elements_, args[i]));
    }
    IteratorHelper* helper = newIteratorHelper(vm, IteratorHelper::Concat);
    helper->list = list;
    return Value::object(helper);
}

}
