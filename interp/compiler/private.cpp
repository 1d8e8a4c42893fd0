// Private names (ECMA-262 13.3.2, 15.7): fields are own slots under a private key, methods stand in the environment of
// the class and are found once the brand has been checked.
#include "interp/compiler/function_compiler.h"
#include "runtime/core/error.h"
#include "runtime/core/private_names.h"

namespace scr {

// ---- making

/// Whether the class's private names need its environment.
bool FunctionCompiler::needsPrivateSlots(Class* definition, bool existsOnce) {
    if (!existsOnce)
        return !definition->privateNames.isEmpty();
    for (PrivateBinding* binding : definition->privateNames)
        if (binding->kind != MemberKind::Field)
            return true;
    return false;
}

/// A new key: now, or each time the class is evaluated.
PrivateKey FunctionCompiler::newPrivateKey(const ClassScope& scope, bool existsOnce, String* description, u8 flags) {
    PrivateKey key;
    if (existsOnce) {
        key.known = unit_.keep(Value::symbol(newPrivateName(unit_.vm, description, flags)));
        return key;
    }
    key.slot = ++scope.environment->slots;
    Reg made = emit_.allocate();
    Const constant = emit_.constant(Value::string(description), "names");
    emit_.emit(ops::NewPrivateName{.dst = made, .description = constant, .flags = {flags}});
    storeSlot(scope.environment, key.slot - 1, made);
    emit_.release(made.n);
    return key;
}

void FunctionCompiler::makePrivateNames(ClassScope& scope, Class* definition, bool existsOnce) {
    for (PrivateBinding* binding : definition->privateNames) {
        String* name = unit_.atom(binding->name);
        PrivateElement element{binding->kind, binding->isStatic, {}};
        if (binding->kind == MemberKind::Field) {
            element.key = newPrivateKey(scope, existsOnce, name, 0);
        } else {
            PrivateKey& brand = binding->isStatic ? scope.staticBrand : scope.brand;
            if (!brand.exists())
                brand = newPrivateKey(
                    scope, existsOnce, scope.className, u8(binding->isStatic ? SymbolStaticBrand : SymbolBrand));
            if (binding->kind != MemberKind::Setter)
                element.method = ++scope.environment->slots;
            if (binding->kind == MemberKind::Setter || binding->kind == MemberKind::Accessor)
                element.setter = ++scope.environment->slots;
        }
        scope.elements.emplace(name, element);
    }
}

/// A private method or accessor: into its slot.
void FunctionCompiler::privateMethod(ClassMember* member, EnvironmentScope* environment) {
    u16 mark = emit_.next();
    String* name = unit_.atom(member->key->as<PrivateName>()->name);
    bool isSetter = member->kind == MemberKind::Setter;
    FunctionSurroundings surroundings;
    surroundings.home = environment;
    surroundings.isStatic = member->isStatic;
    surroundings.name = isSetter             ? joinName("set ", name)
        : member->kind == MemberKind::Getter ? joinName("get ", name)
                                             : name;
    Reg function = closure(*member->function, surroundings, Any);
    const PrivateElement& element = unit_.classes->elements.at(name);
    storeSlot(environment, (isSetter ? element.setter : element.method) - 1, function);
    emit_.release(mark);
}

/// PrivateMethodOrAccessorAdd for all of them at once.
void FunctionCompiler::addBrand(const ClassScope& scope, bool isStatic, Reg self, Span span) {
    const PrivateKey& brand = isStatic ? scope.staticBrand : scope.brand;
    if (!brand.exists())
        return;
    u16 mark = emit_.next();
    Reg value = emit_.allocate();
    emit_.loadUndefined(value);
    addPrivate(scope, brand, self, value, span);
    emit_.release(mark);
}

// ---- access by key

Reg FunctionCompiler::privateKey(const ClassScope& scope, const PrivateKey& key) {
    if (key.slot)
        return loadSlot(scope.environment, key.slot - 1, Any);
    Reg dst = emit_.allocate();
    emit_.loadConstant(dst, key.known);
    return dst;
}

/// It can be the constant of a field instruction.
bool FunctionCompiler::isFieldName(const PrivateKey& key) const { return !key.slot && emit_.hasRoomForName(key.known); }

void FunctionCompiler::addPrivate(const ClassScope& scope, const PrivateKey& key, Reg self, Reg value, Span span) {
    u16 mark = emit_.next();
    if (isFieldName(key)) {
        emit_.place(span);
        Const name = emit_.constant(key.known, "names");
        emit_.emit(ops::DefineField{.object = self, .name = name, .src = value});
        return;
    }
    Reg name = privateKey(scope, key);
    emit_.place(span);
    emit_.emit(ops::AddPrivate{.object = self, .name = name, .src = value});
    emit_.release(mark);
}

void FunctionCompiler::getPrivate(const ClassScope& scope, const PrivateKey& key, Reg dst, Reg object, const At& at) {
    u16 mark = emit_.next();
    if (isFieldName(key)) {
        emit_.place(at.span, at.point);
        emit_.emit(ops::GetField{.dst = dst, .object = object, .name = emit_.constant(key.known, "names")});
        return;
    }
    Reg name = privateKey(scope, key);
    emit_.place(at.span, at.point);
    emit_.emit(ops::GetPrivate{.dst = dst, .object = object, .name = name});
    emit_.release(mark);
}

void FunctionCompiler::putPrivate(const ClassScope& scope, const PrivateKey& key, Reg object, Reg value, const At& at) {
    u16 mark = emit_.next();
    if (isFieldName(key)) {
        emit_.place(at.span, at.point);
        emit_.emit(ops::PutField{.object = object, .name = emit_.constant(key.known, "names"), .src = value});
        return;
    }
    Reg name = privateKey(scope, key);
    emit_.place(at.span, at.point);
    emit_.emit(ops::PutPrivate{.object = object, .name = name, .src = value});
    emit_.release(mark);
}

// ---- access by name

/// The innermost class that declares the name. The parser has made sure that there is one.
const PrivateElement& FunctionCompiler::privateElement(Name* name, ClassScope*& scope) {
    String* atom = unit_.atom(name);
    for (scope = unit_.classes; scope; scope = scope->outer)
        if (auto found = scope->elements.find(atom); found != scope->elements.end())
            return found->second;
    UNREACHABLE();
}

void FunctionCompiler::refusePrivate(Error error, Name* name, const At& at) {
    emit_.place(at.span, at.point);
    Const argument = emit_.constant(Value::string(unit_.atom(name)), "names");
    emit_.emit(ops::ThrowError{.error = {i16(error)}, .argument = argument});
}

void FunctionCompiler::checkBrand(const ClassScope& scope, const PrivateElement& element, Reg object, const At& at) {
    Reg ignored = emit_.allocate();
    getPrivate(scope, scope.brandOf(element), ignored, object, at);
    emit_.release(ignored.n);
}

/// Calls a private getter, or a setter with `value`. `slot`: as PrivateElement has it. The result is in a register that
/// the caller releases, with those above.
Reg FunctionCompiler::callAccessor(const ClassScope& scope, u32 slot, Reg object, Reg value, const At& at) {
    Reg first = emit_.allocate();
    emit_.allocate();
    move(emit_.allocate(), object);
    bool isSetter = !(value == Any);
    if (isSetter)
        move(emit_.allocate(), value);
    loadSlot(scope.environment, slot - 1, first);
    emit_.place(at.span, at.point);
    emit_.emit(ops::CallWithThis{.first = first, .argc = {u16(isSetter)}});
    return first;
}

/// 7.3.29 PrivateGet
void FunctionCompiler::readPrivate(Name* name, Reg dst, Reg object, const At& at) {
    ClassScope* scope;
    const PrivateElement& element = privateElement(name, scope);
    if (element.kind == MemberKind::Field)
        return getPrivate(*scope, element.key, dst, object, at);
    checkBrand(*scope, element, object, at);
    if (element.kind == MemberKind::Method) {
        loadSlot(scope->environment, element.method - 1, dst);
        return;
    }
    if (!element.method)
        return refusePrivate(Error::PrivateNoGetter, name, at);
    Reg result = callAccessor(*scope, element.method, object, Any, at);
    move(dst, result);
    emit_.release(result.n);
}

/// 7.3.30 PrivateSet
void FunctionCompiler::writePrivate(Name* name, Reg object, Reg value, const At& at) {
    ClassScope* scope;
    const PrivateElement& element = privateElement(name, scope);
    if (element.kind == MemberKind::Field)
        return putPrivate(*scope, element.key, object, value, at);
    checkBrand(*scope, element, object, at);
    if (!element.setter)
        return refusePrivate(
            element.kind == MemberKind::Method ? Error::PrivateMethodWrite : Error::PrivateNoSetter, name, at);
    emit_.release(callAccessor(*scope, element.setter, object, value, at).n);
}

Reg FunctionCompiler::privateMember(PrivateMember* e, Reg want) {
    u16 mark = emit_.next();
    Reg object = expression(e->object);
    if (e->isOptional)
        shortCircuit(object);
    if (want == Any) { // an accessor is called above the object
        Reg dst{mark};
        if (!isTemporary(object, mark))
            dst = emit_.allocate();
        readPrivate(e->property, dst, object, {e->object->span, e->propertySpan.begin});
        emit_.release(mark + 1);
        return dst;
    }
    readPrivate(e->property, want, object, {e->object->span, e->propertySpan.begin});
    emit_.release(mark);
    return want;
}

/// 13.10.1 #name in object
Reg FunctionCompiler::privateIn(PrivateIn* e, Reg want) {
    u16 mark = emit_.next();
    Reg object = expression(e->right);
    ClassScope* scope;
    const PrivateElement& element = privateElement(e->name, scope);
    Reg name = privateKey(*scope, element.kind == MemberKind::Field ? element.key : scope->brandOf(element));
    emit_.release(mark);
    Reg dst = target(want);
    emit_.place(e->span);
    emit_.emit(ops::HasPrivate{.dst = dst, .object = object, .name = name});
    return dst;
}

}
