// What is on the VM stack: its live top, and the frames that errors capture and show.
#include "interp/vm/slow_paths.h"
#include "runtime/core/call.h"
#include "runtime/core/error.h"

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
            pc = ReturnInfo::pc(info) - 1;
            base -= ReturnInfo::delta(info);
        }
    }
};

static u32 stackTraceLimit(Vm& vm) {
    Object* error = vm.realm ? vm.realm->intrinsics[size_t(Intrinsic::Error)].get() : nullptr;
    if (!error)
        return 10;
    Lookup own = getOwnProperty(vm, error, PropertyKey::atom(internAscii(vm, "stackTraceLimit")));
    if (own.type != Lookup::Data || !own.value.isNumber())
        return 0;
    double limit = own.value.asNumber();
    return limit >= 1 ? u32(limit < 200 ? limit : 200) : 0;
}

/// Frames as triples: callee, word of its code (0 for natives), receiver (a hole if it constructs).
static constexpr u32 FrameWords = 3;

bool isCallInstruction(Op op) {
    switch (op) {
    case Op::Call:
    case Op::CallWithThis:
    case Op::CallMethod:
    case Op::CallMethodNative:
    case Op::CallMethodPrimitive:
    case Op::CallMethodOwn:
    case Op::CallMethodPolymorphic:
    case Op::CallMethodMegamorphic:
    case Op::CallSpread:
    case Op::Construct: return true;
    default: return false;
    }
}

/// The native function that the instruction at a frame's pc is calling, as a window; null if it calls none. What makes
/// errors (their constructors, captureStackTrace) is left out, as V8 does.
static Value* nativeWindow(Vm& vm, const FrameWalk& frame) {
    Op op = Op(*reinterpret_cast<const u16*>(frame.pc));
    if (!isCallInstruction(op))
        return nullptr;
    Value* window = &frame.base[reinterpret_cast<const ops::Call*>(frame.pc)->first.n];
    // While the method is still being looked up the register holds whatever was there before.
    Cell* cell = window[0].isObject() ? vm.heap.findCell(window[0].bits()) : nullptr;
    if (!cell || cell != window[0].asCell() || kindOf(cell) != Kind::NativeFunction)
        return nullptr;
    Object* error = vm.realm->intrinsics[size_t(Intrinsic::Error)];
    for (Object* maker = static_cast<Object*>(cell); maker; maker = prototypeOf(vm, maker))
        if (maker == error)
            return nullptr;
    Value name = static_cast<NativeFunction*>(cell)->name;
    if (name.isString() && name.asString() == internAscii(vm, "captureStackTrace"))
        return nullptr;
    return window;
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
    std::vector<CapturedFrame> frames;
    bool skipping = above != nullptr, fromNative = true;
    for (FrameWalk frame{vm.base, vm.pc}; frame.valid() && frames.size() < limit; frame.next()) {
        Value* window = fromNative && !skipping ? nativeWindow(vm, frame) : nullptr;
        if (window) {
            bool constructs = Op(*reinterpret_cast<const u16*>(frame.pc)) == Op::Construct;
            frames.push_back({window[0], 0, constructs ? Value::hole() : window[2]});
        }
        fromNative = returnInfoOf(frame.base) & ReturnInfo::FlagEntry;
        if (skipping)
            skipping = frame.base[-2].asObject() != above;
        else if (frames.size() < limit)
            frames.push_back({frame.base[-2], i32(frame.word()), frame.isConstruct() ? Value::hole() : frame.base[0]});
    }
    if (frames.empty())
        return;
    u32 count = u32(frames.size()) * FrameWords;
    auto* storage =
        static_cast<Storage*>(vm.heap.allocate(sizeof(Storage) + count * sizeof(Value), u8(Kind::Storage), count));
    for (size_t i = 0; i < frames.size(); i++) {
        storage->values[i * FrameWords] = frames[i].callee;
        storage->values[i * FrameWords + 1] = Value::int32(frames[i].word);
        storage->values[i * FrameWords + 2] = frames[i].self;
    }
    error->frames = storage;
    error->frameCount = count;
}

// ---- text

/// The name of the constructor that a receiver's prototype names, for "at Type.method"; no script runs.
static std::string typeName(Vm& vm, Value self) {
    if (!self.isObject())
        return "";
    Lookup found = lookup(vm, self.asObject(), PropertyKey::atom(vm.names.constructor));
    if (found.type != Lookup::Data || !found.value.isObject() || !found.value.asObject()->isCallable())
        return "Object";
    Lookup name = getOwnProperty(vm, found.value.asObject(), PropertyKey::atom(vm.names.name));
    return name.type == Lookup::Data && name.value.isString() && name.value.asString()->length
        ? toUtf8(vm, name.value.asString())
        : "Object";
}

/// "Array.map (<anonymous>)", "JSON.parse (<anonymous>)", "new Map (<anonymous>)".
static std::string nativeText(Vm& vm, NativeFunction* function, Value self) {
    std::string name = function->name.isString() ? toUtf8(vm, function->name.asString()) : "<anonymous>";
    if (self.isHole())
        return "new " + name + " (<anonymous>)";
    Object* receiver = propertiesOf(vm, self);
    if (!receiver)
        return name + " (<anonymous>)";
    Lookup tag = lookup(vm, receiver, PropertyKey::symbol(vm.symbols.toStringTag));
    std::string type = receiver->isCallable()              ? "Function"
        : tag.type == Lookup::Data && tag.value.isString() ? toUtf8(vm, tag.value.asString())
                                                           : typeName(vm, Value::object(receiver));
    return type + "." + name + " (<anonymous>)";
}

/// Text for one frame: "f (file:3:11)", "new C (...)", "T.m (...)", or the place alone.
static std::string frameText(Vm& vm, Function* function, u32 word, Value self) {
    Code* code = function->code();
    const Place* place = findPlace(code, word);
    LineColumn where = place ? lineColumn(*code->script->source, place->point) : LineColumn{1, 1};
    std::string location =
        code->script->source->name + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
    if (code->infoFlags & CodeTopLevel)
        return location;
    std::string name = toUtf8(vm, code->name);
    if (self.isHole())
        return "new " + (name.empty() ? std::string("<anonymous>") : name) + " (" + location + ")";
    if (self.isObject() && !(code->infoFlags & InfoArrow)) {
        bool isClass = kindOf(self.asCell()) == Kind::Function && (self.asObject()->flags & ClassConstructor);
        std::string type = isClass ? toUtf8(vm, self.as<Function>()->info->name) : "";
        if (type.empty())
            type = self.asObject()->isCallable() ? "Function" : typeName(vm, self);
        if (!type.empty())
            return type + "." + (name.empty() ? std::string("<anonymous>") : name) + " (" + location + ")";
    }
    return name.empty() ? location : name + " (" + location + ")";
}

/// "Name: message" of an error, by its own and inherited data properties: no script runs.
static std::string errorHeading(Vm& vm, Object* error) {
    if (DomException* exception = asDomException(Value::object(error))) {
        std::string name = toUtf8(vm, exception->name.asString()), message = toUtf8(vm, exception->message.asString());
        return message.empty() ? name : name + ": " + message;
    }
    auto text = [&](String* name, const char* fallback) {
        Lookup found = lookup(vm, error, PropertyKey::atom(name));
        return found.type == Lookup::Data && found.value.isString() ? toUtf8(vm, found.value.asString())
                                                                    : std::string(fallback);
    };
    std::string name = text(vm.names.name, "Error"), message = text(vm.names.message, "");
    if (static_cast<ErrorObject*>(error)->errorFlags & ErrorCoded)
        name += " [" + text(vm.names.code, "") + "]";
    return message.empty() ? name : name.empty() ? message : name + ": " + message;
}

static Value stackText(Vm& vm, Object* object) {
    auto* error = static_cast<ErrorObject*>(object);
    std::string text = errorHeading(vm, error);
    for (u32 i = 0; i + FrameWords <= error->frameCount; i += FrameWords) {
        const Value* frame = error->frames->values + i;
        Object* callee = frame[0].asObject();
        text += "\n    at "
            + (kindOf(callee) == Kind::NativeFunction
                    ? nativeText(vm, static_cast<NativeFunction*>(callee), frame[2])
                    : frameText(vm, static_cast<Function*>(callee), u32(frame[1].asInt()), frame[2]));
    }
    return Value::string(newUtf8(vm, text));
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
    vm.stackTextHook = stackText;
}

}
