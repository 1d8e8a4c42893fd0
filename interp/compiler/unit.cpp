// What all functions of one text share while they are compiled.
#include "interp/compiler/unit.h"

namespace scr {

Unit::Unit(Vm& vm, Script* script, Arena& arena, CompileError& error)
    : vm(vm)
    , script(script)
    , realm(vm.realm)
    , arena(arena)
    , text(script->source->text)
    , error_(error) {
    vm.heap.addRoots(trace, this);
}

Unit::~Unit() { vm.heap.removeRoots(this); }

void Unit::trace(void* context, Marker& marker) {
    auto* unit = static_cast<Unit*>(context);
    marker.mark(unit->script);
    marker.markValues(unit->roots_.data(), unit->roots_.size());
}

void Unit::fail(Span span, std::string message) {
    if (failed_)
        return;
    failed_ = true;
    error_ = {"SyntaxError: " + std::move(message), span.begin, span.end, false};
}

String* Unit::atom(Name* name) {
    if (name->cache)
        return static_cast<String*>(name->cache);
    String* atom =
        name->isLatin1 ? internLatin1(vm, name->latin1, name->length) : internUtf16(vm, name->utf16, name->length);
    keep(Value::string(atom));
    name->cache = atom;
    return atom;
}

u32 Unit::find(char character, u32 offset) const {
    size_t found = text.find(character, offset);
    return found == text.npos ? offset : u32(found);
}

}
