// Value: one ECMAScript value in 64 bits. Doubles stand as they are; everything else lives in the unused NaN space,
// with the int32 tag the largest prefix so that "both are int" is one AND and one compare.
//
//   0xFFFF'0000'iiii'iiii  int32           0xFFFE'pppp'pppp'pppp  symbol, BigInt, or an internal cell (never seen by
//   script) 0xFFFD'pppp'pppp'pppp  string          0xFFFC'pppp'pppp'pppp  object 0xFFFB'0000'0000'000n  undefined,
//   null, false, true, and sentinels
//
// Invariants: a number that is an int32 and not -0 is stored as int32 wherever it is cheap to know (never relied on);
// NaNs are canonical (0x7FF8... or 0xFFF8...), so no double ever looks like a tag.
#pragma once
#include "runtime/base/result.h"
#include "runtime/heap/cell.h"
#include <bit>

namespace scr {

struct Object;
struct String;
struct Symbol;

/// Type keys: what inline caches compare. Small numbers are primitives, ids from FirstShape on are shapes.
enum TypeKey : u32 {
    KeyNone = 0, ///< undefined, null, internal cells: never cached
    KeyString = 1,
    KeySymbol = 2,
    KeyBigInt = 3,
    KeyNumber = 4,
    KeyBoolean = 5,
    FirstShape = 16,
};

class Value {
public:
    static constexpr u64 TagMisc = 0xFFFBull << 48, TagObject = 0xFFFCull << 48, TagString = 0xFFFDull << 48,
                         TagCell = 0xFFFEull << 48, TagInt = 0xFFFFull << 48, PointerMask = 0xFFFFFFFFFFFFull;
    enum Misc : u64 { Undefined, Null, False, True, Hole, Uninitialized, Exception };

    constexpr Value()
        : bits_(TagMisc) { }
    static constexpr Value fromBits(u64 bits) { return Value(bits); }
    constexpr u64 bits() const { return bits_; }

    static constexpr Value undefined() { return Value(TagMisc | Undefined); }
    static constexpr Value null() { return Value(TagMisc | Null); }
    static constexpr Value boolean(bool b) { return Value(TagMisc | False | u64(b)); }
    /// An absent array element; never a value a script sees.
    static constexpr Value hole() { return Value(TagMisc | Hole); }
    /// A let, const or class binding (or `this` of a derived constructor) before its initialisation.
    static constexpr Value uninitialized() { return Value(TagMisc | Uninitialized); }
    /// The sentinel of Completion<Value>.
    static constexpr Value exception() { return Value(TagMisc | Exception); }
    static constexpr Value int32(i32 i) { return Value(TagInt | u32(i)); }
    /// A double as it is, without the search for an int32. Its NaN must be canonical.
    static Value rawDouble(double d) { return Value(std::bit_cast<u64>(d)); }
    /// The best form of a number: int32 if it is one (and not -0), else a double with a canonical NaN.
    static Value number(double d) {
        if (d >= -2147483648.0 && d <= 2147483647.0) {
            i32 i = i32(d);
            if (double(i) == d && (i != 0 || std::bit_cast<u64>(d) == 0))
                return int32(i);
        }
        return d == d ? rawDouble(d) : nan();
    }
    static Value number(i32 i) { return int32(i); }
    static Value number(u32 i) { return i <= 0x7FFFFFFFu ? int32(i32(i)) : rawDouble(double(i)); }
    static Value number(i64 i) { return i == i32(i) ? int32(i32(i)) : rawDouble(double(i)); }
    static Value number(u64 i) { return i <= 0x7FFFFFFFu ? int32(i32(i)) : rawDouble(double(i)); }
    static Value nan() { return Value(0x7FF8000000000000ull); }
    static Value object(const Object* o) { return Value(TagObject | u64(o)); }
    static Value string(const String* s) { return Value(TagString | u64(s)); }
    static Value symbol(const Symbol* s) { return Value(TagCell | u64(s)); }
    /// An internal cell in a register or slot (environment, iterator state): never visible to script.
    static Value cell(const Cell* c) { return Value(TagCell | u64(c)); }

    Value(const Object* o) = delete;

    constexpr u16 tag() const { return u16(bits_ >> 48); }
    bool isInt() const { return bits_ >= TagInt; }
    static bool bothInt(Value a, Value b) { return (a.bits_ & b.bits_) >= TagInt; }
    bool isDouble() const { return bits_ < TagMisc; }
    bool isNumber() const { return isDouble() || isInt(); }
    bool isObject() const { return tag() == 0xFFFC; }
    bool isString() const { return tag() == 0xFFFD; }
    /// Object, string, or other cell.
    bool isCell() const { return (bits_ >> 48) - 0xFFFC <= 2; }
    bool isOtherCell() const { return tag() == 0xFFFE; }
    bool isSymbol() const { return isOtherCell() && asCell()->shape == KeySymbol; }
    bool isBigInt() const { return isOtherCell() && asCell()->shape == KeyBigInt; }
    bool isUndefined() const { return bits_ == (TagMisc | Undefined); }
    bool isNull() const { return bits_ == (TagMisc | Null); }
    bool isNullish() const { return (bits_ & ~1ull) == TagMisc; }
    bool isBoolean() const { return (bits_ | 1) == (TagMisc | True); }
    bool isTrue() const { return bits_ == (TagMisc | True); }
    bool isFalse() const { return bits_ == (TagMisc | False); }
    bool isHole() const { return bits_ == (TagMisc | Hole); }
    bool isUninitialized() const { return bits_ == (TagMisc | Uninitialized); }
    bool isException() const { return bits_ == (TagMisc | Exception); }

    i32 asInt() const { return i32(bits_); }
    double asDouble() const { return std::bit_cast<double>(bits_); }
    /// Of a number in either form.
    double asNumber() const { return isInt() ? double(asInt()) : asDouble(); }
    bool asBoolean() const { return bits_ & 1; }
    Cell* asCell() const { return reinterpret_cast<Cell*>(bits_ & PointerMask); }
    template <class T> T* as() const { return reinterpret_cast<T*>(bits_ & PointerMask); }
    /// The object's address; for anything else a number with one of the upper 16 bits set. One test then serves for
    /// both.
    u64 objectBits() const { return bits_ ^ TagObject; }
    Object* asObject() const { return reinterpret_cast<Object*>(bits_ ^ TagObject); }
    String* asString() const { return reinterpret_cast<String*>(bits_ ^ TagString); }
    Symbol* asSymbol() const { return reinterpret_cast<Symbol*>(bits_ ^ TagCell); }

    /// Same bits. For objects, symbols and atoms that is identity; not SameValue for numbers in two forms or for
    /// strings.
    bool operator==(const Value&) const = default;

    /// What an inline cache compares: the shape of an object, the discriminant of a primitive.
    u32 typeKey() const {
        if (isCell())
            return asCell()->shape;
        return isBoolean() ? KeyBoolean : bits_ - TagMisc < (1ull << 48) ? KeyNone : KeyNumber;
    }

private:
    explicit constexpr Value(u64 bits)
        : bits_(bits) { }
    u64 bits_;
};
static_assert(sizeof(Value) == 8);

/// 8 bytes: a Value whose sentinel means that the Vm holds a pending exception.
template <> class [[nodiscard]] Completion<Value> {
public:
    Completion(Value value)
        : value_(value) { }
    Completion(Threw)
        : value_(Value::exception()) { }
    bool threw() const { return value_.isException(); }
    Value value() const { return value_; }

private:
    Value value_;
};

}
