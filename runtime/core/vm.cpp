// The Vm's own state: its stacks, exceptions, shape ids, and what must happen when a prototype changes.
#include "runtime/core/vm.h"
#include "runtime/core/atom.h"
#include "runtime/core/error.h"
#include "runtime/heap/allocator.h"
#include <algorithm>
#include <cerrno>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

namespace scr {

/// Address space for the VM stack: --stack-limit cannot go beyond. Pages come when they are touched.
static constexpr size_t StackReserve = size_t(1) << 30;
static constexpr size_t GuardBytes = 64 * 1024;
/// C++ stack left for natives that do not recurse, and for making the RangeError.
static constexpr size_t CStackReserve = 256 * 1024;
/// A frame of C++ takes this many times what a script's frame takes, at most.
static constexpr size_t CStackFactor = 8;

static u64 randomSeed() {
    u64 seed = 0;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed)
        seed = u64(time(nullptr)) * 0x9E3779B97F4A7C15ull ^ u64(getpid());
    return seed;
}

Vm::Vm(size_t stackBytes)
    : hashSeed(randomSeed()) {
    shapes.resize(FirstShape);
    registerKinds();
    registerStringKinds(heap);
    heap.addRoots(traceRoots, this);
    heap.addWeak(sweepShapes, this);
    // Whoever waits for the budget to run out learns of the memory limit at the next back-edge.
    heap.setLimitCallback([](void* vm) { static_cast<Vm*>(vm)->wakeBudget(); }, this);
    reserveStack();
    setStackLimit(stackBytes);
    setUpAtoms(*this);
}

Vm::~Vm() {
    freeMemory(sharedCache);
    tearDownAtoms(*this);
    munmap(stackBegin, StackReserve + GuardBytes);
}

// ---- stacks

/// Lowest and highest address of this thread's C++ stack, as far as it may be used.
static void findCStack(const char*& top, size_t& bytes) {
    rlimit limit{};
    if (getpid() == gettid() && !getrlimit(RLIMIT_STACK, &limit)) {
        // The program's path is the last thing on the main thread's stack, so its address is the stack's top.
        top = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
        bytes = std::min<size_t>(limit.rlim_cur, StackReserve);
        if (top)
            return;
    }
    pthread_attr_t attributes;
    void* lowest = nullptr;
    CHECK(!pthread_getattr_np(pthread_self(), &attributes));
    CHECK(!pthread_attr_getstack(&attributes, &lowest, &bytes));
    pthread_attr_destroy(&attributes);
    top = static_cast<const char*>(lowest) + bytes;
}

void Vm::reserveStack() {
    void* memory = mmap(
        nullptr, StackReserve + GuardBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(static_cast<char*>(memory) + StackReserve, GuardBytes, PROT_NONE))
        outOfMemory();
    stackBegin = stackHighWater = static_cast<Value*>(memory);
    stackEnd = stackBegin + StackReserve / sizeof(Value);
    size_t bytes = 0;
    findCStack(cStackTop_, bytes);
    cStackBytes_ = bytes > 2 * CStackReserve ? bytes - CStackReserve : bytes / 2;
    heap.setStackBase(reinterpret_cast<const void*>(u64(cStackTop_) & ~7ull));
}

void Vm::setStackLimit(size_t bytes) {
    bytes = std::clamp<size_t>(bytes, 16 * 1024, StackReserve);
    stackLimit = stackBegin + bytes / sizeof(Value);
    size_t cBytes = std::min(cStackBytes_, bytes < StackReserve / CStackFactor ? bytes * CStackFactor : StackReserve);
    cStackLimit = cStackTop_ - cBytes;
}

// ---- exceptions

Threw Vm::throwValue(Value value) {
    pendingException = value;
    if (!value.isObject() || value != thrownValue) {
        thrownValue = value;
        thrownCode = nullptr;
    }
    return {};
}

Threw Vm::throwStackOverflow() { return throwError(*this, Error::StackOverflow); }

Threw Vm::terminate(Termination reason) {
    if (terminating()) // the first reason is the one to be told
        return Threw{};
    termination = reason;
    pendingException = thrownValue = Value::undefined();
    thrownCode = nullptr;
    return {};
}

void Vm::chargeMore(u64 units) {
    clockValid = false;
    fuelSettled_ = fuelUsed() + units;
    slice_ = budget = -1; // However much is charged before the next look: it must not wrap.
}

static u64 nanosecondsNow() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return u64(now.tv_sec) * 1000000000 + u64(now.tv_nsec);
}

u64 Vm::timeLeft() const {
    u64 now = nanosecondsNow();
    return now < deadline ? deadline - now : 0;
}

void Vm::setTimeLeft(u64 nanoseconds) { deadline = nanosecondsNow() + nanoseconds; }

Threw Vm::terminateMemory() {
    bool isLimit = heap.memoryLimit() && heap.shortage() != Heap::Shortage::Machine;
    return terminate(isLimit ? Termination::MemoryLimit : Termination::OutOfMemory);
}

void Vm::requestInterrupt() {
    interrupt_.store(true);
    constexpr char nothing = 0;
    int saved = errno, descriptor = wakeDescriptor.load();
    if (descriptor >= 0 && write(descriptor, &nothing, 1) < 0)
        errno = saved; // the pipe is full: whoever sleeps wakes as well
    errno = saved;
}

Threw Vm::interrupt() {
    interrupt_.store(false);
    return terminate(Termination::Interrupt);
}

void Vm::clearInterrupt() {
    interrupt_.store(false);
    if (termination == Termination::Interrupt)
        termination = Termination::None;
}

Completion<void> Vm::serviceBudget() {
    fuelSettled_ = fuelUsed();
    // One unit beyond the limit is noticed when it is charged.
    u64 left = fuelSettled_ <= fuelLimit_ ? fuelLimit_ - fuelSettled_ : BudgetSlice;
    slice_ = budget = i32(left < BudgetSlice ? left : BudgetSlice);
    clockValid = false;
    if (budgetHook)
        budgetHook(*this);
    if (UNLIKELY(terminating()))
        return Threw{};
    if (UNLIKELY(heap.overLimit()))
        return terminateMemory();
    if (UNLIKELY(fuelSettled_ > fuelLimit_))
        return terminate(Termination::Fuel);
    if (UNLIKELY(deadline) && !timeLeft())
        return terminate(Termination::TimeLimit);
    if (UNLIKELY(interruptRequested()))
        return interrupt();
    return {};
}

// ---- shape ids

#ifndef SCR_SHAPE_IDS
#define SCR_SHAPE_IDS (1u << 30)
#endif

u32 Vm::allocateShapeId(Shape* shape) {
    // A build with few ids finds out whether an id is ever used again too early.
    if (UNLIKELY(freeShapeIds.empty() && shapes.size() >= SCR_SHAPE_IDS))
        heap.collect();
    if (freeShapeIds.empty()) {
        shapes.push_back(shape);
        return u32(shapes.size() - 1);
    }
    u32 id = freeShapeIds.back();
    freeShapeIds.pop_back();
    shapes[id] = shape;
    return id;
}

void Vm::renewShapeId(Object* object, Shape* shape) {
    ASSERT(shape->isUnique());
    u32 id = allocateShapeId(nullptr);
    shapes[shape->id] = nullptr;
    retiredShapeIds.push_back(shape->id);
    shapes[id] = shape;
    shape->id = object->shape = id;
    shape->flags &= ~ShapeCached;
    if (++shape->renewals > MaxRenewals)
        shape->flags |= ShapeUncacheable;
}

// ---- prototypes

void Vm::prototypeChanged() {
    prototypeEpoch++;
    for (const DependentCache& cache : dependentCaches)
        *cache.key = KeyNone;
    dependentCaches.clear();
    if (clearSharedCache)
        clearSharedCache(*this);
}

bool Vm::dependOnSlotValue(Object* holder, u32 slot) {
    Shape* shape = shapes[holder->shape];
    if (!shape->isUnique())
        return false;
    PropertyEntry& entry = entryAt(shape, slot);
    if (entry.attributes & (NeverValueCached | LazyBuiltin))
        return false;
    if (entry.attributes & ValueCached)
        return true;
    entry.attributes |= ValueCached;
    // Caches for writes that were filled before know nothing of it. Happens once for each slot: no renewal to count.
    if (shape->flags & ShapeCached) {
        renewShapeId(holder, shape);
        shape->renewals--;
    }
    return true;
}

}
