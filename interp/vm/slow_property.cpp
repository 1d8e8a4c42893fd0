// Slow paths of property access: the plain operation through runtime/core, then the site's cache filled from what it
// found.
#include "interp/vm/slow_paths.h"
#include "runtime/core/call.h"
#include "runtime/core/error.h"
#include "runtime/core/global_scope.h"
#include "runtime/core/private_names.h"
#include "runtime/core/proxy.h"
#include "runtime/core/typed_array.h"

namespace scr {

static bool finish(Value& target, Completion<Value> result) {
    if (UNLIKELY(result.threw()))
        return false;
    target = result.value();
    return true;
}

static PropertyKey keyAt(Value* base, Const name) {
    return PropertyKey::fromBits(codeOf(base)->constant(name.n).bits());
}

static void fill(
    Vm& vm, Value* base, const u64* pc, const SiteForms& forms, const CacheEntry& entry, PropertyKey name) {
    fillSite(vm, codeOf(base), const_cast<u64*>(pc), forms, entry, name);
}

// ---- reading

static Threw throwReadOfNullish(Vm& vm, Value object, PropertyKey key) {
    if (key == PropertyKey::symbol(vm.symbols.iterator))
        return throwError(vm, Error::NotIterableRead, std::string_view(describeWithType(vm, object)));
    return throwError(vm, Error::ReadOfNullish, object.isNull() ? "null" : "undefined", key);
}

/// `length` of arrays and strings has instructions of its own.
static bool readLength(Vm& vm, const u64* pc, Value object, PropertyKey key, Value& result) {
    if (key.bits() != PropertyKey::atom(vm.names.length).bits())
        return false;
    bool isString = object.isString();
    if (!isString && !(object.isObject() && kindOf(object.asCell()) == Kind::Array))
        return false;
    result = isString ? Value::int32(i32(object.asString()->length))
                      : Value::number(static_cast<Array*>(object.asObject())->length());
    u16& opcode = *reinterpret_cast<u16*>(const_cast<u64*>(pc));
    if (Op(opcode) == Op::GetField)
        opcode = u16(isString ? Op::GetFieldStringLength : Op::GetFieldArrayLength);
    return true;
}

/// The constant of a class that is evaluated once.
static Completion<Value> readPrivate(Vm& vm, const u64* pc, Value* base, Value object, PropertyKey key) {
    Value value = TRY(privateGet(vm, object, key));
    Object* receiver = object.asObject();
    fill(vm, base, pc, getFieldForms, readEntry(vm, receiver, findPrivate(vm, receiver, key)), key);
    return value;
}

static Completion<Value> readField(Vm& vm, const u64* pc, Value* base, Value object, PropertyKey key) {
    if (UNLIKELY(key.isPrivate()))
        return readPrivate(vm, pc, base, object, key);
    if (UNLIKELY(object.isNullish()))
        return throwReadOfNullish(vm, object, key);
    Value length;
    if (readLength(vm, pc, object, key, length))
        return length;
    if (!object.isObject()) {
        vm.realm = codeOf(base)->realm; // whose prototypes it has
        return getOf(vm, object, key);
    }
    Object* receiver = object.asObject();
    if (UNLIKELY(key == PropertyKey::atom(vm.names.stack)))
        TRY(readyStack(vm, receiver));
    Lookup found = lookup(vm, receiver, key);
    Op op = Op(*reinterpret_cast<const u16*>(pc));
    if (op == Op::GetFieldArrayLength || op == Op::GetFieldStringLength) {
        // A site that saw `length` of an array or a string, and now an object: starts over as an ordinary site.
        *reinterpret_cast<u16*>(const_cast<u64*>(pc)) = u16(Op::GetField);
        cacheOf(pc).key = KeyNone;
    }
    fill(vm, base, pc, getFieldForms, readEntry(vm, receiver, found), key);
    return valueOf(vm, found, object);
}

bool slowGetField(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::GetField>(pc);
    publish(vm, pc, base);
    return finish(base[insn.dst.n], readField(vm, pc, base, base[insn.object.n], keyAt(base, insn.name)));
}

/// OPTIMIZATION: a getter that needs no call.
static bool isQuick(Value getter, QuickGetter which) {
    return kindOf(getter.asCell()) == Kind::NativeFunction && getter.as<NativeFunction>()->quick == which;
}

bool slowCallGetter(Vm& vm, const u64* pc, Value* base) {
    // Known: the receiver's shape hit; the word holds the Accessor cell.
    const auto& insn = at<ops::GetFieldGetter>(pc);
    publish(vm, pc, base);
    Value getter = reinterpret_cast<Accessor*>(cacheOf(pc).pointer)->getter;
    if (getter.isUndefined()) {
        base[insn.dst.n] = Value::undefined();
        return true;
    }
    if (isQuick(getter, QuickTypedArrayLength) && isTypedArray(base[insn.object.n])) {
        base[insn.dst.n] = Value::number(asTypedArray(base[insn.object.n].asObject())->currentLength());
        return true;
    }
    return finish(base[insn.dst.n], call(vm, getter, base[insn.object.n]));
}

/// A value as array index, if it is a non-negative integer below 2^32 - 1.
static bool asIndex(Value key, u32& index) {
    if (key.isInt()) {
        index = u32(key.asInt());
        return key.asInt() >= 0;
    }
    if (!key.isDouble() || !(key.asDouble() >= 0 && key.asDouble() < 4294967295.0))
        return false;
    index = u32(key.asDouble());
    return double(index) == key.asDouble();
}

/// OPTIMIZATION: object[name] with a symbol or an atom that is no index, through the shared table.
static Completion<Value> readByName(Vm& vm, Object* object, PropertyKey key) {
    if (Value* slot = sharedSlot(vm, object, object->shape, Value::fromBits(key.bits())))
        return *slot;
    Lookup found = lookup(vm, object, key);
    fillSharedTable(vm, readEntry(vm, object, found), key);
    return valueOf(vm, found, Value::object(object));
}

static Completion<Value> readElement(Vm& vm, Value object, Value key) {
    if (object.isObject() && key.isString() && (key.asString()->flags & StringNotIndex))
        return readByName(vm, object.asObject(), PropertyKey::atom(key.asString()));
    if (object.isObject() && key.isSymbol())
        return readByName(vm, object.asObject(), PropertyKey::symbol(key.asSymbol()));
    u32 index;
    bool isIndex = asIndex(key, index);
    if (object.isObject() && isIndex) {
        if (isTypedArray(object.asObject()))
            return elementOf(asTypedArray(object.asObject()), index);
        Elements* elements = object.asObject()->elements();
        if (elements && index < elements->denseLength && !elements->dense()[index].isHole())
            return elements->dense()[index];
        return get(vm, object.asObject(), PropertyKey::index(index));
    }
    if (object.isString() && isIndex && index < object.asString()->length) {
        String* string = TRY(flatten(vm, object.asString()));
        return Value::string(unitString(vm, string->unit(index)));
    }
    if (UNLIKELY(object.isNullish())) {
        // 13.3.3: the base is checked before the key is converted; the message still shows the key where it can.
        if (key.isObject())
            return throwError(vm, Error::ReadOfNullish, object.isNull() ? "null" : "undefined",
                std::string_view(describeForMessage(vm, key)));
        return throwReadOfNullish(vm, object, TRY(toPropertyKey(vm, key)));
    }
    return getOf(vm, object, TRY(toPropertyKey(vm, key)));
}

bool slowGetElement(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::GetElement>(pc);
    publish(vm, pc, base);
    return finish(base[insn.dst.n], readElement(vm, base[insn.object.n], base[insn.key.n]));
}

// ---- writing

/// What a completed write can be cached as: the receiver's shape before, and what it is now.
static CacheEntry writeEntry(Vm& vm, Object* object, u32 keyBefore, PropertyKey name) {
    CacheEntry entry{};
    Shape* now = shapeOf(vm, object);
    Shape* before = shapeFromId(vm, keyBefore);
    if (!before || (now->flags & ShapeUncacheable) || kindOf(object) == Kind::Error)
        return entry;
    u32 slot = findSlot(now, name);
    if (slot == NotFound)
        return entry;
    u8 attributes = entryAt(now, slot).attributes;
    if ((attributes & (Writable | AccessorProperty | ValueCached | LazyBuiltin)) != Writable)
        return entry;
    entry.key = keyBefore;
    CacheForm place = slotPlace(object, slot, entry.offset);
    if (now == before) {
        entry.form = place;
        return entry;
    }
    // A transition: one more property at the end, nothing else changed, and no prototype may ever object to it unseen.
    if (now->isUnique() || before->isUnique() || now->count != before->count + 1 || slot != before->count
        || now->prototype.get() != before->prototype.get() || now->aux != before->aux
        || (attributes & AllAttributes) != AllAttributes)
        return entry;
    entry.form = place == CacheForm::Inline ? CacheForm::AddInline : CacheForm::AddOverflow;
    entry.pointer = now->id;
    entry.dependsOnPrototypes = true;
    now->flags |= ShapeCached;
    return entry;
}

/// A setter up the chain, as readEntry has getters.
static CacheEntry setterEntry(Vm& vm, Object* object, const Lookup& found) {
    CacheEntry entry{};
    if (found.type != Lookup::Accessor || found.holder == object || (shapeOf(vm, object)->flags & ShapeUncacheable))
        return entry;
    entry.key = object->shape;
    entry.form = CacheForm::Setter;
    entry.pointer = u64(found.value.asCell());
    entry.dependsOnPrototypes = true;
    return entry;
}

bool slowPutField(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::PutField>(pc);
    publish(vm, pc, base);
    Value object = base[insn.object.n], value = base[insn.src.n];
    PropertyKey key = keyAt(base, insn.name);
    if (UNLIKELY(key.isPrivate())) {
        if (privateSet(vm, object, key, value).threw())
            return false;
        u32 shape = object.asObject()->shape;
        fill(vm, base, pc, putFieldForms, writeEntry(vm, object.asObject(), shape, key), key);
        return true;
    }
    if (!object.isObject())
        return !put(vm, object, key, value).threw();
    u32 before = object.asObject()->shape;
    Shape* shapeBefore = shapeFromId(vm, before);
    u32 countBefore = shapeBefore->count;
    // A setter may add the very property it stands for, and so may a proxy; that is no transition of this site.
    Lookup found = lookup(vm, object.asObject(), key);
    if (found.isAccessor())
        fill(vm, base, pc, putFieldForms, setterEntry(vm, object.asObject(), found), key);
    if (put(vm, object, key, value).threw())
        return false;
    if (found.isAccessor() || found.isIntercepted())
        return true;
    if (object.asObject()->shape == before && shapeFromId(vm, before)->count != countBefore)
        return true; // a unique shape grew in place
    fill(vm, base, pc, putFieldForms, writeEntry(vm, object.asObject(), before, key), key);
    return true;
}

/// OPTIMIZATION: as growsByOne, but the storage is full or missing.
static bool appends(Vm& vm, Object* object, u32 index) {
    if (!isPlainArray(object) || vm.indexedPrototypes)
        return false;
    Elements& elements = static_cast<Array*>(object)->elements_;
    return index == elements.denseLength && index == elements.length && !elements.isSparse();
}

static Completion<void> writeElement(Vm& vm, Value object, Value key, Value value) {
    u32 index;
    if (object.isObject() && key.isInt() && appends(vm, object.asObject(), u32(key.asInt())))
        return pushDense(vm, static_cast<Array*>(object.asObject())->elements_, value);
    if (isTypedArray(object) && asIndex(key, index)) {
        TypedArray* array = asTypedArray(object.asObject());
        putElementOf(array, index, TRY(convertElement(vm, array->type, value)));
        return {};
    }
    if (object.isObject() && asIndex(key, index))
        return put(vm, object, PropertyKey::index(index), value);
    if (UNLIKELY(object.isNullish())) {
        if (key.isObject())
            return throwError(vm, Error::SetOfNullish, object.isNull() ? "null" : "undefined",
                std::string_view(describeForMessage(vm, key)));
        return throwError(vm, Error::SetOfNullish, object.isNull() ? "null" : "undefined", TRY(toPropertyKey(vm, key)));
    }
    return put(vm, object, TRY(toPropertyKey(vm, key)), value);
}

bool slowPutElement(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::PutElement>(pc);
    publish(vm, pc, base);
    return !writeElement(vm, base[insn.object.n], base[insn.key.n], base[insn.src.n]).threw();
}

// ---- deleting, super

bool slowDeleteField(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::DeleteField>(pc);
    publish(vm, pc, base);
    return finish(base[insn.dst.n], [&]() -> Completion<Value> {
        PropertyKey key = keyAt(base, insn.name);
        Object* object = TRY(toObject(vm, base[insn.object.n]));
        TRY(deleteOrThrow(vm, object, key));
        return Value::boolean(true);
    }());
}

bool slowDeleteElement(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::DeleteElement>(pc);
    publish(vm, pc, base);
    return finish(base[insn.dst.n], [&]() -> Completion<Value> {
        Object* object = TRY(toObject(vm, base[insn.object.n]));
        PropertyKey key = TRY(toPropertyKey(vm, base[insn.key.n]));
        TRY(deleteOrThrow(vm, object, key));
        return Value::boolean(true);
    }());
}

bool slowGetSuper(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::GetSuper>(pc);
    publish(vm, pc, base);
    const Value* operands = &base[insn.first.n];
    return finish(base[insn.dst.n], [&]() -> Completion<Value> {
        if (UNLIKELY(operands[0].isNull()))
            return readElement(vm, operands[0], operands[1]); // throws
        return get(vm, operands[0].asObject(), TRY(toPropertyKey(vm, operands[1])), operands[2]);
    }());
}

bool slowPutSuper(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::PutSuper>(pc);
    publish(vm, pc, base);
    const Value* operands = &base[insn.first.n];
    auto write = [&]() -> Completion<void> {
        if (UNLIKELY(operands[0].isNull()))
            return writeElement(vm, operands[0], operands[1], base[insn.src.n]); // throws
        PropertyKey key = TRY(toPropertyKey(vm, operands[1]));
        return putSuper(vm, operands[0].asObject(), key, base[insn.src.n], operands[2]);
    };
    return !write().threw();
}

// ---- globals: treated as a prototype, so that every structural change of the global object clears these caches

static void cacheGlobal(Vm& vm, const u64* pc, Code* code, Object* global, u32 slot) {
    becomePrototype(vm, global);
    cacheOf(pc) = {1, 0, u64(&global->slot(slot))};
    vm.dependOnPrototypes(code, &cacheOf(pc).key);
}

static Completion<Value> readGlobal(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::GetGlobal>(pc);
    PropertyKey key = keyAt(base, insn.name);
    Code* code = codeOf(base);
    Object* global = code->realm->global;
    if (Lookup binding = globalLexical(vm, code->realm, key); UNLIKELY(binding.found())) {
        if (binding.value.isUninitialized()) {
            return throwError(vm, Error::BeforeInitialization, key);
        }
        cacheGlobal(vm, pc, code, code->realm->lexical, binding.slot);
        return binding.value;
    }
    Lookup found = lookup(vm, global, key);
    // A proxy up the chain is asked whether there is such a property, then for its value (9.1.1.2).
    if (!found.found() || (found.isIntercepted() && !TRY(hasProperty(vm, global, key)))) {
        if (insn.opcode == u16(Op::GetGlobalOrUndefined))
            return Value::undefined();
        return throwError(vm, Error::NotDefined, key);
    }
    if (found.type == Lookup::Data && found.holder == global)
        cacheGlobal(vm, pc, code, global, found.slot);
    return valueOf(vm, found, Value::object(global));
}

bool slowGetGlobal(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    return finish(base[at<ops::GetGlobal>(pc).dst.n], readGlobal(vm, pc, base));
}

/// 9.1.1.1.5 SetMutableBinding in strict code.
static bool setGlobalLexical(Vm& vm, const u64* pc, Value* base, const Lookup& binding) {
    const auto& insn = at<ops::SetGlobal>(pc);
    Code* code = codeOf(base);
    if (binding.value.isUninitialized() || !(binding.attributes & Writable)) {
        if (binding.value.isUninitialized())
            (void)throwError(vm, Error::BeforeInitialization, keyAt(base, insn.name));
        else
            (void)throwError(vm, Error::AssignConstant);
        return false;
    }
    writeSlot(vm, code->realm->lexical, binding.slot, base[insn.src.n]);
    cacheGlobal(vm, pc, code, code->realm->lexical, binding.slot);
    return true;
}

bool slowInitializeGlobal(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::InitializeGlobal>(pc);
    Object* lexical = codeOf(base)->realm->lexical;
    PropertyKey key = keyAt(base, insn.name);
    Lookup found = getOwnProperty(vm, lexical, key);
    if (LIKELY(found.found()))
        writeSlot(vm, lexical, found.slot, base[insn.src.n]);
    else // a text that waited, and whose names were taken away meanwhile (restoreGlobal)
        defineDirect(vm, lexical, key, base[insn.src.n], Writable | Configurable);
    return true;
}

bool slowSetGlobal(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::SetGlobal>(pc);
    publish(vm, pc, base);
    PropertyKey key = keyAt(base, insn.name);
    Code* code = codeOf(base);
    Object* global = code->realm->global;
    if (Lookup binding = globalLexical(vm, code->realm, key); UNLIKELY(binding.found()))
        return setGlobalLexical(vm, pc, base, binding);
    Completion<bool> has = hasProperty(vm, global, key);
    if (has.threw())
        return false;
    if (!has.value()) {
        (void)throwError(vm, Error::NotDefined, key);
        return false;
    }
    if (put(vm, Value::object(global), key, base[insn.src.n]).threw())
        return false;
    Lookup found = getOwnProperty(vm, global, key);
    if (found.type == Lookup::Data && (found.attributes & Writable)
        && !(found.attributes & (ValueCached | LazyBuiltin)))
        cacheGlobal(vm, pc, code, global, found.slot);
    return true;
}

}
