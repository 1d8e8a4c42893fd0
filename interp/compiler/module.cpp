// Modules (ECMA-262 16.2): from their tree to the lists of a module record, and the code that import and export stand
// for. What is exported lives in the environment of the module; what is imported is a constant ImportBinding.
#include "interp/compiler/function_compiler.h"
#include <array>
#include <map>

namespace scr {

namespace {

/// Writes down what a module imports and exports, and marks the names whose place that decides. Slots are known when
/// the code has been made.
class RecordBuilder {
public:
    RecordBuilder(Unit& unit, ModuleRecord& record)
        : unit_(unit)
        , record_(record) { }

    void read(FunctionNode& function) {
        for (Stmt* each : function.body)
            addRequests(each);
        for (Stmt* each : function.body)
            addExports(each);
        for (Scope* scope : {function.variableScope, function.lexicalScope})
            if (scope)
                for (Declaration* d : scope->declarations)
                    if (d->isExported)
                        capture(d);
    }

    void fillSlots() {
        for (const Place& place : exported_)
            record_.exports[place.number].slot = place.declaration->slot;
        for (const Place& place : namespaces_)
            record_.imports[place.number].slot = place.declaration->slot;
    }

private:
    struct Place {
        u32 number;
        Declaration* declaration;
    };

    static void capture(Declaration* d) { d->isCaptured = d->scope->hasCaptured = true; }

    // ---- requests and imports

    void addRequests(Stmt* s) {
        if (ImportDeclaration* import = s->asIf<ImportDeclaration>()) {
            u32 from = request(import->source, import->sourceSpan, import->attributes);
            for (ImportSpecifier* each : import->specifiers)
                addImport(each, from);
        } else if (ExportNamed* named = s->asIf<ExportNamed>(); named && named->source) {
            request(named->source, named->sourceSpan, named->attributes);
        } else if (ExportAll* all = s->asIf<ExportAll>()) {
            request(all->source, all->sourceSpan, all->attributes);
        }
    }

    u32 request(Name* source, Span span, const List<ImportAttribute*>& attributes) {
        ModuleRequest request{};
        request.specifier = unit_.atom(source);
        request.begin = span.begin;
        request.end = span.end;
        for (ImportAttribute* each : attributes)
            if (each->key->equals("type"))
                request.type = unit_.atom(each->value);
            else
                request.badAttribute = unit_.atom(each->key), request.badValue = unit_.atom(each->value);
        auto [place, isNew] = requests_.try_emplace(
            {request.specifier.get(), request.type.get(), request.badAttribute.get()}, u32(record_.requests.size()));
        if (isNew)
            record_.requests.push_back(request);
        return place->second;
    }

    void addImport(ImportSpecifier* specifier, u32 from) {
        Declaration* d = specifier->local->declaration;
        u32 number = u32(record_.imports.size());
        ModuleImport item{nullptr, nullptr, from, 0, specifier->span.begin, specifier->span.end};
        importNumbers_[d] = number;
        if (specifier->imported) {
            item.importName = unit_.atom(specifier->imported);
            item.binding = newImportBinding(unit_.vm, unit_.atom(d->name));
            d->isCaptured = true; // from no register, that is; it needs no environment
            d->scratch |= Imported;
            d->slot = unit_.addImport(item.binding);
        } else {
            capture(d);
            namespaces_.push_back({number, d});
        }
        record_.imports.push_back(item);
    }

    // ---- exports

    void addExports(Stmt* s) {
        switch (s->kind) {
        case NodeKind::ExportNamed: return exportNamed(s->as<ExportNamed>());
        case NodeKind::ExportAll: return exportAll(s->as<ExportAll>());
        case NodeKind::ExportDeclaration: return exportDeclaration(s->as<ExportDeclaration>()->declaration);
        case NodeKind::ExportDefault: return addLocal(unit_.vm.names.default_, s->as<ExportDefault>()->binding);
        default: return;
        }
    }

    void exportNamed(ExportNamed* s) {
        for (ExportSpecifier* each : s->specifiers) {
            String* name = unit_.atom(each->exported);
            if (s->source)
                addIndirect(
                    name, unit_.atom(each->local), request(s->source, s->sourceSpan, s->attributes), each->span);
            else if (auto found = importNumbers_.find(each->declaration); found != importNumbers_.end())
                exportImported(name, record_.imports[found->second]);
            else
                addLocal(name, each->declaration);
        }
    }

    /// An imported name that is exported again is an indirect export (16.2.1.6.1 step 10.a.ii).
    void exportImported(String* name, const ModuleImport& import) {
        if (import.importName)
            addIndirect(name, import.importName, import.request, {import.begin, import.end});
        else
            record_.addExport({ModuleExport::Namespace, name, nullptr, import.request, 0, 0, 0});
    }

    void exportAll(ExportAll* s) {
        u32 from = request(s->source, s->sourceSpan, s->attributes);
        if (s->exported)
            record_.addExport({ModuleExport::Namespace, unit_.atom(s->exported), nullptr, from, 0, 0, 0});
        else
            record_.stars.push_back(from);
    }

    void exportDeclaration(Stmt* s) {
        if (VariableDeclaration* variables = s->asIf<VariableDeclaration>()) {
            for (Declarator* each : variables->declarators)
                exportPattern(each->target);
        } else if (FunctionDeclaration* function = s->asIf<FunctionDeclaration>()) {
            addNamed(function->declaration);
        } else {
            addNamed(s->as<ClassDeclaration>()->declaration);
        }
    }

    void exportPattern(Expr* pattern) {
        if (Identifier* name = pattern->asIf<Identifier>()) {
            addNamed(name->declaration);
        } else if (ArrayPattern* array = pattern->asIf<ArrayPattern>()) {
            for (PatternElement* each : array->elements)
                if (each)
                    exportPattern(each->target);
            if (array->rest)
                exportPattern(array->rest);
        } else if (ObjectPattern* object = pattern->asIf<ObjectPattern>()) {
            for (PatternProperty* each : object->properties)
                exportPattern(each->target);
            if (object->rest)
                exportPattern(object->rest);
        }
    }

    void addNamed(Declaration* d) { addLocal(unit_.atom(d->name), d); }

    void addLocal(String* name, Declaration* d) {
        exported_.push_back({u32(record_.exports.size()), d});
        record_.addExport({ModuleExport::Local, name, nullptr, 0, 0, 0, 0});
    }

    void addIndirect(String* name, String* importName, u32 from, Span span) {
        record_.addExport({ModuleExport::Indirect, name, importName, from, 0, span.begin, span.end});
    }

    Unit& unit_;
    ModuleRecord& record_;
    std::map<std::array<String*, 3>, u32> requests_;
    std::unordered_map<Declaration*, u32> importNumbers_;
    std::vector<Place> exported_, namespaces_;
};

}

// ---- code

Code* compileModuleCode(Unit& unit, Module* module, FunctionNode& function) {
    RecordBuilder builder(unit, *module->record);
    builder.read(function);
    function.isAsync = module->hasAwait = function.hasAwait;
    FunctionSurroundings surroundings;
    surroundings.goal = CompileGoal::Module;
    Code* code = compileFunction(unit, nullptr, nullptr, function, surroundings);
    builder.fillSlots();
    return code;
}

/// The hidden name of what `export default` makes is "default" to whoever looks (16.2.3.7).
String* FunctionCompiler::defaultName(const Declaration* d) {
    return d->name->equals("*default*") ? unit_.vm.names.default_ : nullptr;
}

void FunctionCompiler::exportDefault(ExportDefault* s) {
    if (s->value->is<FunctionDeclaration>())
        return;
    if (ClassDeclaration* declaration = s->value->asIf<ClassDeclaration>())
        return classDeclaration(declaration);
    auto* value = static_cast<Expr*>(s->value);
    beginStatement(value->span.begin);
    u16 mark = emit_.next();
    Reg result = named(value, isAnonymousFunction(value) ? unit_.vm.names.default_ : nullptr, Any);
    initialize(s->binding, result);
    emit_.release(mark);
}

Reg FunctionCompiler::importedName(Identifier* e, Reg want) {
    Reg dst = target(want);
    emit_.place(e->span, namePoint(e->span, 0));
    Const binding = emit_.constant(Value::cell(unit_.import(e->declaration->slot)), "imported names");
    emit_.emit(ops::GetImport{.dst = dst, .binding = binding});
    return dst;
}

Reg FunctionCompiler::importCall(ImportCall* e, Reg want) {
    u16 mark = emit_.next();
    Reg specifier = e->options ? operand(e->specifier, e->options) : expression(e->specifier);
    Reg options;
    if (e->options)
        options = expression(e->options);
    else
        emit_.loadUndefined(options = emit_.allocate());
    emit_.release(mark);
    Reg dst = target(want);
    emit_.place(e->span);
    emit_.emit(ops::ImportCall{.dst = dst, .specifier = specifier, .options = options});
    return dst;
}

Reg FunctionCompiler::importMeta(ImportMeta* e, Reg want) {
    Reg dst = target(want);
    emit_.place(e->span);
    emit_.emit(ops::ImportMeta{.dst = dst});
    return dst;
}

}
