// Walks over the tree that emit nothing.
#include "interp/compiler/resolver.h"
#include <cmath>

namespace scr {

// ---- children of a node, expanded from ast.def: what a node refers to by its fields, names and jump targets excepted

template <class T>
concept Part = std::is_base_of_v<Node, T> && !std::is_same_v<T, Labeled>;

template <class Visitor, Part T> void visitField(Visitor& visitor, T* part) {
    if (part)
        visitor(part);
}
template <class Visitor, Part T> void visitField(Visitor& visitor, List<T*> parts) {
    for (T* part : parts)
        if (part)
            visitor(part);
}
template <class Visitor, class Other> void visitField(Visitor&, const Other&) { }

#define F(type, name) visitField(visitor, node.name);
#define NODE(Name, base, fields)                                                                                       \
    template <class Visitor> void visitChildren(Name& node, Visitor& visitor) {                                        \
        (void)node;                                                                                                    \
        (void)visitor;                                                                                                 \
        fields                                                                                                         \
    }
#include "grammar/ast.def"
#undef NODE
#undef F

/// Calls visitor(Node*) for each child but the one that leftOf() names (and the else of an if): the caller goes on
/// there without recursion.
template <class Visitor> static Node* visitAllButLeft(Node* node, Visitor& visitor) {
    Node* left = node->is<If>() ? static_cast<Node*>(node->as<If>()->otherwise) : leftOf(static_cast<Expr*>(node));
    auto other = [&](Node* child) {
        if (child != left)
            visitor(child);
    };
    visit(*node, [&](auto& typed) { visitChildren(typed, other); });
    return left;
}

Expr* leftOf(Expr* e) {
    switch (e->kind) {
    case NodeKind::Binary: return e->as<Binary>()->left;
    case NodeKind::Logical: return e->as<Logical>()->left;
    case NodeKind::Member: return e->as<Member>()->object;
    case NodeKind::PrivateMember: return e->as<PrivateMember>()->object;
    case NodeKind::Index: return e->as<Index>()->object;
    case NodeKind::Call: return e->as<Call>()->callee;
    case NodeKind::TaggedTemplate: return e->as<TaggedTemplate>()->tag;
    default: return nullptr;
    }
}

// ---- facts of a function

namespace {

class Analysis {
public:
    explicit Analysis(FunctionFacts& facts)
        : facts_(facts) { }

    void walk(Node* node) {
        auto child = [this](Node* inner) { walk(inner); };
        while (node) {
            if (node->is<FunctionNode>()) {
                function(*node->as<FunctionNode>());
                return;
            }
            look(*node);
            node = visitAllButLeft(node, child);
        }
    }

    void parameters(FunctionNode& function) {
        for (PatternElement* parameter : function.parameters) {
            target(parameter->target, nullptr);
            walk(parameter);
        }
        if (function.rest) {
            target(function.rest, nullptr);
            walk(function.rest);
        }
    }

private:
    void function(FunctionNode& inner) {
        if (inner.kind != FunctionKind::Arrow)
            return;
        facts_.arrowUsesThis |= inner.usesThis || inner.usesSuper || inner.callsSuper;
        facts_.arrowUsesNewTarget |= inner.usesNewTarget || inner.callsSuper;
        facts_.arrowCallsSuper |= inner.callsSuper;
    }

    void look(Node& node) {
        switch (node.kind) {
        case NodeKind::This: facts_.thisUses++; break;
        case NodeKind::Assign: assign(*node.as<Assign>()); break;
        case NodeKind::LogicalAssign: target(node.as<LogicalAssign>()->target, node.as<LogicalAssign>()->value); break;
        case NodeKind::Declarator:
            if (node.as<Declarator>()->initializer)
                target(node.as<Declarator>()->target, node.as<Declarator>()->initializer);
            break;
        case NodeKind::ForOf: head(node.as<ForOf>()->left, false); break;
        case NodeKind::ForIn: head(node.as<ForIn>()->left, true); break;
        case NodeKind::CatchClause:
            if (node.as<CatchClause>()->parameter)
                target(node.as<CatchClause>()->parameter, nullptr);
            break;
        default: break;
        }
    }

    void assign(Assign& node) {
        target(node.target, node.value);
        if (node.target->is<Member>() && node.target->as<Member>()->object->is<This>())
            property(node.target->as<Member>()->property);
    }

    void property(Name* name) {
        if (facts_.thisProperties == 32)
            return;
        for (u32 i = 0; i < facts_.thisProperties; i++)
            if (properties_[i] == name)
                return;
        properties_[facts_.thisProperties++] = name;
    }

    /// A name in the head of a for-in gets strings only.
    void head(Node* left, bool isForIn) {
        VariableDeclaration* declaration = left->asIf<VariableDeclaration>();
        Expr* each = declaration ? declaration->declarators[0]->target : static_cast<Expr*>(left);
        if (!isForIn || !each->is<Identifier>())
            target(each, nullptr);
    }

    /// Something gets `value` (null: anything).
    void target(Expr* target, Expr* value) {
        if (target->is<Identifier>()) {
            Declaration* declaration = target->as<Identifier>()->declaration;
            if (declaration && !(value && isPrimitive(value)))
                declaration->scratch |= MayBeObject;
        } else if (target->is<ArrayPattern>() || target->is<ObjectPattern>()) {
            pattern(target);
        }
    }

    void pattern(Expr* pattern) {
        auto child = [this](Node* inner) {
            if (inner->is<PatternElement>())
                target(inner->as<PatternElement>()->target, nullptr);
            else if (inner->is<PatternProperty>())
                target(inner->as<PatternProperty>()->target, nullptr);
            else
                target(static_cast<Expr*>(inner), nullptr); // the rest
        };
        visit(*pattern, [&](auto& typed) { visitChildren(typed, child); });
    }

    FunctionFacts& facts_;
    Name* properties_[32];
};

}

FunctionFacts analyze(FunctionNode& function) {
    FunctionFacts facts;
    Analysis analysis(facts);
    analysis.parameters(function);
    for (Stmt* statement : function.body)
        analysis.walk(statement);
    if (function.expressionBody)
        analysis.walk(function.expressionBody);
    return facts;
}

void analyzeFields(Class& definition, bool isStatic, FunctionFacts& facts) {
    Analysis analysis(facts);
    for (ClassMember* member : definition.members)
        if (member->kind == MemberKind::Field && member->isStatic == isStatic && member->function)
            analysis.walk(member->function->expressionBody);
}

// ---- questions

namespace {

struct Search {
    Reg reg;
    bool reads;
    int budget = 200;
    bool found = false;

    bool isIt(Expr* e) const {
        Identifier* identifier = e->asIf<Identifier>();
        Declaration* declaration = identifier ? identifier->declaration : nullptr;
        return declaration && !declaration->isCaptured && declaration->slot == reg.n;
    }
    bool touches(Node& node) const {
        switch (node.kind) {
        case NodeKind::Assign: return isIt(node.as<Assign>()->target);
        case NodeKind::CompoundAssign: return isIt(node.as<CompoundAssign>()->target);
        case NodeKind::LogicalAssign: return isIt(node.as<LogicalAssign>()->target);
        case NodeKind::Update: return isIt(node.as<Update>()->target);
        case NodeKind::PatternElement: return isIt(node.as<PatternElement>()->target);
        case NodeKind::PatternProperty: return isIt(node.as<PatternProperty>()->target);
        case NodeKind::ArrayPattern: return node.as<ArrayPattern>()->rest && isIt(node.as<ArrayPattern>()->rest);
        case NodeKind::ObjectPattern: return node.as<ObjectPattern>()->rest && isIt(node.as<ObjectPattern>()->rest);
        case NodeKind::Identifier: return reads && isIt(static_cast<Expr*>(&node));
        default: return false;
        }
    }
    void walk(Node* node) {
        auto child = [this](Node* inner) { walk(inner); };
        while (node && !found) {
            if (node->is<FunctionNode>())
                return; // what it touches is captured, so in no register
            if (--budget < 0 || touches(*node)) {
                found = true;
                return;
            }
            node = visitAllButLeft(node, child);
        }
    }
};

struct Measure {
    int budget;
    bool hasFunction = false;
    void walk(Node* node) {
        auto child = [this](Node* inner) { walk(inner); };
        while (node && budget >= 0 && !hasFunction) {
            hasFunction = node->is<FunctionNode>() || node->is<Class>() || node->is<TaggedTemplate>();
            budget--;
            node = visitAllButLeft(node, child);
        }
    }
};

}

bool mayTouch(Node* node, Reg reg, bool reads) {
    switch (node->kind) {
    case NodeKind::NumericLiteral:
    case NodeKind::StringLiteral:
    case NodeKind::BooleanLiteral:
    case NodeKind::NullLiteral:
    case NodeKind::This: return false;
    case NodeKind::Identifier:
        if (!reads)
            return false;
        break;
    default: break;
    }
    Search search{reg, reads};
    search.walk(node);
    return search.found;
}

bool isSmall(Node* node) {
    Measure measure{20};
    measure.walk(node);
    return measure.budget >= 0 && !measure.hasFunction;
}

bool isPrimitive(Expr* e) {
    switch (e->kind) {
    case NodeKind::NullLiteral:
    case NodeKind::BooleanLiteral:
    case NodeKind::NumericLiteral:
    case NodeKind::StringLiteral:
    case NodeKind::TemplateLiteral:
    case NodeKind::Unary:
    case NodeKind::Update:
    case NodeKind::Binary:
    case NodeKind::CompoundAssign: return true;
    case NodeKind::Assign: return isPrimitive(e->as<Assign>()->value);
    case NodeKind::Identifier: {
        // Facts are complete when expressions are emitted; while they are gathered nothing is Initialized yet.
        Declaration* declaration = e->as<Identifier>()->declaration;
        if (!declaration || declaration->isCaptured || (declaration->scratch & MayBeObject))
            return false;
        bool isVariable = declaration->kind == DeclarationKind::Let || declaration->kind == DeclarationKind::Const;
        return isVariable && (declaration->scratch & Initialized);
    }
    default: return false;
    }
}

bool areHarmless(const List<Expr*>& expressions) {
    for (Expr* each : expressions)
        if (!each || !isHarmless(each))
            return false;
    return true;
}

static bool isHarmlessBinary(Binary* e) {
    bool converts = e->op != BinaryOperator::StrictEqual && e->op != BinaryOperator::StrictNotEqual;
    if (e->op == BinaryOperator::In || e->op == BinaryOperator::Instanceof || !isHarmless(e->right))
        return false;
    if (converts && !isPrimitive(e->right))
        return false;
    Binary* inner = e->left->asIf<Binary>();
    return inner ? isHarmlessBinary(inner) : isHarmless(e->left) && (!converts || isPrimitive(e->left));
}

bool isHarmless(Expr* e) {
    switch (e->kind) {
    case NodeKind::NullLiteral:
    case NodeKind::BooleanLiteral:
    case NodeKind::NumericLiteral:
    case NodeKind::StringLiteral:
    case NodeKind::This:
    case NodeKind::NewTarget:
    case NodeKind::FunctionExpression: return true;
    case NodeKind::Identifier: {
        Name* name = e->as<Identifier>()->name;
        return !isGlobal(e->as<Identifier>()->declaration) || name->equals("undefined") || name->equals("NaN")
            || name->equals("Infinity");
    }
    case NodeKind::ArrayLiteral: return areHarmless(e->as<ArrayLiteral>()->elements);
    case NodeKind::ObjectLiteral:
        for (Property* property : e->as<ObjectLiteral>()->properties)
            if (property->computed || property->kind == PropertyKind::Spread || !isHarmless(property->value))
                return false;
        return true;
    case NodeKind::TemplateLiteral:
        for (Expr* each : e->as<TemplateLiteral>()->expressions)
            if (!isHarmless(each) || !isPrimitive(each))
                return false;
        return true;
    case NodeKind::Unary: {
        Unary* unary = e->as<Unary>();
        bool converts =
            unary->op == UnaryOperator::Minus || unary->op == UnaryOperator::Plus || unary->op == UnaryOperator::BitNot;
        return unary->op != UnaryOperator::Delete && isHarmless(unary->operand)
            && (!converts || isPrimitive(unary->operand));
    }
    case NodeKind::Binary: return isHarmlessBinary(e->as<Binary>());
    case NodeKind::Conditional: {
        Conditional* conditional = e->as<Conditional>();
        return isHarmless(conditional->test) && isHarmless(conditional->then) && isHarmless(conditional->otherwise);
    }
    default: return false;
    }
}

static bool foldBinary(BinaryOperator op, double a, double b, double& number) {
    switch (op) {
    case BinaryOperator::Add: number = a + b; return true;
    case BinaryOperator::Subtract: number = a - b; return true;
    case BinaryOperator::Multiply: number = a * b; return true;
    case BinaryOperator::Divide: number = a / b; return true;
    default: return false;
    }
}

bool isNumber(Expr* e, double& number, unsigned depth) {
    if (NumericLiteral* literal = e->asIf<NumericLiteral>()) {
        number = literal->value;
        return true;
    }
    if (depth == 0)
        return false;
    if (Unary* unary = e->asIf<Unary>()) {
        if ((unary->op != UnaryOperator::Minus && unary->op != UnaryOperator::Plus)
            || !isNumber(unary->operand, number, depth - 1))
            return false;
        number = unary->op == UnaryOperator::Minus ? -number : number;
        return true;
    }
    Binary* binary = e->asIf<Binary>();
    double left, right;
    return binary && isNumber(binary->right, right, depth - 1) && isNumber(binary->left, left, depth - 1)
        && foldBinary(binary->op, left, right, number);
}

bool isSmallInt(Expr* expression, i16& value) {
    double number;
    if (!isNumber(expression, number) || !(number >= INT16_MIN && number <= INT16_MAX))
        return false;
    value = i16(number);
    return double(value) == number && !(value == 0 && std::signbit(number));
}

bool isUndefined(Expr* e) {
    Identifier* identifier = e->asIf<Identifier>();
    return identifier && isGlobal(identifier->declaration) && identifier->name->equals("undefined");
}

int truthOf(Expr* e) {
    double number;
    if (e->is<BooleanLiteral>())
        return e->as<BooleanLiteral>()->value;
    if (e->is<NullLiteral>() || isUndefined(e))
        return 0;
    if (e->is<StringLiteral>())
        return e->as<StringLiteral>()->value->length > 0;
    if (isNumber(e, number))
        return number == number && number != 0;
    return -1;
}

bool isConstant(Expr* e) {
    double number;
    return e->is<StringLiteral>() || e->is<BooleanLiteral>() || e->is<NullLiteral>() || isUndefined(e)
        || isNumber(e, number);
}

namespace {

class ConstantSearch {
public:
    explicit ConstantSearch(std::vector<Expr*>& found)
        : found_(found) { }
    void walk(Node* node) {
        auto child = [this](Node* inner) { walk(inner); };
        while (node && !node->is<FunctionNode>()) {
            look(*node);
            node = visitAllButLeft(node, child);
        }
    }

private:
    void add(Expr* e) {
        if (isConstant(e))
            found_.push_back(e);
    }
    void look(Node& node) {
        switch (node.kind) {
        case NodeKind::Assign: {
            Identifier* name = node.as<Assign>()->target->asIf<Identifier>();
            if (!name || !name->declaration || name->declaration->isCaptured)
                add(node.as<Assign>()->value);
            break;
        }
        case NodeKind::Index: index(node.as<Index>()->index); break;
        case NodeKind::Binary: binary(node.as<Binary>()->op, node.as<Binary>()->left, node.as<Binary>()->right); break;
        case NodeKind::CompoundAssign:
            binary(node.as<CompoundAssign>()->op, nullptr, node.as<CompoundAssign>()->value);
            break;
        case NodeKind::SwitchCase: switchCase(node.as<SwitchCase>()->test); break;
        default: break;
        }
    }
    void index(Expr* key) {
        double number;
        if (isNumber(key, number))
            found_.push_back(key);
    }
    void switchCase(Expr* test) {
        i16 small;
        if (test && !isSmallInt(test, small))
            add(test);
    }
    void binary(BinaryOperator op, Expr* left, Expr* right) {
        i16 small;
        double number;
        bool isLoose = op == BinaryOperator::Equal || op == BinaryOperator::NotEqual;
        bool isEquality = isLoose || op == BinaryOperator::StrictEqual || op == BinaryOperator::StrictNotEqual;
        bool mirrors = isEquality || (op >= BinaryOperator::Less && op <= BinaryOperator::GreaterEqual)
            || op == BinaryOperator::Multiply || (op >= BinaryOperator::BitAnd && op <= BinaryOperator::BitXor);
        bool hasJump = isEquality && (isUndefined(right) || (isLoose && right->is<NullLiteral>()));
        bool hasImmediate = !isLoose && op != BinaryOperator::Power && isSmallInt(right, small);
        bool hasDouble = op <= BinaryOperator::Divide && isNumber(right, number) && !Value::number(number).isInt();
        if (!hasJump && !hasImmediate && !hasDouble)
            add(right);
        if (left && !(mirrors && isSmallInt(left, small)))
            add(left);
    }

    std::vector<Expr*>& found_;
};

}

void findLoopConstants(Node* loop, std::vector<Expr*>& constants) { ConstantSearch(constants).walk(loop); }

bool isAnonymousFunction(Expr* e) {
    if (FunctionExpression* function = e->asIf<FunctionExpression>())
        return !function->function->name;
    if (ClassExpression* expression = e->asIf<ClassExpression>())
        return !expression->definition->name;
    return false;
}

}
