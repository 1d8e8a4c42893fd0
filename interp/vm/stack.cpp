// What is live on the VM stack, and where the frames that errors captured stand.
#include "interp/vm/missing.h"
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
void captureStack(Vm& vm, Object* error, Object* above);

void installInterpreter(Vm& vm) {
    installCaches(vm);
    registerForIn(vm);
    vm.interpretHook = interpret;
    vm.captureStackHook = captureStack;
    vm.sourceTextHook = sourceText;
    vm.framePlaceHook = framePlace;
    vm.keepRegistersHook = keepRegisters;
}

}
