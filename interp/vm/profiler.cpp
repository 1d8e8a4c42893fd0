// Sampling: from the signal to the tree of calls.
#include "interp/vm/profiler.h"
#include "interp/vm/interpreter.h"
#include "runtime/heap/allocator.h"
#include <atomic>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace scr {

static Profiler* active = nullptr;

bool ProfileFunction::operator<(const ProfileFunction& other) const {
    if (int order = name.compare(other.name))
        return order < 0;
    if (int order = file.compare(other.file))
        return order < 0;
    return line != other.line ? line < other.line : column < other.column;
}

static ProfileFunction engineWork(const char* name) {
    ProfileFunction function;
    function.name = name;
    return function;
}

Profiler::Profiler(Vm& vm)
    : vm_(vm) {
    void* memory =
        mmap(nullptr, MaxSamples * sizeof(Sample), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        outOfMemory();
    samples_ = static_cast<Sample*>(memory);
    vm.heap.addRoots(
        [](void* context, Marker& marker) {
            // Functions that ended since they were sampled: their names are still to be read.
            auto& profiler = *static_cast<Profiler*>(context);
            for (u32 i = 0; i < profiler.count_; i++)
                for (u32 k = 0; k < profiler.samples_[i].depth; k++)
                    if (Cell* cell = profiler.samples_[i].frames[k].cell)
                        marker.mark(cell);
        },
        this);
    vm.heap.addWeak([](void* context, Heap&) { static_cast<Profiler*>(context)->numberOfCell_.clear(); }, this);
    profile_.tickMicroseconds = TickMicroseconds;
    profile_.nodes.push_back({numberOf(engineWork("(root)")), 0, 0, {}, {}});
}

// The Vm may still collect when the profiler is gone only if the process goes on: the command keeps it to the end.
Profiler::~Profiler() {
    if (running_)
        (void)stop();
    vm_.heap.removeRoots(this);
    munmap(samples_, MaxSamples * sizeof(Sample));
}

bool Profiler::start() {
    struct sigaction action { };
    action.sa_sigaction = onSignal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGPROF;
    if (active || sigaction(SIGPROF, &action, nullptr) || timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer_))
        return false;
    active = this;
    running_ = true;
    vm_.interpretHook = interpretWatched;
    oldBudgetHook_ = vm_.budgetHook;
    vm_.budgetHook = onBudget;
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    profile_.startMicroseconds = u64(now.tv_sec) * 1000000 + u64(now.tv_nsec) / 1000;
    itimerspec interval{{0, TickMicroseconds * 1000}, {0, TickMicroseconds * 1000}};
    return !timer_settime(timer_, 0, &interval, nullptr);
}

Profile Profiler::stop() {
    if (running_) {
        timer_delete(timer_);
        // One more may be on its way.
        signal(SIGPROF, SIG_IGN);
        active = nullptr;
        running_ = false;
        vm_.budgetHook = oldBudgetHook_;
        drain();
    }
    return profile_;
}

// ---- in the signal handler: reads the Vm's memory, writes its own, calls nothing

void Profiler::onSignal(int, siginfo_t* info, void*) {
    int error = errno;
    if (active)
        active->take(1 + u32(info->si_overrun > 0 ? info->si_overrun : 0));
    errno = error;
}

/// The native function that the instruction is calling: its window holds it until the result takes its place.
static Cell* nativeAt(const Value* base, const u64* pc) {
    if (!isCallInstruction(Op(*reinterpret_cast<const u16*>(pc))))
        return nullptr;
    Value callee = base[reinterpret_cast<const ops::Call*>(pc)->first.n];
    return callee.isObject() && kindOf(callee.asCell()) == Kind::NativeFunction ? callee.asCell() : nullptr;
}

void Profiler::walk(Sample& sample) const {
    sample.depth = 0;
    sample.isCut = false;
    auto push = [&](Cell* cell, u32 word) {
        // Of a recursion too deep to be kept whole the innermost frames are.
        if (sample.depth == MaxDepth) {
            sample.isCut = true;
            return false;
        }
        sample.frames[sample.depth++] = {cell, word};
        return true;
    };
    if (vm_.heap.collecting())
        push(nullptr, 0);
    const Value* base = vm_.base;
    const u64* pc = vm_.pc;
    bool fromNative = true;
    while (base > vm_.stackBegin && base < vm_.stackEnd) {
        if (!base[-2].isObject() || kindOf(base[-2].asCell()) != Kind::Function)
            return;
        const Code* code = codeOf(base);
        bool isInside = pc >= code->words && pc < code->words + code->wordCount;
        if (Cell* native = fromNative && isInside ? nativeAt(base, pc) : nullptr; native && !push(native, 0))
            return;
        if (!push(base[-2].asCell(), isInside ? u32(pc - code->words) : 0))
            return;
        u64 info = returnInfoOf(base);
        bool isEntry = info & ReturnInfo::FlagEntry;
        fromNative = isEntry || ReturnInfo::resumesByCall(info);
        pc = isEntry ? savedPcOf(base) : ReturnInfo::callerPc(info);
        base = isEntry ? savedBaseOf(base) : base - ReturnInfo::delta(info);
    }
}

void Profiler::take(u32 ticks) {
    u32 count = count_;
    if (count == MaxSamples) {
        samples_[count - 1].ticks += ticks;
        return;
    }
    Sample& sample = samples_[count];
    walk(sample);
    sample.ticks = ticks;
    if (count) {
        Sample& last = samples_[count - 1];
        if (last.depth == sample.depth && !memcmp(last.frames, sample.frames, sample.depth * sizeof(Frame))) {
            last.ticks += ticks;
            return;
        }
    }
    std::atomic_signal_fence(std::memory_order_release);
    count_ = count + 1;
}

// ---- at safe points: from frames to names

void Profiler::onBudget(Vm& vm) {
    Profiler& profiler = *active;
    profiler.drainIfFull();
    if (profiler.oldBudgetHook_)
        profiler.oldBudgetHook_(vm);
}

void Profiler::drainIfFull() {
    if (count_ < MaxSamples / 2)
        return;
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPROF);
    sigprocmask(SIG_BLOCK, &signals, &before);
    drain();
    sigprocmask(SIG_SETMASK, &before, nullptr);
}

void Profiler::drain() {
    for (u32 i = 0; i < count_; i++)
        addToTree(samples_[i]);
    count_ = 0;
}

u32 Profiler::childOf(u32 node, u32 function) {
    for (u32 child : profile_.nodes[node].children)
        if (profile_.nodes[child].function == function)
            return child;
    u32 child = u32(profile_.nodes.size());
    profile_.nodes.push_back({function, node, 0, {}, {}});
    profile_.nodes[node].children.push_back(child);
    return child;
}

void Profiler::addToTree(const Sample& sample) {
    u32 node = 0;
    if (sample.isCut)
        node = childOf(node, numberOf(engineWork("(outer calls)")));
    if (!sample.depth)
        node = childOf(node, numberOf(engineWork("(program)")));
    for (u32 i = sample.depth; i-- > 0;)
        node = childOf(node, functionOf(sample.frames[i]));
    ProfileNode& leaf = profile_.nodes[node];
    leaf.self += sample.ticks;
    profile_.ticks += sample.ticks;
    profile_.samples.push_back({node, sample.ticks});
    if (!sample.depth || !sample.frames[0].cell || kindOf(sample.frames[0].cell) != Kind::Function)
        return;
    const Code* code = static_cast<Function*>(sample.frames[0].cell)->code();
    if (const Place* place = findPlace(code, sample.frames[0].word))
        leaf.lines[lineColumn(*code->script->source, place->point).line] += sample.ticks;
}

u32 Profiler::numberOf(ProfileFunction function) {
    auto [found, isNew] = numbers_.try_emplace(function, u32(profile_.functions.size()));
    if (isNew)
        profile_.functions.push_back(std::move(function));
    return found->second;
}

static bool isNameCharacter(char c) {
    return isalnum(u8(c)) || c == '_' || c == '$' || c == '#' || c == '.' || u8(c) >= 0x80;
}

/// A name for a function without one, from what stands before it in the text: "a.b" for `a.b = function`, "key" for
/// `key: function`, "list.map callback" for `list.map(function`; empty if that tells nothing.
static std::string surroundings(std::string_view text, size_t begin) {
    auto skipSpace = [&] {
        while (begin && isspace(u8(text[begin - 1])))
            begin--;
    };
    auto word = [&] {
        skipSpace();
        size_t end = begin;
        while (begin && isNameCharacter(text[begin - 1]))
            begin--;
        return std::string(text.substr(begin, end - begin));
    };
    skipSpace();
    if (!begin)
        return "";
    char before = text[--begin];
    if (before == '=' || before == ':')
        return begin && strchr("=!<>+-*/%&|^?", text[begin - 1]) ? "" : word();
    if (before != '(')
        return "";
    std::string callee = word();
    if (callee.starts_with('.'))
        callee.erase(0, 1);
    return callee.empty() || callee == "if" || callee == "while" || callee == "return" ? "" : callee + " callback";
}

u32 Profiler::functionOf(const Frame& frame) {
    if (!frame.cell)
        return numberOf(engineWork("(garbage collector)"));
    bool isNative = kindOf(frame.cell) == Kind::NativeFunction;
    Cell* key = isNative ? frame.cell : static_cast<Function*>(frame.cell)->code();
    if (auto found = numberOfCell_.find(key); found != numberOfCell_.end())
        return found->second;
    ProfileFunction function;
    if (isNative) {
        Value name = static_cast<NativeFunction*>(frame.cell)->name;
        function.name = name.isString() ? toUtf8(vm_, name.asString()) : "(native)";
    } else {
        auto* code = static_cast<Code*>(key);
        ScriptSource& source = *code->script->source;
        bool isFile = code->infoFlags & CodeTopLevel;
        function.name = isFile ? "(top level)" : toUtf8(vm_, code->name);
        if (function.name.empty())
            function.name = surroundings(source.text, code->sourceBegin);
        if (function.name.empty())
            function.name = "(anonymous)";
        LineColumn at = lineColumn(source, isFile ? 0 : code->sourceBegin);
        function.file = source.name;
        function.line = at.line;
        function.column = at.column;
    }
    u32 result = numberOf(std::move(function));
    numberOfCell_.emplace(key, result);
    return result;
}

}
