// Evaluating modules in their order, those that wait included (ECMA-262 16.2.1.6.1.3 and the algorithms behind it), and
// import().
#include "runtime/core/error.h"
#include "runtime/core/module.h"
#include "runtime/core/operations.h"
#include "runtime/core/vm.h"
#include <algorithm>

namespace scr {

// ---- a module that needs nothing any more

static bool isAsync(const Module* module) { return module->asyncOrder && !module->asyncDone; }

static Completion<void> settle(Vm& vm, Module* module) {
    if (!module->promise)
        return {};
    if (module->error.isHole())
        return resolvePromise(vm, module->promise, Value::undefined());
    rejectPromise(vm, module->promise, module->error);
    return {};
}

/// Evaluated, with the pending exception as its error. Threw: the run ends.
static Completion<void> failModule(Vm& vm, Module* module) {
    module->error = TRY(catchException(vm));
    module->status = ModuleStatus::Evaluated;
    return {};
}

/// 16.2.1.8.4.5 Evaluate of a synthetic module, which happens once.
static Completion<void> evaluateSynthetic(Vm& vm, Module* module) {
    if (module->status == ModuleStatus::Evaluating)
        return {};
    if (module->status != ModuleStatus::Evaluated) {
        module->status = ModuleStatus::Evaluating;
        if (module->steps(vm, module).threw())
            TRY(failModule(vm, module));
        module->status = ModuleStatus::Evaluated;
    }
    return module->error.isHole() ? Completion<void>() : vm.throwValue(module->error);
}

/// 16.2.1.7.3.2 ExecuteModule of a module without a top-level await.
static Completion<void> executeModule(Vm& vm, Module* module) {
    SuspendedFrame* frame = module->frame;
    module->frame = nullptr;
    TRY(resumeFrame(vm, frame, ResumeMode::Next, Value::undefined()));
    return {};
}

// ---- modules that wait

static Module* moduleIn(Args args) { return args.callee()->data[0].as<Module>(); }

static Completion<void> asyncRejected(Vm& vm, Module* module, Value error);
static Completion<void> asyncFulfilled(Vm& vm, Module* module);

static Completion<Value> onFulfilled(Vm& vm, Args args) {
    TRY(asyncFulfilled(vm, moduleIn(args)));
    return Value::undefined();
}

static Completion<Value> onRejected(Vm& vm, Args args) {
    TRY(asyncRejected(vm, moduleIn(args), args[0]));
    return Value::undefined();
}

static Value reactionOf(Vm& vm, NativeCode code, Cell* cell, Value more = Value::undefined()) {
    NativeFunction* function = newNative(vm, code, "", 1);
    function->data[0] = Value::cell(cell);
    function->data[1] = more;
    return Value::object(function);
}

// 16.2.1.6.1.3.2 ExecuteAsyncModule ( module )
static Completion<void> executeAsyncModule(Vm& vm, Module* module) {
    Promise* promise = newPromise(vm);
    performThen(
        vm, promise, reactionOf(vm, onFulfilled, module), reactionOf(vm, onRejected, module), Value::undefined());
    SuspendedFrame* frame = module->frame;
    frame->owner = promise;
    return continueAsync(vm, frame, Value::undefined(), false);
}

/// It will not run any more. One whose evaluation was given up half-way has no cycle root.
static bool hasFailed(const Module* module) {
    return !module->error.isHole() || (module->cycleRoot && !module->cycleRoot->error.isHole());
}

// 16.2.1.6.1.3.3 GatherAvailableAncestors ( module, execList )
static void gatherAncestors(Module* module, std::vector<Module*>& list) {
    std::vector<Module*> pending{module};
    while (!pending.empty()) {
        Module* at = pending.back();
        pending.pop_back();
        for (Module* parent : at->record->asyncParents) {
            if (hasFailed(parent) || std::find(list.begin(), list.end(), parent) != list.end())
                continue;
            if (--parent->pendingAsync)
                continue;
            list.push_back(parent);
            if (!parent->hasAwait)
                pending.push_back(parent);
        }
    }
}

static Completion<void> executeAncestor(Vm& vm, Module* module) {
    if (module->status == ModuleStatus::Evaluated) // another one of the list has failed, and this one with it
        return {};
    if (module->hasAwait)
        return executeAsyncModule(vm, module);
    if (executeModule(vm, module).threw())
        return asyncRejected(vm, module, TRY(catchException(vm)));
    module->asyncDone = true;
    module->status = ModuleStatus::Evaluated;
    return settle(vm, module);
}

// 16.2.1.6.1.3.4 AsyncModuleExecutionFulfilled ( module )
static Completion<void> asyncFulfilled(Vm& vm, Module* module) {
    if (module->status == ModuleStatus::Evaluated)
        return {};
    module->asyncDone = true;
    module->status = ModuleStatus::Evaluated;
    TRY(settle(vm, module));
    std::vector<Module*> list; // all of them are parents, which hold each other
    gatherAncestors(module, list);
    std::sort(list.begin(), list.end(), [](Module* a, Module* b) { return a->asyncOrder < b->asyncOrder; });
    // The list is no root: what is left of it is reachable through the parents of `module`.
    for (Module* each : list)
        TRY(executeAncestor(vm, each));
    return {};
}

// 16.2.1.6.1.3.5 AsyncModuleExecutionRejected ( module, error )
static Completion<void> asyncRejected(Vm& vm, Module* module, Value error) {
    std::vector<Module*> pending{module};
    while (!pending.empty()) {
        Module* at = pending.back();
        pending.pop_back();
        if (at->status == ModuleStatus::Evaluated)
            continue;
        at->error = error;
        at->status = ModuleStatus::Evaluated;
        at->asyncDone = true;
        TRY(settle(vm, at));
        const auto& parents = at->record->asyncParents;
        pending.insert(pending.end(), parents.rbegin(), parents.rend());
    }
    return {};
}

// ---- the graph

namespace {

class Evaluator {
public:
    explicit Evaluator(Vm& vm)
        : vm_(vm) { }

    // 16.2.1.6.1.3.1 InnerModuleEvaluation ( module, stack, index )
    Completion<void> evaluate(Module* module) {
        if (vm_.cStackLow())
            return vm_.throwStackOverflow();
        if (!module->script)
            return evaluateSynthetic(vm_, module);
        if (module->status >= ModuleStatus::EvaluatingAsync)
            return module->error.isHole() ? Completion<void>() : vm_.throwValue(module->error);
        if (module->status == ModuleStatus::Evaluating)
            return {};
        ASSERT(module->status == ModuleStatus::Linked);
        module->status = ModuleStatus::Evaluating;
        module->dfsIndex = module->dfsAncestor = index_++;
        module->pendingAsync = 0;
        stack_.push_back(module);
        for (const ModuleRequest& request : module->record->requests)
            TRY(evaluateRequest(module, request.module));
        if (module->pendingAsync || module->hasAwait) {
            module->asyncOrder = ++vm_.asyncModules;
            if (!module->pendingAsync)
                TRY(executeAsyncModule(vm_, module));
        } else {
            TRY(executeModule(vm_, module));
        }
        if (module->dfsAncestor == module->dfsIndex)
            popTo(module);
        return {};
    }

    /// The pending exception is the error of everything on the way.
    Completion<void> giveUp() {
        Value error = TRY(catchException(vm_));
        for (Module* module : stack_) {
            module->status = ModuleStatus::Evaluated;
            module->error = error;
        }
        return {};
    }

private:
    Completion<void> evaluateRequest(Module* module, Module* required) {
        TRY(evaluate(required));
        if (!required->script)
            return {};
        if (required->status == ModuleStatus::Evaluating) {
            // One that is being evaluated further out (a require made this evaluation) is in none of our cycles.
            if (std::find(stack_.begin(), stack_.end(), required) != stack_.end())
                module->dfsAncestor = std::min(module->dfsAncestor, required->dfsAncestor);
        } else {
            required = required->cycleRoot;
            if (!required->error.isHole())
                return vm_.throwValue(required->error);
        }
        if (isAsync(required)) {
            module->pendingAsync++;
            required->record->asyncParents.push_back(module);
        }
        return {};
    }

    void popTo(Module* module) {
        Module* last;
        do {
            last = stack_.back();
            stack_.pop_back();
            last->status = last->asyncOrder ? ModuleStatus::EvaluatingAsync : ModuleStatus::Evaluated;
            last->cycleRoot = module;
        } while (last != module);
    }

    Vm& vm_;
    u32 index_ = 0;
    std::vector<Module*> stack_; // reachable from the root
};

}

// 16.2.1.6.1.3 Evaluate ( )
Completion<Promise*> evaluateModule(Vm& vm, Module* module) {
    if (module->status >= ModuleStatus::EvaluatingAsync && module->cycleRoot)
        module = module->cycleRoot;
    if (module->promise)
        return module->promise.get();
    module->promise = newPromise(vm);
    if (module->status == ModuleStatus::Evaluated && !module->error.isHole()) {
        TRY(settle(vm, module));
        return module->promise.get();
    }
    Evaluator evaluator(vm);
    if (evaluator.evaluate(module).threw()) {
        TRY(evaluator.giveUp());
        if (module->error.isHole()) // of a synthetic module, or the stack was full
            module->error = vm.thrownValue;
        TRY(settle(vm, module));
    } else if (!isAsync(module)) {
        TRY(settle(vm, module));
    }
    return module->promise.get();
}

Completion<Promise*> runModule(Vm& vm, Module* module) {
    TRY(loadRequestedModules(vm, module));
    TRY(linkModule(vm, module));
    return evaluateModule(vm, module);
}

// ---- import()

static Completion<Value> giveNamespace(Vm& vm, Args args) {
    auto* promise = static_cast<Promise*>(args.callee()->data[1].asObject());
    Completion<Object*> made = moduleNamespace(vm, moduleIn(args));
    if (made.threw())
        rejectPromise(vm, promise, TRY(catchException(vm)));
    else
        TRY(resolvePromise(vm, promise, Value::object(made.value())));
    return Value::undefined();
}

static Completion<Value> giveError(Vm& vm, Args args) {
    rejectPromise(vm, static_cast<Promise*>(args.callee()->data[1].asObject()), args[0]);
    return Value::undefined();
}

static Completion<Promise*> linkAndEvaluate(Vm& vm, Module* module) {
    TRY(linkModule(vm, module));
    return evaluateModule(vm, module);
}

/// 16.2.1.9 ContinueDynamicImport step 6.
static Completion<Value> onLoaded(Vm& vm, Args args) {
    Module* module = moduleIn(args);
    Value promise = args.callee()->data[1];
    Completion<Promise*> evaluated = linkAndEvaluate(vm, module);
    if (evaluated.threw()) {
        rejectPromise(vm, static_cast<Promise*>(promise.asObject()), TRY(catchException(vm)));
        return Value::undefined();
    }
    performThen(vm, evaluated.value(), reactionOf(vm, giveNamespace, module, promise),
        reactionOf(vm, giveError, module, promise), Value::undefined());
    return Value::undefined();
}

/// The value of the attribute `type`; null if there is none. 13.3.10.2 steps 9 and 10.
static Completion<String*> importType(Vm& vm, Value options) {
    if (options.isUndefined())
        return nullptr;
    if (!options.isObject())
        return throwError(vm, Error::ImportOptions);
    Value with = TRY(get(vm, options.asObject(), keyFromAtom(internAscii(vm, "with"))));
    if (with.isUndefined())
        return nullptr;
    if (!with.isObject())
        return throwError(vm, Error::ImportWith);
    Array* keys = TRY(ownPropertyKeys(vm, with.asObject(), StringKeys | OnlyEnumerable));
    String *type = nullptr, *other = nullptr, *otherValue = nullptr;
    for (u32 i = 0; i < keys->length(); i++) {
        Value key = keys->elements_.dense()[i];
        Value value = TRY(get(vm, with.asObject(), TRY(toPropertyKey(vm, key))));
        if (!value.isString())
            return throwError(vm, Error::ImportAttributeValue);
        String* name = TRY(internString(vm, key.asString()));
        if (name == internAscii(vm, "type"))
            type = TRY(internString(vm, value.asString()));
        else
            other = name, otherValue = value.asString();
    }
    if (other)
        return throwBadAttribute(vm, other, otherValue);
    return type;
}

static Completion<Module*> loadDynamic(Vm& vm, Cell* referrer, Value specifier, Value options) {
    String* text = TRY(flatten(vm, TRY(toString(vm, specifier))));
    String* type = TRY(importType(vm, options));
    return loadImportedModule(vm, referrer, text, type);
}

// 13.3.10.2 EvaluateImportCall, 16.2.1.9 ContinueDynamicImport
Completion<Value> dynamicImport(Vm& vm, Cell* referrer, Value specifier, Value options) {
    Promise* promise = newPromise(vm);
    Completion<Module*> loaded = loadDynamic(vm, referrer, specifier, options);
    if (loaded.threw()) {
        rejectPromise(vm, promise, TRY(catchException(vm)));
        return Value::object(promise);
    }
    Module* module = loaded.value();
    Promise* loading = newPromise(vm);
    performThen(vm, loading, reactionOf(vm, onLoaded, module, Value::object(promise)),
        reactionOf(vm, giveError, module, Value::object(promise)), Value::undefined());
    if (loadRequestedModules(vm, module).threw())
        rejectPromise(vm, loading, TRY(catchException(vm)));
    else
        fulfillPromise(vm, loading, Value::undefined());
    return Value::object(promise);
}

// 13.3.12.1 import.meta
Completion<Value> importMeta(Vm& vm, Module* module) {
    if (!module->meta) {
        Object* meta = newObject(vm, nullptr);
        if (vm.importMetaHook)
            TRY(vm.importMetaHook(vm, module, meta));
        module->meta = meta;
    }
    return Value::object(module->meta.get());
}

}
