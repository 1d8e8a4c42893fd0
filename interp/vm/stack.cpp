// What is on the VM stack: its live top, and the frames that errors capture and show.
#include "interp/vm/slow_paths.h"
#include "runtime/base/utf.h"
#include "runtime/core/call.h"
#include "runtime/core/module.h"
#include "runtime/core/stack_frames.h"

namespace scr {

Value* Vm::stackTop() const {
    Value* top = nativeTop ? nativeTop : stackBegin;
    if (!base)
        return top;
    Value* frameEnd = base + codeOf(base)->registerCount;
    return frameEnd > top ? frameEnd : top;
}

// ---- walking

/// One bytecode frame after the other, from the innermost on, across activations.
struct FrameWalk {
    Value* base;
    const u64* pc;
    bool valid() const { return base != nullptr; }
    Code* code() const { return codeOf(base); }
    u32 word() const { return u32(pc - code()->words); }
    bool isConstruct() const { return returnInfoOf(base) & ReturnInfo::FlagConstruct; }
    void next() {
        u64 info = returnInfoOf(base);
        if (info & ReturnInfo::FlagEntry) {
            pc = savedPcOf(base);
            base = savedBaseOf(base);
        } else {
            pc = ReturnInfo::callerPc(info);
            base -= ReturnInfo::delta(info);
        }
    }
};

/// No number: errors have no stack at all.
constexpr u32 NoTrace = 0xFFFFFFFF;

/// How many frames errors capture.
static u32 stackTraceLimit(Vm& vm) {
    Object* error = vm.realm ? vm.realm->intrinsics[size_t(Intrinsic::Error)].get() : nullptr;
    if (!error)
        return 10;
    Lookup own = getOwnProperty(vm, error, PropertyKey::atom(internAscii(vm, "stackTraceLimit")));
    if (own.type != Lookup::Data || !own.value.isNumber())
        return NoTrace;
    double limit = own.value.asNumber();
    constexpr u32 most = 1 << 20;
    return limit >= 1 ? u32(limit < most ? limit : most) : 0;
}

bool isCallInstruction(Op op) {
    switch (op) {
    case Op::Call:
    case Op::CallWithThis:
    case Op::CallMethod:
    case Op::CallMethodNative:
    case Op::CallMethodPrimitive:
    case Op::CallMethodCharCodeAt:
    case Op::CallMethodPush:
    case Op::CallMethodMath:
    case Op::CallMethodGenerator:
    case Op::CallMethodOwn:
    case Op::CallMethodPolymorphic:
    case Op::CallMethodMegamorphic:
    case Op::CallSpread:
    case Op::Construct: return true;
    default: return false;
    }
}

/// Natives that leave no frame: what makes errors (their constructors, captureStackTrace), as in V8.
static bool isHidden(Vm& vm, NativeFunction* function) {
    if (function->isHidden)
        return true;
    Object* error = vm.realm->intrinsics[size_t(Intrinsic::Error)];
    for (Object* maker = function; maker; maker = prototypeOf(vm, maker))
        if (maker == error)
            return true;
    if (function == vm.realm->intrinsics[size_t(Intrinsic::Array)]
        || function == vm.realm->intrinsics[size_t(Intrinsic::Proxy)])
        return true;
    Value name = function->name;
    return name.isString() && name.asString() == internAscii(vm, "captureStackTrace");
}

/// Natives that V8 calls a function through without a frame of their own: Function.prototype.call and apply,
/// Reflect.apply and construct.
static bool isPassage(Vm& vm, Value function) {
    Value name = static_cast<NativeFunction*>(function.asObject())->name;
    if (!name.isString())
        return false;
    for (const char* passage : {"call", "apply", "construct"})
        if (name.asString() == internAscii(vm, passage))
            return true;
    return false;
}

/// The native function that the instruction at a frame's pc is calling, as a window; null if it calls none.
static Value* nativeWindow(Vm& vm, const FrameWalk& frame) {
    Op op = Op(*reinterpret_cast<const u16*>(frame.pc));
    if (!isCallInstruction(op))
        return nullptr;
    Value* window = &frame.base[reinterpret_cast<const ops::Call*>(frame.pc)->first.n];
    // While the method is still being looked up the register holds whatever was there before.
    Cell* cell = window[0].isObject() ? vm.heap.findCell(window[0].bits()) : nullptr;
    if (!cell || cell != window[0].asCell() || kindOf(cell) != Kind::NativeFunction)
        return nullptr;
    return isHidden(vm, static_cast<NativeFunction*>(cell)) ? nullptr : window;
}

struct CapturedFrame {
    Value callee;
    i32 word;
    Value self;
};

static void captureStack(Vm& vm, Object* object, Object* above) {
    auto* error = static_cast<ErrorObject*>(object);
    u32 limit = stackTraceLimit(vm);
    error->frames = nullptr;
    error->frameCount = 0;
    error->slot(0) = limit == NoTrace ? Value::undefined() : Value::hole();
    if (limit == NoTrace)
        return;
    std::vector<CapturedFrame> frames;
    bool skipping = above != nullptr, fromNative = true;
    for (FrameWalk frame{vm.base, vm.pc}; frame.valid() && frames.size() < limit; frame.next()) {
        Value* window = fromNative ? nativeWindow(vm, frame) : nullptr;
        if (window && skipping) {
            skipping = window[0].asObject() != above;
        } else if (window && (frames.empty() || !isPassage(vm, window[0]))) {
            bool constructs = Op(*reinterpret_cast<const u16*>(frame.pc)) == Op::Construct;
            frames.push_back({window[0], 0, constructs ? Value::hole() : window[2]});
        }
        u64 info = returnInfoOf(frame.base);
        fromNative = (info & ReturnInfo::FlagEntry) || ReturnInfo::resumesByCall(info);
        if (skipping)
            skipping = frame.base[-2].asObject() != above;
        else if (frames.size() < limit)
            frames.push_back({frame.base[-2], i32(frame.word()), frame.isConstruct() ? Value::hole() : frame.base[0]});
    }
    if (frames.empty())
        return;
    u32 count = u32(frames.size()) * StackFrame::Words;
    auto* storage =
        static_cast<Storage*>(vm.heap.allocate(sizeof(Storage) + count * sizeof(Value), u8(Kind::Storage), count));
    for (size_t i = 0; i < frames.size(); i++) {
        storage->values[i * StackFrame::Words] = frames[i].callee;
        storage->values[i * StackFrame::Words + 1] = Value::int32(frames[i].word);
        storage->values[i * StackFrame::Words + 2] = frames[i].self;
    }
    error->frames = storage;
    error->frameCount = count;
}

/// The error stands in the body of a file that is not running: code of one instruction, at that place.
void placeError(Vm& vm, Object* object, Cell* script, u32 begin, u32 end) {
    ops::ThrowError word{};
    CodeParts parts{};
    parts.words.push_back(__builtin_bit_cast(u64, word));
    parts.constants.push_back(Value::undefined());
    parts.places.push_back({0, begin, end, begin});
    parts.name = vm.emptyStringCell;
    parts.script = static_cast<Script*>(script);
    parts.realm = vm.realm;
    parts.flags = u16(InfoMethod) | u16(CodeTopLevel);
    parts.registerCount = 1;
    parts.sourceEnd = u32(parts.script->source->text.size());
    Function* function = newClosure(vm, newCode(vm, parts), nullptr);
    auto* error = static_cast<ErrorObject*>(object);
    auto* storage = static_cast<Storage*>(
        vm.heap.allocate(sizeof(Storage) + StackFrame::Words * sizeof(Value), u8(Kind::Storage), StackFrame::Words));
    storage->values[0] = Value::object(function);
    storage->values[1] = Value::int32(0);
    storage->values[2] = Value::undefined();
    error->frames = storage;
    error->frameCount = StackFrame::Words;
    vm.thrownValue = Value::object(object);
    vm.thrownCode = function->code();
    vm.thrownWord = 0;
}

// ---- places

namespace {

/// Reads backwards what a function is assigned to.
class AssignedName {
public:
    AssignedName(std::string_view text, size_t end)
        : text_(text)
        , at_(end) { }

    /// "a.b" of `a.b = function`, "a.<computed>" of `a[b] = function`; `prototype` and `this` are left out, as V8 does.
    std::string read() {
        skipSpace();
        if (!back('=') || at_ == 0 || std::string_view("=!<>+-*/%&|^?").find(text_[at_ - 1]) != std::string_view::npos)
            return "";
        std::string name;
        do {
            skipSpace();
            std::string part = member();
            if (part.empty())
                return "";
            if (part != "prototype" && part != "this")
                name = name.empty() ? part : part + "." + name;
        } while (indexed_ || (skipSpace(), back('.')));
        return name;
    }

private:
    void skipSpace() {
        while (at_ > 0 && isspace(u8(text_[at_ - 1])))
            at_--;
    }
    bool back(char c) {
        if (at_ == 0 || text_[at_ - 1] != c)
            return false;
        at_--;
        return true;
    }
    std::string member() {
        indexed_ = back(']');
        if (indexed_)
            return index();
        size_t end = at_;
        while (at_ > 0
            && (isalnum(u8(text_[at_ - 1])) || text_[at_ - 1] == '_' || text_[at_ - 1] == '$'
                || u8(text_[at_ - 1]) >= 0x80))
            at_--;
        return std::string(text_.substr(at_, end - at_));
    }
    /// Behind an opening bracket was skipped: to before it.
    std::string index() {
        size_t end = at_;
        for (int depth = 1; at_ > 0 && depth; at_--)
            depth += text_[at_ - 1] == ']' ? 1 : text_[at_ - 1] == '[' ? -1 : 0;
        std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
        bool literal = inside.size() > 2 && (inside[0] == '"' || inside[0] == '\'') && inside[0] == inside.back();
        return literal ? std::string(inside.substr(1, inside.size() - 2)) : "<computed>";
    }

    std::string_view text_;
    size_t at_;
    bool indexed_ = false; ///< the last member stood in brackets: no point comes before it
};

}

/// What Vm::framePlaceHook tells of a bytecode function.
static void framePlace(Vm&, Object* callee, u32 word, FramePlace& out) {
    Code* code = static_cast<Function*>(callee)->code();
    ScriptSource& source = *code->script->source;
    const Place* place = findPlace(code, word);
    u32 point = place ? place->point : code->sourceBegin;
    LineColumn where = lineColumn(source, point), begin = lineColumn(source, code->sourceBegin);
    out.file = source.name;
    out.line = where.line;
    out.column = where.column;
    out.enclosingLine = begin.line;
    out.enclosingColumn = begin.column;
    out.isScript = code->infoFlags & CodeTopLevel;
    out.position = u32(measureUtf8(std::string_view(source.text).substr(0, point)).units);
    if (!out.isScript && !code->name->length)
        out.inferredName = AssignedName(source.text, code->sourceBegin).read();
}

/// A function as its source has it, for Function.prototype.toString.
static Completion<Value> sourceText(Vm& vm, Object* function) {
    Code* code = static_cast<Function*>(function)->code();
    std::string_view text = code->script->source->text;
    return Value::string(newUtf8(vm, text.substr(code->sourceBegin, code->sourceEnd - code->sourceBegin)));
}

void registerForIn(Vm& vm);

void installInterpreter(Vm& vm) {
    installCaches(vm);
    registerForIn(vm);
    vm.interpretHook = interpret;
    vm.captureStackHook = captureStack;
    vm.sourceTextHook = sourceText;
    vm.framePlaceHook = framePlace;
}

}
