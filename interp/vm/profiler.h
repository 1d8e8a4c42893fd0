// --profile: a sampling profiler of one Vm. A timer of the thread's processor time sends SIGPROF; its handler walks the
// frames (the watched interpreter keeps them whole at any moment) into memory taken at the start, and does nothing
// else. Names and the tree are made later, at safe points.
#pragma once
#include "interp/bytecode/bytecode.h"
#include <csignal>
#include <ctime>
#include <map>
#include <unordered_map>

namespace scr {

struct ProfileFunction {
    std::string name, file; ///< the file is empty for natives and for the engine's own work
    u32 line = 0, column = 0; ///< from 1; 0 = none
    bool operator<(const ProfileFunction& other) const;
};

struct ProfileNode {
    u32 function, parent; ///< numbers in Profile::functions, nodes
    u64 self = 0; ///< ticks with this as the innermost frame
    std::vector<u32> children;
    std::map<u32, u64> lines; ///< those ticks by line
};

struct Profile {
    std::vector<ProfileFunction> functions;
    std::vector<ProfileNode> nodes; ///< the first is the root; parents stand before their children
    std::vector<std::pair<u32, u32>> samples; ///< node and ticks, in order of time
    u64 ticks = 0, tickMicroseconds = 0;
    u64 startMicroseconds = 0; ///< of the monotonic clock
};

/// At most one at a time in a process; used by the thread that runs the Vm.
class Profiler {
public:
    explicit Profiler(Vm& vm);
    ~Profiler();
    Profiler(const Profiler&) = delete;
    /// False (with errno) if the system has no timer for it.
    bool start();
    /// Ends sampling; what was found.
    Profile stop();

private:
    static constexpr u32 MaxDepth = 192, MaxSamples = 512, TickMicroseconds = 1000;
    struct Frame {
        Cell* cell; ///< a Function or NativeFunction; null = a collection
        u32 word;
    };
    struct Sample {
        u32 ticks, depth;
        bool isCut; ///< outer frames are missing
        Frame frames[MaxDepth]; ///< the innermost first
    };
    static void onSignal(int, siginfo_t* info, void*);
    static void onBudget(Vm& vm);
    void take(u32 ticks);
    void walk(Sample& sample) const;
    void drainIfFull();
    void drain();
    void addToTree(const Sample& sample);
    u32 childOf(u32 node, u32 function);
    u32 numberOf(ProfileFunction function);
    u32 functionOf(const Frame& frame);

    Vm& vm_;
    void (*oldBudgetHook_)(Vm&) = nullptr;
    timer_t timer_{};
    bool running_ = false;
    Sample* samples_ = nullptr;
    volatile u32 count_ = 0;
    Profile profile_;
    std::map<ProfileFunction, u32> numbers_;
    std::unordered_map<Cell*, u32> numberOfCell_; ///< emptied by collections: addresses may be used again
};

}
