// What each kind of cell that core knows refers to. The invariant: a kind's trace reports every reference that must
// keep a cell alive, and shapes' children are the only ones that need not.
#include "runtime/core/error.h"
#include "runtime/core/proxy.h"
#include "runtime/core/typed_array.h"
#include "runtime/core/vm.h"
#include "runtime/core/weak.h"
#include <algorithm>

namespace scr {

Vm& Vm::of(Heap& heap) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
    return *reinterpret_cast<Vm*>(reinterpret_cast<char*>(&heap) - offsetof(Vm, heap));
#pragma GCC diagnostic pop
}

void traceObject(Cell* cell, Marker& marker) {
    auto* object = static_cast<Object*>(cell);
    Shape* shape = Vm::of(marker.heap()).shapes[object->shape];
    marker.mark(shape);
    marker.mark(object->overflow);
    // Slots beyond the shape's count hold garbage.
    if (object->aux)
        marker.markValues(object->inlineSlots(), std::min<u32>(object->aux, shape->count));
}

static void markElements(const Elements& elements, Marker& marker) {
    if (elements.storage)
        marker.mark(storageCell(elements.storage));
}

static void traceArray(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    markElements(static_cast<Array*>(cell)->elements_, marker);
}

static void traceFunction(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    auto* function = static_cast<Function*>(cell);
    marker.mark(function->info);
    marker.mark(function->environment);
}

static void traceNative(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    auto* function = static_cast<NativeFunction*>(cell);
    marker.mark(function->realm);
    marker.markValues(&function->name, 1);
    marker.markValues(function->data, 2);
}

static void traceBound(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    auto* function = static_cast<BoundFunction*>(cell);
    marker.mark(function->target);
    marker.markValues(&function->boundThis, 1);
    marker.mark(function->arguments);
}

static void traceProxy(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    marker.mark(static_cast<ProxyObject*>(cell)->target);
    marker.mark(static_cast<ProxyObject*>(cell)->handler);
}

static void traceError(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    marker.mark(static_cast<ErrorObject*>(cell)->frames);
    marker.mark(static_cast<ErrorObject*>(cell)->unparsed);
    marker.mark(static_cast<ErrorObject*>(cell)->registers);
    if (DomException* exception = asDomException(Value::object(static_cast<Object*>(cell)))) {
        marker.markValues(&exception->name, 1);
        marker.markValues(&exception->message, 1);
    }
}

static void traceWrapper(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    marker.markValues(&static_cast<PrimitiveWrapper*>(cell)->value, 1);
}

static void traceBuffer(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    marker.mark(static_cast<ArrayBuffer*>(cell)->store);
}

static void traceView(Cell* cell, Marker& marker) {
    traceObject(cell, marker);
    marker.mark(static_cast<BufferView*>(cell)->buffer);
}

static void traceEnvironment(Cell* cell, Marker& marker) {
    auto* environment = static_cast<Environment*>(cell);
    marker.mark(environment->parent);
    marker.markValues(environment->slots, environment->count());
}

static void traceOverflow(Cell* cell, Marker& marker) {
    auto* overflow = static_cast<Overflow*>(cell);
    marker.mark(overflow->elements);
    marker.markValues(overflow->slots, overflow->capacity());
}

static void traceElementsBox(Cell* cell, Marker& marker) {
    markElements(static_cast<ElementsBox*>(cell)->elements, marker);
}

static void traceSparse(Cell* cell, Marker& marker) {
    auto* table = static_cast<SparseElements*>(cell);
    for (u32 i = 0; i < table->capacity; i++)
        if (table->entries[i].state == 1)
            marker.markValues(&table->entries[i].value, 1);
}

static void traceAccessor(Cell* cell, Marker& marker) {
    auto* accessor = static_cast<Accessor*>(cell);
    marker.markValues(&accessor->getter, 1);
    marker.markValues(&accessor->setter, 1);
}

static void traceShape(Cell* cell, Marker& marker) {
    auto* shape = static_cast<Shape*>(cell);
    marker.mark(shape->prototype);
    marker.mark(shape->table);
    marker.mark(shape->parent);
    // Children are weak; the table of them is not.
    if (shape->transitions && kindOf(shape->transitions) == Kind::TransitionTable)
        marker.mark(shape->transitions);
}

static void tracePropertyTable(Cell* cell, Marker& marker) {
    auto* table = static_cast<PropertyTable*>(cell);
    for (u32 i = 0; i < table->count; i++)
        marker.markWord(table->entries()[i].key);
}

static void traceRealm(Cell* cell, Marker& marker) {
    auto* realm = static_cast<Realm*>(cell);
    marker.mark(realm->global);
    marker.mark(realm->lexical);
    for (const auto& object : realm->intrinsics)
        marker.mark(object);
    for (const auto& shape : realm->objectShapes)
        marker.mark(shape);
    for (const auto& shape : realm->suspendableShapes)
        marker.mark(shape);
    for (Shape* shape : {realm->arrayShape.get(), realm->functionShape.get(), realm->constructorShape.get(),
             realm->nativeShape.get(), realm->boundShape.get(), realm->argumentsShape.get(), realm->timeoutShape.get(),
             realm->immediateShape.get(), realm->proxyShape.get(), realm->promiseShape.get(),
             realm->iteratorResultShape.get()})
        marker.mark(shape);
}

void Vm::registerKinds() {
    auto set = [this](Kind kind, Heap::TraceFunction trace) { heap.setTrace(u8(kind), trace); };
    set(Kind::Object, traceObject);
    set(Kind::Arguments, traceObject);
    set(Kind::StringRecord, traceObject);
    set(Kind::Date, traceObject);
    set(Kind::RawJson, traceObject);
    set(Kind::Array, traceArray);
    set(Kind::Function, traceFunction);
    set(Kind::NativeFunction, traceNative);
    set(Kind::BoundFunction, traceBound);
    set(Kind::Proxy, traceProxy);
    set(Kind::CallableProxy, traceProxy);
    set(Kind::Error, traceError);
    set(Kind::PrimitiveWrapper, traceWrapper);
    set(Kind::ArrayBuffer, traceBuffer);
    set(Kind::SharedArrayBuffer, traceBuffer);
    set(Kind::TypedArray, traceView);
    set(Kind::DataView, traceView);
    set(Kind::Environment, traceEnvironment);
    set(Kind::Overflow, traceOverflow);
    set(Kind::ElementsBox, traceElementsBox);
    set(Kind::SparseElements, traceSparse);
    set(Kind::Accessor, traceAccessor);
    set(Kind::Shape, traceShape);
    set(Kind::PropertyTable, tracePropertyTable);
    set(Kind::Realm, traceRealm);
}

void Vm::traceRoots(void* context, Marker& marker) {
    Vm& vm = *static_cast<Vm*>(context);
    marker.mark(vm.realm);
    marker.markValues(&vm.pendingException, 1);
    marker.markValues(&vm.newTarget, 1);
    marker.markValues(&vm.thrownValue, 1);
    marker.markValues(&vm.runningDerived, 1);
    marker.mark(vm.thrownCode);
    marker.mark(vm.asyncContext);
    RootList::trace(&vm.roots, marker);
    marker.markValues(vm.keptAlive.data(), vm.keptAlive.size());
    for (FinalizationRegistry* registry : vm.dueRegistries)
        marker.mark(registry);
    for (const NumberText& number : vm.numberTexts)
        marker.mark(number.text);
    Value* top = vm.stackTop();
    marker.markConservativeRange(vm.stackBegin, top);
    // Above the live top stand the words of frames long gone. Clear them once, so that they keep nothing alive when the
    // stack grows over them again.
    if (vm.stackHighWater > top)
        std::fill(top, vm.stackHighWater, Value());
    vm.stackHighWater = top;
}

/// A place is forgotten when its owner dies, when it holds no key any more, and when it is listed twice.
static void sweepDependents(Vm& vm, Heap& heap) {
    auto& caches = vm.dependentCaches;
    std::erase_if(
        caches, [&](const DependentCache& cache) { return !heap.isMarked(cache.owner) || *cache.key == KeyNone; });
    std::sort(caches.begin(), caches.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    auto last = std::unique(caches.begin(), caches.end(), [](const auto& a, const auto& b) { return a.key == b.key; });
    caches.erase(last, caches.end());
}

void Vm::sweepShapes(void* context, Heap& heap) {
    Vm& vm = *static_cast<Vm*>(context);
    // Retired and dead ids are free from here on: the caches' own sweep, in the same collection, drops every word that
    // names a key without a shape.
    vm.freeShapeIds.insert(vm.freeShapeIds.end(), vm.retiredShapeIds.begin(), vm.retiredShapeIds.end());
    vm.retiredShapeIds.clear();
    for (u32 id = FirstShape; id < vm.shapes.size(); id++) {
        Shape* shape = vm.shapes[id];
        if (!shape)
            continue;
        if (heap.isMarked(shape)) {
            sweepTransitions(heap, shape);
        } else {
            vm.shapes[id] = nullptr;
            vm.freeShapeIds.push_back(id);
        }
    }
    std::erase_if(vm.realms, [&](Realm* realm) { return !heap.isMarked(realm); });
    vm.rootShapes.sweep(heap);
    sweepDependents(vm, heap);
}

}
