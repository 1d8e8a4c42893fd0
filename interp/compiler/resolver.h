// What the compiler wants to know of a function before it emits its code: who needs `this` from an environment, which
// locals may hold objects, how many properties a constructor makes. And small questions about expressions. The tree
// comes with its names resolved (grammar/ast.h Declaration); nothing here changes it but Declaration::scratch.
#pragma once
#include "interp/bytecode/operands.h"
#include "interp/compiler/unit.h"

namespace scr {

/// Bits of Declaration::scratch, the compiler's own.
enum DeclarationState : u32 {
    Initialized = 1, ///< its initialisation has been emitted and dominates what comes now
    Unplaced = 2, ///< it gets its register where its declaration stands
    MayBeObject = 4, ///< something assigned to it may be an object
    Global = 8, ///< of a script (CompileGoal::Global): found by its name at run time
    Imported = 16, ///< from another module: `slot` is its number in the Unit
};

struct FunctionFacts {
    bool arrowUsesThis = false; ///< an arrow function inside needs this, new.target, the running constructor
    bool arrowUsesNewTarget = false;
    bool arrowCallsSuper = false;
    u32 thisUses = 0; ///< own ones, those of arrow functions not counted
    u32 thisProperties = 0; ///< distinct names in `this.name = `, at most 32
};

/// Whether a name means a property of the global object or a global lexical binding.
inline bool isGlobal(const Declaration* d) { return !d || (d->scratch & Global); }

/// Walks everything that runs as part of the function itself; functions inside are only asked what they use.
FunctionFacts analyze(FunctionNode& function);
/// Adds what the initializers of a class's fields use; static ones or those of instances.
void analyzeFields(Class& definition, bool isStatic, FunctionFacts& facts);

/// Whether running `node` may write (or, if `reads`, also read) the local in register `reg`. Answers yes when the node
/// is too large to look at.
bool mayTouch(Node* node, Reg reg, bool reads);

/// Whether evaluating it gives no object for certain.
bool isPrimitive(Expr* expression);
/// Running it cannot be noticed: no script runs, nothing is thrown or changed. Such arguments may be evaluated before
/// the method is looked up.
bool isHarmless(Expr* expression);
bool areHarmless(const List<Expr*>& expressions);
/// A number known now: literals, their negation, small sums of them.
bool isNumber(Expr* expression, double& number, unsigned depth = 3);
/// A known int32 that fits an immediate operand.
bool isSmallInt(Expr* expression, i16& value);
/// Whether a value is known to be true or false: 1, 0, or -1 if it is not.
int truthOf(Expr* expression);
/// `undefined` as a global name.
bool isUndefined(Expr* expression);
/// A function, arrow function or class without a name of its own (8.4.5 IsAnonymousFunctionDefinition).
bool isAnonymousFunction(Expr* expression);
/// Cheap enough to stand twice in the code (the guard and the bottom of a loop): few nodes and no function.
bool isSmall(Node* node);
/// Literals inside a loop that an instruction wants in a register each time round: stored values, keys, operands
/// without an immediate form.
void findLoopConstants(Node* loop, std::vector<Expr*>& constants);
/// A literal, a negated number, `undefined`.
bool isConstant(Expr* expression);
/// The operand through which chains grow long without nesting in the text, or null.
Expr* leftOf(Expr* expression);

}
