// Scopes with `using` and `await using` (ECMA-262 2026, 14.3.1, 7.5): like a try statement whose finally block disposes
// of what the declarations have added. Three registers in a row: the list, the way out and its value (Control::state
// and value); exits and exceptions lead to the disposal as they lead to a finally block.
#include "interp/compiler/function_compiler.h"

namespace scr {

static bool isUsing(DeclarationKind kind) {
    return kind == DeclarationKind::Using || kind == DeclarationKind::AwaitUsing;
}

/// Nothing if the scope has no such declaration. What the scope declares has its place already.
void FunctionCompiler::beginUsing(UsingScope& disposal, Scope* scope) {
    if (!scope || !scope->hasUsing)
        return;
    disposal.scope = scope;
    disposal.outerList = usingList_;
    usingList_ = disposal.list = emit_.allocate();
    Control& control = disposal.control;
    control.outer = control_;
    control.state = emit_.allocate();
    control.value = emit_.allocate();
    control.entry = &disposal.entry;
    emit_.loadUndefined(disposal.list);
    control.begin = emit_.here();
    control_ = &control;
    tries_++;
}

/// `end`: where the scope ends in the text. Registers above those of the disposal are free afterwards.
void FunctionCompiler::endUsing(UsingScope& disposal, u32 end) {
    if (!disposal.scope)
        return;
    Control& control = disposal.control;
    JumpTarget caught, done;
    tries_--;
    control_ = control.outer;
    usingList_ = disposal.outerList;
    emit_.release(control.value.n + 1);
    u32 rangeEnd = emit_.here();
    if (!emit_.isUnreachable()) {
        emit_.emit(ops::LoadInt{.dst = control.state, .value = {0}});
        emit_.jump(disposal.entry);
    }
    emit_.bind(caught);
    protect(control, rangeEnd, caught, control.value);
    emit_.emit(ops::LoadInt{.dst = control.state, .value = {1}});
    emit_.bind(disposal.entry);
    Span brace{end ? end - 1 : 0, end};
    emit_.place(brace);
    if (disposal.scope->hasAwaitUsing)
        disposeAwaiting(disposal.list, brace);
    else
        emit_.emit(ops::Dispose{.first = disposal.list});
    dispatchExits(control, done);
    emit_.bind(done);
}

void FunctionCompiler::disposeAwaiting(Reg list, Span brace) {
    JumpTarget top, failed, done;
    Reg awaited = emit_.allocate();
    emit_.bind(top);
    emit_.place(brace);
    emit_.iterate(Op::DisposeNext, list, awaited, done);
    u32 begin = emit_.here();
    emitAwait(awaited, brace);
    u32 end = emit_.here();
    emit_.loop(top);
    emit_.bind(failed);
    emit_.handler(begin, end, failed, awaited);
    emit_.emit(ops::Suppress{.first = list, .src = awaited});
    emit_.loop(top);
    emit_.bind(done);
    emit_.release(awaited.n);
}

/// A value that a declaration of the innermost such scope binds: disposed of at its end.
void FunctionCompiler::addDisposable(DeclarationKind kind, Reg value, Span span) {
    if (!isUsing(kind))
        return;
    bool isAsync = kind == DeclarationKind::AwaitUsing;
    emit_.place(span);
    emit_.emit(ops::AddDisposable{.list = usingList_, .value = value, .isAsync = {i16(isAsync)}});
}

/// `using x = value`: it is bound when it has been added (9.1.1.1.4).
void FunctionCompiler::usingDeclarator(DeclarationKind kind, Declaration* d, Expr* value) {
    u16 mark = emit_.next();
    Reg result = named(value, isAnonymousFunction(value) ? unit_.atom(d->name) : nullptr, Any);
    addDisposable(kind, result, value->span);
    if (isLocal(d) && isUnplaced(d)) {
        emit_.release(mark);
        placeNow(d); // the register in which the value was computed, if it was
    }
    initialize(d, result);
    if (isLocal(d))
        return emit_.release(std::max<u16>(mark, u16(registerOf(d).n + 1)));
    emit_.release(mark);
}

}
