// What handlers call when their fast path does not apply. Every function takes the running instruction and the frame,
// publishes them, and returns false (or -1) with the exception pending. All may collect; those that convert values or
// touch properties may run script.
#pragma once
#include "interp/bytecode/inline_cache.h"
#include "interp/vm/interpreter.h"
#include "runtime/core/operations.h"
#include "runtime/core/suspension.h"

namespace scr {

/// The instruction, by its operands.
template <class I> ALWAYS_INLINE const I& at(const u64* pc) { return *reinterpret_cast<const I*>(pc); }

ALWAYS_INLINE void publish(Vm& vm, const u64* pc, Value* base) {
    vm.pc = pc;
    vm.base = base;
    vm.realm = codeOf(base)->realm;
}

// ---- small helpers of the handlers
/// True on overflow, and for a zero product, whose sign the double path decides.
ALWAYS_INLINE bool multiplyOverflows(i32 a, i32 b, i32* result) {
    return __builtin_smul_overflow(a, b, result) || *result == 0;
}
/// Of two int32 whose sum, difference or product is none: a double beyond the range, or a zero of either sign.
ALWAYS_INLINE Value widened(double result) {
    return LIKELY(result != 0) ? Value::rawDouble(result) : Value::number(result);
}
/// a / b of two numbers; an int32 when both are and it divides.
ALWAYS_INLINE Value quotient(Value a, Value b) {
    double q = a.asNumber() / b.asNumber();
    if (UNLIKELY(q != q)) {
        asm volatile(""); // a branch: a conditional move would wait for the quotient
        return Value::nan();
    }
    if (Value::bothInt(a, b))
        return Value::number(q);
    return Value::rawDouble(q);
}
ALWAYS_INLINE bool isInteger(Value value, i32 wanted) {
    return value.isInt() ? value.asInt() == wanted : value.isDouble() && value.asDouble() == wanted;
}
/// Strictly equal to nothing but what has the same bits: objects, undefined, null, booleans.
ALWAYS_INLINE bool isIdentity(Value value) { return value.bits() - Value::TagMisc < Value::TagString - Value::TagMisc; }
/// The number of the Jump for a value that is no int32.
ALWAYS_INLINE u32 switchNumber(const ops::SwitchInt& insn, Value value) {
    if (!value.isDouble())
        return insn.count.n;
    double number = value.asDouble() - insn.low.value;
    return number >= 0 && number < insn.count.n && number == u32(number) ? u32(number) : insn.count.n;
}
ALWAYS_INLINE Environment* environmentAt(const Value* base, u32 hops) {
    Environment* environment = calleeOf(base)->environment;
    for (; hops; hops--)
        environment = environment->parent;
    return environment;
}
/// Math's functions of ints and doubles; false if it is no case for here. The second value counts for min and max
/// alone.
ALWAYS_INLINE bool inlineMath(InlineNative which, Value a, Value b, Value& result) {
    if (UNLIKELY(!a.isNumber()))
        return false;
    switch (which) {
    case InlineNative::MathFloor:
        if (a.isInt()) {
            result = a;
            return true;
        }
        // Zeros keep their sign and large ones their form: those are the function's own.
        if (double d = a.asDouble(); d >= 1 && d < 2147483647.0) {
            result = Value::int32(i32(d));
            return true;
        }
        return false;
    case InlineNative::MathAbs:
        if (a.isInt() && a.asInt() != INT32_MIN)
            result = Value::int32(a.asInt() < 0 ? -a.asInt() : a.asInt());
        else if (a.isDouble())
            result = Value::rawDouble(__builtin_fabs(a.asDouble()));
        else
            return false;
        return true;
    case InlineNative::MathSqrt:
        if (a.asNumber() >= 0) {
            result = Value::number(__builtin_sqrt(a.asNumber()));
            return true;
        }
        return false;
    default:
        if (!Value::bothInt(a, b))
            return false;
        result = (which == InlineNative::MathMin) == (a.asInt() < b.asInt()) ? a : b;
        return true;
    }
}
/// The type key of a primitive receiver; KeyNone for everything else.
ALWAYS_INLINE u32 primitiveKey(Value value) {
    if (value.isString())
        return KeyString;
    return value.isObject() ? KeyNone : value.typeKey();
}
/// An array whose element writes need no thought: extensible, not frozen, no prototype.
ALWAYS_INLINE bool isPlainArray(const Cell* cell) { return cell->kind == u8(Kind::Array) && cell->flags == 0; }
/// The place behind a plain array's dense elements can be written: there is room, and no prototype has elements that
/// could object.
ALWAYS_INLINE bool hasRoomBehind(const Vm& vm, const Elements& elements, u32 index) {
    return index == elements.denseLength && elements.storage && kindOf(elements.storage) == Kind::Storage
        && index < elements.storage->shape && !vm.indexedPrototypes;
}
/// The same where the array ends too.
ALWAYS_INLINE bool growsByOne(const Vm& vm, const Elements& elements, u32 index) {
    return index == elements.length && hasRoomBehind(vm, elements, index);
}
ALWAYS_INLINE bool overflowHasRoom(const Object* object, u32 offset) {
    return object->overflow && offset < sizeof(Overflow) + object->overflow->capacity() * sizeof(Value);
}
/// The slot that the shared cache knows for this receiver and name, or null.
ALWAYS_INLINE Value* sharedSlot(Vm& vm, Object* object, u32 key, Value name) {
    if (!vm.sharedCache)
        return nullptr;
    const SharedCache::Entry& entry = vm.sharedCache->at(key, PropertyKey::fromBits(name.bits()));
    if (entry.key != key || entry.name != name.bits() || u8(entry.form) - 1 > u8(CacheForm::Holder) - 1)
        return nullptr;
    return cachedSlot(entry.form, object, entry.offset, entry.pointer);
}
/// Writes through an entry of a put site; false if the entry does not apply after all.
ALWAYS_INLINE bool putCached(Object* object, CacheForm form, const CacheWords& words, Value value) {
    if (form == CacheForm::AddInline || form == CacheForm::AddOverflow) {
        if ((object->flags & NotExtensible)
            || (form == CacheForm::AddOverflow && !overflowHasRoom(object, words.offset)))
            return false;
        object->shape = u32(words.pointer);
        *cachedSlot(form == CacheForm::AddInline ? CacheForm::Inline : CacheForm::Overflow, object, words.offset, 0) =
            value;
        return true;
    }
    *cachedSlot(form, object, words.offset, 0) = value;
    return true;
}
ALWAYS_INLINE Environment* newEnvironment(Vm& vm, Environment* parent, u32 count) {
    auto* environment = static_cast<Environment*>(
        vm.heap.allocate(sizeof(Environment) + count * sizeof(Value), u8(Kind::Environment), count));
    environment->parent = parent;
    for (u32 i = 0; i < count; i++)
        environment->slots[i] = Value::uninitialized();
    return environment;
}
Environment* copyEnvironment(Vm& vm, Environment* source);
ALWAYS_INLINE Function* newClosure(Vm& vm, Code* code, Environment* environment) {
    Realm* realm = code->realm;
    Shape* shape =
        LIKELY(!isSuspendable(code)) ? realm->functionShape.get() : suspendableShape(vm, realm, code->infoFlags);
    auto* function = static_cast<Function*>(vm.heap.allocate(sizeof(Function), u8(Kind::Function), shape->id));
    function->flags = u8(HasLazyProperties | (code->infoFlags & InfoConstructor ? IsConstructor : 0)
        | (code->infoFlags & InfoClassConstructor ? ClassConstructor : 0));
    function->overflow = nullptr;
    function->info = code;
    function->environment = environment;
    return function;
}
ALWAYS_INLINE Object* newInstance(Vm& vm, Shape* shape) {
    u32 capacity = shape->aux;
    auto* object =
        static_cast<Object*>(vm.heap.allocate(sizeof(Object) + capacity * sizeof(Value), u8(Kind::Object), shape->id));
    asm volatile("" ::"r"(shape)); // alive until an object has its id: allocate may have collected
    object->aux = u8(capacity);
    object->overflow = nullptr;
    Value* slots = object->inlineSlots();
    for (u32 i = 0; i < capacity; i++)
        slots[i] = Value::undefined();
    return object;
}

/// The third register of a loop (opcodes.def), unless it is done.
constexpr i32 StateIterator = 0, StateArray = 1, StateGenerator = 2;

/// The state of a for-in loop. The keys of one object of the chain are taken when it is reached; if the chain has a
/// proxy, those of all objects at once, and the flag says so.
struct ForInIterator : Cell {
    static constexpr u8 ThroughProxies = 1;
    Ptr<Object> object; ///< whose keys are being given, through proxies the first; null at the end
    Ptr<Array> keys; ///< of `object`: strings
    Ptr<Object> visited; ///< a table of the names seen so far (values true); null while on the first object
    u32 index;
    u32 proxiesMet; ///< nextPrototype()
    u32 plainShape; ///< not KeyNone: while the object has this shape, the rest of `keys` is all that comes
};

// clang-format off
#define SLOW_PATHS(X) \
    X(Add) X(Sub) X(Mul) X(Div) X(Mod) X(Exp) X(BitAnd) X(BitOr) X(BitXor) X(ShiftLeft) X(ShiftRight) \
    X(ShiftRightUnsigned) X(AddInt) X(SubInt) X(MulInt) X(DivInt) X(ModInt) X(BitAndInt) X(BitOrInt) X(BitXorInt) \
    X(ShiftLeftInt) X(ShiftRightInt) X(ShiftRightUnsignedInt) X(AddConstant) X(SubConstant) X(MulConstant) \
    X(DivConstant) X(Increment) X(Decrement) X(Negate) X(BitNot) X(ToNumber) X(ToNumeric) X(ToString) \
    X(ToPropertyKey) X(Concat) X(Less) X(LessEqual) X(Greater) X(GreaterEqual) X(StrictEqual) X(StrictNotEqual) \
    X(Equal) X(NotEqual) X(InstanceOf) X(In) X(GetCapturedOnce) X(GetImport) X(CheckInitialized) X(CheckThis) \
    X(CheckThisUninitialized) X(GetGlobal) X(SetGlobal) X(InitializeGlobal) X(ThrowError) X(GetField) X(CallGetter) X(PutField) \
    X(GetElement) X(PutElement) X(DefineField) X(DefineElement) X(DefineMethod) X(DefineGetter) X(DefineSetter) \
    X(DefineClassGetter) X(DefineClassSetter) X(SetFunctionName) X(GetPrivate) X(PutPrivate) X(HasPrivate) X(AddPrivate) \
    X(NewPrivateName) X(DeleteField) X(DeleteElement) X(GetSuper) \
    X(PutSuper) X(SetLiteralPrototype) X(CopyDataProperties) X(CheckObjectCoercible) X(NewObject) \
    X(NewObjectLiteral) X(NewArray) X(ArrayPush) X(ArrayPushHole) X(NewClass) X(GetTemplateObject) \
    X(FindMethod) X(Call) X(CallSpread) X(CallEval) X(CallEvalSpread) X(ConstructSpread) X(SuperCallSpread) X(ReturnDerived) X(ForOfInit) \
    X(IteratorNext) X(IteratorClose) X(IteratorCloseSilently) X(ForInInit) X(DelegateInit) \
    X(AsyncDelegateInit) X(ForAwaitInit) X(ForAwaitNext) X(CheckIteratorResult) \
    X(AddDisposable) X(Dispose) X(Suppress) X(ImportCall) X(ImportMeta)
// clang-format on
#define DECLARE(Name) NOINLINE bool slow##Name(Vm& vm, const u64* pc, Value* base);
SLOW_PATHS(DECLARE)
#undef DECLARE
#undef SLOW_PATHS

// Decisions: 1, 0, or -1 when they threw.
NOINLINE int slowCompare(Vm& vm, const u64* pc, Value* base, Comparison comparison, Value a, Value b);
/// The number of the Jump that a SwitchTable takes; -1 if it threw (the memory limit).
NOINLINE int slowSwitch(Vm& vm, const u64* pc, Value* base);
NOINLINE int slowStrictEquality(Vm& vm, const u64* pc, Value* base, Value a, Value b);
NOINLINE int slowLooseEquality(Vm& vm, const u64* pc, Value* base, Value a, Value b);
/// ++counter, then compare with b.
NOINLINE int slowIncrementCompare(Vm& vm, const u64* pc, Value* base, Comparison comparison, Value& counter, Value b);
/// 1 when done.
NOINLINE int slowForOfNext(Vm& vm, const u64* pc, Value* base);
NOINLINE int slowForInNext(Vm& vm, const u64* pc, Value* base);

/// 1 when all values have been appended, 0 if a loop has to do it.
NOINLINE int slowArraySpread(Vm& vm, const u64* pc, Value* base);
NOINLINE int slowIteratorRest(Vm& vm, const u64* pc, Value* base);
/// 1 when the inner iterator of a yield* is done.
NOINLINE int slowDelegateNext(Vm& vm, const u64* pc, Value* base);
/// 1 when everything has been disposed of.
NOINLINE int slowDisposeNext(Vm& vm, const u64* pc, Value* base);

// Those of async iteration (async_suspend.cpp).
NOINLINE int slowAsyncDelegateNext(Vm& vm, const u64* pc, Value* base);
NOINLINE int slowAsyncDelegateResult(Vm& vm, const u64* pc, Value* base);
NOINLINE int slowForAwaitResult(Vm& vm, const u64* pc, Value* base);
NOINLINE int slowAsyncIteratorClose(Vm& vm, const u64* pc, Value* base);

/// Registers below `live` move into the frame, which waits at `pc`.
ALWAYS_INLINE void suspend(SuspendedFrame* frame, const u64* pc, const Value* base, u32 live) {
    ASSERT(live <= frame->shape);
    for (u32 i = 0; i < live; i++)
        frame->registers[i] = base[i];
    frame->pc = pc;
    frame->live = live;
    frame->setState(FrameState::Suspended);
}
/// Where a generator goes on, in the activation of whoever resumes it; pc is null if it cannot there.
struct Resumption {
    const u64* pc;
    Value* base;
};
/// 27.5.3.3 GeneratorResume: a frame for the generator behind the registers of the running one, which wants what comes
/// of it at the instruction before `next`; `flags` as ReturnInfo's.
NOINLINE Resumption resumeInPlace(Vm& vm, const u64* next, Value* base, Generator* generator, Value sent, u64 flags);
/// An exception has left a generator that was resumed so; `pc` and `base` are those of the resuming instruction.
void abandonResumed(const u64* pc, Value* base, u64 info);
/// What such a generator returned, for the ForOfNext, IteratorNext or DelegateNext at `pc`: how far it jumps.
i32 takeReturned(const u64* pc, Value* base, Value value);
/// The same for a result object that it hands through from its own yield*; -1: threw.
NOINLINE int slowTakeDelegated(Vm& vm, const u64* pc, Value* base, Value result);
/// The mode register of a yield* whose value is no result object, but what stands in one.
constexpr Value DelegatesValue = Value::hole();
/// OPTIMIZATION: a generator whose `next` is the one that generators have goes on in the activation of the loop.
bool isPlainGenerator(Vm& vm, const IteratorRecord& record);
/// What a CallMethodGenerator gives: {value, done} in place of the callee.
NOINLINE void giveStepResult(Vm& vm, const u64* pc, Value* base, Value value, bool done);
// What the caller of a function gets when it waits or ends.
NOINLINE Completion<Value> slowStartGenerator(Vm& vm, const u64* pc, Value* base);
NOINLINE Completion<Value> slowStartModule(Vm& vm, const u64* pc, Value* base);
NOINLINE Completion<Value> slowAwait(Vm& vm, const u64* pc, Value* base);
NOINLINE Completion<Value> slowReturnAsync(Vm& vm, const u64* pc, Value* base);
NOINLINE Completion<Value> slowRejectAsync(Vm& vm, const u64* pc, Value* base);
NOINLINE Completion<Value> slowReturnAsyncGenerator(Vm& vm, const u64* pc, Value* base);
NOINLINE Completion<Value> slowRejectAsyncGenerator(Vm& vm, const u64* pc, Value* base);
/// 0: the generator is suspended. 1: it goes on at once, at Vm::pc; -1: by an exception.
NOINLINE int slowAsyncYield(Vm& vm, const u64* pc, Value* base);

/// The budget is used up: interrupts, limits, the cached clock.
NOINLINE bool serviceSlow(Vm& vm, const u64* pc, Value* base);
/// Everything odd at the entry of a bytecode function: stack and budget, missing or surplus arguments, rest, arguments
/// object, new.target, `this` of derived constructors, class constructors called without new. `flags` as ReturnInfo's.
NOINLINE bool slowEnter(Vm& vm, const u64* pc, Value* base, Value* window, Function* function, u32 argc, u64 flags);
/// 1: the window is ready for entering its bytecode function (`this` made); 0: done, the result is in window[0].
NOINLINE int slowPrepareConstruct(Vm& vm, const u64* pc, Value* base);
NOINLINE int slowPrepareSuperCall(Vm& vm, const u64* pc, Value* base);

/// The text of the expression at an instruction's place, as error messages name it ("a.b").
std::string expressionText(Vm& vm, Code* code, const u64* pc);
/// The place is that of the last argument of a call, with the points of its spread.
bool isSpreadArgument(const Code* code, const u64* pc);
/// What a spread throws whose iterator has a `next` that is no function: V8 names the list, the callee or the `next`.
COLD Threw throwSpreadNext(Vm& vm, const u64* pc, Value* base, const IteratorRecord& record);
/// 7.4.3 GetIterator; the TypeError names the expression of the instruction.
Completion<IteratorRecord> openIterator(Vm& vm, const u64* pc, Value* base, Value iterable);
/// 10.4.4.7 CreateUnmappedArgumentsObject.
Object* newArguments(Vm& vm, Realm* realm, const Value* args, u32 argc);
/// The shape of what `newTarget` constructs: prototype property (or the fallback) and the room its code asks for.
Completion<Shape*> instanceShape(Vm& vm, Object* newTarget, u32 inlineSlots, bool& cacheable);

}
