// Defining, reconfiguring and deleting properties, integrity levels, prototypes (ECMA-262 10.1.2 to 10.1.10, 10.4.2.1).
#include "runtime/core/error.h"
#include "runtime/core/module_namespace.h"
#include "runtime/core/object_internal.h"
#include "runtime/core/operations.h"
#include "runtime/core/proxy.h"
#include "runtime/core/typed_array.h"
#include "runtime/core/vm.h"

namespace scr {

using Descriptor = PropertyDescriptor;

static constexpr u8 BothAttributes = Enumerable | Configurable;

// ---- 10.1.6.3 ValidateAndApplyPropertyDescriptor

Completion<bool> isCompatible(Vm& vm, bool extensible, const Lookup& current, const Descriptor& descriptor) {
    if (!current.found())
        return extensible;
    if (current.attributes & Configurable)
        return true;
    if ((descriptor.has & Descriptor::HasConfigurable) && (descriptor.attributes & Configurable))
        return false;
    if ((descriptor.has & Descriptor::HasEnumerable) && ((descriptor.attributes ^ current.attributes) & Enumerable))
        return false;
    if (!descriptor.isAccessor() && !descriptor.isData())
        return true;
    if (descriptor.isAccessor() != current.isAccessor())
        return false;
    if (current.isAccessor()) {
        auto* accessor = current.value.as<Accessor>();
        return !((descriptor.has & Descriptor::HasGet) && descriptor.getter != accessor->getter)
            && !((descriptor.has & Descriptor::HasSet) && descriptor.setter != accessor->setter);
    }
    if (current.attributes & Writable)
        return true;
    if ((descriptor.has & Descriptor::HasWritable) && (descriptor.attributes & Writable))
        return false;
    if (descriptor.has & Descriptor::HasValue)
        return sameValue(vm, descriptor.value, current.value);
    return true;
}

/// Attributes after applying: fields that the descriptor lacks keep what they are.
static u8 mergedAttributes(const Descriptor& descriptor, u8 current) {
    u8 mask = 0;
    if (descriptor.has & Descriptor::HasEnumerable)
        mask |= Enumerable;
    if (descriptor.has & Descriptor::HasConfigurable)
        mask |= Configurable;
    if (descriptor.has & Descriptor::HasWritable)
        mask |= Writable;
    u8 result = (current & ~mask) | (descriptor.attributes & mask);
    if (descriptor.isAccessor())
        return (result & BothAttributes) | AccessorProperty;
    if (descriptor.isData() && (current & AccessorProperty)) // was an accessor: Writable counts from false
        return (result & BothAttributes) | (descriptor.attributes & mask & Writable);
    return result;
}

/// The value (or Accessor cell) after applying; `current` is undefined, or what is there.
static Value mergedValue(Vm& vm, const Descriptor& descriptor, bool wasAccessor, Value current) {
    if (descriptor.isAccessor()) {
        Value getter = wasAccessor ? current.as<Accessor>()->getter : Value::undefined();
        Value setter = wasAccessor ? current.as<Accessor>()->setter : Value::undefined();
        if (descriptor.has & Descriptor::HasGet)
            getter = descriptor.getter;
        if (descriptor.has & Descriptor::HasSet)
            setter = descriptor.setter;
        return Value::cell(newAccessor(vm, getter, setter));
    }
    if (descriptor.has & Descriptor::HasValue)
        return descriptor.value;
    return wasAccessor && descriptor.isData() ? Value::undefined() : current;
}

static Completion<bool> addDefined(Vm& vm, Object* object, PropertyKey key, const Descriptor& descriptor) {
    if (!object->isExtensible() && !key.isPrivate())
        return false;
    u8 attributes = mergedAttributes(descriptor, 0);
    Value value = mergedValue(vm, descriptor, false, Value::undefined());
    if (key.isIndex())
        TRY(addElement(vm, object, key.asIndex(), value, attributes));
    else
        addNamed(vm, object, key, value, attributes);
    return true;
}

static Completion<bool> applyTo(Vm& vm, const Lookup& current, const Descriptor& descriptor) {
    constexpr u8 visible = AllAttributes | AccessorProperty;
    u8 attributes = mergedAttributes(descriptor, current.attributes & visible);
    Value value = mergedValue(vm, descriptor, current.isAccessor(), current.value);
    if (current.type == Lookup::Element || current.type == Lookup::ElementAccessor) {
        TRY(replaceElement(vm, current.holder, current.slot, value, attributes));
        return true;
    }
    if (attributes == (current.attributes & visible) && !(attributes & AccessorProperty)) {
        if (descriptor.has & Descriptor::HasValue)
            writeSlot(vm, current.holder, current.slot, value);
    } else if (attributes != (current.attributes & visible) || value != current.value) {
        reconfigureSlot(vm, current.holder, current.slot, value, attributes | (current.attributes & LazyBuiltin));
    }
    return true;
}

/// Would make the property enumerable or configurable.
static bool wantsMore(const Descriptor& descriptor) {
    return ((descriptor.has & Descriptor::HasConfigurable) && (descriptor.attributes & Configurable))
        || ((descriptor.has & Descriptor::HasEnumerable) && (descriptor.attributes & Enumerable));
}

// 10.4.2.4 ArraySetLength ( A, Desc )
static Completion<bool> defineArrayLength(Vm& vm, Array* array, const Descriptor& descriptor) {
    u32 length = array->length();
    if (descriptor.has & Descriptor::HasValue)
        length = TRY(toArrayLength(vm, descriptor.value));
    if (descriptor.isAccessor())
        return false;
    if (wantsMore(descriptor))
        return false;
    bool makeReadOnly = (descriptor.has & Descriptor::HasWritable) && !(descriptor.attributes & Writable);
    if (array->flags & LengthReadOnly) {
        if ((descriptor.has & Descriptor::HasWritable) && !makeReadOnly)
            return false;
        return length == array->length();
    }
    bool done = truncateArray(array, length);
    if (makeReadOnly)
        array->flags |= LengthReadOnly;
    return done;
}

/// 10.1.6 of ordinary objects.
static Completion<bool> defineOrdinary(Vm& vm, Object* object, PropertyKey key, const Descriptor& descriptor) {
    if (object->isCallable() && (object->flags & HasLazyProperties))
        materializeFunction(vm, object);
    Lookup current = getOwnProperty(vm, object, key);
    if (!current.found())
        return addDefined(vm, object, key, descriptor);
    if (!TRY(isCompatible(vm, true, current, descriptor)))
        return false;
    // Nothing of a string's own length and indices can change.
    return current.type == Lookup::Exotic ? Completion<bool>(true) : applyTo(vm, current, descriptor);
}

Completion<bool> defineOwnProperty(Vm& vm, Object* object, PropertyKey key, const Descriptor& descriptor) {
    switch (kindOf(object)) {
    case Kind::Array: {
        auto* array = static_cast<Array*>(object);
        if (key == PropertyKey::atom(vm.names.length))
            return defineArrayLength(vm, array, descriptor);
        // 10.4.2.1 step 2.g: an index at or past a read-only length
        if (key.isIndex() && key.asIndex() >= array->length() && (array->flags & LengthReadOnly))
            return false;
        break;
    }
    case Kind::TypedArray: {
        u64 index;
        if (numericIndex(asTypedArray(object), key, index))
            return defineElement(vm, asTypedArray(object), index, key, descriptor);
        break;
    }
    case Kind::Proxy:
    case Kind::CallableProxy:
        if (!key.isPrivate())
            return proxyDefineOwnProperty(vm, object, key, descriptor);
        break;
    case Kind::ModuleNamespace:
        if (!key.isSymbol())
            return namespaceDefine(vm, object, key, descriptor);
        break;
    default: break;
    }
    return defineOrdinary(vm, object, key, descriptor);
}

/// A shorter length that an element stopped: the array kept the length right behind it.
static bool stoppedByElement(Vm& vm, Object* object, const Descriptor& descriptor) {
    bool admissible = (descriptor.has & Descriptor::HasValue) && !descriptor.isAccessor() && !wantsMore(descriptor);
    if (!admissible || descriptor.value.isObject())
        return false;
    auto wanted = toNumber(vm, descriptor.value);
    return !wanted.threw() && wanted.value() < double(static_cast<Array*>(object)->length());
}

Threw throwDefineRefused(Vm& vm, Object* object, PropertyKey key) {
    object = refusing(vm, object, "defineProperty");
    if (isProxy(object))
        return throwError(vm, Error::ProxyFalsishFor, "defineProperty", key);
    if (isNamespace(object))
        return throwError(vm, Error::Redefine, key);
    if (Lookup own = findOwn(vm, object, key); !own.found())
        return own.isFinal() ? throwError(vm, Error::TypedArrayKey) : throwError(vm, Error::DefineNotExtensible, key);
    return throwError(vm, Error::Redefine, key);
}

Completion<void> defineOrThrow(Vm& vm, Object* object, PropertyKey key, const Descriptor& descriptor) {
    bool isLength =
        kindOf(object) == Kind::Array && key == PropertyKey::atom(vm.names.length) && !(object->flags & LengthReadOnly);
    if (LIKELY(TRY(defineOwnProperty(vm, object, key, descriptor))))
        return {};
    if (isLength && stoppedByElement(vm, object, descriptor))
        return throwError(vm, Error::DeleteFailed, PropertyKey::index(static_cast<Array*>(object)->length() - 1),
            Value::object(object));
    return throwDefineRefused(vm, object, key);
}

Completion<bool> createDataProperty(Vm& vm, Object* object, PropertyKey key, Value value) {
    return defineOwnProperty(vm, object, key, Descriptor::data(value, AllAttributes));
}

Completion<void> createDataPropertyOrThrow(Vm& vm, Object* object, PropertyKey key, Value value) {
    return defineOrThrow(vm, object, key, Descriptor::data(value, AllAttributes));
}

void defineDirect(Vm& vm, Object* object, PropertyKey key, Value value, u8 attributes) {
    Lookup current = findOwn(vm, object, key);
    if (current.type == Lookup::Exotic) {
        truncateArray(static_cast<Array*>(object), u32(value.asNumber()));
        return;
    }
    if (key.isIndex()) {
        auto done = current.found() ? replaceElement(vm, object, key.asIndex(), value, attributes)
                                    : addElement(vm, object, key.asIndex(), value, attributes);
        // Only the memory limit refuses; the run is terminating then.
        (void)done;
        return;
    }
    if (!current.found())
        return addNamed(vm, object, key, value, attributes);
    if ((current.attributes & ~(ValueCached | NeverValueCached)) == attributes && !(attributes & AccessorProperty))
        return writeSlot(vm, object, current.slot, value);
    reconfigureSlot(vm, object, current.slot, value, attributes);
}

void defineAccessorDirect(Vm& vm, Object* object, PropertyKey key, Value getter, Value setter, u8 attributes) {
    defineDirect(vm, object, key, Value::cell(newAccessor(vm, getter, setter)),
        (attributes & BothAttributes) | AccessorProperty);
}

// ---- 10.1.10 [[Delete]]

static void deleteElement(const Lookup& own) {
    Elements& elements = *own.holder->elements();
    if (elements.isSparse())
        return removeSparse(elements, own.slot);
    elements.dense()[own.slot] = Value::hole();
    if (own.slot + 1 == elements.denseLength)
        elements.denseLength--;
}

/// The property added last by an object with a shared shape: the object goes back to the shape before.
static bool stepBack(Object* object, Shape* shape, u32 slot) {
    Shape* parent = shape->parent;
    if (shape->isUnique() || !parent || slot + 1 != shape->count || parent->count != slot)
        return false;
    object->slot(slot) = Value::undefined();
    object->shape = parent->id;
    return true;
}

static void deleteNamed(Vm& vm, Object* object, u32 slot) {
    Shape* shape = shapeOf(vm, object);
    if (stepBack(object, shape, slot))
        return;
    makeUnique(vm, object);
    shape = shapeOf(vm, object);
    PropertyEntry& entry = entryAt(shape, slot);
    bool valueCached = entry.attributes & ValueCached;
    entry = {0, 0};
    shape->table->deleted++;
    object->slot(slot) = Value::undefined();
    structureChanged(vm, object, shape);
    if (valueCached && !(object->flags & IsPrototype))
        vm.prototypeChanged();
}

Completion<bool> deleteProperty(Vm& vm, Object* object, PropertyKey key) {
    if (UNLIKELY(isProxy(object)))
        return proxyDelete(vm, object, key);
    u64 index;
    if (UNLIKELY(isTypedArray(object)) && numericIndex(asTypedArray(object), key, index))
        return index == NoElement;
    if (object->isCallable() && (object->flags & HasLazyProperties))
        materializeFunction(vm, object);
    Lookup own = findOwn(vm, object, key);
    if (!own.found())
        return true;
    if (!(own.attributes & Configurable))
        return false;
    if (key.isIndex())
        deleteElement(own);
    else
        deleteNamed(vm, object, own.slot);
    return true;
}

Completion<void> deleteOrThrow(Vm& vm, Object* object, PropertyKey key) {
    if (LIKELY(TRY(deleteProperty(vm, object, key))))
        return {};
    if (isProxy(refusing(vm, object, "deleteProperty")))
        return throwError(vm, Error::ProxyFalsishFor, "deleteProperty", key);
    return throwError(vm, Error::DeleteFailed, key, Value::object(object));
}

// ---- prototypes

// 10.1.2.1 OrdinarySetPrototypeOf ( O, V )
Completion<bool> setPrototypeOf(Vm& vm, Object* object, Object* prototype) {
    if (UNLIKELY(isProxy(object)))
        return proxySetPrototypeOf(vm, object, prototype);
    Shape* shape = shapeOf(vm, object);
    if (shape->prototype == prototype)
        return true;
    if (!object->isExtensible() || (vm.realm && object == vm.realm->intrinsics[size_t(Intrinsic::ObjectPrototype)]))
        return false;
    // Step 8.c.i: the walk ends at a proxy, which has no prototype of its own.
    u32 steps = 0;
    for (Object* above = prototype; above; above = prototypeOf(vm, above), steps++)
        if (above == object)
            return false;
    vm.charge(steps / 4);
    if (!object->isCallable() && shape->prototype && vm.prototypeReplacedHook)
        vm.prototypeReplacedHook(vm, object);
    if (!shape->isUnique()) {
        object->shape = shapeWithPrototype(vm, shape, prototype)->id;
        return true;
    }
    if (prototype)
        becomePrototype(vm, prototype);
    shape->prototype = prototype;
    structureChanged(vm, object, shape);
    return true;
}

// ---- integrity

static void narrowNamed(Vm& vm, Object* object, ShapeStep step) {
    if (object->isCallable() && (object->flags & HasLazyProperties))
        materializeFunction(vm, object);
    Shape* shape = shapeOf(vm, object);
    if (!shape->isUnique()) {
        object->shape = shapeWithStep(vm, shape, step)->id;
        return;
    }
    if (step == StepPreventExtensions)
        return;
    for (u32 i = 0; i < shape->count; i++) {
        PropertyEntry& entry = entryAt(shape, i);
        if (entry.key && !PropertyKey::fromBits(entry.key).isPrivate())
            entry.attributes = attributesAfterStep(entry.attributes, step);
    }
    structureChanged(vm, object, shape);
}

static void narrowElements(Object* object, ShapeStep step) {
    if (step == StepFreeze && kindOf(object) == Kind::Array)
        object->flags |= LengthReadOnly;
    if (step == StepPreventExtensions)
        return;
    Elements* elements = object->elements();
    if (!elements || !elements->isSparse()) {
        object->flags |= step == StepFreeze ? ElementsFrozen | ElementsSealed : ElementsSealed;
        return;
    }
    auto* table = static_cast<SparseElements*>(elements->storage.get());
    for (u32 i = 0; i < table->capacity; i++)
        table->entries[i].attributes = attributesAfterStep(table->entries[i].attributes, step);
}

static void narrow(Vm& vm, Object* object, ShapeStep step) {
    if (step == StepPreventExtensions && !object->isExtensible())
        return;
    narrowNamed(vm, object, step);
    narrowElements(object, step);
    object->flags |= NotExtensible;
}

Completion<bool> preventExtensions(Vm& vm, Object* object) {
    if (UNLIKELY(isProxy(object)))
        return proxyPreventExtensions(vm, object);
    if (UNLIKELY(isTypedArray(object)) && !isFixedLength(asTypedArray(object)))
        return false;
    narrow(vm, object, StepPreventExtensions);
    return true;
}

/// 7.3.14 SetIntegrityLevel in the steps that a script can watch.
static Completion<bool> setIntegrityStepwise(Vm& vm, Object* object, Integrity level) {
    if (!TRY(preventExtensions(vm, object)))
        return false;
    Array* keys = TRY(ownKeyList(vm, object, StringKeys | SymbolKeys));
    for (u32 i = 0; i < keys->length(); i++) {
        PropertyKey key = PropertyKey::fromBits(keys->elements_.dense()[i].bits());
        Descriptor descriptor;
        descriptor.has = Descriptor::HasConfigurable;
        if (level == Integrity::Frozen) {
            Lookup current = TRY(ownProperty(vm, object, key));
            if (!current.found())
                continue;
            if (!current.isAccessor())
                descriptor.has |= Descriptor::HasWritable;
        }
        TRY(defineOrThrow(vm, object, key, descriptor));
    }
    return true;
}

static bool isNarrowed(Vm& vm, Object* object, Integrity level);

Completion<bool> setIntegrity(Vm& vm, Object* object, Integrity level) {
    if (UNLIKELY(isProxy(object) || isNamespace(object)))
        return setIntegrityStepwise(vm, object, level);
    if (UNLIKELY(isTypedArray(object))) {
        if (!TRY(preventExtensions(vm, object)))
            return false;
        // 10.4.5.3: elements are always writable. They are always configurable, too; V8 seals what is not an element.
        if (level == Integrity::Frozen && asTypedArray(object)->currentLength())
            return throwError(vm, Error::TypedArrayFreeze);
    }
    // Frozen again: the shape would change to no end.
    if (!object->isExtensible() && isNarrowed(vm, object, level))
        return true;
    narrow(vm, object, level == Integrity::Frozen ? StepFreeze : StepSeal);
    return true;
}

static bool isNarrow(u8 attributes, Integrity level) {
    if (attributes & Configurable)
        return false;
    return level == Integrity::Sealed || (attributes & AccessorProperty) || !(attributes & Writable);
}

static bool elementsAreNarrow(Object* object, Integrity level) {
    if (UNLIKELY(isTypedArray(object)))
        return level == Integrity::Sealed || asTypedArray(object)->currentLength() == 0;
    Elements* elements = object->elements();
    if (!elements)
        return true;
    if (!elements->isSparse()) {
        for (u32 i = 0; i < elements->denseLength; i++)
            if (!elements->dense()[i].isHole())
                return isNarrow(denseAttributes(object), level);
        return true;
    }
    auto* table = static_cast<SparseElements*>(elements->storage.get());
    for (u32 i = 0; i < table->capacity; i++)
        if (table->entries[i].state == 1 && !isNarrow(table->entries[i].attributes, level))
            return false;
    return true;
}

/// 7.3.15 TestIntegrityLevel in the steps that a script can watch.
static Completion<bool> testIntegrityStepwise(Vm& vm, Object* object, Integrity level) {
    if (TRY(isExtensible(vm, object)))
        return false;
    Array* keys = TRY(ownKeyList(vm, object, StringKeys | SymbolKeys));
    for (u32 i = 0; i < keys->length(); i++) {
        Lookup current = TRY(ownProperty(vm, object, PropertyKey::fromBits(keys->elements_.dense()[i].bits())));
        if (current.found() && !isNarrow(current.attributes, level))
            return false;
    }
    return true;
}

Completion<bool> testIntegrity(Vm& vm, Object* object, Integrity level) {
    bool isPlain = !isProxy(object) && !isNamespace(object);
    return LIKELY(isPlain) ? isNarrowed(vm, object, level) : testIntegrityStepwise(vm, object, level);
}

static bool isNarrowed(Vm& vm, Object* object, Integrity level) {
    if (object->isExtensible())
        return false;
    if (object->isCallable() && (object->flags & HasLazyProperties))
        materializeFunction(vm, object);
    Shape* shape = shapeOf(vm, object);
    for (u32 i = 0; i < shape->count; i++) {
        PropertyEntry entry = entryAt(shape, i);
        if (entry.key && !PropertyKey::fromBits(entry.key).isPrivate() && !isNarrow(entry.attributes, level))
            return false;
    }
    if (kindOf(object) == Kind::Array && level == Integrity::Frozen && !(object->flags & LengthReadOnly))
        return false;
    return elementsAreNarrow(object, level);
}

}
