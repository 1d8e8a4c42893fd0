// Builds a realm from builtins.def and knows no name of its own. Start is cheap because nearly everything waits: an
// intrinsic is made when somebody asks for it (Realm::intrinsic or a LazyBuiltin slot of the global object), a method
// when its slot is first looked up; until then the slot holds the number of the table's line.
// Invariant: an intrinsic is entered in Realm::intrinsics before its properties are made, so cycles end there.
#include "runtime/builtins/native.h"

#include "runtime/builtins/class_name.h"
#include "runtime/builtins/disposable_stack.h"
#include "runtime/builtins/makers.h"
#include "runtime/builtins/timer_support.h"
#include "runtime/core/module.h"
#include "runtime/core/suspension.h"
#include "runtime/core/weak.h"

#include <cmath>
#include <cstring>
#include <iterator>

namespace scr {

// ---- The functions of the table, declared.
#define OBJECT(Name, Prototype)
#define EXOTIC(Name, Prototype, maker) Object* maker(Vm&, Object*);
#define CLASS(Constructor, Prototype, name, function, length) Result function(Vm&, Args);
#define SUBCLASS(Constructor, Prototype, name, function, length, Parent) Result function(Vm&, Args);
#define FUNCTION(Name, name, function, length) Result function(Vm&, Args);
#define METHOD(Holder, name, function, length) Result function(Vm&, Args);
#define METHOD_AS(Holder, name, function, length, attributes) Result function(Vm&, Args);
#define GETTER(Holder, name, function) Result function(Vm&, Args);
#define GETTER_AS(Holder, name, function, attributes) Result function(Vm&, Args);
#define ACCESSOR(Holder, name, getter, setter)                                                                         \
    Result getter(Vm&, Args);                                                                                          \
    Result setter(Vm&, Args);
#define RESTRICTED(Holder, name)
#define LINK(Holder, name, Target)
#define LINK_AS(Holder, name, Target, attributes)
#define ALIAS(Holder, name, other)
#define CONSTANT(Holder, name, expression)
#define VALUE(Holder, name, expression)
#define VALUE_AS(Holder, name, expression, attributes)
#define LAZY(Holder, name, maker, attributes) Value maker(Vm&);
#define EXPORTED(Holder, name, module, attributes)
#define TAG(Holder, text)
#define GLOBAL(name, Target)
#define GLOBAL_METHOD(name, function, length) Result function(Vm&, Args);
#define GLOBAL_VISIBLE(name, function, length) Result function(Vm&, Args);
#include "runtime/builtins/builtins.def"
#undef OBJECT
#undef EXOTIC
#undef CLASS
#undef SUBCLASS
#undef FUNCTION
#undef METHOD
#undef METHOD_AS
#undef GETTER
#undef GETTER_AS
#undef ACCESSOR
#undef RESTRICTED
#undef LINK
#undef LINK_AS
#undef ALIAS
#undef CONSTANT
#undef VALUE
#undef VALUE_AS
#undef LAZY
#undef EXPORTED
#undef TAG
#undef GLOBAL
#undef GLOBAL_METHOD
#undef GLOBAL_VISIBLE

namespace {

constexpr Intrinsic None = Intrinsic::Count;
constexpr u32 NoEntry = ~0u;

/// One line of the table. Which fields mean something depends on the type.
struct Entry {
    enum Type : u8 {
        Plain,
        Exotic,
        Class,
        Function,
        Method,
        Getter,
        Accessor,
        Restricted,
        Link,
        Alias,
        Constant,
        Lazy,
        Exported
    };
    Type type;
    u8 attributes;
    u16 length;
    Intrinsic holder; ///< of a property; of a definition the intrinsic it makes
    Intrinsic target; ///< prototype, parent class or the intrinsic linked to
    Intrinsic instances; ///< Class: the prototype object that belongs to it
    std::string_view name; ///< as written in the table: "at" in its quotes, or @@iterator
    NativeCode code;
    NativeCode setter;
    Object* (*make)(Vm& vm, Object* prototype);
    Value (*evaluate)(Vm& vm, Realm* realm);
    Value (*lazy)(Vm& vm);
    std::string_view other; ///< of an Alias; of an Exported the module

    constexpr bool defines() const { return type <= Function; }
};

constexpr Entry property(Entry::Type type, Intrinsic holder, std::string_view name, u8 attributes) {
    Entry entry{};
    entry.type = type;
    entry.holder = holder;
    entry.name = name;
    entry.attributes = attributes;
    return entry;
}
constexpr Entry definition(
    Entry::Type type, Intrinsic made, Intrinsic target, Object* (*make)(Vm&, Object*) = nullptr) {
    Entry entry{};
    entry.type = type;
    entry.holder = made;
    entry.target = target;
    entry.make = make;
    return entry;
}
constexpr Entry classEntry(
    Intrinsic made, Intrinsic instances, std::string_view name, NativeCode code, u16 length, Intrinsic parent) {
    Entry entry = definition(Entry::Class, made, parent);
    entry.instances = instances;
    entry.name = name;
    entry.code = code;
    entry.length = length;
    return entry;
}
constexpr Entry functionEntry(Intrinsic made, std::string_view name, NativeCode code, u16 length) {
    Entry entry = definition(Entry::Function, made, Intrinsic::FunctionPrototype);
    entry.name = name;
    entry.code = code;
    entry.length = length;
    return entry;
}
constexpr Entry methodEntry(Intrinsic holder, std::string_view name, NativeCode code, u16 length, u8 attributes) {
    Entry entry = property(Entry::Method, holder, name, attributes);
    entry.code = code;
    entry.length = length;
    return entry;
}
constexpr Entry accessorEntry(Entry::Type type, Intrinsic holder, std::string_view name, NativeCode getter,
    NativeCode setter, u8 attributes = Configurable) {
    Entry entry = property(type, holder, name, attributes);
    entry.code = getter;
    entry.setter = setter;
    return entry;
}
constexpr Entry linkEntry(Intrinsic holder, std::string_view name, Intrinsic target, u8 attributes = HiddenAttributes) {
    Entry entry = property(Entry::Link, holder, name, attributes);
    entry.target = target;
    return entry;
}
constexpr Entry aliasEntry(Intrinsic holder, std::string_view name, std::string_view other) {
    Entry entry = property(Entry::Alias, holder, name, HiddenAttributes);
    entry.other = other;
    return entry;
}
constexpr Entry valueEntry(Intrinsic holder, std::string_view name, u8 attributes, Value (*evaluate)(Vm&, Realm*)) {
    Entry entry = property(Entry::Constant, holder, name, attributes);
    entry.evaluate = evaluate;
    return entry;
}
constexpr Entry lazyEntry(Intrinsic holder, std::string_view name, Value (*lazy)(Vm&), u8 attributes) {
    Entry entry = property(Entry::Lazy, holder, name, attributes);
    entry.lazy = lazy;
    return entry;
}
constexpr Entry exportedEntry(Intrinsic holder, std::string_view name, std::string_view module, u8 attributes) {
    Entry entry = property(Entry::Exported, holder, name, attributes);
    entry.other = module;
    return entry;
}

// `using enum` would clash with types of the same names, so the macros qualify; None stands for "no prototype".
struct Which {
#define INTRINSIC(Name) static constexpr Intrinsic Name = Intrinsic::Name;
#include "runtime/core/intrinsics.def"
#undef INTRINSIC
    static constexpr Intrinsic None = Intrinsic::Count;
};

#define EVALUATED(expression)                                                                                          \
    +[]([[maybe_unused]] Vm& vm, [[maybe_unused]] Realm* realm) -> Value { return expression; }
#define OBJECT(Name, Prototype) definition(Entry::Plain, Which::Name, Which::Prototype),
#define EXOTIC(Name, Prototype, maker) definition(Entry::Exotic, Which::Name, Which::Prototype, maker),
#define CLASS(Constructor, Prototype, name, function, length)                                                          \
    classEntry(Which::Constructor, Which::Prototype, #name, function, length, Which::FunctionPrototype),
#define SUBCLASS(Constructor, Prototype, name, function, length, Parent)                                               \
    classEntry(Which::Constructor, Which::Prototype, #name, function, length, Which::Parent),
#define FUNCTION(Name, name, function, length) functionEntry(Which::Name, #name, function, length),
#define METHOD(Holder, name, function, length) methodEntry(Which::Holder, #name, function, length, HiddenAttributes),
#define METHOD_AS(Holder, name, function, length, attributes)                                                          \
    methodEntry(Which::Holder, #name, function, length, attributes),
#define GETTER(Holder, name, function) accessorEntry(Entry::Getter, Which::Holder, #name, function, nullptr),
#define GETTER_AS(Holder, name, function, attributes)                                                                  \
    accessorEntry(Entry::Getter, Which::Holder, #name, function, nullptr, attributes),
#define ACCESSOR(Holder, name, getter, setter) accessorEntry(Entry::Accessor, Which::Holder, #name, getter, setter),
#define RESTRICTED(Holder, name) accessorEntry(Entry::Restricted, Which::Holder, #name, nullptr, nullptr),
#define LINK(Holder, name, Target) linkEntry(Which::Holder, #name, Which::Target),
#define LINK_AS(Holder, name, Target, attributes) linkEntry(Which::Holder, #name, Which::Target, attributes),
#define ALIAS(Holder, name, other) aliasEntry(Which::Holder, #name, #other),
#define CONSTANT(Holder, name, expression) valueEntry(Which::Holder, #name, 0, EVALUATED(expression)),
#define VALUE(Holder, name, expression) valueEntry(Which::Holder, #name, HiddenAttributes, EVALUATED(expression)),
#define VALUE_AS(Holder, name, expression, attributes)                                                                 \
    valueEntry(Which::Holder, #name, attributes, EVALUATED(expression)),
#define LAZY(Holder, name, maker, attributes) lazyEntry(Which::Holder, #name, maker, attributes),
#define EXPORTED(Holder, name, module, attributes) exportedEntry(Which::Holder, #name, module, attributes),
#define TAG(Holder, text) valueEntry(Which::Holder, "@@toStringTag", Configurable, EVALUATED(asciiValue(vm, text))),
#define GLOBAL(name, Target) linkEntry(Which::Global, #name, Which::Target),
#define GLOBAL_METHOD(name, function, length) methodEntry(Which::Global, #name, function, length, HiddenAttributes),
#define GLOBAL_VISIBLE(name, function, length) methodEntry(Which::Global, #name, function, length, AllAttributes),
constexpr Entry entries[] = {
#include "runtime/builtins/builtins.def"
};
#undef EVALUATED
#undef OBJECT
#undef EXOTIC
#undef CLASS
#undef SUBCLASS
#undef FUNCTION
#undef METHOD
#undef METHOD_AS
#undef GETTER
#undef GETTER_AS
#undef ACCESSOR
#undef RESTRICTED
#undef LINK
#undef LINK_AS
#undef ALIAS
#undef CONSTANT
#undef VALUE
#undef VALUE_AS
#undef LAZY
#undef EXPORTED
#undef TAG
#undef GLOBAL
#undef GLOBAL_METHOD
#undef GLOBAL_VISIBLE
constexpr u32 EntryCount = u32(std::size(entries));

/// Where an intrinsic is made and where its properties stand, worked out by the compiler.
struct Place {
    u32 definition = NoEntry;
    u32 classOf = NoEntry; ///< of a prototype: the line of its constructor
    u32 begin = 0, end = 0; ///< its properties lie in [begin, end); other holders' lines may stand between
    bool listsConstructor = false;
};
struct Places {
    Place of[size_t(Intrinsic::Count)];
};
constexpr Places findPlaces() {
    Places places;
    for (u32 i = 0; i < EntryCount; i++) {
        const Entry& entry = entries[i];
        Place& place = places.of[size_t(entry.holder)];
        if (entry.defines()) {
            place.definition = i;
            if (entry.type == Entry::Class)
                places.of[size_t(entry.instances)].classOf = i;
            continue;
        }
        if (!place.end)
            place.begin = i;
        place.end = i + 1;
        if (entry.name == "\"constructor\"")
            place.listsConstructor = true;
    }
    return places;
}
constexpr Places places = findPlaces();
inline const Place& placeOf(Intrinsic which) { return places.of[size_t(which)]; }

Symbol* WellKnownSymbols::*const symbolMembers[] = {
#define WELL_KNOWN(id, description) &WellKnownSymbols::id,
#include "runtime/core/symbols.def"
#undef WELL_KNOWN
};
struct SymbolText {
    std::string_view id, description;
};
constexpr SymbolText symbolTexts[] = {
#define WELL_KNOWN(id, description) {#id, description},
#include "runtime/core/symbols.def"
#undef WELL_KNOWN
};

constexpr bool isSymbolName(std::string_view name) { return name[0] == '@'; }
constexpr std::string_view withoutQuotes(std::string_view name) { return name.substr(1, name.size() - 2); }

/// Its number in symbols.def.
size_t symbolNumber(std::string_view name) {
    for (size_t i = 0; i < std::size(symbolTexts); i++)
        if (symbolTexts[i].id == name.substr(2))
            return i;
    UNREACHABLE();
}

PropertyKey keyOfName(Vm& vm, std::string_view name) {
    if (!isSymbolName(name))
        return keyOf(internAscii(vm, withoutQuotes(name)));
    return keyOf(vm.symbols.*symbolMembers[symbolNumber(name)]);
}

/// "[Symbol.iterator]" for @@iterator, with a prefix for accessors.
std::string functionName(std::string_view prefix, std::string_view name) {
    std::string text(prefix);
    if (!isSymbolName(name))
        return text.append(withoutQuotes(name));
    return text.append("[Symbol.").append(name.substr(2)).append("]");
}

Object* newFunction(Vm& vm, NativeCode code, std::string_view prefix, std::string_view name, u16 length) {
    // Object.prototype has accessors and is made first: its functions' own prototype follows here.
    vm.realm->intrinsic(vm, Intrinsic::FunctionPrototype);
    return newNative(vm, code, functionName(prefix, name), length);
}

void addAccessor(Vm& vm, Realm* realm, Object* holder, const Entry& entry) {
    PropertyKey key = keyOfName(vm, entry.name);
    if (entry.type == Entry::Restricted) {
        Value thrower = Value::object(realm->intrinsic(vm, Intrinsic::ThrowTypeError));
        return defineAccessorDirect(vm, holder, key, thrower, thrower, entry.attributes);
    }
    auto* getterFunction = static_cast<NativeFunction*>(newFunction(vm, entry.code, "get ", entry.name, 0));
    if (entry.code == typedArray_length)
        getterFunction->quick = QuickTypedArrayLength;
    if (entry.code == species_getter)
        getterFunction->quick = QuickReceiver;
    Value getter = Value::object(getterFunction);
    Value setter =
        entry.setter ? Value::object(newFunction(vm, entry.setter, "set ", entry.name, 1)) : Value::undefined();
    defineAccessorDirect(vm, holder, key, getter, setter, entry.attributes);
}

void addLazy(Vm& vm, Object* holder, PropertyKey key, u32 number, u8 attributes) {
    defineDirect(vm, holder, key, Value::int32(i32(number)), attributes | LazyBuiltin);
}

void addProperty(Vm& vm, Realm* realm, Object* holder, u32 number) {
    const Entry& entry = entries[number];
    switch (entry.type) {
    case Entry::Method:
    case Entry::Link:
    case Entry::Exported:
    case Entry::Lazy: return addLazy(vm, holder, keyOfName(vm, entry.name), number, entry.attributes);
    case Entry::Getter:
    case Entry::Accessor:
    case Entry::Restricted: return addAccessor(vm, realm, holder, entry);
    case Entry::Alias: {
        Lookup other = getOwnProperty(vm, holder, keyOfName(vm, entry.other));
        return defineDirect(vm, holder, keyOfName(vm, entry.name), other.value, entry.attributes);
    }
    case Entry::Constant:
        return defineDirect(vm, holder, keyOfName(vm, entry.name), entry.evaluate(vm, realm), entry.attributes);
    default: UNREACHABLE();
    }
}

void addProperties(Vm& vm, Realm* realm, Object* holder, Intrinsic which) {
    const Place& place = placeOf(which);
    if (place.classOf != NoEntry && !place.listsConstructor)
        addLazy(vm, holder, keyOf(vm.names.constructor), place.classOf, HiddenAttributes);
    for (u32 i = place.begin; i < place.end; i++)
        if (entries[i].holder == which && !entries[i].defines())
            addProperty(vm, realm, holder, i);
}

/// A constructor or a function that is an intrinsic; its own prototype is the intrinsic named in the entry.
Object* makeFunctionIntrinsic(Vm& vm, Realm* realm, const Entry& entry) {
    NativeFunction* function =
        newNative(vm, entry.code, withoutQuotes(entry.name), entry.length, entry.type == Entry::Class);
    if (entry.target != Intrinsic::FunctionPrototype)
        MUST(setPrototypeOf(vm, function, realm->intrinsic(vm, entry.target)));
    return function;
}

/// The shapes that the VM makes objects with, as soon as their prototype exists.
void rememberShapes(Vm& vm, Realm* realm, Intrinsic which, Object* made) {
    switch (which) {
    case Intrinsic::ObjectPrototype:
        for (u8 capacity = 0; capacity < std::size(realm->objectShapes); capacity++)
            realm->objectShapes[capacity] = rootShape(vm, made, capacity);
        break;
    case Intrinsic::FunctionPrototype:
        realm->functionShape = realm->constructorShape = realm->nativeShape = realm->boundShape =
            rootShape(vm, made, 0);
        break;
    case Intrinsic::ArrayPrototype: realm->arrayShape = rootShape(vm, made, 0); break;
    case Intrinsic::TimeoutPrototype: realm->timeoutShape = rootShape(vm, made, 0); break;
    case Intrinsic::ImmediatePrototype: realm->immediateShape = rootShape(vm, made, 0); break;
    case Intrinsic::PromisePrototype: realm->promiseShape = rootShape(vm, made, 0); break;
    default: break;
    }
}

/// Known: the intrinsic does not exist yet and vm.realm is its realm.
Object* makeObject(Vm& vm, Realm* realm, Intrinsic which, const Entry& entry) {
    if (entry.type == Entry::Class || entry.type == Entry::Function)
        return makeFunctionIntrinsic(vm, realm, entry);
    Object* prototype = entry.target == None ? nullptr : realm->intrinsic(vm, entry.target);
    if (realm->intrinsics[size_t(which)])
        return realm->intrinsics[size_t(which)];
    return entry.type == Entry::Exotic ? entry.make(vm, prototype) : newObject(vm, prototype, 0);
}

Object* buildIntrinsic(Vm& vm, Realm* realm, Intrinsic which) {
    const Place& place = placeOf(which);
    static constexpr Entry Ordinary = definition(Entry::Plain, Intrinsic::Count, Intrinsic::ObjectPrototype);
    CHECK(place.definition != NoEntry || place.classOf != NoEntry);
    const Entry& entry = place.definition != NoEntry ? entries[place.definition] : Ordinary;
    Object* made = makeObject(vm, realm, which, entry);
    if (realm->intrinsics[size_t(which)])
        return realm->intrinsics[size_t(which)];
    realm->intrinsics[size_t(which)] = made;
    if (place.classOf != NoEntry)
        becomePrototype(vm, made);
    rememberShapes(vm, realm, which, made);
    if (made->flags & HasLazyProperties)
        materializeFunction(vm, made);
    if (entry.type == Entry::Function || (entry.type == Entry::Exotic && place.begin == place.end))
        return made;
    makeUnique(vm, made);
    if (entry.type == Entry::Class) {
        Object* instances = realm->intrinsic(vm, entry.instances);
        defineDirect(vm, made, KEY(vm, prototype), Value::object(instances), 0);
    }
    addProperties(vm, realm, made, which);
    return made;
}

/// Runs `make` in the realm: what builtins make belongs to it.
template <class Make> auto inRealm(Vm& vm, Realm* realm, Make make) {
    Realm* running = vm.realm;
    vm.realm = realm;
    auto made = make();
    vm.realm = running;
    return made;
}

Object* intrinsicHook(Vm& vm, Realm* realm, Intrinsic which) {
    return inRealm(vm, realm, [&] { return buildIntrinsic(vm, realm, which); });
}

Value makeMethod(Vm& vm, const Entry& entry) {
    Object* function = newFunction(vm, entry.code, "", entry.name, entry.length);
    static_cast<NativeFunction*>(function)->isHidden = entry.holder == Intrinsic::Internal;
    return Value::object(function);
}

/// What the builtin module exports by that name; a hole if it cannot be loaded now: for want of stack, or because the
/// run ends.
Value makeExported(Vm& vm, const Entry& entry) {
    Value exception = vm.pendingException, newTarget = vm.takeNewTarget();
    auto exports = builtinModule(vm, entry.other);
    Value value = Value::hole();
    if (!exports.threw())
        value = lookup(vm, exports.value(), keyOfName(vm, entry.name)).value;
    vm.pendingException = exception;
    vm.newTarget = newTarget;
    return value;
}

Value makeLazy(Vm& vm, Realm* realm, u32 number) {
    const Entry& entry = entries[number];
    switch (entry.type) {
    case Entry::Method: return makeMethod(vm, entry);
    case Entry::Link: return Value::object(realm->intrinsic(vm, entry.target));
    case Entry::Class: return Value::object(realm->intrinsic(vm, entry.holder));
    case Entry::Lazy: return entry.lazy(vm);
    case Entry::Exported: return makeExported(vm, entry);
    default: UNREACHABLE();
    }
}

/// The realm that `holder` belongs to: objects do not know, but what waits in their slots must be made there.
Realm* realmOfHolder(Vm& vm, Realm* running, u32 number, Object* holder) {
    const Entry& entry = entries[number];
    Intrinsic which = entry.type == Entry::Class ? entry.instances : entry.holder;
    for (Realm* realm : vm.realms)
        if (realm->intrinsics[size_t(which)].get() == holder)
            return realm;
    return running;
}

Value lazyBuiltinHook(Vm& vm, Realm* running, u32 number, Object* holder, PropertyKey) {
    Realm* realm = LIKELY(vm.realms.size() == 1) ? running : realmOfHolder(vm, running, number, holder);
    return inRealm(vm, realm, [&] { return makeLazy(vm, realm, number); });
}

/// 10.4.4.6 CreateUnmappedArgumentsObject: length, Symbol.iterator, callee.
Shape* newArgumentsShape(Vm& vm, Realm* realm) {
    Shape* shape = rootShape(vm, realm->intrinsic(vm, Intrinsic::ObjectPrototype), 0);
    shape = shapeWithProperty(vm, shape, KEY(vm, length), HiddenAttributes);
    shape = shapeWithProperty(vm, shape, SYMBOL(vm, iterator), HiddenAttributes);
    return shapeWithProperty(vm, shape, KEY(vm, callee), AccessorProperty);
}

/// The global object is no intrinsic that anything waits for: its many names are entered at once, their values later.
void makeGlobal(Vm& vm, Realm* realm) {
    Object* global = newObject(vm, realm->intrinsic(vm, Intrinsic::ObjectPrototype), 0);
    realm->global = global;
    realm->intrinsics[size_t(Intrinsic::Global)] = global;
    makeUnique(vm, global);
    addProperties(vm, realm, global, Intrinsic::Global);
    // Code caches the places of its slots: whatever moves them must tell the Vm.
    becomePrototype(vm, global);
}

}

static void registerInlineNatives(Vm& vm) {
    auto set = [&](InlineNative which, NativeCode code) { vm.inlineNatives[size_t(which)] = code; };
    set(InlineNative::CharCodeAt, string_charCodeAt);
    set(InlineNative::ArrayPush, array_push);
    set(InlineNative::GeneratorNext, generator_next);
    set(InlineNative::MathFloor, math_floor);
    set(InlineNative::MathAbs, math_abs);
    set(InlineNative::MathSqrt, math_sqrt);
    set(InlineNative::MathMin, math_min);
    set(InlineNative::MathMax, math_max);
}

Realm* newRealm(Vm& vm) {
    vm.intrinsicHook = intrinsicHook;
    vm.prepareStackHook = prepareStack;
    vm.prototypeReplacedHook = rememberClass;
    vm.promiseElementHook = describePromiseElement;
    vm.lazyBuiltinHook = lazyBuiltinHook;
    registerIteratorKinds(vm.heap);
    registerCollectionKinds(vm.heap);
    registerIteratorMethods(vm.heap);
    registerCallSites(vm.heap);
    registerIteratorSteps(vm);
    registerInlineNatives(vm);
    registerWeakKinds(vm.heap);
    registerPromiseKinds(vm.heap);
    registerSuspensionKinds(vm.heap);
    registerModuleKinds(vm.heap);
    registerDisposalKinds(vm.heap);
    registerDisposableStacks(vm.heap);
    auto* realm = static_cast<Realm*>(vm.heap.allocate(sizeof(Realm), u8(Kind::Realm), 0));
    std::memset(static_cast<void*>(static_cast<Cell*>(realm) + 1), 0, sizeof(Realm) - sizeof(Cell));
    Root<Realm*> keep(vm.roots, realm);
    vm.realms.push_back(realm);
    if (vm.realm)
        realm->intrinsics[size_t(Intrinsic::SymbolRegistry)] = vm.realm->intrinsic(vm, Intrinsic::SymbolRegistry);
    inRealm(vm, realm, [&] {
        realm->intrinsic(vm, Intrinsic::ObjectPrototype);
        realm->intrinsic(vm, Intrinsic::FunctionPrototype);
        realm->intrinsic(vm, Intrinsic::ArrayPrototype);
        realm->argumentsShape = newArgumentsShape(vm, realm);
        makeGlobal(vm, realm);
        return 0;
    });
    if (!vm.realm)
        vm.realm = realm;
    return realm;
}

}
