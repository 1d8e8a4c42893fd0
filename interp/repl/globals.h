// What the prompt has beside the globals of every script: _ and _error, require and module, and each builtin
// module by its name, loaded when it is first looked at.
//
// Invariant: there is one ReplGlobals in the process, and it lives as long as the Vm runs.
#pragma once
#include "runtime/core/vm.h"

namespace scr {

class ReplGlobals {
public:
    explicit ReplGlobals(Vm& vm);
    ~ReplGlobals();
    ReplGlobals(const ReplGlobals&) = delete;

    /// Makes them. Runs no script.
    void define();
    /// The value of _ or _error, until a script assigns something to it.
    enum Which : u8 { Last, LastError };
    void set(Which which, Value value);
    /// The value that an accessor made here would give: _, or a module, which is loaded. A hole for all others.
    static Value peek(Vm& vm, const Lookup& found);
    /// Whether this is the getter of _ and _error, which does nothing else.
    static bool isRead(NativeCode code) { return code == read; }

private:
    static Completion<Value> read(Vm& vm, struct Args args);
    static Completion<Value> assign(Vm& vm, struct Args args);
    static Completion<Value> readModule(Vm& vm, struct Args args);
    static Completion<Value> assignModule(Vm& vm, struct Args args);
    static void trace(void* globals, Marker& marker);
    void defineValue(Which which, std::string_view name);
    void defineModule(std::string_view name);

    Vm& vm_;
    struct {
        Value value;
        bool assigned = false;
    } values_[2];
};

}
