// Instructions and code blocks: what compiler and interpreter agree on. Expanded from opcodes.def.
#pragma once
#include "interp/bytecode/operands.h"
#include "runtime/core/vm.h"

namespace scr {

enum class Op : u16 {
#define OP(Name, operands, traits, cacheWords) Name,
#include "interp/bytecode/opcodes.def"
#undef OP
    Count
};

/// One struct for each instruction: ops::GetField {.dst = a, .object = b, .name = c}.
namespace ops {
#define F(Type, name) Type name{};
#define OP(Name, operands, traits, cacheWords)                                                                         \
    struct alignas(8) Name {                                                                                           \
        static constexpr Op Code = Op::Name;                                                                           \
        static constexpr unsigned Words = 1 + cacheWords;                                                              \
        u16 opcode = u16(Op::Name);                                                                                    \
        operands                                                                                                       \
    };                                                                                                                 \
    static_assert(sizeof(Name) == 8);
#include "interp/bytecode/opcodes.def"
#undef OP
#undef F
}

struct OpInfo {
    const char* name;
    const char* operands; ///< "Reg dst;Reg object;Const name;"
    const char* traits;
    u8 words; ///< with cache words
};
extern const OpInfo opInfos[size_t(Op::Count)];
inline const OpInfo& infoOf(Op op) { return opInfos[size_t(op)]; }

/// A handler: if the pc (word number) is in [begin, end), the exception goes to register `exception` and execution
/// continues at `target`. Inner handlers come first in the table.
struct Handler {
    u32 begin, end, target;
    u16 exception;
};

/// One place: from word `word` on (until the next entry), the instruction came from source bytes [begin, end).
/// `point` is where the caret goes (the callee's property, the operator).
struct Place {
    u32 word, begin, end, point;
};

/// A source file (or eval text): text kept for Function.prototype.toString and for messages. Freed by its finalizer.
struct ScriptSource {
    std::string name; ///< as shown in stacks
    std::string text; ///< UTF-8
    std::vector<u32> lineStarts; ///< byte offsets, made on first use
    std::string path{}; ///< absolute: what its imports are relative to; empty if it has none
    std::string notes{}; ///< if it did not compile: lines for the report, below the excerpt
    bool isHidden = false; ///< stacks leave out its frames: machinery that calls what scripts give it
};
struct Script : Cell {
    ScriptSource* source; ///< owned
    Ptr<Cell> referrer; ///< the Module it is the text of, or the Module or Script around an eval text; or null
    /// What imports for it (16.2.1.10).
    Cell* importer() { return referrer ? referrer.get() : this; }
};

struct SideTable; // inline_cache.h: four-entry caches

/// Code of one function. Constants stand before the first word: constant i is words[-1 - i].
struct Code : FunctionInfo {
    u64* words; ///< inside `block`
    u16 entryArgc; ///< argc that needs nothing special at entry; 0xFFFF = always the slow entry
    u16 registerCount; ///< registers of a frame from R(0) on, call windows included
    u16 parameterCount;
    u16 restRegister; ///< 0 = none; the array of the arguments from parameterCount on
    u16 argumentsRegister; ///< 0 = none; the `arguments` object
    u16 newTargetRegister; ///< 0 = none
    u16 instanceSlots; ///< of a constructor: inline slots worth giving to its instances
    u16 constructArgc; ///< as entryArgc, for [[Construct]] (set by newCode)
    u16 frameCapacity; ///< registers that it saves at most when it is suspended
    u32 wordCount, constantCount, handlerCount, placeCount;
    u32 sourceBegin, sourceEnd; ///< for toString
    Ref<Cell> block; ///< CodeBlock: constants, words
    Ptr<Cell> tables; ///< Bytes cell: handlers, places
    Ref<Script> script;
    SideTable* sideTables; ///< owned list, freed by the finalizer

    Value constant(u32 i) const { return Value::fromBits(words[-1 - i64(i)]); }
    const Handler* handlers() const { return reinterpret_cast<const Handler*>(tables.get() + 1); }
    const Place* places() const { return reinterpret_cast<const Place*>(handlers() + handlerCount); }
};
inline bool isSuspendable(const FunctionInfo* info) { return info->infoFlags & (InfoGenerator | InfoAsync); }
enum CodeFlag : u16 { // further FunctionInfo::infoFlags
    CodeDerivedThis = 256, ///< R(0) starts uninitialized (derived constructors)
    CodeTopLevel = 512, ///< the body of a file
    CodeBuiltin = 1024, ///< of the program's own: no array for an empty rest, the number of arguments for `arguments`
};

/// What the compiler hands over; newCode copies it into cells.
struct CodeParts {
    std::vector<u64> words;
    std::vector<Value> constants; ///< kept alive by the caller until newCode returns (the roots of the Unit)
    std::vector<Handler> handlers;
    std::vector<Place> places;
    String* name;
    Script* script;
    Realm* realm;
    u16 flags, length, entryArgc, registerCount, parameterCount, restRegister, argumentsRegister, newTargetRegister,
        instanceSlots, frameCapacity;
    u32 sourceBegin, sourceEnd;
};
Code* newCode(Vm& vm, const CodeParts& parts);
/// The code that an instruction belongs to, whose address somebody kept (and marked as a root); null if there is none.
Code* codeAt(Vm& vm, const u64* pc);
Script* newScript(Vm& vm, std::string name, std::string text);
/// Tells the heap how code and scripts are traced and freed; once for each Vm.
void registerCodeKinds(Vm& vm);
/// The place of the instruction at this word; null if the table is empty.
const Place* findPlace(const Code* code, u32 word);
/// 1-based line and column (in UTF-16 units, as Node counts) of a byte of the source.
struct LineColumn {
    u32 line, column;
};
LineColumn lineColumn(ScriptSource& source, u32 offset);

/// Human-readable listing of a code block and the functions in its constants (--dump-bytecode).
std::string disassemble(Vm& vm, const Code* code);
/// Null, or what is wrong with the code (debug builds check all code; the fuzzers do too).
const char* verify(const Code* code);

// ---- frames. A frame is [callee][return information][this][arguments][locals]; base = &this.
/// Return information: where the caller goes on, how far back its base is, and how to return.
struct ReturnInfo {
    static constexpr u64 FlagConstruct = 1; ///< a result that is no object gives way to `this`
    static constexpr u64 FlagEntry = 2; ///< return to C++ (Halt)
    static constexpr u64 FlagGetter =
        4; ///< the result goes to the `dst` of the GetField instruction before the address
    /// A generator that goes on inside its caller's activation: what it yields or returns is for the instruction before
    /// the address, a ForOfNext or one like it; with FlagGetter a CallMethodGenerator. (Addresses have 47 bits.)
    static constexpr u64 FlagResume = u64(1) << 47;
    /// `pc` is the word after the call instruction and its cache; delta = first + 2 registers.
    static u64 make(const u64* pc, u16 first, u64 flags) { return u64(first) << 48 | u64(pc) | flags; }
    static const u64* pc(u64 info) { return reinterpret_cast<const u64*>(info & 0x7FFFFFFFFFF8ull); }
    /// A word of the caller's instruction: its first if it resumes a generator, else its last.
    static const u64* callerPc(u64 info) { return pc(info) - (resumesByCall(info) ? ops::CallMethod::Words : 1); }
    static bool resumesByCall(u64 info) { return (info & (FlagResume | FlagGetter)) == (FlagResume | FlagGetter); }
    static u32 delta(u64 info) { return u32(info >> 48) + 2; }
};

}
