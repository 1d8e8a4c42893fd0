// Functions: closures over bytecode, native functions, bound functions. Their length, name and prototype properties are
// made when somebody looks (HasLazyProperties); a closure costs 32 bytes.
#pragma once
#include "runtime/core/object.h"

namespace scr {

struct Code; // interp/bytecode/bytecode.h: core knows it only as a cell and through FunctionInfo
struct Environment;
struct Realm;

/// Captured bindings of one scope instance; Cell::shape is the number of slots.
struct Environment : Cell {
    Ptr<Environment> parent;
    Value slots[];
    u32 count() const { return shape; }
};

/// What core needs to know of a bytecode function; Code begins with it.
struct FunctionInfo : Cell {
    Ptr<String> name; ///< may be the empty string
    Ptr<Realm> realm;
    u16 length; ///< the `length` property
    u16 infoFlags;
};
enum FunctionInfoFlag : u16 {
    InfoConstructor = 1, ///< has [[Construct]]
    InfoClassConstructor = 2, ///< [[Call]] throws
    InfoDerived = 4, ///< derived class constructor
    InfoArrow = 8,
    InfoMethod = 16, ///< method, getter, setter: no prototype, no [[Construct]]
    InfoGenerator = 32,
    InfoAsync = 64,
};

struct Function : Object {
    Ref<FunctionInfo> info;
    Ptr<Environment> environment;
    Code* code() const { return reinterpret_cast<Code*>(info.get()); }
};
static_assert(sizeof(Function) == 32);

/// Arguments of a native call: args[-1] is this, args[-3] the callee; they stand on the VM stack (or in any memory for
/// calls from C++).
struct Args {
    Value* values;
    u32 count;
    u32 unused = 0; ///< so that the second register is simply the count
    /// undefined beyond the count.
    Value operator[](u32 i) const { return i < count ? values[i] : Value::undefined(); }
    Value self() const { return values[-1]; }
    inline struct NativeFunction* callee() const;
};

/// Returns a value or Threw. new.target of a [[Construct]] call: Vm::takeNewTarget().
using NativeCode = Completion<Value> (*)(Vm& vm, Args args);

enum QuickGetter : u16 { QuickNone, QuickTypedArrayLength, QuickReceiver };

struct NativeFunction : Object {
    NativeCode code;
    Ptr<Realm> realm;
    Value name; ///< string or symbol (as "[description]") or undefined: the lazy `name`
    Value data[2]; ///< what a C++-made closure needs
    u16 length;
    u16 quick; ///< QuickGetter: what a site that reads it may do without a call
    u16 isHidden; ///< leaves no frame in stacks
    u16 reserved;
};
inline NativeFunction* Args::callee() const { return static_cast<NativeFunction*>(values[-3].asObject()); }

/// 10.4.1 bound function exotic object.
struct BoundFunction : Object {
    Ref<Object> target;
    Value boundThis;
    Ptr<Storage> arguments; ///< null if there are none
    u32 argumentCount;
};

NativeFunction* newNative(Vm& vm, NativeCode code, std::string_view name, u16 length, bool constructor = false);
/// The shape of the closures of generators and async functions: their prototypes are other than %Function.prototype%.
COLD Shape* suspendableShape(Vm& vm, Realm* realm, u16 infoFlags);
/// Makes length, name and prototype real properties of a function that HasLazyProperties.
void materializeFunction(Vm& vm, Object* function);
/// 10.2.9 SetFunctionName: `key` is a string or symbol, `prefix` "get", "set" or empty. For a function whose name
/// nobody has changed yet.
void setFunctionName(Vm& vm, Object* function, Value key, std::string_view prefix);
/// Ties a class constructor and its prototype object together: `prototype` (read-only) and `constructor` (hidden).
void linkClass(Vm& vm, Object* constructor, Object* prototype);
/// The realm a callable belongs to (7.3.24 GetFunctionRealm); that of the running function for a revoked proxy.
Realm* realmOf(Vm& vm, Object* function);
/// TypeError if the callable is a revoked proxy, or bound to one: it has no realm.
Completion<void> requireRealm(Vm& vm, Object* function);

}
