// Imports and exports (ECMA-262 16.2).
#include "grammar/builder.h"

namespace scr {

/// A string or reserved word in place of a name.
static std::string unexpectedName(std::string_view text) {
    bool isString = text[0] == '"' || text[0] == '\'';
    return isString ? "Unexpected string" : "Unexpected token '" + std::string(text.substr(0, text.find(' '))) + "'";
}

void Builder::moduleItem(Span span, const char* what) {
    const char* outsideModule = what == std::string_view("import") ? "Cannot use import statement outside a module"
                                                                   : "Unexpected token 'export'";
    bool isTop = function_->node->kind == FunctionKind::Module || function_->node->kind == FunctionKind::Script;
    if (!isTop || scopes.current()->kind != ScopeKind::Body)
        return error(span, std::string("Unexpected token '") + what + "'",
            {std::string(what) + " declarations stand at the top level of a module, in no block or function"
                + (*what == 'i' ? "; await import(...) can stand anywhere" : "")});
    if (isModule_)
        return;
    Notes notes{*what == 'i' ? "import declarations stand in modules only; import(...) can be called anywhere"
                             : "export stands in modules only"};
    if (options_.goal != Goal::Detect)
        error(span, outsideModule, std::move(notes));
    else
        markModule(span, outsideModule, false, std::move(notes));
}

ImportSpecifier* Builder::importSpecifier(Name* imported, Name* local, Span localSpan, Span span) {
    Identifier* name = bindingIdentifier(local, localSpan);
    name->declaration = scopes.declare(local, localSpan, DeclarationKind::Import, 0);
    return make<ImportSpecifier>(span, imported, name);
}

Stmt* Builder::import(
    List<ImportSpecifier*> specifiers, Name* source, Span sourceSpan, List<ImportAttribute*> attributes, Span span) {
    return make<ImportDeclaration>(span, specifiers, source, sourceSpan, attributes);
}

void Builder::checkAttribute(List<ImportAttribute*> before, ImportAttribute* attribute) {
    for (ImportAttribute* other : before) {
        if (other->key == attribute->key)
            error(attribute->span, "Import attributes has a duplicate key '" + toUtf8(*attribute->key) + "'");
    }
}

/// A string that names an export must be well-formed Unicode (16.2.1.1).
void Builder::checkModuleName(Name* name, Span span) {
    for (u32 i = 0; !name->isLatin1 && i < name->length; i++) {
        u32 unit = name->utf16[i];
        bool isLead = (unit & 0xfc00) == 0xd800;
        bool isPair = isLead && i + 1 < name->length && (name->utf16[i + 1] & 0xfc00) == 0xdc00;
        if (isPair)
            i++;
        else if (isLead || (unit & 0xfc00) == 0xdc00)
            return error(span, "Invalid module export name: contains unpaired surrogate character");
    }
}

ExportSpecifier* Builder::exportSpecifier(ModuleName local, ModuleName exported, Span span) {
    auto* specifier = make<ExportSpecifier>(span, local.name, nullptr, exported.name);
    if (!local.isBinding)
        specifier->marks = IsWritten; // fine with a source only
    return specifier;
}

void Builder::addExport(Name* name, Span span) { exports_.push_back({name, span, nullptr}); }

Stmt* Builder::exportNamed(
    List<ExportSpecifier*> specifiers, Name* source, Span sourceSpan, List<ImportAttribute*> attributes, Span span) {
    for (ExportSpecifier* specifier : specifiers) {
        addExport(specifier->exported, specifier->span);
        if (source)
            continue;
        if (specifier->marks)
            error(specifier->span, unexpectedName(source_.text(specifier->span)),
                {"only a name declared in this module can be exported without 'from'"});
        localExports_.push_back(specifier);
    }
    return make<ExportNamed>(span, specifiers, source, sourceSpan, attributes);
}

Stmt* Builder::exportAll(
    Name* exported, Span exportedSpan, Name* source, Span sourceSpan, List<ImportAttribute*> attributes, Span span) {
    if (exported)
        addExport(exported, exportedSpan);
    return make<ExportAll>(span, exported, source, sourceSpan, attributes);
}

/// The names that a pattern of an exported declaration binds.
void Builder::exportPattern(Expr* pattern) {
    if (auto* name = pattern->asIf<Identifier>()) {
        addExport(name->name, name->span);
        name->declaration->isExported = true;
    } else if (auto* array = pattern->asIf<ArrayPattern>()) {
        for (PatternElement* element : array->elements) {
            if (element)
                exportPattern(element->target);
        }
        if (array->rest)
            exportPattern(array->rest);
    } else if (auto* object = pattern->asIf<ObjectPattern>()) {
        for (PatternProperty* property : object->properties)
            exportPattern(property->target);
        if (object->rest)
            exportPattern(object->rest);
    }
}

Stmt* Builder::exportDeclaration(Stmt* declaration, Span span) {
    if (auto* variables = declaration->asIf<VariableDeclaration>()) {
        if (variables->kind == DeclarationKind::Using || variables->kind == DeclarationKind::AwaitUsing)
            error(variables->span, "A using declaration cannot be exported");
        for (Declarator* declarator : variables->declarators)
            exportPattern(declarator->target);
    } else if (auto* function = declaration->asIf<FunctionDeclaration>()) {
        exportPattern(function->function->name);
    } else {
        exportPattern(declaration->as<ClassDeclaration>()->definition->name);
    }
    return make<ExportDeclaration>(span, declaration);
}

/// export default: of a named function or class the name itself is exported, else the hidden binding *default*.
Stmt* Builder::exportDefault(Node* value, Span defaultSpan, Span span) {
    addExport(names.default_, defaultSpan);
    auto* function = value->asIf<FunctionDeclaration>();
    auto* definition = value->asIf<ClassDeclaration>();
    Declaration* binding = function ? function->declaration : definition ? definition->declaration : nullptr;
    if (!binding) {
        DeclarationKind kind = function ? DeclarationKind::Function : DeclarationKind::Default;
        binding = scopes.declare(names.defaultBinding, defaultSpan, kind, span.end);
        if (function) {
            function->declaration = binding;
            binding->function = function->function;
        }
        if (definition)
            definition->declaration = binding;
    }
    binding->isExported = true;
    return make<ExportDefault>(span, value, binding);
}

Notes Builder::firstExport(const Export& again) const {
    for (const Export& item : exports_)
        if (item.name == again.name)
            return {{"the first one:", item.span}};
    return {};
}

/// At the end of the text: duplicate exports, and local names that nothing declares. Known: the body is still open.
void Builder::resolveExports() {
    for (Export& item : exports_) {
        if (item.name->cache == &exports_)
            error(item.span, "Duplicate export of '" + toUtf8(*item.name) + "'", firstExport(item));
        item.outer = item.name->cache;
        item.name->cache = &exports_;
    }
    for (size_t i = exports_.size(); i-- > 0;)
        exports_[i].name->cache = exports_[i].outer;
    for (ExportSpecifier* specifier : localExports_) {
        specifier->declaration = scopes.find(specifier->local);
        specifier->marks = 0;
        if (!specifier->declaration)
            error(specifier->span, "Export '" + toUtf8(*specifier->local) + "' is not defined in module");
        else
            specifier->declaration->isUsed = specifier->declaration->isExported = true;
    }
}

}
