// Assignments and updates (ECMA-262 13.15, 13.4): the target's parts first, then the value, then the store.
#include "interp/compiler/function_compiler.h"

namespace scr {

// ---- references

/// The parts of a target, evaluated. `later` runs before the store. A key that is an object is converted by each
/// access, as in V8 (13.15.2 would have it done once).
Reference FunctionCompiler::reference(Expr* target, Node* later) {
    Reference result;
    result.span = target->span;
    switch (target->kind) {
    case NodeKind::Identifier:
        result.identifier = target->as<Identifier>();
        result.point = target->span.begin;
        return result;
    case NodeKind::Member: {
        Member* member = target->as<Member>();
        result.kind = Reference::Field;
        result.object = operand(member->object, later);
        result.name = member->property;
        result.span = member->object->span;
        result.point = member->propertySpan.begin;
        return result;
    }
    case NodeKind::Index: return indexReference(target->as<Index>(), later);
    case NodeKind::PrivateMember: {
        PrivateMember* member = target->as<PrivateMember>();
        result.kind = Reference::Private;
        result.object = operand(member->object, later);
        result.name = member->property;
        result.span = member->object->span;
        result.point = member->propertySpan.begin;
        return result;
    }
    case NodeKind::SuperMember:
    case NodeKind::SuperIndex: {
        SuperMember* member = target->asIf<SuperMember>();
        result.kind = Reference::Super;
        result.object = superReference(
            member ? nullptr : target->as<SuperIndex>()->index, member ? member->property : nullptr, target->span);
        result.point = member ? member->propertySpan.begin : target->span.begin;
        return result;
    }
    default: refuse(target, Any); return result;
    }
}

Reference FunctionCompiler::indexReference(Index* target, Node* later) {
    Reference result;
    result.span = target->object->span;
    result.point = bracketPoint(target);
    StringLiteral* string = target->index->asIf<StringLiteral>();
    if (string && !keyOfName(string->value).isIndex) {
        result.kind = Reference::Field;
        result.object = operand(target->object, later);
        result.name = string->value;
        return result;
    }
    result.kind = Reference::Element;
    result.object = operand(target->object, target->index, later);
    result.key = operand(target->index, later);
    return result;
}

Reg FunctionCompiler::load(const Reference& reference, Reg want) {
    if (reference.kind == Reference::Name)
        return identifier(reference.identifier, want);
    Reg dst = target(want);
    switch (reference.kind) {
    case Reference::Field: getField(dst, reference.object, reference.name, reference.span, reference.point); break;
    case Reference::Private:
        readPrivate(reference.name, dst, reference.object, {reference.span, reference.point});
        break;
    case Reference::Element: getElement(dst, reference.object, reference.key, reference.span, reference.point); break;
    default:
        emit_.place(reference.span, reference.point);
        emit_.emit(ops::GetSuper{.dst = dst, .first = reference.object});
        break;
    }
    return dst;
}

/// `point`: where the caret of a refused write goes (the operator).
void FunctionCompiler::store(const Reference& reference, Reg value, u32 point) {
    u16 mark = emit_.next();
    if (reference.kind == Reference::Name)
        return storeIdentifier(reference.identifier, value, point);
    if (reference.kind == Reference::Private)
        return writePrivate(reference.name, reference.object, value, {reference.span, point});
    emit_.place(reference.span, point);
    if (reference.kind == Reference::Super) {
        emit_.emit(ops::PutSuper{.first = reference.object, .src = value});
        return;
    }
    Reg key = reference.key;
    if (reference.kind == Reference::Field) {
        Value atom = Value::string(unit_.atom(reference.name));
        if (emit_.hasRoomForName(atom)) {
            emit_.emit(ops::PutField{.object = reference.object, .name = emit_.constant(atom, "names"), .src = value});
            return;
        }
        key = emit_.allocate();
        emit_.loadConstant(key, atom);
    }
    emit_.emit(ops::PutElement{.object = reference.object, .key = key, .src = value});
    emit_.release(mark);
}

// ---- =

/// The name that an anonymous function gets by being assigned to this target: only plain names give one.
String* FunctionCompiler::nameOf(Expr* target) {
    Identifier* identifier = target->asIf<Identifier>();
    return identifier && !identifier->isParenthesized ? unit_.atom(identifier->name) : nullptr;
}

Reg FunctionCompiler::assign(Assign* e, Reg want, bool isEffect) {
    u16 mark = emit_.next();
    if (e->target->is<Identifier>())
        return assignName(e, want);
    if (e->target->is<ArrayPattern>() || e->target->is<ObjectPattern>()) {
        Reg value = isEffect || want == Any ? operand(e->value, e->target) : expression(e->value, want);
        bool isIterated = e->target->is<ArrayPattern>();
        Span source = e->value->span;
        destructure(e->target, value, false, isIterated ? Span{source.begin, source.begin} : source);
        return value;
    }
    if (want == Any && !isEffect) { // the value has to survive where the target's parts stood
        Reg dst = emit_.allocate();
        Reference target = reference(e->target, e->value);
        expression(e->value, dst);
        store(target, dst, equalsPoint(e->target));
        return dst;
    }
    Reference target = reference(e->target, e->value);
    Reg value = expression(e->value, want);
    store(target, value, equalsPoint(e->target));
    emit_.release(mark);
    return value;
}

Reg FunctionCompiler::assignName(Assign* e, Reg want) {
    Identifier* identifier = e->target->as<Identifier>();
    Declaration* d = identifier->declaration;
    String* name = isAnonymousFunction(e->value) ? nameOf(e->target) : nullptr;
    if (isLocal(d) && !d->isConstant() && !needsCheck(d)) {
        assignRegister(registerOf(d), e->value, name);
        return settle(want, registerOf(d));
    }
    Reg value = named(e->value, name, want);
    storeIdentifier(identifier, value, equalsPoint(e->target));
    return value;
}

// ---- op=

/// Where V8 puts a failed read of a target that is read and written: its object.
u32 FunctionCompiler::readPoint(Expr* target) {
    if (Member* member = target->asIf<Member>())
        return pointOf(member->object);
    if (PrivateMember* member = target->asIf<PrivateMember>())
        return pointOf(member->object);
    Index* index = target->asIf<Index>();
    return index ? pointOf(index->object) : target->span.begin;
}

Reg FunctionCompiler::compoundAssign(CompoundAssign* e, Reg want) {
    u16 mark = emit_.next();
    u32 point = e->operatorSpan.begin;
    Identifier* identifier = e->target->asIf<Identifier>();
    Declaration* d = identifier ? identifier->declaration : nullptr;
    if (isLocal(d) && !d->isConstant()) {
        Reg local = registerOf(d);
        loadBinding(identifier, Any); // checks
        endStatementPoint();
        Reg left = local;
        if (mayTouch(e->value, local, false)) {
            left = emit_.allocate();
            move(left, local);
        }
        operate(e->op, left, e->value, e->span, point, mark, local);
        return settle(want, local);
    }
    Reg dst = want == Any ? emit_.allocate() : want;
    Reference target = reference(e->target, e->value);
    target.point = readPoint(e->target);
    u16 inner = emit_.next();
    Reg old = load(target, Any);
    operate(e->op, old, e->value, e->span, point, inner, dst);
    store(target, dst, point);
    return dst;
}

/// a &&= b, a ||= b, a ??= b: the store is left out together with the right side.
Reg FunctionCompiler::logicalAssign(LogicalAssign* e, Reg want, bool isEffect) {
    JumpTarget end;
    Op exit = e->op == LogicalOperator::And ? Op::JumpIfFalse
        : e->op == LogicalOperator::Or      ? Op::JumpIfTrue
                                            : Op::JumpIfNotNullish;
    String* name = isAnonymousFunction(e->value) ? nameOf(e->target) : nullptr;
    Identifier* identifier = e->target->asIf<Identifier>();
    Declaration* d = identifier ? identifier->declaration : nullptr;
    if (isLocal(d) && !d->isConstant()) {
        Reg local = loadBinding(identifier, Any);
        emit_.jumpIf(exit, local, end);
        assignRegister(local, e->value, name);
        emit_.bind(end);
        return isEffect ? local : settle(want, local);
    }
    Reg dst = want == Any ? emit_.allocate() : want;
    Reference target = reference(e->target, e->value);
    target.point = readPoint(e->target);
    load(target, dst);
    emit_.jumpIf(exit, dst, end);
    named(e->value, name, dst);
    store(target, dst, equalsPoint(e->target));
    emit_.bind(end);
    return dst;
}

// ---- ++ and --

Reg FunctionCompiler::update(Update* e, Reg want, bool isEffect) {
    Identifier* identifier = e->target->asIf<Identifier>();
    Declaration* d = identifier ? identifier->declaration : nullptr;
    if (isLocal(d) && !d->isConstant())
        return updateLocal(e, loadBinding(identifier, Any), want, isEffect);
    u32 point = e->isPrefix ? e->target->span.begin : e->target->span.end;
    Reg dst = want == Any && !isEffect ? emit_.allocate() : want;
    Reference target = reference(e->target, nullptr);
    target.point = readPoint(e->target);
    u16 before = emit_.next();
    Reg value = load(target, e->isPrefix ? dst : Any);
    if (!isTemporary(value, before) && (dst == Any || !(value == dst))) { // a constant in place
        Reg copy = emit_.allocate();
        move(copy, value);
        value = copy;
    }
    emit_.place(e->span, point);
    if (!e->isPrefix && !isEffect) {
        emit_.emit(ops::ToNumeric{.dst = dst, .a = value});
        move(value, dst);
    }
    step(e, value);
    store(target, value, point);
    return dst;
}

void FunctionCompiler::step(Update* e, Reg value) {
    emit_.place(e->span, e->isPrefix ? e->span.begin : e->target->span.end);
    if (e->isIncrement)
        emit_.emit(ops::Increment{.dst = value});
    else
        emit_.emit(ops::Decrement{.dst = value});
}

/// In the local's register. The old value of a postfix operator is a number: converting it twice is the same as once
/// only for what is no object.
Reg FunctionCompiler::updateLocal(Update* e, Reg local, Reg want, bool isEffect) {
    if (isEffect || e->isPrefix) {
        step(e, local);
        return isEffect ? local : settle(want, local);
    }
    bool isOwn = want == local; // i = i++
    Reg old = target(isOwn ? Any : want);
    emit_.place(e->span, e->target->span.end);
    emit_.emit(ops::ToNumeric{.dst = old, .a = local});
    if (!isPrimitive(e->target))
        move(local, old);
    step(e, local);
    return isOwn ? settle(want, old) : old;
}

}
