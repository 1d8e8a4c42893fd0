// Reading instructions backwards. See missing.h.
#include "interp/vm/missing.h"
#include "interp/bytecode/inline_cache.h"
#include "interp/vm/slow_paths.h"
#include "runtime/core/global_scope.h"
#include "runtime/core/module.h"
#include <algorithm>
#include <cstring>

namespace scr {

namespace {

/// What stands in ErrorObject::registers: the callee, the word that threw, registers from R(0) on.
enum KeptWord : u32 { KeptCallee, KeptPosition, KeptRegisters };
constexpr u32 MostRegisters = 250, MostSteps = 16;

/// Registers above the live ones may hold anything: only what is certainly a value is kept.
Value trusted(Vm& vm, Value value) {
    if (!value.isCell())
        return value;
    Cell* cell = vm.heap.findCell(value.bits());
    if (!cell || cell != value.asCell())
        return Value::hole();
    if (value.isObject())
        return kindOf(cell) >= Kind::Object ? value : Value::hole();
    bool isKnown = value.isString() ? kindOf(cell) == Kind::String : kindOf(cell) == Kind::Environment;
    return isKnown ? value : Value::hole();
}

bool isOp(Op op, Op first, Op last) { return op >= first && op <= last; }
bool isGetField(Op op) { return isOp(op, Op::GetField, Op::GetFieldMegamorphic); }
bool isPutField(Op op) { return isOp(op, Op::PutField, Op::PutFieldMegamorphic); }
bool isCallMethod(Op op) { return isOp(op, Op::CallMethod, Op::CallMethodMegamorphic); }

class Replay {
public:
    Replay(Vm& vm, const Storage* kept)
        : vm_(vm)
        , callee_(static_cast<Function*>(kept->values[KeptCallee].asObject()))
        , code_(callee_->code())
        , thrownAt_(u32(kept->values[KeptPosition].asInt()))
        , kept_(kept) { }
    Missing missing();

private:
    static constexpr u32 None = ~0u;
    Op opAt(u32 word) const { return Op(*reinterpret_cast<const u16*>(code_->words + word)); }
    template <class I> const I& at(u32 word) const { return *reinterpret_cast<const I*>(code_->words + word); }
    bool writes(u32 word, u16 reg) const;
    u32 lastWriter(u16 reg, u32 before) const;
    Value kept(u16 reg) const;
    Value valueBefore(u16 reg, u32 word);
    Value resultOf(u32 word);
    Value captured(u32 slot, u32 hops) const;
    Value global(PropertyKey key) const;
    Value property(Value holder, PropertyKey key) const;
    PropertyKey keyOf(Const name) const { return PropertyKey::fromBits(code_->constant(name.n).bits()); }
    void describe(u16 reg, Missing& missing);

    Vm& vm_;
    Function* callee_;
    Code* code_;
    u32 thrownAt_;
    const Storage* kept_;
    u32 steps_ = 0;
};

bool Replay::writes(u32 word, u16 reg) const {
    const OpInfo& info = infoOf(opAt(word));
    u16 fieldA = reinterpret_cast<const u16*>(code_->words + word)[1];
    if (!std::strncmp(info.operands, "Reg dst;", 8))
        return fieldA == reg;
    // A window: what is called may leave anything behind it.
    if (!std::strncmp(info.operands, "Reg first;", 10))
        return reg >= fieldA;
    return false;
}

u32 Replay::lastWriter(u16 reg, u32 before) const {
    u32 last = None;
    for (u32 word = 0; word < before && word < code_->wordCount; word += infoOf(opAt(word)).words)
        if (writes(word, reg))
            last = word;
    return last;
}

Value Replay::kept(u16 reg) const {
    return KeptRegisters + reg < kept_->capacity() ? kept_->values[KeptRegisters + reg] : Value::hole();
}

/// What the register held when the instruction at `word` began.
Value Replay::valueBefore(u16 reg, u32 word) {
    u32 writer = lastWriter(reg, word);
    if (writer == lastWriter(reg, thrownAt_))
        return kept(reg);
    return writer == None || ++steps_ > MostSteps ? Value::hole() : resultOf(writer);
}

Value Replay::captured(u32 slot, u32 hops) const {
    Environment* environment = callee_->environment;
    while (environment && hops--)
        environment = environment->parent;
    return environment && slot < environment->count() ? environment->slots[slot] : Value::hole();
}

Value Replay::global(PropertyKey key) const {
    if (Lookup binding = globalLexical(vm_, code_->realm, key); binding.found())
        return binding.value;
    return property(Value::object(code_->realm->global), key);
}

Value Replay::property(Value holder, PropertyKey key) const {
    if (holder.isHole() || holder.isUninitialized() || holder.isNullish()
        || (holder.isCell() && !holder.isObject() && !holder.isString()))
        return Value::hole();
    Lookup found = lookup(vm_, propertiesOf(vm_, holder), key);
    if (found.isAccessor() || found.isIntercepted())
        return Value::hole();
    return found.found() ? found.value : Value::undefined();
}

/// What the instruction gave, if it can be done again without a trace.
Value Replay::resultOf(u32 word) {
    Op op = opAt(word);
    if (isGetField(op)) {
        const auto& insn = at<ops::GetField>(word);
        return property(valueBefore(insn.object.n, word), keyOf(insn.name));
    }
    switch (op) {
    case Op::Move: return valueBefore(at<ops::Move>(word).src.n, word);
    case Op::LoadGlobalThis: return Value::object(code_->realm->global);
    case Op::LoadCallee: return Value::object(callee_);
    case Op::LoadEnvironment: return callee_->environment ? Value::cell(callee_->environment.get()) : Value::hole();
    case Op::GetCaptured: return captured(at<ops::GetCaptured>(word).slot.n, 0);
    case Op::GetCaptured1: return captured(at<ops::GetCaptured1>(word).slot.n, 1);
    case Op::GetCapturedN: return captured(at<ops::GetCapturedN>(word).slot.n, at<ops::GetCapturedN>(word).hops.n);
    case Op::GetCapturedOnce:
        return captured(at<ops::GetCapturedOnce>(word).slot.n, at<ops::GetCapturedOnce>(word).hops.n);
    case Op::GetGlobal:
    case Op::GetGlobalOrUndefined: return global(keyOf(at<ops::GetGlobal>(word).name));
    case Op::GetImport: {
        Value constant = code_->constant(at<ops::GetImport>(word).binding.n);
        bool isBinding = constant.isCell() && !constant.isObject() && kindOf(constant.asCell()) == Kind::ImportBinding;
        auto* binding = isBinding ? constant.as<ImportBinding>() : nullptr;
        Environment* environment = binding ? binding->environment.get() : nullptr;
        return environment && binding->slot < environment->count() ? environment->slots[binding->slot] : Value::hole();
    }
    case Op::GetSlot: {
        Value environment = valueBefore(at<ops::GetSlot>(word).env.n, word);
        u32 slot = at<ops::GetSlot>(word).slot.n;
        bool isOne =
            environment.isCell() && !environment.isObject() && kindOf(environment.asCell()) == Kind::Environment;
        return isOne && slot < environment.as<Environment>()->count() ? environment.as<Environment>()->slots[slot]
                                                                      : Value::hole();
    }
    default: return Value::hole();
    }
}

/// What the register that the instruction used holds, and which property that was.
void Replay::describe(u16 reg, Missing& missing) {
    missing.value = kept(reg);
    u32 writer = lastWriter(reg, thrownAt_);
    while (writer != None && opAt(writer) == Op::Move && ++steps_ < MostSteps)
        writer = lastWriter(at<ops::Move>(writer).src.n, writer);
    if (writer == None || !isGetField(opAt(writer)))
        return;
    const auto& insn = at<ops::GetField>(writer);
    missing.holder = valueBefore(insn.object.n, writer);
    missing.key = keyOf(insn.name);
    if (missing.value.isHole())
        missing.value = property(missing.holder, missing.key);
}

Missing Replay::missing() {
    Missing missing;
    if (thrownAt_ >= code_->wordCount)
        return missing;
    Op op = opAt(thrownAt_);
    u16 fieldA = reinterpret_cast<const u16*>(code_->words + thrownAt_)[1];
    if (isGetField(op)) {
        describe(at<ops::GetField>(thrownAt_).object.n, missing);
    } else if (isPutField(op) || op == Op::PutElement) {
        describe(fieldA, missing);
    } else if (op == Op::GetElement) {
        describe(at<ops::GetElement>(thrownAt_).object.n, missing);
    } else if (op == Op::ForOfInit) {
        describe(at<ops::ForOfInit>(thrownAt_).iterable.n, missing);
    } else if (isCallMethod(op)) {
        const auto& insn = at<ops::CallMethod>(thrownAt_);
        Value self = kept(u16(insn.first.n + 2));
        if (self.isNullish()) {
            describe(u16(insn.first.n + 2), missing);
        } else {
            missing.holder = self;
            missing.key = keyOf(insn.name);
            missing.value = property(self, missing.key);
        }
    } else if (op == Op::Call || op == Op::CallWithThis || op == Op::CallSpread || op == Op::Construct
        || op == Op::ConstructSpread) {
        describe(fieldA, missing);
    }
    return missing;
}

}

void keepRegisters(Vm& vm, ErrorObject* error) {
    if (!vm.base || !vm.pc)
        return;
    Value* base = vm.base;
    Code* code = codeOf(base);
    if (vm.pc < code->words || vm.pc >= code->words + code->wordCount)
        return;
    u32 count = std::min<u32>(code->registerCount, MostRegisters);
    // Behind the allocation: whatever that collects is not kept.
    auto* kept = static_cast<Storage*>(vm.heap.allocate(
        sizeof(Storage) + (KeptRegisters + count) * sizeof(Value), u8(Kind::Storage), KeptRegisters + count));
    kept->values[KeptCallee] = base[-2];
    kept->values[KeptPosition] = Value::int32(i32(vm.pc - code->words));
    for (u32 i = 0; i < count; i++)
        kept->values[KeptRegisters + i] = trusted(vm, base[i]);
    error->registers = kept;
}

Missing findMissing(Vm& vm, ErrorObject* error) {
    return error->registers ? Replay(vm, error->registers).missing() : Missing{};
}

}
