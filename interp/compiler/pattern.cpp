// Destructuring, of bindings and of assignments (ECMA-262 8.6.2, 13.15.5, 14.3.3).
#include "interp/compiler/function_compiler.h"

namespace scr {

/// The registers of a pattern's names, before anything of it is evaluated above them.
void FunctionCompiler::placePattern(Expr* pattern) {
    if (Identifier* identifier = pattern->asIf<Identifier>()) {
        if (isLocal(identifier->declaration) && isUnplaced(identifier->declaration))
            placeNow(identifier->declaration);
    } else if (ArrayPattern* array = pattern->asIf<ArrayPattern>()) {
        for (PatternElement* element : array->elements)
            if (element)
                placePattern(element->target);
        if (array->rest)
            placePattern(array->rest);
    } else if (ObjectPattern* object = pattern->asIf<ObjectPattern>()) {
        for (PatternProperty* property : object->properties)
            placePattern(property->target);
        if (object->rest)
            placePattern(object->rest);
    }
}

/// `source` is the expression that errors name.
void FunctionCompiler::destructure(Expr* pattern, Reg value, bool isBinding, Span source) {
    if (!unit_.hasStack(pattern->span))
        return;
    u16 mark = emit_.next();
    if (ArrayPattern* array = pattern->asIf<ArrayPattern>())
        arrayPattern(array, value, isBinding, source);
    else
        objectPattern(pattern->as<ObjectPattern>(), value, isBinding, source);
    emit_.release(mark);
}

/// `initializer`: the default value that stands there, or null. V8 names that as the source of an object pattern.
void FunctionCompiler::bindTarget(Expr* target, Reg value, bool isBinding, Expr* initializer) {
    if (target->is<ArrayPattern>() || target->is<ObjectPattern>()) {
        Span source = initializer ? initializer->span : target->span;
        destructure(target, value, isBinding, target->is<ArrayPattern>() ? Span{source.begin, source.begin} : source);
        return;
    }
    Identifier* identifier = target->as<Identifier>();
    if (isBinding)
        initialize(identifier->declaration, value);
    else
        storeIdentifier(identifier, value, target->span.begin);
}

/// A local that can take the value without a detour.
bool FunctionCompiler::directLocal(Expr* target, Expr* initializer, bool isBinding, Reg& local) {
    Identifier* identifier = target->asIf<Identifier>();
    Declaration* d = identifier ? identifier->declaration : nullptr;
    if (!isLocal(d) || isUnplaced(d))
        return false;
    if (!isBinding && (d->isConstant() || needsCheck(d)))
        return false;
    // What is taken may not show before the default is there, least of all in the default itself.
    if (initializer && (!isBinding || d->kind == DeclarationKind::Var || d->isEarly))
        return false;
    local = registerOf(d);
    return true;
}

/// value = value === undefined ? initializer : value
void FunctionCompiler::withDefault(Reg value, Expr* initializer, Expr* target) {
    if (!initializer)
        return;
    JumpTarget present;
    emit_.jumpIf(Op::JumpIfNotUndefined, value, present);
    String* name = isAnonymousFunction(initializer) ? nameOf(target) : nullptr;
    named(initializer, name, value);
    emit_.bind(present);
}

// ---- arrays

void FunctionCompiler::arrayPattern(ArrayPattern* pattern, Reg value, bool isBinding, Span source) {
    Reg iterator = emit_.allocate();
    emit_.allocate(), emit_.allocate();
    // The word for names what a loop gives, and stands far from the pattern.
    bool isOfHead = source.end <= pattern->span.begin && source.begin < source.end;
    emit_.place(source, isOfHead ? pattern->span.end - 1 : source.begin);
    emit_.emit(ops::ForOfInit{.first = iterator, .iterable = value});
    Control control{Control::Iterator, control_};
    control.state = iterator;
    control.begin = emit_.here();
    control_ = &control;
    for (PatternElement* element : pattern->elements) {
        u16 mark = emit_.next();
        if (element) {
            arrayElement(element->target, element->initializer, iterator, false, isBinding);
        } else {
            emit_.place(pattern->span);
            emit_.emit(ops::IteratorNext{.first = iterator, .dst = emit_.allocate()});
        }
        emit_.release(mark);
    }
    if (pattern->rest)
        arrayElement(pattern->rest, nullptr, iterator, true, isBinding);
    control_ = control.outer;
    u32 end = emit_.here();
    emit_.place(source);
    emit_.emit(ops::IteratorClose{.first = iterator});
    JumpTarget after;
    emit_.jump(after);
    closeSilently(control, end);
    emit_.bind(after);
}

/// Where exceptions inside the range of an iterator go: it is closed, then they go on.
void FunctionCompiler::closeSilently(Control& control, u32 end) {
    JumpTarget caught;
    emit_.bind(caught);
    u16 mark = emit_.next();
    Reg exception = emit_.allocate();
    protect(control, end, caught, exception);
    emit_.emit(ops::IteratorCloseSilently{.first = control.state});
    emit_.emit(ops::Throw{.value = exception});
    emit_.release(mark);
}

/// 13.15.5.5: the reference of an assigned member comes before the value is taken.
void FunctionCompiler::arrayElement(Expr* target, Expr* initializer, Reg iterator, bool isRest, bool isBinding) {
    bool isMember = !target->is<Identifier>() && !target->is<ArrayPattern>() && !target->is<ObjectPattern>();
    Reference member;
    if (isMember)
        member = reference(target, initializer);
    Reg value;
    bool isDirect = directLocal(target, initializer, isBinding, value);
    if (!isDirect)
        value = emit_.allocate();
    emit_.place(target->span);
    if (isRest) {
        JumpTarget end;
        emit_.iterate(Op::IteratorRest, iterator, value, end);
        appendRest(iterator, value, end);
    } else {
        emit_.emit(ops::IteratorNext{.first = iterator, .dst = value});
    }
    withDefault(value, initializer, target);
    if (isMember)
        store(member, value, target->span.begin);
    else
        bindTarget(target, value, isBinding, initializer);
}

// ---- objects

void FunctionCompiler::objectPattern(ObjectPattern* pattern, Reg value, bool isBinding, Span source) {
    Reg rest{};
    if (pattern->rest) // with the keys that it leaves out behind it
        rest = emit_.allocate();
    Expr* firstKey = pattern->properties.isEmpty() ? nullptr : pattern->properties[0]->key;
    bool isNamed = firstKey && !pattern->properties[0]->computed;
    emit_.place(source, isNamed ? firstKey->span.begin : pattern->span.begin);
    emit_.emit(ops::CheckObjectCoercible{.a = value});
    u16 keys = emit_.next();
    if (pattern->rest)
        for (u32 i = 0; i < pattern->properties.size(); i++)
            emit_.allocate();
    for (u32 i = 0; i < pattern->properties.size(); i++) {
        u16 mark = emit_.next();
        Reg excluded = pattern->rest ? Reg{u16(keys + i)} : Any;
        patternProperty(pattern->properties[i], value, excluded, isBinding, source);
        emit_.release(mark);
    }
    if (!pattern->rest)
        return;
    Reference member;
    bool isMember = !pattern->rest->is<Identifier>();
    if (isMember)
        member = reference(pattern->rest, nullptr);
    emit_.emit(ops::NewObject{.dst = rest, .inlineSlots = {4}});
    emit_.place(source, pattern->rest->span.begin);
    u16 count = u16(pattern->properties.size());
    emit_.emit(ops::CopyDataProperties{.object = rest, .source = value, .excluded = {count}});
    if (isMember)
        store(member, rest, pattern->rest->span.begin);
    else
        bindTarget(pattern->rest, rest, isBinding);
}

/// excluded: the register that remembers the key for the rest, or Any.
void FunctionCompiler::patternProperty(
    PatternProperty* property, Reg value, Reg excluded, bool isBinding, Span source) {
    StaticKey key;
    bool isStatic = !property->computed && staticKey(property->key, false, key);
    Reg name = excluded;
    if (!isStatic) {
        Reg computed = propertyKey(property->key);
        name = settle(excluded, computed);
    } else if (!(excluded == Any)) {
        loadKey(excluded, key);
    }
    Expr* target = property->target;
    bool isMember = !target->is<Identifier>() && !target->is<ArrayPattern>() && !target->is<ObjectPattern>();
    Reference member;
    if (isMember)
        member = reference(target, property->initializer);
    Reg taken;
    bool isDirect = directLocal(target, property->initializer, isBinding, taken) && !(taken == value);
    if (!isDirect)
        taken = emit_.allocate();
    emit_.place(source, property->key->span.begin);
    if (isStatic && !key.isIndex && emit_.hasRoomForName(Value::string(key.atom))) {
        Const atom = emit_.constant(Value::string(key.atom), "names");
        emit_.emit(ops::GetField{.dst = taken, .object = value, .name = atom});
    } else {
        u16 mark = emit_.next();
        if (name == Any)
            loadKey(name = emit_.allocate(), key);
        emit_.emit(ops::GetElement{.dst = taken, .object = value, .key = name});
        emit_.release(mark);
    }
    withDefault(taken, property->initializer, target);
    if (isMember)
        store(member, taken, target->span.begin);
    else
        bindTarget(target, taken, isBinding, property->initializer);
}

}
