// The verifier: whether code can do no harm to the interpreter, whatever it computes. Every operand is checked by its
// type; jumps and handlers must lead to the first word of an instruction; call windows must fit the frame; control may
// not run out of the end. Runs on all code in debug builds.
#include "interp/bytecode/bytecode.h"
#include "runtime/core/hash_table.h"
#include <cstring>

namespace scr {

namespace {

class Verifier {
public:
    explicit Verifier(const Code* code)
        : code_(code)
        , starts_(code->wordCount) { }

    const char* run() {
        if (!code_->wordCount)
            return "no instructions";
        u32 last = 0;
        for (u32 at = 0; at < code_->wordCount; at += words(at)) {
            if (u16(code_->words[at]) >= u16(Op::Count))
                return "unknown instruction";
            if (at + words(at) > code_->wordCount)
                return "cache words are cut off";
            starts_[at] = true;
            last = at;
        }
        if (!strchr(infoOf(op(last)).traits, 'E'))
            return "control runs out of the end";
        for (u32 at = 0; at < code_->wordCount && !error_; at += words(at))
            instruction(at);
        if (!error_)
            tables();
        return error_;
    }

private:
    Op op(u32 at) const { return Op(u16(code_->words[at])); }
    u32 words(u32 at) const { return infoOf(op(at)).words; }
    u16 field(u32 at, unsigned number) const { return u16(code_->words[at] >> 16 * number); }
    void check(bool condition, const char* error) {
        if (!condition && !error_)
            error_ = error;
    }
    bool isStart(i64 word) const { return word >= 0 && word < code_->wordCount && starts_[size_t(word)]; }

    void instruction(u32 at) {
        const char* text = infoOf(op(at)).operands;
        for (unsigned number = 1; *text;) {
            const char* space = strchr(text, ' ');
            const char* end = strchr(space, ';');
            operand(at, {text, size_t(space - text)}, {space + 1, size_t(end - space - 1)}, number);
            number += space[-1] == '2' ? 2 : 1; // ...32
            text = end + 1;
        }
        windows(at);
        if (op(at) == Op::Closure || op(at) == Op::NewClass)
            functionConstant(field(at, 2));
    }

    void operand(u32 at, std::string_view type, std::string_view name, unsigned number) {
        i64 narrow = i16(field(at, number)), wide = i32(code_->words[at] >> 32);
        if (type == "Reg")
            check(u16(narrow) < code_->registerCount || ((name == "env" || name == "parent") && u16(narrow) == NoReg.n),
                "a register is outside of the frame");
        else if (type == "Const")
            check(u16(narrow) < code_->constantCount, "there is no such constant");
        else if (type == "Rel16" || type == "Rel32")
            relative(i64(at) + (type == "Rel16" ? narrow : wide));
        else if (type == "Jump16" || type == "Jump32")
            check(
                isStart(i64(at) + words(at) + (type == "Jump16" ? narrow : wide)), "a jump leads into an instruction");
    }

    /// Constants stand in the words before the first one.
    void relative(i64 word) { check(word < 0 && -word <= i64(code_->constantCount), "there is no such constant"); }

    void functionConstant(u16 number) {
        check(number < code_->constantCount, "there is no such constant");
        if (!error_) {
            Value value = code_->constant(number);
            check(value.isOtherCell() && kindOf(value.asCell()) == Kind::Code, "a closure's constant is no code");
        }
    }

    /// Registers that an instruction uses without naming them.
    void windows(u32 at) {
        u32 first = field(at, 1);
        switch (op(at)) {
        case Op::Call:
        case Op::CallWithThis:
        case Op::CallMethod:
        case Op::CallEval:
        case Op::Construct:
        case Op::SuperCall: fits(first + 3 + field(at, 2)); break;
        case Op::CallSpread:
        case Op::CallEvalSpread:
        case Op::ConstructSpread:
        case Op::SuperCallSpread: fits(first + 4); break;
        case Op::Concat:
        case Op::NewArray: fits(field(at, 2) + u32(field(at, 3))); break;
        case Op::NewClass: fits(first + 2); break;
        case Op::SwitchInt: jumps(at); break;
        case Op::SwitchTable:
            jumps(at);
            table(field(at, 2), field(at, 3));
            break;
        case Op::GetSuper: fits(field(at, 2) + 3u); break;
        case Op::PutSuper: fits(first + 3); break;
        case Op::ForOfInit:
        case Op::ForOfNext:
        case Op::IteratorNext:
        case Op::IteratorRest:
        case Op::IteratorClose:
        case Op::IteratorCloseSilently: fits(first + 3); break;
        case Op::ForAwaitInit:
        case Op::ForAwaitNext: fits(first + 2); break;
        case Op::ArraySpread: fits(field(at, 2) + 3u); break;
        case Op::StartGenerator: saves(field(at, 2)); break;
        case Op::StartModule: saves(field(at, 3)); break;
        case Op::GetImport: import(field(at, 2)); break;
        case Op::Await: saves(first); break;
        case Op::Yield:
        case Op::AsyncYield:
            saves(first);
            check(isStart(i64(at) + 1) && op(at + 1) == Op::Jump && isStart(i64(at) + 2), "a yield has no jump");
            break;
        case Op::AsyncYieldDelegated:
            saves(first);
            check(first, "there is no room for the mode");
            break;
        case Op::YieldDelegated:
            saves(first);
            fits(first + 2);
            break;
        case Op::DelegateInit:
        case Op::AsyncDelegateInit:
        case Op::AsyncDelegateNext:
        case Op::AsyncDelegateResult:
        case Op::DelegateNext: fits(first + 4); break;
        case Op::Dispose:
        case Op::DisposeNext:
        case Op::Suppress: fits(first + 3); break;
        case Op::CopyDataProperties: fits(first + 1 + field(at, 3)); break;
        default: break;
        }
    }
    /// The Jumps behind a switch.
    void jumps(u32 at) {
        for (u32 i = 1; i <= field(at, 3) + 1u && !error_; i++)
            check(isStart(i64(at) + i) && op(at + i) == Op::Jump, "a switch has too few jumps");
    }
    void table(u16 number, u16 count) {
        check(number < code_->constantCount, "there is no such constant");
        if (error_)
            return;
        Value value = code_->constant(number);
        check(value.isOtherCell() && kindOf(value.asCell()) == Kind::HashTable, "a switch's constant is no table");
        if (error_)
            return;
        auto* table = value.as<HashTable>();
        for (u32 i = 0; i < table->used; i++) {
            Value jump = table->entries()[i].value;
            check(jump.isInt() && u32(jump.asInt()) < count, "a switch's table leads nowhere");
        }
    }
    void import(u16 number) {
        check(number < code_->constantCount, "there is no such constant");
        if (error_)
            return;
        Value value = code_->constant(number);
        check(
            value.isOtherCell() && kindOf(value.asCell()) == Kind::ImportBinding, "an import's constant is no binding");
    }
    void saves(u32 live) { check(live <= code_->frameCapacity, "more is saved than a suspended frame holds"); }
    void fits(u32 end) { check(end <= code_->registerCount, "a window is outside of the frame"); }

    void tables() {
        for (u32 i = 0; i < code_->handlerCount; i++) {
            const Handler& h = code_->handlers()[i];
            check(h.begin < h.end && h.end <= code_->wordCount, "a handler's range is empty or outside of the code");
            check(isStart(h.begin) && isStart(h.target), "a handler leads into an instruction");
            check(h.exception < code_->registerCount, "a handler's register is outside of the frame");
        }
        for (u32 i = 0; i < code_->placeCount; i++) {
            const Place& place = code_->places()[i];
            check(i == 0 || place.word > code_->places()[i - 1].word, "places are not in order");
            check(place.begin <= place.end && place.end <= code_->script->source->text.size(),
                "a place is outside of the text");
        }
    }

    const Code* code_;
    std::vector<bool> starts_;
    const char* error_ = nullptr;
};

}

const char* verify(const Code* code) { return Verifier(code).run(); }

}
