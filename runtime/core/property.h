// Property keys, attributes, and what a lookup finds.
#pragma once
#include "runtime/core/string.h"

namespace scr {

struct Object;
struct Accessor;

/// An array index (0 .. 2^32-2), an atom that is no array index, or a symbol (private names are symbols with a flag).
/// Two keys are the same property iff their bits are equal.
class PropertyKey {
public:
    PropertyKey()
        : bits_(0) { }
    static PropertyKey index(u32 index) { return PropertyKey(Value::TagInt | index); }
    /// `atom` must be interned and no array index.
    static PropertyKey atom(const String* atom) { return PropertyKey(Value::string(atom).bits()); }
    static PropertyKey symbol(const Symbol* symbol) { return PropertyKey(Value::symbol(symbol).bits()); }
    static PropertyKey fromBits(u64 bits) { return PropertyKey(bits); }
    u64 bits() const { return bits_; }
    bool isNull() const { return !bits_; }
    bool isIndex() const { return bits_ >= Value::TagInt; }
    bool isAtom() const { return (bits_ >> 48) == 0xFFFD; }
    bool isSymbol() const { return (bits_ >> 48) == 0xFFFE; }
    bool isPrivate() const { return isSymbol() && (asSymbol()->flags & SymbolPrivate); }
    u32 asIndex() const { return u32(bits_); }
    String* asAtom() const { return Value::fromBits(bits_).asString(); }
    Symbol* asSymbol() const { return Value::fromBits(bits_).asSymbol(); }
    /// Of atoms and symbols; computed when they were made.
    u32 hash() const { return isAtom() ? asAtom()->hash : isSymbol() ? asSymbol()->hash : u32(bits_) * 2654435761u; }
    bool operator==(const PropertyKey&) const = default;

private:
    explicit PropertyKey(u64 bits)
        : bits_(bits) { }
    u64 bits_;
};

/// ECMA-262 7.1.19 ToPropertyKey. May run script (toString, Symbol.toPrimitive).
Completion<PropertyKey> toPropertyKey(Vm& vm, Value value);
/// The key as a script sees it: a string (made for an index) or a symbol.
Value keyToValue(Vm& vm, PropertyKey key);
/// From an atom: an index if it is one.
PropertyKey keyFromAtom(String* atom);

enum Attribute : u8 {
    Writable = 1,
    Enumerable = 2,
    Configurable = 4,
    AccessorProperty = 8, ///< the slot holds an Accessor cell
    ValueCached = 16, ///< unique shapes only: some cache depends on the slot's value; a write must tell the Vm
    NeverValueCached = 32, ///< unique shapes only: was written after it had been value-cached
    LazyBuiltin = 64, ///< the slot holds the int32 index of a builtin not made yet (realm.h materialize)
    AllAttributes = Writable | Enumerable | Configurable,
    HiddenAttributes = Writable | Configurable, ///< what builtin methods have
};

/// The slot of an accessor property.
struct Accessor : Cell {
    Value getter; ///< function or undefined
    Value setter;
};
Accessor* newAccessor(Vm& vm, Value getter, Value setter);

/// Where a property was found. Filled by Object lookup; caches are filled from it, core never sees a cache.
struct Lookup {
    enum Type : u8 {
        Absent,
        Data, ///< a named slot of holder
        Accessor, ///< a named slot of holder with an Accessor cell
        Element, ///< indexed storage of holder (data)
        ElementAccessor,
        Exotic, ///< value made on the way (string index, array length, what a trap described); not cacheable
        Intercepted, ///< holder is a Proxy that would have to be asked; value carries the key. There is no value to
                     ///< read: valueOf and set ask, nothing caches it
    };
    Type type = Absent;
    u8 attributes = 0;
    u32 slot = 0; ///< Data, Accessor
    Object* holder = nullptr; ///< with Absent: the typed array that has no such element
    Value value; ///< the data value, or the Accessor cell
    bool found() const { return type != Absent; }
    /// No walk along prototypes goes on: found, or an element that a typed array does not have (10.4.5.2, 10.4.5.4).
    bool isFinal() const { return holder != nullptr; }
    bool isAccessor() const { return type == Accessor || type == ElementAccessor; }
    bool isIntercepted() const { return type == Intercepted; }
    /// What can be read without running script: the value of a data property, undefined for all else.
    Value dataValue() const { return isAccessor() || isIntercepted() ? Value::undefined() : value; }
};

/// ECMA-262 6.2.6 Property Descriptor.
struct PropertyDescriptor {
    enum Has : u8 { HasValue = 1, HasWritable = 2, HasGet = 4, HasSet = 8, HasEnumerable = 16, HasConfigurable = 32 };
    u8 has = 0;
    u8 attributes = 0; ///< Writable, Enumerable, Configurable: meaningful where `has` says so
    Value value, getter, setter;
    bool isAccessor() const { return has & (HasGet | HasSet); }
    bool isData() const { return has & (HasValue | HasWritable); }
    static PropertyDescriptor data(Value value, u8 attributes) {
        return {HasValue | HasWritable | HasEnumerable | HasConfigurable, attributes, value, {}, {}};
    }
};

}
