// What each instruction changes, in one table: a switch over all of them without a default, so that a new instruction
// does not compile before somebody has thought about it.
//
// Not counted as changes: registers of the frame (a generator that goes on was asked about before), inline caches, and
// what is made by the instruction itself. Whatever calls script or natives on the way is asked about when it does.
#include "interp/vm/instruction_effects.h"
#include "interp/bytecode/inline_cache.h"
#include "interp/vm/interpreter.h"

namespace scr {

namespace {

/// What an instruction writes to.
enum class Change : u8 {
    Nothing,
    Object, ///< the object in `subject`
    Iterator, ///< the loop's iterator in `subject`: a step moves it
    Environment, ///< an environment `subject` hops above the callee's own
    Slot, ///< the environment in the register `subject`
    Refused, ///< what was there before for certain, or it waits or loads
};

struct InstructionEffect {
    Change change = Change::Nothing;
    u16 subject = 0;
};

template <class I> const I& as(const u64* pc) { return *reinterpret_cast<const I*>(pc); }

/// Receivers of calls that are carried out in place: what the site's cache does not know goes the way of all calls.
InstructionEffect inPlace(const u64* pc, Value* base) {
    u16 receiver = as<ops::CallMethod>(pc).first.n + 2;
    Value self = base[receiver];
    bool hit = self.isObject() && self.asObject()->shape == cacheOf(pc).key;
    return {hit ? Change::Object : Change::Nothing, receiver};
}

InstructionEffect effectOf(const u64* pc, Value* base) {
    constexpr InstructionEffect nothing{}, refused{Change::Refused, 0};
    switch (Op(*reinterpret_cast<const u16*>(pc))) {
    // ---- loads, arithmetic, comparisons, jumps
    case Op::Move:
    case Op::LoadInt:
    case Op::LoadConstant:
    case Op::LoadSpecial:
    case Op::LoadCallee:
    case Op::LoadEnvironment:
    case Op::LoadGlobalThis:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Mod:
    case Op::Exp:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case Op::ShiftLeft:
    case Op::ShiftRight:
    case Op::ShiftRightUnsigned:
    case Op::AddInt:
    case Op::SubInt:
    case Op::MulInt:
    case Op::DivInt:
    case Op::ModInt:
    case Op::BitAndInt:
    case Op::BitOrInt:
    case Op::BitXorInt:
    case Op::ShiftLeftInt:
    case Op::ShiftRightInt:
    case Op::ShiftRightUnsignedInt:
    case Op::AddConstant:
    case Op::SubConstant:
    case Op::MulConstant:
    case Op::DivConstant:
    case Op::AddDouble:
    case Op::SubDouble:
    case Op::MulDouble:
    case Op::Increment:
    case Op::Decrement:
    case Op::Negate:
    case Op::BitNot:
    case Op::Not:
    case Op::TypeOf:
    case Op::ToNumber:
    case Op::ToNumeric:
    case Op::ToString:
    case Op::ToPropertyKey:
    case Op::Concat:
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual:
    case Op::StrictEqual:
    case Op::StrictNotEqual:
    case Op::Equal:
    case Op::NotEqual:
    case Op::InstanceOf:
    case Op::In:
    case Op::Jump:
    case Op::Loop:
    case Op::JumpIfTrue:
    case Op::JumpIfFalse:
    case Op::JumpIfNullish:
    case Op::JumpIfNotNullish:
    case Op::JumpIfUndefined:
    case Op::JumpIfNotUndefined:
    case Op::SwitchInt:
    case Op::SwitchTable:
    case Op::JumpIfLess:
    case Op::JumpIfLessEqual:
    case Op::JumpIfGreater:
    case Op::JumpIfGreaterEqual:
    case Op::JumpIfNotLess:
    case Op::JumpIfNotLessEqual:
    case Op::JumpIfNotGreater:
    case Op::JumpIfNotGreaterEqual:
    case Op::JumpIfStrictEqual:
    case Op::JumpIfStrictNotEqual:
    case Op::JumpIfEqual:
    case Op::JumpIfNotEqual:
    case Op::JumpIfLessInt:
    case Op::JumpIfLessEqualInt:
    case Op::JumpIfGreaterInt:
    case Op::JumpIfGreaterEqualInt:
    case Op::JumpIfNotLessInt:
    case Op::JumpIfNotLessEqualInt:
    case Op::JumpIfNotGreaterInt:
    case Op::JumpIfNotGreaterEqualInt:
    case Op::JumpIfStrictEqualInt:
    case Op::JumpIfStrictNotEqualInt:
    case Op::LoopIfTrue:
    case Op::LoopIfFalse:
    case Op::LoopIfLess:
    case Op::LoopIfLessEqual:
    case Op::LoopIfGreater:
    case Op::LoopIfGreaterEqual:
    case Op::LoopIfLessInt:
    case Op::LoopIfLessEqualInt:
    case Op::LoopIfGreaterInt:
    case Op::LoopIfGreaterEqualInt:
    case Op::IncrementLoopIfLess:
    case Op::IncrementLoopIfLessEqual:
    case Op::IncrementLoopIfLessInt: return nothing;

    // ---- bindings
    case Op::NewEnvironment:
    case Op::CopyEnvironment:
    case Op::GetSlot:
    case Op::GetCaptured:
    case Op::GetCaptured1:
    case Op::GetCapturedN:
    case Op::GetCapturedOnce:
    case Op::GetImport:
    case Op::CheckInitialized:
    case Op::CheckThis:
    case Op::CheckThisUninitialized:
    case Op::GetGlobal:
    case Op::GetGlobalOrUndefined:
    case Op::ThrowError: return nothing;
    case Op::SetSlot: return {Change::Slot, as<ops::SetSlot>(pc).env.n};
    case Op::SetCaptured: return {Change::Environment, 0};
    case Op::SetCaptured1: return {Change::Environment, 1};
    case Op::SetCapturedN: return {Change::Environment, as<ops::SetCapturedN>(pc).hops.n};
    case Op::SetGlobal:
    case Op::InitializeGlobal: return refused;

    // ---- properties
    case Op::GetField:
    case Op::GetFieldInline:
    case Op::GetFieldOverflow:
    case Op::GetFieldHolder:
    case Op::GetFieldGetter:
    case Op::GetFieldAbsent:
    case Op::GetFieldArrayLength:
    case Op::GetFieldStringLength:
    case Op::GetFieldPolymorphic:
    case Op::GetFieldMegamorphic:
    case Op::GetElement:
    case Op::GetSuper:
    case Op::GetPrivate:
    case Op::HasPrivate:
    case Op::NewPrivateName:
    case Op::CheckObjectCoercible: return nothing;
    case Op::PutField:
    case Op::PutFieldInline:
    case Op::PutFieldOverflow:
    case Op::PutFieldAddInline:
    case Op::PutFieldAddOverflow:
    case Op::PutFieldSetter:
    case Op::PutFieldPolymorphic:
    case Op::PutFieldMegamorphic: return {Change::Object, as<ops::PutField>(pc).object.n};
    case Op::PutElement: return {Change::Object, as<ops::PutElement>(pc).object.n};
    case Op::DefineField:
    case Op::DefineFieldAddInline: return {Change::Object, as<ops::DefineField>(pc).object.n};
    case Op::DefineElement: return {Change::Object, as<ops::DefineElement>(pc).object.n};
    case Op::DefineMethod: return {Change::Object, as<ops::DefineMethod>(pc).object.n};
    case Op::DefineGetter: return {Change::Object, as<ops::DefineGetter>(pc).object.n};
    case Op::DefineSetter: return {Change::Object, as<ops::DefineSetter>(pc).object.n};
    case Op::DefineClassGetter: return {Change::Object, as<ops::DefineClassGetter>(pc).object.n};
    case Op::DefineClassSetter: return {Change::Object, as<ops::DefineClassSetter>(pc).object.n};
    case Op::SetFunctionName: return {Change::Object, as<ops::SetFunctionName>(pc).function.n};
    case Op::DeleteField: return {Change::Object, as<ops::DeleteField>(pc).object.n};
    case Op::DeleteElement: return {Change::Object, as<ops::DeleteElement>(pc).object.n};
    case Op::PutSuper: return {Change::Object, u16(as<ops::PutSuper>(pc).first.n + 2)};
    case Op::PutPrivate: return {Change::Object, as<ops::PutPrivate>(pc).object.n};
    case Op::AddPrivate: return {Change::Object, as<ops::AddPrivate>(pc).object.n};
    case Op::SetLiteralPrototype: return {Change::Object, as<ops::SetLiteralPrototype>(pc).object.n};
    case Op::CopyDataProperties: return {Change::Object, as<ops::CopyDataProperties>(pc).object.n};

    // ---- literals and functions
    case Op::NewObject:
    case Op::NewObjectLiteral:
    case Op::NewArray:
    case Op::Closure:
    case Op::ClosureOf:
    case Op::NewClass:
    case Op::GetTemplateObject: return nothing;
    case Op::ArrayPush: return {Change::Object, as<ops::ArrayPush>(pc).array.n};
    case Op::ArrayPushHole: return {Change::Object, as<ops::ArrayPushHole>(pc).array.n};
    case Op::ArraySpread: return {Change::Object, as<ops::ArraySpread>(pc).array.n};

    // ---- calls
    case Op::Call:
    case Op::CallWithThis:
    case Op::CallMethod:
    case Op::CallMethodFunction:
    case Op::CallMethodNative:
    case Op::CallMethodPrimitive:
    case Op::CallMethodCharCodeAt:
    case Op::CallMethodMath:
    case Op::CallMethodOwn:
    case Op::CallMethodPolymorphic:
    case Op::CallMethodMegamorphic:
    case Op::CallSpread:
    case Op::Construct:
    case Op::ConstructSpread:
    case Op::SuperCall:
    case Op::SuperCallSpread:
    case Op::GetPrototype:
    case Op::Return:
    case Op::ReturnUndefined:
    case Op::ReturnDerived: return nothing;
    case Op::CallMethodPush:
    case Op::CallMethodGenerator: return inPlace(pc, base);
    case Op::CallEval:
    case Op::CallEvalSpread: return refused;

    // ---- iteration
    case Op::ForOfInit:
    case Op::ForInInit:
    case Op::ForInNext: return nothing;
    case Op::ForOfNext: return {Change::Iterator, as<ops::ForOfNext>(pc).first.n};
    case Op::IteratorNext: return {Change::Iterator, as<ops::IteratorNext>(pc).first.n};
    case Op::IteratorRest: return {Change::Iterator, as<ops::IteratorRest>(pc).first.n};
    case Op::IteratorClose: return {Change::Iterator, as<ops::IteratorClose>(pc).first.n};
    case Op::IteratorCloseSilently: return {Change::Iterator, as<ops::IteratorCloseSilently>(pc).first.n};

    // ---- suspension: a generator that was made under the guard may run, nothing may wait for a job
    case Op::StartGenerator:
    case Op::Yield:
    case Op::YieldDelegated:
    case Op::ReturnGenerator:
    case Op::ReturnAsync:
    case Op::RejectAsync:
    case Op::DelegateInit:
    case Op::CheckIteratorResult: return nothing;
    case Op::DelegateNext: return {Change::Iterator, as<ops::DelegateNext>(pc).first.n};
    case Op::StartModule:
    case Op::AsyncYield:
    case Op::AsyncYieldDelegated:
    case Op::Await:
    case Op::ReturnAsyncGenerator:
    case Op::RejectAsyncGenerator:
    case Op::AsyncDelegateInit:
    case Op::AsyncDelegateNext:
    case Op::AsyncDelegateResult:
    case Op::ForAwaitInit:
    case Op::ForAwaitNext:
    case Op::ForAwaitResult:
    case Op::AsyncIteratorClose: return refused;

    // ---- disposal, modules, exceptions
    case Op::AddDisposable:
    case Op::Dispose:
    case Op::Throw: return nothing;
    case Op::DisposeNext:
    case Op::Suppress:
    case Op::ImportCall:
    case Op::ImportMeta:
    case Op::Halt:
    case Op::Count: return refused;
    }
    return refused;
}

bool isFreshEnvironment(const SideEffectGuard& guard, const Value* base, u32 hops) {
    const scr::Environment* environment = calleeOf(base)->environment;
    while (hops--)
        environment = environment->parent;
    return guard.isFresh(environment);
}

/// A loop that reads an array by index has no iterator; the natives behind all others ask when they are called, but not
/// a generator that goes on in place.
bool mayMove(const SideEffectGuard& guard, Value iterator) {
    return !iterator.isObject() || kindOf(iterator.asCell()) != Kind::Generator || guard.isFresh(iterator);
}

}

bool mayRun(SideEffectGuard& guard, const u64* pc, Value* base) {
    if (guard.refused())
        return false;
    InstructionEffect effect = effectOf(pc, base);
    bool allowed = false;
    switch (effect.change) {
    case Change::Nothing: allowed = true; break;
    case Change::Object: allowed = guard.isFresh(base[effect.subject]); break;
    case Change::Iterator: allowed = mayMove(guard, base[effect.subject]); break;
    case Change::Environment: allowed = isFreshEnvironment(guard, base, effect.subject); break;
    case Change::Slot: allowed = guard.isFresh(base[effect.subject].asCell()); break;
    case Change::Refused: break;
    }
    return allowed || guard.refuse();
}

}
