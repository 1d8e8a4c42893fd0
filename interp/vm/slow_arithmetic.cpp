// Slow paths of arithmetic and comparisons: conversions, doubles that no fast path took, strings.
#include "interp/vm/slow_paths.h"
#include "runtime/core/hash_table.h"
#include <cmath>

namespace scr {

static void rewrite(const u64* pc, Op op) { *reinterpret_cast<u16*>(const_cast<u64*>(pc)) = u16(op); }

template <class T> static bool store(Value& target, Completion<T> result);
template <> bool store(Value& target, Completion<Value> result) {
    if (UNLIKELY(result.threw()))
        return false;
    target = result.value();
    return true;
}
template <> bool store(Value& target, Completion<bool> result) {
    if (UNLIKELY(result.threw()))
        return false;
    target = Value::boolean(result.value());
    return true;
}
template <> bool store(Value& target, Completion<String*> result) {
    if (UNLIKELY(result.threw()))
        return false;
    target = Value::string(result.value());
    return true;
}

/// Numbers of which one is a double: from now on the site tries doubles first.
static void quicken(const u64* pc, Value a, Value b, Op first, Op doublesFirst) {
    if (Op(*reinterpret_cast<const u16*>(pc)) == first && a.isNumber() && b.isNumber()
        && (a.isDouble() || b.isDouble()))
        rewrite(pc, doublesFirst);
}

#define QUICKENED(Name)                                                                                                \
    bool slow##Name(Vm& vm, const u64* pc, Value* base) {                                                              \
        const auto& insn = at<ops::Name>(pc);                                                                          \
        Value a = base[insn.a.n], b = base[insn.b.n];                                                                  \
        quicken(pc, a, b, Op::Name, Op::Name##Double);                                                                 \
        publish(vm, pc, base);                                                                                         \
        return store(base[insn.dst.n], arithmetic(vm, Arithmetic::Name, a, b));                                        \
    }
QUICKENED(Add)
QUICKENED(Sub)
QUICKENED(Mul)
#undef QUICKENED

#define BINARY(Name, operation, second)                                                                                \
    bool slow##Name(Vm& vm, const u64* pc, Value* base) {                                                              \
        const auto& insn = at<ops::Name>(pc);                                                                          \
        publish(vm, pc, base);                                                                                         \
        return store(base[insn.dst.n], arithmetic(vm, Arithmetic::operation, base[insn.a.n], second));                 \
    }
#define BINARY_REGISTER(Name) BINARY(Name, Name, base[insn.b.n])
#define BINARY_INT(Name) BINARY(Name##Int, Name, Value::int32(insn.b.value))
#define BINARY_CONSTANT(Name) BINARY(Name##Constant, Name, Value::fromBits(pc[insn.offset.words]))
BINARY_REGISTER(Div)
BINARY_REGISTER(Exp)
BINARY_REGISTER(BitAnd)
BINARY_REGISTER(BitOr)
BINARY_REGISTER(BitXor)
BINARY_REGISTER(ShiftLeft)
BINARY_REGISTER(ShiftRight)
BINARY_REGISTER(ShiftRightUnsigned)
BINARY_INT(Add)
BINARY_INT(Sub)
BINARY_INT(Mul)
BINARY_INT(Div)
BINARY_INT(BitAnd)
BINARY_INT(BitOr)
BINARY_INT(BitXor)
BINARY_INT(ShiftLeft)
BINARY_INT(ShiftRight)
BINARY_INT(ShiftRightUnsigned)
BINARY_CONSTANT(Add)
BINARY_CONSTANT(Sub)
BINARY_CONSTANT(Mul)
BINARY_CONSTANT(Div)
#undef BINARY_CONSTANT
#undef BINARY_INT
#undef BINARY_REGISTER
#undef BINARY

/// Doubles are common here: a product that outgrew int32, taken modulo something.
static bool remainder(Vm& vm, const u64* pc, Value* base, Value& target, Value a, Value b) {
    if (LIKELY(a.isNumber() && b.isNumber())) {
        target = Value::number(numberRemainder(a.asNumber(), b.asNumber()));
        return true;
    }
    publish(vm, pc, base);
    return store(target, arithmetic(vm, Arithmetic::Mod, a, b));
}
bool slowMod(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::Mod>(pc);
    return remainder(vm, pc, base, base[insn.dst.n], base[insn.a.n], base[insn.b.n]);
}
bool slowModInt(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::ModInt>(pc);
    return remainder(vm, pc, base, base[insn.dst.n], base[insn.a.n], Value::int32(insn.b.value));
}

static bool addToRegister(Vm& vm, Value& value, double delta) {
    Completion<Value> number = toNumeric(vm, value);
    if (number.threw())
        return false;
    value = Value::number(number.value().asNumber() + delta);
    return true;
}
bool slowIncrement(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    return addToRegister(vm, base[at<ops::Increment>(pc).dst.n], 1);
}
bool slowDecrement(Vm& vm, const u64* pc, Value* base) {
    publish(vm, pc, base);
    return addToRegister(vm, base[at<ops::Decrement>(pc).dst.n], -1);
}

#define UNARY(Name, expression)                                                                                        \
    bool slow##Name(Vm& vm, const u64* pc, Value* base) {                                                              \
        const auto& insn = at<ops::Name>(pc);                                                                          \
        publish(vm, pc, base);                                                                                         \
        Value a = base[insn.a.n];                                                                                      \
        return store(base[insn.dst.n], expression);                                                                    \
    }
static Completion<Value> toNumberValue(Vm& vm, Value a) { return Value::number(TRY(toNumber(vm, a))); }
static Completion<Value> toKeyValue(Vm& vm, Value a) {
    if (a.isString() || a.isSymbol())
        return a;
    return keyToValue(vm, TRY(toPropertyKey(vm, a)));
}
UNARY(Negate, negate(vm, a))
UNARY(BitNot, bitNot(vm, a))
UNARY(ToNumber, toNumberValue(vm, a))
UNARY(ToNumeric, toNumeric(vm, a))
UNARY(ToString, toString(vm, a))
UNARY(ToPropertyKey, toKeyValue(vm, a))
#undef UNARY

static Completion<String*> concatAll(Vm& vm, const Value* strings, u32 count) {
    String* result = strings[0].asString();
    for (u32 i = 1; i < count; i++)
        result = TRY(concatenate(vm, result, strings[i].asString()));
    return result;
}
bool slowConcat(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::Concat>(pc);
    publish(vm, pc, base);
    return store(base[insn.dst.n], concatAll(vm, &base[insn.first.n], insn.count.n));
}

#define COMPARISON(Name)                                                                                               \
    bool slow##Name(Vm& vm, const u64* pc, Value* base) {                                                              \
        const auto& insn = at<ops::Name>(pc);                                                                          \
        publish(vm, pc, base);                                                                                         \
        return store(base[insn.dst.n], compareValues(vm, Comparison::Name, base[insn.a.n], base[insn.b.n]));           \
    }
COMPARISON(Less)
COMPARISON(LessEqual)
COMPARISON(Greater)
COMPARISON(GreaterEqual)
#undef COMPARISON

#define EQUALITY(Name, function, wanted)                                                                               \
    bool slow##Name(Vm& vm, const u64* pc, Value* base) {                                                              \
        const auto& insn = at<ops::Name>(pc);                                                                          \
        int equal = function(vm, pc, base, base[insn.a.n], base[insn.b.n]);                                            \
        if (equal < 0)                                                                                                 \
            return false;                                                                                              \
        base[insn.dst.n] = Value::boolean((equal == 1) == wanted);                                                     \
        return true;                                                                                                   \
    }
EQUALITY(StrictEqual, slowStrictEquality, true)
EQUALITY(StrictNotEqual, slowStrictEquality, false)
EQUALITY(Equal, slowLooseEquality, true)
EQUALITY(NotEqual, slowLooseEquality, false)
#undef EQUALITY

bool slowInstanceOf(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::InstanceOf>(pc);
    publish(vm, pc, base);
    return store(base[insn.dst.n], instanceOf(vm, base[insn.a.n], base[insn.b.n]));
}
bool slowIn(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::In>(pc);
    publish(vm, pc, base);
    return store(base[insn.dst.n], hasPropertyOperator(vm, base[insn.key.n], base[insn.object.n]));
}

static int decide(Completion<bool> result) { return result.threw() ? -1 : result.value(); }

int slowCompare(Vm& vm, const u64* pc, Value* base, Comparison comparison, Value a, Value b) {
    publish(vm, pc, base);
    return decide(compareValues(vm, comparison, a, b));
}
int slowStrictEquality(Vm& vm, const u64* pc, Value* base, Value a, Value b) {
    if (a.isNumber() && b.isNumber())
        return a.asNumber() == b.asNumber();
    if (!a.isCell() || a.tag() != b.tag())
        return a == b;
    if (a.isString() && (a.asString()->flags & b.asString()->flags & StringAtom))
        return a == b;
    publish(vm, pc, base);
    return decide(strictlyEqual(vm, a, b));
}
int slowSwitch(Vm& vm, const u64* pc, Value* base) {
    const auto& insn = at<ops::SwitchTable>(pc);
    Value value = base[insn.value.n];
    if (!value.isString() && !value.isNumber())
        return insn.count.n;
    publish(vm, pc, base);
    auto found = findEntry(vm, codeOf(base)->constant(insn.table.n).as<HashTable>(), value);
    if (UNLIKELY(found.threw()))
        return -1;
    return found.value() ? found.value()->value.asInt() : insn.count.n;
}
int slowLooseEquality(Vm& vm, const u64* pc, Value* base, Value a, Value b) {
    publish(vm, pc, base);
    return decide(looselyEqual(vm, a, b));
}
int slowIncrementCompare(Vm& vm, const u64* pc, Value* base, Comparison comparison, Value& counter, Value b) {
    publish(vm, pc, base);
    if (!addToRegister(vm, counter, 1))
        return -1;
    return decide(compareValues(vm, comparison, counter, b));
}

}
