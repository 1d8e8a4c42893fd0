// Array and object literals (ECMA-262 13.2.4, 13.2.5), property keys.
#include "interp/compiler/function_compiler.h"
#include "runtime/core/operations.h"

namespace scr {

// ---- arrays

/// The first elements in one instruction, from consecutive registers; the rest is appended.
Reg FunctionCompiler::arrayLiteral(ArrayLiteral* e, Reg want) {
    constexpr u32 MostAtOnce = 64;
    endStatementPoint();
    u16 mark = emit_.next();
    u32 count = 0;
    while (count < e->elements.size() && count < MostAtOnce && e->elements[count] && !e->elements[count]->is<Spread>())
        count++;
    bool isWhole = count == e->elements.size();
    Reg array = isWhole ? want : emit_.allocate(); // a variable must not show a half-made array
    u16 first = emit_.next();
    for (u32 i = 0; i < count; i++)
        toNext(e->elements[i]);
    emit_.release(first);
    array = target(array);
    emit_.place(e->span);
    emit_.emit(ops::NewArray{.dst = array, .first = count ? Reg{first} : array, .count = {u16(count)}});
    for (u32 i = count; i < e->elements.size(); i++)
        appendElement(array, e->elements[i]);
    emit_.release(isWhole ? emit_.next() : u16(mark + 1));
    return isWhole ? array : settle(want, array);
}

void FunctionCompiler::appendElement(Reg array, Expr* element, SpreadKind kind) {
    u16 mark = emit_.next();
    if (!element) {
        emit_.emit(ops::ArrayPushHole{.array = array});
    } else if (Spread* spread = element->asIf<Spread>()) {
        Reg values = toNext(spread->argument);
        emit_.allocate(), emit_.allocate();
        // What is told about a spread depends on where it stands: the points of the last argument's are part of its
        // place.
        Span span = spread->argument->span;
        if (kind == SpreadKind::LastArgument)
            span = spread->span;
        else if (kind == SpreadKind::Argument)
            span.end = span.begin;
        emit_.place(span, pointOf(spread->argument));
        JumpTarget end;
        emit_.iterate(Op::ArraySpread, array, values, end);
        appendRest(values, array, end);
    } else {
        Reg value = expression(element);
        emit_.emit(ops::ArrayPush{.array = array, .value = value});
    }
    emit_.release(mark);
}

/// The loop behind an ArraySpread or IteratorRest: what is left of the iterator goes behind the array's elements.
void FunctionCompiler::appendRest(Reg iterator, Reg array, JumpTarget& end) {
    Reg value = emit_.allocate();
    JumpTarget top;
    emit_.bind(top);
    emit_.iterate(Op::ForOfNext, iterator, value, end);
    emit_.emit(ops::ArrayPush{.array = array, .value = value});
    emit_.loop(top);
    emit_.bind(end);
    emit_.release(value.n);
}

Array* FunctionCompiler::newConstantArray(const std::vector<Value>& values) {
    Array* array = newArrayFrom(unit_.vm, values.data(), u32(values.size()));
    unit_.keep(Value::object(array));
    return array;
}

// ---- keys

StaticKey FunctionCompiler::keyOfName(Name* name) {
    StaticKey key;
    key.atom = unit_.atom(name);
    key.isIndex = isArrayIndex(key.atom, key.index);
    return key;
}

/// False if the key is to be evaluated.
bool FunctionCompiler::staticKey(Expr* key, bool computed, StaticKey& result) {
    if (StringLiteral* string = key->asIf<StringLiteral>()) {
        result = keyOfName(string->value);
        return true;
    }
    if (NumericLiteral* number = key->asIf<NumericLiteral>()) {
        Completion<String*> text = internString(unit_.vm, numberToString(unit_.vm, number->value));
        if (text.threw()) {
            unit_.fail(key->span, "there is no memory left for the program");
            return false;
        }
        unit_.keep(Value::string(text.value()));
        result.atom = text.value();
        result.isIndex = isArrayIndex(result.atom, result.index);
        return true;
    }
    if (!computed)
        refuse(key, Any);
    return false;
}

void FunctionCompiler::loadKey(Reg dst, const StaticKey& key) {
    if (key.isIndex)
        emit_.loadNumber(dst, key.index);
    else
        emit_.loadConstant(dst, Value::string(key.atom));
}

/// A computed key, as a property key, in the next register.
Reg FunctionCompiler::propertyKey(Expr* key) {
    Reg value = toNext(key);
    emit_.place(key->span);
    emit_.emit(ops::ToPropertyKey{.dst = value, .a = value});
    return value;
}

/// "get x".
String* FunctionCompiler::joinName(std::string_view prefix, String* name) {
    Completion<String*> joined = concatenate(unit_.vm, newAscii(unit_.vm, prefix), name);
    if (joined.threw()) {
        unit_.fail({0, 0}, "there is no memory left for the program");
        return name;
    }
    unit_.keep(Value::string(joined.value()));
    return joined.value();
}

// ---- objects

static bool mayUseSuper(const FunctionNode& function) { return function.usesSuper || function.hasDirectEval; }

/// Distinct plain names, none of them an index or __proto__, and nothing that needs the object while it is made.
bool FunctionCompiler::isPlainLiteral(ObjectLiteral* e) {
    constexpr u32 MostKeys = 24;
    u32 count = e->properties.size();
    if (count == 0 || count > MostKeys)
        return false;
    for (u32 i = 0; i < count; i++) {
        Property* property = e->properties[i];
        bool isValue = property->kind == PropertyKind::Value || property->kind == PropertyKind::Shorthand
            || property->kind == PropertyKind::Method;
        if (!isValue || property->computed || !property->key->is<StringLiteral>())
            return false;
        if (property->kind == PropertyKind::Method && mayUseSuper(*property->value->as<FunctionExpression>()->function))
            return false;
        Name* name = property->key->as<StringLiteral>()->value;
        if (keyOfName(name).isIndex)
            return false;
        for (u32 j = 0; j < i; j++)
            if (e->properties[j]->key->as<StringLiteral>()->value == name)
                return false;
    }
    return true;
}

Reg FunctionCompiler::plainLiteral(ObjectLiteral* e, Reg want) {
    u16 mark = emit_.next();
    std::vector<Value> keys;
    for (Property* property : e->properties) {
        String* name = unit_.atom(property->key->as<StringLiteral>()->value);
        keys.push_back(Value::string(name));
        u16 next = emit_.next();
        Reg value = propertyValue(property, name, nullptr);
        if (!isTemporary(value, next))
            move(emit_.allocate(), value);
    }
    emit_.release(mark);
    Reg dst = target(want);
    Const constant = emit_.constant(Value::object(newConstantArray(keys)), "object literals");
    emit_.emit(ops::NewObjectLiteral{.dst = dst, .first = {mark}, .keys = constant});
    return dst;
}

Reg FunctionCompiler::objectLiteral(ObjectLiteral* e, Reg want) {
    endStatementPoint();
    if (isPlainLiteral(e))
        return plainLiteral(e, want);
    u16 mark = emit_.next();
    Reg object = emit_.allocate();
    u32 count = e->properties.size();
    u32 slots = count == 0 ? 4 : count + (count < 8 ? 2 : 0);
    emit_.emit(ops::NewObject{.dst = object, .inlineSlots = {u16(slots < 32 ? slots : 32)}});
    bool usesSuper = false;
    for (Property* property : e->properties)
        if (property->value && property->value->is<FunctionExpression>()) {
            FunctionNode* function = property->value->as<FunctionExpression>()->function;
            usesSuper |= function->kind != FunctionKind::Arrow && function->kind != FunctionKind::Normal
                && mayUseSuper(*function);
        }
    EnvironmentScope *outer = environment_, *home = nullptr;
    if (usesSuper) {
        home = openEnvironment(false);
        storeSlot(home, hiddenSlot(home, home->homeSlot), object);
    }
    for (Property* property : e->properties)
        defineProperty(object, property, home);
    if (home)
        closeEnvironment(home);
    environment_ = outer;
    emit_.release(mark + 1);
    return settle(want, object);
}

/// The value of a property; in the next register unless it is a local in place.
Reg FunctionCompiler::propertyValue(Property* property, String* name, EnvironmentScope* home) {
    if (property->kind != PropertyKind::Value && property->kind != PropertyKind::Shorthand) {
        FunctionSurroundings surroundings;
        surroundings.name = name;
        surroundings.home = home;
        return closure(*property->value->as<FunctionExpression>()->function, surroundings, Any);
    }
    return named(property->value, name, Any);
}

void FunctionCompiler::defineMember(Reg object, const StaticKey& key, Reg value, Span span) {
    emit_.place(span);
    if (!key.isIndex && emit_.hasRoomForName(Value::string(key.atom))) {
        Const name = emit_.constant(Value::string(key.atom), "names");
        emit_.emit(ops::DefineField{.object = object, .name = name, .src = value});
        return;
    }
    Reg name = emit_.allocate();
    loadKey(name, key);
    emit_.emit(ops::DefineElement{.object = object, .key = name, .src = value});
}

void FunctionCompiler::defineProperty(Reg object, Property* property, EnvironmentScope* home) {
    u16 mark = emit_.next();
    StaticKey key;
    switch (property->kind) {
    case PropertyKind::Spread: {
        Reg source = expression(property->value);
        emit_.place(property->value->span);
        emit_.emit(ops::CopyDataProperties{.object = object, .source = source, .excluded = {0}});
        break;
    }
    case PropertyKind::Prototype: {
        Reg prototype = expression(property->value);
        emit_.place(property->span);
        emit_.emit(ops::SetLiteralPrototype{.object = object, .value = prototype});
        break;
    }
    case PropertyKind::Getter:
    case PropertyKind::Setter: defineAccessor(object, property, home); break;
    default:
        if (!property->computed && staticKey(property->key, false, key)) {
            defineMember(object, key, propertyValue(property, key.atom, home), property->span);
            break;
        }
        Reg name = propertyKey(property->key);
        bool isFunction = property->kind == PropertyKind::Method || isAnonymousFunction(property->value);
        Reg value = propertyValue(property, nullptr, home);
        emit_.place(property->span);
        if (isFunction)
            emit_.emit(ops::SetFunctionName{.function = value, .key = name, .prefix = {0}});
        emit_.emit(ops::DefineElement{.object = object, .key = name, .src = value});
        break;
    }
    emit_.release(mark);
}

void FunctionCompiler::defineAccessor(Reg object, Property* property, EnvironmentScope* home) {
    bool isGetter = property->kind == PropertyKind::Getter;
    StaticKey key;
    Reg name;
    String* functionName = nullptr;
    if (!property->computed && staticKey(property->key, false, key)) {
        loadKey(name = emit_.allocate(), key);
        functionName = joinName(isGetter ? "get " : "set ", key.atom);
    } else {
        name = propertyKey(property->key);
    }
    Reg function = propertyValue(property, functionName, home);
    emit_.place(property->span);
    if (!functionName)
        emit_.emit(ops::SetFunctionName{.function = function, .key = name, .prefix = {i16(isGetter ? 1 : 2)}});
    if (isGetter)
        emit_.emit(ops::DefineGetter{.object = object, .key = name, .function = function});
    else
        emit_.emit(ops::DefineSetter{.object = object, .key = name, .function = function});
}

}
