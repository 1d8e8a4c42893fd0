// Vm: one isolated engine: heap, atoms, shapes, stack, the pending exception, budgets. Nothing is global, so several
// work in one process. The interpreter keeps pc and base in registers and publishes them here before anything that may
// look at the stack (slow paths, native calls).
#pragma once
#include "runtime/core/realm.h"
#include "runtime/heap/heap.h"
#include "runtime/heap/root.h"
#include <atomic>

namespace scr {

class EventLoop;

/// Why a run must end in a way that no handler can catch.
enum class Termination : u8 {
    None,
    MemoryLimit,
    OutOfMemory,
    TimeLimit,
    Fuel,
    Exit,
    Interrupt,
    SideEffect, ///< of a run that must have none (core/side_effects.h)
};

struct Names {
#define NAME(id) String* id;
#define NAMED(id, text) String* id;
#include "runtime/core/names.def"
#undef NAME
#undef NAMED
};
struct WellKnownSymbols {
#define WELL_KNOWN(id, description) Symbol* id;
#include "runtime/core/symbols.def"
#undef WELL_KNOWN
};

/// Builtins that call sites carry out in place, once a site has found one (interp/vm/handlers_call.inc).
enum class InlineNative : u8 {
    CharCodeAt,
    ArrayPush,
    GeneratorNext,
    MathFloor,
    MathAbs,
    MathSqrt,
    MathMin,
    MathMax,
    Count
};

/// A place that some cache takes for granted about prototypes: a code word (or table entry) whose low 32 bits are a
/// type key. Cleared (key = KeyNone) when a prototype changes.
struct DependentCache {
    Cell* owner; ///< the Code cell; the entry is dropped when it dies
    u32* key;
};

class Vm {
public:
    explicit Vm(size_t stackBytes = 1 << 20);
    ~Vm();
    Vm(const Vm&) = delete;
    /// The Vm that this heap belongs to: trace functions get nothing but the heap.
    static Vm& of(Heap& heap);

    // ---- the fields the interpreter touches (one cache line)
    Value* base = nullptr; ///< of the running frame: &this; [-1] return information, [-2] callee
    const u64* pc = nullptr; ///< published: the instruction being executed
    Value* stackLimit = nullptr; ///< a frame must end below
    i32 budget =
        0; ///< work units until serviceBudget(): back-edges, entries of bytecode functions, what natives charge
    bool clockValid = false; ///< the cached millisecond of the event loop may be used (loop/clock.h)
    Termination termination = Termination::None;
    Value pendingException; ///< meaningful while some Completion says Threw
    Value thrownValue; ///< the value thrown last, and where first: kept when the same object is thrown again
    Cell* thrownCode = nullptr; ///< null: unknown
    u32 thrownWord = 0;
    Value newTarget; ///< between a [[Construct]] and the entry of its target; undefined otherwise
    Realm* realm = nullptr; ///< of the running native function or script

    Heap heap;
    Names names{};
    WellKnownSymbols symbols{};
    RootList roots;

    // ---- stack. Reserved with mmap, never moves, ends with a guard page.
    Value* stackBegin = nullptr;
    Value* stackEnd = nullptr;
    Value* nativeTop = nullptr; ///< end of the arguments that C++ pushed for the innermost call(); see stackTop()
    Value* stackHighWater = nullptr; ///< cleared down to the live top at each collection
    const char* cStackLimit = nullptr; ///< lowest address natives may recurse to
    /// True if little C++ stack is left: natives and passes that recurse throw RangeError (throwStackOverflow).
    ALWAYS_INLINE bool cStackLow() const {
        return UNLIKELY(static_cast<const char*>(__builtin_frame_address(0)) < cStackLimit);
    }
    /// Depth of script stack (and of C++ stack) before RangeError, in bytes.
    void setStackLimit(size_t bytes);
    /// One past the last register of the running frame: what is live of the stack. In interp/vm/stack.cpp.
    Value* stackTop() const;

    // ---- exceptions
    /// Makes `value` the pending exception.
    Threw throwValue(Value value);
    Threw throwStackOverflow();
    /// A run that ends: no handler catches it. The pending exception is undefined.
    Threw terminate(Termination reason);
    /// The same for want of memory: the limit, or the machine's.
    Threw terminateMemory();
    bool terminating() const { return termination != Termination::None; }
    /// new.target of the [[Construct]] call that entered this native; undefined for an ordinary call.
    Value takeNewTarget() {
        Value target = newTarget;
        newTarget = Value::undefined();
        return target;
    }

    // ---- budget, clock, interrupts
    static constexpr i32 BudgetSlice = 500;
    /// Work units of a native whose work grows with its input. What is charged depends on the script alone, never on
    /// the collector, the time or the kind of build: fuelUsed() is the same in every run.
    ALWAYS_INLINE void charge(u64 units) {
        if (LIKELY(i64(units) <= budget))
            budget -= i32(units);
        else
            chargeMore(units);
    }
    /// The same in a loop that may run long: looks at the limits when the budget is used up. Runs no script.
    ALWAYS_INLINE Completion<void> work(u64 units) {
        charge(units);
        return UNLIKELY(budget < 0) ? serviceBudget() : Completion<void>();
    }
    /// Called when the budget is used up: refills it, drops the cached clock, turns limits into a termination.
    COLD Completion<void> serviceBudget();
    /// Makes the next look at the budget call serviceBudget.
    COLD void wakeBudget() { chargeMore(0); }
    /// Work units since the Vm was made.
    u64 fuelUsed() const { return fuelSettled_ + u64(i64(slice_) - budget); }
    u64 fuelLimit() const { return fuelLimit_; }
    /// The run ends when fuelUsed() passes this.
    void setFuelLimit(u64 units) {
        fuelLimit_ = units;
        wakeBudget();
    }
    /// Nanoseconds of the monotonic clock at which the run ends; 0: never.
    u64 deadline = 0;
    /// Nanoseconds until then; 0: it is past.
    u64 timeLeft() const;
    /// Sets the deadline that far from now.
    void setTimeLeft(u64 nanoseconds);
    /// The run ends as at a time limit, with Termination::Interrupt. For signal handlers and other threads.
    void requestInterrupt();
    /// It has been asked for, and nobody has noticed yet.
    bool interruptRequested() const { return interrupt_.load(std::memory_order_relaxed); }
    /// Turns the request into the termination.
    COLD Threw interrupt();
    /// After an interrupt: the Vm may run again.
    void clearInterrupt();
    /// The writing end of a pipe that whoever sleeps in a system call watches; -1: nobody has slept yet.
    std::atomic<int> wakeDescriptor{-1};

    // ---- atoms and shapes
    struct AtomTable* atoms = nullptr;
    u64 hashSeed = 0;
    u64 randomState[2] = {}; ///< Math.random; zero until first used
    std::vector<Shape*> shapes; ///< by id; null = free or reserved
    std::vector<u32> freeShapeIds;
    std::vector<u32>
        retiredShapeIds; ///< given up by renewed shapes; free after the next collection, which clears caches
    std::vector<Code*> codes; ///< every live code block (weak): what the caches sit in
    RootShapes rootShapes;
    u32 allocateShapeId(Shape* shape);
    /// Gives a unique shape (and the object that has it) a new id: every cache that knows the old one misses from now
    /// on.
    void renewShapeId(Object* object, Shape* shape);
    std::vector<Realm*> realms; ///< every live realm (weak)
    String* emptyStringCell = nullptr;
    String* unitStrings[256] = {};
    /// The text of numbers turned into strings lately, by their bits (number.cpp).
    struct NumberText {
        u64 bits;
        String* text;
    } numberTexts[64] = {};

    // ---- prototype validity: caches that crossed prototypes are keyed by type key alone; when something on any
    // prototype changes, all of them are cleared. Counted in prototypeEpoch (starts at 1).
    u32 prototypeEpoch = 1;
    std::vector<DependentCache> dependentCaches;
    void dependOnPrototypes(Cell* owner, u32* key) {
        if (dependentCaches.empty() || dependentCaches.back().key != key)
            dependentCaches.push_back({owner, key});
    }
    /// A property of a prototype object was added, deleted or reconfigured, or a value-cached slot was written.
    COLD void prototypeChanged();
    /// Marks the slot so that a plain write to it calls prototypeChanged. False if it has been written before (then its
    /// value must not be cached) or the holder's shape is shared and must not become unique.
    bool dependOnSlotValue(Object* holder, u32 slot);
    void (*clearSharedCache)(Vm&) = nullptr; ///< the megamorphic table (interp/bytecode/inline_cache.cpp)
    /// An object used as a prototype has or had indexed properties: holes and writes past the end must look there.
    bool indexedPrototypes = false;
    /// Some object other than a %Function.prototype% has or had a Symbol.hasInstance, or a proxy is a prototype.
    bool customHasInstance = false;
    struct SharedCache* sharedCache = nullptr; ///< from allocateMemory; freed with the Vm

    // ---- weak references (core/weak.h)
    std::vector<Value> keptAlive; ///< 9.10.3: what WeakRefs showed during this job
    u32 job = 1;
    std::vector<struct FinalizationRegistry*> dueRegistries; ///< to be called by the event loop
    /// 9.11 ClearKeptObjects: the job is over.
    void clearKept() {
        if (LIKELY(keptAlive.empty()))
            return;
        std::vector<Value>().swap(keptAlive);
        job++;
    }

    /// Natives that are the `next` of builtin iterators, and what each does without making a result object: the next
    /// value, or false at the end. Filled with the first realm.
    struct IteratorStep {
        NativeCode next;
        Completion<bool> (*step)(Vm& vm, Value iterator, Value& value);
    };
    static constexpr u32 MaxIteratorSteps = 8;
    IteratorStep iteratorSteps[MaxIteratorSteps] = {};
    NativeCode inlineNatives[size_t(InlineNative::Count)] = {}; ///< set with the first realm
    /// The names that for-in gives of objects with this shape, while nothing of the chain above them has any; forgotten
    /// at each collection (interp/vm/slow_iteration.cpp).
    struct EnumeratedKeys {
        u32 shape;
        u32 epoch;
        struct Array* keys;
    } enumeratedKeys[64] = {};

    // ---- seams set by upper layers
    /// The interpreter: the plain one or the watched (interp/vm/interpreter.h).
    Completion<Value> (*interpretHook)(Vm& vm, const u64* pc, Value* base) = nullptr;
    struct SiteWatch* siteWatch = nullptr; ///< counts what property and call sites meet, for --explain-shapes
    /// Allows and refuses what the running script does; null: all is allowed (core/side_effects.h).
    class SideEffectGuard* guard = nullptr;
    IntrinsicHook intrinsicHook = nullptr;
    LazyBuiltinHook lazyBuiltinHook = nullptr;
    /// Fills the place list of an error from the running frames and those that wait for them
    /// (interp/vm/stack_capture.cpp).
    void (*captureStackHook)(Vm& vm, Object* error, Object* above) = nullptr;
    /// Keeps the registers of the running frame with an error (interp/vm/missing.cpp).
    void (*keepRegistersHook)(Vm& vm, struct ErrorObject* error) = nullptr;
    /// Where a frame of a bytecode function stands (interp/vm/stack.cpp).
    void (*framePlaceHook)(Vm& vm, Object* callee, u32 word, struct FramePlace& place) = nullptr;
    /// Under which name a timer or an immediate keeps this function, as Node's stacks show it; null: it does not.
    const char* (*timerMethodHook)(const Object* handle, const Object* function) = nullptr;
    /// Makes the text of an error's `stack`, whose slot is a hole, or what Error.prepareStackTrace gives
    /// (builtins/error_stack.cpp). [script]
    Completion<Value> (*prepareStackHook)(Vm& vm, Object* error) = nullptr;
    /// The exports of a builtin module, loaded on first use (stdlib/builtin_modules.cpp). [script]
    Completion<Object*> (*builtinModuleHook)(Vm& vm, std::string_view name) = nullptr;
    /// An object that is no prototype is about to get another prototype: inspection still names its class.
    void (*prototypeReplacedHook)(Vm& vm, Object* object) = nullptr;
    bool preparingStack = false; ///< it is at work: errors made meanwhile get plain text
    /// A bytecode function's source text, for Function.prototype.toString (interp/bytecode).
    Completion<Value> (*sourceTextHook)(Vm& vm, Object* function) = nullptr;
    /// HostLoadImportedModule (16.2.1.10): the module that a specifier means to a Module or Script (or null, who
    /// knows); `type` is that of the import's attributes, or null. Finds and parses it, and no more (core/module.h).
    Completion<struct Module*> (*loadModuleHook)(Vm& vm, Cell* referrer, String* specifier, String* type) = nullptr;
    /// HostGetImportMetaProperties: adds them to `meta`.
    Completion<void> (*importMetaHook)(Vm& vm, struct Module* module, Object* meta) = nullptr;
    u64 asyncModules = 0; ///< how many have begun to wait (16.2.1.6.1.3.1 step 12.a: AsyncEvaluationOrder)
    struct JoinFrame* joining = nullptr; ///< the innermost Array.prototype.join in progress (builtins/array_join.cpp)
    /// Called by serviceBudget, about every thousand calls and back-edges: the loop writes what waits to be printed.
    void (*budgetHook)(Vm& vm) = nullptr;
    // HostEnqueuePromiseJob, HostPromiseRejectionTracker (ECMA-262 9.5.5, 27.2.1.9): set by the event loop.
    void (*enqueueJobHook)(Vm& vm, Value job, Value argument, Cell* context) = nullptr;
    void (*rejectionHook)(Vm& vm, struct Promise* promise, bool handled) = nullptr;
    /// What depends on the promise reaction whose job runs (core/promise.h): stack traces go on from there.
    Value runningDerived;
    /// Whether a reaction's handler is the element function of Promise.all, allSettled or any; then `out` says of
    /// which.
    bool (*promiseElementHook)(Value handler, struct PromiseElement& out) = nullptr;
    /// Kept with each job, timer and reaction, and in force again while it runs (AsyncLocalStorage); null: none.
    Cell* asyncContext = nullptr;
    EventLoop* loop = nullptr;
    void* host = nullptr;

private:
    void reserveStack();
    static void traceRoots(void* vm, Marker& marker);
    void registerKinds();
    static void sweepShapes(void* vm, Heap& heap);
    NOINLINE void chargeMore(u64 units);
    std::atomic<bool> interrupt_{false};
    u64 fuelLimit_ = ~u64(0);
    u64 fuelSettled_ = 0; ///< used before the running slice
    i32 slice_ = 0; ///< what the budget was at the beginning of the running slice
    size_t cStackBytes_ = 0; ///< C++ stack from here down to its end, without the reserve
    const char* cStackTop_ = nullptr;
};

}
