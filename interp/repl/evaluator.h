// Evaluator: texts entered one after the other, all in one global scope.
//
// A text is a script whose let, const and class may be declared again and which may await. Invariant: when a text has
// failed, was interrupted or is abandoned, every name that its declarations have not bound yet means what it meant
// before.
#pragma once
#include "interp/compiler/compiler.h"
#include "runtime/core/promise.h"
#include <string>
#include <string_view>
#include <vector>

namespace scr {

/// What entering a text came to.
struct Evaluation {
    enum Status : u8 {
        Done,
        Waits, ///< for the promise of an await: step() tells when it goes on
        Wrong, ///< it does not compile: `report` is what to show, from the excerpt on
        Threw, ///< the exception is pending
        Ended, ///< a termination: vm.termination tells which
    } status = Done;
    Value value; ///< of Done
    std::string report;
};

class Evaluator {
public:
    explicit Evaluator(Vm& vm);
    ~Evaluator();
    Evaluator(const Evaluator&) = delete;

    /// More lines could make a whole of it.
    static bool isIncomplete(std::string_view text);
    /// What begins with a brace is an object literal if it can be one, else a block; with a semicolon behind it, first
    /// a block. Import declarations become import() calls.
    static std::string asEntered(std::string_view text);

    /// Compiles and runs a text up to its first await. `vm.loop->afterScript` is left to the caller. [script]
    Evaluation evaluate(std::string_view text);
    /// How the text that waits stands now.
    Evaluation step();
    /// Nobody waits for it any more.
    void abandon();
    /// The promise of the text that waits, or null.
    Promise* promise() const { return promise_; }

private:
    struct Saved {
        String* name;
        GlobalBinding binding;
    };
    void save();
    void restore();
    void takeRejection();
    static void trace(void* evaluator, Marker& marker);

    Vm& vm_;
    u32 number_ = 0; ///< of texts so far: they are called REPL1, REPL2, ...
    Promise* promise_ = nullptr;
    std::vector<GlobalName> names_; ///< that the last text declares
    std::vector<Saved> saved_; ///< what the names that the running text declares meant before
};

}
