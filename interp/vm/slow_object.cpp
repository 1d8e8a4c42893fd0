// Slow paths that make things: literals, classes, property definitions, template objects.
#include "interp/vm/slow_paths.h"
#include "runtime/core/call.h"
#include "runtime/core/error.h"
#include "runtime/core/private_names.h"
#include <algorithm>

namespace scr {

static bool done(Completion<void> result) { return !result.threw(); }

static PropertyKey keyAt(Value* base, Const name) {
    return PropertyKey::fromBits(codeOf(base)->constant(name.n).bits());
}

Environment* copyEnvironment(Vm& vm, Environment* source) {
    Environment* copy = newEnvironment(vm, source->parent, source->count());
    for (u32 i = 0; i < source->count(); i++)
        copy->slots[i] = source->slots[i];
    return copy;
}

// ---- definitions

bool slowDefineField(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::DefineField>(pc);
    publish(vm, pc, base);
    Object* object = base[insn.object.n].asObject();
    PropertyKey key = keyAt(base, insn.name);
    u32 before = object->shape;
    Shape* shapeBefore = shapeFromId(vm, before);
    bool defined = key.isPrivate() ? done(privateAdd(vm, object, key, base[insn.src.n]))
                                   : done(createDataPropertyOrThrow(vm, object, key, base[insn.src.n]));
    if (!defined)
        return false;
    Shape* now = shapeOf(vm, object);
    if (kindOf(object) != Kind::Object || now->isUnique() || shapeBefore->isUnique()
        || now->count != shapeBefore->count + 1 || now->prototype.get() != shapeBefore->prototype.get()
        || entryAt(now, now->count - 1).key != key.bits())
        return true;
    CacheEntry entry{};
    entry.key = before;
    if (slotPlace(object, now->count - 1, entry.offset) != CacheForm::Inline)
        return true;
    entry.form = CacheForm::AddInline;
    entry.pointer = now->id;
    now->flags |= ShapeCached;
    fillSite(vm, codeOf(base), const_cast<u64*>(pc), defineFieldForms, entry, key);
    return true;
}

bool slowDefineElement(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::DefineElement>(pc);
    publish(vm, pc, base);
    auto define = [&]() -> Completion<void> {
        PropertyKey key = TRY(toPropertyKey(vm, base[insn.key.n]));
        return createDataPropertyOrThrow(vm, base[insn.object.n].asObject(), key, base[insn.src.n]);
    };
    return done(define());
}

bool slowDefineMethod(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::DefineMethod>(pc);
    publish(vm, pc, base);
    auto define = [&]() -> Completion<void> {
        PropertyKey key = TRY(toPropertyKey(vm, base[insn.key.n]));
        return defineOrThrow(
            vm, base[insn.object.n].asObject(), key, PropertyDescriptor::data(base[insn.function.n], HiddenAttributes));
    };
    return done(define());
}

template <class I> static bool defineAccessor(Vm& vm, const u64* pc, Value* base, bool isGetter, bool enumerable) {
    const auto& insn = at<I>(pc);
    publish(vm, pc, base);
    auto define = [&]() -> Completion<void> {
        PropertyKey key = TRY(toPropertyKey(vm, base[insn.key.n]));
        PropertyDescriptor descriptor;
        descriptor.has = PropertyDescriptor::HasEnumerable | PropertyDescriptor::HasConfigurable
            | (isGetter ? PropertyDescriptor::HasGet : PropertyDescriptor::HasSet);
        descriptor.attributes = u8(Configurable | (enumerable ? Enumerable : 0));
        (isGetter ? descriptor.getter : descriptor.setter) = base[insn.function.n];
        return defineOrThrow(vm, base[insn.object.n].asObject(), key, descriptor);
    };
    return done(define());
}
bool slowDefineGetter(Vm& vm, const u64* pc, Value* base) {
    return defineAccessor<ops::DefineGetter>(vm, pc, base, true, true);
}
bool slowDefineSetter(Vm& vm, const u64* pc, Value* base) {
    return defineAccessor<ops::DefineSetter>(vm, pc, base, false, true);
}
bool slowDefineClassGetter(Vm& vm, const u64* pc, Value* base) {
    return defineAccessor<ops::DefineClassGetter>(vm, pc, base, true, false);
}
bool slowDefineClassSetter(Vm& vm, const u64* pc, Value* base) {
    return defineAccessor<ops::DefineClassSetter>(vm, pc, base, false, false);
}

// 10.2.9 SetFunctionName
static Completion<String*> functionName(Vm& vm, PropertyKey key, int prefix) {
    Value name = keyToValue(vm, key);
    String* text;
    if (name.isSymbol()) {
        Value description = name.asSymbol()->description;
        text = emptyString(vm);
        if (description.isString()) {
            text = TRY(concatenate(vm, newAscii(vm, "["), description.asString()));
            text = TRY(concatenate(vm, text, newAscii(vm, "]")));
        }
    } else {
        text = name.asString();
    }
    if (prefix)
        text = TRY(concatenate(vm, newAscii(vm, prefix == 1 ? "get " : "set "), text));
    return text;
}

bool slowSetFunctionName(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::SetFunctionName>(pc);
    publish(vm, pc, base);
    auto name = [&]() -> Completion<void> {
        Object* function = base[insn.function.n].asObject();
        PropertyKey nameKey = PropertyKey::atom(vm.names.name);
        PropertyKey key = TRY(toPropertyKey(vm, base[insn.key.n]));
        String* text = TRY(functionName(vm, key, insn.prefix.value));
        // A class with a static `name` of its own keeps it.
        if (function->flags & HasLazyProperties)
            materializeFunction(vm, function);
        Lookup own = getOwnProperty(vm, function, nameKey);
        if (own.found() && (own.type != Lookup::Data || !own.value.isString() || own.value.asString()->length))
            return {};
        return defineOrThrow(vm, function, nameKey, PropertyDescriptor::data(Value::string(text), Configurable));
    };
    return done(name());
}

bool slowSetLiteralPrototype(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::SetLiteralPrototype>(pc);
    publish(vm, pc, base);
    Value value = base[insn.value.n];
    if (!value.isObject() && !value.isNull())
        return true;
    return !setPrototypeOf(vm, base[insn.object.n].asObject(), value.isNull() ? nullptr : value.asObject()).threw();
}

// 7.3.26 CopyDataProperties
bool slowCopyDataProperties(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::CopyDataProperties>(pc);
    publish(vm, pc, base);
    Value source = base[insn.source.n];
    if (source.isNullish())
        return true;
    auto copy = [&]() -> Completion<void> {
        Object* from = TRY(toObject(vm, source));
        Object* target = base[insn.object.n].asObject();
        std::vector<u64> excluded;
        for (u32 i = 0; i < insn.excluded.n; i++)
            excluded.push_back(TRY(toPropertyKey(vm, base[insn.object.n + 1 + i])).bits());
        Array* keys = TRY(ownKeyList(vm, from, StringKeys | SymbolKeys));
        for (u32 i = 0; i < keys->length(); i++) {
            PropertyKey key = PropertyKey::fromBits(keys->elements_.dense()[i].bits());
            if (std::find(excluded.begin(), excluded.end(), key.bits()) != excluded.end())
                continue;
            Lookup own = TRY(ownProperty(vm, from, key));
            if (!own.found() || !(own.attributes & Enumerable))
                continue;
            Value value = TRY(get(vm, from, key));
            TRY(createDataPropertyOrThrow(vm, target, key, value));
        }
        return {};
    };
    return done(copy());
}

/// The first property of a pattern, as it stands in the text at the place's point; empty if it has none or a computed
/// one.
static std::string firstProperty(Code* code, const u64* pc) {
    const Place* place = findPlace(code, u32(pc - code->words));
    const std::string& text = code->script->source->text;
    if (!place)
        return {};
    size_t begin = place->point, end = begin;
    bool isQuoted = begin < text.size() && (text[begin] == '"' || text[begin] == '\'');
    begin += isQuoted;
    auto continues = [&](char c) {
        return isQuoted ? c != text[place->point] : isalnum(u8(c)) || c == '_' || c == '$' || u8(c) >= 0x80;
    };
    for (end = begin; end < text.size() && continues(text[end]);)
        end++;
    return text.substr(begin, end - begin);
}

bool slowCheckObjectCoercible(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::CheckObjectCoercible>(pc);
    publish(vm, pc, base);
    Value value = base[insn.a.n];
    std::string text = expressionText(vm, codeOf(base), pc), property = firstProperty(codeOf(base), pc);
    std::string shown = value.isNull() ? "null" : "undefined";
    bool isNested = text.starts_with('{') && text != "{}"; // a pattern in a pattern: nothing to name
    if (text.empty() || isNested)
        text = text.empty() && !property.empty() && value.isNull() ? "object null" : shown;
    if (property.empty())
        (void)throwError(vm, Error::DestructureNullish, std::string_view(text), std::string_view(shown));
    else if (isNested)
        (void)throwError(vm, Error::ReadOfNullish, std::string_view(shown), std::string_view(property));
    else
        (void)throwError(vm, Error::DestructureProperty, std::string_view(property), std::string_view(text),
            std::string_view(shown));
    return false;
}

// ---- literals

bool slowNewObject(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::NewObject>(pc);
    publish(vm, pc, base);
    Realm* realm = codeOf(base)->realm;
    u32 slots = insn.inlineSlots.n;
    Shape* shape = slots <= 8
        ? realm->objectShapes[slots].get()
        : rootShape(vm, realm->intrinsic(vm, Intrinsic::ObjectPrototype), u8(slots < 32 ? slots : 32));
    base[insn.dst.n] = Value::object(newInstance(vm, shape));
    return true;
}

bool slowNewObjectLiteral(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::NewObjectLiteral>(pc);
    publish(vm, pc, base);
    Code* code = codeOf(base);
    auto* keys = static_cast<Array*>(code->constant(insn.keys.n).asObject());
    u32 count = keys->elements_.denseLength;
    Shape* shape = rootShape(vm, code->realm->intrinsic(vm, Intrinsic::ObjectPrototype), u8(count));
    for (u32 i = 0; i < count; i++)
        shape = shapeWithProperty(vm, shape, PropertyKey::fromBits(keys->elements_.dense()[i].bits()), AllAttributes);
    Object* object = newInstance(vm, shape);
    for (u32 i = 0; i < count; i++)
        object->inlineSlots()[i] = base[insn.first.n + i];
    base[insn.dst.n] = Value::object(object);
    shape->flags |= ShapeCached;
    const_cast<u64*>(pc)[1] = u64(shape);
    return true;
}

bool slowNewArray(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::NewArray>(pc);
    publish(vm, pc, base);
    vm.realm = codeOf(base)->realm;
    base[insn.dst.n] = Value::object(newArrayFrom(vm, &base[insn.first.n], insn.count.n));
    return true;
}

bool slowArrayPush(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::ArrayPush>(pc);
    publish(vm, pc, base);
    return done(pushDense(vm, static_cast<Array*>(base[insn.array.n].asObject())->elements_, base[insn.value.n]));
}

bool slowArrayPushHole(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::ArrayPushHole>(pc);
    publish(vm, pc, base);
    return done(pushDense(vm, static_cast<Array*>(base[insn.array.n].asObject())->elements_, Value::hole()));
}

/// False: `loop` has become the registers of a loop over a generator.
static Completion<bool> spread(Vm& vm, const u64* pc, Value* base, Array* target, Value* loop) {
    if (iteratesAsArray(vm, loop[0])) {
        TRY(appendElements(vm, target, static_cast<Array*>(loop[0].asObject())));
        return true;
    }
    IteratorRecord record = TRY(openIterator(vm, pc, base, loop[0]));
    if (UNLIKELY(!isCallable(record.nextMethod)))
        return throwSpreadNext(vm, pc, base, record);
    if (isPlainGenerator(vm, record)) {
        loop[0] = record.iterator;
        loop[1] = record.nextMethod;
        loop[2] = Value::int32(StateGenerator);
        return false;
    }
    Value value;
    while (TRY(iteratorStep(vm, record, value))) {
        TRY(vm.work(1));
        TRY(pushDense(vm, target->elements_, value));
    }
    return true;
}

int slowArraySpread(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::ArraySpread>(pc);
    publish(vm, pc, base);
    auto* target = static_cast<Array*>(base[insn.array.n].asObject());
    Completion<bool> all = spread(vm, pc, base, target, &base[insn.first.n]);
    return all.threw() ? -1 : all.value();
}

// 15.7.14 ClassDefinitionEvaluation steps 8 to 14
bool slowNewClass(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::NewClass>(pc);
    publish(vm, pc, base);
    Code* code = codeOf(base);
    Value& constructorRegister = base[insn.dst.n];
    Value& prototypeRegister = base[insn.dst.n + 1];
    auto make = [&]() -> Completion<void> {
        Value heritage = constructorRegister;
        Object* protoParent = code->realm->intrinsic(vm, Intrinsic::ObjectPrototype);
        Object* constructorParent = code->realm->intrinsic(vm, Intrinsic::FunctionPrototype);
        if (heritage.isNull()) {
            protoParent = nullptr;
        } else if (!heritage.isHole()) {
            if (!isConstructor(heritage))
                return throwError(vm, Error::ExtendsNotConstructor, heritage);
            Value parent = TRY(get(vm, heritage.asObject(), PropertyKey::atom(vm.names.prototype)));
            if (!parent.isObject() && !parent.isNull())
                return throwError(vm, Error::ExtendsPrototype, parent);
            protoParent = parent.isNull() ? nullptr : parent.asObject();
            constructorParent = heritage.asObject();
        }
        auto* environment = prototypeRegister.as<Environment>();
        Object* prototype = newObject(vm, protoParent, 0);
        becomePrototype(vm, prototype);
        Function* constructor = newClosure(vm, code->constant(insn.code.n).as<Code>(), environment);
        constructor->flags &= u8(~HasLazyProperties);
        if (constructorParent != code->realm->intrinsic(vm, Intrinsic::FunctionPrototype))
            MUST(setPrototypeOf(vm, constructor, constructorParent));
        makeUnique(vm, constructor);
        defineDirect(
            vm, constructor, PropertyKey::atom(vm.names.length), Value::int32(constructor->info->length), Configurable);
        defineDirect(
            vm, constructor, PropertyKey::atom(vm.names.name), Value::string(constructor->info->name), Configurable);
        defineDirect(vm, constructor, PropertyKey::atom(vm.names.prototype), Value::object(prototype), 0);
        defineDirect(
            vm, prototype, PropertyKey::atom(vm.names.constructor), Value::object(constructor), HiddenAttributes);
        constructorRegister = Value::object(constructor);
        prototypeRegister = Value::object(prototype);
        return {};
    };
    return done(make());
}

// 13.2.8.4 GetTemplateObject
bool slowGetTemplateObject(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::GetTemplateObject>(pc);
    publish(vm, pc, base);
    Code* code = codeOf(base);
    vm.realm = code->realm;
    auto make = [&]() -> Completion<void> {
        auto* strings = static_cast<Array*>(code->constant(insn.strings.n).asObject());
        u32 count = strings->length() / 2;
        Array* cooked = newArrayFrom(vm, strings->elements_.dense(), count);
        Array* raw = newArrayFrom(vm, strings->elements_.dense() + count, count);
        TRY(setIntegrity(vm, raw, Integrity::Frozen));
        defineDirect(vm, cooked, PropertyKey::atom(vm.names.raw), Value::object(raw), 0);
        TRY(setIntegrity(vm, cooked, Integrity::Frozen));
        code->words[-1 - i64(insn.strings.n)] = Value::object(cooked).bits();
        const_cast<u64*>(pc)[1] = 1;
        base[insn.dst.n] = Value::object(cooked);
        return {};
    };
    return done(make());
}

// 10.4.4.7 CreateUnmappedArgumentsObject
Object* newArguments(Vm& vm, Realm* realm, const Value* args, u32 argc) {
    Object* prototype = realm->intrinsic(vm, Intrinsic::ObjectPrototype);
    Object* arguments = allocateObject(vm, Kind::Arguments, sizeof(Object), rootShape(vm, prototype, 0));
    defineDirect(vm, arguments, PropertyKey::atom(vm.names.length), Value::number(argc), HiddenAttributes);
    for (u32 i = 0; i < argc; i++)
        defineDirect(vm, arguments, PropertyKey::index(i), args[i], AllAttributes);
    Value values = Value::object(realm->intrinsic(vm, Intrinsic::ArrayPrototypeValues));
    defineDirect(vm, arguments, PropertyKey::symbol(vm.symbols.iterator), values, HiddenAttributes);
    Value thrower = Value::object(realm->intrinsic(vm, Intrinsic::ThrowTypeError));
    defineAccessorDirect(vm, arguments, PropertyKey::atom(vm.names.callee), thrower, thrower, 0);
    return arguments;
}

}
