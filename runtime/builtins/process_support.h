// Making the plain objects that process and performance hand out.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

inline PropertyKey asciiKey(Vm& vm, std::string_view name) { return keyFromAtom(internAscii(vm, name)); }
inline Object* newPlainObject(Vm& vm) { return newObject(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype)); }
inline void setField(Vm& vm, Object* object, std::string_view name, Value value) {
    defineDirect(vm, object, asciiKey(vm, name), value, AllAttributes);
}
inline void setMethod(Vm& vm, Object* object, std::string_view name, NativeCode code, u16 length) {
    setField(vm, object, name, Value::object(newNative(vm, code, name, length)));
}
/// The methods write of process.stdout and process.stderr.
Result process_writeOut(Vm& vm, Args args);
Result process_writeError(Vm& vm, Args args);
/// Before a listener of `event` is added to process: signals become events of the loop. Throws where that cannot be.
Completion<void> listenToSignal(Vm& vm, PropertyKey event);
/// isTTY and what else a stream has on a terminal.
void addTerminalProperties(Vm& vm, Object* object, class OutputStream& stream);
/// The arguments from `first` on as a Storage cell for a job; undefined if there are none.
Value storeArguments(Vm& vm, Args args, u32 first);

}
