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

/// Frames as triples: callee, word of its code, receiver and whether it constructs.
static constexpr u32 FrameWords = 3;

static void captureStack(Vm& vm, Object* object, Object* above) {
    auto* error = static_cast<ErrorObject*>(object);
    u32 limit = stackTraceLimit(vm);
    error->frames = nullptr;
    error->frameCount = 0;
    std::vector<FrameWalk> walk;
    bool skipping = above != nullptr;
    for (FrameWalk frame{vm.base, vm.pc}; frame.valid() && walk.size() < limit; frame.next()) {
        if (!skipping)
            walk.push_back(frame);
        else if (frame.base[-2].asObject() == above)
            skipping = false;
    }
    if (walk.empty())
        return;
    u32 count = u32(walk.size()) * FrameWords;
    auto* storage =
        static_cast<Storage*>(vm.heap.allocate(sizeof(Storage) + count * sizeof(Value), u8(Kind::Storage), count));
    for (size_t i = 0; i < walk.size(); i++) {
        storage->values[i * FrameWords] = walk[i].base[-2];
        storage->values[i * FrameWords + 1] = Value::int32(i32(walk[i].word()));
        storage->values[i * FrameWords + 2] = walk[i].isConstruct() ? Value::hole() : walk[i].base[0];
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
        std::string type = self.asObject()->isCallable() ? "Function" : typeName(vm, self);
        if (!type.empty())
            return type + "." + (name.empty() ? std::string("<anonymous>") : name) + " (" + location + ")";
    }
    return name.empty() ? location : name + " (" + location + ")";
}

/// "Name: message" of an error, by its own and inherited data properties: no script runs.
static std::string errorHeading(Vm& vm, Object* error) {
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
        text +=
            "\n    at " + frameText(vm, static_cast<Function*>(frame[0].asObject()), u32(frame[1].asInt()), frame[2]);
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
    vm.captureStackHook = captureStack;
    vm.sourceTextHook = sourceText;
    vm.stackTextHook = stackText;
}

}
