// Expressions. Everything composed is in parentheses, so pieces may be put anywhere.
#include "tests/fuzz/expressions.h"
#include <cstdarg>
#include <cstdio>

namespace scr::fuzz {

std::string format(const char* pattern, ...) {
    char buffer[400];
    va_list arguments;
    va_start(arguments, pattern);
    int length = vsnprintf(buffer, sizeof buffer, pattern, arguments);
    va_end(arguments);
    return std::string(buffer, size_t(length) < sizeof buffer ? size_t(length) : sizeof buffer - 1);
}

#define PICK(...)                                                                                                      \
    ({                                                                                                                 \
        static const char* const list[] = {__VA_ARGS__};                                                               \
        list[below(sizeof list / sizeof *list)];                                                                       \
    })

const Variable* ExpressionMaker::variable(Kind kind, bool needMutable) {
    std::vector<const Variable*> found;
    for (const auto& scope : scopes_) {
        for (const Variable& variable : scope) {
            if ((kind == Any || variable.kind == kind) && (variable.isMutable || !needMutable))
                found.push_back(&variable);
        }
    }
    return found.empty() ? nullptr : random_.pick(found);
}

Kind ExpressionMaker::anyKind() {
    static const Kind kinds[] = {
        Number, Number, String, String, Bool, Array, Array, Object, Object, Function, Map, Any};
    return kinds[below(sizeof kinds / sizeof *kinds)];
}

const char* ExpressionMaker::propertyName() {
    return PICK("a", "b", "c", "d", "x", "y", "length", "name", "value", "toJSON", "valueOf");
}

std::string ExpressionMaker::smallNumber() {
    return oneIn(4) ? leaf(Number) : PICK("0", "1", "2", "3", "-1", "-2", "5", "undefined");
}

std::string ExpressionMaker::parameterList(std::vector<std::string>& names) {
    std::string text;
    u32 count = below(4);
    for (u32 i = 0; i < count; i++) {
        std::string name = fresh();
        if (i)
            text += ", ";
        switch (below(8)) {
        case 0: text += name + " = " + leaf(Any); break;
        case 1: text += "{ " + std::string(propertyName()) + ": " + name + " = " + leaf(Any) + " } = {}"; break;
        case 2: text += "[" + name + "] = []"; break;
        case 3:
            if (i + 1 == count) {
                text += "..." + name;
                break;
            }
            [[fallthrough]];
        default: text += name;
        }
        names.push_back(name);
    }
    return text;
}

std::string ExpressionMaker::leaf(Kind kind) {
    if (kind == Any || kind == Call)
        kind = anyKind();
    if (!oneIn(3)) {
        if (const Variable* found = variable(oneIn(100) ? Any : kind, false))
            return found->name;
    }
    switch (kind) {
    case Number:
        return PICK("0", "1", "2", "3", "-1", "7", "10", "255", "0.5", "-0", "NaN", "Infinity", "1e21", "1.5e-7",
            "123456789", "2147483647", "-2147483648", "4294967295", "9007199254740991", "0.1", "1e300", "-Infinity",
            "3.14159");
    case String:
        return PICK("\"\"", "\"a\"", "\"abc\"", "\"hello world\"", "\"12\"", "\"-1.5\"", "\" 7 \"", "\"a,b,c\"",
            "\"\\u00e9t\\u00e9\"", "\"\\ud83d\\ude00!\"", "\"\\u4e2d\\u6587\"", "\"x\\ny\"", "\"it's\"",
            "\"say \\\"hi\\\"\"", "\"0x1f\"", "\"1e3\"", "\"length\"", "\"x\"", "\"Infinity\"", "\"\\ud800\"",
            "\"\\u0130\\u00df\"", "\"  pad\\t\"");
    case Bool: return PICK("true", "false");
    case Array:
        return PICK("[]", "[1, 2, 3]", "[1, , 3]", "[\"b\", \"a\", \"c\"]", "[[1, 2], [3]]", "[{ a: 1 }, { a: 2 }]",
            "[NaN, -0, undefined]", "[0.5, \"x\", null, true]", "[3, 1, 2, 10]");
    case Object:
        return PICK("{ a: 1 }", "{ a: 1, b: \"two\", c: [3] }", "{ x: { y: { value: 1 } } }",
            "{ 2: \"b\", 1: \"a\", z: 0 }", "{ get a() { return 7; }, set a(v) { show(\"set a\", v); } }",
            "{ length: 2, 0: \"p\", 1: \"q\" }", "{ valueOf() { return 42; } }", "{ toString() { return \"str\"; } }",
            "{ [Symbol.toPrimitive](hint) { return hint; } }", "{ toJSON() { return \"json\"; } }",
            "{ name: \"n\", value: null }", "{}", "Object.create(null)", "Object.create({ a: 5 })",
            "new Error(\"e\").cause ?? { b: 2 }");
    case Function:
        return PICK("x => x", "() => 1", "(a, b) => a - b", "(a, b) => (a < b ? 1 : -1)",
            "function () { return typeof this; }", "function (a) { return arguments.length; }", "String", "Number",
            "Boolean", "Math.abs", "parseInt", "(...r) => r.length", "(x, i) => [x, i]", "Array.isArray", "isNaN",
            "Object");
    case Map:
        return PICK("new Map()", "new Map([[1, \"a\"], [\"b\", 2], [NaN, 3]])",
            "new Map([[-0, 0], [\"k\", new Map()]])", "new Map(Object.entries({ p: 1, q: [2] }))");
    default: return "class { static a = 1; b = 2; }";
    }
}

static bool needsParentheses(const std::string& text) {
    // Names, numbers, strings and what is in brackets already stand alone.
    char c = text[0];
    if (c == '{' || c == '-')
        return true;
    if (c == '[' || c == '"' || c == '(')
        return text.find(" => ") != std::string::npos;
    return text.find_first_of(" =>") != std::string::npos || (c >= '0' && c <= '9');
}

std::string ExpressionMaker::expr(Kind kind, u32 depth) {
    if (oneIn(100))
        kind = Any;
    if (kind == Call)
        return callExpr(depth);
    if (kind == Any)
        return oneIn(3) ? anyExpr(depth) : expr(anyKind() == Any ? Number : anyKind(), depth);
    if (depth == 0 || oneIn(5)) {
        std::string text = leaf(kind);
        return needsParentheses(text) ? "(" + text + ")" : text;
    }
    switch (kind) {
    case Number: return numberExpr(depth - 1);
    case String: return stringExpr(depth - 1);
    case Bool: return boolExpr(depth - 1);
    case Array: return arrayExpr(depth - 1);
    case Object: return objectExpr(depth - 1);
    case Function: return functionExpr(depth - 1);
    case Map: return mapExpr(depth - 1);
    case Class: {
        const Variable* found = variable(Class, false);
        return found ? found->name : "(class { a = 1; })";
    }
    default: return anyExpr(depth - 1);
    }
}

std::string ExpressionMaker::callback(u32 depth, Kind result, u32 parameters) {
    if (oneIn(4))
        return expr(Function, depth);
    std::string list;
    push();
    for (u32 i = 0; i < parameters; i++) {
        std::string name = fresh();
        list += (i ? ", " : "") + name;
        declare(name, Any, true);
    }
    std::string body = expr(result, depth);
    pop();
    return "((" + list + ") => " + body + ")";
}

std::string ExpressionMaker::numberExpr(u32 d) {
    switch (below(26)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: {
        const char* op = PICK("+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>");
        return "(" + expr(Number, d) + " " + op + " " + expr(Number, d) + ")";
    }
    case 5: return "(" + std::string(PICK("-", "+", "~")) + expr(Number, d) + ")";
    case 6: return "(+" + expr(Any, d) + ")";
    case 7: {
        const char* name = PICK("abs", "floor", "ceil", "round", "trunc", "sign", "sqrt", "cbrt", "fround", "clz32");
        return std::string("Math.") + name + "(" + expr(Number, d) + ")";
    }
    case 8: {
        const char* name = PICK("max", "min", "hypot", "imul", "atan2");
        return std::string("Math.") + name + "(" + expr(Number, d) + ", " + expr(Number, d) + ")";
    }
    case 9: return expr(String, d) + ".length";
    case 10: return expr(Array, d) + ".length";
    case 11: return expr(Array, d) + (oneIn(2) ? ".indexOf(" : ".lastIndexOf(") + expr(Any, d) + ")";
    case 12: return "parseInt(" + expr(String, d) + ", " + PICK("10", "16", "2", "36", "0", "undefined", "8") + ")";
    case 13: return std::string(oneIn(2) ? "Number(" : "parseFloat(") + expr(oneIn(2) ? Any : String, d) + ")";
    case 14: return expr(Array, d) + ".reduce(" + callback(d, Number, 2) + ", " + expr(Number, d) + ")";
    case 15: return expr(String, d) + (oneIn(2) ? ".charCodeAt(" : ".codePointAt(") + smallNumber() + ")";
    case 16: return "(" + expr(Bool, d) + " ? " + expr(Number, d) + " : " + expr(Number, d) + ")";
    case 17:
        if (const Variable* target = variable(Number, true))
            return "(" + std::string(oneIn(2) ? "++" + target->name : target->name + "--") + ")";
        return "(1)";
    case 18: return expr(String, d) + ".indexOf(" + expr(String, d) + (oneIn(2) ? ")" : ", " + smallNumber() + ")");
    case 19: return expr(Map, d) + ".size";
    case 20: return expr(Array, d) + (oneIn(2) ? ".findIndex(" : ".findLastIndex(") + callback(d, Bool, 1) + ")";
    case 21:
        if (features_.typedArrays)
            return typedArray(d) + "[" + format("%u", below(4)) + "]";
        [[fallthrough]];
    case 22: return "(" + expr(Array, d) + ".at(" + smallNumber() + ") | 0)";
    default: {
        const char* op = PICK("+", "-", "*");
        return "(" + expr(Number, d) + " " + op + " " + leaf(Number) + ")";
    }
    }
}

std::string ExpressionMaker::typedArray(u32 d) {
    const char* name = PICK("Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array",
        "Uint32Array", "Float32Array", "Float64Array");
    std::string text = std::string("new ") + name + "(" + (oneIn(4) ? format("%u", below(6)) : expr(Array, d)) + ")";
    switch (below(8)) {
    case 0: return "(" + text + ").map(" + callback(d, Number, 2) + ")";
    case 1: return "(" + text + ").slice(" + smallNumber() + ")";
    case 2: return "(" + text + ").subarray(" + smallNumber() + ", " + smallNumber() + ")";
    case 3: return "(" + text + ").sort()";
    case 4: return "(" + text + ").fill(" + expr(Number, d) + ")";
    case 5: return "(" + text + ").with(0, " + expr(Number, d) + ")";
    default: return "(" + text + ")";
    }
}

std::string ExpressionMaker::stringExpr(u32 d) {
    switch (below(26)) {
    case 0:
    case 1: return "(" + expr(String, d) + " + " + expr(Any, d) + ")";
    case 2:
    case 3: return "`" + std::string(PICK("", "a", "<")) + "${" + expr(Any, d) + "}" + PICK("", "b", ">") + "`";
    case 4: return "String(" + expr(Any, d) + ")";
    case 5: return expr(Number, d) + ".toString(" + PICK("", "10", "2", "16", "36", "7", "3") + ")";
    case 6: return expr(Number, d) + ".toFixed(" + PICK("", "0", "1", "2", "10", "20") + ")";
    case 7: return expr(Number, d) + ".toPrecision(" + PICK("", "1", "3", "10", "21") + ")";
    case 8: return expr(Number, d) + ".toExponential(" + PICK("", "0", "2", "15") + ")";
    case 9: {
        const char* name = PICK("slice", "substring", "substr");
        return expr(String, d) + "." + name + "(" + smallNumber() + (oneIn(2) ? ")" : ", " + smallNumber() + ")");
    }
    case 10: {
        const char* name = PICK("padStart", "padEnd");
        return expr(String, d) + "." + name + "(" + PICK("0", "5", "12", "undefined") + ", " + expr(String, d) + ")";
    }
    case 11: return expr(String, d) + ".repeat(" + PICK("0", "1", "2", "3") + ")";
    case 12: {
        const char* name = PICK("replace", "replaceAll");
        return expr(String, d) + "." + name + "(" + expr(String, d) + ", "
            + (oneIn(2) ? callback(d, String, 2) : PICK("\"[$&]\"", "\"$$\"", "\"$`$'\"", "\"\"", "\"$1\"")) + ")";
    }
    case 13: {
        const char* name =
            PICK("trim", "trimStart", "trimEnd", "toUpperCase", "toLowerCase", "toString", "toWellFormed");
        // Newer than some engines: only what both have.
        if (name[2] == 'W')
            name = "trim";
        return expr(String, d) + "." + name + "()";
    }
    case 14: return expr(String, d) + (oneIn(2) ? ".charAt(" : ".at(") + smallNumber() + ")";
    case 15: return "(typeof " + expr(Any, d) + ")";
    case 16: return "JSON.stringify(" + expr(Any, d) + ")";
    case 17: return expr(Array, d) + ".join(" + (oneIn(2) ? "" : expr(String, 0)) + ")";
    case 18: return "Object.prototype.toString.call(" + expr(Any, d) + ")";
    case 19: return "tag`a${" + expr(Any, d) + "}\\n${" + expr(Any, d) + "}`";
    case 20: return "String.fromCharCode(" + expr(Number, d) + ", 65)";
    case 21: return "encodeURIComponent(" + expr(String, d) + ")";
    case 22: return expr(String, d) + ".concat(" + expr(Any, d) + ", " + expr(Any, d) + ")";
    case 23: return expr(Function, d) + ".name";
    default: return "(" + expr(Bool, d) + " ? " + expr(String, d) + " : " + expr(String, d) + ")";
    }
}

std::string ExpressionMaker::boolExpr(u32 d) {
    switch (below(18)) {
    case 0:
    case 1:
    case 2: {
        const char* op = PICK("<", ">", "<=", ">=", "===", "!==", "==", "!=");
        return "(" + expr(Number, d) + " " + op + " " + expr(Number, d) + ")";
    }
    case 3: {
        const char* op = PICK("<", ">=", "===", "==", "!=");
        return "(" + expr(Any, d) + " " + op + " " + expr(Any, d) + ")";
    }
    case 4: return "(" + expr(String, d) + PICK(" < ", " > ", " === ") + expr(String, d) + ")";
    case 5: return "(!" + expr(Any, d) + ")";
    case 6: return "(" + expr(Bool, d) + PICK(" && ", " || ") + expr(Bool, d) + ")";
    case 7: return "(" + expr(String, d) + " in " + expr(Object, d) + ")";
    case 8: {
        const Variable* found = variable(Class, false);
        return "(" + expr(Any, d) + " instanceof "
            + (found ? found->name.c_str() : PICK("Object", "Array", "Map", "Function", "Error")) + ")";
    }
    case 9: return expr(oneIn(2) ? Array : String, d) + ".includes(" + expr(oneIn(2) ? String : Any, d) + ")";
    case 10: return expr(String, d) + (oneIn(2) ? ".startsWith(" : ".endsWith(") + expr(String, d) + ")";
    case 11:
        return std::string(PICK("Array.isArray", "Number.isInteger", "Number.isSafeInteger", "isNaN", "isFinite",
                   "Object.isFrozen", "Object.isSealed", "Object.isExtensible"))
            + "(" + expr(Any, d) + ")";
    case 12: return "Object.is(" + expr(Any, d) + ", " + expr(Any, d) + ")";
    case 13: return expr(Map, d) + ".has(" + expr(Any, d) + ")";
    case 14: return expr(Array, d) + (oneIn(2) ? ".every(" : ".some(") + callback(d, Bool, 1) + ")";
    case 15: return "Object.hasOwn(" + expr(Object, d) + ", " + expr(String, d) + ")";
    default: return "Boolean(" + expr(Any, d) + ")";
    }
}

std::string ExpressionMaker::arrayExpr(u32 d) {
    switch (below(27)) {
    case 0:
    case 1:
    case 2:
    case 3: {
        std::string text = "[";
        for (u32 n = below(5); n; n--)
            text += (oneIn(8)          ? std::string()
                            : oneIn(6) ? "..." + expr(oneIn(5) ? Any : Array, d)
                                       : expr(Any, d))
                + ", ";
        return text + "]";
    }
    case 4: return expr(Array, d) + ".map(" + callback(d, Any, 2) + ")";
    case 5: return expr(Array, d) + ".filter(" + callback(d, Bool, 2) + ")";
    case 6: return expr(Array, d) + ".slice(" + smallNumber() + ", " + smallNumber() + ")";
    case 7: return expr(Array, d) + ".concat(" + expr(Any, d) + ", " + expr(Array, d) + ")";
    case 8: return expr(Array, d) + ".splice(" + smallNumber() + ", " + smallNumber() + ")";
    case 9: return expr(Array, d) + ".flat(" + PICK("", "1", "0", "Infinity") + ")";
    case 10: return expr(Array, d) + ".flatMap(" + callback(d, Array, 1) + ")";
    case 11: return expr(Array, d) + ".toSorted(" + std::string(PICK("", "up", "down")) + ")";
    case 12: return expr(Array, d) + ".sort(" + std::string(PICK("", "up", "down")) + ")";
    case 13: return expr(Array, d) + (oneIn(2) ? ".reverse()" : ".toReversed()");
    case 14: return expr(Array, d) + ".with(" + smallNumber() + ", " + expr(Any, d) + ")";
    case 15: return expr(Array, d) + ".toSpliced(" + smallNumber() + ", " + smallNumber() + ", " + expr(Any, d) + ")";
    case 16:
        return "Array.from(" + expr(oneIn(2) ? Any : Object, d) + (oneIn(2) ? ")" : ", " + callback(d, Any, 2) + ")");
    case 17: return "Array.of(" + expr(Any, d) + ", " + expr(Any, d) + ")";
    case 18:
        return std::string("Object.") + PICK("keys", "values", "entries", "getOwnPropertyNames") + "("
            + expr(oneIn(4) ? Any : Object, d) + ")";
    case 19: return expr(String, d) + ".split(" + expr(String, d) + (oneIn(3) ? ", " + smallNumber() + ")" : ")");
    case 20: return "[..." + expr(oneIn(2) ? Map : String, d) + "]";
    case 21: return "[..." + expr(Array, d) + (oneIn(2) ? ".entries()]" : ".keys()]");
    case 22: return "Array(" + format("%u", below(6)) + ").fill(" + expr(Any, d) + ")";
    case 23: return "new Array(" + expr(Any, d) + ", " + expr(Any, d) + ")";
    case 24:
        if (features_.typedArrays)
            return "[..." + typedArray(d) + "]";
        [[fallthrough]];
    case 25:
        if (features_.iteratorHelpers)
            return expr(Array, d) + ".values()." + PICK("map", "filter", "flatMap") + "(" + callback(d, Array, 2)
                + ").toArray()";
        [[fallthrough]];
    default: return "Reflect.ownKeys(" + expr(Object, d) + ")";
    }
}

std::string ExpressionMaker::objectExpr(u32 d) {
    switch (below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: {
        std::string text = "({ ";
        bool hasPrototype = false;
        for (u32 n = below(5); n; n--) {
            switch (below(9)) {
            case 0: text += "..." + expr(oneIn(4) ? Any : Object, d); break;
            case 1: text += "[" + expr(oneIn(2) ? Any : String, d) + "]: " + expr(Any, d); break;
            case 2: text += "get " + std::string(propertyName()) + "() { return " + expr(Any, d) + "; }"; break;
            case 3: text += std::string(propertyName()) + "(a, b) { return " + expr(Any, d) + "; }"; break;
            case 4:
                if (!hasPrototype) {
                    hasPrototype = true;
                    text += "__proto__: " + expr(oneIn(4) ? Any : Object, d);
                    break;
                }
                [[fallthrough]];
            case 5: text += format("%u: ", below(5)) + expr(Any, d); break;
            default: text += std::string(propertyName()) + ": " + expr(Any, d);
            }
            text += ", ";
        }
        return text + "})";
    }
    case 5: return "Object.assign({}, " + expr(Object, d) + ", " + expr(Any, d) + ")";
    case 6: return "Object.create(" + expr(Object, d) + ")";
    case 7: return "Object.fromEntries(" + expr(oneIn(2) ? Map : Array, d) + ")";
    case 8:
    case 9:
    case 10: {
        const Variable* found = variable(Class, false);
        return found ? "new " + found->name + "(" + expr(Any, d) + ")" : "({ a: " + expr(Any, d) + " })";
    }
    case 11: return "Object.getOwnPropertyDescriptors(" + expr(Object, d) + ")";
    case 12: return "JSON.parse(JSON.stringify(" + expr(Object, d) + "))";
    case 13:
        if (features_.proxies)
            return "new Proxy(" + expr(Object, d)
                + ", { get(t, k, r) { show(\"trap\", String(k)); return Reflect.get(t, k, r); }, has(t, k) { return "
                + expr(Bool, d) + "; }, ownKeys(t) { show(\"trap\", \"ownKeys\"); return Reflect.ownKeys(t); } })";
        [[fallthrough]];
    case 14: return "Object(" + expr(Any, d) + ")";
    default: return "new Set(" + expr(Array, d) + ")";
    }
}

std::string ExpressionMaker::functionExpr(u32 d) {
    std::vector<std::string> parameters;
    push();
    std::string list = parameterList(parameters);
    for (const std::string& name : parameters)
        declare(name, Any, true);
    std::string body = expr(Any, d);
    pop();
    switch (below(5)) {
    case 0: return "(function (" + list + ") { return " + body + "; })";
    case 1:
        return "(function (" + list + ") { " + (oneIn(2) ? "if (fuel-- < 0) return; " : "") + "show(\"in\", " + body
            + "); return arguments.length; })";
    case 2: return expr(Function, d) + ".bind(" + expr(Any, d) + ", " + expr(Any, d) + ")";
    default: return "((" + list + ") => " + body + ")";
    }
}

std::string ExpressionMaker::mapExpr(u32 d) {
    switch (below(4)) {
    case 0: return "new Map(" + expr(Map, d) + ")";
    case 1: return "new Map(" + expr(Array, d) + ".map((v, i) => [" + PICK("v", "i") + ", " + PICK("i", "v") + "]))";
    case 2: return expr(Map, d) + ".set(" + expr(Any, d) + ", " + expr(Any, d) + ")";
    default: return "new Map([[" + expr(Any, d) + ", " + expr(Any, d) + "]])";
    }
}

std::string ExpressionMaker::callExpr(u32 d) {
    const Variable* found = variable(Function, false);
    std::string callee = found ? found->name : expr(Function, d ? d - 1 : 0);
    std::string text = callee + PICK("", "?.", "") + "(";
    for (u32 n = below(4); n; n--)
        text += (oneIn(8) ? "..." + expr(Array, d ? d - 1 : 0) : expr(Any, d ? d - 1 : 0)) + ", ";
    return text + ")";
}

std::string ExpressionMaker::method(u32 d) {
    const char* dot = PICK(".", ".", "?.");
    return expr(Object, d) + dot + propertyName() + "(" + expr(Any, d) + ")";
}

std::string ExpressionMaker::anyExpr(u32 d) {
    if (d == 0)
        return PICK("null", "undefined", "true", "(1)", "\"s\"", "Symbol.iterator", "[]", "globalThis.nothing",
            "Symbol(\"q\")");
    d--;
    switch (below(16)) {
    case 0:
    case 1: return callExpr(d);
    case 2: return method(d);
    case 3: {
        const char* dot = PICK(".", ".", "?.");
        return expr(oneIn(4) ? Any : Object, d) + dot + propertyName();
    }
    case 4: return expr(Array, d) + "[" + expr(Number, 0) + "]";
    case 5: return expr(Object, d) + (oneIn(2) ? "[" : "?.[") + expr(oneIn(2) ? Any : String, d) + "]";
    case 6: return expr(Map, d) + ".get(" + expr(Any, d) + ")";
    case 7: return "(" + expr(Any, d) + PICK(" ?? ", " || ", " && ", ", ", " + ") + expr(Any, d) + ")";
    case 8: return "(" + expr(Bool, d) + " ? " + expr(Any, d) + " : " + expr(Any, d) + ")";
    case 9: return expr(Array, d) + (oneIn(2) ? ".find(" : ".findLast(") + callback(d, Bool, 1) + ")";
    case 10: return expr(Array, d) + (oneIn(2) ? ".reduce(" : ".reduceRight(") + callback(d, Any, 2) + ")";
    case 11: return expr(Function, d) + (oneIn(2) ? ".call(" : ".apply(") + expr(Any, d) + ", " + expr(Array, d) + ")";
    case 12: {
        const Variable* found = variable(Class, false);
        return found ? found->name + "." + propertyName() : "this";
    }
    case 13: return "(void " + expr(Any, d) + ")";
    case 14: return "JSON.parse(" + expr(String, d) + ")";
    default: return expr(anyKind() == Any ? String : Object, d);
    }
}

}
