// What an object is called when its constructor is not asked: for messages about cycles and for inspection.
#pragma once
#include "runtime/builtins/native.h"

namespace scr {

/// The class that V8 would name (JSReceiver::GetConstructorName): Symbol.toStringTag if it is a plain string, else the
/// name with which the prototype's `constructor` was written, else the kind ("Array", "Map", "Object"). Runs no script.
String* classNameOf(Vm& vm, Object* object);
/// To be called before an object gets another prototype: its class keeps its name.
void rememberClass(Vm& vm, Object* object);

}
