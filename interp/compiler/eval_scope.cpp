// Writing down what surrounds a direct eval, and building it anew.
#include "interp/compiler/eval_scope.h"
#include "interp/compiler/function_compiler.h"
#include "runtime/base/utf.h"
#include <algorithm>
#include <list>

namespace scr {

static Value number(u64 value) { return Value::int32(i32(value)); }
static Value at(Array* array, u32 index) { return array->elements_.dense()[index]; }
static u32 intAt(Array* array, u32 index) { return u32(at(array, index).asInt()); }
static Array* arrayAt(Array* array, u32 index) {
    Value value = at(array, index);
    return value.isObject() ? static_cast<Array*>(value.asObject()) : nullptr;
}
static Value orNull(Array* array) { return array ? Value::object(array) : Value::null(); }

// ---- writing

static u32 levelOf(const EnvironmentScope* environment) {
    u32 level = 0;
    while ((environment = environment->parent))
        level++;
    return level;
}

/// Names by scope, the innermost first: the first one found counts.
Array* FunctionCompiler::describeEnvironment(EnvironmentScope* environment) {
    std::vector<EnvironmentScope*> chain; // those without an up-to-date description, from the inside out
    for (; environment && !(environment->description && environment->described == environment->scopes.size());
         environment = environment->parent)
        chain.push_back(environment);
    Array* outer = environment ? environment->description : nullptr;
    for (size_t i = chain.size(); i-- > 0;) {
        EnvironmentScope* each = chain[i];
        std::vector<Value> values{orNull(outer)};
        for (u32 j = each->scopes.size(); j-- > 0;)
            for (Declaration* d : each->scopes[j]->declarations)
                if (d->isCaptured && !isGlobal(d)) {
                    values.push_back(Value::string(unit_.atom(d->name)));
                    bool isImported = d->scratch & Imported;
                    values.push_back(
                        isImported ? Value::cell(unit_.import(d->slot)) : number(d->slot * 32 + u32(d->kind)));
                }
        outer = each->description = newConstantArray(values);
        each->described = each->scopes.size();
    }
    return outer;
}

static Value keyValue(const PrivateKey& key) { return key.known.isHole() ? Value::undefined() : key.known; }

constexpr u32 ClassHead = 7, ElementWords = 6;

Array* FunctionCompiler::describeClass(ClassScope* scope) {
    if (!scope)
        return nullptr;
    if (scope->description)
        return scope->description;
    Array* outer = describeClass(scope->outer);
    std::vector<Value> values{orNull(outer),
        scope->environment ? number(levelOf(scope->environment)) : Value::undefined(), Value::string(scope->className),
        keyValue(scope->brand), number(scope->brand.slot), keyValue(scope->staticBrand),
        number(scope->staticBrand.slot)};
    for (const auto& [name, element] : scope->elements)
        for (Value value : {Value::string(name), number(u32(element.kind) | u32(element.isStatic) << 8),
                 keyValue(element.key), number(element.key.slot), number(element.method), number(element.setter)})
            values.push_back(value);
    return scope->description = newConstantArray(values);
}

u32 FunctionCompiler::siteFlags() const {
    if (info_.siteFlags)
        return info_.siteFlags;
    u32 flags = SitePresent;
    if (info_.isStatic)
        flags |= SiteIsStatic;
    switch (node_.kind) {
    case FunctionKind::Normal: flags |= SiteAllowsNewTarget; break;
    case FunctionKind::Script:
    case FunctionKind::Module:
        if (info_.goal != CompileGoal::Module)
            flags |= info_.goal == CompileGoal::CommonJs ? SiteAllowsNewTarget : SiteThisIsGlobal;
        break;
    case FunctionKind::FieldInitializer:
    case FunctionKind::StaticBlock: flags |= SiteForbidsArguments; [[fallthrough]];
    default: flags |= SiteAllowsNewTarget | SiteAllowsSuper; break;
    }
    if (node_.isDerived)
        flags |= SiteIsDerived | SiteAllowsSuperCall;
    return flags;
}

Array* FunctionCompiler::describeSite() {
    FunctionCompiler* from = provider();
    u32 flags = from->siteFlags();
    std::vector<Value> site(SiteFieldCount, number(0));
    site[SiteFlags] = number(flags);
    if (EnvironmentScope* environment = from->functionEnvironment_) {
        site[SiteFunction] = number(levelOf(environment));
        site[SiteThis] = number(environment->thisSlot);
        site[SiteNewTarget] = number(environment->newTargetSlot);
        site[SiteCallee] = number(environment->calleeSlot);
    }
    if (EnvironmentScope* home = from->info_.home; home && (flags & SiteAllowsSuper)) {
        u32& slot = from->info_.isStatic ? home->staticHomeSlot : home->homeSlot;
        hiddenSlot(home, slot);
        site[SiteHomeLevel] = number(levelOf(home));
        site[SiteHome] = number(slot);
    }
    if (EnvironmentScope* fields = from->info_.classScope; fields && (flags & SiteAllowsSuperCall)) {
        site[SiteFieldsLevel] = number(levelOf(fields));
        site[SiteFields] = number(fields->fieldsSlot);
    }
    site[SiteScopes] = orNull(describeEnvironment(environment_));
    site[SiteClasses] = orNull(describeClass(unit_.classes));
    return newConstantArray(site);
}

// ---- the call

/// 13.3.6.1: an eval(...) whose callee turns out to be the eval of the realm.
Reg FunctionCompiler::directEval(Call* e, Reg want) {
    Reg first = toNext(e->callee);
    Reg environment = emit_.allocate();
    emit_.allocate();
    bool spreads = hasSpread(e->arguments);
    u16 argc = spreads ? 0 : arguments(e->arguments);
    if (spreads)
        spreadArguments(e->arguments);
    if (environment_->owner == this)
        move(environment, environment_->reg);
    else
        emit_.emit(ops::LoadEnvironment{.dst = environment});
    Const scopes = emit_.constant(Value::object(describeSite()), "calls of eval");
    emit_.place(e->callee->span, callPoint(e));
    if (spreads)
        emit_.emit(ops::CallEvalSpread{.first = first, .scopes = scopes});
    else
        emit_.emit(ops::CallEval{.first = first, .argc = {argc}, .scopes = scopes});
    return finishCall(first, want);
}

// ---- reading

void readSite(Array* site, ParseOptions& options, std::vector<std::string>& privateNames) {
    u32 flags = intAt(site, SiteFlags);
    options.allowNewTarget = flags & SiteAllowsNewTarget;
    options.allowSuperProperty = flags & SiteAllowsSuper;
    options.allowSuperCall = flags & SiteAllowsSuperCall;
    options.forbidArguments = flags & SiteForbidsArguments;
    for (Array* scope = arrayAt(site, SiteClasses); scope; scope = arrayAt(scope, 0))
        for (u32 i = ClassHead; i < scope->length(); i += ElementWords) {
            String* name = at(scope, i).asString();
            std::string text;
            u32 units = name->length - 1; // without #
            if (name->isWide())
                appendUtf16AsUtf8(text, name->wide() + 1, units);
            else
                appendLatin1AsUtf8(text, name->latin1() + 1, units);
            privateNames.push_back(std::move(text));
        }
}

namespace {

/// The scopes of a site, from the outside in.
class SiteReader {
public:
    SiteReader(Unit& unit, Array* site)
        : unit_(unit) {
        for (Array* each = arrayAt(site, SiteScopes); each; each = arrayAt(each, 0))
            arrays_.push_back(each);
        std::reverse(arrays_.begin(), arrays_.end());
        for (Array* each : arrays_) {
            auto* scope = unit.arena.make<EnvironmentScope>();
            scope->parent = levels_.empty() ? nullptr : levels_.back();
            scope->description = each;
            levels_.push_back(scope);
        }
    }
    EnvironmentScope* innermost() const { return levels_.back(); }
    EnvironmentScope* level(u32 number) const { return levels_[number]; }

    /// What the name is bound to around the call; null: a global.
    Declaration* find(Name* name) {
        u64 atom = Value::string(unit_.atom(name)).bits();
        for (size_t i = arrays_.size(); i-- > 0;)
            for (u32 j = 1; j < arrays_[i]->length(); j += 2)
                if (at(arrays_[i], j).bits() == atom)
                    return declaration(name, levels_[i], at(arrays_[i], j + 1));
        return nullptr;
    }

    ClassScope* classes(Array* array) {
        if (!array)
            return nullptr;
        ClassScope* outer = classes(arrayAt(array, 0));
        ClassScope& scope = classScopes_.emplace_back();
        scope.outer = outer;
        scope.environment = at(array, 1).isUndefined() ? nullptr : levels_[intAt(array, 1)];
        scope.className = at(array, 2).asString();
        scope.brand = key(array, 3);
        scope.staticBrand = key(array, 5);
        scope.description = array;
        for (u32 i = ClassHead; i < array->length(); i += ElementWords) {
            u32 kind = intAt(array, i + 1);
            scope.elements.emplace(at(array, i).asString(),
                PrivateElement{MemberKind(kind & 0xFF), (kind >> 8) != 0, key(array, i + 2), intAt(array, i + 4),
                    intAt(array, i + 5)});
        }
        return &scope;
    }

private:
    static PrivateKey key(Array* array, u32 index) {
        PrivateKey key;
        if (Value known = at(array, index); !known.isUndefined())
            key.known = known;
        key.slot = intAt(array, index + 1);
        return key;
    }

    Declaration* declaration(Name* name, EnvironmentScope* environment, Value place) {
        auto* scope = unit_.arena.make<Scope>();
        scope->cache = environment;
        auto* declaration = unit_.arena.make<Declaration>();
        declaration->name = name;
        if (place.isInt()) {
            declaration->kind = DeclarationKind(u32(place.asInt()) % 32);
            declaration->slot = u32(place.asInt()) / 32;
        } else {
            declaration->kind = DeclarationKind::Import;
            declaration->slot = unit_.addImport(place.as<ImportBinding>());
            declaration->scratch = Imported;
        }
        declaration->isCaptured = declaration->isEarly = declaration->isUsed = true;
        declaration->scope = scope;
        return declaration;
    }

    Unit& unit_;
    std::vector<Array*> arrays_;
    std::vector<EnvironmentScope*> levels_;
    std::list<ClassScope> classScopes_;
};

}

/// The text is compiled as an arrow function: `this` and its like are those of the function around the call, for which
/// a compiler stands in that compiles nothing.
Code* FunctionCompiler::compileEval(Unit& unit, ParseResult& parsed, Array* site) {
    SiteReader reader(unit, site);
    for (Identifier* identifier : parsed.freeNames)
        identifier->declaration = reader.find(identifier->name);
    u32 flags = intAt(site, SiteFlags);
    FunctionSurroundings around;
    around.siteFlags = flags;
    around.isStatic = flags & SiteIsStatic;
    around.goal = flags & SiteThisIsGlobal ? CompileGoal::Eval : CompileGoal::CommonJs;
    if (u32 slot = intAt(site, SiteHome)) {
        around.home = reader.level(intAt(site, SiteHomeLevel));
        (around.isStatic ? around.home->staticHomeSlot : around.home->homeSlot) = slot;
    }
    if (u32 slot = intAt(site, SiteFields)) {
        around.classScope = reader.level(intAt(site, SiteFieldsLevel));
        around.classScope->fieldsSlot = slot;
    }
    bool isDerived = flags & SiteIsDerived;
    auto* node = makeNode<FunctionNode>(
        unit.arena, Span{0, 0}, isDerived ? FunctionKind::ClassConstructor : FunctionKind::Normal);
    node->isDerived = isDerived;
    FunctionCompiler provider(unit, nullptr, nullptr, *node, around, false);
    EnvironmentScope* environment = reader.level(intAt(site, SiteFunction));
    environment->thisSlot = intAt(site, SiteThis);
    environment->newTargetSlot = intAt(site, SiteNewTarget);
    environment->calleeSlot = intAt(site, SiteCallee);
    provider.functionEnvironment_ = environment;
    unit.classes = reader.classes(arrayAt(site, SiteClasses));
    FunctionSurroundings surroundings;
    surroundings.goal = CompileGoal::Eval;
    surroundings.name = unit.keep(Value::string(internAscii(unit.vm, "eval"))).asString();
    FunctionNode& function = *parsed.program->function;
    function.kind = FunctionKind::Arrow;
    return compileFunction(unit, &provider, reader.innermost(), function, surroundings);
}

Code* compileDirectEval(Unit& unit, ParseResult& parsed, Array* site) {
    return FunctionCompiler::compileEval(unit, parsed, site);
}

Code* compileIndirectEval(Unit& unit, Program& program) {
    FunctionSurroundings surroundings;
    surroundings.goal = CompileGoal::Eval;
    surroundings.name = unit.keep(Value::string(internAscii(unit.vm, "eval"))).asString();
    return compileFunction(unit, nullptr, nullptr, *program.function, surroundings);
}

Code* compileInNoScope(Unit& unit, FunctionNode& function) {
    auto* node = makeNode<FunctionNode>(unit.arena, Span{0, 0}, FunctionKind::Normal);
    FunctionCompiler outside(unit, nullptr, nullptr, *node, {}, false);
    return compileFunction(unit, &outside, nullptr, function, {});
}

}
