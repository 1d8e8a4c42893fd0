// A listing of code: one instruction a line, operands with their names' meaning, jumps as word numbers. Expanded from
// opcodes.def through opInfos.
#include "interp/bytecode/bytecode.h"
#include "runtime/core/module.h"
#include <cmath>
#include <cstdio>
#include <cstring>

namespace scr {

namespace {

/// Walks the "Type name;" list of an instruction with the fields that belong to it.
template <class Visitor> void eachOperand(const u64* word, Visitor&& visitor) {
    const char* text = infoOf(Op(u16(*word))).operands;
    unsigned field = 1;
    while (*text) {
        const char* space = strchr(text, ' ');
        const char* end = strchr(space, ';');
        std::string_view type(text, size_t(space - text)), name(space + 1, size_t(end - space - 1));
        bool isWide = type.ends_with("32");
        i32 value = isWide ? i32(*word >> 32) : i32(i16(*word >> 16 * field));
        visitor(type, name, value);
        field += isWide ? 2 : 1;
        text = end + 1;
    }
}

class Listing {
public:
    explicit Listing(Vm& vm)
        : vm_(vm) { }

    void add(const Code* code) {
        head(code);
        for (u32 at = 0; at < code->wordCount; at += infoOf(Op(u16(code->words[at]))).words)
            instruction(code, at);
        for (u32 i = 0; i < code->handlerCount; i++) {
            const Handler& h = code->handlers()[i];
            print("  handler [%u, %u) -> %u, r%u\n", h.begin, h.end, h.target, h.exception);
        }
        for (u32 i = 0; i < code->constantCount; i++)
            if (const Code* inner = functionOf(code->constant(i))) {
                text_ += '\n';
                add(inner);
            }
    }
    std::string take() { return std::move(text_); }

private:
    static const Code* functionOf(Value constant) {
        bool isCode = constant.isOtherCell() && kindOf(constant.asCell()) == Kind::Code;
        return isCode ? constant.as<Code>() : nullptr;
    }

    template <class... Args> void print(const char* format, Args... args) {
        char buffer[160];
        snprintf(buffer, sizeof buffer, format, args...);
        text_ += buffer;
    }

    void head(const Code* code) {
        std::string name = toUtf8(vm_, code->name);
        text_ += "function " + (name.empty() ? std::string("(anonymous)") : name);
        LineColumn place = lineColumn(*code->script->source, code->sourceBegin);
        print(" at %u:%u: %u parameters, %u registers", place.line, place.column, code->parameterCount,
            code->registerCount);
        if (code->entryArgc == 0xFFFF)
            text_ += ", slow entry";
        if (code->restRegister)
            print(", rest r%u", code->restRegister);
        if (code->argumentsRegister)
            print(", arguments r%u", code->argumentsRegister);
        if (code->newTargetRegister)
            print(", new.target r%u", code->newTargetRegister);
        if (code->instanceSlots)
            print(", %u slots", code->instanceSlots);
        text_ += '\n';
    }

    void instruction(const Code* code, u32 at) {
        const OpInfo& info = infoOf(Op(u16(code->words[at])));
        print("  %4u  %s", at, info.name);
        u32 after = at + info.words;
        eachOperand(code->words + at, [&](std::string_view type, std::string_view name, i32 value) {
            operand(code, at, after, type, name, value);
        });
        text_ += '\n';
    }

    void operand(const Code* code, u32 at, u32 after, std::string_view type, std::string_view name, i32 value) {
        text_ += ' ';
        if (type == "Reg") {
            if (u16(value) == NoReg.n)
                text_ += "own";
            else
                print("r%u", u16(value));
        } else if (type == "Const") {
            constant(code->constant(u16(value)));
        } else if (type.starts_with("Rel")) {
            constant(code->constant(u32(-1 - value - i32(at))));
        } else if (type.starts_with("Jump")) {
            print("-> %d", i32(after) + value);
        } else if (name == "which") {
            static const char* const names[] = {
                "undefined", "null", "false", "true", "hole", "uninitialized", "exception"};
            text_ += names[value];
        } else {
            text_ += name;
            print("=%d", type == "Count" || type == "Slot" ? i32(u16(value)) : value);
        }
    }

    void constant(Value value) {
        if (value.isString())
            string(value.asString());
        else if (value.isNumber())
            print("%.17g", value.asNumber());
        else if (const Code* inner = functionOf(value))
            text_ += "function " + toUtf8(vm_, inner->name);
        else if (value.isObject() && kindOf(value.asCell()) == Kind::Array)
            list(value.as<Array>());
        else if (value.isOtherCell() && kindOf(value.asCell()) == Kind::ImportBinding)
            string(value.as<ImportBinding>()->name);
        else
            text_ += value.isUndefined() ? "undefined" : "(cell)";
    }

    void string(String* string) {
        std::string text = toUtf8(vm_, string);
        text_ += '"';
        for (char c : text.substr(0, 60)) {
            if (c == '\n')
                text_ += "\\n";
            else
                text_ += c;
        }
        text_ += text.size() > 60 ? "...\"" : "\"";
    }

    void list(Array* array) {
        text_ += '[';
        for (u32 i = 0; i < array->length(); i++) {
            if (i)
                text_ += ", ";
            constant(get(vm_, array, PropertyKey::index(i)).value());
        }
        text_ += ']';
    }

    Vm& vm_;
    std::string text_;
};

}

std::string disassemble(Vm& vm, const Code* code) {
    Listing listing(vm);
    listing.add(code);
    return listing.take();
}

}
