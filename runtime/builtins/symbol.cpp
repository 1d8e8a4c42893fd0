// Symbol (ECMA-262 20.4).
#include "runtime/builtins/primitive.h"

namespace scr {

// 20.4.1.1 Symbol ( [ description ] )
Result symbol_constructor(Vm& vm, Args args) {
    if (!vm.takeNewTarget().isUndefined())
        return throwError(vm, Error::SymbolNew);
    Value description;
    if (!args[0].isUndefined())
        description = Value::string(TRY(toString(vm, args[0])));
    return Value::symbol(newSymbol(vm, description));
}

namespace {

/// The symbol of this key in the registry, made if it is new.
Completion<Symbol*> registeredSymbol(Vm& vm, String* text) {
    Object* registry = vm.realm->intrinsic(vm, Intrinsic::SymbolRegistry);
    String* atom = TRY(internString(vm, text));
    PropertyKey key = keyFromAtom(atom);
    Lookup found = getOwnProperty(vm, registry, key);
    if (found.found())
        return found.value.asSymbol();
    Symbol* symbol = newSymbol(vm, Value::string(atom), SymbolRegistered);
    defineDirect(vm, registry, key, Value::symbol(symbol), AllAttributes);
    return symbol;
}

}

// 20.4.2.2 Symbol.for ( key )
Result symbol_for(Vm& vm, Args args) {
    String* key = TRY(toString(vm, args[0]));
    return Value::symbol(TRY(registeredSymbol(vm, key)));
}

// 20.4.2.6 Symbol.keyFor ( sym )
Result symbol_keyFor(Vm& vm, Args args) {
    if (!args[0].isSymbol())
        return throwError(vm, Error::NotSymbol, args[0]);
    Symbol* symbol = args[0].asSymbol();
    return symbol->flags & SymbolRegistered ? symbol->description : Value::undefined();
}

namespace {

Result thisSymbol(Vm& vm, Value self, std::string_view method) {
    return thisPrimitive(
        vm, self, [](Value value) { return value.isSymbol(); }, method, "Symbol");
}

}

// 20.4.3.2 get Symbol.prototype.description
Result symbol_prototype_description(Vm& vm, Args args) {
    return TRY(thisSymbol(vm, args.self(), "Symbol.prototype.description")).asSymbol()->description;
}

// 20.4.3.3 Symbol.prototype.toString ( )
Result symbol_prototype_toString(Vm& vm, Args args) {
    Value description = TRY(thisSymbol(vm, args.self(), "Symbol.prototype.toString")).asSymbol()->description;
    StringBuilder text(vm);
    text.appendAscii("Symbol(");
    if (description.isString())
        text.append(description.asString());
    text.append(u')');
    return Value::string(TRY(text.finish()));
}

// 20.4.3.4 Symbol.prototype.valueOf ( )
Result symbol_prototype_valueOf(Vm& vm, Args args) { return thisSymbol(vm, args.self(), "Symbol.prototype.valueOf"); }

// 20.4.3.5 Symbol.prototype [ %Symbol.toPrimitive% ] ( hint )
Result symbol_prototype_toPrimitive(Vm& vm, Args args) {
    return thisSymbol(vm, args.self(), "Symbol.prototype [ @@toPrimitive ]");
}

}
