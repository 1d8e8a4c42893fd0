// Expressions by the kind of value that is wanted, statements by what variables are known. A variable's kind is what
// it was given; about one expression in fifty is of another kind, so that errors and conversions are met too.
#include "tests/fuzz/generator.h"
#include "tests/fuzz/expressions.h"
#include <cstdarg>

namespace scr::fuzz {

// fuel bounds calls, clip what grows; show prints a value as console.log does.
const char* const preamble = R"(let fuel = 0;
const clip = v => typeof v === "string" && v.length > 200 ? v.slice(0, 200)
    : Array.isArray(v) && v.length > 40 ? v.slice(0, 40) : v;
const show = (tag, v) => {
    if (typeof v === "string" && v.length > 300) v = "long " + v.length;
    console.log(tag, v);
};
const told = e => {
    if (!(e instanceof Error)) return typeof e === "object" && e !== null ? "object" : typeof e === "symbol" ? e.toString() : String(e);
    // Which text names the callee is compared by tests/errors; here it would hide what else differs.
    for (const kind of ["iterable", "is not a function", "is not a constructor", "Cannot destructure", "Cannot read properties of"]) {
        if (e.message.includes(kind)) return e.name + ": nothing of the kind";
    }
    return e.name + ": " + e.message;
};
const key = v => typeof v === "number" && v === v ? v : typeof v === "string" ? v.length : 0;
const up = (a, b) => key(a) - key(b), down = (a, b) => key(b) - key(a);
const tag = (strings, ...values) => strings.raw.join("|") + values.map(v => typeof v).join(",");
)";

namespace {

class StatementMaker : ExpressionMaker {
public:
    using ExpressionMaker::ExpressionMaker;
    Program program() {
        Program result;
        push();
        result.push_back({"fuel = 400;", {}, "", false});
        for (u32 n = 5 + below(22); n; n--)
            result.push_back(statement(3));
        for (const Variable& variable : scopes_.back())
            result.push_back({format("show(\"%s\", %s);", variable.name.c_str(), variable.name.c_str()), {}, ""});
        pop();
        return result;
    }

private:
    struct Label {
        std::string name;
        bool isLoop;
    };
    std::vector<Label> labels_;
    u32 functions_ = 0, loops_ = 0, breakable_ = 0;

    Statement simple(std::string text) { return {std::move(text), {}, ""}; }

    std::vector<Statement> block(u32 depth, u32 most = 4) {
        std::vector<Statement> body;
        push();
        for (u32 n = 1 + below(most); n; n--)
            body.push_back(statement(depth));
        pop();
        return body;
    }

    Statement statement(u32 depth) {
        if (depth == 0)
            return leaf();
        switch (below(24)) {
        case 0: return {"if (" + expr(Bool, 3) + ") {", block(depth - 1), "}"};
        case 1: {
            std::string condition = expr(Any, 3);
            push();
            std::string first = leafText();
            pop();
            return {"if (" + condition + ") { " + first + " } else {", block(depth - 1), "}"};
        }
        case 2: return loop(depth);
        case 3: return loop(depth);
        case 4:
        case 5: return guarded(depth);
        case 6: return function(depth);
        case 7: return definition(depth);
        case 8: return choice(depth);
        case 9: return {"{", block(depth - 1), "}"};
        case 10: return labelled(depth);
        case 11: return iterable(depth);
        default: return leaf();
        }
    }

    Statement leaf() { return simple(leafText()); }

    std::string leafText() {
        switch (below(25)) {
        case 0:
        case 1: return "show(" + number() + ", " + expr(Any, 4) + ");";
        case 2:
        case 3: return attempted("show(" + number() + ", " + expr(Any, 4) + ");");
        case 4: return attempted(assignment());
        case 5:
        case 6: return assignment();
        case 7: return mutation();
        case 8: return attempted(mutation());
        case 9: return objectOperation();
        case 10: return jump();
        case 11: return attempted(expr(Call, 3) + ";");
        case 12:
            return "show(\"json\", JSON.stringify(" + expr(oneIn(2) ? Object : Any, 3)
                + (oneIn(3) ? format(", null, %u", below(4)) : "") + "));";
        default: return declaration();
        }
    }

    std::string attempted(const std::string& text) {
        return "try { " + text + " } catch (e) { show(\"!\", told(e)); }";
    }

    std::string declaration() {
        if (oneIn(5))
            return destructuring();
        Kind kind = anyKind();
        bool constant = oneIn(3);
        std::string value = expr(kind, 4);
        std::string name = fresh();
        declare(name, kind, !constant);
        if (!constant && oneIn(2))
            return "let " + name + "; " + attempted(name + " = " + value + ";");
        return (constant ? "const " : "let ") + name + " = " + value + ";";
    }

    std::string destructuring() {
        std::string source = expr(oneIn(2) ? Array : Object, 3);
        bool isArray = oneIn(2);
        std::string text = isArray ? "let [" : "let {";
        u32 count = 1 + below(3);
        std::vector<std::string> names;
        for (u32 i = 0; i < count; i++) {
            std::string name = fresh();
            if (i)
                text += ", ";
            if (isArray) {
                if (oneIn(6))
                    text += ", ";
                text += i + 1 == count && oneIn(3) ? "..." + name
                    : oneIn(6)                     ? "[" + name + "] = [" + expr(Any, 1) + "]"
                                                   : name + (oneIn(3) ? " = " + expr(Any, 1) : "");
            } else if (i + 1 == count && oneIn(3)) {
                text += "..." + name;
            } else {
                text += (oneIn(6) ? "[" + expr(String, 1) + "]" : propertyName()) + ": " + name
                    + (oneIn(3) ? " = " + expr(Any, 1) : "");
            }
            names.push_back(name);
        }
        for (const std::string& name : names)
            declare(name, Any, true);
        return text + (isArray ? "] = " : "} = ") + source + ";";
    }

    std::string assignment() {
        static const char* const operators[] = {"=", "=", "=",
            "+=", "-=", "*=", "%=", "|=", "&=", "^=", "<<=", ">>=", ">>>=", "&&=", "||=", "?\?=", "**=", "/="};
        const char* op = operators[below(sizeof operators / sizeof *operators)];
        switch (below(4)) {
        case 0: return expr(Object, 1) + "." + propertyName() + " " + op + " " + expr(Any, 2) + ";";
        case 1: return arrayBase() + "[" + expr(Number, 1) + "] " + op + " " + expr(Any, 2) + ";";
        default: {
            const Variable* target = variable(Any, true);
            if (!target)
                return declaration();
            if (op[0] == '=')
                return target->name + " = clip(" + expr(target->kind, 3) + ");";
            return target->name + " = clip(" + target->name + " " + op + " " + expr(target->kind, 2) + ");";
        }
        }
    }

    /// An array or object that is no literal, so that changing it means something.
    std::string arrayBase() {
        const Variable* found = variable(Array, false);
        return found ? found->name : "[1, 2, 3]";
    }
    std::string objectBase() {
        const Variable* found = variable(oneIn(4) ? Array : Object, false);
        return found ? found->name : "({ a: 1 })";
    }

    std::string mutation() {
        std::string base = arrayBase();
        switch (below(16)) {
        case 0: return "show(\"push\", " + base + ".push(" + expr(Any, 2) + "));";
        case 1: return "show(\"pop\", " + base + ".pop());";
        case 2: return "show(\"shift\", " + base + ".shift());";
        case 3: return "show(\"unshift\", " + base + ".unshift(" + expr(Any, 2) + "));";
        case 4:
            return "show(\"splice\", " + base + ".splice(" + smallNumber() + ", " + smallNumber() + ", " + expr(Any, 2)
                + "));";
        case 5: return base + ".length = " + smallNumber() + ";";
        case 6: return base + "[" + format("%u", below(12)) + "] = " + expr(Any, 2) + ";";
        case 7: return "delete " + base + "[" + format("%u", below(4)) + "];";
        case 8: return "show(\"sort\", " + base + ".sort(" + (oneIn(2) ? "up" : "down") + "));";
        case 9: return base + ".reverse();";
        case 10: return base + ".fill(" + expr(Any, 1) + ", " + smallNumber() + ", " + smallNumber() + ");";
        case 11: return base + ".copyWithin(" + smallNumber() + ", " + smallNumber() + ", " + smallNumber() + ");";
        case 12: return expr(Map, 0) + ".set(" + expr(Any, 1) + ", " + expr(Any, 1) + ");";
        case 13: return "show(\"delete\", " + expr(Map, 0) + ".delete(" + expr(Any, 1) + "));";
        default: return expr(Map, 0) + ".forEach((v, k) => show(\"each\", [k, v]));";
        }
    }

    std::string objectOperation() {
        std::string base = objectBase(), key = std::string("\"") + propertyName() + "\"";
        if (oneIn(4))
            key = format("%u", below(6));
        switch (below(13)) {
        case 0: return "Object.freeze(" + base + ");";
        case 1: return "Object.seal(" + base + ");";
        case 2: return "Object.preventExtensions(" + base + ");";
        case 3:
        case 4: return "show(\"define\", Reflect.defineProperty(" + base + ", " + key + ", " + descriptor() + "));";
        case 5: return "Object.defineProperty(" + base + ", " + key + ", " + descriptor() + ");";
        case 6: return "show(\"delete\", Reflect.deleteProperty(" + base + ", " + key + "));";
        case 7: return "delete " + base + "[" + key + "];";
        case 8: return "show(\"descriptor\", Object.getOwnPropertyDescriptor(" + base + ", " + key + "));";
        case 9: return "show(\"all\", Object.getOwnPropertyDescriptors(" + base + "));";
        case 10:
            return "show(\"set\", Reflect.set(" + base + ", " + key + ", " + expr(Any, 1)
                + (oneIn(3) ? ", " + objectBase() : "") + "));";
        case 11:
            return "show(\"prototype\", Reflect.setPrototypeOf(" + base + ", " + (oneIn(3) ? "null" : objectBase())
                + "));";
        default: return "show(\"keys\", Reflect.ownKeys(" + base + "));";
        }
    }

    std::string descriptor() {
        std::string text = "{ ";
        if (oneIn(3)) {
            text += "get() { return " + expr(Any, 1) + "; }, ";
            if (oneIn(2))
                text += "set(x) { show(\"setter\", x); }, ";
        } else {
            if (!oneIn(4))
                text += "value: " + expr(Any, 1) + ", ";
            if (oneIn(2))
                text += format("writable: %s, ", oneIn(2) ? "true" : "false");
        }
        if (oneIn(2))
            text += format("enumerable: %s, ", oneIn(2) ? "true" : "false");
        if (oneIn(2))
            text += format("configurable: %s, ", oneIn(2) ? "true" : "false");
        return text + "}";
    }

    std::string jump() {
        if (functions_ && oneIn(2))
            return oneIn(3) ? "if (" + expr(Bool, 2) + ") return;"
                            : "if (" + expr(Bool, 2) + ") return " + expr(Any, 2) + ";";
        if (!labels_.empty() && oneIn(2)) {
            const Label& label = labels_[below(labels_.size())];
            return "if (" + expr(Bool, 2) + ") " + (label.isLoop && oneIn(2) ? "continue " : "break ") + label.name
                + ";";
        }
        if (loops_ && oneIn(2))
            return "if (" + expr(Bool, 2) + ") continue;";
        if (breakable_)
            return "if (" + expr(Bool, 2) + ") break;";
        return "if (" + expr(Bool, 2) + ") throw " + thrown() + ";";
    }

    std::string thrown() {
        static const char* const classes[] = {"Error", "TypeError", "RangeError", "SyntaxError", "EvalError"};
        if (oneIn(3))
            return expr(Any, 2);
        return std::string("new ") + classes[below(5)] + "(" + expr(String, 2)
            + (oneIn(4) ? ", { cause: " + expr(Any, 1) + " }" : "") + ")";
    }

    Statement loop(u32 depth) {
        loops_++, breakable_++;
        push();
        Statement result = loopIn(depth);
        pop();
        loops_--, breakable_--;
        return result;
    }

    Statement loopIn(u32 depth) {
        std::string name = fresh();
        switch (below(8)) {
        case 0:
            declare(name, Number, false);
            return {format("for (let %s = 0; %s < %u; %s++) {", name.c_str(), name.c_str(), 1 + below(6), name.c_str()),
                block(depth - 1), "}"};
        case 1: {
            std::string source = expr(oneIn(6) ? Any : Array, 3);
            declare(name, Any, false);
            return {"for (const " + name + " of " + source + ") {", block(depth - 1), "}"};
        }
        case 2: {
            std::string source = expr(Map, 2), other = fresh();
            declare(name, Any, true), declare(other, Any, true);
            return {"for (let [" + name + ", " + other + "] of " + source + ") {", block(depth - 1), "}"};
        }
        case 3: {
            std::string source = expr(oneIn(3) ? Any : Object, 3);
            declare(name, String, false);
            return {"for (const " + name + " in " + source + ") {", block(depth - 1), "}"};
        }
        case 4: {
            std::string source = expr(String, 3);
            declare(name, String, true);
            return {"for (let " + name + " of " + source + ") {", block(depth - 1), "}"};
        }
        case 5: {
            // Closures over the variable of each round.
            std::string list = fresh();
            declare(name, Number, true);
            auto body = block(depth - 1);
            body.insert(body.begin(), simple(list + ".push(() => " + name + ");"));
            return {"{ const " + list + " = []; for (let " + name + " = 0; fuel-- > 0 && " + name + " < 3; " + name
                    + "++) {",
                std::move(body), "} show(\"closures\", " + list + ".map(f => f())); }"};
        }
        case 6:
            declare(name, Number, false);
            return {
                "for (let " + name + " = 4; " + name + "-- > 0 && " + expr(Bool, 2) + ";) {", block(depth - 1), "}"};
        default:
            declare(name, Number, true);
            return {"for (let " + name + " = 0, limit = 0; limit++ < 5; " + name + " += 2) {", block(depth - 1), "}"};
        }
    }

    Statement labelled(u32 depth) {
        std::string name = "L" + number();
        bool isLoop = !oneIn(4);
        labels_.push_back({name, isLoop});
        Statement result;
        if (isLoop) {
            loops_++, breakable_++;
            std::string counter = fresh();
            push();
            declare(counter, Number, false);
            result = oneIn(2) ? Statement{format("%s: for (let %s = 0; %s < 4; %s++) {", name.c_str(), counter.c_str(),
                                              counter.c_str(), counter.c_str()),
                         block(depth - 1), "}"}
                              : Statement{format("%s: for (const %s of [1, 2, 3]) {", name.c_str(), counter.c_str()),
                                  block(depth - 1), "}"};
            pop();
            loops_--, breakable_--;
        } else {
            result = {name + ": {", block(depth - 1), "}"};
        }
        labels_.pop_back();
        return result;
    }

    Statement guarded(u32 depth) {
        Statement result{"try {", block(depth - 1), "}"};
        std::string name = fresh();
        u32 form = below(4);
        std::string caught = "show(\"caught\", told(" + name + "));";
        push();
        declare(name, Any, true);
        if (form != 0)
            caught += " " + leafText();
        std::string finally =
            " finally { " + (oneIn(3) ? leafText() : "show(\"finally\", " + expr(Any, 2) + ");") + " }";
        pop();
        if (form == 1)
            result.tail = "} catch { show(\"caught\", 0); }";
        else
            result.tail = "} catch (" + name + ") { " + caught + " }";
        if (form == 2)
            result.tail += finally;
        return result;
    }

    Statement choice(u32 depth) {
        breakable_++;
        Statement result{"switch (" + expr(Any, 3) + ") {", {}, "}"};
        push();
        u32 count = 1 + below(4), fallback = below(5);
        for (u32 i = 0; i < count; i++) {
            Statement branch{(i == fallback ? "default: {" : "case " + expr(Any, 2) + ": {"), block(depth - 1, 2),
                oneIn(2) ? "} break;" : "}"};
            result.body.push_back(std::move(branch));
        }
        pop();
        breakable_--;
        return result;
    }

    /// A statement for the body of a function written in place.
    std::string innerLeaf() { return functionBody(0, {})[1].head; }

    /// Saves what jumps may lead to: a function's body leads to nothing outside.
    std::vector<Statement> functionBody(u32 depth, const std::vector<std::string>& parameters) {
        auto labels = std::move(labels_);
        labels_.clear();
        u32 loops = loops_, breakable = breakable_;
        loops_ = breakable_ = 0;
        functions_++;
        push();
        for (const std::string& parameter : parameters)
            declare(parameter, Any, true);
        std::vector<Statement> body;
        body.push_back({"if (fuel-- < 0) return 0;", {}, "", false});
        for (u32 n = 1 + below(4); n; n--)
            body.push_back(statement(depth));
        body.push_back(simple("return " + expr(Any, 3) + ";"));
        pop();
        functions_--;
        loops_ = loops, breakable_ = breakable;
        labels_ = std::move(labels);
        return body;
    }

    Statement function(u32 depth) {
        std::string name = fresh();
        std::vector<std::string> parameters;
        std::string list = parameterList(parameters);
        Statement result;
        bool arrow = oneIn(3);
        if (arrow)
            result = {"const " + name + " = (" + list + ") => {", functionBody(depth - 1, parameters), "};"};
        else
            result = {"function " + name + "(" + list + ") {", functionBody(depth - 1, parameters), "}"};
        declare(name, Function, false);
        return result;
    }

    /// An object whose iterator tells what is asked of it.
    Statement iterable(u32) {
        std::string name = fresh(), count = format("%u", 1 + below(4));
        Statement result{"const " + name + " = { [Symbol.iterator]() { let n = 0; return {",
            {simple("next() { show(\"next\", n); if (n >= " + count + ") return { done: true, value: 9 }; n++; "
                + (oneIn(4) ? innerLeaf() : "") + " return { value: " + (oneIn(2) ? "n" : "[n, n * 2]")
                + ", done: false }; },")},
            "}; } };"};
        if (oneIn(2))
            result.body.push_back(simple("return(x) { show(\"return\", x); "
                + std::string(oneIn(4) ? "throw new Error(\"r\");" : "return {};") + " },"));
        result.body[0].isRemovable = false;
        declare(name, Array, false);
        return result;
    }

    Statement definition(u32 depth) {
        std::string name = "C" + fresh();
        const Variable* base = oneIn(2) ? variable(Class, false) : nullptr;
        Statement result{"class " + name
                + (base             ? " extends " + base->name
                        : oneIn(10) ? " extends Array"
                                    : "")
                + " {",
            {}, "}"};
        bool derived = result.head.find("extends") != std::string::npos;
        if (oneIn(2)) {
            std::vector<std::string> parameters{fresh()};
            auto body = functionBody(depth - 1, parameters);
            body.pop_back();
            body.front() = simple(std::string("this.") + propertyName() + " = " + parameters[0] + ";");
            if (derived && !oneIn(12))
                body.insert(
                    body.begin(), {"super(" + std::string(oneIn(2) ? parameters[0] : "1") + ");", {}, "", false});
            result.body.push_back({"constructor(" + parameters[0] + ") {", std::move(body), "}"});
        }
        if (features_.privateNames && oneIn(2)) {
            result.body.push_back({"#p = " + expr(Any, 2) + ";", {}, "", false});
            result.body.push_back(simple("get hidden() { return this.#p; }"));
            result.body.push_back(simple("set hidden(v) { this.#p = v; }"));
            result.body.push_back(simple("static has(o) { return #p in o; }"));
            result.body.push_back(simple("#m(x) { return x; } callM(x) { return this.#m(x) + \"!\"; }"));
        }
        for (u32 n = 1 + below(4); n; n--)
            result.body.push_back(member(depth, derived));
        declare(name, Class, false);
        return result;
    }

    Statement member(u32 depth, bool derived) {
        std::string key = oneIn(6) ? "[" + expr(String, 1) + "]" : propertyName();
        std::string prefix = oneIn(4) ? "static " : "";
        switch (below(derived ? 7 : 6)) {
        case 0: return simple(prefix + key + " = " + expr(Any, 2) + ";");
        case 1: return simple(prefix + "get " + key + "() { return " + expr(Any, 2) + "; }");
        case 2: return simple(prefix + "set " + key + "(v) { show(\"set\", v); }");
        case 3:
            if (features_.staticBlocks) {
                return simple("static { show(\"static\", typeof this); }");
            }
            [[fallthrough]];
        case 4: {
            std::vector<std::string> parameters;
            std::string list = parameterList(parameters);
            return {prefix + key + "(" + list + ") {", functionBody(depth - 1, parameters), "}"};
        }
        case 5: return simple("toString() { return " + expr(oneIn(5) ? Any : String, 2) + "; }");
        default:
            return simple(std::string(propertyName()) + "() { return super." + std::string(propertyName())
                + (oneIn(2) ? "(1)" : "") + "; }");
        }
    }
};

}

Program generate(u64 seed, const Features& features) { return StatementMaker(seed, features).program(); }

std::string textOf(const Program& program, unsigned indent) {
    std::string text;
    for (const Statement& statement : program) {
        text.append(indent * 4, ' ');
        text += statement.head;
        text += '\n';
        if (statement.tail.empty())
            continue;
        text += textOf(statement.body, indent + 1);
        text.append(indent * 4, ' ');
        text += statement.tail;
        text += '\n';
    }
    return text;
}

}
