// The frames that errors capture, and their text: as V8 shows them, line for line, but for top-level code, which is
// shown by its place alone. No script runs here.
#pragma once
#include "runtime/core/error.h"

namespace scr {

/// One captured frame. Errors keep them as triples: callee, word (negative if it waits), receiver.
struct StackFrame {
    static constexpr u32 Words = 3;
    Object* callee;
    u32 word; ///< of the code; of a combinator (Promise.all and its like) that waits, the index; 0 for other natives
    Value self; ///< a hole if the frame constructs
    bool isAsync; ///< it does not run, but waits for what runs
    bool constructs() const { return self.isHole(); }
    bool isNative() const { return kindOf(callee) == Kind::NativeFunction; }
    bool isCombinator() const { return isAsync && isNative(); }
    /// As the frame of a function that waits is kept.
    static i32 asyncWord(u32 word) { return i32(~word); }
};
inline u32 frameCountOf(const ErrorObject* error) { return error->frameCount / StackFrame::Words; }
StackFrame frameOf(const ErrorObject* error, u32 index);
/// Called without a receiver, or with the global object.
bool isTopLevel(Vm& vm, const StackFrame& frame);

/// Where a frame of a bytecode function stands; from Vm::framePlaceHook.
struct FramePlace {
    std::string file;
    u32 line = 0, column = 0; ///< 1-based
    u32 position = 0; ///< units from the begin of the source
    u32 enclosingLine = 0, enclosingColumn = 0; ///< of the function
    bool isScript = false; ///< the body of a file
    std::string inferredName; ///< "a.b" of `a.b = function () {}`
};

/// Names as CallSite gives them; empty where it gives null.
std::string functionNameOf(Vm& vm, const StackFrame& frame);
std::string typeNameOf(Vm& vm, const StackFrame& frame);
std::string methodNameOf(Vm& vm, const StackFrame& frame);
/// "f (file:3:11)", "new C (...)", "T.m [as n] (...)", "Array.map (<anonymous>)", or the place alone.
std::string frameText(Vm& vm, const StackFrame& frame);
/// "\n    at " and the text of each frame.
std::string framesText(Vm& vm, const ErrorObject* error);
/// "Name: message" and the frames, from own and inherited data properties.
Value stackText(Vm& vm, Object* error);

}
