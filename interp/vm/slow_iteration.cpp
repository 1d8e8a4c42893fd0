// Slow paths of iteration: for-of, destructuring, for-in. A loop's three registers are described in opcodes.def.
#include "interp/vm/slow_paths.h"
#include "runtime/core/call.h"
#include "runtime/core/error.h"
#include "runtime/core/proxy.h"

namespace scr {

static bool done(Completion<void> result) { return !result.threw(); }

static bool isDone(Value state) { return state.isTrue(); }

static Threw throwNotIterable(Vm& vm, const u64* pc, Value* base, Value value) {
    std::string text = expressionText(vm, codeOf(base), pc);
    if (text.empty())
        return throwError(vm, Error::NotIterableRead, std::string_view(describeWithType(vm, value)));
    if (isSpreadArgument(codeOf(base), pc)) {
        if (!value.isNullish())
            return throwError(vm, Error::NotSpreadable);
        return throwError(vm, Error::SpreadOfNullish, std::string_view(text), value);
    }
    if (constexpr std::string_view call = "(...)"; text.ends_with(call)) {
        text.resize(text.size() - call.size());
        return throwError(vm, Error::CallNotIterable, std::string_view(text));
    }
    return throwError(vm, Error::NotIterable, std::string_view(text));
}

Threw throwSpreadNext(Vm& vm, const u64* pc, Value* base, const IteratorRecord& record) {
    Code* code = codeOf(base);
    if (isSpreadArgument(code, pc)) { // the call follows the loop
        const u64* following = pc + ops::ArraySpread::Words + at<ops::ArraySpread>(pc).target.words;
        return throwError(vm, Error::NotCallable, std::string_view(expressionText(vm, code, following)));
    }
    if (expressionText(vm, code, pc).empty())
        return throwError(vm, Error::NotCallable, std::string_view(describeWithType(vm, record.nextMethod)));
    return throwNotIterable(vm, pc, base, record.iterator);
}

Completion<IteratorRecord> openIterator(Vm& vm, const u64* pc, Value* base, Value iterable) {
    if (iterable.isNullish())
        return throwNotIterable(vm, pc, base, iterable);
    Value method = TRY(getOf(vm, iterable, PropertyKey::symbol(vm.symbols.iterator)));
    if (!isCallable(method))
        return throwNotIterable(vm, pc, base, iterable);
    Value iterator = TRY(call(vm, method, iterable));
    if (!iterator.isObject())
        return throwError(vm, Error::IteratorSymbolNotObject);
    return IteratorRecord{iterator, TRY(getOf(vm, iterator, PropertyKey::atom(vm.names.next)))};
}

bool isPlainGenerator(Vm& vm, const IteratorRecord& record) {
    if (kindOf(record.iterator.asCell()) != Kind::Generator || !record.nextMethod.isObject()
        || kindOf(record.nextMethod.asCell()) != Kind::NativeFunction)
        return false;
    return record.nextMethod.as<NativeFunction>()->code == vm.inlineNatives[size_t(InlineNative::GeneratorNext)];
}

bool slowForOfInit(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::ForOfInit>(pc);
    publish(vm, pc, base);
    auto init = [&]() -> Completion<void> {
        Value iterable = base[insn.iterable.n];
        Value* loop = &base[insn.first.n];
        vm.realm = codeOf(base)->realm;
        if (iteratesAsArray(vm, iterable)) {
            loop[0] = iterable;
            loop[1] = Value::int32(0);
            loop[2] = Value::int32(StateArray);
            return {};
        }
        IteratorRecord record = TRY(openIterator(vm, pc, base, iterable));
        loop[0] = record.iterator;
        loop[1] = record.nextMethod;
        loop[2] = Value::int32(isPlainGenerator(vm, record) ? StateGenerator : StateIterator);
        return {};
    };
    return done(init());
}

/// The next value of a loop: true, or false at the end (then the state is done). A throw leaves the state done as well.
static Completion<bool> step(Vm& vm, Value* loop, Value& value) {
    if (isDone(loop[2]))
        return false;
    if (loop[2] == Value::int32(StateArray)) {
        auto* array = static_cast<Array*>(loop[0].asObject());
        u32 index = u32(loop[1].asInt());
        if (index >= array->length()) {
            loop[2] = Value::boolean(true);
            return false;
        }
        loop[1] = Value::int32(i32(index + 1));
        value = TRY(get(vm, array, PropertyKey::index(index)));
        return true;
    }
    Value state = loop[2];
    loop[2] = Value::boolean(true);
    bool more = TRY(iteratorStep(vm, IteratorRecord{loop[0], loop[1]}, value));
    if (more)
        loop[2] = state;
    return more;
}

int slowForOfNext(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::ForOfNext>(pc);
    publish(vm, pc, base);
    Value value;
    Completion<bool> more = step(vm, &base[insn.first.n], value);
    if (more.threw())
        return -1;
    if (!more.value())
        return 1;
    base[insn.dst.n] = value;
    return 0;
}

bool slowIteratorNext(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::IteratorNext>(pc);
    publish(vm, pc, base);
    Value value;
    Completion<bool> more = step(vm, &base[insn.first.n], value);
    if (more.threw())
        return false;
    base[insn.dst.n] = more.value() ? value : Value::undefined();
    return true;
}

int slowIteratorRest(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::IteratorRest>(pc);
    publish(vm, pc, base);
    Array* rest = newArray(vm);
    Value* loop = &base[insn.first.n];
    auto collect = [&]() -> Completion<void> {
        Value value;
        while (TRY(step(vm, loop, value))) {
            TRY(vm.work(1));
            TRY(pushDense(vm, rest->elements_, value));
        }
        return {};
    };
    bool inLoop = loop[2] == Value::int32(StateGenerator);
    if (!inLoop && collect().threw())
        return -1;
    base[insn.dst.n] = Value::object(rest);
    return !inLoop;
}

/// A loop over an array has no iterator object; somebody may still have put `return` on the iterators' prototypes.
static Completion<Value> iteratorOf(Vm& vm, Value* base, Value* loop) {
    if (loop[2] != Value::int32(StateArray))
        return loop[0];
    Object* prototype = codeOf(base)->realm->intrinsic(vm, Intrinsic::ArrayIteratorPrototype);
    if (!lookup(vm, prototype, PropertyKey::atom(vm.names.return_)).found())
        return Value::undefined();
    return call(vm, Value::object(codeOf(base)->realm->intrinsic(vm, Intrinsic::ArrayPrototypeValues)), loop[0]);
}

bool slowIteratorClose(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    Value* loop = &base[at<ops::IteratorClose>(pc).first.n];
    if (isDone(loop[2]))
        return true;
    Completion<Value> iterator = iteratorOf(vm, base, loop);
    loop[2] = Value::boolean(true);
    if (iterator.threw())
        return false;
    return iterator.value().isUndefined() || !iteratorClose(vm, iterator.value()).threw();
}

bool slowIteratorCloseSilently(Vm& vm, const u64* pc, Value* base) {
    // Known: the handler has saved the exception that is on its way in a register; errors of `return` give way to it.
    publish(vm, pc, base);
    Value* loop = &base[at<ops::IteratorCloseSilently>(pc).first.n];
    if (isDone(loop[2]))
        return true;
    Completion<Value> iterator = iteratorOf(vm, base, loop);
    loop[2] = Value::boolean(true);
    if (!iterator.threw() && !iterator.value().isUndefined()) {
        Completion<Value> method = getMethod(vm, iterator.value(), PropertyKey::atom(vm.names.return_));
        if (!method.threw() && !method.value().isUndefined())
            (void)call(vm, method.value(), iterator.value());
    }
    return !vm.terminating();
}

// ---- for-in (14.7.5.9, 14.7.5.10): keys of the object and its prototypes, each name once, deleted ones left out

static void traceForIn(Cell* cell, Marker& marker) {
    auto* iterator = static_cast<ForInIterator*>(cell);
    marker.mark(iterator->object);
    marker.mark(iterator->keys);
    marker.mark(iterator->visited);
}
void registerForIn(Vm& vm) {
    vm.heap.setTrace(u8(Kind::ForInIterator), traceForIn);
    vm.heap.addWeak(
        [](void* context, Heap&) {
            for (Vm::EnumeratedKeys& entry : static_cast<Vm*>(context)->enumeratedKeys)
                entry = {};
        },
        &vm);
}

/// No object from here up the chain has a name that for-in would give. Known: none has elements.
static bool nothingEnumerable(Vm& vm, Object* object) {
    for (; object; object = shapeOf(vm, object)->prototype) {
        if (kindOf(object) != Kind::Object && kindOf(object) != Kind::Array)
            return false;
        const Shape* shape = shapeOf(vm, object);
        for (u32 i = 0; i < shape->count; i++) {
            PropertyEntry entry = entryAt(shape, i);
            if (entry.key && (entry.attributes & Enumerable) && PropertyKey::fromBits(entry.key).isAtom())
                return false;
        }
    }
    return true;
}

/// OPTIMIZATION: the enumerable names of an ordinary object without elements, if nothing above it has any: known by its
/// shape, until something happens to a prototype. Null otherwise.
static Array* plainKeys(Vm& vm, Object* object) {
    if (kindOf(object) != Kind::Object || object->elements() || vm.indexedPrototypes)
        return nullptr;
    Shape* shape = shapeOf(vm, object);
    Vm::EnumeratedKeys& entry = vm.enumeratedKeys[shape->id % std::size(vm.enumeratedKeys)];
    if (entry.keys && entry.shape == shape->id && entry.epoch == vm.prototypeEpoch)
        return entry.keys;
    if (shape->isUnique() || !nothingEnumerable(vm, shape->prototype))
        return nullptr;
    Array* keys = ownKeys(vm, object, StringKeys | OnlyEnumerable);
    entry = {shape->id, vm.prototypeEpoch, keys};
    return keys;
}

static bool meetsProxy(Vm& vm, Object* object) {
    while (object && !isProxy(object))
        object = prototypeOf(vm, object);
    return object;
}

/// The names of the object and its prototypes, each once, in V8's order of traps.
static Completion<Array*> namesThroughProxies(Vm& vm, Object* object) {
    Array* names = newArray(vm);
    Object* seen = newObject(vm, nullptr, 0);
    u32 proxiesMet = 0;
    for (; object; object = TRY(nextPrototype(vm, object, proxiesMet))) {
        Array* keys = TRY(ownPropertyKeys(vm, object, StringKeys));
        for (u32 i = 0; i < keys->length(); i++) {
            Value name = keys->elements_.dense()[i];
            PropertyKey key = TRY(toPropertyKey(vm, name));
            if (getOwnProperty(vm, seen, key).found())
                continue;
            TRY(createDataProperty(vm, seen, key, Value::boolean(true)));
            if (isProxy(object) || (getOwnProperty(vm, object, key).attributes & Enumerable))
                TRY(pushDense(vm, names->elements_, name));
        }
    }
    return names;
}

/// The property nearest to the object decides.
static Completion<bool> isEnumerableThroughProxies(Vm& vm, Object* object, PropertyKey key) {
    u32 proxiesMet = 0;
    for (; object; object = TRY(nextPrototype(vm, object, proxiesMet)))
        if (Lookup own = TRY(ownProperty(vm, object, key)); own.found())
            return bool(own.attributes & Enumerable);
    return false;
}

bool slowForInInit(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::ForInInit>(pc);
    publish(vm, pc, base);
    Value value = base[insn.object.n];
    auto init = [&]() -> Completion<void> {
        vm.realm = codeOf(base)->realm;
        Object* object = value.isNullish() ? nullptr : TRY(toObject(vm, value));
        Array* plain = object ? plainKeys(vm, object) : nullptr;
        bool throughProxies = !plain && object && meetsProxy(vm, object);
        Array* keys = plain  ? plain
            : throughProxies ? TRY(namesThroughProxies(vm, object))
            : object         ? TRY(ownPropertyKeys(vm, object, StringKeys))
                             : nullptr;
        auto* iterator =
            static_cast<ForInIterator*>(vm.heap.allocate(sizeof(ForInIterator), u8(Kind::ForInIterator), KeyNone));
        iterator->flags = throughProxies ? ForInIterator::ThroughProxies : 0;
        iterator->object = object;
        iterator->keys = keys;
        iterator->visited = nullptr;
        iterator->index = iterator->proxiesMet = 0;
        iterator->plainShape = plain ? object->shape : u32(KeyNone);
        base[insn.dst.n] = Value::cell(iterator);
        return {};
    };
    return done(init());
}

/// Goes on to the next object of the chain; names of the one left are remembered.
static Completion<void> nextObject(Vm& vm, ForInIterator& iterator) {
    Object* prototype = TRY(nextPrototype(vm, iterator.object, iterator.proxiesMet));
    if (prototype) {
        if (!iterator.visited)
            iterator.visited = newObject(vm, nullptr, 0);
        Elements& keys = iterator.keys->elements_;
        for (u32 i = 0; i < keys.denseLength; i++)
            TRY(createDataProperty(
                vm, iterator.visited, TRY(toPropertyKey(vm, keys.dense()[i])), Value::boolean(true)));
    }
    iterator.keys = prototype ? TRY(ownPropertyKeys(vm, prototype, StringKeys)) : nullptr;
    iterator.object = prototype;
    iterator.index = 0;
    return {};
}

static Completion<bool> forInStep(Vm& vm, ForInIterator& iterator, Value& name) {
    iterator.plainShape = KeyNone;
    while (iterator.object) {
        Elements& keys = iterator.keys->elements_;
        while (iterator.index < keys.denseLength) {
            name = keys.dense()[iterator.index++];
            PropertyKey key = TRY(toPropertyKey(vm, name));
            if (UNLIKELY(iterator.flags & ForInIterator::ThroughProxies)) {
                if (TRY(isEnumerableThroughProxies(vm, iterator.object, key)))
                    return true;
                continue;
            }
            Lookup own = TRY(ownProperty(vm, iterator.object, key));
            if (!own.found() || !(own.attributes & Enumerable))
                continue;
            if (iterator.visited && getOwnProperty(vm, iterator.visited, key).found())
                continue;
            return true;
        }
        if (iterator.flags & ForInIterator::ThroughProxies)
            return false;
        TRY(nextObject(vm, iterator));
    }
    return false;
}

int slowForInNext(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::ForInNext>(pc);
    publish(vm, pc, base);
    Value name;
    Completion<bool> more = forInStep(vm, *base[insn.iterator.n].as<ForInIterator>(), name);
    if (more.threw())
        return -1;
    if (!more.value())
        return 1;
    base[insn.dst.n] = name;
    return 0;
}

}
