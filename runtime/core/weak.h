// WeakMap, WeakSet, WeakRef and FinalizationRegistry as cells (ECMA-262 24.3, 24.4, 26.1, 26.2).
//
// Invariants. What a member marked weak refers to is forgotten by the collection that finds it dead, so a weak member
// never names a freed cell. Objects that a script got from a WeakRef, or made one for, stay alive until the job ends
// (Vm::keptAlive). A registry with dead targets stands in Vm::dueRegistries, which keeps it alive, until the event loop
// has called it.
#pragma once
#include "runtime/core/object.h"
#include "runtime/heap/weak.h"

namespace scr {

/// 9.14 CanBeHeldWeakly: objects, and symbols that are not in the registry.
bool canBeHeldWeakly(Value value);

// ---- WeakMap and WeakSet

struct WeakCollection : Object {
    Ptr<WeakTable> table; ///< null: empty
};

/// Null if there is no such key.
WeakEntry* findWeak(WeakCollection* collection, Value key);
/// Adds or overwrites. Known: the key can be held weakly.
Completion<void> setWeak(Vm& vm, WeakCollection* collection, Value key, Value value);
bool deleteWeak(WeakCollection* collection, Value key);

// ---- WeakRef

struct WeakRef : Object {
    Value target; ///< weak; undefined once it is dead
    u32 job; ///< Vm::job in which the target was kept alive last
    u32 reserved;
};

/// 9.12 AddToKeptObjects.
void keepDuringJob(Vm& vm, WeakRef* reference);

// ---- FinalizationRegistry

struct FinalizationRecord {
    enum State : u8 { Free, Active, Due, Cancelled };
    Value target; ///< weak
    Value held;
    Value token; ///< weak; undefined: none
    u32 next, previous; ///< number + 1 of the other records with the same token
    u32 nextDue; ///< number + 1; of a free record the next free one
    State state;
};

/// Cell::shape is the capacity.
struct FinalizationRecords : Cell {
    FinalizationRecord records[];
};

struct FinalizationRegistry : Object {
    Value cleanup;
    Ptr<FinalizationRecords> table; ///< null: none yet
    Ptr<WeakTable> tokens; ///< from a token to the number of its first record
    u32 used; ///< records from here on were never used
    u32 firstFree; ///< number + 1
    u32 firstDue; ///< number + 1; the last one to be registered comes first, as in V8
    bool queued; ///< stands in Vm::dueRegistries
};

/// Known: target and token (unless undefined) can be held weakly.
Completion<void> registerTarget(Vm& vm, FinalizationRegistry* registry, Value target, Value held, Value token);
/// Forgets all records with this token; false if there are none.
bool unregisterToken(FinalizationRegistry* registry, Value token);
/// How many records the registries that are due have to clean up after.
u32 dueTargets(const Vm& vm);
/// 9.13 CleanupFinalizationRegistry of the first registry that is due, for at most so many targets, which are counted
/// down: a host job. Known: there is one. [script]
Completion<void> cleanUpRegistry(Vm& vm, u32& most);

void registerWeakKinds(Heap& heap);

}
